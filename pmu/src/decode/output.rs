//! The output: each code with its words, and the events below it.

use std::fmt::Write as _;
use std::io::{self, Write};

use pmu_events::Model;
use serde_json::{Map, Value, json};

use crate::decode::code::Meaning;
use crate::decode::coded::OfModel;
use crate::decode::codes::{Found, Near};
use crate::decode::restriction::Restricted;
use crate::decode::sum::{Sum, Whole};
use crate::output::Output;
use crate::terminal::Page;
use crate::trees::Trees;
use crate::{facts, json, list};

/// A code on one PMU.
pub(crate) struct Decoded<'s> {
    pub(crate) code: &'s String,
    pub(crate) meaning: Meaning<'s>,
    /// The model whose events the PMU has.
    pub(crate) model: Option<Model>,
    pub(crate) found: Found,
}

impl Decoded<'_> {
    /// The words that are not 0, and `config` in any case.
    fn words(&self) -> String {
        let mut text = format!("config={:#x}", self.meaning.given.config());
        let all = self.meaning.given.iter().skip(1);
        for (word, bits) in all.filter(|&(_, bits)| bits != 0) {
            let _ = write!(text, " {word}={bits:#x}");
        }
        text
    }

    /// How the code was read.
    fn remarks(&self) -> Vec<String> {
        let mut remarks = self.meaning.remarks.clone();
        let (bits, names) = &self.meaning.control;
        if *bits != 0 {
            remarks.push(format!("{bits:#x} selects no event: {}", names.join(", ")));
        }
        remarks
    }
}

pub(crate) fn text(out: &mut Output, decoded: &[Decoded<'_>]) -> io::Result<()> {
    let mut page = Page::new(out);
    for (n, one) in decoded.iter().enumerate() {
        if n > 0 {
            page.blank()?;
        }
        of_code(&mut page, one)?;
    }
    Ok(())
}

fn of_code(page: &mut Page<'_>, one: &Decoded<'_>) -> io::Result<()> {
    let pmu = one.meaning.pmu.map(|pmu| format!("pmu={}", pmu.name()));
    let pmu = pmu.map(|pmu| match one.model {
        Some(model) => format!("{pmu} of {}", model.name()),
        None => pmu,
    });
    let is_typed = pmu.is_none() || one.meaning.is_generic();
    let type_ = is_typed.then(|| format!("type={}", one.meaning.type_));
    let place: Vec<String> = pmu.into_iter().chain(type_).collect();
    let place = place.join(" ");
    let none = match (one.found.is_known(), one.found.nearest.is_empty()) {
        (true, _) => "",
        (false, true) => ": no event",
        (false, false) => ": no event; the nearest are",
    };
    page.heading(&format!("{}: {place} {}{none}", one.code, one.words()))?;
    for remark in one.remarks() {
        page.paragraph(remark)?;
    }
    let Found { events, by_vendor, names, restricted, sum, nearest, .. } = &one.found;
    for of in events {
        event(page, of)?;
    }
    for OfModel { event, .. } in by_vendor {
        page.name(event.name(), event.vendor_event_string())?;
        if let Some(brief) = facts::summary(*event) {
            page.paragraph(brief)?;
        }
        page.paragraph(format!("perf counts {} under this name", event.event_string()))?;
    }
    for name in names {
        page.name(name, "")?;
    }
    if let Some(Restricted { events, by }) = restricted {
        page.paragraph(by)?;
        for of in events {
            event(page, of)?;
        }
    }
    if let Some(sum) = sum {
        of_sum(page, sum)?;
    }
    // A name without a table says less than similar names of the table.
    for Near { of, differences } in nearest {
        page.name(of.event.name(), of.event.event_string())?;
        for (term, own, given) in differences {
            page.paragraph(format!("{term}={own:#x} instead of {given:#x}"))?;
        }
    }
    Ok(())
}

fn event(page: &mut Page<'_>, of: &OfModel) -> io::Result<()> {
    list::text::event(page, of.event, None)?;
    // The description is that of the vendor's event.
    let differs = of.event.perf_differs().filter(|differs| differs.has_fixed_string());
    differs.map_or(Ok(()), |differs| page.paragraph(differs))
}

fn of_sum(page: &mut Page<'_>, Sum { parts, by, whole }: &Sum) -> io::Result<()> {
    page.paragraph(names_of(parts))?;
    if by != &Default::default() {
        page.paragraph(by)?;
    }
    if let Some(Whole { of, umask, missing }) = whole {
        let missing = match missing.is_empty() {
            true => format!("umask={umask:#x}"),
            false => names_of(missing),
        };
        page.paragraph(format!("{} without {missing}", of.event.name()))?;
    }
    for of in parts {
        event(page, of)?;
    }
    Ok(())
}

fn names_of(parts: &[OfModel]) -> String {
    let names: Vec<&str> = parts.iter().map(|of| of.event.name()).collect();
    names.join(" + ")
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
    let objects =
        |all: &[OfModel]| -> Value { all.iter().map(|&of| Value::Object(object(of))).collect() };
    let near = |near: &Near| {
        let mut keys = object(near.of);
        let value = |own: u64, given: u64| json!({ "event": format!("{own:#x}"), "given": format!("{given:#x}") });
        let differs = near.differences.iter();
        let differs = differs.map(|(term, own, given)| (term.clone(), value(*own, *given)));
        keys.insert("differs".into(), Value::Object(differs.collect()));
        Value::Object(keys)
    };
    let restricted = |restricted: &Restricted| {
        let by = restricted.by;
        json!({
            "cmask": by.cmask,
            "inv": by.inv,
            "edge": by.edge,
            "any": by.any,
            "events": objects(&restricted.events),
        })
    };
    let whole = |whole: &Whole| {
        json!({
            "event": object(whole.of),
            "umask": format!("{:#x}", whole.umask),
            "missing": objects(&whole.missing),
        })
    };
    let sum = |sum: &Sum| {
        json!({
            "cmask": sum.by.cmask,
            "inv": sum.by.inv,
            "edge": sum.by.edge,
            "any": sum.by.any,
            "events": objects(&sum.parts),
            "part_of": sum.whole.as_ref().map(whole),
        })
    };
    decoded.iter().try_for_each(|one| {
        let words = one.meaning.given.iter();
        let words = words.map(|(word, bits)| (word.name(), json!(format!("{bits:#x}"))));
        let mut keys = vec![
            ("code", json!(one.code)),
            ("pmu", json!(one.meaning.pmu.map(|pmu| pmu.name()))),
            ("model", json!(one.model.map(|model| model.name()))),
            ("type", json!(one.meaning.type_)),
        ];
        keys.extend(words);
        let (bits, names) = &one.meaning.control;
        let found = &one.found;
        keys.extend([
            ("control", json!({ "bits": format!("{bits:#x}"), "names": names })),
            ("remarks", json!(one.meaning.remarks)),
            ("events", objects(&found.events)),
            ("by_vendor", objects(&found.by_vendor)),
            ("names", json!(found.names)),
            ("restricted", json!(found.restricted.as_ref().map(restricted))),
            ("sum", json!(found.sum.as_ref().map(sum))),
            ("nearest", found.nearest.iter().map(near).collect()),
        ]);
        json::line(out, "code", keys)
    })
}
