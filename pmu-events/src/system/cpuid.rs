//! `strcmp_cpuid_str`: comparing a CPUID with the one in a formula.

use pmu_events_core::__private::cpuid::Midr;

/// The rule is that of the CPUID's architecture. 16 hexadecimal digits are an Arm
/// MIDR (`strcmp_cpuid_str` in `tools/perf/arch/arm64/util/header.c`); four parts
/// between dashes are an x86 CPUID, whose stepping the pattern may omit
/// (`tools/perf/arch/x86/util`). Except on Arm the pattern is a regular expression,
/// but the dot is the only special character that an identifier can contain.
pub(super) fn matches(pattern: &str, cpuid: &str) -> bool {
    const ALL_DIGITS: usize = "0x0000000000000000".len();
    if cpuid.len() == ALL_DIGITS
        && let (Some(wanted), Some(own)) = (midr(pattern), midr(cpuid))
    {
        return wanted.part() == own.part() && own.version() >= wanted.version();
    }
    let dashes = |text: &str| text.matches('-').count();
    let cpuid = match cpuid.rsplit_once('-') {
        Some((before, _)) if dashes(cpuid) == 3 && dashes(pattern) < 3 => before,
        _ => cpuid,
    };
    let is_same = |(wanted, own): (u8, u8)| wanted == b'.' || wanted == own;
    pattern.len() == cpuid.len() && pattern.bytes().zip(cpuid.bytes()).all(is_same)
}

/// The CPUID has all digits; formulas often omit leading zeros.
fn midr(text: &str) -> Option<Midr> {
    text.starts_with("0x").then(|| Midr::parse(text).ok()).flatten()
}
