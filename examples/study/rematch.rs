//! The rematch: everything that the crate has against the paper's baselines, on its nine tables.
//!
//! For each method: coverage, width, interval score, RMSE, and the average precision with which the width finds the
//! largest tenth of the method's own errors. `same_errors` asks the fair question: the widths of every method rank the
//! *same* errors, those of the one network. A method with errors of its own can have a high precision because it
//! predicts badly where it says so. For `tangent` there is also the precision of its expected error on these errors. Splits run
//! beside each other, so the seconds are those of a busy machine; the training of the one network is not among them.
//!
//! What is stored already is not run again: remove lines to have them made anew.

use std::cell::LazyCell;
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::Instant;

use jackknife::prelude::*;
use ndarray::Array1;
use rayon::prelude::*;

use crate::Wishes;
use crate::store::{REMATCH, Results, number};

/// The tables, and how many splits of each are stored.
const TABLES: [(Table, u64); 9] = [
    (Table::Yacht, 10),
    (Table::BostonHousing, 10),
    (Table::EnergyEfficiency, 10),
    (Table::Concrete, 10),
    (Table::AirfoilSelfNoise, 10),
    (Table::WineQualityRed, 10),
    (Table::Kin8nm, 3),
    (Table::PowerPlant, 3),
    (Table::NavalPropulsion, 1),
];
const ALPHA: f64 = 0.1;
/// The share of the rows that `split+` does not show to its network, and that `split` calibrates on.
const UNSEEN: f64 = 0.2;
const CALIBRATION: f64 = 0.5;
/// Folds of `cv+` and of `tangent-cv`, and bags.
const FOLDS: usize = 10;
const TANGENT_FOLDS: usize = 5;
const BAGS: usize = 25;

/// Runs what is not stored yet, and stores method after method.
pub fn run(wishes: &Wishes) -> Result<()> {
    let writer = Mutex::new(());
    for (table, splits) in wishes.tables(&TABLES)? {
        splits.into_par_iter().try_for_each(|seed| {
            split(table, seed, wishes.epochs, &|line| {
                let _alone = writer.lock();
                println!("{}", line.join(" "));
                Results::store(&REMATCH, vec![line])
            })
        })?;
    }
    Ok(())
}

/// Intervals, their seconds if not those of the call, and the expected errors of the network if there are any.
type Answer = Result<(Intervals, Option<f64>, Option<Array1<f64>>)>;

