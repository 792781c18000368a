//! The reference numbers in `tests/fixtures`, computed by other programs.

use approx::assert_abs_diff_eq;
use jackknife::prelude::*;
use ndarray::{Array1, Array2};

/// The converged 2–4–1 tanh network, its training rows, its test rows and the intervals expected there.
struct NetA {
    network: Network,
    train: Sample,
    test: Array2<f64>,
    expected: polars::prelude::DataFrame,
}

impl NetA {
    fn read() -> Self {
        let train = Sample::read("tests/fixtures/net_a_train.csv", None).unwrap();
        let test = train.encode(&jackknife::sample::read_frame("tests/fixtures/net_a_test.csv").unwrap()).unwrap();
        Self {
            network: Network::load("tests/fixtures/net_a.safetensors", Activation::Tanh, 0.01).unwrap(),
            test,
            train,
            expected: jackknife::sample::read_frame("tests/fixtures/net_a_expected.csv").unwrap(),
        }
    }

    fn column(&self, name: &str) -> Array1<f64> {
        self.expected.column(name).unwrap().f64().unwrap().into_no_null_iter().collect()
    }

    /// Intervals at α = 0.1 agree to 1e-8 with the columns that start with `name`.
    fn check(&self, loo: &LeaveOneOut, name: &str, tolerance: f64) {
        let intervals = loo.jackknife_plus(&self.test, 0.1).unwrap();
        assert_abs_diff_eq!(intervals.prediction, self.column("prediction"), epsilon = 1e-12);
        assert_abs_diff_eq!(intervals.lower, self.column(&format!("{name}_lower")), epsilon = tolerance);
        assert_abs_diff_eq!(intervals.upper, self.column(&format!("{name}_upper")), epsilon = tolerance);
    }
}

#[test]
fn influence_of_orders_one_to_four_agrees_with_the_reference_network() {
    let a = NetA::read();
    for order in 1..=4 {
        let loo = LeaveOneOut::influence(&a.network, &a.train, &Influence::order(order)).unwrap();
        a.check(&loo, &format!("order{order}"), 1e-8);
    }
}

#[test]
fn order_two_as_printed_agrees_with_the_reference_network() {
    let a = NetA::read();
    let how = Influence::order(2).as_printed();
    a.check(&LeaveOneOut::influence(&a.network, &a.train, &how).unwrap(), "order2_paper", 1e-8);
}

#[test]
fn a_newton_step_and_re_minimisation_agree_with_the_reference_network() {
    let a = NetA::read();
    let exact = Newton::default().curvature(Curvature::Exact);
    a.check(&LeaveOneOut::newton(&a.network, &a.train, &exact).unwrap(), "newton", 1e-8);
    a.check(&LeaveOneOut::reminimise(&a.network, &a.train).unwrap(), "refit", 1e-8);
}

#[test]
fn conjugate_gradients_agree_with_the_factorisation_and_the_stochastic_series_comes_near() {
    let a = NetA::read();
    let with = |solver| LeaveOneOut::influence(&a.network, &a.train, &Influence::order(2).solver(solver)).unwrap();
    a.check(&with(Solver::Dense), "order2", 1e-8);
    a.check(&with(Solver::ConjugateGradients), "order2", 1e-8);
    // Four thousand minibatches leave a percent of noise in shifts that are themselves hundredths.
    a.check(&with(Solver::Stochastic), "order2", 0.01);
}

/// Nine points and least squares: every number of `toy_ols.json`.
#[test]
fn least_squares_agrees_with_the_reference_at_every_order_rule_and_level() {
    let text = std::fs::read_to_string("tests/fixtures/toy_ols.json").unwrap();
    let toy: serde_json::Value = serde_json::from_str(&text).unwrap();
    let numbers = |value: &serde_json::Value| -> Array1<f64> {
        value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
    };
    let column = |value| numbers(value).insert_axis(ndarray::Axis(1));
    let sample = Sample::new(column(&toy["x"]), numbers(&toy["y"])).unwrap();
    let test = column(&toy["x_test"]);
    let model = Ridge::least_squares().fit(&sample).unwrap();
    let beta = numbers(&toy["beta"]);
    assert_abs_diff_eq!(model.intercept(), beta[0], epsilon = 1e-12);
    assert_abs_diff_eq!(model.coefficients()[0], beta[1], epsilon = 1e-12);

    for (order, expected) in toy["orders"].as_object().unwrap() {
        let loo = match order.parse() {
            Ok(order) => LeaveOneOut::influence(&model, &sample, &Influence::order(order)).unwrap(),
            Err(_) => LeaveOneOut::closed_form(&Ridge::least_squares(), &sample).unwrap(),
        };
        assert_abs_diff_eq!(loo.residuals(), numbers(&expected["abs_loo_residuals"]), epsilon = 1e-9);
        let variability = loo.variability(&test).unwrap();
        for (t, row) in expected["loo_test_predictions"].as_array().unwrap().iter().enumerate() {
            let predictions = model.predict(&test).unwrap()[t] - &variability.row(t);
            assert_abs_diff_eq!(predictions, numbers(row), epsilon = 1e-9);
        }
        for (alpha, ends) in expected["intervals"].as_object().unwrap() {
            let alpha: f64 = alpha.parse().unwrap();
            assert_eq!(jackknife::quantile::lower_rank(9, alpha).unwrap() as u64, ends["rank_lo"].as_u64().unwrap());
            assert_eq!(jackknife::quantile::upper_rank(9, alpha).unwrap() as u64, ends["rank_hi"].as_u64().unwrap());
            for (rule, name) in [(Rule::Plus, "plus"), (Rule::Jackknife, "jack"), (Rule::Minmax, "minmax")] {
                let intervals = loo.intervals(rule, &test, alpha).unwrap();
                assert_abs_diff_eq!(intervals.lower, numbers(&ends[format!("{name}_lo")]), epsilon = 1e-9);
                assert_abs_diff_eq!(intervals.upper, numbers(&ends[format!("{name}_hi")]), epsilon = 1e-9);
            }
        }
    }
}
