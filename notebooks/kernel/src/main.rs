//! The notebooks' kernel: evcxr, started from a template that is already built.
//!
//! ```text
//! jackknife-kernel --control_file FILE    the kernel, as Jupyter starts it
//! jackknife-kernel prepare                build the template, or bring it up to date
//! jackknife-kernel run NOTEBOOK…          execute notebooks and write their outputs back
//! jackknife-kernel check NOTEBOOK…        execute notebooks and compare with the outputs they hold
//! jackknife-kernel seconds                how long a reader waits for the first plot
//! ```
//!
//! `jackknife lab` calls these. The environment variable `JACKKNIFE_LAB` names the folder that everything is kept in;
//! without it, it is `.lab` in the repository.

use jackknife_kernel::{check, kernel, run, seconds, template, view};
use std::process::ExitCode;

fn main() -> ExitCode {
    // The executable starts itself again as the process that runs the cells: then this call does not return.
    evcxr::runtime_hook();
    if view::is_asked() {
        return match view::answer() {
            Ok(code) => ExitCode::from(u8::try_from(code).unwrap_or(1)),
            Err(message) => fail(&message),
        };
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (command, rest) = match arguments.split_first() {
        Some((command, rest)) => (command.as_str(), rest),
        None => ("", &[][..]),
    };
    let outcome = match command {
        "--control_file" => kernel::serve(),
        "prepare" => template::prepare(),
        "warm" => template::warm(rest),
        "run" => run::run(rest),
        "check" => check::check(rest),
        "seconds" => seconds::measure(),
        _ => Err(format!("unknown command `{command}`; there are prepare, run, check and seconds")),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => fail(&message),
    }
}

fn fail(message: &str) -> ExitCode {
    eprintln!("{message}");
    ExitCode::from(2)
}
