//! Answers without refitting, mended and measured by refitting.

use std::sync::atomic::{AtomicUsize, Ordering};

use approx::{assert_abs_diff_eq, assert_relative_eq};
use jackknife::prelude::*;
use ndarray::{Array1, Array2, Axis, array};

fn ridge() -> Ridge {
    Ridge::new(0.05)
}

/// Yacht's training and test rows, with influence of first order and the closed form of the same ridge.
fn yacht() -> (Sample, Sample, LeaveOneOut, LeaveOneOut) {
    let (train, test) = Table::Yacht.load().split(0.2, 0).unwrap();
    let model = ridge().fit(&train).unwrap();
    let quick = LeaveOneOut::influence(&model, &train, &Influence::order(1)).unwrap();
    let exact = LeaveOneOut::closed_form(&ridge(), &train).unwrap();
    (train, test, quick, exact)
}

/// y = sin(θx): a loss with many minima.
#[derive(Clone)]
struct Wave;

impl Formula for Wave {
    fn predict<S: Scalar>(&self, theta: &[S], x: &[f64]) -> S {
        (theta[0] * x[0]).sin()
    }
}

/// Five rows pull θ away from π/2, where only the last one holds it: without that row θ leaves for another minimum,
/// out of reach of any series.
fn wave() -> (Curve<Wave>, Sample) {
    let x = array![[0.9], [0.95], [1.0], [1.05], [1.1], [4.0]];
    let sample = Sample::new(x, array![-0.4, -0.5, -0.6, -0.3, -0.5, 0.1]).unwrap();
    (Curve::fit(Wave, &sample, &[1.57], 0.0).unwrap(), sample)
}

// Rows refitted in place of the engine's own.

#[test]
fn refitted_rows_equal_the_closed_form_and_the_others_stay() {
    let (train, test, quick, exact) = yacht();
    let rows = [3, 40, 200];
    let mended = quick.with_refits(&train, &rows, |rest| ridge().fit(rest)).unwrap();
    let (v, v_quick, v_exact) = (
        mended.variability(test.x()).unwrap(),
        quick.variability(test.x()).unwrap(),
        exact.variability(test.x()).unwrap(),
    );
    for i in 0..train.len() {
        let own = mended.left_out_predictions()[i];
        if rows.contains(&i) {
            // Two ways to one solution: equal up to rounding, and not to first order.
            assert_abs_diff_eq!(own, exact.left_out_predictions()[i], epsilon = 1e-9);
            assert_abs_diff_eq!(v.column(i), v_exact.column(i), epsilon = 1e-9);
            assert!((own - quick.left_out_predictions()[i]).abs() > 1e-7);
        } else {
            assert_eq!(own, quick.left_out_predictions()[i]);
            assert_eq!(v.column(i), v_quick.column(i));
        }
    }
}

#[test]
fn refitting_every_row_gives_the_intervals_of_the_closed_form() {
    let (train, test, quick, exact) = yacht();
    let all: Vec<usize> = (0..train.len()).collect();
    let mended = quick.with_refits(&train, &all, |rest| ridge().fit(rest)).unwrap();
    let (mended, exact) = (mended.jackknife_plus(test.x(), 0.1).unwrap(), exact.jackknife_plus(test.x(), 0.1).unwrap());
    assert_abs_diff_eq!(mended.lower, exact.lower, epsilon = 1e-8);
    assert_abs_diff_eq!(mended.upper, exact.upper, epsilon = 1e-8);
}

#[test]
fn a_second_mending_keeps_the_first() {
    let (train, _, quick, exact) = yacht();
    let fit = |rest: &Sample| ridge().fit(rest);
    let mended = quick.with_refits(&train, &[5], fit).unwrap().with_refits(&train, &[9], fit).unwrap();
    for row in [5, 9] {
        assert_abs_diff_eq!(mended.residuals()[row], exact.residuals()[row], epsilon = 1e-9);
    }
}

