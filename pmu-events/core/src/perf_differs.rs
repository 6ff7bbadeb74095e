//! Differences between perf's tree and a correct one.

use core::fmt;

use crate::wire::record::differs;

/// Which encoding of an event is used if perf gets it wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// The source's encoding. [`Event::perf_differs`](crate::Event::perf_differs)
    /// tells what perf has instead.
    ///
    /// Six names have the event string that perf has for them on every CPU; the
    /// source's is
    /// [`Event::vendor_event_string`](crate::Event::vendor_event_string).
    #[default]
    Correct,
    /// The encoding of perf's tree for the same source, including its mistakes:
    /// for comparison with perf's measurements. The tree is that of Linux 6.17,
    /// which perfmon's script (`create_perf_json.py`) writes. Older trees differ: that
    /// of Linux 6.12 has the right filter (`config1`) of events of Skylake and Cascade
    /// Lake servers, and that of Linux 6.1 the `ExtSel` of older ones.
    Perf,
}

/// What perf counts under an event's name if its own tree is wrong: see
/// [`Event::perf_differs`](crate::Event::perf_differs).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PerfDiffers {
    pub(crate) event_string: &'static str,
    pub(crate) changes_count: bool,
    /// The vendor's event string, if perf's hides it.
    pub(crate) vendor: Option<&'static str>,
    pub(crate) reasons: u8,
}

impl PerfDiffers {
    /// Returns perf's event string. It equals the event's own if only the precision
    /// differs, or if the name has one event string on every CPU.
    #[must_use]
    pub const fn event_string(self) -> &'static str {
        self.event_string
    }

    /// Whether perf selects something different, rather than just lacking a
    /// fact.
    #[must_use]
    pub const fn changes_count(self) -> bool {
        self.changes_count
    }

    /// Whether perf's event loses the extension of the umask because the umask
    /// itself is 0.
    #[must_use]
    pub const fn loses_umask_extension(self) -> bool {
        self.reasons & differs::UMASK_EXTENSION != 0
    }

    /// Whether perf's event loses the bits of the event code above the lower
    /// eight (`ExtSel`).
    #[must_use]
    pub const fn loses_ext_sel(self) -> bool {
        self.reasons & differs::EXT_SEL != 0
    }

    /// Whether perf does not know that the event can be sampled precisely.
    #[must_use]
    pub const fn loses_precision(self) -> bool {
        self.reasons & differs::PRECISE != 0
    }

    /// Whether perf uses the umask that belongs to another register.
    #[must_use]
    pub const fn has_other_register(self) -> bool {
        self.reasons & differs::REGISTER != 0
    }

    /// Whether perf writes the value of a filter into the wrong half of its
    /// register (`Filter1`), where it selects nothing or something different.
    #[must_use]
    pub const fn has_other_filter(self) -> bool {
        self.reasons & differs::FILTER != 0
    }

    /// Whether perf has one event string for the name on every CPU, and the code that
    /// the tree says for this one selects another event
    /// ([`Event::vendor_event_string`](crate::Event::vendor_event_string)).
    #[must_use]
    pub const fn has_fixed_string(self) -> bool {
        self.reasons & differs::FIXED_STRING != 0
    }

    /// Returns the versions of perf that are known to have this mistake, as the
    /// subject of a sentence: `perf 6.2 to 6.17`, or just `perf` if every version up
    /// to 6.17 that has the event is wrong.
    ///
    /// The tree of Linux 6.1 still has `ExtSel`. That of Linux 6.12 alone has most
    /// filters right, and it still tells for some events that they can be sampled
    /// precisely; that of 6.17 for none.
    #[must_use]
    pub const fn versions(self) -> &'static str {
        match self.reasons & !differs::PRECISE {
            0 => "perf 6.17",
            differs::EXT_SEL => "perf 6.2 to 6.17",
            differs::FILTER => "perf 6.1 and 6.17",
            _ => "perf",
        }
    }
}

/// Displays a sentence such as
/// `perf 6.2 to 6.17 counts event=0x2 under this name`,
/// `perf counts event=0x0,umask=0x03 under this name, not the vendor's event=0x3c,umask=1` or
/// `perf 6.17 does not know that it can be sampled precisely`.
impl fmt::Display for PerfDiffers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (versions, event) = (self.versions(), self.event_string);
        if !self.changes_count {
            return write!(f, "{versions} does not know that it can be sampled precisely");
        }
        write!(f, "{versions} counts {event} under this name")?;
        match self.vendor {
            Some(vendor) => write!(f, ", not the vendor's {vendor}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What perf's trees have; `REPAIRS.md` counts it.
    #[test]
    fn versions_with_each_mistake() {
        for (reasons, versions) in [
            (differs::PRECISE, "perf 6.17"),
            (differs::EXT_SEL, "perf 6.2 to 6.17"),
            (differs::EXT_SEL | differs::PRECISE, "perf 6.2 to 6.17"),
            (differs::FILTER, "perf 6.1 and 6.17"),
            (differs::UMASK_EXTENSION, "perf"),
            (differs::REGISTER, "perf"),
            (differs::FIXED_STRING, "perf"),
        ] {
            let differs =
                PerfDiffers { event_string: "", changes_count: true, vendor: None, reasons };
            assert_eq!(differs.versions(), versions);
        }
    }
}
