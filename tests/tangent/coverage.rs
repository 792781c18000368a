//! The theorem by simulation: at least 1 − 2α whatever the rows, and about 1 − α in fact.

use jackknife::prelude::*;
use ndarray::{Array1, Array2};
use rand::Rng;
use rand_distr::StandardNormal;
use rayon::prelude::*;

use crate::given::{Given, normal, rows, seeded};

const TRIALS: u64 = 1500;

/// Four standard deviations of a binomial share: a right rate fails once in 16,000 seeds.
fn tolerance(rate: f64, trials: u64) -> f64 {
    4.0 * (rate * (1.0 - rate) / trials as f64).sqrt()
}

/// The share of trials in which a new row is covered, one for each table.
fn coverage(
    trials: u64,
    table: impl Fn(u64) -> Sample + Sync,
    by: impl Fn(&Sample, &Array2<f64>) -> Intervals + Sync,
) -> f64 {
    let covers = |seed: u64| {
        let all = table(seed);
        let last = all.len() - 1;
        let (train, test) = (all.without(last).unwrap(), all.rows(&[last]).unwrap());
        by(&train, test.x()).covers(test.y()).unwrap()[0]
    };
    (0..trials).into_par_iter().filter(|&seed| covers(seed)).count() as f64 / trials as f64
}

/// Rows of given features with heavy tails, two places and no offset.
fn heavy(n: usize, width: usize, seed: u64) -> Sample {
    let mut rng = seeded(seed);
    let mut x = normal(&mut rng, (n, width + 3));
    x.column_mut(width + 2).fill(0.0);
    let y = Array1::from_shape_fn(n, |i| {
        let (a, b): (f64, f64) = (rng.sample(StandardNormal), rng.sample(StandardNormal));
        // A Student distribution, or nearly so, whose deviation depends on the place.
        3.0 * x[[i, 0]] + (0.2 + x[[i, width]].abs()) * a / b.abs().max(0.05)
    });
    Sample::new(x, y).unwrap()
}

#[test]
fn a_ridge_with_its_penalty_by_likelihood_covers_about_ninety_percent() {
    let by = |rule: Rule| {
        move |train: &Sample, x: &Array2<f64>| {
            let model = Ridge::new(1.0).fit(train).unwrap();
            let loo = LeaveOneOut::tangent(&model, train, &Tangent::default().likelihood(true)).unwrap();
            let intervals = loo.intervals(rule, x, 0.1).unwrap();
            assert_eq!(intervals.guarantee, Guarantee::AtLeast(0.8));
            intervals
        }
    };
    for (rule, n, d) in [(Rule::Nested, 40, 4), (Rule::Nested, 30, 45), (Rule::Signed, 40, 4)] {
        let rate = coverage(TRIALS, |seed| rows(n + 1, d, 5000 + seed), by(rule));
        assert!((rate - 0.9).abs() < tolerance(0.9, TRIALS) + 0.01, "{rule}, n = {n}, d = {d}: {rate}");
    }
}

#[test]
fn no_table_covers_less_than_the_theorem_says() {
    for (n, width, alpha) in [(9, 3, 0.2), (20, 19, 0.2), (20, 21, 0.1), (12, 60, 0.3), (4, 1, 0.2)] {
        let by = |train: &Sample, x: &Array2<f64>| {
            let loo = LeaveOneOut::tangent_of(Given::new(width, 2), train, &Tangent::default()).unwrap();
            loo.nested(x, alpha).unwrap()
        };
        let rate = coverage(TRIALS, |seed| heavy(n + 1, width, seed), by);
        assert!(rate > 1.0 - 2.0 * alpha - tolerance(2.0 * alpha, TRIALS), "n = {n}, p = {width}: {rate}");
        // As few rows have intervals of whole ranks.
        let level = 1.0 - (alpha * (n + 1) as f64 + 1e-9).floor() / (n + 1) as f64;
        assert!((rate - level).abs() < 0.06, "n = {n}, p = {width}: {rate} at {level}");
    }
}

#[test]
fn rare_targets_are_covered_though_all_others_are_alike() {
    // One row in 25 has a target that is not 0: an interval of nothing at 0 would cover the others alone.
    let table = |seed: u64| {
        let mut sample = heavy(25, 2, seed);
        let mut rng = seeded(90_000 + seed);
        let y = sample.y().mapv(|y| if rng.gen_bool(0.04) { y } else { 0.0 });
        sample = Sample::new(sample.x().clone(), y).unwrap();
        sample
    };
    let by = |train: &Sample, x: &Array2<f64>| {
        LeaveOneOut::tangent_of(Given::new(2, 2), train, &Tangent::default()).unwrap().nested(x, 0.04).unwrap()
    };
    let rate = coverage(TRIALS, table, by);
    assert!(rate > 0.92, "{rate}");
}

#[test]
fn full_conformal_covers_exactly_what_its_rank_says() {
    // ⌊α(n+1)⌋ of the n + 1 places of the new row are outside.
    for (n, d, alpha) in [(19, 3, 0.1), (24, 3, 0.1), (9, 20, 0.2), (30, 29, 0.25)] {
        let by = |train: &Sample, x: &Array2<f64>| {
            let loo = LeaveOneOut::tangent(&Ridge::new(0.1).fit(train).unwrap(), train, &Tangent::default()).unwrap();
            let intervals = loo.intervals(Rule::Full, x, alpha).unwrap();
            assert_eq!(intervals.guarantee, Guarantee::AtLeast(1.0 - alpha));
            intervals
        };
        let trials = 2 * TRIALS;
        let rate = coverage(trials, |seed| rows(n + 1, d, 9000 + seed), by);
        let exact = 1.0 - (alpha * (n + 1) as f64 + 1e-9).floor() / (n + 1) as f64;
        assert!((rate - exact).abs() < tolerance(exact, trials), "n = {n}, d = {d}: {rate} against {exact}");
        assert!(exact >= 1.0 - alpha && exact <= 1.0 - alpha + 1.0 / (n + 1) as f64);
    }
}

#[test]
fn a_small_network_covers_with_rows_that_it_has_not_seen_and_with_folds() {
    let trials = 250;
    let fit = |rows: &Sample| Training::default().hidden(&[6]).epochs(60).seed(1).fit(rows);
    let table = |seed: u64| {
        let mut rng = seeded(700 + seed);
        let x = normal(&mut rng, (61, 2));
        let noise = normal(&mut rng, (61, 1));
        let y = (0..61).map(|i| (2.0 * x[[i, 0]]).sin() + x[[i, 1]] * noise[[i, 0]]).collect();
        Sample::new(x, y).unwrap()
    };
    let split = |train: &Sample, x: &Array2<f64>| {
        let intervals = LeaveOneOut::tangent_split(train, 0.5, 3, fit).unwrap().nested(x, 0.1).unwrap();
        assert_eq!((intervals.guarantee, intervals.rows), (Guarantee::AtLeast(0.8), Some(30)));
        intervals
    };
    let rate = coverage(trials, table, split);
    assert!(rate > 0.8 && (rate - 0.9).abs() < tolerance(0.9, trials) + 0.02, "split+: {rate}");
    let folds =
        |train: &Sample, x: &Array2<f64>| LeaveOneOut::tangent_folds(train, 5, fit).unwrap().nested(x, 0.1).unwrap();
    let rate = coverage(trials / 2, table, folds);
    assert!(rate > 0.8, "tangent-cv: {rate}");
}
