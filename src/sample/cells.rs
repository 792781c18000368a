//! The cells of a polars column as numbers or as texts, with the column and the row named where they are neither.

use std::collections::BTreeSet;

use polars::prelude::{Column, DataType};

use crate::error::{Error, Result};

pub(super) fn is_text(column: &Column) -> bool {
    matches!(column.dtype(), DataType::String)
}

/// Whether there is no blank and every cell is like the first. Polars would count the different cells for it, and sort them.
pub(super) fn is_constant(column: &Column) -> bool {
    let ends = (column.get(0).ok(), column.get(column.len().saturating_sub(1)).ok());
    if column.null_count() > 0 || ends.0 != ends.1 {
        return false;
    }
    if let Ok(cells) = column.str() {
        let mut cells = cells.iter();
        let first = cells.next();
        return cells.all(|cell| Some(cell) == first);
    }
    if !is_number(column) {
        return column.n_unique().is_ok_and(|n| n == 1);
    }
    // One NaN is like another here.
    let same = |a: f64, b: f64| a == b || (a.is_nan() && b.is_nan());
    numbers(column, "").is_ok_and(|cells| cells.iter().all(|&cell| same(cell, cells[0])))
}

fn is_number(column: &Column) -> bool {
    column.dtype().is_primitive_numeric() || column.dtype().is_bool()
}

/// The cells as numbers; `text` says why a text column will not do here.
pub(super) fn numbers(column: &Column, text: &str) -> Result<Vec<f64>> {
    let refuse = |problem: String| Error::Column { column: column.name().to_string(), problem };
    if is_text(column) {
        stray(column, &texts(column)?)?;
        return Err(refuse(format!("{text}: choose another column")));
    }
    if !is_number(column) {
        return Err(refuse(format!("has the type {}: turn it into numbers or drop it", column.dtype())));
    }
    let cells = column.cast(&DataType::Float64).map_err(|error| refuse(error.to_string()))?;
    let cells = cells.f64().map_err(|error| refuse(error.to_string()))?;
    if cells.null_count() > 0 {
        let row = cells.iter().position(|cell| cell.is_none()).unwrap_or_default();
        return Err(blank(column, row));
    }
    // Whole chunks, since cell by cell is slow where polars is not optimised.
    let mut numbers = Vec::with_capacity(cells.len());
    for chunk in cells.downcast_iter() {
        numbers.extend_from_slice(chunk.values());
    }
    Ok(numbers)
}

pub(super) fn texts(column: &Column) -> Result<Vec<String>> {
    let column_of = |problem: String| Error::Column { column: column.name().to_string(), problem };
    let cells = column.cast(&DataType::String).map_err(|error| column_of(error.to_string()))?;
    let cells = cells.str().map_err(|error| column_of(error.to_string()))?;
    let cells = cells.iter().enumerate().map(|(row, cell)| cell.map(str::to_string).ok_or_else(|| blank(column, row)));
    cells.collect()
}

fn blank(column: &Column, row: usize) -> Error {
    Error::Cell {
        column: column.name().to_string(),
        row: row + 1,
        value: "blank".into(),
        advice: "fill or drop missing cells first".into(),
    }
}

/// Refuses a text column that is numeric but for a few cells, naming the first of those.
fn stray(column: &Column, cells: &[String]) -> Result<()> {
    let numeric = cells.iter().filter(|cell| cell.trim().parse::<f64>().is_ok()).count();
    if 2 * numeric < cells.len() {
        return Ok(());
    }
    match cells.iter().enumerate().find(|(_, cell)| cell.trim().parse::<f64>().is_err()) {
        None => Ok(()),
        Some((row, cell)) => Err(Error::Cell {
            column: column.name().to_string(),
            row: row + 1,
            value: format!("`{cell}`"),
            advice: "the other cells of this column are numbers; mend or drop the row".into(),
        }),
    }
}

/// The different texts of a column in alphabetical order.
pub(super) fn categories(column: &Column, cells: &[String]) -> Result<Vec<String>> {
    stray(column, cells)?;
    let values: BTreeSet<&String> = cells.iter().collect();
    if values.len() > 10.max(cells.len() / 4) {
        return Err(Error::Column {
            column: column.name().to_string(),
            problem: format!(
                "has {} different texts in {} rows: it looks like an identifier; drop it or group its values",
                values.len(),
                cells.len()
            ),
        });
    }
    Ok(values.into_iter().cloned().collect())
}
