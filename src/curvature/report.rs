//! What a solver reached: every answer made with H⁻¹ carries it.

use super::Solver;

/// How H⁻¹ was applied, and how well.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Report {
    /// The solver that did the work, never [`Solver::Auto`].
    pub(crate) solver: Solver,
    /// D as it was asked for.
    pub(crate) asked: f64,
    /// D as it was used, in the same units.
    pub(crate) damping: f64,
    /// The smallest pivot of the factorisation, if there is one.
    pub(crate) smallest_pivot: Option<f64>,
    /// What the end of a series adds to D along directions in which H is nearly flat, if there is a series.
    pub(crate) cut: Option<f64>,
    /// The worst of all solutions so far, if they are found by iteration.
    pub(crate) reached: Option<Reached>,
}

/// Where an iteration ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reached {
    /// ‖b − (H + D·I)z‖/‖b‖ of the solution z, measured with all rows.
    pub(crate) residual: f64,
    /// The steps made.
    pub(crate) steps: usize,
    /// Whether the residual is as small as the solver promises.
    pub(crate) converged: bool,
}

impl Reached {
    /// The worse of two, number by number.
    fn worst(self, other: Self) -> Self {
        Self {
            residual: self.residual.max(other.residual),
            steps: self.steps.max(other.steps),
            converged: self.converged && other.converged,
        }
    }
}

/// The worse of two that may not be there.
pub(super) fn worst(a: Option<Reached>, b: Option<Reached>) -> Option<Reached> {
    [a, b].into_iter().flatten().reduce(Reached::worst)
}

impl Report {
    /// One report of two, the worse of both.
    pub(crate) fn worst(self, other: Self) -> Self {
        let least = [self.smallest_pivot, other.smallest_pivot].into_iter().flatten().reduce(f64::min);
        Self { damping: self.damping.max(other.damping), smallest_pivot: least, ..self }.with(other.reached)
    }

    /// The same with more solutions.
    pub(super) fn with(self, reached: Option<Reached>) -> Self {
        Self { reached: worst(self.reached, reached), ..self }
    }

    /// The report of a factorisation that needed nothing.
    pub(crate) fn plain() -> Self {
        Self { solver: Solver::Dense, asked: 0.0, damping: 0.0, smallest_pivot: None, cut: None, reached: None }
    }

    /// What there is to say of an iteration; a factorisation needs no words.
    pub(crate) fn words(&self) -> Option<String> {
        let Reached { residual, steps, converged } = self.reached?;
        let cut = self.cut.map_or(String::new(), |cut| format!(", cut as by a damping of {cut:.1e}"));
        Some(match converged {
            true => format!("{} residual {residual:.1e} in {steps} steps{cut}", self.solver),
            false => format!("{} NOT converged: residual {residual:.1e} after {steps} steps{cut}", self.solver),
        })
    }
}
