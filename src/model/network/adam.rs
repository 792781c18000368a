//! Adam (Kingma & Ba 2015).

use ndarray::{Array, Dimension, Zip};

/// Adam at one step.
///
/// ```text
/// g ← g + λw,   m ← m + (1 − β₁)(g − m),   v ← v + (1 − β₂)(g² − v)
/// w ← w − rate/(1 − β₁ᵗ) · m/( √(v/(1 − β₂ᵗ)) + 10⁻⁸ )
/// ```
pub(crate) struct Adam {
    step: f64,
    correction: f64,
    l2: f64,
}

/// What Adam remembers of an array of weights: the running means of g and of g².
pub(crate) struct Moments<D> {
    first: Array<f64, D>,
    second: Array<f64, D>,
}

impl<D: Dimension> Moments<D> {
    /// Those of weights that have not moved.
    pub(crate) fn of(weights: &Array<f64, D>) -> Self {
        Self { first: Array::zeros(weights.raw_dim()), second: Array::zeros(weights.raw_dim()) }
    }
}

impl Adam {
    const BETA1: f64 = 0.9;
    const BETA2: f64 = 0.999;
    const EPSILON: f64 = 1e-8;

    /// The update at the given step, counted from 1; `l2` is λ.
    pub(crate) fn at(steps: i32, rate: f64, l2: f64) -> Self {
        let correction = 1.0 / (1.0 - Self::BETA2.powi(steps)).sqrt();
        Self { step: rate / (1.0 - Self::BETA1.powi(steps)), correction, l2 }
    }

    /// Moves the weights, given the gradient.
    pub(crate) fn update<D: Dimension>(
        &self,
        weights: &mut Array<f64, D>,
        gradient: &Array<f64, D>,
        moments: &mut Moments<D>,
    ) {
        let Moments { first, second } = moments;
        Zip::from(weights).and(gradient).and(first).and(second).for_each(|w, g, m, v| {
            let g = g + self.l2 * *w;
            *m += (1.0 - Self::BETA1) * (g - *m);
            *v += (1.0 - Self::BETA2) * (g * g - *v);
            *w -= self.step * *m / (v.sqrt() * self.correction + Self::EPSILON);
        });
    }
}
