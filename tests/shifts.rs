//! One step for all rows: shifts that are linear in it, against explicit solves, each model and every row visited.

use jackknife::prelude::*;
use jackknife::quantile::Ranks;
use ndarray::{Array1, Array2, Axis, array, s};

/// A·z = b by Gaussian elimination with pivots.
fn solve(mut a: Array2<f64>, mut b: Array1<f64>) -> Array1<f64> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[[i, k]].abs().total_cmp(&a[[j, k]].abs())).unwrap();
        for j in 0..n {
            a.swap([k, j], [pivot, j]);
        }
        b.swap(k, pivot);
        for i in k + 1..n {
            let factor = a[[i, k]] / a[[k, k]];
            for j in k..n {
                a[[i, j]] -= factor * a[[k, j]];
            }
            b[i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        let rest: f64 = (k + 1..n).map(|j| a[[k, j]] * b[j]).sum();
        b[k] = (b[k] - rest) / a[[k, k]];
    }
    b
}

/// Rows of a wave, and a network on them.
fn network(rows: usize, hidden: &[usize], seed: u64) -> (Sample, Sample, Network) {
    let (train, test) = cubic(rows + 40, Feature::Uniform { half_width: 2.0 }, 0.5, seed)
        .unwrap()
        .split(40.0 / (rows + 40) as f64, seed)
        .unwrap();
    let network = Training::default().hidden(hidden).epochs(60).l2(1e-3).seed(seed).fit(&train).unwrap();
    (train, test, network)
}

fn linear(how: Newton) -> Newton {
    how.shifts(Shifts::Linear)
}

/// The steps of a Newton step or of influence, each from its own solve.
fn steps(network: &Network, train: &Sample, damping: f64, newton: bool) -> Array2<f64> {
    let derivatives = network.derivatives();
    let (jacobian, n) = (derivatives.features(train.x().view()), train.len() as f64);
    let (theta, l2) = (Differentiable::parameters(network), network.l2());
    let errors = (train.y() - &network.predict(train.x()).unwrap()) / derivatives.unit();
    let mut steps = Array2::zeros(jacobian.dim());
    for i in 0..train.len() {
        let row = jacobian.row(i).insert_axis(Axis(0));
        let rows = if newton { n - 1.0 } else { n };
        let mut matrix = jacobian.t().dot(&jacobian);
        if newton {
            matrix -= &row.t().dot(&row);
        }
        matrix.diag_mut().mapv_inplace(|cell| cell + rows * (l2 + damping));
        steps.row_mut(i).assign(&solve(matrix, &theta * l2 - &jacobian.row(i) * errors[i]));
    }
    steps
}

#[test]
fn linear_shifts_are_those_of_explicit_solves_with_few_and_with_many_parameters() {
    // 13 and 46 parameters on 30 rows: p × p and n × n.
    for hidden in [&[4][..], &[5, 5]] {
        let (train, test, network) = network(30, hidden, 3);
        let derivatives = network.derivatives();
        let (theta, damping) = (Differentiable::parameters(&network), 2e-3);
        for newton in [true, false] {
            let loo = match newton {
                true => LeaveOneOut::newton(&network, &train, &linear(Newton::default().damping(damping))),
                false => {
                    let how = Influence::order(1).curvature(Curvature::GaussNewton).damping(damping);
                    LeaveOneOut::influence(&network, &train, &how.shifts(Shifts::Linear))
                }
            }
            .unwrap();
            let steps = steps(&network, &train, damping, newton);
            let expected = -derivatives.features(test.x().view()).dot(&steps.t()) * derivatives.unit();
            let apart = loo.variability(test.x()).unwrap() - &expected;
            let size = expected.iter().fold(0.0_f64, |largest, v| largest.max(v.abs()));
            // Both solve systems with a condition of about 10⁴.
            assert!(apart.iter().all(|d| d.abs() < 1e-11 * (1.0 + size)), "{hidden:?} {newton}");
            for (i, step) in steps.rows().into_iter().enumerate() {
                let moved = network.with_parameters((&theta + &step).view());
                let own = moved.predict(&train.x().slice(s![i..=i, ..]).to_owned()).unwrap()[0];
                assert!((loo.left_out_predictions()[i] - own).abs() < 1e-10 * (1.0 + own.abs()), "{hidden:?} {newton}");
            }
        }
    }
}

