//! Faults as values with places: files that cannot be read first, then in the
//! order of the files.

use std::fmt::{self, Write as _};

use super::{List, Message, Piece, Place, Site};

/// The file of a place, and its line and column there.
type Locate<'f, 'l> = &'l dyn Fn(Place) -> (&'f str, Option<(usize, usize)>);

/// At most this many faults appear in the text of a report.
const SHOWN: usize = 20;

/// The severity of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// A likely mistake. The tree compiles.
    Warning,
    /// The tree does not compile.
    Error,
}

/// `warning`, `error`
impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Severity::Warning => "warning",
            Severity::Error => "error",
        })
    }
}

/// One fault of a tree, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// The file, or a directory where the fault is not in a file, below the path
    /// by which the tree was named.
    pub path: String,
    /// Line and column, both counted from 1, if the fault is in a file's text.
    /// Columns count characters.
    pub position: Option<(usize, usize)>,
    /// What is wrong, with the value quoted and often what may have been meant,
    /// for as many faults as the text of a [`Report`] shows.
    pub message: String,
}

/// `path:line:column: message`
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)?;
        if let Some((line, column)) = self.position {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", self.message)
    }
}

/// The faults of one severity, sorted by place; files that cannot be read come
/// first.
///
/// [`Display`](fmt::Display) writes one per line, twenty at most, after a line
/// with their number if there is more than one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    severity: Severity,
    faults: Vec<Fault>,
    total: usize,
}

impl Report {
    pub(crate) fn new(list: &List, locate: Locate<'_, '_>, severity: Severity) -> Self {
        let mut kept: Vec<_> = list.kept.iter().collect();
        kept.sort();
        kept.dedup();
        let total = kept.len() + list.dropped;
        let fault = |(number, fault): (usize, &super::Fault)| {
            let (path, position) = match &fault.site {
                Site::At(place) => {
                    let (path, position) = locate(*place);
                    (path.to_owned(), position)
                }
                Site::Path(path) => (path.clone(), None),
            };
            Fault { path, position, message: text(&fault.message, locate, number < SHOWN) }
        };
        let faults = kept.into_iter().enumerate().map(fault).collect();
        Report { severity, faults, total }
    }

    /// The severity of all faults in the report.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// The faults. A tree with very many faults has more than are kept; see
    /// [`total`](Self::total).
    #[must_use]
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// The number of faults, including those that were not kept.
    #[must_use]
    pub fn total(&self) -> usize {
        self.total
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }
}

/// A message as text. A suggestion looks at all names of a model, so only
/// messages that are shown get one.
fn text(message: &Message, locate: Locate<'_, '_>, suggests: bool) -> String {
    let mut text = String::new();
    for piece in message.pieces() {
        match piece {
            Piece::Text(piece) => text.push_str(piece),
            Piece::Place(place) => {
                let (path, position) = locate(*place);
                text.push_str(path);
                if let Some((line, column)) = position {
                    let _ = write!(text, ":{line}:{column}");
                }
            }
            Piece::Suggestion(suggestion) if suggests => text.push_str(&suggestion.text()),
            Piece::Suggestion(_) => {}
        }
    }
    text
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { severity, faults, total } = self;
        if *total > 1 {
            writeln!(f, "{total} {severity}s in the event tree")?;
        }
        for (number, fault) in faults.iter().take(SHOWN).enumerate() {
            if number > 0 {
                writeln!(f)?;
            }
            write!(f, "{fault}")?;
        }
        if *total > SHOWN {
            write!(f, "\n… and {} more", total - SHOWN.min(faults.len()))?;
        }
        Ok(())
    }
}
