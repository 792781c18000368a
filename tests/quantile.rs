//! Ranks are exact, and Q⁺ and Q⁻ mirror each other.

use jackknife::quantile::{lower, lower_rank, order_statistic, upper, upper_rank};

/// α as a fraction of two integers, and as a careless user would type or compute it.
fn grid() -> Vec<(u128, u128, f64)> {
    let mut grid = Vec::new();
    for k in 1..200 {
        grid.push((k, 200, k as f64 / 200.0));
        grid.push((k, 200, 1.0 - (200 - k) as f64 / 200.0));
        grid.push((k, 1000, k as f64 * 0.001));
        grid.push((k, 1000, 1.0 - (1000 - k) as f64 * 0.001));
    }
    for (top, bottom) in [(1, 3), (2, 3), (1, 7), (5, 7), (1, 9), (1, 11), (1, 999), (1, 10_000), (9_999, 10_000)] {
        grid.push((top, bottom, top as f64 / bottom as f64));
        grid.push((top, bottom, 1.0 - (bottom - top) as f64 / bottom as f64));
    }
    grid
}

#[test]
fn ranks_are_those_of_exact_integer_arithmetic_for_every_n_up_to_two_thousand() {
    for (top, bottom, alpha) in grid() {
        for n in 1..=2000_u128 {
            let floor = top * (n + 1) / bottom;
            let ceiling = ((bottom - top) * (n + 1)).div_ceil(bottom);
            let n = n as usize;
            assert_eq!(lower_rank(n, alpha).unwrap() as u128, floor, "α = {top}/{bottom} as {alpha}, n = {n}");
            assert_eq!(upper_rank(n, alpha).unwrap() as u128, ceiling, "α = {top}/{bottom} as {alpha}, n = {n}");
        }
    }
}

#[test]
fn the_lower_quantile_mirrors_the_upper_one() {
    for n in 1..60 {
        let values: Vec<f64> = (0..n).map(|k| f64::from(k * 37 % 61).sin()).collect();
        let mirrored: Vec<f64> = values.iter().map(|value| -value).collect();
        for alpha in [0.01, 0.1, 0.25, 0.5, 0.9] {
            assert_eq!(lower(&values, alpha).unwrap(), -upper(&mirrored, alpha).unwrap());
        }
    }
}

#[test]
fn order_statistics_are_those_of_sorting() {
    let values: Vec<f64> =
        (0..500).map(|k| f64::from(k * 7919 % 503 - 250) / 16.0).chain([-0.0, 0.0, 1e300, -1e-300]).collect();
    let mut sorted = values.clone();
    sorted.sort_by(f64::total_cmp);
    for rank in 1..=values.len() {
        assert_eq!(order_statistic(values.iter().copied(), rank).to_bits(), sorted[rank - 1].to_bits());
    }
    assert_eq!(order_statistic(values.iter().copied(), 0), f64::NEG_INFINITY);
    assert_eq!(order_statistic(values.iter().copied(), values.len() + 1), f64::INFINITY);
}

#[test]
fn a_level_outside_the_open_unit_interval_is_refused() {
    for alpha in [0.0, 1.0, -0.1, 1.1, f64::NAN, f64::INFINITY] {
        let message = lower_rank(10, alpha).unwrap_err().to_string();
        assert!(message.starts_with(&format!("alpha is {alpha}, but")), "{message}");
    }
}
