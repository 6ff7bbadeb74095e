//! Numbers for people.

use std::string::String;

/// A number in decimal digits with a comma between thousands, whatever the locale.
#[must_use]
pub fn separated(number: &str) -> String {
    let (whole, rest) = number.split_at(number.find('.').unwrap_or(number.len()));
    let (sign, digits) = whole.split_at(whole.len() - whole.trim_start_matches('-').len());
    let mut text = String::from(sign);
    for (n, digit) in digits.chars().enumerate() {
        if n > 0 && (digits.len() - n).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands() {
        for (number, expected) in [
            ("0", "0"),
            ("999", "999"),
            ("1000", "1,000"),
            ("-123456.75", "-123,456.75"),
            ("1234567", "1,234,567"),
        ] {
            assert_eq!(separated(number), expected);
        }
    }
}
