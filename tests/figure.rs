//! Figures say what the results say, in both renderings, whatever the table calls its columns.

#![cfg(feature = "plotly")]

use jackknife::prelude::*;
use ndarray::{Array1, array};
use serde_json::Value;

fn yacht() -> (Sample, Sample, LeaveOneOut) {
    let (train, test) = Table::Yacht.load().split(0.2, 0).unwrap();
    let loo = LeaveOneOut::closed_form(&Ridge::new(0.01), &train).unwrap();
    (train, test, loo)
}

fn intervals() -> (Sample, Intervals) {
    let (_, test, loo) = yacht();
    let intervals = loo.jackknife_plus(test.x(), 0.1).unwrap();
    (test, intervals)
}

fn json(figure: &Figure) -> Value {
    serde_json::from_str(&figure.to_json()).unwrap()
}

/// The names of the traces, in the order of drawing.
fn names(figure: &Figure) -> Vec<String> {
    let json = json(figure);
    json["data"].as_array().unwrap().iter().map(|trace| trace["name"].as_str().unwrap().to_string()).collect()
}

fn trace(figure: &Figure, starts: &str) -> Value {
    let traces = json(figure)["data"].as_array().unwrap().clone();
    traces.into_iter().find(|trace| trace["name"].as_str().unwrap().starts_with(starts)).unwrap()
}

fn numbers(values: &Value) -> Vec<f64> {
    values.as_array().unwrap().iter().map(|value| value.as_f64().unwrap_or(f64::NAN)).collect()
}

/// Equal but for the last digit, which serde_json may lose when it reads a number.
fn same(left: &[f64], right: &[f64]) -> bool {
    left.len() == right.len() && left.iter().zip(right).all(|(a, b)| (a - b).abs() <= 1e-15 * b.abs())
}

fn axis_name(figure: &Figure, axis: &str) -> String {
    json(figure)["layout"][axis]["title"]["text"].as_str().unwrap().to_string()
}

/// Every tag that opens closes, in order; no text holds a bare bracket; every coordinate is a number.
fn check_svg(svg: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = svg;
    while let Some(start) = rest.find('<') {
        let end = start + rest[start..].find('>').expect("a tag that ends");
        let tag = &rest[start + 1..end];
        assert!(!tag.contains('<'), "a bracket within <{tag}>");
        assert_eq!(tag.matches('"').count() % 2, 0, "quotes of <{tag}>");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "</{name}> closes what is open");
        } else {
            let name = tag.split([' ', '/']).next().unwrap();
            assert!(["svg", "g", "path", "rect", "circle", "text"].contains(&name), "<{name}> is none of ours");
            for number in tag.split(|letter: char| !letter.is_alphanumeric()) {
                assert!(!["NaN", "inf"].contains(&number), "<{tag}>");
            }
            if !tag.ends_with('/') {
                open.push(name);
            }
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty(), "{open:?} never close");
}

#[test]
fn intervals_have_a_band_a_line_and_every_target_once() {
    let (test, intervals) = intervals();
    let figure = intervals.plot(&test).unwrap();
    let covered = intervals.coverage(test.y()).unwrap().covered;
    let expected = [
        "90 % jackknife+ (closed form)".to_string(),
        "prediction".into(),
        format!("covered ({covered})"),
        format!("not covered ({})", 62 - covered),
    ];
    assert_eq!(names(&figure), expected);
    assert_eq!(axis_name(&figure, "yaxis"), test.target());
    assert_eq!(axis_name(&figure, "xaxis"), "test rows, sorted by prediction");
    assert_eq!(numbers(&trace(&figure, "covered")["y"]).len(), covered);
    let line = numbers(&trace(&figure, "prediction")["y"]);
    assert!(line.is_sorted() && line.len() == 62);
    check_svg(&figure.to_svg());
}

#[test]
fn a_target_says_its_row_value_interval_and_whether_it_is_covered() {
    let (test, intervals) = intervals();
    let figure = intervals.plot(&test).unwrap();
    let missed = intervals.covers(test.y()).unwrap().iter().position(|covered| !covered).unwrap();
    let texts = trace(&figure, "not covered")["hovertext"].to_string();
    assert!(texts.contains(&format!("row {missed}, not covered<br>{} ", test.target())), "{texts}");
    assert!(texts.contains("90 % interval"));
}

