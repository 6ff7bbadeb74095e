//! Scale units: a number and a unit without a blank between them.

/// Cuts a scale unit into factor and unit, as `perf_pmu__convert_scale` in
/// `tools/perf/util/pmu.c`: whatever number the text begins with, 1 where there
/// is none.
///
/// ```
/// use pmu_events_core::scale;
///
/// assert_eq!(scale::split("3.0517578125e-5MiB"), (3.0517578125e-5, "MiB"));
/// assert_eq!(scale::split("100%"), (100.0, "%"));
/// assert_eq!(scale::split("Joules"), (1.0, "Joules"));
/// ```
#[must_use]
pub fn split(text: &str) -> (f64, &str) {
    let (number, unit) = text.split_at(number_len(text.as_bytes()));
    (number.parse().unwrap_or(1.0), unit)
}

/// How many bytes `strtod` takes as a decimal number.
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
        ] {
            assert_eq!(split(text), expected, "{text:?}");
        }
    }
}
