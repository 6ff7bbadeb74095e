//! The one-bit fields of `perf_event_attr`, and the bits of its words.

use super::bits::bits;

/// A one-bit field between `read_format` and `wakeup_events`
/// (`include/uapi/linux/perf_event.h`).
///
/// A C bit field begins at the lowest bit on little-endian machines and at the
/// highest on big-endian ones; [`Attr::with`](super::Attr::with) accounts for this.
///
/// ```
/// use pmu_events::open::{Attr, Flag};
///
/// let attr = Attr::default().with(Flag::ExcludeKernel, true);
/// assert!(attr.has(Flag::ExcludeKernel) && !attr.has(Flag::ExcludeUser));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[non_exhaustive]
pub enum Flag {
    /// The event is off until it is enabled.
    Disabled = 0,
    /// Count children of the task as well.
    Inherit = 1,
    /// The event must always be on the PMU; otherwise it is in error.
    Pinned = 2,
    /// The group must be the only one on the PMU.
    Exclusive = 3,
    /// Do not count in user space.
    ExcludeUser = 4,
    /// Do not count in the kernel.
    ExcludeKernel = 5,
    /// Do not count in the hypervisor.
    ExcludeHv = 6,
    /// Do not count while idle.
    ExcludeIdle = 7,
    /// Record mappings of programs.
    Mmap = 8,
    /// Record names of tasks.
    Comm = 9,
    /// Samples are taken at a frequency, not after a period.
    Frequency = 10,
    /// Keep counts per task.
    InheritStat = 11,
    /// Enable the event at the task's next `exec`.
    EnableOnExec = 12,
    /// Record forks and exits.
    Task = 13,
    /// `wakeup` is in bytes.
    Watermark = 14,
    /// Record mappings of data.
    MmapData = 17,
    /// Add the fields of `sample_type` to all records.
    SampleIdAll = 18,
    /// Do not count in the host.
    ExcludeHost = 19,
    /// Do not count in guests.
    ExcludeGuest = 20,
    /// Omit the kernel from call chains.
    ExcludeCallchainKernel = 21,
    /// Omit user space from call chains.
    ExcludeCallchainUser = 22,
    /// Include inodes in mappings.
    Mmap2 = 23,
    /// Mark names set by an `exec`.
    CommExec = 24,
    /// Use `clockid` for time stamps.
    UseClockId = 25,
    /// Record context switches.
    ContextSwitch = 26,
    /// Write the buffer from its end.
    WriteBackward = 27,
    /// Record namespaces.
    Namespaces = 28,
    /// Record kernel symbols that are added and removed.
    Ksymbol = 29,
    /// Record BPF programs.
    BpfEvent = 30,
    /// Write to the AUX area instead of the buffer.
    AuxOutput = 31,
    /// Record cgroups.
    Cgroup = 32,
    /// Record changes to the kernel's code.
    TextPoke = 33,
    /// Include build ids instead of inodes in mappings.
    BuildId = 34,
    /// Only threads inherit the event, not processes.
    InheritThread = 35,
    /// Remove the event at `exec`.
    RemoveOnExec = 36,
    /// Send `SIGTRAP` to the task synchronously.
    Sigtrap = 37,
}

impl Flag {
    pub(super) const fn mask(self) -> u64 {
        bit_field(1, self as u32, 1)
    }
}

/// The offset and width of `precise_ip`.
pub(super) const PRECISE: (u32, u32) = (15, 2);

/// Places a value in a C bit field of `width` bits, `offset` bits after the first
/// of a 64-bit unit.
pub(super) const fn bit_field(value: u64, offset: u32, width: u32) -> u64 {
    bit_field_of(cfg!(target_endian = "big"), value, offset, width)
}

const fn bit_field_of(is_big: bool, value: u64, offset: u32, width: u32) -> u64 {
    let shift = if is_big { u64::BITS - offset - width } else { offset };
    value << shift
}

/// The fields that a read returns in addition to the value
/// (`perf_event_read_format`).
///
/// ```
/// use pmu_events::open::ReadFormat;
///
/// let format = ReadFormat::TIMES | ReadFormat::GROUP;
/// assert!(format.contains(ReadFormat::GROUP) && !format.contains(ReadFormat::ID));
/// assert_eq!(format.bits(), 1 | 2 | 8);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ReadFormat(u64);

impl ReadFormat {
    /// Only the value.
    pub const NONE: Self = Self(0);
    /// `PERF_FORMAT_TOTAL_TIME_ENABLED` and `PERF_FORMAT_TOTAL_TIME_RUNNING`,
    /// without which a count cannot be scaled.
    pub const TIMES: Self = Self(1 << 0 | 1 << 1);
    /// `PERF_FORMAT_TOTAL_TIME_ENABLED`
    pub const TIME_ENABLED: Self = Self(1 << 0);
    /// `PERF_FORMAT_TOTAL_TIME_RUNNING`
    pub const TIME_RUNNING: Self = Self(1 << 1);
    /// `PERF_FORMAT_ID`
    pub const ID: Self = Self(1 << 2);
    /// `PERF_FORMAT_GROUP`: the whole group at once.
    pub const GROUP: Self = Self(1 << 3);
    /// `PERF_FORMAT_LOST`, since Linux 6.0.
    pub const LOST: Self = Self(1 << 4);
}

bits!(ReadFormat, "a format", "Whether the format contains all fields of another.");

/// `PERF_SAMPLE_READ`: a sample contains the result of a read.
pub(super) const SAMPLE_READ: u64 = 1 << 4;

#[cfg(test)]
mod tests {
    use super::bit_field_of;

    /// The layout that gcc gives `struct { u64 a: 15, precise_ip: 2, …; }` on
    /// x86-64 and on s390x.
    #[test]
    fn bit_fields() {
        let cases: &[(bool, u64, u32, u32, u64)] = &[
            (false, 1, 0, 1, 1),
            (true, 1, 0, 1, 1 << 63),
            (false, 1, 12, 1, 1 << 12),
            (true, 1, 12, 1, 1 << 51),
            (false, 2, 15, 2, 1 << 16),
            (true, 2, 15, 2, 1 << 48),
            (false, 3, 15, 2, 3 << 15),
            (true, 3, 15, 2, 3 << 47),
            (true, 1, 63, 1, 1),
        ];
        for &(is_big, value, offset, width, expected) in cases {
            assert_eq!(bit_field_of(is_big, value, offset, width), expected, "{offset}");
        }
    }
}
