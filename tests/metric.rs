//! What the metrics claim: published numbers, identities, and refusals.

use approx::{assert_abs_diff_eq, assert_relative_eq};
use jackknife::metric::interpolation::interpolated;
use jackknife::prelude::*;
use ndarray::{Array1, Array2, array};

/// Intervals at α = 0.1 with the given ends around 0.
fn intervals(lower: Vec<f64>, upper: Vec<f64>) -> Intervals {
    let prediction = Array1::zeros(lower.len());
    let (lower, upper) = (lower.into(), upper.into());
    Intervals::new(prediction, lower, upper, 0.1, Method::Pair(Engine::Given, Rule::Plus)).unwrap()
}

/// Labels and scores with many ties, from a small generator of its own.
fn labels_and_scores(n: usize) -> (Vec<bool>, Array1<f64>) {
    let mut state = 7_u64;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % below
    };
    let rows: Vec<(bool, f64)> = (0..n).map(|_| (draw(4) == 0, draw(20) as f64 - 10.0)).collect();
    let (labels, scores): (Vec<bool>, Vec<f64>) = rows.into_iter().unzip();
    (labels, scores.into())
}

/// P(X = k) for X ~ Binomial(n, p), by the definition.
fn probability(k: usize, n: usize, p: f64) -> f64 {
    let ways: f64 = (1..=k).map(|j| (n - k + j) as f64 / j as f64).product();
    ways * p.powi(k as i32) * (1.0 - p).powi((n - k) as i32)
}

// Coverage and its interval.

#[test]
fn the_exact_interval_agrees_with_published_tables() {
    // Clopper & Pearson's 95 % limits as tables of the binomial print them, to four digits.
    for (covered, of, low, high) in [(0, 10, 0.0, 0.3085), (8, 10, 0.4439, 0.9748), (5, 100, 0.0164, 0.1128)] {
        let coverage = Coverage::from_counts(covered, of).unwrap();
        assert_abs_diff_eq!(coverage.low, low, epsilon = 5e-5);
        assert_abs_diff_eq!(coverage.high, high, epsilon = 5e-5);
    }
}

#[test]
fn the_exact_interval_agrees_with_the_example_of_r() {
    // `binom.test(682, 925)` in the documentation of R: 0.7076683 0.7654066.
    let coverage = Coverage::from_counts(682, 925).unwrap();
    assert_abs_diff_eq!(coverage.low, 0.7076683, epsilon = 5e-8);
    assert_abs_diff_eq!(coverage.high, 0.7654066, epsilon = 5e-8);
}

#[test]
fn the_exact_interval_leaves_a_fortieth_on_either_side() {
    for (k, n) in [(1, 1), (1, 9), (4, 9), (9, 9), (27, 30), (150, 200)] {
        let coverage = Coverage::from_counts(k, n).unwrap();
        let above: f64 = (k..=n).map(|j| probability(j, n, coverage.low)).sum();
        assert_relative_eq!(above, 0.025, epsilon = 1e-12, max_relative = 1e-10);
        if k < n {
            let below: f64 = (0..=k).map(|j| probability(j, n, coverage.high)).sum();
            assert_relative_eq!(below, 0.025, epsilon = 1e-12, max_relative = 1e-10);
        }
    }
}

#[test]
fn the_exact_interval_contains_any_true_rate_often_enough() {
    let each: Vec<Coverage> = (0..=20).map(|k| Coverage::from_counts(k, 20).unwrap()).collect();
    for step in 1..1000 {
        let p = f64::from(step) / 1000.0;
        let inside: f64 = (0..=20).filter(|&k| each[k].contains(p)).map(|k| probability(k, 20, p)).sum();
        assert!(inside >= 0.95, "{inside} at {p}");
    }
}

#[test]
fn covered_and_missed_rows_mirror_each_other() {
    let (covered, missed) = (Coverage::from_counts(56, 62).unwrap(), Coverage::from_counts(6, 62).unwrap());
    assert_abs_diff_eq!(covered.low, 1.0 - missed.high, epsilon = 1e-15);
    assert_abs_diff_eq!(covered.high, 1.0 - missed.low, epsilon = 1e-15);
}

#[test]
fn a_million_rows_come_to_the_normal_approximation() {
    let coverage = Coverage::from_counts(900_000, 1_000_000).unwrap();
    // 1.959964·√(0.9·0.1/10⁶), up to a correction of the order 1/n.
    assert_abs_diff_eq!(coverage.high - coverage.low, 2.0 * 5.87989e-4, epsilon = 2e-6);
}

