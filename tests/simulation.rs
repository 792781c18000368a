//! Simulated tables with known answers, shared by the tests that need one.

use jackknife::prelude::*;
use ndarray::{Array1, Array2, Axis};

/// The share of trials in which a new point is covered, one point for each training sample of n rows.
fn coverage(trials: u64, n: usize, d: usize, intervals: impl Fn(&Sample, &Array2<f64>) -> Intervals) -> f64 {
    let covered = (0..trials).filter(|&seed| {
        let all = linear(n + 1, d, seed).unwrap();
        let (train, test) = (all.without(n).unwrap(), all.rows(&[n]).unwrap());
        intervals(&train, test.x()).covers(test.y()).unwrap()[0]
    });
    covered.count() as f64 / trials as f64
}

/// Four standard deviations of a binomial share: a right rate fails once in 16,000 seeds.
fn tolerance(rate: f64, trials: u64) -> f64 {
    4.0 * (rate * (1.0 - rate) / trials as f64).sqrt()
}

const TRIALS: u64 = 2000;

fn by(rule: Rule) -> impl Fn(&Sample, &Array2<f64>) -> Intervals {
    move |train, x| LeaveOneOut::closed_form(&Ridge::least_squares(), train).unwrap().intervals(rule, x, 0.1).unwrap()
}

#[test]
fn jackknife_plus_and_the_naive_jackknife_cover_ninety_percent_when_rows_are_many() {
    for rule in [Rule::Plus, Rule::Jackknife] {
        let rate = coverage(TRIALS, 60, 5, by(rule));
        assert!((rate - 0.9).abs() < tolerance(0.9, TRIALS), "{rule}: {rate}");
    }
}

#[test]
fn minmax_covers_at_least_ninety_percent_and_in_sample_residuals_do_not() {
    let rate = coverage(TRIALS, 60, 15, by(Rule::Minmax));
    assert!(rate > 0.9 - tolerance(0.9, TRIALS), "minmax: {rate}");
    let rate = coverage(TRIALS, 60, 15, by(Rule::InSample));
    assert!(rate < 0.9 - tolerance(0.9, TRIALS), "in sample: {rate}");
}

#[test]
fn the_studentised_rule_covers_ninety_percent_of_a_linear_model_with_noise() {
    let rate = coverage(TRIALS, 60, 5, by(Rule::Studentised));
    assert!((rate - 0.9).abs() < tolerance(0.9, TRIALS), "studentised: {rate}");
}

#[test]
fn cross_validation_plus_and_split_cover_ninety_percent() {
    let fit = |rows: &Sample| Ridge::least_squares().fit(rows);
    let rate =
        coverage(TRIALS, 60, 5, |train, x| LeaveOneOut::folds(train, 10, fit).unwrap().jackknife_plus(x, 0.1).unwrap());
    assert!((rate - 0.9).abs() < tolerance(0.9, TRIALS) + 0.01, "cv+: {rate}");
    let rate = coverage(TRIALS, 60, 5, |train, x| HeldOut::fit(train, 0.5, 1, fit).unwrap().intervals(x, 0.1).unwrap());
    // 28 of the 31 places of a new point among 30 calibration rows: 0.9032.
    assert!((rate - 28.0 / 31.0).abs() < tolerance(0.9, TRIALS), "split: {rate}");
}

#[test]
fn bags_cover_ninety_percent() {
    let fit = |rows: &Sample, _| Ridge::least_squares().fit(rows);
    for rule in [Rule::Plus, Rule::Studentised] {
        let rate = coverage(TRIALS, 60, 5, |train, x| {
            LeaveOneOut::bags(train, 25, 0, fit).unwrap().intervals(rule, x, 0.1).unwrap()
        });
        // A left-out model averages 9 of the 25, so its residuals are a little too large: a little too wide, not too narrow.
        assert!(rate > 0.9 - tolerance(0.9, TRIALS) && rate < 0.9 + tolerance(0.9, TRIALS) + 0.02, "{rule}: {rate}");
    }
}

/// Barber et al. (2021), Figure 2: as many parameters as rows (99 slopes and the intercept), least squares of least
/// norm. The naive jackknife collapses to about 0.54 there, the jackknife+ keeps its promise.
#[test]
fn with_as_many_parameters_as_rows_the_naive_jackknife_fails_and_jackknife_plus_holds() {
    let trials = 1000;
    let naive = coverage(trials, 100, 99, by(Rule::Jackknife));
    assert!((naive - 0.54).abs() < tolerance(0.54, trials), "jackknife: {naive}");
    let plus = coverage(trials, 100, 99, by(Rule::Plus));
    assert!((plus - 0.89).abs() < tolerance(0.89, trials), "jackknife+: {plus}");
}

