//! Newton's method with damping: the parameters that minimise L on a sample.

use ndarray::{Array1, Array2};

use super::erased::AnyDifferentiable;
use crate::error::{Error, Result};
use crate::factor::Cholesky;
use crate::sample::Sample;

/// More steps than any well-posed problem takes.
const STEPS: usize = 300;
/// The gradient of L at a minimum, in units of the mean gradient of one ℓᵢ.
const TOLERANCE: f64 = 1e-9;
/// The part of the decrease foretold by the slope that a step must reach (Armijo's condition).
const SHARE: f64 = 1e-4;

/// Where the minimisation ended.
pub(crate) struct Minimum {
    pub(crate) theta: Array1<f64>,
    pub(crate) converged: bool,
    pub(crate) steps: usize,
}

/// L, its gradient and its Hessian at a model's parameters.
struct Local {
    loss: f64,
    gradient: Array1<f64>,
    hessian: Array2<f64>,
    /// The mean norm of ∇ℓᵢ: what the gradient of L is small against.
    scale: f64,
}

fn loss(model: &dyn AnyDifferentiable, sample: &Sample) -> f64 {
    let objective = model.objective(sample);
    let residuals = objective.residuals();
    let theta = model.parameters();
    0.5 * residuals.dot(residuals) / sample.len() as f64 + 0.5 * (&model.penalty() * &theta).dot(&theta)
}

fn local(model: &dyn AnyDifferentiable, sample: &Sample) -> Local {
    let (objective, n) = (model.objective(sample), sample.len() as f64);
    let (residuals, jacobian) = (objective.residuals(), objective.jacobian());
    let (theta, penalty) = (model.parameters(), model.penalty());
    let shrink = &penalty * &theta;
    let norms = jacobian
        .rows()
        .into_iter()
        .zip(residuals)
        .map(|(row, e)| (&shrink - &(&row * *e)).mapv(|g| g * g).sum().sqrt());
    let mut hessian = objective.hessian() / n;
    hessian.diag_mut().zip_mut_with(&penalty, |h, &l| *h += l);
    Local {
        loss: 0.5 * residuals.dot(residuals) / n + 0.5 * shrink.dot(&theta),
        gradient: &shrink - &(jacobian.t().dot(residuals) / n),
        hessian,
        scale: norms.sum::<f64>() / n,
    }
}

fn norm(vector: &Array1<f64>) -> f64 {
    vector.dot(vector).sqrt()
}

/// Minimises L on the sample, from the model's present parameters.
///
/// Each step solves (H + μI)·step = −∇L; μ rises tenfold while H + μI is not positive definite or the step does not
/// lower L, and falls tenfold after each success. Near the minimum it is Newton's method and converges quadratically.
pub(crate) fn minimise(model: &dyn AnyDifferentiable, sample: &Sample) -> Result<Minimum> {
    let mut model = model.boxed();
    let mut damping = 0.0;
    for steps in 0..STEPS {
        let here = local(model.as_ref(), sample);
        if !here.loss.is_finite() || here.hessian.iter().any(|h| !h.is_finite()) {
            return Err(Error::NotFinite {
                what: format!("the loss or its curvature after {steps} steps"),
                advice: "start where the model's predictions are finite, or rescale the columns",
            });
        }
        let size = norm(&here.gradient);
        let theta = model.parameters();
        let small = TOLERANCE * here.scale + f64::EPSILON * here.loss.sqrt() + f64::MIN_POSITIVE;
        let ground = here.hessian.diag().mapv(f64::abs).mean().unwrap_or(1.0).max(f64::MIN_POSITIVE);
        let mut hessian = here.hessian;
        if size <= small {
            // One more full step: the error of the next iterate is the square of this one's.
            let last = Cholesky::new(hessian).map(|factor| &theta - &factor.solve(here.gradient.view()));
            let better = |next: &Array1<f64>| norm(&local(model.moved(next.view()).as_ref(), sample).gradient) <= size;
            return Ok(Minimum { theta: last.filter(better).unwrap_or(theta), converged: true, steps });
        }
        let mut added = 0.0;
        let next = loop {
            hessian.diag_mut().mapv_inplace(|h| h + damping - added);
            added = damping;
            let attempt = match Cholesky::new(hessian.clone()) {
                Some(factor) => {
                    let step = factor.solve(here.gradient.view());
                    let next = model.moved((&theta - &step).view());
                    let change = loss(next.as_ref(), sample) - here.loss;
                    // A wild step may land lower by luck, so it must keep a share of what the slope promises.
                    let lower = change < -SHARE * here.gradient.dot(&step);
                    // Near the minimum L is flat to its last digit, and only the gradient still tells progress.
                    let flat = change.abs() <= 1e-12 * here.loss;
                    (lower || flat && norm(&local(next.as_ref(), sample).gradient) < size).then_some(next)
                }
                None => None,
            };
            if attempt.is_some() {
                break attempt;
            }
            damping = (10.0 * damping).max(1e-9 * ground);
            if damping > 1e12 * ground {
                break None;
            }
        };
        match next {
            Some(next) => {
                model = next;
                damping = if damping > 1e-8 * ground { damping / 10.0 } else { 0.0 };
            }
            // No step lowers L any more: rounding rules, which near a minimum is where it should end.
            None => return Ok(Minimum { theta, converged: size <= 1e-6 * here.scale, steps }),
        }
    }
    Ok(Minimum { theta: model.parameters(), converged: false, steps: STEPS })
}
