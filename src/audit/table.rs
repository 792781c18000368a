//! What an audit found: one row for each method.

use super::{Audit, Check, Summary};
use crate::condition::Conditions;
use crate::error::{Error, Result};
use crate::interval::{Intervals, Method};
use crate::learner::Learner;
use crate::leave_one_out::Fidelity;
use crate::metric::{Coverage, Discrimination, Promise, Tells};
use crate::model::network::Network;
use crate::sample::Sample;

/// The result of an [`Audit`]: displays as a table, goes to CSV, JSON and, with polars, to a data frame.
#[derive(Clone)]
pub struct AuditTable {
    pub(super) name: String,
    pub(super) audit: Audit,
    pub(super) sample: Sample,
    pub(super) rows: Vec<Row>,
    pub(super) left_out: Vec<Error>,
    pub(super) tested: Vec<usize>,
    pub(super) test: Sample,
    pub(super) network: Option<Network>,
    pub(super) checks: Vec<Check>,
    pub(super) conditions: Conditions,
}

/// One method in an audit.
#[derive(Clone, PartialEq)]
pub struct Row {
    model: String,
    /// Whether the name says the model too.
    several: bool,
    pub(super) method: Method,
    pub(super) runs: Vec<Run>,
    pub(super) seconds: Vec<f64>,
    pub(super) failures: Vec<(usize, Error)>,
    pub(super) shown: Option<Intervals>,
    pub(super) summary: Option<Summary>,
}

/// What one split said of one method.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Run {
    /// The split, counted from 0.
    pub split: usize,
    /// The rows of the table that were tested, counted from 0.
    pub rows: Vec<usize>,
    /// The rows that the models were trained on, in this order; with the seed of the audit + `split` they can be had again.
    pub trained: Vec<usize>,
    /// The intervals at these rows.
    pub intervals: Intervals,
}

impl Row {
    /// The method before any split.
    pub(super) fn empty(model: String, several: bool, method: Method) -> Self {
        let (runs, seconds, failures) = (Vec::new(), Vec::new(), Vec::new());
        Self { model, several, method, runs, seconds, failures, shown: None, summary: None }
    }

    /// The method.
    pub fn method(&self) -> Method {
        self.method
    }

    /// What each split said.
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// Every number of the method, by its name; `None` if it failed on every split.
    pub fn summary(&self) -> Option<&Summary> {
        self.summary.as_ref()
    }

    /// The intervals at the rows of [`AuditTable::test`], each made by a model that has not seen the row; `None` if the
    /// method failed on one of the splits that made them.
    pub fn intervals(&self) -> Option<&Intervals> {
        self.shown.as_ref()
    }

    /// The splits, counted from 0, on which the method failed, and why.
    pub fn failures(&self) -> &[(usize, Error)] {
        &self.failures
    }

    /// The coverage over the rows tested.
    ///
    /// # Errors
    /// [`Error::Rows`] if the method failed on every split.
    pub fn coverage(&self) -> Result<Coverage> {
        let none = || Error::Rows { what: "a coverage".into(), need: 1, have: 0 };
        self.summary().map(|summary| summary.coverage).ok_or_else(none)
    }

    /// How well the width finds the largest errors; `None` if none stands out, or the method failed on every split.
    pub fn discrimination(&self) -> Option<&Discrimination> {
        self.summary()?.discrimination.as_ref()
    }

    /// The model, as the command line calls it.
    pub fn model(&self) -> &str {
        &self.model
    }

    /// What audits call the method, with its model where there are several.
    pub fn name(&self) -> String {
        match self.several {
            true => format!("{}: {}", self.model, self.method.name()),
            false => self.method.name(),
        }
    }
}

/// A cell of the table that goes to a file.
enum Cell {
    Text(String),
    Number(f64),
}

