//! MIDR_EL1 from sysfs (`Documentation/arch/arm64/cpu-feature-registers.rst`).

#![cfg_attr(not(any(test, target_arch = "aarch64")), allow(dead_code))]

use std::path::Path;
use std::string::{String, ToString};
use std::vec::Vec;
use std::{format, fs};

use super::error::Error;
use super::file;

const DEVICES: &str = "sys/bus/event_source/devices";
const CPUS: &str = "sys/devices/system/cpu";

/// The MIDR of the first CPU that a PMU counts on, which is perf's CPUID;
/// without a PMU, that of the first core PMU, else of the first CPU online.
pub(super) fn cpuid(root: &Path, pmu: Option<&str>) -> Result<String, Error> {
    let devices = root.join(DEVICES);
    let list = match pmu {
        Some(pmu) => file::read(&devices.join(pmu).join("cpus"))?,
        None => match core_pmus(&devices).first() {
            Some(pmu) => file::read(&pmu.join("cpus"))?,
            None => file::read(&root.join(CPUS).join("online"))?,
        },
    };
    // A CPU that is offline has no register to show: perf asks the next.
    let mut first = None;
    for cpu in cpu_list(&list) {
        let path = root.join(CPUS).join(format!("cpu{cpu}/regs/identification/midr_el1"));
        match file::read(&path) {
            Ok(midr) => return Ok(midr.trim().to_string()),
            Err(error) => first = first.or(Some(error)),
        }
    }
    Err(first.unwrap_or(Error::Silent(devices, "CPUs of a core PMU")))
}

/// PMUs with a `cpus` file, which only core PMUs have (`is_pmu_core` in
/// `tools/perf/util/pmu.c`), by name.
fn core_pmus(devices: &Path) -> Vec<std::path::PathBuf> {
    let Ok(items) = fs::read_dir(devices) else {
        return Vec::new();
    };
    let mut pmus: Vec<_> =
        items.flatten().map(|item| item.path()).filter(|pmu| pmu.join("cpus").is_file()).collect();
    pmus.sort();
    pmus
}

/// The CPUs of a list such as `0-3,8` (`Documentation/core-api/cpu_hotplug.rst`).
fn cpu_list(text: &str) -> impl Iterator<Item = u32> {
    text.trim()
        .split(',')
        .filter_map(|range| {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            Some(first.parse().ok()?..=last.parse().ok()?)
        })
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::super::fixture::machine;
    use super::*;

    #[test]
    fn cpu_lists() {
        let cases: &[(&str, &[u32])] =
            &[("0-3,8\n", &[0, 1, 2, 3, 8]), ("5", &[5]), ("", &[]), ("x,2", &[2])];
        for &(text, expected) in cases {
            assert_eq!(cpu_list(text).collect::<Vec<_>>(), expected, "{text:?}");
        }
    }

    #[test]
    fn big_little() {
        let midr =
            |cpu: u32| format!("sys/devices/system/cpu/cpu{cpu}/regs/identification/midr_el1");
        let dir = machine(&[
            ("sys/bus/event_source/devices/armv8_cortex_a53/cpus", "0-1\n"),
            ("sys/bus/event_source/devices/armv8_cortex_a72/cpus", "2-3\n"),
            ("sys/bus/event_source/devices/smmuv3/cpumask", "0\n"),
            (&midr(1), "0x00000000410fd034\n"),
            (&midr(2), "0x00000000410fd083\n"),
        ]);
        let of = |pmu| cpuid(dir.path(), pmu);
        assert_eq!(of(None).unwrap(), "0x00000000410fd034");
        assert_eq!(of(Some("armv8_cortex_a72")).unwrap(), "0x00000000410fd083");
        assert!(matches!(of(Some("smmuv3")), Err(Error::Unreadable(..))));
    }

    #[test]
    fn without_core_pmu() {
        let dir = machine(&[
            ("sys/devices/system/cpu/online", "0\n"),
            ("sys/devices/system/cpu/cpu0/regs/identification/midr_el1", "0x00000000414fd0c1\n"),
        ]);
        assert_eq!(cpuid(dir.path(), None).unwrap(), "0x00000000414fd0c1");
    }
}
