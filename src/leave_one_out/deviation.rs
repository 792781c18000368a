//! How much a prediction moves when rows are left out: the infinitesimal jackknife's standard deviation.

use ndarray::{Array1, Array2};

use super::LeaveOneOut;
use super::blocks::not_finite;
use crate::error::Result;
use crate::sample::check_points;

impl LeaveOneOut {
    /// √( Σⱼ vⱼ(x)² ) at each row of `x`: the infinitesimal jackknife's standard deviation of the prediction.
    ///
    /// Where the models differ in their parameters only, vⱼ(x) is taken to first order in θ₋ⱼ − θ̂.
    ///
    /// # Errors
    /// As [`LeaveOneOut::predict`].
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let sample = cubic(100, Feature::Normal { deviation: 1.0 }, 1.0, 0)?;
    /// let loo = LeaveOneOut::closed_form(&Ridge::least_squares(), &sample)?;
    /// let deviation = loo.deviation(&ndarray::array![[0.0], [4.0]])?;
    /// assert!(deviation[1] > 2.0 * deviation[0]); // few observations out there
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn deviation(&self, x: &Array2<f64>) -> Result<Array1<f64>> {
        if let Some(models) = self.models.hybrid() {
            check_points(x, self.x.ncols())?;
            return finite(models.deviations(x.view()));
        }
        Ok(self.shifts_at_points(x, |_, shifts| squares(shifts).sqrt())?.into())
    }

    /// √( Σ_{j≠i} vⱼ(xᵢ)² ) at each training row: as [`LeaveOneOut::deviation`], but no row has a say in its own.
    ///
    /// # Errors
    /// As [`LeaveOneOut::predict`].
    pub fn left_out_deviations(&self) -> Result<Array1<f64>> {
        if let Some(models) = self.models.hybrid() {
            return finite(models.left_out_deviations());
        }
        let others = |i: usize, shifts: &[f64]| (squares(&shifts[..i]) + squares(&shifts[i + 1..])).sqrt();
        Ok(self.shifts_at_points(self.x(), others)?.into())
    }
}

/// Refuses deviations that are not numbers.
fn finite(deviations: Array1<f64>) -> Result<Array1<f64>> {
    match deviations.iter().all(|deviation| deviation.is_finite()) {
        true => Ok(deviations),
        false => Err(not_finite()),
    }
}

/// Σⱼ vⱼ².
fn squares(shifts: &[f64]) -> f64 {
    shifts.iter().map(|v| v * v).sum()
}
