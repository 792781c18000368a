//! Whether arrays that were given belong together.

use ndarray::{Array1, Array2, Axis};

use crate::error::{Error, Result};
use crate::sample::check_cells;

/// Refuses parts without rows, with different columns, or with cells that are not numbers.
pub(super) fn check_pair(what: &str, train: &Array2<f64>, test: &Array2<f64>) -> Result<()> {
    for (part, rows) in [("train", train), ("test", test)] {
        if rows.nrows() == 0 {
            return Err(Error::Given(format!("`{part}.{what}` has no rows; give at least one")));
        }
        check_cells(rows, |j| format!("{part}.{what}[{j}]"))?;
    }
    match train.ncols() == test.ncols() {
        true => Ok(()),
        false => Err(Error::Given(format!(
            "`test.{what}` has {} columns, but `train.{what}` has {}; give the same ones in the same order",
            test.ncols(),
            train.ncols()
        ))),
    }
}

/// Refuses numbers that are none.
pub(super) fn check_vector(name: &str, values: &Array1<f64>) -> Result<()> {
    check_cells(&values.clone().insert_axis(Axis(1)), |_| name.to_string())
}

/// A vector of another length than the rows have.
pub(super) fn one_each(name: &str, values: usize, of: &str, rows: usize) -> Error {
    let of = if of.contains(' ') { of.to_string() } else { format!("the rows of `{of}`") };
    Error::Given(format!("`{name}` has {values} rows, but {of} are {rows}; give one for each, in the same order"))
}
