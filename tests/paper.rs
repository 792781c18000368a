//! The paper rebuilt: the folded scorer, the intervals of its program, its figures and its Table 2.

use jackknife::metric::interpolation::interpolated;
use jackknife::prelude::*;
use ndarray::Array1;
use rand::{Rng, SeedableRng, seq::SliceRandom};
use rand_distr::{Distribution, StandardNormal};
use rand_xoshiro::Xoshiro256PlusPlus;

fn on<T: Send>(threads: usize, work: impl Fn() -> T + Send + Sync) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

#[test]
fn the_fold_turns_everything_up_to_one_half() {
    let pairs = [(0.0, 1.0), (0.125, 0.875), (0.25, 0.75), (0.5, 0.5), (0.5625, 0.5625), (1.0, 1.0)];
    for (precision, folded) in pairs {
        assert_eq!(paper::fold(precision), folded);
    }
}

#[test]
fn the_quantiles_are_those_of_numpy() {
    // numpy.quantile's documentation: a = [[10, 7, 4], [3, 2, 1]], the median of all is 3.5, of the columns 6.5, 4.5, 2.5.
    assert_eq!(interpolated(&[10.0, 7.0, 4.0, 3.0, 2.0, 1.0], 0.5), 3.5);
    assert_eq!([[10.0, 3.0], [7.0, 2.0], [4.0, 1.0]].map(|column| interpolated(&column, 0.5)), [6.5, 4.5, 2.5]);
    // Its linear method: the place (n − 1)·q among the sorted, here 0.95·4 = 3.8 and 0.05·4 = 0.2.
    let values = [15.0, 20.0, 35.0, 40.0, 50.0];
    assert!((interpolated(&values, 0.95) - 48.0).abs() < 1e-12);
    assert!((interpolated(&values, 0.05) - 16.0).abs() < 1e-12);
    // So the interval of the authors' program, with all f₋ᵢ(x) at 100.
    let (lower, upper) = paper::interpolated_interval(&[100.0; 5], &values, 0.1);
    assert!((lower - 52.0).abs() < 1e-12 && (upper - 148.0).abs() < 1e-12, "{lower} {upper}");
}

#[test]
fn chance_is_the_mean_over_every_ranking() {
    // All 210 places of 4 positives among 10 rows.
    let (mut total, mut count) = (0.0, 0);
    for mask in 0..1_u32 << 10 {
        if mask.count_ones() == 4 {
            let positive: Vec<bool> = (0..10).map(|k| mask >> k & 1 == 1).collect();
            total += average_precision(&positive, &Array1::from_iter((0..10).map(f64::from))).unwrap();
            count += 1;
        }
    }
    assert_eq!(count, 210);
    assert!((paper::chance(4, 10) - total / 210.0).abs() < 1e-12);
    assert_eq!((paper::chance(3, 3), paper::chance(1, 1), paper::chance(0, 5)), (1.0, 1.0, 0.0));
}

#[test]
fn a_random_ranking_folds_to_what_looks_like_a_success() {
    // Test rows of yacht (as the authors' loader left it), housing, energy and kin8nm; errors above their 90 % quantile.
    let known = [(51, 5, 0.839), (102, 11, 0.854), (154, 16, 0.870), (1639, 164, 0.896)];
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(0);
    for (rows, positives, published) in known {
        let mut labels: Vec<bool> = (0..rows).map(|row| row < positives).collect();
        let score: Array1<f64> = (0..rows).map(f64::from).collect();
        let rounds = 2000;
        let precisions: Vec<f64> = (0..rounds)
            .map(|_| {
                labels.shuffle(&mut rng);
                average_precision(&labels, &score).unwrap()
            })
            .collect();
        let mean = |values: &[f64]| values.iter().sum::<f64>() / rounds as f64;
        let raw = mean(&precisions);
        let variance = precisions.iter().map(|p| (p - raw).powi(2)).sum::<f64>() / rounds as f64;
        // Four standard errors of the mean.
        let error = 4.0 * (variance / f64::from(rounds)).sqrt();
        assert!((raw - paper::chance(positives as usize, rows as usize)).abs() < error, "{rows}: {raw}");
        let folded = mean(&precisions.iter().map(|&p| paper::fold(p)).collect::<Vec<_>>());
        // The published numbers are simulated too, and have three digits.
        assert!((folded - published).abs() < error + 0.002, "{rows}: {folded}");
    }
}

