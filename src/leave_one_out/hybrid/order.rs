//! Q⁻{f₋ᵢ(x) − mᵢs} and Q⁺{f₋ᵢ(x) + mᵢs} of linear shifts, exactly, without visiting the rows that cannot decide.
//!
//! Both are an order statistic of Uᵢ = ∓mᵢ − wᵢcᵢ(x)/s, and Cauchy–Schwarz bounds what has not been computed,
//!
//! ```text
//! |wᵢcᵢ(x)|/s ≤ ρbᵢ,    bᵢ = |wᵢ|√hᵢ,    ρ = √(J(x)A⁻¹J(x))/s
//! ```
//!
//! Let T₋ and T₊ be the k-th smallest of ∓m − ρb and of ∓m + ρb: order statistics are monotone, so T₋ ≤ U₍ₖ₎ ≤ T₊. Rows with
//! ∓m + ρb < T₋ lie below U₍ₖ₎, rows with ∓m − ρb > T₊ above it; C of the first kind are counted, the others are computed, and
//! the answer is of rank k − C among these. Points of like ρ are taken together, with the largest, so that one product serves all.
//! In the dual every cᵢ(x) is there anyway.

use std::collections::BTreeSet;

use ndarray::{Array2, ArrayView2, Axis, s};
use rayon::prelude::*;

use super::{Hybrid, Points, Side};
use crate::error::Result;
use crate::leave_one_out::blocks::not_finite;
use crate::quantile::{Ranks, order_statistic};

/// Points that are bounded together.
const GROUP: usize = 64;
/// What bounds are widened by: far more than rounding, far less than matters.
const SLACK: f64 = 1e-9;

/// The rows that may hold an order statistic, and its rank among them.
struct Left {
    rows: Vec<usize>,
    rank: usize,
}

/// What is asked at some points.
struct Question<'a> {
    multiples: &'a [f64],
    /// s at each point.
    scales: &'a [f64],
    ranks: Ranks,
}

impl Hybrid {
    /// The two ends at each point; s is 1 without `scales`.
    pub(crate) fn ends(
        &self,
        x: ArrayView2<f64>,
        multiples: &[f64],
        scales: Option<&[f64]>,
        ranks: Ranks,
    ) -> Result<Vec<(f64, f64)>> {
        let ones = vec![1.0; if scales.is_some() { 0 } else { x.nrows() }];
        let scales = scales.unwrap_or(&ones);
        let mut all = Vec::with_capacity(x.nrows());
        for (x, scales) in x.axis_chunks_iter(Axis(0), self.block()).zip(scales.chunks(self.block())) {
            let points = self.points(x);
            let reached: f64 = points.reach.sum() + points.turned.iter().map(|cell| cell.abs()).sum::<f64>();
            if !(points.base.sum() + reached).is_finite() {
                return Err(not_finite());
            }
            let question = Question { multiples, scales, ranks };
            all.extend(match &self.side {
                Side::Dual(_) => self.of_all_rows(&points, &question),
                Side::Primal(_) => self.of_groups(&points, &question),
            });
        }
        Ok(all)
    }

    /// Every row is computed.
    fn of_all_rows(&self, points: &Points, Question { multiples, scales, ranks }: &Question) -> Vec<(f64, f64)> {
        let ends = |t: usize| {
            let products = points.turned.row(t);
            let moved: Vec<f64> = products.iter().zip(&self.weights).map(|(c, w)| -self.unit * w * c).collect();
            let (lower, upper) = ranks.ends(&moved, multiples, scales[t]);
            (points.base[t] + lower, points.base[t] + upper)
        };
        (0..points.base.len()).into_par_iter().map(ends).collect()
    }

    fn of_groups(&self, points: &Points, question: &Question) -> Vec<(f64, f64)> {
        let reach = |t: usize| self.unit * points.reach[t] / question.scales[t];
        let mut order: Vec<usize> = (0..points.base.len()).collect();
        order.sort_by(|&a, &b| reach(a).total_cmp(&reach(b)).then(a.cmp(&b)));
        let groups: Vec<Vec<(f64, f64)>> = order
            .par_chunks(GROUP)
            .map(|group| {
                let largest = reach(group[group.len() - 1]) * (1.0 + SLACK);
                self.of_group(points, group, largest, question)
            })
            .collect();
        let mut ends = vec![(0.0, 0.0); order.len()];
        order.iter().zip(groups.into_iter().flatten()).for_each(|(&t, found)| ends[t] = found);
        ends
    }

    fn of_group(&self, points: &Points, group: &[usize], reach: f64, question: &Question) -> Vec<(f64, f64)> {
        let Question { multiples, scales, ranks } = question;
        let lower = self.undecided(|i| -multiples[i], reach, ranks.lower);
        let upper = self.undecided(|i| multiples[i], reach, ranks.upper);
        let wanted: Vec<usize> =
            lower.rows.iter().chain(&upper.rows).copied().collect::<BTreeSet<_>>().into_iter().collect();
        let turned = points.turned.select(Axis(0), group);
        let mut products = Array2::zeros((group.len(), wanted.len()));
        for (k, few) in wanted.chunks(self.block()).enumerate() {
            let part = self.products_with(turned.view(), self.x.select(Axis(0), few).view());
            let start = k * self.block();
            products.slice_mut(s![.., start..start + few.len()]).assign(&part);
        }
        let place = |left: &Left| -> Vec<usize> {
            left.rows.iter().map(|row| wanted.binary_search(row).expect("is among them")).collect()
        };
        let places = (place(&lower), place(&upper));
        let end = |(k, t): (usize, usize), left: &Left, places: &[usize], sign: f64| {
            let value = |(&i, &at): (&usize, &usize)| {
                sign * multiples[i] * scales[t] - self.unit * self.weights[i] * products[[k, at]]
            };
            points.base[t] + order_statistic(left.rows.iter().zip(places).map(value), left.rank)
        };
        let ends =
            |(k, &t): (usize, &usize)| (end((k, t), &lower, &places.0, -1.0), end((k, t), &upper, &places.1, 1.0));
        group.iter().enumerate().map(ends).collect()
    }

    /// The rows that may hold the order statistic of mᵢ − wᵢcᵢ(x)/s.
    fn undecided(&self, multiple: impl Fn(usize) -> f64, reach: f64, rank: usize) -> Left {
        let n = self.weights.len();
        if rank == 0 || rank > n {
            return Left { rows: Vec::new(), rank };
        }
        let bound = |i: usize| (multiple(i), reach * self.pulls[i]);
        let (low, high): (Vec<f64>, Vec<f64>) = (0..n).map(bound).map(|(m, moved)| (m - moved, m + moved)).unzip();
        let least = order_statistic(low.iter().copied(), rank);
        let most = order_statistic(high.iter().copied(), rank);
        let below = high.iter().filter(|&&high| high < least).count();
        let rows = (0..n).filter(|&i| high[i] >= least && low[i] <= most).collect();
        Left { rows, rank: rank - below }
    }
}
