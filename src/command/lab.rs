//! `jackknife lab`: sets up the notebooks' kernel and JupyterLab in one folder, and opens or executes the notebooks.

mod folder;
mod kernel;
mod python;

use std::error::Error;
use std::path::PathBuf;

use clap::Args;
use folder::Folder;

/// The options of `jackknife lab`.
#[derive(Args)]
pub struct Options {
    /// Execute notebooks from top to bottom, write their outputs back, and exit; all of them if none is named
    #[arg(long, value_name = "NOTEBOOK", num_args = 0.., conflicts_with_all = ["setup", "seconds", "remove", "jupyter"])]
    run: Option<Vec<PathBuf>>,
    /// Set everything up, and exit
    #[arg(long, conflicts_with_all = ["seconds", "remove", "jupyter"])]
    setup: bool,
    /// Print how long each notebook takes from the kernel's start to its first figure, and exit
    #[arg(long, conflicts_with_all = ["remove", "jupyter"])]
    seconds: bool,
    /// Remove everything that the lab has made, and exit
    #[arg(long, conflicts_with = "jupyter")]
    remove: bool,
    /// Arguments for JupyterLab, such as --no-browser
    #[arg(last = true, value_name = "ARGUMENT")]
    jupyter: Vec<String>,
}

/// Sets up what is missing, then does what was asked.
pub fn run(options: &Options) -> Result<(), Box<dyn Error>> {
    let folder = Folder::locate()?;
    if options.remove {
        return Ok(folder.remove()?);
    }
    folder.create()?;
    kernel::find_cargo()?;
    if let Some(notebooks) = &options.run {
        kernel::prepare(&folder)?;
        return Ok(kernel::run(&folder, notebooks)?);
    }
    if options.seconds {
        kernel::prepare(&folder)?;
        return Ok(kernel::seconds(&folder)?);
    }
    // What is quick and needs the network comes before what takes minutes.
    python::install(&folder)?;
    kernel::prepare(&folder)?;
    kernel::register(&folder)?;
    if options.setup {
        println!("The lab is ready: `jackknife lab` opens it.");
        return Ok(());
    }
    Ok(python::open(&folder, &options.jupyter)?)
}
