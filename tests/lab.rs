//! The lab on machines that lack something: a sentence with the remedy, and nothing left that breaks the next try.

mod folder;

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use folder::Folder;

/// A machine whose PATH has only the programs that a test puts there, besides cargo.
struct Machine {
    folder: Folder,
}

impl Machine {
    fn new() -> Self {
        let machine = Self { folder: Folder::new() };
        std::fs::create_dir(machine.programs()).unwrap();
        machine
    }

    fn programs(&self) -> PathBuf {
        self.folder.path().join("programs")
    }

    fn lab(&self) -> PathBuf {
        self.folder.path().join("a lab")
    }

    /// A program of the machine, as a shell script.
    fn program(self, name: &str, script: &str) -> Self {
        let path = self.programs().join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
        self
    }

    fn run(&self, options: &str, lab: &Path) -> Output {
        Command::new(env!("CARGO_BIN_EXE_jackknife"))
            .arg("lab")
            .args(options.split_whitespace())
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .env("PATH", self.programs())
            .env("CARGO", self.programs().join("cargo"))
            .env("JACKKNIFE_LAB", lab)
            .output()
            .unwrap()
    }

    /// The lab refuses with these words, on stderr and alone there.
    fn refuses(&self, options: &str, words: &[&str]) {
        refused(&self.run(options, &self.lab()), words);
    }
}

fn refused(output: &Output, words: &[&str]) {
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    for word in words {
        assert!(message.contains(word), "`{word}` is not in: {message}");
    }
    assert!(!message.contains("panicked"), "{message}");
}

const CARGO: &str = "echo 'cargo 1.95.0'";
/// A Python that makes an environment whose pip cannot reach anything.
const OFFLINE_PYTHON: &str = r#"case "$*" in
*"-m venv"*) for last; do :; done; /bin/mkdir -p "$last/bin"; printf '#!/bin/sh\necho "Could not find a version of jupyterlab" >&2; exit 1\n' > "$last/bin/python"; /bin/chmod +x "$last/bin/python" ;;
esac"#;

#[test]
fn without_cargo_the_lab_says_that_cells_are_compiled() {
    Machine::new().refuses("--setup", &["cargo cannot be run", "install Rust"]);
}

#[test]
fn without_python_the_lab_says_what_to_install_and_builds_nothing() {
    let machine = Machine::new().program("cargo", CARGO);
    machine.refuses("--setup", &["Python 3.9 or later is not on the PATH", "apt install", "lab --run"]);
    assert_eq!(std::fs::read_dir(machine.lab()).unwrap().count(), 0, "nothing is half installed");
}

#[test]
fn a_python_that_is_too_old_is_as_good_as_none() {
    let machine = Machine::new().program("cargo", CARGO).program("python3", "exit 1");
    machine.refuses("--setup", &["Python 3.9 or later"]);
}

#[test]
fn a_python_without_venv_is_told_the_package_that_brings_it() {
    let script = r#"case "$*" in *ensurepip*) exit 1 ;; esac"#;
    let machine = Machine::new().program("cargo", CARGO).program("python3", script);
    machine.refuses("--setup", &["venv and ensurepip are missing", "apt install python3-venv"]);
}

#[test]
fn without_a_network_the_next_try_starts_the_environment_anew() {
    let machine = Machine::new().program("cargo", CARGO).program("python3", OFFLINE_PYTHON);
    for _ in 0..2 {
        machine.refuses("--setup", &["pip could not install JupyterLab", "Could not find a version", "a network"]);
        assert!(!machine.lab().join("venv/requirements.txt").exists(), "an environment that is not whole has no stamp");
    }
}

#[test]
fn a_kernel_that_cannot_be_built_is_told_with_the_likely_causes() {
    let cargo = r#"case "$*" in -V) echo cargo ;; *) echo 'error: no space left' >&2; exit 101 ;; esac"#;
    Machine::new()
        .program("cargo", cargo)
        .refuses("--run", &["no space left", "could not be built", "run the same command again"]);
}

#[test]
fn a_folder_that_cannot_be_written_is_named_with_the_way_to_another() {
    let machine = Machine::new().program("cargo", CARGO);
    let file = machine.folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    refused(&machine.run("--setup", &file.join("lab")), &["cannot be written", "JACKKNIFE_LAB=FOLDER"]);
}

#[test]
fn outside_the_repository_the_lab_says_where_it_looked() {
    let machine = Machine::new();
    let mut command = Command::new(env!("CARGO_BIN_EXE_jackknife"));
    let output = command.args(["lab", "--run"]).current_dir("/").env("JACKKNIFE_LAB", machine.lab()).output().unwrap();
    refused(&output, &["not inside the jackknife repository", "clone"]);
}

#[test]
fn a_lab_is_removed_whole_unless_something_of_the_users_is_in_it() {
    let machine = Machine::new();
    std::fs::create_dir_all(machine.lab().join("kernels/1-1")).unwrap();
    std::fs::write(machine.lab().join("thesis.ipynb"), "{}").unwrap();
    machine.refuses("--remove", &["thesis.ipynb", "nothing was removed"]);
    assert!(machine.lab().join("kernels/1-1").exists());
    std::fs::remove_file(machine.lab().join("thesis.ipynb")).unwrap();
    assert!(machine.run("--remove", &machine.lab()).status.success());
    assert!(!machine.lab().exists());
    let again = machine.run("--remove", &machine.lab());
    assert!(again.status.success() && String::from_utf8_lossy(&again.stdout).contains("There is no lab"));
}
