//! The codes that the kernel's drivers have for generic hardware events.
//!
//! `tests/evidence/generic` compares them with the drivers.

/// A code for each event, by its number (`enum perf_hw_id`); 0 for none.
pub(super) type Codes = [u64; 10];

const NONE: Codes = [0; 10];

/// The codes of a CPU, as far as its events have names.
pub(super) fn of_cpu(cpuid: &str) -> Codes {
    if let Some(digits) = cpuid.strip_prefix("0x") {
        let number = u64::from_str_radix(digits, 16);
        return match (digits.len(), number) {
            (16, Ok(_)) => ARM,
            (8, Ok(version)) => of_power(version >> 16),
            _ => NONE,
        };
    }
    let mut parts = cpuid.split('-');
    let vendor = parts.next();
    let family = parts.next().and_then(|family| family.parse().ok());
    let model = parts.next().and_then(|model| u32::from_str_radix(model, 16).ok());
    match (vendor, family, model) {
        (Some("GenuineIntel"), Some(6 | 18 | 19), Some(_)) => INTEL,
        (Some("AuthenticAMD" | "HygonGenuine"), Some(family), Some(model)) => of_amd(family, model),
        _ => NONE,
    }
}

/// `amd_pmu_event_map` in `arch/x86/events/amd/core.c`; what has Zen's features is in
/// `arch/x86/kernel/cpu/amd.c`.
fn of_amd(family: u32, model: u32) -> Codes {
    match (family, model) {
        (..0x17, _) => AMD,
        (0x17 | 0x18, ..0x30) => AMD_ZEN,
        (0x17 | 0x18, _) => AMD_ZEN2,
        (0x19, 0x10..=0x1f | 0x60..=0xaf) => AMD_ZEN4,
        (0x19, _) => AMD_ZEN2,
        _ => AMD_ZEN4,
    }
}

fn of_power(version: u64) -> Codes {
    match version {
        0x4b..=0x4d => POWER8,
        0x4e => POWER9,
        0x80 | 0x82 => POWER10,
        _ => NONE,
    }
}

/// `intel_perfmon_event_map` in `arch/x86/events/intel/core.c`. Older models have codes for
/// stalls, too, which mask what they count.
const INTEL: Codes = [0x3c, 0xc0, 0x4f2e, 0x412e, 0xc4, 0xc5, 0x13c, 0, 0, 0x300];

/// `amd_perfmon_event_map` in `arch/x86/events/amd/core.c`.
const AMD: Codes = [0x76, 0xc0, 0x77d, 0x77e, 0xc2, 0xc3, 0, 0xd0, 0xd1, 0];

/// `amd_zen1_perfmon_event_map`.
const AMD_ZEN: Codes = [0x76, 0xc0, 0xff60, 0x964, 0xc2, 0xc3, 0, 0x287, 0x187, 0];

/// `amd_zen2_perfmon_event_map`.
const AMD_ZEN2: Codes = [0x76, 0xc0, 0xff60, 0x964, 0xc2, 0xc3, 0, 0xa9, 0, 0];

/// `amd_zen4_perfmon_event_map`.
const AMD_ZEN4: Codes = [0x76, 0xc0, 0xff60, 0x964, 0xc2, 0xc3, 0, 0xa9, 0, 0x100000120];

/// `armv8_pmuv3_perf_map` in `drivers/perf/arm_pmuv3.c`. For branches, the driver takes
/// whichever of two events the core has.
const ARM: Codes = [0x11, 0x8, 0x4, 0x3, 0, 0x10, 0x1d, 0x23, 0x24, 0];

/// `power8_generic_events` in `arch/powerpc/perf/power8-pmu.c`, with the codes of
/// `power8-events-list.h`.
const POWER8: Codes = [0x1e, 0x2, 0x100ee, 0x3e054, 0x10068, 0x400f6, 0, 0x100f8, 0x4000a, 0];

/// `power9_generic_events`.
const POWER9: Codes = [0x1e, 0x2, 0x100fc, 0x2c04e, 0x4d05e, 0x400f6, 0, 0x100f8, 0x1e054, 0];

/// `power10_generic_events`.
const POWER10: Codes = [0x600f4, 0x500fa, 0x100fc, 0x400f0, 0x2f04a, 0x3e098, 0, 0, 0, 0];
