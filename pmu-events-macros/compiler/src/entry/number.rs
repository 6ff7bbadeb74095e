//! Numbers as trees write them and Python reads them.

/// A number as Python's `int(text, 0)` takes it, as far as trees use that:
/// decimal without leading zeros, or with the prefix `0x`, `0o` or `0b`.
pub(crate) fn any_base(text: &str) -> Option<u64> {
    let text = text.trim();
    let bytes = text.as_bytes();
    if bytes.len() > 2 && bytes[0] == b'0' {
        let radix = match bytes[1] | 0x20 {
            b'x' => 16,
            b'o' => 8,
            b'b' => 2,
            _ => 0,
        };
        if radix != 0 {
            return digits(&text[2..], radix);
        }
    }
    if bytes.len() > 1 && bytes[0] == b'0' && bytes.iter().any(|&b| b != b'0') {
        return None;
    }
    digits(text, 10)
}

/// A field's number, and whether it is written as hexadecimal: with a
/// lower-case `0x`. Otherwise it is decimal, with or without leading zeros.
pub(crate) fn field_number(text: &str) -> Option<(u64, bool)> {
    match text.strip_prefix("0x") {
        Some(hexadecimal) => Some((digits(hexadecimal.trim_end(), 16)?, true)),
        None => Some((digits(text.trim(), 10)?, false)),
    }
}

/// Whether a text would be a number if its value were smaller.
pub(crate) fn is_too_large(text: &str) -> bool {
    let text = text.trim();
    let (digits, radix) = match text.get(..2) {
        Some("0x" | "0X") => (&text[2..], 16),
        _ => (text, 10),
    };
    let all_digits = !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
    all_digits && u64::from_str_radix(digits, radix).is_err()
}

fn digits(text: &str, radix: u32) -> Option<u64> {
    if text.starts_with('+') {
        return None;
    }
    u64::from_str_radix(text, radix).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let cases: &[(&str, Option<u64>, Option<(u64, bool)>)] = &[
            ("0", Some(0), Some((0, false))),
            ("10", Some(10), Some((10, false))),
            ("010", None, Some((10, false))),
            ("00", Some(0), Some((0, false))),
            ("0x1F", Some(31), Some((31, true))),
            ("0XB0", Some(0xb0), None),
            ("0b11", Some(3), None),
            (" 5 ", Some(5), Some((5, false))),
            ("", None, None),
            ("-1", None, None),
            ("1f", None, None),
            ("0xfffffffffffffffff", None, None),
        ];
        for &(text, any, field) in cases {
            assert_eq!(any_base(text), any, "{text:?}");
            assert_eq!(field_number(text), field, "{text:?}");
        }
    }
}
