//! Errors that show their position.

use pmu_events::resolve::{Error, ErrorKind};

use crate::failure::with_sources;

/// The error, with the event below it and the fault marked.
pub(crate) fn pointed_out(event: &str, error: &Error) -> String {
    let span = error.span();
    let before = event.get(..span.start).unwrap_or_default().chars().count();
    let marked = event.get(span).unwrap_or_default().chars().count().max(1);
    // A tab or a line feed would shift the line below.
    let shown: String = event.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let mut text =
        format!("{}\n  {shown}\n  {:before$}{}", with_sources(error), "", "^".repeat(marked));
    if error.kind() == ErrorKind::UnknownTerm && !error.known().is_empty() {
        text.push_str(&format!("\n  known terms: {}", error.known().join(", ")));
    }
    text
}
