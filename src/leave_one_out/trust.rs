//! How far an answer without refitting can be trusted.

use std::fmt;

use ndarray::Array1;

use crate::curvature::{Report, Solver};

/// The signs by which a leave-one-out answer without refitting shows that it may be wrong.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let yacht = Table::Yacht.load();
/// let model = Ridge::new(0.01).fit(&yacht)?;
/// let loo = LeaveOneOut::influence(&model, &yacht, &Influence::order(2))?;
/// let trust = loo.trust().expect("influence reports it");
/// assert_eq!(trust.damping(), 0.0); // ridge needs no help
/// assert!(trust.flagged().is_empty());
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Trust {
    pub(super) report: Report,
    pub(super) gradient_norm: f64,
    pub(super) ratios: Array1<f64>,
}

impl Trust {
    /// D, as it was used.
    pub fn damping(&self) -> f64 {
        self.report.damping
    }

    /// Whether D had to be raised because H was not positive definite.
    pub fn damping_raised(&self) -> bool {
        self.report.damping > self.report.asked
    }

    /// The smallest pivot of the factorised H + D·I; `None` if it was not factorised.
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

    /// ‖∇L(θ̂)‖: 0 at a minimum, which is where influence functions are defined.
    pub fn gradient_norm(&self) -> f64 {
        self.gradient_norm
    }

    /// How fast each row's series shrinks: the norm of its last term over that of the one before; at order 1 the
    /// shift of the row's own prediction over its residual. For least squares both are the leverage; 0 for rows that
    /// were refitted.
    pub fn ratios(&self) -> &Array1<f64> {
        &self.ratios
    }

    /// The rows, counted from 0, whose series does not shrink: refit those.
    pub fn flagged(&self) -> Vec<usize> {
        self.ratios.iter().enumerate().filter(|(_, ratio)| **ratio >= 1.0).map(|(row, _)| row).collect()
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
        write!(f, ", |gradient| {:.1e}", self.gradient_norm)?;
        if let Some(pivot) = self.smallest_pivot() {
            write!(f, ", smallest pivot {pivot:.1e}")?;
        }
        if let Some(words) = self.solving() {
            write!(f, ", {words}")?;
        }
        let flagged = self.flagged().len();
        write!(f, ", {flagged} of {} rows do not converge", self.ratios.len())
    }
}
