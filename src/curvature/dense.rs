//! H⁻¹ by one Cholesky factorisation.

use ndarray::Array2;

use super::problem::{Inverse, Problem};
use super::raise;
use super::report::Reached;
use crate::error::Result;
use crate::factor::Cholesky;
use crate::memory;

pub(crate) struct Dense {
    factor: Cholesky,
    damping: f64,
}

impl Dense {
    pub(super) fn new(problem: &Problem) -> Result<Self> {
        let p = problem.penalty.len();
        let what = || format!("the dense Hessian of {p} parameters");
        memory::check(what, 8e-9 * (p as f64).powi(2), "use the solver `cg`, which needs no matrix")?;
        let attempt = |mut matrix: Array2<f64>, damping: f64| {
            let least = 1e-13 * mean_diagonal(&matrix);
            matrix.diag_mut().mapv_inplace(|h| h + damping);
            // A pivot of rounding size would make noise of the answer.
            let factor = Cholesky::new(matrix).filter(|factor| factor.smallest_pivot() > least)?;
            Some(Self { factor, damping })
        };
        // Most matrices are positive definite, and fresh memory is dear: no copy is kept for the first attempt.
        if let Some(found) = attempt(problem.matrix(), problem.damping) {
            return Ok(found);
        }
        let matrix = problem.matrix();
        let mut damping = problem.damping;
        loop {
            damping = raise(damping, mean_diagonal(&matrix))?;
            if let Some(found) = attempt(matrix.clone(), damping) {
                return Ok(found);
            }
        }
    }
}

/// The scale of a matrix.
fn mean_diagonal(matrix: &Array2<f64>) -> f64 {
    matrix.diag().mapv(f64::abs).mean().unwrap_or(0.0).max(f64::MIN_POSITIVE)
}

impl Dense {
    /// Solves for each row of `rows`, in place.
    pub(crate) fn solve_rows(&self, rows: &mut Array2<f64>) {
        self.factor.solve_rows(rows);
    }
}

impl Inverse for Dense {
    fn solve_rows(&self, rows: &mut Array2<f64>) -> Result<Option<Reached>> {
        self.factor.solve_rows(rows);
        Ok(None)
    }

    fn damping(&self) -> f64 {
        self.damping
    }

    fn smallest_pivot(&self) -> Option<f64> {
        Some(self.factor.smallest_pivot())
    }
}
