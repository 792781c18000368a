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

/// Rows of the cubic sample moved by `by`: the noise stays, around the curve at the new place.
fn moved(rows: usize, by: f64, seed: u64) -> (Array2<f64>, Array1<f64>) {
    let sample = cubic(rows, Feature::Normal { deviation: 1.0 }, 0.5, seed).unwrap();
    let (x, cube) = (sample.x() + by, |x: f64| x.powi(3));
    let y = sample.y() - &sample.x().column(0).mapv(cube) + x.column(0).mapv(cube);
    (x, y)
}

/// As above with weights that were estimated from fifty new rows, for models in closed form and refitted ones.
#[test]
fn estimated_weights_cover_where_the_features_have_moved() {
    let (mut shifted, mut plain) = (Vec::new(), Vec::new());
    for seed in 0..100 {
        let (train, loo) = line(200, 1000 + seed);
        let (x, y) = moved(50, 1.0, 5000 + seed);
        let intervals = loo.shifted_jackknife_plus(&train, &x, 0.1).unwrap();
        assert_eq!(intervals.guarantee, Guarantee::IfEstimateTrue(0.8));
        if seed == 0 {
            let refit = LeaveOneOut::refit(&train, |rows| Ridge::least_squares().fit(rows)).unwrap();
            let again = refit.shifted_jackknife_plus(&train, &x, 0.1).unwrap();
            // Both are exact leave-one-out models, up to rounding.
            assert!((&again.upper - &intervals.upper).iter().all(|d| d.is_nan() || d.abs() < 1e-8));
        }
        shifted.push(intervals.coverage(&y).unwrap().rate);
        plain.push(loo.jackknife_plus(&x, 0.1).unwrap().coverage(&y).unwrap().rate);
    }
    let mean = |rates: &[f64]| rates.iter().sum::<f64>() / rates.len() as f64;
    let (shifted, plain) = (mean(&shifted), mean(&plain));
    println!("shifted {shifted}, plain {plain}");
    // The deviation of a run's coverage is about 0.07, that of the mean of a hundred 0.007: three of them below 0.9.
    assert!(shifted > 0.88, "{shifted}");
    assert!(plain < 0.82, "{plain}");
}

#[test]
fn rows_that_have_not_moved_get_nearly_equal_weights() {
    for (seed, columns) in [(0, 1), (1, 5), (2, 20), (3, 20)] {
        let sample = linear(500, columns, seed).unwrap();
        let (train, test) = sample.split(0.2, seed).unwrap();
        let ratios = Ratios::estimate(&train, test.x()).unwrap();
        assert!((ratios.rows.mean().unwrap() - 1.0).abs() < 1e-12);
        // Twenty columns learnt by heart would leave about 400·exp(−20/80) = 310 rows.
        assert!(ratios.effective_rows() > 370.0 && !ratios.is_thin(), "{ratios:?}");
    }
}

#[test]
fn new_rows_that_no_training_row_resembles_leave_rows_that_are_told_to_be_too_few() {
    let (train, loo) = line(200, 6);
    let (x, _) = moved(50, 4.0, 7);
    let ratios = Ratios::estimate(&train, &x).unwrap();
    assert!(ratios.is_thin() && ratios.to_string().contains("too few to stand on"), "{ratios}");
    let far = loo.shifted_jackknife_plus(&train, &(&x * 1e12), 0.1).unwrap();
    assert!(far.width().iter().any(|width| width.is_infinite()), "{far:?}");
}

#[test]
fn weights_cannot_be_estimated_from_few_rows_other_columns_or_other_training_rows() {
    let (train, loo) = line(40, 8);
    let (x, _) = moved(20, 1.0, 9);
    let refused = |train: &Sample, x: &Array2<f64>| loo.shifted_jackknife_plus(train, x, 0.1).unwrap_err().to_string();
    let few = refused(&train, &x.slice(ndarray::s![..9, ..]).to_owned());
    assert!(few.contains("weights at new rows needs at least 10 rows, but there are 9"), "{few}");
    assert!(refused(&train, &Array2::zeros((20, 2))).contains("2"));
    assert!(refused(&train, &Array2::from_elem((20, 1), f64::NAN)).contains("NaN"));
    assert!(refused(&line(39, 8).0, &x).starts_with("weights and rows: 39 against 40"));
}
