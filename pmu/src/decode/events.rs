//! The events of a table that have a code's words, and those that nearly do.

use pmu_events::__private::name;
use pmu_events::encoded::Difference;
use pmu_events::format::{Format, Formats, Words};
use pmu_events::sysfs::Pmu;
use pmu_events::{Event, Model, config, term::Terms};

use crate::decode::code::{self, Meaning};
use crate::system::System;

/// Terms that determine what is counted; all others only restrict it.
const CODES: [&str; 3] = ["event", "eventid", "type"];

/// An event, and the model in whose table it was found: others may share it.
#[derive(Clone, Copy)]
pub(crate) struct OfModel {
    pub(crate) model: Model,
    pub(crate) event: Event,
}

/// The events that have the words.
pub(crate) struct Found {
    pub(crate) events: Vec<OfModel>,
    /// Those of which only the vendor's code has them, as perf counts the name by another.
    pub(crate) by_vendor: Vec<OfModel>,
    /// Names without a table: generic events, and those of the PMU's driver.
    pub(crate) names: Vec<String>,
    /// If no event has them, the events that differ least.
    pub(crate) nearest: Vec<Near>,
}

pub(crate) struct Near {
    pub(crate) of: OfModel,
    /// Each is a term, its value in the event, and its value in the code.
    pub(crate) differences: Vec<(String, u64, u64)>,
}

pub(crate) fn find(system: &System, meaning: &Meaning<'_>, most: usize) -> Found {
    let Some(pmu) = meaning.pmu else {
        let names = code::generic(meaning.type_, meaning.words.config());
        let names = names.into_iter().map(String::from).collect();
        return Found { events: Vec::new(), by_vendor: Vec::new(), names, nearest: Vec::new() };
    };
    let formats: Vec<(&str, Format)> = pmu.formats().collect();
    let formats = Formats::new(&formats);
    let all = events_of(system, pmu);
    let has = |of: &OfModel| of.event.is_encoded_as(meaning.words, formats);
    let mut events: Vec<OfModel> = all.iter().copied().filter(has).collect();
    events.sort_by_key(|of| of.event.is_deprecated());
    let has = |terms: &str| {
        config::encode(Terms::new(terms), formats).is_ok_and(|own| own.words() == meaning.words)
    };
    let mut by_vendor: Vec<OfModel> =
        all.iter().copied().filter(|of| has(of.event.vendor_event_string())).collect();
    by_vendor.retain(|of| !events.iter().any(|known| known.event == of.event));
    let mut names: Vec<String> =
        pmu.events().filter(|alias| has(alias.terms())).map(|alias| alias.name().into()).collect();
    names.retain(|own| !events.iter().any(|of| name::eq(of.event.name(), own)));
    names
        .extend(code::generic(meaning.type_, meaning.words.config()).into_iter().map(String::from));
    let is_found = !events.is_empty() || !by_vendor.is_empty();
    let nearest = if !is_found { nearest(&all, meaning.words, formats, most) } else { Vec::new() };
    Found { events, by_vendor, names, nearest }
}

/// The events of a PMU: of its CPUs' table, and of sys tables.
fn events_of(system: &System, pmu: &Pmu) -> Vec<OfModel> {
    let of_unit = |model: Model| {
        let units = model.pmus().filter(|unit| pmu.is_of_unit(unit.name()));
        units.flat_map(|unit| unit.events()).map(move |event| OfModel { model, event })
    };
    let encoding = system.encoding();
    let of_cpu = system.model_of(pmu).into_iter().flat_map(of_unit);
    let mut events: Vec<OfModel> =
        of_cpu.map(|of| OfModel { event: of.event.with_encoding(encoding), ..of }).collect();
    let sys_tables = || system.trees().iter().flat_map(|tree| tree.sys_tables());
    match pmu.identifier() {
        Some(identifier) => {
            let trees = system.trees().iter();
            for event in trees.flat_map(|tree| tree.sys_events(pmu.name(), identifier)) {
                let has = |table: &Model| table.events_named(event.name()).any(|own| own == event);
                events.extend(sys_tables().find(has).map(|model| OfModel { model, event }));
            }
        }
        // Nothing tells which of them it is, so all that have its name.
        None if system.builtin.is_some() => {
            for of in sys_tables().flat_map(of_unit) {
                if !events.iter().any(|known| known.event == of.event) {
                    events.push(of);
                }
            }
        }
        None => {}
    }
    events
}

/// Events that count the same thing with other restrictions or, if there are
/// none, events that differ in one or two bits.
fn nearest(all: &[OfModel], words: Words, formats: Formats<'_>, most: usize) -> Vec<Near> {
    let mut ranked = Vec::new();
    for &of in all {
        let Ok(own) = of.event.encode(formats) else { continue };
        let bits = own.words().difference(words).count_ones();
        let differences: Vec<Difference<'_>> =
            of.event.differences(words, formats).into_iter().flatten().collect();
        let is_other = differences.iter().any(|one| CODES.contains(&one.term()));
        if !is_other || bits <= 2 {
            let rank = (is_other, differences.len(), bits, of.event.is_deprecated());
            ranked.push((rank, of, differences));
        }
    }
    ranked.sort_by_key(|(rank, ..)| *rank);
    let own = |one: &Difference<'_>| (one.term().to_string(), one.event(), one.given());
    ranked
        .iter()
        .take(most)
        .map(|(_, of, all)| Near { of: *of, differences: all.iter().map(own).collect() })
        .collect()
}
