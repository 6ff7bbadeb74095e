//! The Main ID Register of an Arm core.

use core::str::FromStr;

use crate::located;
use crate::term::digits_value;

/// MIDR_EL1, which identifies a core and its version.
///
/// Arm Architecture Reference Manual, section D19.2 (MIDR_EL1): implementer in
/// bits 31–24, variant 23–20, architecture 19–16, part number 15–4, revision
/// 3–0. `r1p2` is variant 1, revision 2.
///
/// ```
/// use pmu_events::__private::cpuid::Midr;
/// let n1: Midr = "0x00000000414fd0c1".parse()?;
/// assert_eq!(n1.part(), 0x410f_d0c0);
/// assert_eq!(n1.version(), 0x41); // r4p1
/// # Ok::<(), pmu_events::located::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Midr(pub(crate) u64);

impl Midr {
    const VERSION: u64 = 0x00f0_000f;

    /// Wraps the register's value.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Midr(bits)
    }

    /// Returns the register's value.
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Parses a MIDR as sysfs and map files write it: up to 16 hexadecimal
    /// digits, with or without `0x`.
    ///
    /// # Errors
    ///
    /// Returns an error for anything else.
    pub const fn parse(text: &str) -> Result<Self, located::Error> {
        let mut digits = text.as_bytes();
        if let [b'0', b'x' | b'X', rest @ ..] = digits {
            digits = rest;
        }
        match digits_value(digits, 16) {
            Some(value) if digits.len() <= 16 => Ok(Midr(value)),
            _ => Err(located::Error::expected(text, "a MIDR: up to 16 hexadecimal digits")),
        }
    }

    /// Returns the register without variant and revision, which is the part
    /// that must be equal.
    #[must_use]
    pub const fn part(self) -> u64 {
        self.0 & !Self::VERSION
    }

    /// Returns variant and revision as one number that orders versions: `r0p3`
    /// is 3, `r2p0` is 0x20.
    #[must_use]
    pub const fn version(self) -> u8 {
        (((self.0 >> 20) & 0xf) << 4 | self.0 & 0xf) as u8
    }
}

/// The same as [`Midr::parse`], which a `const` can use.
impl FromStr for Midr {
    type Err = located::Error;

    fn from_str(text: &str) -> Result<Self, located::Error> {
        Midr::parse(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse() {
        let cases: &[(&str, Option<u64>)] = &[
            ("0x00000000410fd0c0", Some(0x410f_d0c0)),
            ("410fd0c0", Some(0x410f_d0c0)),
            ("0X410FD0C0", Some(0x410f_d0c0)),
            ("", None),
            ("0x", None),
            ("0x410fd0c0\n", None),
            ("0x00000000000000001", None),
            ("0xffffffffffffffff", Some(u64::MAX)),
        ];
        for &(text, expected) in cases {
            assert_eq!(Midr::parse(text).ok(), expected.map(Midr), "{text:?}");
        }
    }

    #[test]
    fn versions_order_as_releases() {
        let r0p9 = Midr(0x410f_d0c9);
        let r1p0 = Midr(0x411f_d0c0);
        assert_eq!(r0p9.part(), r1p0.part());
        assert!(r0p9.version() < r1p0.version());
    }

    /// The manual's fields: implementer 31 to 24, variant 23 to 20, architecture
    /// 19 to 16, part 15 to 4, revision 3 to 0.
    #[test]
    fn fields() {
        let cases = [
            (0x410f_d0c0, 0x410f_d0c0, 0),
            (0x412f_d0c5, 0x410f_d0c0, 0x25),
            (0xffff_ffff, 0xff0f_fff0, 0xff),
            (0x48f0_0000, 0x4800_0000, 0xf0),
            (0x0000_000f, 0, 0x0f),
            // The upper bits are reserved, and must be equal.
            (0x1_411f_d0c1, 0x1_410f_d0c0, 0x11),
        ];
        for (register, part, version) in cases {
            assert_eq!((Midr(register).part(), Midr(register).version()), (part, version));
        }
    }
}
