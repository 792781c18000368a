//! The precision–recall curve.

use std::fmt;

use ndarray::Array1;

use super::ranking::Ranking;
use crate::error::Result;

/// Precision and recall at every threshold of a score, in scikit-learn's order.
///
/// ```text
/// precisionₖ = TP/(TP + FP),   recallₖ = TP/P      counting as positive what scores at least thresholdₖ
/// ```
///
/// The k distinct scores are the thresholds, rising; precision and recall have one value more, the last ones 1 and 0,
/// where nothing counts as positive. The average precision is the area under its steps.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// use ndarray::array;
/// // The example of scikit-learn's documentation.
/// let curve = PrecisionRecall::from_scores(&[false, false, true, true], &array![0.1, 0.4, 0.35, 0.8])?;
/// assert_eq!(curve.precision, array![0.5, 2.0 / 3.0, 0.5, 1.0, 1.0]);
/// assert_eq!(curve.recall, array![1.0, 1.0, 0.5, 0.5, 0.0]);
/// assert_eq!(curve.threshold, array![0.1, 0.35, 0.4, 0.8]);
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct PrecisionRecall {
    /// The share of positives among what scores at least the threshold; the last is 1.
    pub precision: Array1<f64>,
    /// The share of the positives that score at least the threshold; falling, the last is 0.
    pub recall: Array1<f64>,
    /// The distinct scores, rising; one value fewer than the others have.
    pub threshold: Array1<f64>,
}

impl PrecisionRecall {
    /// The curve of a score.
    ///
    /// # Errors
    /// As [`average_precision`](super::average_precision).
    pub fn from_scores(positive: &[bool], score: &Array1<f64>) -> Result<Self> {
        let ranking = Ranking::new(positive, score)?;
        ranking.check_positives()?;
        let (total, _) = ranking.totals();
        let (mut precision, mut recall, mut threshold) = (vec![1.0], vec![0.0], Vec::new());
        let (mut hits, mut seen) = (0, 0);
        for tie in &ranking.ties {
            hits += tie.positives;
            seen += tie.positives + tie.negatives;
            precision.push(hits as f64 / seen as f64);
            recall.push(hits as f64 / total as f64);
            threshold.push(tie.score);
        }
        for values in [&mut precision, &mut recall, &mut threshold] {
            values.reverse();
        }
        Ok(Self { precision: precision.into(), recall: recall.into(), threshold: threshold.into() })
    }

    /// The area under the steps of the curve: Σₖ (recallₖ − recallₖ₊₁)·precisionₖ, thresholds rising.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// use ndarray::array;
    /// let (positive, score) = ([true, false, true], array![0.9, 0.5, 0.5]);
    /// let curve = PrecisionRecall::from_scores(&positive, &score)?;
    /// assert!((curve.average_precision() - average_precision(&positive, &score)?).abs() < 1e-15);
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn average_precision(&self) -> f64 {
        let steps = self.recall.windows(2).into_iter().map(|pair| pair[0] - pair[1]);
        steps.zip(&self.precision).map(|(step, precision)| step * precision).sum()
    }
}

impl fmt::Debug for PrecisionRecall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (area, thresholds) = (self.average_precision(), self.threshold.len());
        write!(f, "precision and recall at {thresholds} thresholds, average precision {area:.4}")
    }
}
