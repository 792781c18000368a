//! Columns as they are, with nothing guessed: what `strict` reads, and what it refuses.

use std::collections::BTreeSet;

use super::found::{Cells, Found};
use super::kind::{Judged, Kind};
use super::number::is_missing;
use crate::error::{Error, Result};

/// What a column is, if its cells are plain numbers, `true` and `false`, or texts.
pub(super) fn judged(found: &Found, rows: usize) -> Judged {
    let judged = |kind, values| Judged { kind, values, stray: Vec::new(), notes: Vec::new() };
    let texts = match &found.cells {
        Cells::Numbers(values) => return judged(Kind::Number, values.clone()),
        Cells::Days(values) => return judged(Kind::Date(super::date::Form::YearFirst), values.clone()),
        texts => texts,
    };
    let number = |cell: &str| match cell {
        "" => Some(f64::NAN),
        "true" => Some(1.0),
        "false" => Some(0.0),
        cell => cell.parse().ok(),
    };
    // Texts of a data frame are texts, whatever they look like.
    let is_file = matches!(texts, Cells::Spans(..));
    let values: Option<Vec<f64>> = (0..rows).map(|row| number(&texts.text(row)).filter(|_| is_file)).collect();
    values.map_or_else(|| judged(Kind::Text, Vec::new()), |values| judged(Kind::Number, values))
}

/// Refuses a column with a cell that has nothing in it.
pub(super) fn refuse_holes(found: &Found, judged: &Judged, rows: usize, strict: bool) -> Result<()> {
    let is_hole = |cell: &str| cell.is_empty() || !strict && is_missing(cell);
    let hole = match judged.kind {
        Kind::Text => (0..rows).find(|&row| is_hole(&found.cells.text(row))),
        _ => (0..rows).find(|&row| judged.values.get(row).is_none_or(|value| value.is_nan())),
    };
    let Some(row) = hole else { return Ok(()) };
    let cell = found.cells.text(row);
    Err(Error::Cell {
        column: found.name.clone(),
        row: row + 1,
        value: if cell.is_empty() { "blank".into() } else { cell.into_owned() },
        advice: "fill or drop missing cells first".into(),
    })
}

/// Refuses a text column that is numeric but for a few cells, naming the first of those.
pub(super) fn refuse_stray(found: &Found, rows: usize) -> Result<()> {
    let is_number = |row: &usize| found.cells.text(*row).parse::<f64>().is_ok();
    let numeric = (0..rows).filter(is_number).count();
    match (0..rows).find(|row| !is_number(row)) {
        Some(row) if 2 * numeric >= rows => Err(Error::Cell {
            column: found.name.clone(),
            row: row + 1,
            value: format!("`{}`", found.cells.text(row)),
            advice: "the other cells of this column are numbers; mend or drop the row".into(),
        }),
        _ => Ok(()),
    }
}

/// The different texts of a column in alphabetical order, unless they are too many.
pub(super) fn values(found: &Found, rows: usize) -> Result<Vec<String>> {
    refuse_stray(found, rows)?;
    let values: BTreeSet<String> = (0..rows).map(|row| found.cells.text(row).into_owned()).collect();
    if values.len() > 10.max(rows / 4) {
        return Err(Error::Column {
            column: found.name.clone(),
            problem: format!(
                "has {} different texts in {rows} rows: it looks like an identifier; drop it or group its values",
                values.len()
            ),
        });
    }
    Ok(values.into_iter().collect())
}
