//! Codes of PMUs outside the cores, as far as the formats of the CPU have the PMU that is named.
//!
//! Filters can be combined in more ways than a list has events, so a code that no event has is open.

use super::bench::Bench;
use super::{Judgement, Name, Verdict, described, names_of, open, replaced, right};

pub(super) fn of(bench: &Bench, pmu: &str, terms: &str, name: Option<&Name>) -> Judgement {
    let Some(uncore) = bench.uncore(pmu) else {
        return open(format!("no PMU `{pmu}` of the CPU has formats that are known"));
    };
    let pmu = uncore.name();
    let Some(found) = uncore.find(terms) else {
        return open(format!("`{pmu}` has no such terms: {terms}"));
    };
    if !found.is_known() {
        return open(format!("no event of {pmu} has {terms}"));
    }
    let here = format!("{pmu}/{terms}/ counts {}", names_of(&found));
    let named = match name {
        Some(Name::Event(name)) => uncore.named(name),
        _ => Vec::new(),
    };
    let counted = || found.events.iter().chain(&found.by_vendor);
    if let Some(event) = named.iter().find(|of| counted().any(|own| own.event == of.event)) {
        return replaced(*event).unwrap_or_else(|| right(described(*event)));
    }
    if let Some(event) = named.first() {
        let own = format!("{pmu}/{}/", event.event.vendor_event_string());
        return Judgement {
            verdict: Verdict::AnotherEvent,
            evidence: format!("{here}; {} is {own}", event.event.name()),
            fix: Some(own),
        };
    }
    match (name, found.events.first()) {
        (Some(Name::Event(_)), _) => Judgement::new(
            Verdict::OwnName,
            format!("{here}; the vendor has no event of this name"),
        ),
        (_, Some(event)) if found.events.iter().all(|of| of.event.is_deprecated()) => {
            replaced(*event).unwrap_or_else(|| right(here))
        }
        _ => right(here),
    }
}
