//! The scale of the studentised rule and the damping by likelihood, against what can be computed by hand.

use approx::assert_relative_eq;
use jackknife::prelude::*;
use ndarray::{Array1, Array2, array};
use rand::{Rng, SeedableRng};
use rand_distr::StandardNormal;
use rand_xoshiro::Xoshiro256PlusPlus;

/// y = 2x + (0.1 + |x|)·ε with x between −2 and 2: the noise grows with the distance from 0.
fn noisy(rows: usize, seed: u64) -> Sample {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let x = Array2::from_shape_simple_fn((rows, 1), || rng.gen_range(-2.0..2.0));
    let y: Array1<f64> =
        x.column(0).iter().map(|x: &f64| 2.0 * x + (0.1 + x.abs()) * rng.sample::<f64, _>(StandardNormal)).collect();
    Sample::new(x, y).unwrap()
}

/// The places of the values in rising order.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    order.into_iter().enumerate().for_each(|(rank, row)| ranks[row] = rank as f64);
    ranks
}

fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (Array1::from(a.to_vec()), Array1::from(b.to_vec()));
    let (a, b) = (&a - a.mean().unwrap(), &b - b.mean().unwrap());
    a.dot(&b) / (a.dot(&a) * b.dot(&b)).sqrt()
}

#[test]
fn the_local_error_is_that_of_the_twenty_nearest_rows() {
    let sample = noisy(70, 1);
    let loo = LeaveOneOut::closed_form(&Ridge::least_squares(), &sample).unwrap();
    let squares = loo.residuals().mapv(|r| r * r);
    let by_hand = |x: f64, without: Option<usize>| {
        let mut rows: Vec<usize> = (0..70).filter(|&j| Some(j) != without).collect();
        // One feature: the distance between contributions βx has the order of that between features.
        rows.sort_by(|&a, &b| (sample.x()[[a, 0]] - x).abs().total_cmp(&(sample.x()[[b, 0]] - x).abs()));
        let near: f64 = rows[..20].iter().map(|&j| squares[j]).sum();
        (0.1 * squares.mean().unwrap() + near / 20.0).sqrt()
    };
    let points = [-1.7, -0.2, 0.0, 1.1, 5.0];
    let found = loo.local_error(&Array2::from_shape_vec((5, 1), points.to_vec()).unwrap()).unwrap();
    for (x, found) in points.iter().zip(found) {
        assert_relative_eq!(found, by_hand(*x, None), max_relative = 1e-12);
    }
    for (i, found) in loo.left_out_local_errors().into_iter().enumerate() {
        assert_relative_eq!(found, by_hand(sample.x()[[i, 0]], Some(i)), max_relative = 1e-12);
    }
}

#[test]
fn a_model_that_tells_no_contributions_is_measured_by_standardised_features() {
    // The second feature is a thousand times wider but says no more than the first.
    let base = noisy(60, 2);
    let wide = |factor: f64| {
        let other = base.x().mapv(|x| factor * (7.0 * x).sin());
        let x = ndarray::concatenate![ndarray::Axis(1), base.x().view(), other.view()];
        let sample = Sample::new(x.clone(), base.y().clone()).unwrap();
        let fitted = Array1::zeros(60);
        let without = Array2::zeros((60, 60));
        LeaveOneOut::given(&sample, fitted.clone(), fitted.clone(), x, fitted, without).unwrap().left_out_local_errors()
    };
    for (narrow, wide) in wide(1.0).into_iter().zip(wide(1000.0)) {
        assert_relative_eq!(narrow, wide, max_relative = 1e-12);
    }
}

#[test]
fn the_contributions_of_a_network_add_up_to_its_prediction() {
    let sample = noisy(50, 3);
    for hidden in [&[7][..], &[5, 6], &[]] {
        let network = Training::default().hidden(hidden).epochs(20).fit(&sample).unwrap();
        let rest = network.predict(sample.x()).unwrap()
            - network.contributions(sample.x().view()).unwrap().sum_axis(ndarray::Axis(1));
        assert!(rest.iter().all(|c| (c - rest[0]).abs() < 1e-12), "{hidden:?}: {rest}");
    }
}

