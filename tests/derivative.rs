//! Derivatives against central differences and against num-dual, which is not ours.

use jackknife::prelude::*;
use ndarray::{Array1, Array2, ArrayView1};
use num_dual::{Dual3_64, DualNum};

/// A sample without any structure.
fn sample(n: usize, d: usize) -> Sample {
    let x = Array2::from_shape_fn((n, d), |(i, j)| (1.7 * i as f64 + 2.3 * j as f64).sin());
    let y = Array1::from_shape_fn(n, |i| (0.9 * i as f64).cos() + 0.3);
    Sample::new(x, y).unwrap()
}

fn direction(p: usize, k: usize) -> Array1<f64> {
    Array1::from_shape_fn(p, |j| 0.3 * ((k + 1) as f64 * 1.3 * j as f64 + k as f64).cos())
}

/// The gradient of the squared error at θ + Σ cₖtᵏ.
fn gradient<M: Differentiable>(model: &M, sample: &Sample, path: &[Array1<f64>], t: f64) -> Array1<f64> {
    let mut theta = model.parameters();
    for (k, step) in path.iter().enumerate() {
        theta.scaled_add(t.powi(k as i32 + 1), step);
    }
    let model = model.with_parameters(theta.view());
    let objective = model.objective(sample);
    objective.taylor(&[], 0..sample.len())
}

/// Taylor coefficients 0 to 3 by central differences with Richardson's extrapolation.
fn by_differences<M: Differentiable>(model: &M, sample: &Sample, path: &[Array1<f64>], h: f64) -> [Array1<f64>; 4] {
    let g = |t: f64| gradient(model, sample, path, t);
    let first = |h: f64| (g(h) - g(-h)) / (2.0 * h);
    let second = |h: f64| (g(h) + g(-h) - 2.0 * g(0.0)) / (2.0 * h * h);
    let third = |h: f64| (g(2.0 * h) - g(-2.0 * h) - 2.0 * (g(h) - g(-h))) / (12.0 * h * h * h);
    let extrapolate = |rough: Array1<f64>, fine: Array1<f64>| (4.0 * fine - rough) / 3.0;
    [
        g(0.0),
        extrapolate(first(h), first(h / 2.0)),
        extrapolate(second(h), second(h / 2.0)),
        extrapolate(third(h), third(h / 2.0)),
    ]
}

fn close(a: &Array1<f64>, b: &Array1<f64>, tolerance: f64, what: &str) {
    let size = a.iter().fold(1.0_f64, |most, value| most.max(value.abs()));
    let largest = (a - b).iter().fold(0.0_f64, |most, d| most.max(d.abs()));
    assert!(largest < tolerance * size, "{what}: off by {largest:e} of {size:e}");
}

/// Gradient, Hessian and Taylor coefficients of any differentiable model.
fn check<M: Differentiable>(model: &M, sample: &Sample, what: &str) {
    let (n, p) = (sample.len(), model.parameters().len());
    let path: Vec<Array1<f64>> = (0..3).map(|k| direction(p, k)).collect();
    let objective = model.objective(sample);

    // The gradient is the one of the loss, and −Jᵀe.
    let loss = |theta: &Array1<f64>| {
        let moved = model.with_parameters(theta.view());
        let objective = moved.objective(sample);
        0.5 * objective.residuals().dot(objective.residuals())
    };
    let theta = model.parameters();
    let numeric = Array1::from_shape_fn(p, |j| {
        let mut step = Array1::zeros(p);
        step[j] = 1e-5;
        (loss(&(&theta + &step)) - loss(&(&theta - &step))) / 2e-5
    });
    close(&objective.taylor(&[], 0..n), &numeric, 1e-8, &format!("{what}: gradient"));
    let from_jacobian = -objective.jacobian().t().dot(objective.residuals());
    close(&objective.taylor(&[], 0..n), &from_jacobian, 1e-12, &format!("{what}: jacobian"));

    // The Jacobian in blocks is the Jacobian.
    let (whole, middle) = (objective.jacobian(), n / 3..n - 1);
    assert_eq!(whole.nrows(), n, "{what}");
    assert_eq!(
        objective.jacobian_of(middle.clone()),
        whole.slice(ndarray::s![middle, ..]),
        "{what}: rows of the jacobian"
    );
    assert_eq!(objective.jacobian_of(2..2).dim(), (0, p), "{what}: no rows");

    let expected = by_differences(model, sample, &path, 0.02);
    for (order, expected) in expected.iter().enumerate() {
        let views: Vec<ArrayView1<f64>> = path[..order].iter().map(|step| step.view()).collect();
        let tolerance = [1e-13, 1e-6, 1e-6, 1e-4][order];
        // The coefficient of tᴷ along the whole curve does not depend on later steps, so cutting it is allowed.
        close(&objective.taylor(&views, 0..n), expected, tolerance, &format!("{what}: order {order}"));
    }

    // A missing direction is a direction of zeros, and rows add up.
    let (zeros, none) = (Array1::zeros(p), Array1::zeros(0));
    let with_zeros = objective.taylor(&[path[0].view(), zeros.view()], 0..n);
    close(&objective.taylor(&[path[0].view(), none.view()], 0..n), &with_zeros, 1e-13, &format!("{what}: zeros"));
    let halves = objective.taylor(&[path[0].view()], 0..3) + objective.taylor(&[path[0].view()], 3..n);
    close(&objective.taylor(&[path[0].view()], 0..n), &halves, 1e-12, &format!("{what}: rows"));

    // The assembled Hessian is the one of the products.
    let hessian = objective.hessian();
    for j in 0..p {
        let mut unit = Array1::zeros(p);
        unit[j] = 1.0;
        let column = objective.taylor(&[unit.view()], 0..n);
        close(&column, &hessian.row(j).to_owned(), 1e-11, &format!("{what}: row {j} of the Hessian"));
        close(&column, &hessian.column(j).to_owned(), 1e-11, &format!("{what}: column {j} of the Hessian"));
    }
}

