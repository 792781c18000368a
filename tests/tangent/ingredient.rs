//! Every ingredient against refits that know nothing of the closed forms.

use jackknife::prelude::*;
use ndarray::{Array1, Array2, s};

use crate::brute::{LeftOut, Near, Problem};
use crate::given::{Given, agree, close, padded, rows};

/// Whatever can be asked of the models, at some points, against what is made by leaving rows out.
fn check(loo: &LeaveOneOut, problem: &Problem, at: &Problem, offset: &Array1<f64>, unit: f64, what: &str) {
    let (n, x) = (problem.len(), &at_x(at, offset));
    let said: Vec<LeftOut> = (0..n).map(|i| problem.left_out(i)).collect();
    let size = problem.u.iter().fold(0.0f64, |most, u| most.max(u.abs())) * unit;

    let mut kappas: Vec<f64> = said.iter().map(|said| said.kappa).collect();
    kappas.sort_by(f64::total_cmp);
    kappas.dedup();
    let digits = problem.digits(kappas[0]);
    let notes = loo.notes().join("\n");
    let several = notes.lines().find(|line| line.starts_with("κ without a row"));
    assert_eq!(
        several.map_or(1, |line| line.matches('(').count() - 1),
        kappas.len(),
        "{what}: {notes} against {kappas:?}"
    );

    let residuals: Vec<f64> =
        (0..n).map(|i| (problem.u[i] - said[i].fit.predict(problem.features.row(i))) * unit).map(f64::abs).collect();
    close(&loo.residuals(), &residuals, digits, size, &format!("{what}: residual"));
    let scores: Vec<f64> = said.iter().map(|said| said.score).collect();
    close(&loo.nested_scores().unwrap(), &scores, digits, 1.0, &format!("{what}: score"));

    let all = problem.without(&[]);
    let kappa = problem.kappa(&all);
    let fit = problem.fit(&all, kappa);
    let prediction: Vec<f64> = (0..at.len()).map(|t| fit.predict(at.features.row(t)) * unit + offset[t]).collect();
    close(&loo.predict(x).unwrap(), &prediction, digits, size, &format!("{what}: prediction"));
    let shifts = loo.variability(x).unwrap();

    for t in 0..at.len() {
        let (row, place) = (at.features.row(t), at_place(at, t));
        let ends: Vec<(f64, f64)> = (0..n)
            .map(|i| (said[i].fit.predict(row) * unit + offset[t], problem.scale(i, &said[i], row, place) * unit))
            .collect();
        let expected: Vec<f64> = ends.iter().map(|(f, _)| prediction[t] - f).collect();
        close(shifts.row(t), &expected, digits, size, &format!("{what}: variability at {t}"));
        let sorted = |value: &dyn Fn(usize) -> f64| {
            let mut values: Vec<f64> = (0..n).map(value).collect();
            values.sort_by(f64::total_cmp);
            values
        };
        let lower = sorted(&|i| ends[i].0 - scores[i].abs() * ends[i].1);
        let upper = sorted(&|i| ends[i].0 + scores[i].abs() * ends[i].1);
        let signed = sorted(&|i| ends[i].0 + scores[i] * ends[i].1);
        let point = x.slice(s![t..t + 1, ..]).to_owned();
        for rank in 1..=n {
            let alpha = rank as f64 / (n + 1) as f64;
            let found = loo.nested(&point, alpha).unwrap();
            let at = format!("{what}: rank {rank} at {t}");
            assert!(
                agree(found.lower[0], lower[rank - 1], digits, size),
                "{at}: {} {}",
                found.lower[0],
                lower[rank - 1]
            );
            assert!(
                agree(found.upper[0], upper[n - rank], digits, size),
                "{at}: {} {}",
                found.upper[0],
                upper[n - rank]
            );
            if 2 * rank <= n {
                let found = loo.intervals(Rule::Signed, &point, 2.0 * alpha).unwrap();
                close(&found.lower, &[signed[rank - 1]], digits, size, &at);
                close(&found.upper, &[signed[n - rank]], digits, size, &at);
            }
        }
        let scale = problem.scale_of_all(row, place) * unit;
        let expected = loo.expected_error(&point).unwrap()[0];
        assert!(agree(expected, scale / 1.1f64.sqrt(), digits, 0.0), "{what}: expected error at {t}");
        let freedom = (n - usize::from(problem.free)) as f64;
        let deviation = (problem.likelihood(&all, kappa).0 / freedom * (1.0 + fit.variance(row))).sqrt() * unit;
        let laplace = loo.intervals(Rule::Laplace, &point, 0.1).unwrap();
        // The 95 % quantile of the normal distribution.
        close(&laplace.upper, &[prediction[t] + 1.644_853_626_951_472_2 * deviation], digits, size, "laplace");
    }
    full(loo, problem, at, offset, unit, kappa, what);
}

