//! The jackknife-minmax: from the lowest to the highest left-out prediction, and the residuals beyond.

use ndarray::Array2;

use super::{Guarantee, Recipe};
use crate::error::Result;
use crate::leave_one_out::{Engine, LeaveOneOut};
use crate::quantile;

/// [ minᵢ f₋ᵢ(x) − Q⁺(R), maxᵢ f₋ᵢ(x) + Q⁺(R) ].
pub(super) struct Minmax;

impl Recipe for Minmax {
    fn name(&self) -> &str {
        "minmax"
    }

    fn ends(&self, loo: &LeaveOneOut, x: &Array2<f64>, alpha: f64) -> Result<Vec<(f64, f64)>> {
        let half = quantile::upper(&loo.residuals(), alpha)?;
        loo.at_points(x, |_, _, without| {
            let (low, high) =
                without.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &f| (l.min(f), h.max(f)));
            (low - half, high + half)
        })
    }

    fn guarantee(&self, loo: &LeaveOneOut, alpha: f64) -> Guarantee {
        match loo.engine() {
            // Proven for models that lack one row each.
            Engine::Folds(_) | Engine::TangentFolds(_) => Guarantee::None,
            _ => Guarantee::with_models(loo, 1.0 - alpha),
        }
    }
}
