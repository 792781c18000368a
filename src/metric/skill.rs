//! Whether the predictions are worth anything: against the mean of the targets.

use std::fmt;

use ndarray::Array1;

use crate::error::{Error, Result};

/// Standard errors above 0 from which a skill is beyond chance: one-sided 5 %.
const BEYOND: f64 = 1.645;

/// How much smaller the squared error of predictions is than that of the mean of the targets, R² on rows not seen.
///
/// ```text
/// 1 − Σ(y − f(x))² / Σ(y − ȳ)²,    ± the standard error of the mean difference (y − ȳ)² − (y − f(x))², as a share
/// ```
///
/// The errors of a model without skill are those of the noise and of its own wandering: a width that knows the wandering
/// knows where this model is bad, but nothing of the targets.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// use ndarray::array;
/// let y = array![1.0, 2.0, 3.0, 4.0];
/// assert_eq!(Skill::measure(&y, &array![1.0, 2.0, 3.0, 4.0])?.share, 1.0);
/// let mean = Skill::measure(&y, &array![2.5, 2.5, 2.5, 2.5])?;
/// assert!(mean.share == 0.0 && !mean.is_beyond_chance());
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Skill {
    /// 1 for perfect predictions, 0 for the mean of the targets, negative for worse.
    pub share: f64,
    /// Its standard error over the rows.
    pub error: f64,
}

impl Skill {
    /// The skill of predictions of these targets.
    ///
    /// # Errors
    /// [`Error::Shape`] unless there is one target for each prediction, [`Error::Rows`] without rows.
    pub fn measure(y: &Array1<f64>, prediction: &Array1<f64>) -> Result<Self> {
        if y.len() != prediction.len() {
            return Err(Error::Shape {
                what: "targets and predictions".into(),
                left: y.len(),
                right: prediction.len(),
            });
        }
        Self::of_squares(y, &(y - prediction).mapv(|error| error * error))
    }

    /// The same from squared errors.
    pub(crate) fn of_squares(y: &Array1<f64>, squares: &Array1<f64>) -> Result<Self> {
        let Some(mean) = y.mean() else {
            return Err(Error::Rows { what: "a skill".into(), need: 1, have: 0 });
        };
        let around = y.mapv(|y| (y - mean) * (y - mean));
        let spread = around.sum();
        let gain = &around - squares;
        let rows = y.len() as f64;
        // Equal targets leave nothing to explain.
        if spread <= 0.0 || rows < 2.0 {
            return Ok(Self { share: 0.0, error: f64::INFINITY });
        }
        Ok(Self { share: gain.sum() / spread, error: gain.std(1.0) * rows.sqrt() / spread })
    }

    /// Whether so many rows tell the predictions from the mean of the targets.
    pub fn is_beyond_chance(&self) -> bool {
        self.share > BEYOND * self.error || (self.share > 0.0 && self.error == 0.0)
    }
}

impl fmt::Display for Skill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3} ± {:.3}", self.share, self.error)
    }
}
