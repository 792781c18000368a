//! The rematch: the studentised rule and its kin against the paper's baselines, on five tables.
//!
//! `cargo bench --bench rematch` prints one table for each, ten splits of the paper's network; `-- 3 yacht kin8nm` makes it
//! three splits of two tables, and `-- epochs=300` trains the ensemble's members for so many epochs.
//!
//! `bagged` is the rule on networks of another training: 25 of the ensemble's, each on a bag of the rows. It is not post-hoc.
//!
//! For each method: coverage over all test rows with its exact 95 % interval, the average precision with which the width
//! finds the largest tenth of the method's own errors, with its standard error over the splits, mean width and RMSE. A
//! method wins a table if it covers 90 % within binomial error and no baseline has a higher precision.
//!
//! The last column asks the fair question: the widths of every method rank the *same* errors, those of the one network.
//! A method with errors of its own can have a high precision because it predicts badly where it says so.

mod wishes;

use std::time::Instant;

use jackknife::prelude::*;
use wishes::Wishes;

const TABLES: [Table; 5] =
    [Table::Yacht, Table::BostonHousing, Table::EnergyEfficiency, Table::Kin8nm, Table::NavalPropulsion];

/// What one method has on one split.
struct Run {
    covered: usize,
    of: usize,
    precision: f64,
    shared: f64,
    width: f64,
    rmse: f64,
    score: f64,
}

fn run(intervals: &Intervals, network: &ndarray::Array1<f64>, test: &Sample) -> Result<Run> {
    let coverage = intervals.coverage(test.y())?;
    // The same widths around the network's prediction: only the errors are others.
    let half = intervals.width() / 2.0;
    let around = Intervals::new(network.clone(), network - &half, network + &half, intervals.alpha, intervals.method)?;
    Ok(Run {
        covered: coverage.covered,
        of: coverage.of,
        precision: intervals.discrimination(test.y(), 0)?.average_precision,
        shared: around.discrimination(test.y(), 0)?.average_precision,
        width: intervals.mean_width(),
        rmse: rmse(test.y(), &intervals.prediction)?,
        score: intervals.interval_score(test.y())?,
    })
}

/// A mean and its standard error.
fn mean(runs: &[Run], number: impl Fn(&Run) -> f64) -> (f64, f64) {
    let values: ndarray::Array1<f64> = runs.iter().map(number).collect();
    let error = if values.len() > 1 { values.std(1.0) / (values.len() as f64).sqrt() } else { 0.0 };
    (values.mean().unwrap_or(f64::NAN), error)
}

/// The intervals of every method on one split, and the network's predictions.
fn split(table: Table, seed: u64, ensemble: &Ensemble, seconds: &mut [f64]) -> Result<Vec<Run>> {
    let (train, test) = table.load().split(0.2, seed)?;
    let (x, alpha) = (test.x(), 0.1);
    let network = Training::default().seed(seed).fit(&train)?;
    let prediction = network.predict(x)?;
    let damping = LeaveOneOut::usual_damping(train.len());
    let start = Instant::now();
    let loo = LeaveOneOut::newton(&network, &train, &Newton::default().damping(damping))?;
    let engine = start.elapsed().as_secs_f64();
    let member = ensemble.clone().members(1).hidden(&[100]);
    let bagged = || LeaveOneOut::bags(&train, 25, seed, |rows, seed| member.clone().seed(seed).fit(rows));
    let methods: [&dyn Fn() -> Result<Intervals>; 9] = [
        &|| loo.studentised(x, alpha),
        &|| loo.jackknife_plus(x, alpha),
        &|| loo.minmax(x, alpha),
        &|| bagged()?.studentised(x, alpha),
        &|| Dropout::default().training(Training::default()).seed(seed).fit(&train)?.intervals(x, alpha),
        &|| ensemble.clone().hidden(&[100]).seed(seed).fit(&train)?.intervals(x, alpha),
        &|| Pbp::default().hidden(&[100]).seed(seed).fit(&train)?.intervals(x, alpha),
        &|| Langevin::default().hidden(&[100]).activation(Activation::Tanh).seed(seed).fit(&train)?.intervals(x, alpha),
        &|| Resampling::default().seed(seed).fit(&network, &train)?.intervals(x, alpha),
    ];
    let mut runs = Vec::new();
    for (k, method) in methods.iter().enumerate() {
        let start = Instant::now();
        let intervals = method()?;
        seconds[k] += start.elapsed().as_secs_f64() + if k < POST_HOC { engine } else { 0.0 };
        runs.push(run(&intervals, &prediction, &test)?);
    }
    Ok(runs)
}

const NAMES: [&str; 9] =
    ["studentized", "jackknife+", "minmax", "bagged", "MC dropout", "deep ensemble", "PBP", "BNN (SGLD)", "RUE"];
/// The first of them are made of the one network.
const POST_HOC: usize = 3;
/// The first of them are ours.
const OURS: usize = 4;

fn audit(table: Table, splits: u64, ensemble: &Ensemble) -> Result<()> {
    let mut runs: Vec<Vec<Run>> = NAMES.iter().map(|_| Vec::new()).collect();
    let mut seconds = [0.0; NAMES.len()];
    for seed in 0..splits {
        let answers = split(table, seed, ensemble, &mut seconds)?;
        runs.iter_mut().zip(answers).for_each(|(runs, answer)| runs.push(answer));
    }
    println!("\n{table}, {splits} splits");
    println!(
        "{:<14} {:>21} {:>14} {:>9} {:>9} {:>9} {:>8} {:>14}",
        "", "coverage (95 %)", "precision", "width", "score", "RMSE", "seconds", "same errors"
    );
    let best = runs[OURS..].iter().map(|runs| mean(runs, |run| run.precision).0).fold(0.0, f64::max);
    for (k, (name, runs)) in NAMES.iter().zip(&runs).enumerate() {
        let sum = |count: fn(&Run) -> usize| runs.iter().map(count).sum();
        let coverage = Coverage::from_counts(sum(|run| run.covered), sum(|run| run.of))?;
        let (precision, error) = mean(runs, |run| run.precision);
        let (shared, shared_error) = mean(runs, |run| run.shared);
        let [width, score, rmse] =
            [mean(runs, |run| run.width).0, mean(runs, |run| run.score).0, mean(runs, |run| run.rmse).0];
        let verdict = match (k < OURS, coverage.high >= 0.9) {
            (true, true) if precision > best => "  wins",
            (_, false) => "  does not cover",
            _ => "",
        };
        println!(
            "{name:<14} {:.3} ({:.3}–{:.3}) {precision:>7.3} ± {error:.3} {width:>9.4} {score:>9.4} {rmse:>9.4} {:>8.1} {shared:>6.3} ± {shared_error:.3}{verdict}",
            coverage.rate,
            coverage.low,
            coverage.high,
            seconds[k] / splits as f64,
        );
    }
    Ok(())
}

fn main() -> Result<()> {
    let wishes = Wishes::read();
    let ensemble = wishes.value("epochs").map_or_else(Ensemble::default, |epochs| {
        let training = Training::default().activation(Activation::Relu).learning_rate(0.01);
        Ensemble::default().training(training.epochs(epochs))
    });
    println!("100 tanh units, 1000 epochs, standardised data; one Gauss–Newton step with damping 1/(4n); target 90 %");
    wishes.tables(&TABLES).try_for_each(|table| audit(table, wishes.number().unwrap_or(10), &ensemble))
}