#[test]
fn infinite_ends_are_clipped_to_the_frame_and_said() {
    let (test, mut intervals) = intervals();
    intervals.lower[3] = f64::NEG_INFINITY;
    intervals.upper[3] = f64::INFINITY;
    for figure in [intervals.plot(&test), intervals.plot_over(&test, "froude_number"), intervals.plot_width(&test)] {
        let figure = figure.unwrap();
        check_svg(&figure.to_svg());
        assert!(figure.to_json().contains("cut off at the frame"));
    }
    let figure = intervals.plot(&test).unwrap();
    let range = numbers(&json(&figure)["layout"]["yaxis"]["range"]);
    let band = numbers(&trace(&figure, "90 %")["y"]);
    assert!(band.iter().all(|y| range[0] <= *y && *y <= range[1]));
    assert!(band.contains(&range[0]) && band.contains(&range[1]));
}

#[test]
fn intervals_that_are_all_infinite_are_drawn() {
    let (test, mut intervals) = intervals();
    intervals.lower = Array1::from_elem(62, f64::NEG_INFINITY);
    intervals.upper = Array1::from_elem(62, f64::INFINITY);
    check_svg(&intervals.plot(&test).unwrap().to_svg());
    check_svg(&intervals.plot_width(&test).unwrap().to_svg());
}

#[test]
fn a_feature_called_script_stays_text() {
    let sample = cubic(30, Feature::Uniform { half_width: 4.0 }, 3.0, 7).unwrap();
    let (name, target) = ("</script><script>alert(1)</script>", "<b>\"y\" & 'co'</b>\u{8}");
    let sample = Sample::named(sample.x().clone(), sample.y().clone(), vec![name.into()], target).unwrap();
    let intervals = LeaveOneOut::closed_form(&Ridge::new(0.01), &sample).unwrap().minmax(sample.x(), 0.1).unwrap();
    let figure = intervals.plot_over(&sample, name).unwrap();
    let html = figure.to_html("a\"><script>");
    assert_eq!(html.matches("<script").count(), 1);
    assert_eq!(html.matches("</script").count(), 1);
    assert!(html.starts_with("<div id=\"a---script-\"></div>"));
    assert_eq!(axis_name(&figure, "xaxis"), "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;");
    let svg = figure.to_svg();
    check_svg(&svg);
    assert!(svg.contains("&lt;script&gt;alert(1)") && svg.contains("&lt;b&gt;&quot;y&quot; &amp; &#39;co&#39;"));
    assert!(!svg.contains('\u{8}'));
}

#[test]
fn formulas_and_templates_of_plotly_in_names_do_nothing() {
    let figure = Comparison::new("$x^2$ %{y}").add("a", 1.0, 0.5, 1.5).plot().unwrap();
    assert_eq!(axis_name(&figure, "xaxis"), "&#36;x^2&#36; %&#123;y}");
}

#[test]
fn a_method_has_one_colour_everywhere() {
    let (test, intervals) = intervals();
    assert_eq!(method_colour("jackknife+ (refit)"), method_colour("jackknife+"));
    assert_eq!(trace(&intervals.plot(&test).unwrap(), "prediction")["line"]["color"], method_colour("jackknife+"));
    let rules = [Rule::InSample, Rule::Jackknife, Rule::Plus, Rule::Minmax, Rule::Studentised];
    let mut colours: Vec<&str> = rules.iter().map(|rule| method_colour(&rule.to_string())).collect();
    colours.sort_unstable();
    colours.dedup();
    assert_eq!(colours.len(), rules.len());
    // An audit's names and those of the intervals mean the same methods.
    let named = [
        ("ensemble", "deep ensemble"),
        ("dropout", "MC dropout"),
        ("sgld", "BNN (SGLD)"),
        ("cv+", "jackknife+ (10 folds)"),
        ("bagged", "studentized (25 bags)"),
    ];
    assert!(named.iter().all(|(left, right)| method_colour(left) == method_colour(right)));
    let mut all: Vec<&str> = Method::POST_HOC
        .iter()
        .chain(&Method::BASELINES)
        .chain(&Method::RETRAINED)
        .map(|method| method_colour(&method.to_string()))
        .collect();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 21);
    // Written down, so that a change of the hash is seen.
    assert_eq!(method_colour("my own"), "#CC79A7");
}

