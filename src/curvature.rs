//! The Hessian of L and ways to solve with it.
//!
//! ```text
//! H = ∇²L = (1/n) Σᵢ ∇²½(yᵢ − f(xᵢ;θ̂))² + diag(λ)
//! ```
//!
//! Influence functions ask for H⁻¹ of many vectors. H is never inverted: a [`Solver`] is prepared once and asked n
//! times. If H is not positive definite, the damping D in H + D·I is raised until it is. What was done is reported
//! with the result ([`Trust`](crate::leave_one_out::Trust)): the damping used, and for solvers that iterate the
//! residual reached, the steps made, and whether that is a solution.

mod conjugate;
mod dense;
mod dual;
mod problem;
mod report;
mod stochastic;

use std::fmt;
use std::str::FromStr;

use crate::check::refusal;
use crate::error::{Error, Result};
pub(crate) use dense::Dense;
pub(crate) use dual::Dual;
pub(crate) use problem::{Options, Prepared, Problem};
pub(crate) use report::Report;

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
    /// Conjugate gradients on Hessian products. Beside the vectors solved for it keeps O(p) numbers with exact
    /// curvature; with Gauss–Newton it keeps the n × p Jacobian, the one that the gradients are made of. A solution
    /// that is not reached in 20p + 100 steps is reported as such.
    ConjugateGradients,
    /// The paper's stochastic series (Section 3.3) over minibatches, scaled so that it converges: memory as conjugate
    /// gradients, and a few digits. How many is measured with all rows and reported.
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
            _ => Err(refusal("the solver", format!("`{name}`"), "be one of auto, dense, cg, stochastic", "auto")),
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
pub(crate) const DENSE_LIMIT: usize = 12_000;

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
