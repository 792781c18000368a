//! The numbers of one method, by their names.

use crate::metric::{Coverage, Discrimination, Slice};

/// The numbers of one method, over rows: a row that is tested several times is one row, and so are copies of a row.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Summary {
    /// The share of rows that are covered, with its 95 % interval.
    pub coverage: Coverage,
    /// The mean width.
    pub width: Mean,
    /// The median width.
    pub width_median: f64,
    /// How well the width, relative to the median of its split, finds the largest tenth of the errors; `None` if no error
    /// stands out.
    pub discrimination: Option<Discrimination>,
    /// The mean interval score.
    pub interval_score: Mean,
    /// The root mean squared error of the predictions.
    pub rmse: Mean,
    /// Of a split, without the training that all methods share.
    pub seconds: f64,
    /// The coverage from the narrowest to the widest fifth, by width relative to the median of the split.
    pub by_width: Vec<Slice>,
}

/// A mean with its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The mean.
    pub value: f64,
    /// Its standard error: the deviation of what it is a mean of, divided by the root of their number; 0 of a single one.
    pub error: f64,
}

impl Mean {
    pub(crate) fn of(values: impl Iterator<Item = f64>) -> Option<Self> {
        Self::of_all(values.collect())
    }

    fn of_all(values: ndarray::Array1<f64>) -> Option<Self> {
        let value = values.mean()?;
        let error = if values.len() > 1 { values.std(1.0) / (values.len() as f64).sqrt() } else { 0.0 };
        // The deviation of infinite widths is no number.
        Some(Self { value, error: if error.is_finite() { error } else { 0.0 } })
    }
}
