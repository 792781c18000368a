//! A file of text as a table: dialect, names, and lines that all have as many cells.

use std::collections::HashSet;

use super::Reader;
use super::dialect::{decimal, has_header, separator};
use super::found::{Cells, Found, Source};
use super::number::{Decimal, is_missing};
use super::split::{Lines, Span};
use crate::wording::listed;

/// The columns of a text, or the reason why there are none; `notices` are those of its way here.
pub(super) fn table<'a>(text: &'a str, reader: &Reader, mut notices: Vec<String>) -> Result<Source<'a>, String> {
    let separator = match (reader.separator, reader.strict) {
        (Some(separator), _) => separator as u8,
        (None, true) => b',',
        (None, false) => separator(text),
    };
    if separator != b',' && reader.separator.is_none() {
        notices.push(format!("cells are separated by {} (--sep)", word(separator)));
    }
    let (mut columns, mut lines) = columns(text, separator)?;
    let guess = || decimal(text, &columns, separator);
    let decimal = match reader.decimal {
        Some(',') => Decimal::Comma,
        None if !reader.strict => guess(),
        _ => Decimal::Point,
    };
    if decimal == Decimal::Comma && reader.decimal.is_none() {
        notices.push("decimals have a comma: 1,5 is read as 1.5 (--decimal)".into());
    }
    let header = reader.header.unwrap_or_else(|| reader.strict || has_header(text, &columns, decimal));
    let named = columns.iter().map(|column| if header { column[0].of(text).into_owned() } else { String::new() });
    let named: Vec<String> = named.collect();
    let row_names = header && named.first().is_some_and(String::is_empty);
    let names = names(named, header, &mut notices);
    if header {
        columns.iter_mut().for_each(|column| {
            column.remove(0);
        });
        lines.remove(0);
    } else if reader.header.is_none() {
        let names = listed(&names, 3);
        notices.push(format!("the first line is not of names: the columns are called {names} (--header)"));
    }
    let rows = lines.len();
    let mut found = Vec::new();
    for (name, spans) in names.into_iter().zip(columns) {
        // What a separator at the end of every line leaves behind.
        let nothing = name.starts_with("column ") && rows > 0 && spans.iter().all(|cell| is_missing(&cell.of(text)));
        match nothing && !reader.strict {
            true => notices.push(format!("`{name}` has neither name nor cells: left out")),
            false => found.push(Found { name, cells: Cells::Spans(text, spans) }),
        }
    }
    Ok(Source { columns: found, rows, decimal, lines, row_names, notices })
}

fn word(separator: u8) -> String {
    match separator {
        b'\t' => "tabs".into(),
        b';' => "semicolons".into(),
        other => format!("`{}`", char::from(other)),
    }
}

/// The cells by columns, the first line among them, and the number of each line.
fn columns(text: &str, separator: u8) -> Result<(Vec<Vec<Span>>, Vec<usize>), String> {
    let (mut reading, mut cells) = (Lines::new(text, separator), Vec::new());
    let mut columns: Vec<Vec<Span>> = Vec::new();
    let mut lines: Vec<usize> = Vec::new();
    while let Some(line) = reading.next(&mut cells)? {
        if lines.is_empty() {
            columns = vec![Vec::new(); cells.len()];
        }
        // R writes no name above its row names.
        if lines.len() == 1 && cells.len() == columns.len() + 1 {
            columns.insert(0, vec![Span::BLANK]);
        }
        if cells.len() != columns.len() {
            let (has, first) = (cells.len(), lines.first().copied().unwrap_or(1));
            return Err(format!(
                "line {line} has {has} cells and line {first} has {}: put cells with {} in quotes, or name the separator by --sep",
                columns.len(),
                word(separator)
            ));
        }
        columns.iter_mut().zip(&cells).for_each(|(column, cell)| column.push(*cell));
        lines.push(line);
    }
    match lines.is_empty() {
        true => Err("it is empty: give a line of names and a line for each row".into()),
        false => Ok((columns, lines)),
    }
}

/// Names that can be told apart: a column without one is called by its place, and a second one of a name has its number.
fn names(given: Vec<String>, header: bool, notices: &mut Vec<String>) -> Vec<String> {
    let mut taken: HashSet<String> = given.iter().cloned().collect();
    let mut seen: HashSet<String> = HashSet::new();
    let mut names = Vec::new();
    for (place, name) in given.into_iter().enumerate() {
        let mut unique = if name.is_empty() { format!("column {}", place + 1) } else { name.clone() };
        if name.is_empty() && header && place > 0 {
            notices.push(format!("column {} has no name: called `{unique}`", place + 1));
        }
        if !seen.insert(unique.clone()) {
            let second = (2..).map(|k| format!("{name}.{k}")).find(|name| !taken.contains(name));
            unique = second.unwrap_or(unique);
            notices.push(format!("there are several columns `{name}`: one is called `{unique}`"));
            seen.insert(unique.clone());
        }
        taken.insert(unique.clone());
        names.push(unique);
    }
    names
}
