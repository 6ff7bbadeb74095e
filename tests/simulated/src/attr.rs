//! The fields of `perf_event_attr` that the simulated kernel obeys
//! (`include/uapi/linux/perf_event.h`).

/// A read of this layout by hand, and not by the library that is tested: an error in one of
/// the two must not cancel out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attr {
    /// `type`
    pub type_: u32,
    /// `config`
    pub config: u64,
    /// `config1`
    pub config1: u64,
    /// `sample_period` or `sample_freq`
    pub sample: u64,
    /// `sample_type`
    pub sample_type: u64,
    /// `read_format`
    pub read_format: u64,
    flags: u64,
}

/// The size of the first version of the structure.
const SMALLEST: usize = 64;

impl Attr {
    /// Reads the structure; `None` if it is shorter than any kernel accepts.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let size = u32::from_ne_bytes(bytes.get(4..8)?.try_into().ok()?) as usize;
        let bytes = bytes.get(..size).filter(|bytes| bytes.len() >= SMALLEST)?;
        let word = |at: usize| {
            let word = bytes.get(at..at + 8).and_then(|word| word.try_into().ok());
            word.map_or(0, u64::from_ne_bytes)
        };
        Some(Attr {
            type_: u32::from_ne_bytes(bytes.get(..4)?.try_into().ok()?),
            config: word(8),
            config1: word(56),
            sample: word(16),
            sample_type: word(24),
            read_format: word(32),
            flags: word(40),
        })
    }

    /// An event that keeps its counter, as other programs open it.
    #[must_use]
    pub fn pinned(type_: u32, config: u64) -> Self {
        const PINNED: u32 = 2;
        let bit = if cfg!(target_endian = "big") { 63 - PINNED } else { PINNED };
        let flags = 1 << bit;
        Attr { type_, config, config1: 0, sample: 0, sample_type: 0, read_format: 0, flags }
    }

    /// C compilers give the first bit field the lowest bit on little-endian machines, and the
    /// highest on big-endian ones.
    const fn flag(&self, number: u32) -> bool {
        let bit = if cfg!(target_endian = "big") { 63 - number } else { number };
        self.flags & (1 << bit) != 0
    }

    /// `disabled`
    #[must_use]
    pub const fn is_disabled(&self) -> bool {
        self.flag(0)
    }

    /// `inherit`
    #[must_use]
    pub const fn inherits(&self) -> bool {
        self.flag(1)
    }

    /// `pinned`
    #[must_use]
    pub const fn is_pinned(&self) -> bool {
        self.flag(2)
    }

    /// `exclusive`
    #[must_use]
    pub const fn is_exclusive(&self) -> bool {
        self.flag(3)
    }

    /// `exclude_user`
    #[must_use]
    pub const fn excludes_user(&self) -> bool {
        self.flag(4)
    }

    /// `exclude_kernel`
    #[must_use]
    pub const fn excludes_kernel(&self) -> bool {
        self.flag(5)
    }

    /// Any of the flags that a PMU without `PERF_PMU_CAP_NO_EXCLUDE` obeys.
    #[must_use]
    pub const fn excludes_anything(&self) -> bool {
        let (mut number, mut any) = (4, false);
        while number <= 7 {
            any |= self.flag(number);
            number += 1;
        }
        any || self.flag(19) || self.flag(20)
    }

    /// `enable_on_exec`
    #[must_use]
    pub const fn starts_on_exec(&self) -> bool {
        self.flag(12)
    }

    /// `freq`: `sample` is a number of samples a second.
    #[must_use]
    pub const fn has_frequency(&self) -> bool {
        self.flag(10)
    }

    /// `comm`
    #[must_use]
    pub const fn records_names(&self) -> bool {
        self.flag(9)
    }

    /// `mmap2`
    #[must_use]
    pub const fn records_mappings(&self) -> bool {
        self.flag(23)
    }

    /// `task`
    #[must_use]
    pub const fn records_tasks(&self) -> bool {
        self.flag(13)
    }

    /// `sample_id_all`
    #[must_use]
    pub const fn stamps_all(&self) -> bool {
        self.flag(18)
    }

    /// `precise_ip`
    #[must_use]
    pub const fn precise(&self) -> u8 {
        let (first, second) = if cfg!(target_endian = "big") { (16, 15) } else { (15, 16) };
        self.flag(first) as u8 | (self.flag(second) as u8) << 1
    }
}
