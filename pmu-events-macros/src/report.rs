//! Faults as text: all at once, each with its place.

use std::fmt::Write as _;

use crate::fault::{Faults, Site};
use crate::source::Source;

/// At most this many faults, and this many warnings, are shown.
const SHOWN: usize = 20;

/// The errors as one text, a line each, in the order of the files.
pub(crate) fn errors(faults: &Faults, source: &Source) -> String {
    show(&faults.errors, source, "error")
}

/// The warnings likewise; `None` if there are none.
pub(crate) fn warnings(faults: &Faults, source: &Source) -> Option<String> {
    (!faults.warnings.is_empty()).then(|| show(&faults.warnings, source, "warning"))
}

fn show(faults: &[(Site, String)], source: &Source, kind: &str) -> String {
    let mut faults: Vec<_> = faults.iter().collect();
    faults.sort();
    faults.dedup();
    let mut text = String::new();
    if faults.len() > 1 {
        let _ = write!(text, "{} {kind}s in the event tree", faults.len());
    }
    for (site, message) in faults.iter().take(SHOWN) {
        if !text.is_empty() {
            text.push('\n');
        }
        match site {
            Site::At(place) => {
                let (path, line, column) = source.locate(*place);
                let _ = write!(text, "{path}:{line}:{column}: {message}");
            }
            Site::Path(path) => {
                let _ = write!(text, "{path}: {message}");
            }
        }
    }
    if faults.len() > SHOWN {
        let _ = write!(text, "\n… and {} more", faults.len() - SHOWN);
    }
    text
}
