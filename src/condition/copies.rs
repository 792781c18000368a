//! Rows that are copies of others, exactly or nearly.

use std::collections::HashMap;

use ndarray::{Array2, Axis};

use super::chance::expected_equal_pairs;
use super::finding::{Finding, Kind};
use super::near::join_near;
use crate::sample::Sample;

/// The share of copies from which on they are told: the coverage cannot move by more than it.
const SHARE: f64 = 0.01;
/// How many times more equal rows there must be than chance makes.
const BEYOND: f64 = 10.0;

/// The copies among the rows, if there are enough of them to matter.
pub(super) fn finding(sample: &Sample) -> Option<Finding> {
    let (rows, groups) = (sample.len(), forest(sample).numbered());
    let copies = rows - groups.iter().max().map_or(0, |last| last + 1);
    let share = copies as f64 / rows as f64;
    (copies > 0 && share >= SHARE).then(|| Finding {
        kind: Kind::Duplicates,
        p: None,
        count: Some((copies, rows)),
        columns: Vec::new(),
        size: share,
    })
}

impl Sample {
    /// For each row the number of its group: a row and its copies are one group, and groups are numbered as they appear.
    ///
    /// Copies agree in every feature and in the target, exactly or up to differences far below what the spacing of the rows
    /// explains. Rows of few different values that are equal by chance are no copies. Rows of one [`Sample::group`] are one too.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let rows: Vec<usize> = (0..40).chain([7, 3]).collect();
    /// assert_eq!(linear(40, 2, 0)?.rows(&rows)?.groups()[38..], [38, 39, 7, 3]);
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn groups(&self) -> Vec<usize> {
        let mut forest = forest(self);
        if let Some(group) = self.group() {
            let mut first: HashMap<usize, usize> = HashMap::new();
            for (row, &of) in group.of_rows().iter().enumerate() {
                forest.join(row, *first.entry(of).or_insert(row));
            }
        }
        forest.numbered()
    }
}

/// Rows and their copies.
fn forest(sample: &Sample) -> Forest {
    let mut forest = Forest::new(sample.len());
    let codes: Vec<Vec<usize>> = sample
        .x()
        .columns()
        .into_iter()
        .chain([sample.y().view()])
        .map(|column| code(column.iter().copied()))
        .collect();
    let equal = codes.iter().skip(1).fold(codes[0].clone(), |all, column| joined(&all, column));
    let mut first: HashMap<usize, usize> = HashMap::new();
    let firsts: Vec<usize> = (0..sample.len()).filter(|&row| *first.entry(equal[row]).or_insert(row) == row).collect();
    if firsts.len() < sample.len() {
        let found = equal_pairs(&equal);
        let expected = expected_equal_pairs(sample, &codes, found);
        // Ten times as many as expected, and so many more as hardly ever happen where few are.
        if found > BEYOND * expected + 5.0 * expected.sqrt() {
            (0..sample.len()).for_each(|row| forest.join(row, first[&equal[row]]));
        }
    }
    let mut rows = Array2::zeros((firsts.len(), sample.columns() + 1));
    rows.slice_mut(ndarray::s![.., ..sample.columns()]).assign(&sample.x().select(Axis(0), &firsts));
    rows.column_mut(sample.columns()).assign(&sample.y().select(Axis(0), &firsts));
    join_near(rows, |a, b| forest.join(firsts[a], firsts[b]));
    forest
}

/// A number for each value, in order of appearance.
fn code(values: impl Iterator<Item = f64>) -> Vec<usize> {
    let mut seen: HashMap<u64, usize> = HashMap::new();
    // Adding 0 makes one of −0 and 0.
    values
        .map(|value| {
            let next = seen.len();
            *seen.entry((value + 0.0).to_bits()).or_insert(next)
        })
        .collect()
}

/// A number for each pair of numbers.
pub(super) fn joined(a: &[usize], b: &[usize]) -> Vec<usize> {
    let mut seen: HashMap<(usize, usize), usize> = HashMap::new();
    a.iter()
        .zip(b)
        .map(|(&a, &b)| {
            let next = seen.len();
            *seen.entry((a, b)).or_insert(next)
        })
        .collect()
}

/// How many pairs of rows have the same number.
pub(super) fn equal_pairs(codes: &[usize]) -> f64 {
    let mut counts = vec![0_usize; codes.iter().max().map_or(0, |last| last + 1)];
    codes.iter().for_each(|&code| counts[code] += 1);
    counts.into_iter().map(|count| 0.5 * count as f64 * (count as f64 - 1.0)).sum()
}

/// Rows that belong together: each points to an earlier one, or to itself.
struct Forest {
    parent: Vec<usize>,
}

impl Forest {
    fn new(rows: usize) -> Self {
        Self { parent: (0..rows).collect() }
    }

    fn root(&mut self, mut row: usize) -> usize {
        while self.parent[row] != row {
            self.parent[row] = self.parent[self.parent[row]];
            row = self.parent[row];
        }
        row
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b)] = a.min(b);
    }

    /// The groups as they appear: the root of a group is its first row.
    fn numbered(mut self) -> Vec<usize> {
        let mut number: HashMap<usize, usize> = HashMap::new();
        (0..self.parent.len())
            .map(|row| {
                let (root, next) = (self.root(row), number.len());
                *number.entry(root).or_insert(next)
            })
            .collect()
    }
}
