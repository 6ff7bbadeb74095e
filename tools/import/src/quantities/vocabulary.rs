//! `overlay/quantities.json`: the quantities, each with one name, one unit and one definition.

use std::path::Path;

use pmu_events_compiler::hint;

use crate::json::{Fault, File, Value};
use crate::lint;
use crate::problem::{Place, Problems};

/// The file below `overlay/`.
pub const FILE: &str = "quantities.json";

/// All quantities.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    /// What each name begins with.
    pub prefix: String,
    /// Descriptions of the groups that the metrics are in, by name.
    pub groups: Vec<(String, String)>,
    /// Those that the models say how to count, and the forms that follow from them.
    pub quantities: Vec<Quantity>,
}

/// A quantity, or the rate that follows from one.
#[derive(Clone, Debug)]
pub struct Quantity {
    /// The name without the prefix.
    pub name: String,
    /// `ScaleUnit` of the metric; empty for a plain count.
    pub unit: String,
    /// One sentence: what it is.
    pub brief: String,
    /// Several sentences: what counts and what does not.
    pub definition: String,
    /// The groups of the metric, joined by `;`.
    pub groups: String,
    /// The formula over other quantities, without their prefix; the models have none then.
    pub of: Option<String>,
    /// Whether it is a rate that follows from another quantity: the other form of a count.
    pub is_rate: bool,
    /// Its place.
    pub place: Place,
}

