//! Quantiles between the ranks, for describing what was seen.
//!
//! The guarantees stand on exact ranks ([`crate::quantile`]); cutting a column into quarters or naming a median
//! does not, and there numpy's default is what readers compare with.

/// The quantile of the values at a level in 0 … 1 by linear interpolation, numpy's default; NaN without values.
///
/// ```text
/// v₍ₖ₎ + (h − k)(v₍ₖ₊₁₎ − v₍ₖ₎),    h = (n−1)·level,  k = ⌊h⌋,  ranks counted from 0
/// ```
///
/// Infinite values are allowed: between a finite and an infinite one lies the infinite one.
///
/// # Example
/// ```
/// use jackknife::metric::interpolation::interpolated;
/// assert_eq!(interpolated(&[4.0, 1.0, 3.0, 2.0], 0.5), 2.5);
/// assert_eq!(interpolated(&[1.0, 2.0, f64::INFINITY], 0.5), 2.0);
/// ```
pub fn interpolated(values: &[f64], level: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    interpolated_of_sorted(&sorted, level)
}

/// As [`interpolated`], of values that are in order already.
pub(super) fn interpolated_of_sorted(sorted: &[f64], level: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let place = level.clamp(0.0, 1.0) * last as f64;
    let (below, part) = (place.floor() as usize, place.fract());
    let (low, high) = (sorted[below], sorted[(below + 1).min(last)]);
    // ∞ − ∞ and 0·∞ are no numbers, though the quantile is one.
    if part == 0.0 || low == high {
        return low;
    }
    // From the nearer end, as numpy does: the last digit then agrees too.
    if part < 0.5 { low + part * (high - low) } else { high - (1.0 - part) * (high - low) }
}
