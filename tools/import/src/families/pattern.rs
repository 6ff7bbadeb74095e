//! Patterns over names of events.
//!
//! `UNC_CHA_TOR_INSERTS.{origin}[_{result}]`: text is compared without regard
//! to letter case, `{part}` is one of the words of a glossary, `{slot:part}`
//! the same under another name, and `[…]` may be missing.

use std::collections::BTreeMap;

use super::Glossary;

/// A parsed pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    items: Vec<Item>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Item {
    /// In upper case.
    Text(String),
    Part {
        slot: String,
        glossary: String,
    },
    Optional(Vec<Item>),
}

/// The key of the glossary that each slot's part has; `""` if the part is
/// missing.
pub type Reading = BTreeMap<String, String>;

/// How a name fails to fit a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// The pattern is not about such names.
    Other,
    /// The name is of this family up to its last full stop, and this rest of it
    /// is unknown.
    Unknown(String),
}

impl Pattern {
    /// Parses a pattern.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn new(text: &str) -> Result<Self, String> {
        let mut rest = text;
        let items = items(&mut rest, false)?;
        Ok(Pattern { items })
    }

    /// Slots and their glossaries.
    #[must_use]
    pub fn parts(&self) -> Vec<(&str, &str)> {
        fn collect<'p>(items: &'p [Item], parts: &mut Vec<(&'p str, &'p str)>) {
            for item in items {
                match item {
                    Item::Text(_) => {}
                    Item::Part { slot, glossary } => parts.push((slot, glossary)),
                    Item::Optional(items) => collect(items, parts),
                }
            }
        }
        let mut parts = Vec::new();
        collect(&self.items, &mut parts);
        parts
    }

    /// Splits a name into parts.
    ///
    /// # Errors
    ///
    /// When the name does not fit.
    pub fn read(
        &self,
        name: &str,
        glossaries: &BTreeMap<String, Glossary>,
    ) -> Result<Reading, Misfit> {
        if !self.may_fit(name) {
            return Err(Misfit::Other);
        }
        let name = name.to_ascii_uppercase();
        let mut search = Search { glossaries, name: &name, reading: Reading::new(), furthest: 0 };
        let items: Vec<&Item> = self.items.iter().collect();
        if search.fits(&items, 0) {
            let mut reading = search.reading;
            for (slot, _) in self.parts() {
                reading.entry(slot.to_owned()).or_default();
            }
            return Ok(reading);
        }
        let stop = name.rfind('.').filter(|stop| search.furthest > *stop);
        // A pattern whose text does not include the full stop is about any
        // name.
        let has_stop = |item: &Item| matches!(item, Item::Text(text) if text.contains('.'));
        match stop {
            Some(_) if self.items.iter().any(has_stop) => {
                Err(Misfit::Unknown(name[search.furthest..].to_owned()))
            }
            _ => Err(Misfit::Other),
        }
    }
}

impl Pattern {
    /// A quick look at the text in front: most names are of other families.
    fn may_fit(&self, name: &str) -> bool {
        let Some(Item::Text(text)) = self.items.first() else {
            return true;
        };
        let head = text.rfind('.').map_or(text.len(), |stop| stop + 1);
        name.get(..head).is_some_and(|own| own.eq_ignore_ascii_case(&text[..head]))
    }
}

struct Search<'s> {
    glossaries: &'s BTreeMap<String, Glossary>,
    /// In upper case.
    name: &'s str,
    reading: Reading,
    /// The offset up to which the name has fitted in some attempt.
    furthest: usize,
}

impl Search<'_> {
    /// Whether the name fits from an offset on; on success, the reading is
    /// complete.
    fn fits(&mut self, items: &[&Item], at: usize) -> bool {
        self.furthest = self.furthest.max(at);
        let Some((first, others)) = items.split_first() else {
            return at == self.name.len();
        };
        let rest = &self.name[at..];
        match first {
            Item::Text(text) => {
                let same = rest.bytes().zip(text.bytes()).take_while(|(a, b)| a == b).count();
                if same < text.len() {
                    self.furthest = self.furthest.max(at + same);
                    return false;
                }
                self.fits(others, at + same)
            }
            Item::Part { slot, glossary } => {
                let known = self.glossaries.get(glossary);
                let words = known.into_iter().flat_map(|known| known.words.keys());
                let mut fitting: Vec<&String> =
                    words.filter(|word| !word.is_empty() && rest.starts_with(*word)).collect();
                // `DRD_OPT` before `DRD`.
                fitting.sort_by_key(|word| std::cmp::Reverse(word.len()));
                for word in fitting {
                    if self.fits(others, at + word.len()) {
                        self.reading.insert(slot.clone(), word.clone());
                        return true;
                    }
                }
                false
            }
            Item::Optional(inner) => {
                let with: Vec<&Item> = inner.iter().chain(others.iter().copied()).collect();
                self.fits(&with, at) || self.fits(others, at)
            }
        }
    }
}

