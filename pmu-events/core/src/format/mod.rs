//! Format files, which map terms to bits of the config words.
//!
//! Use it to read the format files of a PMU that has no built-in ones.
//!
//! A PMU describes its terms in `/sys/bus/event_source/devices/<pmu>/format/`,
//! one file for each term, such as `config:0-7,32-35`
//! (`Documentation/ABI/testing/sysfs-bus-event_source-devices-format`). The
//! bits of a value are stored in the term's bits from lowest to highest,
//! whatever the order of the ranges in the file (`pmu_format_value` in
//! `tools/perf/util/pmu.c`).

mod error;
mod field;
mod words;

pub(crate) use error::Fault;
pub use error::TooLarge;
pub use field::{Format, Word};
pub use words::Words;

/// The formats of one PMU: the names of its terms, each with its [`Format`].
///
/// The formats of core PMUs are in [`builtin`](crate::builtin). A caller that
/// reads sysfs builds its own list, or passes a closure to
/// [`encode_with`](crate::config::encode_with).
///
/// ```
/// use pmu_events::format::{Format, Formats};
/// let terms = [
///     ("event", Format::parse("config:0-7,32-35")?),
///     ("umask", Format::parse("config:8-15\n")?),
/// ];
/// let formats = Formats::new(&terms);
/// assert_eq!(formats.find("umask").unwrap().max(), 0xff);
/// assert_eq!(formats.find("UMASK"), None);
/// assert_eq!(formats.to_string(), "event, umask");
/// # Ok::<(), pmu_events::located::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Formats<'a> {
    terms: &'a [(&'a str, Format)],
}

impl<'a> Formats<'a> {
    /// Wraps a list of formats. If two have the same name, the first is used.
    #[must_use]
    pub const fn new(terms: &'a [(&'a str, Format)]) -> Self {
        Formats { terms }
    }

    /// Returns the list.
    #[must_use]
    pub const fn as_slice(self) -> &'a [(&'a str, Format)] {
        self.terms
    }

    /// Finds the format of a term. Term names are case-sensitive
    /// (`pmu_find_format` in `tools/perf/util/pmu.c`).
    #[must_use]
    #[inline]
    pub const fn find(self, name: &str) -> Option<Format> {
        let mut terms = self.terms;
        while let Some(((known, format), rest)) = terms.split_first() {
            if crate::term::same(known, name) {
                return Some(*format);
            }
            terms = rest;
        }
        None
    }

    /// Returns the term name most similar to a misspelt one, for a hint.
    ///
    /// ```
    /// use pmu_events::builtin;
    /// assert_eq!(builtin::INTEL.nearest("unask"), Some("umask"));
    /// assert_eq!(builtin::INTEL.nearest("threshold"), None);
    /// ```
    #[must_use]
    pub const fn nearest(self, name: &str) -> Option<&'a str> {
        let mut nearest = crate::name::Nearest::to(name);
        let mut n = 0;
        while n < self.terms.len() {
            nearest.offer(self.terms[n].0, self.terms[n].0);
            n += 1;
        }
        nearest.found()
    }
}

/// Displays the names, joined by commas, for errors about an unknown term.
impl core::fmt::Display for Formats<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        for (n, (name, _)) in self.terms.iter().enumerate() {
            write!(f, "{}{name}", if n == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
