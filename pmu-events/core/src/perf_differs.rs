//! Differences between perf's tree and a correct one.

use core::fmt;

use crate::wire::record::{differs, repair};

/// Which encoding of an event is used if perf gets it wrong.
///
/// ```
/// use pmu_events::{arch::x86, event::Encoding};
///
/// let differing = x86::SKYLAKEX.events().find(|event| event.perf_differs().is_some()).unwrap();
/// let as_perf = differing.with_encoding(Encoding::Perf);
/// assert!(as_perf.perf_differs().is_none());
/// ```
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
    /// for comparison with perf's measurements. The tree is the one that perfmon's
    /// script (`create_perf_json.py`) writes, as Linux 7.3 has it, and Linux 6.17 for
    /// the events that it lists. [`PerfDiffers::versions`] tells which
    /// versions of perf have it so: the tree of Linux 6.12 has most filters
    /// (`config1`) of Skylake and Cascade Lake servers right, and that of Linux 6.1 the
    /// `ExtSel` of older ones.
    Perf,
}

/// What perf counts under an event's name if its own tree is wrong: see
/// [`Event::perf_differs`](crate::Event::perf_differs).
///
/// ```
/// use pmu_events::arch::x86;
///
/// let lost = |event: &pmu_events::Event| event.perf_differs().is_some_and(|d| d.loses_ext_sel());
/// let event = x86::JAKETOWN.events().find(lost).unwrap();
/// let differs = event.perf_differs().unwrap();
/// assert!(differs.changes_count());
/// assert_ne!(differs.event_string(), event.event_string());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PerfDiffers {
    pub(crate) event_string: &'static str,
    pub(crate) changes_count: bool,
    /// The vendor's event string, if perf's hides it.
    pub(crate) vendor: Option<&'static str>,
    pub(crate) reasons: u8,
    /// `repair` bits.
    pub(crate) repair: u32,
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

    /// Returns the versions of perf that have this mistake of this event, as the
    /// subject of a sentence: `perf 6.1 and 6.17`. Compared are the trees of Linux 6.1,
    /// 6.12, 6.17 and 7.3; a version that has the event right or lacks it is not named.
    ///
    /// `perf` alone if nothing is recorded, as in a tree of your own, or if the name has
    /// one event string on every CPU in all of these versions. If none of them has the
    /// event so, but perfmon's script writes it so: `perf with a table of perfmon's script`.
    ///
    /// Where only [the precision](Self::loses_precision) is lost, these are the versions
    /// that lose it.
    #[must_use]
    pub const fn versions(self) -> &'static str {
        match self.wrong() {
            None => "perf",
            Some(bits) => VERSIONS[bits as usize],
        }
    }

    /// The bits of the versions that have this mistake, if they are recorded.
    const fn wrong(self) -> Option<u32> {
        let is_only_fixed = self.reasons & !differs::PRECISE == differs::FIXED_STRING;
        if self.repair & repair::RECORDED == 0 || is_only_fixed {
            return None;
        }
        let shift = if self.loses_code() { repair::WRONG_SHIFT } else { repair::IMPRECISE_SHIFT };
        Some(self.repair >> shift & 0xf)
    }

    /// Whether more is lost than the precision.
    const fn loses_code(self) -> bool {
        self.reasons & !(differs::PRECISE | differs::FIXED_STRING) != 0
    }

    /// What supports the correction; `None` if nothing is recorded, as in a tree of your
    /// own.
    #[must_use]
    pub const fn evidence(self) -> Option<Evidence> {
        if self.repair & repair::RECORDED == 0 {
            return None;
        }
        Some(Evidence { bits: self.repair, is_of_code: self.loses_code() })
    }
}

/// The subjects of sentences, by the bits of `repair::VERSIONS`.
const VERSIONS: [&str; 16] = [
    "perf with a table of perfmon's script",
    "perf 6.1",
    "perf 6.12",
    "perf 6.1 and 6.12",
    "perf 6.17",
    "perf 6.1 and 6.17",
    "perf 6.12 and 6.17",
    "perf 6.1, 6.12 and 6.17",
    "perf 7.3",
    "perf 6.1 and 7.3",
    "perf 6.12 and 7.3",
    "perf 6.1, 6.12 and 7.3",
    "perf 6.17 and 7.3",
    "perf 6.1, 6.17 and 7.3",
    "perf 6.12, 6.17 and 7.3",
    "perf 6.1, 6.12, 6.17 and 7.3",
];

