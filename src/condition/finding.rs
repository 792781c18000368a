//! One finding against exchangeable rows, in words.

use std::fmt;

use crate::wording::{chance, fixed, plain, short};

/// What speaks against exchangeable rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// The left-out errors rise or fall along the table.
    Drift,
    /// The size of the left-out errors rises or falls along the table.
    Spread,
    /// Neighbouring rows err alike.
    Autocorrelation,
    /// New rows are distributed otherwise than the training rows.
    Shift,
    /// New rows lie outside the range of the training rows.
    Range,
    /// Rows are copies of others, exactly or nearly.
    Duplicates,
    /// A feature determines the target.
    Leak,
}

impl Kind {
    /// What it does to a coverage, in a few words.
    pub(super) fn cause(self) -> &'static str {
        match self {
            Self::Drift => "errors that drift along the training table",
            Self::Spread => "errors whose size changes along the training table",
            Self::Autocorrelation => "neighbouring rows that err alike",
            Self::Shift => "new rows that are distributed otherwise than the training rows",
            Self::Range => "new rows outside the range of the training rows",
            Self::Duplicates => "copies among the training rows, by which left-out errors come out too small",
            Self::Leak => "a feature that gave the target away in training",
        }
    }
}

/// A sign that rows are not exchangeable, with its number and what to do about it.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let yacht = Table::Yacht.load();
/// let twice: Vec<usize> = (0..308).chain(0..77).collect();
/// let conditions = Conditions::of_rows(&yacht.rows(&twice)?);
/// let copies = conditions.iter().next().unwrap();
/// assert_eq!(copies.sentence(), "77 of 385 rows are copies of an earlier row, exactly or nearly");
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Finding {
    /// What it is.
    pub kind: Kind,
    /// How likely exchangeable rows are to show as much, with all checks of the call taken together; `None` if it is a count.
    pub p: Option<f64>,
    /// So many rows of so many, where it is about some of them.
    pub count: Option<(usize, usize)>,
    /// The columns it is about, the worst one first.
    pub columns: Vec<String>,
    /// How large it is: a rank correlation along the rows (drift, spread, autocorrelation), the largest distance of two
    /// distribution functions or, without columns, an AUROC (shift), how far outside in widths of the column's range (range),
    /// the share of rows (duplicates), or 1 − r² (leak).
    pub size: f64,
}

impl Finding {
    /// What was found, with its number.
    pub fn sentence(&self) -> String {
        let p = self.p.map_or(String::new(), chance);
        let columns = quoted(&self.columns);
        let (some, of) = self.count.unwrap_or_default();
        let size = fixed(self.size, 2);
        let time = "if the table is in order of time, ";
        match self.kind {
            Kind::Drift => {
                let along = "the rank correlation of a left-out error with its row number is";
                format!("{time}errors drift along it: {along} {size} ({p})")
            }
            Kind::Spread => {
                let grow = if self.size > 0.0 { "grow" } else { "shrink" };
                let along = "the rank correlation of their size with the row number is";
                format!("{time}left-out errors {grow} along it: {along} {size} ({p})")
            }
            Kind::Autocorrelation => {
                let alike = if self.size > 0.0 { "alike" } else { "in turns" };
                let next = "the rank correlation of a left-out error with the next is";
                format!("{time}neighbouring rows err {alike}: {next} {size} ({p})")
            }
            Kind::Shift if self.columns.is_empty() => {
                let told = "a classifier tells them from the training rows with an AUROC of";
                format!("the columns of the new rows go together otherwise: {told} {size} ({p})")
            }
            Kind::Shift => {
                let apart = "the two distribution functions are up to";
                format!("the new rows are unlike the training rows in {columns}: {apart} {size} apart ({p})")
            }
            Kind::Range => {
                let (lie, far) = (if some == 1 { "lies" } else { "lie" }, short(self.size));
                let rows = format!("{some} of {of} new rows {lie} outside the range of the training rows in {columns}");
                format!("{rows}, by up to {far} times its width ({p})")
            }
            Kind::Duplicates => {
                let copies = if some == 1 { "is a copy" } else { "are copies" };
                format!("{some} of {of} rows {copies} of an earlier row, exactly or nearly")
            }
            Kind::Leak => {
                let left = "what its correlation with the target leaves open is";
                format!("{columns} determines the target: {left} 1 − r² = {}", short(self.size))
            }
        }
    }

    /// What to do about it.
    pub fn advice(&self) -> &'static str {
        match self.kind {
            Kind::Drift | Kind::Spread => {
                "rows to come may be unlike all of these: test on the latest rows, train on recent ones, or make time a feature"
            }
            Kind::Autocorrelation => {
                "a left-out row is half known by its neighbours: leave runs of rows out together, as cv+ does, and test on later ones"
            }
            Kind::Shift => {
                "if the target depends on the features as before, weight the training rows by --method weighted \
                 (shifted_jackknife_plus); else train on rows like the new ones"
            }
            Kind::Range => {
                "what a model says there was never tried: train on rows that reach as far, or trust no interval there"
            }
            Kind::Duplicates => {
                "a row is not left out while its copy stays: keep one of each, or leave copies out together (Sample::groups)"
            }
            Kind::Leak => "use it only if it is known before the target is; else leave the column out",
        }
    }
}

/// The worst few in backticks, and how many more.
fn quoted(names: &[String]) -> String {
    const SHOWN: usize = 3;
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{}`", plain(name))).collect();
    let more = names.len().saturating_sub(SHOWN);
    shown.join(", ") + &if more > 0 { format!(" and {more} more") } else { String::new() }
}

/// The finding, then the advice.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.sentence(), self.advice())
    }
}

impl fmt::Debug for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
