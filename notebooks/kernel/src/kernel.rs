//! The kernel as Jupyter starts it.

use crate::{Result, copy::Copy, lab::Lab, template};

/// Copies the template and hands over to evcxr's own Jupyter kernel until Jupyter ends it.
pub fn serve() -> Result<()> {
    let lab = Lab::locate()?;
    let copy = Copy::of_template(&lab)?;
    if !lab.stamp().is_file() {
        eprintln!("There is no prebuilt template, so the first cell will take minutes: `jackknife lab` builds one.");
    }
    template::environment(&lab, copy.folder());
    evcxr_jupyter::main().map_err(|e| format!("the kernel stopped: {e}"))
}
