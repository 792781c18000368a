//! One module for each subcommand.

pub mod audit;
pub mod intervals;
pub mod lab;
mod model;

use std::io::{IsTerminal, Write};
use std::path::Path;

use jackknife::prelude::*;

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
