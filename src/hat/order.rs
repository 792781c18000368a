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
//! that are left are computed, and the answer is of rank k − C among these.
//!
//! It is done twice. First cᵢ(x) and all hᵢⱼ are unknown. Then two products for each row that is left give cᵢ(x) and, with
//! vₗ = mean over the neighbours j of eⱼJⱼ/dⱼ, the sum Lᵢ = mean eⱼhᵢⱼ/dⱼ, so that
//!
//! ```text
//! mean (eⱼ + hᵢⱼrᵢ)²/dⱼ = mean eⱼ²/dⱼ + 2rᵢLᵢ + rᵢ²·mean hᵢⱼ²/dⱼ        is known but for its small last term.
//! ```

use ndarray::{Array1, Array2, ArrayView2, Axis, s};
use rayon::prelude::*;

use super::{Hat, Row};
use crate::error::Result;
use crate::factor::product_with_rows;
use crate::quantile::order_statistic;

/// Points that one thread takes at a time, whatever the number of threads.
const BLOCK: usize = 32;
/// Rows that are copied together for a product.
const GATHERED: usize = 256;
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

/// What two products tell of a row: cᵢ(x) and Lᵢ.
#[derive(Clone, Copy)]
struct Known {
    product: f64,
    cross: f64,
}

/// Between what f₋ᵢ(x) and s₋ᵢ(x) lie.
#[derive(Clone, Copy)]
struct Range {
    centre: f64,
    reach: f64,
    scales: (f64, f64),
}

/// Between what a row's Uᵢ(x) lies.
#[derive(Clone, Copy)]
struct Bounds {
    low: f64,
    high: f64,
}

impl View {
    /// Between what f₋ᵢ and s₋ᵢ lie; `scaled` if s₋ᵢ is asked for.
    fn range(&self, row: &Row, scaled: bool, known: Option<Known>) -> Range {
        let (centre, reach, grown) = match known {
            Some(known) => {
                let grown = known.product * known.product / row.free;
                (self.prediction - known.product * row.residual, 0.0, (grown, grown))
            }
            None => (self.prediction, self.variance.sqrt() * row.pull, (0.0, self.variance * row.weight)),
        };
        if !scaled {
            return Range { centre, reach, scales: (1.0, 1.0) };
        }
        let last = row.pull * row.pull * self.own;
        let (least, most) = match known {
            Some(known) => {
                let sum = self.square + 2.0 * row.residual * known.cross;
                (sum, sum.max(0.0) + last)
            }
            None => {
                let cross = 2.0 * row.pull * self.cross;
                (self.square - cross, self.square + cross + last)
            }
        };
        let left = 1.0 - row.weight * self.heaviest;
        let low = row.floor + least.max(0.0);
        let high = if left > 0.0 { row.floor + most / left } else { f64::INFINITY };
        let scale = |grown: f64, local: f64| ((1.0 + self.variance + grown) * local).sqrt();
        Range { centre, reach, scales: (scale(grown.0, low), scale(grown.1, high)) }
    }
}

impl Range {
    /// Nothing is known.
    const ANY: Self = Self { centre: 0.0, reach: f64::INFINITY, scales: (0.0, f64::INFINITY) };

    /// Bounds of f₋ᵢ + m·s₋ᵢ.
    fn bounds(&self, multiple: f64) -> Bounds {
        let (least, most) = match multiple {
            0.0 => (0.0, 0.0),
            m if m > 0.0 => (m * self.scales.0, m * self.scales.1),
            m => (m * self.scales.1, m * self.scales.0),
        };
        let slack = |part: f64| SLACK * (part.abs() + self.reach) + 1e-13 * self.centre.abs();
        Bounds {
            low: self.centre - self.reach + least - slack(least),
            high: self.centre + self.reach + most + slack(most),
        }
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
        let measures = self.places.len();
        let near: Vec<Vec<Vec<usize>>> = (0..measures)
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
        // Of each point by level, then by measure.
        let views: Vec<Vec<View>> = (0..x.nrows())
            .map(|t| {
                let view = |k: usize| {
                    let level = k / measures;
                    self.view(level, (seen[level].0[t], seen[level].1[t]), &near[k % measures][t])
                };
                (0..self.levels.len() * measures).map(view).collect()
            })
            .collect();
        let undecided: Vec<Vec<Left>> = views.iter().map(|views| self.first(views, rows, asked)).collect();
        // One product of the rows that any point asks for with what every point needs of them.
        let mut wanted = vec![false; self.len()];
        undecided.iter().flatten().flat_map(|left| &left.rows).for_each(|&k| wanted[rows[k]] = true);
        let wanted: Vec<usize> = (0..self.len()).filter(|&i| wanted[i]).collect();
        let products = self.products(&points.axes, &views, &wanted);
        let mut at = vec![usize::MAX; self.len()];
        wanted.iter().enumerate().for_each(|(k, &i)| at[i] = k);
        let mut out = Array2::zeros((x.nrows(), asked.len()));
        let width = self.levels.len() * (measures + 1);
        for (t, (views, undecided)) in views.iter().zip(undecided).enumerate() {
            let known = |i: usize| {
                let (level, measure) = (self.rows[i].level, self.places.of_row[i]);
                let first = t * width + level * (measures + 1);
                let (product, cross) = (products[[at[i], first]], products[[at[i], first + 1 + measure]]);
                Known { product: product + self.share, cross: cross + self.share * views[level * measures + measure].mean(self, level) }
            };
            for (k, left) in undecided.into_iter().enumerate() {
                out[[t, k]] = self.order_statistic(views, rows, &asked[k], left, known);
            }
        }
        out
    }

