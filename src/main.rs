//! The command line: parse, call the library, print.

mod command;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Predictive intervals you can trust, from leave-one-out models.
#[derive(Parser)]
#[command(name = "jackknife", version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// What a network's intervals are worth on a table
    Audit(command::audit::Options),
    /// Predictive intervals for the rows of a test table
    Intervals(command::intervals::Options),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Audit(options) => command::audit::run(&options),
        Command::Intervals(options) => command::intervals::run(&options),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
