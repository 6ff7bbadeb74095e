//! Composes sentences, and compares names with bits.

use std::collections::{BTreeMap, BTreeSet};

use pmu_events_core::__private::glob;

use super::pattern::{Misfit, Reading};
use super::{BRIEF, Families, Family, Phrase};
use crate::arch::Arch;
use crate::lint;
use crate::overlay;
use crate::problem::{Place, Problems};
use crate::record::Record;

/// Describes the events that have no description yet, and reports names that
/// say something else than the bits of the encoding.
pub fn apply(arch: &mut Arch, families: &Families, problems: &mut Problems) {
    let mut run = Run { families, problems, used: Used::default(), reported: BTreeSet::new() };
    for (directory, files) in &mut arch.tables {
        let covers = |family: &&Family| {
            overlay::covers(&family.scope.models, &family.scope.except, directory)
        };
        let covering: Vec<&Family> = families.all.iter().filter(covers).collect();
        if covering.is_empty() {
            continue;
        }
        let table = format!("{}/{directory}", arch.name);
        for record in files.values_mut().flatten() {
            run.event(record, &covering, &table);
        }
    }
    run.unused();
}

/// What has had an effect.
#[derive(Default)]
struct Used {
    families: BTreeSet<Place>,
    words: BTreeSet<(String, String)>,
    misnomers: BTreeSet<(Place, String)>,
}

struct Run<'r> {
    families: &'r Families,
    problems: &'r mut Problems,
    used: Used,
    /// Families and names of which an error is known: one model is enough.
    reported: BTreeSet<(Place, String)>,
}

/// The words of an event's slots.
struct Words {
    slots: BTreeMap<String, Phrase>,
    is_left_out: bool,
}

