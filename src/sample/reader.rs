//! Any table that a person has, read as a careful colleague would.
//!
//! A [`Reader`] makes a [`Sample`] of a file or a data frame. Whatever it decides it tells in a line of [`Sample::notices`], and
//! every decision can be overruled: by a setter here, by the option of the same name on the command line.
//!
//! | what is found | becomes | overruled by |
//! |---|---|---|
//! | commas, semicolons, tabs or bars between cells; quotes doubled within quotes | cells | [`Reader::separator`], `--sep` |
//! | decimal commas | decimal points | [`Reader::decimal`], `--decimal` |
//! | a first line without names | columns called `column 1`, … | [`Reader::header`], `--header`, `--no-header` |
//! | gzip, byte order marks, UTF-16, Latin-1, Parquet | text | |
//! | thousands in groups, percent and currency signs | numbers: `12 %` is 12 | `--drop` |
//! | true and false, yes and no, t and f, y and n | 1 and 0 | |
//! | `NA`, `N/A`, `nan`, `null`, `?`, `-`, `.`, a blank | a missing cell | |
//! | a missing target | no row | |
//! | a missing number | the median of the training rows, and a column `name=missing` that marks it if there are several | [`Reader::missing`], `--missing` |
//! | a missing text | the value `missing` | `--missing` |
//! | a few texts among numbers | missing numbers | `--missing`, `--drop` |
//! | a text | a 0/1 column for each frequent value but the first; rare ones together as `other` | [`Reader::rare`], `--rare` |
//! | a date | days since 1970, and month, weekday and hour where they vary and mean something | [`Reader::day_first`], `--drop` |
//! | an index, row names, identifiers, columns that are constant or blank | left out | [`Reader::keep`], `--keep` |
//! | a column that is the target again, or in other units | a refusal | `--keep`, `--drop` |
//! | columns that repeat others, or nearly; rows in order of time | a line that says so | |
//!
//! A text is frequent if it is in a hundredth of the rows, and in two or more; of more than 15 the most frequent are kept, and of
//! equally frequent ones the alphabetically first.
//!
//! **What is learnt from whom.** Which columns and texts are kept is decided on the whole table, without its target. What missing
//! numbers are filled with is learnt from training rows only: [`Sample::split`] and the folds of an audit take the medians of the
//! training part, and treat a text that only test rows have as new. Leave-one-out models within a training part keep its
//! medians, as they keep its standardisation by all training rows. New tables ([`Reader::read_new`]) are filled as the sample was.
//!
//! **Strict.** With [`Reader::strict`] nothing is guessed: commas, decimal points, a first line of names, UTF-8; missing cells,
//! stray texts and columns that look like identifiers are refused. [`Sample::from_frame`] reads so, since a data frame is already
//! what its maker decided.

mod bytes;
pub(crate) mod date;
mod decide;
mod dialect;
mod encode;
mod found;
mod grid;
mod kind;
mod learn;
mod new_rows;
mod number;
mod split;
mod strict;
mod suspect;
mod text;

use std::path::Path;
use std::str::FromStr;

use polars::prelude::DataFrame;

use super::Sample;
use crate::check::refusal;
use crate::error::{Error, Result};
use crate::setter::setters;
pub(super) use found::Source;
pub use new_rows::NewRows;
pub(super) use number::is_missing;

/// What becomes of missing cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Missing {
    /// Numbers get the median of the training rows and a column that marks them; texts are a value of their own.
    #[default]
    Median,
    /// Their rows are left out.
    LeaveOut,
    /// They are refused.
    Refuse,
}

impl FromStr for Missing {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        match name {
            "median" => Ok(Self::Median),
            "leave-out" => Ok(Self::LeaveOut),
            "refuse" => Ok(Self::Refuse),
            _ => Err(refusal("--missing", format!("`{name}`"), "be median, leave-out or refuse", "median")),
        }
    }
}

