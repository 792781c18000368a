//! How long a reader waits.

use crate::notebook::Notebook;
use crate::{Result, copy::Copy, lab, lab::Lab, template};
use evcxr::CommandContext;
use std::path::PathBuf;
use std::time::Instant;

/// For the first notebook of each set of `:dep` lines: the seconds from the kernel's start to the first figure, and those
/// of the later cells.
pub fn measure() -> Result<()> {
    let repository = lab::repository()?;
    let lab = Lab::locate()?;
    if !template::is_fresh(&lab, &repository) {
        return Err("the template is not up to date; `jackknife lab` builds it".to_owned());
    }
    let chosen = std::env::var_os("JACKKNIFE_MEASURE").map(PathBuf::from);
    if let Some(path) = chosen {
        return one(&lab, &path);
    }
    println!(
        "{:<28} {:>12} {:>14} {:>16} {:>13}",
        "notebook", "kernel ready", "first figure", "median later cell", "slowest later"
    );
    let executable = std::env::current_exe().map_err(|e| format!("the kernel's own path is unknown: {e}"))?;
    for path in lab::notebooks(&repository)? {
        let status = std::process::Command::new(&executable).arg("seconds").env("JACKKNIFE_MEASURE", &path).status();
        if !status.is_ok_and(|status| status.success()) {
            return Err(format!("{} could not be measured", path.display()));
        }
    }
    Ok(())
}

fn one(lab: &Lab, path: &std::path::Path) -> Result<()> {
    let notebook = Notebook::read(path)?;
    let started = Instant::now();
    let copy = Copy::of_template(lab)?;
    let folder = path.parent().ok_or("the notebook has no folder")?;
    std::env::set_current_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    template::environment(lab, copy.folder());
    let (mut context, outputs) = CommandContext::new().map_err(|e| e.to_string())?;
    std::thread::spawn(move || while outputs.stdout.recv().is_ok() {});
    std::thread::spawn(move || while outputs.stderr.recv().is_ok() {});
    let ready = started.elapsed().as_secs_f64();
    let (mut first, mut later) = (None, Vec::new());
    for cell in notebook.code_cells() {
        let before = Instant::now();
        let shown = context.execute(&cell.source);
        if first.is_some() {
            later.push(before.elapsed().as_secs_f64());
        } else if shown.is_ok_and(|shown| shown.content_by_mime_type.keys().any(|kind| kind.contains("plotly"))) {
            first = Some(started.elapsed().as_secs_f64());
        }
    }
    later.sort_by(f64::total_cmp);
    let name = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    let first = first.map_or("none".to_owned(), |s| format!("{s:.1} s"));
    let median = later.get(later.len() / 2).copied().unwrap_or(f64::NAN);
    let slowest = later.last().copied().unwrap_or(f64::NAN);
    println!("{name:<28} {ready:>10.1} s {first:>14} {median:>14.2} s {slowest:>11.2} s");
    Ok(())
}
