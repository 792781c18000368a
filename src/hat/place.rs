//! Where near is measured, and the rows that are nearest.

use std::collections::BTreeMap;

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, CowArray, s};
use rayon::prelude::*;

use super::source::Source;
use crate::factor::product_with_rows;
use crate::model::Features;

/// Points that one thread takes at a time, whatever the number of threads.
const BLOCK: usize = 256;
/// Rows whose distances to a block of points are held at a time.
const ROWS: usize = 1024;
/// Distances that are looked at together: most are too far, all of them.
const GLANCE: usize = 64;
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
    /// The rows that have places, rising; `None` if all have.
    pool: Option<Vec<usize>>,
}

struct Measure {
    /// What points are divided by.
    scale: Array1<f64>,
    shift: Array1<f64>,
    rows: Array2<f64>,
    norms: Array1<f64>,
}

impl Measure {
    fn new(places: ArrayView2<f64>, scale: Array1<f64>) -> Self {
        // Distances stay, and products lose fewer digits. A power of two of the deviation leaves numbers on a lattice on one, so
        // that what is equally near stays so.
        let shift = places.map_axis(Axis(0), |column| {
            let (mean, squares) = spread(column, None);
            let unit = 2f64.powi(power(mean, squares, column.len() as f64));
            (mean / unit).round() * unit
        });
        let rows = (&places - &shift) / &scale;
        Self { scale, shift, norms: squares(rows.view()), rows }
    }
}

impl Places {
    /// Those of all rows, or of the pool that neighbours are looked for in.
    pub(super) fn new(source: Source, pool: Option<Vec<usize>>) -> Self {
        let Source { features, x } = source;
        let chosen = match &pool {
            Some(pool) => CowArray::from(x.select(Axis(0), pool)),
            None => CowArray::from(x),
        };
        match features.place(chosen.view()) {
            Some(places) => {
                let ones = Array1::ones(places.ncols());
                let measures = vec![Measure::new(places.view(), ones)];
                Self { measures, of_row: vec![0; x.nrows()], by_columns: false, pool }
            }
            None => {
                let (exponents, of_row) = exponents(x);
                let scale = |exponents: &Vec<i32>| exponents.iter().map(|&exponent| 2f64.powi(exponent)).collect();
                let measures = exponents.iter().map(|exponents| Measure::new(chosen.view(), scale(exponents)));
                Self { measures: measures.collect(), of_row, by_columns: true, pool }
            }
        }
    }

    /// How many measures there are.
    pub(super) fn len(&self) -> usize {
        self.measures.len()
    }

    /// The pool that neighbours are looked for in, unless it is all rows.
    pub(super) fn pool(&self) -> Option<&[usize]> {
        self.pool.as_deref()
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
        self.search(measure, self.placed(measure, features, x).view(), count, |_| None)
    }

    /// The rows nearest to each of some rows, themselves left out.
    pub(super) fn around(&self, measure: usize, source: Source, rows: &[usize], count: usize) -> Vec<Vec<usize>> {
        let own = match self.pool {
            None => self.measures[measure].rows.select(Axis(0), rows),
            Some(_) => self.placed(measure, source.features, source.x.select(Axis(0), rows).view()),
        };
        self.search(measure, own.view(), count, |k| Some(rows[k]))
    }

    /// Points where the measure has its rows.
    fn placed(&self, measure: usize, features: &dyn Features, x: ArrayView2<f64>) -> Array2<f64> {
        let Measure { scale, shift, .. } = &self.measures[measure];
        let places = if self.by_columns { None } else { features.place(x) };
        places.map_or_else(|| &x - shift, |places| places - shift) / scale
    }

