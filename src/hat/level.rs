//! The ridge at one κ, and which κ each row is left out with.

use std::collections::BTreeSet;

use ndarray::{Array1, Array2, Axis};

use super::spectrum::Spectrum;

/// The grid of κ: 2⁻²⁰ … 2¹⁰.
const LOWEST: i32 = -20;
const HIGHEST: i32 = 10;
/// How much the grid grows at a time where its best κ is at its end.
const GROWTH: i32 = 10;
/// Above this multiple of the largest eigenvalue the features explain nothing, and every κ is alike.
const NOTHING: f64 = 1_048_576.0;

/// What one κ gives.
pub(super) struct Level {
    pub(super) kappa: f64,
    /// 1/(λ+κ).
    pub(super) inverse: Array1<f64>,
    /// ω: see [`Spectrum`].
    pub(super) weights: Array1<f64>,
    /// The coefficients of the fit: f(x) = B(x)·fit.
    pub(super) fit: Array1<f64>,
    /// eᵢ = uᵢ − f(xᵢ).
    pub(super) errors: Array1<f64>,
    /// dᵢ = 1 − hᵢᵢ.
    pub(super) free: Array1<f64>,
    /// uᵀe.
    pub(super) sum: f64,
}

/// The target in the axes.
pub(super) struct Target<'a> {
    pub(super) spectrum: &'a Spectrum,
    pub(super) u: &'a Array1<f64>,
    /// Aᵀu.
    pub(super) axes: Array1<f64>,
    /// 1/n with a free intercept, else 0.
    pub(super) share: f64,
}

impl<'a> Target<'a> {
    pub(super) fn new(spectrum: &'a Spectrum, u: &'a Array1<f64>, share: f64) -> Self {
        Self { spectrum, u, axes: spectrum.rows.t().dot(u), share }
    }

    /// The ridge at each κ.
    pub(super) fn levels(&self, kappas: &[f64]) -> Vec<Level> {
        let rank = self.axes.len();
        let inverses: Vec<Array1<f64>> = kappas.iter().map(|&kappa| self.spectrum.inverse(kappa)).collect();
        let (mut weights, mut vectors) = (Array2::zeros((rank, kappas.len())), Array2::zeros((rank, kappas.len())));
        let is_dual = self.spectrum.is_dual();
        for (k, (inverse, &kappa)) in inverses.iter().zip(kappas).enumerate() {
            // In the dual 1 − h and e come without a difference: κΣQ²/(λ+κ), κΣQt/(λ+κ).
            let factor = if is_dual { kappa } else { 1.0 };
            weights.column_mut(k).assign(&(inverse * factor));
            vectors.column_mut(k).assign(&(inverse * &self.axes * factor));
        }
        let (squares, sums) = self.spectrum.row_sums(&weights, &vectors);
        let level = |k: usize, inverse: Array1<f64>| {
            let kappa = kappas[k];
            let (square, sum) = (squares.column(k), sums.column(k));
            let (errors, free) = match is_dual {
                true => (sum.to_owned(), square.mapv(|own| own - self.share)),
                false => (self.u - &sum, square.mapv(|own| 1.0 - self.share - own)),
            };
            Level {
                kappa,
                weights: self.spectrum.weights(&inverse),
                fit: &inverse * &self.axes,
                sum: self.sum(&inverse, kappa),
                errors,
                free: free.mapv(|free| free.clamp(0.0, 1.0)),
                inverse,
            }
        };
        inverses.into_iter().enumerate().map(|(k, inverse)| level(k, inverse)).collect()
    }

    /// uᵀe, which is at least κ‖θ‖² whatever rounding makes of it.
    fn sum(&self, inverse: &Array1<f64>, kappa: f64) -> f64 {
        let fitted: f64 = self.axes.iter().zip(inverse).map(|(t, w)| t * t * w).sum();
        match self.spectrum.is_dual() {
            // Q is a whole basis: κΣt²/(λ+κ).
            true => kappa * fitted,
            false => {
                let shrunk: f64 = self.axes.iter().zip(inverse).map(|(t, w)| (t * w).powi(2)).sum();
                (self.u.dot(self.u) - fitted).max(kappa * shrunk)
            }
        }
    }

