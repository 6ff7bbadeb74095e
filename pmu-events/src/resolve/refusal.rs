//! Errors for refused events, with suggestions.

use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use super::alias::Lookup;
use super::resolver::Resolver;
use super::{Error, ErrorKind};
use crate::Model;
use crate::config;
use crate::sysfs::Pmu;
use pmu_events_core::__private::event_list::{EventRef, Tool};
use pmu_events_core::__private::name::Nearest;

impl<'a> Resolver<'a> {
    /// A term that cannot be encoded.
    pub(super) fn refused(
        &self,
        event: EventRef<'a>,
        pmu: &Pmu,
        error: config::Error<'_>,
    ) -> Error {
        let wrong = error.term();
        let Some(span) = error.span_in(self.text) else {
            return self.refused_description(event, pmu, error);
        };
        let message = format!("{error} (PMU `{}`)", pmu.name());
        let mut terms = Vec::new();
        for (name, _) in pmu.formats() {
            terms.push(String::from(name));
        }
        // The word that may be a misspelt event name.
        let (near_to, may_be_event) = match wrong.value() {
            None => (wrong.name(), true),
            Some(value) if wrong.name().eq_ignore_ascii_case("event") => (value, true),
            Some(_) => (wrong.name(), false),
        };
        let reason = if may_be_event { self.absent_on(near_to, pmu) } else { None };
        match (error.kind(), reason) {
            (config::ErrorKind::UnknownTerm, Some(reason)) => reason.at(span).with_known(terms),
            (config::ErrorKind::NotANumber, Some(reason)) => reason.at(span),
            (config::ErrorKind::UnknownTerm, None) => {
                let nearest = self.nearest_on(pmu, near_to, may_be_event, &terms);
                Error::new(ErrorKind::UnknownTerm, span, message)
                    .with_suggestion(nearest)
                    .with_known(terms)
            }
            (config::ErrorKind::NotANumber, None) if may_be_event => Error::new(
                ErrorKind::Term,
                span,
                message,
            )
            .with_suggestion(self.nearest_on(pmu, near_to, true, &[])),
            _ => Error::new(ErrorKind::Term, span, message),
        }
    }

    /// A term of an event's description, which the user has not written.
    fn refused_description(
        &self,
        event: EventRef<'a>,
        pmu: &Pmu,
        error: config::Error<'_>,
    ) -> Error {
        let (name, of_pmu) = (error.term().name(), format!("(PMU `{}`)", pmu.name()));
        let is_event = || Lookup::new(name, self.tables, self.sysfs).is_on(pmu);
        let message = match error.kind() {
            // The user has to fill in a parameter of the event.
            config::ErrorKind::Unfilled => format!("{error} {of_pmu}"),
            config::ErrorKind::UnknownTerm if error.term().value().is_none() && is_event() => {
                format!(
                    "the description of this event does not fit: `{name}` is an event, not a term {of_pmu}"
                )
            }
            _ => format!("the description of this event does not fit: {error} {of_pmu}"),
        };
        let kind = match error.kind() {
            config::ErrorKind::UnknownTerm => ErrorKind::UnknownTerm,
            _ => ErrorKind::Term,
        };
        Error::new(kind, event.span(), message)
    }

    /// A term beside an event that stands for a code of the kernel.
    pub(super) fn beside_code(&self, event: EventRef<'a>, error: config::Error<'_>) -> Error {
        let span = error.span_in(self.text).unwrap_or(event.span());
        if error.kind() != config::ErrorKind::UnknownTerm {
            return Error::new(ErrorKind::Term, span, error.to_string());
        }
        let message = format!(
            "term `{}` is not allowed here: the event stands for a code of the kernel, not for bits \
             of a PMU",
            error.term().name()
        );
        Error::new(ErrorKind::BesideCode, span, message)
    }

    /// The nearest term or event of a PMU.
    fn nearest_on(
        &self,
        pmu: &Pmu,
        wrong: &str,
        may_be_event: bool,
        terms: &[String],
    ) -> Option<String> {
        if !self.suggests {
            return None;
        }
        let mut near = Nearest::instead_of(wrong);
        if may_be_event {
            self.offer_events(pmu, &mut near);
            for table in [self.tables.of_pmu(pmu, self.sysfs), self.tables.common()] {
                offer_nearest(table, wrong, &mut near);
            }
        }
        for term in terms {
            near.offer(term, term);
        }
        near.found().map(String::from)
    }

    /// Offers the PMU's own event names, and those of the sys tables.
    fn offer_events<'p>(&self, pmu: &'p Pmu, near: &mut Nearest<'_, &'p str>) {
        for name in pmu.event_names() {
            near.offer(name, name);
        }
        let Some(identifier) = pmu.identifier() else { return };
        for tree in self.tables.trees() {
            for event in tree.sys_events(pmu.name(), identifier) {
                near.offer(event.name(), event.name());
            }
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
        if let Some(name) = pmu_events_core::__private::event_list::nearest_generic(name) {
            near.offer(name, name);
        }
        for tool in Tool::ALL {
            near.offer(tool.name(), tool.name());
        }
        for model in self.tables.models(self.sysfs) {
            offer_nearest(Some(model), name, &mut near);
        }
        offer_nearest(self.tables.common(), name, &mut near);
        for pmu in self.sysfs.pmus() {
            self.offer_events(pmu, &mut near);
            if event.has_slashes() {
                let base = pmu_events_core::__private::pmu::base_name(pmu.name());
                near.offer(base, base);
            }
        }
        near.found().map(String::from)
    }
}

/// Offers the name in a table that is most similar to a wrong one.
fn offer_nearest(table: Option<Model>, wrong: &str, near: &mut Nearest<'_, &str>) {
    if let Some(name) = table.and_then(|table| table.nearest(wrong)) {
        near.offer(name, name);
    }
}
