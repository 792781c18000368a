//! Σⱼ vⱼ(x)² of linear shifts, without the shifts.
//!
//! ```text
//! vⱼ(x) = wⱼcⱼ(x) − g      B = Σ wⱼ²JⱼJⱼᵀ   s = Σ wⱼJⱼ   z = A⁻¹J(x)      Σ vⱼ² = zᵀBz − 2g(z·s) + ng²
//! ```
//!
//! In the dual the cⱼ(x) are there anyway, and are added up.

use ndarray::{Array1, Array2, ArrayView2, Axis, s};

use super::{Hybrid, Side, row_products};
use crate::factor::{gram, product};

/// B and s, of the primal.
pub(super) struct Squares {
    matrix: Array2<f64>,
    sum: Array1<f64>,
}

impl Hybrid {
    /// √(Σⱼ vⱼ(x)²) at each point, in units of the target.
    pub(crate) fn deviations(&self, x: ArrayView2<f64>) -> Array1<f64> {
        self.sums(x).mapv(|sum| self.unit * sum.max(0.0).sqrt())
    }

    /// √(Σ_{j≠i} vⱼ(xᵢ)²) at each training row: that without vᵢ(xᵢ) = wᵢhᵢ − tᵢ.
    pub(crate) fn left_out_deviations(&self) -> Array1<f64> {
        let others = self.sums(self.x.view()) - &self.own.mapv(|own| own * own);
        others.mapv(|sum| self.unit * sum.max(0.0).sqrt())
    }

    fn sums(&self, x: ArrayView2<f64>) -> Array1<f64> {
        let mut all = Array1::zeros(x.nrows());
        for start in (0..x.nrows()).step_by(self.block()) {
            let rows = start..(start + self.block()).min(x.nrows());
            let part = self.sums_of_block(x.slice(s![rows.clone(), ..]));
            all.slice_mut(s![rows]).assign(&part);
        }
        all
    }

    fn sums_of_block(&self, x: ArrayView2<f64>) -> Array1<f64> {
        let points = self.points(x);
        let g = &points.common;
        match &self.side {
            Side::Dual(_) => {
                let shifts = &points.turned * &self.weights - g.view().insert_axis(Axis(1));
                shifts.map_axis(Axis(1), |row| row.dot(&row))
            }
            Side::Primal(_) => {
                let Squares { matrix, sum } = self.squares.get_or_init(|| self.squares());
                let turned = &points.turned;
                let squares = row_products(&product(turned.view(), matrix.view()), turned);
                squares - g * &(turned.dot(sum) * 2.0) + g * g * self.weights.len() as f64
            }
        }
    }

    fn squares(&self) -> Squares {
        let (n, p) = (self.x.nrows(), self.common.len());
        let (mut matrix, mut sum) = (Array2::zeros((p, p)), Array1::zeros(p));
        // As many rows as there are parameters: adding a Gram matrix costs less than making it.
        let step = self.block().max(p.min(2048));
        for start in (0..n).step_by(step) {
            let rows = start..(start + step).min(n);
            let mut jacobian = self.derivatives.features(self.x.slice(s![rows.clone(), ..]));
            jacobian *= &self.weights.slice(s![rows]).insert_axis(Axis(1));
            sum += &jacobian.sum_axis(Axis(0));
            matrix += &gram(jacobian.view());
        }
        Squares { matrix, sum }
    }
}
