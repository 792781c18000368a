//! The one folder that everything the lab makes lives in.

use std::path::{Path, PathBuf};

/// `.lab` in the repository, or where `JACKKNIFE_LAB` says.
pub struct Folder {
    /// The clone that the notebooks and the kernel's source are in.
    pub repository: PathBuf,
    /// The folder itself.
    pub root: PathBuf,
}

impl Folder {
    /// From the working directory and the environment; nothing is made yet.
    pub fn locate() -> Result<Self, String> {
        let here = std::env::current_dir().map_err(|e| format!("the working directory cannot be read: {e}"))?;
        let repository = here.ancestors().find(|folder| folder.join("notebooks/kernel/Cargo.toml").is_file());
        let repository = repository.ok_or_else(|| {
            format!(
                "the notebooks are not here: {} is not inside the jackknife repository; change into its clone and try again",
                here.display()
            )
        })?;
        let root = match std::env::var_os("JACKKNIFE_LAB") {
            Some(named) => std::path::absolute(named).map_err(|e| format!("JACKKNIFE_LAB: {e}"))?,
            None => repository.join(".lab"),
        };
        Ok(Self { repository: repository.to_owned(), root })
    }

    /// Makes the folder, and sees that files can be written there.
    pub fn create(&self) -> Result<(), String> {
        let probe = self.root.join(".write");
        std::fs::create_dir_all(&self.root)
            .and_then(|()| std::fs::write(&probe, ""))
            .and_then(|()| std::fs::remove_file(&probe))
            .map_err(|e| {
                format!(
                    "the lab's folder {} cannot be written: {e}; name another one with JACKKNIFE_LAB=FOLDER",
                    self.root.display()
                )
            })
    }

    /// Removes the folder, if it is one of ours.
    pub fn remove(&self) -> Result<(), String> {
        if !self.root.exists() {
            println!("There is no lab in {}.", self.root.display());
            return Ok(());
        }
        let ours = [
            "bin",
            "cargo",
            "venv",
            "template",
            "template.new",
            "template.old",
            "template.lock",
            "prepare.lock",
            "kernels",
            "jupyter",
            "config",
            ".cargo",
        ];
        let entries = std::fs::read_dir(&self.root).map_err(|e| format!("{}: {e}", self.root.display()))?;
        if let Some(stranger) = entries.flatten().find(|entry| !ours.iter().any(|name| entry.file_name() == *name)) {
            return Err(format!(
                "{} is not from the lab, so nothing was removed; move it away and try again",
                stranger.path().display()
            ));
        }
        std::fs::remove_dir_all(&self.root)
            .map_err(|e| format!("{}: {e}; end the kernels that run and try again", self.root.display()))?;
        println!("Removed {}.", self.root.display());
        Ok(())
    }

    /// The kernel's executable.
    pub fn kernel(&self) -> PathBuf {
        self.root.join("bin/jackknife-kernel")
    }

    /// An executable of the private Python environment.
    pub fn python(&self, name: &str) -> PathBuf {
        self.root.join("venv/bin").join(name)
    }

    /// The notebooks.
    pub fn notebooks(&self) -> PathBuf {
        self.repository.join("notebooks")
    }
}

/// Writes a file by way of another one, so that a running kernel keeps the file it has.
pub fn replace(path: &Path, make: impl FnOnce(&Path) -> std::io::Result<()>) -> Result<(), String> {
    let new = path.with_extension("new");
    let parent = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    parent.and_then(|()| make(&new)).and_then(|()| std::fs::rename(&new, path)).map_err(|e| {
        let _ = std::fs::remove_file(&new);
        format!("{}: {e}", path.display())
    })
}
