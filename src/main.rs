//! The command line: all of it stands in the library, so that a command line with rules of your own is as short as this.

use std::process::ExitCode;

fn main() -> ExitCode {
    jackknife::command::main(&[])
}
