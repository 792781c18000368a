//! One Newton step on each left-out loss.

use ndarray::{Array1, Array2, Axis};
use rayon::prelude::*;

use super::influence::{check_damping, gradients};
use super::parametric::{Parametric, check_model};
use super::{Engine, LeaveOneOut, Trust};
use crate::curvature::{Curvature, Inverse, Problem, Solver};
use crate::error::{Error, Result};
use crate::model::erased::AnyDifferentiable;
use crate::model::{Differentiable, Model, Objective};
use crate::sample::Sample;

impl LeaveOneOut {
    /// The leave-one-out models after one Newton step from θ̂ on the loss without row i.
    ///
    /// ```text
    /// θ₋ᵢ = θ̂ + (nH − ∇²ℓᵢ)⁻¹ ∇ℓᵢ(θ̂)
    /// ```
    ///
    /// Where influence functions expand the inverse in powers of ∇²ℓᵢ, this takes it whole; for linear models it is
    /// exact. With [`Curvature::GaussNewton`] all n inverses come from one factorisation and
    /// θ₋ᵢ moves the linearised prediction at xᵢ by eᵢhᵢ/(1 − hᵢ), hᵢ the leverage; with [`Curvature::Exact`] each
    /// has its own.
    ///
    /// # Errors
    /// [`Error::Choice`] for a negative damping, [`Error::Columns`] if the model has other columns,
    /// [`Error::Curvature`] if no damping helps.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let yacht = Table::Yacht.load();
    /// let model = Ridge::new(0.01).fit(&yacht)?;
    /// let newton = LeaveOneOut::newton(&model, &yacht, Curvature::GaussNewton, 0.0)?;
    /// let exact = LeaveOneOut::closed_form(&Ridge::new(0.01), &yacht)?;
    /// assert!((newton.residuals() - exact.residuals()).iter().all(|d| d.abs() < 1e-9));
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn newton<M: Differentiable>(model: &M, sample: &Sample, curvature: Curvature, damping: f64) -> Result<Self> {
        Self::by_newton(model, sample, curvature, damping)
    }

    fn by_newton(model: &dyn AnyDifferentiable, sample: &Sample, curvature: Curvature, damping: f64) -> Result<Self> {
        check_damping(damping)?;
        check_model(model, sample)?;
        let objective = model.objective(sample);
        let (theta, penalty) = (model.parameters(), model.penalty());
        let gradients = gradients(objective.as_ref(), &theta, &penalty);
        let gradient_norm = gradients.mean_axis(Axis(0)).map_or(0.0, |g| g.dot(&g).sqrt());
        let Steps { steps, damping: used, smallest_pivot, leverages } = match curvature {
            Curvature::GaussNewton => rank_one(objective.as_ref(), gradients, penalty, damping)?,
            Curvature::Exact => one_by_one(model, sample, gradients, damping)?,
        };
        let models = Parametric { full: model.boxed(), thetas: steps + &theta };
        let left_out = models.left_out(sample);
        let ratios = leverages.unwrap_or_else(|| apparent_leverages(model, sample, &left_out));
        let trust = Trust { asked_damping: damping, damping: used, smallest_pivot, gradient_norm, ratios };
        Self::new(models, Engine::Newton, sample, left_out, Some(trust))
    }
}

/// The steps and how they were found.
struct Steps {
    steps: Array2<f64>,
    /// The damping used.
    damping: f64,
    /// The smallest pivot of all that was factorised.
    smallest_pivot: Option<f64>,
    /// The leverages, where they are a by-product.
    leverages: Option<Array1<f64>>,
}

/// Gauss–Newton: nH − ∇²ℓᵢ = A − JᵢJᵢᵀ with A = JᵀJ + (n−1)(λ + D), so the Sherman–Morrison formula serves every i.
fn rank_one(objective: &dyn Objective, mut steps: Array2<f64>, penalty: Array1<f64>, damping: f64) -> Result<Steps> {
    let jacobian = objective.jacobian();
    let n = jacobian.nrows() as f64;
    // H is scaled by 1/n, so A/n has the penalty (n−1)/n of its own.
    let asked = damping * (n - 1.0) / n;
    let problem = Problem {
        objective,
        penalty: penalty * ((n - 1.0) / n),
        curvature: Curvature::GaussNewton,
        damping: asked,
        seed: 0,
    };
    let inverse: Box<dyn Inverse> = problem.prepare(Solver::Auto)?;
    steps /= n;
    inverse.solve_rows(&mut steps)?;
    let mut turned = &jacobian / n;
    inverse.solve_rows(&mut turned)?;
    let mut leverages = Array1::zeros(jacobian.nrows());
    for (i, mut step) in steps.rows_mut().into_iter().enumerate() {
        let row = jacobian.row(i);
        let leverage = row.dot(&turned.row(i));
        let factor = row.dot(&step) / (1.0 - leverage);
        if !factor.is_finite() {
            return Err(Error::Curvature {
                damping,
                scale: leverage,
                advice: format!("row {} has leverage 1 and nothing to lean on without it; raise the damping", i + 1),
            });
        }
        step.scaled_add(factor, &turned.row(i));
        leverages[i] = leverage;
    }
    // Scaled there and back, an unchanged damping could seem to have been raised by its last digit.
    let used = if inverse.damping() == asked { damping } else { inverse.damping() * n / (n - 1.0) };
    Ok(Steps { steps, damping: used, smallest_pivot: inverse.smallest_pivot(), leverages: Some(leverages) })
}

/// Exact curvature: the Hessian without row i, factorised for each i.
fn one_by_one(model: &dyn AnyDifferentiable, sample: &Sample, gradients: Array2<f64>, damping: f64) -> Result<Steps> {
    let n = sample.len() as f64;
    let rows: Result<Vec<_>> = (0..sample.len())
        .into_par_iter()
        .map(|i| {
            let rest = sample.without(i)?;
            let objective = model.objective(&rest);
            let problem = Problem {
                objective: objective.as_ref(),
                penalty: model.penalty(),
                curvature: Curvature::Exact,
                damping,
                seed: 0,
            };
            let inverse = problem.prepare(Solver::Dense)?;
            let mut step = gradients.row(i).insert_axis(Axis(0)).to_owned() / (n - 1.0);
            inverse.solve_rows(&mut step)?;
            Ok((step.remove_axis(Axis(0)), inverse.damping(), inverse.smallest_pivot()))
        })
        .collect();
    let mut steps = gradients.clone();
    let (mut used, mut smallest) = (damping, None);
    for (mut step, (row, damping, pivot)) in steps.rows_mut().into_iter().zip(rows?) {
        step.assign(&row);
        used = used.max(damping);
        smallest = [smallest, pivot].into_iter().flatten().reduce(f64::min);
    }
    Ok(Steps { steps, damping: used, smallest_pivot: smallest, leverages: None })
}

/// |f₋ᵢ(xᵢ) − f(xᵢ)|/|yᵢ − f₋ᵢ(xᵢ)|: for linear models the leverage; 0 for a row that moves nothing.
fn apparent_leverages(model: &dyn Model, sample: &Sample, left_out: &Array1<f64>) -> Array1<f64> {
    let shifts = (left_out - &model.evaluate(sample.x().view())).mapv(f64::abs);
    let ratios = shifts / (sample.y() - left_out).mapv(f64::abs);
    ratios.mapv(|ratio| if ratio.is_nan() { 0.0 } else { ratio })
}
