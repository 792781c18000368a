//! The studies behind the documentation: every number in its tables is made here, stored in `results/*.csv`, and set in
//! `tables/*.md`, which the documentation includes.
//!
//! ```text
//! cargo run --release --example study -- rematch [--from K] [--splits N] [--epochs N] [TABLE…]
//! cargo run --release --example study -- scale   [--from K] [--splits N] [TABLE…]
//! cargo run --release --example study -- engines [--from K] [--splits N] [TABLE…]
//! cargo run --release --example study -- shifts  [--from K] [--splits N] [TABLE…]
//! cargo run --release --example study -- stages  [--from K] [--splits N] [TABLE…]
//! cargo run --release --example study -- calibration [--splits N] [SCENARIO…]
//! cargo run --release --example study -- tables
//! cargo run --release --example study -- picture
//! ```
//!
//! A study replaces the lines that it runs and keeps the others, so it can be run in parts: `--from 2 --splits 4` is the
//! third and the fourth split. The rematch and the stages do not run again what is stored, so they go on where they were stopped. The calibration has scenarios for tables, and `--splits` says how many tables are drawn of each.
//! `tables` sets what is stored.

mod calibration;
mod engines;
mod layout;
mod outcome;
mod picture;
mod rates;
mod rematch;
mod scale;
mod shifts;
mod simulated;
mod stages;
mod store;
mod tables;
mod variant;

use std::ops::Range;

use jackknife::prelude::*;

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (study, wishes) = words.split_first().map_or(("", &[][..]), |(study, rest)| (study.as_str(), rest));
    let wishes = Wishes::read(wishes)?;
    match study {
        "rematch" => rematch::run(&wishes),
        "scale" => scale::run(&wishes),
        "engines" => engines::run(&wishes),
        "shifts" => shifts::run(&wishes),
        "stages" => stages::run(&wishes),
        "calibration" => calibration::run(&wishes),
        "tables" => tables::write(),
        "picture" => picture::run(),
        other => Err(Error::Choice {
            name: "the study",
            value: format!("`{other}`"),
            range: "be rematch, scale, engines, shifts, stages, calibration, tables or picture",
            example: "rematch",
        }),
    }
}

/// What stands behind the name of a study.
#[derive(Debug, Default)]
pub struct Wishes {
    /// The first split.
    from: u64,
    /// The number of splits, those before the first included.
    splits: Option<u64>,
    /// Of the ensemble's members, if not as many as usual.
    epochs: Option<usize>,
    /// Of tables, or of scenarios.
    names: Vec<String>,
}

impl Wishes {
    fn read(words: &[String]) -> Result<Self> {
        let mut wishes = Self::default();
        let mut words = words.iter().map(String::as_str);
        while let Some(word) = words.next() {
            match word {
                "--from" => wishes.from = number(words.next())?,
                "--splits" => wishes.splits = Some(number(words.next())?),
                "--epochs" => wishes.epochs = Some(number(words.next())? as usize),
                name => wishes.names.push(name.into()),
            }
        }
        Ok(wishes)
    }

    /// The tables asked for, or all of a study's, with the splits asked for, or the study's.
    fn tables(&self, all: &[(Table, u64)]) -> Result<Vec<(Table, Range<u64>)>> {
        let names: Vec<Table> = self.names.iter().map(|name| name.parse()).collect::<Result<_>>()?;
        let stranger = names.iter().find(|table| all.iter().all(|(known, _)| known != *table));
        if let Some(table) = stranger {
            return Err(Error::Choice {
                name: "a table of this study",
                value: format!("`{table}`"),
                range: "be one that it has a number of splits for, which is written at the top of its file",
                example: "yacht",
            });
        }
        let wished = |(table, _): &&(Table, u64)| names.is_empty() || names.contains(table);
        let splits = |&(table, splits): &(Table, u64)| (table, self.from..self.splits.unwrap_or(splits));
        Ok(all.iter().filter(wished).map(splits).collect())
    }
}

fn number(word: Option<&str>) -> Result<u64> {
    word.and_then(|word| word.parse().ok()).filter(|&number| number > 0).ok_or_else(|| Error::Choice {
        name: "the number behind --from, --splits or --epochs",
        value: format!("`{}`", word.unwrap_or_default()),
        range: "be a whole number, and not 0",
        example: "10",
    })
}
