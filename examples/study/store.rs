//! What a study has found, as CSV: one line for each table, split and method, sorted, and only the lines that were run
//! again are replaced.

use std::cmp::Ordering;
use std::path::{Path, PathBuf};

use jackknife::prelude::*;

/// A study by its name, the columns of its CSV, and how many of the first of them say what was run.
#[derive(Debug, PartialEq)]
pub struct Study {
    pub name: &'static str,
    pub keys: usize,
    pub columns: &'static [&'static str],
}

/// Every method against the baselines; `expected` is the average precision with which the tangent's expected error finds the
/// network's largest errors.
pub const REMATCH: Study = Study {
    name: "rematch",
    keys: 4,
    columns: &[
        "table",
        "split",
        "method",
        "variant",
        "covered",
        "of",
        "width",
        "score",
        "precision",
        "same_errors",
        "expected",
        "rmse",
        "seconds",
    ],
};

/// The tangent's intervals with 1000 epochs and with the stage that its left-out error chooses (`stopped`); `rmse` is that of
/// the tangent, `own` that of the network.
pub const STAGES: Study = Study {
    name: "stages",
    keys: 5,
    columns: &[
        "table", "protocol", "network", "split", "stopped", "covered", "of", "width", "score", "rmse", "own", "epochs",
        "seconds",
    ],
};

/// The scale of the studentised rule, its floor and the damping, which is in units of 1/(4n); `over_plus` is the width over
/// the jackknife+'s.
pub const SCALE: Study = Study {
    name: "scale",
    keys: 4,
    columns: &["table", "split", "damping", "method", "times", "covered", "of", "precision", "over_plus"],
};

/// The studentised rule on the models of several engines; `times` is the damping in units of 1/(4n), and `failure` says why
/// there are no models.
pub const ENGINES: Study = Study {
    name: "engines",
    keys: 5,
    columns: &[
        "table",
        "split",
        "method",
        "curvature",
        "retrained",
        "covered",
        "of",
        "precision",
        "width",
        "times",
        "flagged",
        "seconds",
        "failure",
    ],
};

/// Linear shifts beside each model asked: `median` and `late`, its 95 %, are of the difference of an end over the width of each
/// model asked; `covered` and `seconds` are of the linear form.
pub const SHIFTS: Study = Study {
    name: "shifts",
    keys: 3,
    columns: &[
        "table",
        "split",
        "method",
        "covered",
        "covered_models",
        "of",
        "median",
        "late",
        "seconds",
        "seconds_models",
    ],
};

/// The audit on simulated tables, in numbers of tables but for the means: `coverage` is what it saw, `truth` what its models
/// have on more rows of the kind, `next` on the rows that come after; `holds` says how often its interval holds the truth of
/// these very models, `holds_mean` the mean of all; `wrong` how often its verdict on the coverage was.
pub const CALIBRATION: Study = Study {
    name: "calibration",
    keys: 5,
    columns: &[
        "scenario",
        "rows",
        "splits",
        "network",
        "method",
        "tables",
        "coverage",
        "truth",
        "next",
        "holds",
        "holds_mean",
        "kept",
        "exceeded",
        "broken",
        "unclear",
        "wrong",
        "tells_yes",
        "tells_no",
        "precision",
        "chance",
        "spoken",
    ],
};

/// Every study that stores something.
pub const STUDIES: [&Study; 6] = [&REMATCH, &SCALE, &ENGINES, &CALIBRATION, &STAGES, &SHIFTS];

/// Columns that are no numbers.
const WORDS: [&str; 10] =
    ["table", "method", "variant", "curvature", "retrained", "failure", "scenario", "network", "protocol", "stopped"];

/// The lines of one study.
#[derive(Clone, Debug, PartialEq)]
pub struct Results {
    pub study: &'static Study,
    lines: Vec<Vec<String>>,
}

/// One line, whose cells have names.
#[derive(Clone, Copy)]
pub struct Line<'a> {
    study: &'static Study,
    cells: &'a [String],
}

impl<'a> Line<'a> {
    /// The cell of a column.
    pub fn text(&self, column: &str) -> &'a str {
        let k = self.study.columns.iter().position(|name| *name == column);
        &self.cells[k.unwrap_or_else(|| panic!("{} has no column {column}", self.study.name))]
    }

    /// The number in a column; NaN where the cell is empty.
    pub fn number(&self, column: &str) -> f64 {
        self.text(column).parse().unwrap_or(f64::NAN)
    }
}