impl Vocabulary {
    /// The name of a quantity's metric.
    #[must_use]
    pub fn metric(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    /// The quantities without the rates that follow from some of them.
    pub fn plain(&self) -> impl Iterator<Item = &Quantity> {
        self.quantities.iter().filter(|quantity| !quantity.is_rate)
    }

    /// The quantities that a formula over quantities names.
    pub fn parts<'q>(&'q self, formula: &'q str) -> impl Iterator<Item = &'q Quantity> {
        let words = formula.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        words.filter_map(|word| self.quantities.iter().find(|quantity| quantity.name == word))
    }

    /// The same formula with the names of metrics.
    #[must_use]
    pub fn formula(&self, formula: &str) -> String {
        let mut out = String::new();
        let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let mut rest = formula;
        while !rest.is_empty() {
            let end = rest.find(|c| !is_of_name(c)).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            if self.quantities.iter().any(|quantity| quantity.name == word) {
                out.push_str(&self.prefix);
            }
            out.push_str(word);
            let next = after.find(is_of_name).unwrap_or(after.len());
            out.push_str(&after[..next]);
            rest = &after[next..];
        }
        out
    }
}

/// Reads the vocabulary; there may be none.
#[must_use]
pub fn read(overlay: &Path, problems: &mut Problems) -> Vocabulary {
    let path = overlay.join(FILE);
    let shown = path.to_string_lossy();
    match std::fs::read_to_string(&path) {
        Ok(text) => of(&File::new(&shown, &text), problems),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vocabulary::default(),
        Err(error) => {
            problems.error(Place::file(&shown), format!("cannot be read: {error}"));
            Vocabulary::default()
        }
    }
}

/// Interprets the file.
#[must_use]
pub(super) fn of(file: &File, problems: &mut Problems) -> Vocabulary {
    let mut vocabulary = Vocabulary::default();
    if let Err((place, message)) = fill(&mut vocabulary, file, problems) {
        problems.error(place, message);
    }
    vocabulary
}

const KEYS: [&str; 5] = ["prefix", "groups", "rate_group", "rate_unit", "quantities"];
const QUANTITY: [&str; 8] =
    ["name", "unit", "brief", "definition", "groups", "of", "rate", "rate_groups"];

fn fill(vocabulary: &mut Vocabulary, file: &File, problems: &mut Problems) -> Result<(), Fault> {
    let (mut rate_unit, mut rate_group) = (String::new(), String::new());
    let mut rates = Vec::new();
    for (key, place, value) in file.value().object()?.fields {
        match &*key {
            "prefix" => vocabulary.prefix = value.string()?.into_owned(),
            "rate_unit" => rate_unit = value.string()?.into_owned(),
            "rate_group" => rate_group = value.string()?.into_owned(),
            "groups" => {
                for (name, _, value) in value.object()?.fields {
                    let text = sentence(&value, problems)?;
                    vocabulary.groups.push((name.into_owned(), text));
                }
            }
            "quantities" => {
                for value in value.array()? {
                    let (quantity, rate) = quantity(&value, problems)?;
                    if vocabulary.quantities.iter().any(|known| known.name == quantity.name) {
                        let message = format!("`{}` is defined twice", quantity.name);
                        return Err((quantity.place, message));
                    }
                    rates.extend(rate.map(|rate| (quantity.clone(), rate)));
                    vocabulary.quantities.push(quantity);
                }
            }
            other => return Err((place, format!("unknown key `{other}`{}", hint(other, KEYS)))),
        }
    }
    for (of, Rate { brief, groups }) in rates {
        vocabulary.quantities.push(Quantity {
            name: format!("{}_per_kilo_instruction", of.name),
            unit: rate_unit.clone(),
            brief,
            definition: String::new(),
            groups: match groups.is_empty() {
                true => rate_group.clone(),
                false => format!("{rate_group};{groups}"),
            },
            of: Some(format!("1000 * {} / instructions", of.name)),
            is_rate: true,
            place: of.place,
        });
    }
    for quantity in &vocabulary.quantities {
        if let Some(of) = &quantity.of
            && vocabulary.parts(of).next().is_none()
        {
            let message = format!("`{}` names no quantity in `{of}`", quantity.name);
            problems.error(quantity.place.clone(), message);
        }
    }
    Ok(())
}

/// The rate that follows from a count.
struct Rate {
    brief: String,
    groups: String,
}

fn quantity(value: &Value<'_>, problems: &mut Problems) -> Result<(Quantity, Option<Rate>), Fault> {
    let object = value.object()?;
    let mut quantity = Quantity {
        name: String::new(),
        unit: String::new(),
        brief: String::new(),
        definition: String::new(),
        groups: String::new(),
        of: None,
        is_rate: false,
        place: object.place.clone(),
    };
    let (mut rate, mut rate_groups) = (None, String::new());
    for (key, place, value) in object.fields {
        match &*key {
            "name" => quantity.name = value.string()?.into_owned(),
            "unit" => quantity.unit = value.string()?.into_owned(),
            "brief" => quantity.brief = sentence(&value, problems)?,
            "definition" => quantity.definition = sentence(&value, problems)?,
            "groups" => quantity.groups = value.string()?.into_owned(),
            "of" => quantity.of = Some(value.string()?.into_owned()),
            "rate" => rate = Some(sentence(&value, problems)?),
            "rate_groups" => rate_groups = value.string()?.into_owned(),
            other => {
                return Err((place, format!("unknown key `{other}`{}", hint(other, QUANTITY))));
            }
        }
    }
    let is_name = |c: u8| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'_';
    if quantity.name.is_empty() || !quantity.name.bytes().all(is_name) {
        let message = format!("`{}` is no name: a-z, 0-9 and _", quantity.name);
        return Err((quantity.place, message));
    }
    if quantity.brief.is_empty() || quantity.definition.is_empty() {
        let message = format!("`{}` needs a `brief` and a `definition`", quantity.name);
        return Err((quantity.place, message));
    }
    Ok((quantity, rate.map(|brief| Rate { brief, groups: rate_groups })))
}

/// A text of our own, by the rules for sentences.
pub(super) fn sentence(value: &Value<'_>, problems: &mut Problems) -> Result<String, Fault> {
    let text = value.string()?.into_owned();
    if let Err(why) = lint::sentence(&text) {
        problems.error(value.place(), format!("{why}: `{text}`"));
    }
    Ok(text)
}
