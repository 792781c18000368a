//! Every engine on every model, and the same numbers on any number of threads.

use jackknife::prelude::*;
use linfa_elasticnet::ElasticNet;
use linfa_linear::{LinearRegression, TweedieRegressor};
use ndarray::array;

fn yacht() -> (Sample, Sample) {
    Table::Yacht.load().split(0.2, 0).unwrap()
}

#[test]
fn linfa_learners_are_refitted_through_their_own_fit_and_predict() {
    let (train, test) = yacht();
    let linear = LeaveOneOut::refit(&train, |rows| rows.fit(&LinearRegression::default())).unwrap();
    let ours = LeaveOneOut::closed_form(&Ridge::least_squares(), &train).unwrap();
    let difference = linear.residuals() - ours.residuals();
    assert!(difference.iter().all(|d| d.abs() < 1e-7), "linfa's least squares, refitted, is our closed form");

    let net = ElasticNet::<f64>::params().penalty(0.1).l1_ratio(0.5);
    let lasso = LeaveOneOut::refit(&train, |rows| rows.fit(&net)).unwrap();
    let tweedie = TweedieRegressor::params().power(0.0).alpha(0.1);
    let tweedie = LeaveOneOut::refit(&train, |rows| rows.fit(&tweedie)).unwrap();
    for loo in [lasso, tweedie] {
        let coverage = loo.jackknife_plus(test.x(), 0.1).unwrap().coverage(test.y()).unwrap().rate;
        assert!(coverage >= 0.8, "{coverage}");
    }
}

#[test]
fn a_learner_that_fails_says_so_in_its_own_words() {
    let sample = Sample::new(array![[1.0], [2.0]], array![-1.0, 2.0]).unwrap();
    let gamma = TweedieRegressor::params().power(2.0);
    let error = LeaveOneOut::refit(&sample, |rows| rows.fit(&gamma)).unwrap_err().to_string();
    assert!(error.starts_with("the learner failed on 2 rows: "), "{error}");
}

#[derive(Clone)]
struct Logistic;

/// Growth: capacity/(1 + e^{−rate·(t − middle)}).
impl Formula for Logistic {
    fn predict<S: Scalar>(&self, theta: &[S], x: &[f64]) -> S {
        let (capacity, rate, middle) = (theta[0], theta[1], theta[2]);
        capacity / ((-rate * (-middle + x[0])).exp() + 1.0)
    }
}

fn growth() -> Sample {
    let time = ndarray::Array2::from_shape_fn((30, 1), |(i, _)| i as f64 / 3.0);
    let noise = |i: usize| 0.2 * (7.3 * i as f64).sin();
    let size = time.column(0).iter().enumerate().map(|(i, t)| 10.0 / (1.0 + (4.0 - t).exp()) + noise(i)).collect();
    Sample::new(time, size).unwrap()
}

#[test]
fn the_orders_of_a_growth_curve_converge_to_its_refit() {
    let sample = growth();
    let curve = Curve::fit(Logistic, &sample, &[8.0, 0.7, 3.0], 0.0).unwrap();
    let theta = curve.parameters();
    assert!((theta[0] - 10.0).abs() < 0.2 && (theta[1] - 1.0).abs() < 0.1 && (theta[2] - 4.0).abs() < 0.1, "{theta}");
    let refit = LeaveOneOut::refit(&sample, |rows| Curve::fit(Logistic, rows, &[8.0, 0.7, 3.0], 0.0)).unwrap();
    let again = LeaveOneOut::reminimise(&curve, &sample).unwrap();
    let off = |loo: &LeaveOneOut| (loo.residuals() - refit.residuals()).iter().fold(0.0_f64, |m, d| m.max(d.abs()));
    assert!(off(&again) < 1e-9, "{:e}", off(&again));
    let by_order: Vec<f64> =
        (1..=6).map(|order| off(&LeaveOneOut::influence(&curve, &sample, &Influence::order(order)).unwrap())).collect();
    assert!(by_order.windows(2).all(|pair| pair[1] < 0.6 * pair[0]), "{by_order:?}");
}

#[derive(Clone)]
struct Line;

impl Formula for Line {
    fn predict<S: Scalar>(&self, theta: &[S], x: &[f64]) -> S {
        theta[0] * x[0] + theta[1]
    }
}

