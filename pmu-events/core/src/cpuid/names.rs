//! The names of CPUs, for those who know their CPU by its name and not by its CPUID.
//!
//! Which table a CPU has is up to the map file of a tree; here is only which CPUID a name
//! means. The numbers are those of Linux 7.3: `arch/arm64/include/asm/cputype.h`,
//! `arch/x86/include/asm/intel-family.h`, `arch/x86/kernel/cpu/amd.c`,
//! `arch/powerpc/include/asm/reg.h` and `arch/s390/kernel/processor.c`. A CPU with the
//! name of a directory of the trees need not be listed.

use crate::name;

/// Returns the CPUID of a CPU with this name, in perf's form. Case does not matter.
///
/// Names are those of cores and of products, in one word: `neoverse-v2`, `raptorlake`,
/// `zen4`, `genoa`, `z16`. If CPUs of several CPUIDs share a name, the result is one of
/// them.
///
/// ```
/// use pmu_events::{arch::arm64, cpuid};
///
/// let cpuid = cpuid::of_name("Neoverse-V2").unwrap();
/// assert_eq!(cpuid, "0x00000000410fd4f0");
/// assert_eq!(arm64::model(cpuid).unwrap().name(), "arm/neoverse-n2-v2");
/// assert_eq!(cpuid::of_name("neoverse"), None);
/// ```
#[must_use]
pub const fn of_name(name: &str) -> Option<&'static str> {
    let mut number = 0;
    while number < CPUS.len() {
        let (known, cpuid) = CPUS[number];
        if name::eq(known, name) {
            return Some(cpuid);
        }
        number += 1;
    }
    None
}

/// Returns all names that [`of_name`] knows, each with its CPUID.
///
/// ```
/// use pmu_events::{arch::x86, cpuid};
///
/// let raptors = cpuid::names().filter(|(name, _)| name.starts_with("raptorlake"));
/// for (name, cpuid) in raptors {
///     assert_eq!(x86::model(cpuid).unwrap().name(), "alderlake", "{name}");
/// }
/// ```
pub fn names() -> impl Iterator<Item = (&'static str, &'static str)> {
    CPUS.iter().copied()
}