    fn search(
        &self,
        measure: usize,
        points: ArrayView2<f64>,
        count: usize,
        except: impl Fn(usize) -> Option<usize> + Sync,
    ) -> Vec<Vec<usize>> {
        let Measure { rows, norms, .. } = &self.measures[measure];
        let norms = norms.as_slice().expect("standard layout");
        let number = |k: usize| self.pool.as_ref().map_or(k, |pool| pool[k]);
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
                    let norms = &norms[first..first + part.nrows()];
                    for (g, (products, norms)) in products.chunks(GLANCE).zip(norms.chunks(GLANCE)).enumerate() {
                        let bound = if most.len() < count { f64::INFINITY } else { most[count - 1] };
                        if (1.0 - 2.0 * SLACK) * own + least(products, norms) > bound {
                            continue;
                        }
                        for (k, (product, norm)) in products.iter().zip(norms).enumerate() {
                            let (row, sum) = (first + g * GLANCE + k, own + norm);
                            let (distance, slack) = (sum - 2.0 * product, SLACK * sum);
                            let bound = if most.len() < count { f64::INFINITY } else { most[count - 1] };
                            if distance - slack <= bound && except != Some(number(row)) {
                                near.push((distance - slack, row));
                                let at = most.partition_point(|&other| other <= distance + slack);
                                most.insert(at, distance + slack);
                                most.truncate(count);
                            }
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
                near.into_iter().take(count).map(|(_, row)| number(row)).collect()
            };
            near.into_iter().enumerate().map(exact).collect::<Vec<Vec<usize>>>()
        };
        starts.into_par_iter().flat_map_iter(block).collect()
    }
}

/// Less than any distance of some rows but for the point's own square, by more than rounding.
fn least(products: &[f64], norms: &[f64]) -> f64 {
    let mut lanes = [f64::INFINITY; 8];
    let value = |product: f64, norm: f64| (1.0 - 2.0 * SLACK) * norm - 2.0 * product;
    let (mut products, mut norms) = (products.chunks_exact(8), norms.chunks_exact(8));
    for (products, norms) in products.by_ref().zip(norms.by_ref()) {
        for (lane, (&product, &norm)) in lanes.iter_mut().zip(products.iter().zip(norms)) {
            let value = value(product, norm);
            *lane = if value < *lane { value } else { *lane };
        }
    }
    let rest = products.remainder().iter().zip(norms.remainder()).map(|(&product, &norm)| value(product, norm));
    lanes.into_iter().chain(rest).fold(f64::INFINITY, f64::min)
}

/// The powers of two that the columns are divided by: of all rows first, then the others that rows are left out with; and which
/// of them each row has.
fn exponents(x: &Array2<f64>) -> (Vec<Vec<i32>>, Vec<usize>) {
    let n = x.nrows() as f64;
    let mean = x.sum_axis(Axis(0)) / n;
    let (mut squares, mut farthest) = (Array1::<f64>::zeros(x.ncols()), Array1::<f64>::zeros(x.ncols()));
    for row in x.rows() {
        for (j, (&cell, &mean)) in row.iter().zip(&mean).enumerate() {
            let square = (cell - mean).powi(2);
            squares[j] += square;
            farthest[j] = square.max(farthest[j]);
        }
    }
    // The sum of squares around the mean of the others; where little is left of the difference, added up again.
    let without = |j: usize, square: f64| squares[j] - square * n / (n - 1.0);
    let exponent = |j: usize, i: usize| {
        let others = without(j, (x[[i, j]] - mean[j]).powi(2));
        let (mean, others) = match others > 1e-3 * squares[j] {
            true => (mean[j], others),
            false => spread(x.column(j), Some(i)),
        };
        power(mean, others, n - 1.0)
    };
    let all: Vec<i32> = (0..x.ncols()).map(|j| power(mean[j], squares[j], n)).collect();
    let usual: Vec<i32> = (0..x.ncols()).map(|j| power(mean[j], squares[j], n - 1.0)).collect();
    // Where the farthest row makes no difference to a column, none does.
    let is_same = |j: usize| {
        let others = without(j, farthest[j]);
        others > 1e-3 * squares[j] && power(mean[j], others, n - 1.0) == usual[j]
    };
    let differing: Vec<usize> = (0..x.ncols()).filter(|&j| !is_same(j)).collect();
    let mut known = BTreeMap::from([(all, 0)]);
    let of_row = (0..x.nrows())
        .map(|i| {
            let mut own = usual.clone();
            differing.iter().for_each(|&j| own[j] = exponent(j, i));
            let next = known.len();
            *known.entry(own).or_insert(next)
        })
        .collect();
    let mut measures: Vec<(usize, Vec<i32>)> = known.into_iter().map(|(exponents, k)| (k, exponents)).collect();
    measures.sort_unstable();
    (measures.into_iter().map(|(_, exponents)| exponents).collect(), of_row)
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