/// How a table is read.
///
/// | option | default | meaning |
/// |---|---|---|
/// | `target` | the last column | what is predicted |
/// | `drop` | none | columns that are no features |
/// | `only` | all | the features, whatever they look like |
/// | `keep` | none | columns that are features whatever they look like |
/// | `group` | none | the column that says which rows belong together |
/// | `missing` | [`Missing::Median`] | what becomes of missing cells |
/// | `rare` | a hundredth of the rows, at least 2, and at most 15 texts | rows from which on a text has a column of its own |
/// | `separator` | found | what stands between cells |
/// | `decimal` | found | what stands between whole and parts: `.` or `,` |
/// | `header` | found | whether the first line has names |
/// | `day_first` | found | whether 3/4/2024 is in April |
/// | `strict` | no | whether nothing is guessed |
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let path = std::env::temp_dir().join("jackknife-doc-reader.csv");
/// std::fs::write(&path, "town;size;price\nBern;1,5;300\nOslo;NA;410\nBern;2,5;520\nOslo;3;600\n").unwrap();
/// let sample = Reader::default().target("price").read(&path)?;
/// assert_eq!(sample.features(), ["town=Oslo", "size", "size=missing"]);
/// assert_eq!(sample.x().row(1).to_vec(), [1.0, 2.5, 1.0]);
/// assert_eq!(sample.notices()[0], "cells are separated by semicolons (--sep)");
/// assert!(Reader::default().target("price").missing(Missing::Refuse).read(&path).is_err());
/// # std::fs::remove_file(path).ok();
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reader {
    target: Option<String>,
    drop: Vec<String>,
    only: Vec<String>,
    keep: Vec<String>,
    group: Option<String>,
    missing: Missing,
    rare: Option<usize>,
    separator: Option<char>,
    decimal: Option<char>,
    header: Option<bool>,
    day_first: Option<bool>,
    strict: bool,
}

impl Reader {
    setters! {
        /// The column that is predicted.
        target(name: &str) => Some(name.into());

        /// Columns that are no features.
        drop(names: &[impl AsRef<str>]) => owned(names);

        /// The features, whatever they look like; none for all.
        only(names: &[impl AsRef<str>]) => owned(names);

        /// Columns that are features whatever they look like: an index, an identifier, the target in other units.
        keep(names: &[impl AsRef<str>]) => owned(names);

        /// The column that says which rows belong together; it is no feature.
        group(name: &str) => Some(name.into());

        /// What becomes of missing cells.
        missing(missing: Missing) => missing;

        /// The number of rows from which on a text has a column of its own; 1 for all texts.
        rare(rows: usize) => Some(rows);

        /// What stands between cells.
        separator(separator: char) => Some(separator);

        /// What stands between whole and parts, a point or a comma.
        decimal(decimal: char) => Some(decimal);

        /// Whether the first line has names.
        header(header: bool) => Some(header);

        /// Whether the day stands before the month where it could be either.
        day_first(day_first: bool) => Some(day_first);

        /// Whether nothing is guessed, and what is not plain is refused.
        strict(strict: bool) => strict;
    }

    /// A sample from a file: CSV, TSV, gzip of these, or Parquet.
    ///
    /// # Errors
    /// [`Error::File`] if it cannot be read as a table, with the line; [`Error::Column`] for a column that is not there or cannot
    /// serve, [`Error::Cell`] for a cell, both within [`Error::InFile`]; [`Error::Choice`] for options out of their range.
    pub fn read(&self, path: impl AsRef<Path>) -> Result<Sample> {
        self.with_source(path.as_ref(), |source| self.learn(source))
    }

