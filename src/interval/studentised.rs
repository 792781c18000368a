//! The studentised jackknife+ (draft).
use ndarray::{Array1, Array2};

use super::Ranks;
use crate::error::Result;
use crate::leave_one_out::LeaveOneOut;

impl LeaveOneOut {
    pub(super) fn studentise(&self, _x: &Array2<f64>, alpha: f64) -> Result<Vec<(f64, f64)>> {
        let _ = (Ranks::new(self.len(), alpha)?, Array1::<f64>::zeros(1));
        todo!()
    }
}
