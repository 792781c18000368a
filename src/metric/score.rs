//! Errors and widths: how far predictions miss, and what the intervals cost.

use ndarray::Array1;
use ndarray_stats::DeviationExt;

use super::interpolation::interpolated;
use crate::error::{Error, Result};
use crate::interval::Intervals;
use crate::quantile;

/// The root mean squared error of the predictions.
///
/// ```text
/// √( (1/m) Σ (yₜ − f(xₜ))² )
/// ```
///
/// # Errors
/// [`Error::Shape`] unless there is one target for each prediction, and at least one.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// use ndarray::array;
/// assert_eq!(rmse(&array![1.0, 2.0], &array![4.0, 6.0])?, 12.5_f64.sqrt());
/// # Ok::<(), jackknife::Error>(())
/// ```
pub fn rmse(y: &Array1<f64>, prediction: &Array1<f64>) -> Result<f64> {
    // ndarray broadcasts one target over many predictions; a metric must not.
    let shape = || Error::Shape {
        what: "targets and predictions (at least one)".into(),
        left: y.len(),
        right: prediction.len(),
    };
    if y.len() != prediction.len() {
        return Err(shape());
    }
    y.root_mean_sq_err(prediction).map_err(|_| shape())
}

impl Intervals {
    /// The median width; +∞ if half of the intervals are infinite, NaN without intervals.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
    /// let constant = LeaveOneOut::closed_form(&Ridge::new(0.01), &train)?.jackknife(test.x(), 0.1)?;
    /// assert!((constant.median_width() - constant.mean_width()).abs() < 1e-9);
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn median_width(&self) -> f64 {
        interpolated(&self.width().to_vec(), 0.5)
    }

    /// The mean interval score, also Winkler's: the width, and a fine for every target missed. Smaller is better.
    ///
    /// ```text
    /// (u − l) + (2/α)·(l − y)₊ + (2/α)·(y − u)₊        Winkler 1972; Gneiting & Raftery 2007, eq. 43
    /// ```
    ///
    /// for the interval [l, u], averaged over the rows. It is least, on average, for the true α/2 and 1 − α/2
    /// quantiles, so neither width nor coverage can be bought at the other's cost.
    ///
    /// # Errors
    /// [`Error::Shape`] unless there is one target for each interval, [`Error::Rows`] if there are none,
    /// [`Error::Level`] unless 0 < α < 1.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
    /// let loo = LeaveOneOut::closed_form(&Ridge::new(0.01), &train)?;
    /// let plus = loo.jackknife_plus(test.x(), 0.1)?;
    /// assert!(plus.interval_score(test.y())? > plus.mean_width()); // some targets are missed
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn interval_score(&self, y: &Array1<f64>) -> Result<f64> {
        let scores = self.interval_scores(y)?;
        Ok(scores.sum() / y.len() as f64)
    }

    /// The interval score of each row.
    pub(crate) fn interval_scores(&self, y: &Array1<f64>) -> Result<Array1<f64>> {
        quantile::check(self.alpha)?;
        self.errors(y)?;
        let fine = 2.0 / self.alpha;
        let scores = y.iter().zip(self.lower.iter().zip(&self.upper)).map(|(&y, (&lower, &upper))| {
            let missed = if y < lower { lower - y } else { (y - upper).max(0.0) };
            upper - lower + fine * missed
        });
        Ok(scores.collect())
    }
}
