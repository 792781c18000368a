//! Newton's method with damping: the parameters that minimise L on a sample.

use ndarray::Array1;

use super::erased::AnyDifferentiable;
use super::linearised::Linearised;
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

/// The mean norm of ∇ℓᵢ: what the gradient of L is small against.
fn mean_norm(here: &Linearised) -> f64 {
    let shrink = here.shrinkage();
    let rows = here.jacobian().rows().into_iter().zip(here.residuals());
    let norms = rows.map(|(row, e)| (&shrink - &(&row * *e)).mapv(|g| g * g).sum().sqrt());
    norms.sum::<f64>() / here.rows() as f64
}

/// ‖∇L‖ of a model.
fn steepness(model: &dyn AnyDifferentiable, sample: &Sample) -> f64 {
    norm(&Linearised::new(model, sample).gradient())
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
        let here = Linearised::new(model.as_ref(), sample);
        let (loss, gradient, mut hessian, scale) = (here.loss(), here.gradient(), here.hessian(), mean_norm(&here));
        // The model moves on below.
        drop(here);
        if !loss.is_finite() || hessian.iter().any(|h| !h.is_finite()) {
            return Err(Error::NotFinite {
                what: format!("the loss or its curvature after {steps} steps"),
                advice: "start where the model's predictions are finite, or rescale the columns",
            });
        }
        let size = norm(&gradient);
        let theta = model.parameters();
        let small = TOLERANCE * scale + f64::EPSILON * loss.sqrt() + f64::MIN_POSITIVE;
        let ground = hessian.diag().mapv(f64::abs).mean().unwrap_or(1.0).max(f64::MIN_POSITIVE);
        if size <= small {
            // One more full step: the error of the next iterate is the square of this one's.
            let last = Cholesky::new(hessian).map(|factor| &theta - &factor.solve(gradient.view()));
            let better = |next: &Array1<f64>| steepness(model.moved(next.view()).as_ref(), sample) <= size;
            return Ok(Minimum { theta: last.filter(better).unwrap_or(theta), converged: true, steps });
        }
        let mut added = 0.0;
        let next = loop {
            hessian.diag_mut().mapv_inplace(|h| h + damping - added);
            added = damping;
            let attempt = match Cholesky::new(hessian.clone()) {
                Some(factor) => {
                    let step = factor.solve(gradient.view());
                    let next = model.moved((&theta - &step).view());
                    let there = Linearised::new(next.as_ref(), sample);
                    let change = there.loss() - loss;
                    // A wild step may land lower by luck, so it must keep a share of what the slope promises.
                    let lower = change < -SHARE * gradient.dot(&step);
                    // Near the minimum L is flat to its last digit, and only the gradient still tells progress.
                    let flat = change.abs() <= 1e-12 * loss;
                    let better = lower || flat && norm(&there.gradient()) < size;
                    drop(there);
                    better.then_some(next)
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
            None => return Ok(Minimum { theta, converged: size <= 1e-6 * scale, steps }),
        }
    }
    Ok(Minimum { theta: model.parameters(), converged: false, steps: STEPS })
}
