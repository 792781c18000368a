//! What can go wrong, told so that the reader knows what to do next.

use std::fmt;
use std::path::PathBuf;

use crate::wording::exact;

/// The crate's result.
pub type Result<T> = std::result::Result<T, Error>;

/// Every failure of the crate: what happened, where, the value, and what to try.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let error = Table::Yacht.load().split(1.5, 0).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "the test fraction is 1.5, but it must lie strictly between 0 and 1: try 0.2"
/// );
/// ```
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A miscoverage that is not a probability strictly between 0 and 1.
    #[error("alpha is {}, but the miscoverage must lie strictly between 0 and 1: try 0.1 for 90 % intervals", exact(*.0))]
    Level(f64),

    /// Too few rows for what was asked.
    #[error("{what} needs at least {need} rows, but there are {have}: add rows or choose another method")]
    Rows {
        /// What was asked.
        what: String,
        /// The rows it needs.
        need: usize,
        /// The rows there are.
        have: usize,
    },

    /// A row number beyond the table.
    #[error("there is no row {row} among {rows} rows: rows are counted from 0 to {}", .rows.saturating_sub(1))]
    NoSuchRow {
        /// The row asked for.
        row: usize,
        /// The rows there are.
        rows: usize,
    },

    /// Arrays whose sizes do not belong together.
    #[error("{what}: {left} against {right}: give arrays of one and the same table")]
    Shape {
        /// What was compared.
        what: String,
        /// The first size.
        left: usize,
        /// The second size.
        right: usize,
    },

    /// New rows that do not have the columns the model was trained on.
    #[error(
        "the model was trained on {trained} columns, but these rows have {given}: give the same columns in the same order"
    )]
    Columns {
        /// Columns of the training table.
        trained: usize,
        /// Columns of the rows given.
        given: usize,
    },

    /// A cell that is not a finite number of reasonable size.
    #[error("column `{column}`, row {row} is {value}: {advice}")]
    Cell {
        /// The column's name.
        column: String,
        /// The row, counted from 1 below the header.
        row: usize,
        /// What stands there.
        value: String,
        /// What to do about it.
        advice: String,
    },

    /// A column that is missing, or that cannot serve.
    #[error("column `{column}` {problem}")]
    Column {
        /// The column's name.
        column: String,
        /// What is wrong with it, and what to try.
        problem: String,
    },

    /// Nothing was given, or nothing is left, where something is needed.
    #[error("{what}: {advice}")]
    Empty {
        /// What is missing.
        what: String,
        /// What to try.
        advice: String,
    },

    /// A bundled table that there is not.
    #[error("there is no bundled table `{name}`: choose one of {known}")]
    NoSuchTable {
        /// The name asked for.
        name: String,
        /// The names that there are.
        known: String,
    },

    /// A point for which no leave-one-out predictions were given.
    #[error("nothing was given for the point {point}: ask at the points that the predictions are for")]
    NoSuchPoint {
        /// The point.
        point: String,
    },

    /// A sample that is not what the leave-one-out models were made of.
    #[error(
        "these are not the rows that the leave-one-out models were made of: give the training sample, its rows in the same order"
    )]
    OtherRows,

    /// Labels that no ranking can be judged by.
    #[error("{0}")]
    Labels(&'static str),

    /// Errors of which none stands out, so that nothing can be told by the width.
    #[error("none of the {rows} errors exceeds their 90 % quantile {}: give more rows", exact(*.threshold))]
    NoLargeError {
        /// The rows there are.
        rows: usize,
        /// The quantile.
        threshold: f64,
    },

    /// More rows covered than there are.
    #[error("{covered} of {of} rows cannot be covered: give the covered rows first")]
    Counts {
        /// The rows said to be covered.
        covered: usize,
        /// The rows there are.
        of: usize,
    },

    /// Columns that polars makes no table of.
    #[error("these columns make no table: {0}")]
    Frame(String),

    /// Options that do not go together.
    #[error("{options}: {advice}")]
    Conflict {
        /// The options, and what is wrong with them.
        options: &'static str,
        /// What to try.
        advice: &'static str,
    },

    /// An option outside its range.
    #[error("{name} is {value}, but it must {range}: try {example}")]
    Choice {
        /// The option.
        name: &'static str,
        /// Its value.
        value: String,
        /// What it must be.
        range: &'static str,
        /// A value that works.
        example: &'static str,
    },

    /// A file that cannot be read or written.
    #[error("cannot {action} `{}`: {reason}", .path.display())]
    File {
        /// What was tried.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// Why it failed.
        reason: String,
    },

    /// Something in a table that was read from a file.
    #[error("`{}`{}: {error}", .path.display(), .line.map_or(String::new(), |line| format!(", line {line}")))]
    InFile {
        /// The file.
        path: PathBuf,
        /// The line, where it is about one.
        line: Option<usize>,
        /// What it is.
        error: Box<Error>,
    },

    /// Weights that do not describe a network.
    #[error("the weights do not describe a network: {0}")]
    Weights(String),

    /// Features or kernels made elsewhere that do not belong together.
    #[error("these features cannot be used: {0}")]
    Given(String),

    /// Weights that are no model of the rows they are said to be trained on.
    #[error(
        "the given weights do not belong to these rows: the gradient of the loss is {noise_ratio:.1} times its noise (0 at a \
         minimum) and the error {misfit:.2} times the deviation of the target: check the activation, the penalty (--l2), that \
         these are the training rows, and how features and target were scaled, or insist by --trust-anyway"
    )]
    Foreign {
        /// The norm of the gradient over that of its noise.
        noise_ratio: f64,
        /// The root mean square error over the standard deviation of the target.
        misfit: f64,
    },

    /// A Hessian that no reasonable damping makes positive definite.
    #[error(
        "the Hessian is not positive definite even with a damping of {damping:e} (its diagonal is {scale:e} on average): {advice}"
    )]
    Curvature {
        /// The largest damping tried.
        damping: f64,
        /// The mean of the diagonal of the Hessian.
        scale: f64,
        /// What to try.
        advice: String,
    },

    /// A row that alone determines a direction of θ: without it nothing does.
    #[error("row {row} has leverage 1 and nothing to lean on without it: raise the damping, which is {damping}")]
    Leverage {
        /// The row, counted from 1.
        row: usize,
        /// The damping used.
        damping: f64,
    },

    /// A row that alone decides its own prediction, so that there is no model without it.
    #[error(
        "row {row} alone decides its own prediction, so that least squares without it is not determined: give a penalty \
         (`ridge`, `ridge:0.1`), or leave out the columns that no other row has"
    )]
    Alone {
        /// The row, counted from 1.
        row: usize,
    },

    /// A rule that asks more of the models than they have.
    #[error("the rule {rule} needs {needs}, which models by {engine} do not have: {advice}")]
    Rule {
        /// The rule.
        rule: String,
        /// What it asks for.
        needs: &'static str,
        /// Where the models come from.
        engine: String,
        /// What to try.
        advice: &'static str,
    },

    /// An interval whose ends are the wrong way round.
    #[error(
        "the interval of row {row} is empty: its lower end {lower} is above its upper end {upper}: check which column is which"
    )]
    Ends {
        /// The row, counted from 1.
        row: usize,
        /// The lower end.
        lower: f64,
        /// The upper end.
        upper: f64,
    },

    /// A method that asks more of a model than it has.
    #[error("`{method}` does not suit the model `{model}`: {reason}; try {instead}")]
    Unsuited {
        /// The method.
        method: String,
        /// The model.
        model: String,
        /// What it lacks.
        reason: &'static str,
        /// Methods that suit it.
        instead: String,
    },

    /// An iteration that moves away from its solution.
    #[error("{what} diverged after {steps} steps: {advice}")]
    Diverged {
        /// The iteration.
        what: &'static str,
        /// The steps made.
        steps: usize,
        /// What to try.
        advice: &'static str,
    },

    /// A computation that left the range of the numbers.
    #[error("{what} is not a finite number: {advice}")]
    NotFinite {
        /// The quantity.
        what: String,
        /// What to try.
        advice: &'static str,
    },

    /// A learner from elsewhere that failed.
    #[error("the learner failed on {rows} rows: {reason}")]
    Learner {
        /// The rows it was given.
        rows: usize,
        /// Its own words.
        reason: String,
    },

    /// More memory than there is, or than is allowed: the machine is asked what it has free, and where it does not say,
    /// or the computation has a limit of its own, `whose` tells so.
    #[error("{what} needs {gigabytes:.1} GB of memory, more than the {limit:.1} GB {whose}: {advice}")]
    Memory {
        /// What needs it.
        what: String,
        /// How much it needs.
        gigabytes: f64,
        /// The limit.
        limit: f64,
        /// Where the limit comes from.
        whose: &'static str,
        /// What to try.
        advice: &'static str,
    },
}

impl Error {
    /// Nothing where something is needed.
    pub(crate) fn empty(what: impl Into<String>, advice: impl Into<String>) -> Self {
        Self::Empty { what: what.into(), advice: advice.into() }
    }

    /// The same with the file that it is about and, for a cell, its line: that of each row is in `lines`.
    #[cfg(feature = "polars")]
    pub(crate) fn in_file(self, path: &std::path::Path, lines: &[usize]) -> Self {
        let line = match &self {
            Self::Cell { row, .. } => row.checked_sub(1).and_then(|row| lines.get(row)).copied(),
            _ => None,
        };
        match self {
            Self::Cell { .. } | Self::Column { .. } | Self::Empty { .. } => {
                Self::InFile { path: path.into(), line, error: Box::new(self) }
            }
            other => other,
        }
    }
}

/// The message: a failed `unwrap`, a `main` that returns an error and a cell that ends in a `Result` print this.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
