//! linfa's learners by name, each on standardised columns.

use std::fmt;

use linfa_elasticnet::ElasticNet;
use linfa_linear::{LinearRegression, TweedieRegressor};
use linfa_svm::Svm;
use ndarray::{Array1, Array2, ArrayView2, Axis};

use crate::check::{self, refusal};
use crate::error::{Error, Result};
use crate::memory;
use crate::model::Model;
use crate::sample::Sample;
use crate::wording::exact;

/// Penalties that [`Linfa::ElasticNet`] compares, in units of the target's deviation: 2⁰ … 2⁻¹².
const STEPS: i32 = 12;
/// Parts of the rows, by turns, that the comparison leaves out.
const PARTS: usize = 5;
/// The variance of a Tweedie target grows with this power of its mean.
const POWER: f64 = 1.5;

/// A learner of linfa, its columns standardised; the target too, but for [`Linfa::Tweedie`], whose target is scaled only.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Linfa {
    /// Least squares.
    LeastSquares,
    /// The exponential of a linear function, for targets that are not negative and whose variance grows with the mean to the power
    /// of 1.5: amounts of which many may be 0.
    Tweedie,
    /// Half lasso, half ridge; without a penalty the one of 13 whose squared error is least in five parts of the rows.
    ElasticNet(Option<f64>),
    /// ε-support vectors with a Gaussian kernel, C = 1, ε = 0.1 and width √(d/2): the defaults of scikit-learn.
    SupportVectors,
}

impl Linfa {
    /// The learner of a name; `None` for a name that is not one of these.
    pub(super) fn named(name: &str) -> Result<Option<Self>> {
        if let Some(penalty) = name.strip_prefix("elasticnet:") {
            let refuse = |_| {
                refusal(
                    "the model",
                    format!("`{name}`"),
                    "give the penalty as a number after `elasticnet:`",
                    "elasticnet:0.1",
                )
            };
            return penalty.parse().map(|penalty| Some(Self::ElasticNet(Some(penalty)))).map_err(refuse);
        }
        Ok(match name {
            "linfa-ols" => Some(Self::LeastSquares),
            "tweedie" => Some(Self::Tweedie),
            "elasticnet" => Some(Self::ElasticNet(None)),
            "svr" => Some(Self::SupportVectors),
            _ => None,
        })
    }

    /// What the command line calls it.
    pub fn name(&self) -> String {
        match self {
            Self::LeastSquares => "linfa-ols".into(),
            Self::Tweedie => "tweedie".into(),
            Self::ElasticNet(None) => "elasticnet".into(),
            Self::ElasticNet(Some(penalty)) => format!("elasticnet:{}", exact(*penalty)),
            Self::SupportVectors => "svr".into(),
        }
    }

    /// Trains on some rows.
    ///
    /// # Errors
    /// [`Error::Learner`] with the learner's own words, [`Error::Choice`] for a penalty or a target that it is not made for,
    /// [`Error::Memory`] for more rows than support vectors have memory for.
    pub fn fit(&self, rows: &Sample) -> Result<Box<dyn Model>> {
        let raw = *self == Self::Tweedie;
        if let Some((row, value)) = rows.y().iter().enumerate().find(|(_, value)| raw && **value < 0.0) {
            return Err(Error::Cell {
                column: rows.target().into(),
                row: row + 1,
                value: exact(*value),
                advice: "a Tweedie regression is for targets that are not negative; choose another model".into(),
            });
        }
        let scaling = Scaling::of(rows, raw);
        let inside = Sample::new(scaling.points(rows.x().view()), (rows.y() - scaling.center) / scaling.unit)?;
        Ok(Box::new(Standardised { model: self.inside(&inside)?, scaling }))
    }

