//! The threads of a process.

use core::error::Error;
use core::fmt;

use std::path::Path;
use std::vec::Vec;
use std::{format, io};

use crate::cause::Cause;
use crate::file;
use crate::problem::Problem;

/// Why the threads of a process are not known. The system's error is the
/// [source](Error::source).
///
/// ```
/// use pmu_events::System;
///
/// // Linux gives no such number to a process.
/// let error = System::new().threads_of(u32::MAX).unwrap_err();
/// assert_eq!(error.process(), u32::MAX);
/// # #[cfg(target_os = "linux")]
/// assert_eq!(error.to_string(), "there is no process 4294967295");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct ProcessError {
    process: u32,
    is_gone: bool,
    cause: Cause,
}

impl ProcessError {
    fn new(process: u32, problem: &Problem) -> Self {
        let error = problem.source().and_then(|source| source.downcast_ref::<io::Error>());
        ProcessError {
            process,
            is_gone: error.is_some_and(is_gone),
            cause: problem.cause().clone(),
        }
    }

    /// Returns the number of the process.
    #[must_use]
    pub fn process(&self) -> u32 {
        self.process
    }

    /// Whether there is no such process, or none that this user may see (the option
    /// `hidepid` of procfs).
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.is_gone
    }
}

impl fmt::Display for ProcessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.is_gone {
            true => write!(f, "there is no process {}", self.process),
            false => write!(f, "the threads of process {} cannot be listed", self.process),
        }
    }
}

pmu_events_core::__private::debug_as_display!(ProcessError);

impl Error for ProcessError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.cause.source()
    }
}

impl From<ProcessError> for io::Error {
    fn from(error: ProcessError) -> Self {
        let kind = if error.is_gone { io::ErrorKind::NotFound } else { io::ErrorKind::Other };
        io::Error::new(kind, error)
    }
}

/// A process that ends while its threads are listed answers `ESRCH`
/// (`proc_task_readdir` in `fs/proc/base.c`).
fn is_gone(error: &io::Error) -> bool {
    const ESRCH: i32 = 3;
    error.kind() == io::ErrorKind::NotFound || error.raw_os_error() == Some(ESRCH)
}

/// The threads of a process, from `PID/task` below a procfs.
pub(super) fn threads(proc: &Path, process: u32) -> Result<Vec<u32>, ProcessError> {
    let threads = file::numbers(&proc.join(format!("{process}/task")));
    threads.map_err(|problem| ProcessError::new(process, &problem))
}
