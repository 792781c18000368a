//! From a table as it was found to a sample: what each column is, what is left out, what is filled, each told in a line.

use std::cell::RefCell;

use ndarray::{Array1, Array2};
use rayon::prelude::*;

use super::decide::{Decided, Table};
use super::encode::{Encoded, encoded};
use super::found::{Cells, Found, Source};
use super::kind::{Judged, Kind};
use super::number::is_missing;
use super::suspect::{alike, are_in_order, is_time_name};
use super::{Missing, Reader, kind, strict};
use crate::error::{Error, Result};
use crate::sample::encoding::{Encoding, Hole, median};
use crate::sample::group::Grouping;
use crate::sample::{Sample, check_cell};

impl Reader {
    /// The sample of a table.
    pub(super) fn learn(&self, source: &mut Source) -> Result<Sample> {
        if source.rows == 0 {
            return Err(Error::empty("the table has no rows", "give at least one"));
        }
        let last = source.columns.last().map(|column| column.name.clone()).unwrap_or_default();
        let name = self.target.clone().unwrap_or(last);
        self.check_names(source, &name)?;
        let mut notices = std::mem::take(&mut source.notices);
        let target = source.column(&name)?;
        let judged = self.judged_target(target, source)?;
        let chosen: Vec<&Found> = source.columns.iter().filter(|column| self.is_feature(&column.name, &name)).collect();
        chosen.iter().try_for_each(|found| found.check())?;
        let looked: Vec<Judged> = chosen.par_iter().map(|found| self.judge(found, source)).collect();
        let rows = self.rows(source, &judged, &chosen, &looked, &mut notices)?;
        let y: Vec<f64> = rows.iter().map(|&row| judged.values[row]).collect();
        let table = Table { reader: self, source, rows: &rows, target: &name, y: &y, marks: RefCell::default() };
        let mut decided: Vec<(&Found, Decided)> = Vec::new();
        for (found, judged) in chosen.iter().zip(&looked) {
            let place = source.columns.iter().position(|column| column.name == found.name).unwrap_or_default();
            decided.push((found, table.decide(found, judged, place, &mut notices)?));
        }
        let kept: Vec<(&Found, Encoding)> =
            decided.into_iter().filter_map(|(found, decided)| Some((found, decided.0?))).collect();
        if kept.is_empty() {
            let advice =
                if notices.is_empty() { "give at least one beside the target".into() } else { notices.join("; ") };
            return Err(Error::empty("the table has no feature column left", advice));
        }
        let group = self.group.as_ref().map(|column| Grouping::of(column, source, &rows)).transpose()?;
        if let Some(group) = &group {
            notices.push(format!("rows of one `{}` belong together: {} groups", group.column(), group.names().len()));
        }
        assembled(kept, source, &rows, (&name, y), notices, group)
    }

    fn judge(&self, found: &Found, source: &Source) -> Judged {
        match self.strict {
            true => strict::judged(found, source.rows),
            false => kind::judged(&found.cells, source.rows, source.decimal, self.day_first),
        }
    }

    /// The target of another table, with a number in every row.
    pub(in crate::sample) fn target_of(&self, source: &Source, target: &str) -> Result<Vec<f64>> {
        Ok(self.judged_target(source.column(target)?, source)?.values)
    }

    /// The target as numbers.
    fn judged_target(&self, found: &Found, source: &Source) -> Result<Judged> {
        found.check()?;
        let mut judged = self.judge(found, source);
        if !self.strict && matches!(judged.kind, Kind::Text | Kind::Date(_)) && matches!(found.cells, Cells::Spans(..))
        {
            judged = kind::judged_as_numbers(&found.cells, source.rows, source.decimal).unwrap_or(judged);
        }
        let refuse = |problem: &str| Err(Error::Column { column: found.name.clone(), problem: problem.into() });
        if self.strict && judged.kind == Kind::Text {
            strict::refuse_holes(found, &judged, source.rows, self.strict)?;
            strict::refuse_stray(found, source.rows)?;
        }
        match judged.kind {
            Kind::Text => refuse("is text, but intervals are for numeric targets: choose another column"),
            Kind::Date(_) => refuse("is a date, but intervals are for numeric targets: choose another column"),
            Kind::Nothing => refuse("is blank in every row: choose another target"),
            Kind::Number => match judged.stray.first() {
                Some(&row) => Err(Error::Cell {
                    column: found.name.clone(),
                    row: row + 1,
                    value: format!("`{}`", found.cells.text(row)),
                    advice: "the other targets are numbers; mend the cell, or leave it blank to leave the row out"
                        .into(),
                }),
                None => {
                    if self.strict || self.missing == Missing::Refuse {
                        strict::refuse_holes(found, &judged, source.rows, self.strict)?;
                    }
                    let mut cells = judged.values.iter().enumerate().filter(|(_, value)| !value.is_nan());
                    cells.try_for_each(|(row, &value)| check_cell(value, row, || found.name.clone()))?;
                    Ok(judged)
                }
            },
        }
    }

