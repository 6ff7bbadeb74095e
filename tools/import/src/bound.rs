//! Which encodings each sentence of the overlay was read for.
//!
//! A name says little: another model may have it with another code, and mean something
//! else by it. `overlay/<arch>/accepted.txt` lists, for each event and encoding, the
//! sentences that were accepted for it, by their keys. A sentence that is in the list
//! and would stand at an encoding that is not is refused, until someone has looked.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Write as _;
use std::path::Path;

use pmu_events_core::__private::glob;

use crate::arch::Arch;
use crate::encoded;
use crate::json::File;
use crate::problem::{Place, Problems};
use crate::record::Record;
use crate::sentence::{Key, Sentence};

/// The file beside the sentences of an architecture.
pub const FILE: &str = "accepted.txt";

/// The sentences that were accepted for each encoding of an event.
#[derive(Clone, Debug, Default)]
pub struct Accepted {
    /// By name, in the order of lower case, and encoding.
    events: BTreeMap<Name, BTreeMap<String, BTreeSet<Key>>>,
    /// The encodings of each sentence, whatever the names of the events.
    sentences: HashMap<Key, HashSet<String>>,
}

/// A name, ordered without regard to letter case first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Name {
    lower: String,
    spelt: String,
}

impl Name {
    fn of(name: &str) -> Name {
        Name { lower: name.to_ascii_lowercase(), spelt: name.to_owned() }
    }
}

/// A sentence that would stand at an encoding for which it was not accepted.
#[derive(Clone, Debug)]
pub struct Refused {
    /// The sentence.
    pub sentence: Sentence,
    /// The name of the event.
    pub event: String,
    /// What selects it.
    pub encoding: String,
    /// Its unit, if it has one.
    pub unit: String,
    /// The directories of the models that have it.
    pub models: Vec<String>,
    /// Some of the encodings for which the sentence was accepted; none if the sentence is
    /// new and the event had other encodings.
    pub known: Vec<String>,
}

/// What an architecture says, and may not say.
#[derive(Clone, Debug, Default)]
pub struct Bound {
    /// What is said now, without what is refused.
    pub accepted: Accepted,
    /// What is refused.
    pub refused: Vec<Refused>,
}

impl Accepted {
    /// Reads the list of an overlay; empty if there is none.
    #[must_use]
    pub fn of(overlay: &Path, problems: &mut Problems) -> Accepted {
        let path = overlay.join(FILE);
        match std::fs::read_to_string(&path) {
            Ok(text) => Accepted::read(&File::new(&path.to_string_lossy(), &text), problems),
            Err(_) => Accepted::default(),
        }
    }

    /// Reads the text of a list.
    #[must_use]
    pub fn read(file: &File, problems: &mut Problems) -> Accepted {
        let mut accepted = Accepted::default();
        let mut event = None;
        for (number, line) in file.text().lines().enumerate().skip(HEAD.lines().count()) {
            let Some(line) = line.strip_prefix('\t') else {
                event = Some(line);
                continue;
            };
            let keys = line.split_once('\t').and_then(|(encoding, keys)| {
                let keys: Option<Vec<Key>> =
                    keys.split(' ').map(|key| u32::from_str_radix(key, 16).ok().map(Key)).collect();
                Some((encoding, keys?))
            });
            match (event, keys) {
                (Some(event), Some((encoding, keys))) => {
                    keys.into_iter().for_each(|key| accepted.add(event, encoding, key));
                }
                _ => {
                    let place = Place { path: file.path().to_owned(), line: number + 1, column: 1 };
                    problems.error(place, "expected an encoding and the keys of its sentences");
                }
            }
        }
        accepted
    }

    /// Accepts a sentence for an encoding.
    pub fn add(&mut self, event: &str, encoding: &str, key: Key) {
        let encodings = self.events.entry(Name::of(event)).or_default();
        match encodings.get_mut(encoding) {
            Some(keys) => {
                keys.insert(key);
            }
            None => {
                encodings.insert(encoding.to_owned(), BTreeSet::from([key]));
            }
        }
        let encodings = self.sentences.entry(key).or_default();
        if !encodings.contains(encoding) {
            encodings.insert(encoding.to_owned());
        }
    }

