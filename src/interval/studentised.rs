//! The studentised jackknife+: coverage from the residuals, discrimination from the variability.
//!
//! One removed row moves a prediction by O(1/n), so in the width of the jackknife+ the residuals rule, and the width
//! hardly knows where the model is lost. The *root sum of squares* of the same vᵢ(x) = f(x) − f₋ᵢ(x) knows: it is
//! the infinitesimal jackknife's standard deviation of f(x). The rule measures every residual in units of it,
//!
//! ```text
//! qᵢ = rᵢ / s₋ᵢ(xᵢ),     [ Q⁻{ f₋ᵢ(x) − qᵢ·s(x) },  Q⁺{ f₋ᵢ(x) + qᵢ·s(x) } ]
//!
//! s(x)²    = floor² + Σⱼ vⱼ(x)²
//! s₋ᵢ(xᵢ)² = floor² + Σ_{j≠i} vⱼ(xᵢ)²
//! floor    = 2 × the median over i of √( Σ_{j≠i} vⱼ(xᵢ)² )
//! ```
//!
//! The floor stands for the noise, which no model explains away; without it rows that the model knows well would
//! get unbounded scores. It is added in quadrature, because a maximum would tie the widths of all points below it.
//!
//! # What was tried
//!
//! Network of 100 tanh units, 1000 epochs, leave-one-out models by one Gauss–Newton step with damping 10⁻³, target
//! 90 %: coverage / average precision of the width / mean width over that of the jackknife+, means over 10 splits
//! (yacht, housing), 6 (energy) and 4 (concrete); `cargo bench --bench studentised` prints them.
//!
//! | s₋ᵢ(xᵢ) | floor | yacht | housing | energy | concrete |
//! |---|---|---|---|---|---|
//! | jackknife+ | | .879 / .18 / 1 | .939 / .14 / 1 | .889 / .12 / 1 | .850 / .12 / 1 |
//! | j ≠ i | 0.5 × median | .934 / .73 / 1.14 | .974 / .33 / 1.54 | .926 / .28 / 1.05 | .943 / .29 / 1.48 |
//! | j ≠ i | 1 × median | .923 / .72 / 1.05 | .975 / .33 / 1.34 | .919 / .28 / 1.02 | .932 / .29 / 1.31 |
//! | **j ≠ i** | **2 × median** | **.902 / .72 / 0.99** | **.968 / .33 / 1.18** | **.900 / .28 / 1.00** | **.913 / .29 / 1.16** |
//! | j ≠ i | 4 × median | .884 / .72 / 0.98 | .955 / .33 / 1.07 | .895 / .28 / 1.00 | .881 / .29 / 1.07 |
//! | j ≠ i | median of R | .908 / .72 / 0.99 | .974 / .33 / 1.27 | .899 / .28 / 1.00 | .913 / .29 / 1.16 |
//! | j ≠ i, over 1 − hᵢ | 2 × median | .873 / .72 / 0.87 | .907 / .33 / 0.86 | .889 / .28 / 0.96 | .868 / .29 / 0.99 |
//! | all j | 2 × median | .873 / .71 / 0.85 | .920 / .33 / 0.91 | .885 / .28 / 0.95 | .850 / .29 / 0.92 |
//!
//! The floor decides coverage and width, and hardly the ranking. Dividing by 1 − hᵢ is what a linear model would ask
//! for, but the leave-one-out residuals of an over-fitted network are themselves too small, and the plain sum makes
//! up for that; with row i in its own sum the score of an outlier is divided by the outlier. No finite-sample
//! guarantee is claimed: one would need s₋ᵢ from models without i *and* j.

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
        let deviations = loo.at_points(loo.x(), |i, prediction, without| {
            let others = spread(prediction, &without[..i]) + spread(prediction, &without[i + 1..]);
            others.sqrt()
        })?;
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
        self.at_points(x, |_, prediction, without| spread(prediction, without).sqrt())
    }

    pub(super) fn studentise(&self, x: &Array2<f64>, alpha: f64) -> Result<Vec<(f64, f64)>> {
        check_points(x, self.x().ncols())?;
        let ranks = Ranks::new(self.len(), alpha)?;
        let kept = self.kept().get_or_init(|| Studentised::new(self)).as_ref().map_err(Clone::clone)?;
        let errors = kept.neighbours.at(self, x);
        self.at_points(x, |t, prediction, without| {
            let scale = kept.scale(spread(prediction, without).sqrt(), errors[t]);
            ranks.ends(without, &kept.scores, scale)
        })
    }
}

/// Σⱼ vⱼ(x)².
fn spread(prediction: f64, without: &[f64]) -> f64 {
    without.iter().map(|f| (prediction - f) * (prediction - f)).sum()
}