#[test]
fn a_straight_line_as_a_formula_is_least_squares() {
    let sample = growth();
    let curve = Curve::fit(Line, &sample, &[0.0, 0.0], 0.0).unwrap();
    let model = Ridge::least_squares().fit(&sample).unwrap();
    let exact = LeaveOneOut::closed_form(&Ridge::least_squares(), &sample).unwrap();
    let again = LeaveOneOut::reminimise(&curve, &sample).unwrap();
    assert!((again.residuals() - exact.residuals()).iter().all(|d| d.abs() < 1e-10));
    for order in 1..=4 {
        let how = Influence::order(order);
        let formula = LeaveOneOut::influence(&curve, &sample, &how).unwrap();
        let linear = LeaveOneOut::influence(&model, &sample, &how).unwrap();
        assert!((formula.residuals() - linear.residuals()).iter().all(|d| d.abs() < 1e-10), "order {order}");
    }
}

#[test]
fn given_predictions_give_the_intervals_of_the_engine_that_made_them() {
    let (train, test) = yacht();
    let loo = LeaveOneOut::closed_form(&Ridge::new(0.1), &train).unwrap();
    let (fitted, prediction) = (loo.predict(train.x()).unwrap(), loo.predict(test.x()).unwrap());
    let without = prediction.clone().insert_axis(ndarray::Axis(1)) - loo.variability(test.x()).unwrap();
    let left_out = loo.left_out_predictions().clone();
    let given = LeaveOneOut::given(&train, fitted, left_out, test.x().clone(), prediction, without).unwrap();
    for rule in [Rule::InSample, Rule::Jackknife, Rule::Plus, Rule::Minmax] {
        let (a, b) = (given.intervals(rule, test.x(), 0.1).unwrap(), loo.intervals(rule, test.x(), 0.1).unwrap());
        assert!((a.lower - b.lower).iter().chain(&(a.upper - b.upper)).all(|d| d.abs() < 1e-9), "{rule}");
        assert_eq!(a.guarantee, Guarantee::None);
    }
    let elsewhere = given.jackknife_plus(&(test.x() + 1.0), 0.1).unwrap_err().to_string();
    assert!(elsewhere.starts_with("nothing was given for the point"), "{elsewhere}");
}

#[test]
fn a_damping_that_had_to_be_raised_is_reported() {
    let (train, _) = yacht();
    let network = Training::default().hidden(&[30]).epochs(100).fit(&train).unwrap();
    let trust = |how: Influence| LeaveOneOut::influence(&network, &train, &how).unwrap().trust().unwrap().clone();
    let exact = trust(Influence::order(1));
    assert!(exact.damping_raised() && exact.damping() > 0.0, "a network stopped early has an indefinite Hessian");
    assert!(exact.to_string().contains("raised"), "{exact}");
    let gauss_newton = trust(Influence::order(1).curvature(Curvature::GaussNewton).damping(1e-3));
    assert!(!gauss_newton.damping_raised());
    assert_eq!(gauss_newton.damping(), 1e-3);
    let cg = trust(Influence::order(1).solver(Solver::ConjugateGradients));
    assert!(cg.damping_raised(), "conjugate gradients meet the negative curvature too");
}

#[test]
fn the_numbers_are_the_same_on_one_and_two_threads() {
    let (train, test) = yacht();
    let work = || {
        let network = Training::default().hidden(&[60]).epochs(60).l2(1e-3).fit(&train).unwrap();
        let engines = [
            LeaveOneOut::influence(&network, &train, &Influence::order(2)).unwrap(),
            LeaveOneOut::newton(&network, &train, &Newton::default().damping(1e-3)).unwrap(),
            LeaveOneOut::closed_form(&Ridge::new(0.1), &train).unwrap(),
            LeaveOneOut::refit(&train, |rows| Training::default().hidden(&[5]).epochs(5).fit(rows)).unwrap(),
        ];
        let ends = engines.map(|loo| {
            let (plus, studentised) = (loo.jackknife_plus(test.x(), 0.1), loo.studentised(test.x(), 0.1));
            [plus.unwrap(), studentised.unwrap()].map(|intervals| (intervals.lower, intervals.upper))
        });
        (network, ends)
    };
    let on = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work);
    assert!(on(1) == on(2), "bit for bit");
}

#[test]
fn training_learns_stops_early_and_keeps_the_best() {
    let sample = cubic(200, Feature::Uniform { half_width: 2.0 }, 0.1, 0).unwrap();
    for activation in [Activation::Tanh, Activation::Relu, Activation::Softplus, Activation::Sigmoid] {
        let training = Training::default().hidden(&[20, 20]).activation(activation).learning_rate(0.01);
        let network = training.epochs(500).fit(&sample).unwrap();
        let error = rmse(sample.y(), &network.predict(sample.x()).unwrap()).unwrap();
        assert!(error < 0.35, "{activation}: {error}"); // y has a deviation of 3
    }
    let patient = Training::default().epochs(5000).learning_rate(0.05).patience(10).fit(&sample).unwrap();
    assert!(patient.history().len() < 5000);
}
