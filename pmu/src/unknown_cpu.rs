//! What remains on a CPU without a table.

/// A sentence about the architecture of a CPU that neither has a table nor belongs to an
/// architecture that names events.
///
/// AMD's `PerfMonV2` (leaf 0x8000_0022 of `CPUID`) has the number of counters; it has no
/// list of events, as Intel's leaf 0xA has. The kernel's codes depend on the family
/// (`amd_pmu_event_map` in `arch/x86/events/amd/core.c`).
pub(crate) fn what_remains(cpuid: &str) -> Option<&'static str> {
    let is_of_amd = ["AuthenticAMD-", "HygonGenuine-"].iter().any(|own| cpuid.starts_with(own));
    is_of_amd.then_some(
        "AMD's architecture names no events; those that the kernel has for every CPU remain, such \
         as `cycles` and `instructions`",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn architectures_without_events() {
        for cpuid in ["AuthenticAMD-99-1-1", "HygonGenuine-24-1-1"] {
            assert!(what_remains(cpuid).is_some(), "{cpuid}");
        }
        for cpuid in ["GenuineIntel-5-1-1", "0x00390000", "AuthenticAMD", ""] {
            assert_eq!(what_remains(cpuid), None, "{cpuid}");
        }
    }
}
