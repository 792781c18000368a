//! How a table is set: the lines of a study that belong to a cell, their means, and the digits that are shown.

use jackknife::prelude::*;

use crate::store::{Line, Results};

/// Columns of every table, in this order.
const TABLES: [Table; 9] = [
    Table::Yacht,
    Table::BostonHousing,
    Table::EnergyEfficiency,
    Table::Concrete,
    Table::AirfoilSelfNoise,
    Table::WineQualityRed,
    Table::Kin8nm,
    Table::PowerPlant,
    Table::NavalPropulsion,
];
pub const TARGET: f64 = 0.9;

/// Tables of the study that are stored.
pub fn tables(results: &Results) -> Vec<Table> {
    TABLES.into_iter().filter(|table| results.lines().any(|line| line.text("table") == table.name())).collect()
}

pub fn lines<'a>(results: &'a Results, table: Table, method: &str) -> impl Iterator<Item = Line<'a>> {
    results.lines().filter(move |line| line.text("table") == table.name() && line.text("method") == method)
}

/// Of the rematch, with every training as it is.
pub fn plain<'a>(results: &'a Results, table: Table, method: &str) -> Vec<Line<'a>> {
    lines(results, table, method).filter(|line| line.text("variant").is_empty()).collect()
}

/// What the documentation calls a method that is stored by its name.
pub fn called(name: &str) -> String {
    match Method::named(name, &[]) {
        Ok(method @ Method::Baseline(_)) => method.to_string(),
        _ => name.into(),
    }
}

pub fn by_method(results: &Results, methods: &[&str], cell: impl Fn(&[Line<'_>]) -> String) -> String {
    let row = |method: &&str| {
        line(&called(method), tables(results).into_iter().map(|table| cell(&plain(results, table, method))))
    };
    head("", results) + &methods.iter().map(row).collect::<String>()
}

pub fn head(first: &str, results: &Results) -> String {
    let tables = tables(results);
    let rule = "|---".repeat(tables.len() + 1 + first.matches('|').count());
    line(first, tables.iter().map(|table| table.name().into())) + &rule + "|\n"
}

pub fn line(first: &str, cells: impl IntoIterator<Item = String>) -> String {
    let cells: String = cells.into_iter().map(|cell| format!(" {cell} |")).collect();
    format!("| {first} |{cells}\n")
}

/// Where the numbers come from.
pub fn source(results: &Results, also: &str) -> String {
    source_of(results, &tables(results), also)
}

/// Where the numbers of some tables come from.
pub fn source_of(results: &Results, tables: &[Table], also: &str) -> String {
    let splits = |table: &Table| {
        let all = results.lines().filter(|line| line.text("table") == table.name()).map(|line| line.text("split"));
        let count = all.collect::<std::collections::BTreeSet<_>>().len();
        format!("{} {count}", table.name())
    };
    let (study, splits) = (results.study.name, tables.iter().map(splits).collect::<Vec<_>>().join(", "));
    let also = if also.is_empty() { String::new() } else { format!(" {also}") };
    format!("\n`cargo run --release --example study -- {study}`; number of splits: {splits}.{also}\n")
}

/// Over all rows of all splits.
pub fn pooled(lines: &[Line<'_>]) -> Option<Coverage> {
    let sum = |column| lines.iter().map(|line| line.number(column)).sum::<f64>() as usize;
    Coverage::from_counts(sum("covered"), sum("of")).ok()
}

/// Over all rows of all splits; bold if the rows do not contradict the target from below.
pub fn coverage(lines: &[Line<'_>]) -> String {
    match pooled(lines) {
        Some(coverage) if coverage.high >= TARGET => format!("**{}**", short(coverage.rate, 3)),
        Some(coverage) => short(coverage.rate, 3),
        None => "–".into(),
    }
}

/// Coverage / average precision / a width.
pub fn triple(lines: &[Line<'_>], width: String) -> String {
    let coverage = coverage(lines).replace('*', "");
    format!("{coverage} / {} / {width}", short(mean(lines, "precision").mean, 2))
}

pub fn over_plus(results: &Results, table: Table, damping: &str, method: &str) -> String {
    let lines: Vec<_> = lines(results, table, method).filter(|line| line.text("damping") == damping).collect();
    triple(&lines, format!("{:.2}", mean(&lines, "over_plus").mean))
}

/// A mean over splits and its standard error, which one split has not.
pub struct Mean {
    pub mean: f64,
    error: f64,
}

impl Mean {
    /// With its standard error, if there is one.
    pub fn with_error(&self) -> String {
        let mean = short(self.mean, 2);
        if self.error.is_finite() { format!("{mean} ± {}", short(self.error, 2)) } else { mean }
    }
}

pub fn mean(lines: &[Line<'_>], column: &str) -> Mean {
    let values: ndarray::Array1<f64> = lines.iter().map(|line| line.number(column)).collect();
    let n = values.len() as f64;
    let error = if values.len() > 1 { values.std(1.0) / n.sqrt() } else { f64::NAN };
    Mean { mean: values.mean().unwrap_or(f64::NAN), error }
}

/// So many decimals, and no 0 before the point.
fn short(value: f64, decimals: usize) -> String {
    match value {
        value if value.is_nan() => "–".into(),
        value => strip(format!("{value:.decimals$}")),
    }
}

/// Three digits that count.
pub fn digits(value: f64) -> String {
    if !value.is_finite() {
        return if value.is_nan() { "–".into() } else { "∞".into() };
    }
    let whole = if value > 0.0 { value.log10().floor() } else { 0.0 };
    strip(format!("{value:.*}", (2.0 - whole).max(0.0) as usize))
}

fn strip(number: String) -> String {
    number.strip_prefix("0.").map_or_else(|| number.clone(), |decimals| format!(".{decimals}"))
}
