//! Reads `overlay/`: descriptions and metrics, with the models they apply to.

use std::collections::HashMap;
use std::path::Path;

use pmu_events_compiler::hint;
use pmu_events_core::__private::glob;
use pmu_events_core::event::{CountScope, CountUnit};
use pmu_events_core::term::Terms;

use crate::arch;
use crate::json::{File, Value};
use crate::lint;
use crate::problem::{Place, Problems};
use crate::record::{Keep, Record, number};
use crate::sentence::Sentence;
use crate::tree;

/// One file.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// The path as the user wrote it.
    pub path: String,
    /// Globs of model directories, and the place of each.
    pub models: Vec<(String, Place)>,
    /// Globs of model directories that are excluded.
    pub except: Vec<(String, Place)>,
    /// Only events of this unit.
    pub unit: Option<String>,
    /// Descriptions of events.
    pub events: Vec<Description>,
    /// What counts stand for and cover.
    pub counts: Vec<Counted>,
    /// Long descriptions of many events that have none of their own.
    pub long: Vec<Note>,
    /// Sentences for the long descriptions of many events.
    pub notes: Vec<Note>,
    /// Successors that the source names although they count something else.
    pub named_successors: Vec<NamedSuccessor>,
    /// Descriptions of metric groups: name, description.
    pub groups: Vec<(String, String, Place)>,
    /// Metrics, in the order in which they are tried.
    pub metrics: Vec<Record>,
    /// Descriptions of the metrics of other trees.
    pub metric_texts: Vec<Description>,
    /// Whether these have precedence over those of other files.
    pub replaces: bool,
}

/// What one count of some events stands for, or what it covers.
#[derive(Clone, Debug)]
pub struct Counted {
    /// A glob of the names of events.
    pub events: String,
    /// `CountUnit` or `CountScope`.
    pub key: &'static str,
    /// The value of that key.
    pub value: String,
    /// The place of the glob.
    pub place: Place,
}

/// The event that the source names as the successor of a deprecated one.
#[derive(Clone, Debug)]
pub struct NamedSuccessor {
    /// The deprecated event.
    pub event: String,
    /// The event that the source names.
    pub successor: String,
    /// The place of the deprecated event.
    pub place: Place,
}

/// A sentence about many events.
#[derive(Clone, Debug)]
pub struct Note {
    /// Globs of the names of events, with spaces between them.
    pub events: String,
    /// The sentence.
    pub text: Sentence,
    /// Globs of the models that it is about, if not about all of its file.
    pub models: Vec<(String, Place)>,
    /// The place of the glob.
    pub place: Place,
}

/// The description of one event.
#[derive(Clone, Debug)]
pub struct Description {
    /// The event.
    pub name: String,
    /// One sentence.
    pub brief: Option<Sentence>,
    /// Several sentences.
    pub public: Option<Sentence>,
    /// Groups that a metric gets in addition to its source's.
    pub groups: Option<String>,
    /// Applies only if one of these codes is the event's, unless there are none.
    pub codes: Vec<Code>,
    /// Globs of the models that it is about, if not about all of its file.
    pub models: Vec<(String, Place)>,
    /// The place of the description.
    pub place: Place,
}

/// A code that an event may have.
#[derive(Clone, Debug)]
pub struct Code {
    /// Terms that select it.
    pub terms: Vec<(String, u64)>,
    /// The place of the code.
    pub place: Place,
}

impl Description {
    /// Whether it is about a table that its file is about.
    #[must_use]
    pub fn covers(&self, directory: &str) -> bool {
        self.models.is_empty() || covers(&self.models, &[], directory)
    }
}

impl Document {
    /// Whether the file applies to a table: that of a model directory, its sys
    /// table, or `""`, the architecture standard events.
    #[must_use]
    pub fn covers(&self, directory: &str) -> bool {
        covers(&self.models, &self.except, directory)
    }
}

/// Whether globs of models, without those excluded, match the model of a table.
#[must_use]
pub fn covers(models: &[(String, Place)], except: &[(String, Place)], directory: &str) -> bool {
    if directory.is_empty() {
        return models.iter().any(|(model, _)| model == ".");
    }
    let owner = arch::owner(directory);
    let matches = |(model, _): &(String, Place)| glob::matches(model, owner);
    models.iter().any(matches) && !except.iter().any(matches)
}

/// Reads the overlay of one architecture; there may be none.
#[must_use]
pub fn read(directory: &Path, shown: &str, problems: &mut Problems) -> Vec<Document> {
    let files = tree::json_files(directory, shown, problems);
    files.iter().map(|file| document(file, problems)).collect()
}

