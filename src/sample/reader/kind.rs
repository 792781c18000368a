//! What a column is: numbers, truth values, dates or texts.

use std::borrow::Cow;

use super::date::Form;
use super::found::Cells;
use super::number::{Decimal, is_missing, number};
use crate::wording::exact;

/// Words for yes and no, in pairs.
const TRUTHS: [(&str, &str); 4] = [("true", "false"), ("yes", "no"), ("t", "f"), ("y", "n")];
/// The share of cells among numbers that may be something else: more of them make it a column of texts.
const STRAY: f64 = 0.1;

/// What a column is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// No cell has anything in it.
    Nothing,
    Number,
    Date(Form),
    Text,
}

/// A column that has been looked at.
pub(super) struct Judged {
    pub(super) kind: Kind,
    /// Numbers, or days; NaN where there is none. Of texts: nothing.
    pub(super) values: Vec<f64>,
    /// The rows of cells that are no numbers where the others are.
    pub(super) stray: Vec<usize>,
    /// What is to be said of it.
    pub(super) notes: Vec<String>,
}

/// 1 for yes, 0 for no.
pub(super) fn truth(cell: &str) -> Option<f64> {
    if cell.len() > 5 {
        return None;
    }
    TRUTHS.iter().find_map(|(yes, no)| {
        let is_yes = yes.eq_ignore_ascii_case(cell);
        (is_yes || no.eq_ignore_ascii_case(cell)).then(|| f64::from(u8::from(is_yes)))
    })
}

/// Looks at a column; `day_first` decides where day and month could be either.
pub(super) fn judged(cells: &Cells, rows: usize, decimal: Decimal, day_first: Option<bool>) -> Judged {
    let plain = |kind, values| Judged { kind, values, stray: Vec::new(), notes: Vec::new() };
    match cells {
        Cells::Numbers(values) if values.iter().all(|value| value.is_nan()) => return plain(Kind::Nothing, Vec::new()),
        Cells::Numbers(values) => return plain(Kind::Number, values.clone()),
        Cells::Days(values) => return plain(Kind::Date(Form::YearFirst), values.clone()),
        _ => {}
    }
    let there = |row: usize| Some(cells.text(row)).filter(|cell| !is_missing(cell));
    let given: Vec<usize> = (0..rows).filter(|&row| there(row).is_some()).collect();
    if given.is_empty() {
        return plain(Kind::Nothing, Vec::new());
    }
    let all = |holds: &dyn Fn(&str) -> bool| given.iter().all(|&row| holds(&cells.text(row)));
    let values = |value: &dyn Fn(&str) -> Option<f64>| -> Vec<f64> {
        (0..rows).map(|row| there(row).and_then(|cell| value(&cell)).unwrap_or(f64::NAN)).collect()
    };
    let first = cells.text(given[0]);
    if truth(&first).is_some() && is_pair(&given, cells) {
        return plain(Kind::Number, values(&truth));
    }
    // Eight digits may be a date; other dates are no numbers.
    if let Some(form) = form(all, day_first, decimal) {
        let mut judged = plain(Kind::Date(form), values(&|cell| form.days(cell)));
        let other = if form == Form::DayFirst { Form::MonthFirst } else { Form::DayFirst };
        let either = matches!(form, Form::DayFirst | Form::MonthFirst) && all(&|cell| other.days(cell).is_some());
        if either && day_first.is_none() && !first.contains('.') {
            let order = if form == Form::DayFirst { "day before month" } else { "month before day" };
            judged
                .notes
                .push(format!("dates such as `{first}` are read with the {order} (--day-first, --month-first)"));
        }
        return judged;
    }
    if is_code(&given, cells) {
        let note = format!("has codes such as `{first}`: taken as texts");
        return Judged { notes: vec![note], ..plain(Kind::Text, Vec::new()) };
    }
    numbers(cells, &given, rows, decimal)
}

