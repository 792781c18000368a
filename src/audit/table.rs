//! What an audit found: one row for each method.

use std::fmt::Write as _;

use ndarray::Array1;

use super::{Audit, Check};
use crate::error::{Error, Result};
use crate::interval::{Intervals, Method};
use crate::leave_one_out::Fidelity;
use crate::metric::{Coverage, Metrics};
use crate::model::network::Network;
use crate::sample::Sample;

/// The result of an [`Audit`]: displays as a table, goes to CSV, JSON and, with polars, to a data frame.
#[derive(Clone)]
pub struct AuditTable {
    pub(super) name: String,
    pub(super) audit: Audit,
    pub(super) sample: Sample,
    pub(super) rows: Vec<Row>,
    pub(super) test: Option<Sample>,
    pub(super) network: Option<Network>,
    pub(super) checks: Vec<Check>,
}

/// One method in an audit.
#[derive(Clone, PartialEq)]
pub struct Row {
    pub(super) method: Method,
    pub(super) runs: Vec<Metrics>,
    pub(super) seconds: Vec<f64>,
    pub(super) failures: Vec<(usize, Error)>,
    pub(super) shown: Option<Intervals>,
}

/// A mean over splits with its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The mean.
    pub value: f64,
    /// Its standard error, the deviation over splits divided by the root of their number; 0 for a single split.
    pub error: f64,
}

impl Mean {
    pub(crate) fn of(values: impl Iterator<Item = f64>) -> Option<Self> {
        Self::of_all(values.collect())
    }

    fn of_all(values: Array1<f64>) -> Option<Self> {
        let value = values.mean()?;
        let error = if values.len() > 1 { values.std(1.0) / (values.len() as f64).sqrt() } else { 0.0 };
        Some(Self { value, error })
    }
}

impl Row {
    /// The method.
    pub fn method(&self) -> Method {
        self.method
    }

    /// What each split said.
    pub fn runs(&self) -> &[Metrics] {
        &self.runs
    }

    /// The intervals at the test rows of the first split; `None` if the method failed there.
    pub fn intervals(&self) -> Option<&Intervals> {
        self.shown.as_ref()
    }

    /// The splits, counted from 0, on which the method failed, and why.
    pub fn failures(&self) -> &[(usize, Error)] {
        &self.failures
    }

    /// The coverage over the test rows of all splits, with the binomial interval of so many rows.
    ///
    /// # Errors
    /// [`Error::Rows`] if the method failed on every split.
    pub fn coverage(&self) -> Result<Coverage> {
        let sum = |count: fn(&Coverage) -> usize| self.runs.iter().map(|run| count(&run.coverage)).sum();
        Coverage::from_counts(sum(|coverage| coverage.covered), sum(|coverage| coverage.of))
    }

    /// The mean over the splits of any number of [`Metrics`]; `None` if no split has it.
    pub fn mean(&self, number: impl Fn(&Metrics) -> Option<f64>) -> Option<Mean> {
        Mean::of(self.runs.iter().filter_map(number))
    }

    /// The average precision with which the width tells large errors, and its prevalence.
    pub fn discrimination(&self) -> Option<(Mean, f64)> {
        let precision = self.mean(|run| run.discrimination.as_ref().map(|d| d.average_precision))?;
        let prevalence = self.mean(|run| run.discrimination.as_ref().map(|d| d.prevalence))?;
        Some((precision, prevalence.value))
    }

    /// The mean seconds of a split, without the training that all methods share; `None` if every split failed.
    pub fn seconds(&self) -> Option<Mean> {
        Mean::of(self.seconds.iter().copied())
    }

    /// What audits call the method.
    pub fn name(&self) -> String {
        self.method.name()
    }
}

impl AuditTable {
    /// The columns of the CSV, of the JSON and of the data frame.
    pub const COLUMNS: [&'static str; 13] = [
        "table",
        "method",
        "coverage",
        "coverage_low",
        "coverage_high",
        "width",
        "width_median",
        "average_precision",
        "prevalence",
        "auroc",
        "interval_score",
        "rmse",
        "seconds",
    ];