#[test]
fn width_over_error_has_the_threshold_and_both_kinds_of_errors() {
    let (test, intervals) = intervals();
    let figure = intervals.plot_width(&test).unwrap();
    let threshold = intervals.large_error(test.y()).unwrap();
    assert!(same(&numbers(&trace(&figure, "90 % of the errors")["x"]), &[threshold; 2]));
    let large = numbers(&trace(&figure, "large errors (7)")["x"]);
    assert!(large.len() == 7 && large.iter().all(|error| *error > threshold));
    assert!(axis_name(&figure, "xaxis").contains(test.target()));
}

#[test]
fn residuals_and_variability_stand_side_by_side_with_their_stars() {
    let (_, test, loo) = yacht();
    let figure = loo.plot_residuals(test.x(), 5, 0.1).unwrap();
    let stars: Vec<Value> = json(&figure)["data"].as_array().unwrap().clone();
    let stars: Vec<&Value> = stars.iter().filter(|trace| trace["marker"]["symbol"] == "star").collect();
    let half = jackknife::quantile::upper(&loo.residuals(), 0.1).unwrap();
    assert_eq!(numbers(&stars[0]["x"]), [223.0]);
    assert!(same(&numbers(&stars[0]["y"]), &[half]));
    assert_eq!(numbers(&stars[1]["x"]), [24.0, 223.0]);
    assert_eq!(stars[1]["yaxis"], "y2");
    check_svg(&figure.to_svg());
    let infinite = loo.plot_residuals(test.x(), 5, 0.001).unwrap();
    assert!(infinite.to_svg().contains("infinite with 246 rows"));
    check_svg(&infinite.to_svg());
    assert!(matches!(loo.plot_residuals(test.x(), 62, 0.1), Err(Error::NoSuchRow { row: 62, rows: 62 })));
    assert!(matches!(loo.plot_residuals(test.x(), 0, 1.0), Err(Error::Level(_))));
}

#[test]
fn fidelity_lies_beside_the_identity() {
    let (train, _, _) = yacht();
    let model = Ridge::new(0.01).fit(&train).unwrap();
    let loo = LeaveOneOut::influence(&model, &train, &Influence::order(1)).unwrap();
    let fidelity = loo.fidelity(&model, &train, 0).unwrap();
    let figure = fidelity.plot();
    let (identity, points) = (trace(&figure, "equal"), trace(&figure, "10 rows"));
    assert_eq!(identity["x"], identity["y"]);
    assert!(same(&numbers(&points["y"]), &fidelity.claimed.to_vec()));
    assert_eq!(json(&figure)["layout"]["xaxis"]["range"], json(&figure)["layout"]["yaxis"]["range"]);
    let mut empty = fidelity;
    (empty.rows, empty.claimed, empty.refitted) = (vec![], array![], array![]);
    check_svg(&empty.plot().to_svg());
}

#[test]
fn precision_over_recall_has_the_area_of_the_average_precision() {
    let (test, intervals) = intervals();
    let curve = intervals.precision_recall(test.y()).unwrap();
    let figure = curve.plot();
    let line = trace(&figure, "average precision");
    let (x, y) = (numbers(&line["x"]), numbers(&line["y"]));
    let area: f64 = x.windows(2).zip(&y).map(|(pair, y)| (pair[1] - pair[0]) * y).sum();
    assert!((area - curve.average_precision()).abs() < 1e-12);
    assert!(same(&numbers(&trace(&figure, "prevalence")["y"]), &[7.0 / 62.0; 2]));
    check_svg(&figure.to_svg());
    let empty = PrecisionRecall { precision: array![], recall: array![], threshold: array![] };
    check_svg(&empty.plot().to_svg());
}