#[test]
fn the_studentised_rule_covers_and_its_width_follows_the_noise() {
    let (mut covered, mut of) = (0, 0);
    for seed in 0..20 {
        let (train, test) = (noisy(200, 100 + seed), noisy(200, 200 + seed));
        let loo = LeaveOneOut::closed_form(&Ridge::least_squares(), &train).unwrap();
        let intervals = loo.studentised(test.x(), 0.1).unwrap();
        let coverage = intervals.coverage(test.y()).unwrap();
        (covered, of) = (covered + coverage.covered, of + coverage.of);
        let noise: Vec<f64> = test.x().iter().map(|x| 0.1 + x.abs()).collect();
        let follows = correlation(&ranks(&intervals.width().to_vec()), &ranks(&noise));
        assert!(follows > 0.8, "seed {seed}: {follows}");
    }
    // Over 20 samples the level varies by 0.005, over 4000 points the count by 0.005: four deviations of both.
    let rate = covered as f64 / of as f64;
    assert!((rate - 0.9).abs() < 0.028, "{rate}");
}

/// Solves A·z = b by elimination with pivots.
fn solve(mut a: Array2<f64>, mut b: Array1<f64>) -> Array1<f64> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[[i, k]].abs().total_cmp(&a[[j, k]].abs())).unwrap();
        (0..n).for_each(|j| a.swap([k, j], [pivot, j]));
        b.swap(k, pivot);
        for i in k + 1..n {
            let factor = a[[i, k]] / a[[k, k]];
            (k..n).for_each(|j| a[[i, j]] -= factor * a[[k, j]]);
            b[i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        b[k] = (b[k] - (k + 1..n).map(|j| a[[k, j]] * b[j]).sum::<f64>()) / a[[k, k]];
    }
    b
}

#[test]
fn the_leave_one_out_likelihood_is_that_of_real_refits() {
    let sample = cubic(30, Feature::Normal { deviation: 1.0 }, 1.0, 4).unwrap();
    let model = Ridge::least_squares().fit(&sample).unwrap();
    let grid = [1e-3, 0.1, 2.0];
    let choice = damping_by_likelihood(&model, &sample, &grid).unwrap();
    let design = ndarray::concatenate![ndarray::Axis(1), sample.x().view(), Array2::ones((30, 1)).view()];
    for (damping, found) in grid.iter().zip(&choice.scores) {
        // Each row predicted by the ridge regression on the others: error r and variance σ²·v.
        let refits: Vec<(f64, f64)> = (0..30)
            .map(|i| {
                let rest: Vec<usize> = (0..30).filter(|&j| j != i).collect();
                let (x, y) = (design.select(ndarray::Axis(0), &rest), sample.y().select(ndarray::Axis(0), &rest));
                let normal = x.t().dot(&x) + Array2::from_diag(&array![29.0 * damping, 29.0 * damping]);
                let row = design.row(i).to_owned();
                let r = sample.y()[i] - row.dot(&solve(normal.clone(), x.t().dot(&y)));
                (r, 1.0 + row.dot(&solve(normal, row.clone())))
            })
            .collect();
        let variance = refits.iter().map(|(r, v)| r * r / v).sum::<f64>() / 30.0;
        let density =
            |(r, v): &(f64, f64)| -0.5 * ((2.0 * std::f64::consts::PI * variance * v).ln() + r * r / (variance * v));
        let by_hand = refits.iter().map(density).sum::<f64>() / 30.0;
        assert_relative_eq!(*found, by_hand, max_relative = 1e-10);
    }
    let best = choice.scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    assert_eq!(choice.scores[grid.iter().position(|&d| d == choice.damping).unwrap()], best);
}

#[test]
fn a_damping_is_not_chosen_from_nothing() {
    let sample = noisy(20, 5);
    let model = Ridge::least_squares().fit(&sample).unwrap();
    assert!(matches!(damping_by_likelihood(&model, &sample, &[]), Err(Error::Choice { .. })));
    assert!(matches!(damping_by_likelihood(&model, &sample, &[1e-3, -1.0]), Err(Error::Choice { .. })));
}

#[test]
fn a_model_through_every_row_is_scaled_by_its_errors_alone() {
    let (train, test) = linear(300, 99, 0).unwrap().split(2.0 / 3.0, 0).unwrap();
    assert_eq!(train.len(), 100);
    let loo = LeaveOneOut::closed_form(&Ridge::least_squares(), &train).unwrap();
    let (plus, studentised) = (loo.jackknife_plus(test.x(), 0.1).unwrap(), loo.studentised(test.x(), 0.1).unwrap());
    assert!(studentised.mean_width() < 10.0 * plus.mean_width(), "{}", studentised.mean_width());
}