#[test]
fn for_a_model_linear_in_its_parameters_nothing_changes() {
    let (train, test) = Table::Yacht.load().split(0.2, 0).unwrap();
    let model = Ridge::new(0.01).fit(&train).unwrap();
    let newton = |shifts| LeaveOneOut::newton(&model, &train, &Newton::default().shifts(shifts)).unwrap();
    let first = |shifts| LeaveOneOut::influence(&model, &train, &Influence::order(1).shifts(shifts)).unwrap();
    for (linear, each) in [
        (newton(Shifts::Linear), newton(Shifts::Models)),
        (first(Shifts::Linear), first(Shifts::Models)),
        (newton(Shifts::Linear), LeaveOneOut::closed_form(&Ridge::new(0.01), &train).unwrap()),
    ] {
        assert!((linear.residuals() - each.residuals()).iter().all(|d| d.abs() < 1e-9));
        for rule in Rule::ALL {
            let (linear, each) =
                (linear.intervals(rule, test.x(), 0.1).unwrap(), each.intervals(rule, test.x(), 0.1).unwrap());
            let same = |a: &Array1<f64>, b: &Array1<f64>| (a - b).iter().all(|d| d.abs() < 1e-8);
            assert!(same(&linear.lower, &each.lower) && same(&linear.upper, &each.upper), "{rule}");
        }
    }
}

#[test]
fn the_trust_is_that_of_each_model() {
    let (train, _, network) = network(60, &[5], 1);
    let by = |shifts| {
        let how = Newton::default().damping(1e-3).shifts(shifts);
        LeaveOneOut::newton(&network, &train, &how).unwrap().trust().unwrap().clone()
    };
    let (linear, each) = (by(Shifts::Linear), by(Shifts::Models));
    assert_eq!(linear.damping(), each.damping());
    let near = |a: f64, b: f64, relative: f64| (a - b).abs() <= relative * b.abs();
    assert!(near(linear.gradient_norm(), each.gradient_norm(), 1e-9));
    assert!(near(linear.start().noise_ratio, each.start().noise_ratio, 1e-9));
    let pairs = |a: &Array1<f64>, b: &Array1<f64>, d: f64| a.iter().zip(b).all(|(a, b)| (a - b).abs() < d);
    assert!(pairs(linear.leverages().unwrap(), each.leverages().unwrap(), 1e-10));
    // There first order is a step of 1/64.
    assert!(pairs(linear.omitted(), each.omitted(), 2e-2));
}

/// The ends by visiting every row.
fn brute(loo: &LeaveOneOut, x: &Array2<f64>, multiples: &[f64], scales: &[f64], alpha: f64) -> Vec<(f64, f64)> {
    let (ranks, prediction) = (Ranks::new(loo.len(), alpha).unwrap(), loo.predict(x).unwrap());
    let shifts = loo.variability(x).unwrap();
    (0..x.nrows()).map(|t| ranks.ends(&(prediction[t] - &shifts.row(t)).to_vec(), multiples, scales[t])).collect()
}