#[test]
fn the_coverage_interval_is_about_the_coverage() {
    let coverage = intervals(vec![-1.0; 4], vec![1.0; 4]).coverage(&array![0.0, 1.0, 2.0, -0.5]).unwrap();
    assert_eq!((coverage.covered, coverage.of, coverage.rate), (3, 4, 0.75));
}

#[test]
fn a_coverage_without_rows_is_refused() {
    let error = intervals(vec![], vec![]).coverage(&array![]).unwrap_err();
    assert!(error.to_string().starts_with("a coverage needs at least 1 rows, but there are 0"), "{error}");
    assert!(Coverage::from_counts(3, 2).unwrap_err().to_string().contains("3 of 2 rows cannot be covered"));
}

// Errors and widths.

#[test]
fn the_interval_score_fines_what_is_missed() {
    // Width 2 in every row; a miss by 1 costs 2/0.1 = 20 more.
    let score = intervals(vec![0.0; 3], vec![2.0; 3]).interval_score(&array![1.0, -1.0, 3.0]).unwrap();
    assert_relative_eq!(score, (2.0 + 22.0 + 22.0) / 3.0, max_relative = 1e-15);
}

#[test]
fn the_interval_score_is_least_at_the_true_quantiles() {
    let y: Array1<f64> = (0..2000).map(|k| (f64::from(k) + 0.5) / 2000.0).collect();
    let score = |low: f64, high: f64| intervals(vec![low; 2000], vec![high; 2000]).interval_score(&y).unwrap();
    let best = score(0.05, 0.95);
    for (low, high) in [(0.03, 0.95), (0.07, 0.95), (0.05, 0.93), (0.05, 0.97), (0.0, 0.9), (0.1, 1.0)] {
        assert!(score(low, high) > best + 1e-4, "[{low}, {high}]");
    }
}

#[test]
fn an_infinite_interval_spoils_the_mean_width_and_not_the_median() {
    let infinite = intervals(vec![-1.0, f64::NEG_INFINITY, -2.0], vec![1.0, 0.0, 1.0]);
    assert_eq!(infinite.mean_width(), f64::INFINITY);
    assert_eq!(infinite.median_width(), 3.0);
    assert_eq!(infinite.interval_score(&array![0.0, 0.0, 0.0]).unwrap(), f64::INFINITY);
}

#[test]
fn quantiles_between_ranks_are_those_of_numpy() {
    // `numpy.percentile([[10, 7, 4], [3, 2, 1]], 50)` in its documentation: 3.5.
    assert_eq!(interpolated(&[10.0, 7.0, 4.0, 3.0, 2.0, 1.0], 0.5), 3.5);
    assert_relative_eq!(interpolated(&[0.0, 10.0], 0.9), 9.0, max_relative = 1e-15);
    assert_eq!(interpolated(&[1.0, f64::INFINITY, f64::INFINITY], 0.75), f64::INFINITY);
}

#[test]
fn one_target_is_not_spread_over_many_predictions() {
    let error = rmse(&array![1.0], &array![1.0, 2.0]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "targets and predictions (at least one): 1 against 2: give arrays of one and the same table"
    );
    assert!(rmse(&array![], &array![]).is_err());
}

// Rankings.

#[test]
fn rankings_agree_with_the_examples_of_scikit_learn() {
    let (positive, score) = ([false, false, true, true], array![0.1, 0.4, 0.35, 0.8]);
    // average_precision_score: 0.83; roc_auc_score: 0.75; precision_recall_curve: the three arrays.
    assert_relative_eq!(average_precision(&positive, &score).unwrap(), 5.0 / 6.0, max_relative = 1e-15);
    assert_eq!(auroc(&positive, &score).unwrap(), 0.75);
    let curve = PrecisionRecall::from_scores(&positive, &score).unwrap();
    assert_eq!(curve.precision, array![0.5, 2.0 / 3.0, 0.5, 1.0, 1.0]);
    assert_eq!(curve.recall, array![1.0, 1.0, 0.5, 0.5, 0.0]);
    assert_eq!(curve.threshold, array![0.1, 0.35, 0.4, 0.8]);
}

#[test]
fn a_perfect_ranking_has_precision_and_area_one() {
    let (positive, score) = ([true, false, true, false, false], array![9.0, 1.0, 8.0, 2.0, 3.0]);
    assert_eq!(average_precision(&positive, &score).unwrap(), 1.0);
    assert_eq!(auroc(&positive, &score).unwrap(), 1.0);
    assert_eq!(auroc(&positive, &-score).unwrap(), 0.0);
}