    /// The κ of all rows and that of each row left out, by marginal likelihood.
    ///
    /// ```text
    /// κ:    n·ln(uᵀe) + Σₖ ln(1+λₖ/κ)
    /// κ₋ᵢ:  (n−1)·ln(uᵀe − eᵢ²/dᵢ) + Σₖ ln(1+λₖ/κ) + ln dᵢ
    /// ```
    ///
    /// A free intercept takes one from n.
    pub(super) fn likelihood(&self) -> Chosen {
        let rows = self.u.len() as f64 - if self.share > 0.0 { 1.0 } else { 0.0 };
        let (mut low, mut high) = (LOWEST, HIGHEST);
        let largest = self.spectrum.values.first().copied().unwrap_or(0.0);
        loop {
            let kappas: Vec<f64> = (low..=high).map(|power| 2f64.powi(power)).collect();
            let chosen = self.best(&kappas, rows);
            let top = kappas[kappas.len() - 1];
            let used = || chosen.without.iter().chain([&chosen.all]);
            let at = |end: f64| used().any(|&kappa| kappa == end);
            if at(top) && top < NOTHING * largest {
                high += GROWTH;
            } else if at(kappas[0]) && 2f64.powi(low - GROWTH) >= self.spectrum.least_penalty() && largest > 0.0 {
                low -= GROWTH;
            } else {
                return Chosen { at_end: at(kappas[0]) || at(top), ..chosen };
            }
        }
    }

    fn best(&self, kappas: &[f64], rows: f64) -> Chosen {
        let (mut all, mut without) = ((f64::INFINITY, kappas[0]), vec![(f64::INFINITY, kappas[0]); self.u.len()]);
        let log = |sum: f64| sum.max(f64::MIN_POSITIVE).ln();
        // A few at a time: n numbers for each.
        for few in kappas.chunks(8) {
            for Level { kappa, errors, free, sum, .. } in self.levels(few) {
                let determinant: f64 = self.spectrum.values.iter().map(|value| (value / kappa).ln_1p()).sum();
                let better = |best: &mut (f64, f64), value: f64| {
                    if value < best.0 {
                        *best = (value, kappa);
                    }
                };
                better(&mut all, rows * log(sum) + determinant);
                for ((best, e), d) in without.iter_mut().zip(&errors).zip(&free) {
                    let d = d.max(f64::MIN_POSITIVE);
                    better(best, (rows - 1.0) * log(sum - e * e / d) + determinant + d.ln());
                }
            }
        }
        Chosen { all: all.1, without: without.into_iter().map(|best| best.1).collect(), at_end: false }
    }
}

/// The κ of all rows, that of each row left out, and whether one of them is at the end of the grid.
pub(super) struct Chosen {
    pub(super) all: f64,
    pub(super) without: Vec<f64>,
    pub(super) at_end: bool,
}

impl Chosen {
    /// A penalty that is given.
    pub(super) fn fixed(all: f64, without: f64, rows: usize) -> Self {
        Self { all, without: vec![without; rows], at_end: false }
    }

    /// The different κ₋ᵢ, rising, and the place of each row's among them.
    pub(super) fn groups(&self) -> (Vec<f64>, Vec<usize>) {
        let different: BTreeSet<u64> = self.without.iter().map(|kappa| kappa.to_bits()).collect();
        let place = |kappa: &f64| different.iter().position(|bits| *bits == kappa.to_bits()).unwrap_or(0);
        let places = self.without.iter().map(place).collect();
        (different.iter().map(|bits| f64::from_bits(*bits)).collect(), places)
    }
}

impl Level {
    /// f(x) of points in the axes.
    pub(super) fn predictions(&self, axes: &Array2<f64>) -> Array1<f64> {
        axes.map_axis(Axis(1), |row| row.dot(&self.fit))
    }
}