#[test]
fn ends_and_deviations_are_those_of_every_row_visited() {
    for (seed, hidden) in [(0, &[3][..]), (1, &[3]), (2, &[12]), (3, &[20, 20])] {
        let (train, test, network) = network(150, hidden, seed);
        // Points far outside, where shifts are large.
        let x = ndarray::concatenate![
            Axis(0),
            test.x().view(),
            array![[9.0], [-30.0], [1e4]],
            train.x().slice(s![..9, ..])
        ];
        let loo = LeaveOneOut::newton(&network, &train, &linear(Newton::default().damping(1e-4))).unwrap();
        for alpha in [0.001, 0.01, 0.1, 0.35, 0.5, 0.9] {
            let same = |found: Intervals, expected: Vec<(f64, f64)>| {
                for (k, (lower, upper)) in expected.into_iter().enumerate() {
                    let near = |a: f64, b: f64| a == b || (a - b).abs() < 1e-9 * (1.0 + b.abs());
                    assert!(near(found.lower[k], lower) && near(found.upper[k], upper), "{hidden:?} {alpha} {k}");
                }
            };
            let ones = vec![1.0; x.nrows()];
            same(loo.jackknife_plus(&x, alpha).unwrap(), brute(&loo, &x, &loo.residuals().to_vec(), &ones, alpha));
            let (rows, points) = (own_scales(&loo), loo.local_error(&x).unwrap());
            let scores = (loo.residuals() / rows).to_vec();
            same(
                loo.intervals(Rule::of(&Scaled(Local)), &x, alpha).unwrap(),
                brute(&loo, &x, &scores, &points.to_vec(), alpha),
            );
        }
        let shifts = loo.variability(&x).unwrap();
        let expected = shifts.map_axis(Axis(1), |row| row.dot(&row).sqrt());
        let found = loo.deviation(&x).unwrap();
        assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-7 * (1e-3 + b)), "{hidden:?}");
        let mut own = loo.variability(train.x()).unwrap();
        own.diag_mut().fill(0.0);
        let expected = own.map_axis(Axis(1), |row| row.dot(&row).sqrt());
        let found = loo.left_out_deviations().unwrap();
        assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-7 * (1e-3 + b)), "{hidden:?}");
    }
}

/// Errors in units of those nearby.
struct Local;

fn own_scales(loo: &LeaveOneOut) -> Array1<f64> {
    loo.left_out_local_errors()
}

impl Score for Local {
    fn name(&self) -> &str {
        "local"
    }

    fn at_rows(&self, loo: &LeaveOneOut) -> Result<Array1<f64>> {
        Ok(own_scales(loo))
    }

    fn at_points(&self, loo: &LeaveOneOut, x: &Array2<f64>) -> Result<Array1<f64>> {
        loo.local_error(x)
    }
}

#[test]
fn the_order_of_the_rows_does_not_matter() {
    for hidden in [&[6][..], &[12, 12]] {
        let (train, test, network) = network(70, hidden, 5);
        let ends = |rows: &Sample| {
            let loo = LeaveOneOut::newton(&network, rows, &linear(Newton::default().damping(1e-3))).unwrap();
            (loo.jackknife_plus(test.x(), 0.1).unwrap(), loo.studentised(test.x(), 0.1).unwrap())
        };
        let order: Vec<usize> = (0..train.len()).map(|i| (i * 27 + 5) % train.len()).collect();
        let turned = Sample::new(train.x().select(Axis(0), &order), train.y().select(Axis(0), &order)).unwrap();
        let (before, after) = (ends(&train), ends(&turned));
        for (a, b) in [(before.0, after.0), (before.1, after.1)] {
            assert!((&a.lower - &b.lower).iter().chain(&(&a.upper - &b.upper)).all(|d| d.abs() < 1e-8));
        }
    }
}

#[test]
fn one_and_two_threads_give_the_same_numbers() {
    for hidden in [&[10][..], &[20, 20]] {
        let (train, test, network) = network(200, hidden, 7);
        let work = || {
            let loo = LeaveOneOut::newton(&network, &train, &linear(Newton::default().damping(1e-3))).unwrap();
            (loo.jackknife_plus(test.x(), 0.1).unwrap(), loo.studentised(test.x(), 0.1).unwrap())
        };
        let on = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work);
        assert_eq!(on(1), on(2));
    }
}

