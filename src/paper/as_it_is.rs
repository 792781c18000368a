//! Table 2 with this crate's conventions.

use super::table_two::{Cell, METHODS, TableTwo, Version};
use super::{ALPHA, chance};
use crate::audit::{Audit, Row};
use crate::error::{Error, Result};
use crate::interval::{Method, Rule};
use crate::leave_one_out::Engine;
use crate::sample::tables::Table;

impl TableTwo {
    /// Table 2 as it is: the paper's question, asked with this crate's [`Audit`].
    ///
    /// | | as printed | as it is |
    /// |---|---|---|
    /// | splits | one, ten trainings | `splits` of them, one training each |
    /// | data | as given | standardised |
    /// | network | 100 relu, 1000 steps at 0.01 | 100 tanh, 1000 epochs at 0.001, the paper's text |
    /// | Hessian | last minibatch, indefinite | Gauss–Newton of all rows, damping 0.001 |
    /// | quantiles | interpolated at α/2 | exact ranks at α |
    /// | average precision | folded | raw |
    /// | baselines | as the program had them | as their papers have them |
    ///
    /// Beside the five methods of the table stands `studentized`, the rule to use instead. The k-th split and its
    /// network have the seed `seed` + k.
    ///
    /// # Errors
    /// As [`Audit::run`]. A method that fails on some splits is in the notes of its cell; one that fails on all has
    /// no cell.
    pub fn as_it_is(tables: &[Table], splits: usize, seed: u64) -> Result<Self> {
        let methods: Vec<Method> =
            METHODS.into_iter().chain([Method::Pair(Engine::Newton, Rule::Studentised)]).collect();
        let audit = Audit::default().damping(1e-3).methods(&methods).alpha(ALPHA).splits(splits).seed(seed);
        let mut cells = Vec::new();
        for &table in tables {
            let audited = audit.run(table.name(), &table.load())?;
            cells.extend(audited.rows().iter().filter_map(|row| cell(table, row)));
        }
        match cells.is_empty() {
            true => Err(Error::empty("there is no table to rebuild", "give at least one, as `&[Table::Yacht]`")),
            false => Ok(Self { version: Version::AsItIs, cells }),
        }
    }
}

/// What the audit says of a method; `None` if it failed on every split.
fn cell(table: Table, row: &Row) -> Option<Cell> {
    let (raw, prevalence) = row.discrimination()?;
    let rows = row.runs().first()?.coverage.of;
    Some(Cell {
        table,
        method: row.method(),
        precision: raw,
        raw,
        chance: chance((prevalence * rows as f64).round() as usize, rows),
        coverage: row.coverage().ok()?.rate,
        mse: row.mean(|run| Some(run.rmse.powi(2)))?.value,
        runs: row.runs().len(),
        notes: row.failures().iter().map(|(split, error)| format!("failed on split {}: {error}", split + 1)).collect(),
    })
}
