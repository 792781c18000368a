//! What becomes of one column: left out, refused, or encoded; each told in a line.

use std::cell::RefCell;

use super::date::{Form, Part, day_of_month};
use super::found::{Found, Source};
use super::kind::{Judged, Kind};
use super::suspect::{are_distinct, are_whole, counts_rows, gives_away, is_identifier_name, is_index_name};
use super::text::Texts;
use super::{Missing, Reader, strict};
use crate::error::{Error, Result};
use crate::sample::encoding::{Encoding, MISSING, median};
use crate::wording::{exact, short};

/// Rows below which nothing is said of what a column looks like.
const FEW: usize = 20;
/// Different texts that are never too many to be values.
const VALUES: usize = 10;

/// How a column is encoded, if it is kept.
pub(super) struct Decided(pub(super) Option<Encoding>);

/// What the decisions on columns share.
pub(super) struct Table<'a> {
    pub(super) reader: &'a Reader,
    pub(super) source: &'a Source<'a>,
    /// The rows that are used.
    pub(super) rows: &'a [usize],
    pub(super) target: &'a str,
    pub(super) y: &'a [f64],
    /// The rows that a mark of missing cells already marks, with its name.
    pub(super) marks: RefCell<Vec<(Vec<usize>, String)>>,
}

impl Table<'_> {
    /// Decides on the column at a place of the table.
    pub(super) fn decide(
        &self,
        found: &Found,
        judged: &Judged,
        place: usize,
        notices: &mut Vec<String>,
    ) -> Result<Decided> {
        let name = &found.name;
        let refuses = self.reader.strict || self.reader.missing == Missing::Refuse;
        if refuses && !self.is_constant(found, judged) {
            strict::refuse_holes(found, judged, self.source.rows, self.reader.strict)?;
        }
        notices.extend(judged.notes.iter().map(|note| format!("`{name}` {note}")));
        if let Some(notice) = self.left_out(found, judged, place) {
            notices.push(notice);
            return Ok(Decided(None));
        }
        let encoding = match judged.kind {
            Kind::Nothing => return Ok(Decided(None)),
            Kind::Text if self.reader.strict => self.strict_text(found, notices)?,
            Kind::Text => self.text(found, notices),
            Kind::Number => self.number(found, judged, notices)?,
            Kind::Date(_) if self.reader.strict => {
                let problem = "is a date: turn it into numbers or drop it".into();
                return Err(Error::Column { column: name.clone(), problem });
            }
            Kind::Date(form) => self.date(found, judged, form, notices),
        };
        Ok(Decided(encoding))
    }

    fn values(&self, judged: &Judged) -> Vec<f64> {
        self.rows.iter().map(|&row| judged.values[row]).collect()
    }

    fn is_constant(&self, found: &Found, judged: &Judged) -> bool {
        let Some(&first) = self.rows.first() else { return true };
        match judged.kind {
            Kind::Nothing => true,
            Kind::Text => {
                let value = found.cells.text(first);
                self.rows.iter().all(|&row| found.cells.text(row) == value)
            }
            Kind::Number | Kind::Date(_) => self.rows.iter().all(|&row| judged.values[row] == judged.values[first]),
        }
    }

    /// Why a column is left out, if it is.
    fn left_out(&self, found: &Found, judged: &Judged, place: usize) -> Option<String> {
        let (name, rows) = (&found.name, self.rows.len());
        if judged.kind == Kind::Nothing {
            return Some(format!("`{name}` is blank in every row: left out"));
        }
        // A single row says nothing about what varies.
        if rows > 1 && self.is_constant(found, judged) {
            return Some(format!("`{name}` is the same in every row: dropped"));
        }
        if self.reader.strict || self.reader.insists(name) {
            return None;
        }
        let (whole, distinct) = match judged.kind {
            Kind::Number => {
                let values = self.values(judged);
                let whole = are_whole(&values);
                if counts_rows(&values) && is_index_name(name) {
                    return Some(format!("`{name}` counts the rows: left out (--keep)"));
                }
                (whole, whole && are_distinct(&values))
            }
            Kind::Text => {
                let least = self.reader.least(rows);
                let texts = Texts::of(found, self.rows, least, Some(usize::MAX));
                let distinct = texts.different == rows;
                if texts.different > VALUES.max(rows / 2) {
                    let different = texts.different;
                    return Some(format!(
                        "`{name}` has {different} different texts in {rows} rows, as identifiers have: left out (--keep)"
                    ));
                }
                if texts.different > VALUES && texts.frequent == 0 {
                    let different = texts.different;
                    return Some(format!(
                        "`{name}` has {different} different texts, none in {least} rows or more: left out (--keep, --rare, --group)"
                    ));
                }
                (true, distinct)
            }
            _ => (false, false),
        };
        if place == 0 && self.source.row_names && distinct {
            return Some(format!(
                "`{name}` has no name and is different in every row, as row names are: left out (--keep)"
            ));
        }
        if rows >= FEW && whole && is_identifier_name(name) {
            let hint = if distinct {
                "--keep".to_string()
            } else {
                format!("--group {name} leaves its rows out together, --keep")
            };
            return Some(format!("`{name}` is an identifier by its name: left out ({hint})"));
        }
        None
    }

    fn strict_text(&self, found: &Found, notices: &mut Vec<String>) -> Result<Option<Encoding>> {
        let values = strict::values(found, self.source.rows)?;
        let (different, frequent) = (values.len(), values.len());
        let texts = Texts { kept: values, rare: (0, 0), frequent, different, missing: 0 };
        notices.push(texts.notice(&found.name, self.rows.len()));
        Ok(Some(Encoding::Indicators { column: found.name.clone(), values: texts.kept, other: false }))
    }

    fn text(&self, found: &Found, notices: &mut Vec<String>) -> Option<Encoding> {
        let (least, most) = (self.reader.least(self.rows.len()), self.reader.rare.map(|_| usize::MAX));
        let texts = Texts::of(found, self.rows, least, most);
        notices.push(texts.notice(&found.name, self.rows.len()));
        Some(Encoding::Indicators { column: found.name.clone(), other: texts.rare.0 > 0, values: texts.kept })
    }

    fn number(&self, found: &Found, judged: &Judged, notices: &mut Vec<String>) -> Result<Option<Encoding>> {
        let (name, values) = (&found.name, self.values(judged));
        let (strict, target) = (self.reader.strict, self.target);
        let repeats = values == self.y;
        let other_units = !strict && gives_away(&values, self.y);
        if (repeats || other_units) && (strict || !self.reader.insists(name)) {
            let is = if repeats {
                format!("repeats the target `{target}`")
            } else {
                format!("is the target `{target}` in other units")
            };
            let insist = if strict { "" } else { " (--drop, or --keep to insist)" };
            let problem = format!("{is}: drop it, or every interval is an illusion{insist}");
            return Err(Error::Column { column: name.clone(), problem });
        }
        // A number that is the same wherever it is known says only whether it is.
        let mut known = values.iter().filter(|value| !value.is_nan());
        let first = known.next().copied().unwrap_or(0.0);
        if values.len() > 1 && known.all(|&value| value == first) && values.iter().any(|value| value.is_nan()) {
            let kept = vec![exact(first), MISSING.to_string()];
            notices.push(format!("`{name}` is {} or missing: 1 indicator column", kept[0]));
            return Ok(Some(Encoding::Indicators { column: name.clone(), values: kept, other: false }));
        }
        if self.rows.len() >= FEW && !self.reader.strict && counts_rows(&values) && !self.reader.insists(name) {
            notices.push(format!(
                "`{name}` counts the rows: kept, since it may be time; if it is an index, --drop {name}"
            ));
        }
        if !judged.stray.is_empty() {
            let row = judged.stray[0];
            let (count, cell) = (judged.stray.len(), found.cells.text(row));
            let cells = if count == 1 {
                "1 cell that is no number".into()
            } else {
                format!("{count} cells that are no numbers")
            };
            notices.push(format!("`{name}` has {cells}, first `{cell}` in row {}: taken as missing", row + 1));
        }
        let marked = self.marked(name, &values, notices);
        Ok(Some(Encoding::Number { column: name.clone(), marked }))
    }

    fn date(&self, found: &Found, judged: &Judged, form: Form, notices: &mut Vec<String>) -> Option<Encoding> {
        let (name, values) = (&found.name, self.values(judged));
        let known: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
        let (low, high) =
            known.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &day| (low.min(day), high.max(day)));
        let varies = |part: Part| known.iter().any(|&day| part.of(day) != part.of(known[0]));
        let first_or_last = |day: &f64| day_of_month(*day) == 1 || day_of_month(*day) >= 28;
        let parts: Vec<Part> = Part::ALL
            .into_iter()
            .filter(|&part| match part {
                // Within one round of the seasons a month is but a coarse day.
                Part::Month => varies(part) && high - low > 2.0 * 365.0,
                // Of months and quarters the weekday is chance.
                Part::Weekday => varies(part) && !known.iter().all(first_or_last) && high - low > 14.0,
                Part::Hour => varies(part),
            })
            .collect();
        let names: Vec<&str> = parts.iter().map(|part| part.name()).collect();
        let beside = if names.is_empty() { String::new() } else { format!(", and {}", names.join(", ")) };
        notices.push(format!("`{name}` is a date: days since 1970{beside}"));
        let marked = self.marked(name, &values, notices);
        Some(Encoding::Date { column: name.clone(), form, parts, marked })
    }

    /// Whether missing numbers have a column that marks them: enough of them, and not marked already.
    fn marked(&self, name: &str, values: &[f64], notices: &mut Vec<String>) -> bool {
        let missing: Vec<usize> = (0..values.len()).filter(|&row| values[row].is_nan()).collect();
        if missing.is_empty() {
            return false;
        }
        let mut marks = self.marks.borrow_mut();
        let same = marks.iter().find(|(rows, _)| *rows == missing).map(|(_, mark)| mark.clone());
        let enough = missing.len() >= self.reader.least(values.len()) && missing.len() < values.len();
        let mark = format!("{name}={MISSING}");
        let words = match (&same, enough) {
            (Some(mark), _) => format!("; `{mark}` marks these rows"),
            (None, true) => format!(" and marked by `{mark}`"),
            (None, false) => String::new(),
        };
        let fill = median(values.iter().copied()).unwrap_or(0.0);
        let (count, rows, fill) = (missing.len(), values.len(), short(fill));
        notices.push(format!(
            "`{name}` is missing in {count} of {rows} rows: filled with the median {fill}{words} (--missing)"
        ));
        let marked = same.is_none() && enough;
        if marked {
            marks.push((missing, mark));
        }
        marked
    }
}