#[test]
fn a_row_given_twice_is_refitted_once() {
    let (train, _, quick, _) = yacht();
    let fits = AtomicUsize::new(0);
    let count = |rest: &Sample| {
        fits.fetch_add(1, Ordering::Relaxed);
        ridge().fit(rest)
    };
    quick.with_refits(&train, &[8, 2, 8], count).unwrap();
    assert_eq!(fits.into_inner(), 2);
}

#[test]
fn flagged_rows_are_re_minimised_and_no_longer_flagged() {
    let (curve, sample) = wave();
    let quick = LeaveOneOut::influence(&curve, &sample, &Influence::order(3)).unwrap();
    let flagged = quick.trust().unwrap().flagged();
    assert!(!flagged.is_empty() && flagged.len() < sample.len(), "{flagged:?}");
    let mended = quick.refit_flagged(&curve, &sample).unwrap();
    let exact = LeaveOneOut::reminimise(&curve, &sample).unwrap();
    for row in 0..sample.len() {
        let expected = if flagged.contains(&row) { &exact } else { &quick };
        assert_eq!(mended.residuals()[row], expected.residuals()[row], "row {row}");
    }
    assert!(mended.trust().unwrap().flagged().is_empty());
}

#[test]
fn nothing_is_refitted_where_nothing_is_flagged() {
    let (train, test, quick, _) = yacht();
    let model = ridge().fit(&train).unwrap();
    let same = quick.refit_flagged(&model, &train).unwrap();
    assert_eq!(same.jackknife_plus(test.x(), 0.1).unwrap(), quick.jackknife_plus(test.x(), 0.1).unwrap());
}

#[test]
fn a_mixture_carries_no_finite_sample_guarantee() {
    let (train, test, _, exact) = yacht();
    let guarantee = |loo: &LeaveOneOut| loo.jackknife_plus(test.x(), 0.1).unwrap().guarantee;
    let fit = |rest: &Sample| ridge().fit(rest);
    assert_eq!(guarantee(&exact.with_refits(&train, &[], fit).unwrap()), Guarantee::AtLeast(0.8));
    let mixed = exact.with_refits(&train, &[1], fit).unwrap();
    assert_eq!(guarantee(&mixed), Guarantee::InTheLimit(0.8));
    assert_eq!(guarantee(&mixed.with_refits(&train, &[], fit).unwrap()), Guarantee::InTheLimit(0.8));
}

