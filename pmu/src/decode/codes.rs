//! The events of a PMU by their config words, and what words mean that are no event's.

use pmu_events::__private::name;
use pmu_events::encoded::Difference;
use pmu_events::format::{Format, Formats, Word, Words};
use pmu_events::sysfs::Pmu;
use pmu_events::{Model, config, term::Terms};

use super::coded::{Coded, OfModel};
use super::counter::Counter;
use super::restriction::{self, Restricted};
use super::sum::{self, Sum};
use super::{generic, registers};
use crate::system::System;

/// Terms that determine what is counted; all others only restrict it.
const CODES: [&str; 3] = ["event", "eventid", "type"];

/// The events of a PMU, each with its config words.
pub(crate) struct Codes<'s> {
    pmu: &'s Pmu,
    formats: Vec<(&'s str, Format)>,
    pub(crate) events: Vec<Coded>,
    /// Those for which the vendor's code is another than perf's.
    by_vendor: Vec<Coded>,
}

/// What some words mean.
#[derive(Default)]
pub(crate) struct Found {
    /// The events that have the words.
    pub(crate) events: Vec<OfModel>,
    /// Those of which only the vendor's code has them, as perf counts the name by another.
    pub(crate) by_vendor: Vec<OfModel>,
    /// Names without a table: generic events, and those of the PMU's driver.
    pub(crate) names: Vec<String>,
    /// Whether the events have a counter in their codes, and the words have none.
    pub(crate) is_without_counter: bool,
    /// If no event has them, events of which they count only a part.
    pub(crate) restricted: Option<Restricted>,
    /// If no event has their unit mask, the events that make it up.
    pub(crate) sum: Option<Sum>,
    /// If nothing has them, the events that differ least.
    pub(crate) nearest: Vec<Near>,
}

pub(crate) struct Near {
    pub(crate) of: OfModel,
    /// Each is a term, its value in the event, and its value in the code.
    pub(crate) differences: Vec<(String, u64, u64)>,
}

impl Found {
    /// Whether the words are known to count something.
    pub(crate) fn is_known(&self) -> bool {
        let is_event = !self.events.is_empty() || !self.by_vendor.is_empty();
        is_event || !self.names.is_empty() || self.restricted.is_some() || self.sum.is_some()
    }

    /// What a type and a number mean that the kernel encodes.
    pub(crate) fn generic(type_: u32, config: u64) -> Found {
        let names = generic::names(type_, config).into_iter().map(String::from).collect();
        Found { names, ..Found::default() }
    }
}

impl<'s> Codes<'s> {
    pub(crate) fn new(system: &System, pmu: &'s Pmu) -> Codes<'s> {
        let formats: Vec<(&str, Format)> = pmu.formats().collect();
        let mut codes = Codes { pmu, formats, events: Vec::new(), by_vendor: Vec::new() };
        let all = events_of(system, pmu);
        let words = |terms: &str| Some(codes.encoded(terms)?.words());
        let coded = |of: &OfModel| Some(Coded { of: *of, words: words(of.event.event_string())? });
        let events = all.iter().filter_map(coded).collect();
        let hidden = |of: &OfModel| {
            let own = of.event.vendor_event_string();
            let is_hidden = own != of.event.event_string();
            is_hidden.then(|| Some(Coded { of: *of, words: words(own)? })).flatten()
        };
        let by_vendor = all.iter().filter_map(hidden).collect();
        (codes.events, codes.by_vendor) = (events, by_vendor);
        codes
    }

    pub(crate) fn formats(&self) -> Formats<'_> {
        Formats::new(&self.formats)
    }

