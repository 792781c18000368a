//! Split conformal: rows held out of the training calibrate the interval.

use std::fmt;
use std::sync::Arc;

use ndarray::{Array1, Array2};

use super::naive::constant;
use super::{Guarantee, Intervals, Method};
use crate::error::{Error, Result};
use crate::model::Model;
use crate::sample::Sample;

/// A model trained on a part of the rows, and its errors on the others.
///
/// ```text
/// f(x) ± Q⁺_α{ |yᵢ − f(xᵢ)| : i held out }
/// ```
///
/// Covers with probability at least 1 − α, with one training; it pays with a model that has seen fewer rows.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let (train, test) = Table::Concrete.load().split(0.2, 0)?;
/// let split = HeldOut::fit(&train, 0.5, 7, |rows| Ridge::new(0.1).fit(rows))?;
/// assert!(split.intervals(test.x(), 0.1)?.coverage(test.y())?.rate > 0.85);
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone)]
pub struct HeldOut {
    model: Arc<dyn Model>,
    residuals: Array1<f64>,
}

impl HeldOut {
    /// Holds a seeded random `fraction` of the rows out and fits the rest.
    ///
    /// # Errors
    /// As [`Sample::split`], and whatever `fit` answers.
    pub fn fit<M: Model + 'static>(
        sample: &Sample,
        fraction: f64,
        seed: u64,
        fit: impl Fn(&Sample) -> Result<M>,
    ) -> Result<Self> {
        let (train, held_out) = sample.split(fraction, seed)?;
        Self::new(fit(&train)?, &held_out)
    }

    /// A model trained elsewhere, and rows that it has not seen.
    ///
    /// # Errors
    /// [`Error::Columns`] if the rows have other columns than the model, [`Error::NotFinite`] for predictions that
    /// are not finite.
    pub fn new<M: Model + 'static>(model: M, held_out: &Sample) -> Result<Self> {
        Self::calibrated(Arc::new(model), held_out)
    }

    fn calibrated(model: Arc<dyn Model>, held_out: &Sample) -> Result<Self> {
        let residuals = (held_out.y() - &model.predict(held_out.x())?).mapv(f64::abs);
        if residuals.iter().any(|r| !r.is_finite()) {
            return Err(Error::NotFinite {
                what: "a prediction on the rows held out".into(),
                advice: "look for rows far outside the others",
            });
        }
        Ok(Self { model, residuals })
    }

    /// |yᵢ − f(xᵢ)| on the rows held out.
    pub fn residuals(&self) -> &Array1<f64> {
        &self.residuals
    }

    /// The intervals at each row of `x`.
    ///
    /// # Errors
    /// [`Error::Level`] unless 0 < `alpha` < 1, [`Error::Columns`] if `x` has not the columns trained on.
    pub fn intervals(&self, x: &Array2<f64>, alpha: f64) -> Result<Intervals> {
        let prediction = self.model.predict(x)?;
        let ends = constant(&prediction, &self.residuals, alpha)?;
        let guarantee = Guarantee::AtLeast(1.0 - alpha);
        let intervals = Intervals::from_ends(prediction, ends, alpha, Method::HeldOut, guarantee)?;
        Ok(intervals.standing_on(self.residuals.len()))
    }
}

impl fmt::Debug for HeldOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mean = self.residuals.mean().unwrap_or(0.0);
        write!(f, "a model with mean |residual| {mean:.4} on {} rows held out", self.residuals.len())
    }
}
