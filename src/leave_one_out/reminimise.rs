//! Each left-out loss minimised from θ̂: what influence functions approximate.

use ndarray::{Array1, Array2};
use rayon::prelude::*;

use super::parametric::Parametric;
use super::{Engine, LeaveOneOut, Start, Trust};
use crate::curvature::Report;
use crate::error::Result;
use crate::model::erased::AnyDifferentiable;
use crate::model::{Differentiable, minimum};
use crate::sample::Sample;

impl LeaveOneOut {
    /// The leave-one-out models found by minimising the loss without row i, from θ̂ to convergence, in parallel.
    ///
    /// ```text
    /// θ₋ᵢ = argmin (1/(n−1)) Σ_{j≠i} ℓⱼ(θ)
    /// ```
    ///
    /// A damped Newton method with the exact Hessian. This is the refit for weights that somebody else trained: it
    /// needs neither their training program nor its seeds. Whether the weights stand at a minimum of these rows is said
    /// by the [`Trust`]: if they do not, what is found without a row is another model than the given one.
    ///
    /// # Errors
    /// [`Error::Columns`](crate::Error::Columns) if the model has other columns, [`Error::Diverged`](crate::Error::Diverged) if a loss has no minimum nearby, as
    /// that of a network without weight decay may.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let train = Sample::read("tests/fixtures/net_a_train.csv", None)?;
    /// let network = Network::load("tests/fixtures/net_a.safetensors", Activation::Tanh, 0.01)?;
    /// let exact = LeaveOneOut::reminimise(&network, &train)?.residuals();
    /// let fourth = LeaveOneOut::influence(&network, &train, &Influence::order(4))?.residuals();
    /// assert!((exact - fourth).iter().all(|d| d.abs() < 0.02));
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn reminimise<M: Differentiable>(model: &M, sample: &Sample) -> Result<Self> {
        Self::by_minima(model, sample)
    }

    pub(crate) fn by_minima(model: &dyn AnyDifferentiable, sample: &Sample) -> Result<Self> {
        let start = Start::on(model, sample)?;
        let rows: Result<Vec<Array1<f64>>> =
            (0..sample.len()).into_par_iter().map(|i| minimum(model, &sample.without(i)?)).collect();
        let mut thetas = Array2::zeros((sample.len(), model.parameters().len()));
        thetas.rows_mut().into_iter().zip(rows?).for_each(|(mut row, theta)| row.assign(&theta));
        let models = Parametric { full: model.boxed(), thetas };
        let left_out = models.left_out(sample);
        // Each loss is at its minimum, so no row misses anything; where the search began is all there is to doubt.
        let none = Array1::zeros(sample.len());
        let trust = Trust { report: Report::plain(), start, ratios: none.clone(), leverages: None, omitted: none };
        Self::new(models, Engine::Reminimised, sample, left_out, Some(trust))
    }
}
