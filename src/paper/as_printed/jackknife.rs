//! The discriminative jackknife as the authors' program ran it: first order, the Hessian of the last minibatch.

use ndarray::{Array2, Axis};
use rand::Rng;

use super::super::ALPHA;
use super::Answer;
use super::interval::{Interpolated, interpolated_interval};
use super::training::Steps;
use crate::curvature::{self, Options, Problem, Solver};
use crate::error::Result;
use crate::interval::{Guarantee, Intervals, Method, Rule};
use crate::leave_one_out::{Engine, Terms};
use crate::model::linearised::Linearised;
use crate::model::network::{Activation, Network};
use crate::model::{Differentiable, Model};
use crate::paper::indefinite::Indefinite;
use crate::sample::Sample;

/// Their damping 10⁻² of the Hessian of e², in this crate's units of ½e².
const DAMPING: f64 = 0.5e-2;

/// What was found out about the Hessian of the last minibatch.
#[derive(Clone, Copy)]
pub(super) struct Curvature {
    /// Its negative eigenvalues, damping included.
    negative: usize,
    /// The damping, in their units, with which it has none.
    needed: f64,
}

impl Curvature {
    /// What a reader should know about several runs.
    pub(super) fn note(all: impl Iterator<Item = Self>) -> Option<String> {
        let all: Vec<Self> = all.collect();
        let (least, most) = (all.iter().map(|c| c.negative).min()?, all.iter().map(|c| c.negative).max()?);
        if most == 0 {
            return Some("the Hessian of the last minibatch is positive definite with damping 0.01".into());
        }
        let needed = all.iter().map(|c| c.needed).fold(0.0, f64::max);
        Some(format!(
            "the Hessian of the last minibatch, damping 0.01 included, is indefinite ({least} to {most} negative \
             eigenvalues) and inverted all the same; raised tenfold at a time, a damping of {needed:.0e} is the first that \
             makes it positive definite in every run"
        ))
    }
}

pub(super) fn intervals(train: &Sample, x: &Array2<f64>, rng: &mut impl Rng) -> Result<Answer> {
    let steps = Steps { hidden: &[100], activation: Activation::Relu, steps: 1000, rate: 0.01 };
    let (network, last) = steps.fit(train, rng)?;
    let (thetas, curvature) = left_out(&network, train, &train.rows(&last)?)?;
    let n = train.len();
    let mut residuals = Vec::with_capacity(n);
    let mut without = Array2::zeros((x.nrows(), n));
    for (i, theta) in thetas.rows().into_iter().enumerate() {
        let moved = network.with_parameters(theta);
        residuals.push((train.y()[i] - moved.evaluate(train.x().select(Axis(0), &[i]).view())[0]).abs());
        without.column_mut(i).assign(&moved.evaluate(x.view()));
    }
    let ends = without.rows().into_iter().map(|row| interpolated_interval(&row.to_vec(), &residuals, ALPHA)).collect();
    let method = Method::Pair(Engine::Influence(1, Terms::Exact), Rule::of(&Interpolated));
    let intervals = Intervals::from_ends(network.evaluate(x.view()), ends, ALPHA, method, Guarantee::None)?;
    Ok(Answer { intervals, curvature: Some(curvature) })
}

/// θ₋ᵢ = θ̂ + (H + D)⁻¹∇ℓᵢ/n for every training row, with H of the rows of one minibatch.
fn left_out(network: &Network, train: &Sample, batch: &Sample) -> Result<(Array2<f64>, Curvature)> {
    let (here, there) = (Linearised::new(network, train), Linearised::new(network, batch));
    let exact = curvature::Curvature::Exact;
    let options = Options { curvature: exact, solver: Solver::Dense, damping: DAMPING, seed: 0 };
    let problem = Problem::new(&there, options);
    let mut hessian = problem.matrix();
    hessian.diag_mut().mapv_inplace(|h| h + DAMPING);
    let factor = Indefinite::new(&hessian);
    let negative = factor.negative();
    let needed = if negative == 0 { DAMPING } else { problem.prepare()?.report().damping };
    let mut steps = here.gradients() / train.len() as f64;
    factor.solve_rows(&mut steps);
    Ok((steps + here.theta(), Curvature { negative, needed: 2.0 * needed }))
}
