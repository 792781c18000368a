//! The other rules on the tangent's models: those of the closed form of least squares and ridge.

use jackknife::prelude::*;
use ndarray::{Array1, Array2};

use crate::given::{close, rows};

#[test]
fn jackknife_plus_and_minmax_are_those_of_the_closed_form() {
    for (n, d) in [(30, 3), (25, 20), (20, 35), (3, 2), (60, 1)] {
        for lambda in [0.0, 1e-4, 0.1, 10.0, 1e6] {
            let sample = rows(n + 5, d, 400 + n as u64);
            let train = sample.rows(&(0..n).collect::<Vec<_>>()).unwrap();
            let test = sample.rows(&(n..n + 5).collect::<Vec<_>>()).unwrap();
            let ridge = Ridge::new(lambda);
            let (model, what) = (ridge.fit(&train).unwrap(), format!("n = {n}, d = {d}, λ = {lambda}"));
            let tangent = match LeaveOneOut::tangent(&model, &train, &Tangent::default()) {
                Err(Error::Alone { .. }) if lambda == 0.0 && d + 1 >= n => continue,
                tangent => tangent.unwrap_or_else(|error| panic!("{what}: {error}")),
            };
            let closed = LeaveOneOut::closed_form(&ridge, &train).unwrap();
            same(&tangent, &closed, test.x(), &what);
        }
    }
}

fn same(tangent: &LeaveOneOut, closed: &LeaveOneOut, x: &Array2<f64>, what: &str) {
    close(&tangent.predict(x).unwrap(), &closed.predict(x).unwrap(), 1e-9, 1.0, what);
    close(tangent.left_out_predictions(), closed.left_out_predictions(), 1e-9, 1.0, what);
    for rule in [Rule::Plus, Rule::Minmax, Rule::Jackknife, Rule::InSample] {
        for alpha in [0.1, 0.3] {
            let (a, b) = (tangent.intervals(rule, x, alpha).unwrap(), closed.intervals(rule, x, alpha).unwrap());
            close(&a.lower, &b.lower, 1e-9, 1.0, &format!("{what}, {rule}: lower end"));
            close(&a.upper, &b.upper, 1e-9, 1.0, &format!("{what}, {rule}: upper end"));
            assert_eq!(a.guarantee, b.guarantee, "{what}, {rule}");
        }
    }
}

#[test]
fn least_squares_keeps_columns_that_are_nearly_the_same() {
    // Powers of x between 10 and 11: their correlation is 1 to nine digits and more.
    let x = Array2::from_shape_fn((40, 4), |(i, k)| (10.0 + i as f64 / 40.0).powi(k as i32 + 1));
    let y = Array1::from_shape_fn(40, |i| (i as f64 / 6.0).sin() + 0.1 * (i as f64 * 1.7).cos());
    let sample = Sample::new(x, y).unwrap();
    let model = Ridge::least_squares().fit(&sample).unwrap();
    let tangent = LeaveOneOut::tangent(&model, &sample, &Tangent::default()).unwrap();
    let closed = LeaveOneOut::closed_form(&Ridge::least_squares(), &sample).unwrap();
    // Ten digits are lost to the condition.
    close(tangent.left_out_predictions(), closed.left_out_predictions(), 1e-6, 1.0, "left-out prediction");
    let (a, b) = (tangent.jackknife_plus(sample.x(), 0.1).unwrap(), closed.jackknife_plus(sample.x(), 0.1).unwrap());
    close(&a.upper, &b.upper, 1e-6, 1.0, "upper end");
}
