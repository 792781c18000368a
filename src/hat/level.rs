//! The ridge at one κ, and which κ each row is left out with.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use ndarray::{Array1, Array2, Axis};

use super::spectrum::Spectrum;

/// The grid of κ: 2⁻²⁰ … 2¹⁰.
const LOWEST: i32 = -20;
const HIGHEST: i32 = 10;
/// How much the grid grows at a time where its best κ is at its end.
const GROWTH: i32 = 10;
/// Above this multiple of the largest eigenvalue the features explain nothing, and every κ is alike.
const NOTHING: f64 = 1_048_576.0;
/// Below this share of the largest eigenvalue rounding decides everything.
const ROUNDING: f64 = 1e-14;

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
            // No row is less free than this, whatever rounding makes of the difference.
            let least = ((1.0 - self.share) * self.least_share(kappa)).max(f64::EPSILON * f64::EPSILON);
            Level {
                kappa,
                weights: self.spectrum.weights(&inverse),
                fit: &inverse * &self.axes,
                sum: self.sum(&inverse, kappa),
                errors,
                free: free.mapv(|free| free.clamp(least, 1.0)),
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
    /// A free intercept takes one from n. Where the best κ of a row is at an end of the grid, the grid grows for that row, and for
    /// no other: nothing that is left out may have a say in it.
    ///
    /// Of κ that are equally good the largest is taken: two rows, say, tell nothing of it.
    pub(super) fn likelihood(&self) -> Chosen {
        let (largest, least) = (self.largest(), self.spectrum.least_penalty());
        let (mut low, mut high) = grid(largest);
        let mut best = self.search(low..=high, &vec![true; self.u.len() + 1]);
        let at = |best: &[Best], end: i32| best.iter().map(|best| best.power == end).collect::<Vec<bool>>();
        while at(&best, high).contains(&true) && 2f64.powi(high) < NOTHING * largest {
            let higher = self.search(high + 1..=high + GROWTH, &at(&best, high));
            best.iter_mut().zip(higher).for_each(|(best, other)| best.or_higher(other, self.tie()));
            high += GROWTH;
        }
        while at(&best, low).contains(&true) && 2f64.powi(low - GROWTH) >= least && largest > 0.0 {
            let lower = self.search(low - GROWTH..=low - 1, &at(&best, low));
            best.iter_mut().zip(lower).for_each(|(best, other)| best.or_lower(other, self.tie()));
            low -= GROWTH;
        }
        let at_end = at(&best, low).contains(&true) || at(&best, high).contains(&true);
        let mut kappas: Vec<f64> = best.into_iter().map(|best| 2f64.powi(best.power)).collect();
        let all = kappas.pop().expect("one for all rows");
        Chosen { all, without: kappas, at_end }
    }

    /// −2 times the logarithm of the likelihood of all rows, at the best κ of the grid and but for a constant.
    pub(super) fn least(&self) -> f64 {
        let (low, high) = grid(self.largest());
        let mut open = vec![false; self.u.len()];
        open.push(true);
        self.search(low..=high, &open).pop().map_or(f64::INFINITY, |best| best.value)
    }

    /// The best of some powers of two for each row that is open, and for all rows, which are the last.
    fn search(&self, powers: RangeInclusive<i32>, open: &[bool]) -> Vec<Best> {
        let rows = self.u.len() as f64 - if self.share > 0.0 { 1.0 } else { 0.0 };
        let log = |sum: f64| sum.max(f64::MIN_POSITIVE).ln();
        let (all, squares) = (self.u.len(), self.u.dot(self.u));
        let mut best = vec![Best { value: f64::INFINITY, power: *powers.end() }; all + 1];
        let powers: Vec<i32> = powers.rev().collect();
        // A few at a time: n numbers for each.
        for few in powers.chunks(8) {
            let kappas: Vec<f64> = few.iter().map(|&power| 2f64.powi(power)).collect();
            for (&power, Level { kappa, errors, free, sum, .. }) in few.iter().zip(self.levels(&kappas)) {
                let determinant: f64 = self.spectrum.values.iter().map(|value| (value / kappa).ln_1p()).sum();
                let least = self.least_share(kappa);
                let value = |i: usize| match i == all {
                    true => rows * log(sum) + determinant,
                    false => {
                        let (u, e, d) = (self.u[i], errors[i], free[i]);
                        let left = (squares - u * u / (1.0 - self.share)).max(0.0);
                        (rows - 1.0) * log((sum - e * e / d).max(least * left)) + determinant + d.ln()
                    }
                };
                for i in (0..=all).filter(|&i| open[i]) {
                    best[i].or_lower(Best { value: value(i), power }, self.tie());
                }
            }
        }
        best
    }

    /// What the logarithm of a likelihood may differ by without meaning anything.
    fn tie(&self) -> f64 {
        1e-9 + 1e-12 * self.u.len() as f64
    }

    /// λ₁.
    fn largest(&self) -> f64 {
        self.spectrum.values.first().copied().unwrap_or(0.0)
    }

    /// κ/(λ₁+κ): at least so much of every square is left, with any row or without it.
    fn least_share(&self, kappa: f64) -> f64 {
        if kappa > 0.0 { kappa / (self.largest() + kappa) } else { 0.0 }
    }
}

/// The best κ so far, a power of two.
#[derive(Clone, Copy)]
struct Best {
    /// −2 times the logarithm of the likelihood.
    value: f64,
    power: i32,
}

impl Best {
    /// A lower κ has to be better.
    fn or_lower(&mut self, other: Self, tie: f64) {
        if other.value < self.value - tie {
            *self = other;
        }
    }

    /// A higher κ need not be worse.
    fn or_higher(&mut self, other: Self, tie: f64) {
        if other.value <= self.value + tie {
            *self = other;
        }
    }
}

/// The powers of two that the grid begins with: 2⁻²⁰ … 2¹⁰ without those that rounding would decide and those that are all
/// alike, and for features of another magnitude what is like it there.
fn grid(largest: f64) -> (i32, i32) {
    if largest <= 0.0 {
        return (LOWEST, HIGHEST);
    }
    let power = |share: f64| (share * largest).log2().ceil() as i32;
    let (least, like, most) = (power(ROUNDING), power(1.0), power(NOTHING));
    let low = if most < HIGHEST { LOWEST.min(like - HIGHEST + LOWEST) } else { LOWEST };
    let high = if least > LOWEST { HIGHEST.max(like) } else { HIGHEST };
    (low.max(least), high.min(most))
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