    /// On rows that are standardised.
    fn inside(&self, rows: &Sample) -> Result<Box<dyn Model>> {
        match *self {
            Self::LeastSquares => rows.fit(&LinearRegression::default()),
            Self::Tweedie => rows.fit(&TweedieRegressor::params().power(POWER).alpha(0.0).max_iter(1000).tol(1e-9)),
            Self::ElasticNet(Some(penalty)) => {
                check::not_negative("the penalty of an elastic net", penalty, "0.1")?;
                elastic(rows, penalty)
            }
            Self::ElasticNet(None) => elastic(rows, chosen(rows)?),
            Self::SupportVectors => {
                let n = rows.len() as f64;
                let what = || format!("the kernel of {n} rows");
                memory::check(what, 16e-9 * n * n, "choose another model, as forest, or give fewer rows")?;
                let support = Svm::<f64, f64>::params().c_svr(1.0, Some(0.1)).eps(1e-3);
                rows.fit(&support.gaussian_kernel(rows.columns() as f64))
            }
        }
    }
}

fn elastic(rows: &Sample, penalty: f64) -> Result<Box<dyn Model>> {
    rows.fit(&ElasticNet::params().penalty(penalty).l1_ratio(0.5).max_iterations(2000).tolerance(1e-6))
}

/// The penalty with the least squared error on parts left out, the largest of equals.
fn chosen(rows: &Sample) -> Result<f64> {
    let parts = PARTS.min(rows.len());
    let mut best = (f64::INFINITY, 1.0);
    for step in 0..=STEPS {
        let penalty = 2f64.powi(-step);
        let mut sum = 0.0;
        for part in 0..parts {
            let (out, kept): (Vec<usize>, Vec<usize>) = (0..rows.len()).partition(|row| row % parts == part);
            let (out, kept) = (rows.rows(&out)?, rows.rows(&kept)?);
            let errors = out.y() - &elastic(&kept, penalty)?.predict(out.x())?;
            sum += errors.dot(&errors);
        }
        if sum < best.0 {
            best = (sum, penalty);
        }
    }
    Ok(best.1)
}

/// How rows are standardised.
struct Scaling {
    means: Array1<f64>,
    scales: Array1<f64>,
    center: f64,
    unit: f64,
}

impl Scaling {
    /// Of these rows; the target is not centred if it is `raw`.
    fn of(rows: &Sample, raw: bool) -> Self {
        let scale = |deviation: f64| if deviation > 1e-100 { deviation } else { 1.0 };
        let means = rows.x().mean_axis(Axis(0)).expect("there are rows");
        let scales = rows.x().std_axis(Axis(0), 0.0).mapv(scale);
        let (center, unit) = match raw {
            // The sum of the deviances, which grows by the root of the unit, begins where its first step is about 1: from larger
            // ones the search leaves the range of the numbers. With a logarithmic link the unit moves nothing but the intercept.
            true => (0.0, scale(rows.y().mean().unwrap_or(1.0)) * (rows.len() as f64).powi(2)),
            false => (rows.y().mean().unwrap_or(0.0), scale(rows.y().std(0.0))),
        };
        Self { means, scales, center, unit }
    }

    fn points(&self, x: ArrayView2<f64>) -> Array2<f64> {
        (&x - &self.means) / &self.scales
    }
}

/// A model of standardised rows.
struct Standardised {
    model: Box<dyn Model>,
    scaling: Scaling,
}

impl Model for Standardised {
    fn columns(&self) -> usize {
        self.model.columns()
    }

    fn evaluate(&self, x: ArrayView2<f64>) -> Array1<f64> {
        let Scaling { center, unit, .. } = self.scaling;
        self.model.evaluate(self.scaling.points(x).view()) * unit + center
    }
}

impl fmt::Display for Linfa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LeastSquares => write!(f, "least squares by linfa"),
            Self::Tweedie => write!(f, "Tweedie regression of power {POWER} by linfa"),
            Self::ElasticNet(None) => write!(f, "elastic net by linfa, its penalty by {PARTS} parts of the rows"),
            Self::ElasticNet(Some(penalty)) => write!(f, "elastic net by linfa, penalty {}", exact(*penalty)),
            Self::SupportVectors => write!(f, "support vectors by linfa, Gaussian kernel, C = 1, ε = 0.1"),
        }
    }
}
