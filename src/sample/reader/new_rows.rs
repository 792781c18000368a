//! New tables, encoded as the sample was.

use std::path::Path;

use ndarray::{Array1, Array2};
use polars::prelude::DataFrame;

use super::encode::encoded;
use super::found::{Found, Source};
use super::kind::{self, Kind};
use super::{Missing, Reader, strict};
use crate::error::{Error, Result};
use crate::sample::Sample;
use crate::sample::encoding::Encoding;

/// The rows of another table, as the sample's features.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// use polars::df;
/// let frame = df!("area" => [48.0, 60.0, 71.0], "rent" => [1350.0, 1700.0, 1820.0])?;
/// let sample = Reader::default().frame(&frame)?;
/// let new = Reader::default().frame_new(&df!("area" => [Some(50.0), None])?, &sample)?;
/// assert_eq!(new.x, ndarray::array![[50.0], [60.0]]);
/// assert_eq!(new.notices, ["`area` is missing in 1 of 2 new rows: filled with the training median 60"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct NewRows {
    /// The features.
    pub x: Array2<f64>,
    /// The targets, if every row has one.
    pub y: Option<Array1<f64>>,
    /// What was decided, a line each.
    pub notices: Vec<String>,
    /// The first cell that training does not know what to do with.
    pub(in crate::sample) surprise: Option<Error>,
}

impl Reader {
    /// The rows of another file, encoded as the sample was: columns are found by their names, in any order, and columns that the
    /// sample does not have are ignored. No row is left out.
    ///
    /// # Errors
    /// As [`Reader::read`]; [`Error::Column`] for a column that is missing. With `strict` and [`Missing::Refuse`] also for
    /// cells that are missing, and with `strict` for texts that training has not seen.
    pub fn read_new(&self, path: impl AsRef<Path>, sample: &Sample) -> Result<NewRows> {
        self.with_source(path.as_ref(), |source| self.encode(source, sample))
    }

    /// The same of a data frame.
    ///
    /// # Errors
    /// As [`Reader::read_new`].
    pub fn frame_new(&self, frame: &DataFrame, sample: &Sample) -> Result<NewRows> {
        self.check()?;
        self.encode(&Source::of_frame(frame)?, sample)
    }

    pub(in crate::sample) fn encode(&self, source: &Source, sample: &Sample) -> Result<NewRows> {
        if source.rows == 0 {
            return Err(Error::empty("the table has no rows", "give at least one"));
        }
        let rows: Vec<usize> = (0..source.rows).collect();
        let (mut columns, mut notices): (Vec<Vec<f64>>, Vec<String>) = (Vec::new(), source.notices.clone());
        let mut surprise = None;
        for encoding in &sample.encoding {
            let found = source.column(encoding.column())?;
            found.check()?;
            let part = encoded(encoding, found, &rows, source.decimal)?;
            let (name, of) = (&found.name, rows.len());
            let start = columns.len();
            if let Some(&row) = part.missing.first() {
                let cell = found.text(row);
                let refusal = Error::Cell {
                    column: name.clone(),
                    row: row + 1,
                    value: if cell.is_empty() { "blank".into() } else { format!("`{cell}`") },
                    advice: "fill or drop missing cells first".into(),
                };
                if self.strict || self.missing == Missing::Refuse {
                    return Err(refusal);
                }
                if !sample.holes.iter().any(|hole| hole.feature == start) || !part.stray.is_empty() {
                    surprise = surprise.or(Some(refusal));
                }
                let (count, fill) = (part.missing.len(), crate::wording::short(sample.usual(start)));
                let stray = part.stray.first().map_or(String::new(), |&row| {
                    format!(" or no number, first `{}` in row {}", found.text(row), row + 1)
                });
                notices.push(format!(
                    "`{name}` is missing{stray} in {count} of {of} new rows: filled with the training median {fill}"
                ));
            }
            if let Some(&row) = part.unseen.first() {
                let other = matches!(encoding, Encoding::Indicators { other: true, .. });
                let refusal = Error::Cell {
                    column: name.clone(),
                    row: row + 1,
                    value: format!("`{}`", found.text(row)),
                    advice: "the training table does not have this value; train with rows that have it".into(),
                };
                if self.strict {
                    return Err(refusal);
                }
                let as_what = if other { "are `other`" } else { "are taken as an average row of training" };
                if !other {
                    surprise = surprise.or(Some(refusal));
                    let count = part.unseen.len();
                    notices.push(format!(
                        "`{name}` has texts that training has not, first `{}` in row {}: {count} of {of} new rows {as_what}",
                        found.text(row),
                        row + 1
                    ));
                }
            }
            for mut column in part.columns {
                if column.iter().any(|cell| cell.is_nan()) {
                    let usual = sample.usual(columns.len());
                    column.iter_mut().filter(|cell| cell.is_nan()).for_each(|cell| *cell = usual);
                }
                columns.push(column);
            }
        }
        let x = Array2::from_shape_fn((source.rows, columns.len()), |(i, j)| columns[j][i]);
        let y = source.column(&sample.target).ok().and_then(|found| self.targets(found, source));
        Ok(NewRows { x, y, notices, surprise })
    }

    /// The targets, if every row has one.
    fn targets(&self, found: &Found, source: &Source) -> Option<Array1<f64>> {
        let judged = match self.strict {
            true => strict::judged(found, source.rows),
            false => kind::judged(&found.cells, source.rows, source.decimal, None),
        };
        let whole =
            judged.kind == Kind::Number && judged.values.iter().all(|value| value.abs() <= crate::sample::LARGEST);
        whole.then(|| judged.values.into())
    }
}
