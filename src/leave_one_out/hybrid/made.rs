//! How the models are made: one factorisation, then every row once.

use std::sync::{Arc, OnceLock};

use ndarray::{Array1, ArrayView1, ArrayView2, Axis, s};
use rayon::prelude::*;

use super::{Hybrid, Side, block, solved};
use crate::curvature::{Dual, Problem, Report};
use crate::error::{Error, Result};
use crate::leave_one_out::shifts::Form;
use crate::leave_one_out::{Engine, LeaveOneOut, Start, Terms, Trust, remainder};
use crate::model::Features;
use crate::model::erased::AnyDifferentiable;
use crate::model::linearised::Linearised;
use crate::sample::Sample;

/// Which step was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::leave_one_out) enum Step {
    /// Newton's, on the loss without the row.
    Newton,
    /// Influence of order 1, with what an order is said to have.
    Influence(Terms),
}

impl Step {
    /// wᵢ.
    fn weight(self, error: f64, pulled: f64, free: f64) -> f64 {
        match self {
            Self::Newton => (error - pulled) / free,
            Self::Influence(_) => error,
        }
    }
}

/// The models and what is known of each row.
struct Made {
    models: Hybrid,
    /// f(xᵢ; θ₋ᵢ).
    left_out: Array1<f64>,
    leverages: Array1<f64>,
    report: Report,
}

impl LeaveOneOut {
    /// The models of one step, answering linearly.
    pub(in crate::leave_one_out) fn by_one_step(
        model: &dyn AnyDifferentiable,
        sample: &Sample,
        here: &Linearised,
        problem: &Problem,
        (form, step): (Form, Step),
    ) -> Result<Self> {
        let start = Start::streamed(here, model, sample);
        let Made { models, left_out, leverages, report } = Hybrid::made(model, sample, here, problem, (form, step))?;
        let fitted = model.evaluate(sample.x().view());
        let beyond = remainder::beyond(sample, &fitted, models.first_order(), &left_out);
        let (engine, omitted) = match step {
            Step::Newton => (Engine::Newton, remainder::of_newton(beyond, &leverages)),
            Step::Influence(terms) => (Engine::Influence(1, terms), remainder::of_influence(beyond, &leverages)),
        };
        let trust = Trust { report, start, ratios: leverages.clone(), leverages: Some(leverages), omitted };
        Self::new(models, engine, sample, left_out, Some(trust))
    }
}

/// What each row has: hᵢ, tᵢ, wᵢ and f(xᵢ; θ₋ᵢ).
struct Rows {
    leverages: Array1<f64>,
    pulled: Array1<f64>,
    weights: Array1<f64>,
    left_out: Array1<f64>,
}

impl Hybrid {
    fn made(
        model: &dyn AnyDifferentiable,
        sample: &Sample,
        here: &Linearised,
        problem: &Problem,
        (form, step): (Form, Step),
    ) -> Result<Made> {
        let (derivatives, x) = (model.derivatives(), Arc::new(sample.x().clone()));
        let unit = derivatives.unit();
        let (side, common, rows, report) = match form {
            Form::Primal => primal(model, derivatives.as_ref(), x.view(), here, problem, step)?,
            Form::Dual => dual(model, derivatives.as_ref(), x.view(), here, problem, step)?,
        };
        let Rows { leverages, pulled, weights, left_out } = rows;
        if let Some(row) = weights.iter().position(|weight| !weight.is_finite()) {
            return Err(Error::Leverage { row: row + 1, damping: report.damping });
        }
        let pulls = weights.iter().zip(&leverages).map(|(w, h)| w.abs() * h.max(0.0).sqrt()).collect();
        let own = pulled - &weights * &leverages;
        let (full, squares) = (model.boxed(), OnceLock::new());
        let models = Self { full, derivatives, x, side, common, weights, pulls, own, unit, squares };
        Ok(Made { models, left_out, leverages, report })
    }
}

type Found = (Side, Array1<f64>, Rows, Report);

fn primal(
    model: &dyn AnyDifferentiable,
    derivatives: &dyn Features,
    x: ArrayView2<f64>,
    here: &Linearised,
    problem: &Problem,
    step: Step,
) -> Result<Found> {
    let (dense, report) = problem.factorised()?;
    let (n, errors) = (x.nrows(), here.residuals());
    let common = solved(&dense, &here.shrinkage().insert_axis(Axis(0)), n).remove_axis(Axis(0));
    let start = here.theta() + &common;
    let mut found: Vec<[f64; 4]> = Vec::with_capacity(n);
    for first in (0..n).step_by(block(common.len())) {
        let x = x.slice(s![first..(first + block(common.len())).min(n), ..]);
        let jacobian = derivatives.features(x);
        let turned = solved(&dense, &jacobian, n);
        let row = |k: usize| {
            let (derivatives, turned): (ArrayView1<f64>, _) = (jacobian.row(k), turned.row(k));
            let (leverage, pulled) = (derivatives.dot(&turned), derivatives.dot(&common));
            let weight = step.weight(errors[first + k], pulled, 1.0 - leverage);
            let theta = &start - &(&turned * weight);
            [leverage, pulled, weight, model.moved(theta.view()).evaluate(x.slice(s![k..=k, ..]))[0]]
        };
        found.par_extend((0..x.nrows()).into_par_iter().map(row));
    }
    let column = |k: usize| found.iter().map(|row| row[k]).collect();
    let rows = Rows { leverages: column(0), pulled: column(1), weights: column(2), left_out: column(3) };
    Ok((Side::Primal(dense), common, rows, report))
}

fn dual(
    model: &dyn AnyDifferentiable,
    derivatives: &dyn Features,
    x: ArrayView2<f64>,
    here: &Linearised,
    problem: &Problem,
    step: Step,
) -> Result<Found> {
    Dual::check(x.nrows())?;
    let (dual, report) = problem.dual(derivatives.kernel(x, x))?;
    let shrinkage = here.shrinkage();
    // Jλθ̂, then u = (λθ̂ − JᵀG·Jλθ̂)/c and t = Ju = G·Jλθ̂.
    let pulled = dual.inverse.dot(&derivatives.along(x, shrinkage.view()));
    let common = (shrinkage - derivatives.summed(x, pulled.view())) / dual.constant;
    let free = dual.inverse.diag().mapv(|cell| dual.constant * cell);
    let weigh = |i: usize| step.weight(here.residuals()[i], pulled[i], free[i]);
    let weights: Array1<f64> = (0..x.nrows()).map(weigh).collect();
    let along = -&dual.inverse * weights.view().insert_axis(Axis(1));
    let left_out = model.stepped(x, common.view(), along.view(), x);
    let rows = Rows { leverages: 1.0 - free, pulled, weights, left_out };
    Ok((Side::Dual(dual), common, rows, report))
}
