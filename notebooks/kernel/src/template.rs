//! The prebuilt folder: everything that the notebooks' `:dep` lines ask for, compiled once.

use crate::{Result, copy, lab, lab::Lab, notebook::Notebook, view};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, UNIX_EPOCH};

/// How cargo builds what the cells link: hot loops for speed, the rest for a quick build. It lies above the kernels'
/// folders, where cargo looks for it.
const CARGO_CONFIG: &str = include_str!("cargo_config.toml");

/// Kernels resolve `:dep` lines among the crates that were downloaded for the template, which are those of the
/// repository's lock file: no network, no seconds lost, and never a newer version that would have to be built first.
/// `:offline 0` in a cell opens the way to other crates.
const EVCXR_CONFIG: &str = "[evcxr]\noffline_mode = true\n";

/// What a template was built from, as a file in it.
const STAMP: &str = "built-from";

/// Builds what is missing or out of date, with progress on stderr.
///
/// The new template is built beside the one in use and takes its place when it is whole, so that kernels can start at any
/// time and a build that is interrupted breaks nothing.
pub fn prepare() -> Result<()> {
    let repository = lab::repository()?;
    let lab = Lab::locate()?;
    let alone = lab.lock("prepare")?;
    if alone.try_lock().is_err() {
        eprintln!("Another lab is building the kernel's template; waiting for it.");
        alone.lock().map_err(|e| format!("{}: {e}", lab.root().display()))?;
    }
    let wanted = stamp(&repository)?;
    if is_stamped(&lab, &wanted) {
        return Ok(());
    }
    let started = Instant::now();
    let next = lab.next_template();
    let say = |e: std::io::Error| {
        format!(
            "{}: {e}; is the disk full or the folder read-only? Nothing is lost: run the same command again",
            next.display()
        )
    };
    let is_first = !lab.template().is_dir() && !next.is_dir();
    if lab.template().is_dir() && !next.is_dir() {
        copy::link_tree(&lab.template(), &next).map_err(say)?;
    }
    fs::create_dir_all(&next).map_err(say)?;
    for (folder, file, text) in [(".cargo", "config.toml", CARGO_CONFIG), ("config", "evcxr.toml", EVCXR_CONFIG)] {
        let folder = lab.root().join(folder);
        fs::create_dir_all(&folder).and_then(|()| fs::write(folder.join(file), text)).map_err(say)?;
    }
    eprintln!(
        "Building what the notebooks' cells link, in {}. {}",
        lab.root().display(),
        if is_first {
            "The first time this takes about ten minutes on two cores."
        } else {
            "Only what changed is built."
        }
    );
    download(&lab, &repository)?;
    for set in dependencies(&repository)? {
        build(&lab, &repository, &set)?;
    }
    fs::write(next.join(STAMP), &wanted).map_err(say)?;
    replace(&lab).map_err(say)?;
    eprintln!("The kernel's template is ready after {}.", minutes(started.elapsed()));
    Ok(())
}

/// Puts the new template in the place of the old one, while no kernel is copying.
fn replace(lab: &Lab) -> std::io::Result<()> {
    let (old, steady) = (lab.last_template(), lab.lock("template").map_err(std::io::Error::other)?);
    if old.exists() {
        fs::remove_dir_all(&old)?;
    }
    steady.lock()?;
    if lab.template().exists() {
        fs::rename(lab.template(), &old)?;
    }
    fs::rename(lab.next_template(), lab.template())?;
    steady.unlock()?;
    if old.exists() { fs::remove_dir_all(&old) } else { Ok(()) }
}

/// Whether the template was built from the crate as it is now.
pub fn is_fresh(lab: &Lab, repository: &Path) -> bool {
    stamp(repository).is_ok_and(|wanted| is_stamped(lab, &wanted))
}

fn is_stamped(lab: &Lab, wanted: &str) -> bool {
    fs::read_to_string(lab.template().join(STAMP)).is_ok_and(|found| found == wanted)
}

/// Tells evcxr where to work. To be called before any thread is started.
#[allow(unsafe_code, reason = "evcxr takes its folders from the environment, and setting that is unsafe")]
pub fn environment(lab: &Lab, folder: &Path) {
    view::install(lab);
    // SAFETY: no other thread runs yet.
    unsafe {
        std::env::set_var("EVCXR_TMPDIR", folder);
        std::env::set_var("CARGO_HOME", lab.cargo_home());
        // The user's own evcxr configuration could name another folder for all kernels.
        std::env::set_var("EVCXR_CONFIG_DIR", lab.root().join("config"));
    }
}

/// In a process of its own, since evcxr reports its progress there: evaluates the `:dep` lines and what follows them.
pub fn warm(lines: &[String]) -> Result<()> {
    let lab = Lab::locate()?;
    environment(&lab, &lab.next_template());
    let (mut context, outputs) = evcxr::CommandContext::new().map_err(|e| e.to_string())?;
    std::thread::spawn(move || while outputs.stdout.recv().is_ok() {});
    std::thread::spawn(move || {
        while let Ok(line) = outputs.stderr.recv() {
            eprintln!("{line}");
        }
    });
    let cell = format!("{}\nuse jackknife::prelude::*;", lines.join("\n"));
    context.execute(&cell).map_err(|e| e.to_string())?;
    // A `let` whose type has no name makes evcxr run `cargo check`, which has artefacts of its own.
    let _ = context.execute("let nameless = |x: f64| x;");
    Ok(())
}

