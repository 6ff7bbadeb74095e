use std::collections::BTreeSet;
use std::vec::Vec;
use std::{format, fs, io};

use crate::sysfs::CpuSet;

/// Whom a set of counters watches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whom {
    /// The thread that opens it.
    ThisThread,
    /// Threads by their ids; [`threads_of`] has those of a process.
    Threads(Vec<u32>),
    /// Everything on all CPUs that are online.
    AllCpus,
    /// Everything on some CPUs.
    Cpus(CpuSet),
}

/// The threads of a process, from `/proc/PID/task`.
///
/// # Errors
///
/// When there is no such process.
///
/// ```
/// # #[cfg(target_os = "linux")] {
/// let threads = pmu_events::open::threads_of(std::process::id())?;
/// assert!(threads.contains(&std::process::id()));
/// # }
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn threads_of(process: u32) -> io::Result<Vec<u32>> {
    let mut threads = BTreeSet::new();
    for thread in fs::read_dir(format!("/proc/{process}/task"))? {
        threads.extend(thread?.file_name().to_str().and_then(|name| name.parse::<u32>().ok()));
    }
    Ok(threads.into_iter().collect())
}
