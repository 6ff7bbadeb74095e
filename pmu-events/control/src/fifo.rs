//! FIFOs, opened without waiting for their other end.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::error::{Error, ErrorKind};

/// For who serves: both ends, so that the others may come and go (`evlist__parse_control_fifo` in
/// `tools/perf/util/evlist.c`).
pub(crate) fn both_ends(path: &Path) -> Result<File, Error> {
    opened(path, OpenOptions::new().read(true).write(true)).map_err(|why| refusal(path, why))
}

/// For who reads acknowledgements.
pub(crate) fn reading_end(path: &Path) -> Result<File, Error> {
    opened(path, OpenOptions::new().read(true)).map_err(|why| refusal(path, why))
}

/// For who sends, as soon as somebody reads.
pub(crate) fn writing_end(path: &Path, until: Instant) -> Result<File, Error> {
    /// A program takes longer to start.
    const LOOK: Duration = Duration::from_millis(1);
    loop {
        match opened(path, OpenOptions::new().write(true)) {
            Err(Refusal::System(error)) if error.raw_os_error() == Some(libc::ENXIO) => {}
            answer => return answer.map_err(|why| refusal(path, why)),
        }
        if Instant::now() >= until {
            let message = format!("nobody reads FIFO `{}`", path.display());
            return Err(Error::new(ErrorKind::NobodyListens, message));
        }
        thread::sleep(LOOK);
    }
}

enum Refusal {
    System(io::Error),
    NoFifo,
}

fn opened(path: &Path, how: &mut OpenOptions) -> Result<File, Refusal> {
    let file = how.custom_flags(libc::O_NONBLOCK).open(path).map_err(Refusal::System)?;
    match file.metadata().map_err(Refusal::System)?.file_type().is_fifo() {
        true => Ok(file),
        false => Err(Refusal::NoFifo),
    }
}

fn refusal(path: &Path, why: Refusal) -> Error {
    let path = path.display();
    match why {
        Refusal::NoFifo => {
            let message = format!("`{path}` is not a FIFO; `mkfifo` makes one");
            Error::new(ErrorKind::Descriptor, message)
        }
        Refusal::System(error) => {
            let message = format!("FIFO `{path}` cannot be opened");
            Error::of_system(ErrorKind::Descriptor, message, error)
        }
    }
}
