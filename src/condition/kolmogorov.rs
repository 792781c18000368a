//! The two-sample test of Kolmogorov and Smirnov.

/// Pairs of rows up to which the p-value is exact; beyond, samples are large and the limit is close.
const EXACT: usize = 1_000_000;

/// The largest distance of two empirical distribution functions, and the chance of so large a one or a larger.
///
/// Both samples are sorted. Values that occur more than once make the chance too large, never too small.
pub(super) fn test(left: &[f64], right: &[f64]) -> (f64, f64) {
    let (n, m) = (left.len(), right.len());
    let (mut i, mut j, mut largest) = (0, 0, 0);
    while i < n && j < m {
        let value = left[i].min(right[j]);
        while i < n && left[i] <= value {
            i += 1;
        }
        while j < m && right[j] <= value {
            j += 1;
        }
        largest = largest.max((i * m).abs_diff(j * n));
    }
    let distance = largest as f64 / (n as f64 * m as f64);
    let p = if n.saturating_mul(m) <= EXACT { exact(n, m, largest) } else { limit(n, m, distance) };
    (distance, p)
}

/// P(max |i·m − j·n| ≥ `largest`) over all paths from (0, 0) to (n, m), each as likely as the others.
///
/// ```text
/// Q(i, j) = 1 if |i·m − j·n| ≥ largest,  else  ( i·Q(i−1, j) + j·Q(i, j−1) )/(i + j)
/// ```
///
/// Q is the share of the paths to (i, j) that have been outside: every term is positive, and nothing cancels.
fn exact(n: usize, m: usize, largest: usize) -> f64 {
    if largest == 0 {
        return 1.0;
    }
    let mut shares = vec![0.0; m + 1];
    for i in 0..=n {
        for j in 0..=m {
            shares[j] = if (i * m).abs_diff(j * n) >= largest {
                1.0
            } else if i + j == 0 {
                0.0
            } else {
                let before = if j == 0 { 0.0 } else { j as f64 * shares[j - 1] };
                (i as f64 * shares[j] + before) / (i + j) as f64
            };
        }
    }
    shares[m]
}

/// 2 Σₖ (−1)ᵏ⁻¹ exp(−2k²λ²), λ = distance·√(nm/(n+m)).
fn limit(n: usize, m: usize, distance: f64) -> f64 {
    let (n, m) = (n as f64, m as f64);
    let lambda = distance * (n * m / (n + m)).sqrt();
    // The series needs many terms where it is near 1 anyway.
    if lambda < 0.2 {
        return 1.0;
    }
    let term = |k: i32| f64::from(1 - 2 * ((k + 1) % 2)) * (-2.0 * f64::from(k * k) * lambda * lambda).exp();
    (2.0 * (1..=100).map(term).sum::<f64>()).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// scipy.stats.ks_2samp(…, method='exact')
    #[test]
    fn the_exact_chance_is_that_of_scipy() {
        let (distance, p) = test(&[0.1, 0.4, 0.5, 0.9, 1.3, 2.2, 3.1], &[1.0, 2.5, 2.6, 4.0, 5.0]);
        assert!((distance - 0.6571428571428571).abs() < 1e-15 && (p - 0.11616161616161617).abs() < 1e-14, "{p}");
        let left: Vec<f64> = (0..12).map(|k| f64::from(k) + 0.5).collect();
        let right: Vec<f64> = (0..20).map(|k| f64::from(k) * 1.1 + 3.0).collect();
        let (distance, p) = test(&left, &right);
        assert!((distance - 0.6).abs() < 1e-15 && (p - 0.00517962394201694).abs() < 1e-14, "{p}");
        let left: Vec<f64> = (0..30).map(f64::from).collect();
        let right: Vec<f64> = (100..130).map(f64::from).collect();
        assert!((test(&left, &right).1 / 1.6911233892144742e-17 - 1.0).abs() < 1e-10);
    }

    /// scipy.special.kolmogorov(1.2) and of 2.
    #[test]
    fn the_limit_is_the_distribution_of_kolmogorov() {
        let at = |lambda: f64| limit(2000, 2000, lambda / 1000_f64.sqrt());
        assert!((at(1.2) - 0.11224966667072497).abs() < 1e-12, "{}", at(1.2));
        assert!((at(2.0) - 0.0006709252557796953).abs() < 1e-12, "{}", at(2.0));
        assert_eq!(at(0.1), 1.0);
    }
}
