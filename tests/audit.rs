//! The audit: its numbers, its words, and what it refuses.

#[cfg(feature = "cli")]
mod folder;

use jackknife::prelude::*;
use ndarray::{Array1, Array2};

/// A table on which a small network learns in no time.
fn small() -> Sample {
    cubic(80, Feature::Normal { deviation: 1.0 }, 0.5, 3).unwrap()
}

fn quick() -> Audit {
    Audit::default().splits(3).training(Training::default().hidden(&[8]).epochs(100))
}

#[test]
fn every_method_answers_and_the_numbers_are_those_of_its_intervals() {
    let sample = small();
    let methods: Vec<Method> = Method::POST_HOC.into_iter().chain(Method::BASELINES).chain(Method::RETRAINED).collect();
    let table = quick().splits(1).methods(&methods).run("small", &sample).unwrap();
    assert_eq!(table.rows().len(), methods.len());
    for row in table.rows() {
        assert!(row.failures().is_empty(), "{}: {:?}", row.method(), row.failures());
        assert_eq!(row.coverage().unwrap().of, 16);
    }
    // The same by hand, for one of them.
    let row = table.row("studentized".parse().unwrap()).unwrap();
    let tested = table.tested().to_vec();
    let rest: Vec<usize> = (0..sample.len()).filter(|row| !tested.contains(row)).collect();
    let (train, test) = (sample.rows(&rest).unwrap(), sample.rows(&row.runs()[0].rows).unwrap());
    let network = Training::default().hidden(&[8]).epochs(100).fit(&train).unwrap();
    let loo = LeaveOneOut::newton(&network, &train, &Newton::default().damping(0.25 / 64.0)).unwrap();
    let intervals = loo.studentised(test.x(), 0.1).unwrap();
    // The rows are trained on in another order, which moves the minibatches: not equal, but close.
    let shown = &row.runs()[0].intervals;
    assert!((intervals.mean_width() / shown.mean_width() - 1.0).abs() < 0.5);
    let (summary, metrics) = (row.summary().unwrap(), shown.metrics(&test, 0).unwrap());
    let near = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-12;
    assert_eq!((summary.coverage.rate, summary.coverage.of), (metrics.coverage.rate, 16));
    assert!(near(summary.width.value, metrics.width) && near(summary.width_median, metrics.width_median));
    assert!(near(summary.interval_score.value, metrics.interval_score) && near(summary.rmse.value, metrics.rmse));
    let (ours, theirs) = (summary.discrimination.unwrap(), metrics.discrimination.unwrap());
    assert!(near(ours.average_precision, theirs.average_precision) && near(ours.chance, theirs.chance));
    assert!(table.fidelity().is_some());
}

#[test]
fn networks_are_trained_until_the_stage_that_the_tangent_chooses() {
    let methods: Vec<Method> = ["tangent", "split+", "tangent-cv", "cv+", "split", "dropout", "studentized"]
        .map(|m| m.parse().unwrap())
        .into();
    let audit = quick().splits(1).methods(&methods);
    // One stage leaves no choice: the same as training for so long.
    let short = Training::default().hidden(&[8]).epochs(7);
    let [staged, fixed] = [audit.clone().stages(&[7]), audit.clone().training(short)]
        .map(|audit| audit.run("small", &small()).unwrap().rows().iter().map(|row| row.intervals().cloned()).collect());
    let (staged, fixed): (Vec<_>, Vec<_>) = (staged, fixed);
    assert!(staged.iter().all(Option::is_some));
    for (staged, fixed) in staged.iter().zip(&fixed) {
        let (staged, fixed) = (staged.as_ref().unwrap(), fixed.as_ref().unwrap());
        assert_eq!((&staged.lower, &staged.upper), (&fixed.lower, &fixed.upper), "{}", fixed.method);
    }
    let chosen = audit.stages(&[5, 50, 200]).run("small", &small()).unwrap();
    assert!([5, 50, 200].contains(&chosen.network().unwrap().history().len()));
    assert!(chosen.audit().to_string().contains("chooses among 5, 50, 200"), "{}", chosen.audit());
    assert!(quick().stages(&[0]).run("small", &small()).is_err());
}

