//! The command line: parse, call the library, print.

mod command;

use std::error::Error;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

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
    /// What a network's intervals are worth on a table
    Audit(command::audit::Options),
    /// Predictive intervals for the rows of a test table
    Intervals(command::intervals::Options),
    /// Set up and open the notebooks
    Lab(command::lab::Options),
}

fn main() -> ExitCode {
    let outcome: Result<(), Box<dyn Error>> = match Arguments::parse().command {
        None => command::audit::run(&command::audit::Options::default()).map_err(Into::into),
        Some(Command::Audit(options)) => command::audit::run(&options).map_err(Into::into),
        Some(Command::Intervals(options)) => command::intervals::run(&options).map_err(Into::into),
        Some(Command::Lab(options)) => command::lab::run(&options),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
