//! The tables of the documentation are those of the stored studies, and the studies are of methods that the crate knows.

// The example runs and writes what is only read here.
#[allow(dead_code)]
#[path = "../examples/study/layout.rs"]
mod layout;
#[allow(dead_code)]
#[path = "../examples/study/outcome.rs"]
mod outcome;
#[allow(dead_code)]
#[path = "../examples/study/rates.rs"]
mod rates;
#[allow(dead_code)]
#[path = "../examples/study/simulated.rs"]
mod simulated;
#[allow(dead_code)]
#[path = "../examples/study/store.rs"]
mod store;
#[allow(dead_code)]
#[path = "../examples/study/tables.rs"]
mod tables;
#[allow(dead_code)]
#[path = "../examples/study/variant.rs"]
mod variant;

use std::collections::BTreeSet;

use jackknife::prelude::*;
use store::{CALIBRATION, ENGINES, REMATCH, Results, SCALE, SHIFTS, STAGES, STUDIES, Study, folder};
use tables::Made;

/// The studies of methods on the bundled tables; the calibration draws its own.
const REAL: [&Study; 4] = [&REMATCH, &SCALE, &ENGINES, &SHIFTS];

/// The tables that are not what they would be if made now.
fn differences(made: &[Made], stored: impl Fn(&str) -> Option<String>) -> Vec<&'static str> {
    made.iter().filter(|(name, text)| stored(name).as_ref() != Some(text)).map(|(name, _)| *name).collect()
}

fn stored_table(name: &str) -> Option<String> {
    std::fs::read_to_string(folder().join("tables").join(name)).ok()
}

#[test]
fn the_stored_tables_are_those_of_the_stored_results() {
    let differences = differences(&tables::stored().unwrap(), stored_table);
    assert!(differences.is_empty(), "`cargo run --release --example study -- tables` would change {differences:?}");
}

#[test]
fn there_is_no_table_that_nothing_makes() {
    let made: BTreeSet<String> = tables::stored().unwrap().iter().map(|(name, _)| name.to_string()).collect();
    let there = std::fs::read_dir(folder().join("tables")).unwrap();
    let there: BTreeSet<String> = there.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(made, there);
}

#[test]
fn a_changed_number_is_found() {
    let made = tables::stored().unwrap();
    // In a table: each digit of each, one after the other, would be too many; the first number of each will do.
    for (name, text) in &made {
        let k = text.find(|c: char| c.is_ascii_digit() && c != '9').unwrap();
        let digit = text[k..].chars().next().unwrap();
        let changed = format!("{}{}{}", &text[..k], '9', &text[k + digit.len_utf8()..]);
        let stored = |asked: &str| if asked == *name { Some(changed.clone()) } else { stored_table(asked) };
        assert_eq!(differences(&made, stored), [*name]);
    }
    // In the results: a coverage of the first line.
    let [rematch, _, _, calibration, stages, _] = STUDIES.map(|study| Results::load(study).unwrap());
    let mut lines: Vec<String> = rematch.to_csv().lines().map(String::from).collect();
    let column = |name: &str| REMATCH.columns.iter().position(|column| *column == name).unwrap();
    let mut cells: Vec<&str> = lines[1].split(',').collect();
    cells[column("covered")] = "0";
    lines[1] = cells.join(",");
    let changed = Results::read(&REMATCH, &(lines.join("\n") + "\n")).unwrap();
    let differences = differences(&outcome::make(&changed, &stages), stored_table);
    assert!(differences.contains(&"rematch.md"), "{differences:?}");
    // And a count of tables.
    let (head, lines) =
        calibration.to_csv().split_once('\n').map(|(head, lines)| (head.to_string(), lines.to_string())).unwrap();
    let column = |name: &str| CALIBRATION.columns.iter().position(|column| *column == name).unwrap();
    let (first, rest) = lines.split_once('\n').unwrap();
    let mut cells: Vec<&str> = first.split(',').collect();
    assert_eq!(cells[column("method")], "any");
    cells[column("tells_yes")] = "123";
    let changed = Results::read(&CALIBRATION, &format!("{head}\n{}\n{rest}", cells.join(","))).unwrap();
    assert_eq!(self::differences(&rates::make(&changed), stored_table), ["calibration.md"]);
}

#[test]
fn the_studies_are_of_tables_and_methods_that_the_crate_knows() {
    let own = variant::rules();
    for study in REAL {
        let results = Results::load(study).unwrap();
        assert!(results.lines().next().is_some(), "nothing is stored of {}", study.name);
        for line in results.lines() {
            line.text("table").parse::<Table>().unwrap();
            Method::named(line.text("method"), if *study == SCALE { &own } else { &[] }).unwrap();
        }
    }
}

#[test]
fn the_calibration_is_of_every_scenario_with_every_method_and_whole_counts() {
    let results = Results::load(&CALIBRATION).unwrap();
    let names: BTreeSet<&str> = results.lines().map(|line| line.text("scenario")).collect();
    assert_eq!(names, simulated::SCENARIOS.iter().map(|scenario| scenario.name()).collect());
    let methods: BTreeSet<&str> = results.lines().map(|line| line.text("method")).collect();
    let kind = |line: store::Line<'_>| ["scenario", "rows", "splits", "network"].map(|key| line.text(key).to_string());
    let kinds: BTreeSet<_> = results.lines().map(kind).collect();
    assert_eq!(results.lines().count(), kinds.len() * methods.len());
    for line in results.lines().filter(|line| line.text("method") != "any") {
        line.text("method").parse::<Method>().unwrap();
        let verdicts = ["kept", "exceeded", "broken", "unclear"].map(|column| line.number(column));
        assert_eq!(verdicts.iter().sum::<f64>(), line.number("tables"));
    }
}

