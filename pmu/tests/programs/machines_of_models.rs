//! The machines on which programs run.

use crate::programs::Width;

/// A model, and what sysfs and the kernel say of its machine.
#[derive(Clone, Copy, Debug)]
pub struct Cpu {
    pub model: &'static str,
    pub cpuid: &'static str,
    /// The recorded machine whose PMUs have the same formats.
    pub like: &'static str,
    pub width: Width,
}

const fn cpu(
    model: &'static str,
    cpuid: &'static str,
    like: &'static str,
    [big, small]: [f64; 2],
) -> Cpu {
    Cpu { model, cpuid, like, width: Width { big, small } }
}

pub const CPUS: [Cpu; 20] = [
    cpu("skylake", "GenuineIntel-6-5E-3", "skylakex", [4.0, 0.0]),
    cpu("skylakex", "GenuineIntel-6-55-4", "skylakex", [4.0, 0.0]),
    cpu("icelake", "GenuineIntel-6-7E-5", "sapphirerapids", [5.0, 0.0]),
    cpu("icelakex", "GenuineIntel-6-6A-6", "sapphirerapids", [5.0, 0.0]),
    cpu("sapphirerapids", "GenuineIntel-6-8F-8", "sapphirerapids", [6.0, 0.0]),
    cpu("graniterapids", "GenuineIntel-6-AD-1", "sapphirerapids", [6.0, 0.0]),
    cpu("alderlake", "GenuineIntel-6-97-2", "alderlake", [6.0, 5.0]),
    cpu("meteorlake", "GenuineIntel-6-AA-4", "alderlake", [6.0, 6.0]),
    cpu("arrowlake", "GenuineIntel-6-C6-2", "alderlake", [8.0, 8.0]),
    cpu("lunarlake", "GenuineIntel-6-BD-1", "alderlake", [8.0, 8.0]),
    cpu("sierraforest", "GenuineIntel-6-AF-3", "sapphirerapids", [6.0, 6.0]),
    cpu("amdzen3", "AuthenticAMD-25-21-0", "zen4", [6.0, 0.0]),
    cpu("amdzen4", "AuthenticAMD-25-61-2", "zen4", [6.0, 0.0]),
    cpu("amdzen5", "AuthenticAMD-26-44-0", "zen4", [8.0, 0.0]),
    cpu("arm/neoverse-n1", "0x00000000413fd0c1", "neoverse-n1", [4.0, 0.0]),
    cpu("arm/neoverse-n2-v2", "0x00000000410fd493", "neoverse-n1", [5.0, 0.0]),
    cpu("arm/neoverse-n2-v2", "0x00000000410fd4f1", "neoverse-n1", [8.0, 0.0]),
    cpu("arm/neoverse-n3", "0x00000000410fd8e0", "neoverse-n1", [5.0, 0.0]),
    cpu("power9", "0x004e1202", "power9", [1.0, 0.0]),
    cpu("power10", "0x00800200", "power9", [1.0, 0.0]),
];
