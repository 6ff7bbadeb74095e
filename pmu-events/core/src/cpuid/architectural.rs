//! Which of the events that an architecture names a CPU has.

use crate::event::Event;

/// Which of the events that its architecture names a CPU has, as its registers tell.
///
/// The tables of architectures
/// ([`MadeFor::Architecture`](crate::model::MadeFor::Architecture)) have all of these
/// events, and a CPU has some of them.
///
/// ```
/// use pmu_events::arch::arm64;
/// use pmu_events::cpuid::Architectural;
///
/// // An Arm core that implements the events 0x8, 0x11 and 0x4004.
/// let core = Architectural::of_pmceid(1 << 0x8 | 1 << 0x11 | 1 << (0x4 + 32), 0);
/// let model = arm64::model("0x00000000ff0fff00").unwrap();
/// assert_eq!(core.has(model.require("inst_retired")), Some(true));
/// assert_eq!(core.has(model.require("cnt_cycles")), Some(true));
/// assert_eq!(core.has(model.require("l1d_cache")), Some(false));
/// // The registers say nothing about events beyond the common ones.
/// assert_eq!(core.has(arm64::ARM_NEOVERSE_N1.require("l1d_cache_rd")), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Architectural(Registers);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Registers {
    /// A bit for each common event, and for each of the extension.
    Pmceid {
        common: u64,
        extended: u64,
    },
    Leaf {
        eax: u32,
        ebx: u32,
    },
}

/// The first common event of Arm's extension.
const EXTENDED: u64 = 0x4000;

/// Event and umask of Intel's architectural events, in the order of their bits (Intel SDM,
/// volume 3B, “Pre-defined Architectural Performance Events”).
const INTEL: [(u64, u64); 13] = [
    (0x3c, 0x00),
    (0xc0, 0x00),
    (0x3c, 0x01),
    (0x2e, 0x4f),
    (0x2e, 0x41),
    (0xc4, 0x00),
    (0xc5, 0x00),
    (0xa4, 0x01),
    (0xa4, 0x02),
    (0x73, 0x00),
    (0x9c, 0x01),
    (0xc2, 0x02),
    (0xe4, 0x01),
];

impl Architectural {
    /// Returns the common events of an Arm core by its registers PMCEID0_EL0 and
    /// PMCEID1_EL0, in which each implemented event has a bit.
    #[must_use]
    pub const fn of_pmceid(pmceid0: u64, pmceid1: u64) -> Self {
        // Each register has half of the events, and above them half of those of the
        // extension (Arm Architecture Reference Manual, PMCEID0_EL0).
        const LOW: u64 = 0xffff_ffff;
        Architectural(Registers::Pmceid {
            common: pmceid0 & LOW | pmceid1 << 32,
            extended: pmceid0 >> 32 | pmceid1 & !LOW,
        })
    }

    /// Returns the architectural events of an Intel CPU by the registers of leaf 0xA of
    /// the instruction `CPUID`: EAX has the version in bits 0 to 7 and the number of events
    /// in bits 24 to 31; in EBX, each event that the CPU lacks has a bit.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    /// use pmu_events::cpuid::Architectural;
    ///
    /// // Version 5 and eight events, of which the last is missing.
    /// let cpu = Architectural::of_leaf_0xa(0x0800_0005, 0x80);
    /// let model = x86::model("GenuineIntel-31-1-0").unwrap();
    /// assert_eq!(cpu.has(model.require("inst_retired.any_p")), Some(true));
    /// assert_eq!(cpu.has(model.require("topdown.slots_p")), Some(false));
    /// assert_eq!(cpu.has(model.require("lbr_inserts.any")), Some(false));
    /// ```
    #[must_use]
    pub const fn of_leaf_0xa(eax: u32, ebx: u32) -> Self {
        Architectural(Registers::Leaf { eax, ebx })
    }

    /// Returns whether the CPU has an event, or `None` if the registers do not tell.
    #[must_use]
    pub fn has(self, event: Event) -> Option<bool> {
        let number = |name| match event.terms().last_named(name) {
            Some(term) => term.number(),
            None => Some(0),
        };
        let (code, umask) = (number("event")?, number("umask")?);
        match self.0 {
            Registers::Pmceid { common, .. } if code < 64 => Some(common >> code & 1 != 0),
            Registers::Pmceid { extended, .. } if (EXTENDED..EXTENDED + 64).contains(&code) => {
                Some(extended >> (code - EXTENDED) & 1 != 0)
            }
            Registers::Pmceid { .. } => None,
            Registers::Leaf { eax, ebx } => {
                let bit = INTEL.iter().position(|&known| known == (code, umask))?;
                let [version, _, _, count] = eax.to_le_bytes();
                Some(version > 0 && bit < usize::from(count) && ebx >> bit & 1 == 0)
            }
        }
    }
}