const KEYS: &[&str] = &[
    "models",
    "except",
    "unit",
    "groups",
    "events",
    "count_units",
    "count_scopes",
    "long",
    "notes",
    "named_successors",
    "metrics",
    "metric_texts",
    "replaces",
];

/// Interprets one file.
#[must_use]
pub fn document(file: &File, problems: &mut Problems) -> Document {
    let mut document = Document { path: file.path().to_owned(), ..Document::default() };
    if let Err((place, message)) = fill(&mut document, file, problems) {
        problems.error(place, message);
    } else if document.models.is_empty() {
        problems.error(Place::file(file.path()), "does not say which `models` it is about");
    }
    document
}

/// An error ends the reading of the file.
fn fill(
    document: &mut Document,
    file: &File,
    problems: &mut Problems,
) -> Result<(), (Place, String)> {
    for (key, place, value) in file.value().object()?.fields {
        match &*key {
            "models" => document.models = globs(&value)?,
            "except" => document.except = globs(&value)?,
            "unit" => document.unit = Some(value.string()?.into_owned()),
            "groups" => {
                for (name, place, value) in value.object()?.fields {
                    let text = value.string()?.into_owned();
                    check(&text, &value, problems);
                    document.groups.push((name.into_owned(), text, place));
                }
            }
            "count_units" => counted(document, "CountUnit", &value, problems)?,
            "count_scopes" => counted(document, "CountScope", &value, problems)?,
            "long" => document.long = notes(&value, problems)?,
            "notes" => document.notes = notes(&value, problems)?,
            "named_successors" => {
                for (event, place, value) in value.object()?.fields {
                    let (event, successor) = (event.into_owned(), value.string()?.into_owned());
                    document.named_successors.push(NamedSuccessor { event, successor, place });
                }
            }
            "events" => document.events = descriptions(&value, &["event"], problems)?,
            "metric_texts" => document.metric_texts = descriptions(&value, &["groups"], problems)?,
            "replaces" => match value.raw() {
                "true" => document.replaces = true,
                _ => return Err((value.place(), "expected `true`".to_owned())),
            },
            "metrics" => {
                for value in value.array()? {
                    metric(document, &value, problems)?;
                }
            }
            other => {
                let hint = hint(other, KEYS.iter().copied());
                problems.error(place, format!("unknown key `{other}`{hint}"));
            }
        }
    }
    Ok(())
}

fn counted(
    document: &mut Document,
    key: &'static str,
    value: &Value<'_>,
    problems: &mut Problems,
) -> Result<(), (Place, String)> {
    for (events, place, value) in value.object()?.fields {
        let text = value.string()?.into_owned();
        let expected = match key {
            "CountUnit" => text.parse::<CountUnit>().is_err().then(|| "`64Bytes`".to_owned()),
            _ => {
                let words: Vec<&str> = CountScope::names().collect();
                text.parse::<CountScope>().is_err().then(|| words.join(", "))
            }
        };
        if let Some(expected) = expected {
            problems.error(value.place(), format!("invalid {key} `{text}`: expected {expected}"));
        }
        document.counts.push(Counted { events: events.into_owned(), key, value: text, place });
    }
    Ok(())
}

fn notes(value: &Value<'_>, problems: &mut Problems) -> Result<Vec<Note>, (Place, String)> {
    let mut all = Vec::new();
    for (events, place, value) in value.object()?.fields {
        for (place, value) in variants(place, value)? {
            all.push(note(events.to_string(), place, &value, problems)?);
        }
    }
    Ok(all)
}

/// What is said under one name: an object or a string, or several in a list.
fn variants<'t>(
    place: Place,
    value: Value<'t>,
) -> Result<Vec<(Place, Value<'t>)>, (Place, String)> {
    if !value.is_array() {
        return Ok(vec![(place, value)]);
    }
    let items = value.array()?;
    if items.is_empty() {
        return Err((value.place(), "says nothing: the list is empty".to_owned()));
    }
    Ok(items.into_iter().map(|item| (item.place(), item)).collect())
}

fn note(
    events: String,
    place: Place,
    value: &Value<'_>,
    problems: &mut Problems,
) -> Result<Note, (Place, String)> {
    let mut models = Vec::new();
    if !value.is_object() {
        let text = sentence(value, problems)?;
        return Ok(Note { events, text, models, place });
    }
    let mut text = None;
    for (key, place, value) in value.object()?.fields {
        match &*key {
            "note" => text = Some(sentence(&value, problems)?),
            "models" => models = globs(&value)?,
            other => {
                let hint = hint(other, ["note", "models"]);
                problems.error(place, format!("unknown key `{other}`{hint}"));
            }
        }
    }
    let text = text.ok_or_else(|| (value.place(), "says nothing: it has no `note`".to_owned()))?;
    Ok(Note { events, text, models, place })
}

