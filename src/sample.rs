//! The data: features, target and their names.
//!
//! A [`Sample`] is where every path starts. It is checked once, at the door: whatever comes after may rely on
//! finite numbers, at least one row and one column, and names that belong to them.

pub(crate) mod bags;
#[cfg(feature = "polars")]
mod cells;
#[cfg(feature = "polars")]
mod frame;
pub mod synthetic;
pub mod tables;

use std::fmt;
use std::ops::Range;

use ndarray::{Array1, Array2, Axis};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::check;
use crate::error::{Error, Result};
use crate::wording::{exact, listed};
#[cfg(feature = "polars")]
pub use frame::read_frame;
#[cfg(feature = "polars")]
pub(crate) use frame::{column, frame_of};

/// Larger values overflow when they are squared and summed, so they are refused at the door.
const LARGEST: f64 = 1e100;

/// A table for regression: `x` (rows × features), `y`, and what the columns are called.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// use ndarray::array;
/// let sample = Sample::new(array![[0.0], [1.0], [2.0]], array![1.0, 3.0, 2.0])?;
/// assert_eq!(sample.len(), 3);
/// assert_eq!(sample.features(), ["x0"]);
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct Sample {
    x: Array2<f64>,
    y: Array1<f64>,
    features: Vec<String>,
    target: String,
    notices: Vec<String>,
    encoding: Vec<Encoding>,
}

/// How one column of a data frame became columns of `x`.
#[derive(Clone, Debug, PartialEq)]
enum Encoding {
    /// A numeric column, as it is.
    Number { column: String },
    /// A text column: one 0/1 column for each value but the first.
    #[cfg(feature = "polars")]
    Indicators { column: String, values: Vec<String> },
}

impl Sample {
    /// A sample from arrays; the features are called `x0`, `x1`, …, the target `y`.
    ///
    /// # Errors
    /// [`Error::Empty`] if there is no row or no column, [`Error::Shape`] if `x` and `y` differ in length,
    /// [`Error::Cell`] for NaN, an infinity or a magnitude above 10¹⁰⁰.
    pub fn new(x: Array2<f64>, y: Array1<f64>) -> Result<Self> {
        let features = (0..x.ncols()).map(|j| format!("x{j}")).collect();
        Self::named(x, y, features, "y")
    }

    /// A sample from arrays with the names of its features and of its target.
    ///
    /// # Errors
    /// As [`Sample::new`]; [`Error::Shape`] also if there is not one name for each column.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// use ndarray::array;
    /// let names = vec!["dose".to_string()];
    /// let sample = Sample::named(array![[0.5], [1.0]], array![2.0, 3.0], names, "response")?;
    /// assert_eq!(sample.target(), "response");
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn named(x: Array2<f64>, y: Array1<f64>, features: Vec<String>, target: &str) -> Result<Self> {
        if x.nrows() == 0 || y.is_empty() {
            return Err(Error::empty("the table has no rows", "give at least one"));
        }
        if x.ncols() == 0 {
            return Err(Error::empty("the table has no feature column", "give at least one beside the target"));
        }
        if x.nrows() != y.len() {
            return Err(Error::Shape { what: "rows of x and values of y".into(), left: x.nrows(), right: y.len() });
        }
        if x.ncols() != features.len() {
            return Err(Error::Shape { what: "columns of x and names".into(), left: x.ncols(), right: features.len() });
        }
        check_cells(&x, |j| features[j].clone())?;
        for (i, &value) in y.iter().enumerate() {
            check_cell(value, i, || target.to_string())?;
        }
        let encoding = features.iter().map(|name| Encoding::Number { column: name.clone() }).collect();
        Ok(Self { x, y, features, target: target.into(), notices: Vec::new(), encoding })
    }

    /// The features, one row for each observation.
    pub fn x(&self) -> &Array2<f64> {
        &self.x
    }

    /// The target.
    pub fn y(&self) -> &Array1<f64> {
        &self.y
    }

    /// The names of the features.
    pub fn features(&self) -> &[String] {
        &self.features
    }

    /// The name of the target.
    pub fn target(&self) -> &str {
        &self.target
    }

    /// The number of rows, n.
    #[allow(clippy::len_without_is_empty)] // a sample has at least one row
    pub fn len(&self) -> usize {
        self.y.len()
    }

    /// The number of features, d.
    pub fn columns(&self) -> usize {
        self.x.ncols()
    }

    /// What was done to the table on its way in: columns dropped, texts turned into indicators.
    pub fn notices(&self) -> &[String] {
        &self.notices
    }

    /// The chosen rows, in the order given.
    ///
    /// # Errors
    /// [`Error::NoSuchRow`] for a row beyond the table, [`Error::Empty`] if no row is chosen.
    pub fn rows(&self, rows: &[usize]) -> Result<Self> {
        if let Some(&row) = rows.iter().find(|&&row| row >= self.len()) {
            return Err(Error::NoSuchRow { row, rows: self.len() });
        }
        if rows.is_empty() {
            return Err(Error::empty("no rows were chosen", "choose at least one"));
        }
        Ok(Self { x: self.x.select(Axis(0), rows), y: self.y.select(Axis(0), rows), ..self.empty() })
    }

