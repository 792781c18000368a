//! Ranks, and how surely they speak: what needs no assumption on the distribution of the numbers.

use crate::normal::cumulative;

/// The rank of each value from 1 on; equal values share the mean of theirs.
pub(super) fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut before = 0;
    for tied in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let rank = before as f64 + 0.5 * (tied.len() + 1) as f64;
        tied.iter().for_each(|&row| ranks[row] = rank);
        before += tied.len();
    }
    ranks
}

/// The ranks less their mean.
pub(super) fn centred_ranks(values: &[f64]) -> Vec<f64> {
    let middle = 0.5 * (values.len() + 1) as f64;
    ranks(values).into_iter().map(|rank| rank - middle).collect()
}

/// P(Z > z) of a standard normal Z.
pub(super) fn normal_tail(z: f64) -> f64 {
    cumulative(-z)
}

/// P(|Z| ≥ |z|).
pub(super) fn two_sided(z: f64) -> f64 {
    (2.0 * normal_tail(z.abs())).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_share_their_rank() {
        assert_eq!(ranks(&[3.0, 1.0, 3.0, 2.0]), [3.5, 1.0, 3.5, 2.0]);
    }

    /// scipy.stats.norm.sf
    #[test]
    fn the_normal_tail_is_that_of_scipy() {
        let known = [
            (-1.0, 0.8413447460685429),
            (0.0, 0.5),
            (0.5, 0.3085375387259869),
            (1.99, 0.02329546775021182),
            (2.0, 0.022750131948179195),
            (5.0, 2.866515718791933e-7),
            (30.0, 4.906713927147908e-198),
        ];
        for (z, tail) in known {
            assert!((normal_tail(z) / tail - 1.0).abs() < 1e-11, "{z}: {}", normal_tail(z));
        }
    }
}
