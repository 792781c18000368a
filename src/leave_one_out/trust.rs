//! How far an answer by influence functions can be trusted.

use std::fmt;

use ndarray::Array1;

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
    pub(super) asked_damping: f64,
    pub(super) damping: f64,
    pub(super) smallest_pivot: Option<f64>,
    pub(super) gradient_norm: f64,
    pub(super) ratios: Array1<f64>,
}

impl Trust {
    /// D, as it was used.
    pub fn damping(&self) -> f64 {
        self.damping
    }

    /// Whether D had to be raised because H was not positive definite.
    pub fn damping_raised(&self) -> bool {
        self.damping > self.asked_damping
    }

    /// The smallest pivot of the factorised H + D·I; `None` if it was not factorised.
    pub fn smallest_pivot(&self) -> Option<f64> {
        self.smallest_pivot
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
        write!(f, "damping {:.1e}", self.damping)?;
        if self.damping_raised() {
            write!(f, " (raised from {:.1e}: the Hessian is not positive definite)", self.asked_damping)?;
        }
        write!(f, ", |gradient| {:.1e}", self.gradient_norm)?;
        if let Some(pivot) = self.smallest_pivot {
            write!(f, ", smallest pivot {pivot:.1e}")?;
        }
        let flagged = self.flagged().len();
        write!(f, ", {flagged} of {} rows do not converge", self.ratios.len())
    }
}
