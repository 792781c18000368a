//! Files that appear whole or not at all.

use std::io::Write;
use std::path::Path;

use crate::error::{Error, Result};

/// Writes beside the target, then renames: a failure leaves no partial file and the old one untouched.
///
/// # Errors
/// [`Error::File`] if it cannot be written.
///
/// # Example
/// ```
/// let path = std::env::temp_dir().join("jackknife-doc.csv");
/// jackknife::file::write_whole(&path, b"prediction,lower,upper\n")?;
/// assert_eq!(std::fs::read(&path).unwrap(), b"prediction,lower,upper\n");
/// # std::fs::remove_file(path).ok();
/// # Ok::<(), jackknife::Error>(())
/// ```
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let refuse = |error: std::io::Error| Error::File { action: "write", path: path.into(), reason: error.to_string() };
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(name);
    let written = std::fs::File::create(&part).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()?;
        std::fs::rename(&part, path)
    });
    written.map_err(|error| {
        std::fs::remove_file(&part).ok();
        refuse(error)
    })
}
