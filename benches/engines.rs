//! Which engine serves the studentised rule best: `cargo bench --bench engines` prints one table for each data set;
//! `-- 2 yacht` makes it two splits of one.
//!
//! Network of 100 tanh units on standardised data, damping 1/(4n) unless H needs more, target 90 %. For each engine: coverage,
//! average precision of the width and mean width of the studentised rule, the damping that was used, the rows flagged
//! and the seconds. An engine that fails on a split is printed with its reason.

mod wishes;

use std::time::Instant;

use jackknife::prelude::*;
use wishes::Wishes;

const TABLES: [Table; 3] = [Table::Yacht, Table::BostonHousing, Table::EnergyEfficiency];

type Engine<'a> = (&'static str, Box<dyn Fn() -> Result<LeaveOneOut> + 'a>);

fn engines<'a>(training: &'a Training, network: &'a Network, train: &'a Sample) -> Vec<Engine<'a>> {
    let damping = LeaveOneOut::usual_damping(train.len());
    let newton =
        move |curvature| LeaveOneOut::newton(network, train, &Newton::default().curvature(curvature).damping(damping));
    let influence = move |order, curvature| {
        LeaveOneOut::influence(network, train, &Influence::order(order).curvature(curvature).damping(damping))
    };
    // This network has no weight decay and so no minimum nearby: a refit is its own training from its own first weights.
    let retrained = move |loo: LeaveOneOut, rows: &[usize]| loo.with_refits(train, rows, |rest| training.fit(rest));
    vec![
        ("Gauss–Newton step", Box::new(move || newton(Curvature::GaussNewton))),
        (
            "  its largest tenth retrained",
            Box::new(move || {
                let loo = newton(Curvature::GaussNewton)?;
                let ratios = loo.trust().map(|trust| trust.ratios().to_vec()).unwrap_or_default();
                let mut rows: Vec<usize> = (0..ratios.len()).collect();
                rows.sort_by(|&i, &j| ratios[j].total_cmp(&ratios[i]));
                retrained(loo, &rows[..rows.len().div_ceil(10)])
            }),
        ),
        ("Newton step, exact H", Box::new(move || newton(Curvature::Exact))),
        ("influence 1, Gauss–Newton", Box::new(move || influence(1, Curvature::GaussNewton))),
        ("influence 1, exact H", Box::new(move || influence(1, Curvature::Exact))),
        ("influence 2, exact H", Box::new(move || influence(2, Curvature::Exact))),
        ("influence 3, exact H", Box::new(move || influence(3, Curvature::Exact))),
        ("influence 3, Gauss–Newton", Box::new(move || influence(3, Curvature::GaussNewton))),
        (
            "  its flagged rows retrained",
            Box::new(move || {
                let loo = influence(3, Curvature::GaussNewton)?;
                let rows = loo.trust().map(|trust| trust.flagged()).unwrap_or_default();
                retrained(loo, &rows)
            }),
        ),
    ]
}

/// Coverage, precision, width, damping, flagged rows, seconds.
type Scores = [f64; 6];

fn score(engine: &dyn Fn() -> Result<LeaveOneOut>, test: &Sample) -> Result<Scores> {
    let start = Instant::now();
    let loo = engine()?;
    let seconds = start.elapsed().as_secs_f64();
    let intervals = loo.studentised(test.x(), 0.1)?;
    let (damping, flagged) = loo.trust().map_or((0.0, 0), |trust| (trust.damping(), trust.flagged().len()));
    let coverage = intervals.coverage(test.y())?.rate;
    let precision = intervals.discrimination(test.y(), 0)?.average_precision;
    Ok([coverage, precision, intervals.mean_width(), damping, flagged as f64, seconds])
}

fn study(table: Table, splits: u64) -> Result<()> {
    let mut runs: Vec<(&str, Vec<Result<Scores>>)> = Vec::new();
    for seed in 0..splits {
        let (train, test) = table.load().split(0.2, seed)?;
        let training = Training::default().seed(seed);
        let network = training.fit(&train)?;
        for (k, (name, engine)) in engines(&training, &network, &train).into_iter().enumerate() {
            if seed == 0 {
                runs.push((name, Vec::new()));
            }
            runs[k].1.push(score(engine.as_ref(), &test));
        }
    }
    println!("\n{table}, {splits} splits");
    println!("{:<30} coverage  precision     width   damping   flagged   seconds", "");
    for (name, scores) in runs {
        let answers: Vec<&Scores> = scores.iter().filter_map(|score| score.as_ref().ok()).collect();
        let mean = |k: usize| answers.iter().map(|run| run[k]).sum::<f64>() / answers.len() as f64;
        if !answers.is_empty() {
            let [coverage, precision, width, damping, flagged, seconds] = std::array::from_fn(mean);
            println!(
                "{name:<30} {coverage:>8.3} {precision:>10.2} {width:>9.2} {damping:>9.1e} {flagged:>9.1} {seconds:>9.2}"
            );
        }
        for (seed, score) in scores.iter().enumerate() {
            if let Err(error) = score {
                println!("{name:<30} split {seed}: {error}");
            }
        }
    }
    Ok(())
}

fn main() -> Result<()> {
    let wishes = Wishes::read();
    println!("studentised rule, 100 tanh units, 1000 epochs, damping from 1/(4n), target 90 %");
    wishes.tables(&TABLES).try_for_each(|table| study(table, wishes.number().unwrap_or(3)))
}
