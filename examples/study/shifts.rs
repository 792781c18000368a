//! How far shifts that are linear in the step move the ends.
//!
//! Network of 100 tanh units on standardised data, leave-one-out models by one Gauss–Newton step with damping 1/(4n), target
//! 90 %: the ends with linear shifts against those of each model asked, both of each interval, over the width of the latter.

use std::time::Instant;

use jackknife::prelude::*;

use crate::Wishes;
use crate::store::{Results, SHIFTS, number};

/// The tables, and how many splits of each are stored.
const TABLES: [(Table, u64); 8] = [
    (Table::Yacht, 5),
    (Table::BostonHousing, 5),
    (Table::EnergyEfficiency, 5),
    (Table::Concrete, 5),
    (Table::AirfoilSelfNoise, 5),
    (Table::WineQualityRed, 5),
    (Table::Kin8nm, 2),
    (Table::NavalPropulsion, 1),
];

/// Runs it, and stores split after split: the work is parallel in itself.
pub fn run(wishes: &Wishes) -> Result<()> {
    for (table, splits) in wishes.tables(&TABLES)? {
        for seed in splits {
            Results::store(&SHIFTS, split(table, seed)?)?;
            println!("{}: split {seed} stored", table.name());
        }
    }
    Ok(())
}

fn split(table: Table, seed: u64) -> Result<Vec<Vec<String>>> {
    let (train, test) = table.load().split(0.2, seed)?;
    let network = Training::default().seed(seed).fit(&train)?;
    let how = Newton::default().damping(LeaveOneOut::usual_damping(train.len()));
    let by = |shifts, rule| -> Result<(Intervals, f64)> {
        let start = Instant::now();
        let loo = LeaveOneOut::newton(&network, &train, &how.clone().shifts(shifts))?;
        let intervals = loo.intervals(rule, test.x(), 0.1)?;
        Ok((intervals, start.elapsed().as_secs_f64()))
    };
    let line = |rule| -> Result<Vec<String>> {
        let ((linear, quick), (models, slow)) = (by(Shifts::Linear, rule)?, by(Shifts::Models, rule)?);
        let width = models.width();
        let apart = [(&linear.lower, &models.lower), (&linear.upper, &models.upper)];
        let mut apart: Vec<f64> = apart.iter().flat_map(|(a, b)| ((*a - *b) / &width).mapv(f64::abs)).collect();
        apart.sort_by(f64::total_cmp);
        let [median, late] = [0.5, 0.95].map(|share| apart[((apart.len() - 1) as f64 * share) as usize]);
        let (covered, all) = (linear.coverage(test.y())?, models.coverage(test.y())?);
        let key = [table.name().to_string(), seed.to_string(), linear.method.name()];
        let counts = [covered.covered, all.covered, covered.of].map(|count| count.to_string());
        let seconds = [quick, slow].map(|seconds| format!("{seconds:.3}"));
        Ok(key.into_iter().chain(counts).chain([median, late].map(number)).chain(seconds).collect())
    };
    [Rule::Plus, Rule::Studentised].into_iter().map(line).collect()
}