    /// Whether nothing is accepted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// The text of the list.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = HEAD.to_owned();
        for (name, encodings) in &self.events {
            let _ = writeln!(out, "{}", name.spelt);
            for (encoding, keys) in encodings {
                let keys: Vec<String> = keys.iter().map(|Key(key)| format!("{key:08x}")).collect();
                let _ = writeln!(out, "\t{encoding}\t{}", keys.join(" "));
            }
        }
        out
    }

    /// The encodings of an event, whatever its letter case; none if the list has no such
    /// event.
    fn encodings(&self, event: &str) -> impl Iterator<Item = &str> {
        let lower = event.to_ascii_lowercase();
        let from = Name { lower: lower.clone(), spelt: String::new() };
        let events = self.events.range(from..).take_while(move |(name, _)| name.lower == lower);
        events.flat_map(|(_, encodings)| encodings.keys().map(String::as_str))
    }

    /// Whether a sentence may stand at an encoding of an event.
    fn allows(&self, event: &str, encoding: &str, key: Key, facts_are_new: bool) -> bool {
        match self.sentences.get(&key) {
            Some(encodings) => encodings.contains(encoding),
            // A sentence that nobody has accepted yet is new, or was edited. It stands
            // where its author saw it: at the facts that were there.
            None => {
                let mut known = self.encodings(event).peekable();
                !facts_are_new || known.peek().is_none() || known.any(|known| known == encoding)
            }
        }
    }

    /// Some encodings for which a sentence was accepted, those of the event first.
    fn examples(&self, event: &str, key: Key) -> Vec<String> {
        const MOST: usize = 3;
        let Some(encodings) = self.sentences.get(&key) else {
            return Vec::new();
        };
        let is_known = |encoding: &&str| encodings.contains(*encoding);
        let own: BTreeSet<&str> = self.encodings(event).filter(is_known).collect();
        let all: BTreeSet<&str> = encodings.iter().map(String::as_str).collect();
        let others = all.iter().filter(|encoding| !own.contains(*encoding));
        own.iter().chain(others).take(MOST).map(|encoding| (*encoding).to_owned()).collect()
    }
}

const HEAD: &str = "\
# Written by tools/import: the encodings of each event for which its sentences were accepted, and the keys
# of these sentences. See tools/import/README.md, Sentences and encodings.
";

/// What an architecture says at which encodings, beside what was accepted. Sentences that
/// are new are accepted for the facts that were there when they were written, hence not if
/// `facts_are_new`, unless the event is new, too.
#[must_use]
pub fn check(arch: &Arch, accepted: &Accepted, facts_are_new: bool) -> Bound {
    let standard: HashMap<String, &Record> = arch
        .records("")
        .filter_map(|record| Some((record.name()?.to_ascii_lowercase(), record)))
        .collect();
    let mut bound = Bound::default();
    let mut refused: BTreeMap<(Place, String, String), Refused> = BTreeMap::new();
    for (directory, files) in &arch.tables {
        for record in files.values().flatten() {
            let Some(event) = record.name() else {
                continue;
            };
            let mut sentences = record.carried().peekable();
            if sentences.peek().is_none() {
                continue;
            }
            let reference = record.get("ArchStdEvent").map(str::to_ascii_lowercase);
            let inherited = reference.and_then(|reference| standard.get(&reference)).copied();
            let encoding = encoded::text(record, inherited);
            for sentence in sentences {
                if accepted.allows(event, &encoding, sentence.key(), facts_are_new) {
                    bound.accepted.add(event, &encoding, sentence.key());
                    continue;
                }
                let at = (sentence.place().clone(), event.to_owned(), encoding.clone());
                let one = refused.entry(at).or_insert_with(|| Refused {
                    sentence: sentence.clone(),
                    event: event.to_owned(),
                    encoding: encoding.clone(),
                    unit: record.get("Unit").unwrap_or_default().to_owned(),
                    models: Vec::new(),
                    known: accepted.examples(event, sentence.key()),
                });
                one.models.push(directory.clone());
            }
        }
    }
    bound.refused = refused.into_values().collect();
    bound
}

impl Bound {
    /// Accepts what is refused of events whose names match one of these globs; returns it.
    pub fn accept(&mut self, globs: &[String]) -> Vec<Refused> {
        let is_accepted =
            |refused: &Refused| globs.iter().any(|glob| glob::matches(glob, &refused.event));
        let (accepted, refused) =
            std::mem::take(&mut self.refused).into_iter().partition(is_accepted);
        self.refused = refused;
        let accepted: Vec<Refused> = accepted;
        for Refused { sentence, event, encoding, .. } in &accepted {
            self.accepted.add(event, encoding, sentence.key());
        }
        accepted
    }
}

impl Refused {
    /// The words of another tree for the event: the brief description, and the longer one
    /// if it says more.
    #[must_use]
    pub fn words_of(&self, other: &Arch) -> Option<String> {
        let is_it = |record: &&Record| {
            record.is_named(&self.event) && record.get("Unit").unwrap_or_default() == self.unit
        };
        let mut records = self.models.iter().flat_map(|model| other.records(model));
        let record = records.find(is_it)?;
        let texts = ["BriefDescription", "PublicDescription"].map(|key| record.get(key));
        match texts {
            [Some(brief), Some(more)] if more != brief => Some(format!("{brief} / {more}")),
            [brief, more] => brief.or(more).map(str::to_owned),
        }
    }

    /// What is wrong, for the architecture of that name.
    #[must_use]
    pub fn message(&self, arch: &str) -> String {
        let Refused { sentence, event, encoding, models, known, .. } = self;
        let first = models.first().map_or("", String::as_str);
        let more = match models.len() {
            0 | 1 => String::new(),
            all => format!(" and {} more", all - 1),
        };
        let was = match known.is_empty() {
            true => "this text is new, and so is the encoding".to_owned(),
            false => format!("accepted for {}", known.join(" ")),
        };
        let text = sentence.text();
        format!("`{event}` of {arch}/{first}{more} is {encoding}; {was}: `{text}`")
    }
}
