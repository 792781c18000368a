//! The filter against differences, integrals and the exact posterior.

use ndarray::{Array1, Array2, array};

use super::*;

fn belief(outputs: usize, inputs: usize, phase: f64) -> Belief {
    let wave = |(i, j): (usize, usize)| (1.7 * i as f64 + 2.3 * j as f64 + phase).sin();
    let mean = Array2::from_shape_fn((outputs, inputs + 1), wave);
    let variance = mean.mapv(|m| 0.1 + 0.3 * m * m);
    Belief { mean, variance }
}

#[test]
fn the_derivatives_of_the_evidence_are_its_differences() {
    let layers = vec![belief(3, 2, 0.0), belief(4, 3, 1.0), belief(1, 4, 2.0)];
    let filter = Filter { layers, noise: Precision::Known(0.3) };
    let (x, y) = (array![0.7, -1.2], 0.4);
    let gradients = filter.evidence(x.view(), y).1;
    let h = 1e-5;
    for (l, gradient) in gradients.iter().enumerate() {
        for (index, _) in filter.layers[l].mean.indexed_iter() {
            let log_z = |shift: f64, of_mean: bool| {
                let mut moved = filter.clone();
                let layer = &mut moved.layers[l];
                *(if of_mean { &mut layer.mean[index] } else { &mut layer.variance[index] }) += shift;
                moved.evidence(x.view(), y).0
            };
            let difference = |of_mean| (log_z(h, of_mean) - log_z(-h, of_mean)) / (2.0 * h);
            // Central differences err by h² and by rounding over h.
            assert!((gradient.mean[index] - difference(true)).abs() < 1e-8, "mean {index:?} of layer {l}");
            assert!((gradient.variance[index] - difference(false)).abs() < 1e-8, "variance {index:?} of layer {l}");
        }
    }
}

#[test]
fn the_moments_of_a_rectified_gaussian_are_its_integrals() {
    for (mean, variance) in [(0.0_f64, 1.0_f64), (1.3, 0.4), (-2.0, 1.5), (-6.0, 1.0), (40.0, 0.01)] {
        let deviation = variance.sqrt();
        // Simpson's rule from 0 on, where the integrand is smooth.
        let (low, high) = ((mean - 12.0 * deviation).max(0.0), (mean + 12.0 * deviation).max(0.0));
        let steps = 20_000;
        let h = (high - low) / f64::from(steps);
        let integral = |f: &dyn Fn(f64) -> f64| -> f64 {
            let weight = |k: i32| if k == 0 || k == steps { 1.0 } else { f64::from(2 + 2 * (k % 2)) };
            let at = |k: i32| low + f64::from(k) * h;
            let p = |a: f64| (-0.5 * (a - mean).powi(2) / variance).exp() / (std::f64::consts::TAU * variance).sqrt();
            (0..=steps).map(|k| weight(k) * f(at(k)) * p(at(k))).sum::<f64>() * h / 3.0
        };
        let first = integral(&|a| a);
        let below = 1.0 - integral(&|_| 1.0);
        let second = integral(&|a| (a - first).powi(2)) + below * first * first;
        let (found_mean, found_variance) = rectified(mean, variance);
        assert!((found_mean / first - 1.0).abs() < 1e-9, "mean at {mean}: {found_mean} against {first}");
        assert!((found_variance / second - 1.0).abs() < 1e-8, "variance at {mean}: {found_variance} against {second}");
    }
}

#[test]
fn one_row_moves_a_linear_model_to_its_exact_posterior() {
    let prior = belief(1, 3, 0.4);
    let (noise, y) = (0.2, 1.7);
    let mut filter = Filter { layers: vec![prior.clone()], noise: Precision::Known(noise) };
    filter.observe(array![0.5, -1.0, 2.0].view(), y);
    // The model is w·z/√4 with z = (x, 1): a Gaussian prior and one Gaussian observation.
    let z = array![0.5, -1.0, 2.0, 1.0] / 2.0;
    let (mean, variance) = (prior.mean.row(0), prior.variance.row(0));
    let total = noise + (&z * &z * variance).sum();
    let gain: Array1<f64> = &variance * &z / total;
    let expected_mean = &mean + &(&gain * (y - z.dot(&mean)));
    let expected_variance = &variance - &(&gain * &gain * total);
    let found = &filter.layers[0];
    assert!((&found.mean.row(0) - &expected_mean).iter().all(|d| d.abs() < 1e-14));
    assert!((&found.variance.row(0) - &expected_variance).iter().all(|d| d.abs() < 1e-14));
}

#[test]
fn many_rows_that_tell_of_the_bias_alone_give_its_exact_posterior() {
    let (prior, noise) = (0.7, 0.2);
    let layer = Belief { mean: Array2::zeros((1, 2)), variance: Array2::from_elem((1, 2), prior) };
    let mut filter = Filter { layers: vec![layer], noise: Precision::Known(noise) };
    let targets = array![0.3, -0.4, 1.2, 0.8, 0.1, 2.0, -1.0];
    targets.iter().for_each(|&y| {
        filter.observe(array![0.0].view(), y);
    });
    // f = b/√2.
    let precision = 1.0 / prior + targets.len() as f64 / (2.0 * noise);
    let mean = targets.sum() / (2.0_f64.sqrt() * noise * precision);
    let found = &filter.layers[0];
    assert!((found.mean[[0, 1]] - mean).abs() < 1e-13);
    assert!((found.variance[[0, 1]] - 1.0 / precision).abs() < 1e-13);
    assert_eq!((found.mean[[0, 0]], found.variance[[0, 0]]), (0.0, prior)); // the slope has learnt nothing
}
