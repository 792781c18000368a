//! When to stop training: the tangent's intervals of the network after 1000 epochs, and of the stage that the tangent's
//! left-out error chooses.
//!
//! `splits` are those of the rematch: a network of 100 tanh units, or two layers of 50. `folds` is the protocol of ACP-GN
//! (arXiv 2507.20272) on the housing table: ten folds, drawn ten times, and 50 units.
//!
//! What is stored already is not run again: remove lines to have them made anew.

use std::time::Instant;

use jackknife::prelude::*;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use crate::Wishes;
use crate::store::{Results, STAGES, number};

/// The tables, and how many splits of each are stored.
const TABLES: [(Table, u64); 6] = [
    (Table::Yacht, 10),
    (Table::BostonHousing, 10),
    (Table::EnergyEfficiency, 10),
    (Table::Concrete, 10),
    (Table::AirfoilSelfNoise, 10),
    (Table::WineQualityRed, 10),
];
const ALPHA: f64 = 0.1;
const FOLDS: u64 = 10;
/// The hidden layers.
const SHALLOW: &[usize] = &[100];
const DEEP: &[usize] = &[50, 50];
const FOLDED: &[usize] = &[50];

/// One training set and its test rows: the protocol, the hidden layers and the number of the split.
#[derive(Clone, Copy)]
struct Case {
    table: Table,
    protocol: &'static str,
    hidden: &'static [usize],
    split: u64,
}

/// Runs what is not stored yet, and stores table after table.
pub fn run(wishes: &Wishes) -> Result<()> {
    for (table, splits) in wishes.tables(&TABLES)? {
        let case = |protocol, hidden| move |split| Case { table, protocol, hidden, split };
        let mut cases: Vec<Case> = splits.clone().map(case("splits", SHALLOW)).collect();
        cases.extend(splits.clone().map(case("splits", DEEP)));
        if table == Table::BostonHousing {
            cases.extend((splits.start * FOLDS..splits.end * FOLDS).map(case("folds", FOLDED)));
        }
        let stored = Results::load(&STAGES)?;
        cases.retain(|case| {
            let key = case.key();
            !stored.lines().any(|line| STAGES.columns.iter().zip(&key).all(|(column, cell)| line.text(column) == cell))
        });
        let lines: Result<Vec<_>> = cases.par_iter().map(Case::lines).collect();
        Results::store(&STAGES, lines?.concat())?;
        println!("{}: splits {splits:?}, {} cases", table.name(), cases.len());
    }
    Ok(())
}

impl Case {
    /// The first cells of its lines.
    fn key(&self) -> Vec<String> {
        let hidden: Vec<String> = self.hidden.iter().map(usize::to_string).collect();
        vec![self.table.name().into(), self.protocol.into(), hidden.join("-"), self.split.to_string()]
    }

    fn parts(&self) -> Result<(Sample, Sample)> {
        let sample = self.table.load();
        if self.protocol == "splits" {
            return sample.split(0.2, self.split);
        }
        let mut order: Vec<usize> = (0..sample.len()).collect();
        order.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(self.split / FOLDS));
        let sample = sample.rows(&order)?;
        let rows = sample.folds(FOLDS as usize)?[(self.split % FOLDS) as usize].clone();
        Ok((sample.without_rows(rows.clone())?, sample.rows(&rows.collect::<Vec<_>>())?))
    }

    fn lines(&self) -> Result<Vec<Vec<String>>> {
        let (train, test) = self.parts()?;
        let training = Training::default().hidden(self.hidden).seed(self.split);
        let line = |stopped: &str, make: &dyn Fn() -> Result<Network>| {
            let start = Instant::now();
            let network = make()?;
            let seconds = start.elapsed().as_secs_f64();
            let intervals = LeaveOneOut::tangent(&network, &train, &Tangent::default())?.nested(test.x(), ALPHA)?;
            let coverage = intervals.coverage(test.y())?;
            let mut cells = self.key();
            cells.extend([stopped.into(), coverage.covered.to_string(), coverage.of.to_string()]);
            let own = rmse(test.y(), &network.predict(test.x())?)?;
            let numbers = [intervals.mean_width(), intervals.interval_score(test.y())?];
            cells.extend(numbers.into_iter().chain([rmse(test.y(), &intervals.prediction)?, own]).map(number));
            cells.extend([network.history().len().to_string(), format!("{seconds:.2}")]);
            Ok::<_, Error>(cells)
        };
        Ok(vec![
            line("1000", &|| training.fit(&train))?,
            line("PRESS", &|| Ok(Stopped::train(&training, &train, &Stopped::STAGES)?.network))?,
        ])
    }
}
