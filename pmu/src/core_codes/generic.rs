//! The codes that the kernel's drivers have for generic hardware events.
//!
//! `tests/evidence/generic` compares them with the drivers.

use pmu_events::event_list::Hardware::{self, *};

type Codes = &'static [(Hardware, &'static str, u64)];

/// The codes of a CPU, as far as its events have names.
pub(super) fn of_cpu(cpuid: &str) -> Codes {
    if let Some(digits) = cpuid.strip_prefix("0x") {
        let number = u64::from_str_radix(digits, 16);
        return match (digits.len(), number) {
            (16, Ok(_)) => ARM,
            (8, Ok(version)) => of_power(version >> 16),
            _ => &[],
        };
    }
    let mut parts = cpuid.split('-');
    let vendor = parts.next();
    let family = parts.next().and_then(|family| family.parse().ok());
    let model = parts.next().and_then(|model| u32::from_str_radix(model, 16).ok());
    match (vendor, family, model) {
        (Some("GenuineIntel"), Some(6 | 18 | 19), Some(_)) => INTEL,
        (Some("AuthenticAMD" | "HygonGenuine"), Some(family), Some(model)) => of_amd(family, model),
        _ => &[],
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
        _ => &[],
    }
}

/// `intel_perfmon_event_map` in `arch/x86/events/intel/core.c`. Older models have codes for
/// stalls, too, which mask what they count.
const INTEL: Codes = &[
    (CpuCycles, "cpu-cycles", 0x003c),
    (Instructions, "instructions", 0x00c0),
    (CacheReferences, "cache-references", 0x4f2e),
    (CacheMisses, "cache-misses", 0x412e),
    (BranchInstructions, "branch-instructions", 0x00c4),
    (BranchMisses, "branch-misses", 0x00c5),
    (BusCycles, "bus-cycles", 0x013c),
    (RefCpuCycles, "ref-cycles", 0x0300),
];

/// `amd_perfmon_event_map` in `arch/x86/events/amd/core.c`.
const AMD: Codes = &[
    (CpuCycles, "cpu-cycles", 0x0076),
    (Instructions, "instructions", 0x00c0),
    (CacheReferences, "cache-references", 0x077d),
    (CacheMisses, "cache-misses", 0x077e),
    (BranchInstructions, "branch-instructions", 0x00c2),
    (BranchMisses, "branch-misses", 0x00c3),
    (StalledCyclesFrontend, "stalled-cycles-frontend", 0x00d0),
    (StalledCyclesBackend, "stalled-cycles-backend", 0x00d1),
];

/// `amd_zen1_perfmon_event_map`.
const AMD_ZEN: Codes = &[
    (CpuCycles, "cpu-cycles", 0x0076),
    (Instructions, "instructions", 0x00c0),
    (CacheReferences, "cache-references", 0xff60),
    (CacheMisses, "cache-misses", 0x0964),
    (BranchInstructions, "branch-instructions", 0x00c2),
    (BranchMisses, "branch-misses", 0x00c3),
    (StalledCyclesFrontend, "stalled-cycles-frontend", 0x0287),
    (StalledCyclesBackend, "stalled-cycles-backend", 0x0187),
];

/// `amd_zen2_perfmon_event_map`.
const AMD_ZEN2: Codes = &[
    (CpuCycles, "cpu-cycles", 0x0076),
    (Instructions, "instructions", 0x00c0),
    (CacheReferences, "cache-references", 0xff60),
    (CacheMisses, "cache-misses", 0x0964),
    (BranchInstructions, "branch-instructions", 0x00c2),
    (BranchMisses, "branch-misses", 0x00c3),
    (StalledCyclesFrontend, "stalled-cycles-frontend", 0x00a9),
];

/// `amd_zen4_perfmon_event_map`.
const AMD_ZEN4: Codes = &[
    (CpuCycles, "cpu-cycles", 0x0076),
    (Instructions, "instructions", 0x00c0),
    (CacheReferences, "cache-references", 0xff60),
    (CacheMisses, "cache-misses", 0x0964),
    (BranchInstructions, "branch-instructions", 0x00c2),
    (BranchMisses, "branch-misses", 0x00c3),
    (StalledCyclesFrontend, "stalled-cycles-frontend", 0x00a9),
    (RefCpuCycles, "ref-cycles", 0x1_0000_0120),
];

/// `armv8_pmuv3_perf_map` in `drivers/perf/arm_pmuv3.c`. For branches, the driver takes
/// whichever of two events the core has.
const ARM: Codes = &[
    (CpuCycles, "cpu-cycles", 0x11),
    (Instructions, "instructions", 0x08),
    (CacheReferences, "cache-references", 0x04),
    (CacheMisses, "cache-misses", 0x03),
    (BranchMisses, "branch-misses", 0x10),
    (BusCycles, "bus-cycles", 0x1d),
    (StalledCyclesFrontend, "stalled-cycles-frontend", 0x23),
    (StalledCyclesBackend, "stalled-cycles-backend", 0x24),
];

/// `power8_generic_events` in `arch/powerpc/perf/power8-pmu.c`, with the codes of
/// `power8-events-list.h`.
const POWER8: Codes = &[
    (CpuCycles, "cpu-cycles", 0x0001e),
    (Instructions, "instructions", 0x00002),
    (CacheReferences, "cache-references", 0x100ee),
    (CacheMisses, "cache-misses", 0x3e054),
    (BranchInstructions, "branch-instructions", 0x10068),
    (BranchMisses, "branch-misses", 0x400f6),
    (StalledCyclesFrontend, "stalled-cycles-frontend", 0x100f8),
    (StalledCyclesBackend, "stalled-cycles-backend", 0x4000a),
];

/// `power9_generic_events`.
const POWER9: Codes = &[
    (CpuCycles, "cpu-cycles", 0x0001e),
    (Instructions, "instructions", 0x00002),
    (CacheReferences, "cache-references", 0x100fc),
    (CacheMisses, "cache-misses", 0x2c04e),
    (BranchInstructions, "branch-instructions", 0x4d05e),
    (BranchMisses, "branch-misses", 0x400f6),
    (StalledCyclesFrontend, "stalled-cycles-frontend", 0x100f8),
    (StalledCyclesBackend, "stalled-cycles-backend", 0x1e054),
];

/// `power10_generic_events`.
const POWER10: Codes = &[
    (CpuCycles, "cpu-cycles", 0x600f4),
    (Instructions, "instructions", 0x500fa),
    (CacheReferences, "cache-references", 0x100fc),
    (CacheMisses, "cache-misses", 0x400f0),
    (BranchInstructions, "branch-instructions", 0x2f04a),
    (BranchMisses, "branch-misses", 0x3e098),
];
