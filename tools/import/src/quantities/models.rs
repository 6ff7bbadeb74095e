//! `overlay/<arch>/quantities/*.json`: what makes up the quantities on which models.

use std::path::Path;

use pmu_events_compiler::hint;

use super::vocabulary::{Vocabulary, sentence};
use crate::json::{Fault, File, Value};
use crate::overlay;
use crate::problem::{Place, Problems};
use crate::tree;

/// Globs of models, and the place of each.
type Globs = Vec<(String, Place)>;

/// What the files of an architecture say.
#[derive(Clone, Debug, Default)]
pub struct Statements {
    /// How quantities are counted; of those that fit a model, the first.
    pub counted: Vec<Counted>,
    /// Why models cannot count quantities.
    pub lacking: Vec<Lacking>,
}

/// How some models count a quantity.
#[derive(Clone, Debug)]
pub struct Counted {
    /// The quantity.
    pub quantity: String,
    /// A formula over events and metrics of the models.
    pub formula: String,
    /// How the value differs from the definition; empty if it does not.
    pub differs: String,
    /// The models.
    pub scope: Scope,
    /// Its place.
    pub place: Place,
}

/// Why some models cannot count a quantity.
#[derive(Clone, Debug)]
pub struct Lacking {
    /// The quantity.
    pub quantity: String,
    /// The reason.
    pub reason: String,
    /// The models.
    pub scope: Scope,
    /// Its place.
    pub place: Place,
}

/// The models that a statement is about.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    of_file: Globs,
    except: Globs,
    own: Globs,
    /// Only this PMU of the cores of a hybrid CPU.
    pub unit: Option<String>,
}

impl Scope {
    /// Whether a model and one of its kinds of cores are among them.
    #[must_use]
    pub fn covers(&self, model: &str, unit: Option<&str>) -> bool {
        overlay::covers(&self.of_file, &self.except, model)
            && (self.own.is_empty() || overlay::covers(&self.own, &[], model))
            && (self.unit.is_none() || self.unit.as_deref() == unit)
    }
}

/// Reads all files of an architecture; there may be none.
#[must_use]
pub fn read(
    directory: &Path,
    shown: &str,
    vocabulary: &Vocabulary,
    problems: &mut Problems,
) -> Statements {
    let mut statements = Statements::default();
    for file in tree::json_files(directory, shown, problems) {
        add(&mut statements, &file, vocabulary, problems);
    }
    statements
}

/// Adds the statements of a file; an error ends its reading.
pub(super) fn add(
    statements: &mut Statements,
    file: &File,
    vocabulary: &Vocabulary,
    problems: &mut Problems,
) {
    if let Err((place, message)) = fill(statements, file, vocabulary, problems) {
        problems.error(place, message);
    }
}

const KEYS: [&str; 5] = ["models", "except", "unit", "counted", "lacking"];
const COUNTED: [&str; 4] = ["formula", "differs", "models", "unit"];
const LACKING: [&str; 3] = ["reason", "models", "unit"];

fn fill(
    statements: &mut Statements,
    file: &File,
    vocabulary: &Vocabulary,
    problems: &mut Problems,
) -> Result<(), Fault> {
    let mut scope = Scope::default();
    let fields = file.value().object()?.fields;
    for (key, place, value) in &fields {
        match &**key {
            "models" => scope.of_file = globs(value)?,
            "except" => scope.except = globs(value)?,
            "unit" => scope.unit = Some(value.string()?.into_owned()),
            "counted" | "lacking" => {}
            other => {
                let message = format!("unknown key `{other}`{}", hint(other, KEYS));
                return Err((place.clone(), message));
            }
        }
    }
    if scope.of_file.is_empty() {
        return Err((Place::file(file.path()), "does not say which `models` it is about".into()));
    }
    for (key, _, value) in &fields {
        if !matches!(&**key, "counted" | "lacking") {
            continue;
        }
        for (name, place, value) in value.object()?.fields {
            let known = || vocabulary.quantities.iter().filter(|known| known.of.is_none());
            if !known().any(|known| known.name == *name) {
                let hint = hint(&name, known().map(|known| known.name.as_str()));
                return Err((place, format!("`{name}` is no quantity{hint}")));
            }
            let variants = if value.is_array() { value.array()? } else { vec![value] };
            for value in variants {
                if &**key == "counted" {
                    statements.counted.push(counted(&name, &value, &scope, problems)?);
                } else {
                    statements.lacking.push(lacking(&name, &value, &scope, problems)?);
                }
            }
        }
    }
    Ok(())
}

fn counted(
    quantity: &str,
    value: &Value<'_>,
    scope: &Scope,
    problems: &mut Problems,
) -> Result<Counted, Fault> {
    let mut counted = Counted {
        quantity: quantity.to_owned(),
        formula: String::new(),
        differs: String::new(),
        scope: scope.clone(),
        place: value.place(),
    };
    if !value.is_object() {
        counted.formula = value.string()?.into_owned();
        return Ok(counted);
    }
    for (key, place, value) in value.object()?.fields {
        match &*key {
            "formula" => counted.formula = value.string()?.into_owned(),
            "differs" => counted.differs = sentence(&value, problems)?,
            "models" => counted.scope.own = globs(&value)?,
            "unit" => counted.scope.unit = Some(value.string()?.into_owned()),
            other => {
                return Err((place, format!("unknown key `{other}`{}", hint(other, COUNTED))));
            }
        }
    }
    if counted.formula.is_empty() {
        return Err((counted.place, format!("`{quantity}` needs a `formula`")));
    }
    Ok(counted)
}

fn lacking(
    quantity: &str,
    value: &Value<'_>,
    scope: &Scope,
    problems: &mut Problems,
) -> Result<Lacking, Fault> {
    let mut lacking = Lacking {
        quantity: quantity.to_owned(),
        reason: String::new(),
        scope: scope.clone(),
        place: value.place(),
    };
    if !value.is_object() {
        lacking.reason = sentence(value, problems)?;
        return Ok(lacking);
    }
    for (key, place, value) in value.object()?.fields {
        match &*key {
            "reason" => lacking.reason = sentence(&value, problems)?,
            "models" => lacking.scope.own = globs(&value)?,
            "unit" => lacking.scope.unit = Some(value.string()?.into_owned()),
            other => {
                return Err((place, format!("unknown key `{other}`{}", hint(other, LACKING))));
            }
        }
    }
    Ok(lacking)
}

fn globs(value: &Value<'_>) -> Result<Globs, Fault> {
    let items = value.array()?;
    items.iter().map(|item| Ok((item.string()?.into_owned(), item.place()))).collect()
}
