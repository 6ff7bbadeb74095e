//! Instances of PMUs on a running system, and the names by which trees and users mean them.

use core::cmp::Ordering;

use crate::glob;

/// Returns the PMU's name without its instance number, which is `_[0-9]+`, or
/// an underscore and more than two hexadecimal digits; s390's `cpum_cf` thus
/// keeps its name (`pmu_name_len_no_suffix` in `tools/perf/util/pmus.c`).
///
/// ```
/// use pmu_events::__private::pmu;
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
/// without the leading `uncore_` and the trailing number, or a shell pattern that
/// matches it (`perf_pmu__match` in `tools/perf/util/pmu.c`).
///
/// Case matters.
///
/// ```
/// use pmu_events::__private::pmu;
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
/// use pmu_events::__private::pmu::Written;
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

/// Whether a PMU of the system is an instance of a tree's PMU: it has that name,
/// or that name followed by a number.
///
/// Commas separate parts that must appear in order: `hisi_sccl,ddrc` matches
/// `hisi_sccl1_ddrc0` (`pmu_uncore_alias_match` in `tools/perf/util/pmu.c`). Case
/// matters.
///
/// Do not pass [`DEFAULT_CORE`](super::DEFAULT_CORE); ask [`is_core`](super::is_core) about the system's PMU
/// instead.
///
/// ```
/// use pmu_events::__private::pmu;
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
