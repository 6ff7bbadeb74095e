//! Whether sentences agree with the facts beside them: with the name of the
//! event, its code and its keys. These errors need no other text to be found.

use std::collections::{BTreeSet, HashMap};
use std::fmt;

use crate::arch::{self, Arch};
use crate::deprecated;
use crate::problem::Place;
use crate::record::{Encoding, Record};

pub mod against;
mod exceptions;
mod filters;
mod rules;
mod said;
#[cfg(test)]
mod tests;

pub use exceptions::{Exceptions, FILE};
use rules::RULES;
use said::Said;

/// A sentence that a rule refuses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The name of the rule.
    pub rule: &'static str,
    /// The place of the event.
    pub place: Place,
    /// The architecture.
    pub arch: String,
    /// The directory of the model.
    pub model: String,
    /// The name of the event.
    pub event: String,
    /// What is wrong, with the sentence.
    pub message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding { rule, place, event, message, .. } = self;
        write!(f, "{place}: event `{event}`: {rule}: {message}")
    }
}

/// The names of the rules.
pub fn rules() -> impl Iterator<Item = &'static str> {
    RULES.iter().map(|(name, _)| *name)
}

/// Applies every rule to every described event of an architecture.
#[must_use]
pub fn check(arch: &Arch) -> Vec<Finding> {
    let standard: HashMap<String, &Record> = arch
        .records("")
        .filter_map(|record| Some((record.name()?.to_ascii_lowercase(), record)))
        .collect();
    let mut findings = Vec::new();
    for directory in arch.tables.keys() {
        let mut others: HashMap<Encoding, BTreeSet<&str>> = HashMap::new();
        for record in arch.records(directory).filter(|record| record.get("Deprecated").is_none()) {
            if let Some(name) = record.name() {
                others.entry(record.encoding()).or_default().insert(name);
            }
        }
        let units: BTreeSet<&str> =
            arch.records(directory).filter_map(|record| record.get("Unit")).collect();
        for record in arch.records(directory) {
            let reference = record.get("ArchStdEvent").map(str::to_ascii_lowercase);
            let inherited = reference.and_then(|reference| standard.get(&reference)).copied();
            let words = |key| record.get(key).or_else(|| inherited?.get(key));
            let (Some(name), Some(brief)) = (record.name(), words("BriefDescription")) else {
                continue;
            };
            let text = [brief, words("PublicDescription").unwrap_or_default()].join(" ");
            let said = Said {
                arch: &arch.name,
                record,
                name: name.to_ascii_uppercase(),
                brief: deprecated::without_note(brief),
                text: text.to_ascii_lowercase(),
                units: &units,
                others: &others,
            };
            for (name, refuses) in RULES {
                // What is only known to be deprecated has no other sentence.
                if said.brief.is_empty() && *name != "deprecated" {
                    continue;
                }
                if let Some(why) = refuses(&said) {
                    findings.push(Finding {
                        rule: name,
                        place: record.place.clone(),
                        arch: arch.name.clone(),
                        model: arch::owner(directory).to_owned(),
                        event: record.name().unwrap_or_default().to_owned(),
                        message: format!("{why}: `{brief}`"),
                    });
                }
            }
        }
    }
    findings
}