/// Full conformal prediction by its definition: the new row joins the others with a target, and its studentised residual is
/// ranked among theirs.
fn full(loo: &LeaveOneOut, problem: &Problem, at: &Problem, offset: &Array1<f64>, unit: f64, kappa: f64, what: &str) {
    let (n, x) = (problem.len(), at_x(at, offset));
    for t in 0..at.len() {
        let is_in = |y: f64, rank: usize| {
            let features =
                ndarray::concatenate![ndarray::Axis(0), problem.features, at.features.slice(s![t..t + 1, ..])];
            let u = problem.u.iter().copied().chain([(y - offset[t]) / unit]).collect();
            let joined =
                Problem { features, u, free: problem.free, penalty: None, near: Near::Places(Array2::zeros((0, 0))) };
            // e/√(1 − h) of a row of a fit is its error over √(1 + g) of the fit without it.
            let score = |i: usize| {
                let (fit, row) = (joined.fit(&joined.without(&[i]), kappa), joined.features.row(i));
                (joined.u[i] - fit.predict(row)).abs() / (1.0 + fit.variance(row)).sqrt()
            };
            let own = score(n);
            // In, unless it is among the `rank` largest of n + 1.
            (0..n).filter(|&i| score(i) >= own).count() >= rank
        };
        for rank in [1, 2, n / 2, n - 1] {
            let point = x.slice(s![t..t + 1, ..]).to_owned();
            let found = loo.intervals(Rule::Full, &point, rank as f64 / (n + 1) as f64).unwrap();
            let (lower, upper) = (found.lower[0], found.upper[0]);
            assert!(lower <= upper, "{what}: {lower} {upper}");
            let little = 1e-7 * (upper - lower) + 1e-10 * upper.abs();
            for inside in [lower + little, 0.7 * lower + 0.3 * upper, 0.2 * lower + 0.8 * upper, upper - little] {
                assert!(is_in(inside, rank), "{what}: {inside} should be in [{lower}, {upper}]");
            }
            for outside in [lower - little, upper + little, 2.0 * lower - upper, 3.0 * upper - 2.0 * lower] {
                assert!(!is_in(outside, rank), "{what}: {outside} should be out of [{lower}, {upper}]");
            }
        }
    }
}

fn at_place(at: &Problem, t: usize) -> ndarray::ArrayView1<'_, f64> {
    match &at.near {
        Near::Places(places) | Near::Columns(places) => places.row(t),
    }
}

/// The columns that a point was made of.
fn at_x(at: &Problem, offset: &Array1<f64>) -> Array2<f64> {
    match &at.near {
        Near::Columns(x) => x.clone(),
        Near::Places(places) => {
            let offset = offset.view().insert_axis(ndarray::Axis(1));
            ndarray::concatenate(ndarray::Axis(1), &[at.features.view(), places.view(), offset]).unwrap()
        }
    }
}

/// The same table as the problem of given features, places and offsets.
fn given(x: &Array2<f64>, y: &Array1<f64>, how: &Given) -> Problem {
    let (p, end) = (how.width, x.ncols() - 1);
    Problem {
        features: x.slice(s![.., ..p]).to_owned(),
        u: (y - &x.column(end)) / how.unit,
        free: how.free,
        penalty: how.penalty,
        near: if how.places > 0 { Near::Places(x.slice(s![.., p..end]).to_owned()) } else { Near::Columns(x.clone()) },
    }
}