fn items(rest: &mut &str, is_inner: bool) -> Result<Vec<Item>, String> {
    let mut items = Vec::new();
    while let Some(first) = rest.chars().next() {
        match first {
            ']' if is_inner => {
                *rest = &rest[1..];
                return Ok(items);
            }
            '[' => {
                *rest = &rest[1..];
                items.push(Item::Optional(self::items(rest, true)?));
            }
            '{' => {
                let (part, after) =
                    rest[1..].split_once('}').ok_or("a `{` has no `}`".to_owned())?;
                let (slot, glossary) = part.split_once(':').unwrap_or((part, part));
                items.push(Item::Part { slot: slot.to_owned(), glossary: glossary.to_owned() });
                *rest = after;
            }
            ']' | '}' => return Err(format!("a `{first}` closes nothing")),
            _ => {
                let end = rest.find(['[', ']', '{', '}']).unwrap_or(rest.len());
                items.push(Item::Text(rest[..end].to_ascii_uppercase()));
                *rest = &rest[end..];
            }
        }
    }
    if is_inner { Err("a `[` has no `]`".to_owned()) } else { Ok(items) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::Phrase;
    use crate::problem::Place;

    fn glossaries() -> BTreeMap<String, Glossary> {
        let place = Place::file("g.json");
        let glossary = |words: &[&str]| Glossary {
            words: words
                .iter()
                .map(|word| {
                    ((*word).to_owned(), (Phrase(vec![word.to_lowercase()]), place.clone()))
                })
                .collect(),
            place: place.clone(),
        };
        let all = [
            ("ring", glossary(&["AD", "AK", "AKC", "IV"])),
            ("opcode", glossary(&["DRD", "DRD_OPT", "DRD_OPT_PREF", "RFO"])),
            ("home", glossary(&["", "LOCAL", "REMOTE"])),
        ];
        all.map(|(name, glossary)| (name.to_owned(), glossary)).into()
    }

    #[test]
    fn parts_of_names() {
        let unknown = |rest: &str| Err(Misfit::Unknown(rest.to_owned()));
        let cases: &[(&str, &str, Result<&[(&str, &str)], Misfit>)] = &[
            ("A.{ring}", "A.AD", Ok(&[("ring", "AD")])),
            ("a.{ring}", "A.akc", Ok(&[("ring", "AKC")])),
            ("A.{ring}_UP", "A.AK_UP", Ok(&[("ring", "AK")])),
            ("A.{x:ring}_{y:ring}", "A.AD_IV", Ok(&[("x", "AD"), ("y", "IV")])),
            ("A.{opcode}[_{home}]", "A.DRD_OPT", Ok(&[("home", ""), ("opcode", "DRD_OPT")])),
            (
                "A.{opcode}[_{home}]",
                "A.DRD_OPT_PREF_LOCAL",
                Ok(&[("home", "LOCAL"), ("opcode", "DRD_OPT_PREF")]),
            ),
            ("A[.{ring}]", "A", Ok(&[("ring", "")])),
            ("A", "A", Ok(&[])),
            ("A.{ring}", "B.AD", Err(Misfit::Other)),
            ("A.{ring}", "A", Err(Misfit::Other)),
            ("A.{ring}", "A.XX", unknown("XX")),
            ("A.{ring}", "A.AD_X", unknown("_X")),
            ("A.{ring}_UP", "A.AD_DOWN", unknown("DOWN")),
            ("A.{opcode}[_{home}]", "A.DRD_OPT_HERE", unknown("HERE")),
            ("{ring}", "XX", Err(Misfit::Other)),
            // The text in front must fit up to its last full stop.
            ("A.B.{ring}", "A.C", Err(Misfit::Other)),
            // What is behind the full stop is unknown only if the full stop itself fits.
            ("{ring}_UP.{x:ring}", "AD.IV", Err(Misfit::Other)),
            ("{ring}.{x:ring}", "AD.DOWN", unknown("DOWN")),
        ];
        for (pattern, name, expected) in cases {
            let found = Pattern::new(pattern).unwrap().read(name, &glossaries());
            let expected = expected.clone().map(|parts| {
                parts.iter().map(|&(k, v)| (k.to_owned(), v.to_owned())).collect::<Reading>()
            });
            assert_eq!(found, expected, "{pattern} {name}");
        }
    }

    #[test]
    fn malformed_patterns() {
        for (pattern, expected) in [
            ("A.{ring", "a `{` has no `}`"),
            ("A.ring}", "a `}` closes nothing"),
            ("A[.B", "a `[` has no `]`"),
            ("A.B]", "a `]` closes nothing"),
        ] {
            assert_eq!(Pattern::new(pattern).unwrap_err(), expected, "{pattern}");
        }
    }
}
