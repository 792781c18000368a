//! H⁻¹ by one Cholesky factorisation.

use ndarray::Array2;

use super::{Inverse, Problem, raise};
use crate::error::{Error, Result};
use crate::factor::Cholesky;

/// A matrix of more gigabytes than this is not begun.
const LIMIT: f64 = 8.0;

pub(super) struct Dense {
    factor: Cholesky,
    damping: f64,
}

impl Dense {
    pub(super) fn new(problem: &Problem) -> Result<Self> {
        let p = problem.penalty.len();
        let gigabytes = 8e-9 * (p as f64).powi(2);
        if gigabytes > LIMIT {
            return Err(Error::Memory {
                what: format!("the dense Hessian of {p} parameters"),
                gigabytes,
                limit: LIMIT,
                advice: "use the solver `cg`, which needs no matrix",
            });
        }
        let mut matrix = problem.matrix();
        let scale = matrix.diag().mapv(f64::abs).mean().unwrap_or(0.0).max(f64::MIN_POSITIVE);
        let mut damping = problem.damping;
        matrix.diag_mut().mapv_inplace(|h| h + damping);
        loop {
            match Cholesky::new(matrix) {
                // A pivot of rounding size would make noise of the answer.
                Ok(factor) if factor.smallest_pivot() > 1e-13 * scale => return Ok(Self { factor, damping }),
                Ok(factor) => matrix = factor.into_matrix(),
                Err(same) => matrix = same,
            }
            let next = raise(damping, scale)?;
            matrix.diag_mut().mapv_inplace(|h| h + (next - damping));
            damping = next;
        }
    }
}

impl Inverse for Dense {
    fn solve_rows(&self, rows: &mut Array2<f64>) -> Result<()> {
        self.factor.solve_rows(rows);
        Ok(())
    }

    fn damping(&self) -> f64 {
        self.damping
    }

    fn smallest_pivot(&self) -> Option<f64> {
        Some(self.factor.smallest_pivot())
    }
}
