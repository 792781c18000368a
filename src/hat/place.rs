//! Where near is measured, and the rows that are nearest.

use std::collections::BTreeMap;

use ndarray::{Array1, Array2, ArrayView2, Axis, s};
use rayon::prelude::*;

use crate::factor::product_with_rows;
use crate::model::Features;

/// Points that one thread takes at a time, whatever the number of threads.
const BLOCK: usize = 64;
/// Rows whose distances to a block of points are held at a time.
const ROWS: usize = 4096;

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
        // Distances stay, and their squares lose fewer digits.
        let shift = places.mean_axis(Axis(0)).unwrap_or_default();
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
        let mean = x.mean_axis(Axis(0)).expect("there are rows");
        let spread = (x - &mean).map_axis(Axis(0), |column| column.dot(&column));
        let power = |squares: f64, spread: f64, rows: f64| match squares > 1e-24 * spread && squares > 0.0 {
            true => (0.5 * (squares / rows).log2()).round() as i32,
            // A column without spread tells no row from another.
            false => 0,
        };
        let exponents = |row: ndarray::ArrayView1<f64>| -> Vec<i32> {
            let columns = row.iter().zip(&mean).zip(&spread);
            // The sum of squares around the mean of the others.
            let others = |cell: f64, mean: f64, spread: f64| spread - (cell - mean).powi(2) * n / (n - 1.0);
            columns.map(|((&x, &mean), &spread)| power(others(x, mean, spread), spread, n - 1.0)).collect()
        };
        let all: Vec<i32> = spread.iter().map(|&spread| power(spread, spread, n)).collect();
        let (mut known, mut of_row) = (BTreeMap::from([(all, 0)]), Vec::with_capacity(x.nrows()));
        for row in x.rows() {
            let next = known.len();
            of_row.push(*known.entry(exponents(row)).or_insert(next));
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
            let mut nearest: Vec<Vec<(f64, usize)>> = vec![Vec::with_capacity(count + 1); points.nrows()];
            for first in (0..rows.nrows()).step_by(ROWS) {
                let part = rows.slice(s![first..(first + ROWS).min(rows.nrows()), ..]);
                product_with_rows(points.view(), part, &mut products[..points.nrows() * part.nrows()]);
                let products = products.chunks(part.nrows());
                for (t, (products, nearest)) in products.zip(&mut nearest).enumerate() {
                    let (own, except) = (points.row(t).dot(&points.row(t)), except(start + t));
                    for (k, product) in products.iter().enumerate() {
                        let distance = own + norms[first + k] - 2.0 * product;
                        let is_near = nearest.len() < count || distance < nearest[nearest.len() - 1].0;
                        if is_near && except != Some(first + k) {
                            // After its equals, which have lower numbers.
                            let at = nearest.partition_point(|&(other, _)| other <= distance);
                            nearest.insert(at, (distance, first + k));
                            nearest.truncate(count);
                        }
                    }
                }
            }
            nearest.into_iter().map(|rows| rows.into_iter().map(|(_, row)| row).collect()).collect::<Vec<Vec<usize>>>()
        };
        starts.into_par_iter().flat_map_iter(block).collect()
    }
}

fn squares(rows: ArrayView2<f64>) -> Array1<f64> {
    rows.map_axis(Axis(1), |row| row.dot(&row))
}