#[test]
fn a_comparison_has_a_bar_for_each_method_and_refuses_none() {
    let comparison =
        Comparison::new("coverage").add("jackknife+", 0.9, 0.85, 0.94).add("<i>", f64::INFINITY, 0.8, 1e200);
    let figure = comparison.clone().target(0.9).plot().unwrap();
    let traces = json(&figure)["data"].as_array().unwrap().clone();
    assert_eq!(traces.len(), 3);
    assert!((numbers(&traces[1]["error_x"]["array"])[0] - 0.04).abs() < 1e-12);
    assert_eq!(traces[1]["marker"]["color"], method_colour("jackknife+"));
    assert_eq!(json(&figure)["layout"]["yaxis"]["ticktext"], serde_json::json!(["&lt;i&gt;", "jackknife+"]));
    check_svg(&figure.to_svg());
    assert!(matches!(Comparison::new("coverage").plot(), Err(Error::Rows { .. })));
    assert!(matches!(comparison.add("x", f64::NAN, 0.0, 1.0).plot(), Err(Error::NotFinite { .. })));
}

#[test]
fn coverage_over_level_is_that_of_the_intervals() {
    let (_, test, loo) = yacht();
    let figure = loo.plot_coverage(&[Rule::Plus, Rule::Minmax], &test).unwrap();
    let points = trace(&figure, "minmax");
    let coverage = loo.minmax(test.x(), 0.5).unwrap().coverage(test.y()).unwrap().rate;
    assert!(same(&[numbers(&points["x"])[9], numbers(&points["y"])[9]], &[0.5, coverage]));
    check_svg(&figure.to_svg());
    assert!(loo.plot_coverage(&[], &test).is_err());
}

#[test]
fn convergence_is_drawn_on_a_logarithmic_axis_down_to_nothing() {
    let convergence = Convergence::new("error").add("exact", &[(1, 1e-2), (2, 1e-8), (3, 0.0)]);
    let figure = convergence.clone().add("as printed", &[(1, 1e-2), (2, f64::INFINITY)]).plot().unwrap();
    assert_eq!(json(&figure)["layout"]["yaxis"]["type"], "log");
    assert!(numbers(&trace(&figure, "exact")["y"]).iter().all(|error| *error > 0.0));
    check_svg(&figure.to_svg());
    assert!(matches!(convergence.add("wrong", &[(1, -1.0)]).plot(), Err(Error::NotFinite { .. })));
    assert!(matches!(Convergence::new("error").add("none", &[]).plot(), Err(Error::Rows { .. })));
}

#[test]
fn intervals_of_other_rows_and_features_that_are_not_there_are_refused() {
    let (train, test, loo) = yacht();
    let intervals = loo.jackknife_plus(test.x(), 0.1).unwrap();
    assert!(matches!(intervals.plot(&train), Err(Error::Shape { .. })));
    assert!(matches!(intervals.plot_width(&train), Err(Error::Shape { .. })));
    assert!(matches!(intervals.plot_over(&test, "sails"), Err(Error::Column { .. })));
}

#[test]
fn constant_columns_and_extreme_numbers_are_drawn() {
    for scale in [0.0, 1e-300, 1e-9, 1.0, 1e9, 1e99] {
        let sample = Sample::new(array![[0.0], [0.0], [0.0]], array![scale, scale, scale]).unwrap();
        let (prediction, lower, upper) = (sample.y().clone(), sample.y() * 0.5, sample.y() * 2.0);
        let method = Method::Pair(Engine::Given, Rule::Plus);
        let intervals = Intervals::new(prediction, lower, upper, 0.1, method).unwrap();
        for figure in [intervals.plot(&sample), intervals.plot_over(&sample, "x0"), intervals.plot_width(&sample)] {
            check_svg(&figure.unwrap().to_svg());
        }
    }
}

#[test]
fn a_figure_reads_as_a_sentence() {
    let (test, intervals) = intervals();
    let sentence = format!("{:?}", intervals.plot(&test).unwrap());
    assert!(sentence.starts_with("figure of residuary_resistance over test rows, sorted by prediction: band `90 %"));
    assert!(sentence.contains("10 points `not covered (10)`"));
}

