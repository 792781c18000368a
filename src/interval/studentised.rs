//! The studentised jackknife+: coverage from the residuals, discrimination from the model and from its past errors.
//!
//! One removed row moves a prediction by O(1/n), so in the width of the jackknife+ the residuals rule, and the width
//! hardly knows where the model is lost. Two things know better, and both are by-products of the leave-one-out models:
//!
//! * d(x), the *root sum of squares* of vᵢ(x) = f(x) − f₋ᵢ(x): the infinitesimal jackknife's standard deviation of f(x),
//!   how unsure the model is of its own prediction. A model that says so itself
//!   ([`Model::stated_deviation`](crate::model::Model::stated_deviation)) is believed: d(x) is what it states, without a
//!   floor, and d₋ᵢ(xᵢ) what the model without row i states there;
//! * ℓ(x), the root mean square of the leave-one-out residuals of the rows around x ([`neighbours`](crate::leave_one_out::neighbours)):
//!   how large its errors have been there.
//!
//! The rule measures every residual in units of their geometric mean,
//!
//! ```text
//! qᵢ = rᵢ / s₋ᵢ(xᵢ),     [ Q⁻{ f₋ᵢ(x) − qᵢ·s(x) },  Q⁺{ f₋ᵢ(x) + qᵢ·s(x) } ]
//!
//! s(x)²    = d(x)·ℓ(x)             d(x)²    = floor² + Σⱼ vⱼ(x)²
//! s₋ᵢ(xᵢ)² = d₋ᵢ(xᵢ)·ℓ₋ᵢ(xᵢ)       d₋ᵢ(xᵢ)² = floor² + Σ_{j≠i} vⱼ(xᵢ)²
//! floor    = the median over i of √( Σ_{j≠i} vⱼ(xᵢ)² )
//! ```
//!
//! and row i has no say in its own scale. The floor is added in quadrature, because a maximum would tie the widths of
//! all points below it. The geometric mean has no weights to fit and no units to match.
//!
//! # What was tried
//!
//! Network of 100 tanh units, 1000 epochs, leave-one-out models by one Gauss–Newton step with damping 1/(4n), target
//! 90 %: coverage / average precision of the width / mean width over that of the jackknife+. The scales are scores of the
//! study's own (`examples/study/variant.rs`), as yours could be.
//!
#![doc = include_str!("../../examples/study/tables/scale.md")]
//!
//! The two parts together rank better than either alone but on housing, where d is ahead, and the intervals of √(d·ℓ) are
//! narrower than those of d. The floor decides coverage and width, and hardly the ranking. So does the damping:
//!
#![doc = include_str!("../../examples/study/tables/damping.md")]
//!
//! Steps with ten times 1/(4n) under-estimate the leave-one-out residuals of over-fitted networks; with a tenth of it the rule
//! covers more than it should. So it does with what the leave-one-out likelihood chooses
//! ([`damping_by_likelihood`](crate::leave_one_out::damping_by_likelihood)), and the widths rank no better.
//!
//! # Other engines
//!
//! The same rule on the leave-one-out models of other engines, with damping 1/(4n) unless H needs more: coverage / average
//! precision / mean width / the damping that was used, in units of 1/(4n).
//!
#![doc = include_str!("../../examples/study/tables/engines.md")]
//!
//! Training was stopped long before a minimum, so the exact H is not positive definite; the damping that makes it so holds
//! the models where they are, whatever the order. Retraining some rows mixes two kinds of residuals in one scale,
//! and ranks no better.
//!
//! # A model that states a deviation
//!
//! 25 bagged networks of the deep ensemble's kind (`bagged` in an audit): coverage / average precision of the average's own
//! errors / mean width.
//!
#![doc = include_str!("../../examples/study/tables/bagged.md")]
//!
//! How it stands beside the paper's baselines is told in [`guide::rematch`](crate::guide::rematch).
//!
//! # What is not claimed
//!
//! vⱼ(x) is taken to first order in the step: where the rows leave directions of θ nearly free, as on naval_propulsion,
//! what long steps along them do beyond it drowns the rest. On housing that costs width. The scale, the floor and the
//! number of neighbours were chosen on these tables, so the numbers are a little optimistic. No finite-sample guarantee
//! is claimed: one would need s₋ᵢ from models without i *and* j.

use ndarray::{Array1, Array2};

use super::{Scaled, Score};
use crate::error::Result;
use crate::leave_one_out::LeaveOneOut;

/// The score s(x) of this page.
pub(super) struct Studentised;

/// The jackknife+ with it.
pub(super) static STUDENTISED: Scaled<Studentised> = Scaled(Studentised);

impl Score for Studentised {
    fn name(&self) -> &str {
        "studentized"
    }

    fn at_rows(&self, loo: &LeaveOneOut) -> Result<Array1<f64>> {
        Ok(loo.scale()?.at_rows().clone())
    }

    fn at_points(&self, loo: &LeaveOneOut, x: &Array2<f64>) -> Result<Array1<f64>> {
        loo.scale()?.at_points(loo, x)
    }
}
