//! PMUs as event trees name them.

/// The PMU of events whose JSON names no unit: whichever core PMU the machine
/// has (`cpu`, `cpum_cf`, `armv8_pmuv3_0`, …).
pub const DEFAULT_CORE: &str = "default_core";

/// The PMU that a JSON `Unit` stands for, where it is not simply `uncore_` and
/// the unit in lower case (`unit_to_pmu` in
/// `tools/perf/pmu-events/jevents.py`, Linux 6.12 and what came after).
///
/// ```
/// use pmu_events_core::pmu;
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
    // After 6.12.
    ("cpu", "cpu"),
    ("software", "software"),
    ("tool", "tool"),
];

/// Whether a PMU of an event tree counts what a core does: the default core
/// PMU, a hybrid CPU's two, and s390's (`is_pmu_core` in
/// `tools/perf/util/pmu.c`). Events of these are found first.
///
/// ```
/// use pmu_events_core::pmu;
/// assert!(pmu::is_core("cpu_atom"));
/// assert!(!pmu::is_core("uncore_imc"));
/// ```
#[must_use]
pub const fn is_core(pmu: &str) -> bool {
    matches!(pmu.as_bytes(), b"default_core" | b"cpu" | b"cpu_core" | b"cpu_atom" | b"cpum_cf")
}

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
