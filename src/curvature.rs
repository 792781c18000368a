//! The Hessian of L and ways to solve with it.
//!
//! ```text
//! H = ∇²L = (1/n) Σᵢ ∇²½(yᵢ − f(xᵢ;θ̂))² + diag(λ)
//! ```
//!
//! Influence functions ask for H⁻¹ of many vectors. H is never inverted: a [`Solver`] is prepared once and asked n
//! times. If H is not positive definite, the damping D in H + D·I is raised until it is, and the result says so.

mod conjugate;
mod dense;
mod stochastic;

use ndarray::{Array1, Array2};
use std::fmt;
use std::str::FromStr;

use crate::error::{Error, Result};
use crate::model::Objective;

/// Which matrix stands for the curvature of L.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Curvature {
    /// ∇²L itself.
    #[default]
    Exact,
    /// (1/n) Jᵀ·J + diag(λ): without the second derivatives of the model, and so never indefinite. The choice for
    /// networks that were stopped before a minimum.
    GaussNewton,
}

/// How H⁻¹ is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Solver {
    /// Dense up to 12,000 parameters, conjugate gradients beyond.
    #[default]
    Auto,
    /// One Cholesky factorisation: O(p²) memory, O(p³) once and O(p²) for each vector.
    Dense,
    /// Conjugate gradients on Hessian products: O(p) memory.
    ConjugateGradients,
    /// The paper's stochastic series (Section 3.3) over minibatches, scaled so that it converges: O(p) memory and a
    /// few digits.
    Stochastic,
}

impl FromStr for Solver {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        match name {
            "auto" => Ok(Self::Auto),
            "dense" => Ok(Self::Dense),
            "cg" => Ok(Self::ConjugateGradients),
            "stochastic" => Ok(Self::Stochastic),
            _ => Err(Error::Choice {
                name: "the solver",
                value: format!("`{name}`"),
                range: "be one of auto, dense, cg, stochastic",
                example: "auto",
            }),
        }
    }
}

impl fmt::Display for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Auto => "auto",
            Self::Dense => "dense",
            Self::ConjugateGradients => "cg",
            Self::Stochastic => "stochastic",
        })
    }
}

/// The largest p for which [`Solver::Auto`] factorises.
const DENSE_LIMIT: usize = 12_000;

/// H + D·I around a fitted model, before it is solved with.
pub(crate) struct Problem<'a> {
    pub(crate) objective: &'a dyn Objective,
    pub(crate) penalty: Array1<f64>,
    pub(crate) curvature: Curvature,
    pub(crate) damping: f64,
    pub(crate) seed: u64,
}

/// Something that applies (H + D·I)⁻¹.
pub(crate) trait Inverse: Sync {
    /// Solves for each row of `rows`, in place.
    fn solve_rows(&self, rows: &mut Array2<f64>) -> Result<()>;

    /// D.
    fn damping(&self) -> f64;

    /// The smallest pivot of the factorisation, if there is one.
    fn smallest_pivot(&self) -> Option<f64> {
        None
    }
}

impl<'a> Problem<'a> {
    /// Prepares a solver, raising the damping where that is needed.
    pub(crate) fn prepare(self, solver: Solver) -> Result<Box<dyn Inverse + 'a>> {
        let p = self.penalty.len();
        match solver {
            Solver::Auto if p <= DENSE_LIMIT => Ok(Box::new(dense::Dense::new(&self)?)),
            Solver::Dense => Ok(Box::new(dense::Dense::new(&self)?)),
            Solver::Auto | Solver::ConjugateGradients => Ok(Box::new(conjugate::ConjugateGradients::new(self)?)),
            Solver::Stochastic => Ok(Box::new(stochastic::Stochastic::new(self)?)),
        }
    }

    fn rows(&self) -> usize {
        self.objective.residuals().len()
    }

    /// The upper triangle of the dense matrix H, without damping.
    pub(crate) fn matrix(&self) -> Array2<f64> {
        let mut matrix = match self.curvature {
            Curvature::Exact => self.objective.hessian(),
            Curvature::GaussNewton => crate::factor::upper_gram(self.objective.jacobian().view()),
        };
        matrix /= self.rows() as f64;
        matrix.diag_mut().zip_mut_with(&self.penalty, |h, &l| *h += l);
        matrix
    }
}

/// The next damping to try: tenfold, starting well below the matrix's own scale.
fn raise(damping: f64, scale: f64) -> Result<f64> {
    let next = (10.0 * damping).max(1e-5 * scale);
    if next.is_finite() && damping <= 1e4 * scale {
        return Ok(next);
    }
    Err(Error::Curvature {
        damping,
        scale,
        advice: "check that the model was trained on these very rows, or use Gauss–Newton curvature".into(),
    })
}
