//! The tables of the rematch and of the stages: who covers, who is narrow, who finds the errors, and what was hoped for.

use jackknife::prelude::*;

use crate::layout::{
    TARGET, by_method, called, coverage, digits, head, line, lines, mean, plain, pooled, source, source_of, tables,
};
use crate::store::{Line, Results};
use crate::tables::Made;

/// The methods of the rematch, as they are stored: what is made of one network, what trains more, the baselines.
const METHODS: [&str; 17] = [
    "tangent",
    "full",
    "laplace",
    "studentized",
    "jackknife+",
    "minmax",
    "naive",
    "split+",
    "tangent-cv",
    "cv+",
    "bagged",
    "split",
    "dropout",
    "ensemble",
    "pbp",
    "sgld",
    "rue",
];
/// Whom `tangent` or `split+` is to beat.
const RIVALS: [&str; 6] = ["dropout", "ensemble", "pbp", "sgld", "rue", "bagged"];
const CHOSEN: &str = "Settings of the tangent were chosen on yacht, energy_efficiency and concrete; those of `studentized` and \
                      `bagged` on yacht, boston_housing, energy_efficiency, concrete, kin8nm and naval_propulsion.";

/// Every table of the two studies.
pub fn make(rematch: &Results, stages: &Results) -> Vec<Made> {
    let width = |lines: &[Line<'_>]| format!("{} / {}", coverage(lines), digits(mean(lines, "width").mean));
    let own = |lines: &[Line<'_>]| mean(lines, "precision").with_error();
    let seconds = |lines: &[Line<'_>]| digits(mean(lines, "seconds").mean);
    vec![
        ("rematch.md", by_method(rematch, &METHODS, width) + &source(rematch, CHOSEN)),
        ("rematch_score.md", scores(rematch)),
        ("rematch_own_errors.md", by_method(rematch, &METHODS, own) + &source(rematch, "")),
        ("rematch_same_errors.md", same_errors(rematch)),
        ("rematch_seconds.md", by_method(rematch, &METHODS, seconds) + &source(rematch, "")),
        ("rematch_outcome.md", outcome(rematch, stages)),
        ("rematch_published.md", published(rematch)),
        ("stages.md", stopped(stages)),
        ("stages_folds.md", folds(stages)),
    ]
}

/// Bold where it is the best of its column.
fn bold(value: f64, best: f64, text: String) -> String {
    if value == best { format!("**{text}**") } else { text }
}

fn score(results: &Results, table: Table, method: &str) -> f64 {
    mean(&plain(results, table, method), "score").mean
}

fn lowest(results: &Results, table: Table, methods: &[&str]) -> f64 {
    methods.iter().map(|method| score(results, table, method)).fold(f64::INFINITY, f64::min)
}

fn scores(results: &Results) -> String {
    let row = |method: &&str| {
        let cell = |table| {
            let own = score(results, table, method);
            bold(own, lowest(results, table, &METHODS), digits(own))
        };
        line(&called(method), tables(results).into_iter().map(cell))
    };
    head("", results) + &METHODS.iter().map(row).collect::<String>() + &source(results, CHOSEN)
}

/// The average precision of a method's width for the network's errors.
fn width_precision(results: &Results, table: Table, method: &str) -> f64 {
    mean(&plain(results, table, method), "same_errors").mean
}

/// That of the tangent's expected error.
fn expected_precision(results: &Results, table: Table) -> f64 {
    mean(&plain(results, table, "tangent"), "expected").mean
}

fn best_width(results: &Results, table: Table) -> f64 {
    METHODS.iter().map(|method| width_precision(results, table, method)).fold(0.0, f64::max)
}

fn same_errors(results: &Results) -> String {
    let best = |table| best_width(results, table).max(expected_precision(results, table));
    let expected = |table| {
        let lines = plain(results, table, "tangent");
        bold(mean(&lines, "expected").mean, best(table), mean(&lines, "expected").with_error())
    };
    let first = line("expected error of `tangent`", tables(results).into_iter().map(expected));
    let row = |method: &&str| {
        let cell = |table| {
            let mean = mean(&plain(results, table, method), "same_errors");
            bold(mean.mean, best(table), mean.with_error())
        };
        line(&format!("width of {}", called(method)), tables(results).into_iter().map(cell))
    };
    head("", results) + &first + &METHODS.iter().map(row).collect::<String>() + &source(results, "")
}

/// The tangent's lines of a network, stopped so.
fn stage_lines<'a>(results: &'a Results, table: Table, protocol: &str, network: &str, stopped: &str) -> Vec<Line<'a>> {
    let key = [table.name(), protocol, network, stopped];
    let columns = ["table", "protocol", "network", "stopped"];
    results.lines().filter(|line| columns.iter().zip(key).all(|(column, cell)| line.text(column) == cell)).collect()
}

/// What was hoped for, and where it came true.
fn outcome(results: &Results, stages: &Results) -> String {
    let all = tables(results);
    let row = |goal: &str, hoped: &str, holds: &dyn Fn(Table) -> bool, of: &[Table]| {
        let reached: Vec<&str> = of.iter().filter(|table| holds(**table)).map(|table| table.name()).collect();
        let names = if reached.is_empty() { "none".into() } else { reached.join(", ") };
        format!("| {goal} | {hoped} | {} of {} | {names} |\n", reached.len(), of.len())
    };
    let covers =
        |method: &'static str| move |table| pooled(&plain(results, table, method)).is_some_and(|c| c.high >= TARGET);
    let beats = |own: f64, table| own < lowest(results, table, &RIVALS);
    let small: Vec<Table> =
        all.iter().copied().filter(|&table| !stage_lines(stages, table, "splits", "100", "PRESS").is_empty()).collect();
    let press = |table| mean(&stage_lines(stages, table, "splits", "100", "PRESS"), "score").mean;
    let ours = "below deep ensemble, MC dropout, PBP, SGLD, RUE and `bagged`";
    let rows = [
        row("`tangent` covers", "8 of 9", &covers("tangent"), &all),
        row("`split+` covers", "all", &covers("split+"), &all),
        row(
            &format!("interval score of `tangent` or `split+` {ours}"),
            "7 of 9",
            &|table| beats(lowest(results, table, &["tangent", "split+"]), table),
            &all,
        ),
        row(
            "the same without `bagged`, which trains 25 networks",
            "–",
            &|table| lowest(results, table, &["tangent", "split+"]) < lowest(results, table, &RIVALS[..5]),
            &all,
        ),
        row(
            &format!("interval score of `tangent`, training stopped by PRESS, {ours}"),
            "–",
            &|table| beats(press(table), table),
            &small,
        ),
        row(
            "expected error ranks the network's errors at least as well as the best width of any method",
            "6 of 9",
            &|table| expected_precision(results, table) >= best_width(results, table),
            &all,
        ),
    ];
    let head = "| at 90 % | hoped for | reached | on |\n|---|---|---|---|\n";
    head.to_string() + &rows.concat() + &source(results, CHOSEN)
}

/// What others have published for the same tables.
fn published(results: &Results) -> String {
    let four = [Table::Yacht, Table::BostonHousing, Table::EnergyEfficiency, Table::Kin8nm];
    let names = line("coverage / width at 90 %", four.iter().map(|table| table.name().into()));
    let row = |method: &str| {
        let cell = |table| {
            let lines = plain(results, table, method);
            format!("{} / {}", coverage(&lines).replace('*', ""), digits(mean(&lines, "width").mean))
        };
        line(method, four.into_iter().map(cell))
    };
    let others = [".968 / 3.47", ".968 / 15.9", ".940 / 12.9", ".980 / .34"].map(String::from);
    names
        + &"|---".repeat(5)
        + "|\n"
        + &row("tangent")
        + &row("split+")
        + &line("LVD (Lin et al. 2021), as published, 60/20/20", others)
        + &source_of(results, &four, "Ours train on 80 %.")
}

/// Coverage / width / interval score.
fn worth(lines: &[Line<'_>]) -> String {
    let [width, score] = ["width", "score"].map(|column| digits(mean(lines, column).mean));
    format!("{} / {width} / {score}", coverage(lines))
}

/// The stages that were chosen, and how often.
fn choices(lines: &[Line<'_>]) -> String {
    let mut epochs: Vec<usize> = lines.iter().map(|line| line.number("epochs") as usize).collect();
    epochs.sort_unstable();
    let count = |stage: &usize| epochs.iter().filter(|epochs| *epochs == stage).count();
    let mut kinds = epochs.clone();
    kinds.dedup();
    kinds.iter().map(|stage| format!("{stage} ({})", count(stage))).collect::<Vec<_>>().join(", ")
}

const STAGES_HEAD: &str = "| | 1000 epochs | stage by PRESS | epochs chosen (splits) | RMSE of the tangent | RMSE of the network |\n\
                           |---|---|---|---|---|---|\n";

fn stage_row(name: &str, results: &Results, table: Table, protocol: &str, network: &str) -> String {
    let [fixed, press] = ["1000", "PRESS"].map(|how| stage_lines(results, table, protocol, network, how));
    let both = |column| format!("{} → {}", digits(mean(&fixed, column).mean), digits(mean(&press, column).mean));
    line(name, [worth(&fixed), worth(&press), choices(&press), both("rmse"), both("own")])
}

fn stopped(results: &Results) -> String {
    let networks = [("100", "100 tanh"), ("50-50", "2 × 50 tanh")];
    let row = |table: Table| {
        let of = |(network, words): &(&str, &str)| {
            stage_row(&format!("{}, {words}", table.name()), results, table, "splits", network)
        };
        networks.iter().map(of).collect::<String>()
    };
    let rows: String = tables(results).into_iter().map(row).collect();
    STAGES_HEAD.to_string() + &rows + &source_of(&of_protocol(results, "splits"), &tables(results), "")
}

fn folds(results: &Results) -> String {
    let table = Table::BostonHousing;
    let ours = stage_row("`tangent`, 50 tanh", results, table, "folds", "50");
    let others = line("ACP-GN, 50 GELU, as published", [".905 / 9.15 / –", "", "", "", ""].map(String::from));
    let folds = of_protocol(results, "folds");
    let also = "Ten folds, drawn ten times.";
    STAGES_HEAD.to_string() + &ours + &others + &source_of(&folds, &[table], also)
}

/// The lines of one protocol.
fn of_protocol(results: &Results, protocol: &str) -> Results {
    results.only(|line| line.text("protocol") == protocol)
}

/// A precision of its own errors can be had by predicting badly.
pub fn training(results: &Results) -> String {
    let table = Table::EnergyEfficiency;
    let row = |name: &str, method: &str, variant: &str| {
        let lines: Vec<_> = lines(results, table, method).filter(|line| line.text("variant") == variant).collect();
        let numbers = [mean(&lines, "precision").with_error(), mean(&lines, "same_errors").with_error()];
        line(name, std::iter::once(digits(mean(&lines, "rmse").mean)).chain(numbers))
    };
    let rows = [
        row("the network: studentized", "studentized", ""),
        row("deep ensemble", "ensemble", ""),
        row("deep ensemble, 300 epochs", "ensemble", "300 epochs"),
        row("BNN (SGLD)", "sgld", ""),
    ];
    let also = "The line with its epochs is from `-- rematch --epochs 300 energy_efficiency`.";
    let head =
        format!("| {} | RMSE | precision, own errors | precision, same errors |\n|---|---|---|---|\n", table.name());
    head + &rows.concat() + &source_of(results, &[table], also)
}
