//! How models that are one step away from θ̂ answer at new points: each for itself, or all of them linearly.
//!
//! Where rows × parameters is large, n models at each point are most of the work of a Gauss–Newton step or of influence of order 1,
//! and their θ₋ᵢ most of its memory. Both can be had without: see [`Shifts`]. The residuals, which rule the width, stay those of the
//! models themselves; what is linear is how far a row that is left out moves the prediction at x, which is small.
//!
//! # What it changes
//!
//! Networks of 100 tanh units, one Gauss–Newton step with damping 1/(4n), target 90 %: the ends with linear shifts against those of each
//! model asked, median / 95 % of the difference over the width; then the coverage, and that of each model asked in brackets.
//!
#![doc = include_str!("../../examples/study/tables/shifts.md")]
//!
//! On no split does one of them cover more than one row more than the other. What is proven of the intervals is the same in both:
//! nothing for a finite sample.

use ndarray::Array1;

use super::hybrid::HELD;
use crate::curvature::{Curvature, DENSE_LIMIT, Options, Problem, Solver};
use crate::error::{Error, Result};
use crate::model::erased::AnyDifferentiable;
use crate::model::linearised::Linearised;
use crate::sample::Sample;

/// From so many rows × parameters on, [`Shifts::Auto`] takes the linear form.
const LARGE: usize = 2_000_000;
/// Errors in two units that are this near are the same.
const ROUNDING: f64 = 1e-8;

/// How the leave-one-out models of one step, Gauss–Newton's or influence of order 1, answer at a new x.
///
/// ```text
/// θ₋ᵢ = θ̂ + u − wᵢA⁻¹Jᵢ        models    f₋ᵢ(x) = f(x; θ₋ᵢ)
///                              linear    f₋ᵢ(x) = f(x; θ̂) + J(x)·u − wᵢ J(x)A⁻¹Jᵢ
/// ```
///
/// The residuals are those of f(xᵢ; θ₋ᵢ) itself in both. The linear form keeps no θ₋ᵢ and asks no n models at a point: one
/// factorisation p × p serves (n × n where the parameters are more than the rows, from Gram matrices of the layers), and the
/// ends of the jackknife+ and of the studentised rule are found without visiting the rows that cannot decide. For a model that is
/// linear in its parameters both are the same. How far apart they are for networks stands [above](crate::leave_one_out::shifts).
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
/// let network = Training::default().hidden(&[20]).epochs(100).fit(&train)?;
/// let how = Newton::default().damping(1e-3);
/// let linear = LeaveOneOut::newton(&network, &train, &how.clone().shifts(Shifts::Linear))?;
/// let models = LeaveOneOut::newton(&network, &train, &how)?; // 246 rows × 161 parameters are few
/// assert!((linear.residuals() - models.residuals()).iter().all(|d| d.abs() < 1e-9));
/// assert!(linear.notes()[0].contains("linearly in their step") && models.notes().is_empty());
/// let mean_width = |loo: &LeaveOneOut| -> Result<f64> { Ok(loo.jackknife_plus(test.x(), 0.1)?.mean_width()) };
/// assert!((mean_width(&linear)? / mean_width(&models)? - 1.0).abs() < 0.01);
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Shifts {
    /// Each model for itself while rows × parameters is below two million, linear beyond where that can be.
    #[default]
    Auto,
    /// Each model is asked at each point.
    Models,
    /// Linear in the step, whatever the size.
    Linear,
}

/// The matrix that is factorised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A, p × p.
    Primal,
    /// JJᵀ + cI, n × n.
    Dual,
}

impl Shifts {
    /// Refuses the linear form of what is not one step by one matrix.
    pub(super) fn check(self, is_one_step: bool) -> Result<()> {
        match self == Self::Linear && !is_one_step {
            false => Ok(()),
            true => Err(Error::Conflict {
                options: "shifts are linear only in one step by one matrix",
                advice: "ask for influence of order 1, for a Newton step with Gauss–Newton curvature, or for the shifts of each model",
            }),
        }
    }

    /// The form in which the shifts are linear; `None` if each model is to be asked.
    pub(super) fn form(
        self,
        (model, sample): (&dyn AnyDifferentiable, &Sample),
        here: &Linearised,
        problem: &Problem,
        options: Options,
    ) -> Result<Option<Form>> {
        let (n, p) = (here.rows(), here.theta().len());
        let is_asked = match self {
            Self::Auto => n.saturating_mul(p) >= LARGE && says_its_unit(model, sample, here),
            Self::Models => false,
            Self::Linear => true,
        };
        let is_dual = options.curvature == Curvature::GaussNewton && p > n && n <= DENSE_LIMIT && problem.is_even();
        let form = match options.solver {
            _ if !is_asked => None,
            Solver::Auto | Solver::Dense if is_dual => Some(Form::Dual),
            Solver::Auto if p <= DENSE_LIMIT => Some(Form::Primal),
            Solver::Dense => Some(Form::Primal),
            _ => None,
        };
        match form {
            Some(_) if !says_its_unit(model, sample, here) => Err(Error::Conflict {
                options: "linear shifts need the target's units in one of the model's, and its derivatives name another",
                advice: "write `Differentiable::derivatives` with its `unit`, or ask for the shifts of each model",
            }),
            None if self == Self::Linear => Err(Error::Conflict {
                options: "linear shifts need a factorisation, and the solver is another or the parameters are too many",
                advice: "use the solver `dense`, or ask for the shifts of each model",
            }),
            form => Ok(form),
        }
    }
}

/// The numbers that one Gauss–Newton step of this size keeps under [`Shifts::Auto`], the largest of its arrays.
pub(crate) fn kept(rows: usize, parameters: usize) -> f64 {
    let (n, p) = (rows as f64, parameters as f64);
    match n * p >= LARGE as f64 {
        // The inverse of the kernel, and three more of its size while rows are stepped.
        true if parameters > rows && rows <= DENSE_LIMIT => 4.0 * n * n,
        // The factor, the matrix of the squares, and blocks of derivatives.
        true if parameters <= DENSE_LIMIT => 3.0 * p * p + 4.0 * HELD as f64,
        // The derivatives, the steps and the models.
        _ => 3.0 * n * p + p * p,
    }
}

/// Whether the model's errors in its own units, times the unit that its derivatives name, are those of the target.
fn says_its_unit(model: &dyn AnyDifferentiable, sample: &Sample, here: &Linearised) -> bool {
    let (unit, errors) = (model.derivatives().unit(), sample.y() - &model.evaluate(sample.x().view()));
    let largest = |values: &Array1<f64>| values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    let apart = largest(&(here.residuals() * unit - &errors));
    apart <= ROUNDING * (largest(&errors) + largest(sample.y()))
}