#[test]
fn refits_on_other_rows_are_refused() {
    let (train, test, quick, _) = yacht();
    let says = |answer: Result<LeaveOneOut>, words: &str| {
        let error = answer.unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    let fit = |rest: &Sample| ridge().fit(rest);
    says(quick.with_refits(&test, &[0], fit), "these are not the rows that the leave-one-out models were made of");
    says(quick.with_refits(&train, &[999], fit), "there is no row 999 among 246 rows");
    let narrow = |rest: &Sample| ridge().fit(&Sample::new(rest.x().select(Axis(1), &[0]), rest.y().clone())?);
    says(quick.with_refits(&train, &[0], narrow), "the model was trained on 1 columns, but these rows have 6");
}

// How faithful an engine is.

#[test]
fn an_exact_engine_is_perfectly_faithful() {
    let (train, _, _, exact) = yacht();
    let fidelity = Fidelity::measure(&exact, &train, 10, 0, |rest| ridge().fit(rest)).unwrap();
    assert!(fidelity.relative_rmse < 1e-10);
    assert_abs_diff_eq!(fidelity.correlation.unwrap(), 1.0, epsilon = 1e-9);
    assert_eq!(fidelity.agreement(), Agreement::Close);
    assert!(format!("{fidelity:?}").starts_with("close: on 10 rows refitted"), "{fidelity:?}");
}

/// Eleven parameters for twelve rows: leverages near 1, where first order is hopeless.
fn crowded() -> Sample {
    let x = Array2::from_shape_fn((12, 10), |(i, j)| ((3 * i + 1) as f64 * (j + 1) as f64).sin());
    Sample::new(x, Array1::from_shape_fn(12, |i| (i as f64 * 1.7).cos())).unwrap()
}

#[test]
fn a_hopeless_influence_answer_is_reported_as_poor() {
    let sample = crowded();
    let least_squares = Ridge::least_squares();
    let model = least_squares.fit(&sample).unwrap();
    let loo = LeaveOneOut::influence(&model, &sample, &Influence::order(1)).unwrap();
    let fidelity = Fidelity::measure(&loo, &sample, 10, 0, |rest| least_squares.fit(rest)).unwrap();
    assert_eq!(fidelity.agreement(), Agreement::Poor);
    let sentence = format!("{fidelity:?}");
    assert!(sentence.starts_with("poor: ") && sentence.ends_with("; refit instead"), "{sentence}");
}

#[test]
fn the_relative_error_of_first_order_is_the_leverage_squared() {
    // Least squares: f₋ᵢ(xᵢ) is wrong by h²r, h the leverage and r the residual of the refit.
    let sample = crowded();
    let least_squares = Ridge::least_squares();
    let model = least_squares.fit(&sample).unwrap();
    let loo = LeaveOneOut::influence(&model, &sample, &Influence::order(1)).unwrap();
    let exact = LeaveOneOut::closed_form(&least_squares, &sample).unwrap();
    let r = exact.residuals();
    let h = 1.0 - exact.in_sample_residuals() / &r;
    let expected = ((&h * &h * &r).mapv(|e| e * e).sum() / r.mapv(|r| r * r).sum()).sqrt();
    let fidelity = Fidelity::measure(&loo, &sample, usize::MAX, 0, |rest| least_squares.fit(rest)).unwrap();
    assert_eq!(fidelity.rows.len(), 12);
    assert_relative_eq!(fidelity.relative_rmse, expected, max_relative = 1e-6);
}

#[test]
fn shifts_of_the_wrong_sign_correlate_negatively() {
    let (train, test, _, exact) = yacht();
    let fitted = exact.predict(train.x()).unwrap();
    let backwards = &fitted * 2.0 - exact.left_out_predictions();
    let points = test.x().slice(ndarray::s![..1, ..]).to_owned();
    let prediction = exact.predict(&points).unwrap();
    let without = &prediction.view().insert_axis(Axis(1)) - &exact.variability(&points).unwrap();
    let given = LeaveOneOut::given(&train, fitted, backwards, points, prediction, without).unwrap();
    let fidelity = Fidelity::measure(&given, &train, 10, 0, |rest| ridge().fit(rest)).unwrap();
    assert_abs_diff_eq!(fidelity.correlation.unwrap(), -1.0, epsilon = 1e-9);
}

#[test]
fn higher_orders_are_more_faithful() {
    let (train, _, _, _) = yacht();
    let model = ridge().fit(&train).unwrap();
    let error = |order| {
        let loo = LeaveOneOut::influence(&model, &train, &Influence::order(order)).unwrap();
        loo.fidelity(&model, &train, 1).unwrap().relative_rmse
    };
    assert!(error(2) < 0.2 * error(1));
}

#[test]
fn the_handful_depends_on_its_seed_alone() {
    let (train, _, quick, _) = yacht();
    let model = ridge().fit(&train).unwrap();
    let measure = |seed| quick.fidelity(&model, &train, seed).unwrap();
    assert_eq!(measure(1), measure(1));
    assert_ne!(measure(1).rows, measure(2).rows);
    assert_eq!(measure(1).rows.len(), Fidelity::HANDFUL);
    assert!(measure(1).rows.is_sorted());
}

#[test]
fn a_single_refit_has_no_correlation_and_none_at_all_is_refused() {
    let (train, _, quick, _) = yacht();
    let measure = |count| Fidelity::measure(&quick, &train, count, 0, |rest| ridge().fit(rest));
    assert_eq!(measure(1).unwrap().correlation, None);
    assert!(measure(0).unwrap_err().to_string().contains("the number of refits is 0, but it must be at least 1"));
}

#[test]
fn a_newton_step_reports_its_pivot_and_a_damping_that_was_not_raised() {
    let (train, _) = Table::Yacht.load().split(0.2, 0).unwrap();
    let network = Training::default().hidden(&[10]).epochs(100).fit(&train).unwrap();
    let damping = LeaveOneOut::usual_damping(train.len());
    for curvature in [Curvature::GaussNewton, Curvature::Exact] {
        let loo =
            LeaveOneOut::newton(&network, &train, &Newton::default().curvature(curvature).damping(damping)).unwrap();
        let trust = loo.trust().unwrap();
        assert!(trust.smallest_pivot().unwrap() > 0.0);
        if curvature == Curvature::GaussNewton {
            assert_eq!((trust.damping(), trust.damping_raised()), (damping, false));
        }
    }
}

// What the solvers reached.

#[test]
fn conjugate_gradients_that_reach_their_limit_are_reported() {
    // Columns that shrink geometrically: eigenvalues over twelve decades, more than 20p + 100 steps resolve.
    let shrinking = |p: usize| {
        let cell = |(i, j)| ((3 * i + 1) as f64 * (j + 1) as f64).sin() * 0.7_f64.powi(j as i32);
        let x = Array2::from_shape_fn((60, p), cell);
        Sample::new(x, Array1::from_shape_fn(60, |i| (i as f64).cos())).unwrap()
    };
    let trust = |p| {
        let sample = shrinking(p);
        let model = Ridge::least_squares().fit(&sample).unwrap();
        let how = Influence::order(1).solver(Solver::ConjugateGradients);
        LeaveOneOut::influence(&model, &sample, &how).unwrap().trust().unwrap().clone()
    };
    let (easy, hard) = (trust(10), trust(40));
    assert_eq!((easy.solver(), easy.solver_converged()), (Solver::ConjugateGradients, true));
    assert!(easy.solver_residual().unwrap() < 1e-11 && easy.solver_steps().unwrap() < 100);
    assert!(easy.to_string().contains(", cg residual "), "{easy}");
    assert_eq!((hard.solver_steps(), hard.solver_converged()), (Some(20 * 41 + 100), false));
    assert!(hard.to_string().contains(", cg NOT converged: residual "), "{hard}");
}

#[test]
fn a_factorisation_reports_no_residual() {
    let (_, _, quick, _) = yacht();
    let trust = quick.trust().unwrap();
    assert_eq!((trust.solver(), trust.solver_residual(), trust.solver_steps()), (Solver::Dense, None, None));
    assert!(trust.solver_converged());
    assert!(!trust.to_string().contains("residual"), "{trust}");
}

#[test]
fn the_stochastic_series_raises_its_damping_where_the_hessian_is_indefinite() {
    let sample = Table::Yacht.load().rows(&(0..308).step_by(3).collect::<Vec<_>>()).unwrap();
    let hasty = Training::default().hidden(&[5]).epochs(30).fit(&sample).unwrap();
    let trust = |damping| {
        let how = Influence::order(1).solver(Solver::Stochastic).damping(damping);
        LeaveOneOut::influence(&hasty, &sample, &how).unwrap().trust().unwrap().clone()
    };
    let raised = trust(0.0);
    assert!(raised.damping_raised(), "{raised}");
    assert!(raised.to_string().contains("raised from 0.0e0: the Hessian is not positive definite"), "{raised}");
    // Three minibatches, and the residual is that of the full Hessian: a few digits, not the rounding of an exact solver.
    let residual = raised.solver_residual().unwrap();
    assert!((1e-6..0.1).contains(&residual) && raised.solver_converged(), "{raised}");
    // Where H + D·I is positive definite, D stays as it was asked for.
    assert!(!trust(10.0).damping_raised());
}
