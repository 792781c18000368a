//! The order statistics with pruning against those of all rows, on rows that make it hard.

use ndarray::{Array1, Array2, ArrayView2, s};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use std::sync::Arc;

use super::{Asked, Hat, Plan};
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
fn check(
    hat: &Hat,
    points: &Array2<f64>,
    rows: &[usize],
    multiples: &[f64],
    scaled: bool,
    (what, tolerance): (&str, f64),
) {
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
            let is_close = found == expected || (found - expected).abs() <= tolerance * size;
            assert!(is_close, "{what}, rank {rank} at {t}: {found} against {expected}");
        }
    }
}

/// Everything kept, and every row a possible neighbour.
const WHOLE: Plan = Plan { pool: None, streamed: false };

/// Every rank of every rule's multiples, of one case; the number of different κ.
fn all_ranks(seed: u64, plan: &Plan) -> usize {
    let Case { features, x, u, points, penalty } = case(seed);
    let (n, width) = (x.nrows(), features.width);
    let what = format!("seed {seed}, n = {n}, p = {width}, penalty {penalty:?}, {plan:?}");
    let hat = match Hat::by(plan, Arc::new(features), Arc::new(x), u, penalty) {
        Ok(hat) => hat,
        Err(Error::Alone { .. }) if penalty == Some(0.0) => return 0,
        Err(error) => panic!("{what}: {error}"),
    };
    // Of rows that are made again 1 − h, at least κ/(λ₁+κ), has the digits that the Gram matrix leaves it.
    let least = hat.levels.iter().map(|level| level.kappa).fold(f64::INFINITY, f64::min);
    let condition = hat.spectrum.values[0] / least;
    let tolerance = if plan.streamed && width <= n { (1e-14 * condition * condition).max(1e-9) } else { 1e-11 };
    if tolerance > 1e-6 {
        return 0;
    }
    let (scores, residuals) = (hat.scores().to_vec(), hat.residuals());
    assert!(residuals.iter().all(|residual| residual.is_finite()), "{what}");
    assert!(scores.iter().all(|score| !score.is_nan()), "{what}");
    let rows: Vec<usize> = (0..n).collect();
    let sizes: Vec<f64> = scores.iter().map(|score| score.abs()).collect();
    let below: Vec<f64> = sizes.iter().map(|size| -size).collect();
    for multiples in [&sizes, &below, &scores] {
        check(&hat, &points, &rows, multiples, true, (&what, tolerance));
    }
    check(&hat, &points, &rows, &residuals.mapv(f64::abs).to_vec(), false, (&what, tolerance));
    // Some rows only, as where the others were shown to the model.
    let some: Vec<usize> = rows.iter().copied().filter(|i| i % 3 != 1).collect();
    check(&hat, &points, &some, &some.iter().map(|&i| sizes[i]).collect::<Vec<f64>>(), true, (&what, tolerance));
    hat.levels.len()
}

#[test]
fn pruning_changes_no_order_statistic() {
    let levels: Vec<usize> = (0..1500).into_par_iter().map(|seed| all_ranks(seed, &WHOLE)).collect();
    for count in 1..=3 {
        let cases = levels.iter().filter(|&&levels| levels == count).count();
        assert!(cases > 50, "{cases} cases have {count} different κ");
    }
}

#[test]
#[ignore = "thirty thousand cases take minutes"]
fn pruning_changes_no_order_statistic_of_many_more() {
    (1500..31_500).into_par_iter().for_each(|seed| {
        all_ranks(seed, &WHOLE);
    });
}

#[test]
fn pruning_changes_no_order_statistic_of_rows_that_are_made_again_nor_with_a_pool() {
    let case =
        |seed: u64| all_ranks(seed, &Plan { pool: Some(12 + seed as usize % 40), streamed: !seed.is_multiple_of(3) });
    let compared = (0..1500).into_par_iter().map(case).filter(|&levels| levels > 0).count();
    assert!(compared > 700, "{compared}");
}

/// Normal features and a target that they half explain.
fn smooth(n: usize, width: usize, free: bool, seed: u64) -> Case {
    use rand_distr::{Distribution, StandardNormal};
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let x = Array2::from_shape_simple_fn((n, width), || StandardNormal.sample(&mut rng));
    let noise: Array1<f64> = Array1::from_shape_simple_fn(n, || StandardNormal.sample(&mut rng));
    let points = Array2::from_shape_simple_fn((40, width), || StandardNormal.sample(&mut rng));
    let u = x.sum_axis(ndarray::Axis(1)) + noise + 0.3;
    Case { features: Columns { width, places: 0, free }, x, u, points, penalty: None }
}

