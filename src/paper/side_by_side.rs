//! What was printed, what the same settings give again, and what is there without them.

use std::fmt;

use super::fold;
use super::printed::{Printed, printed};
use super::table_two::{Cell, TableTwo};
use crate::error::Result;
use crate::interval::Method;
use crate::sample::tables::Table;

/// Table 2 three times: printed, rebuilt as printed, and as it is.
#[derive(Clone, PartialEq)]
pub struct SideBySide {
    /// The version with the settings of the authors' program.
    pub as_printed: TableTwo,
    /// The version with this crate's conventions.
    pub as_it_is: TableTwo,
}

/// One method on one table, three times.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The table.
    pub table: Table,
    /// The method.
    pub method: Method,
    /// What stands in the paper.
    pub printed: Option<Printed>,
    /// What the same settings give.
    pub as_printed: Option<Cell>,
    /// What there is without them.
    pub as_it_is: Option<Cell>,
}

/// Rebuilds Table 2 in both versions: `runs` trainings of the one split as printed, `splits` splits as it is.
///
/// # Errors
/// As [`TableTwo::as_printed`] and [`TableTwo::as_it_is`].
///
/// # Example
/// ```no_run
/// use jackknife::prelude::*;
/// let tables = [Table::Yacht, Table::BostonHousing, Table::EnergyEfficiency];
/// let all = paper::side_by_side(&tables, 10, 10, 0)?;
/// println!("{all:?}");
/// # Ok::<(), jackknife::Error>(())
/// ```
pub fn side_by_side(tables: &[Table], runs: usize, splits: usize, seed: u64) -> Result<SideBySide> {
    let as_printed = TableTwo::as_printed(tables, runs, seed)?;
    Ok(SideBySide { as_printed, as_it_is: TableTwo::as_it_is(tables, splits, seed)? })
}

impl SideBySide {
    /// One line for each table and method, table by table.
    pub fn lines(&self) -> Vec<Line> {
        let line = |cell: &Cell| {
            let (table, method) = (cell.table, cell.method);
            Line {
                table,
                method,
                printed: printed(table, method),
                as_printed: self.as_printed.cell(table, method).cloned(),
                as_it_is: self.as_it_is.cell(table, method).cloned(),
            }
        };
        self.as_it_is.cells.iter().map(line).collect()
    }
}

impl fmt::Debug for SideBySide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Table 2: printed, the same settings again, and as it is")?;
        let mut table = None;
        for line in self.lines() {
            if table.replace(line.table) != Some(line.table) {
                let parts = ("folded precision", "raw precision", "coverage", "MSE");
                write!(f, "\n\n{:<18}|{:^18}|{:^24}|", line.table.name(), parts.0, parts.1)?;
                write!(f, "{:^24}|{:^30}", parts.2, parts.3)?;
                let names = [
                    &["printed", "again"][..],
                    &["again", "is", "chance"],
                    &["printed", "again", "is"],
                    &["printed", "again", "is"],
                ];
                put(f, "", names.map(|names| names.iter().map(|name| name.to_string()).collect()))?;
            }
            put(f, &line.method.name(), line.numbers())?;
        }
        let chances = self.as_printed.tables().into_iter().filter_map(|table| {
            let cell = self.as_printed.cells.iter().find(|cell| cell.table == table)?;
            Some(format!("{:.2} on {table}", fold(cell.chance)))
        });
        write!(f, "\n\nfolded: 1 − AP where AP ≤ ½; a random ranking folds to ")?;
        write!(f, "{}", chances.collect::<Vec<_>>().join(", "))
    }
}

/// One line of the table, its parts between bars.
fn put(f: &mut fmt::Formatter<'_>, name: &str, parts: [Vec<String>; 4]) -> fmt::Result {
    write!(f, "\n{name:<18}")?;
    for (part, wide) in parts.into_iter().zip([9, 8, 8, 10]) {
        write!(f, "|")?;
        part.iter().try_for_each(|cell| write!(f, "{cell:>wide$}"))?;
    }
    Ok(())
}

impl Line {
    /// Folded and raw precision, coverage and MSE, as they are shown; a dash where there is none.
    pub(crate) fn numbers(&self) -> [Vec<String>; 4] {
        let show = |numbers: &[Option<f64>], decimals: usize| {
            numbers.iter().map(|number| number.map_or("–".into(), |n| format!("{n:.decimals$}"))).collect()
        };
        let (printed, again, is) = (self.printed, self.as_printed.as_ref(), self.as_it_is.as_ref());
        [
            show(&[printed.map(|p| p.precision), again.map(|c| c.precision.value)], 2),
            show(&[again.map(|c| c.raw.value), is.map(|c| c.raw.value), is.map(|c| c.chance)], 3),
            show(&[printed.map(|p| p.coverage), again.map(|c| c.coverage), is.map(|c| c.coverage)], 3),
            show(&[printed.map(|p| p.mse), again.map(|c| c.mse), is.map(|c| c.mse)], 2),
        ]
    }
}
