//! Order statistics of what the rows say at a point, exactly, without visiting the rows that cannot matter.
//!
//! The k-th smallest of Uᵢ(x) = f₋ᵢ(x) + mᵢ·s₋ᵢ(x) is wanted. Cauchy–Schwarz bounds what has not been computed,
//!
//! ```text
//! |cᵢ(x)| ≤ √(g(x)hᵢ),    |hᵢⱼ| ≤ √(hᵢhⱼ)
//! ```
//!
//! and with them lowᵢ ≤ Uᵢ ≤ highᵢ. Let T₋ and T₊ be the k-th smallest of low and of high: order statistics are monotone, so
//! T₋ ≤ U₍ₖ₎ ≤ T₊. Rows with high < T₋ lie below U₍ₖ₎, rows with low > T₊ above it; C of the first kind are counted, the others
//! that are left are computed, and the answer is of rank k − C among these. It is done twice: with cᵢ(x) and hᵢⱼ unknown, then
//! with hᵢⱼ unknown.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, s};
use rayon::prelude::*;

use super::{Hat, Row};
use crate::error::Result;
use crate::quantile::order_statistic;

/// Points that one thread takes at a time, whatever the number of threads.
const BLOCK: usize = 32;
/// What bounds are widened by: far more than rounding, far less than matters.
const SLACK: f64 = 1e-10;

/// One order statistic at every point.
pub(crate) struct Asked<'a> {
    /// mᵢ for each row that has a say.
    pub(crate) multiples: &'a [f64],
    /// Whether mᵢ is in units of s₋ᵢ(x), or added as it is.
    pub(crate) scaled: bool,
    /// Counted from 1; 0 is −∞, and one more than the rows +∞.
    pub(crate) rank: usize,
}

/// A point as one group of rows sees it: those with the same κ₋ᵢ and the same measure.
struct View {
    /// f(x), g(x) at κ.
    prediction: f64,
    variance: f64,
    /// The rows nearest to x, one more than have a say.
    near: Vec<usize>,
    /// Means over the neighbours of e²/d, |e|√h/d, h/d, and the largest h/d.
    square: f64,
    cross: f64,
    own: f64,
    heaviest: f64,
}

/// Between what a row's Uᵢ(x) lies.
#[derive(Clone, Copy)]
struct Bounds {
    low: f64,
    high: f64,
}

impl View {
    /// Bounds of Uᵢ; `product` is cᵢ(x), if it is known.
    fn bounds(&self, row: &Row, multiple: f64, scaled: bool, product: Option<f64>) -> Bounds {
        // An error beyond every measure.
        if scaled && multiple.is_infinite() {
            return Bounds { low: multiple, high: multiple };
        }
        let root = self.variance.sqrt();
        let (centre, reach, grown) = match product {
            Some(product) => (self.prediction - product * row.residual, 0.0, product * product / row.free),
            None => (self.prediction, root * row.pull, self.variance * row.weight),
        };
        let known = product.map_or(0.0, |product| product * product / row.free);
        let (least, most) = match (scaled, multiple == 0.0) {
            (_, true) => (0.0, 0.0),
            (false, _) => (multiple, multiple),
            (true, _) => {
                let low = row.floor + (self.square - 2.0 * row.pull * self.cross).max(0.0);
                let left = 1.0 - row.weight * self.heaviest;
                let most = self.square + row.pull * (2.0 * self.cross + row.pull * self.own);
                let high = if left > 0.0 { row.floor + most / left } else { f64::INFINITY };
                let (low, high) =
                    (((1.0 + self.variance + known) * low).sqrt(), ((1.0 + self.variance + grown) * high).sqrt());
                if multiple > 0.0 { (multiple * low, multiple * high) } else { (multiple * high, multiple * low) }
            }
        };
        let slack = |part: f64| SLACK * (part.abs() + reach) + 1e-13 * centre.abs();
        Bounds { low: centre - reach + least - slack(least), high: centre + reach + most + slack(most) }
    }
}

impl Hat {
    /// The order statistics asked for at each point, points × asked; `rows` are those that have a say.
    pub(crate) fn order_statistics(&self, x: ArrayView2<f64>, rows: &[usize], asked: &[Asked]) -> Result<Array2<f64>> {
        let starts: Vec<usize> = (0..x.nrows()).step_by(BLOCK).collect();
        let block = |start: usize| self.block(x.slice(s![start..(start + BLOCK).min(x.nrows()), ..]), rows, asked);
        let blocks: Vec<Array2<f64>> = starts.into_par_iter().map(block).collect();
        let mut all = Array2::zeros((x.nrows(), asked.len()));
        for (k, block) in blocks.iter().enumerate() {
            all.slice_mut(s![k * BLOCK..k * BLOCK + block.nrows(), ..]).assign(block);
        }
        Ok(all)
    }

