//! The numbers of one method, by their names.

use super::table::{Mean, Row};
use crate::metric::{Coverage, Discrimination};

impl Row {
    /// Every number of the row, by its name.
    pub fn summary(&self) -> Summary {
        let precision = |d: &Discrimination| d.average_precision;
        let ranked = |get: fn(&Discrimination) -> f64| self.mean(|run| run.discrimination.as_ref().map(get));
        Summary {
            coverage: self.coverage().ok(),
            width: self.mean(|run| Some(run.width)),
            width_median: self.mean(|run| Some(run.width_median)),
            average_precision: ranked(precision),
            prevalence: ranked(|d| d.prevalence),
            auroc: ranked(|d| d.auroc),
            interval_score: self.mean(|run| Some(run.interval_score)),
            rmse: self.mean(|run| Some(run.rmse)),
            seconds: self.seconds(),
        }
    }
}

/// The numbers of one method: means over the splits, each with its standard error; `None` where no split has it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Summary {
    /// Over the test rows of all splits.
    pub coverage: Option<Coverage>,
    /// The mean width.
    pub width: Option<Mean>,
    /// The median width.
    pub width_median: Option<Mean>,
    /// With which the width finds the largest tenth of the errors.
    pub average_precision: Option<Mean>,
    /// The share of these errors.
    pub prevalence: Option<Mean>,
    /// The area under the ROC curve of the same ranking.
    pub auroc: Option<Mean>,
    /// The mean interval score.
    pub interval_score: Option<Mean>,
    /// The root mean squared error of the predictions.
    pub rmse: Option<Mean>,
    /// Of a split, without the training that all methods share.
    pub seconds: Option<Mean>,
}

impl Summary {
    /// The numbers in the order of [`AuditTable::COLUMNS`](super::AuditTable::COLUMNS), without the names that stand first; NaN where there is none.
    pub(super) fn cells(&self) -> [f64; 11] {
        let coverage = |get: fn(&Coverage) -> f64| self.coverage.as_ref().map_or(f64::NAN, get);
        let mean = |mean: Option<Mean>| mean.map_or(f64::NAN, |mean| mean.value);
        [
            coverage(|coverage| coverage.rate),
            coverage(|coverage| coverage.low),
            coverage(|coverage| coverage.high),
            mean(self.width),
            mean(self.width_median),
            mean(self.average_precision),
            mean(self.prevalence),
            mean(self.auroc),
            mean(self.interval_score),
            mean(self.rmse),
            mean(self.seconds),
        ]
    }
}
