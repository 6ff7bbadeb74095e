//! Where a page goes: to standard output, or to a file, which gets all of it or nothing.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::process;

use crate::failure::Failure;
use crate::output::Output;

/// Writes a page to a file, or to standard output if the path is `-`.
pub(crate) fn to(path: &Path, page: &str) -> Result<(), Failure> {
    if path == Path::new("-") {
        let mut out = Output::stdout();
        out.write_all(page.as_bytes())?;
        out.flush()?;
        return Ok(());
    }
    whole(path, page).map_err(|error| Failure::Write(format!("`{}`", path.display()), error))
}

/// Writes a file. Concurrent readers see the previous contents, and these remain
/// if writing fails. A target that is not a regular file, such as a pipe, is
/// written to directly.
fn whole(path: &Path, text: &str) -> io::Result<()> {
    let before = match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(metadata) if !metadata.is_file() => {
            return OpenOptions::new().write(true).open(path)?.write_all(text.as_bytes());
        }
        Ok(metadata) => Some(metadata),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    // A link remains a link.
    let path = if before.is_some() { &fs::canonicalize(path)? } else { path };
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().ok_or(io::ErrorKind::InvalidInput)?);
    name.push(format!(".{}", process::id()));
    let beside = path.with_file_name(name);
    let done = File::create_new(&beside).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        before.map_or(Ok(()), |before| fs::set_permissions(&beside, before.permissions()))?;
        fs::rename(&beside, path)
    });
    if done.is_err() {
        let _ = fs::remove_file(&beside);
    }
    done
}
