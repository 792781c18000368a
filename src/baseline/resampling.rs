//! Resampling uncertainty estimation: a bootstrap of a trained model without training it again.

use std::sync::Arc;

use ndarray::{Array2, Axis};
use rand::Rng;
use rand_distr::Uniform;

use super::draws::Draws;
use super::{Baseline, Probabilistic, stream};
use crate::check;
use crate::curvature::{Curvature, Options, Problem, Solver};
use crate::error::{Error, Result};
use crate::model::erased::AnyDifferentiable;
use crate::model::linearised::Linearised;
use crate::model::{Differentiable, Model};
use crate::sample::Sample;
use crate::setter::setters;

/// Resampling uncertainty estimation, RUE (Schulam & Saria 2019): each bootstrap sample moves a trained model by one
/// influence step.
///
/// ```text
/// θ_b = θ̂ − (H + D·I)⁻¹ Σᵢ (wᵢ − 1/n) ∇ℓᵢ(θ̂),    n·w ~ Multinomial(n; 1/n, …, 1/n)
/// Var[y | x] = Var_b[ f(x; θ_b) ] + (1/n) Σᵢ (yᵢ − f(xᵢ; θ̂))²
/// ```
///
/// The prediction stays that of the model. For a model at its minimum the variance over b is the infinitesimal
/// jackknife's, (1/n²) Σᵢ (∇f(x)·H⁻¹∇ℓᵢ)², to first order. The noise is added so that the interval is one for the
/// target, not for f alone.
///
/// | option | default | meaning | range |
/// |---|---|---|---|
/// | `draws` | 100 | bootstrap samples B | ≥ 2 |
/// | `damping` | 0.001 | D; raised if the matrix is not positive definite | ≥ 0 |
/// | `curvature` | Gauss–Newton | the matrix H: never indefinite, whether or not training reached a minimum | |
/// | `solver` | auto | how H⁻¹ is applied | |
/// | `seed` | 0 | of the bootstrap samples | |
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
/// let network = Training::default().hidden(&[10]).epochs(200).l2(1e-3).fit(&train)?;
/// let intervals = Resampling::default().fit(&network, &train)?.intervals(test.x(), 0.1)?;
/// assert_eq!(intervals.prediction, network.predict(test.x())?);
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Resampling {
    draws: usize,
    options: Options,
}

impl Default for Resampling {
    fn default() -> Self {
        let options = Options { curvature: Curvature::GaussNewton, solver: Solver::Auto, damping: 1e-3, seed: 0 };
        Self { draws: 100, options }
    }
}

impl Resampling {
    setters! {
        /// B.
        draws(draws: usize) => draws = draws;
        /// D in H + D·I.
        damping(damping: f64) => options.damping = damping;
        /// The matrix that stands for H.
        curvature(curvature: Curvature) => options.curvature = curvature;
        /// How H⁻¹ is applied.
        solver(solver: Solver) => options.solver = solver;
        /// The seed of the bootstrap samples.
        seed(seed: u64) => options.seed = seed;
    }

    /// Bootstraps a fitted model; `sample` is what it was fitted to.
    ///
    /// # Errors
    /// [`Error::Choice`] for an option out of its range, [`Error::Columns`] if the model has other columns than the
    /// sample, [`Error::Curvature`] if no damping helps, [`Error::NotFinite`] if a step leaves the range of the
    /// numbers.
    pub fn fit<M: Differentiable>(&self, model: &M, sample: &Sample) -> Result<Probabilistic> {
        self.bootstrap(model, sample)
    }

    fn bootstrap(&self, model: &dyn AnyDifferentiable, sample: &Sample) -> Result<Probabilistic> {
        check::at_least_two("the number of bootstrap samples", self.draws, "100")?;
        self.options.check()?;
        if model.columns() != sample.columns() {
            return Err(Error::Columns { trained: model.columns(), given: sample.columns() });
        }
        let here = Linearised::new(model, sample);
        let mut inverse = Problem::new(&here, self.options).prepare()?;
        let steps = self.weights(sample.len()).dot(&here.gradients());
        // The product takes the layout of its factors, the solvers want rows.
        let mut steps = steps.as_standard_layout().into_owned();
        inverse.solve_rows(&mut steps)?;
        if steps.iter().any(|step| !step.is_finite()) {
            return Err(Error::NotFinite { what: "a bootstrapped parameter".into(), advice: "try a larger damping" });
        }
        let shared =
            |model: Box<dyn AnyDifferentiable>| -> Arc<dyn Model> { Arc::<dyn AnyDifferentiable>::from(model) };
        let moved = steps.axis_iter(Axis(0)).map(|step| shared(model.moved((here.theta() - &step).view())));
        let draws = Draws { models: moved.collect(), centre: Some(shared(model.boxed())), noise: 0.0 };
        let draws = draws.with_residual_noise(sample)?;
        let (noise, report) = (draws.noise.sqrt(), inverse.report());
        let solved = report.words().map_or_else(String::new, |words| format!(", {words}"));
        let damping = report.damping;
        let notice =
            format!("{} bootstrap samples, damping {damping:e}{solved}, noise deviation {noise:.4}", self.draws);
        Ok(Probabilistic::new(draws, Baseline::Resampling, notice))
    }

    /// wᵢ − 1/n, one row for each bootstrap sample.
    fn weights(&self, n: usize) -> Array2<f64> {
        let share = 1.0 / n as f64;
        let mut weights = Array2::from_elem((self.draws, n), -share);
        let mut rng = stream(self.options.seed, 0);
        let row = Uniform::new(0, n);
        for mut weights in weights.rows_mut() {
            (0..n).for_each(|_| weights[rng.sample(row)] += share);
        }
        weights
    }
}
