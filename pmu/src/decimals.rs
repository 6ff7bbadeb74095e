//! Numbers with as many decimals as say something.

/// A value with so many decimals. One that these would show as 0, though it is not, has two
/// digits that say something.
pub(crate) fn shown(value: f64, decimals: usize) -> String {
    let shown = format!("{value:.decimals$}");
    if value != 0.0 && value.is_finite() && shown.parse() == Ok(0.0) {
        let decimals = (1.0 - value.abs().log10().floor()) as usize;
        return format!("{value:.decimals$}");
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers() {
        let cases = [
            (0.0, 3, "0.000"),
            (1.23456, 3, "1.235"),
            (0.00123, 3, "0.001"),
            (0.000456, 3, "0.00046"),
            (-0.000456, 3, "-0.00046"),
            (1.0e-7, 6, "0.00000010"),
            (0.0412, 1, "0.041"),
            (f64::INFINITY, 3, "inf"),
            (f64::NAN, 3, "NaN"),
        ];
        for (value, decimals, expected) in cases {
            assert_eq!(shown(value, decimals), expected, "{value} {decimals}");
        }
    }
}
