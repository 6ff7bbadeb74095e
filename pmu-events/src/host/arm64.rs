//! MIDR_EL1, which perf uses as the CPUID of an Arm machine.

#![cfg_attr(not(any(test, target_arch = "aarch64")), allow(dead_code))]

use std::string::{String, ToString};

use super::error::{Error, Fault};
use crate::sysfs::{Pmu, Sysfs};

/// The CPUID of a PMU's CPUs (`get_cpuid_str` in
/// `tools/perf/arch/arm64/util/header.c`).
pub(super) fn of_pmu(pmu: &Pmu) -> Result<String, Error> {
    let silent = || Error::new(Fault::Silent(pmu.path().into(), "MIDR of its CPUs"));
    pmu.midr().map(ToString::to_string).ok_or_else(silent)
}

/// The CPUID of the first core PMU, otherwise of the first online CPU.
pub(super) fn cpuid(sysfs: &Sysfs) -> Result<String, Error> {
    let silent =
        || Error::new(Fault::Silent(sysfs.root().join("devices/system/cpu"), "MIDR of any CPU"));
    sysfs.midr().ok_or_else(silent)
}

#[cfg(test)]
mod tests {
    use std::format;

    use super::super::error::ErrorKind;
    use super::super::fixture::machine;
    use super::*;

    #[test]
    fn big_little() {
        let midr = |cpu: u32| format!("devices/system/cpu/cpu{cpu}/regs/identification/midr_el1");
        let dir = machine(&[
            ("bus/event_source/devices/armv8_cortex_a53/cpus", "0-1\n"),
            ("bus/event_source/devices/armv8_cortex_a72/cpus", "2-3\n"),
            ("bus/event_source/devices/smmuv3/type", "9\n"),
            // CPU 0 is offline.
            (&midr(1), "0x00000000410fd034\n"),
            (&midr(2), "0x00000000410fd083\n"),
        ]);
        let sysfs = Sysfs::at(dir.path());
        let of = |pmu| of_pmu(sysfs.pmu(pmu).unwrap());
        assert_eq!(cpuid(&sysfs).unwrap(), "0x00000000410fd034");
        assert_eq!(of("armv8_cortex_a53").unwrap(), "0x00000000410fd034");
        assert_eq!(of("armv8_cortex_a72").unwrap(), "0x00000000410fd083");
        assert!(matches!(of("smmuv3"), Err(error) if error.kind() == ErrorKind::Silent));
    }

    #[test]
    fn without_core_pmu() {
        let dir = machine(&[
            ("devices/system/cpu/online", "0\n"),
            ("devices/system/cpu/cpu0/regs/identification/midr_el1", "0x00000000414fd0c1\n"),
        ]);
        assert_eq!(cpuid(&Sysfs::at(dir.path())).unwrap(), "0x00000000414fd0c1");
        let none = machine(&[("devices/system/cpu/online", "0-4294967294\n")]);
        let error = cpuid(&Sysfs::at(none.path())).unwrap_err();
        assert!(
            error.to_string().ends_with("/devices/system/cpu: does not tell the MIDR of any CPU")
        );
    }
}
