//! The faults of a tree, their places, and the report of all of them.

pub(crate) mod obeyed;
pub(crate) mod report;

use std::cmp::Ordering;
use std::sync::Arc;

use pmu_events_core::__private::name::Nearest;

use crate::cost::steps;
use obeyed::is_obeyed;

/// A byte of a file of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Place {
    pub(crate) file: u32,
    pub(crate) offset: u32,
}

impl Default for Place {
    fn default() -> Self {
        Self::NOWHERE
    }
}

impl Place {
    /// No place in a file: the tree as a whole.
    pub(crate) const NOWHERE: Self = Place { file: u32::MAX, offset: 0 };

    /// A byte of a file.
    pub(crate) fn new(file: u32, offset: usize) -> Self {
        Place { file, offset: narrow(offset) }
    }
}

/// A number of bytes, files or entries, as places and lists store it. Files of
/// more than 4 GiB are refused when they are read, and no list has more entries
/// than the files have bytes.
pub(crate) fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Where a fault lies: in a file, or at a path that could not be read as one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Site {
    At(Place),
    Path(String),
}

/// The rank of a fault in the output: causes come before their effects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    /// A file that cannot be read or parsed: its contents are unknown.
    Unread,
    Fault,
    /// A warning that the option `unknown = deny` makes an error.
    Denied,
}

/// One fault.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fault {
    pub(crate) rank: Rank,
    pub(crate) site: Site,
    pub(crate) message: Message,
}

/// The message of a fault.
///
/// Lines, columns and suggestions take a walk through a file or all names of a
/// model. A tree may have as many faults as names, but few are shown, so a
/// message keeps only its parts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Message(Vec<Piece>);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Piece {
    Text(String),
    Place(Place),
    Suggestion(Suggestion),
}

/// “; did you mean …?”, or nothing.
#[derive(Clone, Debug)]
pub(crate) struct Suggestion {
    written: String,
    among: Candidates,
}

/// Candidates for a suggestion. Faults share them.
pub(crate) type Candidates = Arc<Vec<String>>;

impl Suggestion {
    pub(crate) fn text(&self) -> String {
        hint(&self.written, self.among.iter().map(String::as_str))
    }
}

// Two suggestions at one place have the same candidates.
impl Ord for Suggestion {
    fn cmp(&self, other: &Self) -> Ordering {
        self.written.cmp(&other.written)
    }
}

impl PartialOrd for Suggestion {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Suggestion {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Suggestion {}

impl Message {
    /// The pieces, in their order.
    pub(crate) fn pieces(&self) -> &[Piece] {
        &self.0
    }

    pub(crate) fn place(mut self, place: Place) -> Self {
        self.0.push(Piece::Place(place));
        self
    }

    pub(crate) fn text(mut self, text: impl Into<String>) -> Self {
        self.0.push(Piece::Text(text.into()));
        self
    }

    pub(crate) fn suggest(mut self, written: &str, among: &Candidates) -> Self {
        let suggestion = Suggestion { written: written.to_owned(), among: Arc::clone(among) };
        self.0.push(Piece::Suggestion(suggestion));
        self
    }
}

impl From<String> for Message {
    fn from(text: String) -> Self {
        Message(vec![Piece::Text(text)])
    }
}

impl From<&str> for Message {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

/// Collects all faults, so that they are reported at once.
#[derive(Clone, Default, Debug)]
pub(crate) struct Faults {
    pub(crate) errors: List,
    pub(crate) warnings: List,
}

/// Faults of one severity.
#[derive(Clone, Default, Debug)]
pub(crate) struct List {
    pub(crate) kept: Vec<Fault>,
    /// How many more there were.
    pub(crate) dropped: usize,
}

impl List {
    /// A file full of faults must not exhaust memory; far fewer are shown.
    const MOST: usize = 1000;

    fn push(&mut self, rank: Rank, site: Site, message: Message) {
        if self.kept.len() < Self::MOST {
            self.kept.push(Fault { rank, site, message });
        } else {
            self.dropped += 1;
        }
    }

    fn append(&mut self, other: List) {
        self.kept.extend(other.kept);
        self.dropped += other.dropped;
    }
}

impl Faults {
    pub(crate) fn error(&mut self, place: Place, message: impl Into<Message>) {
        self.errors.push(Rank::Fault, Site::At(place), message.into());
    }

    /// For a fault that has no file to point into, such as that of a directory.
    pub(crate) fn error_at_path(&mut self, path: &str, message: impl Into<Message>) {
        self.errors.push(Rank::Fault, Site::Path(path.to_owned()), message.into());
    }

    /// For a file that cannot be parsed.
    pub(crate) fn unread(&mut self, place: Place, message: impl Into<Message>) {
        self.errors.push(Rank::Unread, Site::At(place), message.into());
    }

    /// For a directory or file that cannot be read.
    pub(crate) fn unread_path(&mut self, path: &str, message: impl Into<Message>) {
        self.errors.push(Rank::Unread, Site::Path(path.to_owned()), message.into());
    }

    pub(crate) fn warning(&mut self, place: Place, message: impl Into<Message>) {
        self.warnings.push(Rank::Fault, Site::At(place), message.into());
    }

    pub(crate) fn warning_at_path(&mut self, path: &str, message: impl Into<Message>) {
        self.warnings.push(Rank::Fault, Site::Path(path.to_owned()), message.into());
    }

    pub(crate) fn append(&mut self, other: Faults) {
        self.errors.append(other.errors);
        self.warnings.append(other.warnings);
    }

    pub(crate) fn warnings_into_errors(&mut self) {
        let mut denied = std::mem::take(&mut self.warnings);
        denied.kept.iter_mut().for_each(|fault| fault.rank = Rank::Denied);
        self.errors.append(denied);
    }

    pub(crate) fn drop_warnings(&mut self) {
        self.warnings = List::default();
    }

    pub(crate) fn has_errors(&self) -> bool {
        !self.errors.kept.is_empty()
    }
}

/// Quotes a value of the tree for a message: shortened, without line ends.
pub(crate) fn quoted(value: &str) -> String {
    const LONGEST: usize = 60;
    let mut short = String::new();
    for c in value.chars().take(LONGEST) {
        if c.is_control() || is_obeyed(c) {
            short.extend(c.escape_default());
        } else {
            short.push(c);
        }
    }
    if value.chars().nth(LONGEST).is_some() {
        short.push('…');
    }
    format!("`{short}`")
}

/// “; did you mean `x`?”, or nothing if no candidate is similar.
#[must_use]
pub fn hint<'a>(written: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    let candidates = candidates.into_iter().inspect(|_| steps::count(1));
    let best = Nearest::instead_of(written).among(candidates);
    best.map_or_else(String::new, |best| format!("; did you mean {}?", quoted(best)))
}
