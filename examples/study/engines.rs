//! Which engine serves the studentised rule best.
//!
//! Network of 100 tanh units on standardised data, damping 1/(4n) unless H needs more, target 90 %. For each engine what the
//! studentised rule makes of its models, the damping that was used in units of 1/(4n), the rows flagged and the seconds. An engine
//! that fails on a split is stored with its reason.

use std::time::Instant;

use jackknife::prelude::*;

use crate::Wishes;
use crate::store::{ENGINES, Results, number, words};

/// The tables, and how many splits of each are stored.
const TABLES: [(Table, u64); 3] = [(Table::Yacht, 2), (Table::BostonHousing, 2), (Table::EnergyEfficiency, 2)];

/// Runs it, and stores split after split: most of the work is parallel in itself.
pub fn run(wishes: &Wishes) -> Result<()> {
    for (table, splits) in wishes.tables(&TABLES)? {
        for seed in splits {
            Results::store(&ENGINES, split(table, seed)?)?;
            println!("{}: split {seed} stored", table.name());
        }
    }
    Ok(())
}

/// A way to leave-one-out models: the method, the curvature, the rows retrained, and how they are made.
type Way<'a> = (Engine, &'static str, &'static str, Box<dyn Fn() -> Result<LeaveOneOut> + 'a>);

fn ways<'a>(training: &'a Training, network: &'a Network, train: &'a Sample) -> Vec<Way<'a>> {
    let damping = LeaveOneOut::usual_damping(train.len());
    let newton =
        move |curvature| LeaveOneOut::newton(network, train, &Newton::default().curvature(curvature).damping(damping));
    let influence = move |order, curvature| {
        LeaveOneOut::influence(network, train, &Influence::order(order).curvature(curvature).damping(damping))
    };
    // This network has no weight decay and so no minimum nearby: a refit is its own training from its own first weights.
    let retrained = move |loo: LeaveOneOut, rows: &[usize]| loo.with_refits(train, rows, |rest| training.fit(rest));
    let tenth = move || {
        let loo = newton(Curvature::GaussNewton)?;
        let ratios = loo.trust().map(|trust| trust.ratios().to_vec()).unwrap_or_default();
        let mut rows: Vec<usize> = (0..ratios.len()).collect();
        rows.sort_by(|&i, &j| ratios[j].total_cmp(&ratios[i]));
        retrained(loo, &rows[..rows.len().div_ceil(10)])
    };
    let flagged = move || {
        let loo = influence(3, Curvature::GaussNewton)?;
        let rows = loo.trust().map(|trust| trust.flagged()).unwrap_or_default();
        retrained(loo, &rows)
    };
    let order = |order| Engine::Influence(order, Terms::Exact);
    let mut ways: Vec<Way<'a>> = vec![
        (Engine::Newton, "Gauss–Newton", "", Box::new(move || newton(Curvature::GaussNewton))),
        (Engine::Newton, "Gauss–Newton", "largest tenth", Box::new(tenth)),
        (Engine::Newton, "exact", "", Box::new(move || newton(Curvature::Exact))),
        (order(1), "Gauss–Newton", "", Box::new(move || influence(1, Curvature::GaussNewton))),
        (order(3), "Gauss–Newton", "", Box::new(move || influence(3, Curvature::GaussNewton))),
        (order(3), "Gauss–Newton", "flagged", Box::new(flagged)),
    ];
    ways.extend(
        (1..=3).map(|m| -> Way<'a> { (order(m), "exact", "", Box::new(move || influence(m, Curvature::Exact))) }),
    );
    ways
}

fn split(table: Table, seed: u64) -> Result<Vec<Vec<String>>> {
    let (train, test) = table.load().split(0.2, seed)?;
    let training = Training::default().seed(seed);
    let network = training.fit(&train)?;
    let usual = LeaveOneOut::usual_damping(train.len());
    let line = |(engine, curvature, retrained, make): Way<'_>| {
        let method = Method::Pair(engine, Rule::Studentised).name();
        let key = [table.name().into(), seed.to_string(), method, curvature.into(), retrained.into()];
        let found = found(make.as_ref(), usual, &test).unwrap_or_else(|error| {
            let empty = vec![String::new(); ENGINES.columns.len() - ENGINES.keys - 1];
            [empty, vec![words(&error.to_string())]].concat()
        });
        key.into_iter().chain(found).collect()
    };
    Ok(ways(&training, &network, &train).into_iter().map(line).collect())
}

/// The cells from `covered` on.
fn found(make: &dyn Fn() -> Result<LeaveOneOut>, usual: f64, test: &Sample) -> Result<Vec<String>> {
    let start = Instant::now();
    let loo = make()?;
    let seconds = start.elapsed().as_secs_f64();
    let intervals = loo.studentised(test.x(), 0.1)?;
    let coverage = intervals.coverage(test.y())?;
    let precision = intervals.precision_recall(test.y())?.average_precision();
    let (damping, flagged) = loo.trust().map_or((0.0, 0), |trust| (trust.damping(), trust.flagged().len()));
    Ok(vec![
        coverage.covered.to_string(),
        coverage.of.to_string(),
        number(precision),
        number(intervals.mean_width()),
        number(damping / usual),
        flagged.to_string(),
        format!("{seconds:.2}"),
        String::new(),
    ])
}
