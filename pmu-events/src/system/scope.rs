use std::vec::Vec;

use crate::sysfs::CpuSet;

/// Whose events are counted: some tasks, or everything on some CPUs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Scope {
    /// The thread that opens the counters.
    #[default]
    ThisThread,
    /// Threads by their ids; [`System::threads_of`](super::System::threads_of) has
    /// those of a process.
    Threads(Vec<u32>),
    /// Everything on all CPUs that are online.
    AllCpus,
    /// Everything on some CPUs.
    Cpus(CpuSet),
}

impl Scope {
    /// Whether everything on some CPUs is counted, and not only tasks.
    #[must_use]
    pub fn is_cpus(&self) -> bool {
        matches!(self, Scope::AllCpus | Scope::Cpus(_))
    }
}
