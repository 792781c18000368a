//! Whether given weights stand where every engine that starts from them supposes: at a minimum, on these very rows.
//!
//! What the thresholds were chosen on (tables yacht, housing and energy, two splits each, and the fixture network):
//!
//! | weights | gradient over its noise | error over the deviation of y |
//! |---|---|---|
//! | a minimum | 0.00 | any |
//! | the crate's training, 100 or 1000 epochs of Adam | 0.3 to 2.8 | 0.04 to 0.62 |
//! | the same with a learning rate ten times and more too high | 2.3 to 12.7 | 0.04 to 0.59 |
//! | one epoch only | 2.9 to 13.5 | 0.77 to 1.05 |
//! | read with another activation | 4.0 to 33 | 0.73 to 3.6 |
//!
//! Neither number tells alone: a trained network may still jump about its minimum, and a good model of noisy rows has large
//! errors. Weights that have both are no model of these rows.

use std::fmt;

use ndarray::{Array2, Axis};

use super::parametric::check_model;
use crate::error::{Error, Result};
use crate::model::Differentiable;
use crate::model::erased::AnyDifferentiable;
use crate::model::linearised::{Linearised, gradient_norm};
use crate::sample::Sample;

/// A gradient so many times its noise is no minimum's, whatever the errors.
const FAR: f64 = 3.0;
/// And so many times, where the errors are large too.
const BEYOND_NOISE: f64 = 2.0;
/// Errors that explain less than half of the variance: between the 0.62 and the 0.73 of the table.
const LARGE: f64 = 0.7;
/// Errors below this share of the deviation are rounding, and so is their gradient.
const ROUNDING: f64 = 1e-9;

/// How a model's θ̂ stands on the rows that it is said to be trained on.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let train = Sample::read("tests/fixtures/net_a_train.csv", None)?;
/// let read_as = |activation| Network::load("tests/fixtures/net_a.safetensors", activation, 0.01);
/// assert!(Start::of(&read_as(Activation::Tanh)?, &train)?.check().is_ok());
/// assert!(Start::of(&read_as(Activation::Sigmoid)?, &train)?.check().is_err());
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Start {
    /// ‖∇L(θ̂)‖: 0 at a minimum.
    pub gradient_norm: f64,
    /// ‖∇L(θ̂)‖ over what another sample would change of it, √(tr Cov(∇ℓᵢ)/n): free of the scale of θ and of y.
    pub noise_ratio: f64,
    /// The root mean square of yᵢ − f(xᵢ; θ̂) over the standard deviation of y: above 1 the mean of y predicts better.
    pub misfit: f64,
}

impl Start {
    /// Where a model stands.
    ///
    /// ```text
    /// ∇L = (1/n) Σ ∇ℓᵢ,     noise ratio = ‖∇L‖ / √( Σ‖∇ℓᵢ − ∇L‖² / (n(n−1)) )
    /// ```
    ///
    /// # Errors
    /// [`Error::Columns`] if the model has other columns, [`Error::Rows`] for a single row, [`Error::NotFinite`] if it
    /// predicts what is not a number.
    pub fn of<M: Differentiable>(model: &M, sample: &Sample) -> Result<Self> {
        Self::on(model, sample)
    }

    pub(super) fn on(model: &dyn AnyDifferentiable, sample: &Sample) -> Result<Self> {
        check_model(model, sample)?;
        Ok(Self::from_gradients(&Linearised::new(model, sample).gradients(), model, sample))
    }

    /// The same from the ∇ℓᵢ, one row each, of an engine that has them.
    pub(super) fn from_gradients(gradients: &Array2<f64>, model: &dyn AnyDifferentiable, sample: &Sample) -> Self {
        let mean = gradients.mean_axis(Axis(0)).unwrap_or_default();
        let apart = |row: ndarray::ArrayView1<f64>| row.iter().zip(&mean).map(|(g, m)| (g - m).powi(2)).sum::<f64>();
        let spread: f64 = gradients.rows().into_iter().map(apart).sum();
        Self::from_sums(gradient_norm(gradients), spread, model, sample)
    }

    /// The same without n × p numbers: ∇L = λ∘θ̂ − m and Σ‖∇ℓᵢ − ∇L‖² = Σ eᵢ²‖Jᵢ‖² − n‖m‖², m = Jᵀe/n.
    pub(super) fn streamed(here: &Linearised, model: &dyn AnyDifferentiable, sample: &Sample) -> Self {
        let (derivatives, x, errors) = (model.derivatives(), sample.x().view(), here.residuals());
        let mean = derivatives.summed(x, errors.view()) / sample.len() as f64;
        let squares = (derivatives.squares(x) * errors * errors).sum();
        let spread = (squares - sample.len() as f64 * mean.dot(&mean)).max(0.0);
        let gradient = here.shrinkage() - mean;
        Self::from_sums(gradient.dot(&gradient).sqrt(), spread, model, sample)
    }

    /// From ‖∇L‖ and Σ‖∇ℓᵢ − ∇L‖².
    fn from_sums(gradient_norm: f64, spread: f64, model: &dyn AnyDifferentiable, sample: &Sample) -> Self {
        let n = sample.len() as f64;
        let errors = sample.y() - &model.evaluate(sample.x().view());
        let largest = sample.y().iter().fold(0.0_f64, |largest, y| largest.max(y.abs()));
        // A target that does not vary has a deviation of rounding.
        let deviation = sample.y().std(0.0).max(ROUNDING * largest).max(f64::MIN_POSITIVE);
        let misfit = (errors.dot(&errors) / n).sqrt() / deviation;
        let is_rounding = misfit <= ROUNDING || gradient_norm == 0.0;
        let noise_ratio = if is_rounding { 0.0 } else { gradient_norm / (spread / (n * (n - 1.0))).sqrt() };
        Self { gradient_norm, noise_ratio, misfit }
    }

    /// Whether these can be weights of these rows: not if the gradient is more than twice its noise while the errors
    /// leave more than half of the variance unexplained (0.7² ≈ ½).
    pub fn belongs(&self) -> bool {
        let lost = self.noise_ratio.is_nan() || self.misfit.is_nan();
        !(lost || self.noise_ratio > BEYOND_NOISE && self.misfit > LARGE)
    }

    /// What is wrong with the start, if anything is.
    pub fn warning(&self) -> Option<String> {
        let Self { noise_ratio, misfit, .. } = self;
        let far = format!("the gradient at the given weights is {noise_ratio:.1} times its noise (0 at a minimum)");
        match self.belongs() {
            false => Some(format!(
                "{far} and their error {misfit:.2} times the deviation of the target: they are no model of these rows"
            )),
            true if *noise_ratio > FAR => {
                Some(format!("{far}: they are not at a minimum, so models that start there move away"))
            }
            true => None,
        }
    }

    /// Refuses weights that plainly do not belong to these rows.
    ///
    /// # Errors
    /// [`Error::Foreign`] unless [`Start::belongs`].
    pub fn check(&self) -> Result<()> {
        match self.belongs() {
            true => Ok(()),
            false => Err(Error::Foreign { noise_ratio: self.noise_ratio, misfit: self.misfit }),
        }
    }
}

impl fmt::Debug for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { gradient_norm, noise_ratio, misfit } = self;
        write!(f, "|gradient| {gradient_norm:.1e}, {noise_ratio:.2} of its noise, error {misfit:.2} of the deviation")
    }
}
