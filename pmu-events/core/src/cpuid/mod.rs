//! Matching CPUs and PMU identifiers to their tables.
//!
//! Use it to find the table of a CPU that is not this machine's, or to match CPUIDs against
//! patterns of your own.
//!
//! The left column of a map file is a *pattern*, whose meaning depends on the
//! architecture ([`MatchRule`]). The macro turns all patterns of a tree into
//! one automaton and a sorted list of plain texts, so that nothing is compiled
//! at run time. perf, in contrast, compiles the regular expression of each row
//! at each look-up.

mod architectural;
pub(crate) mod automaton;
pub(crate) mod midr;
mod names;
pub(crate) mod patterns;

pub use architectural::Architectural;
pub(crate) use midr::Midr;
pub use names::{names, of_name};

/// Returns the architecture of a CPUID in perf's form, as the name of its tree, by the form
/// of the text.
///
/// ```
/// use pmu_events::cpuid;
///
/// assert_eq!(cpuid::architecture("HygonGenuine-24-1-1"), Some("x86"));
/// assert_eq!(cpuid::architecture("0x00000000410fd0c0"), Some("arm64"));
/// assert_eq!(cpuid::architecture("0x004e1200"), Some("powerpc"));
/// assert_eq!(cpuid::architecture("0x489-0x8000000000000007-0x0"), Some("riscv"));
/// assert_eq!(cpuid::architecture("IBM,3931,704,A01,3.7,002f"), Some("s390"));
/// assert_eq!(cpuid::architecture("another"), None);
/// ```
#[must_use]
pub fn architecture(cpuid: &str) -> Option<&'static str> {
    let is_number = |text: &str| {
        let digits = text.strip_prefix("0x").unwrap_or_default();
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    let mut parts = cpuid.split('-');
    match (parts.next()?, parts.next(), parts.next(), parts.next()) {
        (id, None, ..) if is_number(id) => match id.len() {
            18 => Some("arm64"),
            10 => Some("powerpc"),
            _ => None,
        },
        (vendor, None, ..) => vendor.starts_with("IBM,").then_some("s390"),
        (vendor, Some(arch), Some(implementation), None) if is_number(vendor) => {
            (is_number(arch) && is_number(implementation)).then_some("riscv")
        }
        (vendor, Some(family), Some(model), _) => {
            let is_decimal = family.bytes().all(|byte| byte.is_ascii_digit());
            let is_hexadecimal = model.bytes().all(|byte| byte.is_ascii_hexdigit());
            let is_x86 = !vendor.is_empty() && !family.is_empty() && !model.is_empty();
            (is_x86 && is_decimal && is_hexadecimal).then_some("x86")
        }
        _ => None,
    }
}

/// How a pattern of a map file is compared with a CPUID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MatchRule {
    /// A POSIX extended regular expression that must match the whole CPUID,
    /// without its stepping if the pattern has none. A pattern with a stepping
    /// (exactly three dashes in its text) never matches a CPUID without one
    /// (`tools/perf/arch/x86/util/header.c`).
    X86,
    /// Not a regular expression but a comparison of MIDR_EL1: all fields except
    /// variant and revision must be equal, and those two must not be lower than
    /// the row's (`tools/perf/arch/arm64/util/header.c`).
    Arm64,
    /// A POSIX extended regular expression that must match the whole
    /// identifier (`tools/perf/util/header.c`).
    Whole,
}

impl MatchRule {
    /// Returns the rule of an architecture, by the name of its directory.
    ///
    /// ```
    /// use pmu_events::cpuid::MatchRule;
    /// assert_eq!(MatchRule::of_arch("x86"), MatchRule::X86);
    /// assert_eq!(MatchRule::of_arch("s390"), MatchRule::Whole);
    /// ```
    #[must_use]
    pub const fn of_arch(arch: &str) -> Self {
        match arch.as_bytes() {
            b"x86" => MatchRule::X86,
            b"arm64" => MatchRule::Arm64,
            _ => MatchRule::Whole,
        }
    }
}

#[cfg(test)]
mod tests;
