//! `strcmp_cpuid_str`: a CPUID held against what a formula says.

use crate::cpuid::Midr;

/// The rule is that of the architecture that the CPUID is of: 16 hexadecimal
/// digits are Arm's MIDR (`strcmp_cpuid_str` in
/// `tools/perf/arch/arm64/util/header.c`), four parts between dashes x86's, of
/// which a pattern may leave out the stepping (`tools/perf/arch/x86/util`). For
/// all but Arm the pattern is an expression; of its signs, an identifier can
/// have but the dot.
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

/// The CPUID has all digits; a formula often leaves out the zeros.
fn midr(text: &str) -> Option<Midr> {
    text.starts_with("0x").then(|| Midr::parse(text)).flatten()
}
