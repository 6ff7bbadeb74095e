//! How criterion shows values.

use criterion::Throughput;
use criterion::measurement::ValueFormatter;

/// The prefixes of a unit, and what each stands for.
const PREFIXES: [(&str, f64); 7] =
    [("n", 1e-9), ("µ", 1e-6), ("m", 1e-3), ("", 1.0), ("k", 1e3), ("M", 1e6), ("G", 1e9)];

/// A unit with its prefixes. criterion wants static texts, so a program keeps them.
#[derive(Debug)]
pub(crate) struct Unit {
    shown: [&'static str; 7],
    per_byte: &'static str,
    per_bit: &'static str,
    per_element: &'static str,
    can_have_prefix: bool,
}

impl Unit {
    /// The unit of an event, or the name of one without a unit.
    pub(crate) fn of_event(name: &str, unit: &str) -> Self {
        match unit {
            "" => Unit::new(name, " ", true),
            unit => Unit::new(unit, "", true),
        }
    }

    /// That of a metric, whose values are ratios.
    pub(crate) fn of_metric(name: &str, unit: &str) -> Self {
        Unit::new(if unit.is_empty() { name } else { unit }, "", false)
    }

    fn new(unit: &str, between: &str, can_have_prefix: bool) -> Self {
        let kept = |text: String| -> &'static str { Box::leak(text.into_boxed_str()) };
        let shown = PREFIXES.map(|(prefix, _)| match prefix {
            "" => kept(unit.to_owned()),
            prefix => kept(format!("{prefix}{between}{unit}")),
        });
        Unit {
            shown,
            per_byte: kept(format!("{unit}/B")),
            per_bit: kept(format!("{unit}/bit")),
            per_element: kept(format!("{unit}/element")),
            can_have_prefix,
        }
    }

    fn scaled(&self, typical: f64) -> (&'static str, f64) {
        // A fraction of an instruction is an average, for which nobody has a prefix.
        let range = if self.can_have_prefix { 0..7 } else { 3..4 };
        let is_time = self.shown[3] == "s" || self.shown[3] == "Joules";
        let range = if is_time { range } else { 3..range.end };
        let fits = range.clone().rev().find(|&n| typical >= PREFIXES[n].1);
        let n = fits.unwrap_or(range.start);
        (self.shown[n], PREFIXES[n].1)
    }
}

impl ValueFormatter for Unit {
    fn scale_values(&self, typical: f64, values: &mut [f64]) -> &'static str {
        let (unit, factor) = self.scaled(typical);
        values.iter_mut().for_each(|value| *value /= factor);
        unit
    }

    /// What one byte or element takes: for counts, more is not faster.
    fn scale_throughputs(
        &self,
        _typical: f64,
        throughput: &Throughput,
        values: &mut [f64],
    ) -> &'static str {
        let (amount, unit) = match *throughput {
            Throughput::Bytes(bytes) | Throughput::BytesDecimal(bytes) => (bytes, self.per_byte),
            Throughput::Bits(bits) => (bits, self.per_bit),
            Throughput::Elements(elements) | Throughput::ElementsAndBytes { elements, .. } => {
                (elements, self.per_element)
            }
        };
        values.iter_mut().for_each(|value| *value /= amount as f64);
        unit
    }

    fn scale_for_machines(&self, _values: &mut [f64]) -> &'static str {
        self.shown[3]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values() {
        let instructions = Unit::of_event("instructions:u", "");
        let clock = Unit::of_event("task-clock", "s");
        let ipc = Unit::of_metric("ipc", "");
        let cases = [
            (&instructions, 12.5, 12.5, "instructions:u"),
            (&instructions, 0.25, 0.25, "instructions:u"),
            (&instructions, 0.0, 0.0, "instructions:u"),
            (&instructions, 12_500.0, 12.5, "k instructions:u"),
            (&instructions, 3e12, 3000.0, "G instructions:u"),
            (&clock, 12.5e-6, 12.5, "µs"),
            (&clock, 1e-12, 1e-3, "ns"),
            (&clock, 2.0, 2.0, "s"),
            (&ipc, 0.25, 0.25, "ipc"),
            (&Unit::of_metric("l3_hit_ratio", "%"), 2500.0, 2500.0, "%"),
        ];
        for (unit, value, shown, text) in cases {
            let mut values = [value, value * 2.0];
            assert_eq!(unit.scale_values(value, &mut values), text, "{value}");
            let is_near = |is: f64, wanted: f64| (is - wanted).abs() <= wanted * 1e-12;
            assert!(is_near(values[0], shown) && is_near(values[1], 2.0 * shown), "{values:?}");
            let mut values = [value];
            assert_eq!(unit.scale_for_machines(&mut values), unit.shown[3]);
            assert_eq!(values, [value]);
        }
    }

    #[test]
    fn throughputs() {
        let unit = Unit::of_event("instructions:u", "");
        let cases = [
            (Throughput::Bytes(4), 25.0, "instructions:u/B"),
            (Throughput::BytesDecimal(4), 25.0, "instructions:u/B"),
            (Throughput::Bits(10), 10.0, "instructions:u/bit"),
            (Throughput::Elements(50), 2.0, "instructions:u/element"),
            (
                Throughput::ElementsAndBytes { elements: 5, bytes: 1 },
                20.0,
                "instructions:u/element",
            ),
        ];
        for (throughput, value, text) in cases {
            let mut values = [100.0];
            assert_eq!(unit.scale_throughputs(100.0, &throughput, &mut values), text);
            assert_eq!(values, [value], "{throughput:?}");
        }
    }
}
