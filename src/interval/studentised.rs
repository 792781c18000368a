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
//! 90 %: coverage / average precision of the width / mean width over that of the jackknife+, means over 10 splits
//! (yacht, housing), 6 (energy) and 4 (concrete); `cargo bench --bench studentised` prints them.
//!
//! | scale | floor | yacht | housing | energy | concrete |
//! |---|---|---|---|---|---|
//! | 1: the jackknife+ |  | .877 / .18 / 1.00 | .955 / .19 / 1.00 | .896 / .15 / 1.00 | .890 / .15 / 1.00 |
//! | d | 0.5 × median | .935 / .70 / 1.12 | .991 / .33 / 2.67 | .939 / .27 / 1.11 | .978 / .28 / 1.96 |
//! | d | 1 × median | .924 / .69 / 1.04 | .988 / .33 / 2.19 | .930 / .27 / 1.05 | .972 / .28 / 1.72 |
//! | d | 2 × median | .902 / .70 / 0.98 | .986 / .33 / 1.67 | .913 / .27 / 1.02 | .958 / .28 / 1.40 |
//! | d | 4 × median | .884 / .70 / 0.97 | .980 / .33 / 1.28 | .905 / .27 / 1.01 | .939 / .28 / 1.16 |
//! | √(d·ℓ) | 0.5 × median | .911 / .78 / 0.96 | .984 / .30 / 1.52 | .922 / .30 / 0.98 | .965 / .30 / 1.33 |
//! | **√(d·ℓ)** | **1 × median** | **.910 / .78 / 0.93** | **.982 / .31 / 1.38** | **.913 / .30 / 0.96** | **.960 / .30 / 1.26** |
//! | √(d·ℓ) | 2 × median | .898 / .78 / 0.89 | .978 / .30 / 1.21 | .900 / .30 / 0.94 | .953 / .31 / 1.17 |
//! | √(d·ℓ) | 4 × median | .884 / .78 / 0.85 | .972 / .30 / 1.08 | .897 / .28 / 0.93 | .933 / .31 / 1.07 |
//! | ℓ |  | .882 / .77 / 0.86 | .956 / .26 / 0.98 | .908 / .24 / 0.93 | .910 / .24 / 1.00 |
//! | √(d² + ℓ²) | 0 | .897 / .76 / 0.90 | .974 / .31 / 1.28 | .915 / .27 / 0.94 | .950 / .30 / 1.19 |
//!
//! The two parts together rank better than either alone but on housing, where d is ahead, and the intervals of √(d·ℓ) are
//! narrower than those of d. The floor decides coverage and width, and hardly the ranking. So does the damping: with ten
//! times 1/(4n) the rule covers .860 on yacht and .883 on housing, because such steps under-estimate the leave-one-out
//! residuals of over-fitted networks; with a tenth of it, .985 and .998.
//!
//! The same rule on the leave-one-out models of other engines: coverage / average precision / mean width over 3 splits, with
//! damping 1/(4n) unless H needs more (`cargo bench --bench engines`).
//!
//! | engine | yacht | housing | energy |
//! |---|---|---|---|
//! | **one Gauss–Newton step** | **.925 / .80 / 3.10** | **.977 / .28 / 16.3** | **.918 / .32 / 1.62** |
//! | and the tenth of largest leverage retrained | .925 / .77 / 3.20 | .938 / .23 / 11.8 | .909 / .24 / 1.60 |
//! | one Newton step, exact H | .882 / .72 / 2.61 | .775 / .22 / 6.42 | .877 / .29 / 1.37 |
//! | influence of order 1, Gauss–Newton | .914 / .79 / 2.78 | .912 / .26 / 10.5 | .911 / .30 / 1.55 |
//! | influence of order 1, exact H | .882 / .77 / 2.52 | .765 / .21 / 6.37 | .877 / .29 / 1.36 |
//! | influence of order 2, exact H | .882 / .75 / 2.58 | .771 / .22 / 6.43 | .877 / .29 / 1.37 |
//! | influence of order 3, exact H | .882 / .73 / 2.59 | .775 / .22 / 6.45 | .877 / .29 / 1.37 |
//! | influence of order 3, Gauss–Newton | .925 / .80 / 3.13 | .925 / .20 / 12.0 | .918 / .32 / 1.61 |
//! | and its flagged rows retrained | .919 / .74 / 3.07 | .892 / .20 / 9.40 | .918 / .32 / 1.61 |
//!
//! Training was stopped long before a minimum, so the exact H is not positive definite; the damping that makes it so, 10 to
//! 1000 times 1/(4n), holds the models where they are, whatever the order. Retraining some rows mixes two kinds of residuals
//! in one scale, and ranks worse.
//!
//! A model that states a deviation: 25 bagged networks of the deep ensemble's kind (`bagged` in an audit), coverage / average
//! precision / mean width over 10 splits, .942 / .79 / 1.73 on yacht, .928 / .38 / 9.61 on housing, .932 / .35 / 1.34 on energy
//! (`cargo bench --bench rematch`; precision of the average's own errors).
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
