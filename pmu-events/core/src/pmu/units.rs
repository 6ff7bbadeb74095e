//! The PMU that a JSON `Unit` means.

/// Returns the PMU of a JSON `Unit`, if it is not simply `uncore_` followed by
/// the unit in lower case (`unit_to_pmu` in `tools/perf/pmu-events/jevents.py`,
/// Linux 6.12 and later).
///
/// ```
/// use pmu_events::__private::pmu;
/// assert_eq!(pmu::of_unit("CBO"), Some("uncore_cbox"));
/// assert_eq!(pmu::of_unit("CHA"), None);
/// ```
#[must_use]
pub const fn of_unit(unit: &str) -> Option<&'static str> {
    let mut i = 0;
    while i < UNITS.len() {
        let (known, pmu) = UNITS[i];
        if same(known, unit) {
            return Some(pmu);
        }
        i += 1;
    }
    None
}

/// Units with a PMU name of their own.
pub const UNITS: &[(&str, &str)] = &[
    ("CBO", "uncore_cbox"),
    ("QPI LL", "uncore_qpi"),
    ("SBO", "uncore_sbox"),
    ("iMPH-U", "uncore_arb"),
    ("CPU-M-CF", "cpum_cf"),
    ("CPU-M-SF", "cpum_sf"),
    ("PAI-CRYPTO", "pai_crypto"),
    ("PAI-EXT", "pai_ext"),
    ("UPI LL", "uncore_upi"),
    ("hisi_sicl,cpa", "hisi_sicl,cpa"),
    ("hisi_sccl,ddrc", "hisi_sccl,ddrc"),
    ("hisi_sccl,hha", "hisi_sccl,hha"),
    ("hisi_sccl,l3c", "hisi_sccl,l3c"),
    ("imx8_ddr", "imx8_ddr"),
    ("imx9_ddr", "imx9_ddr"),
    ("L3PMC", "amd_l3"),
    ("DFPMC", "amd_df"),
    ("UMCPMC", "amd_umc"),
    ("cpu_core", "cpu_core"),
    ("cpu_atom", "cpu_atom"),
    ("ali_drw", "ali_drw"),
    ("arm_cmn", "arm_cmn"),
    // Newer than 6.12.
    ("cpu", "cpu"),
    ("cpu_lowpower", "cpu_lowpower"),
    ("software", "software"),
    ("tool", "tool"),
];

/// Units in published trees whose PMU is `uncore_` followed by the unit in lower
/// case.
///
/// Others may exist; these serve to tell a typo from a new unit.
pub const UNCORE_UNITS: &[&str] = &[
    "ARB",
    "B2CMI",
    "B2CXL",
    "B2HOT",
    "B2UPI",
    "CBOX",
    "CHA",
    "CHACMS",
    "CLOCK",
    "CXLCM",
    "CXLDP",
    "EDC_ECLK",
    "EDC_UCLK",
    "HA",
    "HAC_ARB",
    "HAC_CBO",
    "IIO",
    "IMC",
    "IRP",
    "M2HBM",
    "M2M",
    "M2PCIe",
    "M3UPI",
    "MCHBM",
    "MDF",
    "PCU",
    "QPI",
    "R2PCIe",
    "R3QPI",
    "SBOX",
    "UBOX",
    "UPI",
    "cbox_0",
    "cbox_1",
    "core",
    "iMC",
    "iMC_DCLK",
    "iMC_UCLK",
    "iio_free_running",
    "imc",
    "imc_free_running",
    "imc_free_running_0",
    "imc_free_running_1",
];

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}
