//! What must not change anything: the order of the rows, units, rotations, threads, what else is asked.

use jackknife::prelude::*;
use ndarray::{Array2, Axis, s};
use rand::seq::SliceRandom;

use crate::given::{Given, close, normal, rows, seeded};

const RULES: [Rule; 6] = [Rule::Nested, Rule::Signed, Rule::Full, Rule::Laplace, Rule::Plus, Rule::Minmax];

/// Fewer and more features than rows, with and without a free intercept, with places and by columns.
fn cases() -> Vec<(Given, Sample, Array2<f64>)> {
    let sizes = [(40, 5, 2, false), (40, 6, 0, false), (40, 6, 2, true), (25, 60, 2, false), (25, 40, 0, true)];
    let case = |(k, &(n, width, places, free)): (usize, &(usize, usize, usize, bool))| {
        let mut sample = rows(n + 6, width + places + 1, 200 + k as u64);
        let x = sample.x().select(Axis(0), &(n..n + 6).collect::<Vec<_>>());
        sample = sample.rows(&(0..n).collect::<Vec<_>>()).unwrap();
        (Given { free, ..Given::new(width, places) }, sample, x)
    };
    sizes.iter().enumerate().map(case).collect()
}

fn made(how: &Given, sample: &Sample) -> LeaveOneOut {
    LeaveOneOut::tangent_of(how.clone(), sample, &Tangent::default()).unwrap()
}

/// Compares the ends of every rule: `a` against `scale` times those of `b`.
fn same(a: &LeaveOneOut, xa: &Array2<f64>, b: &LeaveOneOut, xb: &Array2<f64>, scale: f64, what: &str) {
    for rule in RULES {
        let (a, b) = (a.intervals(rule, xa, 0.1).unwrap(), b.intervals(rule, xb, 0.1).unwrap());
        close(&a.lower, &(b.lower * scale), 1e-8, scale, &format!("{what}, {rule}: lower end"));
        close(&a.upper, &(b.upper * scale), 1e-8, scale, &format!("{what}, {rule}: upper end"));
    }
    let (a, b) = (a.expected_error(xa).unwrap(), b.expected_error(xb).unwrap());
    close(&a, &(b * scale), 1e-8, scale, &format!("{what}: expected error"));
}

#[test]
fn the_order_of_the_rows_does_not_matter() {
    for (k, (how, sample, x)) in cases().into_iter().enumerate() {
        let mut order: Vec<usize> = (0..sample.len()).collect();
        order.shuffle(&mut seeded(k as u64));
        let shuffled = sample.rows(&order).unwrap();
        same(&made(&how, &shuffled), &x, &made(&how, &sample), &x, 1.0, &format!("case {k}"));
    }
}

#[test]
fn the_units_of_the_target_do_not_matter() {
    for (k, (how, sample, x)) in cases().into_iter().enumerate() {
        for scale in [1e-6, 7.0, 1e9] {
            // The offset is the last column; without places it is a measure too, but in units of its own.
            let scaled = |x: &Array2<f64>| {
                let mut x = x.clone();
                x.column_mut(x.ncols() - 1).mapv_inplace(|offset| offset * scale);
                x
            };
            let same_measure = how.places > 0 || scale.log2().fract() == 0.0;
            if !same_measure {
                continue;
            }
            let other = Sample::new(scaled(sample.x()), sample.y() * scale).unwrap();
            same(&made(&how, &other), &scaled(&x), &made(&how, &sample), &x, scale, &format!("case {k}, {scale:e}"));
        }
    }
}

#[test]
fn rotated_features_are_the_same_features() {
    for (k, (how, sample, x)) in cases().into_iter().enumerate().filter(|(_, (how, ..))| how.places > 0) {
        // Reflections, one after another, at planes at random.
        let mut rng = seeded(31 + k as u64);
        let mirrors = normal(&mut rng, (5, how.width));
        let rotated = |x: &Array2<f64>| {
            let mut x = x.clone();
            for mirror in mirrors.rows() {
                let part = x.slice(s![.., ..how.width]).dot(&mirror) * (2.0 / mirror.dot(&mirror));
                let change = part.insert_axis(Axis(1)).dot(&mirror.insert_axis(Axis(0)));
                x.slice_mut(s![.., ..how.width]).zip_mut_with(&change, |cell, change| *cell -= change);
            }
            x
        };
        let other = Sample::new(rotated(sample.x()), sample.y().clone()).unwrap();
        same(&made(&how, &other), &rotated(&x), &made(&how, &sample), &x, 1.0, &format!("case {k}"));
    }
}

#[test]
fn features_of_any_size_give_the_same_intervals() {
    // The grid of κ is of powers of two: it finds the same ridge wherever it has to grow to.
    for (n, d, seed) in [(40, 5, 77), (40, 12, 78), (40, 60, 79), (40, 60, 80), (40, 60, 81), (40, 60, 82)] {
        let sample = rows(n + 5, d, seed);
        let (x, y) = (sample.x().slice(s![..n, ..]), sample.y().slice(s![..n]));
        let test = sample.x().slice(s![n.., ..]).to_owned();
        let made = |unit: f64| {
            let train = Sample::new(&x * unit, y.to_owned()).unwrap();
            let model = Ridge::new(1.0).fit(&train).unwrap();
            LeaveOneOut::tangent(&model, &train, &Tangent::default().likelihood(true)).unwrap()
        };
        let is_at_end = |loo: &LeaveOneOut| loo.notes().iter().any(|note| note.contains("end of its grid"));
        if is_at_end(&made(1.0)) {
            continue;
        }
        for power in [40, -40, 13, -13] {
            let unit = 2f64.powi(power);
            assert!(!is_at_end(&made(unit)), "n = {n}, unit 2^{power}: {:?}", made(unit));
            same(&made(unit), &(&test * unit), &made(1.0), &test, 1.0, &format!("n = {n}, d = {d}, unit 2^{power}"));
        }
        if d > n {
            return;
        }
    }
    panic!("none of the tables with more features than rows has a κ inside the grid");
}

#[test]
fn threads_and_company_change_no_bit() {
    for (k, (how, sample, x)) in cases().into_iter().enumerate() {
        let work = || {
            let loo = made(&how, &sample);
            RULES.map(|rule| loo.intervals(rule, &x, 0.1).unwrap())
        };
        let on = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work);
        assert!(on(1) == on(2), "case {k}");
        let loo = made(&how, &sample);
        for (t, together) in loo.nested(&x, 0.1).unwrap().upper.into_iter().enumerate() {
            let alone = loo.nested(&x.slice(s![t..t + 1, ..]).to_owned(), 0.1).unwrap().upper[0];
            assert!((alone - together).abs() < 1e-12 * together.abs(), "case {k}: {alone} {together}");
        }
    }
}