/// Looks at a column that must be numbers: codes are, and eight digits are no date.
pub(super) fn judged_as_numbers(cells: &Cells, rows: usize, decimal: Decimal) -> Option<Judged> {
    let given: Vec<usize> = (0..rows).filter(|&row| !is_missing(&cells.text(row))).collect();
    let judged = numbers(cells, &given, rows, decimal);
    (judged.kind == Kind::Number && !given.is_empty()).then_some(judged)
}

/// Whether every cell is a word of the same pair.
fn is_pair(given: &[usize], cells: &Cells) -> bool {
    let is = |(yes, no): &(&str, &str), cell: &str| yes.eq_ignore_ascii_case(cell) || no.eq_ignore_ascii_case(cell);
    TRUTHS.iter().any(|pair| given.iter().all(|&row| is(pair, &cells.text(row))))
}

/// How the dates are written, if the cells are dates.
fn form(all: impl Fn(&dyn Fn(&str) -> bool) -> bool, day_first: Option<bool>, decimal: Decimal) -> Option<Form> {
    let holds = |form: Form| all(&|cell| form.days(cell).is_some());
    let found: Vec<Form> = Form::ALL.into_iter().filter(|&form| holds(form)).collect();
    match found[..] {
        [Form::DayFirst, Form::MonthFirst] => {
            let dotted = all(&|cell| cell.contains('.'));
            let day = day_first.unwrap_or(dotted || decimal == Decimal::Comma);
            Some(if day { Form::DayFirst } else { Form::MonthFirst })
        }
        [form, ..] => Some(form),
        [] => None,
    }
}

/// Whether the cells are codes of digits, as postcodes are: of one length, and some begin with a zero.
fn is_code(given: &[usize], cells: &Cells) -> bool {
    let length = cells.text(given[0]).len();
    let like = |cell: &Cow<str>| cell.len() == length && cell.bytes().all(|byte| byte.is_ascii_digit());
    length >= 4
        && given.iter().all(|&row| like(&cells.text(row)))
        && given.iter().any(|&row| cells.text(row).starts_with('0'))
}

/// Numbers, unless too many cells are none.
fn numbers(cells: &Cells, given: &[usize], rows: usize, decimal: Decimal) -> Judged {
    let mut values = vec![f64::NAN; rows];
    let (mut stray, mut percents, mut currencies, mut groups) = (Vec::new(), 0, 0, 0);
    for &row in given {
        match number(&cells.text(row), decimal) {
            Some(number) => {
                values[row] = number.value;
                percents += usize::from(number.percent);
                currencies += usize::from(number.currency);
                groups += usize::from(number.grouped);
            }
            None => stray.push(row),
        }
        if stray.len() as f64 > STRAY * given.len() as f64 {
            return Judged { kind: Kind::Text, values: Vec::new(), stray: Vec::new(), notes: Vec::new() };
        }
    }
    // Percent beside plain numbers is two units in one column.
    if percents > 0 && percents < given.len() - stray.len() {
        let notes = vec!["mixes percent and plain numbers, so that they are taken as texts".into()];
        return Judged { kind: Kind::Text, values: Vec::new(), stray: Vec::new(), notes };
    }
    let mut notes = Vec::new();
    let example = |mark: &dyn Fn(&str) -> bool| given.iter().map(|&row| cells.text(row)).find(|cell| mark(cell));
    let mut tell = |what: &str, cell: Option<Cow<str>>| {
        if let Some((cell, number)) = cell.and_then(|cell| number(&cell, decimal).map(|number| (cell, number))) {
            notes.push(format!("has {what}: `{cell}` is read as {}", exact(number.value)));
        }
    };
    if percents > 0 {
        tell("percent signs", example(&|cell| cell.contains('%')));
    }
    if currencies > 0 {
        tell("currency signs", example(&|cell| number(cell, decimal).is_some_and(|number| number.currency)));
    }
    if groups > 0 {
        tell("thousands in groups", example(&|cell| number(cell, decimal).is_some_and(|number| number.grouped)));
    }
    Judged { kind: Kind::Number, values, stray, notes }
}
