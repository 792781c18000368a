//! A feature that gives the target away.

use ndarray::{Array2, ArrayView1};
use ndarray_stats::CorrelationExt;

use super::finding::{Finding, Kind};
use super::rank::ranks;
use crate::sample::Sample;

/// 1 − r² below which a feature is said to determine the target: an error of a thousandth of the target's deviation, which is
/// finer than targets are measured.
const LEFT_OPEN: f64 = 1e-6;
/// Fewer rows may stand in the same order by chance: ten do so once in two million tables.
const LEAST: usize = 10;

/// The features that determine the target up to [`LEFT_OPEN`], as a line or in any rising or falling way.
pub(super) fn finding(sample: &Sample) -> Option<Finding> {
    if sample.len() < LEAST {
        return None;
    }
    let (y, order) = (sample.y().to_vec(), ranks(&sample.y().to_vec()));
    let mut found: Vec<(f64, usize)> = Vec::new();
    for (j, column) in sample.x().columns().into_iter().enumerate() {
        let column = column.to_vec();
        let open = left_open(&column, &y).min(left_open(&ranks(&column), &order));
        if open < LEFT_OPEN {
            found.push((open, j));
        }
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    let &(size, _) = found.first()?;
    let columns = found.iter().map(|&(_, j)| sample.features()[j].clone()).collect();
    Some(Finding { kind: Kind::Leak, p: None, count: None, columns, size })
}

/// 1 − r² of two columns, by Pearson; 1 where one has no spread.
fn left_open(a: &[f64], b: &[f64]) -> f64 {
    let mut both = Array2::zeros((2, a.len()));
    for (mut row, column) in both.rows_mut().into_iter().zip([a, b]) {
        // In units that do not overflow when four of them are multiplied.
        let largest = column.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        row.assign(&ArrayView1::from(column));
        row /= if largest > 0.0 { largest } else { 1.0 };
    }
    let r = both.pearson_correlation().map_or(f64::NAN, |r| r[[0, 1]]);
    if r.is_finite() { (1.0 - r * r).max(0.0) } else { 1.0 }
}