fn globs(value: &Value<'_>) -> Result<Vec<(String, Place)>, (Place, String)> {
    let items = value.array()?;
    items.iter().map(|item| Ok((item.string()?.into_owned(), item.place()))).collect()
}

/// Descriptions by name; `more` are keys that they may have besides the texts.
fn descriptions(
    value: &Value<'_>,
    more: &[&str],
    problems: &mut Problems,
) -> Result<Vec<Description>, (Place, String)> {
    let mut all = Vec::new();
    let mut lines = HashMap::new();
    for (name, place, value) in value.object()?.fields {
        if let Some(line) = lines.insert(name.to_ascii_lowercase(), place.line) {
            problems.error(place, format!("`{name}` is in line {line}, too"));
            continue;
        }
        for (place, value) in variants(place, value)? {
            all.push(description(name.to_string(), place, &value, more, problems)?);
        }
    }
    Ok(all)
}

fn description(
    name: String,
    place: Place,
    value: &Value<'_>,
    more: &[&str],
    problems: &mut Problems,
) -> Result<Description, (Place, String)> {
    let mut description = Description {
        name,
        brief: None,
        public: None,
        groups: None,
        codes: Vec::new(),
        models: Vec::new(),
        place,
    };
    if !value.is_object() {
        description.brief = Some(sentence(value, problems)?);
        return Ok(description);
    }
    for (key, place, value) in value.object()?.fields {
        match &*key {
            "brief" | "public" => {
                let field = match &*key {
                    "brief" => &mut description.brief,
                    _ => &mut description.public,
                };
                *field = Some(sentence(&value, problems)?);
            }
            "models" => description.models = globs(&value)?,
            "groups" if more.contains(&"groups") => {
                description.groups = Some(value.string()?.into_owned());
            }
            "event" if more.contains(&"event") => {
                for (place, value) in variants(value.place(), value)? {
                    let terms = terms(&value.string()?).map_err(|why| (place.clone(), why))?;
                    description.codes.push(Code { terms, place });
                }
            }
            other => {
                let hint = hint(other, ["brief", "public", "models"].iter().chain(more).copied());
                problems.error(place, format!("unknown key `{other}`{hint}"));
            }
        }
    }
    if description.brief.is_none() && description.public.is_none() {
        problems.error(value.place(), "says nothing: it has neither `brief` nor `public`");
    }
    Ok(description)
}

fn terms(text: &str) -> Result<Vec<(String, u64)>, String> {
    Terms::new(text)
        .map(|term| {
            if !Record::selectors().any(|known| known == term.name()) {
                let hint = hint(term.name(), Record::selectors());
                return Err(format!("`{}` selects no event{hint}", term.name()));
            }
            let value = number(term.value().unwrap_or("1"));
            let value = value
                .ok_or_else(|| format!("invalid value of `{}`: expected a number", term.name()))?;
            Ok((term.name().to_owned(), value))
        })
        .collect()
}

fn metric(
    document: &mut Document,
    value: &Value<'_>,
    problems: &mut Problems,
) -> Result<(), (Place, String)> {
    let object = value.object()?;
    let warnings = problems.warnings.len();
    let record = Record::read(&object, Keep::All, problems);
    let unknown = problems.warnings.split_off(warnings);
    problems.errors.extend(unknown);
    let Some(record) = record else {
        return Err((value.place(), "says nothing".to_owned()));
    };
    for key in ["MetricName", "MetricExpr", "BriefDescription"] {
        if record.get(key).is_none() {
            problems.error(record.place.clone(), format!("a metric needs a `{key}`"));
        }
    }
    for key in ["BriefDescription", "PublicDescription"] {
        if let Some(text) = record.get(key) {
            check(text, value, problems);
        }
    }
    document.metrics.push(record);
    Ok(())
}

fn sentence(value: &Value<'_>, problems: &mut Problems) -> Result<Sentence, (Place, String)> {
    let text = value.string()?.into_owned();
    check(&text, value, problems);
    Ok(Sentence::new(text, value.place()))
}

fn check(text: &str, value: &Value<'_>, problems: &mut Problems) {
    if let Err(why) = lint::sentence(text) {
        problems.error(value.place(), format!("{why}: `{text}`"));
    }
}
