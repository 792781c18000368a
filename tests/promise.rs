//! What `jackknife intervals` says of its promise: silent on rows like the training rows, plain where they are not.

mod folder;

use std::fmt::Write as _;
use std::process::Command;

use folder::Folder;
use jackknife::prelude::*;
use rand::{Rng, SeedableRng};
use rand_distr::{Distribution, StandardNormal};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Two features and a target in each row.
type Row = [f64; 3];

/// What the program said.
struct Heard {
    stdout: String,
    stderr: String,
}

impl Heard {
    /// `warning: …` on stderr with all these words in one line, and the same on stdout after this name.
    fn warns(&self, name: &str, words: &[&str]) {
        let has = |line: &str| words.iter().all(|word| line.contains(word));
        let (stdout, stderr) = (&self.stdout, &self.stderr);
        assert!(stderr.lines().any(|line| line.starts_with("warning: ") && has(line)), "{words:?}\n{stderr}");
        assert!(stdout.lines().any(|line| line.starts_with(name) && has(line)), "{words:?}\n{stdout}");
    }
}

/// A table as CSV with the columns a, b and y.
fn csv(rows: &[Row]) -> String {
    rows.iter().fold("a,b,y\n".to_string(), |mut text, [a, b, y]| {
        writeln!(text, "{a},{b},{y}").unwrap();
        text
    })
}

/// `jackknife intervals` by least squares on these tables: exit 0, and a line of CSV for each test row.
fn hear(train: &str, test: &str, options: &str) -> Heard {
    let folder = Folder::new();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("train.csv"), train).unwrap();
    std::fs::write(path("test.csv"), test).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_jackknife"));
    command.args(["intervals", "--model", "ols"]).args(options.split_whitespace());
    for (option, file) in [("--train", "train.csv"), ("--test", "test.csv"), ("--out", "out.csv")] {
        command.arg(option).arg(path(file));
    }
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).to_string();
    let heard = Heard { stdout: text(&output.stdout), stderr: text(&output.stderr) };
    assert_eq!(output.status.code(), Some(0), "{}", heard.stderr);
    let written = std::fs::read_to_string(path("out.csv")).unwrap();
    assert_eq!(written.lines().count(), test.lines().count());
    println!("{}\n{}", heard.stdout, heard.stderr);
    heard
}

fn normal(rng: &mut Xoshiro256PlusPlus) -> f64 {
    StandardNormal.sample(rng)
}

/// y = a + b + ε.
fn plain(rows: usize, seed: u64) -> Vec<Row> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut row = || {
        let (a, b) = (normal(&mut rng), normal(&mut rng));
        [a, b, a + b + 0.5 * normal(&mut rng)]
    };
    (0..rows).map(|_| row()).collect()
}

/// The level of y rises by 6 deviations of the noise along 300 rows, and goes on to rise: the later third is tested.
#[test]
fn a_regime_that_drifts_away_contradicts_the_proof_and_is_named_as_the_reason() {
    let drifting = |(time, [a, b, y]): (usize, Row)| [a + 0.01 * time as f64, b, y + 0.02 * time as f64];
    let rows: Vec<Row> = plain(300, 1).into_iter().enumerate().map(drifting).collect();
    let heard = hear(&csv(&rows[..200]), &csv(&rows[200..]), "--method jackknife+");
    heard.warns(
        "promise",
        &["on 100 test rows contradicts the proven 80 % beyond chance (p", "not like the training rows"],
    );
    heard.warns("promise", &["likely reasons, as the checks found: ", "errors that drift", "distributed otherwise"]);
    heard.warns("condition", &["errors drift along it"]);
    heard.warns("condition", &["the new rows are unlike the training rows in `a`", "--method weighted"]);
    assert!(heard.stdout.contains("95 % interval"), "{}", heard.stdout);
    assert!(heard.stdout.contains(Guarantee::CONDITION), "{}", heard.stdout);
}

/// y = a² + b + ε with a in (0, 1) for training and in (2, 3) for testing.
#[test]
fn rows_outside_the_range_are_told_and_so_is_what_they_do_to_the_coverage() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    let mut rows = |count: usize, from: f64| -> Vec<Row> {
        let mut row = || {
            let (a, b) = (from + rng.gen_range(0.0..1.0), rng.gen_range(0.0..1.0));
            [a, b, a * a + b + 0.1 * normal(&mut rng)]
        };
        (0..count).map(|_| row()).collect()
    };
    let (train, test) = (csv(&rows(200, 0.0)), csv(&rows(60, 2.0)));
    let heard = hear(&train, &test, "--method minmax");
    heard.warns("condition", &["60 of 60 new rows lie outside the range of the training rows in `a`"]);
    heard.warns("promise", &["contradicts the proven 90 %", "outside the range of the training rows"]);
}

