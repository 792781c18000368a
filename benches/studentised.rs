//! The study behind the studentised rule: `cargo bench --bench studentised` prints its tables.
//!
//! Network of 100 tanh units on standardised data, leave-one-out models by one Gauss–Newton step, target 90 %. First
//! the variants of s₋ᵢ(xᵢ) and of the floor, then the rule as it is, on five tables and for three dampings.

use jackknife::prelude::*;
use jackknife::quantile::{lower_rank, order_statistic, upper_rank};
use ndarray::{Array1, Array2, Axis};
use rayon::prelude::*;

const ALPHA: f64 = 0.1;

/// Coverage, average precision of the width, and mean width over that of the jackknife+.
type Scores = [f64; 3];

struct Fitted {
    loo: LeaveOneOut,
    train: Sample,
    test: Sample,
}

fn fit(table: Table, epochs: usize, seed: u64, damping: f64) -> Result<Fitted> {
    let (train, test) = table.load().split(0.2, seed)?;
    let network = Training::default().epochs(epochs).seed(seed).fit(&train)?;
    let loo = LeaveOneOut::newton(&network, &train, Curvature::GaussNewton, damping)?;
    Ok(Fitted { loo, train, test })
}

fn scores(intervals: &Intervals, test: &Sample, unit: f64) -> Result<Scores> {
    let (coverage, precision) = (intervals.coverage(test.y())?, intervals.discrimination(test.y())?);
    Ok([coverage, precision, intervals.mean_width() / unit])
}

/// √Σ v², row by row, with or without the row's own entry.
fn root_sum(variability: &Array2<f64>, own: bool) -> Array1<f64> {
    let squares = variability.mapv(|v| v * v);
    let mut sums = squares.sum_axis(Axis(1));
    if !own {
        sums -= &squares.diag();
    }
    sums.mapv(f64::sqrt)
}

fn median(values: &Array1<f64>) -> f64 {
    order_statistic(values.iter().copied(), values.len().div_ceil(2))
}

/// Every variant on one split, with its name.
fn variants(fitted: &Fitted) -> Result<Vec<(String, Scores)>> {
    let Fitted { loo, train, test } = fitted;
    let plus = loo.jackknife_plus(test.x(), ALPHA)?;
    let mut rows = vec![("jackknife+".to_string(), scores(&plus, test, plus.mean_width())?)];
    let (at_test, at_train) = (loo.variability(test.x())?, loo.variability(train.x())?);
    let (residuals, deviation) = (loo.residuals(), root_sum(&at_test, true));
    let others = root_sum(&at_train, false);
    let leverage = loo.trust().map(|trust| trust.ratios().clone()).unwrap_or_default();
    let inflated = &others / &leverage.mapv(|h| (1.0 - h).clamp(0.05, 1.0));
    let own_scales = [("j ≠ i", others), ("j ≠ i, over 1 − h", inflated), ("all j", root_sum(&at_train, true))];
    for (name, own) in own_scales {
        let floors = [0.5, 1.0, 2.0, 4.0].map(|k| (format!("{k} × median"), k * median(&own)));
        for (floor_name, floor) in floors.into_iter().chain([("median of R".to_string(), median(&residuals))]) {
            let scored = &residuals / &own.mapv(|s| s.hypot(floor));
            let (low, high) = (lower_rank(loo.len(), ALPHA)?, upper_rank(loo.len(), ALPHA)?);
            let mut intervals = plus.clone();
            for (t, v) in at_test.rows().into_iter().enumerate() {
                let scale = deviation[t].hypot(floor);
                let end = |sign: f64, rank| {
                    let moved = v.iter().zip(&scored).map(|(v, q)| plus.prediction[t] - v + sign * q * scale);
                    order_statistic(moved, rank)
                };
                (intervals.lower[t], intervals.upper[t]) = (end(-1.0, low), end(1.0, high));
            }
            rows.push((format!("{name}; {floor_name}"), scores(&intervals, test, plus.mean_width())?));
        }
    }
    Ok(rows)
}

fn mean(runs: &[Scores]) -> String {
    let part = |k: usize| runs.iter().map(|run| run[k]).sum::<f64>() / runs.len() as f64;
    format!("{:.3} / {:.2} / {:.2}", part(0), part(1), part(2))
}

fn main() -> Result<()> {
    println!("coverage / average precision of the width / width over jackknife+'s; target 90 %\n");
    let tables = [(Table::Yacht, 10), (Table::BostonHousing, 10), (Table::EnergyEfficiency, 6), (Table::Concrete, 4)];
    for (table, splits) in tables {
        println!("{table}, damping 1e-3, {splits} splits");
        let runs: Result<Vec<_>> =
            (0..splits).into_par_iter().map(|seed| variants(&fit(table, 1000, seed, 1e-3)?)).collect();
        let runs = runs?;
        for (k, (name, _)) in runs[0].iter().enumerate() {
            println!("  {name:<34} {}", mean(&runs.iter().map(|run| run[k].1).collect::<Vec<_>>()));
        }
    }
    println!("\nthe rule as it is: jackknife+, studentised");
    let tables = tables.into_iter().map(|(table, splits)| (table, 1000, splits)).chain([(Table::Kin8nm, 100, 2)]);
    for (table, epochs, splits) in tables {
        for damping in [1e-4, 1e-3, 1e-2] {
            let runs: Result<Vec<_>> = (0..splits)
                .into_par_iter()
                .map(|seed| {
                    let Fitted { loo, test, .. } = fit(table, epochs, seed, damping)?;
                    let plus = loo.jackknife_plus(test.x(), ALPHA)?;
                    let studentised = loo.studentised(test.x(), ALPHA)?;
                    let unit = plus.mean_width();
                    Ok((scores(&plus, &test, unit)?, scores(&studentised, &test, unit)?))
                })
                .collect();
            let (plus, studentised): (Vec<_>, Vec<_>) = runs?.into_iter().unzip();
            println!("  {:<20} damping {damping:e}: {}, {}", table.name(), mean(&plus), mean(&studentised));
        }
    }
    Ok(())
}
