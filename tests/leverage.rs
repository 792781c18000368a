//! Linear models tell how fast influence functions converge: the order-m shift has relative error exactly hᵢᵐ.

use jackknife::prelude::*;
use ndarray::{Array1, Array2, Axis, array};

const ORDERS: usize = 6;

fn sample() -> Sample {
    let x = Array2::from_shape_fn((14, 2), |(i, j)| (1.7 * i as f64 + 2.3 * j as f64).sin() + 0.1 * (i * j) as f64);
    let y = Array1::from_shape_fn(14, |i| (0.9 * i as f64).cos() + 0.3 * i as f64);
    Sample::new(x, y).unwrap()
}

/// (X, 1)ᵀ(X, 1).
fn gram(sample: &Sample) -> Array2<f64> {
    let design = design(sample);
    design.t().dot(&design)
}

fn design(sample: &Sample) -> Array2<f64> {
    let ones = Array2::ones((sample.len(), 1));
    ndarray::concatenate(Axis(1), &[sample.x().view(), ones.view()]).unwrap()
}

/// A⁻¹ of a 3 × 3 matrix by cofactors.
fn inverse(a: &Array2<f64>) -> Array2<f64> {
    let cofactor = |i: usize, j: usize| {
        let at = |r: usize, c: usize| a[[(i + r) % 3, (j + c) % 3]];
        at(1, 1) * at(2, 2) - at(1, 2) * at(2, 1)
    };
    let determinant: f64 = (0..3).map(|j| a[[0, j]] * cofactor(0, j)).sum();
    Array2::from_shape_fn((3, 3), |(i, j)| cofactor(j, i) / determinant)
}

