//! One module for each subcommand.

pub mod intervals;
mod model;