/// Every method on one split that is not stored, line by line to `keep`; with another number of epochs, only the ensemble whose
/// members are trained for so many.
fn split(table: Table, seed: u64, epochs: Option<usize>, keep: &dyn Fn(Vec<String>) -> Result<()>) -> Result<()> {
    let variant = epochs.map_or(String::new(), |epochs| format!("{epochs} epochs"));
    let (name, number) = (table.name(), seed.to_string());
    let stored = Results::load(&REMATCH)?;
    let of_split = stored
        .lines()
        .filter(|line| line.text("table") == name && line.text("split") == number && line.text("variant") == variant);
    let stored: BTreeSet<&str> = of_split.map(|line| line.text("method")).collect();

    let (train, test) = table.load().split(0.2, seed)?;
    let (x, alpha) = (test.x(), ALPHA);
    let training = Training::default().seed(seed);
    let network = LazyCell::new(|| training.fit(&train));
    let network = || network.as_ref().map_err(Clone::clone);
    let fit = |rows: &Sample| training.fit(rows);

    let newton = LazyCell::new(|| {
        let damping = LeaveOneOut::usual_damping(train.len());
        timed(|| LeaveOneOut::newton(network()?, &train, &Newton::default().damping(damping)))
    });
    let by_newton = |rule| {
        let (loo, seconds) = newton.as_ref().map_err(Clone::clone)?;
        let (intervals, own) = timed(|| loo.intervals(rule, x, alpha))?;
        Ok((intervals, Some(seconds + own), None))
    };
    let tangent = LazyCell::new(|| timed(|| LeaveOneOut::tangent(network()?, &train, &Tangent::default())));
    let by_tangent = |rule| {
        let (loo, seconds) = tangent.as_ref().map_err(Clone::clone)?;
        let expected = if rule == Rule::Nested { Some(loo.expected_error(x)?) } else { None };
        let (intervals, own) = timed(|| loo.intervals(rule, x, alpha))?;
        Ok((intervals, Some(seconds + own), expected))
    };
    let ensemble = || Ensemble::default().hidden(&[100]).seed(seed);
    let member = |rows: &Sample, seed| ensemble().members(1).seed(seed).fit(rows);
    let langevin = || Langevin::default().hidden(&[100]).activation(Activation::Tanh).seed(seed);
    let plain = |intervals: Result<Intervals>| Ok((intervals?, None, None));
    let baseline = |fitted: Result<Probabilistic>| plain(fitted?.intervals(x, alpha));
    let nested = |loo: Result<LeaveOneOut>| plain(loo?.nested(x, alpha));

    type Make<'a> = (&'a str, &'a dyn Fn() -> Answer);
    let methods: [Make<'_>; 17] = [
        ("naive", &|| plain(Intervals::in_sample(network()?, &train, x, alpha))),
        ("jackknife+", &|| by_newton(Rule::Plus)),
        ("minmax", &|| by_newton(Rule::Minmax)),
        ("studentized", &|| by_newton(Rule::Studentised)),
        ("tangent", &|| by_tangent(Rule::Nested)),
        ("full", &|| by_tangent(Rule::Full)),
        ("laplace", &|| by_tangent(Rule::Laplace)),
        ("split+", &|| nested(LeaveOneOut::tangent_split(&train, UNSEEN, seed, fit))),
        ("tangent-cv", &|| nested(LeaveOneOut::tangent_folds(&train, TANGENT_FOLDS, fit))),
        ("cv+", &|| plain(LeaveOneOut::folds(&train, FOLDS, fit)?.jackknife_plus(x, alpha))),
        ("split", &|| plain(HeldOut::fit(&train, CALIBRATION, seed, fit)?.intervals(x, alpha))),
        ("bagged", &|| plain(LeaveOneOut::bags(&train, BAGS, seed, member)?.studentised(x, alpha))),
        ("dropout", &|| baseline(Dropout::default().training(Training::default()).seed(seed).fit(&train))),
        ("ensemble", &|| baseline(ensemble().fit(&train))),
        ("pbp", &|| baseline(Pbp::default().hidden(&[100]).seed(seed).fit(&train))),
        ("sgld", &|| baseline(langevin().fit(&train))),
        ("rue", &|| baseline(Resampling::default().seed(seed).fit(network()?, &train))),
    ];
    let shorter = |epochs| {
        let training = Training::default().activation(Activation::Relu).learning_rate(0.01).hidden(&[100]);
        baseline(Ensemble::default().training(training.epochs(epochs)).seed(seed).fit(&train))
    };
    let line = |method: &str, make: &dyn Fn() -> Answer| {
        // Before the clock starts.
        let prediction = network()?.predict(x)?;
        let ((intervals, seconds, expected), all) = timed(make)?;
        let seconds = seconds.unwrap_or(all);
        debug_assert_eq!(intervals.method.name(), method);
        let mut cells = vec![name.into(), number.clone(), method.into(), variant.clone()];
        cells.extend(metrics(&intervals, expected, &prediction, &test)?);
        cells.push(format!("{seconds:.2}"));
        Ok::<_, Error>(cells)
    };
    if let Some(epochs) = epochs {
        let missing = !stored.contains("ensemble");
        return if missing { keep(line("ensemble", &|| shorter(epochs))?) } else { Ok(()) };
    }
    let mut missing = methods.iter().filter(|(method, _)| !stored.contains(method));
    missing.try_for_each(|(method, make)| keep(line(method, make)?))
}

/// What a call answers, and its seconds.
fn timed<T>(make: impl FnOnce() -> Result<T>) -> Result<(T, f64)> {
    let start = Instant::now();
    Ok((make()?, start.elapsed().as_secs_f64()))
}

/// The cells from `covered` to `rmse`.
fn metrics(
    intervals: &Intervals,
    expected: Option<Array1<f64>>,
    network: &Array1<f64>,
    test: &Sample,
) -> Result<Vec<String>> {
    let coverage = intervals.coverage(test.y())?;
    // Other widths around the network's prediction: the errors are the network's.
    let ranked = |half: Array1<f64>| {
        let (lower, upper) = (network - &half, network + &half);
        let around = Intervals::new(network.clone(), lower, upper, intervals.alpha, intervals.method)?;
        Ok::<_, Error>(number(around.precision_recall(test.y())?.average_precision()))
    };
    Ok(vec![
        coverage.covered.to_string(),
        coverage.of.to_string(),
        number(intervals.mean_width()),
        number(intervals.interval_score(test.y())?),
        number(intervals.precision_recall(test.y())?.average_precision()),
        ranked(intervals.width() / 2.0)?,
        expected.map_or(Ok(String::new()), ranked)?,
        number(rmse(test.y(), &intervals.prediction)?),
    ])
}
