//! Bagged models against what they must be: averages of those that have not seen a row, the closed form that they come to
//! with many bags, and a scale that is what the models state.

use std::sync::Mutex;

use jackknife::prelude::*;
use jackknife::quantile::{lower, upper};
use ndarray::{Array1, Array2, ArrayView2, Axis, array};

/// Predicts one number everywhere, and states a deviation that grows with the feature.
#[derive(Clone)]
struct Constant {
    value: f64,
    slope: f64,
}

impl Model for Constant {
    fn columns(&self) -> usize {
        1
    }

    fn evaluate(&self, x: ArrayView2<f64>) -> Array1<f64> {
        Array1::from_elem(x.nrows(), self.value)
    }

    fn stated_deviation(&self, x: ArrayView2<f64>) -> Option<Array1<f64>> {
        (self.slope > 0.0).then(|| x.column(0).mapv(|x| self.slope * x))
    }
}

/// Features 1 to n, and targets that are all different.
fn sample(n: usize) -> Sample {
    let x: Array1<f64> = (1..=n).map(|i| i as f64).collect();
    let y = x.mapv(|x| x * (7.3 * x).sin());
    Sample::new(x.insert_axis(Axis(1)), y).unwrap()
}

fn mean(rows: &Sample) -> f64 {
    rows.y().mean().unwrap()
}

#[test]
fn each_row_is_predicted_by_the_models_that_have_not_seen_it() {
    let sample = sample(12);
    let seen = Mutex::new(Vec::new());
    let loo = LeaveOneOut::bags(&sample, 15, 3, |rows, _| {
        seen.lock().unwrap().push((rows.y().to_vec(), mean(rows)));
        Ok(Constant { value: mean(rows), slope: 0.0 })
    })
    .unwrap();
    let seen = seen.into_inner().unwrap();
    assert_eq!(seen.len(), 15);
    assert!(seen.iter().all(|(bag, _)| bag.len() == 12));
    let average = |values: Vec<f64>| values.iter().sum::<f64>() / values.len() as f64;
    let full = average(seen.iter().map(|(_, value)| *value).collect());
    assert!((loo.predict(sample.x()).unwrap()[0] - full).abs() < 1e-12);
    let variability = loo.variability(&array![[5.0]]).unwrap();
    for (i, y) in sample.y().iter().enumerate() {
        let without = average(seen.iter().filter(|(bag, _)| !bag.contains(y)).map(|(_, value)| *value).collect());
        assert!((loo.left_out_predictions()[i] - without).abs() < 1e-12, "row {i}");
        assert!((variability[[0, i]] - (full - without)).abs() < 1e-12, "row {i}");
    }
}

#[test]
fn with_many_bags_the_mean_without_a_row_is_the_mean_of_the_others() {
    let sample = sample(10);
    let bags = 40_000;
    let fit = |rows: &Sample, _| Ok(Constant { value: mean(rows), slope: 0.0 });
    let loo = LeaveOneOut::bags(&sample, bags, 0, fit).unwrap();
    for i in 0..10 {
        let others = sample.without(i).unwrap();
        // A bag without row i is a bootstrap sample of the others; 0.9¹⁰ = 0.349 of the bags are.
        let error = others.y().std(0.0) / (10.0 * 0.349 * bags as f64).sqrt();
        let found = loo.left_out_predictions()[i];
        assert!((found - mean(&others)).abs() < 4.0 * error, "row {i}: {found} against {}", mean(&others));
    }
}

#[test]
fn the_same_seed_gives_the_same_models_on_one_and_two_threads() {
    let (train, test) = Table::Yacht.load().split(0.2, 0).unwrap();
    let training = Training::default().hidden(&[5]).epochs(20);
    let ends = |seed| {
        let fit = |rows: &Sample, seed| training.clone().seed(seed).fit(rows);
        LeaveOneOut::bags(&train, 20, seed, fit).unwrap().studentised(test.x(), 0.1).unwrap()
    };
    let on = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(|| ends(1));
    assert_eq!(on(1).upper, on(2).upper);
    assert_ne!(on(1).upper, ends(2).upper);
}

#[test]
fn too_few_bags_are_refused() {
    let fit = |rows: &Sample, _| Ridge::least_squares().fit(rows);
    for bags in [0, 1, 5] {
        let error = LeaveOneOut::bags(&sample(200), bags, 0, fit).unwrap_err().to_string();
        assert!(error.contains(&format!("the number of bags is {bags}")) && error.contains("try 40"), "{error}");
    }
    assert!(LeaveOneOut::bags(&sample(10_000), 25, 0, fit).is_ok());
    let error = LeaveOneOut::bags(&sample(1), 25, 0, fit).unwrap_err();
    assert!(matches!(error, Error::Rows { .. }), "{error}");
}

#[test]
fn a_model_of_other_columns_is_refused() {
    let table = linear(30, 2, 0).unwrap();
    let error = LeaveOneOut::bags(&table, 25, 0, |_, _| Ok(Constant { value: 0.0, slope: 0.0 })).unwrap_err();
    assert!(matches!(error, Error::Columns { trained: 1, given: 2 }), "{error}");
}

