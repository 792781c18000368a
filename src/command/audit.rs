//! `jackknife audit`: what the intervals of one model, or of several, are worth on a table.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::audit::Free;
use crate::file::write_whole;
use crate::prelude::*;
use clap::Args;

use super::model::NetworkOptions;
use super::table::Reading;
use super::{check_folder, progress};

/// Folds unless told otherwise.
const SPLITS: usize = 10;

/// The options of `jackknife audit`.
#[derive(Args)]
pub struct Options {
    /// A CSV, TSV or Parquet file, or a bundled table: yacht, boston_housing, concrete, …
    #[arg(value_name = "TABLE")]
    table: String,
    /// Target column [default: the last]
    #[arg(long, value_name = "COL")]
    target: Option<String>,
    /// Models, separated by commas: network, ols, ridge, ridge:λ, kernel, forest, linfa-ols, tweedie, elasticnet, svr
    ///
    /// Several are compared on the same folds, each by the methods that are recommended for it, unless --methods says
    /// otherwise.
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', default_value = "network")]
    model: Vec<Learner>,
    /// Methods, separated by commas [default: every one that suits the model and needs few trainings; `baselines` stands for the
    /// paper's five]
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    methods: Vec<String>,
    /// Miscoverage: 0.1 asks for 90 % intervals
    #[arg(long, default_value_t = 0.1, allow_negative_numbers = true)]
    alpha: f64,
    /// Splits into training and test rows: folds, so that every row is tested once; 1 is a single random split
    /// [default: 10, fewer for large tables]
    #[arg(long)]
    splits: Option<usize>,
    /// Rounds of these splits: every row is tested so often
    #[arg(long, default_value_t = 1)]
    repeats: usize,
    #[command(flatten)]
    network: NetworkOptions,
    /// Of the first split and network
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Column that says which rows belong together: they are tested together, by models that have seen none of them
    #[arg(long, value_name = "COL")]
    group: Option<String>,
    /// Where the report goes: one HTML file that opens offline
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Where the table goes as CSV
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Where the table goes as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    #[command(flatten)]
    reading: Reading,
}

impl Default for Options {
    /// What plain `jackknife` does: the bundled yacht table, with a report.
    fn default() -> Self {
        Self {
            table: "yacht".into(),
            target: None,
            model: vec![Learner::default()],
            methods: Vec::new(),
            alpha: 0.1,
            splits: None,
            repeats: 1,
            network: NetworkOptions::default(),
            seed: 0,
            group: None,
            html: Some("report.html".into()),
            csv: None,
            json: None,
            reading: Reading::default(),
        }
    }
}

impl Options {
    /// The files asked for.
    fn files(&self) -> impl Iterator<Item = &PathBuf> {
        [&self.html, &self.csv, &self.json].into_iter().flatten()
    }
}

/// Audits, prints the table and writes the files asked for.
pub fn run(options: &Options, own: &[Rule]) -> Result<()> {
    for path in options.files() {
        check_folder(path)?;
    }
    let (target, group) = (options.target.as_deref(), options.group.as_deref());
    let sample = options.reading.sample(&options.table, target, group)?;
    let mut audit = Audit::default()
        .alpha(options.alpha)
        .splits(options.splits.unwrap_or(SPLITS))
        .repeats(options.repeats)
        .seed(options.seed);
    audit = audit.models(&options.network.applied(&options.model)?);
    if !options.methods.is_empty() {
        audit = audit.methods(&methods(&options.methods, own)?);
    }
    let free = Free {
        methods: options.methods.is_empty(),
        splits: options.splits.is_none(),
        epochs: options.network.epochs.is_none(),
    };
    let suited = audit.clone().suited_to(&sample, free);
    audit.changes(&suited, &sample).iter().for_each(|change| eprintln!("note: {change}"));
    audit = suited;
    let name =
        Path::new(&options.table).file_stem().map_or(options.table.clone(), |stem| stem.to_string_lossy().into());
    let trainings = audit.trainings();
    let table = audit.run_with(&name, &sample, |done| progress(done, trainings, "splits"))?;
    if let Some(path) = &options.html {
        table.report(path)?;
    }
    if let Some(path) = &options.csv {
        write_whole(path, table.to_csv().as_bytes())?;
    }
    if let Some(path) = &options.json {
        write_whole(path, table.to_json().as_bytes())?;
    }
    for warning in table.warnings() {
        eprintln!("warning: {warning}");
    }
    let mut text = format!("{sample:?}\n\n{table}\n");
    for path in options.files() {
        text += &format!("\nwritten to {}", path.display());
    }
    // A reader that has closed the pipe has seen enough.
    writeln!(std::io::stdout(), "{}", text.trim_end()).ok();
    Ok(())
}

fn methods(names: &[String], own: &[Rule]) -> Result<Vec<Method>> {
    let mut methods = Vec::new();
    for name in names {
        match name.trim() {
            "baselines" => methods.extend(Method::BASELINES),
            name => methods.push(Method::named(name, own)?),
        }
    }
    Ok(methods)
}
