//! The weighted jackknife+ against what it must be: the jackknife+ for equal weights, rows counted more than once for whole
//! ones, and the promised coverage where the features have moved.

use jackknife::prelude::*;
use jackknife::quantile::{lower, upper};
use ndarray::{Array1, Array2, array};

fn line(rows: usize, seed: u64) -> (Sample, LeaveOneOut) {
    let train = cubic(rows, Feature::Normal { deviation: 1.0 }, 0.5, seed).unwrap();
    let loo = LeaveOneOut::closed_form(&Ridge::least_squares(), &train).unwrap();
    (train, loo)
}

#[test]
fn equal_weights_give_the_jackknife_plus_to_the_last_rank() {
    for rows in [9, 10, 19, 40, 99] {
        let (train, loo) = line(rows, 1);
        for alpha in [0.05, 0.1, 1.0 - 0.9, 0.2, 1.0 / 3.0, 0.5] {
            for weight in [1.0, 0.3, 1e-7] {
                let (w, v) = (Array1::from_elem(rows, weight), Array1::from_elem(rows, weight));
                let weighted = loo.weighted_jackknife_plus(train.x(), &w, &v, alpha).unwrap();
                let plus = loo.jackknife_plus(train.x(), alpha).unwrap();
                assert_eq!(weighted.upper, plus.upper, "n = {rows}, α = {alpha}, weight {weight}");
                assert_eq!(weighted.lower, plus.lower, "n = {rows}, α = {alpha}, weight {weight}");
                let level = plus.guarantee.level().unwrap();
                assert_eq!(weighted.guarantee, Guarantee::IfWeightsTrue(level), "the ratios are the user's word");
            }
        }
    }
}

#[test]
fn a_row_of_weight_three_counts_three_times() {
    let (train, loo) = line(30, 2);
    let weights: Array1<f64> = (0..30).map(|i| f64::from(i % 4)).collect();
    let points = array![[-0.5], [0.7], [2.0]];
    let weighted = loo.weighted_jackknife_plus(&points, &weights, &Array1::ones(3), 0.15).unwrap();
    let (v, prediction) = (loo.variability(&points).unwrap(), loo.predict(&points).unwrap());
    for t in 0..3 {
        let ends = |sign: f64| -> Vec<f64> {
            let end = |i: usize| prediction[t] - v[[t, i]] + sign * loo.residuals()[i];
            (0..train.len()).flat_map(|i| vec![end(i); weights[i] as usize]).collect()
        };
        assert!((weighted.upper[t] - upper(&ends(1.0), 0.15).unwrap()).abs() < 1e-12);
        assert!((weighted.lower[t] - lower(&ends(-1.0), 0.15).unwrap()).abs() < 1e-12);
    }
}

/// A line through y = x³, fitted where x ~ N(0, 1) and used where x ~ N(1, 1): its errors are larger out there.
#[test]
fn it_covers_where_the_features_have_moved_and_the_jackknife_plus_does_not() {
    let ratio = |x: &Array2<f64>| x.column(0).mapv(|x| (x - 0.5).exp());
    let (mut weighted, mut plain, mut of) = (0, 0, 0);
    for seed in 0..200 {
        let (train, loo) = line(200, 1000 + seed);
        let test = cubic(5, Feature::Normal { deviation: 1.0 }, 0.5, 5000 + seed).unwrap();
        let x = test.x() + 1.0;
        // The noise of the sample, around the curve at the place it was moved to.
        let y = test.y() - &test.x().column(0).mapv(|x| x.powi(3)) + x.column(0).mapv(|x| x.powi(3));
        let inside = |intervals: Intervals| intervals.covers(&y).unwrap().into_iter().filter(|&c| c).count();
        weighted += inside(loo.weighted_jackknife_plus(&x, &ratio(train.x()), &ratio(&x), 0.1).unwrap());
        plain += inside(loo.jackknife_plus(&x, 0.1).unwrap());
        of += 5;
    }
    let (weighted, plain) = (Coverage::from_counts(weighted, of).unwrap(), Coverage::from_counts(plain, of).unwrap());
    // Proven: 0.8; aimed at: 0.9.
    assert!(weighted.contains(0.9), "{weighted:?}");
    assert!(plain.high < 0.85 && plain.high < weighted.low, "{plain:?}, {weighted:?}");
}

#[test]
fn a_point_that_nothing_resembles_has_an_infinite_interval() {
    let (_, loo) = line(50, 3);
    let points = array![[9.0]];
    let intervals = loo.weighted_jackknife_plus(&points, &Array1::ones(50), &array![1e6], 0.1).unwrap();
    assert_eq!((intervals.lower[0], intervals.upper[0]), (f64::NEG_INFINITY, f64::INFINITY));
}

#[test]
fn weights_that_make_no_sense_are_refused() {
    let (_, loo) = line(5, 4);
    let points = array![[0.0]];
    let answer = |rows: Array1<f64>, at: Array1<f64>, alpha| {
        loo.weighted_jackknife_plus(&points, &rows, &at, alpha).unwrap_err().to_string()
    };
    let one = || array![1.0];
    assert!(answer(Array1::ones(4), one(), 0.1).starts_with("weights and rows: 4 against 5"));
    assert!(answer(Array1::ones(5), Array1::ones(2), 0.1).starts_with("weights and points: 2 against 1"));
    assert!(answer(Array1::zeros(5), one(), 0.1).contains("the sum of the rows' weights is 0"));
    assert!(answer(array![1.0, -2.0, 1.0, 1.0, 1.0], one(), 0.1).contains("a weight is -2"));
    assert!(answer(Array1::ones(5), array![f64::NAN], 0.1).contains("a weight is NaN"));
    assert!(answer(Array1::ones(5), one(), 0.0).contains("alpha is 0"));
}