#[test]
fn intervals_as_printed_aim_at_95_per_cent_and_exact_ranks_at_90() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut draw = || -> f64 { StandardNormal.sample(&mut rng) };
    let (rounds, n) = (4000, 200);
    let (mut printed, mut exact) = (0, 0);
    for _ in 0..rounds {
        // A model that knows the mean: its residuals are the noise itself.
        let residuals: Vec<f64> = (0..n).map(|_| draw().abs()).collect();
        let (lower, upper) = paper::interpolated_interval(&vec![0.0; n], &residuals, 0.1);
        let (new, half) = (draw(), jackknife::quantile::upper(&residuals, 0.1).unwrap());
        printed += usize::from(lower <= new && new <= upper);
        exact += usize::from(new.abs() <= half);
    }
    // Four binomial standard errors.
    let near = |count: usize, p: f64| {
        let tolerance = 4.0 * (p * (1.0 - p) / rounds as f64).sqrt();
        assert!((count as f64 / rounds as f64 - p).abs() < tolerance, "{count} of {rounds} for {p}");
    };
    near(printed, 0.95);
    near(exact, 181.0 / 201.0);
}

#[test]
fn the_numbers_of_the_paper_stand_where_they_stood() {
    let method = |name: &str| name.parse::<Method>().unwrap();
    let ensemble = paper::printed(Table::Yacht, method("ensemble")).unwrap();
    assert_eq!((ensemble.precision, ensemble.half_width, ensemble.coverage, ensemble.mse), (0.87, 0.04, 0.0, 327.74));
    let dj = paper::printed(Table::EnergyEfficiency, method("dj1")).unwrap();
    assert_eq!((dj.precision, dj.coverage), (0.77, 0.9811));
    let cells = [Table::Yacht, Table::BostonHousing, Table::EnergyEfficiency, Table::Kin8nm]
        .into_iter()
        .flat_map(|table| paper::METHODS.map(|method| paper::printed(table, method)));
    assert_eq!(cells.filter(Option::is_some).count(), 19); // one cell is blank
    assert!(paper::printed(Table::Concrete, method("dj1")).is_none());
    assert!(paper::printed(Table::Yacht, method("studentized")).is_none());
}

#[test]
fn table_two_as_printed_is_folded_and_tells_that_its_hessian_was_indefinite() {
    let table = || TableTwo::as_printed(&[Table::Yacht], 2, 3).unwrap();
    let found = on(2, table);
    assert_eq!(found.cells.len(), paper::METHODS.len(), "{found:?}");
    for cell in &found.cells {
        assert_eq!(cell.runs, 2, "{:?}", cell.notes);
        assert!((cell.chance - paper::chance(5, 51)).abs() < 1e-12);
        assert!(cell.precision.value >= 0.5 && cell.raw.value > 0.0);
        assert!((0.0..=1.0).contains(&cell.coverage) && cell.mse > 0.0);
    }
    let dj = found.cell(Table::Yacht, paper::METHODS[0]).unwrap();
    assert!(dj.notes[0].contains("negative eigenvalues") && dj.notes[0].contains("a damping of"), "{:?}", dj.notes);
    assert!(dj.coverage > 0.9, "aims at 95 %: {}", dj.coverage);
    // The width of what ran as MC dropout is the size of the prediction: wide enough for anything.
    assert!(found.cell(Table::Yacht, paper::METHODS[1]).unwrap().coverage > 0.95);
    assert!(format!("{found:?}").contains("folded"));
    assert_eq!(found.cells, on(1, table).cells);
    assert!(found.plot().to_svg().contains("folded average precision, yacht"));
}

