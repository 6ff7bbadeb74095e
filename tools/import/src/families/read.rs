//! Reads `overlay/<arch>/families/`.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

use pmu_events_compiler::hint;

use super::bits::Table;
use super::pattern::Pattern;
use super::{Families, Family, Glossary, Phrase, Scope};
use crate::json::{Fault, File, Value};
use crate::problem::{Place, Problems};
use crate::record::number;
use crate::sentence::Sentence;
use crate::tree;

/// Reads all families of one architecture; there may be none.
#[must_use]
pub fn read(directory: &Path, shown: &str, problems: &mut Problems) -> Families {
    let mut families = Families::default();
    for file in tree::json_files(directory, shown, problems) {
        add(&mut families, &file, problems);
    }
    check(&families, problems);
    families
}

/// Adds the families of one file; an error ends its reading.
pub fn add(families: &mut Families, file: &File, problems: &mut Problems) {
    if let Err((place, message)) = fill(families, file, problems) {
        problems.error(place, message);
    }
}

const KEYS: &[&str] = &["models", "except", "units", "glossaries", "bits", "families"];
const FAMILY: &[&str] =
    &["name", "models", "except", "units", "bits", "brief", "public", "replaces", "misnomers"];
const TABLE: &[&str] = &["field", "mask", "values", "bits"];

fn unknown(key: &str, place: Place, known: &[&str]) -> Fault {
    (place, format!("unknown key `{key}`{}", hint(key, known.iter().copied())))
}