impl Run<'_> {
    fn event(&mut self, record: &mut Record, covering: &[&Family], table: &str) {
        let Some(name) = record.name().map(str::to_owned) else {
            return;
        };
        let is_described = record.get("BriefDescription").is_some();
        // It gets the description of its successor.
        let is_deprecated = record.get("Deprecated").is_some();
        let unit = record.get("Unit").unwrap_or("core").to_owned();
        let mut first: Option<&Family> = None;
        let mut unknown: Option<(&Family, String)> = None;
        for &family in covering {
            let is_of_unit = |units: &Vec<String>| units.contains(&unit);
            if !family.scope.units.as_ref().is_none_or(is_of_unit) {
                continue;
            }
            let reading = match family.name.read(&name, &self.families.glossaries) {
                Ok(reading) => reading,
                Err(Misfit::Unknown(rest)) => {
                    unknown.get_or_insert((family, rest));
                    continue;
                }
                Err(Misfit::Other) => continue,
            };
            self.used.families.insert(family.place.clone());
            if let Some(first) = first {
                let message = format!("`{name}` of {table} fits {}, too", first.place);
                self.error(family, &name, message);
                continue;
            }
            first = Some(family);
            let words = self.words(record, family, &reading, &name, table);
            let is_said = is_described && !family.replaces;
            let Some(brief) = family.brief.as_ref().filter(|_| !is_said) else {
                continue;
            };
            if words.is_left_out {
                continue;
            }
            let composed = brief_of(brief.text(), &words.slots);
            let checked = composed.and_then(|text| match lint::sentence(&text) {
                Ok(()) => Ok(text),
                Err(why) => Err(format!("{why}: `{text}`")),
            });
            match checked {
                Ok(text) => {
                    record.drop_carried("BriefDescription");
                    record.set("BriefDescription", text);
                    record.carry("BriefDescription", brief);
                }
                Err(why) => {
                    self.error(family, &name, format!("`{name}` of {table}: {why}"));
                    continue;
                }
            }
            if let Some(public) = &family.public {
                record.drop_carried("PublicDescription");
                record.set("PublicDescription", composed_of(public.text(), &words.slots, 0));
                record.carry("PublicDescription", public);
            }
        }
        if let Some((family, rest)) =
            unknown.filter(|_| first.is_none() && !is_described && !is_deprecated)
        {
            let message = format!("`{name}` of {table}: no word of a glossary fits `{rest}`");
            self.error(family, &name, message);
        }
    }

    /// The words of the name, or of the bits where both speak of a slot; an
    /// error if these differ.
    fn words(
        &mut self,
        record: &Record,
        family: &Family,
        reading: &Reading,
        name: &str,
        table: &str,
    ) -> Words {
        let mut words = Words { slots: BTreeMap::new(), is_left_out: false };
        let mut of_name = BTreeMap::new();
        for (slot, glossary) in family.name.parts() {
            let word = &reading[slot];
            let known = self.families.glossaries.get(glossary);
            let phrase = known.and_then(|known| known.words.get(word)).map(|(phrase, _)| phrase);
            self.used.words.insert((glossary.to_owned(), word.clone()));
            words.is_left_out |= phrase.is_some_and(Phrase::is_left_out);
            if let Some(phrase) = phrase {
                of_name.insert(slot, phrase);
            }
            words.slots.insert(slot.to_owned(), phrase.cloned().unwrap_or_default());
        }
        for (slot, bits) in &family.bits {
            let Some(bits) = self.families.tables.get(bits) else {
                continue;
            };
            let phrase = match bits.words(record) {
                Ok(phrase) => phrase,
                Err(why) => {
                    self.error(family, name, format!("`{name}` of {table}: {why}"));
                    words.is_left_out = true;
                    continue;
                }
            };
            words.is_left_out |= phrase.is_left_out();
            if let Some(of_name) = of_name.get(slot.as_str())
                && !of_name.is_left_out()
                && of_name.at(0) != phrase.at(0)
            {
                let exception = family.misnomers.keys().find(|glob| glob::matches(glob, name));
                if let Some(exception) = exception {
                    self.used.misnomers.insert((family.place.clone(), exception.clone()));
                } else {
                    let (says, are) = (of_name.at(0).trim(), phrase.at(0).trim());
                    let value = bits.value(record).unwrap_or_default();
                    let field = &bits.field;
                    let message = format!(
                        "`{name}` of {table}: the name says `{says}`, {field} {value:#x} says `{are}`"
                    );
                    self.error(family, name, message);
                }
            }
            words.slots.insert(slot.clone(), phrase);
        }
        words
    }

    fn error(&mut self, family: &Family, name: &str, message: String) {
        if self.reported.insert((family.place.clone(), name.to_ascii_uppercase())) {
            self.problems.error(family.place.clone(), message);
        }
    }

    /// Reports what describes nothing.
    fn unused(&mut self) {
        for family in &self.families.all {
            if !self.used.families.contains(&family.place) {
                let message = format!("no event of these models fits `{}`", family.written);
                self.problems.error(family.place.clone(), message);
            }
            for (name, (_, place)) in &family.misnomers {
                if !self.used.misnomers.contains(&(family.place.clone(), name.clone())) {
                    let message = format!("`{name}` says what its bits say, or fits no event");
                    self.problems.error(place.clone(), message);
                }
            }
        }
        for (name, glossary) in &self.families.glossaries {
            for (word, (_, place)) in &glossary.words {
                let is_used = self.used.words.contains(&(name.clone(), word.clone()));
                if !is_used && !word.is_empty() {
                    let message = format!("no event has the `{name}` `{word}`");
                    self.problems.error(place.clone(), message);
                }
            }
        }
        let mut tables = self.families.tables.iter();
        let of_family = |table: &str| {
            self.families.all.iter().any(|family| family.bits.iter().any(|(_, own)| own == table))
        };
        if let Some((name, table)) = tables.find(|(name, _)| !of_family(name)) {
            self.problems.error(table.place.clone(), format!("no family uses the table `{name}`"));
        }
    }
}

/// The longest text that is short enough.
fn brief_of(template: &str, words: &BTreeMap<String, Phrase>) -> Result<String, String> {
    let variants = words.values().map(|phrase| phrase.0.len()).max().unwrap_or_default().max(1);
    let mut shortest = String::new();
    for n in 0..variants {
        shortest = composed_of(template, words, n);
        if shortest.len() <= BRIEF {
            return Ok(shortest);
        }
    }
    Err(format!("{} characters, more than {BRIEF}: `{shortest}`", shortest.len()))
}

/// Fills the slots with the `n`th variant of each phrase.
fn composed_of(template: &str, words: &BTreeMap<String, Phrase>, n: usize) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, (slot, after))) =
        rest.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
    {
        text.push_str(before);
        text.push_str(words.get(slot).map_or("", |phrase| phrase.at(n)));
        rest = after;
    }
    text.push_str(rest);
    if let Some(first) = text.get(..1) {
        let first = first.to_ascii_uppercase();
        text.replace_range(..1, &first);
    }
    text
}