    /// What the table is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// One row for each method, in the order asked for.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The methods that answered on a split at least.
    pub(crate) fn answered(&self) -> impl DoubleEndedIterator<Item = &Row> {
        self.rows.iter().filter(|row| !row.runs.is_empty())
    }

    /// The row of a method.
    pub fn row(&self, method: Method) -> Option<&Row> {
        self.rows.iter().find(|row| row.method == method)
    }

    /// What was asked for.
    pub fn audit(&self) -> &Audit {
        &self.audit
    }

    /// The name of the target.
    pub fn target(&self) -> &str {
        self.sample.target()
    }

    /// What was audited.
    pub fn sample(&self) -> &Sample {
        &self.sample
    }

    /// The test rows of the first split, on which [`Row::intervals`] are.
    pub fn test(&self) -> Option<&Sample> {
        self.test.as_ref()
    }

    /// The network of the first split.
    pub fn network(&self) -> Option<&Network> {
        self.network.as_ref()
    }

    /// How far the leave-one-out models of the first split can be trusted, for each engine that did not refit.
    pub fn checks(&self) -> &[Check] {
        &self.checks
    }

    /// How the first of these engines compares with a handful of real refits.
    pub fn fidelity(&self) -> Option<&Fidelity> {
        self.checks.first().and_then(|check| check.fidelity.as_ref().ok())
    }

    /// The table as CSV, full precision, empty cells where there is no number.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let sample = cubic(60, Feature::Uniform { half_width: 2.0 }, 0.5, 0)?;
    /// let audit = Audit::default().splits(1).training(Training::default().hidden(&[5]).epochs(50));
    /// let csv = audit.methods(&["jackknife+".parse()?]).run("cubic", &sample)?.to_csv();
    /// assert!(csv.starts_with("table,method,coverage,coverage_low"));
    /// assert_eq!(csv.lines().count(), 2);
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn to_csv(&self) -> String {
        let mut text = Self::COLUMNS.join(",") + "\n";
        for row in &self.rows {
            let name = self.name.replace('"', "\"\"");
            let quoted = name.contains([',', '"', '\n', '\r']);
            let name = if quoted { format!("\"{name}\"") } else { name };
            let cell = |number: f64| if number.is_nan() { String::new() } else { number.to_string() };
            let cells: Vec<String> = row.summary().cells().into_iter().map(cell).collect();
            writeln!(text, "{name},{},{}", row.name(), cells.join(",")).ok();
        }
        text
    }

    /// The table as JSON: a list with an object for each method, `null` where there is no finite number.
    pub fn to_json(&self) -> String {
        let object = |row: &Row| {
            let numbers = row.summary().cells().into_iter().map(serde_json::Value::from);
            let texts = [self.name.clone(), row.name()].map(serde_json::Value::from);
            let names = Self::COLUMNS.map(String::from);
            serde_json::Value::from_iter(names.into_iter().zip(texts.into_iter().chain(numbers)))
        };
        let rows: Vec<serde_json::Value> = self.rows.iter().map(object).collect();
        format!("{:#}\n", serde_json::Value::from(rows))
    }

    /// The table as a data frame with the columns of [`AuditTable::COLUMNS`].
    ///
    /// # Errors
    /// [`Error::Frame`] if polars refuses it.
    #[cfg(feature = "polars")]
    pub fn to_frame(&self) -> Result<polars::prelude::DataFrame> {
        use polars::prelude::{Column, NamedFrom, Series};
        let texts = |name: &str, cells: Vec<String>| Column::from(Series::new(name.into(), cells));
        let mut columns = vec![
            texts("table", vec![self.name.clone(); self.rows.len()]),
            texts("method", self.rows.iter().map(|row| row.name()).collect()),
        ];
        for (k, name) in Self::COLUMNS[2..].iter().enumerate() {
            let cells: Vec<f64> = self.rows.iter().map(|row| row.summary().cells()[k]).collect();
            columns.push(Column::from(Series::new((*name).into(), cells)));
        }
        crate::sample::frame_of(columns, self.rows.len())
    }
}
