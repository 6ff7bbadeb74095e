//! Where the fields of `struct perf_event_mmap_page` are
//! (`include/uapi/linux/perf_event.h`), on a little-endian machine.

/// Counts the changes of the page: odd while the kernel changes it (`lock`).
pub(super) const SEQUENCE: usize = 8;
/// The number of the counter plus one; 0 while the program can read none.
pub(super) const INDEX: usize = 12;
/// What must be added to the value of the counter.
pub(super) const OFFSET: usize = 16;
/// Nanoseconds until the kernel last changed the page.
pub(super) const TIME_ENABLED: usize = 24;
pub(super) const TIME_RUNNING: usize = 32;
pub(super) const CAPABILITIES: usize = 40;
/// `pmc_width` (16 bits), `time_shift` (16) and `time_mult` (32).
pub(super) const CONVERSION: usize = 48;
pub(super) const TIME_OFFSET: usize = 56;
/// The clock and its width, if it has fewer than 64 bits.
pub(super) const TIME_CYCLES: usize = 80;
pub(super) const TIME_MASK: usize = 88;

/// What the page must say of itself (`capabilities`): bit 0 is not what it was before Linux
/// 3.12 (`cap_bit0_is_deprecated`), an instruction reads the counter (`cap_user_rdpmc`), and
/// another one a clock that converts to nanoseconds (`cap_user_time`).
pub(super) const NEEDED: u64 = 1 << 1 | 1 << 2 | 1 << 3;
/// `cap_user_time_short`: the clock has fewer than 64 bits.
pub(super) const SHORT_CLOCK: u64 = 1 << 5;