    fn block(&self, x: ArrayView2<f64>, rows: &[usize], asked: &[Asked]) -> Array2<f64> {
        let points = self.points(x);
        let features = self.features.as_ref();
        let near: Vec<Vec<Vec<usize>>> = (0..self.places.len())
            .map(|measure| self.places.nearest(measure, features, x, (self.neighbours() + 1).min(self.len())))
            .collect();
        let seen: Vec<(Array1<f64>, Array1<f64>)> = self
            .levels
            .iter()
            .map(|level| {
                let variances = self.spectrum.variances(&points, &level.inverse, level.kappa) + self.share;
                (level.predictions(&points.axes) + self.mean, variances)
            })
            .collect();
        let mut out = Array2::zeros((x.nrows(), asked.len()));
        for (t, mut out) in out.rows_mut().into_iter().enumerate() {
            // By level, then by measure.
            let views: Vec<View> = (0..self.levels.len() * near.len())
                .map(|k| {
                    let (level, measure) = (k / near.len(), k % near.len());
                    self.view(level, (seen[level].0[t], seen[level].1[t]), &near[measure][t])
                })
                .collect();
            for (out, asked) in out.iter_mut().zip(asked) {
                *out = self.order_statistic(points.axes.row(t), &views, near.len(), rows, asked);
            }
        }
        out
    }

    fn view(&self, level: usize, (prediction, variance): (f64, f64), near: &[usize]) -> View {
        let level = &self.levels[level];
        let (count, mut view) = (
            self.neighbours(),
            View { prediction, variance, near: near.to_vec(), square: 0.0, cross: 0.0, own: 0.0, heaviest: 0.0 },
        );
        for &j in &near[..count] {
            let free = level.free[j];
            let (error, own) = (level.errors[j].abs(), 1.0 - free);
            view.square += error * error / free / count as f64;
            view.cross += error * own.sqrt() / free / count as f64;
            view.own += own / free / count as f64;
            view.heaviest = view.heaviest.max(own / free);
        }
        view
    }

    fn order_statistic(
        &self,
        point: ArrayView1<f64>,
        views: &[View],
        measures: usize,
        rows: &[usize],
        asked: &Asked,
    ) -> f64 {
        let &Asked { multiples, scaled, rank } = asked;
        if rank == 0 || rank > rows.len() {
            return if rank == 0 { f64::NEG_INFINITY } else { f64::INFINITY };
        }
        let view = |i: usize| &views[self.rows[i].level * measures + self.places.of_row[i]];
        let bounds = |k: usize, product: Option<f64>| {
            let (i, view) = (rows[k], view(rows[k]));
            // A neighbour makes way for the next one, which the sums do not know.
            match scaled && view.near.contains(&i) {
                true => Bounds { low: f64::NEG_INFINITY, high: f64::INFINITY },
                false => view.bounds(&self.rows[i], multiples[k], scaled, product),
            }
        };
        let first: Vec<Bounds> = (0..rows.len()).map(|k| bounds(k, None)).collect();
        let (left, rank) = undecided(&first, rank);
        // cᵢ(x) of those that are left, level by level.
        let inverses: Vec<Array1<f64>> = self.levels.iter().map(|level| &level.inverse * &point).collect();
        let product = |k: &usize| {
            let i = rows[*k];
            self.spectrum.rows.row(i).dot(&inverses[self.rows[i].level]) + self.share
        };
        let products: Vec<f64> = left.iter().map(product).collect();
        if !scaled {
            let value = |(&k, product): (&usize, &f64)| {
                let row = &self.rows[rows[k]];
                view(rows[k]).prediction - product * row.residual + multiples[k]
            };
            return order_statistic(left.iter().zip(&products).map(value), rank);
        }
        let second: Vec<Bounds> = left.iter().zip(&products).map(|(&k, &product)| bounds(k, Some(product))).collect();
        let (last, rank) = undecided(&second, rank);
        let values = last.iter().map(|&at| {
            let (k, product) = (left[at], products[at]);
            let (i, view) = (rows[k], view(rows[k]));
            view_value(self, i, view, product, multiples[k])
        });
        order_statistic(values, rank)
    }
}

/// Uᵢ(x), in full.
fn view_value(hat: &Hat, i: usize, view: &View, product: f64, multiple: f64) -> f64 {
    if multiple.is_infinite() {
        return multiple;
    }
    let (row, count) = (&hat.rows[i], hat.neighbours());
    let scaled = &hat.spectrum.rows.row(i) * &hat.levels[row.level].weights;
    let others = view.near.iter().filter(|&&j| j != i).take(count);
    let products = others.map(|&j| (j, scaled.dot(&hat.spectrum.rows.index_axis(Axis(0), j)) + hat.share));
    let local = hat.local(row, products, count);
    let variance = view.variance + product * product / row.free;
    view.prediction - product * row.residual + multiple * ((1.0 + variance) * local).sqrt()
}

/// The rows that may hold the order statistic, and its rank among them.
fn undecided(bounds: &[Bounds], rank: usize) -> (Vec<usize>, usize) {
    let least = order_statistic(bounds.iter().map(|bounds| bounds.low), rank);
    let most = order_statistic(bounds.iter().map(|bounds| bounds.high), rank);
    let below = bounds.iter().filter(|bounds| bounds.high < least).count();
    let left = (0..bounds.len()).filter(|&k| bounds[k].high >= least && bounds[k].low <= most).collect();
    (left, rank - below)
}
