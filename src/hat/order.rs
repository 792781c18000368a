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
//! It is done three times. First rows that are alike are bounded together ([`chunk`]), then one by one, with cᵢ(x) and all hᵢⱼ
//! unknown. Then two products for each row that is left give cᵢ(x) and, with
//! vₗ = mean over the neighbours j of eⱼJⱼ/dⱼ, the sum Lᵢ = mean eⱼhᵢⱼ/dⱼ, so that
//!
//! ```text
//! mean (eⱼ + hᵢⱼrᵢ)²/dⱼ = mean eⱼ²/dⱼ + 2rᵢLᵢ + rᵢ²·mean hᵢⱼ²/dⱼ        is known but for its small last term.
//! ```

mod chunk;

use ndarray::{Array1, Array2, ArrayView2, s};
use rayon::prelude::*;

use super::spectrum::Points;
use super::{Hat, Row};
use crate::error::Result;
use crate::quantile::order_statistic;
use chunk::{Chunks, weighted_order_statistic};

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
    /// The mean of e/d, of which a free intercept's share comes to Lᵢ.
    mean: f64,
}

/// What two products tell of a row: cᵢ(x) and Lᵢ.
#[derive(Clone, Copy)]
struct Known {
    product: f64,
    cross: f64,
}

/// What bounds need to know of a row, or of several.
#[derive(Clone, Copy)]
struct Spread {
    pull: f64,
    weight: f64,
    floors: (f64, f64),
}

impl From<&Row> for Spread {
    fn from(row: &Row) -> Self {
        Self { pull: row.pull, weight: row.weight, floors: (row.floor, row.floor) }
    }
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
    /// Between what f₋ᵢ and s₋ᵢ lie where nothing has been computed; `scaled` if s₋ᵢ is asked for.
    fn range(&self, rows: &Spread, scaled: bool) -> Range {
        let (centre, reach) = (self.prediction, self.variance.sqrt() * rows.pull);
        if !scaled {
            return Range { centre, reach, scales: (1.0, 1.0) };
        }
        let cross = 2.0 * rows.pull * self.cross;
        let local = (self.square - cross, self.square + cross + rows.pull * rows.pull * self.own);
        Range { centre, reach, scales: self.scales(rows, local, (0.0, self.variance * rows.weight)) }
    }

    /// The same once the two products are known.
    fn known_range(&self, row: &Row, scaled: bool, known: Known) -> Range {
        let grown = known.product * known.product / row.free;
        let centre = self.prediction - known.product * row.residual;
        if !scaled {
            return Range { centre, reach: 0.0, scales: (1.0, 1.0) };
        }
        let sum = self.square + 2.0 * row.residual * known.cross;
        let local = (sum, sum.max(0.0) + row.pull * row.pull * self.own);
        Range { centre, reach: 0.0, scales: self.scales(&row.into(), local, (grown, grown)) }
    }

    /// Bounds of s₋ᵢ from those of the neighbours' mean and of what g grows by.
    fn scales(&self, rows: &Spread, local: (f64, f64), grown: (f64, f64)) -> (f64, f64) {
        let left = 1.0 - rows.weight * self.heaviest;
        let low = rows.floors.0 + local.0.max(0.0);
        let high = if left > 0.0 { rows.floors.1 + local.1 / left } else { f64::INFINITY };
        let scale = |grown: f64, local: f64| ((1.0 + self.variance + grown) * local).sqrt();
        (scale(grown.0, low), scale(grown.1, high))
    }
}

impl Bounds {
    /// Nothing is known.
    const ANY: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY };
}

impl Range {
    /// Bounds of f₋ᵢ + m·s₋ᵢ.
    fn bounds(&self, multiple: f64) -> Bounds {
        // An error beyond every measure.
        if multiple.is_infinite() {
            return Bounds { low: multiple, high: multiple };
        }
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
        if asked.iter().any(|asked| asked.scaled) {
            self.prepare();
        }
        let chunks: Vec<Chunks> = asked.iter().map(|asked| Chunks::new(self, rows, asked)).collect();
        let mut place = vec![usize::MAX; self.len()];
        rows.iter().enumerate().for_each(|(k, &i)| place[i] = k);
        let question = Question { rows, asked, chunks, place };
        let starts: Vec<usize> = (0..x.nrows()).step_by(BLOCK).collect();
        let block = |start: usize| self.block(x.slice(s![start..(start + BLOCK).min(x.nrows()), ..]), &question);
        let blocks: Vec<Array2<f64>> = starts.into_par_iter().map(block).collect();
        let mut all = Array2::zeros((x.nrows(), asked.len()));
        for (k, block) in blocks.iter().enumerate() {
            all.slice_mut(s![k * BLOCK..k * BLOCK + block.nrows(), ..]).assign(block);
        }
        Ok(all)
    }

