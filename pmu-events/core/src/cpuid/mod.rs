//! CPUIDs in perf's form, and the events that a CPU reports about itself.
//!
//! Use it to find the CPUID of a CPU that is not this machine's.
//!
//! The left column of a map file is a *pattern*, whose meaning depends on the
//! architecture. The macro turns all patterns of a tree into
//! one automaton and a sorted list of plain texts, so that nothing is compiled
//! at run time. perf, in contrast, compiles the regular expression of each row
//! at each look-up.

mod architectural;
pub(crate) mod automaton;
pub(crate) mod midr;
mod names;
pub(crate) mod patterns;
pub(crate) mod rule;

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

#[cfg(test)]
mod tests;
