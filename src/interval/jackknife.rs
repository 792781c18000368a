//! The paper's naive jackknife: f(x) ± Q⁺(R), the same width everywhere.

use ndarray::Array2;

use super::Recipe;
use super::naive::constant;
use crate::error::Result;
use crate::leave_one_out::LeaveOneOut;

/// f(x) ± Q⁺(R).
pub(super) struct Jackknife;

impl Recipe for Jackknife {
    fn name(&self) -> &str {
        "jackknife"
    }

    fn ends(&self, loo: &LeaveOneOut, x: &Array2<f64>, alpha: f64) -> Result<Vec<(f64, f64)>> {
        constant(&loo.predict(x)?, &loo.residuals(), alpha)
    }
}
