//! Events provided by Linux itself rather than by a tree: generic events of
//! perf and the kernel, and events that a driver describes in sysfs.
//!
//! Use it to complete or to check names that are in no table.
//!
//! Formulas in a tree may use them. What a driver offers depends on the
//! machine: a name listed here exists on some machine. Case does not matter.

mod drivers;

use crate::event_list::generic_names;
use crate::{name, pmu};
use drivers::{DRIVERS, Driver};

/// Returns the events that the driver of a PMU describes in sysfs; `None` for
/// an unknown PMU.
///
/// ```
/// use pmu_events::__private::provided;
/// assert!(provided::by_driver("msr").is_some_and(|mut events| events.any(|event| event == "tsc")));
/// let l3c = provided::by_driver("hisi_sccl1_l3c0");
/// assert!(l3c.is_some_and(|mut events| events.any(|event| event == "rd_cpipe")));
/// assert!(provided::by_driver("arm_cmn_0").is_none());
/// ```
#[must_use]
pub fn by_driver(pmu: &str) -> Option<impl Iterator<Item = &'static str> + use<>> {
    let is_of = |driver: &&Driver| driver.pmus.iter().any(|name| pmu::matches(pmu, name));
    let first = DRIVERS.iter().find(is_of)?;
    // Several architectures have a PMU `cpu`.
    let others = DRIVERS
        .iter()
        .filter(move |driver| driver.pmus.iter().any(|glob| first.pmus.contains(glob)));
    Some(others.flat_map(Driver::events))
}

/// Whether Linux or perf itself has an event of this name.
///
/// ```
/// use pmu_events::__private::provided::is_generic;
/// assert!(is_generic("cycles") && is_generic("L1-icache-load-misses"));
/// assert!(!is_generic("slots"));
/// ```
#[must_use]
pub fn is_generic(name: &str) -> bool {
    generic_names().any(|known| name::eq(known, name))
}

/// Whether Linux, perf or the driver of any PMU has an event of this name.
///
/// ```
/// use pmu_events::__private::provided::is_anywhere;
/// assert!(is_anywhere("duration_time") && is_anywhere("slots") && is_anywhere("CPU_CYCLES"));
/// assert!(!is_anywhere("inst_retired.all"));
/// ```
#[must_use]
pub fn is_anywhere(name: &str) -> bool {
    is_generic(name) || DRIVERS.iter().any(|driver| has(driver, name))
}

/// Whether Linux, perf or a driver of an architecture, given by the name of its
/// directory in an event tree, has an event of this name.
///
/// For an architecture that Linux does not have, all drivers are searched.
///
/// ```
/// use pmu_events::__private::provided::is_on;
/// assert!(is_on("arm64", "CPU_CYCLES") && is_on("soc", "CPU_CYCLES"));
/// assert!(is_on("x86", "cycles") && !is_on("x86", "CPU_CYCLES"));
/// ```
#[must_use]
pub fn is_on(arch: &str, name: &str) -> bool {
    const KNOWN: &[&str] = &["arm", "arm64", "nds32", "powerpc", "riscv", "s390", "x86"];
    let any = !KNOWN.contains(&arch);
    let mut drivers = DRIVERS.iter();
    is_generic(name)
        || drivers.any(|driver| {
            (any || driver.arch.is_empty() || driver.arch == arch) && has(driver, name)
        })
}

fn has(driver: &Driver, name: &str) -> bool {
    driver.events().any(|event| name::eq(event, name))
}

/// Returns all names; the name of an event that several PMUs have is repeated.
pub fn names() -> impl Iterator<Item = &'static str> {
    generic_names().chain(DRIVERS.iter().flat_map(Driver::events))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pmus_of_drivers() {
        let cases: &[(&str, &str, Option<bool>)] = &[
            ("cpu", "slots", Some(true)),
            ("cpu", "L1-dcache-loads", Some(true)),
            ("cpu_atom", "tsc", Some(false)),
            ("cpu_lowpower", "mem-loads", Some(true)),
            ("cpu_lowpower", "tsc", Some(false)),
            ("armv8_pmuv3_0", "l2i_tlb", Some(true)),
            ("armv8_cortex_a72", "BR_MIS_PRED", Some(true)),
            ("armv8_cortex_a72", "ext_snoop", Some(false)),
            ("smmuv3_pmcg_2b442", "tlb_miss", Some(true)),
            ("hisi_sccl,hha", "rx_outer", Some(true)),
            ("imx8_ddr0", "axid-read", Some(true)),
            ("hisi_scl1_mn0", "snp_dvm_num", Some(true)),
            ("hisi_scl1_noc0_2", "cw_main_flow_sum", Some(true)),
            ("mac_iod0_mac1_ch0", "memory-pwrite-count", Some(true)),
            ("mac_iod0_mac1_ch0", "ea-pci", Some(false)),
            ("pci_iod0_pci1", "ea-pci", Some(true)),
            ("mrvl_pcie_rc_pmu_a00000000000", "ats_pri", Some(true)),
            ("nvidia_cmem_latency_pmu_0", "rd_cum_outs", Some(true)),
            ("nvidia_nvdlink_pmu_1", "in_rd_req", Some(true)),
            ("nvidia_nvdlink_pmu_1", "scf_cache", Some(false)),
            ("nvidia_ucf_pmu_0", "slc_wb", Some(true)),
            ("power_core", "energy-core", Some(true)),
            ("kvm-hv", "host_heap", Some(true)),
            ("uncore_imc_0", "cas_count_read", None),
            ("hv_24x7", "PM_PB_CYC", None),
        ];
        for &(pmu, event, expected) in cases {
            let found = by_driver(pmu).map(|mut events| events.any(|known| name::eq(known, event)));
            assert_eq!(found, expected, "{pmu}/{event}/");
        }
    }

    #[test]
    fn each_name_of_a_driver_once() {
        for driver in DRIVERS {
            let mut events = driver.events();
            while let Some(event) = events.next() {
                assert!(!events.clone().any(|other| other == event), "{event}");
            }
        }
    }
}