/// What supports the correction of an event that perf gets wrong
/// ([`PerfDiffers::evidence`]), besides the vendor's list, which has it so.
///
/// ```
/// use pmu_events::arch::x86;
///
/// let differing = x86::SKYLAKEX.events().filter_map(|event| event.perf_differs());
/// let evidence = differing.filter_map(|differs| differs.evidence()).next().unwrap();
/// println!("{evidence}"); // confirmed: Linux 6.12, libpfm4
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Evidence {
    /// `repair` bits.
    bits: u32,
    is_of_code: bool,
}

/// How sure a correction is.
///
/// ```
/// use pmu_events::__private::Confidence;
///
/// assert_eq!(Confidence::Confirmed.word(), "confirmed");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Confidence {
    /// The vendor gives several events the same encoding, without the match fields that
    /// tell them apart: they count the same, and are not correct by this correction alone.
    Incomplete,
    /// libpfm4 has another code.
    Disputed,
    /// Only the vendor's list has it so.
    Stated,
    /// Only the vendor's list has it so, and the formats of the kernel's driver can express
    /// what is lost.
    Supported,
    /// A tree of Linux or libpfm4 has it so, too.
    Confirmed,
}

impl Confidence {
    /// The degree as a word: `confirmed`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Confidence::Incomplete => "incomplete",
            Confidence::Disputed => "disputed",
            Confidence::Stated => "stated",
            Confidence::Supported => "supported",
            Confidence::Confirmed => "confirmed",
        }
    }
}

impl Evidence {
    const fn has(self, bit: u32) -> bool {
        self.bits & bit != 0
    }

    /// The versions of Linux whose trees have the correct event, of 6.1, 6.12, 6.17 and 7.3.
    fn right(self) -> impl Iterator<Item = &'static str> {
        let shift = if self.is_of_code { repair::RIGHT_SHIFT } else { repair::PRECISE_SHIFT };
        let bits = self.bits >> shift;
        (0..repair::VERSIONS.len()).filter(move |n| bits >> n & 1 != 0).map(|n| repair::VERSIONS[n])
    }

    /// Whether the formats of the kernel's driver can express the event.
    const fn has_format(self) -> bool {
        self.has(repair::DRIVER)
    }

    /// Whether libpfm4 has the same code; `None` if it lacks the event.
    const fn libpfm4_agrees(self) -> Option<bool> {
        match (self.has(repair::LIBPFM4), self.has(repair::NOT_LIBPFM4)) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        }
    }

    /// Whether the vendor gives several events this encoding, so that they count the same.
    #[doc(hidden)]
    #[must_use]
    pub const fn is_shared(self) -> bool {
        self.has(repair::SHARED)
    }
}

/// Returns how sure a correction is.
#[must_use]
pub const fn confidence(evidence: Evidence) -> Confidence {
    let is_of_code = evidence.is_of_code;
    let shift = if is_of_code { repair::RIGHT_SHIFT } else { repair::PRECISE_SHIFT };
    let is_right = evidence.bits >> shift & 0xf != 0;
    match evidence.libpfm4_agrees() {
        _ if evidence.is_shared() => Confidence::Incomplete,
        Some(false) => Confidence::Disputed,
        Some(true) => Confidence::Confirmed,
        None if is_right => Confidence::Confirmed,
        None if evidence.has_format() => Confidence::Supported,
        None => Confidence::Stated,
    }
}

/// Displays the sources that have the event as it is corrected, and the degree of
/// confidence: `confirmed: Linux 6.1, libpfm4, the driver's formats`.
impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(confidence(*self).word())?;
        let mut between = ": ";
        let mut add = |f: &mut fmt::Formatter<'_>, text: &str, version: &str| {
            let result = write!(f, "{between}{text}{version}");
            between = ", ";
            result
        };
        for version in self.right() {
            add(f, "Linux ", version)?;
        }
        match self.libpfm4_agrees() {
            Some(true) => add(f, "libpfm4", "")?,
            Some(false) => add(f, "libpfm4 has another code", "")?,
            None => {}
        }
        if self.has_format() {
            add(f, "the driver's formats", "")?;
        }
        if self.is_shared() {
            add(f, "other events of the vendor's list have the same encoding", "")?;
        }
        Ok(())
    }
}

