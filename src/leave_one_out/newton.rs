//! One Newton step on each left-out loss.

use ndarray::{Array1, Array2, Axis};
use rayon::prelude::*;

use super::hybrid::Step;
use super::parametric::{Parametric, check_model};
use super::{Engine, LeaveOneOut, Shifts, Start, Trust, remainder};
use crate::curvature::{Curvature, Options, Problem, Report, Solver};
use crate::error::{Error, Result};
use crate::model::Differentiable;
use crate::model::erased::AnyDifferentiable;
use crate::model::linearised::Linearised;
use crate::sample::Sample;
use crate::setter::setters;

/// How leave-one-out models are found by a Newton step.
///
/// | option | default | meaning | range |
/// |---|---|---|---|
/// | `curvature` | Gauss–Newton | the matrix H: one factorisation for all rows; with exact curvature one for each | |
/// | `damping` | 0 | D in H + D·I; raised if H is not positive definite | ≥ 0 |
/// | `shifts` | auto | whether each model is asked at new points, or all linearly: [`Shifts`] | linear: Gauss–Newton |
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let yacht = Table::Yacht.load();
/// let network = Training::default().hidden(&[10]).epochs(100).fit(&yacht)?;
/// let loo = LeaveOneOut::newton(&network, &yacht, &Newton::default().damping(1e-3))?;
/// assert_eq!(loo.trust().map(|trust| trust.damping()), Some(1e-3));
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Newton {
    curvature: Curvature,
    damping: f64,
    shifts: Shifts,
}

impl Default for Newton {
    fn default() -> Self {
        Self { curvature: Curvature::GaussNewton, damping: 0.0, shifts: Shifts::Auto }
    }
}

impl Newton {
    setters! {
        /// The matrix that stands for H.
        curvature(curvature: Curvature) => curvature;
        /// D in H + D·I.
        damping(damping: f64) => damping;
        /// How the models answer at new points.
        shifts(shifts: Shifts) => shifts;
    }

    /// What the solver is asked for: whatever Gauss–Newton's size allows, a factorisation for each row's own matrix.
    fn options(&self) -> Options {
        let solver = match self.curvature {
            Curvature::GaussNewton => Solver::Auto,
            Curvature::Exact => Solver::Dense,
        };
        Options { curvature: self.curvature, solver, damping: self.damping, seed: 0 }
    }
}

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
    /// [`Error::Curvature`] if no damping helps, [`Error::Leverage`] for a row that the others say nothing about.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let yacht = Table::Yacht.load();
    /// let model = Ridge::new(0.01).fit(&yacht)?;
    /// let newton = LeaveOneOut::newton(&model, &yacht, &Newton::default())?;
    /// let exact = LeaveOneOut::closed_form(&Ridge::new(0.01), &yacht)?;
    /// assert!((newton.residuals() - exact.residuals()).iter().all(|d| d.abs() < 1e-9));
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn newton<M: Differentiable>(model: &M, sample: &Sample, how: &Newton) -> Result<Self> {
        Self::newton_at(model, sample, how)
    }

    /// The same without the type of the model.
    pub(crate) fn newton_at(model: &dyn AnyDifferentiable, sample: &Sample, how: &Newton) -> Result<Self> {
        Self::by_newton(model, sample, how.options(), how.shifts)
    }

    fn by_newton(model: &dyn AnyDifferentiable, sample: &Sample, options: Options, shifts: Shifts) -> Result<Self> {
        options.check()?;
        shifts.check(options.curvature == Curvature::GaussNewton)?;
        check_model(model, sample)?;
        let here = Linearised::new(model, sample);
        if options.curvature == Curvature::GaussNewton {
            let problem = Problem::new(&here, options).one_row_less();
            if let Some(form) = shifts.form((model, sample), &here, &problem, options)? {
                return Self::by_one_step(model, sample, &here, &problem, (form, Step::Newton));
            }
        }
        let start = Start::on(model, sample)?;
        let Steps { steps, report, leverages } = match options.curvature {
            Curvature::GaussNewton => rank_one(&here, options)?,
            Curvature::Exact => one_by_one(&here, model, sample, options)?,
        };
        let models = Parametric { full: model.boxed(), thetas: steps + here.theta() };
        let left_out = models.left_out(sample);
        let beyond = remainder::of_first_order(&models, sample, &left_out);
        let omitted = remainder::of_newton(beyond, &leverages);
        let trust = Trust { report, start, ratios: leverages.clone(), leverages: Some(leverages), omitted };
        Self::new(models, Engine::Newton, sample, left_out, Some(trust))
    }
}

/// The steps and how they were found.
struct Steps {
    steps: Array2<f64>,
    report: Report,
    leverages: Array1<f64>,
}

/// Gauss–Newton: nH − ∇²ℓᵢ = A − JᵢJᵢᵀ with A = JᵀJ + (n−1)(λ + D), so the Sherman–Morrison formula serves every i.
fn rank_one(here: &Linearised, options: Options) -> Result<Steps> {
    let (jacobian, n) = (here.jacobian(), here.rows() as f64);
    let mut inverse = Problem::new(here, options).one_row_less().prepare()?;
    let mut steps = here.gradients();
    steps /= n;
    inverse.solve_rows(&mut steps)?;
    let mut turned = jacobian / n;
    inverse.solve_rows(&mut turned)?;
    let report = inverse.report();
    let mut leverages = Array1::zeros(here.rows());
    for (i, mut step) in steps.rows_mut().into_iter().enumerate() {
        let row = jacobian.row(i);
        let leverage = row.dot(&turned.row(i));
        let factor = row.dot(&step) / (1.0 - leverage);
        if !factor.is_finite() {
            return Err(Error::Leverage { row: i + 1, damping: report.damping });
        }
        step.scaled_add(factor, &turned.row(i));
        leverages[i] = leverage;
    }
    Ok(Steps { steps, report, leverages })
}

/// Exact curvature: the Hessian without row i, factorised for each i.
fn one_by_one(here: &Linearised, model: &dyn AnyDifferentiable, sample: &Sample, options: Options) -> Result<Steps> {
    let mut steps = here.gradients();
    let others = (sample.len() - 1) as f64;
    let reports: Result<Vec<(Report, f64)>> = steps
        .axis_iter_mut(Axis(0))
        .into_par_iter()
        .enumerate()
        .map(|(i, mut step)| {
            let rest = sample.without(i)?;
            let there = Linearised::new(model, &rest);
            let mut inverse = Problem::new(&there, options).prepare()?;
            let row = here.objective().jacobian_of(i..i + 1).remove_axis(Axis(0));
            let mut own = ndarray::stack![Axis(0), step, row] / others;
            inverse.solve_rows(&mut own)?;
            step.assign(&own.row(0));
            // Seen from the other rows it is h/(1 − h).
            let from_others = row.dot(&own.row(1));
            Ok((inverse.report(), from_others / (1.0 + from_others)))
        })
        .collect();
    let (reports, leverages): (Vec<Report>, Vec<f64>) = reports?.into_iter().unzip();
    let report = reports.into_iter().reduce(Report::worst).expect("there are rows");
    Ok(Steps { steps, report, leverages: leverages.into() })
}
