//! Scale units: a number directly followed by a unit.
//!
//! Use it to turn a scale unit such as `2.3e-10Joules` into a factor and a unit.

/// Splits a scale unit into factor and unit: the decimal number at the start of
/// the text, as `strtod` reads it, and everything after it.
///
/// Without a number, the factor is 1 and the whole text is the unit; a number too
/// large for `f64` is infinite.
///
/// perf accepts everything that `strtod` does (`perf_pmu__convert_scale` in
/// `tools/perf/util/pmu.c`); this function does not:
///
/// | text | perf | here |
/// |---|---|---|
/// | `Joules` of an event | 1 and `Joules` | the same |
/// | `Joules` of a metric | 0: the value is lost | 1 and `Joules` |
/// | `nanojoules`, `infinite` | NaN and `ojoules`, infinity and `ite` | 1 and the whole text |
/// | `0x10Bytes` | 16 and `Bytes` | 0 and `x10Bytes` |
/// | ` 64Bytes` | 64 and `Bytes` | 1 and the whole text |
///
/// ```
/// use pmu_events::__private::scale;
///
/// assert_eq!(scale::split("3.0517578125e-5MiB"), (3.0517578125e-5, "MiB"));
/// assert_eq!(scale::split("100%"), (100.0, "%"));
/// assert_eq!(scale::split("Joules"), (1.0, "Joules"));
/// ```
#[must_use]
pub fn split(text: &str) -> (f64, &str) {
    let (number, unit) = text.split_at(number_len(text.as_bytes()));
    if number.is_empty() {
        return (1.0, unit);
    }
    // Rust can parse every number of this grammar; a difference would show as
    // NaN.
    (number.parse().unwrap_or(f64::NAN), unit)
}

/// The length of the number in `strtod`'s decimal grammar at the start; 0 if
/// there is none.
fn number_len(bytes: &[u8]) -> usize {
    let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let sign = |at: usize| usize::from(matches!(bytes.get(at), Some(b'+' | b'-')));
    let mut len = sign(0);
    let whole = digits(len);
    len += whole;
    let mut fraction = 0;
    if bytes.get(len) == Some(&b'.') {
        fraction = digits(len + 1);
        len += 1 + fraction;
    }
    if whole + fraction == 0 {
        return 0;
    }
    if let Some(b'e' | b'E') = bytes.get(len) {
        let sign = sign(len + 1);
        let exponent = digits(len + 1 + sign);
        if exponent > 0 {
            len += 1 + sign + exponent;
        }
    }
    len
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn scale_units() {
        for (text, expected) in [
            ("64Bytes", (64.0, "Bytes")),
            ("1e-6Joules", (1e-6, "Joules")),
            ("3.0517578125e-5MiB", (3.0517578125e-5, "MiB")),
            ("100%", (100.0, "%")),
            ("1Events", (1.0, "Events")),
            ("2e", (2.0, "e")),
            ("2e-x", (2.0, "e-x")),
            (".5x", (0.5, "x")),
            ("2.x", (2.0, "x")),
            (".", (1.0, ".")),
            ("-1e+2", (-100.0, "")),
            ("7", (7.0, "")),
            ("Bytes", (1.0, "Bytes")),
            ("", (1.0, "")),
            ("\u{b5}s", (1.0, "\u{b5}s")),
            ("1e400x", (f64::INFINITY, "x")),
            ("+.5e-1e", (0.05, "e")),
            // Nothing else that `strtod` accepts is a number.
            ("nanojoules", (1.0, "nanojoules")),
            ("infinite", (1.0, "infinite")),
            ("0x10Bytes", (0.0, "x10Bytes")),
            (" 64Bytes", (1.0, " 64Bytes")),
        ] {
            assert_eq!(split(text), expected, "{text:?}");
        }
    }
}
