//! How far an answer without refitting can be trusted.

use std::fmt;

use ndarray::Array1;

use super::Start;
use crate::curvature::{Report, Solver};

/// The share of a left-out residual that may be missing: a tenth moves an interval by less than a different sample does.
const MISSING: f64 = 0.1;
/// The share of rows flagged from which on the whole answer is poor: as many as a 90 % interval has outside it, so they
/// may be the very rows that decide its width.
const MANY: f64 = 0.1;

/// The signs by which a leave-one-out answer that starts from given weights shows that it may be wrong.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let yacht = Table::Yacht.load();
/// let model = Ridge::new(0.01).fit(&yacht)?;
/// let loo = LeaveOneOut::influence(&model, &yacht, &Influence::order(2))?;
/// let trust = loo.trust().expect("influence reports it");
/// assert_eq!(trust.damping(), 0.0); // ridge needs no help
/// assert!(trust.flagged().is_empty() && !trust.is_poor());
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Trust {
    pub(super) report: Report,
    pub(super) start: Start,
    pub(super) ratios: Array1<f64>,
    pub(super) leverages: Option<Array1<f64>>,
    /// The share of each left-out residual that is missing, as it is estimated.
    pub(super) omitted: Array1<f64>,
}

impl Trust {
    /// D, as it was used.
    pub fn damping(&self) -> f64 {
        self.report.damping
    }

    /// The damping that the answer amounts to: D, and for the stochastic solver what cutting its series adds along
    /// directions in which H is nearly flat.
    pub fn effective_damping(&self) -> f64 {
        self.report.damping + self.report.cut.unwrap_or(0.0)
    }

    /// Whether D had to be raised because H was not positive definite.
    pub fn damping_raised(&self) -> bool {
        self.report.damping > self.report.asked
    }

    /// The smallest pivot of the factorised H + D·I; `None` if it was not factorised, or as an n × n kernel
    /// ([`Shifts`](super::Shifts)).
    pub fn smallest_pivot(&self) -> Option<f64> {
        self.report.smallest_pivot
    }

    /// The solver that applied H⁻¹: the one asked for, or the one that [`Solver::Auto`] chose.
    pub fn solver(&self) -> Solver {
        self.report.solver
    }

    /// The largest ‖b − (H + D·I)z‖/‖b‖ of the solutions z, measured with all rows; `None` for a factorisation, whose
    /// residuals are rounding.
    pub fn solver_residual(&self) -> Option<f64> {
        self.report.reached.map(|reached| reached.residual)
    }

    /// The most steps that a solution took; `None` for a factorisation.
    pub fn solver_steps(&self) -> Option<usize> {
        self.report.reached.map(|reached| reached.steps)
    }

    /// Whether every solution is one: conjugate gradients that reach their limit of steps, and a stochastic series
    /// whose residual stays above a tenth, are not.
    pub fn solver_converged(&self) -> bool {
        self.report.reached.is_none_or(|reached| reached.converged)
    }

    /// What a solver that iterates reached, in words.
    pub(crate) fn solving(&self) -> Option<String> {
        self.report.words()
    }

    /// How θ̂ stands on the rows: its gradient relative to the gradient's noise, and its error.
    pub fn start(&self) -> Start {
        self.start
    }

    /// ‖∇L(θ̂)‖: 0 at a minimum, which is where influence functions are defined.
    pub fn gradient_norm(&self) -> f64 {
        self.start.gradient_norm
    }

    /// How fast each row's series shrinks: the norm of its last term over that of the one before; at order 1, for
    /// Newton steps, and where both are 0, the leverage. For least squares both are the leverage; 0 for rows that were
    /// refitted or re-minimised.
    pub fn ratios(&self) -> &Array1<f64> {
        &self.ratios
    }

    /// hᵢ = Jᵢ(nH + nD)⁻¹Jᵢᵀ, how much of its own prediction a row decides; `None` for re-minimised losses.
    pub fn leverages(&self) -> Option<&Array1<f64>> {
        self.leverages.as_ref()
    }

    /// The share of each left-out residual that is missing, estimated by the next omitted term.
    ///
    /// ```text
    /// influence of order m:   hᵐ⁺¹, exact for least squares; h the larger of leverage and ratio
    /// order 1, Newton:        at least |f(xᵢ;θ₋ᵢ) − f(xᵢ;θ̂) − Jᵢ(θ₋ᵢ − θ̂)| over the root mean square residual
    /// ```
    ///
    /// It is infinite for a Newton step of a row whose leverage is 1 to three digits, and 0 for rows refitted or
    /// re-minimised.
    pub fn omitted(&self) -> &Array1<f64> {
        &self.omitted
    }

    /// The rows, counted from 0, of which more than a tenth of the residual is missing, or that are not a number:
    /// refit those.
    pub fn flagged(&self) -> Vec<usize> {
        let missing = |share: &f64| share.is_nan() || *share > MISSING;
        self.omitted.iter().enumerate().filter(|(_, share)| missing(share)).map(|(row, _)| row).collect()
    }

    /// Whether there is a [`Trust::warning`].
    pub fn is_poor(&self) -> bool {
        self.warning().is_some()
    }

    /// The gravest reason not to trust the answer, in a sentence; `None` if there is none.
    ///
    /// In this order: weights far from a minimum, a solver that did not converge, a Hessian that is not positive
    /// definite, more than a tenth of the rows flagged.
    pub fn warning(&self) -> Option<String> {
        let poor = |reason: String| Some(format!("these leave-one-out models are not to be trusted: {reason}"));
        if let Some(reason) = self.start.warning() {
            return poor(reason);
        }
        if let Some(words) = self.solving().filter(|_| !self.solver_converged()) {
            return poor(format!("{words}; raise the damping or use the solver `dense`"));
        }
        let (flagged, rows) = (self.flagged().len(), self.omitted.len());
        if flagged as f64 > MANY * rows as f64 {
            let largest =
                self.largest_leverage().map_or(String::new(), |h| format!(", the largest leverage is {h:.3}"));
            return poor(format!(
                "{flagged} of {rows} rows miss more than a tenth of their residual{largest}; refit instead"
            ));
        }
        if self.damping_raised() {
            let damping = self.damping();
            return poor(format!(
                "the Hessian is not positive definite without a damping of {damping:.1e}, so no minimum is at θ̂"
            ));
        }
        None
    }

    fn largest_leverage(&self) -> Option<f64> {
        self.leverages.as_ref().map(|leverages| leverages.iter().copied().fold(0.0, f64::max))
    }
}

impl fmt::Debug for Trust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Trust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "damping {:.1e}", self.damping())?;
        if self.damping_raised() {
            write!(f, " (raised from {:.1e}: the Hessian is not positive definite)", self.report.asked)?;
        }
        write!(f, ", {}", self.start)?;
        if let Some(pivot) = self.smallest_pivot() {
            write!(f, ", smallest pivot {pivot:.1e}")?;
        }
        if let Some(words) = self.solving() {
            write!(f, ", {words}")?;
        }
        if let Some(leverage) = self.largest_leverage() {
            write!(f, ", largest leverage {leverage:.3}")?;
        }
        let flagged = self.flagged().len();
        write!(f, ", {flagged} of {} rows miss more than a tenth", self.omitted.len())
    }
}
