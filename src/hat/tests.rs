//! The order statistics with pruning against those of all rows, on rows that make it hard.

use ndarray::{Array1, Array2, ArrayView2, s};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use std::sync::Arc;

use super::{Asked, Hat};
use crate::error::Error;
use crate::model::Features;
use crate::quantile::order_statistic;

/// The first columns are the features, the others the places.
#[derive(Clone)]
struct Columns {
    width: usize,
    places: usize,
    free: bool,
}

impl Features for Columns {
    fn columns(&self) -> usize {
        self.width + self.places
    }

    fn width(&self) -> usize {
        self.width
    }

    fn features(&self, x: ArrayView2<f64>) -> Array2<f64> {
        x.slice(s![.., ..self.width]).to_owned()
    }

    fn has_free_intercept(&self) -> bool {
        self.free
    }

    fn place(&self, x: ArrayView2<f64>) -> Option<Array2<f64>> {
        (self.places > 0).then(|| x.slice(s![.., self.width..]).to_owned())
    }
}

struct Case {
    features: Columns,
    x: Array2<f64>,
    u: Array1<f64>,
    points: Array2<f64>,
    penalty: Option<f64>,
}

/// Ties, copies, rows that decide alone, columns of nothing, units of every size, targets of nothing but one.
fn case(seed: u64) -> Case {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let n = [2, 3, 5, 20, 21, 22, 40, 100][rng.gen_range(0..8)];
    let width = [1, 2, 5, n - 1, n, n + 3, 2 * n][rng.gen_range(0..if n < 100 { 7 } else { 4 })].max(1);
    let (places, free) = (rng.gen_range(0..3), n > 2 && rng.gen_bool(0.4));
    let coarse = rng.gen_bool(0.4);
    let mut cell = || {
        let cell: f64 = rng.gen_range(-2.0..2.0);
        if coarse { cell.round() } else { cell }
    };
    let mut x = Array2::from_shape_simple_fn((n, width + places), &mut cell);
    let mut u = Array1::from_shape_simple_fn(n, &mut cell);
    let mut points = Array2::from_shape_simple_fn((4, width + places), &mut cell);
    // Copies of rows, some with the same target.
    for _ in 0..rng.gen_range(0..n) {
        let (from, to) = (rng.gen_range(0..n), rng.gen_range(0..n));
        let row = x.row(from).to_owned();
        x.row_mut(to).assign(&row);
        if rng.gen_bool(0.5) {
            u[to] = u[from];
        }
    }
    let (row, column) = (rng.gen_range(0..n), rng.gen_range(0..width));
    match rng.gen_range(0..6) {
        0 => x.row_mut(row).mapv_inplace(|cell| 1e4 * cell),
        1 => {
            x.column_mut(column).fill(0.0);
            x[[row, column]] = 3.0;
        }
        2 => x.column_mut(column).fill(1.0),
        _ => {}
    }
    match rng.gen_range(0..7) {
        0 => u[row] = 1e6,
        1 => {
            u.fill(0.0);
            u[row] = 1.0;
        }
        2 => u.fill(1.5),
        3 => u.fill(0.0),
        // A target that the features know: κ falls.
        4 => u = x.slice(s![.., ..width]).sum_axis(ndarray::Axis(1)),
        _ => {}
    }
    points.row_mut(0).assign(&x.row(row));
    points.row_mut(1).fill(0.0);
    points.row_mut(2).mapv_inplace(|cell| 50.0 * cell);
    let unit = [1.0, 1.0, 1e3, 1e-3][rng.gen_range(0..4)];
    let penalty = [None, None, Some(1e-6), Some(0.1), Some(1e3), Some(0.0)][rng.gen_range(0..6)];
    Case { features: Columns { width, places, free }, x: x * unit, u, points: points * unit, penalty }
}

/// Compares every rank of some multiples at every point; the values of single rows cannot be pruned.
fn check(hat: &Hat, points: &Array2<f64>, rows: &[usize], multiples: &[f64], scaled: bool, what: &str) {
    let single = |k: usize| {
        let asked = [Asked { multiples: &multiples[k..=k], scaled, rank: 1 }];
        hat.order_statistics(points.view(), &rows[k..=k], &asked).unwrap().column(0).to_owned()
    };
    let values: Vec<Array1<f64>> = (0..rows.len()).map(single).collect();
    let asked: Vec<Asked> = (0..=rows.len() + 1).map(|rank| Asked { multiples, scaled, rank }).collect();
    let found = hat.order_statistics(points.view(), rows, &asked).unwrap();
    for t in 0..points.nrows() {
        let own: Vec<f64> = values.iter().map(|values| values[t]).collect();
        assert!(own.iter().all(|value| !value.is_nan()), "{what}: {own:?}");
        let size = own.iter().filter(|value| value.is_finite()).fold(0.0f64, |size, value| size.max(value.abs()));
        for rank in 0..=rows.len() + 1 {
            let (found, expected) = (found[[t, rank]], order_statistic(own.iter().copied(), rank));
            let is_close = found == expected || (found - expected).abs() <= 1e-11 * size;
            assert!(is_close, "{what}, rank {rank} at {t}: {found} against {expected}");
        }
    }
}

/// Every rank of every rule's multiples, of one case; the number of different κ.
fn all_ranks(seed: u64) -> usize {
    let Case { features, x, u, points, penalty } = case(seed);
    let (n, width) = (x.nrows(), features.width);
    let what = format!("seed {seed}, n = {n}, p = {width}, penalty {penalty:?}");
    let hat = match Hat::new(Arc::new(features), Arc::new(x), u, penalty) {
        Ok(hat) => hat,
        Err(Error::Alone { .. }) if penalty == Some(0.0) => return 0,
        Err(error) => panic!("{what}: {error}"),
    };
    let (scores, residuals) = (hat.scores().to_vec(), hat.residuals());
    assert!(residuals.iter().all(|residual| residual.is_finite()), "{what}");
    assert!(scores.iter().all(|score| !score.is_nan()), "{what}");
    let rows: Vec<usize> = (0..n).collect();
    let sizes: Vec<f64> = scores.iter().map(|score| score.abs()).collect();
    let below: Vec<f64> = sizes.iter().map(|size| -size).collect();
    for multiples in [&sizes, &below, &scores] {
        check(&hat, &points, &rows, multiples, true, &what);
    }
    check(&hat, &points, &rows, &residuals.mapv(f64::abs).to_vec(), false, &what);
    // Some rows only, as where the others were shown to the model.
    let some: Vec<usize> = rows.iter().copied().filter(|i| i % 3 != 1).collect();
    check(&hat, &points, &some, &some.iter().map(|&i| sizes[i]).collect::<Vec<f64>>(), true, &what);
    hat.levels.len()
}

#[test]
fn pruning_changes_no_order_statistic() {
    let levels: Vec<usize> = (0..1500).into_par_iter().map(all_ranks).collect();
    for count in 1..=3 {
        let cases = levels.iter().filter(|&&levels| levels == count).count();
        assert!(cases > 50, "{cases} cases have {count} different κ");
    }
}

#[test]
#[ignore = "thirty thousand cases take minutes"]
fn pruning_changes_no_order_statistic_of_many_more() {
    (1500..31_500).into_par_iter().for_each(|seed| {
        all_ranks(seed);
    });
}
