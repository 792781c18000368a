//! The kernel: built from the repository, with its template, and registered where only this lab's Jupyter looks.

use std::ffi::{OsStr, OsString};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::folder::{Folder, replace};

fn cargo() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// Cells are compiled, so cargo has to be there.
pub fn find_cargo() -> Result<(), String> {
    let found = Command::new(cargo()).arg("-V").stdout(Stdio::null()).stderr(Stdio::null()).status();
    match found.is_ok_and(|status| status.success()) {
        true => Ok(()),
        false => {
            Err("cargo cannot be run, and the cells of the notebooks are compiled by it: install Rust by rustup, \
                      or put cargo on the PATH"
                .to_owned())
        }
    }
}

/// Builds the kernel and its template, as far as they are not up to date.
pub fn prepare(folder: &Folder) -> Result<(), String> {
    let built = build(folder)?;
    let current = std::fs::metadata(&built)
        .and_then(|new| Ok(new.modified()? <= std::fs::metadata(folder.kernel())?.modified()?));
    if !current.unwrap_or(false) {
        replace(&folder.kernel(), |new| std::fs::copy(&built, new).map(drop))?;
    }
    rust_source();
    call(folder, &["prepare".as_ref()], "the kernel's template could not be built")
}

/// Executes notebooks and writes them back.
pub fn run(folder: &Folder, notebooks: &[PathBuf]) -> Result<(), String> {
    let arguments: Vec<&OsStr> =
        std::iter::once("run".as_ref()).chain(notebooks.iter().map(|p| p.as_os_str())).collect();
    call(folder, &arguments, "not every notebook ran")
}

/// Measures how long a reader waits.
pub fn seconds(folder: &Folder) -> Result<(), String> {
    call(folder, &["seconds".as_ref()], "the notebooks could not be measured")
}

/// Tells the lab's own Jupyter, and no other, of the kernel.
pub fn register(folder: &Folder) -> Result<(), String> {
    let specification = serde_json::json!({
        "argv": [folder.kernel(), "--control_file", "{connection_file}"],
        "display_name": "Rust (jackknife)",
        "language": "rust",
        "interrupt_mode": "message",
        "env": {"JACKKNIFE_LAB": folder.root},
    });
    let path = folder.root.join("venv/share/jupyter/kernels/jackknife/kernel.json");
    replace(&path, |new| std::fs::write(new, format!("{specification:#}\n")))
}

fn build(folder: &Folder) -> Result<PathBuf, String> {
    if !folder.kernel().exists() {
        println!("Building the kernel. The first time this takes about five minutes on two cores.");
    }
    let mut command = Command::new(cargo());
    command.args(["build", "--release", "--locked", "-p", "jackknife-kernel"]).current_dir(&folder.repository);
    if !std::io::stderr().is_terminal() {
        command.arg("--quiet");
    }
    let status = command.status().map_err(|e| format!("cargo cannot be run: {e}"))?;
    if !status.success() {
        return Err("the kernel could not be built; cargo says why above. With no network its crates cannot be \
                    downloaded, with a full disk they cannot be built; nothing is lost, run the same command again"
            .to_owned());
    }
    let metadata = Command::new(cargo())
        .args(["metadata", "--no-deps", "--locked", "--format-version", "1"])
        .current_dir(&folder.repository)
        .output()
        .map_err(|e| format!("cargo cannot be run: {e}"))?;
    let metadata: serde_json::Value =
        serde_json::from_slice(&metadata.stdout).map_err(|e| format!("cargo metadata cannot be read: {e}"))?;
    let target = metadata["target_directory"].as_str().ok_or("cargo does not say where it builds")?;
    Ok(PathBuf::from(target).join("release/jackknife-kernel"))
}

/// The standard library's source makes the kernel's guesses of types better. A toolchain without rustup, or a machine
/// without a network, goes on without.
fn rust_source() {
    let sysroot =
        Command::new("rustc").args(["--print", "sysroot"]).output().map(|output| output.stdout).unwrap_or_default();
    if Path::new(String::from_utf8_lossy(&sysroot).trim()).join("lib/rustlib/src/rust/library").is_dir() {
        return;
    }
    let mut rustup = Command::new("rustup");
    rustup.args(["component", "add", "rust-src"]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if !rustup.status().is_ok_and(|status| status.success()) {
        println!("The component rust-src cannot be had, so some cells may ask for a type to be written out.");
    }
}

fn call(folder: &Folder, arguments: &[&OsStr], failure: &str) -> Result<(), String> {
    let status = Command::new(folder.kernel()).args(arguments).env("JACKKNIFE_LAB", &folder.root).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        // The kernel has said why.
        Ok(_) => Err(failure.to_owned()),
        Err(e) => Err(format!("{}: {e}", folder.kernel().display())),
    }
}
