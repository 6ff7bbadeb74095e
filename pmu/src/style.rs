//! How text stands out on a terminal, and whether it may.

use std::env;
use std::io::IsTerminal;

/// The end of a style.
pub(crate) const PLAIN: &str = "\x1b[0m";

/// How a text stands out.
#[derive(Clone, Copy)]
pub(crate) enum Style {
    Bold,
    Dim,
}

impl Style {
    pub(crate) fn sequence(self) -> &'static str {
        match self {
            Style::Bold => "\x1b[1m",
            Style::Dim => "\x1b[2m",
        }
    }
}

/// Whether text for a stream is emphasised: on a terminal that can, unless
/// [`NO_COLOR`](https://no-color.org) says otherwise.
pub(crate) fn emphasises(stream: &(impl IsTerminal + ?Sized)) -> bool {
    let set = |variable| env::var_os(variable).filter(|value| !value.is_empty());
    stream.is_terminal()
        && set("NO_COLOR").is_none()
        && set("TERM").is_none_or(|term| term != "dumb")
}
