//! The formats of a CPU's PMUs.

use super::*;
use crate::pmu;

/// Returns the formats of a PMU on a CPU, as Linux's drivers define them: for
/// core PMUs, for uncore PMUs whose driver is known, and for `msr`, `cstate_core`,
/// `cstate_pkg`, `power` and `power_core` of x86.
///
/// `pmu` is the name in trees, such as `default_core` or `uncore_cha`, or that in
/// sysfs (`nvidia_cmem_latency_pmu_0`) for PMUs that no tree names; the CPUID is in
/// perf's form.
///
/// ```
/// use pmu_events::builtin;
/// let formats = |cpuid, pmu| builtin::of_pmu(cpuid, pmu);
/// assert_eq!(formats("AuthenticAMD-25-61-2", "default_core"), Some(builtin::AMD));
/// assert_eq!(formats("0x004e1200", "default_core"), Some(builtin::POWER9));
/// assert_eq!(formats("0x00000000410fd0c0", "default_core"), Some(builtin::ARMV8_PMUV3));
/// let upi = formats("GenuineIntel-6-8F-4", "uncore_upi").unwrap();
/// assert_eq!(upi.find("umask").unwrap().to_string(), "config:8-15,32-55");
/// assert_eq!(formats("GenuineIntel-6-8F-4", "uncore_xyz"), None);
/// ```
#[must_use]
pub fn of_pmu(cpuid: &str, pmu: &str) -> Option<Formats<'static>> {
    let is_core = pmu::is_core(pmu);
    if let Some(digits) = cpuid.strip_prefix("0x")
        && let Ok(number) = u64::from_str_radix(digits, 16)
    {
        return match digits.len() {
            // MIDR_EL1
            16 if is_core && is_apple_m1_or_m2(number) => Some(APPLE_M1),
            16 if is_core => Some(ARMV8_PMUV3),
            16 => arm_system::of_pmu(pmu),
            _ if is_core => of_power(number >> 16),
            _ => None,
        };
    }
    if cpuid.starts_with("IBM,") || cpuid.starts_with("IBM.") {
        return matches!(pmu, "cpum_cf" | "cpum_sf" | "pai_crypto" | "pai_ext").then_some(S390);
    }
    // RISC-V: `mvendorid-marchid-mimpid`, each in hexadecimal.
    if cpuid.starts_with("0x") {
        return is_core.then_some(RISCV_SBI);
    }
    let mut parts = cpuid.split('-');
    let vendor = parts.next()?;
    let family = parts.next()?.parse().ok()?;
    let model = u64::from_str_radix(parts.next()?, 16).ok()?;
    match vendor {
        "GenuineIntel" if is_core => Some(of_intel_core(family, model)),
        "GenuineIntel" if family == 6 => intel_server::of_pmu(model, pmu)
            .or_else(|| intel_client::of_pmu(model, pmu))
            .or_else(|| x86_system::of_intel(pmu)),
        "GenuineIntel" if family == 18 => {
            intel_client::of_family_18(model, pmu).or_else(|| x86_system::of_intel(pmu))
        }
        "GenuineIntel" => x86_system::of_intel(pmu),
        "AuthenticAMD" | "HygonGenuine" if is_core => Some(AMD),
        "AuthenticAMD" | "HygonGenuine" => {
            amd::of_pmu(family, model, pmu).or_else(|| x86_system::of_pmu(pmu))
        }
        "CentaurHauls" | "  Shanghai  " if is_core => Some(ZHAOXIN),
        _ => None,
    }
}

/// Lunar Lake, Arrow Lake, Panther Lake, Clearwater Forest and Nova Lake have
/// version 6 of performance monitoring.
const fn of_intel_core(family: u64, model: u64) -> Formats<'static> {
    match (family, model) {
        (6, 0xbd | 0xc5 | 0xc6 | 0xb5 | 0xcc | 0xd5 | 0xe5 | 0xdd) | (18, 1 | 3) => INTEL_V6,
        _ => INTEL,
    }
}

/// By implementer and part (`APPLE_CPU_PART_*` in `arch/arm64/include/asm/cputype.h`).
const fn is_apple_m1_or_m2(midr: u64) -> bool {
    midr >> 24 == 0x61
        && matches!(midr >> 4 & 0xfff, 0x22..=0x25 | 0x28 | 0x29 | 0x32..=0x35 | 0x38 | 0x39)
}

/// Selects by the upper half of the processor version register
/// (`arch/powerpc/kernel/cpu_specs_book3s_64.h`).
const fn of_power(version: u64) -> Option<Formats<'static>> {
    match version {
        0x4b..=0x4d | 0x66 => Some(POWER8),
        0x4e => Some(POWER9),
        0x80 | 0x82 => Some(POWER10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::of_pmu;
    use crate::format::Format;

    #[test]
    fn cores_of_apple_and_others() {
        for (cpuid, event) in [
            ("0x00000000611f0221", "config:0-7"),
            ("0x00000000611f0390", "config:0-7"),
            ("0x00000000411f0220", "config:0-15"),
        ] {
            let formats = of_pmu(cpuid, "default_core").expect(cpuid);
            assert_eq!(formats.find("event"), Format::parse(event).ok(), "{cpuid}");
        }
    }

    /// Drivers name the least count in a cycle differently.
    #[test]
    fn uncores_of_the_newest_clients() {
        for cpuid in ["GenuineIntel-6-CC-0", "GenuineIntel-6-D5-0", "GenuineIntel-18-1-0"] {
            let pmus = [
                ("uncore_imc", "thresh"),
                ("uncore_hbo", "thresh"),
                ("uncore_santa", "threshold"),
                ("uncore_cbox", "threshold"),
            ];
            for (pmu, term) in pmus {
                let formats = of_pmu(cpuid, pmu).expect(cpuid);
                assert!(formats.find(term).is_some(), "{cpuid} {pmu}");
            }
            assert_eq!(of_pmu(cpuid, "uncore_arb"), None, "{cpuid}");
        }
        assert!(of_pmu("GenuineIntel-6-CC-0", "uncore_ia_core_bridge").is_some());
        assert_eq!(of_pmu("GenuineIntel-18-1-0", "uncore_ia_core_bridge"), None);
        assert_eq!(of_pmu("GenuineIntel-18-2-0", "uncore_imc"), None);
    }

    #[test]
    fn cores_with_a_second_part_of_the_unit_mask() {
        for (cpuid, umask) in [
            ("GenuineIntel-6-8F-4", "config:8-15"),
            ("GenuineIntel-6-BD-1", "config:8-15,40-47"),
            ("GenuineIntel-6-CC-0", "config:8-15,40-47"),
            ("GenuineIntel-6-D5-0", "config:8-15,40-47"),
            ("GenuineIntel-6-E5-0", "config:8-15,40-47"),
            ("GenuineIntel-18-1-0", "config:8-15,40-47"),
            ("GenuineIntel-18-3-0", "config:8-15,40-47"),
            ("GenuineIntel-18-2-0", "config:8-15"),
        ] {
            let formats = of_pmu(cpuid, "cpu_core").expect(cpuid);
            assert_eq!(formats.find("umask"), Format::parse(umask).ok(), "{cpuid}");
        }
    }
}
