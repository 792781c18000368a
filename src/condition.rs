//! Whether the condition of every guarantee holds: new rows that are like the training rows, that is, exchangeable with them.
//!
//! No data can prove it, but they can speak against it. Each check looks for one way in which tables fail:
//!
//! | check | asks | by |
//! |---|---|---|
//! | [`Conditions::of_rows`] | are rows copies of others? | distances far below what the spacing of the rows explains |
//! | | does a feature give the target away? | correlation of values and of ranks |
//! | [`Conditions::of_order`] | do errors drift along the table? | Spearman's rank correlation with the row number |
//! | | does their size? | the same, of their size |
//! | | do neighbours err alike? | rank correlation with the next row |
//! | [`Conditions::of_points`] | are the columns of new rows distributed as before? | Kolmogorov–Smirnov |
//! | | do their columns go together as before? | a classifier fitted on one half and asked on the other |
//! | | do they lie within the range of the training rows? | exact chance of so many, or so far, outside |
//!
//! Each call takes its p-values together after Holm, and tells what is at most [`LEVEL`]. [`Sample::groups`] says which rows
//! belong together because they are copies.

mod chance;
mod copies;
mod finding;
mod joint;
mod kolmogorov;
mod leak;
mod near;
mod order;
mod points;
mod range;
mod rank;

use std::fmt;

use ndarray::{Array1, Array2};

use crate::error::{Error, Result};
use crate::sample::{Sample, check_points};
pub use finding::{Finding, Kind};

/// The p-value up to which a check speaks, after Holm within a call.
///
/// Three calls look at every table: at 0.01 each, at most 3 % of the clean ones raise a false alarm. At the usual 0.05 it would
/// be 14 %, and alarms would not be read.
pub const LEVEL: f64 = 0.01;

/// What speaks against exchangeable rows, of all the checks that were made.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
/// let loo = LeaveOneOut::closed_form(&Ridge::new(0.1), &train)?;
/// let errors = train.y() - loo.left_out_predictions();
/// let conditions = Conditions::of_rows(&train)
///     .and(Conditions::of_order(&errors)?)
///     .and(Conditions::of_points(&train, test.x())?);
/// assert_eq!(
///     conditions.to_string(),
///     "no sign against exchangeable rows was found in 8 checks; that is no proof"
/// );
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, Default, PartialEq)]
pub struct Conditions {
    findings: Vec<Finding>,
    checks: usize,
}

impl Conditions {
    /// What the rows of a table say: copies among them, and features that give the target away.
    ///
    /// Copies are told where they are 1 % of the rows or more: fewer cannot move a coverage by as much.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let yacht = Table::Yacht.load();
    /// let twice: Vec<usize> = (0..308).chain(0..77).collect();
    /// let conditions = Conditions::of_rows(&yacht.rows(&twice)?);
    /// assert_eq!(conditions.iter().next().unwrap().count, Some((77, 385)));
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn of_rows(sample: &Sample) -> Self {
        let findings = copies::finding(sample).into_iter().chain(leak::finding(sample)).collect();
        Self { findings, checks: 2 }
    }

    /// What the left-out errors yᵢ − f₋ᵢ(xᵢ) say, in the order of the table: drift, and neighbours that resemble each other.
    ///
    /// Left-out errors of a learner that does not look at the order of its rows are exchangeable if the rows are, so that
    /// every order of them is equally likely. Those of folds of consecutive rows are not. Fewer than ten rows say nothing.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for an error that is not finite.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let errors: ndarray::Array1<f64> = (0..100).map(|i| f64::from(i * 37 % 101) + f64::from(i)).collect();
    /// let conditions = Conditions::of_order(&errors)?;
    /// assert_eq!(conditions.iter().next().unwrap().kind, Kind::Drift);
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn of_order(errors: &Array1<f64>) -> Result<Self> {
        if errors.iter().any(|error| !error.is_finite()) {
            return Err(Error::NotFinite { what: "a left-out error".into(), advice: "leave such rows out" });
        }
        Ok(order::conditions(&errors.to_vec()))
    }

    /// What new rows say beside the training rows: columns that are distributed or go together otherwise, and rows outside the
    /// range that was trained on.
    ///
    /// # Errors
    /// [`Error::Columns`] if `x` has not the columns of the sample, [`Error::Cell`] for cells that are not finite.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let yacht = Table::Yacht.load();
    /// let (train, test) = yacht.split(0.2, 0)?;
    /// assert!(Conditions::of_points(&train, test.x())?.is_empty());
    /// let conditions = Conditions::of_points(&train, &(test.x() * 3.0))?;
    /// assert!(conditions.iter().any(|finding| finding.kind == Kind::Range));
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn of_points(train: &Sample, x: &Array2<f64>) -> Result<Self> {
        check_points(x, train.columns())?;
        match x.nrows() {
            0 => Ok(Self::default()),
            _ => Ok(points::conditions(train, x)),
        }
    }

    /// Both together.
    pub fn and(mut self, other: Self) -> Self {
        self.findings.extend(other.findings);
        Self { findings: self.findings, checks: self.checks + other.checks }
    }

    /// Why a coverage may be lower than what is proven: what was found, else what is common.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
    /// let conditions = Conditions::of_points(&train, &(test.x() * 3.0))?;
    /// assert!(conditions.reasons().contains("rows outside the range of the training rows"));
    /// assert!(Conditions::default().reasons().contains("another population"));
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn reasons(&self) -> String {
        let mut causes: Vec<&str> = Vec::new();
        for cause in self.iter().map(|finding| finding.kind.cause()) {
            if !causes.contains(&cause) {
                causes.push(cause);
            }
        }
        match causes.is_empty() {
            false => format!("likely reasons, as the checks found: {}", causes.join("; ")),
            true => "likely reasons, though no check found one: drift since the training rows were collected, another \
                     population, copies of rows or leaked columns in training, or a target in other units"
                .into(),
        }
    }

    /// Whether nothing was found, which is no proof.
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }

    /// How many findings there are.
    pub fn len(&self) -> usize {
        self.findings.len()
    }

    /// How many checks were made.
    pub fn checks(&self) -> usize {
        self.checks
    }

    /// The findings, in the order of the checks.
    pub fn iter(&self) -> std::slice::Iter<'_, Finding> {
        self.findings.iter()
    }
}

impl<'a> IntoIterator for &'a Conditions {
    type Item = &'a Finding;
    type IntoIter = std::slice::Iter<'a, Finding>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// One finding a line, or a line that there is none.
impl fmt::Display for Conditions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            let checks = if self.checks == 1 { "check" } else { "checks" };
            let checked = format!("in {} {checks}", self.checks);
            return write!(f, "no sign against exchangeable rows was found {checked}; that is no proof");
        }
        let lines: Vec<String> = self.iter().map(Finding::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl fmt::Debug for Conditions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
