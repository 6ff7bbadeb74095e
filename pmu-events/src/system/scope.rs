use std::vec::Vec;

use crate::sysfs::CpuSet;

/// What a set of counters measures: a thread, several threads, or whole CPUs.
///
/// ```
/// use pmu_events::Scope;
///
/// let threads = Scope::Threads(vec![4711, 4712]);
/// let first_socket = Scope::Cpus("0-7,16-23".parse()?);
/// assert!(first_socket.is_cpus() && !threads.is_cpus());
/// # Ok::<(), pmu_events::sysfs::CpuSetError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Scope {
    /// The thread that opens the counters.
    #[default]
    ThisThread,
    /// Threads by their ids; [`System::threads_of`](super::System::threads_of)
    /// lists those of a process.
    Threads(Vec<u32>),
    /// Everything that runs on the CPUs that are online when the counters are opened.
    AllCpus,
    /// Everything that runs on some CPUs.
    Cpus(CpuSet),
}

impl Scope {
    /// Whether whole CPUs are measured rather than threads.
    #[doc(hidden)]
    #[must_use]
    pub fn is_cpus(&self) -> bool {
        matches!(self, Scope::AllCpus | Scope::Cpus(_))
    }
}
