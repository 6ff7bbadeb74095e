//! The output: each code with its words, and the events below it.

use std::fmt::Write as _;
use std::io::{self, Write};

use pmu_events::Event;
use serde_json::{Map, Value, json};

use crate::decode::code::Words;
use crate::decode::events::{Found, Near};
use crate::terminal::Page;
use crate::trees::Trees;
use crate::{json, list};

/// A code on one PMU.
pub(crate) struct Decoded<'s> {
    pub(crate) code: &'s String,
    pub(crate) words: Words<'s>,
    pub(crate) found: Found,
}

impl Decoded<'_> {
    pub(crate) fn is_found(&self) -> bool {
        !self.found.events.is_empty() || !self.found.names.is_empty()
    }

    /// The words that are not 0, and `config` in any case.
    fn words(&self) -> String {
        let mut text = format!("config={:#x}", self.words.words[0]);
        for (n, word) in self.words.words.iter().enumerate().skip(1).filter(|(_, w)| **w != 0) {
            let _ = write!(text, " config{n}={word:#x}");
        }
        text
    }
}

pub(crate) fn text(out: &mut impl Write, decoded: &[Decoded<'_>]) -> io::Result<()> {
    let mut page = Page::new(out);
    for (n, one) in decoded.iter().enumerate() {
        if n > 0 {
            page.blank()?;
        }
        let place = match one.words.pmu {
            Some(pmu) => format!("pmu={}", pmu.name()),
            None => format!("type={}", one.words.type_),
        };
        let none = match (one.is_found(), one.found.nearest.is_empty()) {
            (true, _) => "",
            (false, true) => ": no event",
            (false, false) => ": no event; the nearest are",
        };
        page.heading(&format!("{}: {place} {}{none}", one.code, one.words()))?;
        for event in &one.found.events {
            list::text::event(&mut page, *event, false)?;
        }
        for name in &one.found.names {
            page.name(name, "")?;
        }
        // A name without a table says less than similar names of the table.
        for Near { event, differences } in &one.found.nearest {
            page.name(event.name(), event.event_string())?;
            for (term, own, given) in differences {
                page.paragraph(format!("{term}={own:#x} instead of {given:#x}"))?;
            }
        }
    }
    Ok(())
}

/// One object for each code and PMU; objects of events have the keys of `pmu
/// list`.
pub(crate) fn json(
    out: &mut impl Write,
    trees: &'static Trees,
    decoded: &[Decoded<'_>],
) -> io::Result<()> {
    let object = |event: Event| {
        let keys = list::json::event(trees.table_of(event), event);
        keys.into_iter().map(|(key, value)| (key.into(), value)).collect::<Map<_, _>>()
    };
    let near = |near: &Near| {
        let mut keys = object(near.event);
        let value = |own: u64, given: u64| json!({ "event": format!("{own:#x}"), "given": format!("{given:#x}") });
        let differs = near.differences.iter();
        let differs = differs.map(|(term, own, given)| (term.clone(), value(*own, *given)));
        keys.insert("differs".into(), Value::Object(differs.collect()));
        Value::Object(keys)
    };
    decoded.iter().try_for_each(|one| {
        let [config, config1, config2, config3] =
            one.words.words.map(|word| json!(format!("{word:#x}")));
        let keys = vec![
            ("code", json!(one.code)),
            ("pmu", json!(one.words.pmu.map(|pmu| pmu.name()))),
            ("config", config),
            ("config1", config1),
            ("config2", config2),
            ("config3", config3),
            (
                "events",
                one.found.events.iter().map(|&event| Value::Object(object(event))).collect(),
            ),
            ("names", json!(one.found.names)),
            ("nearest", one.found.nearest.iter().map(near).collect()),
        ];
        json::line(out, "code", keys)
    })
}
