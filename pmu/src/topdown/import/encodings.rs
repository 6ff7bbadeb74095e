//! Whether two spellings are one event: they have the same code.

use std::cell::RefCell;
use std::collections::BTreeMap;

use pmu_events::System;
use pmu_events::format::Word;

/// The type of a PMU, and what selects the event there.
type Code = (u32, u64, u64, u64);

/// What is known of the codes of events.
pub(crate) struct Encodings<'s> {
    system: &'s System,
    known: RefCell<BTreeMap<String, Option<Code>>>,
}

impl<'s> Encodings<'s> {
    pub(crate) fn new(system: &'s System) -> Self {
        Encodings { system, known: RefCell::default() }
    }

    pub(super) fn are_same(&self, one: &str, other: &str) -> bool {
        self.code(one).is_some_and(|code| self.code(other) == Some(code))
    }

    /// None of an event that the tables do not have.
    fn code(&self, event: &str) -> Option<Code> {
        if let Some(&known) = self.known.borrow().get(event) {
            return known;
        }
        let resolution = self.system.require(event).ok();
        let resolved = resolution.as_ref().and_then(|all| all.events().first().cloned());
        let code = resolved.filter(|resolved| resolved.tool().is_none()).map(|resolved| {
            let word = |word| resolved.words().get(word);
            (resolved.type_(), word(Word::Config), word(Word::Config1), word(Word::Config2))
        });
        self.known.borrow_mut().insert(event.to_owned(), code);
        code
    }
}
