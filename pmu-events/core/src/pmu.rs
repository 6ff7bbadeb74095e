//! PMU names in event trees and on a running system.

use core::cmp::Ordering;

use crate::glob;

/// The PMU of events whose JSON names no unit: whichever core PMU the machine
/// has (`cpu`, `cpum_cf`, `armv8_pmuv3_0`, …).
pub const DEFAULT_CORE: &str = "default_core";

/// Returns the PMU of a JSON `Unit`, if it is not simply `uncore_` followed by
/// the unit in lower case (`unit_to_pmu` in `tools/perf/pmu-events/jevents.py`,
/// Linux 6.12 and later).
///
/// ```
/// use pmu_events::pmu;
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

/// Units in published trees whose PMU is `uncore_` followed by the unit in
/// lower case. Others may exist; these serve to tell a typo from a new unit.
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

/// Whether a PMU of an event tree counts events of a core: the default core
/// PMU, those of hybrid CPUs, and s390's (`is_pmu_core` in
/// `tools/perf/util/pmu.c`). Their events are found first.
///
/// ```
/// use pmu_events::pmu;
/// assert!(pmu::is_core("cpu_atom"));
/// assert!(!pmu::is_core("uncore_imc"));
/// ```
#[must_use]
pub const fn is_core(pmu: &str) -> bool {
    matches!(
        pmu.as_bytes(),
        b"default_core" | b"cpu" | b"cpu_core" | b"cpu_atom" | b"cpu_lowpower" | b"cpum_cf"
    )
}

/// Returns the PMU's name without its instance number, which is `_[0-9]+`, or
/// an underscore and more than two hexadecimal digits; s390's `cpum_cf` thus
/// keeps its name (`pmu_name_len_no_suffix` in `tools/perf/util/pmus.c`).
///
/// ```
/// use pmu_events::pmu;
/// assert_eq!(pmu::base_name("uncore_cha_11"), "uncore_cha");
/// assert_eq!(pmu::base_name("mrvl_ddr_pmu_87e1b0000000"), "mrvl_ddr_pmu");
/// assert_eq!(pmu::base_name("cpum_cf"), "cpum_cf");
/// assert_eq!(pmu::base_name("i915"), "i915");
/// ```
#[must_use]
pub fn base_name(pmu: &str) -> &str {
    let base = pmu.trim_end_matches(|c: char| c.is_ascii_hexdigit());
    match base.strip_suffix('_') {
        Some(base) if is_number(&pmu[base.len() + 1..]) => base,
        _ => pmu,
    }
}

/// Whether these are decimal digits, or more than two hexadecimal ones.
fn is_number(digits: &str) -> bool {
    let decimal = digits.bytes().all(|c| c.is_ascii_digit());
    let hexadecimal = digits.bytes().all(|c| c.is_ascii_hexdigit());
    !digits.is_empty() && (decimal || (hexadecimal && digits.len() > 2))
}

/// Compares PMU names, and instances by number: `uncore_cha_2` sorts before
/// `uncore_cha_11` (`pmu_name_cmp` in `tools/perf/util/pmus.c`).
#[must_use]
pub fn cmp(a: &str, b: &str) -> Ordering {
    let number = |pmu: &str, base: &str| {
        let digits = pmu.get(base.len() + 1..).unwrap_or_default();
        u64::from_str_radix(digits, 16).unwrap_or(if digits.is_empty() { 0 } else { u64::MAX })
    };
    let (base_a, base_b) = (base_name(a), base_name(b));
    base_a
        .cmp(base_b)
        .then_with(|| number(a, base_a).cmp(&number(b, base_b)))
        .then_with(|| a.cmp(b))
}

/// Whether a name that a user wrote selects a PMU: the PMU's name, optionally
/// without the leading `uncore_` and the trailing number, or a shell pattern
/// that matches it (`perf_pmu__match` in `tools/perf/util/pmu.c`). Case
/// matters.
///
/// ```
/// use pmu_events::pmu;
/// assert!(pmu::matches("uncore_imc_0", "imc"));
/// assert!(pmu::matches("uncore_imc_0", "uncore_imc"));
/// assert!(pmu::matches("uncore_imc_0", "uncore_imc_0"));
/// assert!(pmu::matches("uncore_imc_0", "*imc*"));
/// assert!(!pmu::matches("uncore_imc_free_running_0", "imc"));
/// ```
#[must_use]
pub fn matches(pmu: &str, written: &str) -> bool {
    Written::new(written).means(pmu)
}

/// A PMU name or pattern that a user wrote, for testing against many PMUs: see
/// [`matches()`].
///
/// ```
/// use pmu_events::pmu::Written;
/// let written = Written::new("imc");
/// let meant = ["uncore_cha_0", "uncore_imc_0", "uncore_imc_1"].map(|pmu| written.means(pmu));
/// assert_eq!(meant, [false, true, true]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Written<'w> {
    short: &'w str,
    is_pattern: bool,
}