#[test]
fn what_is_proven_is_proven_for_many_bags() {
    let loo = LeaveOneOut::bags(&sample(30), 25, 0, |rows, _| Ridge::least_squares().fit(rows)).unwrap();
    assert_eq!(loo.engine(), Engine::Bags(25));
    let x = array![[3.0]];
    assert_eq!(loo.jackknife_plus(&x, 0.1).unwrap().guarantee, Guarantee::InTheLimit(0.8));
    assert_eq!(loo.minmax(&x, 0.1).unwrap().guarantee, Guarantee::InTheLimit(0.9));
    assert_eq!(loo.studentised(&x, 0.1).unwrap().guarantee, Guarantee::None);
    assert_eq!(loo.studentised(&x, 0.1).unwrap().method.to_string(), "studentized (25 bags)");
}

/// The ends of the studentised rule from their definition, where every model predicts 0.
fn by_hand(loo: &LeaveOneOut, x: &Array2<f64>, own: &Array1<f64>, stated: f64, alpha: f64) -> (f64, f64) {
    let scores = loo.residuals() / (own * &loo.left_out_local_errors()).mapv(f64::sqrt);
    let scale = (stated * loo.local_error(x).unwrap()[0]).sqrt();
    let ends = |sign: f64| (sign * scale * &scores).to_vec();
    (lower(&ends(-1.0), alpha).unwrap(), upper(&ends(1.0), alpha).unwrap())
}

#[test]
fn a_model_that_states_a_deviation_is_believed() {
    let sample = sample(40);
    let x = array![[9.0]];
    // Every model states 0.5·x: 4.5 at the point.
    let refit = LeaveOneOut::refit(&sample, |_| Ok(Constant { value: 0.0, slope: 0.5 })).unwrap();
    let folds = LeaveOneOut::folds(&sample, 8, |_| Ok(Constant { value: 0.0, slope: 0.5 })).unwrap();
    let mended = refit.with_refits(&sample, &[4], |_| Ok(Constant { value: 0.0, slope: 0.5 })).unwrap();
    for loo in [&refit, &folds, &mended] {
        let found = loo.studentised(&x, 0.1).unwrap();
        let (low, high) = by_hand(loo, &x, &(0.5 * &sample.x().column(0)), 4.5, 0.1);
        assert!((found.lower[0] - low).abs() < 1e-12 && (found.upper[0] - high).abs() < 1e-12, "{found:?}");
    }
    // A model refitted to state three times as much: its row counts for less.
    let wide = refit.with_refits(&sample, &[4], |_| Ok(Constant { value: 0.0, slope: 1.5 })).unwrap();
    let mut own = 0.5 * &sample.x().column(0);
    own[4] *= 3.0;
    let (low, high) = by_hand(&wide, &x, &own, 4.5, 0.1);
    let found = wide.studentised(&x, 0.1).unwrap();
    assert!((found.lower[0] - low).abs() < 1e-12 && (found.upper[0] - high).abs() < 1e-12, "{found:?}");
}

#[test]
fn bags_state_the_geometric_mean_of_those_that_have_not_seen_the_row() {
    let sample = sample(12);
    let x = array![[9.0]];
    let seen = Mutex::new(Vec::new());
    let loo = LeaveOneOut::bags(&sample, 15, 3, |rows, seed| {
        let slope = 1.0 + (seed % 7) as f64;
        seen.lock().unwrap().push((rows.y().to_vec(), slope));
        Ok(Constant { value: 0.0, slope })
    })
    .unwrap();
    let seen = seen.into_inner().unwrap();
    let geometric = |slopes: Vec<f64>| (slopes.iter().map(|slope| slope.ln()).sum::<f64>() / slopes.len() as f64).exp();
    let own: Array1<f64> = sample
        .y()
        .iter()
        .zip(sample.x().column(0))
        .map(|(y, x)| x * geometric(seen.iter().filter(|(bag, _)| !bag.contains(y)).map(|(_, slope)| *slope).collect()))
        .collect();
    let stated = 9.0 * geometric(seen.iter().map(|(_, slope)| *slope).collect());
    let (low, high) = by_hand(&loo, &x, &own, stated, 0.2);
    let found = loo.studentised(&x, 0.2).unwrap();
    assert!((found.lower[0] - low).abs() < 1e-9 && (found.upper[0] - high).abs() < 1e-9, "{found:?} {low} {high}");
}

#[test]
fn a_deviation_that_is_no_scale_is_refused() {
    let sample = sample(20);
    let refit = LeaveOneOut::refit(&sample, |_| Ok(Constant { value: 0.0, slope: 0.5 })).unwrap();
    let error = refit.studentised(&array![[0.0]], 0.1).unwrap_err().to_string();
    assert!(error.contains("states is 0") && error.contains("jackknife+"), "{error}");
    assert!(refit.jackknife_plus(&array![[0.0]], 0.1).is_ok());
}
