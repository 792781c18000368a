//! Features and kernels that were made elsewhere: arrays in place of a model.

mod check;
mod kernel;
mod tensors;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use ndarray::{Array1, Array2, ArrayView2, Axis, concatenate, s};

use super::Features;
use crate::error::{Error, Result};
use crate::factor::product;
use crate::sample::Sample;
use check::{check_pair, check_vector, one_each};

/// Features, or a kernel, of training rows and of points, made by another program: a deep model's Jacobian, a Gaussian process.
///
/// ```text
/// y ≈ o(x) + J(x)·θ     J the features;  or  k(x, xⱼ) = J(x)·J(xⱼ)  without J
/// ```
///
/// The offsets o are 0 unless given ([`GivenFeatures::with_offsets`]). Near is measured by Euclid in the places that were given
/// ([`GivenFeatures::with_places`]), else in the features as they are, or for a kernel by k(x,x) − 2k(x,xⱼ) + k(xⱼ,xⱼ), which is the
/// same of the features that it stands for.
///
/// It knows its rows and points: [`GivenFeatures::train`] is the sample, [`GivenFeatures::test`] the points, and both have all that
/// was given as their columns. Everything is proven if the features were made without these rows and their targets
/// ([`Guarantee::IfFeaturesFixed`](crate::interval::Guarantee::IfFeaturesFixed)). Where a model has been trained on them, take the
/// derivatives by the parameters of all its layers but the last: the fewer features, the more they have seen.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let given = GivenFeatures::load("tests/fixtures/tangent_a.safetensors")?;
/// let loo = LeaveOneOut::tangent_of(given.clone(), given.train(), &Tangent::default())?;
/// let intervals = loo.nested(given.test(), 0.1)?;
/// assert_eq!(intervals.prediction.len(), 8);
/// assert_eq!(intervals.guarantee, Guarantee::IfFeaturesFixed(0.8));
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone)]
pub struct GivenFeatures {
    train: Arc<Sample>,
    test: Arc<Array2<f64>>,
    test_target: Option<Array1<f64>>,
    space: Space,
    /// The columns of the places.
    place: Option<Range<usize>>,
    /// The column of the offsets.
    offset: Option<usize>,
}

/// What the first columns are.
#[derive(Clone)]
enum Space {
    /// So many features.
    Features(usize),
    /// k(x, xⱼ) for the n rows, then k(x, x). What makes coordinates of the former: n × r.
    Kernel(Arc<Array2<f64>>),
}

impl GivenFeatures {
    /// Features of the training rows, n × p, their targets, and the features of the points, m × p.
    ///
    /// # Errors
    /// [`Error::Given`] for sizes that do not belong together and for no row, point or feature, [`Error::Cell`] for NaN, an
    /// infinity or a magnitude above 10¹⁰⁰.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// use ndarray::{Array1, Array2};
    /// let waves = |n: usize| Array2::from_shape_fn((n, 4), |(i, k)| (0.3 * (i * (k + 1)) as f64).sin());
    /// let target = waves(40).sum_axis(ndarray::Axis(1)) + Array1::from_shape_fn(40, |i| 0.1 * (7.0 * i as f64).cos());
    /// let given = GivenFeatures::new(waves(40), target, waves(3))?;
    /// let loo = LeaveOneOut::tangent_of(given.clone(), given.train(), &Tangent::default())?;
    /// assert!(loo.nested(given.test(), 0.2)?.mean_width() < 0.6);
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn new(train: Array2<f64>, target: Array1<f64>, test: Array2<f64>) -> Result<Self> {
        let width = train.ncols();
        check_pair("features", &train, &test)?;
        if width == 0 {
            return Err(Error::Given("`train.features` has no columns; give at least one feature".into()));
        }
        Self::whole(train, target, test, names("features", width), Space::Features(width))
    }

