//! What perf counts under an event's name, where its tree is wrong.

use core::fmt;

use crate::wire::record::differs;

/// What perf counts under the name of an event that a tree has right: see
/// [`Event::perf_differs`](crate::Event::perf_differs).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PerfDiffers {
    pub(crate) event_string: &'static str,
    pub(crate) changes_string: bool,
    pub(crate) reasons: u8,
}

impl PerfDiffers {
    /// perf's event string. It is the event's own where only the precision
    /// differs.
    #[must_use]
    pub const fn event_string(self) -> &'static str {
        self.event_string
    }

    /// Whether perf counts something else, and not only lacks a fact.
    #[must_use]
    pub const fn changes_count(self) -> bool {
        self.changes_string
    }

    /// Whether the extension of the umask is lost, because the umask itself is 0.
    #[must_use]
    pub const fn loses_umask_extension(self) -> bool {
        self.reasons & differs::UMASK_EXTENSION != 0
    }

    /// Whether the bits of the event code above the lower eight are lost
    /// (`ExtSel`).
    #[must_use]
    pub const fn loses_ext_sel(self) -> bool {
        self.reasons & differs::EXT_SEL != 0
    }

    /// Whether perf does not know that the event can be sampled precisely.
    #[must_use]
    pub const fn loses_precision(self) -> bool {
        self.reasons & differs::PRECISE != 0
    }

    /// Whether the umask belongs to another register than the event's.
    #[must_use]
    pub const fn has_other_register(self) -> bool {
        self.reasons & differs::REGISTER != 0
    }

    /// The versions of perf whose event string this is: Linux 6.1 still has
    /// `ExtSel`, and every version has the other mistakes for as long as it has the
    /// event.
    #[must_use]
    pub const fn versions(self) -> &'static str {
        match self.reasons & !differs::PRECISE {
            differs::EXT_SEL => "perf 6.2 and later",
            _ => "perf",
        }
    }
}

/// `perf 6.2 and later counts event=0x2 under this name`,
/// `perf does not know that it can be sampled precisely`
impl fmt::Display for PerfDiffers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.changes_string {
            return f.write_str("perf does not know that it can be sampled precisely");
        }
        let (versions, event) = (self.versions(), self.event_string);
        write!(f, "{versions} counts {event} under this name")
    }
}
