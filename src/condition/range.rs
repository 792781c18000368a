//! Points outside the range of the training rows: whether chance puts so many there, or so far.

/// How the new values of one column lie about the range of the training rows.
pub(super) struct Outside {
    /// The smallest and the largest training value.
    pub(super) range: (f64, f64),
    /// How far the farthest new value lies outside, in widths of the range.
    pub(super) excess: f64,
    /// The chance of so many outside at one end, or of one so far, if the rows are exchangeable.
    pub(super) p: f64,
}

/// Both samples are sorted and not empty; the column has at least two training values.
pub(super) fn outside(train: &[f64], new: &[f64]) -> Outside {
    let (n, m) = (train.len(), new.len());
    let (low, high) = (train[0], train[n - 1]);
    let below = new.partition_point(|&value| value < low);
    let above = m - new.partition_point(|&value| value <= high);
    let excess = ((low - new[0]) / (high - low)).max((new[m - 1] - high) / (high - low)).max(0.0);
    // Three looks at one column.
    let p = 3.0 * extremes(n, m, below).min(extremes(n, m, above)).min(far(train, m, excess));
    Outside { range: (low, high), excess, p: p.min(1.0) }
}

/// The chance that the k largest of n + m exchangeable values are all among the m: exact, and too large under ties.
///
/// ```text
/// m/(n+m) · (m−1)/(n+m−1) · … · (m−k+1)/(n+m−k+1)
/// ```
fn extremes(n: usize, m: usize, k: usize) -> f64 {
    (0..k).map(|j| (m - j) as f64 / (n + m - j) as f64).product()
}

/// The chance of one new value so far outside, where the tails fall as those of the training rows do.
///
/// ```text
/// m/( m + n(1 + 2e)ᵃ ),     e: the excess,     a = ln n / ln(range / interquartile range)
/// ```
///
/// With tails |t|⁻ᵃ the largest of n values grows as n^(1/a), which gives the index a back from the rows themselves: about 1
/// for Cauchy's distribution, 3.5 and more for a normal one. The largest of m values exceeds (1 + 2e) times the largest of n
/// by that chance. It is doubled, for a is an estimate.
fn far(train: &[f64], m: usize, excess: f64) -> f64 {
    let n = train.len();
    let (low, high) = (train[n / 4], train[(3 * n / 4).min(n - 1)]);
    let stretch = (train[n - 1] - train[0]) / (high - low);
    if excess <= 0.0 || !stretch.is_finite() {
        return 1.0;
    }
    let index = ((n as f64).ln() / stretch.ln().max(f64::EPSILON)).clamp(0.5, 4.0);
    let (n, m) = (n as f64, m as f64);
    (2.0 * m / (m + n * (1.0 + 2.0 * excess).powf(index))).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of the C(5, 2) = 10 places of two new values among five, one has both on top, and four have the larger one there.
    #[test]
    fn the_chance_of_extremes_is_the_share_of_orders() {
        assert!((extremes(3, 2, 2) - 0.1).abs() < 1e-15);
        assert!((extremes(3, 2, 1) - 0.4).abs() < 1e-15);
        assert_eq!(extremes(3, 2, 0), 1.0);
    }

    #[test]
    fn values_within_the_range_say_nothing_and_far_ones_do() {
        let train: Vec<f64> = (0..=100).map(|k| f64::from(k) / 100.0).collect();
        let within = outside(&train, &[0.0, 0.3, 1.0]);
        assert_eq!((within.excess, within.p), (0.0, 1.0));
        let far = outside(&train, &[0.5, 3.0]);
        assert!(far.excess == 2.0 && far.p < 1e-3, "{}", far.p);
        let many = outside(&train, &[1.01, 1.01, 1.02, 1.02]);
        assert!(many.p < 1e-4, "{}", many.p);
    }
}
