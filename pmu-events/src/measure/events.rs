//! The events of a plan, each of which is resolved once.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::string::String;
use std::sync::Arc;
use std::vec::Vec;

use crate::event_list::Tool;
use crate::resolve::{Error, Missing, Resolution};
use crate::system::System;

/// The identity of an event in a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct EventId(usize);

/// What metrics ask for: each text has one identity, and is parsed once.
#[derive(Debug)]
pub(super) struct Events<'s> {
    system: &'s System,
    ids: BTreeMap<Arc<str>, EventId>,
    all: Vec<Event>,
    missing: Vec<Missing>,
}

#[derive(Debug)]
struct Event {
    text: Arc<str>,
    /// `None` before it is resolved.
    answer: Option<Result<Resolution, Error>>,
    /// Its place among those that are missing.
    missing: Option<usize>,
}

impl<'s> Events<'s> {
    pub(super) fn new(system: &'s System) -> Self {
        Events { system, ids: BTreeMap::new(), all: Vec::new(), missing: Vec::new() }
    }

    pub(super) fn id(&mut self, text: Cow<'_, str>) -> EventId {
        if let Some(&id) = self.ids.get(&*text) {
            return id;
        }
        let (id, text): (_, Arc<str>) = (EventId(self.all.len()), text.into());
        self.ids.insert(text.clone(), id);
        self.all.push(Event { text, answer: None, missing: None });
        id
    }

    pub(super) fn text(&self, id: EventId) -> &Arc<str> {
        &self.all[id.0].text
    }

    /// Whether the machine has an event, which nobody may need.
    pub(super) fn has(&mut self, id: EventId) -> bool {
        let Event { text, answer, .. } = &mut self.all[id.0];
        answer.get_or_insert_with(|| self.system.require_one(text, false)).is_ok()
    }

    /// Resolves an event that is needed, unless it has been.
    pub(super) fn resolve(&mut self, id: EventId) {
        /// Each suggestion is a search among all events, and nobody reads more of them.
        const SUGGESTIONS: usize = 20;
        let suggests = self.missing.len() < SUGGESTIONS;
        let Event { text, answer, missing } = &mut self.all[id.0];
        let is_told = missing.is_some();
        let asked = answer.take().filter(|answer| answer.is_ok() || is_told || !suggests);
        let found = asked.unwrap_or_else(|| self.system.require_one(text, suggests));
        if let (Err(error), false) = (&found, is_told) {
            *missing = Some(self.missing.len());
            self.missing.push(Missing::new(text, 0, error.clone(), 0));
        }
        *answer = Some(found);
    }

    /// The event alone; `None` if it has not been resolved, or is missing.
    pub(super) fn resolved(&self, id: EventId) -> Option<&Resolution> {
        self.all[id.0].answer.as_ref()?.as_ref().ok()
    }

    /// The place of an event among those that are missing.
    pub(super) fn missing_number(&self, id: EventId) -> Option<usize> {
        self.all[id.0].missing
    }

    pub(super) fn system(&self) -> &'s System {
        self.system
    }

    /// Those that cannot be resolved, in the order in which that was found.
    pub(super) fn into_missing(self) -> Vec<Missing> {
        self.missing
    }
}

/// Whether an event is a time, which stays outside groups and takes no modifiers.
pub(super) fn is_time(event: &str) -> bool {
    let word = event.split([':', '/']).next().unwrap_or(event);
    word.parse::<Tool>().is_ok_and(Tool::is_time)
}

/// An event as it is written, with more modifiers.
pub(super) fn modified(event: String, modifiers: &str) -> String {
    if modifiers.is_empty() || is_time(&event) {
        return event;
    }
    let has_colon = event.contains('/') || event.contains(':');
    std::format!("{event}{}{modifiers}", if has_colon { "" } else { ":" })
}
