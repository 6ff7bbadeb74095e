//! The attributes passed to the kernel.

use crate::power::EBB;
use pmu_events_core::format::{Word, Words};
use pmu_events_core::perf_type;

/// The maximum number of events in a group: six counters, and as many software
/// events.
pub const MAX_EVENTS: usize = 12;

/// The fields of `perf_event_attr` that are subject to the rules, or may have
/// any value.
///
/// ```
/// use pmu_events::ebb::{BranchAttr, BranchTarget, check};
/// use pmu_events::power::Generation;
///
/// let leader = BranchAttr {
///     kind: 4,
///     config: 0x8000_0000_0001_001e,
///     pinned: true,
///     exclusive: true,
///     ..BranchAttr::default()
/// };
/// assert_eq!(check(Generation::Power9, &[leader], BranchTarget::THIS_THREAD), Ok(()));
/// ```
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
    /// The content of a sample.
    pub sample_type: u64,
    /// The format of reads; may have any value.
    pub read_format: u64,
    /// `sample_period` is a frequency.
    pub freq: bool,
    /// Children inherit the event.
    pub inherit: bool,
    /// Keeps the event on the PMU, or puts it into the error state.
    pub pinned: bool,
    /// The only event on the PMU.
    pub exclusive: bool,
    /// The next `exec` enables it.
    pub enable_on_exec: bool,
    /// Does not count until it is enabled; may have any value.
    pub disabled: bool,
    /// Does not count in user mode; may have any value.
    pub exclude_user: bool,
    /// Does not count in the kernel; may have any value.
    pub exclude_kernel: bool,
    /// Does not count in the hypervisor; may have any value.
    pub exclude_hv: bool,
}

impl BranchAttr {
    /// Returns the config words.
    #[must_use]
    pub const fn words(&self) -> Words {
        Words::new(self.config).with(Word::Config1, self.config1)
    }

    pub(super) const fn is_software(&self) -> bool {
        self.kind == perf_type::SOFTWARE
    }

    /// Whether the kernel takes the event for an event-based branch.
    pub(super) const fn wants_ebb(&self) -> bool {
        !self.is_software() && self.config & EBB != 0
    }
}

/// What to count, as `perf_event_open` takes it.
///
/// ```
/// use pmu_events::ebb::BranchTarget;
///
/// assert_eq!(BranchTarget::thread(42), BranchTarget::new(42, -1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BranchTarget {
    pid: i32,
    cpu: i32,
}

impl BranchTarget {
    /// The calling thread, on any CPU.
    pub const THIS_THREAD: BranchTarget = BranchTarget { pid: 0, cpu: -1 };

    /// Targets a thread, on any CPU.
    #[must_use]
    pub const fn thread(pid: i32) -> BranchTarget {
        BranchTarget { pid, cpu: -1 }
    }

    /// Targets a thread, which is 0 for the calling one and -1 for all, on a CPU, which is -1
    /// for any.
    #[must_use]
    pub const fn new(pid: i32, cpu: i32) -> BranchTarget {
        BranchTarget { pid, cpu }
    }

    /// Returns the thread; 0 for the calling one, -1 for all.
    #[must_use]
    pub const fn pid(self) -> i32 {
        self.pid
    }

    /// Returns the CPU; -1 for any.
    #[must_use]
    pub const fn cpu(self) -> i32 {
        self.cpu
    }
}
