//! Every notebook, executed on the `evcxr` crate, gives the outputs that its file holds; and what breaks is told.

use jackknife_kernel::lab::Lab;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn kernel(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_jackknife-kernel")).args(arguments).current_dir(repository()).output().unwrap()
}

fn succeeds(arguments: &[&str]) -> String {
    let output = kernel(arguments);
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    said
}

/// A notebook beside the others, with the cells given; gone at the end of the test.
struct Draft(PathBuf);

impl Draft {
    fn new(name: &str, cells: &[&str]) -> Self {
        let folder = repository().join("target/drafts");
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join(format!("{name}.ipynb"));
        let cells: Vec<_> = cells
            .iter()
            .map(|source| {
                serde_json::json!({"cell_type": "code", "source": source, "metadata": {}, "outputs": [],
                                   "execution_count": null, "id": "a"})
            })
            .collect();
        let text = serde_json::json!({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).to_string();
        std::fs::write(&path, text).unwrap();
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }

    fn fails(&self, words: &[&str]) {
        let before = std::fs::read_to_string(&self.0).unwrap();
        let output = kernel(&["run", self.path()]);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{message}");
        for word in words {
            assert!(message.contains(word), "`{word}` is not in: {message}");
        }
        assert_eq!(std::fs::read_to_string(&self.0).unwrap(), before, "a failed run leaves the notebook as it was");
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

// One test: the notebooks share two cores and one template, and their order is the order of the report.
#[test]
fn every_notebook_gives_the_outputs_that_its_file_holds() {
    succeeds(&["prepare"]);
    succeeds(&["check"]);
    type_inference_reads_what_signatures_name();
    a_failed_cell_is_named();
    a_stale_output_is_found();
    two_kernels_at_once_do_not_meet();
    what_a_killed_kernel_left_is_swept_by_the_next();
}

/// The lab's cargo, which rust-analyzer asks, beside the toolchain's own, on what the last template was built for.
#[cfg(unix)]
fn type_inference_reads_what_signatures_name() {
    let lab = Lab::locate().unwrap();
    let ask = |cargo: &Path| -> serde_json::Value {
        let mut cargo = Command::new(cargo);
        cargo.args(["metadata", "--format-version", "1", "--offline"]).env("CARGO_HOME", lab.cargo_home());
        serde_json::from_slice(&cargo.current_dir(lab.template()).output().unwrap().stdout).unwrap()
    };
    let names = |tree: serde_json::Value| -> Vec<String> {
        tree["packages"].as_array().unwrap().iter().map(|p| p["name"].as_str().unwrap().to_owned()).collect()
    };
    let (short, whole) = (names(ask(&lab.cargo_home().join("bin/cargo"))), names(ask(Path::new(env!("CARGO")))));
    for name in ["jackknife", "ndarray", "num-traits"] {
        assert!(short.iter().any(|there| there == name), "{name} is not among {short:?}");
    }
    assert!(whole.iter().any(|name| name == "faer") && short.iter().all(|name| name != "faer"), "{short:?}");
    assert!(3 * short.len() < whole.len(), "{} of {}", short.len(), whole.len());
}

#[cfg(not(unix))]
fn type_inference_reads_what_signatures_name() {}

fn a_failed_cell_is_named() {
    Draft::new("assertion", &["let one = 1;", "let two = 2;\nassert_eq!(one + two, 4);"])
        .fails(&["cell 2", "line 2", "left: 3"]);
    Draft::new("question mark", &["let n: i32 = \"three\".parse()?;"]).fails(&["cell 1", "invalid digit"]);
    Draft::new("compiler", &["let n = 1;\nlet m = n + unheard_of;"]).fails(&["cell 1", "line 2", "unheard_of"]);
    Draft::new("stderr", &["eprintln!(\"a word of warning\");"]).fails(&["cell 1", "a word of warning"]);
}

fn a_stale_output_is_found() {
    let draft = Draft::new("stale", &["6 * 7"]);
    succeeds(&["run", draft.path()]);
    succeeds(&["check", draft.path()]);
    let text = std::fs::read_to_string(&draft.0).unwrap();
    assert!(text.contains("\"42\""), "{text}");
    std::fs::write(&draft.0, text.replace("\"42\"", "\"43.5\"")).unwrap();
    let output = kernel(&["check", draft.path()]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(message.contains("`43.5` is stored, `42` came"), "{message}");
}

fn two_kernels_at_once_do_not_meet() {
    let draft = |name: &str, deviation: f64| {
        let cubes = format!("let cubes = cubic(50, Feature::Normal {{ deviation: {deviation:?} }}, 1.0, 0)?;");
        let dep = ":dep jackknife = { path = \"../..\", default-features = false, features = [\"plotly\"] }";
        Draft::new(name, &[dep, "use jackknife::prelude::*;", &cubes, "cubes.y().mapv(f64::abs).sum() > 1000.0"])
    };
    let (narrow, wide) = (draft("narrow", 0.1), draft("wide", 10.0));
    let outputs: Vec<Output> = std::thread::scope(|scope| {
        let runs = [&narrow, &wide].map(|draft| scope.spawn(|| kernel(&["run", draft.path()])));
        runs.map(|run| run.join().unwrap()).into_iter().collect()
    });
    for (draft, output, answer) in [(&narrow, &outputs[0], "\"false\""), (&wide, &outputs[1], "\"true\"")] {
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(std::fs::read_to_string(&draft.0).unwrap().contains(answer), "{answer}");
    }
}

fn what_a_killed_kernel_left_is_swept_by_the_next() {
    let folders = || {
        let kernels = Lab::locate().unwrap().kernels().read_dir().into_iter().flatten().flatten();
        kernels.filter(|entry| entry.path().is_dir()).count()
    };
    let endless = Draft::new("endless", &["std::thread::sleep(std::time::Duration::from_secs(60));"]);
    let before = folders();
    let mut doomed = Command::new(env!("CARGO_BIN_EXE_jackknife-kernel"));
    let mut doomed = doomed.args(["run", endless.path()]).current_dir(repository()).spawn().unwrap();
    while folders() == before {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    doomed.kill().unwrap();
    doomed.wait().unwrap();
    assert_eq!(folders(), before + 1, "a kernel that is killed cannot clean up");
    let draft = Draft::new("next", &["1 + 1"]);
    succeeds(&["run", draft.path()]);
    assert_eq!(folders(), before, "the next one does it");
}
