//! More rows than are kept: the same models, and neighbours from a pool.

use jackknife::prelude::*;
use ndarray::{Array1, Axis};

use crate::given::{close, normal, seeded};

fn many(n: usize) -> Sample {
    let mut rng = seeded(5);
    let (x, noise) = (normal(&mut rng, (n, 3)), normal(&mut rng, (n, 1)));
    let y: Array1<f64> = x.sum_axis(Axis(1)) + noise.column(0);
    Sample::new(x, y).unwrap()
}

#[test]
fn ridge_on_more_rows_than_are_kept_is_that_of_refits() {
    let (sample, points) = (many(50_100), many(8));
    for ridge in [Ridge::least_squares(), Ridge::new(0.1)] {
        let loo = LeaveOneOut::closed_form(&ridge, &sample).unwrap();
        for row in [0, 777, 50_099] {
            let refit = ridge.fit(&sample.without(row).unwrap()).unwrap().predict(sample.x()).unwrap()[row];
            assert!((loo.left_out_predictions()[row] - refit).abs() < 1e-10, "{ridge}, row {row}");
        }
        close(
            &loo.predict(points.x()).unwrap(),
            &ridge.fit(&sample).unwrap().predict(points.x()).unwrap(),
            1e-10,
            1.0,
            "f",
        );
        // The ends by asking every model at every point.
        let (ranks, residuals) = (Ranks::new(sample.len(), 0.1).unwrap(), loo.residuals().to_vec());
        let ends = loo.at_points(points.x(), |_, _, without| ranks.ends(without, &residuals, 1.0)).unwrap();
        let intervals = loo.jackknife_plus(points.x(), 0.1).unwrap();
        let (lower, upper): (Vec<f64>, Vec<f64>) = ends.into_iter().unzip();
        close(&intervals.lower, &lower, 1e-11, 1.0, "lower end");
        close(&intervals.upper, &upper, 1e-11, 1.0, "upper end");
        assert_eq!(intervals.guarantee, Guarantee::AtLeast(0.8));
    }
}

/// Nine tenths of 2,000 new rows, within four deviations of the binomial distribution.
#[test]
fn neighbours_of_many_rows_are_of_a_pool_and_the_notes_say_so() {
    let (sample, test) = (many(50_100), {
        let mut rng = seeded(6);
        let (x, noise) = (normal(&mut rng, (2000, 3)), normal(&mut rng, (2000, 1)));
        let y: Array1<f64> = x.sum_axis(Axis(1)) + noise.column(0);
        Sample::new(x, y).unwrap()
    });
    let model = Ridge::new(0.01).fit(&sample).unwrap();
    let loo = LeaveOneOut::tangent(&model, &sample, &Tangent::default()).unwrap();
    let notes = loo.notes().join("; ");
    assert!(notes.contains("neighbours are the nearest of ") && notes.contains("drawn by a coin"), "{notes}");
    let rate = loo.nested(test.x(), 0.1).unwrap().coverage(test.y()).unwrap().rate;
    assert!((rate - 0.9).abs() < 4.0 * (0.09f64 / 2000.0).sqrt(), "{rate}");
    let few = LeaveOneOut::tangent(&model, &many(3000), &Tangent::default()).unwrap();
    assert!(!few.notes().join("; ").contains("coin"));
}