    fn view(&self, level: usize, (prediction, variance): (f64, f64), near: &[usize]) -> View {
        let level = &self.levels[level];
        let count = self.neighbours();
        let near = near.to_vec();
        let mut view = View { prediction, variance, near, square: 0.0, cross: 0.0, own: 0.0, heaviest: 0.0 };
        for &j in &view.near[..count] {
            let free = level.free[j].max(f64::MIN_POSITIVE);
            let (error, own) = (level.errors[j].abs(), (1.0 - level.free[j]).max(0.0));
            view.square += error * error / free / count as f64;
            view.cross += error * own.sqrt() / free / count as f64;
            view.own += own / free / count as f64;
            view.heaviest = view.heaviest.max(own / free);
        }
        view
    }

    fn seen_by<'v>(&self, views: &'v [View], i: usize) -> &'v View {
        &views[self.rows[i].level * self.places.len() + self.places.of_row[i]]
    }

    /// Between what a row's answers lie. A neighbour of x makes way for the next one, which the sums do not know.
    fn range(&self, views: &[View], i: usize, scaled: bool, known: Option<Known>) -> Range {
        let view = self.seen_by(views, i);
        match scaled && view.near.contains(&i) {
            true => Range::ANY,
            false => view.range(&self.rows[i], scaled, known),
        }
    }

    /// The rows that may hold each order statistic, before anything is computed of them.
    fn first(&self, views: &[View], rows: &[usize], asked: &[Asked]) -> Vec<Left> {
        let ranges = |scaled: bool| -> Vec<Range> {
            match asked.iter().any(|asked| asked.scaled == scaled) {
                true => rows.iter().map(|&i| self.range(views, i, scaled, None)).collect(),
                false => Vec::new(),
            }
        };
        let (plain, scaled) = (ranges(false), ranges(true));
        let left = |asked: &Asked| {
            if asked.rank == 0 || asked.rank > rows.len() {
                return Left { rows: Vec::new(), rank: asked.rank };
            }
            let ranges = if asked.scaled { &scaled } else { &plain };
            let bounds: Vec<Bounds> = ranges.iter().zip(asked.multiples).map(|(range, &m)| range.bounds(m)).collect();
            undecided(&bounds, asked.rank)
        };
        asked.iter().map(left).collect()
    }

    /// For some rows and every point: cᵢ(x) of each level, then Lᵢ of each level and measure, both without the share of a free
    /// intercept.
    fn products(&self, points: &Array2<f64>, views: &[Vec<View>], wanted: &[usize]) -> Array2<f64> {
        let (measures, rank) = (self.places.len(), points.ncols());
        let mut right = Array2::zeros((points.nrows() * self.levels.len() * (measures + 1), rank));
        let mut to = right.rows_mut().into_iter();
        for (point, views) in points.rows().into_iter().zip(views) {
            for (l, level) in self.levels.iter().enumerate() {
                let mut next = || to.next().expect("as many as were counted");
                next().assign(&(&point * &level.inverse));
                for view in &views[l * measures..(l + 1) * measures] {
                    let mut sum = Array1::<f64>::zeros(rank);
                    for &j in &view.near[..self.neighbours()] {
                        let share = level.errors[j] / level.free[j].max(f64::MIN_POSITIVE);
                        sum.scaled_add(share / self.neighbours() as f64, &self.spectrum.rows.row(j));
                    }
                    next().assign(&(sum * &level.weights));
                }
            }
        }
        self.gathered(wanted, &right)
    }

    /// Some rows in the axes, times the rows of another matrix.
    fn gathered(&self, rows: &[usize], right: &Array2<f64>) -> Array2<f64> {
        let mut out = Array2::zeros((rows.len(), right.nrows()));
        let cells = out.as_slice_mut().expect("standard layout");
        // A few at a time: the copies stay in the cache.
        for (few, cells) in rows.chunks(GATHERED).zip(cells.chunks_mut((GATHERED * right.nrows()).max(1))) {
            product_with_rows(&self.spectrum.rows.select(Axis(0), few), right, cells);
        }
        out
    }

    fn order_statistic(
        &self,
        views: &[View],
        rows: &[usize],
        asked: &Asked,
        left: Left,
        known: impl Fn(usize) -> Known,
    ) -> f64 {
        let &Asked { multiples, scaled, rank } = asked;
        if rank == 0 || rank > rows.len() {
            return if rank == 0 { f64::NEG_INFINITY } else { f64::INFINITY };
        }
        let bounds: Vec<Bounds> = left
            .rows
            .iter()
            .map(|&k| self.range(views, rows[k], scaled, Some(known(rows[k]))).bounds(multiples[k]))
            .collect();
        if !scaled {
            let value = |&k: &usize| {
                let product = known(rows[k]).product;
                self.seen_by(views, rows[k]).prediction - product * self.rows[rows[k]].residual + multiples[k]
            };
            return order_statistic(left.rows.iter().map(value), left.rank);
        }
        let last = undecided(&bounds, left.rank);
        let of: Vec<usize> = last.rows.iter().map(|&at| left.rows[at]).collect();
        order_statistic(self.values(views, rows, &of, multiples, known), last.rank)
    }

    /// Uᵢ(x) of some rows, in full.
    fn values(
        &self,
        views: &[View],
        rows: &[usize],
        of: &[usize],
        multiples: &[f64],
        known: impl Fn(usize) -> Known,
    ) -> Vec<f64> {
        let mut values = vec![0.0; of.len()];
        for (k, view) in views.iter().enumerate() {
            let mine: Vec<usize> = (0..of.len()).filter(|&at| std::ptr::eq(self.seen_by(views, rows[of[at]]), view)).collect();
            if mine.is_empty() {
                continue;
            }
            let level = &self.levels[k / self.places.len()];
            let right = self.spectrum.rows.select(Axis(0), &view.near) * &level.weights;
            let chosen: Vec<usize> = mine.iter().map(|&at| rows[of[at]]).collect();
            let products = self.gathered(&chosen, &right);
            for ((&at, &i), products) in mine.iter().zip(&chosen).zip(products.rows()) {
                let (row, count, product) = (&self.rows[i], self.neighbours(), known(i).product);
                let others = view.near.iter().zip(products).filter(|(j, _)| **j != i).take(count);
                let local = self.local(row, others.map(|(&j, product)| (j, product + self.share)), count);
                let variance = view.variance + product * product / row.free;
                let scale = ((1.0 + variance) * local).sqrt();
                values[at] = view.prediction - product * row.residual + multiples[of[at]] * scale;
            }
        }
        values
    }
}

impl View {
    /// The mean of e/d over the neighbours, of which a free intercept's share comes to Lᵢ.
    fn mean(&self, hat: &Hat, level: usize) -> f64 {
        if hat.share == 0.0 {
            return 0.0;
        }
        let (level, count) = (&hat.levels[level], hat.neighbours());
        let ratio = |&j: &usize| level.errors[j] / level.free[j].max(f64::MIN_POSITIVE);
        self.near[..count].iter().map(ratio).sum::<f64>() / count as f64
    }
}

/// The rows that may hold an order statistic, by their place among the rows that have a say, and its rank among them.
struct Left {
    rows: Vec<usize>,
    rank: usize,
}

fn undecided(bounds: &[Bounds], rank: usize) -> Left {
    let least = order_statistic(bounds.iter().map(|bounds| bounds.low), rank);
    let most = order_statistic(bounds.iter().map(|bounds| bounds.high), rank);
    let below = bounds.iter().filter(|bounds| bounds.high < least).count();
    let rows = (0..bounds.len()).filter(|&k| bounds[k].high >= least && bounds[k].low <= most).collect();
    Left { rows, rank: rank - below }
}
