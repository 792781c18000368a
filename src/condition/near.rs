//! Rows nearer to each other than their spacing explains.

use ndarray::{Array1, Array2, ArrayView1, Axis};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

/// The largest distance that is looked at, in standardised units. Copies are sought up to a tenth of it.
const REACH: f64 = 1e-2;
/// Distances are told apart by half powers of ten, so many of them.
const BINS: usize = 26;
/// The share of pairs within a distance that may be there by chance for it to be one of copies.
const BY_CHANCE: f64 = 0.05;
/// A larger share of all pairs within a distance is where most rows lie, not copies.
const CROWD: f64 = 0.05;
/// Comparisons of two rows that are worth their time: about a second.
const COMPARISONS: usize = 200_000_000;
/// The direction in which rows are sorted; any will do.
const SEED: u64 = 0;

/// Calls `join` with the pairs of rows that are copies but for a jitter; no two rows are equal.
///
/// ```text
/// N(t): pairs whose largest difference in any column is at most t, in units of the columns' spread
/// copies: pairs within the largest t with   ( N(10t) − N(t) + 1 )/9  ≤  N(t)/20
/// ```
///
/// Where rows are spread over a line, a plane or more, N grows tenfold at least from t to 10t: the left-hand side is what chance
/// would put within t, whatever the distribution. Copies are many within t and leave the pairs beyond it as they are.
pub(super) fn join_near(mut rows: Array2<f64>, mut join: impl FnMut(usize, usize)) {
    rows.columns_mut().into_iter().for_each(|mut column| {
        let unit = spread(column.view());
        column /= unit;
    });
    let swept = Swept::new(rows);
    let within = swept.counts();
    let pairs = 0.5 * swept.rows.nrows() as f64 * (swept.rows.nrows() as f64 - 1.0);
    let is_of_copies = |bin: usize| {
        let (near, far) = (within[bin] as f64, within[bin - 2] as f64);
        (far - near + 1.0) / 9.0 <= BY_CHANCE * near && near <= CROWD * pairs
    };
    if let Some(bin) = (swept.skipped + 2..BINS).find(|&bin| is_of_copies(bin)) {
        swept.each_pair(edge(bin), |a, b, _| join(swept.order[a], swept.order[b]));
    }
}

/// The distance at which a bin begins: REACH, then each √10 times smaller.
fn edge(bin: usize) -> f64 {
    REACH * 10_f64.powf(-0.5 * bin as f64)
}

/// The spread of a column: that of a normal one between its 10 % and 90 % quantiles, which no outlier stretches; its deviation
/// where these are equal, and 1 where all values are.
fn spread(column: ArrayView1<f64>) -> f64 {
    let mut sorted = column.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = |share: f64| sorted[(share * (sorted.len() - 1) as f64).round() as usize];
    let spread = (at(0.9) - at(0.1)) / 2.563;
    if spread > 0.0 {
        return spread;
    }
    let deviation = column.std(0.0);
    if deviation > 0.0 { deviation } else { 1.0 }
}

/// Rows sorted along a direction in which no two are farther apart than in their largest difference.
struct Swept {
    rows: Array2<f64>,
    place: Vec<f64>,
    /// Where each row was before.
    order: Vec<usize>,
    /// Bins that are not looked at, because too many rows lie so near.
    skipped: usize,
}

impl Swept {
    fn new(rows: Array2<f64>) -> Self {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(SEED);
        let direction = Array1::from_shape_simple_fn(rows.ncols(), || rng.gen_range(-1.0..1.0_f64));
        let place = rows.dot(&(&direction / direction.mapv(f64::abs).sum()));
        let mut order: Vec<usize> = (0..rows.nrows()).collect();
        order.sort_by(|&a, &b| place[a].total_cmp(&place[b]));
        let place: Vec<f64> = order.iter().map(|&row| place[row]).collect();
        let quick = |bin: &usize| comparisons(&place, edge(*bin)) <= COMPARISONS;
        let skipped = (0..BINS).find(quick).unwrap_or(BINS);
        Self { rows: rows.select(Axis(0), &order), place, order, skipped }
    }

    /// N at each edge that is looked at.
    fn counts(&self) -> Vec<usize> {
        let none = || vec![0_usize; BINS];
        let added = |mut a: Vec<usize>, b: Vec<usize>| {
            a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
            a
        };
        let of_row = |mut bins: Vec<usize>, a: usize| {
            self.of_row(a, edge(self.skipped), |_, distance| {
                let bin = 2.0 * (REACH / distance).log10();
                bins[(bin.max(0.0) as usize).min(BINS - 1)] += 1;
            });
            bins
        };
        let mut within = (0..self.place.len()).into_par_iter().fold(none, of_row).reduce(none, added);
        (0..BINS - 1).rev().for_each(|bin| within[bin] += within[bin + 1]);
        within
    }

    /// Every pair within a distance.
    fn each_pair(&self, distance: f64, mut pair: impl FnMut(usize, usize, f64)) {
        (0..self.place.len()).for_each(|a| self.of_row(a, distance, |b, distance| pair(a, b, distance)));
    }

    /// The later rows within a distance of row `a`.
    fn of_row(&self, a: usize, reach: f64, mut found: impl FnMut(usize, f64)) {
        let row = self.rows.row(a);
        let row = row.as_slice().unwrap_or_default();
        // Rounding may put two places a little farther apart than their rows.
        let end = self.place[a] + reach * (1.0 + 1e-9) + 1e-14 * self.place[a].abs();
        for b in a + 1..self.place.len() {
            if self.place[b] > end {
                break;
            }
            let other = self.rows.row(b);
            let mut largest = 0.0_f64;
            for (x, y) in row.iter().zip(other.as_slice().unwrap_or_default()) {
                largest = largest.max((x - y).abs());
                if largest > reach {
                    break;
                }
            }
            if largest <= reach {
                found(b, largest);
            }
        }
    }
}

/// How many pairs of sorted places lie within a reach of each other.
fn comparisons(place: &[f64], reach: f64) -> usize {
    let mut end = 0;
    (0..place.len())
        .map(|a| {
            while end < place.len() && place[end] <= place[a] + reach {
                end += 1;
            }
            end - a
        })
        .sum()
}
