//! Events that the program measures itself: those of perf's PMU `tool`
//! (`tools/perf/util/tool_pmu.c` of Linux 6.13 and later).

use std::format;
use std::string::String;

use super::clock::PROGRAM_IN_PERF;
use super::draft::Draft;
use super::parsed::Written;
use super::terms::ItsTerms;
use super::{Error, ErrorKind};
use crate::config;
use crate::format::Words;
use crate::perf_type;
use pmu_events_core::__private::event_list::{Software, TermKind, TermRef, TermValue, Tool};
use pmu_events_core::__private::name::Nearest;
use pmu_events_core::__private::term::PerfTerm;

/// The name of the PMU, which sysfs does not have.
pub(super) const PMU: &str = "tool";

/// An event without a counter.
pub(super) fn event<'a>(event: Written<'a, '_>, tool: Tool) -> Draft<'a> {
    let terms = ItsTerms { written: event.event().terms(), described: None };
    let words = Words::new(Software::Dummy.config());
    let mut resolved = Draft::start(event.name(), terms, None, perf_type::SOFTWARE, words);
    resolved.tool = Some(tool);
    // A number that does not add up: the difference of two readings is meaningless.
    resolved.is_snapshot = !tool.is_time();
    if tool.is_time() {
        (resolved.unit, resolved.scale) = PROGRAM_IN_PERF;
    }
    let is_text = |term: &&TermRef<'_>| matches!(term.value(), TermValue::Text(_));
    let names = event.terms.iter().filter(|term| is_name(term.kind())).filter(is_text);
    let names = names.map(TermRef::plain);
    if let Ok(encoded) = config::encode_with(names, |_| None) {
        resolved.attributes = encoded.attributes();
    }
    resolved
}

/// `tool/num_cpus/`: exactly one event, and maybe its name.
pub(super) fn on_pmu<'a>(event: Written<'a, '_>, suggests: bool) -> Result<Draft<'a>, Error> {
    let names_event =
        |term: &&TermRef<'a>| term.kind() == TermKind::Format && term.value() == TermValue::None;
    let mut named = event.terms.iter().filter(names_event);
    let Some(term) = named.next() else {
        let message = "PMU `tool` needs an event, such as `tool/num_cpus/`";
        return Err(Error::new(ErrorKind::UnknownEvent, event.span(), message));
    };
    if let Some(second) = named.next() {
        return Err(Error::two_events(second.span()));
    }
    let Ok(tool) = term.name().parse::<Tool>() else {
        let names = || Tool::ALL.iter().map(|tool| tool.name());
        let nearest = Nearest::instead_of(term.name()).among(names()).filter(|_| suggests);
        let message = format!("PMU `tool` has no event `{}`", term.name());
        return Err(Error::new(ErrorKind::UnknownTerm, term.span(), message)
            .with_suggestion(nearest.map(String::from))
            .with_known(names().map(String::from).collect()));
    };
    only_named(event, Some(term))?;
    Ok(self::event(event, tool))
}

const fn is_name(kind: TermKind) -> bool {
    matches!(kind, TermKind::Perf(PerfTerm::Name | PerfTerm::MetricId))
}

/// Such an event has no terms but those that name it.
pub(super) fn only_named<'a>(
    event: Written<'a, '_>,
    except: Option<&TermRef<'a>>,
) -> Result<(), Error> {
    let is_wrong = |term: &&TermRef<'a>| {
        !is_name(term.kind()) && except.is_none_or(|one| one.span() != term.span())
    };
    match event.terms.iter().find(is_wrong) {
        None => Ok(()),
        Some(term) => {
            let message = format!(
                "term `{}` is not allowed on a tool event: it is not counted by a PMU",
                term.name()
            );
            Err(Error::new(ErrorKind::UnknownTerm, term.span(), message))
        }
    }
}
