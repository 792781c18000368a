//! The tables of the calibration: how often each verdict and interval is right.

use crate::layout::line;
use crate::store::{Line, Results};
use crate::tables::Made;

/// Every table of the calibration.
pub fn make(results: &Results) -> Vec<Made> {
    vec![
        ("calibration.md", told(results)),
        ("calibration_coverage.md", covered(results)),
        ("calibration_condition.md", spoken(results)),
    ]
}

/// The scenarios in the order of the tables.
const ORDER: [&str; 8] =
    ["noise", "signal", "heavy_tails", "outliers", "heteroscedastic", "groups", "drift", "duplicates"];
/// What a line of a table begins with.
const KEYS: [&str; 5] = ["scenario", "rows", "splits", "network", "tables"];

/// The lines of one kind of table, one for each method.
struct Kind<'a>(Vec<Line<'a>>);

impl<'a> Kind<'a> {
    fn all(results: &'a Results) -> Vec<Self> {
        let mut kinds: Vec<Self> = Vec::new();
        for scenario in ORDER {
            for line in results.lines().filter(|line| line.text("scenario") == scenario) {
                let same = |kind: &&mut Self| KEYS.iter().all(|key| kind.0[0].text(key) == line.text(key));
                match kinds.iter_mut().find(same) {
                    Some(kind) => kind.0.push(line),
                    None => kinds.push(Self(vec![line])),
                }
            }
        }
        kinds
    }

    fn of(&self, method: &str) -> Line<'a> {
        let found = self.0.iter().find(|line| line.text("method") == method);
        *found.unwrap_or_else(|| panic!("nothing is stored of {method}"))
    }

    fn set(&self, cells: impl IntoIterator<Item = String>) -> String {
        let first = KEYS.map(|key| self.0[0].text(key).replace('_', " ")).join(" | ");
        line(&first, cells)
    }
}

fn head(columns: &[&str]) -> String {
    let rule = "|---".repeat(KEYS.len() + columns.len());
    line(&KEYS.join(" | "), columns.iter().map(|column| column.to_string())) + &rule + "|\n"
}

const SOURCE: &str = "\n`cargo run --release --example study -- calibration`; the network is `small`, 10 tanh units and 200 \
                      epochs, or `paper`, the audit's default of 100 and 1000.\n";

/// The share of the tables that a column counts.
fn share(line: &Line<'_>, column: &str) -> String {
    format!("{:.0} %", 100.0 * line.number(column) / line.number("tables"))
}

/// How often a method is said to discriminate.
fn told(results: &Results) -> String {
    let methods = ["any", "jackknife+", "studentized", "dj1"];
    let row = |kind: &Kind<'_>| kind.set(methods.map(|method| share(&kind.of(method), "tells_yes")));
    head(&methods) + &Kind::all(results).iter().map(row).collect::<String>() + SOURCE
}

/// The true coverage, how often the interval holds it, and how often the verdict is wrong and how often unclear.
fn covered(results: &Results) -> String {
    let methods = ["naive", "jackknife+", "studentized", "dj1"];
    let cell = |line: Line<'_>| {
        let shares = ["holds", "wrong", "unclear"].map(|column| share(&line, column).replace(" %", ""));
        format!("{:.3}: {}", line.number("truth"), shares.join(" / "))
    };
    let row = |kind: &Kind<'_>| kind.set(methods.map(|method| cell(kind.of(method))));
    head(&methods) + &Kind::all(results).iter().map(row).collect::<String>() + SOURCE
}

/// How often something is said against the condition, and what a coverage is worth where there is reason to.
fn spoken(results: &Results) -> String {
    let row = |kind: &Kind<'_>| {
        let line = kind.of("studentized");
        let coverages = ["coverage", "truth", "next"].map(|column| format!("{:.3}", line.number(column)));
        kind.set([share(&kind.of("any"), "spoken")].into_iter().chain(coverages))
    };
    let columns = ["something is said", "coverage seen", "on rows alike", "on the next rows"];
    head(&columns) + &Kind::all(results).iter().map(row).collect::<String>() + SOURCE
}