#[test]
fn a_constant_score_reaches_the_prevalence_and_one_half() {
    let (positive, _) = labels_and_scores(200);
    let score = Array1::from_elem(200, 3.0);
    let prevalence = positive.iter().filter(|&&positive| positive).count() as f64 / 200.0;
    assert_relative_eq!(average_precision(&positive, &score).unwrap(), prevalence, max_relative = 1e-15);
    assert_eq!(auroc(&positive, &score).unwrap(), 0.5);
}

#[test]
fn rankings_do_not_change_under_monotone_maps() {
    let (positive, score) = labels_and_scores(300);
    for map in [f64::exp as fn(f64) -> f64, |s| s.powi(3), |s| 2.0 * s - 7.0] {
        let mapped = score.mapv(map);
        assert_eq!(auroc(&positive, &mapped), auroc(&positive, &score));
        assert_eq!(average_precision(&positive, &mapped), average_precision(&positive, &score));
    }
}

#[test]
fn the_area_under_the_roc_curve_counts_pairs() {
    let (positive, score) = labels_and_scores(120);
    let (mut sum, mut pairs) = (0.0, 0.0);
    for a in (0..120).filter(|&row| positive[row]) {
        for b in (0..120).filter(|&row| !positive[row]) {
            pairs += 1.0;
            sum += if score[a] > score[b] {
                1.0
            } else if score[a] == score[b] {
                0.5
            } else {
                0.0
            };
        }
    }
    assert_relative_eq!(auroc(&positive, &score).unwrap(), sum / pairs, max_relative = 1e-14);
}

#[test]
fn the_average_precision_is_the_area_under_the_steps_of_the_curve() {
    let (positive, score) = labels_and_scores(300);
    let curve = PrecisionRecall::from_scores(&positive, &score).unwrap();
    assert_eq!(curve.threshold.len(), 20);
    assert_relative_eq!(curve.average_precision(), average_precision(&positive, &score).unwrap(), max_relative = 1e-13);
}

#[test]
fn infinite_scores_tie_and_so_do_the_two_zeros() {
    let infinite = array![f64::INFINITY, f64::INFINITY, 1.0];
    assert_eq!(average_precision(&[true, false, false], &infinite).unwrap(), 0.5);
    assert_eq!(auroc(&[true, false], &array![-0.0, 0.0]).unwrap(), 0.5);
}

