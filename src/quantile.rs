//! Exact ranks, Q⁺ and Q⁻, and nothing else.
//!
//! The paper's Q⁻ lacks a minus sign and has the level on the wrong side; these are the definitions of
//! Barber et al. (2021), on which every guarantee of [`crate::interval`] stands:
//!
//! ```text
//! Q⁺_α(v) = the ⌈(1−α)(n+1)⌉-th smallest of v₁ … vₙ,   +∞ if that rank exceeds n
//! Q⁻_α(v) = the ⌊α(n+1)⌋-th smallest of v₁ … vₙ,       −∞ if that rank is 0
//! ```
//!
//! so that Q⁻_α(v) = −Q⁺_α(−v). There is no interpolation and no clipping.

use crate::error::{Error, Result};

/// How far α may lie from the fraction it stands for: `1.0 - 0.9` is one tenth.
const SLACK: f64 = 1e-12;

/// Refuses a miscoverage that is not strictly between 0 and 1.
pub(crate) fn check(alpha: f64) -> Result<()> {
    if alpha > 0.0 && alpha < 1.0 { Ok(()) } else { Err(Error::Level(alpha)) }
}

/// The rank ⌊α(n+1)⌋ of Q⁻ among `n` values, counted from 1; 0 stands for −∞.
///
/// An α within 10⁻¹² of a fraction with denominator n + 1 counts as that fraction: in floating point
/// ⌊(1 − 0.9)·10⌋ is 0, and the interval would be infinite at n = 9 where it should not be.
///
/// # Errors
/// [`Error::Level`] unless 0 < `alpha` < 1.
///
/// # Example
/// ```
/// use jackknife::quantile::{lower_rank, upper_rank};
/// assert_eq!(lower_rank(9, 1.0 - 0.9)?, 1);
/// assert_eq!(upper_rank(9, 1.0 - 0.9)?, 9);
/// assert_eq!(lower_rank(8, 0.1)?, 0); // eight values cannot give a 90 % bound: −∞
/// # Ok::<(), jackknife::Error>(())
/// ```
pub fn lower_rank(n: usize, alpha: f64) -> Result<usize> {
    check(alpha)?;
    let places = (n + 1) as f64;
    let rank = alpha * places;
    let nearest = rank.round();
    let rank = if (rank - nearest).abs() <= SLACK * places { nearest } else { rank.floor() };
    // α < 1, so there is a value at this rank however near to 1 it is.
    Ok((rank as usize).min(n))
}

/// The rank ⌈(1−α)(n+1)⌉ of Q⁺ among `n` values, counted from 1; n + 1 stands for +∞.
///
/// # Errors
/// [`Error::Level`] unless 0 < `alpha` < 1.
///
/// # Example
/// ```
/// assert_eq!(jackknife::quantile::upper_rank(99, 0.1)?, 90);
/// # Ok::<(), jackknife::Error>(())
/// ```
pub fn upper_rank(n: usize, alpha: f64) -> Result<usize> {
    // ⌈(1−α)N⌉ = N − ⌊αN⌋ for an integer N: one rounding serves both ends.
    Ok(n + 1 - lower_rank(n, alpha)?)
}

/// The `rank`-th smallest value, counted from 1, with −∞ below the first and +∞ above the last.
///
/// By selection, not by sorting; NaN counts as larger than +∞, and −0 as smaller than 0.
///
/// # Example
/// ```
/// use jackknife::quantile::order_statistic;
/// assert_eq!(order_statistic([3.0, 1.0, 2.0], 2), 2.0);
/// assert_eq!(order_statistic([3.0, 1.0, 2.0], 4), f64::INFINITY);
/// ```
pub fn order_statistic(values: impl IntoIterator<Item = f64>, rank: usize) -> f64 {
    // Integers in the order of the numbers: they compare in one instruction, numbers do not.
    select(values.into_iter().map(|value| flip(value.to_bits().cast_signed())).collect(), rank)
}

fn select(mut keys: Vec<i64>, rank: usize) -> f64 {
    if rank == 0 {
        f64::NEG_INFINITY
    } else if rank > keys.len() {
        f64::INFINITY
    } else {
        f64::from_bits(flip(*keys.select_nth_unstable(rank - 1).1).cast_unsigned())
    }
}

/// The bits of a number, turned so that they order as `f64::total_cmp` does; its own inverse.
fn flip(bits: i64) -> i64 {
    bits ^ ((bits >> 63).cast_unsigned() >> 1).cast_signed()
}

/// Both ranks of α among `n` values, found once for all points.
///
/// # Example
/// ```
/// let ranks = jackknife::quantile::Ranks::new(9, 0.2)?;
/// let (without, residuals) = ([1.0; 9], [0.3, 0.1, 0.2, 0.5, 0.4, 0.9, 0.7, 0.8, 0.6]);
/// let (lower, upper) = ranks.ends(&without, &residuals, 1.0);
/// assert!((lower - 0.2).abs() < 1e-12 && (upper - 1.8).abs() < 1e-12);
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranks {
    /// That of Q⁻.
    pub lower: usize,
    /// That of Q⁺.
    pub upper: usize,
}

impl Ranks {
    /// The ranks of α.
    ///
    /// # Errors
    /// [`Error::Level`] unless 0 < `alpha` < 1.
    pub fn new(n: usize, alpha: f64) -> Result<Self> {
        Ok(Self { lower: lower_rank(n, alpha)?, upper: upper_rank(n, alpha)? })
    }

    /// Q⁻{fᵢ − scale·rᵢ} and Q⁺{fᵢ + scale·rᵢ}: the two ends that every rule of the jackknife+'s kind takes.
    pub fn ends(&self, f: &[f64], r: &[f64], scale: f64) -> (f64, f64) {
        let pairs = || f.iter().zip(r);
        let lower = order_statistic(pairs().map(|(f, r)| f - scale * r), self.lower);
        (lower, order_statistic(pairs().map(|(f, r)| f + scale * r), self.upper))
    }
}

/// Q⁺_α of the values.
///
/// # Errors
/// [`Error::Level`] unless 0 < `alpha` < 1.
///
/// # Example
/// ```
/// let residuals = [0.3, 0.1, 0.2, 0.5, 0.4, 0.9, 0.7, 0.8, 0.6];
/// assert_eq!(jackknife::quantile::upper(&residuals, 0.2)?, 0.8);
/// # Ok::<(), jackknife::Error>(())
/// ```
pub fn upper<'a>(values: impl IntoIterator<Item = &'a f64, IntoIter: ExactSizeIterator>, alpha: f64) -> Result<f64> {
    let values = values.into_iter();
    let rank = upper_rank(values.len(), alpha)?;
    Ok(order_statistic(values.copied(), rank))
}

/// Q⁻_α of the values.
///
/// # Errors
/// [`Error::Level`] unless 0 < `alpha` < 1.
///
/// # Example
/// ```
/// assert_eq!(jackknife::quantile::lower(&[-0.3, -0.1, 0.2], 0.25)?, -0.3);
/// # Ok::<(), jackknife::Error>(())
/// ```
pub fn lower<'a>(values: impl IntoIterator<Item = &'a f64, IntoIter: ExactSizeIterator>, alpha: f64) -> Result<f64> {
    let values = values.into_iter();
    let rank = lower_rank(values.len(), alpha)?;
    Ok(order_statistic(values.copied(), rank))
}