    /// The words of an event string.
    pub(crate) fn encoded<'t>(&self, terms: &'t str) -> Option<config::Encoded<'t>> {
        config::encode(Terms::new(terms), self.formats()).ok()
    }

    /// The counter that codes of the PMU name, if they do.
    pub(crate) fn counter(&self) -> Option<Counter> {
        Counter::of(self.formats())
    }

    /// What the words mean, as those of an event of a type.
    pub(crate) fn find(&self, type_: u32, given: Words, most: usize) -> Found {
        let words = registers::first(given, &self.events, self.formats());
        let named = |all: &[Coded]| -> Vec<OfModel> {
            all.iter().filter(|own| own.words == words).map(|own| own.of).collect()
        };
        let mut events = named(&self.events);
        events.sort_by_key(|of| of.event.is_deprecated());
        let mut by_vendor = named(&self.by_vendor);
        by_vendor.retain(|of| !events.iter().any(|known| known.event == of.event));
        let has = |terms: &str| self.encoded(terms).is_some_and(|own| own.words() == words);
        let aliases = self.pmu.events().filter(|alias| has(alias.terms()));
        let mut names: Vec<String> = aliases.map(|alias| alias.name().into()).collect();
        names.retain(|own| !events.iter().any(|of| name::eq(of.event.name(), own)));
        names.extend(generic::names(type_, words.config()).into_iter().map(String::from));
        let mut found = Found { events, by_vendor, names, ..Found::default() };
        if let Some(counter) = self.counter().filter(|_| !found.is_known()) {
            let is_same = |own: &&Coded| counter.may_be_same(own.words, words);
            found.events = self.events.iter().filter(is_same).map(|own| own.of).collect();
            found.is_without_counter = found.is_known() && counter.is_none_in(words);
        }
        if !found.is_known() {
            found.restricted = restriction::find(words, &self.events, self.formats());
        }
        if !found.is_known() {
            found.sum = sum::find(words, &self.events, self.formats());
        }
        if most > 0 && !found.is_known() {
            found.nearest = self.nearest(words, most);
        }
        found
    }

    /// Events of the same code with other restrictions or in other counters or, if the code has none,
    /// events that differ in one or two bits.
    fn nearest(&self, words: Words, most: usize) -> Vec<Near> {
        if let Some(counter) = self.counter() {
            let in_others: Vec<Near> = self
                .events
                .iter()
                .filter(|own| counter.is_same_without(own.words, words))
                .take(most)
                .map(|own| Near {
                    of: own.of,
                    differences: vec![counter.difference(own.words, words)],
                })
                .collect();
            if !in_others.is_empty() {
                return in_others;
            }
        }
        let mut ranked = Vec::new();
        for &Coded { of, words: own } in &self.events {
            let bits = own.difference(words).count_ones();
            let differences = of.event.differences(words, self.formats());
            let differences: Vec<Difference<'_>> = differences.into_iter().flatten().collect();
            let own_terms = self.differences(of, own, words, &differences);
            let is_other = differences.iter().any(|one| CODES.contains(&one.term()));
            if !is_other || bits <= 2 {
                let rank = (is_other, differences.len(), bits, of.event.is_deprecated());
                ranked.push((rank, of, own_terms));
            }
        }
        if ranked.iter().any(|((is_other, ..), ..)| !is_other) {
            ranked.retain(|((is_other, ..), ..)| !is_other);
        }
        ranked.sort_by_key(|(rank, ..)| *rank);
        let near = ranked.into_iter().take(most);
        near.map(|(_, of, differences)| Near { of, differences }).collect()
    }

    /// Differences by the event's terms. Formats of the registers behind `config` overlap: where the
    /// event has none of them, the word itself differs.
    fn differences(
        &self,
        of: OfModel,
        own: Words,
        given: Words,
        all: &[Difference<'_>],
    ) -> Vec<(String, u64, u64)> {
        let mut shown = Vec::new();
        for one in all {
            let word = self.formats().find(one.term()).map(|format| format.word());
            let is_own = of.event.terms().any(|term| term.name() == one.term());
            let difference = match word.filter(|word| *word != Word::Config && !is_own) {
                Some(word) => (word.name().to_string(), own.get(word), given.get(word)),
                None => (one.term().to_string(), one.event(), one.given()),
            };
            if !shown.contains(&difference) {
                shown.push(difference);
            }
        }
        shown
    }
}

/// The events of a PMU: of its CPUs' table, and of sys tables.
pub(super) fn events_of(system: &System, pmu: &Pmu) -> Vec<OfModel> {
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