#[test]
fn the_same_seed_gives_the_same_table_on_one_and_two_threads() {
    let sample = small();
    let csv = || {
        let table = quick().run("small", &sample).unwrap().to_csv();
        let seconds = AuditTable::COLUMNS.iter().position(|column| *column == "seconds").unwrap();
        let rest = |line: &str| {
            line.split(',').enumerate().filter(|(k, _)| *k != seconds).map(|(_, cell)| cell.into()).collect()
        };
        table.lines().map(rest).collect::<Vec<Vec<String>>>()
    };
    let on = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(csv);
    assert_eq!(on(1), on(2));
}

#[test]
fn tables_go_to_csv_json_and_a_frame_with_the_same_columns() {
    let table = quick().methods(&["jackknife+".parse().unwrap()]).run("a,\"b\"", &small()).unwrap();
    let csv = table.to_csv();
    assert!(csv.lines().nth(1).unwrap().starts_with("\"a,\"\"b\"\"\",jackknife+,"), "{csv}");
    let json: serde_json::Value = serde_json::from_str(&table.to_json()).unwrap();
    assert_eq!(json[0]["table"], "a,\"b\"");
    assert_eq!(json[0]["coverage"].as_f64().unwrap(), table.rows()[0].coverage().unwrap().rate);
    #[cfg(feature = "polars")]
    {
        let frame = table.to_frame().unwrap();
        assert_eq!(frame.get_column_names(), AuditTable::COLUMNS);
        assert_eq!(frame.height(), 1);
    }
}

#[test]
fn a_method_that_fails_is_reported_and_the_others_go_on() {
    // Of two bags, hardly ever is each row missing from one.
    let table = quick().methods(&["naive".parse().unwrap(), "minmax (2 bags)".parse().unwrap()]);
    let table = table.run("small", &small()).unwrap();
    assert_eq!(table.rows()[0].runs().len(), 3);
    assert!(table.rows()[1].runs().is_empty());
    let text = format!("{table:?}");
    assert!(text.contains("minmax (2 bags) failed on split 1: the number of bags is 2"), "{text}");
    let csv = table.to_csv();
    assert!(csv.lines().nth(2).unwrap().ends_with("small,minmax (2 bags),,,,,,,,,,,,network,,,,"), "{csv}");
}

#[test]
fn verdicts_say_whether_intervals_cover_and_discriminate() {
    let table = Audit::default().splits(4).run("yacht", &Table::Yacht.load()).unwrap();
    let row = |name: &str| table.row(name.parse().unwrap()).unwrap();
    let verdict = |name: &str| table.verdict(row(name));
    assert!(verdict("jackknife").ends_with("they have one width everywhere and tell no error from another"));
    assert_eq!(row("jackknife").tells(), Some(Tells::No));
    let studentised = verdict("studentized");
    assert!(studentised.contains("times as well as chance (p = "), "{studentised}");
    assert_eq!(row("studentized").tells(), Some(Tells::Yes));
    assert_ne!(table.covers(row("studentized")), Some(Promise::Broken));
    assert!(studentised.starts_with("on rows like these, the intervals cover 0."), "{studentised}");
    let text = format!("{table:?}");
    assert!(text.contains("4 splits, every row tested once, 90 % asked for"), "{text}");
    assert!(text.contains("\nproven (naive") && text.starts_with("warning: "), "{text}");
    let csv = table.to_csv();
    assert!(
        csv.lines()
            .any(|line| line.starts_with("yacht,studentized,") && line.ends_with(",yes") && line.contains(",network,")),
        "{csv}"
    );
}

#[test]
fn a_row_is_tested_once_for_each_repeat_and_counts_once() {
    let sample = small();
    for (repeats, splits) in [(1, 4), (3, 4)] {
        let audit = quick().splits(splits).repeats(repeats).methods(&["naive".parse().unwrap()]);
        let table = audit.run("small", &sample).unwrap();
        let row = &table.rows()[0];
        let mut times = vec![0; sample.len()];
        row.runs().iter().flat_map(|run| &run.rows).for_each(|&row| times[row] += 1);
        assert_eq!((times, row.coverage().unwrap().of), (vec![repeats; 80], 80));
        assert_eq!((row.runs().len(), table.tested().len()), (repeats * splits, 80));
    }
}