    /// A kernel: k(xᵢ, xⱼ) of the training rows, n × n, their targets, k(x, xⱼ) of the points, m × n, and k(x, x) of these.
    ///
    /// # Errors
    /// As [`GivenFeatures::new`]; [`Error::Given`] also for a kernel that is not symmetric or not positive semidefinite, with the
    /// rows or the eigenvalue that show it, [`Error::Memory`] for more than the machine has free.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// use ndarray::Array2;
    /// let waves = |n: usize| Array2::from_shape_fn((n, 3), |(i, k)| (0.3 * (i * (k + 1)) as f64).sin());
    /// let (rows, points) = (waves(40), waves(5));
    /// let target = rows.sum_axis(ndarray::Axis(1)).mapv(|sum| sum + (9.0 * sum).sin());
    /// let diagonal = (&points * &points).sum_axis(ndarray::Axis(1));
    /// let kernel = GivenFeatures::kernel(rows.dot(&rows.t()), target.clone(), points.dot(&rows.t()), diagonal)?;
    /// let features = GivenFeatures::new(rows, target, points)?;
    /// let ends = |given: GivenFeatures| {
    ///     LeaveOneOut::tangent_of(given.clone(), given.train(), &Tangent::default())?.nested(given.test(), 0.1)
    /// };
    /// let (kernel, features) = (ends(kernel)?, ends(features)?);
    /// assert!((kernel.upper - features.upper).iter().all(|apart| apart.abs() < 1e-8));
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn kernel(
        train: Array2<f64>,
        target: Array1<f64>,
        test: Array2<f64>,
        test_diagonal: Array1<f64>,
    ) -> Result<Self> {
        check_pair("kernel", &train, &test)?;
        if test_diagonal.len() != test.nrows() {
            return Err(one_each("test.kernel_diagonal", test_diagonal.len(), "test.kernel", test.nrows()));
        }
        check_vector("test.kernel_diagonal", &test_diagonal)?;
        let (train, coordinates) = kernel::checked(train, &test, &test_diagonal)?;
        let diagonal = train.diag().to_owned().insert_axis(Axis(1));
        let mut names = names("kernel", train.nrows());
        names.push("kernel_diagonal".into());
        let (train, test) = (beside(&train, &diagonal), beside(&test, &test_diagonal.insert_axis(Axis(1))));
        Self::whole(train, target, test, names, Space::Kernel(coordinates.into()))
    }

    fn whole(
        train: Array2<f64>,
        target: Array1<f64>,
        test: Array2<f64>,
        names: Vec<String>,
        space: Space,
    ) -> Result<Self> {
        if target.len() != train.nrows() {
            let of = if matches!(space, Space::Features(_)) { "train.features" } else { "train.kernel" };
            return Err(one_each("train.target", target.len(), of, train.nrows()));
        }
        check_vector("train.target", &target)?;
        let train = Sample::named(train, target, names, "train.target")?;
        Ok(Self { train: train.into(), test: test.into(), test_target: None, space, place: None, offset: None })
    }

    /// The same with places of the rows and of the points, in which near is measured.
    ///
    /// # Errors
    /// As [`GivenFeatures::new`].
    pub fn with_places(self, train: Array2<f64>, test: Array2<f64>) -> Result<Self> {
        check_pair("place", &train, &test)?;
        let start = self.train.columns();
        let place = Some(start..start + train.ncols());
        Ok(Self { place, ..self.with_columns("place", &train, &test, names("place", train.ncols()))? })
    }

    /// The same with offsets o(x) of the rows and of the points, in units of the target: what is not fitted again.
    ///
    /// # Errors
    /// As [`GivenFeatures::new`].
    pub fn with_offsets(self, train: Array1<f64>, test: Array1<f64>) -> Result<Self> {
        check_vector("train.offset", &train)?;
        check_vector("test.offset", &test)?;
        let (train, test) = (train.insert_axis(Axis(1)), test.insert_axis(Axis(1)));
        let offset = Some(self.train.columns());
        Ok(Self { offset, ..self.with_columns("offset", &train, &test, vec!["offset".into()])? })
    }

    /// The same with targets of the points, which say what the intervals cover.
    ///
    /// # Errors
    /// As [`GivenFeatures::new`].
    pub fn with_test_target(self, target: Array1<f64>) -> Result<Self> {
        if target.len() != self.test.nrows() {
            return Err(one_each("test.target", target.len(), "the points", self.test.nrows()));
        }
        check_vector("test.target", &target)?;
        Ok(Self { test_target: Some(target), ..self })
    }

