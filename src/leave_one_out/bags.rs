//! Any learner: the average of models that have each seen a bag of rows; those without row i are its leave-one-out model.

use ndarray::{Array1, Array2, ArrayView2, Axis, Zip};
use rayon::prelude::*;

use super::{Engine, LeaveOneOut, Models, check_rows};
use crate::error::Result;
use crate::model::Model;
#[cfg(feature = "trees")]
use crate::model::forest::Forest;
use crate::sample::bags::draw;
use crate::sample::{Sample, check_points};

/// A learner with a seed: any function from a sample to a model.
type Seeded<'f> = &'f (dyn Fn(&Sample, u64) -> Result<Box<dyn Model>> + Sync + 'f);

impl LeaveOneOut {
    /// Fits `bags` bootstrap samples, in parallel, and averages: B trainings instead of n (Efron 1992's jackknife after
    /// bootstrap; with [`LeaveOneOut::jackknife_plus`] Kim, Xu & Barber 2020's).
    ///
    /// ```text
    /// f(x)   = the mean over all B models
    /// f₋ᵢ(x) = the mean over the models whose bag, n rows drawn with replacement, has not row i: about 0.37 B of them
    /// ```
    ///
    /// `fit` gets the bag and a seed of its own, for learners that start at random. The prediction is the average's, and
    /// usually better than that of one model. Models that state a deviation
    /// ([`Model::stated_deviation`]) state their geometric mean together, which one member that is wildly unsure
    /// cannot spoil.
    ///
    /// The bags are drawn again until each row is missing from one; this treats all rows alike, as the proof of the
    /// jackknife+ wants.
    ///
    /// # Errors
    /// [`Error::Choice`](crate::Error::Choice) for fewer bags than it takes (25 suffice for 10,000 rows),
    /// [`Error::Columns`](crate::Error::Columns) if a model has other columns, and whatever `fit` answers.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
    /// let training = Training::default().hidden(&[20]).epochs(100);
    /// let loo = LeaveOneOut::bags(&train, 25, 0, |rows, seed| training.clone().seed(seed).fit(rows))?;
    /// assert!(loo.studentised(test.x(), 0.1)?.coverage(test.y())?.rate > 0.8);
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn bags<M: Model + 'static>(
        sample: &Sample,
        bags: usize,
        seed: u64,
        fit: impl Fn(&Sample, u64) -> Result<M> + Sync,
    ) -> Result<Self> {
        Self::bagged(sample, bags, seed, &|rows, seed| Ok(Box::new(fit(rows, seed)?)))
    }

    /// A random forest: the trees whose bag has not row i are the forest without it, so that no row costs a training.
    ///
    /// # Errors
    /// As [`LeaveOneOut::bags`].
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
    /// let forest = LeaveOneOut::forest(&train, &Forest::default())?;
    /// assert_eq!(forest.predict(test.x())?, Forest::default().fit(&train)?.predict(test.x())?);
    /// assert!(forest.studentised(test.x(), 0.1)?.coverage(test.y())?.rate > 0.8);
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    #[cfg(feature = "trees")]
    pub fn forest(sample: &Sample, forest: &Forest) -> Result<Self> {
        forest.check()?;
        Self::bagged(sample, forest.trees, forest.seed, &|rows, seed| Ok(Box::new(forest.tree(rows, seed))))
    }

    pub(crate) fn bagged(sample: &Sample, bags: usize, seed: u64, fit: Seeded<'_>) -> Result<Self> {
        check_rows(sample)?;
        let (rows, weights) = draw(sample.len(), bags, seed)?;
        let fitted = rows.par_iter().map(|(rows, seed)| {
            let model = fit(&sample.rows(rows)?, *seed)?;
            check_points(sample.x(), model.columns())?;
            Ok(model)
        });
        let models = Bagged { members: fitted.collect::<Result<_>>()?, weights };
        let left_out = models.left_out(&models.predictions(sample.x().view()));
        Self::new(models, Engine::Bags(bags), sample, left_out, None)
    }
}

struct Bagged {
    members: Vec<Box<dyn Model>>,
    /// One row for each member, one column for each row of the sample.
    weights: Array2<f64>,
}

impl Bagged {
    /// The members' predictions, points × B.
    fn predictions(&self, x: ArrayView2<f64>) -> Array2<f64> {
        let mut predictions = Array2::zeros((x.nrows(), self.members.len()));
        for (mut column, member) in predictions.columns_mut().into_iter().zip(&self.members) {
            column.assign(&member.evaluate(x));
        }
        predictions
    }

    /// The logarithms of what the members state, points × B.
    fn statements(&self, x: ArrayView2<f64>) -> Option<Array2<f64>> {
        let mut logarithms = Array2::zeros((x.nrows(), self.members.len()));
        for (mut column, member) in logarithms.columns_mut().into_iter().zip(&self.members) {
            column.assign(&member.stated_deviation(x)?.mapv(f64::ln));
        }
        Some(logarithms)
    }

    /// For each training row the mean of the members that have not seen it; `values` is n × B.
    fn left_out(&self, values: &Array2<f64>) -> Array1<f64> {
        Zip::from(values.rows()).and(self.weights.columns()).map_collect(|values, weights| values.dot(&weights))
    }
}

/// The mean of each row.
fn means(values: &Array2<f64>) -> Array1<f64> {
    values.sum_axis(Axis(1)) / values.ncols() as f64
}

impl Models for Bagged {
    fn full(&self, x: ArrayView2<f64>) -> Result<Array1<f64>> {
        Ok(means(&self.predictions(x)))
    }

    fn without(&self, x: ArrayView2<f64>) -> Result<Array2<f64>> {
        Ok(self.predictions(x).dot(&self.weights))
    }

    /// What each member adds to the average.
    fn contributions(&self, x: ArrayView2<f64>) -> Option<Array2<f64>> {
        Some(self.predictions(x) / self.members.len() as f64)
    }

    fn stated(&self, x: ArrayView2<f64>) -> Option<Array1<f64>> {
        Some(means(&self.statements(x)?).mapv(f64::exp))
    }

    fn stated_left_out(&self, x: ArrayView2<f64>) -> Option<Array1<f64>> {
        Some(self.left_out(&self.statements(x)?).mapv(f64::exp))
    }
}
