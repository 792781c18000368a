//! Rows that are alike, bounded together: most are decided without being looked at one by one.

use super::{Asked, Bounds, Spread};
use crate::hat::Hat;

/// Strata of rows by how far they can move a prediction: one row that moves it far must not speak for many.
const STRATA: usize = 8;
/// Chunks that there are about.
const CHUNKS: usize = 1024;

/// The rows of one order statistic, cut into chunks.
pub(super) struct Chunks {
    /// Places among the rows that have a say, chunk by chunk.
    order: Vec<usize>,
    pub(super) chunks: Vec<Chunk>,
    /// The chunk of each place.
    pub(super) of: Vec<usize>,
}

/// Rows of one level and one measure.
pub(super) struct Chunk {
    /// Level × measures + measure.
    pub(super) class: usize,
    start: usize,
    end: usize,
    /// The least and the largest mᵢ.
    multiples: (f64, f64),
    pub(super) spread: Spread,
}

impl Chunk {
    pub(super) fn len(&self) -> usize {
        self.end - self.start
    }

    /// Bounds of m·s for every row.
    pub(super) fn bounds(&self, range: &super::Range) -> Bounds {
        let low = range.bounds(self.multiples.0);
        let high = range.bounds(self.multiples.1);
        Bounds { low: low.low, high: high.high }
    }
}

impl Chunks {
    pub(super) fn new(hat: &Hat, rows: &[usize], asked: &Asked) -> Self {
        let measures = hat.places.len();
        let class = |k: usize| hat.rows[rows[k]].level * measures + hat.places.of_row[rows[k]];
        let pull = |k: usize| hat.rows[rows[k]].pull;
        let mut by_pull: Vec<usize> = (0..rows.len()).collect();
        by_pull.sort_by(|&a, &b| pull(a).total_cmp(&pull(b)));
        let mut stratum = vec![0; rows.len()];
        for (place, &k) in by_pull.iter().enumerate() {
            // Half of the rows in the first, a quarter in the second, and so on: those that pull most are few.
            let rest = (rows.len() - place) as f64 / rows.len() as f64;
            stratum[k] = ((-rest.log2()).floor() as usize).min(STRATA - 1);
        }
        let mut order = by_pull;
        order.sort_by(|&a, &b| {
            let key = |k: usize| (class(k), stratum[k]);
            key(a).cmp(&key(b)).then(asked.multiples[a].total_cmp(&asked.multiples[b])).then(a.cmp(&b))
        });
        let size = (rows.len() / CHUNKS).clamp(8, 1024);
        let (mut chunks, mut of, mut start): (Vec<Chunk>, Vec<usize>, usize) = (Vec::new(), vec![0; rows.len()], 0);
        while start < order.len() {
            let first = (class(order[start]), stratum[order[start]]);
            let alike = order[start..].iter().take(size).take_while(|&&k| (class(k), stratum[k]) == first).count();
            let end = start + alike;
            let mut spread = Spread { pull: 0.0, weight: 0.0, floors: (f64::INFINITY, 0.0) };
            for &k in &order[start..end] {
                let row = &hat.rows[rows[k]];
                spread.pull = spread.pull.max(row.pull);
                spread.weight = spread.weight.max(row.weight);
                spread.floors = (spread.floors.0.min(row.floor), spread.floors.1.max(row.floor));
                of[k] = chunks.len();
            }
            let multiples = (asked.multiples[order[start]], asked.multiples[order[end - 1]]);
            chunks.push(Chunk { class: first.0, start, end, multiples, spread });
            start = end;
        }
        Self { order, chunks, of }
    }

    /// The places of a chunk.
    pub(super) fn places(&self, chunk: usize) -> &[usize] {
        &self.order[self.chunks[chunk].start..self.chunks[chunk].end]
    }
}

/// Fewer values than this are sorted.
const FEW: usize = 12;

/// The number of rank `rank` among values that each stand for so many; halves what is left until it is few.
pub(super) fn weighted_order_statistic(mut values: Vec<(f64, usize)>, mut rank: usize) -> f64 {
    let mut left = &mut values[..];
    while left.len() > FEW {
        let (below, &mut (value, count), above) =
            left.select_nth_unstable_by(left.len() / 2, |a, b| a.0.total_cmp(&b.0));
        let before: usize = below.iter().map(|(_, count)| count).sum();
        if rank <= before {
            left = below;
        } else if rank <= before + count {
            return value;
        } else {
            rank -= before + count;
            left = above;
        }
    }
    left.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let mut seen = 0;
    for &mut (value, count) in left {
        seen += count;
        if seen >= rank {
            return value;
        }
    }
    f64::INFINITY
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weighted_order_statistics_are_those_of_the_values_written_out() {
        let mut state = 1u64;
        let mut draw = |below: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % below
        };
        for length in [1, 2, 11, 12, 13, 40, 200] {
            for ties in [2, 1000] {
                let values: Vec<(f64, usize)> = (0..length)
                    .map(|_| (draw(ties) as f64 - 3.0, draw(5) as usize))
                    .chain([(f64::INFINITY, 1)])
                    .collect();
                let mut all: Vec<f64> = values.iter().flat_map(|&(value, count)| vec![value; count]).collect();
                all.sort_by(f64::total_cmp);
                for rank in 1..=all.len() {
                    assert_eq!(weighted_order_statistic(values.clone(), rank), all[rank - 1]);
                }
            }
        }
    }
}