/// Downloads the crates of the repository's lock file into a cargo home of the lab's own.
fn download(lab: &Lab, repository: &Path) -> Result<()> {
    let home = lab.cargo_home();
    fs::create_dir_all(&home).map_err(|e| format!("{}: {e}", home.display()))?;
    // The user's mirrors and proxies.
    let users =
        std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    if let Some(config) = users.map(|home| home.join("config.toml")).filter(|config| config.is_file()) {
        fs::copy(&config, home.join("config.toml")).map_err(|e| format!("{}: {e}", config.display()))?;
    }
    let fetch = Command::new("cargo")
        .args(["fetch", "--locked", "--quiet"])
        .current_dir(repository)
        .env("CARGO_HOME", &home)
        .stdin(Stdio::null())
        .output()
        .map_err(|e| format!("cargo cannot be run: {e}"))?;
    match fetch.status.success() {
        true => Ok(()),
        false => Err(format!(
            "The crates could not be downloaded.\n{}\nIs there a network, and room on the disk? Nothing is lost: run the \
             same command again.",
            String::from_utf8_lossy(&fetch.stderr).trim_end()
        )),
    }
}

fn build(lab: &Lab, repository: &Path, set: &[String]) -> Result<()> {
    let executable = std::env::current_exe().map_err(|e| format!("the kernel's own path is unknown: {e}"))?;
    let mut child = Command::new(executable)
        .arg("warm")
        .args(set)
        .current_dir(repository.join("notebooks"))
        .env("JACKKNIFE_LAB", lab.root())
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .stdin(Stdio::null())
        .spawn()
        .map_err(|e| format!("the kernel could not be started: {e}"))?;
    let (started, mut said) = (Instant::now(), Instant::now());
    let (mut crates, mut last) = (0, String::new());
    let mut complaint = String::new();
    for line in BufReader::new(child.stderr.take().expect("piped above")).lines().map_while(std::result::Result::ok) {
        match line.trim_start().strip_prefix("Compiling ") {
            Some(name) => {
                crates += 1;
                last = name.split_whitespace().next().unwrap_or_default().to_owned();
            }
            None => {
                let _ = writeln!(complaint, "{line}");
            }
        }
        if said.elapsed() > Duration::from_secs(10) {
            eprintln!("  {crates} crates built after {}, now {last}", minutes(started.elapsed()));
            said = Instant::now();
        }
    }
    let status = child.wait().map_err(|e| e.to_string())?;
    if status.success() {
        return Ok(());
    }
    Err(format!(
        "The kernel's template could not be built ({}).\n{complaint}\nWith a full disk it cannot be (3 GB are needed). Nothing is lost: run the same command again.",
        set.join("; ")
    ))
}

/// The distinct sets of `:dep` lines in the notebooks, smaller ones first.
fn dependencies(repository: &Path) -> Result<Vec<Vec<String>>> {
    let mut sets = BTreeSet::new();
    for path in lab::notebooks(repository)? {
        let notebook = Notebook::read(&path)?;
        let lines = notebook.code_cells().flat_map(|cell| cell.source.lines().map(str::to_owned).collect::<Vec<_>>());
        let set: Vec<String> = lines.filter(|line| line.starts_with(":dep")).collect();
        if !set.is_empty() {
            sets.insert((set.concat().len(), set));
        }
    }
    Ok(sets.into_iter().map(|(_, set)| set).collect())
}

/// What the template depends on: the compiler, this kernel, the `:dep` lines and the crate's files with their times, which
/// is what cargo itself goes by.
fn stamp(repository: &Path) -> Result<String> {
    let rustc = Command::new("rustc").arg("-V").output().map_err(|e| format!("rustc cannot be run: {e}"))?;
    let mut stamp = String::from_utf8_lossy(&rustc.stdout).into_owned();
    let _ = writeln!(stamp, "kernel {}\n{CARGO_CONFIG}", env!("CARGO_PKG_VERSION"));
    for set in dependencies(repository)? {
        let _ = writeln!(stamp, "{}", set.join("; "));
    }
    let mut files = vec![repository.join("Cargo.toml")];
    collect(&repository.join("src"), &mut files);
    collect(&repository.join("data"), &mut files);
    files.sort();
    for file in files {
        let metadata = fs::metadata(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        let modified = metadata.modified().ok().and_then(|t| t.duration_since(UNIX_EPOCH).ok());
        let nanoseconds = modified.map_or(0, |d| d.as_nanos());
        let _ = writeln!(stamp, "{} {} {nanoseconds}", file.display(), metadata.len());
    }
    Ok(stamp)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if path.is_dir() { collect(&path, files) } else { files.push(path) }
    }
}

fn minutes(time: Duration) -> String {
    let seconds = time.as_secs();
    if seconds < 60 { format!("{seconds} s") } else { format!("{} min {} s", seconds / 60, seconds % 60) }
}
