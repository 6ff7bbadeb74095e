//! What is wrong with a tree, and where.

/// A byte of a file of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Place {
    pub(crate) file: u32,
    pub(crate) offset: u32,
}

/// Where a fault lies: in a file, or at a path that could not be read as one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Site {
    At(Place),
    Path(String),
}

/// Collects everything that is wrong, so that it is reported at once.
#[derive(Default, Debug)]
pub(crate) struct Faults {
    pub(crate) errors: Vec<(Site, String)>,
    pub(crate) warnings: Vec<(Site, String)>,
}

impl Faults {
    pub(crate) fn error(&mut self, place: Place, message: impl Into<String>) {
        self.errors.push((Site::At(place), message.into()));
    }

    /// For what has no file to point into: a directory, or a file that cannot
    /// be read.
    pub(crate) fn error_at_path(&mut self, path: &str, message: impl Into<String>) {
        self.errors.push((Site::Path(path.to_owned()), message.into()));
    }

    pub(crate) fn warning(&mut self, place: Place, message: impl Into<String>) {
        self.warnings.push((Site::At(place), message.into()));
    }

    pub(crate) fn append(&mut self, mut other: Faults) {
        self.errors.append(&mut other.errors);
        self.warnings.append(&mut other.warnings);
    }

    pub(crate) fn warnings_into_errors(&mut self) {
        self.errors.append(&mut self.warnings);
    }

    pub(crate) fn drop_warnings(&mut self) {
        self.warnings.clear();
    }

    pub(crate) fn has_errors(&self) -> bool {
        !self.errors.is_empty()
    }
}

/// Quotes a value of the tree for a message: shortened, without line ends.
pub(crate) fn quoted(value: &str) -> String {
    const LONGEST: usize = 60;
    let mut short: String = value.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if value.chars().nth(LONGEST).is_some() {
        short.push('…');
    }
    format!("`{short}`")
}

/// “; did you mean `x`?”, or nothing when no candidate is near.
pub(crate) fn hint<'a>(written: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    let mut limit = 1 + written.len() / 4;
    let mut best = None;
    for candidate in candidates {
        if let Some(distance) = pmu_events_core::name::distance(written, candidate, limit) {
            best = Some(candidate);
            match distance.checked_sub(1) {
                Some(less) => limit = less,
                None => break,
            }
        }
    }
    best.map_or_else(String::new, |best| format!("; did you mean {}?", quoted(best)))
}
