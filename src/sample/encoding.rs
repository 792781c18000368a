//! How the columns of a table became columns of x, and what is learnt again from the training rows of each split.

use ndarray::{Array1, Array2, Axis};
use ndarray_stats::QuantileExt;
use ndarray_stats::interpolate::Midpoint;
use noisy_float::types::n64;

use super::Sample;
#[cfg(feature = "polars")]
use super::reader::date::{Form, Part};

/// What rare texts are called together, and a missing one.
#[cfg(feature = "polars")]
pub(super) const OTHER: &str = "other";
pub(super) const MISSING: &str = "missing";

/// How one column of a table became columns of `x`.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Encoding {
    /// A number as it is; `marked`, a 0/1 column behind it says where it is missing.
    Number { column: String, marked: bool },
    /// A text: one 0/1 column for each value but the first, and one for all `other` values.
    #[cfg(feature = "polars")]
    Indicators { column: String, values: Vec<String>, other: bool },
    /// A date: days since 1970, the parts, and a mark as of numbers.
    #[cfg(feature = "polars")]
    Date { column: String, form: Form, parts: Vec<Part>, marked: bool },
}

impl Encoding {
    /// A number without holes.
    pub(super) fn number(column: &str) -> Self {
        Self::Number { column: column.into(), marked: false }
    }

    /// The column of the table.
    #[cfg(feature = "polars")]
    pub(super) fn column(&self) -> &str {
        match self {
            Self::Number { column, .. } | Self::Indicators { column, .. } | Self::Date { column, .. } => column,
        }
    }

    /// The names of its columns of `x`.
    pub(super) fn features(&self) -> Vec<String> {
        let mark = |column: &str, marked: bool| marked.then(|| format!("{column}={MISSING}"));
        match self {
            Self::Number { column, marked } => [column.clone()].into_iter().chain(mark(column, *marked)).collect(),
            #[cfg(feature = "polars")]
            Self::Indicators { column, values, other } => {
                let values = values[1..].iter().map(String::as_str).chain(other.then_some(OTHER));
                values.map(|value| format!("{column}={value}")).collect()
            }
            #[cfg(feature = "polars")]
            Self::Date { column, parts, marked, .. } => {
                let parts = parts.iter().map(|part| format!("{column} {}", part.name()));
                [column.clone()].into_iter().chain(parts).chain(mark(column, *marked)).collect()
            }
        }
    }

    /// The number of its columns of `x`, and how many of them, at the end, are 0 or 1.
    fn widths(&self) -> (usize, usize) {
        match self {
            Self::Number { marked, .. } => (1 + usize::from(*marked), usize::from(*marked)),
            #[cfg(feature = "polars")]
            Self::Indicators { values, other, .. } => {
                let indicators = values.len() - 1 + usize::from(*other);
                (indicators, indicators)
            }
            #[cfg(feature = "polars")]
            Self::Date { parts, marked, .. } => (1 + parts.len() + usize::from(*marked), usize::from(*marked)),
        }
    }
}

/// The rows of a column of `x` whose number was missing, so that it was filled.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Hole {
    pub(super) feature: usize,
    pub(super) missing: Vec<bool>,
}

impl Hole {
    pub(super) fn rows(&self, rows: &[usize]) -> Self {
        Self { feature: self.feature, missing: rows.iter().map(|&row| self.missing[row]).collect() }
    }
}

/// The median of what is a number; `None` if nothing is.
pub(super) fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let values: Array1<f64> = values.filter(|value| value.is_finite()).collect();
    let mut column = values.insert_axis(Axis(1));
    let median = column.quantile_axis_skipnan_mut(Axis(0), n64(0.5), &Midpoint).ok()?;
    median.first().copied()
}

impl Sample {
    /// What stands in column `feature` of `x` where nothing is known: the median of the numbers that are known, or the share
    /// of rows with the value that the column marks.
    pub(super) fn usual(&self, feature: usize) -> f64 {
        let column = self.x.column(feature);
        if self.is_indicator(feature) {
            return column.mean().unwrap_or(0.0);
        }
        let hole = self.holes.iter().find(|hole| hole.feature == feature);
        let known = |row: &usize| hole.is_none_or(|hole| !hole.missing[*row]);
        median((0..self.len()).filter(known).map(|row| column[row])).unwrap_or(0.0)
    }

    /// The columns of `x` of each column of the table: where they begin, how many they are, and how many are 0 or 1.
    fn places(&self) -> impl Iterator<Item = (usize, usize, usize, &Encoding)> {
        let mut start = 0;
        self.encoding.iter().map(move |encoding| {
            let (width, indicators) = encoding.widths();
            start += width;
            (start - width, width, indicators, encoding)
        })
    }

    fn is_indicator(&self, feature: usize) -> bool {
        self.places()
            .any(|(start, width, indicators, _)| (start + width - indicators..start + width).contains(&feature))
    }

    /// Training and test rows, in which what was learnt of the whole table is learnt again from the training rows: they decide
    /// what missing numbers are filled with, and a text that they do not have is none that was seen.
    pub(crate) fn parts(&self, train: &[usize], test: &[usize]) -> crate::error::Result<(Self, Self)> {
        let (mut train, mut test) = (self.rows(train)?, self.rows(test)?);
        let fills: Vec<(usize, f64)> = train
            .holes
            .iter()
            .filter(|hole| hole.missing.contains(&false))
            .map(|hole| (hole.feature, train.usual(hole.feature)))
            .collect();
        for (feature, value) in fills {
            train.fill(feature, value);
            test.fill(feature, value);
        }
        let places: Vec<_> = train
            .places()
            .map(|(start, width, indicators, encoding)| (start, width, indicators, encoding.clone()))
            .collect();
        for (start, width, indicators, encoding) in places {
            let first = start + width - indicators;
            let seen: Vec<bool> =
                (first..start + width).map(|j| train.x.column(j).iter().any(|&cell| cell > 0.0)).collect();
            if !seen.contains(&false) {
                continue;
            }
            unseen(&mut test.x, &train.x, first, &seen, &encoding);
        }
        Ok((train, test))
    }

    fn fill(&mut self, feature: usize, value: f64) {
        let Some(hole) = self.holes.iter().find(|hole| hole.feature == feature) else { return };
        let mut column = self.x.column_mut(feature);
        column.iter_mut().zip(&hole.missing).filter(|(_, missing)| **missing).for_each(|(cell, _)| *cell = value);
    }
}

/// Moves test rows from indicators that training has nowhere to `other`, or to the shares of training where there is none.
fn unseen(test: &mut Array2<f64>, train: &Array2<f64>, first: usize, seen: &[bool], encoding: &Encoding) {
    let last = first + seen.len() - 1;
    let shares: Vec<f64> = (first..=last).map(|j| train.column(j).mean().unwrap_or(0.0)).collect();
    for mut row in test.rows_mut() {
        let is_unseen = seen.iter().enumerate().any(|(k, seen)| !seen && row[first + k] == 1.0);
        if !is_unseen {
            continue;
        }
        match encoding {
            #[cfg(feature = "polars")]
            Encoding::Indicators { other, .. } if *other && seen[seen.len() - 1] => {
                (first..=last).for_each(|j| row[j] = f64::from(u8::from(j == last)));
            }
            _ => shares.iter().enumerate().for_each(|(k, share)| row[first + k] = *share),
        }
    }
}