/// The folder of the studies.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/study")
}

/// A number as it is stored: six digits, which is more than any table shows.
pub fn number(value: f64) -> String {
    let short: f64 = format!("{value:.5e}").parse().unwrap_or(value);
    short.to_string()
}

/// Text as it is stored: in one line and without commas.
pub fn words(text: &str) -> String {
    text.replace([',', '"'], ";").split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Results {
    /// Where they are stored.
    pub fn path(study: &Study) -> PathBuf {
        folder().join("results").join(study.name).with_extension("csv")
    }

    /// What is stored; nothing if there is no file yet.
    pub fn load(study: &'static Study) -> Result<Self> {
        let path = Self::path(study);
        match std::fs::read_to_string(&path) {
            Ok(text) => Self::read(study, &text).map_err(|reason| Error::File { action: "understand", path, reason }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Self { study, lines: Vec::new() }),
            Err(error) => Err(Error::File { action: "read", path, reason: error.to_string() }),
        }
    }

    /// From the text of a CSV, whose columns, numbers and keys are checked.
    pub fn read(study: &'static Study, text: &str) -> std::result::Result<Self, String> {
        let mut lines = text.lines();
        let columns = study.columns.join(",");
        match lines.next() {
            Some(head) if head == columns => {}
            head => return Err(format!("the columns are `{}`, not `{columns}`", head.unwrap_or_default())),
        }
        let lines: Vec<Vec<String>> = lines.map(|line| line.split(',').map(String::from).collect()).collect();
        for (k, cells) in lines.iter().enumerate() {
            if cells.len() != study.columns.len() {
                return Err(format!("line {} has {} cells", k + 2, cells.len()));
            }
            let number = |(name, cell): (&&str, &String)| WORDS.contains(name) || is_number(name, cell);
            if !study.columns.iter().zip(cells).all(number) {
                return Err(format!("line {} has a cell that is no number", k + 2));
            }
        }
        let results = Self { study, lines };
        let in_order = |pair: &[Vec<String>]| results.order(&pair[0], &pair[1]) == Ordering::Less;
        match results.lines.windows(2).position(|pair| !in_order(pair)) {
            Some(k) => Err(format!("line {} is out of order, or there twice", k + 3)),
            None => Ok(results),
        }
    }

    /// The lines as CSV.
    pub fn to_csv(&self) -> String {
        let head = self.study.columns.join(",");
        std::iter::once(head).chain(self.lines.iter().map(|line| line.join(","))).map(|line| line + "\n").collect()
    }

    /// Adds lines, in the place of those with the same key.
    pub fn replace(&mut self, lines: Vec<Vec<String>>) {
        let keys = self.study.keys;
        self.lines.retain(|old| lines.iter().all(|new| new[..keys] != old[..keys]));
        self.lines.extend(lines);
        let mut lines = std::mem::take(&mut self.lines);
        lines.sort_by(|a, b| self.order(a, b));
        self.lines = lines;
    }

    /// Stores lines beside what is stored already.
    pub fn store(study: &'static Study, lines: Vec<Vec<String>>) -> Result<()> {
        let mut results = Self::load(study)?;
        results.replace(lines);
        jackknife::file::write_whole(&Self::path(study), results.to_csv().as_bytes())
    }

    /// Some of the lines.
    pub fn only(&self, wanted: impl Fn(Line<'_>) -> bool) -> Self {
        let wanted = |cells: &&Vec<String>| wanted(Line { study: self.study, cells });
        Self { study: self.study, lines: self.lines.iter().filter(wanted).cloned().collect() }
    }

    /// The lines, sorted.
    pub fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        self.lines.iter().map(|cells| Line { study: self.study, cells })
    }

    /// By the key, numbers as numbers.
    fn order(&self, a: &[String], b: &[String]) -> Ordering {
        let pairs = a.iter().zip(b).take(self.study.keys);
        let by_cell = pairs.map(|(a, b)| match (a.parse::<f64>(), b.parse::<f64>()) {
            (Ok(a), Ok(b)) => a.total_cmp(&b),
            _ => a.cmp(b),
        });
        by_cell.fold(Ordering::Equal, Ordering::then)
    }
}

/// Whether a cell is what its column needs; the damping of the scale study can also be chosen.
fn is_number(column: &str, cell: &str) -> bool {
    cell.is_empty() || cell.parse::<f64>().is_ok() || (column == "damping" && cell == "likelihood")
}
