//! The weighted jackknife+: coverage at points that come from elsewhere.
//!
//! The rows were drawn from one distribution P of features, the points are drawn from another one Q, and y given x is the
//! same for both: covariate shift. A row is then worth as much as it is likely among the points, w(x) = dQ/dP(x):
//!
//! ```text
//! [ Q⁻{ f₋ᵢ(x) − rᵢ },  Q⁺{ f₋ᵢ(x) + rᵢ } ],   value i with mass w(xᵢ), the value ∓∞ with mass w(x)
//!
//! Q⁺ = the smallest value with at least 1 − α of all mass at it or below,   Q⁻(v) = −Q⁺(−v)
//! ```
//!
//! It covers with probability at least 1 − 2α if the ratios w are right, up to a common factor, and the models exact
//! (Prinster, Liu & Saria 2022, Theorem 1). With equal weights it is the jackknife+. The ratios are the user's to know;
//! [`ratio`](super::ratio) estimates them, and then nothing is proven.

use ndarray::{Array1, Array2};

use super::{Guarantee, Intervals, Method, Recipe, Rule};
use crate::check::refusal;
use crate::error::{Error, Result};
use crate::leave_one_out::{Engine, LeaveOneOut};
use crate::quantile;

/// The rule by its name; the weights come with [`LeaveOneOut::weighted_jackknife_plus`].
pub(super) struct Weighted;

impl Recipe for Weighted {
    fn name(&self) -> &str {
        "weighted jackknife+"
    }

    fn ends(&self, _: &LeaveOneOut, _: &Array2<f64>, _: f64) -> Result<Vec<(f64, f64)>> {
        let advice = "give them to weighted_jackknife_plus, or ask for jackknife+";
        Err(Error::empty("the weighted jackknife+ was given no weights", advice))
    }
}

/// The share of all mass that rounding may cost: equal weights must give the jackknife+ to the last rank.
const SLACK: f64 = 1e-12;

impl LeaveOneOut {
    /// The jackknife+ with weights, for points whose features are distributed otherwise than those of the rows: see
    /// [`weighted`](crate::interval::weighted).
    ///
    /// `rows` has w(xᵢ) for each training row and `points` has w(x) for each row of `x`. A point that is much likelier than
    /// all rows together has an infinite interval: nothing near it was seen.
    ///
    /// Proven is [`Guarantee::IfWeightsTrue`]; with estimated weights nothing is, see
    /// [`LeaveOneOut::shifted_jackknife_plus`].
    ///
    /// # Errors
    /// [`Error::Shape`] unless there is a weight for each row and each point, [`Error::Choice`] for a weight that is
    /// negative or not finite and for rows of no weight at all, and as [`LeaveOneOut::intervals`].
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// // A line through y = x³, used further out than it was fitted: the ratio of N(1, 1) to N(0, 1) is exp(x − ½).
    /// let train = cubic(200, Feature::Normal { deviation: 1.0 }, 0.5, 0)?;
    /// let points = ndarray::array![[0.0], [2.0]];
    /// let ratio = |x: &ndarray::Array2<f64>| x.column(0).mapv(|x| (x - 0.5).exp());
    /// let loo = LeaveOneOut::closed_form(&Ridge::least_squares(), &train)?;
    /// let (w, v) = (ratio(train.x()), ratio(&points));
    /// let weighted = loo.weighted_jackknife_plus(&points, &w, &v, 0.1)?;
    /// assert!(weighted.mean_width() > loo.jackknife_plus(&points, 0.1)?.mean_width());
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn weighted_jackknife_plus(
        &self,
        x: &Array2<f64>,
        rows: &Array1<f64>,
        points: &Array1<f64>,
        alpha: f64,
    ) -> Result<Intervals> {
        quantile::check(alpha)?;
        check("weights and rows", rows, self.len())?;
        check("weights and points", points, x.nrows())?;
        let (all, residuals) = (rows.sum(), self.residuals());
        if all == 0.0 {
            return Err(choice("the sum of the rows' weights", 0.0, "be positive", "ratios of which some are not 0"));
        }
        let ends = self.at_points(x, |t, _, without| {
            let needed = (1.0 - alpha - SLACK) * (all + points[t]);
            let end = |sign: f64| {
                let values = without.iter().zip(&residuals).map(|(f, r)| sign * f + r);
                sign * mass_quantile(values.zip(rows.iter().copied()).collect(), needed)
            };
            (end(-1.0), end(1.0))
        })?;
        let guarantee = match self.engine() {
            // Proven without weights only.
            Engine::Folds(_) | Engine::Bags(_) => Guarantee::None,
            _ => Rule::Plus.recipe().guarantee(self, alpha).with_weights(),
        };
        let method = Method::Pair(self.engine(), Rule::Weighted);
        let intervals = Intervals::from_ends(self.predict(x)?, ends, alpha, method, guarantee)?;
        Ok(intervals.standing_on(effective(rows) as usize))
    }
}

/// (Σw)²/Σw²: how many rows of equal weight are worth as much (Kish 1965).
pub(super) fn effective(weights: &Array1<f64>) -> f64 {
    // In units of the largest, for squares of large weights overflow.
    let largest = weights.iter().copied().fold(0.0, f64::max);
    let relative = weights / largest;
    relative.sum().powi(2) / relative.dot(&relative)
}

/// The smallest value with at least so much mass at it or below, +∞ if all of them have less.
fn mass_quantile(mut values: Vec<(f64, f64)>, needed: f64) -> f64 {
    values.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let mut below = 0.0;
    let found = values.into_iter().find(|(_, mass)| {
        below += mass;
        below >= needed
    });
    found.map_or(f64::INFINITY, |(value, _)| value)
}

fn check(what: &str, weights: &Array1<f64>, count: usize) -> Result<()> {
    if weights.len() != count {
        return Err(Error::Shape { what: what.into(), left: weights.len(), right: count });
    }
    match weights.iter().find(|weight| !(0.0..f64::INFINITY).contains(*weight)) {
        Some(&weight) => Err(choice("a weight", weight, "be finite and at least 0", "the likelihood ratio at the row")),
        None => Ok(()),
    }
}

fn choice(name: &'static str, value: f64, range: &'static str, example: &'static str) -> Error {
    refusal(name, value, range, example)
}