    fn block(&self, x: ArrayView2<f64>, question: &Question) -> Array2<f64> {
        let Question { rows, asked, .. } = question;
        let points = self.points(x);
        let features = self.features.as_ref();
        let measures = self.places.len();
        // Only a scale asks for neighbours.
        let count =
            if asked.iter().any(|asked| asked.scaled) { (self.neighbours() + 1).min(self.candidates()) } else { 0 };
        let near: Vec<Vec<Vec<usize>>> =
            (0..measures).map(|measure| self.places.nearest(measure, features, x, count)).collect();
        let seen: Vec<(Array1<f64>, Array1<f64>)> = self
            .levels
            .iter()
            .map(|level| {
                let variances = self.spectrum.variances(&points, level.kappa) + self.share;
                (points.axes.dot(&level.fit) + self.mean, variances)
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
        let undecided: Vec<Vec<Left>> = views.iter().map(|views| self.first(views, question)).collect();
        // One product of the rows that any point asks for with what every point needs of them.
        let mut at = vec![usize::MAX; self.len()];
        undecided.iter().flatten().flat_map(|left| &left.rows).for_each(|&k| at[rows[k]] = 0);
        let wanted: Vec<usize> = (0..self.len()).filter(|&i| at[i] == 0).collect();
        wanted.iter().enumerate().for_each(|(k, &i)| at[i] = k);
        let products = self.products(&points, &views, &wanted);
        let mut out = Array2::zeros((x.nrows(), asked.len()));
        let width = self.levels.len() * (measures + 1);
        for (t, (views, undecided)) in views.iter().zip(undecided).enumerate() {
            let known = |i: usize| {
                let (level, measure) = (self.rows[i].level, self.places.of_row[i]);
                let first = t * width + level * (measures + 1);
                let (product, cross) = (products[[at[i], first]], products[[at[i], first + 1 + measure]]);
                let mean = views[level * measures + measure].mean;
                Known { product: product + self.share, cross: cross + self.share * mean }
            };
            let answers = self.last(views, question, undecided, known);
            out.row_mut(t).assign(&Array1::from(answers));
        }
        out
    }

    fn view(&self, level: usize, (prediction, variance): (f64, f64), near: &[usize]) -> View {
        let level = &self.levels[level];
        let count = self.neighbours();
        let near = near.to_vec();
        let mut view = View { prediction, variance, near, square: 0.0, cross: 0.0, own: 0.0, heaviest: 0.0, mean: 0.0 };
        for &j in view.near.iter().take(count) {
            let free = level.free[j];
            let (error, own) = (level.errors[j].abs(), 1.0 - free);
            view.square += error * error / free / count as f64;
            view.cross += error * own.sqrt() / free / count as f64;
            view.own += own / free / count as f64;
            view.mean += level.errors[j] / free / count as f64;
            view.heaviest = view.heaviest.max(own / free);
        }
        view
    }

    fn seen_by<'v>(&self, views: &'v [View], i: usize) -> &'v View {
        &views[self.rows[i].level * self.places.len() + self.places.of_row[i]]
    }

    /// The rows that may hold each order statistic, before anything is computed of them.
    fn first(&self, views: &[View], question: &Question) -> Vec<Left> {
        let Question { rows, asked, chunks, place } = question;
        // A neighbour of x makes way for the next one, which the sums do not know: nothing is known of it.
        let has_own = |i: usize| self.seen_by(views, i).near.contains(&i);
        let mut near: Vec<usize> =
            views.iter().flat_map(|view| &view.near).copied().filter(|&i| place[i] < rows.len()).collect();
        near.sort_unstable();
        near.dedup();
        let left = |(asked, chunks): (&Asked, &Chunks)| {
            if asked.rank == 0 || asked.rank > rows.len() {
                return Left { rows: Vec::new(), rank: asked.rank };
            }
            let near: Vec<usize> = near.iter().filter(|&&i| asked.scaled && has_own(i)).map(|&i| place[i]).collect();
            let mut counts: Vec<usize> = chunks.chunks.iter().map(|chunk| chunk.len()).collect();
            near.iter().for_each(|&k| counts[chunks.of[k]] -= 1);
            let bounds: Vec<Bounds> = chunks
                .chunks
                .iter()
                .map(|chunk| chunk.bounds(&views[chunk.class].range(&chunk.spread, asked.scaled)))
                .collect();
            let end = |of: fn(&Bounds) -> f64, unknown: f64| {
                let values = bounds.iter().zip(&counts).map(|(bounds, &count)| (of(bounds), count));
                weighted_order_statistic(values.chain([(unknown, near.len())]).collect(), asked.rank)
            };
            let (least, most) = (end(|b| b.low, f64::NEG_INFINITY), end(|b| b.high, f64::INFINITY));
            let (mut below, mut places) = (0, Vec::new());
            for (k, bounds) in bounds.iter().enumerate() {
                if bounds.high < least {
                    below += counts[k];
                } else if bounds.low <= most {
                    places.extend(chunks.places(k).iter().copied().filter(|k| !near.contains(k)));
                }
            }
            let ranges = places.iter().map(|&k| {
                let i = rows[k];
                self.seen_by(views, i).range(&(&self.rows[i]).into(), asked.scaled).bounds(asked.multiples[k])
            });
            let bounds: Vec<Bounds> = ranges.chain(near.iter().map(|_| Bounds::ANY)).collect();
            places.extend(&near);
            let left = undecided(&bounds, asked.rank - below);
            Left { rows: left.rows.into_iter().map(|at| places[at]).collect(), rank: left.rank }
        };
        asked.iter().zip(chunks).map(left).collect()
    }