#[test]
fn a_network_s_ends_hardly_differ_from_those_of_each_model() {
    let (train, test) = Table::EnergyEfficiency.load().split(0.2, 0).unwrap();
    let network = Training::default().hidden(&[30]).epochs(200).fit(&train).unwrap();
    let how = Newton::default().damping(LeaveOneOut::usual_damping(train.len()));
    let by = |shifts| LeaveOneOut::newton(&network, &train, &how.clone().shifts(shifts)).unwrap();
    let (linear, each) = (by(Shifts::Linear), by(Shifts::Models));
    for rule in [Rule::Plus, Rule::Studentised] {
        let (a, b) = (linear.intervals(rule, test.x(), 0.1).unwrap(), each.intervals(rule, test.x(), 0.1).unwrap());
        let mut apart: Vec<f64> = ((&a.lower - &b.lower) / b.width()).mapv(f64::abs).to_vec();
        apart.sort_by(f64::total_cmp);
        // The documentation of `Shifts` has larger numbers of larger networks.
        assert!(apart[apart.len() / 2] < 0.005 && apart[apart.len() * 95 / 100] < 0.03, "{rule} {apart:?}");
        assert_eq!(a.guarantee, b.guarantee);
    }
}

#[test]
fn small_tables_ask_each_model_and_large_ones_say_that_they_do_not() {
    let (train, _, small) = network(30, &[4], 0);
    let newton = |model: &Network, rows: &Sample| {
        LeaveOneOut::newton(model, rows, &Newton::default().damping(1e-3)).unwrap().notes()
    };
    assert!(newton(&small, &train).is_empty());
    let rows = cubic(600, Feature::Uniform { half_width: 2.0 }, 0.5, 0).unwrap();
    // 3,661 parameters × 600 rows.
    let wide = Training::default().hidden(&[59, 59]).epochs(2).fit(&rows).unwrap();
    let notes = newton(&wide, &rows);
    assert_eq!(notes.len(), 1);
    assert!(
        notes[0].contains("linearly in their step") && notes[0].contains("one factorisation of 600 rows"),
        "{notes:?}"
    );
    let mended = LeaveOneOut::newton(&wide, &rows, &Newton::default().damping(1e-3)).unwrap();
    let mended = mended.with_refits(&rows, &[3], |_| Ok(small.clone())).unwrap();
    assert_eq!(mended.jackknife_plus(&rows.x().slice(s![..5, ..]).to_owned(), 0.1).unwrap().lower.len(), 5);
}

#[test]
fn without_penalty_and_damping_the_damping_is_found_and_said() {
    let (train, _, network) = network(30, &[12, 12], 2);
    let layers = network.layers().to_vec();
    let bare = Network::new(layers, Activation::Tanh, 0.0).unwrap();
    let by = |shifts| LeaveOneOut::newton(&bare, &train, &Newton::default().shifts(shifts)).unwrap();
    let (linear, each) = (by(Shifts::Linear), by(Shifts::Models));
    let (a, b) = (linear.trust().unwrap(), each.trust().unwrap());
    assert!(a.damping_raised() && b.damping_raised());
    assert!((a.damping() / b.damping() - 1.0).abs() < 1e-9, "{} {}", a.damping(), b.damping());
}

#[test]
fn what_is_not_one_step_by_one_matrix_is_refused() {
    let (train, _, network) = network(30, &[4], 0);
    let refused = |result: Result<LeaveOneOut>, words: &str| {
        let error = result.unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    let second = Influence::order(2).shifts(Shifts::Linear);
    refused(LeaveOneOut::influence(&network, &train, &second), "one step by one matrix");
    let exact = linear(Newton::default().curvature(Curvature::Exact));
    refused(LeaveOneOut::newton(&network, &train, &exact), "one step by one matrix");
    let iterated = Influence::order(1).solver(Solver::ConjugateGradients).shifts(Shifts::Linear);
    refused(LeaveOneOut::influence(&network, &train, &iterated), "need a factorisation");
}
