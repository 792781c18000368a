//! The folder that holds everything the lab makes.

use crate::Result;
use std::fs::File;
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

    /// The prebuilt folder that kernels are copied from: whole, or not there.
    pub fn template(&self) -> PathBuf {
        self.root.join("template")
    }

    /// Where the next template is built. It takes the place of the old one when it is whole; what an interrupted build
    /// made stays for the next try, since cargo knows what of it can be used.
    pub fn next_template(&self) -> PathBuf {
        self.root.join("template.new")
    }

    /// The old template on its way out.
    pub fn last_template(&self) -> PathBuf {
        self.root.join("template.old")
    }

    /// A file to lock, for what kernels and labs must not do at the same time. The operating system lets go of the lock
    /// when its holder ends, however it ends.
    pub fn lock(&self, name: &str) -> Result<File> {
        let path = self.root.join(name).with_extension("lock");
        std::fs::create_dir_all(&self.root)
            .and_then(|()| File::options().create(true).append(true).open(&path))
            .map_err(|e| format!("{}: {e}; name another folder with JACKKNIFE_LAB=FOLDER", path.display()))
    }

    /// The crates that cells can depend on without a network.
    pub fn cargo_home(&self) -> PathBuf {
        self.root.join("cargo")
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
