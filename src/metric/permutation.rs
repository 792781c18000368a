//! What chance would do: labels dealt to the rows anew.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::ranking::Ranking;

/// How many times the labels are dealt: the smallest p-value is 1/2000.
const DEALS: usize = 1999;

/// The share of random deals of the positives whose average precision reaches a given one, this one counted among them.
///
/// With the average precision seen it is the p-value of the permutation test, exact in level: under the hypothesis that
/// any row is as likely to be a positive, whatever its score, at most a share p of all tables has a p-value below p.
pub(super) fn share_of_deals(ranking: &Ranking, reached: f64, seed: u64) -> f64 {
    let positives = ranking.totals().0;
    // Where each tie ends, counted in rows: all that a deal needs to know of the scores.
    let ends: Vec<usize> = ranking
        .ties
        .iter()
        .scan(0, |seen, tie| {
            *seen += tie.positives + tie.negatives;
            Some(*seen)
        })
        .collect();
    let mut places: Vec<usize> = ranking.rows.iter().map(|&(tie, _)| ends[tie]).collect();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut drawn = vec![0; positives];
    let mut as_good = 1;
    for _ in 0..DEALS {
        for k in 0..positives {
            places.swap(k, rng.gen_range(k..ranking.rows.len()));
        }
        drawn.copy_from_slice(&places[..positives]);
        drawn.sort_unstable();
        // Rounding must not turn a deal that is as good into a worse one.
        as_good += usize::from(average_precision(&drawn) >= reached - 1e-12);
    }
    as_good as f64 / (DEALS + 1) as f64
}

/// The average precision of positives at these places, rising; ties share the place where they end.
fn average_precision(places: &[usize]) -> f64 {
    let (mut hits, mut sum) = (0, 0.0);
    for tied in places.chunk_by(|a, b| a == b) {
        hits += tied.len();
        sum += tied.len() as f64 * hits as f64 / tied[0] as f64;
    }
    sum / places.len() as f64
}

/// Holm's adjustment (1979) of several p-values, in their order: small ones stay small although many were tried.
///
/// ```text
/// p₍ₖ₎ → max_{j ≤ k} min(1, (m − j + 1) p₍ⱼ₎)        of m p-values, rising
/// ```
pub(crate) fn holm(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut adjusted = vec![1.0; values.len()];
    let mut before = 0.0_f64;
    for (k, &at) in order.iter().enumerate() {
        before = before.max((values[at] * (values.len() - k) as f64).min(1.0));
        adjusted[at] = before;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array1, array};

    #[test]
    fn a_deal_has_the_average_precision_of_its_ranking() {
        let positive = [true, false, true, true, false, false];
        let score = array![3.0, 3.0, 2.0, 1.0, 1.0, 0.5];
        let known = super::super::average_precision(&positive, &score).unwrap();
        assert!((average_precision(&[2, 3, 5]) - known).abs() < 1e-15);
    }

    #[test]
    fn the_p_value_is_the_share_of_all_deals() {
        // Two positives among six, first and second: one deal in fifteen is as good.
        let score = Array1::from_iter((0..6).rev().map(f64::from));
        let ranking = Ranking::new(&[true, true, false, false, false, false], &score).unwrap();
        let p = share_of_deals(&ranking, 1.0, 0);
        assert!((p - 1.0 / 15.0).abs() < 0.02, "{p}");
        assert_eq!(share_of_deals(&ranking, 0.0, 0), 1.0);
    }

    #[test]
    fn holm_is_that_of_r() {
        // p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")
        assert_eq!(holm(&[0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02]);
    }
}