/// The closed form for interpolating models against n real refits.
#[test]
fn the_closed_form_equals_refitting_for_any_shape_of_table() {
    for (n, d) in [(40, 3), (20, 20), (20, 19), (15, 40), (2, 1), (3, 5)] {
        let sample = linear(n, d, 7).unwrap();
        let points = linear(9, d, 8).unwrap();
        for lambda in [0.0, 0.3] {
            let learner = Ridge::new(lambda);
            let closed = LeaveOneOut::closed_form(&learner, &sample).unwrap();
            let refit = LeaveOneOut::refit(&sample, |rows| learner.fit(rows)).unwrap();
            let difference = closed.variability(points.x()).unwrap() - refit.variability(points.x()).unwrap();
            let largest = difference.iter().fold(0.0_f64, |most, d| most.max(d.abs()));
            assert!(largest < 1e-8, "n = {n}, d = {d}, λ = {lambda}: {largest:e}");
            let difference = closed.residuals() - refit.residuals();
            assert!(difference.iter().all(|d| d.abs() < 1e-8), "n = {n}, d = {d}, λ = {lambda}");
        }
    }
}

#[test]
fn the_closed_form_equals_refitting_for_collinear_features() {
    let mut sample = linear(30, 4, 1).unwrap();
    let twice = sample.x().column(1).mapv(|x| 2.0 * x + 1.0).insert_axis(Axis(1));
    let x = ndarray::concatenate(Axis(1), &[sample.x().view(), twice.view()]).unwrap();
    sample = Sample::new(x, sample.y().clone()).unwrap();
    let learner = Ridge::least_squares();
    let closed = LeaveOneOut::closed_form(&learner, &sample).unwrap().residuals();
    let refit = LeaveOneOut::refit(&sample, |rows| learner.fit(rows)).unwrap().residuals();
    assert!((closed - refit).iter().all(|d| d.abs() < 1e-9));
}

#[test]
fn the_order_of_the_rows_changes_nothing() {
    let (sample, points) = (linear(40, 3, 2).unwrap(), linear(10, 3, 3).unwrap());
    let backwards: Vec<usize> = (0..40).rev().collect();
    let turned = sample.rows(&backwards).unwrap();
    let model = |rows: &Sample| Ridge::new(0.1).fit(rows).unwrap();
    let engines = |rows: &Sample| {
        [
            LeaveOneOut::closed_form(&Ridge::new(0.1), rows).unwrap(),
            LeaveOneOut::influence(&model(rows), rows, &Influence::order(2)).unwrap(),
            LeaveOneOut::newton(&model(rows), rows, &Newton::default()).unwrap(),
        ]
    };
    for (one, other) in engines(&sample).into_iter().zip(engines(&turned)) {
        for rule in [Rule::InSample, Rule::Jackknife, Rule::Plus, Rule::Minmax, Rule::Studentised] {
            let ends = |loo: &LeaveOneOut| loo.intervals(rule, points.x(), 0.1).unwrap();
            let (a, b) = (ends(&one), ends(&other));
            let same = |a: &Array1<f64>, b: &Array1<f64>| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-10);
            assert!(same(&a.lower, &b.lower) && same(&a.upper, &b.upper), "{rule} by {}", one.engine());
        }
    }
}

#[test]
fn intervals_widen_as_alpha_falls_and_become_infinite_when_rows_are_too_few() {
    let (sample, points) = (linear(20, 2, 4).unwrap(), linear(10, 2, 5).unwrap());
    let loo = LeaveOneOut::closed_form(&Ridge::least_squares(), &sample).unwrap();
    for rule in [Rule::InSample, Rule::Jackknife, Rule::Plus, Rule::Minmax, Rule::Studentised] {
        let width = |alpha| loo.intervals(rule, points.x(), alpha).unwrap().width();
        let widths = [width(0.5), width(0.2), width(0.1), width(0.04)];
        let wider = |pair: &[Array1<f64>]| pair[0].iter().zip(&pair[1]).all(|(a, b)| 0.0 <= *a && a <= b);
        assert!(widths.windows(2).all(wider), "{rule}");
        assert!(widths[3].iter().all(|width| width.is_infinite()), "{rule}: 20 rows cannot give 96 %");
        assert!(widths[2].iter().all(|width| width.is_finite()), "{rule}");
    }
}
