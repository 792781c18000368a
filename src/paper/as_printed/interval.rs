//! The interval of the authors' program: interpolated quantiles at α/2 on either side.

use ndarray::Array2;

use crate::error::Result;
use crate::interval::Recipe;
use crate::leave_one_out::LeaveOneOut;
use crate::metric::interpolation::interpolated;

/// The interval that the authors' program made of f₋ᵢ(x) and rᵢ for a miscoverage of `alpha`.
///
/// ```text
/// [ q_{α/2}{ f₋ᵢ(x) − rᵢ },  q_{1−α/2}{ f₋ᵢ(x) + rᵢ } ],    q numpy's quantile, linear between the ranks
/// ```
///
/// The jackknife+ takes ⌊α(n+1)⌋ and ⌈(1−α)(n+1)⌉: each end may be missed with α, and a target misses *one* end, for
/// rᵢ is already a two-sided error. Halving α on top of that aims at 1 − α/2: the "90 %" intervals are 95 % ones.
/// NaN without values.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let residuals: Vec<f64> = (1..=100).map(f64::from).collect();
/// let (lower, upper) = paper::interpolated_interval(&vec![0.0; 100], &residuals, 0.1);
/// // 95 of 100 residuals lie within, not 90.
/// assert_eq!(residuals.iter().filter(|r| **r <= upper).count(), 95);
/// assert!((lower + upper).abs() < 1e-9);
/// ```
pub fn interpolated_interval(without: &[f64], residuals: &[f64], alpha: f64) -> (f64, f64) {
    let moved = |sign: f64| without.iter().zip(residuals).map(|(f, r)| f + sign * r).collect::<Vec<f64>>();
    (interpolated(&moved(-1.0), 0.5 * alpha), interpolated(&moved(1.0), 1.0 - 0.5 * alpha))
}

/// The same as a rule.
pub(crate) struct Interpolated;

impl Recipe for Interpolated {
    fn name(&self) -> &str {
        "interpolated jackknife+"
    }

    fn ends(&self, loo: &LeaveOneOut, x: &Array2<f64>, alpha: f64) -> Result<Vec<(f64, f64)>> {
        let residuals = loo.residuals().to_vec();
        loo.at_points(x, |_, _, without| interpolated_interval(without, &residuals, alpha))
    }
}
