//! Gauss–Newton where the parameters are more than the rows: the n × n form.
//!
//! ```text
//! A = JᵀJ + cI,   K = JJᵀ,   G = (K + cI)⁻¹:      A⁻¹Jᵀ = JᵀG,   A⁻¹ = (I − JᵀGJ)/c
//! ```
//!
//! K can be had without J ([`Features::kernel`](crate::model::Features::kernel)), so that p does not matter.

use ndarray::Array2;

use super::problem::Problem;
use super::{Report, Solver, raise};
use crate::error::Result;
use crate::factor::Cholesky;
use crate::memory;

/// Below this share of its own scale, what stands beside H is rounding: as where a pivot is refused.
const ROUNDING: f64 = 1e-13;

pub(crate) struct Dual {
    /// G.
    pub(crate) inverse: Array2<f64>,
    /// c.
    pub(crate) constant: f64,
}

impl Dual {
    /// Refuses what needs more memory than the machine has free: the inverse and three more of its size while rows are stepped.
    pub(crate) fn check(rows: usize) -> Result<()> {
        let what = || format!("the kernel of {rows} rows");
        memory::check(what, 32e-9 * (rows as f64).powi(2), "fewer rows, or a model with fewer parameters, would fit")
    }
}

impl Problem<'_> {
    /// λ + D as they stand in H if they are alike for all parameters, as the n × n form needs them.
    pub(crate) fn is_even(&self) -> bool {
        self.penalty.iter().all(|&penalty| penalty == self.penalty[0])
    }

    /// The n × n form, raising the damping where that is needed; `kernel` is K, and the penalty is even.
    pub(crate) fn dual(&self, kernel: Array2<f64>) -> Result<(Dual, Report)> {
        let (n, p) = (kernel.nrows() as f64, self.penalty.len() as f64);
        let penalty = self.penalty[0];
        // The mean diagonal of H.
        let scale = (kernel.diag().sum() / (n * p) + penalty).max(f64::MIN_POSITIVE);
        let mut damping = self.damping;
        let (factor, constant) = loop {
            let constant = n * (penalty + damping);
            if penalty + damping > ROUNDING * scale {
                let mut matrix = kernel.clone();
                matrix.diag_mut().mapv_inplace(|cell| cell + constant);
                if let Some(factor) = Cholesky::new(matrix) {
                    break (factor, constant);
                }
            }
            damping = raise(damping, scale)?;
        };
        let mut inverse = Array2::eye(kernel.nrows());
        factor.solve_rows(&mut inverse);
        let report = Report {
            solver: Solver::Dense,
            asked: self.options.damping,
            damping: self.damping_said(damping),
            smallest_pivot: None,
            cut: None,
            reached: None,
        };
        Ok((Dual { inverse, constant }, report))
    }
}
