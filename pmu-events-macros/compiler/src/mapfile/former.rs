//! `former.csv`: names that models and events had before. They stay for a while, deprecated.

use std::sync::Arc;

use pmu_events_core::pmu::DEFAULT_CORE;
use pmu_events_core::term::Terms;

use super::beside;
use crate::faults::{Candidates, Faults, Message, Place, quoted};
use crate::files::{Files, Role};

/// The columns, for messages.
const COLUMNS: &str = "former name, models, name, since";

/// A row: a former name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Former {
    pub(crate) name: String,
    pub(crate) of: Of,
    /// The version in which it became the former name.
    pub(crate) since: String,
    /// Where the row begins.
    pub(crate) place: Place,
    /// The place of what the name stands for.
    pub(crate) now_place: Place,
}

/// What a former name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Of {
    /// The directory of a model.
    Model(String),
    /// An event of the models that match a glob.
    Event { models: String, now: Now },
}

/// What the former name of an event stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Now {
    /// An event by its present name.
    Name(String),
    /// An event that nobody lists any longer: its PMU and event string.
    Dropped { pmu: String, event: String },
}

/// Reads the file.
pub(crate) fn read(files: &Files, faults: &mut Faults) -> Vec<Former> {
    let directories: Candidates = Arc::new(files.all_directories.keys().cloned().collect());
    let mut rows = Vec::new();
    for row in beside::read(files, &Role::Former, faults) {
        let Some([name, models, now, since]) = row.columns() else {
            faults.error(row.place, format!("has too few columns: {COLUMNS}"));
            continue;
        };
        if name.is_empty() || now.is_empty() {
            faults.error(row.place, "a former name and the present one are needed");
            continue;
        }
        if !is_version(since) {
            let message = format!("expected a version such as `0.2.0`, found {}", quoted(since));
            faults.error(row.place_of(3), message);
            continue;
        }
        let now_place = row.place_of(2);
        let of = if models.is_empty() {
            if let Some(message) = not_a_model(name, now, files, &directories) {
                faults.error(now_place, message);
                continue;
            }
            Of::Model(now.to_owned())
        } else if let Some((pmu, event)) = in_slashes(now) {
            if let Err(error) = Terms::check_as_perf(event) {
                faults.error(now_place, format!("invalid event string: {error}"));
                continue;
            }
            let now = Now::Dropped { pmu: pmu.into(), event: event.into() };
            Of::Event { models: models.into(), now }
        } else {
            Of::Event { models: models.into(), now: Now::Name(now.into()) }
        };
        let (name, since) = (name.to_owned(), since.to_owned());
        rows.push(Former { name, of, since, place: row.place, now_place });
    }
    rows
}

/// `0.2.0`: the attribute `deprecated` takes no shorter one.
fn is_version(text: &str) -> bool {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    text.split('.').count() == 3 && text.split('.').all(is_number)
}

/// The PMU and the terms of `pmu/terms/`; without a PMU, the core's.
fn in_slashes(text: &str) -> Option<(&str, &str)> {
    let (pmu, terms) = text.strip_suffix('/')?.split_once('/')?;
    Some((if pmu.is_empty() { DEFAULT_CORE } else { pmu }, terms))
}

/// Why a row about a model is wrong.
fn not_a_model(
    former: &str,
    now: &str,
    files: &Files,
    directories: &Candidates,
) -> Option<Message> {
    if files.all_directories.contains_key(former) {
        return Some(format!("{} is still a directory of this tree", quoted(former)).into());
    }
    match files.all_directories.get(now) {
        None => {
            let message = format!("unknown model directory {}", quoted(now));
            Some(Message::from(message).suggest(now, directories))
        }
        Some(true) => Some(format!("{} is a vendor directory, not a model", quoted(now)).into()),
        Some(false) => None,
    }
}