#[test]
fn every_split_of_a_table_has_every_method() {
    for study in REAL {
        let results = Results::load(study).unwrap();
        // A training of its own is for one table.
        let whole = || results.lines().filter(|line| *study != REMATCH || line.text("variant").is_empty());
        let rest = &study.columns[2..study.keys];
        let kinds: BTreeSet<Vec<&str>> =
            whole().map(|line| rest.iter().map(|column| line.text(column)).collect()).collect();
        let splits: BTreeSet<_> = whole().map(|line| (line.text("table"), line.text("split"))).collect();
        assert_eq!(whole().count(), kinds.len() * splits.len(), "{}", study.name);
    }
}

#[test]
fn every_case_of_the_stages_was_trained_for_1000_epochs_and_stopped() {
    let results = Results::load(&STAGES).unwrap();
    let of = |how: &str| -> BTreeSet<_> {
        let lines = results.lines().filter(|line| line.text("stopped") == how);
        lines.map(|line| ["table", "protocol", "network", "split"].map(|key| line.text(key).to_string())).collect()
    };
    assert_eq!(of("1000"), of("PRESS"));
    assert_eq!(of("1000").iter().filter(|key| key[1] == "folds").count(), 100);
    for line in results.lines() {
        line.text("table").parse::<Table>().unwrap();
        let epochs = line.number("epochs") as usize;
        let stages = if line.text("stopped") == "1000" { &[1000][..] } else { &Stopped::STAGES };
        assert!(stages.contains(&epochs), "{epochs}");
    }
    // With 1000 epochs it is the rematch's tangent, but for the last digits of another processor.
    let rematch = Results::load(&REMATCH).unwrap();
    for line in results.lines().filter(|line| line.text("stopped") == "1000" && line.text("network") == "100") {
        let of = |other: &store::Line<'_>| {
            ["table", "split"].iter().all(|key| other.text(key) == line.text(key)) && other.text("method") == "tangent"
        };
        let other = rematch.lines().find(of).unwrap();
        assert_eq!(other.text("covered"), line.text("covered"));
        assert!((other.number("width") / line.number("width") - 1.0).abs() < 1e-3);
    }
}

#[test]
fn linear_shifts_cover_as_each_model_does_but_for_a_row() {
    let results = Results::load(&SHIFTS).unwrap();
    assert!(results.lines().all(|line| (line.number("covered") - line.number("covered_models")).abs() <= 1.0));
}

#[test]
fn the_studentised_rule_is_the_variant_that_was_chosen() {
    let results = Results::load(&SCALE).unwrap();
    let of = |method: &str| -> Vec<_> {
        let lines = results.lines().filter(|line| line.text("method") == method && line.text("damping") == "1");
        lines.map(|line| [line.text("covered"), line.text("precision"), line.text("over_plus")]).collect()
    };
    assert_eq!(of("studentized"), of("√(d·ℓ) with floor 1"));
}

#[test]
fn results_that_are_not_whole_are_refused() {
    let text = Results::load(&ENGINES).unwrap().to_csv();
    assert_eq!(Results::read(&ENGINES, &text).unwrap().to_csv(), text);
    let refusal = |text: &str| Results::read(&ENGINES, text).unwrap_err();
    assert!(refusal(&text.replacen("method", "methods", 1)).starts_with("the columns are"));
    let (head, rest) = text.split_once('\n').unwrap();
    let first = rest.lines().next().unwrap();
    assert!(refusal(&format!("{head}\n{first}\n{first}\n")).ends_with("or there twice"));
    assert!(refusal(&format!("{head}\n{first},0\n")).ends_with("14 cells"));
    assert!(refusal(&format!("{head}\n{}\n", first.replacen(",0,", ",none,", 1))).ends_with("no number"));
}

#[test]
fn lines_that_are_run_again_replace_their_like_and_no_others() {
    let mut results = Results::load(&REMATCH).unwrap();
    let before = results.to_csv();
    let line = |split: &str| {
        let mut cells = vec!["yacht".to_string(), split.into(), "bagged".into(), String::new()];
        cells.resize(REMATCH.columns.len(), "1".into());
        cells
    };
    results.replace(vec![line("0"), line("999")]);
    let (before, after) = (before.lines().collect::<BTreeSet<_>>(), results.to_csv());
    let after: BTreeSet<&str> = after.lines().collect();
    assert_eq!((before.difference(&after).count(), after.difference(&before).count()), (1, 2));
}

#[test]
fn the_prose_around_the_tables_has_no_numbers_of_its_own() {
    let made = tables::stored().unwrap();
    let root = folder().join("../../src");
    for file in ["interval/studentised.rs", "leave_one_out/damping.rs", "guide/rematch.rs", "guide/calibration.rs"] {
        let text = std::fs::read_to_string(root.join(file)).unwrap();
        let prose = text.lines().filter_map(|line| line.strip_prefix("//!"));
        let prose = prose.flat_map(|line| line.split(|c: char| !(c.is_ascii_digit() || c == '.')));
        for word in prose.map(|word| word.trim_end_matches('.')).filter(|word| word.contains('.')) {
            let shown = made.iter().any(|(_, text)| text.contains(word));
            assert!(shown, "{file}: `{word}` is in none of the tables");
        }
    }
}