/// θ₋ᵢ − θ̂ as (slopes, intercept), read off the predictions at the unit points.
fn shifts(loo: &LeaveOneOut) -> Array2<f64> {
    let at = loo.variability(&array![[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]).unwrap();
    let intercept = at.row(2).to_owned();
    ndarray::stack(Axis(1), &[(&intercept - &at.row(0)).view(), (&intercept - &at.row(1)).view(), (-&intercept).view()])
        .unwrap()
}

#[test]
fn for_least_squares_the_shift_of_order_m_has_relative_error_exactly_h_to_the_m() {
    let sample = sample();
    let model = Ridge::least_squares().fit(&sample).unwrap();
    let exact = shifts(&LeaveOneOut::closed_form(&Ridge::least_squares(), &sample).unwrap());
    let (design, inverse) = (design(&sample), inverse(&gram(&sample)));
    let residuals = sample.y() - &model.predict(sample.x()).unwrap();
    for order in 1..=ORDERS {
        let loo = LeaveOneOut::influence(&model, &sample, &Influence::order(order)).unwrap();
        let by_influence = shifts(&loo);
        for i in 0..sample.len() {
            let h = design.row(i).dot(&inverse.dot(&design.row(i)));
            let expected = &exact.row(i) * (1.0 - h.powi(order as i32));
            let difference = &by_influence.row(i) - &expected;
            assert!(difference.iter().all(|d| d.abs() < 1e-12), "order {order}, row {i}: {difference}");
            // r⁽ᵐ⁾ = |e|(1 − h^{m+1})/(1 − h).
            let r = residuals[i].abs() * (1.0 - h.powi(order as i32 + 1)) / (1.0 - h);
            assert!((loo.residuals()[i] - r).abs() < 1e-12, "order {order}, row {i}");
            let trust = loo.trust().unwrap();
            assert!((trust.ratios()[i] - h).abs() < 1e-9, "the series of row {i} shrinks by its leverage");
        }
    }
}

/// With the penalty inside every ℓᵢ, ∇²ℓᵢ = xᵢxᵢᵀ + λ, and the leverage becomes the matrix (nH)⁻¹∇²ℓᵢ.
#[test]
fn for_ridge_the_error_of_order_m_is_the_mth_power_of_the_leverage_matrix() {
    let (sample, lambda) = (sample(), 0.2);
    let model = Ridge::new(lambda).fit(&sample).unwrap();
    let exact = shifts(&LeaveOneOut::closed_form(&Ridge::new(lambda), &sample).unwrap());
    let penalty = Array2::from_diag(&array![lambda, lambda, 0.0]);
    let inverse = inverse(&(gram(&sample) + &penalty * sample.len() as f64));
    let design = design(&sample);
    for order in 1..=ORDERS {
        let by_influence = shifts(&LeaveOneOut::influence(&model, &sample, &Influence::order(order)).unwrap());
        for i in 0..sample.len() {
            let row = design.row(i).insert_axis(Axis(1));
            let leverage = inverse.dot(&(row.dot(&row.t()) + &penalty));
            let error = (0..order).fold(exact.row(i).to_owned(), |error, _| leverage.dot(&error));
            let difference = &exact.row(i) - &by_influence.row(i) - &error;
            assert!(difference.iter().all(|d| d.abs() < 1e-12), "order {order}, row {i}: {difference}");
        }
    }
}

/// Ridge is least squares with one more row √(nλ)·eⱼ for each coefficient. Left out of that table, a data row leaves
/// the whole penalty behind, and the scalar identity holds exactly.
#[test]
fn for_ridge_with_the_penalty_left_behind_the_relative_error_is_exactly_h_to_the_m() {
    let (sample, lambda) = (sample(), 0.2);
    let (n, root) = (sample.len(), (sample.len() as f64 * lambda).sqrt());
    // Without an intercept: the formula θ₀x₀ + θ₁x₁.
    #[derive(Clone)]
    struct Plane;
    impl Formula for Plane {
        fn predict<S: Scalar>(&self, theta: &[S], x: &[f64]) -> S {
            theta[0] * x[0] + theta[1] * x[1]
        }
    }
    let extra = Array2::from_diag(&array![root, root]);
    let x = ndarray::concatenate(Axis(0), &[sample.x().view(), extra.view()]).unwrap();
    let y: Array1<f64> = sample.y().iter().copied().chain([0.0, 0.0]).collect();
    let augmented = Sample::new(x, y).unwrap();
    let curve = Curve::fit(Plane, &augmented, &[0.0, 0.0], 0.0).unwrap();
    let exact = LeaveOneOut::reminimise(&curve, &augmented).unwrap();
    let normal = augmented.x().t().dot(augmented.x());
    let determinant = normal[[0, 0]] * normal[[1, 1]] - normal[[0, 1]] * normal[[1, 0]];
    let inverse = array![[normal[[1, 1]], -normal[[0, 1]]], [-normal[[1, 0]], normal[[0, 0]]]] / determinant;
    let points = array![[1.0, 0.0], [0.0, 1.0]];
    let expected = exact.variability(&points).unwrap();
    for order in 1..=ORDERS {
        let loo = LeaveOneOut::influence(&curve, &augmented, &Influence::order(order)).unwrap();
        let by_influence = loo.variability(&points).unwrap();
        for i in 0..n {
            let row = augmented.x().row(i);
            let h = row.dot(&inverse.dot(&row));
            let difference = &by_influence.column(i) - &(&expected.column(i) * (1.0 - h.powi(order as i32)));
            assert!(difference.iter().all(|d| d.abs() < 1e-10), "order {order}, row {i}: {difference}");
        }
    }
}

#[test]
fn a_newton_step_reports_the_leverage_with_either_curvature() {
    let sample = sample();
    let model = Ridge::least_squares().fit(&sample).unwrap();
    let (design, inverse) = (design(&sample), inverse(&gram(&sample)));
    for curvature in [Curvature::Exact, Curvature::GaussNewton] {
        let loo = LeaveOneOut::newton(&model, &sample, &Newton::default().curvature(curvature)).unwrap();
        for i in 0..sample.len() {
            let h = design.row(i).dot(&inverse.dot(&design.row(i)));
            assert!((loo.trust().unwrap().ratios()[i] - h).abs() < 1e-9, "{curvature:?}, row {i}");
        }
    }
}

#[test]
fn a_row_of_leverage_one_is_named() {
    // The last row alone has a feature: without it nothing determines the slope.
    let sample = Sample::new(array![[0.0], [0.0], [0.0], [1.0]], array![1.0, 2.0, 4.0, 3.0]).unwrap();
    let model = Ridge::least_squares().fit(&sample).unwrap();
    let newton = |damping| LeaveOneOut::newton(&model, &sample, &Newton::default().damping(damping));
    let words = "row 4 has leverage 1 and nothing to lean on without it: raise the damping, which is 0";
    assert_eq!(newton(0.0).unwrap_err().to_string(), words);
    assert!(newton(1e-3).is_ok());
}
