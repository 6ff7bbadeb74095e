//! Names that have one event string on every CPU, and the codes that these hide.

use pmu_events_core::__private::wire::record::counters;
use pmu_events_core::term::Terms;

/// Returns the event string of a name that has the same one on every CPU; there are six
/// (`real_event` of jevents).
#[must_use]
pub fn of_name(name: &str) -> Option<&'static str> {
    const FIXED: &[(&str, &str)] = &[
        ("inst_retired.any", "event=0xc0,period=2000003"),
        ("inst_retired.any_p", "event=0xc0,period=2000003"),
        ("cpu_clk_unhalted.ref", "event=0x0,umask=0x03,period=2000003"),
        ("cpu_clk_unhalted.thread", "event=0x3c,period=2000003"),
        ("cpu_clk_unhalted.core", "event=0x3c,period=2000003"),
        ("cpu_clk_unhalted.thread_any", "event=0x3c,any=1,period=2000003"),
    ];
    if name.len() < 16 {
        return None;
    }
    FIXED.iter().find(|(fixed, _)| name.eq_ignore_ascii_case(fixed)).map(|&(_, string)| string)
}

/// Codes of one event: those of the retired instructions, by the architecture and in
/// Intel's lists of Nehalem and Westmere (Intel SDM, volume 3, “Pre-defined Architectural
/// Performance Events”). The reference cycles of general counters are not such: their
/// rate is that of the crystal, the bus or the TSC, depending on the core.
const SAME: [(&str, &str); 1] = [("event=0xc0", "event=0xc0,umask=1")];

/// What the fields of an object select whose name has a fixed string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hidden {
    /// Nothing else than the fixed string.
    Nothing,
    /// The same event by another code.
    Code,
    /// Another event.
    Event,
}

impl Hidden {
    /// Compares the string that perf has with that of the object's own fields.
    ///
    /// Fixed counters take no code: what lists write for them is the code 0, which no
    /// other counter has, or stands for nothing at all.
    pub(crate) fn of(perf: &str, own: &str, counter_kind: u8) -> Self {
        let is_fixed = matches!(counter_kind, counters::FIXED | counters::FIXED_UNNUMBERED);
        let code = Terms::new(own).last_named("event").and_then(|term| term.number());
        let is_pseudo = code.is_some_and(|code| code & 0xff == 0);
        let (perf, own) = (terms(perf), terms(own));
        if is_fixed || is_pseudo || perf == own {
            return Hidden::Nothing;
        }
        let is_it = |&(one, other): &(&str, &str)| perf == terms(one) && own == terms(other);
        if SAME.iter().any(is_it) { Hidden::Code } else { Hidden::Event }
    }
}

/// The terms that say what is counted, in an order of their own.
fn terms(event_string: &str) -> Vec<(&str, Result<u64, Option<&str>>)> {
    let mut terms: Vec<_> = Terms::new(event_string)
        .filter(|term| term.name() != "period")
        .map(|term| (term.name(), term.number().ok_or(term.value())))
        .collect();
    terms.sort_unstable();
    terms
}

#[cfg(test)]
mod tests {
    use super::*;

    /// jevents' fixed strings for every CPU, in any letter case, and nothing
    /// else.
    #[test]
    fn names_with_a_string_of_their_own() {
        let cases = [
            ("INST_RETIRED.ANY", Some("event=0xc0,period=2000003")),
            ("inst_retired.any_p", Some("event=0xc0,period=2000003")),
            ("CPU_CLK_UNHALTED.REF", Some("event=0x0,umask=0x03,period=2000003")),
            ("cpu_clk_unhalted.thread", Some("event=0x3c,period=2000003")),
            ("cpu_clk_unhalted.core", Some("event=0x3c,period=2000003")),
            ("cpu_clk_unhalted.thread_any", Some("event=0x3c,any=1,period=2000003")),
            ("inst_retired.an", None),
            ("inst_retired.any_", None),
            ("cpu_clk_unhalted.ref_tsc", None),
            ("", None),
        ];
        for (name, expected) in cases {
            assert_eq!(of_name(name), expected, "{name}");
        }
    }

    #[test]
    fn codes_that_a_string_hides() {
        const INSTRUCTIONS: &str = "event=0xc0,period=2000003";
        const CYCLES: &str = "event=0x3c,period=2000003";
        const REFERENCE: &str = "event=0x0,umask=0x03,period=2000003";
        const ANY: &str = "event=0x3c,any=1,period=2000003";
        use counters::{FIXED, FIXED_UNNUMBERED, GENERAL, UNSTATED};
        let cases = [
            // Silvermont to Gracemont.
            (REFERENCE, "event=0x3c,period=2000003,umask=1", GENERAL, Hidden::Event),
            (REFERENCE, "event=0x3c,period=2000003,umask=1", UNSTATED, Hidden::Event),
            // Nehalem, and its fixed counters without a code.
            (INSTRUCTIONS, "event=0xc0,period=2000000,umask=1", GENERAL, Hidden::Code),
            (INSTRUCTIONS, "event=0,period=2000000", FIXED, Hidden::Nothing),
            (REFERENCE, "event=0,period=2000000", FIXED, Hidden::Nothing),
            // Bonnell.
            (CYCLES, "event=0xa,period=2000000", FIXED, Hidden::Nothing),
            (CYCLES, "event=0xa,period=2000000", FIXED_UNNUMBERED, Hidden::Nothing),
            (INSTRUCTIONS, "event=0xc0,period=2000000", GENERAL, Hidden::Nothing),
            // The code 0 is a fixed counter's, also if the tree names no counter.
            (INSTRUCTIONS, "event=0,umask=1", UNSTATED, Hidden::Nothing),
            (REFERENCE, "event=0,umask=3", UNSTATED, Hidden::Nothing),
            (CYCLES, "event=0x100", GENERAL, Hidden::Nothing),
            // Neither the order of terms nor the notation of a number matters.
            (REFERENCE, "umask=3,event=0", GENERAL, Hidden::Nothing),
            (ANY, "any=0x1,event=60", GENERAL, Hidden::Nothing),
            (ANY, "event=0x3c", GENERAL, Hidden::Event),
            (ANY, "event=0x3c,umask=1", GENERAL, Hidden::Event),
            // Only these two codes of instructions are known to be the same.
            (CYCLES, "event=0xc0,umask=1", GENERAL, Hidden::Event),
            (INSTRUCTIONS, "event=0xc0,umask=2", GENERAL, Hidden::Event),
            (INSTRUCTIONS, "event=0xc0,inv=1,umask=1", GENERAL, Hidden::Event),
            (INSTRUCTIONS, "config=0xc0", GENERAL, Hidden::Event),
            (INSTRUCTIONS, "event=0xc0,ldlat=None", GENERAL, Hidden::Event),
        ];
        for (perf, own, kind, expected) in cases {
            assert_eq!(Hidden::of(perf, own, kind), expected, "{own} instead of {perf}");
        }
    }
}
