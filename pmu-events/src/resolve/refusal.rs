//! Errors for refused events, with suggestions.

use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use super::resolver::Resolver;
use super::{Error, ErrorKind};
use crate::config;
use crate::event_list::{EventRef, Tool};
use crate::name::Nearest;
use crate::sysfs::Pmu;

impl<'a> Resolver<'a> {
    /// A term that cannot be encoded.
    pub(super) fn refused(
        &self,
        event: EventRef<'a>,
        pmu: &Pmu,
        error: config::Error<'_>,
    ) -> Error {
        let written = error.span_in(self.text);
        let span = written.clone().unwrap_or(event.span());
        let what = match (written, error.kind()) {
            // The user has to fill in a parameter of the event.
            (Some(_), _) | (None, config::ErrorKind::Unfilled) => error.to_string(),
            (None, _) => format!("the description of this event does not fit: {error}"),
        };
        let message = format!("{what} (PMU `{}`)", pmu.name());
        let wrong = error.term();
        let terms: Vec<&str> = pmu.formats().map(|(name, _)| name).collect();
        // The word that may be a misspelt event name.
        let (near_to, may_be_event) = match wrong.value {
            None => (wrong.name, true),
            Some(value) if wrong.name.eq_ignore_ascii_case("event") => (value, true),
            Some(_) => (wrong.name, false),
        };
        let reason = if may_be_event { self.absent_on(near_to, pmu) } else { None };
        let known = || terms.iter().map(|&term| term.into()).collect();
        match (error.kind(), reason) {
            (config::ErrorKind::UnknownTerm, Some(reason)) => reason.at(span).with_known(known()),
            (config::ErrorKind::NotANumber, Some(reason)) => reason.at(span),
            (config::ErrorKind::UnknownTerm, None) => {
                Error::new(ErrorKind::UnknownTerm, span, message)
                    .with_suggestion(self.nearest_on(pmu, near_to, may_be_event, &terms))
                    .with_known(known())
            }
            (kind @ config::ErrorKind::NotANumber, None) if may_be_event => Error::new(
                ErrorKind::Term(kind),
                span,
                message,
            )
            .with_suggestion(self.nearest_on(pmu, near_to, true, &[])),
            (kind, _) => Error::new(ErrorKind::Term(kind), span, message),
        }
    }

    /// The nearest term or event of a PMU.
    fn nearest_on(
        &self,
        pmu: &Pmu,
        wrong: &str,
        may_be_event: bool,
        terms: &[&str],
    ) -> Option<String> {
        if !self.suggests {
            return None;
        }
        let mut near = Nearest::instead_of(wrong);
        if may_be_event {
            self.offer_events(pmu, &mut near);
            let table = self.tables.of_pmu(pmu, self.sysfs);
            let tables = table.into_iter().chain(self.tables.common());
            let of_tables = tables.filter_map(|model| model.nearest(wrong));
            of_tables.for_each(|name| near.offer(name, name));
        }
        terms.iter().for_each(|term| near.offer(term, term));
        near.found().map(String::from)
    }

    /// Offers the PMU's own event names, and those of the sys tables.
    fn offer_events<'p>(&self, pmu: &'p Pmu, near: &mut Nearest<'_, &'p str>) {
        // A name in mixed case would not be found.
        let is_found = |name: &&str| {
            let has = |case: fn(&u8) -> bool| name.as_bytes().iter().any(case);
            !(has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase))
        };
        pmu.event_names().filter(is_found).for_each(|name| near.offer(name, name));
        if let Some(identifier) = pmu.identifier() {
            let trees = self.tables.trees().iter();
            let events = trees.flat_map(|tree| tree.sys_events(pmu.name(), identifier));
            events.for_each(|event| near.offer(event.name(), event.name()));
        }
    }

    /// The error for a name that is neither an event nor a PMU.
    pub(super) fn unknown(&self, event: EventRef<'a>, name: &str) -> Error {
        let span = event.head_span();
        if self.sysfs.matching(name).next().is_some() {
            let message = format!("`{name}` is a PMU, not an event");
            let suggestion = Some(format!("{name}//"));
            return Error::new(ErrorKind::UnknownEvent, span, message).with_suggestion(suggestion);
        }
        if let Some(reason) = self.absent(name) {
            return reason.at(span);
        }
        let is_core = crate::pmu::is_core(name) && self.sysfs.core_pmus().next().is_none();
        let (kind, message) = if event.has_slashes() && is_core {
            let message = format!("this machine has no core PMU, and so no `{name}`");
            return Error::new(ErrorKind::NoCorePmu, span, message);
        } else if event.has_slashes() {
            (ErrorKind::UnknownPmu, format!("there is neither a PMU nor an event `{name}`"))
        } else {
            (ErrorKind::UnknownEvent, format!("no PMU has an event `{name}`"))
        };
        let nearest = if self.suggests { self.nearest(event, name) } else { None };
        Error::new(kind, span, message).with_suggestion(nearest)
    }

    /// The nearest event or PMU.
    fn nearest(&self, event: EventRef<'a>, name: &str) -> Option<String> {
        let mut near = Nearest::instead_of(name);
        let models = self.tables.models(self.sysfs).into_iter().chain(self.tables.common());
        let of_table = models.filter_map(|model| model.nearest(name));
        let generic = crate::event_list::nearest_generic(name);
        let tools = Tool::ALL.iter().map(|tool| tool.name());
        generic.into_iter().chain(tools).chain(of_table).for_each(|name| near.offer(name, name));
        for pmu in self.sysfs.pmus() {
            self.offer_events(pmu, &mut near);
            if event.has_slashes() {
                let base = crate::pmu::base_name(pmu.name());
                near.offer(base, base);
            }
        }
        near.found().map(String::from)
    }
}
