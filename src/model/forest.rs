//! Random forests: averages of regression trees that have each seen a bag of rows.
//!
//! A forest brings its leave-one-out models along: the trees whose bag has not row i are the forest without it
//! ([`LeaveOneOut::forest`](crate::leave_one_out::LeaveOneOut::forest)), and no row costs a training.

use std::fmt;

use biosphere::{DecisionTree, DecisionTreeParameters, MaxFeatures};
use ndarray::{Array1, Array2, ArrayView2, Axis};
use rayon::prelude::*;

use super::Model;
use crate::check;
use crate::error::Result;
use crate::sample::Sample;
use crate::sample::bags::draw;
use crate::setter::setters;

/// No branch is longer: a table that sorts its rows must not exhaust the stack.
const DEPTH: usize = 64;

/// How a forest grows. The defaults stand between those of R's randomForest (leaves of 5, a third of the columns) and of scikit-learn
/// (leaves of 1, all columns), neither of which was the better on all of the bundled tables.
///
/// | option | default | meaning | range |
/// |---|---|---|---|
/// | `trees` | 200 | trees, each grown on a bag of n rows drawn with replacement | ≥ 2 |
/// | `leaf` | 3 | rows of a bag that are not divided any more | ≥ 1 |
/// | `share` | 2/3 | share of the columns that a division may look at | 0 < · ≤ 1 |
/// | `seed` | 0 | of the bags and the columns | |
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let (train, test) = Table::Concrete.load().split(0.2, 0)?;
/// let forest = LeaveOneOut::forest(&train, &Forest::default())?;
/// let intervals = forest.jackknife_plus(test.x(), 0.1)?;
/// assert!(intervals.coverage(test.y())?.rate > 0.85);
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forest {
    pub(crate) trees: usize,
    pub(crate) leaf: usize,
    pub(crate) share: f64,
    pub(crate) seed: u64,
}

impl Default for Forest {
    fn default() -> Self {
        Self { trees: 200, leaf: 3, share: 2.0 / 3.0, seed: 0 }
    }
}

impl Forest {
    setters! {
        /// The number of trees.
        trees(trees: usize) => trees;

        /// Rows of a bag that are not divided any more.
        leaf(rows: usize) => rows;

        /// The share of the columns that a division may look at.
        share(share: f64) => share;

        /// The seed of the bags and the columns.
        seed(seed: u64) => seed;
    }

    /// Refuses options out of their range.
    pub(crate) fn check(&self) -> Result<()> {
        check::that(self.trees > 1, "the number of trees", self.trees, "be at least 2", "200")?;
        check::at_least_one("the rows of a leaf", self.leaf, "3")?;
        let holds = self.share > 0.0 && self.share <= 1.0;
        check::that(holds, "the share of the columns", self.share, "be above 0 and at most 1", "0.667")
    }

    /// One tree on the rows of a bag.
    pub(crate) fn tree(&self, bag: &Sample, seed: u64) -> Tree {
        let scale = |deviation: f64| if deviation > 1e-100 { deviation } else { 1.0 };
        // Absolute thresholds decide in there what is constant and what a gain.
        let (center, unit) = (bag.y().mean().unwrap_or(0.0), scale(bag.y().std(0.0)));
        let scales = bag.x().std_axis(Axis(0), 0.0).mapv(scale);
        let (x, y) = (bag.x() / &scales, (bag.y() - center) / unit);
        let columns = ((bag.columns() as f64 * self.share).round() as usize).max(1);
        let how = DecisionTreeParameters::new(Some(DEPTH), MaxFeatures::Value(columns), self.leaf, 1, seed);
        let mut tree = DecisionTree::new(how);
        tree.fit(&x.view(), &y.view());
        Tree { tree, scales, center, unit }
    }
}

impl Forest {
    /// Grows the trees.
    ///
    /// # Errors
    /// [`Error::Choice`](crate::Error::Choice) for an option out of its range or fewer trees than it takes for each row to be missing
    /// from one.
    pub fn fit(&self, sample: &Sample) -> Result<Grown> {
        self.check()?;
        let (bags, _) = draw(sample.len(), self.trees, self.seed)?;
        let tree = |(rows, seed): &(Vec<usize>, u64)| Ok(self.tree(&sample.rows(rows)?, *seed));
        Ok(Grown { trees: bags.par_iter().map(tree).collect::<Result<_>>()? })
    }
}

/// A forest: predicts the mean of its trees.
pub struct Grown {
    trees: Vec<Tree>,
}

impl Model for Grown {
    fn columns(&self) -> usize {
        self.trees[0].columns()
    }

    fn evaluate(&self, x: ArrayView2<f64>) -> Array1<f64> {
        let mut predictions = Array2::zeros((x.nrows(), self.trees.len()));
        predictions
            .columns_mut()
            .into_iter()
            .zip(&self.trees)
            .for_each(|(mut column, tree)| column.assign(&tree.evaluate(x)));
        predictions.sum_axis(Axis(1)) / self.trees.len() as f64
    }
}

impl fmt::Debug for Grown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "random forest of {} trees", self.trees.len())
    }
}

impl fmt::Display for Forest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { trees, leaf, share, .. } = self;
        write!(
            f,
            "random forest of {trees} trees, leaves of {leaf} rows, {:.0} % of the columns at each division",
            100.0 * share
        )
    }
}

/// A regression tree, in the units of its bag.
pub(crate) struct Tree {
    tree: DecisionTree,
    scales: Array1<f64>,
    center: f64,
    unit: f64,
}

impl Model for Tree {
    fn columns(&self) -> usize {
        self.scales.len()
    }

    fn evaluate(&self, x: ArrayView2<f64>) -> Array1<f64> {
        let x: Array2<f64> = &x / &self.scales;
        self.tree.predict(&x.view()) * self.unit + self.center
    }
}