    /// A sample from a data frame.
    ///
    /// # Errors
    /// As [`Reader::read`], without a file.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// use polars::df;
    /// let frame = df!("area" => [Some(48.0), None, Some(71.0)], "rent" => [1350.0, 1700.0, 1820.0])?;
    /// let sample = Reader::default().target("rent").frame(&frame)?;
    /// assert_eq!(sample.x().column(0).to_vec(), [48.0, 59.5, 71.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn frame(&self, frame: &DataFrame) -> Result<Sample> {
        self.check()?;
        self.learn(&mut Source::of_frame(frame)?)
    }

    /// Reads a file as far as its columns, and names the file and the line of what goes wrong with them.
    fn with_source<T>(&self, path: &Path, work: impl FnOnce(&mut Source) -> Result<T>) -> Result<T> {
        self.check()?;
        let refuse = |reason: String| Error::File { action: "read", path: path.into(), reason };
        if path.is_dir() {
            return Err(refuse("it is a folder: name a CSV or Parquet file in it".into()));
        }
        let bytes = std::fs::read(path).map_err(|error| refuse(error.to_string()))?;
        let ending = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("parquet"));
        if ending || bytes::is_parquet(&bytes) {
            let frame = super::frame::parquet(bytes, path)?;
            return work(&mut Source::of_frame(&frame)?).map_err(|error| error.in_file(path, &[]));
        }
        let bytes::Text { text, notices } = bytes::decoded(bytes, self.strict).map_err(refuse)?;
        let mut source = grid::table(&text, self, notices).map_err(refuse)?;
        let outcome = work(&mut source);
        outcome.map_err(|error| error.in_file(path, &source.lines))
    }

    /// The columns of a file of text, for a data frame.
    pub(super) fn typed(&self, path: &Path) -> Result<DataFrame> {
        self.with_source(path, |source| super::frame::typed(source))
    }

    fn check(&self) -> Result<()> {
        let one = |name, sign: Option<char>, lawful: &dyn Fn(char) -> bool, range, example| match sign {
            Some(sign) if !lawful(sign) => Err(refusal(name, format!("`{sign}`"), range, example)),
            _ => Ok(()),
        };
        let separates = |sign: char| sign.is_ascii() && !sign.is_ascii_alphanumeric() && !"\"\r\n.+-".contains(sign);
        one("the separator", self.separator, &separates, "be one sign that stands in no number", "`;`")?;
        one("the decimal sign", self.decimal, &|sign| sign == '.' || sign == ',', "be a point or a comma", "`,`")?;
        match self.rare {
            Some(0) => Err(refusal("the number of rows of a rare text", 0, "be at least 1", "5")),
            _ => Ok(()),
        }
    }

    /// Refuses names that the table does not have, and a target that is to be something else too.
    fn check_names(&self, source: &Source, target: &str) -> Result<()> {
        source.column(target)?;
        for name in self.drop.iter().chain(&self.only).chain(&self.keep).chain(&self.group) {
            source.column(name)?;
        }
        let twice = self.drop.iter().chain(&self.group).any(|name| name == target);
        let torn = self.drop.iter().any(|name| self.only.contains(name) || self.keep.contains(name));
        let refuse = |name: &str, problem: &str| Err(Error::Column { column: name.into(), problem: problem.into() });
        match (twice, torn) {
            (true, _) => refuse(target, "is the target, and can be neither dropped nor a group: choose another target"),
            (_, true) => refuse(&self.drop[0], "is both to be dropped and to be kept: choose one"),
            _ => Ok(()),
        }
    }

    fn is_feature(&self, name: &str, target: &str) -> bool {
        let named = |names: &[String]| names.iter().any(|other| other == name);
        let is_group = self.group.as_deref() == Some(name);
        name != target
            && !is_group
            && !named(&self.drop)
            && (self.only.is_empty() || named(&self.only) || named(&self.keep))
    }

    /// Whether a column was asked for by its name.
    fn insists(&self, name: &str) -> bool {
        self.keep.iter().chain(&self.only).any(|other| other == name)
    }

    /// The rows from which on a text has an indicator, and missing numbers a mark.
    fn least(&self, rows: usize) -> usize {
        self.rare.unwrap_or(if rows < 20 { 1 } else { rows.div_ceil(100).max(2) })
    }
}

fn owned(names: &[impl AsRef<str>]) -> Vec<String> {
    names.iter().map(|name| name.as_ref().to_string()).collect()
}
