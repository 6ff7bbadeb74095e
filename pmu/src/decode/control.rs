//! Bits of a core's event selector that say when to count, not what. Programs that write the
//! register have them in their codes; the kernel sets them from other fields of
//! `perf_event_attr`, and ignores those of `config`.

use pmu_events::format::{Formats, Word, Words};

/// Each bit with its name in the vendor's manual.
type Bits = &'static [(u32, &'static str)];

/// Intel SDM, volume 3, “Architectural Performance Monitoring”: `IA32_PERFEVTSELx`; AMD64 APM,
/// volume 2, 13.2.1: `PERF_CTLx`. `x86_pmu.raw_event_mask` leaves them out.
const X86: Bits = &[(16, "user"), (17, "kernel"), (20, "interrupt"), (22, "enable")];

/// The guest and the host, which AMD's register tells apart.
const AMD: Bits = &[(40, "guest"), (41, "host")];

/// Arm Architecture Reference Manual, `PMEVTYPER<n>_EL0`. `armpmu` keeps the number of the event.
const ARM: Bits = &[
    (24, "Secure hypervisor"),
    (25, "multithreading"),
    (26, "EL3"),
    (27, "EL2"),
    (28, "Non-secure user"),
    (29, "Non-secure kernel"),
    (30, "user"),
    (31, "kernel"),
];

/// The bits of `config` that select no event, and their names. Those that a format of the PMU
/// has are its own.
pub(crate) fn of(words: Words, formats: Formats<'_>) -> (u64, Vec<&'static str>) {
    let mask_of = |name: &str| {
        let format = formats.find(name).filter(|format| format.word() == Word::Config);
        format.map_or(0, |format| format.mask())
    };
    let known: u64 = formats
        .as_slice()
        .iter()
        .filter(|(_, format)| format.word() == Word::Config)
        .fold(0, |all, (_, format)| all | format.mask());
    let is_x86 = mask_of("umask") & 0xff00 == 0xff00 && mask_of("cmask") == 0xff00_0000;
    let is_arm = mask_of("event") == 0xffff && mask_of("umask") == 0;
    // Only AMD's event codes have a second part.
    let is_amd = is_x86 && mask_of("event") > u64::from(u32::MAX);
    let all = match (is_x86, is_arm) {
        (true, _) if is_amd => [X86, AMD].concat(),
        (true, _) => X86.to_vec(),
        (_, true) => ARM.to_vec(),
        _ => Vec::new(),
    };
    let is_set = |(bit, _): &(u32, &str)| words.config() & !known & (1 << bit) != 0;
    let set: Vec<_> = all.into_iter().filter(is_set).collect();
    let bits = set.iter().fold(0, |bits, (bit, _)| bits | 1 << bit);
    (bits, set.into_iter().map(|(_, name)| name).collect())
}

#[cfg(test)]
mod tests {
    use pmu_events::builtin;

    use super::*;

    #[test]
    fn bits_that_select_no_event() {
        for (config, formats, expected) in [
            (0x51_01c4, builtin::INTEL, (0x51_0000, vec!["user", "interrupt", "enable"])),
            (
                0x53_01c4,
                builtin::INTEL_V6,
                (0x53_0000, vec!["user", "kernel", "interrupt", "enable"]),
            ),
            (0x1c4, builtin::INTEL, (0, vec![])),
            // `any`, `edge`, `cmask` and `inv` change what is counted.
            (0x01a4_01c4, builtin::INTEL, (0, vec![])),
            (
                0x300_0053_00c0,
                builtin::AMD,
                (0x300_0053_0000, vec!["user", "kernel", "interrupt", "enable", "guest", "host"]),
            ),
            // The second part of the unit mask.
            (0x100_0000_0124, builtin::INTEL_V6, (0, vec![])),
            (0x8800_0011, builtin::ARMV8_PMUV3, (0x8800_0000, vec!["EL2", "kernel"])),
            (0x51_01c4, builtin::POWER9, (0, vec![])),
        ] {
            assert_eq!(of(Words::new(config), formats), expected, "{config:#x}");
        }
    }
}
