//! Table 2 with this crate's conventions.

use super::table_two::{Cell, METHODS, TableTwo, Version};
use super::{ALPHA, chance};
use crate::audit::{Audit, Mean, Row};
use crate::error::{Error, Result};
use crate::interval::{Intervals, Method, Rule};
use crate::leave_one_out::Engine;
use crate::metric::{Coverage, rmse};
use crate::sample::Sample;
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
        let audit =
            Audit::default().damping(1e-3).methods(&methods).alpha(ALPHA).random(true).splits(splits).seed(seed);
        let mut cells = Vec::new();
        for &table in tables {
            let audited = audit.run(table.name(), &table.load())?;
            let sample = audited.sample();
            cells.extend(audited.rows().iter().filter_map(|row| cell(table, row, sample)));
        }
        match cells.is_empty() {
            true => Err(Error::empty("there is no table to rebuild", "give at least one, as `&[Table::Yacht]`")),
            false => Ok(Self { version: Version::AsItIs, cells }),
        }
    }
}

/// What the splits say of a method, each for itself as the paper does; `None` if it failed on all of them.
fn cell(table: Table, row: &Row, sample: &Sample) -> Option<Cell> {
    let tests: Vec<(&Intervals, Sample)> =
        row.runs().iter().filter_map(|run| Some((&run.intervals, sample.rows(&run.rows).ok()?))).collect();
    let curves: Vec<_> = tests.iter().filter_map(|(each, test)| each.precision_recall(test.y()).ok()).collect();
    let precision = Mean::of(curves.iter().map(|curve| curve.average_precision()))?;
    let coverages: Vec<_> = tests.iter().filter_map(|(each, test)| each.coverage(test.y()).ok()).collect();
    let sum = |count: fn(&Coverage) -> usize| coverages.iter().map(count).sum::<usize>() as f64;
    let rows = coverages.first()?.of;
    // The curve begins with everything: the precision there is the share of positives.
    let positives = curves.first()?.precision.first()? * rows as f64;
    Some(Cell {
        table,
        method: row.method(),
        precision,
        raw: precision,
        chance: chance(positives.round() as usize, rows),
        coverage: sum(|coverage| coverage.covered) / sum(|coverage| coverage.of),
        mse: Mean::of(tests.iter().filter_map(|(each, test)| Some(rmse(test.y(), &each.prediction).ok()?.powi(2))))?
            .value,
        runs: row.runs().len(),
        notes: row.failures().iter().map(|(split, error)| format!("failed on split {}: {error}", split + 1)).collect(),
    })
}