#[test]
fn table_two_as_it_is_is_the_audit_with_raw_precision() {
    let table = TableTwo::as_it_is(&[Table::Yacht], 1, 0).unwrap();
    assert_eq!(table.cells.len(), paper::METHODS.len() + 1);
    let audit = Audit::default()
        .damping(1e-3)
        .random(true)
        .splits(1)
        .methods(&["dj1".parse().unwrap()])
        .run("yacht", &Table::Yacht.load())
        .unwrap();
    let (row, cell) = (&audit.rows()[0], table.cell(Table::Yacht, paper::METHODS[0]).unwrap());
    let summary = row.summary().unwrap();
    // One split: the mean over splits is the number over rows, up to the rounding of sums in another order.
    let raw = summary.discrimination.unwrap().average_precision;
    assert!((cell.raw.value - raw).abs() < 1e-12 && cell.precision == cell.raw, "{} and {raw}", cell.raw.value);
    assert!((cell.coverage - summary.coverage.rate).abs() < 1e-12);
    assert!((cell.mse - summary.rmse.value.powi(2)).abs() < 1e-12);
    let all = SideBySide { as_printed: TableTwo::as_printed(&[Table::Yacht], 1, 0).unwrap(), as_it_is: table };
    let text = format!("{all:?}");
    assert!(text.contains("0.87") && text.contains("a random ranking folds to 0.84 on yacht"), "{text}");
    let lines = all.lines();
    assert_eq!(lines.len(), 6);
    assert!(lines[5].printed.is_none() && lines[5].as_printed.is_none()); // studentised is ours
    assert!(format!("{:?}", all.plot()).contains("as it is (raw)"));
}

#[test]
fn what_cannot_be_rebuilt_is_refused_in_a_sentence() {
    let no_runs = TableTwo::as_printed(&[Table::Yacht], 0, 0).unwrap_err();
    assert_eq!(no_runs.to_string(), "the number of runs is 0, but it must be at least 1: try 10");
    assert!(TableTwo::as_printed(&[], 1, 0).unwrap_err().to_string().contains("give at least one"));
    assert!(TableTwo::as_it_is(&[], 1, 0).unwrap_err().to_string().contains("give at least one"));
    assert!(TableTwo::as_it_is(&[Table::Yacht], 0, 0).is_err());
    let options = paper::Options { sizes: vec![], ..Default::default() };
    assert!(paper::figure_four(&options).unwrap_err().to_string().contains("the number of sizes"));
    let options = paper::Options { variances: vec![-1.0], runs: 1, ..Default::default() };
    assert!(paper::figure_four(&options).is_err());
}

#[test]
fn figure_one_has_intervals_that_cover_discriminate_or_do_both() {
    let figure = paper::figure_one(1).unwrap();
    let [covers, discriminates, both, _] = &figure.panels[..] else { panic!("four panels") };
    assert!(covers.coverage.high > 0.9 && (covers.variation - 1.0).abs() < 1e-9);
    assert!((covers.precision - 0.1).abs() < 1e-9); // a constant width has the prevalence
    assert!(discriminates.coverage.rate < 0.5 && discriminates.precision > 0.15, "{discriminates:?}");
    assert!(both.coverage.high > 0.9 && both.precision > 0.15 && both.variation > 1.5, "{both:?}");
    let picture = figure.plot();
    assert!(picture.to_svg().contains("covers: naive jackknife") && format!("{picture:?}").contains("beside it"));
}

#[test]
fn figure_two_shows_that_residuals_rule_the_width() {
    let figure = paper::figure_two(0).unwrap();
    let (low, high) = figure.variability;
    assert!(low < high && figure.residual > 3.0 * high.max(-low), "{figure:?}");
    // The interval is the residual's quantile, moved a little by the variability.
    assert!((figure.half_width / figure.residual - 1.0).abs() < 0.3, "{figure:?}");
    assert!(format!("{:?}", figure.plot().unwrap()).contains("quantile ranks at α = 0.1"));
}