    /// The rows that are used: those with a target and, if asked for, with nothing missing.
    fn rows(
        &self,
        source: &Source,
        target: &Judged,
        chosen: &[&Found],
        looked: &[Judged],
        notices: &mut Vec<String>,
    ) -> Result<Vec<usize>> {
        let with_target: Vec<usize> = (0..source.rows).filter(|&row| !target.values[row].is_nan()).collect();
        let lost = source.rows - with_target.len();
        if lost > 0 {
            notices.push(format!("{lost} of {} rows have no target: left out", source.rows));
        }
        if self.missing != Missing::LeaveOut {
            return Ok(with_target);
        }
        let has = |(found, judged): (&&Found, &Judged), row: usize| match judged.kind {
            Kind::Nothing => true,
            Kind::Text => !is_missing(&found.cells.text(row)),
            Kind::Number | Kind::Date(_) => !judged.values[row].is_nan(),
        };
        let whole = |row: &usize| chosen.iter().zip(looked).all(|column| has(column, *row));
        let rows: Vec<usize> = with_target.iter().copied().filter(whole).collect();
        let lost = with_target.len() - rows.len();
        if rows.is_empty() {
            let advice = "fill them by --missing median, or leave out the columns with most holes by --drop";
            return Err(Error::empty("every row has a missing cell", advice));
        }
        if lost > 0 {
            notices.push(format!("{lost} of {} rows have a missing cell: left out", with_target.len()));
        }
        Ok(rows)
    }
}

/// The sample of the columns that are kept, with what is missing filled.
fn assembled(
    kept: Vec<(&Found, Encoding)>,
    source: &Source,
    rows: &[usize],
    (target, y): (&str, Vec<f64>),
    mut notices: Vec<String>,
    group: Option<Grouping>,
) -> Result<Sample> {
    let parts: Vec<Encoded> = kept
        .par_iter()
        .map(|(found, encoding)| encoded(encoding, found, rows, source.decimal))
        .collect::<Result<_>>()?;
    let encoding: Vec<Encoding> = kept.into_iter().map(|(_, encoding)| encoding).collect();
    let (mut columns, mut holes, mut numbers): (Vec<Vec<f64>>, Vec<Hole>, Vec<usize>) = Default::default();
    for (encoding, part) in encoding.iter().zip(parts) {
        if !matches!(encoding, Encoding::Indicators { .. }) {
            numbers.push(columns.len());
        }
        for mut column in part.columns {
            if column.iter().any(|cell| cell.is_nan()) {
                let missing: Vec<bool> = column.iter().map(|cell| cell.is_nan()).collect();
                let fill = median(column.iter().copied()).unwrap_or(0.0);
                column.iter_mut().filter(|cell| cell.is_nan()).for_each(|cell| *cell = fill);
                holes.push(Hole { feature: columns.len(), missing });
            }
            columns.push(column);
        }
    }
    let features: Vec<String> = encoding.iter().flat_map(Encoding::features).collect();
    let x = Array2::from_shape_fn((rows.len(), columns.len()), |(i, j)| columns[j][i]);
    let named: Vec<(usize, &str)> = numbers.iter().map(|&place| (place, features[place].as_str())).collect();
    notices.extend(alike(&x, &named));
    for (encoding, &place) in
        encoding.iter().filter(|encoding| !matches!(encoding, Encoding::Indicators { .. })).zip(&numbers)
    {
        let (is_date, name) = (matches!(encoding, Encoding::Date { .. }), encoding.column());
        let has_hole = holes.iter().any(|hole| hole.feature == place);
        if (is_date || is_time_name(name)) && !has_hole && rows.len() >= 20 && are_in_order(&columns[place]) {
            notices.push(format!(
                "the rows are in order of time, by `{name}`: folds mix what was with what comes, so test on the latest rows too"
            ));
        }
    }
    let mut sample = Sample::named(x, Array1::from_vec(y), features, target)?;
    (sample.encoding, sample.notices, sample.holes, sample.group) = (encoding, notices, holes, group);
    Ok(sample)
}