#[test]
fn networks_of_any_depth_and_activation_have_the_derivatives_of_central_differences() {
    let sample = sample(11, 3);
    for activation in [Activation::Tanh, Activation::Softplus, Activation::Sigmoid] {
        for hidden in [&[][..], &[4], &[3, 5], &[4, 3, 2], &[3, 2, 4, 3]] {
            let training = Training::default().hidden(hidden).activation(activation).epochs(30).seed(3);
            let network = training.fit(&sample).unwrap();
            check(&network, &sample, &format!("{activation} {hidden:?}"));
        }
    }
}

#[test]
fn a_network_on_more_rows_than_a_chunk_has_the_same_derivatives() {
    let sample = sample(300, 2);
    let network = Training::default().hidden(&[3, 4]).epochs(3).fit(&sample).unwrap();
    check(&network, &sample, "300 rows");
}

#[test]
fn linear_models_have_the_derivatives_of_central_differences() {
    let sample = sample(12, 3);
    check(&Ridge::new(0.1).fit(&sample).unwrap(), &sample, "ridge");
}

/// A formula with every function that formulas may use.
#[derive(Clone)]
struct Everything;

impl Formula for Everything {
    fn predict<S: Scalar>(&self, theta: &[S], x: &[f64]) -> S {
        let [a, b, c] = [theta[0], theta[1], theta[2]];
        let wave = (a * x[0] + 1.0).sin() * (b - x[1]).cos();
        let growth = (-c * c * 0.5).exp() / ((a * a + 1.5).ln() + 1.0) - (b * x[2]).tanh() / 2.0;
        let power = (b * b + 1.0).powf(1.5) + a.powi(3) - (c * c + 2.0).sqrt().recip() + (a + 3.0).powi(-2);
        wave + growth * 0.7 - S::from(0.2) * power
    }
}

#[test]
fn a_formula_has_the_derivatives_of_central_differences() {
    let curve = Curve::new(Everything, &[0.4, -0.3, 0.8], 3, 0.0);
    check(&curve, &sample(9, 3), "formula");
}

/// The squared error of a 3–4–1 tanh network along θ + t·u, in num-dual's numbers.
fn along(theta: &Array1<f64>, u: &Array1<f64>, x: &Array2<f64>, y: &Array1<f64>, t: Dual3_64) -> Dual3_64 {
    let weight = |k: usize| t * u[k] + theta[k];
    let mut sum = Dual3_64::from(0.0);
    for (x, y) in x.rows().into_iter().zip(y) {
        let mut f = weight(20);
        for a in 0..4 {
            let mut z = weight(12 + a);
            for b in 0..3 {
                z += weight(3 * a + b) * x[b];
            }
            f += weight(16 + a) * z.tanh();
        }
        sum += (f - *y).powi(2) * 0.5;
    }
    sum
}

#[test]
fn directional_derivatives_up_to_the_third_are_those_of_num_dual() {
    let sample = sample(17, 3);
    let network = Training::default().hidden(&[4]).epochs(20).standardise(false).fit(&sample).unwrap();
    let (theta, u) = (network.parameters(), direction(21, 0));
    let objective = network.objective(&sample);
    let (_, first, second, third) = num_dual::third_derivative(|t| along(&theta, &u, sample.x(), sample.y(), t), 0.0);
    let coefficient = |order: usize| {
        let none = Array1::zeros(0);
        let path: Vec<ArrayView1<f64>> = (0..order).map(|k| if k == 0 { u.view() } else { none.view() }).collect();
        u.dot(&objective.taylor(&path, 0..17))
    };
    approx::assert_relative_eq!(coefficient(0), first, max_relative = 1e-11);
    approx::assert_relative_eq!(coefficient(1), second, max_relative = 1e-11);
    approx::assert_relative_eq!(2.0 * coefficient(2), third, max_relative = 1e-11);
}
