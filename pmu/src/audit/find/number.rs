//! Numbers of source text.

/// A hexadecimal number with its prefix, as C, Rust, Go and Python write it: `0x5101c4`,
/// `0x08_25`, `0x530000ULL`.
pub(super) fn hexadecimal(text: &str) -> Option<u64> {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"))?;
    let digits = digits.trim_end_matches(['u', 'U', 'l', 'L']);
    let digits: String = digits.chars().filter(|&c| c != '_').collect();
    u64::from_str_radix(&digits, 16).ok()
}

/// The same, or a decimal one.
pub(super) fn any(text: &str) -> Option<u64> {
    hexadecimal(text).or_else(|| text.trim_end_matches(['u', 'U', 'l', 'L']).parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        for (text, expected) in [
            ("0x5101c4", Some(0x5101c4)),
            ("0x08_25", Some(0x825)),
            ("0x530000ULL", Some(0x530000)),
            ("12", Some(12)),
            ("0x", None),
            ("0xfffffffffffffffff", None),
            ("x1", None),
        ] {
            assert_eq!(any(text), expected, "{text}");
        }
    }
}
