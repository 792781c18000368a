//! Asking the n models at many points: in blocks, never as one n × m matrix.

use ndarray::{Array2, ArrayView2, s};
use rayon::prelude::*;

use super::LeaveOneOut;
use crate::error::{Error, Result};
use crate::sample::check_points;

impl LeaveOneOut {
    /// Calls `f(t, f(x), [f₋ᵢ(x)]ᵢ)` at every point x, the t-th row, in blocks of points: memory O(n · block).
    ///
    /// The blocks depend on the sizes only, so the numbers are the same on any number of threads. This is what rules are
    /// made of: see [`Recipe`](crate::interval::Recipe).
    ///
    /// # Errors
    /// As [`LeaveOneOut::predict`]; [`Error::NotFinite`] if a model answers what is not a number.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
    /// let loo = LeaveOneOut::closed_form(&Ridge::new(0.01), &train)?;
    /// let lowest = loo.at_points(test.x(), |_, _, without| without.iter().copied().fold(f64::INFINITY, f64::min))?;
    /// assert_eq!(lowest.len(), 62);
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn at_points<T: Send>(&self, x: &Array2<f64>, f: impl Fn(usize, f64, &[f64]) -> T + Sync) -> Result<Vec<T>> {
        let prediction = self.predict(x)?;
        self.in_blocks(x, |x| self.models.without(x), |t, row| f(t, prediction[t], row))
    }

    /// Calls `f(t, [vᵢ(x)]ᵢ)` at every point x, the t-th row, with the shifts vᵢ to first order.
    pub(crate) fn shifts_at_points<T: Send>(
        &self,
        x: &Array2<f64>,
        f: impl Fn(usize, &[f64]) -> T + Sync,
    ) -> Result<Vec<T>> {
        check_points(x, self.x.ncols())?;
        self.in_blocks(x, |x| self.models.shifts(x), f)
    }

    fn in_blocks<T: Send>(
        &self,
        x: &Array2<f64>,
        rows: impl Fn(ArrayView2<f64>) -> Result<Array2<f64>> + Sync,
        f: impl Fn(usize, &[f64]) -> T + Sync,
    ) -> Result<Vec<T>> {
        let block = x.nrows().div_ceil(8).clamp(16, 256).min((1 << 23) / self.len() + 1);
        let starts: Vec<usize> = (0..x.nrows()).step_by(block).collect();
        let blocks: Result<Vec<Vec<T>>> = starts
            .into_par_iter()
            .map(|start| {
                let end = (start + block).min(x.nrows());
                let without = rows(x.slice(s![start..end, ..]))?;
                if !without.sum().is_finite() {
                    return Err(not_finite());
                }
                let rows = without.as_slice().expect("standard layout").chunks(self.len());
                Ok((start..end).zip(rows).map(|(t, row)| f(t, row)).collect())
            })
            .collect();
        Ok(blocks?.into_iter().flatten().collect())
    }
}

/// A model that answers what is not a number.
pub(super) fn not_finite() -> Error {
    Error::NotFinite {
        what: "a prediction of a leave-one-out model".into(),
        advice: "look for points far outside the training rows, or models that did not converge",
    }
}
