//! The cells of one column as columns of x: the same for training rows and for new ones.

use std::collections::HashMap;

use super::date::{Form, Part};
use super::found::{Cells, Found};
use super::kind::truth;
use super::number::{Decimal, is_missing, number};
use crate::error::{Error, Result};
use crate::sample::check_cell;
use crate::sample::encoding::{Encoding, MISSING};

/// The share of new cells that may be no number where training had numbers; they are missing then.
const STRAY: f64 = 0.1;

/// Columns of x, in which NaN is what must be filled.
pub(super) struct Encoded {
    pub(super) columns: Vec<Vec<f64>>,
    /// The rows whose number is missing.
    pub(super) missing: Vec<usize>,
    /// The rows whose cell is no number, and so missing.
    pub(super) stray: Vec<usize>,
    /// The rows whose text training has not seen.
    pub(super) unseen: Vec<usize>,
}

/// The columns of x that an encoding makes of the chosen rows.
pub(super) fn encoded(encoding: &Encoding, found: &Found, rows: &[usize], decimal: Decimal) -> Result<Encoded> {
    match encoding {
        Encoding::Number { marked, .. } => {
            let read = |cell: &str| number(cell, decimal).map(|number| number.value).or_else(|| truth(cell));
            numbers(found, rows, *marked, &[], read)
        }
        Encoding::Date { form, parts, marked, .. } => numbers(found, rows, *marked, parts, |cell| date(*form, cell)),
        Encoding::Indicators { values, other, .. } => Ok(indicators(found, rows, values, *other)),
    }
}

fn date(form: Form, cell: &str) -> Option<f64> {
    form.days(cell).or_else(|| Form::YearFirst.days(cell))
}

fn numbers(
    found: &Found,
    rows: &[usize],
    marked: bool,
    parts: &[Part],
    read: impl Fn(&str) -> Option<f64>,
) -> Result<Encoded> {
    let (mut values, mut missing, mut stray) = (Vec::with_capacity(rows.len()), Vec::new(), Vec::new());
    for (place, &row) in rows.iter().enumerate() {
        let value = match &found.cells {
            Cells::Numbers(cells) | Cells::Days(cells) => cells[row],
            cells => {
                let cell = cells.text(row);
                let value = if is_missing(&cell) { None } else { read(&cell) };
                if value.is_none() && !is_missing(&cell) {
                    stray.push(place);
                }
                value.unwrap_or(f64::NAN)
            }
        };
        match value.is_nan() {
            true => missing.push(place),
            false => check_cell(value, row, || found.name.clone())?,
        }
        values.push(value);
    }
    if stray.len() as f64 > STRAY * rows.len() as f64 {
        let row = rows[stray[0]];
        return Err(Error::Cell {
            column: found.name.clone(),
            row: row + 1,
            value: format!("`{}`", found.cells.text(row)),
            advice: "this column is numeric in training; mend or drop the row".into(),
        });
    }
    let mut columns: Vec<Vec<f64>> = parts
        .iter()
        .map(|part| values.iter().map(|&days| if days.is_nan() { days } else { part.of(days) }).collect())
        .collect();
    if marked {
        columns.push(values.iter().map(|value| f64::from(u8::from(value.is_nan()))).collect());
    }
    columns.insert(0, values);
    Ok(Encoded { columns, missing, stray, unseen: Vec::new() })
}

fn indicators(found: &Found, rows: &[usize], values: &[String], other: bool) -> Encoded {
    let place: HashMap<&str, usize> = values.iter().enumerate().map(|(k, value)| (value.as_str(), k)).collect();
    let width = values.len() - 1 + usize::from(other);
    let mut columns = vec![vec![0.0; rows.len()]; width];
    let mut unseen = Vec::new();
    for (at, &row) in rows.iter().enumerate() {
        let cell = found.cells.text(row);
        let known = place.get(&*cell).or_else(|| place.get(MISSING).filter(|_| is_missing(&cell)));
        match known {
            Some(0) => {}
            Some(&k) => columns[k - 1][at] = 1.0,
            None => {
                unseen.push(at);
                match other {
                    true => columns[width - 1][at] = 1.0,
                    false => columns.iter_mut().for_each(|column| column[at] = f64::NAN),
                }
            }
        }
    }
    Encoded { columns, missing: Vec::new(), stray: Vec::new(), unseen }
}
