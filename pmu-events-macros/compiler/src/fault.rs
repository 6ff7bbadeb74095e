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
#[derive(Clone, Default, Debug)]
pub(crate) struct Faults {
    pub(crate) errors: List,
    pub(crate) warnings: List,
}

/// Faults of one severity.
#[derive(Clone, Default, Debug)]
pub(crate) struct List {
    pub(crate) kept: Vec<(Site, String)>,
    /// How many more there were.
    pub(crate) dropped: usize,
}

impl List {
    /// A file of nothing but faults must not take all memory; far fewer are
    /// shown.
    const MOST: usize = 1000;

    fn push(&mut self, site: Site, message: String) {
        if self.kept.len() < Self::MOST {
            self.kept.push((site, message));
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
    pub(crate) fn error(&mut self, place: Place, message: impl Into<String>) {
        self.errors.push(Site::At(place), message.into());
    }

    /// For what has no file to point into: a directory, or a file that cannot
    /// be read.
    pub(crate) fn error_at_path(&mut self, path: &str, message: impl Into<String>) {
        self.errors.push(Site::Path(path.to_owned()), message.into());
    }

    pub(crate) fn warning(&mut self, place: Place, message: impl Into<String>) {
        self.warnings.push(Site::At(place), message.into());
    }

    pub(crate) fn warning_at_path(&mut self, path: &str, message: impl Into<String>) {
        self.warnings.push(Site::Path(path.to_owned()), message.into());
    }

    pub(crate) fn append(&mut self, other: Faults) {
        self.errors.append(other.errors);
        self.warnings.append(other.warnings);
    }

    pub(crate) fn warnings_into_errors(&mut self) {
        self.errors.append(std::mem::take(&mut self.warnings));
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
        if c.is_control() {
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

/// “; did you mean `x`?”, or nothing when no candidate is near.
#[must_use]
pub fn hint<'a>(written: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    // Any letter is near any other: of the shortest only the case may differ.
    let mut limit = if written.len() < 3 { 0 } else { 1 + written.len() / 4 };
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
