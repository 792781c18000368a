//! The ridge at one κ.

use ndarray::{Array1, Array2, ArrayView2, s};

use super::source::Source;
use super::spectrum::Spectrum;

/// What one κ gives.
pub(super) struct Level {
    pub(super) kappa: f64,
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
    pub(super) source: Source<'a>,
    pub(super) u: &'a Array1<f64>,
    /// Aᵀu.
    pub(super) axes: Array1<f64>,
    /// 1/n with a free intercept, else 0.
    pub(super) share: f64,
}

/// What some κ give at every row: eᵢ and dᵢ, rows × κ.
pub(super) struct Facts {
    pub(super) kappas: Vec<f64>,
    pub(super) errors: Array2<f64>,
    pub(super) free: Array2<f64>,
}

/// The κ of a pass over the rows, in the axes.
pub(super) struct Weights {
    pub(super) kappas: Vec<f64>,
    /// ω and the vectors that make errors of the rows, axes × κ.
    squares: Array2<f64>,
    vectors: Array2<f64>,
}

impl<'a> Target<'a> {
    pub(super) fn new(spectrum: &'a Spectrum, source: Source<'a>, u: &'a Array1<f64>, share: f64) -> Self {
        Self { spectrum, source, u, axes: spectrum.onto_axes(source, u), share }
    }

    /// What a pass over the rows needs of each κ.
    pub(super) fn weights(&self, kappas: &[f64]) -> Weights {
        let shape = (self.axes.len(), kappas.len());
        let (mut squares, mut vectors) = (Array2::zeros(shape), Array2::zeros(shape));
        for (k, &kappa) in kappas.iter().enumerate() {
            // In the dual 1 − h and e come without a difference: κΣQ²/(λ+κ), κΣQt/(λ+κ).
            let inverse = self.spectrum.inverse(kappa) * if self.spectrum.is_dual() { kappa } else { 1.0 };
            vectors.column_mut(k).assign(&(&inverse * &self.axes));
            squares.column_mut(k).assign(&inverse);
        }
        Weights { kappas: kappas.to_vec(), squares, vectors }
    }

    /// eᵢ and dᵢ of a block of rows in the axes, rows × κ; `start` is the first of them.
    pub(super) fn facts(&self, weights: &Weights, start: usize, block: ArrayView2<f64>) -> (Array2<f64>, Array2<f64>) {
        let is_dual = self.spectrum.is_dual();
        let (mut errors, mut free) = (block.dot(&weights.vectors), block.mapv(|a| a * a).dot(&weights.squares));
        let u = self.u.slice(s![start..start + block.nrows()]);
        if !is_dual {
            errors.rows_mut().into_iter().zip(u).for_each(|(mut row, u)| row.mapv_inplace(|fitted| u - fitted));
        }
        for (mut column, &kappa) in free.columns_mut().into_iter().zip(&weights.kappas) {
            // No row is less free than this, whatever rounding makes of the difference.
            let least = ((1.0 - self.share) * self.least_share(kappa)).max(f64::EPSILON * f64::EPSILON);
            column.mapv_inplace(|own| {
                let free = if is_dual { own - self.share } else { 1.0 - self.share - own };
                free.clamp(least, 1.0)
            });
        }
        (errors, free)
    }

    /// eᵢ and dᵢ of all rows.
    pub(super) fn all_facts(&self, kappas: &[f64]) -> Facts {
        let weights = self.weights(kappas);
        let shape = (self.u.len(), kappas.len());
        let (mut errors, mut free) = (Array2::zeros(shape), Array2::zeros(shape));
        let facts = |rows: std::ops::Range<usize>, block: ArrayView2<f64>| {
            (rows.clone(), self.facts(&weights, rows.start, block))
        };
        for (rows, (some_errors, some_free)) in self.spectrum.of_blocks(self.source, |_| true, facts) {
            errors.slice_mut(s![rows.clone(), ..]).assign(&some_errors);
            free.slice_mut(s![rows, ..]).assign(&some_free);
        }
        Facts { kappas: kappas.to_vec(), errors, free }
    }

    /// The ridge at each κ; what is already known of the rows is not made again.
    pub(super) fn levels(&self, kappas: &[f64], known: Option<&Facts>) -> Vec<Level> {
        let column = |facts: &Facts, kappa: f64| facts.kappas.iter().position(|&other| other == kappa);
        let is_known = |kappa: f64| known.is_some_and(|known| column(known, kappa).is_some());
        let unknown: Vec<f64> = kappas.iter().copied().filter(|&kappa| !is_known(kappa)).collect();
        let made = (!unknown.is_empty()).then(|| self.all_facts(&unknown));
        let level = |&kappa: &f64| {
            let facts = [known, made.as_ref()].into_iter().flatten();
            let (facts, k) = facts
                .filter_map(|facts| Some((facts, column(facts, kappa)?)))
                .next()
                .expect("what was not known was made");
            let inverse = self.spectrum.inverse(kappa);
            Level {
                kappa,
                sum: self.sum(&inverse, kappa),
                fit: inverse * &self.axes,
                errors: facts.errors.column(k).to_owned(),
                free: facts.free.column(k).to_owned(),
            }
        };
        kappas.iter().map(level).collect()
    }

    /// uᵀe, which is at least κ‖θ‖² whatever rounding makes of it.
    pub(super) fn sum(&self, inverse: &Array1<f64>, kappa: f64) -> f64 {
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

    /// λ₁.
    pub(super) fn largest(&self) -> f64 {
        self.spectrum.values.first().copied().unwrap_or(0.0)
    }

    /// κ/(λ₁+κ): at least so much of every square is left, with any row or without it.
    pub(super) fn least_share(&self, kappa: f64) -> f64 {
        if kappa > 0.0 { kappa / (self.largest() + kappa) } else { 0.0 }
    }
}