/// Displays a sentence such as
/// `perf 6.12, 6.17 and 7.3 count event=0x2 under this name`,
/// `perf counts event=0x0,umask=0x03 under this name, not the vendor's event=0x3c,umask=1` or
/// `perf 6.17 does not know that it can be sampled precisely`.
impl fmt::Display for PerfDiffers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (versions, event) = (self.versions(), self.event_string);
        let is_one = self.wrong().is_none_or(|bits| bits.count_ones() < 2);
        if !self.changes_count {
            let does = if is_one { "does" } else { "do" };
            return write!(f, "{versions} {does} not know that it can be sampled precisely");
        }
        let counts = if is_one { "counts" } else { "count" };
        write!(f, "{versions} {counts} {event} under this name")?;
        match self.vendor {
            Some(vendor) => write!(f, ", not the vendor's {vendor}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::string::ToString;
    use std::vec::Vec;

    use super::*;

    fn differs(reasons: u8, repair: u32) -> PerfDiffers {
        PerfDiffers { event_string: "", changes_count: true, vendor: None, reasons, repair }
    }

    #[test]
    fn versions_with_each_mistake() {
        const RECORDED: u32 = repair::RECORDED;
        let imprecise = |bits: u32| RECORDED | bits << repair::IMPRECISE_SHIFT;
        for (reasons, repair, versions) in [
            (differs::EXT_SEL, 0, "perf"),
            (differs::FIXED_STRING, RECORDED | 0b1111, "perf"),
            (differs::EXT_SEL, RECORDED | 0b1110, "perf 6.12, 6.17 and 7.3"),
            (differs::FILTER, RECORDED | 0b1101, "perf 6.1, 6.17 and 7.3"),
            (differs::UMASK_EXTENSION, RECORDED | 0b1111, "perf 6.1, 6.12, 6.17 and 7.3"),
            (differs::UMASK_EXTENSION, RECORDED, "perf with a table of perfmon's script"),
            (differs::PRECISE, imprecise(0b0110), "perf 6.12 and 6.17"),
            (differs::PRECISE | differs::FIXED_STRING, imprecise(0b0100), "perf"),
            (differs::PRECISE | differs::EXT_SEL, imprecise(0b0110) | 0b1000, "perf 7.3"),
        ] {
            assert_eq!(differs(reasons, repair).versions(), versions);
        }
    }

    /// The sixteen subjects name the versions of their bits.
    #[test]
    fn every_set_of_versions() {
        for (bits, subject) in VERSIONS.iter().enumerate().skip(1) {
            let words = subject["perf ".len()..].split([',', ' ']);
            let named: Vec<&str> = words.filter(|word| word.contains('.')).collect();
            let of_bit = |n: &usize| bits >> n & 1 != 0;
            let versions = (0..4).filter(of_bit).map(|n| repair::VERSIONS[n]);
            let expected: Vec<&str> = versions.collect();
            assert_eq!(named, expected, "{bits:#b}");
        }
    }

    #[test]
    fn degrees_of_confidence() {
        assert_eq!(differs(differs::EXT_SEL, 0).evidence(), None);
        let right = |bits: u32| bits << repair::RIGHT_SHIFT;
        for (reasons, bits, expected) in [
            (differs::EXT_SEL, 0, "stated"),
            (differs::EXT_SEL, repair::DRIVER, "supported: the driver's formats"),
            (
                differs::EXT_SEL,
                right(0b0011) | repair::LIBPFM4 | repair::DRIVER,
                "confirmed: Linux 6.1, Linux 6.12, libpfm4, the driver's formats",
            ),
            (differs::EXT_SEL, right(0b0001), "confirmed: Linux 6.1"),
            (differs::EXT_SEL, repair::LIBPFM4, "confirmed: libpfm4"),
            (
                differs::EXT_SEL,
                right(1) | repair::NOT_LIBPFM4,
                "disputed: Linux 6.1, libpfm4 has another code",
            ),
            (
                differs::EXT_SEL,
                repair::DRIVER | repair::SHARED,
                "incomplete: the driver's formats, other events of the vendor's list have the \
                 same encoding",
            ),
            // What a tree says of the code is no evidence of the precision.
            (differs::PRECISE, right(0b1111), "stated"),
            (differs::PRECISE, 0b0010 << repair::PRECISE_SHIFT, "confirmed: Linux 6.12"),
        ] {
            let evidence = differs(reasons, repair::RECORDED | bits).evidence();
            let evidence = evidence.expect("something is recorded");
            assert_eq!(evidence.to_string(), expected);
        }
        let evidence = differs(differs::EXT_SEL, repair::RECORDED | right(0b0001));
        let evidence = evidence.evidence().expect("something is recorded");
        assert!(evidence.right().eq(["6.1"]));
    }
}
