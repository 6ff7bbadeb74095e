//! The CPUID instruction (Intel SDM volume 2A, AMD APM volume 3: leaf 0, the
//! vendor; leaf 1, family, model and stepping).

use std::format;
use std::string::String;

use crate::cpuid::Architectural;
#[cfg(target_arch = "x86")]
use core::arch::x86::__cpuid;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::__cpuid;

/// Vendor, family, model and stepping, in the form of perf's `get_cpuid_str`.
pub(super) fn cpuid() -> String {
    // SAFETY: every x86 CPU that this standard library runs on has CPUID.
    #[allow(unused_unsafe)] // Newer compilers know it to be safe.
    let (vendor, version) = unsafe { (__cpuid(0), __cpuid(1)) };
    let mut name = [0; 12];
    for (at, word) in [vendor.ebx, vendor.edx, vendor.ecx].into_iter().enumerate() {
        name[4 * at..4 * at + 4].copy_from_slice(&word.to_le_bytes());
    }
    let version = if vendor.eax >= 1 { Some(version.eax) } else { None };
    format(&String::from_utf8_lossy(&name), version)
}

/// The registers EAX and EBX of leaf 0xA, if the CPU has that leaf.
pub(super) fn architectural() -> Option<Architectural> {
    const LEAF: u32 = 0xa;
    // SAFETY: as above.
    #[allow(unused_unsafe)]
    let (most, leaf) = unsafe { (__cpuid(0).eax, __cpuid(LEAF)) };
    (most >= LEAF).then(|| Architectural::of_leaf_0xa(leaf.eax, leaf.ebx))
}

fn format(vendor: &str, version: Option<u32>) -> String {
    let vendor = vendor.trim_end_matches('\0');
    let Some(eax) = version else {
        return format!("{vendor}-4294967295-FFFFFFFF-FFFFFFFF");
    };
    let mut family = eax >> 8 & 0xf;
    let mut model = eax >> 4 & 0xf;
    if family == 0xf {
        family += eax >> 20 & 0xff;
    }
    if family >= 6 {
        model += (eax >> 16 & 0xf) << 4;
    }
    format!("{vendor}-{family}-{model:X}-{:X}", eax & 0xf)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures() {
        let cases = [
            ("GenuineIntel", 0x0005_0654, "GenuineIntel-6-55-4"),
            ("GenuineIntel", 0x0003_0678, "GenuineIntel-6-37-8"),
            ("AuthenticAMD", 0x00a6_0f12, "AuthenticAMD-25-61-2"),
            ("AuthenticAMD", 0x0080_0f11, "AuthenticAMD-23-1-1"),
            ("GenuineIntel", 0x0000_0f29, "GenuineIntel-15-2-9"),
            ("GenuineIntel", 0x0000_0543, "GenuineIntel-5-4-3"),
        ];
        for (vendor, eax, expected) in cases {
            assert_eq!(format(vendor, Some(eax)), expected);
        }
    }

    #[test]
    fn of_this_machine() {
        let cpuid = cpuid();
        assert_eq!(cpuid.split('-').count(), 4, "{cpuid}");
    }
}