fn fill(families: &mut Families, file: &File, problems: &mut Problems) -> Result<(), Fault> {
    let mut scope = Scope::default();
    let fields = file.value().object()?.fields;
    for (key, place, value) in &fields {
        match &**key {
            "models" => scope.models = globs(value)?,
            "except" => scope.except = globs(value)?,
            "units" => scope.units = Some(strings(value)?),
            "glossaries" | "bits" | "families" => {}
            other => return Err(unknown(other, place.clone(), KEYS)),
        }
    }
    for (key, _, value) in &fields {
        match &**key {
            "glossaries" => {
                for (name, place, value) in value.object()?.fields {
                    let mut words = BTreeMap::new();
                    for (word, place, value) in value.object()?.fields {
                        let upper = word.to_ascii_uppercase();
                        if words.insert(upper, (phrase(&value)?, place.clone())).is_some() {
                            return Err((place, format!("duplicate word `{word}`")));
                        }
                    }
                    let glossary = Glossary { words, place: place.clone() };
                    insert(&mut families.glossaries, name, glossary, place, "glossary")?;
                }
            }
            "bits" => {
                for (name, place, value) in value.object()?.fields {
                    let table = table(place.clone(), &value)?;
                    insert(&mut families.tables, name, table, place, "table of bits")?;
                }
            }
            "families" => {
                for value in value.array()? {
                    families.all.push(family(&value, &scope, problems)?);
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn insert<T>(
    all: &mut BTreeMap<String, T>,
    name: Cow<'_, str>,
    value: T,
    place: Place,
    what: &str,
) -> Result<(), Fault> {
    match all.insert(name.clone().into_owned(), value) {
        None => Ok(()),
        Some(_) => Err((place, format!("duplicate {what} `{name}`"))),
    }
}

fn globs(value: &Value<'_>) -> Result<Vec<(String, Place)>, Fault> {
    let items = value.array()?;
    items.iter().map(|item| Ok((item.string()?.into_owned(), item.place()))).collect()
}

fn sentence(value: &Value<'_>) -> Result<Sentence, Fault> {
    Ok(Sentence::new(value.string()?.into_owned(), value.place()))
}

fn strings(value: &Value<'_>) -> Result<Vec<String>, Fault> {
    value.array()?.iter().map(|item| Ok(item.string()?.into_owned())).collect()
}

/// A text, several from long to short, or `null` for nothing.
fn phrase(value: &Value<'_>) -> Result<Phrase, Fault> {
    match value.raw() {
        "null" => Ok(Phrase::default()),
        raw if raw.starts_with('[') => Ok(Phrase(strings(value)?)),
        _ => Ok(Phrase(vec![value.string()?.into_owned()])),
    }
}

fn of_number(text: &str, place: Place) -> Result<u64, Fault> {
    number(text).ok_or_else(|| (place, format!("invalid number `{text}`")))
}

fn table(place: Place, value: &Value<'_>) -> Result<Table, Fault> {
    let (values, bits) = (BTreeMap::new(), BTreeMap::new());
    let mut table = Table { field: String::new(), mask: u64::MAX, values, bits, place };
    for (key, place, value) in value.object()?.fields {
        match &*key {
            "field" => table.field = value.string()?.into_owned(),
            "mask" => table.mask = of_number(&value.string()?, value.place())?,
            "values" | "bits" => {
                for (text, place, value) in value.object()?.fields {
                    let number = of_number(&text, place.clone())?;
                    if key == "bits" && !number.is_power_of_two() {
                        return Err((place, format!("`{text}` is not a single bit")));
                    }
                    let all = if key == "bits" { &mut table.bits } else { &mut table.values };
                    if all.insert(number, phrase(&value)?).is_some() {
                        return Err((place, format!("duplicate value `{text}`")));
                    }
                }
            }
            other => return Err(unknown(other, place, TABLE)),
        }
    }
    let outside = |value: &&u64| **value & !table.mask != 0;
    if let Some(value) = table.values.keys().chain(table.bits.keys()).find(outside) {
        let message = format!("{value:#x} is outside of the mask {:#x}", table.mask);
        return Err((table.place, message));
    }
    if table.field.is_empty() {
        return Err((table.place, "a table of bits needs a `field`".to_owned()));
    }
    Ok(table)
}

fn family(value: &Value<'_>, scope: &Scope, problems: &mut Problems) -> Result<Family, Fault> {
    let mut family = Family {
        place: value.place(),
        written: String::new(),
        name: Pattern::new("").expect("nothing is a pattern"),
        scope: scope.clone(),
        bits: Vec::new(),
        brief: None,
        public: None,
        replaces: false,
        misnomers: BTreeMap::new(),
    };
    for (key, place, value) in value.object()?.fields {
        match &*key {
            "name" => {
                family.place = value.place();
                family.written = value.string()?.into_owned();
                family.name =
                    Pattern::new(&family.written).map_err(|message| (value.place(), message))?;
            }
            "models" => family.scope.models = globs(&value)?,
            "except" => family.scope.except = globs(&value)?,
            "units" => family.scope.units = Some(strings(&value)?),
            "bits" => {
                for (slot, _, table) in value.object()?.fields {
                    family.bits.push((slot.into_owned(), table.string()?.into_owned()));
                }
            }
            "brief" => family.brief = Some(sentence(&value)?),
            "public" => family.public = Some(sentence(&value)?),
            "replaces" => match value.raw() {
                "true" => family.replaces = true,
                _ => return Err((value.place(), "expected `true`".to_owned())),
            },
            "misnomers" => {
                for (name, place, reason) in value.object()?.fields {
                    family.misnomers.insert(name.into_owned(), (reason.string()?.into(), place));
                }
            }
            other => return Err(unknown(other, place, FAMILY)),
        }
    }
    if family.written.is_empty() {
        problems.error(family.place.clone(), "a family needs a `name`");
    }
    if family.scope.models.is_empty() {
        problems.error(family.place.clone(), "does not say which `models` it is about");
    }
    if family.brief.is_none() && family.bits.is_empty() {
        problems.error(family.place.clone(), "says nothing: it has neither `brief` nor `bits`");
    }
    Ok(family)
}

/// Names of glossaries, tables and slots.
fn check(families: &Families, problems: &mut Problems) {
    for family in &families.all {
        let mut error = |message: String| problems.error(family.place.clone(), message);
        let parts = family.name.parts();
        for (_, glossary) in &parts {
            if !families.glossaries.contains_key(*glossary) {
                let hint = hint(glossary, families.glossaries.keys().map(String::as_str));
                error(format!("unknown glossary `{glossary}`{hint}"));
            }
        }
        for (_, table) in &family.bits {
            if !families.tables.contains_key(table) {
                let hint = hint(table, families.tables.keys().map(String::as_str));
                error(format!("unknown table of bits `{table}`{hint}"));
            }
        }
        let known = || {
            let named = parts.iter().map(|(slot, _)| *slot);
            named.chain(family.bits.iter().map(|(slot, _)| slot.as_str()))
        };
        for text in [&family.brief, &family.public].into_iter().flatten() {
            for slot in slots(text.text()) {
                if !known().any(|known| known == slot) {
                    error(format!("unknown slot `{slot}`{}", hint(slot, known())));
                }
            }
        }
    }
}

/// The slots of a sentence.
fn slots(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0))
}
