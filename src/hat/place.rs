//! Where near is measured, and the rows that are nearest.

use std::collections::BTreeMap;

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, s};
use rayon::prelude::*;

use crate::factor::product_with_rows;
use crate::model::Features;

/// Points that one thread takes at a time, whatever the number of threads.
const BLOCK: usize = 64;
/// Rows whose distances to a block of points are held at a time.
const ROWS: usize = 4096;
/// A deviation below this share of the mean is rounding.
const CONSTANT: f64 = 1e-12;
/// What rounding can make of a distance by products, in units of the squares that it is the difference of.
const SLACK: f64 = 1e-14;

/// The places of the rows, in one or several measures.
///
/// A measure must not know the row that is left out. What a model gives ([`Features::place`]) is one measure for all rows; the
/// columns of x are divided by the power of two nearest to their deviation *without row i*, so that rows share few measures. The
/// first measure is that of all rows.
pub(super) struct Places {
    measures: Vec<Measure>,
    /// The measure that each row is left out with.
    pub(super) of_row: Vec<usize>,
    /// Whether the places are the columns of x.
    by_columns: bool,
}

struct Measure {
    /// What points are divided by.
    scale: Array1<f64>,
    shift: Array1<f64>,
    rows: Array2<f64>,
    norms: Array1<f64>,
}

impl Measure {
    fn new(places: &Array2<f64>, scale: Array1<f64>) -> Self {
        // Distances stay, and products lose fewer digits. A power of two of the deviation leaves numbers on a lattice on one, so
        // that what is equally near stays so.
        let shift = places.map_axis(Axis(0), |column| {
            let (mean, squares) = spread(column, None);
            let unit = 2f64.powi(power(mean, squares, column.len() as f64));
            (mean / unit).round() * unit
        });
        let rows = (places - &shift) / &scale;
        Self { scale, shift, norms: squares(rows.view()), rows }
    }
}

impl Places {
    pub(super) fn new(features: &dyn Features, x: &Array2<f64>) -> Self {
        match features.place(x.view()) {
            Some(places) => {
                let ones = Array1::ones(places.ncols());
                Self { measures: vec![Measure::new(&places, ones)], of_row: vec![0; x.nrows()], by_columns: false }
            }
            None => Self::by_columns(x),
        }
    }

    fn by_columns(x: &Array2<f64>) -> Self {
        let n = x.nrows() as f64;
        let columns: Vec<(f64, f64)> = x.columns().into_iter().map(|column| spread(column, None)).collect();
        let exponents = |i: usize| -> Vec<i32> {
            let exponent = |(j, &(mean, squares)): (usize, &(f64, f64))| {
                // The sum of squares around the mean of the others; where little is left of the difference, added up again.
                let others = squares - (x[[i, j]] - mean).powi(2) * n / (n - 1.0);
                let (mean, others) =
                    if others > 1e-3 * squares { (mean, others) } else { spread(x.column(j), Some(i)) };
                power(mean, others, n - 1.0)
            };
            columns.iter().enumerate().map(exponent).collect()
        };
        let all: Vec<i32> = columns.iter().map(|&(mean, squares)| power(mean, squares, n)).collect();
        let (mut known, mut of_row) = (BTreeMap::from([(all, 0)]), Vec::with_capacity(x.nrows()));
        for i in 0..x.nrows() {
            let next = known.len();
            of_row.push(*known.entry(exponents(i)).or_insert(next));
        }
        let mut measures: Vec<(usize, Vec<i32>)> = known.into_iter().map(|(exponents, k)| (k, exponents)).collect();
        measures.sort_unstable();
        let measure = |(_, exponents): (usize, Vec<i32>)| {
            Measure::new(x, exponents.into_iter().map(|exponent| 2f64.powi(exponent)).collect())
        };
        Self { measures: measures.into_iter().map(measure).collect(), of_row, by_columns: true }
    }

    /// How many measures there are.
    pub(super) fn len(&self) -> usize {
        self.measures.len()
    }

