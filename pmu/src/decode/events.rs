//! The events of a table that have a code's words, and those that nearly do.

use pmu_events::encoded::Difference;
use pmu_events::format::{Format, Formats, Words};
use pmu_events::sysfs::Pmu;
use pmu_events::{Event, config, term::Terms};

use crate::decode::code::{self, Meaning};
use crate::system::System;

/// Terms that determine what is counted; all others only restrict it.
const CODES: [&str; 3] = ["event", "eventid", "type"];

/// The events that have the words.
pub(crate) struct Found {
    pub(crate) events: Vec<Event>,
    /// Names without a table: generic events, and those of the PMU's driver.
    pub(crate) names: Vec<String>,
    /// If no event has them, the events that differ least.
    pub(crate) nearest: Vec<Near>,
}

pub(crate) struct Near {
    pub(crate) event: Event,
    /// Each is a term, its value in the event, and its value in the code.
    pub(crate) differences: Vec<(String, u64, u64)>,
}

pub(crate) fn find(system: &System, meaning: &Meaning<'_>, most: usize) -> Found {
    let Some(pmu) = meaning.pmu else {
        let names = code::generic(meaning.type_, meaning.words[0]);
        let names = names.into_iter().map(String::from).collect();
        return Found { events: Vec::new(), names, nearest: Vec::new() };
    };
    let formats: Vec<(&str, Format)> = pmu.formats().collect();
    let formats = Formats::new(&formats);
    let all = events_of(system, pmu);
    let has = |event: &Event| event.is_encoded_as(meaning.words, formats);
    let mut events: Vec<Event> = all.iter().copied().filter(has).collect();
    events.sort_by_key(|event| event.is_deprecated());
    let has = |terms: &str| {
        config::encode(Terms::new(terms), formats).is_ok_and(|own| own.words == meaning.words)
    };
    let mut names: Vec<String> =
        pmu.events().filter(|alias| has(&alias.terms)).map(|alias| alias.name.clone()).collect();
    names.retain(|name| !events.iter().any(|event| event.name().eq_ignore_ascii_case(name)));
    names.extend(code::generic(meaning.type_, meaning.words[0]).into_iter().map(String::from));
    let nearest =
        if events.is_empty() { nearest(&all, meaning.words, formats, most) } else { Vec::new() };
    Found { events, names, nearest }
}

/// The events of a PMU: of its CPUs' table, and of sys tables.
fn events_of(system: &System, pmu: &Pmu) -> Vec<Event> {
    let model = system.model_of(pmu);
    let units = model.iter().flat_map(|model| model.pmus());
    let of_cpu = units.filter(|unit| pmu.is_of_unit(unit.name())).flat_map(|unit| unit.events());
    let encoding = system.encoding();
    let mut events: Vec<Event> = of_cpu.map(|event| event.with_encoding(encoding)).collect();
    let trees = system.trees().iter();
    match pmu.identifier() {
        Some(identifier) => {
            events.extend(trees.flat_map(|tree| tree.sys_events(pmu.name(), identifier)));
        }
        // Nothing tells which of them it is, so all that have its name.
        None if system.builtin.is_some() => {
            let units = trees.flat_map(|tree| tree.sys_tables()).flat_map(|table| table.pmus());
            let own = units.filter(|unit| pmu.is_of_unit(unit.name()));
            for event in own.flat_map(|unit| unit.events()) {
                if !events.contains(&event) {
                    events.push(event);
                }
            }
        }
        None => {}
    }
    events
}

/// Events that count the same thing with other restrictions or, if there are
/// none, events that differ in one or two bits.
fn nearest(all: &[Event], words: Words, formats: Formats<'_>, most: usize) -> Vec<Near> {
    let mut ranked = Vec::new();
    for &event in all {
        let Some(differences) = event.differences(words, formats) else { continue };
        let bits = differences.bits();
        let differences: Vec<Difference<'_>> = differences.collect();
        let is_other = differences.iter().any(|one| CODES.contains(&one.term));
        if !is_other || bits <= 2 {
            let rank = (is_other, differences.len(), bits, event.is_deprecated());
            ranked.push((rank, event, differences));
        }
    }
    ranked.sort_by_key(|(rank, ..)| *rank);
    let own = |one: &Difference<'_>| (one.term.to_string(), one.event, one.given);
    ranked
        .iter()
        .take(most)
        .map(|(_, event, all)| Near { event: *event, differences: all.iter().map(own).collect() })
        .collect()
}
