//! The folder that holds everything the lab makes.

use crate::Result;
use std::path::{Path, PathBuf};

/// `.lab` in the repository, or where `JACKKNIFE_LAB` says.
#[derive(Clone, Debug)]
pub struct Lab {
    root: PathBuf,
}

impl Lab {
    /// The folder named by `JACKKNIFE_LAB`, else `.lab` in the repository around the working directory.
    pub fn locate() -> Result<Self> {
        let root = match std::env::var_os("JACKKNIFE_LAB") {
            Some(folder) => PathBuf::from(folder),
            None => repository()?.join(".lab"),
        };
        let root = std::path::absolute(&root).map_err(|e| format!("{}: {e}", root.display()))?;
        Ok(Self { root })
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The prebuilt folder that kernels are copied from.
    pub fn template(&self) -> PathBuf {
        self.root.join("template")
    }

    /// What the template was built from; written last, so that its presence means that the template is whole.
    pub fn stamp(&self) -> PathBuf {
        self.root.join("template.stamp")
    }

    /// One folder for each running kernel.
    pub fn kernels(&self) -> PathBuf {
        self.root.join("kernels")
    }
}

/// The clone of the repository around the working directory.
pub fn repository() -> Result<PathBuf> {
    let here = std::env::current_dir().map_err(|e| format!("the working directory cannot be read: {e}"))?;
    here.ancestors()
        .find(|folder| folder.join("notebooks/kernel/Cargo.toml").is_file())
        .and_then(|folder| folder.canonicalize().ok())
        .ok_or_else(|| {
            format!("{} is not inside the jackknife repository; change into its clone and try again", here.display())
        })
}

/// The repository's notebooks in their order.
pub fn notebooks(repository: &Path) -> Result<Vec<PathBuf>> {
    let folder = repository.join("notebooks");
    let entries = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut notebooks: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|p| p.extension().is_some_and(|e| e == "ipynb")).collect();
    notebooks.sort();
    Ok(notebooks)
}
