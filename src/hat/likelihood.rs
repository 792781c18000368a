//! Which κ each row is left out with, by marginal likelihood.

use std::collections::BTreeSet;
use std::ops::{Range, RangeInclusive};

use ndarray::{Array2, ArrayView2, s};

use super::level::{Facts, Target};

/// The grid of κ: 2⁻²⁰ … 2¹⁰.
const LOWEST: i32 = -20;
const HIGHEST: i32 = 10;
/// How much the grid grows at a time where its best κ is at its end.
const GROWTH: i32 = 10;
/// Above this multiple of the largest eigenvalue the features explain nothing, and every κ is alike.
const NOTHING: f64 = 1_048_576.0;
/// Below this share of the largest eigenvalue rounding decides everything.
const ROUNDING: f64 = 1e-14;

impl Target<'_> {
    /// The κ of all rows and that of each row left out, by marginal likelihood, and what the κ around that of all rows give.
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
    pub(super) fn likelihood(&self) -> (Chosen, Facts) {
        let (all, is_all_at_end) = self.of_all();
        let mut facts = None;
        let (best, at_end) = self.grown(self.u.len(), |powers, open| {
            // The first search is of the whole grid, and most rows will have a κ beside that of all rows.
            let around = if facts.is_none() { all.power - 1..=all.power + 1 } else { RangeInclusive::new(1, 0) };
            let (found, some) = self.search(powers, open, around);
            facts.get_or_insert(some);
            found
        });
        let without = best.into_iter().map(|best| 2f64.powi(best.power)).collect();
        let facts = facts.expect("the grid is searched at least once");
        (Chosen { all: 2f64.powi(all.power), without, at_end: at_end || is_all_at_end }, facts)
    }

    /// −2 times the logarithm of the likelihood of all rows, at the best κ of the grid and but for a constant.
    pub(super) fn least(&self) -> f64 {
        let (low, high) = grid(self.largest());
        self.search_all(low..=high).value
    }

    /// The best κ of all rows, and whether it is at the end of its grid: the rows are not asked one by one.
    pub(super) fn of_all(&self) -> (Best, bool) {
        let (best, at_end) = self.grown(1, |powers, _| vec![self.search_all(powers)]);
        (best[0], at_end)
    }

    /// The best of the grid for each of some, by a search among some powers of two for those that are open.
    fn grown(
        &self,
        count: usize,
        mut search: impl FnMut(RangeInclusive<i32>, &[bool]) -> Vec<Best>,
    ) -> (Vec<Best>, bool) {
        let (largest, least) = (self.largest(), self.spectrum.least_penalty());
        let (mut low, mut high) = grid(largest);
        let mut best = search(low..=high, &vec![true; count]);
        let at = |best: &[Best], end: i32| best.iter().map(|best| best.power == end).collect::<Vec<bool>>();
        while at(&best, high).contains(&true) && 2f64.powi(high) < NOTHING * largest {
            let higher = search(high + 1..=high + GROWTH, &at(&best, high));
            best.iter_mut().zip(higher).for_each(|(best, other)| best.or_higher(other, self.tie()));
            high += GROWTH;
        }
        while at(&best, low).contains(&true) && 2f64.powi(low - GROWTH) >= least && largest > 0.0 {
            let lower = search(low - GROWTH..=low - 1, &at(&best, low));
            best.iter_mut().zip(lower).for_each(|(best, other)| best.or_lower(other, self.tie()));
            low -= GROWTH;
        }
        let at_end = at(&best, low).contains(&true) || at(&best, high).contains(&true);
        (best, at_end)
    }

    /// The best of some powers of two for all rows.
    fn search_all(&self, powers: RangeInclusive<i32>) -> Best {
        let mut best = Best { value: f64::INFINITY, power: *powers.end() };
        for power in powers.rev() {
            let kappa = 2f64.powi(power);
            let sum = self.sum(&self.spectrum.inverse(kappa), kappa);
            best.or_lower(Best { value: self.rows() * log(sum) + self.determinant(kappa), power }, self.tie());
        }
        best
    }

    /// The best of some powers of two for each row that is open, and what those around some κ give.
    fn search(&self, powers: RangeInclusive<i32>, open: &[bool], around: RangeInclusive<i32>) -> (Vec<Best>, Facts) {
        let worst = Best { value: f64::INFINITY, power: *powers.end() };
        let powers: Vec<i32> = powers.rev().collect();
        let kappas: Vec<f64> = powers.iter().map(|&power| 2f64.powi(power)).collect();
        let whole: Vec<(f64, f64, f64)> = kappas
            .iter()
            .map(|&kappa| {
                let sum = self.sum(&self.spectrum.inverse(kappa), kappa);
                (sum, self.determinant(kappa), self.least_share(kappa))
            })
            .collect();
        let remembered: Vec<usize> = (0..powers.len()).filter(|&k| around.contains(&powers[k])).collect();
        let (weights, rows, squares) = (self.weights(&kappas), self.rows(), self.u.dot(self.u));
        let found = |range: Range<usize>, block: ArrayView2<f64>| {
            let (errors, free) = self.facts(&weights, range.start, block);
            let best = |(row, i): (usize, usize)| {
                let mut best = worst;
                let u = self.u[i];
                let left = (squares - u * u / (1.0 - self.share)).max(0.0);
                for (k, &(sum, determinant, least)) in whole.iter().enumerate().filter(|_| open[i]) {
                    let (e, d) = (errors[[row, k]], free[[row, k]]);
                    let value = (rows - 1.0) * log((sum - e * e / d).max(least * left)) + determinant + d.ln();
                    best.or_lower(Best { value, power: powers[k] }, self.tie());
                }
                best
            };
            let best: Vec<Best> = range.clone().enumerate().map(best).collect();
            let columns = |all: Array2<f64>| all.select(ndarray::Axis(1), &remembered);
            (range, best, columns(errors), columns(free))
        };
        let has_open = |range: &Range<usize>| range.clone().any(|i| open[i]);
        let mut best = vec![worst; self.u.len()];
        let shape = (self.u.len(), remembered.len());
        let (mut errors, mut free) = (Array2::zeros(shape), Array2::zeros(shape));
        for (range, some, some_errors, some_free) in self.spectrum.of_blocks(self.source, has_open, found) {
            best[range.clone()].copy_from_slice(&some);
            errors.slice_mut(s![range.clone(), ..]).assign(&some_errors);
            free.slice_mut(s![range, ..]).assign(&some_free);
        }
        (best, Facts { kappas: remembered.iter().map(|&k| kappas[k]).collect(), errors, free })
    }

    /// n, without the one that a free intercept takes.
    fn rows(&self) -> f64 {
        self.u.len() as f64 - if self.share > 0.0 { 1.0 } else { 0.0 }
    }

    /// Σₖ ln(1+λₖ/κ).
    fn determinant(&self, kappa: f64) -> f64 {
        self.spectrum.values.iter().map(|value| (value / kappa).ln_1p()).sum()
    }

    /// What the logarithm of a likelihood may differ by without meaning anything.
    fn tie(&self) -> f64 {
        1e-9 + 1e-12 * self.u.len() as f64
    }
}

fn log(sum: f64) -> f64 {
    sum.max(f64::MIN_POSITIVE).ln()
}

/// The best κ so far, a power of two.
#[derive(Clone, Copy)]
pub(super) struct Best {
    /// −2 times the logarithm of the likelihood.
    pub(super) value: f64,
    pub(super) power: i32,
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