#[test]
fn rankings_refuse_what_cannot_be_ranked() {
    let says = |answer: Result<f64>, words: &str| {
        let error = answer.unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    says(average_precision(&[true], &array![1.0, 2.0]), "labels and scores: 1 against 2");
    says(average_precision(&[false, false], &array![1.0, 2.0]), "no label is positive");
    says(average_precision(&[], &array![]), "no label is positive");
    says(average_precision(&[true, false], &array![1.0, f64::NAN]), "a score is not a finite number");
    says(auroc(&[true, true], &array![1.0, 2.0]), "every label is positive");
    says(average_precision_interval(&[true], &array![1.0], 0, 0).map(|ends| ends.0), "the number of resamples is 0");
}

// The bootstrap.

#[test]
fn resamples_without_a_positive_are_drawn_again() {
    // The negative comes first. Of the resamples with a positive, a third has no negative (precision 1), the others
    // have one of each (precision ½): both levels lie well inside the 95 % interval, and nothing else occurs.
    let ends = average_precision_interval(&[false, true], &array![2.0, 1.0], 1000, 3).unwrap();
    assert_eq!(ends, (0.5, 1.0));
}

#[test]
fn the_bootstrap_depends_on_its_seed_alone() {
    let (positive, score) = labels_and_scores(80);
    let ends = |seed| average_precision_interval(&positive, &score, 200, seed).unwrap();
    assert_eq!(ends(1), ends(1));
    assert_ne!(ends(1), ends(2));
}

#[test]
fn more_rows_make_the_bootstrap_interval_narrower() {
    let width = |n| {
        let (positive, score) = labels_and_scores(n);
        let (low, high) = average_precision_interval(&positive, &score, 500, 0).unwrap();
        let precision = average_precision(&positive, &score).unwrap();
        assert!(low < precision && precision < high);
        high - low
    };
    // As 1/√n: a tenth, with room for the noise of 500 resamples.
    let ratio = width(10_000) / width(100);
    assert!(ratio > 0.05 && ratio < 0.2, "{ratio}");
}

// Discrimination.

#[test]
fn errors_above_the_ninetieth_percentile_are_positive() {
    let y: Array1<f64> = (1..=10).map(f64::from).collect();
    let wide = intervals(vec![0.0; 10], (1..=10).map(f64::from).collect()).discrimination(&y, 0).unwrap();
    // numpy's quantile of 1 … 10 at 0.9 is 9.1: only the error of 10 exceeds it, and its interval is the widest.
    assert_eq!((wide.prevalence, wide.average_precision, wide.auroc), (0.1, 1.0, 1.0));
    assert_eq!((wide.low, wide.high), (1.0, 1.0));
}

#[test]
fn a_constant_width_discriminates_nothing_even_after_rounding() {
    let centre: Array1<f64> = (0..50).map(|k| 0.1 * f64::from(k)).collect();
    let y: Array1<f64> = (0..50).map(|k| 0.1 * f64::from(k) + f64::from(k * k % 37)).collect();
    let method = Method::Pair(Engine::Given, Rule::Jackknife);
    let constant = Intervals::new(centre.clone(), &centre - 0.3, &centre + 0.3, 0.1, method).unwrap();
    assert!(constant.width().iter().any(|&width| width != constant.width()[0])); // the trap is there
    let answer = constant.discrimination(&y, 0).unwrap();
    assert_relative_eq!(answer.average_precision, answer.prevalence, max_relative = 1e-14);
    assert_eq!(answer.auroc, 0.5);
}

#[test]
fn infinite_intervals_discriminate_too() {
    let mut upper = vec![1.0; 20];
    upper[3] = f64::INFINITY;
    let mut y = Array1::zeros(20);
    y[3] = 5.0;
    let answer = intervals(vec![-1.0; 20], upper).discrimination(&y, 0).unwrap();
    assert_eq!((answer.average_precision, answer.auroc), (1.0, 1.0));
}

#[test]
fn errors_that_are_all_alike_are_refused() {
    let error = intervals(vec![-1.0; 5], vec![1.0; 5]).discrimination(&Array1::ones(5), 0).unwrap_err();
    assert!(error.to_string().contains("none of the 5 errors exceeds their 90 % quantile 1"), "{error}");
}

// Slices.

/// Ten rows whose widths are 2, 4, … 20, around 0.
fn ten() -> Intervals {
    let half: Vec<f64> = (1..=10).map(f64::from).collect();
    intervals(half.iter().map(|half| -half).collect(), half)
}

#[test]
fn coverage_by_width_goes_from_narrow_to_wide() {
    let groups = ten().coverage_by_width(&Array1::from_elem(10, 2.5)).unwrap();
    let rates: Vec<f64> = groups.iter().map(|group| group.coverage.rate).collect();
    assert_eq!(rates, [0.0, 1.0, 1.0, 1.0, 1.0]);
    assert!(groups.iter().all(|group| group.coverage.of == 2));
    assert_eq!((groups[0].from, groups[0].to), (2.0, 4.0));
}

#[test]
fn equal_widths_stay_in_one_group() {
    assert_eq!(intervals(vec![-1.0; 7], vec![1.0; 7]).coverage_by_width(&Array1::zeros(7)).unwrap().len(), 1);
}

#[test]
fn the_worst_slice_is_named_with_its_range() {
    let falling: Vec<f64> = (0..10).map(|k| 9.0 - f64::from(k)).collect();
    let x =
        Array2::from_shape_fn((10, 2), |(row, column)| if column == 0 { (row * 7 % 10) as f64 } else { falling[row] });
    // The two narrowest intervals miss: rows 0 and 1, where `falling` is 9 and 8.
    let names = vec!["shuffled".to_string(), "falling".to_string()];
    let test = Sample::named(x, Array1::from_elem(10, 2.5), names, "y").unwrap();
    let worst = ten().worst_slice(&test).unwrap();
    assert_eq!((worst.feature.as_str(), worst.from, worst.to), ("falling", 7.0, 9.0));
    assert_eq!((worst.coverage.covered, worst.coverage.of), (1, 3));
}

#[test]
fn the_slices_of_a_feature_have_every_row_once() {
    let (train, test) = Table::BostonHousing.load().split(0.3, 2).unwrap();
    let intervals = LeaveOneOut::closed_form(&Ridge::new(0.1), &train).unwrap().jackknife_plus(test.x(), 0.1).unwrap();
    let slices = intervals.coverage_by_feature(&test).unwrap();
    let all = intervals.coverage(test.y()).unwrap();
    for name in test.features() {
        let own = || slices.iter().filter(|slice| slice.feature == *name);
        assert_eq!(own().map(|slice| slice.coverage.of).sum::<usize>(), test.len(), "{name}");
        assert_eq!(own().map(|slice| slice.coverage.covered).sum::<usize>(), all.covered, "{name}");
    }
    // Whether the tract bounds the river is 0 or 1.
    assert_eq!(slices.iter().filter(|slice| slice.feature == "chas").count(), 2);
}

#[test]
fn one_unlucky_row_does_not_hide_a_real_gap() {
    // The indicator `rare` has one row, missed; `half` has 20 of which 10 are missed.
    let x = Array2::from_shape_fn((40, 2), |(row, column)| f64::from(if column == 0 { row == 0 } else { row < 20 }));
    let y = Array1::from_shape_fn(40, |row| if row < 10 { 5.0 } else { 0.0 });
    let test = Sample::named(x, y, vec!["rare".to_string(), "half".to_string()], "y").unwrap();
    let worst = intervals(vec![-1.0; 40], vec![1.0; 40]).worst_slice(&test).unwrap();
    assert_eq!((worst.feature.as_str(), worst.from, worst.coverage.of), ("half", 1.0, 20));
}

// All together.

#[test]
fn the_metrics_are_those_that_the_parts_give() {
    let (train, test) = Table::Yacht.load().split(0.2, 0).unwrap();
    let loo = LeaveOneOut::closed_form(&Ridge::new(0.01), &train).unwrap();
    let intervals = loo.studentised(test.x(), 0.1).unwrap();
    let metrics = intervals.metrics(&test, 4).unwrap();
    assert_eq!(metrics.coverage, intervals.coverage(test.y()).unwrap());
    assert_eq!(metrics.discrimination, Some(intervals.discrimination(test.y(), 4).unwrap()));
    assert_eq!(metrics.by_width, intervals.coverage_by_width(test.y()).unwrap());
    assert_eq!(metrics.worst, intervals.worst_slice(&test).unwrap());
    assert_eq!(metrics.rmse, rmse(test.y(), &intervals.prediction).unwrap());
    assert_eq!(metrics.width_median, intervals.median_width());
}

#[test]
fn the_metrics_read_as_a_table() {
    let (train, test) = Table::Yacht.load().split(0.2, 0).unwrap();
    let loo = LeaveOneOut::closed_form(&Ridge::new(0.01), &train).unwrap();
    let table = format!("{:?}", loo.jackknife_plus(test.x(), 0.1).unwrap().metrics(&test, 0).unwrap());
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines[0], "jackknife+ (closed form) on 62 rows, 90 % asked for");
    assert!(lines[1].starts_with("  coverage           0."), "{table}");
    assert!(lines[8].starts_with("  worst slice        `"), "{table}");
    assert_eq!(lines.len(), 9);
}

