//! The jackknife+: each left-out model with its own residual.

use ndarray::Array2;

use super::{Guarantee, Recipe};
use crate::error::Result;
use crate::leave_one_out::{Engine, LeaveOneOut};
use crate::quantile::Ranks;

/// [ Q⁻{f₋ᵢ(x) − rᵢ}, Q⁺{f₋ᵢ(x) + rᵢ} ].
pub(super) struct Plus;

impl Recipe for Plus {
    fn name(&self) -> &str {
        "jackknife+"
    }

    fn ends(&self, loo: &LeaveOneOut, x: &Array2<f64>, alpha: f64) -> Result<Vec<(f64, f64)>> {
        loo.ends(x, &loo.residuals().to_vec(), None, Ranks::new(loo.len(), alpha)?)
    }

    fn guarantee(&self, loo: &LeaveOneOut, alpha: f64) -> Guarantee {
        bound(loo, alpha)
    }
}

/// What is proven of the rules that take order statistics of what each row says: 1 − 2α, a little less for folds.
pub(super) fn bound(loo: &LeaveOneOut, alpha: f64) -> Guarantee {
    let plus = (1.0 - 2.0 * alpha).max(0.0);
    let level = match loo.engine() {
        // Barber et al. (2021), Theorem 4; the folds are of nearly equal size.
        Engine::Folds(folds) | Engine::TangentFolds(folds) => {
            let (k, n) = (folds as f64, loo.len() as f64);
            let loss = (2.0 * (1.0 - 1.0 / k) / (n / k + 1.0)).min((1.0 - k / n) / (k + 1.0));
            (plus - loss).max(0.0)
        }
        _ => plus,
    };
    Guarantee::with_models(loo, level)
}
