//! A kernel's own copy of the template: large files are hard links, so that a gigabyte takes a fraction of a second.
//!
//! Cargo rewrites its small bookkeeping files in place, which through a link would reach into the template and into every
//! other kernel; the artefacts it replaces by new files, which leaves the others alone. So small files are copied with
//! their times, which cargo compares, and only large ones are linked.

use crate::{Result, lab::Lab};
use std::fs::{self, File, FileTimes};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// Files of at least this many bytes are artefacts of the compiler, not cargo's notes.
const LARGE: u64 = 64 * 1024;

/// The folder of one kernel; held as long as the kernel lives, removed with it.
#[derive(Debug)]
pub struct Copy {
    folder: PathBuf,
    // The operating system lets go of the lock when the process ends, however it ends: a folder without a holder is free
    // to be swept.
    lock: File,
}

impl Copy {
    /// Sweeps what dead kernels left behind, then copies the template, or makes an empty folder if there is none.
    pub fn of_template(lab: &Lab) -> Result<Self> {
        let kernels = lab.kernels();
        let say = |e: io::Error| format!("{}: {e}; is the disk full or the folder read-only?", kernels.display());
        fs::create_dir_all(&kernels).map_err(say)?;
        sweep(&kernels);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_millis());
        let folder = kernels.join(format!("{}-{now}", std::process::id()));
        let lock = File::create(folder.with_extension("lock")).map_err(say)?;
        lock.lock().map_err(say)?;
        let copy = Self { folder, lock };
        // Held while the files are linked: the template is not replaced in the meantime.
        let steady = lab.lock("template")?;
        steady.lock_shared().map_err(say)?;
        if lab.template().is_dir() {
            link_tree(&lab.template(), &copy.folder)
                .map_err(|e| format!("the template could not be copied: {e}; is the disk full?"))?;
        } else {
            fs::create_dir_all(&copy.folder).map_err(say)?;
        }
        Ok(copy)
    }

    /// Where evcxr may work.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
        let _ = fs::remove_file(self.folder.with_extension("lock"));
        let _ = self.lock.unlock();
    }
}

/// Removes the folders of kernels that are no more.
fn sweep(kernels: &Path) {
    for lock in fs::read_dir(kernels).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if lock.extension().is_none_or(|e| e != "lock") {
            continue;
        }
        if File::open(&lock).is_ok_and(|file| file.try_lock().is_ok()) {
            let _ = fs::remove_dir_all(lock.with_extension(""));
            let _ = fs::remove_file(&lock);
        }
    }
}

/// Copies a tree, linking what is large. The cells' own crate `ctx` and incremental state are left out: each kernel makes
/// its own.
pub(crate) fn link_tree(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let name = entry.file_name();
        let text = name.to_string_lossy();
        if text == "incremental"
            || text.starts_with("ctx-")
            || text.starts_with("libctx")
            || text.starts_with("libcode_")
        {
            continue;
        }
        let (source, target) = (entry.path(), to.join(&name));
        let kind = entry.file_type()?;
        if kind.is_dir() {
            link_tree(&source, &target)?;
        } else if kind.is_file() {
            let metadata = entry.metadata()?;
            if metadata.len() < LARGE {
                let mut copy = File::create(&target)?;
                copy.write_all(&fs::read(&source)?)?;
                copy.set_permissions(metadata.permissions())?;
                copy.set_times(FileTimes::new().set_modified(metadata.modified()?))?;
            } else if fs::hard_link(&source, &target).is_err() {
                // `fs::copy` may share the blocks, where the file system can.
                fs::copy(&source, &target)?;
                let times = FileTimes::new().set_modified(metadata.modified()?);
                File::options().write(true).open(&target)?.set_times(times)?;
            }
        }
    }
    Ok(())
}
