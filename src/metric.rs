//! What intervals and predictions are worth.

use ndarray::Array1;
use ndarray_stats::DeviationExt;

use crate::error::{Error, Result};
use crate::interval::Intervals;

/// The root mean squared error of the predictions.
///
/// ```text
/// √( (1/m) Σ (yₜ − f(xₜ))² )
/// ```
///
/// # Errors
/// [`Error::Shape`] unless there is one target for each prediction.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// use ndarray::array;
/// assert_eq!(rmse(&array![1.0, 2.0], &array![4.0, 6.0])?, 12.5_f64.sqrt());
/// # Ok::<(), jackknife::Error>(())
/// ```
pub fn rmse(y: &Array1<f64>, prediction: &Array1<f64>) -> Result<f64> {
    y.root_mean_sq_err(prediction).map_err(|_| Error::Shape {
        what: "targets and predictions (at least one)".into(),
        left: y.len(),
        right: prediction.len(),
    })
}

/// How well a score ranks the positives first: the area under the precision–recall steps.
///
/// ```text
/// AP = Σₖ (recallₖ − recallₖ₋₁)·precisionₖ      over the distinct scores in falling order
/// ```
///
/// Ties are taken together, as scikit-learn does. A random ranking has about the share of positives, its *prevalence*.
///
/// # Errors
/// [`Error::Shape`] unless there is one label for each score, [`Error::Table`] if no label is positive,
/// [`Error::NotFinite`] for a score that is not a number.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// use ndarray::array;
/// // The example of scikit-learn's documentation.
/// let precision = average_precision(&[false, false, true, true], &array![0.1, 0.4, 0.35, 0.8])?;
/// assert!((precision - 5.0 / 6.0).abs() < 1e-15);
/// # Ok::<(), jackknife::Error>(())
/// ```
pub fn average_precision(positive: &[bool], score: &Array1<f64>) -> Result<f64> {
    if positive.len() != score.len() {
        return Err(Error::Shape { what: "labels and scores".into(), left: positive.len(), right: score.len() });
    }
    if score.iter().any(|score| score.is_nan()) {
        return Err(Error::NotFinite { what: "a score".into(), advice: "leave such points out" });
    }
    let total = positive.iter().filter(|&&positive| positive).count();
    if total == 0 {
        return Err(Error::Table("no label is positive: average precision needs one at least".into()));
    }
    let mut order: Vec<usize> = (0..score.len()).collect();
    order.sort_by(|&a, &b| score[b].total_cmp(&score[a]));
    let (mut hits, mut seen, mut sum) = (0, 0, 0.0);
    for tied in order.chunk_by(|&a, &b| score[a] == score[b]) {
        let new = tied.iter().filter(|&&k| positive[k]).count();
        hits += new;
        seen += tied.len();
        sum += new as f64 / total as f64 * hits as f64 / seen as f64;
    }
    Ok(sum)
}

impl Intervals {
    /// How well the width tells large errors from small ones: the average precision of "the error exceeds the 90 %
    /// quantile of all errors", ranked by width. Raw, never folded; chance is about 0.1.
    ///
    /// # Errors
    /// [`Error::Shape`] unless there is one target for each interval.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
    /// let loo = LeaveOneOut::closed_form(&Ridge::new(0.01), &train)?;
    /// // Intervals of constant width cannot discriminate: precision is the prevalence.
    /// assert!((loo.jackknife(test.x(), 0.1)?.discrimination(test.y())? - 7.0 / 62.0).abs() < 1e-9);
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn discrimination(&self, y: &Array1<f64>) -> Result<f64> {
        self.covers(y)?;
        let errors = (y - &self.prediction).mapv(f64::abs);
        let mut sorted = errors.to_vec();
        sorted.sort_by(f64::total_cmp);
        // The errors above the linearly interpolated 90 % quantile, numpy's and the paper's threshold.
        let place = 0.9 * (sorted.len() - 1) as f64;
        let (below, part) = (place.floor() as usize, place.fract());
        let above = sorted[(below + 1).min(sorted.len() - 1)];
        let threshold = sorted[below] + part * (above - sorted[below]);
        let positive: Vec<bool> = errors.iter().map(|&error| error > threshold).collect();
        average_precision(&positive, &self.width())
    }
}