#[test]
fn a_fifth_of_copies_is_warned_of() {
    let mut rows = plain(200, 3);
    rows.extend_from_within(..50);
    let heard = hear(&csv(&rows), &csv(&plain(60, 4)), "--method split");
    heard.warns("condition", &["50 of 250 rows are copies of an earlier row"]);
}

#[test]
fn a_feature_that_is_the_target_but_for_a_billionth_is_warned_of() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let leak = |rows: Vec<Row>, rng: &mut Xoshiro256PlusPlus| -> Vec<Row> {
        rows.into_iter().map(|[a, _, y]| [a, y + 1e-9 * normal(rng), y]).collect()
    };
    let (train, test) = (leak(plain(150, 6), &mut rng), leak(plain(50, 7), &mut rng));
    // The reader refuses it, and whoever insists is warned.
    let heard = hear(&csv(&train), &csv(&test), "--method jackknife+ --keep b");
    heard.warns("condition", &["`b` determines the target"]);
}

#[test]
fn a_clean_split_has_no_warning_and_a_line_that_nothing_was_found() {
    let (train, test) = Table::Yacht.load().split(0.2, 0).unwrap();
    let text = |sample: &Sample| -> String {
        let names = (0..sample.columns()).map(|j| format!("f{j},")).collect::<String>() + "y\n";
        sample.x().rows().into_iter().zip(sample.y()).fold(names, |mut text, (x, y)| {
            x.iter().for_each(|x| write!(text, "{x},").unwrap());
            writeln!(text, "{y}").unwrap();
            text
        })
    };
    for (method, checks) in [("jackknife+", 8), ("minmax", 8), ("cv+", 5), ("split", 5)] {
        let heard = hear(&text(&train), &text(&test), &format!("--method {method}"));
        assert!(heard.stderr.is_empty(), "{}", heard.stderr);
        let line =
            format!("condition: no sign against exchangeable rows was found in {checks} checks; that is no proof");
        assert!(heard.stdout.contains(&line), "{}", heard.stdout);
        assert!(heard.stdout.contains("coverage on the 62 test rows: ") && !heard.stdout.contains("promise: "));
    }
}

/// A coverage below what was asked for is told as such where nothing is proven.
#[test]
fn a_rule_without_a_proof_contradicts_only_what_was_asked() {
    let larger = |[a, b, y]: Row| [a, b, a + b + 3.0 * (y - a - b)];
    let test: Vec<Row> = plain(100, 8).into_iter().map(larger).collect();
    let heard = hear(&csv(&plain(200, 9)), &csv(&test), "--method naive");
    heard.warns("promise", &["is below the 90 % asked for beyond chance", "there is none for naive"]);
    heard.warns("promise", &["no check found one", "another population", "other units"]);
    assert!(heard.stdout.contains("no guarantee is proven"), "{}", heard.stdout);
}

/// y = a³ by a line: fitted at a ~ N(0, 1) and asked at a ~ N(1, 1).
#[test]
fn weights_are_estimated_if_asked_and_told_with_what_they_leave_of_the_rows() {
    let cubed = |rows: Vec<Row>, by: f64| -> Vec<Row> {
        rows.into_iter().map(|[a, b, y]| [a + by, b, (a + by).powi(3) + y - a - b]).collect()
    };
    let (train, test) = (csv(&cubed(plain(300, 10), 0.0)), csv(&cubed(plain(200, 11), 1.0)));
    let plus = hear(&train, &test, "--method jackknife+");
    plus.warns("condition", &["unlike the training rows in `a`", "--method weighted"]);
    plus.warns("promise", &["below the 90 % asked for"]);
    let weighted = hear(&train, &test, "--method weighted");
    assert!(weighted.stdout.contains("weights: estimated for 200 new rows: the 300 training rows are worth"));
    assert!(weighted.stdout.contains("no guarantee is proven for estimated weights; at least 80 % if"));
    assert!(weighted.stdout.contains("the weights make up for it"), "{}", weighted.stdout);
    assert!(!weighted.stderr.contains("--method weighted") && !weighted.stdout.contains("promise: "));
}