    fn with_columns(self, what: &str, train: &Array2<f64>, test: &Array2<f64>, more: Vec<String>) -> Result<Self> {
        for (part, given, there) in
            [("train", train.nrows(), self.train.len()), ("test", test.nrows(), self.test.nrows())]
        {
            if given != there {
                return Err(one_each(&format!("{part}.{what}"), given, &format!("the {part} rows"), there));
            }
        }
        let names = self.train.features().iter().cloned().chain(more).collect();
        let train = Sample::named(beside(self.train.x(), train), self.train.y().clone(), names, "train.target")?;
        Ok(Self { train: train.into(), test: beside(&self.test, test).into(), ..self })
    }

    /// The training rows: all that was given of them as columns, and their targets.
    pub fn train(&self) -> &Sample {
        &self.train
    }

    /// The points, with the same columns.
    pub fn test(&self) -> &Array2<f64> {
        &self.test
    }

    /// The targets of the points, if they were given.
    pub fn test_target(&self) -> Option<&Array1<f64>> {
        self.test_target.as_ref()
    }

    /// Whether it is a kernel.
    pub fn is_kernel(&self) -> bool {
        matches!(self.space, Space::Kernel(_))
    }
}

impl Features for GivenFeatures {
    fn columns(&self) -> usize {
        self.train.columns()
    }

    fn width(&self) -> usize {
        match self.space {
            Space::Features(width) => width,
            Space::Kernel(_) => usize::MAX,
        }
    }

    /// Of a kernel, coordinates in which its training rows have their distances.
    fn features(&self, x: ArrayView2<f64>) -> Array2<f64> {
        match &self.space {
            Space::Features(width) => x.slice(s![.., ..*width]).to_owned(),
            Space::Kernel(coordinates) => product(x.slice(s![.., ..coordinates.nrows()]), coordinates.view()),
        }
    }

    fn offset(&self, x: ArrayView2<f64>) -> Array1<f64> {
        self.offset.map_or_else(|| Array1::zeros(x.nrows()), |column| x.column(column).to_owned())
    }

    fn place(&self, x: ArrayView2<f64>) -> Option<Array2<f64>> {
        Some(match &self.place {
            Some(columns) => x.slice(s![.., columns.clone()]).to_owned(),
            None => self.features(x),
        })
    }

    fn are_fixed(&self) -> bool {
        true
    }

    fn are_given(&self) -> bool {
        true
    }

    /// Of a kernel, with the training rows only: `b` must be these.
    fn kernel(&self, a: ArrayView2<f64>, b: ArrayView2<f64>) -> Array2<f64> {
        match &self.space {
            Space::Features(_) => product(self.features(a).view(), self.features(b).t()),
            Space::Kernel(_) => a.slice(s![.., ..b.nrows()]).to_owned(),
        }
    }

    fn squares(&self, x: ArrayView2<f64>) -> Array1<f64> {
        match &self.space {
            Space::Features(_) => self.features(x).map_axis(Axis(1), |row| row.dot(&row)),
            Space::Kernel(coordinates) => x.column(coordinates.nrows()).to_owned(),
        }
    }
}

impl fmt::Debug for GivenFeatures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let features: &dyn Features = self;
        write!(f, "{} of {} training rows and {} points", features.words(), self.train.len(), self.test.nrows())?;
        let given = [(self.place.is_some(), "places"), (self.offset.is_some(), "offsets")];
        given.iter().filter(|(there, _)| *there).try_for_each(|(_, what)| write!(f, ", with {what}"))
    }
}

fn names(what: &str, count: usize) -> Vec<String> {
    (0..count).map(|j| format!("{what}[{j}]")).collect()
}

/// The columns of both.
fn beside(left: &Array2<f64>, right: &Array2<f64>) -> Array2<f64> {
    concatenate(Axis(1), &[left.view(), right.view()]).expect("as many rows each")
}
