//! What Intel's CPUs say of themselves with the instruction CPUID (Intel SDM volume 2A).

#[cfg(feature = "metrics")]
use std::sync::OnceLock;

/// `eax`, `ebx`, `ecx` and `edx` of a leaf. `None` if the CPU has no such leaf, or is not an
/// Intel CPU.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(super) fn of_intel(leaf: u32) -> Option<[u32; 4]> {
    #[cfg(target_arch = "x86")]
    use core::arch::x86::__cpuid_count;
    #[cfg(target_arch = "x86_64")]
    use core::arch::x86_64::__cpuid_count;
    // SAFETY: every x86 CPU that this standard library runs on has CPUID.
    #[allow(unused_unsafe)] // Newer compilers know it to be safe.
    let [vendor, own] = unsafe { [__cpuid_count(0, 0), __cpuid_count(leaf, 0)] };
    let is_intel = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes)
        == [*b"Genu", *b"ineI", *b"ntel"];
    (is_intel && vendor.eax >= leaf).then_some([own.eax, own.ebx, own.ecx, own.edx])
}

#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
pub(super) fn of_intel(_leaf: u32) -> Option<[u32; 4]> {
    None
}

/// The general and the fixed counters of a thread (leaf 0AH), of which a hypervisor may keep some.
#[cfg(feature = "metrics")]
pub(super) fn counters() -> Option<[u32; 2]> {
    // A hypervisor takes long to answer, and every plan of a metric asks.
    static COUNTERS: OnceLock<Option<[u32; 2]>> = OnceLock::new();
    let counters = || of_intel(0xa).map(|[eax, _, _, edx]| [eax >> 8 & 0xff, edx & 0x1f]);
    *COUNTERS.get_or_init(counters)
}
