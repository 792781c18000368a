//! New rows beside the training rows: column by column, all columns together, and at the ends.

use ndarray::{Array2, ArrayView1};

use super::finding::{Finding, Kind};
use super::range::{Outside, outside};
use super::{Conditions, LEVEL, joint, kolmogorov};
use crate::metric::holm;
use crate::sample::Sample;

/// What one column says: its distance and chance by Kolmogorov and Smirnov, and how it lies outside; nothing if it is the same
/// in every training row and in every new one.
struct Column {
    distance: f64,
    p: f64,
    outside: Option<Outside>,
}

/// The checks of new rows; there is at least one.
pub(super) fn conditions(train: &Sample, x: &Array2<f64>) -> Conditions {
    let columns: Vec<Column> = train.x().columns().into_iter().zip(x.columns()).map(|(a, b)| column(a, b)).collect();
    let joint = joint::tests(train.x(), x);
    let mut p: Vec<f64> = columns.iter().map(|column| column.p).collect();
    p.extend(columns.iter().map(|column| column.outside.as_ref().map_or(1.0, |outside| outside.p)));
    p.extend(joint.iter().flatten().map(|(_, p)| p));
    let adjusted = holm(&p);
    let (single, rest) = adjusted.split_at(columns.len());
    let (range, together) = rest.split_at(columns.len());
    let findings = shift(train, &columns, single)
        .or_else(|| joint.and_then(|tests| correlation(&tests, together)))
        .into_iter()
        .chain(extrapolation(train, x, &columns, range))
        .collect();
    Conditions { findings, checks: 2 + usize::from(joint.is_some()) }
}

fn column(train: ArrayView1<f64>, new: ArrayView1<f64>) -> Column {
    let sorted = |values: ArrayView1<f64>| {
        // Not −0 apart from 0.
        let mut values: Vec<f64> = values.iter().map(|value| value + 0.0).collect();
        values.sort_by(f64::total_cmp);
        values
    };
    let (train, new) = (sorted(train), sorted(new));
    let (distance, p) = kolmogorov::test(&train, &new);
    Column { distance, p, outside: (train[0] < train[train.len() - 1]).then(|| outside(&train, &new)) }
}

/// The columns whose chance is at most [`LEVEL`], the least likely first.
fn worst(p: &[f64], size: impl Fn(usize) -> f64) -> Vec<usize> {
    let mut found: Vec<usize> = (0..p.len()).filter(|&j| p[j] <= LEVEL).collect();
    found.sort_by(|&a, &b| p[a].total_cmp(&p[b]).then(size(b).total_cmp(&size(a))));
    found
}

fn shift(train: &Sample, columns: &[Column], p: &[f64]) -> Option<Finding> {
    let found = worst(p, |j| columns[j].distance);
    let first = *found.first()?;
    Some(Finding {
        kind: Kind::Shift,
        p: Some(p[first]),
        count: None,
        columns: found.iter().map(|&j| train.features()[j].clone()).collect(),
        size: found.iter().map(|&j| columns[j].distance).fold(0.0, f64::max),
    })
}

fn correlation(tests: &[(f64, f64); 2], p: &[f64]) -> Option<Finding> {
    let better = usize::from(p[1] < p[0]);
    (p[better] <= LEVEL).then(|| Finding {
        kind: Kind::Shift,
        p: Some(p[better]),
        count: None,
        columns: Vec::new(),
        size: tests[better].0,
    })
}

fn extrapolation(train: &Sample, x: &Array2<f64>, columns: &[Column], p: &[f64]) -> Option<Finding> {
    let excess = |j: usize| columns[j].outside.as_ref().map_or(0.0, |outside| outside.excess);
    let found = worst(p, excess);
    let first = *found.first()?;
    let is_outside = |j: usize, value: f64| {
        columns[j].outside.as_ref().is_some_and(|Outside { range: (low, high), .. }| value < *low || value > *high)
    };
    let rows = x.rows().into_iter().filter(|row| found.iter().any(|&j| is_outside(j, row[j]))).count();
    Some(Finding {
        kind: Kind::Range,
        p: Some(p[first]),
        count: Some((rows, x.nrows())),
        columns: found.iter().map(|&j| train.features()[j].clone()).collect(),
        size: found.iter().map(|&j| excess(j)).fold(0.0, f64::max),
    })
}