impl AuditTable {
    /// The columns of the CSV, of the JSON and of the data frame.
    pub const COLUMNS: [&'static str; 18] = [
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
        "model",
        "chance",
        "discrimination_p",
        "verdict_coverage",
        "verdict_discrimination",
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

    /// The row of a method, of the first model that has it; where its name leaves the engine open, it is the one that suits the
    /// model.
    pub fn row(&self, method: Method) -> Option<&Row> {
        let of = |model: &Learner| {
            let (name, suited) = (model.name(), model.suited(method).ok()?);
            self.rows.iter().find(|row| row.model == name && row.method == suited)
        };
        self.audit.models.iter().find_map(of)
    }

    /// Why methods that were asked for are not among the rows of some model.
    pub fn left_out(&self) -> &[Error] {
        &self.left_out
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

    /// The rows that were tested, in the order of the table; [`Row::intervals`] are at these.
    pub fn test(&self) -> &Sample {
        &self.test
    }

    /// The numbers of the rows that were tested, counted from 0.
    pub fn tested(&self) -> &[usize] {
        &self.tested
    }

    /// What speaks against the condition that every guarantee stands on: rows that are exchangeable.
    pub fn conditions(&self) -> &Conditions {
        &self.conditions
    }

    /// The network of the first split, where one was audited.
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

    /// One method's line, in the order of [`AuditTable::COLUMNS`]; NaN where there is no number.
    fn cells(&self, row: &Row) -> Vec<Cell> {
        let summary = row.summary();
        let number = |get: fn(&Summary) -> f64| Cell::Number(summary.map_or(f64::NAN, get));
        let ranked = |get: fn(&Discrimination) -> f64| Cell::Number(row.discrimination().map_or(f64::NAN, get));
        let text = |text: &str| Cell::Text(text.into());
        vec![
            text(&self.name),
            text(&row.name()),
            number(|s| s.coverage.rate),
            number(|s| s.coverage.low),
            number(|s| s.coverage.high),
            number(|s| s.width.value),
            number(|s| s.width_median),
            ranked(|d| d.average_precision),
            ranked(|d| d.prevalence),
            ranked(|d| d.auroc),
            number(|s| s.interval_score.value),
            number(|s| s.rmse.value),
            number(|s| s.seconds),
            text(&row.model),
            ranked(|d| d.chance),
            ranked(|d| d.p),
            text(self.covers(row).map_or("", Promise::word)),
            text(row.tells().map_or("", Tells::word)),
        ]
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
        let cell = |cell: Cell| match cell {
            Cell::Text(text) if text.contains([',', '"', '\n', '\r']) => format!("\"{}\"", text.replace('"', "\"\"")),
            Cell::Text(text) => text,
            Cell::Number(number) if number.is_nan() => String::new(),
            Cell::Number(number) => number.to_string(),
        };
        let line = |row: &Row| self.cells(row).into_iter().map(cell).collect::<Vec<_>>().join(",") + "\n";
        Self::COLUMNS.join(",") + "\n" + &self.rows.iter().map(line).collect::<String>()
    }

    /// The table as JSON: a list with an object for each method, `null` where there is no finite number.
    pub fn to_json(&self) -> String {
        let value = |cell: Cell| match cell {
            Cell::Text(text) => serde_json::Value::from(text),
            Cell::Number(number) => serde_json::Value::from(number),
        };
        let names = || Self::COLUMNS.map(String::from).into_iter();
        let object = |row: &Row| serde_json::Value::from_iter(names().zip(self.cells(row).into_iter().map(value)));
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
        let lines: Vec<Vec<Cell>> = self.rows.iter().map(|row| self.cells(row)).collect();
        let column = |k: usize| {
            let name = Self::COLUMNS[k].into();
            let texts: Option<Vec<&str>> = lines
                .iter()
                .map(|line| match &line[k] {
                    Cell::Text(text) => Some(text.as_str()),
                    Cell::Number(_) => None,
                })
                .collect();
            let number = |line: &Vec<Cell>| if let Cell::Number(number) = line[k] { number } else { f64::NAN };
            Column::from(match texts {
                Some(texts) => Series::new(name, texts),
                None => Series::new(name, lines.iter().map(number).collect::<Vec<_>>()),
            })
        };
        crate::sample::frame_of((0..Self::COLUMNS.len()).map(column).collect(), self.rows.len())
    }
}
