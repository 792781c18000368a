//! Answers that are wrong say so: weights of other rows, crowded rows, series that were cut.

use jackknife::prelude::*;
use ndarray::{Array1, Array2};

/// Rows without a pattern, the same on every machine.
fn noisy(n: usize, p: usize) -> Sample {
    let cell = |i: usize, j: usize| ((i * 7919 + j * 104_729 + 13) as f64 * 0.618).sin() * 1.4;
    let x = Array2::from_shape_fn((n, p), |(i, j)| cell(i, j + 1) + ((i + 1) as f64 * (j + 2) as f64).cos());
    Sample::new(x, Array1::from_shape_fn(n, |i| cell(i * i + 3, 977))).unwrap()
}

fn trust(learner: &Ridge, sample: &Sample, order: usize) -> Trust {
    let model = learner.fit(sample).unwrap();
    LeaveOneOut::influence(&model, sample, &Influence::order(order)).unwrap().trust().unwrap().clone()
}

#[test]
fn crowded_rows_are_flagged_at_every_order_that_fails() {
    // Nearly as many parameters as rows; a ridge that nearly passes through its rows; one that does.
    let cases =
        [(Ridge::least_squares(), 20, 17, 1), (Ridge::new(1.0), 30, 2000, 1), (Ridge::least_squares(), 20, 40, 2)];
    for (learner, n, p, order) in cases {
        let trust = trust(&learner, &noisy(n, p), order);
        assert!(trust.flagged().len() > n / 2, "{n} × {p}: {trust}");
        assert!(trust.is_poor() && trust.warning().unwrap().contains("rows miss more than a tenth"), "{trust}");
    }
}

#[test]
fn many_rows_for_few_parameters_are_trusted() {
    let trust = trust(&Ridge::least_squares(), &noisy(200, 3), 1);
    assert!(trust.flagged().is_empty() && !trust.is_poor(), "{trust}");
    assert!(trust.start().noise_ratio < 1e-9, "a fit is at its minimum: {trust}");
}

#[test]
fn the_omitted_share_of_least_squares_is_h_to_the_m_plus_1() {
    let sample = noisy(30, 4);
    let exact = LeaveOneOut::closed_form(&Ridge::least_squares(), &sample).unwrap();
    let model = Ridge::least_squares().fit(&sample).unwrap();
    for order in 1..=3 {
        let loo = LeaveOneOut::influence(&model, &sample, &Influence::order(order)).unwrap();
        let missing = 1.0 - loo.residuals() / exact.residuals();
        let difference = missing - loo.trust().unwrap().omitted();
        // Rounding, over residuals that may be a thousandth of y.
        assert!(difference.iter().all(|d| d.abs() < 1e-8), "order {order}: {difference}");
    }
}

#[test]
fn weights_read_with_another_activation_are_told_from_their_own() {
    let train = Sample::read("tests/fixtures/net_a_train.csv", None).unwrap();
    let start = |activation| {
        let network = Network::load("tests/fixtures/net_a.safetensors", activation, 0.01).unwrap();
        Start::of(&network, &train).unwrap()
    };
    assert!(start(Activation::Tanh).check().is_ok() && start(Activation::Tanh).warning().is_none());
    for activation in [Activation::Sigmoid, Activation::Relu, Activation::Softplus] {
        let message = start(activation).check().unwrap_err().to_string();
        assert!(message.contains("check the activation"), "{message}");
    }
}

#[test]
fn a_network_trained_here_is_not_refused() {
    let (train, _) = Table::Yacht.load().split(0.2, 0).unwrap();
    let network = Training::default().hidden(&[20]).fit(&train).unwrap();
    let start = Start::of(&network, &train).unwrap();
    assert!(start.belongs(), "{start}");
}

#[test]
fn a_cut_series_reports_the_damping_that_it_amounts_to() {
    let sample = noisy(60, 3);
    let model = Ridge::new(0.1).fit(&sample).unwrap();
    let how = Influence::order(1).solver(Solver::Stochastic);
    let trust = LeaveOneOut::influence(&model, &sample, &how).unwrap().trust().unwrap().clone();
    assert!(trust.effective_damping() > trust.damping(), "{trust}");
    assert!(trust.to_string().contains("cut as by a damping of"), "{trust}");
    assert!(trust.solver_residual().is_some() && trust.solver_steps() == Some(4000));
}