    /// The sample without row `i`: what the i-th leave-one-out model sees.
    ///
    /// # Errors
    /// [`Error::NoSuchRow`] for a row beyond the table, [`Error::Rows`] if it is the only one.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let yacht = Table::Yacht.load();
    /// assert_eq!(yacht.without(0)?.len(), 307);
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn without(&self, i: usize) -> Result<Self> {
        if self.len() < 2 {
            return Err(Error::Rows { what: "leaving a row out".into(), need: 2, have: self.len() });
        }
        if i >= self.len() {
            return Err(Error::NoSuchRow { row: i, rows: self.len() });
        }
        self.rows(&(0..self.len()).filter(|&row| row != i).collect::<Vec<_>>())
    }

    /// The sample without a run of rows: what the models of a fold see.
    ///
    /// # Errors
    /// [`Error::Empty`] if nothing is left.
    pub fn without_rows(&self, rows: Range<usize>) -> Result<Self> {
        self.rows(&(0..self.len()).filter(|row| !rows.contains(row)).collect::<Vec<_>>())
    }

    /// A seeded random split into training and test rows.
    ///
    /// The test part has ⌈`test_fraction`·n⌉ rows, at least 1, and leaves at least 1 for training.
    ///
    /// # Errors
    /// [`Error::Choice`] unless 0 < `test_fraction` < 1, [`Error::Rows`] for a single row.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
    /// assert_eq!((train.len(), test.len()), (246, 62));
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn split(&self, test_fraction: f64, seed: u64) -> Result<(Self, Self)> {
        let (train, test) = self.split_rows(test_fraction, seed)?;
        Ok((self.rows(&train)?, self.rows(&test)?))
    }

    /// The rows of [`Sample::split`]: those for training, and those for testing.
    pub(crate) fn split_rows(&self, test_fraction: f64, seed: u64) -> Result<(Vec<usize>, Vec<usize>)> {
        let holds = test_fraction > 0.0 && test_fraction < 1.0;
        check::that(holds, "the test fraction", test_fraction, "lie strictly between 0 and 1", "0.2")?;
        if self.len() < 2 {
            return Err(Error::Rows { what: "a split".into(), need: 2, have: self.len() });
        }
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
        let test = ((test_fraction * self.len() as f64).ceil() as usize).clamp(1, self.len() - 1);
        let train = order.split_off(test);
        Ok((train, order))
    }

    /// K folds of consecutive rows whose sizes differ by at most one, the larger ones first.
    ///
    /// # Errors
    /// [`Error::Choice`] unless 2 ≤ `folds` ≤ n.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let folds = Table::Yacht.load().folds(3)?;
    /// assert_eq!(folds, [0..103, 103..206, 206..308]);
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn folds(&self, folds: usize) -> Result<Vec<Range<usize>>> {
        let holds = (2..=self.len()).contains(&folds);
        check::that(holds, "the number of folds", folds, "lie between 2 and the number of rows", "2")?;
        let (size, larger) = (self.len() / folds, self.len() % folds);
        let start = |fold: usize| fold * size + fold.min(larger);
        Ok((0..folds).map(|fold| start(fold)..start(fold + 1)).collect())
    }

    /// The sample with one more line among its notices.
    pub(crate) fn with_notice(mut self, notice: String) -> Self {
        self.notices.push(notice);
        self
    }

    /// Names, notices and encoding, with no rows yet.
    fn empty(&self) -> Self {
        Self {
            x: Array2::zeros((0, self.columns())),
            y: Array1::zeros(0),
            features: self.features.clone(),
            target: self.target.clone(),
            notices: self.notices.clone(),
            encoding: self.encoding.clone(),
        }
    }
}

/// Refuses rows that have other columns than the model, or cells that are not finite.
pub(crate) fn check_points(x: &Array2<f64>, columns: usize) -> Result<()> {
    if x.ncols() != columns {
        return Err(Error::Columns { trained: columns, given: x.ncols() });
    }
    check_cells(x, |j| format!("x{j}"))
}

/// Refuses cells that are not finite numbers of reasonable size.
pub(crate) fn check_cells(x: &Array2<f64>, name: impl Fn(usize) -> String) -> Result<()> {
    for ((i, j), &value) in x.indexed_iter() {
        check_cell(value, i, || name(j))?;
    }
    Ok(())
}

fn check_cell(value: f64, row: usize, column: impl FnOnce() -> String) -> Result<()> {
    if value.abs() <= LARGEST {
        return Ok(());
    }
    let advice = if value.is_nan() {
        "fill or drop missing cells first".to_string()
    } else {
        format!("magnitudes above {LARGEST:e} overflow when squared; rescale the column")
    };
    Err(Error::Cell { column: column(), row: row + 1, value: exact(value), advice })
}

impl fmt::Debug for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} rows; target `{}`; {} features: ", self.len(), self.target, self.columns())?;
        f.write_str(&listed(&self.features, 8))?;
        for notice in &self.notices {
            write!(f, "\n  {notice}")?;
        }
        Ok(())
    }
}
