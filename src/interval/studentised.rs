//! The studentised jackknife+: coverage from the residuals, discrimination from the model and from its past errors.
//!
//! One removed row moves a prediction by O(1/n), so in the width of the jackknife+ the residuals rule, and the width
//! hardly knows where the model is lost. Two things know better, and both are by-products of the leave-one-out models:
//!
//! * d(x), the *root sum of squares* of vᵢ(x) = f(x) − f₋ᵢ(x): the infinitesimal jackknife's standard deviation of f(x),
//!   how unsure the model is of its own prediction;
//! * ℓ(x), the root mean square of the leave-one-out residuals of the rows around x ([`neighbours`](super::neighbours)):
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
//! | 1: the jackknife+ | | .877 / .18 / 1 | .955 / .19 / 1 | .896 / .15 / 1 | .890 / .15 / 1 |
//! | d | 0.5 × median | .934 / .73 / 1.13 | .975 / .31 / 1.38 | .938 / .27 / 1.11 | .970 / .29 / 1.63 |
//! | d | 1 × median | .923 / .72 / 1.05 | .976 / .31 / 1.22 | .927 / .27 / 1.05 | .962 / .29 / 1.46 |
//! | d | 2 × median | .902 / .72 / 0.99 | .969 / .31 / 1.10 | .913 / .27 / 1.02 | .950 / .29 / 1.24 |
//! | d | 4 × median | .884 / .72 / 0.98 | .958 / .32 / 1.03 | .905 / .27 / 1.01 | .927 / .29 / 1.08 |
//! | √(d·ℓ) | 0.5 × median | .915 / .79 / 0.95 | .975 / .31 / 1.09 | .930 / .30 / 0.98 | .955 / .31 / 1.23 |
//! | **√(d·ℓ)** | **1 × median** | **.905 / .79 / 0.93** | **.968 / .31 / 1.05** | **.921 / .30 / 0.97** | **.955 / .31 / 1.18** |
//! | √(d·ℓ) | 2 × median | .889 / .79 / 0.90 | .964 / .31 / 1.01 | .905 / .30 / 0.95 | .941 / .31 / 1.10 |
//! | √(d·ℓ) | 4 × median | .881 / .79 / 0.88 | .959 / .29 / 0.98 | .900 / .28 / 0.95 | .917 / .31 / 1.03 |
//! | ℓ | | .879 / .75 / 0.84 | .955 / .26 / 0.95 | .898 / .24 / 0.92 | .907 / .24 / 0.98 |
//! | √(d² + ℓ²) | 0 | .889 / .77 / 0.87 | .969 / .31 / 1.09 | .903 / .27 / 0.93 | .948 / .30 / 1.13 |
//!
//! Either part alone ranks worse than the two together, and the intervals of √(d·ℓ) are narrower than those of d. The
//! floor decides coverage and width, and hardly the ranking. So does the damping: with a tenth of 1/(4n) the rule covers
//! .935, .993, .942 and .972, with ten times as much .858, .883, .881 and .857, because such steps under-estimate the
//! leave-one-out residuals of over-fitted networks. No finite-sample guarantee is claimed: one would need s₋ᵢ from models
//! without i *and* j.

use ndarray::Array2;

use super::Ranks;
use super::neighbours::Neighbours;
use crate::error::Result;
use crate::leave_one_out::LeaveOneOut;
use crate::quantile::order_statistic;
use crate::sample::check_points;

/// The floor in units of the median variability.
const FLOOR: f64 = 1.0;

/// What the rule computes once for all points and levels.
#[derive(Clone, Debug)]
pub(crate) struct Studentised {
    floor: f64,
    neighbours: Neighbours,
    /// qᵢ.
    scores: Vec<f64>,
}

impl Studentised {
    fn new(loo: &LeaveOneOut) -> Result<Self> {
        let deviations = loo.left_out_deviations()?;
        let floor = FLOOR * order_statistic(deviations.iter().copied(), loo.len().div_ceil(2));
        let neighbours = Neighbours::of(loo);
        let own = neighbours.own();
        let mut kept = Self { floor, neighbours, scores: Vec::new() };
        let scales = deviations.iter().zip(&own).map(|(&deviation, &error)| kept.scale(deviation, error));
        let scores = loo.residuals().iter().zip(scales).map(|(r, scale)| r / scale).collect();
        kept.scores = scores;
        Ok(kept)
    }

    /// s from the two parts. A part that is 0 everywhere says nothing about x, and is left out.
    fn scale(&self, deviation: f64, error: f64) -> f64 {
        let known = |part: f64| if part > 0.0 { part } else { 1.0 };
        (known(if self.floor > 0.0 { deviation.hypot(self.floor) } else { 0.0 }) * known(error)).sqrt()
    }
}

impl LeaveOneOut {
    /// √( Σⱼ vⱼ(x)² ) at each row of `x`: the infinitesimal jackknife's standard deviation of the prediction.
    ///
    /// Where the models differ in their parameters only, vⱼ(x) is taken to first order in θ₋ⱼ − θ̂.
    ///
    /// # Errors
    /// As [`LeaveOneOut::predict`].
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let sample = cubic(100, Feature::Normal { deviation: 1.0 }, 1.0, 0)?;
    /// let loo = LeaveOneOut::closed_form(&Ridge::least_squares(), &sample)?;
    /// let deviation = loo.deviation(&ndarray::array![[0.0], [4.0]])?;
    /// assert!(deviation[1] > 2.0 * deviation[0]); // few observations out there
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn deviation(&self, x: &Array2<f64>) -> Result<Vec<f64>> {
        self.shifts_at_points(x, |_, shifts| squares(shifts).sqrt())
    }

    /// √( Σ_{j≠i} vⱼ(xᵢ)² ) at each training row: as [`LeaveOneOut::deviation`], but no row has a say in its own.
    ///
    /// # Errors
    /// As [`LeaveOneOut::predict`].
    pub fn left_out_deviations(&self) -> Result<Vec<f64>> {
        self.shifts_at_points(self.x(), |i, shifts| (squares(&shifts[..i]) + squares(&shifts[i + 1..])).sqrt())
    }

    pub(super) fn studentise(&self, x: &Array2<f64>, alpha: f64) -> Result<Vec<(f64, f64)>> {
        check_points(x, self.x().ncols())?;
        let ranks = Ranks::new(self.len(), alpha)?;
        let kept = self.kept().get_or_init(|| Studentised::new(self)).as_ref().map_err(Clone::clone)?;
        let (deviations, errors) = (self.deviation(x)?, kept.neighbours.at(self, x));
        self.at_points(x, |t, _, without| ranks.ends(without, &kept.scores, kept.scale(deviations[t], errors[t])))
    }
}

/// Σⱼ vⱼ².
fn squares(shifts: &[f64]) -> f64 {
    shifts.iter().map(|v| v * v).sum()
}
