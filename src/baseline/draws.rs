//! Models drawn from a distribution over models: what dropout, Langevin dynamics and resampling have in common.

use std::sync::Arc;

use ndarray::{Array1, ArrayView2};

use super::Moments;
use crate::error::{Error, Result};
use crate::model::Model;
use crate::sample::Sample;

/// Some models, and the variance of the noise around each of them.
///
/// ```text
/// mean = (1/T) Σₜ fₜ(x),    variance = (1/T) Σₜ (fₜ(x) − mean)² + noise
/// ```
pub(super) struct Draws {
    pub(super) models: Vec<Arc<dyn Model>>,
    /// Stands for the mean where the prediction is that of a model given.
    pub(super) centre: Option<Arc<dyn Model>>,
    /// In squared raw units.
    pub(super) noise: f64,
}

impl Draws {
    /// The draws with the mean squared residual on the rows trained on for noise.
    pub(super) fn with_residual_noise(mut self, sample: &Sample) -> Result<Self> {
        let residuals = sample.y() - &self.moments(sample.x().view()).0;
        self.noise = residuals.mapv(|r| r * r).mean().unwrap_or(0.0);
        if self.noise.is_finite() {
            return Ok(self);
        }
        Err(Error::NotFinite {
            what: "a residual on the training rows".into(),
            advice: "look for a training that diverged, or a damping that is too small",
        })
    }
}

impl Moments for Draws {
    fn columns(&self) -> usize {
        self.models[0].columns()
    }

    fn moments(&self, x: ArrayView2<f64>) -> (Array1<f64>, Array1<f64>) {
        let (mut mean, mut squares) = (Array1::<f64>::zeros(x.nrows()), Array1::<f64>::zeros(x.nrows()));
        // Welford's sums: no digits are lost when the models agree closely.
        for (t, model) in self.models.iter().enumerate() {
            let difference = model.evaluate(x) - &mean;
            mean.scaled_add(1.0 / (t + 1) as f64, &difference);
            let shrink = t as f64 / (t + 1) as f64;
            squares.zip_mut_with(&difference, |sum, d| *sum += shrink * d * d);
        }
        let variance = squares / self.models.len() as f64 + self.noise;
        (self.centre.as_ref().map_or(mean, |centre| centre.evaluate(x)), variance)
    }
}
