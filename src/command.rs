//! The command line: parse, call the library, print; one module for each subcommand.
//!
//! It is part of the library so that yours can have rules of your own: `jackknife::command::main(&[Rule::of(&Mine)])` is
//! a whole program, and `--methods mine` works in it.

mod audit;
mod condition;
mod intervals;
mod lab;
mod model;
mod score;

use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::error::{Error, Result};
use crate::interval::Rule;

/// Predictive intervals you can trust, from leave-one-out models.
#[derive(Parser)]
#[command(name = "jackknife", version)]
struct Arguments {
    #[command(subcommand)]
    /// Without one, the bundled yacht table is audited and report.html written
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// What a model's intervals are worth on a table
    Audit(audit::Options),
    /// Predictive intervals for the rows of a test table
    Intervals(intervals::Options),
    /// What intervals are worth that any program made
    Score(score::Options),
    /// Set up and open the notebooks
    Lab(lab::Options),
}

/// The whole program: reads the arguments of the process, and knows `own` rules beside the crate's.
///
/// # Example
/// ```no_run
/// fn main() -> std::process::ExitCode {
///     jackknife::command::main(&[])
/// }
/// ```
pub fn main(own: &[Rule]) -> ExitCode {
    run(std::env::args_os(), own)
}

/// The program with arguments of its own, the first of which is its name: 0 if all went well, 2 with a sentence on stderr
/// if not.
pub fn run(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>, own: &[Rule]) -> ExitCode {
    let command = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments.command,
        Err(refusal) => {
            // The parser's own words: help and version are no errors.
            refusal.print().ok();
            return ExitCode::from(u8::try_from(refusal.exit_code()).unwrap_or(2));
        }
    };
    let outcome: std::result::Result<(), Box<dyn std::error::Error>> = match command {
        None => audit::run(&audit::Options::default(), own).map_err(Into::into),
        Some(Command::Audit(options)) => audit::run(&options, own).map_err(Into::into),
        Some(Command::Intervals(options)) => intervals::run(&options, own).map_err(Into::into),
        Some(Command::Score(options)) => score::run(&options).map_err(Into::into),
        Some(Command::Lab(options)) => lab::run(&options),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Refuses a file whose folder is not there, before any work.
fn check_folder(path: &Path) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder.is_some_and(|folder| !folder.is_dir()) {
        true => Err(Error::File {
            action: "write",
            path: path.into(),
            reason: "its folder does not exist; make it first".into(),
        }),
        false => Ok(()),
    }
}

/// One line on a terminal, nothing elsewhere.
fn progress(done: usize, of: usize, what: &str) {
    let mut stderr = std::io::stderr();
    if stderr.is_terminal() {
        let end = if done == of { "\n" } else { "" };
        write!(stderr, "\r{done} of {of} {what}{end}").ok();
    }
}
