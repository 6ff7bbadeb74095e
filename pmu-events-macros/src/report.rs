//! Faults as text: all at once, each with its place.

use std::fmt::Write as _;

use crate::fault::{Faults, List, Site};
use crate::source::Source;

/// At most this many faults, and this many warnings, are shown.
const SHOWN: usize = 20;

/// The errors as one text, a line each, in the order of the files.
pub(crate) fn errors(faults: &Faults, source: &Source) -> String {
    show(&faults.errors, source, "error")
}

/// The warnings likewise; `None` if there are none.
pub(crate) fn warnings(faults: &Faults, source: &Source) -> Option<String> {
    (!faults.warnings.kept.is_empty()).then(|| show(&faults.warnings, source, "warning"))
}

fn show(list: &List, source: &Source, kind: &str) -> String {
    let mut faults: Vec<_> = list.kept.iter().collect();
    faults.sort();
    faults.dedup();
    let all = faults.len() + list.dropped;
    let mut text = String::new();
    if all > 1 {
        let _ = write!(text, "{all} {kind}s in the event tree");
    }
    for (site, message) in faults.iter().take(SHOWN) {
        if !text.is_empty() {
            text.push('\n');
        }
        match site {
            Site::At(place) => {
                let _ = write!(text, "{}: {message}", source.shown(*place));
            }
            Site::Path(path) => {
                let _ = write!(text, "{path}: {message}");
            }
        }
    }
    if all > SHOWN {
        let _ = write!(text, "\n… and {} more", all - SHOWN.min(faults.len()));
    }
    text
}
