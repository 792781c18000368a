//! f(x) ± a quantile of residuals: the same width everywhere. Here of those on rows seen, which is too narrow.

use ndarray::{Array1, Array2};

use super::{Guarantee, Intervals, Method, Recipe};
use crate::error::Result;
use crate::leave_one_out::LeaveOneOut;
use crate::model::Model;
use crate::quantile;
use crate::sample::Sample;

/// f(x) ± Q⁺ of the in-sample residuals.
pub(super) struct InSample;

impl Recipe for InSample {
    fn name(&self) -> &str {
        "naive"
    }

    fn ends(&self, loo: &LeaveOneOut, x: &Array2<f64>, alpha: f64) -> Result<Vec<(f64, f64)>> {
        constant(&loo.predict(x)?, &loo.in_sample_residuals(), alpha)
    }
}

/// f(x) ± Q⁺ of some residuals.
pub(super) fn constant(prediction: &Array1<f64>, residuals: &Array1<f64>, alpha: f64) -> Result<Vec<(f64, f64)>> {
    let half = quantile::upper(residuals, alpha)?;
    Ok(prediction.iter().map(|f| (f - half, f + half)).collect())
}

impl Intervals {
    /// f(x) ± Q⁺ of the residuals on the very rows that the model was fitted to: too narrow, for comparison.
    ///
    /// # Errors
    /// As [`LeaveOneOut::intervals`].
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
    /// let model = Ridge::new(0.1).fit(&train)?;
    /// let intervals = Intervals::in_sample(&model, &train, test.x(), 0.1)?;
    /// assert_eq!(intervals.guarantee, Guarantee::None);
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn in_sample(model: &impl Model, sample: &Sample, x: &Array2<f64>, alpha: f64) -> Result<Self> {
        Self::around(model, sample, x, alpha)
    }

    fn around(model: &dyn Model, sample: &Sample, x: &Array2<f64>, alpha: f64) -> Result<Self> {
        let residuals = (sample.y() - &model.predict(sample.x())?).mapv(f64::abs);
        let prediction = model.predict(x)?;
        let ends = constant(&prediction, &residuals, alpha)?;
        Ok(Self::from_ends(prediction, ends, alpha, Method::InSample, Guarantee::None)?.standing_on(sample.len()))
    }
}
