//! The notebooks, by the tests of their kernel. That is a package of its own, so that evcxr is built here and nowhere else.

use std::process::Command;

/// Builds the kernel and its template, executes every notebook without Jupyter and compares with the outputs it holds.
/// The first time this takes many minutes; what it says as it goes is shown.
#[test]
#[ignore = "builds the notebooks' kernel: `cargo test --release -- --include-ignored`"]
fn every_notebook_runs_and_gives_the_outputs_that_its_file_holds() {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["test", "--release", "--locked", "--package", "jackknife-kernel"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        // Where cargo looks for this test's own libraries, which are none of the cells' business.
        .env_remove("LD_LIBRARY_PATH")
        .status()
        .unwrap();
    assert!(status.success(), "the notebooks' tests say why above");
}