    /// The order statistics at one point.
    fn last(
        &self,
        views: &[View],
        Question { rows, asked, .. }: &Question,
        left: Vec<Left>,
        known: impl Fn(usize) -> Known,
    ) -> Vec<f64> {
        let narrowed: Vec<Left> = asked
            .iter()
            .zip(left)
            .map(|(asked, left)| {
                if left.rows.is_empty() {
                    return left;
                }
                let bound = |&k: &usize| {
                    let (i, view) = (rows[k], self.seen_by(views, rows[k]));
                    match asked.scaled && view.near.contains(&i) {
                        true => Bounds::ANY,
                        false => view.known_range(&self.rows[i], asked.scaled, known(i)).bounds(asked.multiples[k]),
                    }
                };
                let last = undecided(&left.rows.iter().map(bound).collect::<Vec<_>>(), left.rank);
                Left { rows: last.rows.into_iter().map(|at| left.rows[at]).collect(), rank: last.rank }
            })
            .collect();
        let mut scaled: Vec<usize> = asked
            .iter()
            .zip(&narrowed)
            .filter(|(asked, _)| asked.scaled)
            .flat_map(|(_, left)| left.rows.clone())
            .collect();
        scaled.sort_unstable();
        scaled.dedup();
        let scales = self.exact_scales(views, rows, &scaled, &known);
        let answer = |(asked, left): (&Asked, &Left)| {
            if left.rows.is_empty() {
                return if left.rank == 0 { f64::NEG_INFINITY } else { f64::INFINITY };
            }
            let value = |&k: &usize| {
                let i = rows[k];
                if asked.multiples[k].is_infinite() {
                    return asked.multiples[k];
                }
                let prediction = self.seen_by(views, i).prediction - known(i).product * self.rows[i].residual;
                let scale = match asked.scaled {
                    true => scales[scaled.binary_search(&k).expect("is among them")],
                    false => 1.0,
                };
                prediction + asked.multiples[k] * scale
            };
            order_statistic(left.rows.iter().map(value), left.rank)
        };
        asked.iter().zip(&narrowed).map(answer).collect()
    }

    /// For some rows and every point: cᵢ(x) of each level, then Lᵢ of each level and measure, both without the share of a free
    /// intercept.
    fn products(&self, points: &Points, views: &[Vec<View>], wanted: &[usize]) -> Array2<f64> {
        let (measures, levels) = (self.places.len(), self.levels.len());
        let mut right = Array2::zeros((views.len() * levels * (measures + 1), self.spectrum.width()));
        for (l, level) in self.levels.iter().enumerate() {
            let toward = self.spectrum.toward(points, level.kappa);
            for (t, (toward, views)) in toward.rows().into_iter().zip(views).enumerate() {
                let first = (t * levels + l) * (measures + 1);
                right.row_mut(first).assign(&toward);
                for (m, view) in views[l * measures..(l + 1) * measures].iter().enumerate() {
                    let near = &view.near[..self.neighbours().min(view.near.len())];
                    let share = |&j: &usize| level.errors[j] / level.free[j].max(f64::MIN_POSITIVE);
                    let shares: Array1<f64> = near.iter().map(share).collect();
                    let sum = shares.dot(&self.toward_rows(l, near)) / self.neighbours() as f64;
                    right.row_mut(first + 1 + m).assign(&sum);
                }
            }
        }
        self.spectrum.products(self.source(), wanted, &right)
    }

    /// s₋ᵢ(x) of some rows, in full.
    fn exact_scales(&self, views: &[View], rows: &[usize], of: &[usize], known: impl Fn(usize) -> Known) -> Vec<f64> {
        let mut scales = vec![0.0; of.len()];
        for (k, view) in views.iter().enumerate() {
            let is_mine = |at: &usize| std::ptr::eq(self.seen_by(views, rows[of[*at]]), view);
            let mine: Vec<usize> = (0..of.len()).filter(is_mine).collect();
            if mine.is_empty() {
                continue;
            }
            let right = self.toward_rows(k / self.places.len(), &view.near);
            let chosen: Vec<usize> = mine.iter().map(|&at| rows[of[at]]).collect();
            let products = self.spectrum.products(self.source(), &chosen, &right);
            for ((&at, &i), products) in mine.iter().zip(&chosen).zip(products.rows()) {
                let (row, count, product) = (&self.rows[i], self.neighbours(), known(i).product);
                let others = view.near.iter().zip(products).filter(|(j, _)| **j != i).take(count);
                let local = self.local(row, others.map(|(&j, product)| (j, product + self.share)), count);
                let variance = view.variance + product * product / row.free;
                scales[at] = ((1.0 + variance) * local).sqrt();
            }
        }
        scales
    }
}

/// What is asked, and of whom.
struct Question<'a> {
    rows: &'a [usize],
    asked: &'a [Asked<'a>],
    chunks: Vec<Chunks>,
    /// The place of each row among those that have a say.
    place: Vec<usize>,
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