#[test]
fn a_single_test_row_has_metrics_without_discrimination() {
    let test = Sample::new(array![[1.0]], array![0.5]).unwrap();
    let metrics = intervals(vec![-1.0], vec![1.0]).metrics(&test, 0).unwrap();
    assert_eq!(metrics.discrimination, None);
    assert_eq!(metrics.coverage.rate, 1.0);
}

#[test]
fn intervals_and_rows_that_do_not_belong_together_are_refused() {
    let test = Sample::new(array![[1.0], [2.0]], array![0.5, 0.6]).unwrap();
    let error = intervals(vec![-1.0; 3], vec![1.0; 3]).metrics(&test, 0).unwrap_err();
    assert_eq!(error.to_string(), "targets and intervals: 2 against 3: give arrays of one and the same table");
    // The fields are public, so that they may be changed.
    let mut broken = intervals(vec![-1.0; 2], vec![1.0; 2]);
    broken.upper = Array1::ones(3);
    assert!(broken.metrics(&test, 0).is_err() && broken.interval_score(test.y()).is_err());
}

#[test]
fn a_target_that_is_no_number_is_refused() {
    let error = intervals(vec![-1.0; 2], vec![1.0; 2]).interval_score(&array![0.0, f64::NAN]).unwrap_err();
    assert!(error.to_string().contains("a target or a prediction is not a finite number"), "{error}");
}