/// Rows and points of one table.
fn split(sample: &Sample, points: usize) -> (Sample, Sample) {
    let n = sample.len() - points;
    (sample.rows(&(0..n).collect::<Vec<_>>()).unwrap(), sample.rows(&(n..n + points).collect::<Vec<_>>()).unwrap())
}

#[test]
fn given_features_and_places_agree_with_refits() {
    for (k, (n, p)) in [(26, 4), (24, 11), (24, 23), (22, 22), (23, 31), (21, 3), (6, 3), (5, 9), (3, 1), (2, 3)]
        .into_iter()
        .enumerate()
    {
        for (free, penalty) in [(false, None), (false, Some(0.03)), (true, None), (true, Some(0.2))] {
            // Of fewer rows no κ is better than another.
            if n - usize::from(free) < if penalty.is_none() { 3 } else { 2 } {
                continue;
            }
            let how = Given { width: p, places: 2, unit: 2.5, free, penalty };
            let (train, test) = split(&rows(n + 3, p + 3, 10 + k as u64), 3);
            let loo = LeaveOneOut::tangent_of(how.clone(), &train, &Tangent::default()).unwrap();
            let (problem, at) = (given(train.x(), train.y(), &how), given(test.x(), test.y(), &how));
            let offset = test.x().column(test.columns() - 1).to_owned();
            check(
                &loo,
                &problem,
                &at,
                &offset,
                how.unit,
                &format!("n = {n}, p = {p}, free {free}, penalty {penalty:?}"),
            );
        }
    }
}

#[test]
fn linear_models_agree_with_refits() {
    for (k, (n, p)) in [(30, 3), (25, 9), (22, 30), (8, 2), (4, 6), (3, 1)].into_iter().enumerate() {
        for penalty in [None, Some(0.1), Some(1e4), Some(1e-5)] {
            if n == 3 && penalty.is_none() {
                continue;
            }
            let (train, test) = split(&rows(n + 3, p, 60 + k as u64), 3);
            let model = Ridge::new(penalty.unwrap_or(0.5)).fit(&train).unwrap();
            let how = Tangent::default().likelihood(penalty.is_none());
            let loo = LeaveOneOut::tangent(&model, &train, &how).unwrap();
            let problem = |sample: &Sample| Problem {
                features: sample.x().clone(),
                u: sample.y().clone(),
                free: true,
                penalty,
                near: Near::Columns(sample.x().clone()),
            };
            let offset = Array1::zeros(test.len());
            check(
                &loo,
                &problem(&train),
                &problem(&test),
                &offset,
                1.0,
                &format!("n = {n}, p = {p}, penalty {penalty:?}"),
            );
        }
    }
}

#[test]
fn features_of_zeros_change_nothing_though_they_turn_the_primal_into_the_dual() {
    for seed in 0..6 {
        for (n, p) in [(25, 4), (30, 15), (12, 5)] {
            for (free, penalty) in [(false, None), (true, None), (false, Some(0.01)), (true, Some(1.0))] {
                let (train, test) = split(&rows(n + 8, p + 3, 100 + seed), 8);
                let how = Given { width: p, places: 2, unit: 1.0, free, penalty };
                let wide = Given { width: n + 5, ..how.clone() };
                let pad = |x: &Array2<f64>| padded(x, p, n + 5 - p);
                let few = LeaveOneOut::tangent_of(how, &train, &Tangent::default()).unwrap();
                let many = Sample::new(pad(train.x()), train.y().clone()).unwrap();
                let many = LeaveOneOut::tangent_of(wide, &many, &Tangent::default()).unwrap();
                let x = pad(test.x());
                let digits = 1e-8;
                for rule in [Rule::Nested, Rule::Signed, Rule::Full, Rule::Laplace, Rule::Plus, Rule::Minmax] {
                    for alpha in [0.1, 0.3] {
                        let (a, b) =
                            (few.intervals(rule, test.x(), alpha).unwrap(), many.intervals(rule, &x, alpha).unwrap());
                        let what = format!("{rule}, n = {n}, p = {p}, free {free}, penalty {penalty:?}");
                        close(&a.prediction, &b.prediction, digits, 1.0, &what);
                        close(&a.lower, &b.lower, digits, 1.0, &what);
                        close(&a.upper, &b.upper, digits, 1.0, &what);
                    }
                }
            }
        }
    }
}
