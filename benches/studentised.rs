//! The study behind the studentised rule: `cargo bench --bench studentised` prints its tables.
//!
//! Network of 100 tanh units on standardised data, leave-one-out models by one Gauss–Newton step, target 90 %. First
//! the variants of the scale and of its floor, then the rule as it is, for three dampings,
//! and what the leave-one-out likelihood would choose.

use jackknife::prelude::*;
use jackknife::quantile::{lower_rank, order_statistic, upper_rank};
use ndarray::{Array1, Array2};
use rayon::prelude::*;

const ALPHA: f64 = 0.1;

/// Coverage, average precision of the width, and mean width over that of the jackknife+.
type Scores = [f64; 3];

struct Fitted {
    loo: LeaveOneOut,
    test: Sample,
}

/// One split, with so many times the usual damping.
fn fit(table: Table, seed: u64, times: f64) -> Result<Fitted> {
    let (train, test) = table.load().split(0.2, seed)?;
    let network = Training::default().seed(seed).fit(&train)?;
    let damping = times * LeaveOneOut::usual_damping(train.len());
    let loo = LeaveOneOut::newton(&network, &train, &Newton::default().damping(damping))?;
    Ok(Fitted { loo, test })
}

fn scores(intervals: &Intervals, test: &Sample, unit: f64) -> Result<Scores> {
    let coverage = intervals.coverage(test.y())?.rate;
    let precision = intervals.discrimination(test.y(), 0)?.average_precision;
    Ok([coverage, precision, intervals.mean_width() / unit])
}

fn median(values: &Array1<f64>) -> f64 {
    order_statistic(values.iter().copied(), values.len().div_ceil(2))
}

/// Every variant on one split, with its name.
fn variants(fitted: &Fitted) -> Result<Vec<(String, Scores)>> {
    let Fitted { loo, test } = fitted;
    let plus = loo.jackknife_plus(test.x(), ALPHA)?;
    let mut rows = vec![("jackknife+".to_string(), scores(&plus, test, plus.mean_width())?)];
    let at_test = loo.variability(test.x())?;
    let (others, deviation) = (loo.left_out_deviations()?, loo.deviation(test.x())?);
    let local = (loo.left_out_local_errors(), loo.local_error(test.x())?);
    for factor in [0.5, 1.0, 2.0, 4.0] {
        let floor = factor * median(&others);
        let own = others.mapv(|s| s.hypot(floor));
        let at = deviation.mapv(|s| s.hypot(floor));
        let mixed = (&own * &local.0, &at * &local.1);
        let mixed = (mixed.0.mapv(f64::sqrt), mixed.1.mapv(f64::sqrt));
        for (name, scale) in [("d", (own, at)), ("√(d·ℓ)", mixed)] {
            let intervals = scaled(loo, &plus, &at_test, &scale)?;
            rows.push((format!("{name}; floor {factor} × median"), scores(&intervals, test, plus.mean_width())?));
        }
    }
    let sum = |deviation: &Array1<f64>, local: &Array1<f64>| (deviation * deviation + local * local).mapv(f64::sqrt);
    let squares = (sum(&others, &local.0), sum(&deviation, &local.1));
    for (name, scale) in [("ℓ", local), ("√(d² + ℓ²), no floor", squares)] {
        rows.push((name.to_string(), scores(&scaled(loo, &plus, &at_test, &scale)?, test, plus.mean_width())?));
    }
    Ok(rows)
}

/// Jackknife+ intervals with the residuals in units of a scale at the training rows, times that at the points.
fn scaled(
    loo: &LeaveOneOut,
    plus: &Intervals,
    at_test: &Array2<f64>,
    (own, at): &(Array1<f64>, Array1<f64>),
) -> Result<Intervals> {
    let scored = loo.residuals() / own;
    let (low, high) = (lower_rank(loo.len(), ALPHA)?, upper_rank(loo.len(), ALPHA)?);
    let mut intervals = plus.clone();
    for (t, v) in at_test.rows().into_iter().enumerate() {
        let end = |sign: f64, rank| {
            let moved = v.iter().zip(&scored).map(|(v, q)| plus.prediction[t] - v + sign * q * at[t]);
            order_statistic(moved, rank)
        };
        (intervals.lower[t], intervals.upper[t]) = (end(-1.0, low), end(1.0, high));
    }
    Ok(intervals)
}

fn mean(runs: &[Scores]) -> String {
    let part = |k: usize| runs.iter().map(|run| run[k]).sum::<f64>() / runs.len() as f64;
    format!("{:.3} / {:.2} / {:.2}", part(0), part(1), part(2))
}

fn main() -> Result<()> {
    println!("coverage / average precision of the width / width over jackknife+'s; target 90 %\n");
    let tables = [(Table::Yacht, 10), (Table::BostonHousing, 10), (Table::EnergyEfficiency, 6), (Table::Concrete, 4)];
    for (table, splits) in tables {
        println!("{table}, damping 1/(4n), {splits} splits");
        let runs: Result<Vec<_>> = (0..splits).into_par_iter().map(|seed| variants(&fit(table, seed, 1.0)?)).collect();
        let runs = runs?;
        for (k, (name, _)) in runs[0].iter().enumerate() {
            println!("  {name:<34} {}", mean(&runs.iter().map(|run| run[k].1).collect::<Vec<_>>()));
        }
    }
    println!("\nthe rule as it is: jackknife+, studentised");
    for (table, splits) in tables {
        for times in [0.1, 1.0, 10.0] {
            let runs: Result<Vec<_>> = (0..splits)
                .into_par_iter()
                .map(|seed| {
                    let Fitted { loo, test } = fit(table, seed, times)?;
                    let plus = loo.jackknife_plus(test.x(), ALPHA)?;
                    let studentised = loo.studentised(test.x(), ALPHA)?;
                    let unit = plus.mean_width();
                    Ok((scores(&plus, &test, unit)?, scores(&studentised, &test, unit)?))
                })
                .collect();
            let (plus, studentised): (Vec<_>, Vec<_>) = runs?.into_iter().unzip();
            println!("  {:<20} damping {times}/(4n): {}, {}", table.name(), mean(&plus), mean(&studentised));
        }
    }
    println!(
        "\nthe damping that the leave-one-out likelihood chooses, in units of 1/(4n), and what the rule covers then"
    );
    let factors = [0.01, 0.1, 1.0, 10.0, 100.0];
    for (table, splits) in tables {
        let runs: Result<Vec<_>> = (0..splits)
            .into_par_iter()
            .map(|seed| {
                let (train, _) = table.load().split(0.2, seed)?;
                let network = Training::default().seed(seed).fit(&train)?;
                let usual = LeaveOneOut::usual_damping(train.len());
                let choice = damping_by_likelihood(&network, &train, &factors.map(|factor| factor * usual))?;
                let times = choice.damping / usual;
                let Fitted { loo, test } = fit(table, seed, times)?;
                let unit = loo.jackknife_plus(test.x(), ALPHA)?.mean_width();
                Ok((times, scores(&loo.studentised(test.x(), ALPHA)?, &test, unit)?))
            })
            .collect();
        let (times, studentised): (Vec<f64>, Vec<_>) = runs?.into_iter().unzip();
        println!("  {:<20} {times:?}: {}", table.name(), mean(&studentised));
    }
    Ok(())
}
