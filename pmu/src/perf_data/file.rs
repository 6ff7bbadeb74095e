//! The file of a recording that is being made, and the one before.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Makes the file; one that exists gets another name, as perf gives it.
///
/// # Errors
///
/// Returns a sentence.
pub(crate) fn create(path: &Path) -> Result<File, String> {
    if path == Path::new("-") {
        let message =
            "`-o -`: the format for a pipe, which has no index, is not written; name a file";
        return Err(message.into());
    }
    let cannot = |error: &io::Error| format!("{}: cannot be written: {error}", path.display());
    if fs::symlink_metadata(path).is_ok_and(|about| about.is_file() && about.len() > 0) {
        let mut old = path.as_os_str().to_owned();
        old.push(".old");
        fs::rename(path, PathBuf::from(old)).map_err(|error| cannot(&error))?;
    }
    let file = File::create(path).map_err(|error| cannot(&error))?;
    match file.metadata() {
        Ok(about) if about.is_file() => Ok(file),
        Ok(_) => Err(format!(
            "{}: is not a regular file, which the format needs: its header is written last",
            path.display()
        )),
        Err(error) => Err(cannot(&error)),
    }
}
