//! `jackknife fit`: a model and its leave-one-out world in one file, for `jackknife predict`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::check_folder;
use super::model::NetworkOptions;
use super::table::Reading;
use crate::prelude::*;

/// The options of `jackknife fit`.
#[derive(Args)]
pub struct Options {
    /// A CSV, TSV or Parquet file, or a bundled table: yacht, boston_housing, concrete, …
    #[arg(value_name = "TABLE")]
    table: String,
    /// Target column [default: the last]
    #[arg(long, value_name = "COL")]
    target: Option<String>,
    /// network, ols, ridge, ridge:λ, kernel, forest, linfa-ols, tweedie, elasticnet or svr
    #[arg(long, default_value = "network")]
    model: Learner,
    /// What the fit answers by [default: tangent; jackknife+ for models that have none]
    ///
    /// predict may ask for another that needs no training; split+ keeps rows from its model, and has to be asked for here.
    #[arg(long)]
    method: Option<String>,
    #[command(flatten)]
    network: NetworkOptions,
    #[command(flatten)]
    reading: Reading,
    /// Of whatever is random
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Where the fit goes
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Reads, trains, writes.
pub fn run(options: &Options, own: &[Rule]) -> Result<()> {
    check_folder(&options.out)?;
    let method = options.method.as_deref().map(|name| Method::named(name, own)).transpose()?;
    let learner = options.network.applied(std::slice::from_ref(&options.model))?.remove(0);
    let sample = options.reading.sample(&options.table, options.target.as_deref(), None)?;
    let fit = Saved::fit(learner, &sample, method, options.seed)?;
    fit.save(&options.out)?;
    let mut text = format!("{sample:?}\n\n{fit:?}\n");
    text +=
        &format!("written to {}; jackknife predict {0} NEW.csv --out FILE answers new rows\n", options.out.display());
    // A reader that has closed the pipe has seen enough.
    std::io::stdout().write_all(text.as_bytes()).ok();
    Ok(())
}