#[test]
fn the_order_of_the_rows_changes_no_number_and_no_verdict() {
    let sample = small();
    let turned: Vec<usize> = (0..80).map(|row| row * 37 % 80).collect();
    // Without the checks of the order of the rows, which are about it.
    let csv = |sample: &Sample| {
        let table = quick().run("small", sample).unwrap();
        table
            .rows()
            .iter()
            .map(|row| (row.coverage().unwrap(), row.discrimination().copied(), table.verdict(row)))
            .collect::<Vec<_>>()
    };
    assert_eq!(csv(&sample), csv(&sample.rows(&turned).unwrap()));
}

#[test]
fn copies_of_a_row_are_tested_together_and_counted_once() {
    let sample = small();
    let twice: Vec<usize> = (0..80).chain(0..20).collect();
    let table = quick().methods(&["naive".parse().unwrap()]).run("twice", &sample.rows(&twice).unwrap()).unwrap();
    let row = &table.rows()[0];
    assert_eq!(row.coverage().unwrap().of, 80);
    for run in row.runs() {
        assert!((0..20).all(|row| run.rows.contains(&row) == run.rows.contains(&(row + 80))));
    }
    assert!(
        table.conditions().iter().any(|finding| finding.kind == Kind::Duplicates && finding.count == Some((20, 100)))
    );
    assert!(format!("{table:?}").contains("warning: 20 of 100 rows are copies of an earlier row"));
}

#[test]
fn tables_that_cannot_be_audited_are_refused_in_a_sentence() {
    let says = |sample: Sample, words: &str| {
        let message = quick().run("bad", &sample).unwrap_err().to_string();
        assert!(message.contains(words), "`{words}` is not in: {message}");
    };
    let table = |y: fn(usize) -> f64, n: usize, d: usize| {
        let x = Array2::from_shape_fn((n, d), |(i, j)| ((i + 1) as f64 * (j as f64 + 0.7)).sin());
        Sample::new(x, Array1::from_shape_fn(n, y)).unwrap()
    };
    says(table(|i| i as f64, 19, 2), "an audit needs at least 20 rows, but there are 19");
    says(table(|_| 4.0, 30, 2), "is 4 in every row");
    says(table(|i| (i % 2) as f64, 30, 2), "has only the values 0 and 1: that is classification");
    let wide = Audit::default().run("wide", &table(|i| (i * i) as f64, 200, 10_000)).unwrap_err().to_string();
    assert!(wide.contains("1000201 parameters") && wide.contains("fewer columns"), "{wide}");
    for (audit, words) in [
        (quick().alpha(1.0), "alpha is 1"),
        (quick().splits(0), "the number of splits is 0"),
        (quick().methods(&[]), "the number of methods is 0"),
        (quick().splits(1).test_fraction(1.0), "the test fraction is 1"),
        (quick().splits(81), "the number of splits is 81"),
        (quick().repeats(0), "the number of repeats is 0"),
        (quick().damping(-1.0), "the damping is -1"),
    ] {
        let message = audit.run("small", &small()).unwrap_err().to_string();
        assert!(message.contains(words), "{message}");
    }
}

