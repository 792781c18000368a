//! Executes notebooks on the `evcxr` crate, without Jupyter.
//!
//! A panic, a failed assertion and an error behind `?` leave a cell "ok" in Jupyter's eyes. Here they are what they are:
//! whatever a cell writes to stderr fails the run, unless the cell is tagged `raises-exception`.

use crate::notebook::{CodeCell, Notebook, error, execute_result, stream};
use crate::{Result, copy::Copy, lab, lab::Lab, template};
use evcxr::{CommandContext, EvalContextOutputs};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What executing a notebook gave.
#[derive(Debug)]
pub struct Execution {
    /// Each code cell with the outputs it has now.
    pub cells: Vec<(CodeCell, Vec<Value>)>,
    /// What went wrong, with cell and line: the first failure ends the execution.
    pub failure: Option<String>,
    /// From the start of the kernel.
    pub time: Duration,
}

/// Executes each notebook in a process of its own and writes its outputs back; all of the repository's if none is named.
pub fn run(arguments: &[String]) -> Result<()> {
    each(arguments, "run", |path| {
        let mut notebook = Notebook::read(path)?;
        let execution = execute(path, &notebook)?;
        if let Some(failure) = execution.failure {
            return Err(failure);
        }
        let count = execution.cells.len();
        for (number, (cell, outputs)) in execution.cells.into_iter().enumerate() {
            notebook.set_outputs(cell.index, number + 1, outputs);
        }
        notebook.write(path)?;
        Ok(format!("{count} cells in {:.1} s", execution.time.as_secs_f64()))
    })
}

/// Does a piece of work on one notebook here, or on several in a process each: evcxr keeps one state per process.
pub(crate) fn each(arguments: &[String], command: &str, work: impl Fn(&Path) -> Result<String>) -> Result<()> {
    if let [path] = arguments {
        // Absolute, since the work goes on in the notebook's own folder.
        let place = std::path::absolute(path).map_err(|e| format!("{path}: {e}"))?;
        let outcome = work(&place).map_err(|message| format!("{path}: {message}"))?;
        println!("{path}: {outcome}");
        return Ok(());
    }
    let paths: Vec<PathBuf> = match arguments {
        [] => lab::notebooks(&lab::repository()?)?,
        named => named.iter().map(PathBuf::from).collect(),
    };
    let executable = std::env::current_exe().map_err(|e| format!("the kernel's own path is unknown: {e}"))?;
    let mut failed = Vec::new();
    for path in &paths {
        let status = std::process::Command::new(&executable).arg(command).arg(path).status();
        if !status.is_ok_and(|status| status.success()) {
            failed.push(path.display().to_string());
        }
    }
    match failed.len() {
        0 => Ok(()),
        n => Err(format!("{n} of {} notebooks failed: {}", paths.len(), failed.join(", "))),
    }
}

/// Executes a notebook from top to bottom, in its own folder, until something fails.
pub fn execute(path: &Path, notebook: &Notebook) -> Result<Execution> {
    let lab = Lab::locate()?;
    let folder = path.canonicalize().ok().and_then(|p| Some(p.parent()?.to_owned()));
    let folder = folder.ok_or_else(|| format!("{}: there is no such file", path.display()))?;
    let copy = Copy::of_template(&lab)?;
    std::env::set_current_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    template::environment(&lab, copy.folder());
    let started = Instant::now();
    let (mut context, outputs) = CommandContext::new().map_err(|e| format!("evcxr does not start: {e}"))?;
    let printed = Printed::collect(outputs);
    let mut execution = Execution { cells: Vec::new(), failure: None, time: Duration::ZERO };
    for cell in notebook.code_cells() {
        let number = execution.cells.len() + 1;
        let result = context.execute(&cell.source);
        let (stdout, stderr) = printed.take();
        let mut outputs = Vec::new();
        if !stdout.is_empty() {
            outputs.push(stream("stdout", &stdout));
        }
        if !stderr.is_empty() {
            outputs.push(stream("stderr", &stderr));
        }
        let mut failure = (!stderr.is_empty()).then(|| place(&stderr, &cell, &context) + stderr.trim_end());
        match result {
            Ok(shown) => {
                let mut data: Vec<(String, String)> = shown.content_by_mime_type.into_iter().collect();
                data.sort();
                if !data.is_empty() {
                    outputs.push(execute_result(number, data.into_iter()));
                }
            }
            Err(refused) => {
                let message = describe(&refused);
                outputs.push(error(&message));
                failure = Some(message);
            }
        }
        match (failure, cell.raises()) {
            (Some(message), false) => {
                execution.failure = Some(format!("cell {}, {message}", cell.index + 1));
                return Ok(execution);
            }
            (None, true) => {
                execution.failure =
                    Some(format!("cell {} is tagged `raises-exception` and raised none", cell.index + 1));
                return Ok(execution);
            }
            _ => execution.cells.push((cell, outputs)),
        }
    }
    execution.time = started.elapsed();
    Ok(execution)
}

/// The compiler's complaints, with their lines.
fn describe(refused: &evcxr::Error) -> String {
    match refused {
        evcxr::Error::CompilationErrors(errors) => {
            let mut text = Vec::new();
            for complaint in errors {
                let span = complaint.primary_spanned_message().and_then(|message| message.span.as_ref());
                let line = span.map_or(String::new(), |span| format!("line {}: ", span.start_line));
                text.push(format!("{line}{}", complaint.message()));
            }
            text.join("\n")
        }
        other => other.to_string(),
    }
}

/// The line of the cell that a panic's message points at. The message counts lines of the program that evcxr made of the
/// cell, so the line is found there and then looked up in the cell by its text.
fn place(stderr: &str, cell: &CodeCell, context: &CommandContext) -> String {
    let found = || {
        let position = stderr.split("src/lib.rs:").nth(1)?;
        let number: usize = position.split(':').next()?.parse().ok()?;
        let source = context.last_source().ok()?;
        let line = source.lines().nth(number.checked_sub(1)?)?.trim().to_owned();
        let at = cell.source.lines().position(|candidate| !line.is_empty() && line.contains(candidate.trim()))?;
        Some(format!("line {}: ", at + 1))
    };
    found().unwrap_or_default()
}

/// What the cells print, gathered by threads as it comes.
struct Printed {
    stdout: Arc<Mutex<String>>,
    stderr: Arc<Mutex<String>>,
}

impl Printed {
    fn collect(outputs: EvalContextOutputs) -> Self {
        let printed = Self { stdout: Arc::default(), stderr: Arc::default() };
        for (lines, text) in [(outputs.stdout, printed.stdout.clone()), (outputs.stderr, printed.stderr.clone())] {
            std::thread::spawn(move || {
                while let Ok(line) = lines.recv() {
                    let mut text = text.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                    text.push_str(&line);
                    text.push('\n');
                }
            });
        }
        printed
    }

    /// What came since the last call. The pipes of the cells' process may lag behind the end of a cell by a moment.
    fn take(&self) -> (String, String) {
        std::thread::sleep(Duration::from_millis(50));
        let take = |text: &Mutex<String>| std::mem::take(&mut *text.lock().unwrap_or_else(|p| p.into_inner()));
        (take(&self.stdout), take(&self.stderr))
    }
}