/// Everything that a rule asks for.
fn answers(hat: &Hat, points: &Array2<f64>) -> Vec<(&'static str, Array2<f64>)> {
    let x = points.view();
    let column = |numbers: &Array1<f64>| numbers.clone().insert_axis(ndarray::Axis(1));
    let rows: Vec<usize> = (0..hat.len()).collect();
    let (sizes, residuals) = (hat.scores().mapv(f64::abs).to_vec(), hat.residuals().mapv(f64::abs).to_vec());
    let rank = hat.len() * 9 / 10;
    let asked = [
        Asked { multiples: &sizes, scaled: true, rank },
        Asked { multiples: &residuals, scaled: false, rank },
        Asked { multiples: &sizes, scaled: true, rank: 1 },
    ];
    let full = hat.conformal(x, &rows, hat.len() / 20, rank);
    vec![
        ("order statistics", hat.order_statistics(x, &rows, &asked).unwrap()),
        ("scores", column(hat.scores())),
        ("residuals", column(&hat.residuals())),
        ("predictions", column(&hat.predictions(x))),
        ("predictions without a row", hat.without(x)),
        ("scales", column(&hat.scales(x))),
        ("deviations", column(&hat.deviations(x))),
        (
            "full conformal",
            Array2::from_shape_fn((x.nrows(), 2), |(t, end)| if end == 0 { full[t].0 } else { full[t].1 }),
        ),
    ]
}

/// The Gram matrix loses half of the digits of small eigenvalues, which these features do not have.
#[test]
fn rows_that_are_made_again_give_the_numbers_of_rows_that_are_kept() {
    let penalties = [None, Some(0.0), Some(0.01)];
    for (seed, free) in [(1, false), (2, true)] {
        for penalty in penalties {
            let Case { features, x, u, points, .. } = smooth(700, 23, free, seed);
            let hat = |streamed: bool| {
                let (x, plan) = (Arc::new(x.clone()), Plan { pool: Some(150), streamed });
                Hat::by(&plan, Arc::new(features.clone()), x, u.clone(), penalty).unwrap()
            };
            let (kept, made) = (hat(false), hat(true));
            assert_eq!(kept.kappas_without(), made.kappas_without());
            for ((what, kept), (_, made)) in answers(&kept, &points).into_iter().zip(answers(&made, &points)) {
                let apart = (kept - made).mapv(f64::abs).into_iter().fold(0.0, f64::max);
                assert!(apart < 1e-10, "{what}, penalty {penalty:?}, free {free}: {apart}");
            }
        }
    }
}

#[test]
fn threads_change_no_bit_of_rows_that_are_made_again() {
    let Case { features, x, u, points, .. } = smooth(3000, 300, true, 3);
    let plan = Plan { pool: Some(200), streamed: true };
    let work = || {
        let hat = Hat::by(&plan, Arc::new(features.clone()), Arc::new(x.clone()), u.clone(), None).unwrap();
        answers(&hat, &points)
    };
    let on = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work);
    assert_eq!(on(1), on(2));
}

/// The rows of the pool by hand: the scale around a point is made of them alone.
#[test]
fn neighbours_are_the_nearest_of_the_pool() {
    let Case { features, x, u, points, .. } = smooth(400, 5, false, 4);
    let plan = Plan { pool: Some(90), streamed: true };
    let pool = plan.drawn(400).unwrap();
    let hat = Hat::by(&plan, Arc::new(features), Arc::new(x.clone()), u, None).unwrap();
    assert_eq!(hat.candidates(), pool.len());
    let near = hat.places.nearest(0, hat.features(), points.view(), 20);
    for (point, near) in points.rows().into_iter().zip(near) {
        // Deviations of normal columns are near one, so that nothing is rescaled.
        let mut all: Vec<(f64, usize)> =
            pool.iter().map(|&j| ((&point - &x.row(j)).mapv(|d| d * d).sum(), j)).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        assert_eq!(near, all[..20].iter().map(|&(_, j)| j).collect::<Vec<_>>());
    }
}
