//! A private Python environment with JupyterLab and the extension that draws Plotly's figures.

use std::path::Path;
use std::process::{Command, Stdio};

use super::folder::{Folder, replace};

/// What the notebooks need of Python. Plotly brings the extension that makes figures interactive in JupyterLab.
const REQUIREMENTS: [&str; 2] = ["jupyterlab>=4.4,<5", "plotly>=6,<7"];

/// Makes the environment, unless a whole one is there.
pub fn install(folder: &Folder) -> Result<(), String> {
    let (venv, stamp) = (folder.root.join("venv"), folder.root.join("venv/requirements.txt"));
    let requirements = REQUIREMENTS.join("\n") + "\n";
    if std::fs::read_to_string(&stamp).is_ok_and(|found| found == requirements) && runs(&folder.python("python")) {
        return Ok(());
    }
    let python = find()?;
    println!("Installing JupyterLab into {}. This takes a minute or two.", venv.display());
    if venv.exists() {
        std::fs::remove_dir_all(&venv).map_err(|e| format!("{}: {e}", venv.display()))?;
    }
    let made = said(Command::new(python).args(["-m", "venv"]).arg(&venv));
    made.map_err(|why| {
        format!(
            "the private Python environment could not be made: {why}\nOn Debian and Ubuntu the module comes with `apt \
             install python3-venv`; with a full disk it cannot be made"
        )
    })?;
    let mut pip = Command::new(folder.python("python"));
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]).args(REQUIREMENTS);
    said(&mut pip).map_err(|why| {
        format!("pip could not install JupyterLab: {why}\nIs there a network, and room on the disk? Run the same command again then")
    })?;
    // JupyterLab asks every newcomer whether it may fetch its news; a lab that works offline does not.
    let quiet = r#"{"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": true}}"#;
    replace(&venv.join("etc/jupyter/labconfig/page_config.json"), |new| std::fs::write(new, quiet))?;
    // Written last: an environment without it is made anew.
    replace(&stamp, |new| std::fs::write(new, requirements))
}

/// Opens the notebooks in the browser, until JupyterLab ends.
pub fn open(folder: &Folder, arguments: &[String]) -> Result<(), String> {
    println!("Opening the notebooks. Ctrl-C ends JupyterLab.");
    let jupyter = folder.root.join("jupyter");
    let status = Command::new(folder.python("python"))
        .args(["-m", "jupyterlab"])
        .arg(format!("--ServerApp.root_dir={}", folder.notebooks().display()))
        .arg("--LabApp.default_url=/lab/tree/01_naive_jackknife.ipynb")
        .args(arguments)
        // What Jupyter writes down stays in the lab's folder too.
        .env("JUPYTER_CONFIG_DIR", jupyter.join("config"))
        .env("JUPYTER_DATA_DIR", jupyter.join("data"))
        .env("JUPYTER_RUNTIME_DIR", jupyter.join("runtime"))
        .current_dir(folder.notebooks())
        .status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("JupyterLab ended with {status}; it says why above")),
        Err(e) => {
            Err(format!("JupyterLab cannot be started: {e}; `jackknife lab --remove` and a new start install it anew"))
        }
    }
}

/// A Python that is recent enough and can make environments.
fn find() -> Result<&'static str, String> {
    let python = ["python3", "python"].into_iter().find(|name| runs(Path::new(name)));
    let python = python.ok_or(
        "Python 3.9 or later is not on the PATH, and JupyterLab runs on it: install it (Debian, Ubuntu: `apt install \
         python3 python3-venv`); `jackknife lab --run` executes the notebooks without it",
    )?;
    said(Command::new(python).args(["-c", "import venv, ensurepip"])).map_err(|_| {
        "this Python cannot make environments, its modules venv and ensurepip are missing: install them (Debian, \
         Ubuntu: `apt install python3-venv`)"
    })?;
    Ok(python)
}

fn runs(python: &Path) -> bool {
    let recent = "import sys; sys.exit(sys.version_info < (3, 9))";
    let status = Command::new(python).args(["-c", recent]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// Runs a command; its last words are the error.
fn said(command: &mut Command) -> Result<(), String> {
    let output = command.stdin(Stdio::null()).output().map_err(|e| e.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    Err(lines[lines.len().saturating_sub(3)..].join("\n"))
}
