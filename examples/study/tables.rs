//! The tables of the documentation, made of what is stored.
//!
//! Each has a sentence with the command behind it and the number of splits. Coverage is over all test rows of all splits, bold
//! where its exact 95 % interval reaches 90 %; other numbers are means over splits, ± the standard error.

use jackknife::prelude::*;

use crate::layout::{by_method, digits, head, line, lines, mean, over_plus, source, tables, triple};
use crate::outcome;
use crate::rates;
use crate::store::{Line, Results, STUDIES, folder};

/// The name of a file in `tables/`, and its text.
pub type Made = (&'static str, String);

/// Sets every table of what is stored, and writes it.
pub fn write() -> Result<()> {
    for (name, text) in stored()? {
        jackknife::file::write_whole(&folder().join("tables").join(name), text.as_bytes())?;
        println!("examples/study/tables/{name}");
    }
    Ok(())
}

/// Every table, of what is stored.
pub fn stored() -> Result<Vec<Made>> {
    let [rematch, scale, engines, calibration, stages, shifts] = STUDIES.map(Results::load);
    let [rematch, scale, engines, calibration, stages] = [rematch?, scale?, engines?, calibration?, stages?];
    let made = outcome::make(&rematch, &stages).into_iter().chain(make(&rematch, &scale, &engines));
    Ok(made.chain(rates::make(&calibration)).chain([("shifts.md", shifts_table(&shifts?))]).collect())
}

/// Every other table of measurements on real data.
pub fn make(rematch: &Results, scale: &Results, engines: &Results) -> Vec<Made> {
    vec![
        ("rematch_training.md", outcome::training(rematch)),
        ("bagged.md", bagged(rematch)),
        ("scale.md", scales(scale)),
        ("damping.md", dampings(scale)),
        ("engines.md", engine_table(engines)),
    ]
}

fn bagged(results: &Results) -> String {
    let cell = |lines: &[Line<'_>]| triple(lines, digits(mean(lines, "width").mean));
    by_method(results, &["bagged"], cell)
        + &source(
            results,
            "Its settings were chosen on all but concrete, airfoil_self_noise, wine_quality_red and power_plant.",
        )
}

/// The variants of the scale, all with damping 1/(4n).
fn scales(results: &Results) -> String {
    let mut names: Vec<&str> = vec!["jackknife+"];
    let floors = ["0.5", "1", "2", "4"];
    let floored = ["d", "√(d·ℓ)"].map(|formula| floors.map(|floor| format!("{formula} with floor {floor}")));
    names.extend(floored.iter().flatten().map(String::as_str));
    names.extend(["ℓ", "√(d² + ℓ²)"]);
    let row = |name: &&str| {
        let cells = tables(results).into_iter().map(|table| over_plus(results, table, "1", name));
        match name.split_once(" with floor ") {
            Some(("√(d·ℓ)", "1")) => line("**√(d·ℓ)** | **1 × median**", cells.map(|cell| format!("**{cell}**"))),
            Some((formula, floor)) => line(&format!("{formula} | {floor} × median"), cells),
            None if *name == "jackknife+" => line("1: the jackknife+ |", cells),
            None => line(&format!("{name} |"), cells),
        }
    };
    let rows: String = names.iter().map(row).collect();
    head("scale | floor", results) + &rows + &source(results, "The scale and its floor were chosen on these tables.")
}

/// The rule as it is, with other dampings.
fn dampings(results: &Results) -> String {
    let names = [("0.1", "0.1/(4n)"), ("1", "**1/(4n)**"), ("10", "10/(4n)"), ("likelihood", "the likeliest")];
    let row = |(damping, name): &(&str, &str)| {
        let cell = |table| over_plus(results, table, damping, "studentized");
        line(name, tables(results).into_iter().map(cell))
    };
    let chosen = line("which is, in 1/(4n)", tables(results).into_iter().map(|table| choices(results, table)));
    let rows: String = names.iter().map(row).chain([chosen]).collect();
    head("damping", results) + &rows + &source(results, "The damping 1/(4n) was chosen on these tables.")
}

/// What the likelihood has chosen on the splits of a table, and how often.
fn choices(results: &Results, table: Table) -> String {
    let chosen = |line: &Line<'_>| line.text("damping") == "likelihood";
    let times: Vec<&str> = lines(results, table, "studentized").filter(chosen).map(|line| line.text("times")).collect();
    let mut kinds = times.clone();
    kinds.sort_by(|a, b| a.len().cmp(&b.len()).then(a.cmp(b)));
    kinds.dedup();
    let often =
        |kind: &&str| format!("{kind} ({} of {})", times.iter().filter(|time| *time == kind).count(), times.len());
    kinds.iter().map(often).collect::<Vec<_>>().join(", ")
}

/// The studentised rule on the models of each engine.
fn engine_table(results: &Results) -> String {
    let influence = |order: usize| format!("studentized (influence of order {order})");
    let [first, second, third] = [influence(1), influence(2), influence(3)];
    let gauss = "Gauss–Newton";
    let rows = [
        ("**one Gauss–Newton step**", "studentized", gauss, ""),
        ("and the tenth of largest leverage retrained", "studentized", gauss, "largest tenth"),
        ("one Newton step, exact H", "studentized", "exact", ""),
        ("influence of order 1, Gauss–Newton", &first, gauss, ""),
        ("influence of order 1, exact H", &first, "exact", ""),
        ("influence of order 2, exact H", &second, "exact", ""),
        ("influence of order 3, exact H", &third, "exact", ""),
        ("influence of order 3, Gauss–Newton", &third, gauss, ""),
        ("and its flagged rows retrained", &third, gauss, "flagged"),
    ];
    let row = |(name, method, curvature, retrained): &(&str, &str, &str, &str)| {
        let cell = |table| {
            let this = |line: &Line<'_>| line.text("curvature") == *curvature && line.text("retrained") == *retrained;
            let all: Vec<_> = lines(results, table, method).filter(this).collect();
            let good: Vec<_> = all.iter().copied().filter(|line| line.text("failure").is_empty()).collect();
            let width = digits(mean(&good, "width").mean);
            let cell = format!("{} / {}", triple(&good, width), digits(mean(&good, "times").mean));
            if good.len() == all.len() { cell } else { format!("{cell} ({} of {})", good.len(), all.len()) }
        };
        line(name, tables(results).into_iter().map(cell))
    };
    head("engine", results) + &rows.iter().map(row).collect::<String>() + &source(results, "")
}

/// How far linear shifts move an end, beside each model asked.
fn shifts_table(results: &Results) -> String {
    let row = |method: &&str| {
        let cell = |table| {
            let all: Vec<_> = lines(results, table, method).collect();
            let sum = |column| all.iter().map(|line| line.number(column)).sum::<f64>();
            let covered = |column| format!("{:.3}", sum(column) / sum("of")).replacen("0.", ".", 1);
            let [median, late] = ["median", "late"].map(|column| few(mean(&all, column).mean));
            format!("{median} / {late}; {} ({})", covered("covered"), covered("covered_models"))
        };
        line(method, tables(results).into_iter().map(cell))
    };
    head("", results)
        + &["jackknife+", "studentized"].iter().map(row).collect::<String>()
        + &source(results, "Nothing was chosen on these tables.")
}

/// Two digits that count, and no 0 before the point.
fn few(value: f64) -> String {
    let decimals = (1.0 - value.log10().floor()).max(0.0) as usize;
    format!("{value:.decimals$}").replacen("0.", ".", 1)
}
