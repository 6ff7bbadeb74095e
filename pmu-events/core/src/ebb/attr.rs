//! What the kernel is asked for.

use crate::perf_type;
use crate::power::EBB;

/// The most events in a group: six counters, and as many software events.
pub const MAX_EVENTS: usize = 12;

/// The fields of `perf_event_attr` that the rules are about, or that a process
/// is free to choose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BranchAttr {
    /// `type`
    pub kind: u32,
    /// The raw code, with Linux's bits.
    pub config: u64,
    /// POWER10's threshold.
    pub config1: u64,
    /// `sample_period`, or `sample_freq` with `freq`.
    pub sample_period: u64,
    /// What a sample holds.
    pub sample_type: u64,
    /// What a read gives; free to choose.
    pub read_format: u64,
    /// `sample_period` is a frequency.
    pub freq: bool,
    /// Children inherit the event.
    pub inherit: bool,
    /// Always on the PMU, or in error.
    pub pinned: bool,
    /// The only event on the PMU.
    pub exclusive: bool,
    /// The next `exec` enables it.
    pub enable_on_exec: bool,
    /// It does not count until it is enabled; free to choose.
    pub disabled: bool,
    /// Do not count in user mode; free to choose.
    pub exclude_user: bool,
    /// Do not count in the kernel; free to choose.
    pub exclude_kernel: bool,
    /// Do not count in the hypervisor; free to choose.
    pub exclude_hv: bool,
}

impl BranchAttr {
    pub(super) const fn is_software(&self) -> bool {
        self.kind == perf_type::SOFTWARE
    }

    /// Whether it asks for event-based branches, in the kernel's eyes.
    pub(super) const fn wants_ebb(&self) -> bool {
        !self.is_software() && self.config & EBB != 0
    }
}

/// Whom to count, as `perf_event_open` takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BranchTarget {
    /// A thread; 0 is the calling one, -1 all.
    pub pid: i32,
    /// A CPU; -1 is any.
    pub cpu: i32,
}

impl BranchTarget {
    /// The calling thread, wherever it runs.
    pub const THIS_THREAD: BranchTarget = BranchTarget { pid: 0, cpu: -1 };

    /// A thread, wherever it runs.
    #[must_use]
    pub const fn thread(pid: i32) -> BranchTarget {
        BranchTarget { pid, cpu: -1 }
    }
}
