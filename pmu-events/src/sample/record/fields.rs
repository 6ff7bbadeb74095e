//! The fields of a sample.

use crate::open::bits::bits;

/// The fields that a sample has (`perf_event_sample_format`).
///
/// ```
/// use pmu_events::sample::Fields;
///
/// let fields = Fields::IP | Fields::TID;
/// assert!(fields.contains(Fields::IP) && !fields.contains(Fields::IP | Fields::TIME));
/// assert_eq!(fields.bits(), 3);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Fields(u64);

impl Fields {
    /// No field.
    pub const NONE: Self = Self(0);
    /// `PERF_SAMPLE_IP`: the address of the instruction.
    pub const IP: Self = Self(1 << 0);
    /// `PERF_SAMPLE_TID`: process and thread.
    pub const TID: Self = Self(1 << 1);
    /// `PERF_SAMPLE_TIME`
    pub const TIME: Self = Self(1 << 2);
    /// `PERF_SAMPLE_ADDR`: the address of the data.
    pub const ADDR: Self = Self(1 << 3);
    /// `PERF_SAMPLE_READ`: what a read of the counter, or of its group, returns.
    pub const READ: Self = Self(1 << 4);
    /// `PERF_SAMPLE_CALLCHAIN`
    pub const CALLCHAIN: Self = Self(1 << 5);
    /// `PERF_SAMPLE_ID`
    pub const ID: Self = Self(1 << 6);
    /// `PERF_SAMPLE_CPU`
    pub const CPU: Self = Self(1 << 7);
    /// `PERF_SAMPLE_PERIOD`: how many events the sample stands for.
    pub const PERIOD: Self = Self(1 << 8);
    /// `PERF_SAMPLE_STREAM_ID`
    pub const STREAM_ID: Self = Self(1 << 9);
    /// `PERF_SAMPLE_RAW`: what a tracepoint records.
    pub const RAW: Self = Self(1 << 10);
    /// `PERF_SAMPLE_BRANCH_STACK`
    pub const BRANCHES: Self = Self(1 << 11);
    /// `PERF_SAMPLE_REGS_USER`
    pub const USER_REGISTERS: Self = Self(1 << 12);
    /// `PERF_SAMPLE_STACK_USER`
    pub const USER_STACK: Self = Self(1 << 13);
    /// `PERF_SAMPLE_WEIGHT`
    pub const WEIGHT: Self = Self(1 << 14);
    /// `PERF_SAMPLE_DATA_SRC`
    pub const DATA_SOURCE: Self = Self(1 << 15);
    /// `PERF_SAMPLE_IDENTIFIER`: the id, in the same place for all events.
    pub const IDENTIFIER: Self = Self(1 << 16);
    /// `PERF_SAMPLE_TRANSACTION`
    pub const TRANSACTION: Self = Self(1 << 17);
    /// `PERF_SAMPLE_REGS_INTR`
    pub const INTERRUPTED_REGISTERS: Self = Self(1 << 18);
    /// `PERF_SAMPLE_PHYS_ADDR`
    pub const PHYSICAL_ADDRESS: Self = Self(1 << 19);
    /// `PERF_SAMPLE_AUX`
    pub const AUX: Self = Self(1 << 20);
    /// `PERF_SAMPLE_CGROUP`
    pub const CGROUP: Self = Self(1 << 21);
    /// `PERF_SAMPLE_DATA_PAGE_SIZE`
    pub const DATA_PAGE_SIZE: Self = Self(1 << 22);
    /// `PERF_SAMPLE_CODE_PAGE_SIZE`
    pub const CODE_PAGE_SIZE: Self = Self(1 << 23);
    /// `PERF_SAMPLE_WEIGHT_STRUCT`: three weights in place of one.
    pub const WEIGHTS: Self = Self(1 << 24);

    /// Returns these fields without some.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(super) const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) const fn has_any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

bits!(Fields, "fields", "Whether all of some fields are among these.");
