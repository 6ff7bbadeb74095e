//! The output: each code with its words, and the events below it.

use std::fmt::Write as _;
use std::io::{self, Write};

use serde_json::{Map, Value, json};

use crate::decode::code::Meaning;
use crate::decode::events::{Found, Near, OfModel};
use crate::output::Output;
use crate::terminal::Page;
use crate::trees::Trees;
use crate::{facts, json, list};

/// A code on one PMU.
pub(crate) struct Decoded<'s> {
    pub(crate) code: &'s String,
    pub(crate) meaning: Meaning<'s>,
    pub(crate) found: Found,
}

impl Decoded<'_> {
    pub(crate) fn is_found(&self) -> bool {
        let Found { events, by_vendor, names, nearest: _ } = &self.found;
        !events.is_empty() || !by_vendor.is_empty() || !names.is_empty()
    }

    /// The words that are not 0, and `config` in any case.
    fn words(&self) -> String {
        let mut text = format!("config={:#x}", self.meaning.words.config());
        let all = self.meaning.words.iter().skip(1);
        for (word, bits) in all.filter(|&(_, bits)| bits != 0) {
            let _ = write!(text, " {word}={bits:#x}");
        }
        text
    }
}

pub(crate) fn text(out: &mut Output, decoded: &[Decoded<'_>]) -> io::Result<()> {
    let mut page = Page::new(out);
    for (n, one) in decoded.iter().enumerate() {
        if n > 0 {
            page.blank()?;
        }
        let place = match one.meaning.pmu {
            Some(pmu) => format!("pmu={}", pmu.name()),
            None => format!("type={}", one.meaning.type_),
        };
        let none = match (one.is_found(), one.found.nearest.is_empty()) {
            (true, _) => "",
            (false, true) => ": no event",
            (false, false) => ": no event; the nearest are",
        };
        page.heading(&format!("{}: {place} {}{none}", one.code, one.words()))?;
        for OfModel { event, .. } in &one.found.events {
            list::text::event(&mut page, *event, None)?;
            // The description is that of the vendor's event.
            if let Some(differs) = event.perf_differs().filter(|differs| differs.has_fixed_string())
            {
                page.paragraph(differs)?;
            }
        }
        for OfModel { event, .. } in &one.found.by_vendor {
            page.name(event.name(), event.vendor_event_string())?;
            if let Some(brief) = facts::summary(*event) {
                page.paragraph(brief)?;
            }
            page.paragraph(format!("perf counts {} under this name", event.event_string()))?;
        }
        for name in &one.found.names {
            page.name(name, "")?;
        }
        // A name without a table says less than similar names of the table.
        for Near { of, differences } in &one.found.nearest {
            page.name(of.event.name(), of.event.event_string())?;
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
    let object = |of: OfModel| {
        let keys = list::json::event(trees.table_of(of.model), of.event);
        keys.into_iter().map(|(key, value)| (key.into(), value)).collect::<Map<_, _>>()
    };
    let near = |near: &Near| {
        let mut keys = object(near.of);
        let value = |own: u64, given: u64| json!({ "event": format!("{own:#x}"), "given": format!("{given:#x}") });
        let differs = near.differences.iter();
        let differs = differs.map(|(term, own, given)| (term.clone(), value(*own, *given)));
        keys.insert("differs".into(), Value::Object(differs.collect()));
        Value::Object(keys)
    };
    decoded.iter().try_for_each(|one| {
        let words = one.meaning.words.iter();
        let words = words.map(|(word, bits)| (word.name(), json!(format!("{bits:#x}"))));
        let mut keys =
            vec![("code", json!(one.code)), ("pmu", json!(one.meaning.pmu.map(|pmu| pmu.name())))];
        keys.extend(words);
        keys.extend([
            ("events", one.found.events.iter().map(|&of| Value::Object(object(of))).collect()),
            (
                "by_vendor",
                one.found.by_vendor.iter().map(|&of| Value::Object(object(of))).collect(),
            ),
            ("names", json!(one.found.names)),
            ("nearest", one.found.nearest.iter().map(near).collect()),
        ]);
        json::line(out, "code", keys)
    })
}
