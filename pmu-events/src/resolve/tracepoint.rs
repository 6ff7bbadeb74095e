//! Tracepoints by name and pattern.

use std::format;
use std::string::String;
use std::vec::Vec;

use super::{Error, ErrorKind};
use crate::sysfs::{Problem, Tracepoint, Tracing};
use pmu_events_core::__private::event_list::EventRef;
use pmu_events_core::__private::glob;
use pmu_events_core::__private::name::Nearest;

/// Finds the tracepoints that `system:event` matches, both of which may be patterns
/// (`parse_events_add_tracepoint` in `tools/perf/util/parse-events.c`), each with
/// its number. There is at least one.
pub(super) fn find<'a>(
    event: EventRef<'_>,
    (system, name): (&str, &str),
    tracing: &'a Tracing,
) -> Result<Vec<(&'a Tracepoint, u64)>, Error> {
    let unreadable = |problem: &Problem| {
        let message = format!("cannot look up tracepoints: {problem}");
        Error::new(ErrorKind::Tracing, event.head_span(), message).because_of(problem)
    };
    let mut found = Vec::new();
    for known in tracing.systems().map_err(unreadable)?.filter(|known| is_meant(system, known)) {
        let of_system = tracing.of_system(known).map_err(unreadable)?;
        for tracepoint in of_system.iter().filter(|known| is_meant(name, known.event())) {
            found.push((tracepoint, tracepoint.id().map_err(unreadable)?));
        }
    }
    if found.is_empty() {
        let message = format!("there is no tracepoint `{system}:{name}`");
        let suggestion = nearest(system, name, tracing);
        return Err(Error::new(ErrorKind::UnknownEvent, event.head_span(), message)
            .with_suggestion(suggestion));
    }
    Ok(found)
}

/// Only `*` and `?` make a pattern; within a pattern, brackets are also special.
fn is_meant(written: &str, known: &str) -> bool {
    written == known || (written.contains(['*', '?']) && glob::matches_case(written, known))
}

/// The nearest event of the system, or of the system with the nearest name.
fn nearest(system: &str, name: &str, tracing: &Tracing) -> Option<String> {
    let near = Nearest::to(system).among(tracing.systems().ok()?)?;
    let of_system = tracing.of_system(near).ok()?;
    // Of another system, the very name is what was meant.
    let event = Nearest::to(name).among(of_system.iter().map(Tracepoint::event));
    Some(match event {
        Some(event) => format!("{near}:{event}"),
        // The system exists, but has no similar event.
        None if near == system => return None,
        None => format!("{near}:*"),
    })
}
