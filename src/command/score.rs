//! `jackknife score`: what intervals are worth that any program made.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use super::check_folder;
use crate::file::write_whole;
use crate::prelude::*;
use crate::sample::{column, read_frame};

/// The options of `jackknife score`.
#[derive(Args)]
pub struct Options {
    /// A CSV or Parquet file with targets, ends of intervals and, for slices, anything else
    #[arg(value_name = "FILE")]
    table: PathBuf,
    /// The column of the targets
    #[arg(long, value_name = "COL")]
    target: String,
    /// The column of the lower ends
    #[arg(long, value_name = "COL")]
    lower: String,
    /// The column of the upper ends
    #[arg(long, value_name = "COL")]
    upper: String,
    /// The column of the predictions [default: the middle of each interval]
    #[arg(long, value_name = "COL")]
    prediction: Option<String>,
    /// The miscoverage that the intervals were made for: 0.1 for 90 %
    #[arg(long, default_value_t = 0.1, allow_negative_numbers = true)]
    alpha: f64,
    /// Where the report goes: one HTML file that opens offline
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Where the table goes as CSV
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Where the table goes as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Reads, judges, prints and writes the files asked for.
pub fn run(options: &Options) -> Result<()> {
    crate::quantile::check(options.alpha)?;
    let files: Vec<&PathBuf> = [&options.html, &options.csv, &options.json].into_iter().flatten().collect();
    files.iter().try_for_each(|path| check_folder(path))?;
    let frame = read_frame(&options.table)?;
    let columns = (options.lower.as_str(), options.upper.as_str(), options.prediction.as_deref());
    let intervals = Intervals::from_frame(&frame, columns, options.alpha)?;
    let name = Path::new(&options.table).file_stem().map_or("intervals".into(), |stem| stem.to_string_lossy());
    let sample = judged(&frame, options, &intervals)?;
    let table = AuditTable::of_intervals(&name, &sample, intervals)?;
    if let Some(path) = &options.html {
        table.report(path)?;
    }
    if let Some(path) = &options.csv {
        write_whole(path, table.to_csv().as_bytes())?;
    }
    if let Some(path) = &options.json {
        write_whole(path, table.to_json().as_bytes())?;
    }
    table.warnings().iter().for_each(|warning| eprintln!("warning: {warning}"));
    let mut text = format!("{table}\n");
    if options.prediction.is_none() {
        text += "note: the predictions are the middles of the intervals; name theirs by --prediction\n";
    }
    files.iter().for_each(|path| text += &format!("written to {}\n", path.display()));
    // A reader that has closed the pipe has seen enough.
    std::io::stdout().write_all(text.as_bytes()).ok();
    Ok(())
}

/// The targets, with what is left of the table for slices; the predictions where nothing is.
fn judged(frame: &polars::prelude::DataFrame, options: &Options, intervals: &Intervals) -> Result<Sample> {
    let used = [Some(&options.lower), Some(&options.upper), options.prediction.as_ref()];
    let rest = frame.drop_many(used.into_iter().flatten().map(String::as_str));
    let target = column(frame, &options.target)?;
    let prediction = || {
        let x = intervals.prediction.clone().insert_axis(ndarray::Axis(1));
        Sample::named(x, target.clone(), vec!["prediction".into()], &options.target)
    };
    match rest.width() > 1 {
        // Columns that cannot be read are no reason to refuse: the intervals are judged without them.
        true => Sample::from_frame(&rest, &options.target).or_else(|_| prediction()),
        false => prediction(),
    }
}
