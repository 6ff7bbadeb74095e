//! Events that the program measures itself: those of perf's PMU `tool`
//! (`tools/perf/util/tool_pmu.c` of Linux 6.13 and later).

use std::format;
use std::string::String;
use std::vec::Vec;

use super::clock::PROGRAM_IN_PERF;
use super::draft::Draft;
use super::parsed::Written;
use super::terms::{self, ItsTerms};
use super::{Error, ErrorKind};
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
    let mut names = Vec::new();
    for term in event.terms {
        if is_name(term.kind()) && matches!(term.value(), TermValue::Text(_)) {
            names.push(term.plain());
        }
    }
    if let Ok(encoded) = terms::encoded(&names, &|_| None) {
        resolved.attributes = encoded.attributes();
    }
    resolved
}

/// `tool/num_cpus/`: exactly one event, and maybe its name.
pub(super) fn on_pmu<'a>(event: Written<'a, '_>, suggests: bool) -> Result<Draft<'a>, Error> {
    let mut named = None;
    for term in event.terms {
        if term.kind() != TermKind::Format || term.value() != TermValue::None {
            continue;
        }
        if named.replace(term).is_some() {
            return Err(Error::two_events(term.span()));
        }
    }
    let Some(term) = named else {
        let message = "PMU `tool` needs an event, such as `tool/num_cpus/`";
        return Err(Error::new(ErrorKind::UnknownEvent, event.span(), message));
    };
    let Ok(tool) = term.name().parse::<Tool>() else {
        let (mut near, mut names) = (Nearest::instead_of(term.name()), Vec::new());
        for tool in Tool::ALL {
            near.offer(tool.name(), tool.name());
            names.push(String::from(tool.name()));
        }
        let nearest = if suggests { near.found().map(String::from) } else { None };
        let message = format!("PMU `tool` has no event `{}`", term.name());
        return Err(Error::new(ErrorKind::UnknownTerm, term.span(), message)
            .with_suggestion(nearest)
            .with_known(names));
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
    for term in event.terms {
        if !is_name(term.kind()) && except.is_none_or(|one| one.span() != term.span()) {
            let message = format!(
                "term `{}` is not allowed on a tool event: it is not counted by a PMU",
                term.name()
            );
            return Err(Error::new(ErrorKind::UnknownTerm, term.span(), message));
        }
    }
    Ok(())
}
