//! Left-out errors in the order of the table: whether that order means anything to them.

use super::finding::{Finding, Kind};
use super::rank::{centred_ranks, two_sided};
use super::{Conditions, LEVEL};
use crate::metric::holm;

/// Below so many rows the ranks take too few orders for any p-value up to [`LEVEL`] after Holm to be near the normal one.
const LEAST: usize = 10;

/// The three checks of an order.
pub(super) fn conditions(errors: &[f64]) -> Conditions {
    if errors.len() < LEAST {
        return Conditions::default();
    }
    let sizes: Vec<f64> = errors.iter().map(|error| error.abs()).collect();
    let checks =
        [(Kind::Drift, trend(errors)), (Kind::Spread, trend(&sizes)), (Kind::Autocorrelation, resemblance(errors))];
    let adjusted = holm(&checks.map(|(_, (_, z))| two_sided(z)));
    let found = checks.iter().zip(adjusted).filter(|(_, p)| *p <= LEVEL);
    let finding = |(&(kind, (size, _)), p): (&(Kind, (f64, f64)), f64)| Finding {
        kind,
        p: Some(p),
        count: None,
        columns: Vec::new(),
        size,
    };
    Conditions { findings: found.map(finding).collect(), checks: checks.len() }
}

/// Spearman's rank correlation ρ with the row number, and ρ in its standard deviations.
///
/// If every order is equally likely ρ has mean 0 and variance 1/(n − 1), with ties or without. Its tails are lighter than the
/// normal ones, so that the normal p-value errs on the side of silence.
fn trend(values: &[f64]) -> (f64, f64) {
    let ranks = centred_ranks(values);
    let middle = 0.5 * (ranks.len() - 1) as f64;
    let rows = (0..ranks.len()).map(|row| row as f64 - middle);
    let product: f64 = ranks.iter().zip(rows.clone()).map(|(rank, row)| rank * row).sum();
    let squares = ranks.iter().map(|rank| rank * rank).sum::<f64>() * rows.map(|row| row * row).sum::<f64>();
    if squares == 0.0 {
        return (0.0, 0.0);
    }
    let correlation = product / squares.sqrt();
    (correlation, correlation * ((ranks.len() - 1) as f64).sqrt())
}

/// The rank correlation of each value with the next, and how many standard deviations it lies from its mean.
///
/// ```text
/// T = Σᵢ bᵢ·bᵢ₊₁        b: ranks less their mean,   S₂ = Σb²,   S₄ = Σb⁴
///
/// E T = −S₂/n
/// E T² = (S₂² − S₄)/n + 2(2S₄ − S₂²)/(n(n−1)) + (3S₂² − 6S₄)/(n(n−1))
/// ```
///
/// over all orders of the n values: exact with ties too. It is the ratio of von Neumann of the ranks (Bartels 1982) up to its two
/// end terms.
fn resemblance(values: &[f64]) -> (f64, f64) {
    let ranks = centred_ranks(values);
    let n = ranks.len() as f64;
    let (second, fourth) =
        ranks.iter().fold((0.0, 0.0), |(second, fourth), b| (second + b * b, fourth + b * b * b * b));
    if second == 0.0 {
        return (0.0, 0.0);
    }
    let sum: f64 = ranks.windows(2).map(|pair| pair[0] * pair[1]).sum();
    let mean = -second / n;
    let square = (second * second - fourth) / n
        + (2.0 * (2.0 * fourth - second * second) + 3.0 * second * second - 6.0 * fourth) / (n * (n - 1.0));
    let variance = square - mean * mean;
    (sum / second, if variance > 0.0 { (sum - mean) / variance.sqrt() } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every order of some values.
    fn orders(values: &[f64]) -> Vec<Vec<f64>> {
        if values.is_empty() {
            return vec![Vec::new()];
        }
        let first = |k: usize| {
            let mut rest = values.to_vec();
            let value = rest.remove(k);
            orders(&rest).into_iter().map(move |order| [vec![value], order].concat()).collect::<Vec<_>>()
        };
        (0..values.len()).flat_map(first).collect()
    }

    /// The 5040 orders of seven values: the standardised statistics have mean 0 and variance 1, with ties and without.
    #[test]
    fn the_moments_are_those_of_all_orders() {
        for values in [[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], [0.0, 0.0, 1.0, 5.0, 5.0, 5.0, 9.0]] {
            for statistic in [trend, resemblance] {
                let z: Vec<f64> = orders(&values).iter().map(|order| statistic(order).1).collect();
                let mean = z.iter().sum::<f64>() / 5040.0;
                let square = z.iter().map(|z| z * z).sum::<f64>() / 5040.0;
                assert!(mean.abs() < 1e-12 && (square - 1.0).abs() < 1e-12, "{values:?}: {mean}, {square}");
            }
        }
    }

    /// scipy.stats.spearmanr([1, 2, 3, 4, 5, 6], [2, 1, 4, 3, 3, 9])
    #[test]
    fn the_rank_correlation_is_that_of_scipy() {
        assert!((trend(&[2.0, 1.0, 4.0, 3.0, 3.0, 9.0]).0 - 0.753702346348183).abs() < 1e-12);
    }

    #[test]
    fn equal_errors_say_nothing() {
        assert!(conditions(&[0.5; 40]).is_empty());
        assert_eq!(conditions(&[1.0, 2.0, 3.0]).checks, 0);
    }
}
