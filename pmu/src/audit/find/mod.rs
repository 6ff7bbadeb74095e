//! The names and codes of a text, with their places.
//!
//! Each format has a module, which says whether a text is one; any other text is source text.
//! `json` has several formats, because a JSON file does not say which it is.

mod enclosing;
mod json;
mod likwid;
mod nanobench;
mod number;
pub(super) mod source;
mod strings;

use super::candidate::Candidate;
use super::cpu::Cpus;
use super::known::Known;

/// What a finder knows besides the text.
pub(crate) struct Context<'c> {
    pub(crate) cpus: &'c Cpus,
    pub(crate) known: &'c Known,
}

/// The candidates of a text, in its order.
pub(crate) fn all(text: &str, context: &Context<'_>) -> Vec<Candidate> {
    let mut found = if likwid::is_list(text) {
        likwid::find(text)
    } else if nanobench::is_list(text) {
        nanobench::find(text)
    } else {
        json::find(text, context).unwrap_or_else(|| source::find(text, context))
    };
    found.sort_by_key(|one| (one.span.start, one.span.end));
    found
}

/// The lines of a text, each with its offset.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        (start, line.trim_end_matches(['\n', '\r']))
    })
}

/// The words of a line between blanks, each with its offset in the line.
fn fields(line: &str) -> Vec<(usize, &str)> {
    let offset = |field: &str| field.as_ptr() as usize - line.as_ptr() as usize;
    line.split_ascii_whitespace().map(|field| (offset(field), field)).collect()
}
