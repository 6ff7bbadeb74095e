//! Terms that count an event under a condition: how many at once, in which thread, how often a
//! condition begins.

use std::fmt;

use pmu_events::format::{Formats, Words};

use super::coded::{Coded, OfModel};

/// The values of the terms; 0 is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Restriction {
    pub(crate) cmask: u64,
    pub(crate) inv: bool,
    pub(crate) edge: bool,
    pub(crate) any: bool,
}

/// Events that a code counts under a condition.
pub(crate) struct Restricted {
    pub(crate) events: Vec<OfModel>,
    pub(crate) by: Restriction,
}

const TERMS: [&str; 4] = ["cmask", "inv", "edge", "any"];

/// The event without its restriction, and the restriction.
pub(crate) fn split(words: Words, formats: Formats<'_>) -> (Words, Restriction) {
    let mut plain = words;
    let [cmask, inv, edge, any] = TERMS.map(|term| {
        let Some(format) = formats.find(term) else { return 0 };
        plain = plain.with(format.word(), plain.get(format.word()) & !format.mask());
        format.value_in(words)
    });
    (plain, Restriction { cmask, inv: inv != 0, edge: edge != 0, any: any != 0 })
}

/// The events that the words restrict.
pub(crate) fn find(words: Words, events: &[Coded], formats: Formats<'_>) -> Option<Restricted> {
    let (plain, by) = split(words, formats);
    if by == Restriction::default() {
        return None;
    }
    let mut events: Vec<_> =
        events.iter().filter(|own| own.words == plain).map(|own| own.of).collect();
    events.sort_by_key(|of| of.event.is_deprecated());
    (!events.is_empty()).then_some(Restricted { events, by })
}

/// Displays the terms and, in words, what is counted.
impl fmt::Display for Restriction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Restriction { cmask, inv, edge, any } = *self;
        let value = |name: &str, set: bool| set.then(|| name.to_string());
        let cmask_term = (cmask != 0).then(|| format!("cmask={cmask:#x}"));
        let terms = [cmask_term, value("inv", inv), value("edge", edge), value("any", any)];
        let terms: Vec<String> = terms.into_iter().flatten().collect();
        write!(f, "{}", terms.join(","))?;
        let threads = if any { " of both threads of the core" } else { "" };
        // Intel SDM, volume 3, “Architectural Performance Monitoring”: inv and edge need cmask.
        let cycles = match (cmask, inv) {
            (0, _) if any => return write!(f, ": those{threads}"),
            (0, _) => return write!(f, ", which without cmask has no effect"),
            (1, false) => "in which it occurs".to_string(),
            (1, true) => "in which it does not occur".to_string(),
            (most, true) => format!("in which it occurs fewer than {most} times"),
            (least, false) => format!("in which it occurs {least} times or more"),
        };
        match edge {
            true => write!(f, ": how often periods of cycles{threads} begin {cycles}"),
            false => write!(f, ": cycles{threads} {cycles}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use pmu_events::builtin;

    use super::*;

    #[test]
    fn terms_and_words() {
        for (config, plain, shown) in [
            (0x1d3_02b1, 0x53_02b1, "cmask=0x1,inv: cycles in which it does not occur"),
            (0x0152_02b1, 0x52_02b1, "cmask=0x1: cycles in which it occurs"),
            (0x0200_02b1, 0x2b1, "cmask=0x2: cycles in which it occurs 2 times or more"),
            (0x0480_02b1, 0x2b1, "cmask=0x4,inv: cycles in which it occurs fewer than 4 times"),
            (
                0x0104_02b1,
                0x2b1,
                "cmask=0x1,edge: how often periods of cycles begin in which it occurs",
            ),
            (0x20_003c, 0x3c, "any: those of both threads of the core"),
            (
                0x0120_010d,
                0x10d,
                "cmask=0x1,any: cycles of both threads of the core in which it occurs",
            ),
        ] {
            let formats = builtin::INTEL;
            let (rest, by) = split(Words::new(config), formats);
            assert_eq!((rest.config(), by.to_string().as_str()), (plain, shown), "{config:#x}");
        }
        // Without the term, the bit is not one.
        let (rest, by) = split(Words::new(0x20_003c), builtin::AMD);
        assert_eq!((rest.config(), by), (0x20_003c, Restriction::default()));
    }
}
