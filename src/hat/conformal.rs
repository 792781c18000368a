//! Full conformal prediction from the hat matrix.

use ndarray::{ArrayView2, s};
use rayon::prelude::*;

use super::Hat;
use crate::quantile::order_statistic;

/// Points that one thread takes at a time.
const BLOCK: usize = 32;

impl Hat {
    /// Full conformal prediction: how far from f(x) y may lie below and above, at each point.
    ///
    /// With (x, y) among the rows, v = y − f(x) and w = v/√(1+g), the studentised residuals are
    ///
    /// ```text
    /// |w| of the new row,   |aᵢ − bᵢw| of row i,   aᵢ = eᵢ/√d′ᵢ,   bᵢ = cᵢ/√((1+g)d′ᵢ),   d′ᵢ = dᵢ + cᵢ²/(1+g)
    /// ```
    ///
    /// and |bᵢ| < 1: row i is as strange as the new one where −aᵢ/(1−bᵢ) ≤ w ≤ aᵢ/(1+bᵢ) (the ends change places for aᵢ < 0), an
    /// interval around 0. So the y that are not among the strangest form an interval, and its ends are order statistics.
    pub(crate) fn conformal(&self, x: ArrayView2<f64>, rows: &[usize], lower: usize, upper: usize) -> Vec<(f64, f64)> {
        let starts: Vec<usize> = (0..x.nrows()).step_by(BLOCK).collect();
        let block = |start: usize| {
            let x = x.slice(s![start..(start + BLOCK).min(x.nrows()), ..]);
            self.conformal_block(x, rows, lower, upper)
        };
        starts.into_par_iter().flat_map_iter(block).collect()
    }

    fn conformal_block(&self, x: ArrayView2<f64>, rows: &[usize], lower: usize, upper: usize) -> Vec<(f64, f64)> {
        let (points, level) = (self.points(x), &self.full);
        let variances = self.spectrum.variances(&points, level.kappa) + self.share;
        let products = self.spectrum.products(self.source(), rows, &self.spectrum.toward(&points, level.kappa));
        let ends = |t: usize| {
            let grown = 1.0 + variances[t];
            let (mut below, mut above) = (Vec::with_capacity(rows.len()), Vec::with_capacity(rows.len()));
            for (k, &i) in rows.iter().enumerate() {
                let c = products[[k, t]] + self.share;
                let free = (level.free[i] + c * c / grown).max(f64::MIN_POSITIVE);
                let (a, b) = (level.errors[i] / free.sqrt(), (c / (grown * free).sqrt()).clamp(-1.0, 1.0));
                let (near, far) = (a / (1.0 + b).max(f64::MIN_POSITIVE), -a / (1.0 - b).max(f64::MIN_POSITIVE));
                below.push(near.min(far));
                above.push(near.max(far));
            }
            let end = |values: Vec<f64>, rank| grown.sqrt() * order_statistic(values, rank);
            (end(below, lower), end(above, upper))
        };
        (0..x.nrows()).map(ends).collect()
    }
}
