//! The kernel as Jupyter starts it.

use crate::{Result, copy::Copy, lab, lab::Lab, template};
use std::process::{Command, Stdio};

/// Copies the template and hands over to evcxr's own Jupyter kernel until Jupyter ends it.
///
/// A template that is older than the crate serves all the same, since cargo builds in the copy what changed; meanwhile a
/// new one is built for the kernels to come.
pub fn serve() -> Result<()> {
    let lab = Lab::locate()?;
    let copy = Copy::of_template(&lab)?;
    match lab::repository() {
        Ok(repository) if template::is_fresh(&lab, &repository) => {}
        _ => renew(&lab)?,
    }
    template::environment(&lab, copy.folder());
    evcxr_jupyter::main().map_err(|e| format!("the kernel stopped: {e}"))
}

fn renew(lab: &Lab) -> Result<()> {
    eprintln!(
        "The kernel's template is missing or older than the crate, so the first cells take longer; a new one is on its way."
    );
    let executable = std::env::current_exe().map_err(|e| format!("the kernel's own path is unknown: {e}"))?;
    let silent = Command::new(executable)
        .arg("prepare")
        .env("JACKKNIFE_LAB", lab.root())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    silent.map(drop).map_err(|e| format!("the template could not be built: {e}"))
}
