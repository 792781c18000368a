//! The study behind the studentised rule: the scale, its floor and the damping.
//!
//! Network of 100 tanh units on standardised data, leave-one-out models by one Gauss–Newton step, target 90 %. With damping
//! 1/(4n) every variant of the scale; with a tenth and ten times of it, and with what the leave-one-out
//! likelihood chooses, the rule as it is.

use jackknife::prelude::*;
use rayon::prelude::*;

use crate::Wishes;
use crate::store::{Results, SCALE, number};
use crate::variant;

/// The tables, and how many splits of each are stored.
const TABLES: [(Table, u64); 4] =
    [(Table::Yacht, 10), (Table::BostonHousing, 10), (Table::EnergyEfficiency, 6), (Table::Concrete, 4)];
const ALPHA: f64 = 0.1;
/// What the likelihood chooses from, in units of 1/(4n).
const GRID: [f64; 5] = [0.01, 0.1, 1.0, 10.0, 100.0];

/// Runs it, and stores table after table.
pub fn run(wishes: &Wishes) -> Result<()> {
    for (table, splits) in wishes.tables(&TABLES)? {
        let lines: Result<Vec<_>> = splits.clone().into_par_iter().map(|seed| split(table, seed)).collect();
        Results::store(&SCALE, lines?.concat())?;
        println!("{}: splits {splits:?} stored", table.name());
    }
    Ok(())
}

fn split(table: Table, seed: u64) -> Result<Vec<Vec<String>>> {
    let (train, test) = table.load().split(0.2, seed)?;
    let network = Training::default().seed(seed).fit(&train)?;
    let usual = LeaveOneOut::usual_damping(train.len());
    let likeliest = damping_by_likelihood(&network, &train, &GRID.map(|times| times * usual))?.damping;
    let chosen = GRID.into_iter().find(|times| times * usual == likeliest).expect("it is one of the grid");
    let as_it_is = vec![Rule::Plus, Rule::Studentised];
    let all = [as_it_is.clone(), variant::rules()].concat();
    let mut lines = Vec::new();
    for (damping, times, rules) in
        [("0.1", 0.1, &as_it_is), ("1", 1.0, &all), ("10", 10.0, &as_it_is), ("likelihood", chosen, &as_it_is)]
    {
        let loo = LeaveOneOut::newton(&network, &train, &Newton::default().damping(times * usual))?;
        let unit = loo.jackknife_plus(test.x(), ALPHA)?.mean_width();
        for &rule in rules {
            let intervals = loo.intervals(rule, test.x(), ALPHA)?;
            let coverage = intervals.coverage(test.y())?;
            let precision = intervals.precision_recall(test.y())?.average_precision();
            let key = [table.name().into(), seed.to_string(), damping.into(), intervals.method.name()];
            let counts = [coverage.covered.to_string(), coverage.of.to_string()];
            let numbers = [precision, intervals.mean_width() / unit].map(number);
            lines.push(key.into_iter().chain([times.to_string()]).chain(counts).chain(numbers).collect());
        }
    }
    Ok(lines)
}
