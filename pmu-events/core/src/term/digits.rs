//! Digits as numbers.

/// Parses the digits of a radix up to 16. `None` if there are no digits, other
/// characters, or more than 64 bits.
#[inline]
pub const fn digits_value(mut digits: &[u8], radix: u64) -> Option<u64> {
    if digits.is_empty() {
        return None;
    }
    // Sixteen digits always fit.
    let all_fit = digits.len() <= 16;
    let mut value: u64 = 0;
    while let Some((&c, rest)) = digits.split_first() {
        let digit = digit(c);
        if digit >= radix {
            return None;
        }
        value = if all_fit {
            value * radix + digit
        } else {
            match value.checked_mul(radix) {
                Some(shifted) => match shifted.checked_add(digit) {
                    Some(sum) => sum,
                    None => return None,
                },
                None => return None,
            }
        };
        digits = rest;
    }
    Some(value)
}

/// The value of a digit; 16 or more for any other character.
#[inline]
const fn digit(c: u8) -> u64 {
    let decimal = c.wrapping_sub(b'0');
    if decimal < 10 {
        return decimal as u64;
    }
    // 0x20 lowers a letter, and does not turn any other byte into a letter.
    let letter = (c | 0x20).wrapping_sub(b'a');
    if letter < 6 { letter as u64 + 10 } else { u64::MAX }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_as_a_digit() {
        for c in 0..=u8::MAX {
            let expected = char::from(c).to_digit(16).filter(|_| c < 128);
            assert_eq!(digits_value(&[c], 16), expected.map(u64::from), "{c}");
        }
    }
}
