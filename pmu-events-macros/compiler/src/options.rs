//! Which part of a tree is kept, and how strictly it is read.

use pmu_events_core::__private::cpuid::MatchRule;
use pmu_events_core::__private::glob;
pub use pmu_events_core::event::Encoding;

/// Which part of a tree is kept, and how strictly it is read.
///
/// ```
/// use pmu_events_compiler::{Options, Text};
///
/// let mut options = Options::default();
/// options.models = vec!["skylake*".to_owned()];
/// options.text = Text::None;
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Globs of model directories. Empty keeps all models.
    pub models: Vec<String>,
    /// Globs of event names, in any letter case. Empty keeps all events.
    pub events: Vec<String>,
    /// How much text is kept.
    pub text: Text,
    /// Whether metrics are kept.
    pub metrics: bool,
    /// How to report likely mistakes, such as unknown keys.
    pub unknown: Unknown,
    /// The architecture whose rules for CPUIDs apply; by default, the name of
    /// the tree's directory.
    pub arch: Option<String>,
    /// Which encoding of events is kept if perf gets one wrong. It matters for
    /// Intel's perfmon, and for trees that say what perf has instead: a kernel
    /// tree already has perf's encodings.
    pub encoding: Encoding,
}

/// How much text is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text {
    /// No descriptions.
    None,
    /// Brief descriptions.
    Brief,
    /// Brief and long descriptions.
    Full,
}

/// How to report likely mistakes, such as unknown keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// They are ignored.
    Allow,
    /// They are warnings.
    Warn,
    /// They are errors.
    Deny,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            models: Vec::new(),
            events: Vec::new(),
            text: Text::Full,
            metrics: true,
            unknown: Unknown::Warn,
            arch: None,
            encoding: Encoding::Correct,
        }
    }
}

impl Options {
    pub(crate) fn keeps_model(&self, directory: &str) -> bool {
        matches_any(&self.models, directory)
    }

    /// The globs that match none of some names.
    pub(crate) fn unused<'o, 'n, N: Iterator<Item = &'n str>>(
        globs: &'o [String],
        names: impl Fn() -> N,
    ) -> impl Iterator<Item = &'o String> {
        globs.iter().filter(move |pattern| !names().any(|name| glob::matches(pattern, name)))
    }

    pub(crate) fn keeps_event(&self, name: &str) -> bool {
        matches_any(&self.events, name)
    }

    /// The rule of the map file.
    pub(crate) fn rule(&self, directory: &str) -> MatchRule {
        MatchRule::of_arch(self.arch.as_deref().unwrap_or(directory))
    }
}

fn matches_any(globs: &[String], name: &str) -> bool {
    globs.is_empty() || globs.iter().any(|pattern| glob::matches(pattern, name))
}