impl<'w> Written<'w> {
    /// Prepares a name or pattern.
    #[must_use]
    pub fn new(written: &'w str) -> Self {
        let is_pattern = written.contains(['*', '?', '[']);
        Written { short: without_uncore(written), is_pattern }
    }

    /// Whether it selects a PMU.
    #[must_use]
    pub fn means(self, pmu: &str) -> bool {
        let pmu = without_uncore(pmu);
        is_instance(pmu, self.short) || (self.is_pattern && glob::matches_case(self.short, pmu))
    }
}

fn without_uncore(name: &str) -> &str {
    name.strip_prefix("uncore_").unwrap_or(name)
}

/// Whether a PMU of the system is an instance of a tree's PMU: it has that
/// name, or that name followed by a number. Commas separate parts that must
/// appear in order: `hisi_sccl,ddrc` matches `hisi_sccl1_ddrc0`
/// (`pmu_uncore_alias_match` in `tools/perf/util/pmu.c`). Case matters.
///
/// Do not pass [`DEFAULT_CORE`]; ask [`is_core`] about the system's PMU
/// instead.
///
/// ```
/// use pmu_events::pmu;
/// assert!(pmu::is_of_unit("arm_cmn_0", "arm_cmn"));
/// assert!(pmu::is_of_unit("hisi_sccl1_ddrc0", "hisi_sccl,ddrc"));
/// assert!(!pmu::is_of_unit("uncore_imc_free_running_0", "uncore_imc"));
/// ```
#[must_use]
pub fn is_of_unit(pmu: &str, unit: &str) -> bool {
    // Most units have no comma, and each is compared with every PMU.
    if !unit.as_bytes().contains(&b',') {
        return is_instance(pmu, unit);
    }
    let Some((firsts, last)) = unit.rsplit_once(',') else {
        return false;
    };
    let mut rest = pmu;
    for part in firsts.split(',') {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.find(last).is_some_and(|at| is_instance(&rest[at..], last))
}

/// Whether a PMU is called `base`, or `base`, an optional `_` and a number
/// (`perf_pmu__match_ignoring_suffix` in `tools/perf/util/pmu.c`).
fn is_instance(pmu: &str, base: &str) -> bool {
    pmu.strip_prefix(base).is_some_and(|suffix| {
        suffix.is_empty() || is_number(suffix.strip_prefix('_').unwrap_or(suffix))
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    /// perf's answers, recorded.
    #[test]
    fn recorded_base_names() {
        let cases: &[(&str, usize)] = &[
            ("cpu", 3),
            ("i915", 4),
            ("cpum_cf", 7),
            ("uncore_cha_1", 10),
            ("uncore_cha_2", 10),
            ("uncore_cha_3", 10),
            ("uncore_cha_4", 10),
            ("uncore_cha_7", 10),
            ("uncore_cha_8", 10),
            ("uncore_cha_9", 10),
            ("uncore_cha_11", 10),
            ("uncore_cha_13", 10),
            ("uncore_cha_14", 10),
            ("uncore_cha_20", 10),
            ("uncore_cha_21", 10),
            ("uncore_cha_22", 10),
            ("uncore_cha_30", 10),
            ("mrvl_ddr_pmu_87e1b2000000", 12),
            ("mrvl_ddr_pmu_87e1b3000000", 12),
            ("mrvl_ddr_pmu_87e1b4000000", 12),
            ("mrvl_ddr_pmu_87e1ba000000", 12),
            ("mrvl_ddr_pmu_87e1bb000000", 12),
            ("mrvl_ddr_pmu_87e1bd000000", 12),
            ("mrvl_ddr_pmu_87e1be000000", 12),
            ("mrvl_ddr_pmu_87e1bf000000", 12),
            ("uncore_imc_0", 10),
            ("cpum_cf", 7),
            ("amd_umc_0", 7),
            ("hisi_sccl1_ddrc2", 16),
            ("pmu_abc", 3),
            ("5", 1),
            ("uncore_type_0_1", 13),
            ("dmar0", 5),
            ("arm_cmn_0", 7),
        ];
        for &(name, len) in cases {
            assert_eq!(base_name(name).len(), len, "{name}");
        }
    }

    #[test]
    fn recorded_orders() {
        let cases: &[(&str, &str, Ordering)] = &[
            ("cpum_cf", "cpum_cf", Ordering::Equal),
            ("cpum_cf", "cpum_ce", Ordering::Greater),
            ("cpum_cf", "cpum_d0", Ordering::Less),
            ("mrvl_ddr_pmu_87e1b0000000", "mrvl_ddr_pmu_87e1b1000000", Ordering::Less),
            ("uncore_cha_2", "uncore_cha_11", Ordering::Less),
            ("cpu", "uncore_cha_0", Ordering::Less),
        ];
        for &(a, b, expected) in cases {
            assert_eq!(cmp(a, b), expected, "{a} {b}");
            assert_eq!(cmp(b, a), expected.reverse(), "{b} {a}");
        }
    }

    #[test]
    fn recorded_matches() {
        let cases: &[(&str, &str, bool)] = &[
            ("pmuname", "longertoken", false),
            ("pmuname", "pmu", false),
            ("pmuname_10", "pmuname_2", false),
            ("pmuname_10", "pmuname_10", true),
            ("pmuname_10", "pmuname", true),
            ("pmuname_10", "pmuname_", true),
            ("pmuname_ab23", "pmuname_2", false),
            ("pmuname_ab23", "pmuname_ab", true),
            ("pmuname_ab23", "pmuname_", true),
            ("pmuname10", "pmuname1", true),
            ("pmuname10", "pmuname", true),
            ("pmuname10", "pmuname_", false),
            ("pmuname10", "pmuna", false),
            ("pmuname_a3", "pmuname_a3", true),
            ("pmuname_5", "pmuname_[12345]", true),
            ("pmuname_5", "pmuname_[67890]", false),
            ("pmuname_5", "pmuname_?", true),
            ("cpu", "imc", false),
            ("cpu", "imc_0", false),
            ("cpu", "imc_1", false),
            ("cpu", "*imc*", false),
            ("cpu", "iio_free_running", false),
            ("cpu", "umc", false),
            ("cpu", "amd_umc", false),
            ("cpu", "hisi_sccl", false),
            ("cpu", "c?u", true),
            ("cpu", "uncore_imc_[01]", false),
            ("cpu", "uncore", false),
            ("uncore_imc_0", "cpu", false),
            ("uncore_imc_0", "uncore_imc", true),
            ("uncore_imc_0", "uncore_imc_1", false),
            ("uncore_imc_0", "imc*", true),
            ("uncore_imc_0", "uncore_iio", false),
            ("uncore_imc_0", "umc", false),
            ("uncore_imc_0", "amd_umc", false),
            ("uncore_imc_0", "arb", false),
            ("uncore_imc_0", "*", true),
            ("uncore_imc_0", "uncore_imc_[01]", true),
            ("uncore_imc_0", "IMC", false),
            ("uncore_imc_0", "uncore", false),
            ("uncore_imc_0", "mrvl_ddr_pmu", false),
            ("uncore_imc_10", "cpu", false),
            ("uncore_imc_10", "imc", true),
            ("uncore_imc_10", "imc_1", true),
            ("uncore_imc_10", "uncore_*", true),
            ("uncore_imc_10", "imc*", true),
            ("uncore_imc_10", "iio_free_running", false),
            ("uncore_imc_10", "umc", false),
            ("uncore_imc_10", "hisi_sccl", false),
            ("uncore_imc_10", "hisi_sccl1_ddrc", false),
            ("uncore_imc_10", "*", true),
            ("uncore_imc_10", "uncore_imc_[01]", false),
            ("uncore_imc_10", "IMC", false),
            ("uncore_imc_10", "uncore", false),
            ("uncore_imc_10", "mrvl_ddr_pmu", false),
            ("uncore_cha_0", "imc_1", false),
            ("uncore_cha_0", "imc*", false),
            ("uncore_cha_0", "*imc*", false),
            ("uncore_cha_0", "arb", false),
            ("uncore_cha_0", "uncore_imc_[01]", false),
            ("uncore_cha_0", "IMC", false),
            ("uncore_cha_0", "uncore", false),
            ("uncore_cha_0", "mrvl_ddr_pmu", false),
            ("uncore_iio_free_running_3", "cpu", false),
            ("uncore_iio_free_running_3", "uncore_imc", false),
            ("uncore_iio_free_running_3", "uncore_imc_1", false),
            ("uncore_iio_free_running_3", "uncore_*", true),
            ("uncore_iio_free_running_3", "*imc*", false),
            ("uncore_iio_free_running_3", "uncore_iio", false),
            ("uncore_iio_free_running_3", "iio_free_running", true),
            ("uncore_iio_free_running_3", "umc", false),
            ("uncore_iio_free_running_3", "amd_umc", false),
            ("uncore_iio_free_running_3", "arb", false),
            ("uncore_iio_free_running_3", "hisi_sccl1_ddrc", false),
            ("uncore_iio_free_running_3", "c?u", false),
            ("uncore_iio_free_running_3", "uncore_imc_[01]", false),
            ("uncore_iio_free_running_3", "uncore", false),
            ("amd_umc_1", "imc", false),
            ("amd_umc_1", "imc_0", false),
            ("amd_umc_1", "*imc*", false),
            ("amd_umc_1", "uncore_iio", false),
            ("amd_umc_1", "iio_free_running", false),
            ("amd_umc_1", "umc", false),
            ("amd_umc_1", "hisi_sccl", false),
            ("amd_umc_1", "hisi_sccl1_ddrc", false),
            ("amd_umc_1", "*", true),
            ("amd_umc_1", "c?u", false),
            ("amd_umc_1", "core", false),
            ("amd_umc_1", "uncore_imc_[01]", false),
            ("amd_umc_1", "IMC", false),
            ("amd_umc_1", "mrvl_ddr_pmu", false),
            ("uncore_arb", "cpu", false),
            ("uncore_arb", "imc", false),
            ("uncore_arb", "imc_0", false),
            ("uncore_arb", "imc_1", false),
            ("uncore_arb", "uncore_imc_1", false),
            ("uncore_arb", "imc*", false),
            ("uncore_arb", "uncore_iio", false),
            ("uncore_arb", "amd_umc", false),
            ("uncore_arb", "*", true),
            ("uncore_arb", "c?u", false),
            ("uncore_arb", "uncore_imc_[01]", false),
            ("uncore_arb", "uncore", false),
            ("hisi_sccl1_ddrc2", "cpu", false),
            ("hisi_sccl1_ddrc2", "imc", false),
            ("hisi_sccl1_ddrc2", "imc_1", false),
            ("hisi_sccl1_ddrc2", "uncore_*", true),
            ("hisi_sccl1_ddrc2", "uncore_iio", false),
            ("hisi_sccl1_ddrc2", "amd_umc", false),
            ("hisi_sccl1_ddrc2", "arb", false),
            ("hisi_sccl1_ddrc2", "hisi_sccl", false),
            ("hisi_sccl1_ddrc2", "hisi_sccl1_ddrc", true),
            ("hisi_sccl1_ddrc2", "IMC", false),
            ("mrvl_ddr_pmu_87e1b0000000", "imc", false),
            ("mrvl_ddr_pmu_87e1b0000000", "imc_1", false),
            ("mrvl_ddr_pmu_87e1b0000000", "imc*", false),
            ("mrvl_ddr_pmu_87e1b0000000", "*imc*", false),
            ("mrvl_ddr_pmu_87e1b0000000", "uncore_iio", false),
            ("mrvl_ddr_pmu_87e1b0000000", "iio_free_running", false),
            ("mrvl_ddr_pmu_87e1b0000000", "amd_umc", false),
            ("mrvl_ddr_pmu_87e1b0000000", "hisi_sccl1_ddrc", false),
            ("mrvl_ddr_pmu_87e1b0000000", "c?u", false),
            ("mrvl_ddr_pmu_87e1b0000000", "uncore", false),
            ("mrvl_ddr_pmu_87e1b0000000", "mrvl_ddr_pmu", true),
            ("cpu_core", "cpu", false),
            ("cpu_core", "uncore_imc_1", false),
            ("cpu_core", "uncore_*", true),
            ("cpu_core", "imc*", false),
            ("cpu_core", "iio_free_running", false),
            ("cpu_core", "umc", false),
            ("cpu_core", "arb", false),
            ("cpu_core", "c?u", false),
            ("cpu_core", "core", false),
            ("cpu_core", "mrvl_ddr_pmu", false),
        ];
        for &(pmu, written, expected) in cases {
            assert_eq!(matches(pmu, written), expected, "{pmu} {written}");
        }
    }

    #[test]
    fn recorded_units() {
        let cases: &[(&str, &str, bool)] = &[
            ("uncore_cbox_0", "uncore_cbox", true),
            ("uncore_cbox", "uncore_cbox", true),
            ("uncore_cbox_0", "uncore_cbox_0", true),
            ("uncore_imc_free_running_0", "uncore_imc", false),
            ("uncore_imc_free_running_0", "uncore_imc_free_running_0", true),
            ("hisi_sccl1_ddrc2", "hisi_sccl,ddrc", true),
            ("uncore_sys_ddr_pmu0", "uncore_sys_ddr_pmu", true),
            ("amd_l3", "amd_l3", true),
            ("arm_cmn_0", "arm_cmn", true),
            ("arm_cmn_x", "arm_cmn", false),
            ("ali_drw_21000", "ali_drw", true),
            ("ali_drw_2100f", "ali_drw", true),
            ("ali_drw_ff", "ali_drw", false),
            ("hisi_sccl3_l3c7", "hisi_sccl,ddrc", false),
            ("", "imx8_ddr", false),
            ("\u{e4}rm", "arm", false),
        ];
        for &(pmu, unit, expected) in cases {
            assert_eq!(is_of_unit(pmu, unit), expected, "{pmu} {unit}");
        }
    }
}
