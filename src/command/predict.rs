//! `jackknife predict`: intervals for new rows from a saved fit, without the training table.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::check_folder;
use super::condition::{Said, conditions};
use super::intervals::write;
use crate::prelude::*;

/// The options of `jackknife predict`.
#[derive(Args)]
pub struct Options {
    /// What `jackknife fit` wrote
    #[arg(value_name = "FIT")]
    fit: PathBuf,
    /// New rows: a CSV, TSV or Parquet file with the columns of the training table, in any order
    #[arg(value_name = "TABLE")]
    table: PathBuf,
    /// Miscoverage: 0.1 asks for 90 % intervals
    #[arg(long, default_value_t = 0.1, allow_negative_numbers = true)]
    alpha: f64,
    /// Another method than that of the fit
    #[arg(long)]
    method: Option<String>,
    /// What stands between cells: a sign, or comma, semicolon, tab [default: found]
    #[arg(long, value_name = "SIGN", allow_hyphen_values = true, value_parser = super::table::separator)]
    sep: Option<char>,
    /// The decimal sign, . or , [default: found]
    #[arg(long, value_name = "SIGN")]
    decimal: Option<char>,
    /// Where the columns prediction,lower,upper are written
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Reads, answers, writes, and sums up on stdout.
pub fn run(options: &Options, own: &[Rule]) -> Result<()> {
    crate::quantile::check(options.alpha)?;
    check_folder(&options.out)?;
    let fit = Saved::load(&options.fit)?;
    let method = options.method.as_deref().map_or(Ok(fit.method()), |name| Method::named(name, own))?;
    let mut reader = Reader::default();
    reader = options.sep.map_or(reader.clone(), |sign| reader.separator(sign));
    reader = options.decimal.map_or(reader.clone(), |sign| reader.decimal(sign));
    let NewRows { x, y, notices, .. } = reader.read_new(&options.table, fit.sample())?;
    let intervals = fit.intervals_by(method, &x, options.alpha)?;
    let said = Said::of(&conditions(fit.sample(), &x, None)?, &intervals, y.as_ref(), None)?;
    write(&intervals, &options.out)?;
    let mut text = format!("{intervals:?}\nfrom {fit:?}\n");
    notices.iter().for_each(|note| text += &format!("note: {note}\n"));
    said.lines.iter().for_each(|line| text += &format!("{line}\n"));
    said.warnings.iter().for_each(|warning| eprintln!("warning: {warning}"));
    text += &format!("written to {}\n", options.out.display());
    // A reader that has closed the pipe has seen enough.
    std::io::stdout().write_all(text.as_bytes()).ok();
    Ok(())
}