#[cfg(feature = "plotly")]
#[test]
fn the_report_is_one_file_in_which_names_are_text() {
    let wild = "<script>alert(1)</script>";
    let small = small();
    let sample = Sample::named(small.x().clone(), small.y().clone(), vec![wild.into()], "a & b").unwrap();
    let html = quick().run(wild, &sample).unwrap().to_html().unwrap();
    assert!(!html.contains("<script>alert"), "names are escaped");
    assert!(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert!(!html.contains("<script src") && !html.contains("<link"), "nothing is fetched");
    for id in ["comparison", "band-0", "error-0", "band-7", "error-7", "recall", "fidelity-0", "fidelity-3"] {
        assert!(html.contains(&format!("Plotly.newPlot(\"{id}\"")), "{id}");
    }
    assert!(
        html.contains("Of those that do not cover too little, ") || html.contains("None of these intervals covers")
    );
    assert!(html.trim_end().ends_with("</html>"));
}

/// The report without plotly's script, which holds every word there is.
#[cfg(feature = "plotly")]
fn body(table: &AuditTable) -> String {
    let html = table.to_html().unwrap();
    assert!(html.trim_end().ends_with("</html>"));
    html.split_once("<body>").unwrap().1.to_string()
}

#[cfg(feature = "plotly")]
#[test]
fn the_report_answers_every_question_of_an_audit() {
    let table = quick().damping(0.05).seed(7).run("small", &small()).unwrap();
    let body = body(&table);
    let words = [
        "80 rows, 1 features, target y; 90 % coverage asked for",
        "what the test rows say",
        "no finite-sample guarantee",
        "How well does each width find the largest errors?",
        "trusts least",
        "damping D in H + D·I",
        "gradient norm",
        "smallest pivot",
        "series ratio",
        "Against real refits: ",
        "worst slice of a feature",
        "narrow to wide",
        "0.05",
        "7 to 9: one for each split",
        "3 splits, every row tested once",
    ];
    for word in words {
        assert!(body.contains(word), "`{word}` is not in the report");
    }
    for check in table.checks() {
        assert!(body.contains(&check.engine.to_string()));
        assert_eq!(check.fidelity.as_ref().unwrap().rows, table.fidelity().unwrap().rows, "the same refits serve all");
    }
    assert_eq!(table.checks().len(), 5);
    let flagged =
        table.checks().iter().any(|check| check.trust.as_ref().is_some_and(|trust| !trust.flagged().is_empty()));
    assert_eq!(body.contains("miss more than a tenth of their residual (rows "), flagged);
}

#[test]
fn the_tangent_is_held_against_tangents_of_networks_that_have_not_seen_the_row() {
    let sample = small();
    let training = Training::default().hidden(&[6]).epochs(80);
    let methods = ["tangent".parse().unwrap(), "jackknife+".parse().unwrap(), "split+".parse().unwrap()];
    let audit = Audit::default().splits(1).training(training.clone()).methods(&methods).seed(3);
    let table = audit.run("small", &sample).unwrap();
    let [tangent, newton] = table.checks() else { panic!("split+ is refitted: {:?}", table.checks()) };
    assert_eq!((tangent.engine, newton.engine), (Engine::Tangent, Engine::Newton));
    assert!(tangent.trust.is_none() && tangent.notes[0].starts_with("ridge on "));
    let train = sample.rows(&table.rows()[0].runs()[0].trained).unwrap();
    let (fidelity, plain) = (tangent.fidelity.as_ref().unwrap(), newton.fidelity.as_ref().unwrap());
    assert_eq!((fidelity.rows.len(), &fidelity.rows), (10, &plain.rows));
    let trained = |rows: &Sample| training.clone().seed(3).fit(rows);
    let whole = LeaveOneOut::tangent(&trained(&train).unwrap(), &train, &Tangent::default()).unwrap();
    for (k, &row) in fidelity.rows.iter().enumerate() {
        let (rest, x) = (train.without(row).unwrap(), train.x().select(ndarray::Axis(0), &[row]));
        let network = trained(&rest).unwrap();
        let refit = LeaveOneOut::tangent(&network, &rest, &Tangent::default()).unwrap().predict(&x).unwrap()[0];
        assert!((fidelity.refitted[k] - refit).abs() < 1e-9);
        assert!((fidelity.claimed[k] - whole.left_out_predictions()[row]).abs() < 1e-9);
        assert!((plain.refitted[k] - network.predict(&x).unwrap()[0]).abs() < 1e-9);
    }
    assert!(format!("{table:?}").contains("models by tangent (tangent): ridge on "), "{table:?}");
}

#[cfg(feature = "plotly")]
#[test]
fn hard_audits_have_whole_reports_too() {
    let small = small();
    // Intervals that are infinite, one test row, hardly a training row, and methods that all fail.
    let infinite = quick().alpha(0.001).run("infinite", &small).unwrap();
    assert!(body(&infinite).contains("∞"));
    let one = quick().splits(1).test_fraction(0.001).run("one", &small).unwrap();
    assert!(body(&one).contains("they see no error that stands out"));
    let few = quick().splits(1).test_fraction(0.97).run("few", &small).unwrap();
    let failing = quick().methods(&["minmax (2 bags)".parse().unwrap()]).run("failing", &small).unwrap();
    assert!(body(&failing).contains("minmax (2 bags) failed on split 1: the number of bags is 2"));
    assert!(body(&failing).contains("None of these intervals covers what was asked for"));
    for table in [&infinite, &one, &few, &failing] {
        let body = body(table);
        assert!(!body.contains(">NaN") && !body.contains("NaN<") && !body.contains("NaN ±"), "{}", table.name());
        assert!(!format!("{table:?}").contains("NaN"), "{table:?}");
    }
}

#[cfg(feature = "plotly")]
#[test]
fn ten_thousand_columns_are_audited_and_listed_in_part() {
    let x = Array2::from_shape_fn((40, 10_000), |(i, j)| ((i + 1) as f64 * (j as f64 + 0.7)).sin());
    let sample = Sample::new(x, Array1::from_shape_fn(40, |i| (i as f64).sqrt())).unwrap();
    let audit = Audit::default().splits(1).training(Training::default().hidden(&[2]).epochs(3));
    let table =
        audit.methods(&["naive".parse().unwrap(), "studentized".parse().unwrap()]).run("wide", &sample).unwrap();
    let body = body(&table);
    assert!(body.contains("40 rows, 10000 features") && body.contains("and 9984 more features"));
    assert!(!body.contains("x9999"), "names are listed in part");
    let intervals = table.rows()[0].intervals().unwrap();
    let message = intervals.plot_over(table.test(), "price").unwrap_err().to_string();
    assert!(message.len() < 500 && message.ends_with("x39, …"), "{message}");
    assert!(format!("{sample:?}").len() < 200);
}

#[cfg(feature = "polars")]
#[test]
fn frames_with_text_targets_or_missing_cells_are_refused_before_an_audit() {
    use polars::df;
    let text = df!("x" => [1.0, 2.0, 3.0], "y" => ["low", "high", "low"]).unwrap();
    let message = Sample::from_frame(&text, "y").unwrap_err().to_string();
    assert_eq!(message, "column `y` is text, but intervals are for numeric targets: choose another column");
    let missing = df!("x" => [Some(1.0), None, Some(3.0)], "y" => [1.0, 2.0, 3.0]).unwrap();
    let message = Sample::from_frame(&missing, "y").unwrap_err().to_string();
    assert_eq!(message, "column `x`, row 2 is blank: fill or drop missing cells first");
    let missing = df!("x" => [1.0, 2.0, 3.0], "y" => [Some(1.0), Some(2.0), None]).unwrap();
    assert!(Sample::from_frame(&missing, "y").unwrap_err().to_string().starts_with("column `y`, row 3 is blank"));
}

#[cfg(feature = "cli")]
#[test]
fn the_command_audits_bundled_tables_and_files_and_refuses_the_rest() {
    let folder = folder::Folder::new();
    let run = |options: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_jackknife"));
        command.current_dir(folder.path()).arg("audit").args(options.split_whitespace()).output().unwrap()
    };
    let output = run("yacht --splits 1 --methods naive,studentized --csv out.csv --json out.json");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("studentized: on rows like these"));
    let csv = std::fs::read_to_string(folder.path().join("out.csv")).unwrap();
    assert_eq!(csv.lines().next().unwrap(), AuditTable::COLUMNS.join(","));
    assert!(folder.path().join("out.json").exists());
    let refuses = |options: &str, word: &str| {
        let output = run(options);
        let message = String::from_utf8_lossy(&output.stderr).to_string();
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.starts_with("error: ") && message.contains(word), "`{word}` is not in: {message}");
    };
    refuses("boston", "boston_housing");
    refuses("yacht --methods magic", "`magic`");
    refuses("yacht --target price", "column `price` is not in the table");
    refuses("yacht --alpha 0", "alpha is 0");
    refuses("yacht --csv no/where.csv", "its folder does not exist");
    let second = run("energy_efficiency --target cooling_load --splits 1 --methods naive");
    let said = String::from_utf8_lossy(&second.stdout).to_string();
    assert!(second.status.success() && said.contains("`heating_load` is a second target: not a feature"), "{said}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "nothing but the two files asked for");
}