    /// The rows nearest to each point in one measure, nearest first; equally near ones by their number.
    pub(super) fn nearest(
        &self,
        measure: usize,
        features: &dyn Features,
        x: ArrayView2<f64>,
        count: usize,
    ) -> Vec<Vec<usize>> {
        if count == 0 {
            return vec![Vec::new(); x.nrows()];
        }
        let Measure { scale, shift, .. } = &self.measures[measure];
        let places = if self.by_columns { None } else { features.place(x) };
        let places = places.map_or_else(|| &x - shift, |places| places - shift) / scale;
        self.search(measure, places.view(), count, |_| None)
    }

    /// The rows nearest to each of some rows, themselves left out.
    pub(super) fn around(&self, measure: usize, rows: &[usize], count: usize) -> Vec<Vec<usize>> {
        let own = self.measures[measure].rows.select(Axis(0), rows);
        self.search(measure, own.view(), count, |k| Some(rows[k]))
    }

    fn search(
        &self,
        measure: usize,
        points: ArrayView2<f64>,
        count: usize,
        except: impl Fn(usize) -> Option<usize> + Sync,
    ) -> Vec<Vec<usize>> {
        let Measure { rows, norms, .. } = &self.measures[measure];
        let starts: Vec<usize> = (0..points.nrows()).step_by(BLOCK).collect();
        let block = |start: usize| {
            let points = points.slice(s![start..(start + BLOCK).min(points.nrows()), ..]);
            let mut products = vec![0.0; points.nrows() * ROWS.min(rows.nrows())];
            // The least that the farthest can be, and whatever may be nearer.
            let mut most: Vec<Vec<f64>> = vec![Vec::with_capacity(count + 1); points.nrows()];
            let mut near: Vec<Vec<(f64, usize)>> = vec![Vec::new(); points.nrows()];
            for first in (0..rows.nrows()).step_by(ROWS) {
                let part = rows.slice(s![first..(first + ROWS).min(rows.nrows()), ..]);
                product_with_rows(points.view(), part, &mut products[..points.nrows() * part.nrows()]);
                for (t, products) in products.chunks(part.nrows()).take(points.nrows()).enumerate() {
                    let (own, except) = (points.row(t).dot(&points.row(t)), except(start + t));
                    let (most, near) = (&mut most[t], &mut near[t]);
                    for (k, product) in products.iter().enumerate() {
                        let sum = own + norms[first + k];
                        let (distance, slack) = (sum - 2.0 * product, SLACK * sum);
                        let bound = if most.len() < count { f64::INFINITY } else { most[count - 1] };
                        if distance - slack <= bound && except != Some(first + k) {
                            near.push((distance - slack, first + k));
                            let at = most.partition_point(|&other| other <= distance + slack);
                            most.insert(at, distance + slack);
                            most.truncate(count);
                        }
                    }
                }
            }
            let exact = |(t, near): (usize, Vec<(f64, usize)>)| {
                let bound = most[t].last().copied().unwrap_or(0.0);
                let near = near.into_iter().filter(|&(least, _)| least <= bound);
                let distance =
                    |row: usize| -> f64 { points.row(t).iter().zip(rows.row(row)).map(|(a, b)| (a - b).powi(2)).sum() };
                let mut near: Vec<(f64, usize)> = near.map(|(_, row)| (distance(row), row)).collect();
                near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                near.into_iter().take(count).map(|(_, row)| row).collect()
            };
            near.into_iter().enumerate().map(exact).collect::<Vec<Vec<usize>>>()
        };
        starts.into_par_iter().flat_map_iter(block).collect()
    }
}

/// The mean of a column and its sum of squares around it, without one of its cells.
fn spread(column: ArrayView1<f64>, except: Option<usize>) -> (f64, f64) {
    let cells = || column.iter().enumerate().filter(|(i, _)| Some(*i) != except).map(|(_, cell)| cell);
    let mean = cells().sum::<f64>() / (column.len() - usize::from(except.is_some())).max(1) as f64;
    (mean, cells().map(|cell| (cell - mean).powi(2)).sum())
}

/// The power of two nearest to the deviation of a column; 0 for one without spread, which tells no row from another.
fn power(mean: f64, squares: f64, rows: f64) -> i32 {
    let deviation = (squares / rows).sqrt();
    if deviation > CONSTANT * mean.abs() { deviation.log2().round() as i32 } else { 0 }
}

fn squares(rows: ArrayView2<f64>) -> Array1<f64> {
    rows.map_axis(Axis(1), |row| row.dot(&row))
}
