//! Decoding, displaying and encoding the raw event codes of POWER8, POWER9 and
//! POWER10.
//!
//! Use it to read or build a raw code of POWER that no table has.
//!
//! A code specifies which of the six counters (PMCs) counts the event, what the
//! multiplexers before it select, how instructions are sampled, and what else
//! Linux does with the counter (`arch/powerpc/perf/power8-pmu.c`,
//! `power9-pmu.c`, `power10-pmu.c`, `isa207-common.h`). [`builtin`] defines the
//! positions of the fields; the four highest bits belong to Linux and are not
//! in any format file.
//!
//! ```
//! use pmu_events::format::Words;
//! use pmu_events::power::{Fields, Generation};
//!
//! let fields = Fields::of(Generation::Power9, 0x8000_0000_0004_d05e);
//! assert_eq!((fields.pmc, fields.unit, fields.pmcxsel, fields.ebb), (4, 13, 0x5e, true));
//! assert_eq!(fields.to_string(), "pmcxsel=0x5e,unit=0xd,pmc=4,ebb");
//! assert_eq!(fields.encode(), Ok(Words::new(0x8000_0000_0004_d05e)));
//! ```

mod fields;

pub use fields::{Error, ErrorKind, Fields};

use pmu_events_core::builtin;
use pmu_events_core::format::Formats;

/// Bit 63: overflow of the counter causes an event-based branch of the process.
pub const EBB: u64 = 1 << 63;
/// Bit 62: branches are recorded in the branch history rolling buffer.
pub const BHRB: u64 = 1 << 62;
/// Bits 61:60: the branches that are recorded
/// ([`BranchFilter`](crate::ebb::BranchFilter)).
pub const IFM: u64 = 3 << 60;

/// A generation of POWER cores, by the layout of its event codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Generation {
    /// POWER8: Power ISA 2.07.
    Power8,
    /// POWER9: Power ISA 3.0.
    Power9,
    /// POWER10 and POWER11: Power ISA 3.1.
    Power10,
}

impl Generation {
    /// All generations, the oldest first.
    pub const ALL: &'static [Generation] =
        &[Generation::Power8, Generation::Power9, Generation::Power10];

    /// Finds the generation of a processor version register
    /// (`arch/powerpc/include/asm/reg.h`).
    ///
    /// ```
    /// use pmu_events::power::Generation;
    /// assert_eq!(Generation::of_pvr(0x004e_1202), Some(Generation::Power9));
    /// assert_eq!(Generation::of_pvr(0x003f_0201), None); // POWER7
    /// ```
    #[must_use]
    pub const fn of_pvr(pvr: u32) -> Option<Generation> {
        match pvr >> 16 {
            0x4b..=0x4d | 0x66 => Some(Generation::Power8),
            0x4e => Some(Generation::Power9),
            0x80 | 0x82 => Some(Generation::Power10),
            _ => None,
        }
    }

    /// Finds the generation of a CPUID in perf's form, which is the version
    /// register in hexadecimal.
    ///
    /// ```
    /// use pmu_events::power::Generation;
    /// assert_eq!(Generation::of_cpuid("0x00800200"), Some(Generation::Power10));
    /// assert_eq!(Generation::of_cpuid("GenuineIntel-6-55-4"), None);
    /// ```
    #[must_use]
    pub const fn of_cpuid(cpuid: &str) -> Option<Generation> {
        let [b'0', b'x', digits @ ..] = cpuid.as_bytes() else { return None };
        let Ok(digits) = core::str::from_utf8(digits) else { return None };
        match u32::from_str_radix(digits, 16) {
            Ok(pvr) => Generation::of_pvr(pvr),
            Err(_) => None,
        }
    }

    /// Returns the formats of the generation's codes.
    #[must_use]
    pub const fn formats(self) -> Formats<'static> {
        match self {
            Generation::Power8 => builtin::POWER8,
            Generation::Power9 => builtin::POWER9,
            Generation::Power10 => builtin::POWER10,
        }
    }

    /// Returns the name, as in the directories of event trees.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Generation::Power8 => "power8",
            Generation::Power9 => "power9",
            Generation::Power10 => "power10",
        }
    }
}

impl core::fmt::Display for Generation {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests;