const CPUS: &[(&str, &str)] = &[
    // Arm: implementer, architecture 0xf, part.
    ("cortex-a57", "0x00000000410fd070"),
    ("cortex-a65", "0x00000000410fd060"),
    ("cortex-a72", "0x00000000410fd080"),
    ("cortex-a78c", "0x00000000410fd4b0"),
    ("cortex-x1c", "0x00000000410fd4c0"),
    ("neoverse-e1", "0x00000000410fd4a0"),
    ("neoverse-n2", "0x00000000410fd490"),
    ("neoverse-v2", "0x00000000410fd4f0"),
    ("neoverse-v3ae", "0x00000000410fd830"),
    ("ampere1", "0x00000000c00fac30"),
    ("ampere1a", "0x00000000c00fac40"),
    ("brahma-b53", "0x00000000420f1000"),
    ("cobalt-100", "0x000000006d0fd490"),
    ("olympus", "0x000000004e0f0100"),
    ("tsv110", "0x00000000480fd010"),
    ("vulcan", "0x00000000420f5160"),
    // Intel: family, model, stepping.
    ("airmont", "GenuineIntel-6-4C-3"),
    ("alderlake-l", "GenuineIntel-6-9A-3"),
    ("alderlake-n", "GenuineIntel-6-BE-0"),
    ("apollolake", "GenuineIntel-6-5C-9"),
    ("arrowlake-h", "GenuineIntel-6-C5-2"),
    ("arrowlake-u", "GenuineIntel-6-B5-0"),
    ("avoton", "GenuineIntel-6-4D-8"),
    ("baytrail", "GenuineIntel-6-37-8"),
    ("braswell", "GenuineIntel-6-4C-4"),
    ("broadwell-d", "GenuineIntel-6-56-3"),
    ("broadwell-g", "GenuineIntel-6-47-1"),
    ("broadwell-x", "GenuineIntel-6-4F-1"),
    ("cascadelake", "GenuineIntel-6-55-7"),
    ("cherrytrail", "GenuineIntel-6-4C-3"),
    ("coffeelake", "GenuineIntel-6-9E-A"),
    ("cometlake", "GenuineIntel-6-A5-3"),
    ("cometlake-l", "GenuineIntel-6-A6-0"),
    ("cooperlake", "GenuineIntel-6-55-B"),
    ("crestmont", "GenuineIntel-6-B6-0"),
    ("darkmont", "GenuineIntel-6-DD-0"),
    ("denverton", "GenuineIntel-6-5F-1"),
    ("geminilake", "GenuineIntel-6-7A-1"),
    ("goldmont-d", "GenuineIntel-6-5F-1"),
    ("goldmont-plus", "GenuineIntel-6-7A-1"),
    ("gracemont", "GenuineIntel-6-BE-0"),
    ("graniterapids-d", "GenuineIntel-6-AE-1"),
    ("haswell-g", "GenuineIntel-6-46-1"),
    ("haswell-l", "GenuineIntel-6-45-1"),
    ("haswell-x", "GenuineIntel-6-3F-2"),
    ("icelake-d", "GenuineIntel-6-6C-1"),
    ("icelake-l", "GenuineIntel-6-7E-5"),
    ("icelake-x", "GenuineIntel-6-6A-6"),
    ("ivybridge-x", "GenuineIntel-6-3E-4"),
    ("jacobsville", "GenuineIntel-6-86-5"),
    ("jasperlake", "GenuineIntel-6-9C-0"),
    ("kabylake", "GenuineIntel-6-9E-9"),
    ("kabylake-l", "GenuineIntel-6-8E-9"),
    ("knightsmill", "GenuineIntel-6-85-0"),
    ("meteorlake-l", "GenuineIntel-6-AA-4"),
    ("nehalem", "GenuineIntel-6-1E-5"),
    ("nehalem-ep", "GenuineIntel-6-1A-5"),
    ("nehalem-ex", "GenuineIntel-6-2E-6"),
    ("raptorlake", "GenuineIntel-6-B7-1"),
    ("raptorlake-p", "GenuineIntel-6-BA-2"),
    ("raptorlake-s", "GenuineIntel-6-BF-2"),
    ("saltwell", "GenuineIntel-6-36-1"),
    ("sandybridge-x", "GenuineIntel-6-2D-7"),
    ("skylake-l", "GenuineIntel-6-4E-3"),
    ("skylake-x", "GenuineIntel-6-55-4"),
    ("snowridge", "GenuineIntel-6-86-5"),
    ("tigerlake-l", "GenuineIntel-6-8C-1"),
    ("tremont", "GenuineIntel-6-96-1"),
    ("tremont-d", "GenuineIntel-6-86-5"),
    ("tremont-l", "GenuineIntel-6-9C-0"),
    ("westmere", "GenuineIntel-6-25-5"),
    ("westmere-ep", "GenuineIntel-6-2C-2"),
    ("westmere-ex", "GenuineIntel-6-2F-2"),
    // AMD: family, model, stepping.
    ("bergamo", "AuthenticAMD-25-A0-2"),
    ("genoa", "AuthenticAMD-25-11-1"),
    ("milan", "AuthenticAMD-25-1-1"),
    ("naples", "AuthenticAMD-23-1-2"),
    ("rome", "AuthenticAMD-23-31-0"),
    ("turin", "AuthenticAMD-26-2-1"),
    ("zen1", "AuthenticAMD-23-1-2"),
    ("zen2", "AuthenticAMD-23-31-0"),
    ("zen3", "AuthenticAMD-25-1-1"),
    ("zen4", "AuthenticAMD-25-11-1"),
    ("zen5", "AuthenticAMD-26-2-1"),
    ("zen6", "AuthenticAMD-26-50-0"),
    // POWER: the Processor Version Register.
    ("hx-c2000", "0x00660100"),
    ("power8e", "0x004b0201"),
    ("power8nvl", "0x004c0100"),
    ("power11", "0x00820200"),
    // s390: machine type, capacity, model, version of the counter facility, authorization.
    ("z10", "IBM,2097,704,E12,1.5,002f"),
    ("z196", "IBM,2817,704,M32,1.5,002f"),
    ("z114", "IBM,2818,704,M05,1.5,002f"),
    ("zec12", "IBM,2827,704,H43,1.5,002f"),
    ("zbc12", "IBM,2828,704,H06,1.5,002f"),
    ("z13", "IBM,2964,704,N30,3.5,002f"),
    ("z13s", "IBM,2965,704,N10,3.5,002f"),
    ("z14", "IBM,3906,704,M01,3.5,002f"),
    ("z14-zr1", "IBM,3907,704,ZR1,3.5,002f"),
    ("z15", "IBM,8561,704,T01,3.6,002f"),
    ("z15-t02", "IBM,8562,704,T02,3.6,002f"),
    ("z16", "IBM,3931,704,A01,3.7,002f"),
    ("z16-a02", "IBM,3932,704,A02,3.7,002f"),
    ("z17", "IBM,9175,704,ME1,3.8,002f"),
];
