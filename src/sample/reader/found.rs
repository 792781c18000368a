//! A table as it was found: named columns whose cells are text in a file, or whatever a data frame holds.

use std::borrow::Cow;

use polars::prelude::{Column, DataFrame, DataType};

use super::number::{Decimal, number};
use super::split::Span;
use crate::error::{Error, Result};
use crate::wording::{exact, listed};

/// The cells of one column.
pub(crate) enum Cells<'a> {
    /// Of a file.
    Spans(&'a str, Vec<Span>),
    /// Texts of a data frame.
    Texts(Vec<Option<String>>),
    /// Numbers and truth values of a data frame; NaN where there is none.
    Numbers(Vec<f64>),
    /// Dates of a data frame, in days since 1970; NaN where there is none.
    Days(Vec<f64>),
    /// Of a type that cannot serve.
    Other(String),
}

impl Cells<'_> {
    /// The cell as text; blank where there is none.
    pub(super) fn text(&self, row: usize) -> Cow<'_, str> {
        let number = |value: f64| if value.is_nan() { Cow::Borrowed("") } else { Cow::Owned(exact(value)) };
        match self {
            Self::Spans(text, spans) => spans[row].of(text),
            Self::Texts(cells) => Cow::Borrowed(cells[row].as_deref().unwrap_or_default()),
            Self::Numbers(cells) | Self::Days(cells) => number(cells[row]),
            Self::Other(_) => Cow::Borrowed(""),
        }
    }
}

/// A column as it was found.
pub(crate) struct Found<'a> {
    pub(in crate::sample) name: String,
    pub(super) cells: Cells<'a>,
}

impl Found<'_> {
    /// Refuses a column whose type cannot serve.
    pub(super) fn check(&self) -> Result<()> {
        let Cells::Other(kind) = &self.cells else { return Ok(()) };
        let problem = format!("has the type {kind}: turn it into numbers or drop it");
        Err(Error::Column { column: self.name.clone(), problem })
    }

    /// A cell as text.
    pub(in crate::sample) fn text(&self, row: usize) -> Cow<'_, str> {
        self.cells.text(row)
    }
}

/// A table as it was found.
pub(crate) struct Source<'a> {
    pub(in crate::sample) columns: Vec<Found<'a>>,
    pub(in crate::sample) rows: usize,
    pub(super) decimal: Decimal,
    /// The line of each row in its file.
    pub(super) lines: Vec<usize>,
    /// Whether the first column has no name where the others have, as R's row names.
    pub(super) row_names: bool,
    /// What was decided so far.
    pub(super) notices: Vec<String>,
}

impl<'a> Source<'a> {
    /// A column by its name.
    pub(in crate::sample) fn column(&self, name: &str) -> Result<&Found<'a>> {
        self.columns.iter().find(|column| column.name == name).ok_or_else(|| {
            let names: Vec<&str> = self.columns.iter().map(|column| column.name.as_str()).collect();
            Error::Column {
                column: name.into(),
                problem: format!("is not in the table: it has {}", listed(&names, 40)),
            }
        })
    }

    /// A cell as a number, if it is one.
    pub(in crate::sample) fn number(&self, cell: &str) -> Option<f64> {
        number(cell, self.decimal).map(|number| number.value)
    }

    /// A data frame.
    pub(crate) fn of_frame(frame: &DataFrame) -> Result<Source<'static>> {
        let column = |column: &Column| Ok(Found { name: column.name().to_string(), cells: cells(column)? });
        let columns = frame.columns().iter().map(column).collect::<Result<_>>()?;
        let (rows, lines, notices) = (frame.height(), Vec::new(), Vec::new());
        Ok(Source { columns, rows, decimal: Decimal::Point, lines, row_names: false, notices })
    }
}

/// The cells of a column of a data frame.
fn cells(column: &Column) -> Result<Cells<'static>> {
    let refuse = |problem: String| Error::Column { column: column.name().to_string(), problem };
    let unlike = || refuse(format!("has the type {}: turn it into numbers or drop it", column.dtype()));
    let numbers = |column: &Column| -> Result<Vec<f64>> {
        let cells = column.cast(&DataType::Float64).map_err(|_| unlike())?;
        let cells = cells.f64().map_err(|_| unlike())?;
        if cells.null_count() > 0 {
            return Ok(cells.iter().map(|cell| cell.unwrap_or(f64::NAN)).collect());
        }
        // Whole chunks, since cell by cell is slow where polars is not optimised.
        let mut numbers = Vec::with_capacity(cells.len());
        for chunk in cells.downcast_iter() {
            numbers.extend_from_slice(chunk.values());
        }
        Ok(numbers)
    };
    match column.dtype() {
        DataType::Date => Ok(Cells::Days(numbers(&column.to_physical_repr())?)),
        DataType::Datetime(unit, _) => {
            let in_a_day = match unit {
                polars::prelude::TimeUnit::Nanoseconds => 86_400e9,
                polars::prelude::TimeUnit::Microseconds => 86_400e6,
                polars::prelude::TimeUnit::Milliseconds => 86_400e3,
            };
            Ok(Cells::Days(numbers(&column.to_physical_repr())?.into_iter().map(|cell| cell / in_a_day).collect()))
        }
        kind if kind.is_primitive_numeric() || kind.is_bool() => Ok(Cells::Numbers(numbers(column)?)),
        DataType::String | DataType::Categorical(..) | DataType::Enum(..) => {
            let cells = column.cast(&DataType::String).map_err(|_| unlike())?;
            let cells = cells.str().map_err(|_| unlike())?;
            Ok(Cells::Texts(cells.iter().map(|cell| cell.map(str::to_string)).collect()))
        }
        DataType::Null => Ok(Cells::Numbers(vec![f64::NAN; column.len()])),
        other => Ok(Cells::Other(other.to_string())),
    }
}
