//! How many equal rows chance makes: next to none where a column is continuous, many where all have few values.

use super::copies::{equal_pairs, joined};
use crate::sample::Sample;

/// Columns that each further one is compared with: enough to see a column that follows from another, and quick.
const BEFORE: usize = 16;
/// How much likelier than the next value of a grid a value may be.
const PEAKED: f64 = 3.0;
/// From this share on, rows of equal features have equal targets because the features determine it.
const DETERMINED: f64 = 0.5;

/// A target with fewer values than this share of the different rows has few.
const COARSE: f64 = 0.5;

/// The pairs of equal rows to expect where no row is a copy; `found` pairs are equal.
///
/// ```text
/// pairs · P(equal in column 1) · Πⱼ maxᵢ P(equal in column j | equal in column i),     i before j, least likely first
/// ```
///
/// The pairs that are equal in all columns are taken out of each probability, for they may be copies; a column that lives on a
/// grid has at least the probability that its number of places gives. The target is left out where the features determine it and it
/// has few values: one of many values that agrees wherever the features do is a copy's.
pub(super) fn expected_equal_pairs(sample: &Sample, codes: &[Vec<usize>], found: f64) -> f64 {
    let rows = sample.len() as f64;
    let pairs = 0.5 * rows * (rows - 1.0);
    let (target, features) = codes.split_last().map_or((&[][..], codes), |(target, features)| (target, features));
    let equal_features = features.iter().skip(1).fold(features[0].clone(), |all, column| joined(&all, column));
    let number = |codes: &[usize]| codes.iter().max().map_or(0, |last| last + 1);
    let coarse = number(target) as f64 <= COARSE * number(&equal_features) as f64;
    let determined = coarse && found >= DETERMINED * equal_pairs(&equal_features);
    let mut columns: Vec<Column> = (0..features.len())
        .map(|j| Column::new(&features[j], sample.x().column(j).to_vec(), found, pairs))
        .chain((!determined).then(|| Column::new(target, sample.y().to_vec(), found, pairs)))
        .collect();
    columns.sort_by(|a, b| a.chance.total_cmp(&b.chance));
    let mut expected = pairs;
    for (j, column) in columns.iter().enumerate() {
        let before = columns[..j].iter().take(BEFORE).map(|given| column.given(given, found));
        expected *= before.fold(column.chance, f64::max);
    }
    expected
}

struct Column<'a> {
    codes: &'a [usize],
    /// Pairs that are equal in this column.
    equal: f64,
    /// P(equal) for two rows that are no copies.
    chance: f64,
}

impl<'a> Column<'a> {
    fn new(codes: &'a [usize], mut values: Vec<f64>, found: f64, pairs: f64) -> Self {
        let equal = equal_pairs(codes);
        values.sort_by(f64::total_cmp);
        let width = values[values.len() - 1] - values[0];
        let gaps = values.windows(2).map(|pair| pair[1] - pair[0]).filter(|gap| *gap > 0.0);
        let places = width / gaps.fold(f64::INFINITY, f64::min) + 1.0;
        let grid = if places.is_finite() { PEAKED / places } else { 0.0 };
        Self { codes, equal, chance: ((equal - found) / pairs).max(grid.min(equal / pairs)) }
    }

    /// P(equal | equal in another column) for two rows that are no copies.
    fn given(&self, other: &Self, found: f64) -> f64 {
        if other.equal <= found {
            return 0.0;
        }
        (equal_pairs(&joined(self.codes, other.codes)) - found) / (other.equal - found)
    }
}
