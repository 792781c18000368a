//! Table 2: coverage, discrimination and error of each method on each table.

use std::fmt;

use crate::audit::Mean;
use crate::baseline::Baseline;
use crate::error::{Error, Result};
use crate::interval::{Method, Rule};
use crate::leave_one_out::{Engine, Terms};
use crate::sample::tables::Table;

/// The methods of the paper's Table 2, in its order: DJ, MCDP, PBP, DE, BNN.
pub const METHODS: [Method; 5] = [
    Method::Pair(Engine::Influence(1, Terms::Exact), Rule::Plus),
    Method::Baseline(Baseline::Dropout),
    Method::Baseline(Baseline::Pbp),
    Method::Baseline(Baseline::Ensemble),
    Method::Baseline(Baseline::Langevin),
];

/// Which of the two versions a [`TableTwo`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// With the settings of the authors' program: see [`TableTwo::as_printed`].
    AsPrinted,
    /// With this crate's conventions: see [`TableTwo::as_it_is`].
    AsItIs,
}

/// Table 2 of the paper, made anew.
///
/// # Example
/// ```no_run
/// use jackknife::prelude::*;
/// let printed = TableTwo::as_printed(&[Table::Yacht], 10, 0)?;
/// let honest = TableTwo::as_it_is(&[Table::Yacht], 10, 0)?;
/// println!("{printed:?}\n\n{honest:?}");
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct TableTwo {
    /// Which version it is.
    pub version: Version,
    /// One for each table and method, table by table.
    pub cells: Vec<Cell>,
}

/// What one method did on one table.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The table.
    pub table: Table,
    /// The method; in the version as printed, what the authors' program ran under its name.
    pub method: Method,
    /// The average precision with which the width finds the largest tenth of the errors, as the version reports it:
    /// folded in the version as printed, raw in the other.
    pub precision: Mean,
    /// The same, raw.
    pub raw: Mean,
    /// What a random ranking would have, raw: [`chance`](super::chance).
    pub chance: f64,
    /// The share of covered test rows, over all runs.
    pub coverage: f64,
    /// The mean squared error on the test rows.
    pub mse: f64,
    /// The runs or splits that gave an answer.
    pub runs: usize,
    /// What the reader should know about it, failures included.
    pub notes: Vec<String>,
}

impl TableTwo {
    /// The cell of a method on a table.
    pub fn cell(&self, table: Table, method: Method) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.table == table && cell.method == method)
    }

    /// The cell of a method by its name, to keep.
    ///
    /// # Errors
    /// [`Error::Choice`] for a name that is none of a [`Method`], [`Error::Empty`] if the method has no cell there.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let empty = TableTwo { version: paper::Version::AsItIs, cells: vec![] };
    /// assert!(empty.named(Table::Yacht, "dj1").unwrap_err().to_string().starts_with("there is no cell of dj1"));
    /// ```
    pub fn named(&self, table: Table, method: &str) -> Result<Cell> {
        let method: Method = method.parse()?;
        self.cell(table, method).cloned().ok_or_else(|| {
            let what = format!("there is no cell of {} on {table} in Table 2 {}", method.name(), self.version);
            Error::empty(what, "it was not asked for, or failed in every run")
        })
    }

    /// The tables, in their order.
    pub fn tables(&self) -> Vec<Table> {
        let mut tables: Vec<Table> = self.cells.iter().map(|cell| cell.table).collect();
        tables.dedup();
        tables
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AsPrinted => "as printed",
            Self::AsItIs => "as it is",
        })
    }
}

impl fmt::Debug for TableTwo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let precision = match self.version {
            Version::AsPrinted => "folded",
            Version::AsItIs => "precision",
        };
        write!(f, "Table 2 of the paper, {}", self.version)?;
        for table in self.tables() {
            write!(
                f,
                "\n\n{:<24}{precision:>16}{:>8}{:>8}{:>10}{:>10}",
                table.name(),
                "raw",
                "chance",
                "coverage",
                "MSE"
            )?;
            for cell in self.cells.iter().filter(|cell| cell.table == table) {
                let Cell { precision, raw, chance, coverage, mse, .. } = cell;
                let precision = format!("{:.3} ± {:.3}", precision.value, precision.error);
                write!(f, "\n  {:<22}{precision:>16}", cell.method.name())?;
                write!(f, "{:>8.3}{chance:>8.3}{coverage:>10.3}{mse:>10.2}", raw.value)?;
            }
            for cell in self.cells.iter().filter(|cell| cell.table == table) {
                cell.notes.iter().try_for_each(|note| write!(f, "\n  {}: {note}", cell.method.name()))?;
            }
        }
        Ok(())
    }
}
