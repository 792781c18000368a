//! Rows that belong together: of one patient, one town, one day.

#[cfg(feature = "polars")]
use std::collections::HashMap;

#[cfg(feature = "polars")]
use super::reader::{Source, is_missing};
#[cfg(feature = "polars")]
use crate::error::{Error, Result};

/// The group of each row, by a column of the table that is no feature.
///
/// An audit tests the rows of a group together, by models that have seen none of them: what is counted is then for new groups, not
/// for new rows of known ones.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// use polars::df;
/// let frame = df!("dose" => [1.0, 2.0, 3.0], "patient" => ["b", "a", "b"], "y" => [3.0, 5.0, 8.0])?;
/// let sample = Reader::default().group("patient").frame(&frame)?;
/// let group = sample.group().expect("was asked for");
/// assert_eq!((group.column(), group.names()), ("patient", &["b".to_string(), "a".to_string()][..]));
/// assert_eq!(sample.groups(), [0, 1, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Grouping {
    column: String,
    names: Vec<String>,
    of: Vec<usize>,
}

impl Grouping {
    /// The column that says it.
    pub fn column(&self) -> &str {
        &self.column
    }

    /// What the groups are called, in the order in which they appear.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The group of each row, as its place among the names.
    pub fn of_rows(&self) -> &[usize] {
        &self.of
    }

    pub(super) fn rows(&self, rows: &[usize]) -> Self {
        let of = rows.iter().map(|&row| self.of[row]).collect();
        Self { column: self.column.clone(), names: self.names.clone(), of }
    }

    /// The groups of the chosen rows of a table.
    #[cfg(feature = "polars")]
    pub(super) fn of(column: &str, source: &Source, rows: &[usize]) -> Result<Self> {
        let found = source.column(column)?;
        let (mut place, mut names, mut of): (HashMap<String, usize>, Vec<String>, Vec<usize>) = Default::default();
        for &row in rows {
            let cell = found.text(row);
            if is_missing(&cell) {
                return Err(Error::Cell {
                    column: column.into(),
                    row: row + 1,
                    value: "blank".into(),
                    advice: "every row needs its group; name it, or leave the row out".into(),
                });
            }
            let next = names.len();
            let number = *place.entry(cell.to_string()).or_insert(next);
            if number == next {
                names.push(cell.to_string());
            }
            of.push(number);
        }
        match names.len() {
            1 => Err(Error::Column { column: column.into(), problem: "has one group only: give at least two".into() }),
            _ => Ok(Self { column: column.into(), names, of }),
        }
    }
}
