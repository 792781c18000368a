//! The scores of the rows: their errors in units of the scale that the other rows have there.

use ndarray::{Array1, Array2, ArrayView1, Axis};
use rayon::prelude::*;

use super::{Hat, Row};

/// An error of so many scales has nothing to be measured by.
const BEYOND: f64 = 1e14;
/// Rows whose neighbours are held at a time.
const BLOCK: usize = 8192;
/// Rows that one thread takes at a time.
const PART: usize = 128;

/// An error in units of a scale; beyond every measure where the other rows have no error but rounding.
pub(crate) fn relative(error: f64, scale: f64) -> f64 {
    match error.abs() <= BEYOND * scale {
        true if error == 0.0 => 0.0,
        true => error / scale,
        false => f64::INFINITY.copysign(error),
    }
}

impl Hat {
    /// qᵢ for every row, with its sign.
    pub(crate) fn scores(&self) -> &Array1<f64> {
        self.scores.get_or_init(|| {
            self.prepare();
            let mut scores = Array1::zeros(self.len());
            for measure in 0..self.places.len() {
                let rows: Vec<usize> = (0..self.len()).filter(|&i| self.places.of_row[i] == measure).collect();
                for rows in rows.chunks(BLOCK) {
                    let around = self.places.around(measure, self.source(), rows, self.neighbours());
                    let parts = rows.par_chunks(PART).zip(around.par_chunks(PART));
                    let found: Vec<f64> = parts.flat_map_iter(|(rows, near)| self.scores_of(rows, near)).collect();
                    rows.iter().zip(found).for_each(|(&i, score)| scores[i] = score);
                }
            }
            scores
        })
    }

    /// qᵢ of some rows from their neighbours.
    fn scores_of(&self, rows: &[usize], near: &[Vec<usize>]) -> Vec<f64> {
        let own = self.places.pool().map(|_| self.spectrum.rows(self.source(), rows));
        let score = |(k, (&i, near)): (usize, (&usize, &Vec<usize>))| {
            let row = &self.rows[i];
            // h is symmetric: either of the two rows may be the one that is multiplied with.
            let products = match &own {
                Some(own) => self.products_with_pool(row.level, near, own.row(k)),
                None => {
                    self.spectrum.products(self.source(), near, &self.toward_rows(row.level, &[i])).remove_axis(Axis(1))
                }
            };
            let local = self.local(row, near.iter().copied().zip(products + self.share), near.len());
            relative(row.free.sqrt() * row.residual, local.sqrt())
        };
        rows.iter().zip(near).enumerate().map(score).collect()
    }

    /// ℓ₋ᵢ² from the neighbours and their hᵢⱼ.
    pub(super) fn local(&self, row: &Row, products: impl Iterator<Item = (usize, f64)>, count: usize) -> f64 {
        let level = &self.levels[row.level];
        let square = |(j, product): (usize, f64)| {
            let moved = level.errors[j] + product * row.residual;
            let left = level.free[j] - product * product / row.free;
            moved * moved / left.max(1e-12 * level.free[j])
        };
        row.floor + products.map(square).sum::<f64>() / count as f64
    }

    /// What makes hᵢⱼ of row i for some rows j that can be neighbours, at one level.
    pub(super) fn toward_rows(&self, level: usize, rows: &[usize]) -> Array2<f64> {
        match (self.places.pool(), self.reach[level].get()) {
            (Some(pool), Some(reach)) => {
                let place = |j: &usize| pool.binary_search(j).expect("a neighbour is of the pool");
                reach.select(Axis(0), &rows.iter().map(place).collect::<Vec<usize>>())
            }
            _ => self.spectrum.toward_rows(self.source(), rows, self.levels[level].kappa),
        }
    }

    /// hᵢⱼ of one row for some rows of the pool, but for the share of a free intercept.
    fn products_with_pool(&self, level: usize, near: &[usize], own: ArrayView1<f64>) -> Array1<f64> {
        match (self.places.pool(), self.reach[level].get()) {
            // Without a copy: of many rows this is a matter of reading.
            (Some(pool), Some(reach)) => {
                let place = |j: &usize| pool.binary_search(j).expect("a neighbour is of the pool");
                near.iter().map(|j| reach.row(place(j)).dot(&own)).collect()
            }
            _ => self.toward_rows(level, near).dot(&own),
        }
    }

    /// Finds what makes hᵢⱼ for the whole pool, once.
    pub(super) fn prepare(&self) {
        let Some(pool) = self.places.pool() else { return };
        for (reach, level) in self.reach.iter().zip(&self.levels).filter(|(reach, _)| reach.get().is_none()) {
            let mut all = Array2::zeros((pool.len(), self.spectrum.width()));
            let parts: Vec<_> = all.axis_chunks_iter_mut(Axis(0), PART).zip(pool.chunks(PART)).collect();
            parts.into_par_iter().for_each(|(mut part, rows)| {
                part.assign(&self.spectrum.toward_rows(self.source(), rows, level.kappa));
            });
            // Another thread may have been faster, with the same numbers.
            reach.set(all).ok();
        }
    }
}