#[test]
fn widths_of_several_methods_over_a_feature_are_lines_that_answer() {
    let (train, test) = cubic(60, Feature::Uniform { half_width: 4.0 }, 3.0, 7).unwrap().split(0.5, 0).unwrap();
    let loo = LeaveOneOut::closed_form(&Ridge::new(0.01), &train).unwrap();
    let (plus, mut minmax) = (loo.jackknife_plus(test.x(), 0.1).unwrap(), loo.minmax(test.x(), 0.1).unwrap());
    let figure = Intervals::compare_width_over(&[&plus, &minmax], &test, "x").unwrap();
    let line = trace(&figure, "jackknife+");
    assert!(numbers(&line["x"]).is_sorted());
    let mut widths = plus.width().to_vec();
    let mut drawn = numbers(&line["y"]);
    widths.sort_by(f64::total_cmp);
    drawn.sort_by(f64::total_cmp);
    assert!(same(&drawn, &widths));
    assert_eq!(line["line"]["color"], method_colour("jackknife+"));
    let text = figure.to_json();
    assert!(text.contains("covered\\u003cbr>x ") && text.contains("90 % interval"), "{text}");
    check_svg(&figure.to_svg());
    minmax.upper[0] = f64::INFINITY;
    let infinite = Intervals::compare_width_over(&[&plus, &minmax], &test, "x").unwrap();
    assert!(infinite.to_json().contains("cut off at the frame"));
    check_svg(&infinite.to_svg());
    assert!(matches!(Intervals::compare_width_over(&[], &test, "x"), Err(Error::Empty { .. })));
    assert!(matches!(Intervals::compare_width_over(&[&plus], &test, "z"), Err(Error::Column { .. })));
    assert!(matches!(
        Intervals::compare_width_over(&[&plus], &train.rows(&[0]).unwrap(), "x"),
        Err(Error::Shape { .. })
    ));
}

#[test]
fn curves_of_several_methods_have_their_areas_in_the_legend() {
    let (_, test, loo) = yacht();
    let (plus, studentised) = (loo.jackknife_plus(test.x(), 0.1).unwrap(), loo.studentised(test.x(), 0.1).unwrap());
    let figure = Intervals::compare_precision_recall(&[&plus, &studentised], &test).unwrap();
    for intervals in [&plus, &studentised] {
        let line = trace(&figure, &intervals.method.to_string());
        let (x, y) = (numbers(&line["x"]), numbers(&line["y"]));
        let area: f64 = x.windows(2).zip(&y).map(|(pair, y)| (pair[1] - pair[0]) * y).sum();
        assert!((area - intervals.discrimination(test.y(), 0).unwrap().average_precision).abs() < 1e-12);
    }
    check_svg(&figure.to_svg());
    assert!(matches!(Intervals::compare_precision_recall(&[], &test), Err(Error::Empty { .. })));
}

#[test]
fn an_audit_is_drawn_as_three_panels_with_every_method_at_its_own_height() {
    let sample = cubic(60, Feature::Uniform { half_width: 2.0 }, 0.5, 0).unwrap();
    let audit = Audit::default().splits(2).training(Training::default().hidden(&[5]).epochs(50));
    let table = audit.methods(&Method::POST_HOC[..4]).run("cubic", &sample).unwrap();
    let figure = table.plot().unwrap();
    let json = json(&figure);
    assert_eq!(json["layout"]["yaxis"]["ticktext"], serde_json::json!(["minmax", "jackknife+", "jackknife", "naive"]));
    let points: Vec<&Value> =
        json["data"].as_array().unwrap().iter().filter(|trace| trace["mode"] == "markers").collect();
    assert_eq!(points.len(), 12);
    for (k, row) in table.rows().iter().enumerate() {
        let width = row.summary().unwrap().width;
        let of_colour: Vec<&&Value> = points
            .iter()
            .filter(|point| point["marker"]["color"] == method_colour(&row.method().to_string()))
            .collect();
        assert_eq!(of_colour.len(), 3);
        assert!(of_colour.iter().all(|point| numbers(&point["y"]) == [3.0 - k as f64]));
        assert!(same(&numbers(&of_colour[1]["x"]), &[width.value]) && of_colour[1]["xaxis"] == "x2");
    }
    check_svg(&figure.to_svg());
}