#[test]
fn figure_three_widens_with_noise_and_level_and_hardly_varies_with_x() {
    let figure = on(2, || paper::figure_three(0).unwrap());
    assert_eq!(figure.panels.len(), 8);
    let width: Vec<f64> = figure.panels.iter().map(|band| band.width).collect();
    assert!(width[0] < width[1] && width[1] < width[2] && width[2] < width[3], "{width:?}");
    assert!(width[4] < width[5] && width[5] < width[6], "{width:?}");
    for band in &figure.panels[1..] {
        let promised = 1.0 - band.intervals.alpha;
        assert!(band.coverage.rate > promised - 0.12, "{band:?}");
    }
    // (g) and (h) differ in the order alone.
    assert_eq!(figure.panels[6].train, figure.panels[7].train);
    assert_eq!(figure.panels[6].intervals.prediction, figure.panels[7].intervals.prediction);
    assert_ne!(figure.panels[6].intervals.upper, figure.panels[7].intervals.upper);
    assert!(figure == on(1, || paper::figure_three(0).unwrap()));
    let svg = figure.plot().to_svg();
    assert!("abcdefgh".chars().all(|letter| svg.contains(&format!(">({letter}) "))), "every panel has its name");
}

#[test]
fn figure_four_has_widths_that_follow_the_noise_and_coverage_that_stays() {
    let options =
        paper::Options { runs: 4, variances: vec![0.5, 1.0, 3.0], sizes: vec![20, 200], ..Default::default() };
    let figure = on(2, || paper::figure_four(&options).unwrap());
    assert_eq!((figure.over_noise.len(), figure.over_rows.len()), (9, 2));
    for level in figure.over_noise.chunks(3) {
        let width: Vec<f64> = level.iter().map(|point| point.width.value).collect();
        assert!(width[0] < width[1] && width[1] < width[2], "{width:?}");
        for point in level {
            // 400 new rows of four networks: a tenth allows for networks that are lucky or not.
            assert!((point.coverage.rate - (1.0 - point.alpha)).abs() < 0.1, "{point:?}");
            assert!(point.coverage.of == 400 && point.coverage_of_curve.of == 400);
        }
    }
    // The curve without noise is easier to cover than what is observed.
    assert!(figure.over_noise.iter().all(|point| point.coverage_of_curve.rate >= point.coverage.rate));
    let rows: Vec<f64> = figure.over_rows.iter().map(|point| point.width.value).collect();
    assert!(rows[1] < rows[0], "{rows:?}");
    assert!(figure == on(1, || paper::figure_four(&options).unwrap()));
    assert!(format!("{:?}", figure.plot()).contains("over training rows"));
}

#[cfg(feature = "plotly")]
#[test]
fn panels_in_a_grid_have_axes_of_their_own() {
    let figure = paper::figure_three(1).unwrap().plot();
    let json: serde_json::Value = serde_json::from_str(&figure.to_json()).unwrap();
    let domain = |axis: &str| {
        let ends = &json["layout"][axis]["domain"];
        (ends[0].as_f64().unwrap(), ends[1].as_f64().unwrap())
    };
    // The fifth panel stands below the first, and neither touches the other.
    assert_eq!(domain("xaxis"), domain("xaxis5"));
    assert!(domain("yaxis5").1 < domain("yaxis").0 && domain("xaxis").1 < domain("xaxis2").0);
    assert_eq!(json["layout"]["xaxis8"]["title"]["text"], "(h) normal, 95 %, m = 1");
    let traces = json["data"].as_array().unwrap();
    assert!(traces.iter().any(|trace| trace["xaxis"] == "x8" && trace["yaxis"] == "y8"));
}

#[test]
fn seeds_decide() {
    let options = |seed| paper::Options { runs: 1, variances: vec![1.0], sizes: vec![12], seed, ..Default::default() };
    let figure = |seed| paper::figure_four(&options(seed)).unwrap();
    assert!(figure(5) == figure(5) && figure(5) != figure(6));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    let seed: u64 = rng.r#gen();
    assert_eq!(paper::figure_two(seed).unwrap().half_width, paper::figure_two(seed).unwrap().half_width);
}
