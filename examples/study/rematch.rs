//! The rematch: the studentised rule and its kin against the paper's baselines, on five tables.
//!
//! `bagged` is the rule on networks of another training: 25 of the ensemble's, each on a bag of the rows. It is not post-hoc.
//!
//! For each method: coverage, width, interval score, RMSE, and the average precision with which the width finds the
//! largest tenth of the method's own errors. `same_errors` asks the fair question: the widths of every method rank the
//! *same* errors, those of the one network. A method with errors of its own can have a high precision because it
//! predicts badly where it says so. Splits run beside each other, so the seconds are those of a busy machine.

use std::time::Instant;

use jackknife::prelude::*;
use ndarray::Array1;
use rayon::prelude::*;

use crate::Wishes;
use crate::store::{REMATCH, Results, number};

/// The tables, and how many splits of each are stored.
const TABLES: [(Table, u64); 5] = [
    (Table::Yacht, 10),
    (Table::BostonHousing, 10),
    (Table::EnergyEfficiency, 10),
    (Table::Kin8nm, 3),
    (Table::NavalPropulsion, 1),
];
const ALPHA: f64 = 0.1;

/// Runs it, and stores table after table.
pub fn run(wishes: &Wishes) -> Result<()> {
    for (table, splits) in wishes.tables(&TABLES)? {
        let lines: Result<Vec<_>> =
            splits.clone().into_par_iter().map(|seed| split(table, seed, wishes.epochs)).collect();
        Results::store(&REMATCH, lines?.concat())?;
        println!("{}: splits {splits:?} stored", table.name());
    }
    Ok(())
}

/// Every method on one split; with another number of epochs, only the ensemble whose members are trained for so many.
fn split(table: Table, seed: u64, epochs: Option<usize>) -> Result<Vec<Vec<String>>> {
    let (train, test) = table.load().split(0.2, seed)?;
    let (x, alpha) = (test.x(), ALPHA);
    let network = Training::default().seed(seed).fit(&train)?;
    let prediction = network.predict(x)?;
    let line = |method: &str, variant: &str, seconds: f64, intervals: &Intervals| {
        let mut cells = vec![table.name().into(), seed.to_string(), method.into(), variant.into()];
        cells.extend(metrics(intervals, &prediction, &test)?);
        cells.push(format!("{seconds:.2}"));
        Ok::<_, Error>(cells)
    };
    if let Some(epochs) = epochs {
        let training = Training::default().activation(Activation::Relu).learning_rate(0.01).hidden(&[100]);
        let ensemble = Ensemble::default().training(training.epochs(epochs)).seed(seed);
        let start = Instant::now();
        let intervals = ensemble.fit(&train)?.intervals(x, alpha)?;
        return Ok(vec![line("ensemble", &format!("{epochs} epochs"), start.elapsed().as_secs_f64(), &intervals)?]);
    }
    let start = Instant::now();
    let damping = LeaveOneOut::usual_damping(train.len());
    let loo = LeaveOneOut::newton(&network, &train, &Newton::default().damping(damping))?;
    let engine = start.elapsed().as_secs_f64();
    let ensemble = Ensemble::default().hidden(&[100]);
    let member = ensemble.clone().members(1);
    let bagged = || LeaveOneOut::bags(&train, 25, seed, |rows, seed| member.clone().seed(seed).fit(rows));
    let langevin = Langevin::default().hidden(&[100]).activation(Activation::Tanh).seed(seed);
    type Make<'a> = &'a (dyn Fn() -> Result<Intervals> + Sync);
    let methods: [(f64, Make<'_>); 9] = [
        (engine, &|| loo.studentised(x, alpha)),
        (engine, &|| loo.jackknife_plus(x, alpha)),
        (engine, &|| loo.minmax(x, alpha)),
        (0.0, &|| bagged()?.studentised(x, alpha)),
        (0.0, &|| Dropout::default().training(Training::default()).seed(seed).fit(&train)?.intervals(x, alpha)),
        (0.0, &|| ensemble.clone().seed(seed).fit(&train)?.intervals(x, alpha)),
        (0.0, &|| Pbp::default().hidden(&[100]).seed(seed).fit(&train)?.intervals(x, alpha)),
        (0.0, &|| langevin.clone().fit(&train)?.intervals(x, alpha)),
        (0.0, &|| Resampling::default().seed(seed).fit(&network, &train)?.intervals(x, alpha)),
    ];
    let answer = |(before, make): &(f64, Make<'_>)| {
        let start = Instant::now();
        let intervals = make()?;
        line(&intervals.method.name(), "", before + start.elapsed().as_secs_f64(), &intervals)
    };
    methods.iter().map(answer).collect()
}

/// The cells from `covered` to `rmse`.
fn metrics(intervals: &Intervals, network: &Array1<f64>, test: &Sample) -> Result<Vec<String>> {
    let coverage = intervals.coverage(test.y())?;
    // The same widths around the network's prediction: only the errors are others.
    let half = intervals.width() / 2.0;
    let around = Intervals::new(network.clone(), network - &half, network + &half, intervals.alpha, intervals.method)?;
    let numbers = [
        intervals.mean_width(),
        intervals.interval_score(test.y())?,
        intervals.precision_recall(test.y())?.average_precision(),
        around.precision_recall(test.y())?.average_precision(),
        rmse(test.y(), &intervals.prediction)?,
    ];
    let counts = [coverage.covered.to_string(), coverage.of.to_string()];
    Ok(counts.into_iter().chain(numbers.map(number)).collect())
}
