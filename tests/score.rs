//! Intervals that another program made, judged as if they were ours.
#![cfg(feature = "cli")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use jackknife::prelude::*;
use ndarray::Array1;
use polars::df;

/// A folder of its own for each test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("score-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn score(folder: &Path, text: &str, options: &str) -> Output {
    let file = folder.join("made elsewhere.csv");
    std::fs::write(&file, text).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_jackknife"));
    command.current_dir(folder).arg("score").arg(&file).args(options.split_whitespace());
    command.output().unwrap()
}

/// 200 rows whose deviation grows with x, and intervals that know it.
fn table() -> (Sample, Intervals, String) {
    let noise = linear(200, 1, 5).unwrap();
    let x = noise.x().mapv(|x| 1.0 + x.abs());
    let errors: Array1<f64> =
        noise.x().column(0).iter().zip(noise.y()).map(|(a, b)| (9.0 * a + 5.0 * b).sin()).collect();
    let y: Array1<f64> = &x.column(0) * &errors;
    let half = x.column(0).mapv(|x| 0.99 * x);
    let zero = Array1::zeros(200);
    let intervals = Intervals::new(zero, -&half, half, 0.1, Method::Given).unwrap();
    let mut text = String::from("size,low,high,y,guess\n");
    for i in 0..200 {
        text += &format!("{},{},{},{},0\n", x[[i, 0]], intervals.lower[i], intervals.upper[i], y[i]);
    }
    (Sample::named(x, y, vec!["size".into()], "y").unwrap(), intervals, text)
}

#[test]
fn the_numbers_are_those_of_the_intervals() {
    let (sample, intervals, text) = table();
    let table = AuditTable::of_intervals("mine", &sample, intervals.clone()).unwrap();
    let summary = table.rows()[0].summary().unwrap();
    assert_eq!(summary.coverage.rate, intervals.coverage(sample.y()).unwrap().rate);
    approx::assert_relative_eq!(summary.width.value, intervals.mean_width(), max_relative = 1e-12);
    approx::assert_relative_eq!(
        summary.interval_score.value,
        intervals.interval_score(sample.y()).unwrap(),
        max_relative = 1e-12
    );
    assert!(format!("{table}").contains("which cannot be seen here"));

    let folder = folder("numbers");
    let options =
        "--target y --lower low --upper high --prediction guess --csv out.csv --json out.json --html out.html";
    let output = score(&folder, &text, options);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let csv = std::fs::read_to_string(folder.join("out.csv")).unwrap();
    let cells: Vec<&str> = csv.lines().nth(1).unwrap().split(',').collect();
    assert_eq!(cells[..2], ["made elsewhere", "given"]);
    assert_eq!(cells[2].parse::<f64>().unwrap(), summary.coverage.rate);
    let html = std::fs::read_to_string(folder.join("out.html")).unwrap();
    assert!(html.contains("intervals made elsewhere") && html.contains("worst slice") && html.contains("size"));
    std::fs::remove_dir_all(folder).ok();
}

#[test]
fn without_predictions_the_middles_are_taken_and_without_features_the_predictions_are_sliced() {
    let (_, _, text) = table();
    let bare: String =
        text.lines().map(|line| line.split(',').skip(1).take(3).collect::<Vec<_>>().join(",") + "\n").collect();
    let folder = folder("bare");
    let output = score(&folder, &bare, "--target y --lower low --upper high");
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && said.contains("the predictions are the middles of the intervals"), "{said}");
    std::fs::remove_dir_all(folder).ok();
}

#[test]
fn columns_that_are_wrong_are_named_with_the_row() {
    let (_, _, text) = table();
    let folder = folder("wrong");
    for (options, words) in [
        ("--target y --lower high --upper low", "check which column is which"),
        ("--target z --lower low --upper high", "`z` is not in the table"),
        ("--target y --lower low --upper hihg", "`hihg` is not in the table"),
        ("--target y --lower low --upper high --alpha 2", "alpha is 2"),
        ("--target y --lower low --upper high --html no/where.html", "its folder does not exist"),
    ] {
        let output = score(&folder, &text, options);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{options}: {said}");
        assert!(said.contains(words), "{options}: {said}");
    }
    let output = score(&folder, "y,low,high\n1,0,2\n3,,4\n", "--target y --lower low --upper high");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && said.contains("low"), "{said}");
    std::fs::remove_dir_all(folder).ok();
}

#[test]
fn frames_with_infinite_ends_are_judged_and_their_middles_are_refused() {
    let frame = df!("a" => [f64::NEG_INFINITY, 0.0], "b" => [f64::INFINITY, 2.0], "p" => [0.5, 1.0]).unwrap();
    let whole = Intervals::from_frame(&frame, ("a", "b", Some("p")), 0.1).unwrap();
    assert_eq!(whole.coverage(&ndarray::array![1e9, 1.0]).unwrap().rate, 1.0);
    assert!(Intervals::from_frame(&frame, ("a", "b", None), 0.1).is_err());
    let refusal = AuditTable::of_intervals("short", &linear(3, 1, 0).unwrap(), whole).unwrap_err().to_string();
    assert!(refusal.contains("intervals and rows"), "{refusal}");
}
