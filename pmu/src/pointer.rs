//! Errors that show their position.

use std::ops::Range;

use pmu_events::resolve::{Error, ErrorKind};

use crate::failure::without_position;
use pmu_events_compiler::is_obeyed;

/// The error, with the event below it and the fault marked.
pub(crate) fn pointed_out(event: &str, error: &Error) -> String {
    let mut text = format!("{}\n{}", without_position(error), marked(event, error.span()));
    if error.kind() == ErrorKind::UnknownTerm && !error.known().is_empty() {
        text.push_str(&format!("\n  known terms: {}", error.known().join(", ")));
    }
    text
}

/// A text, and below it a line that marks a part of it.
pub(crate) fn marked(text: &str, span: Range<usize>) -> String {
    let before = text.get(..span.start).unwrap_or_default().chars().count();
    let width = text.get(span).unwrap_or_default().chars().count().max(1);
    // A tab or a line feed would shift the line below, and so would an escape.
    let is_odd = |c: char| c.is_control() || is_obeyed(c);
    let shown: String = text.chars().map(|c| if is_odd(c) { ' ' } else { c }).collect();
    format!("  {shown}\n  {:before$}{}", "", "^".repeat(width))
}
