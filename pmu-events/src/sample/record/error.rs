use core::fmt;

/// Why a record cannot be parsed: its length contradicts its header, or what is in it.
///
/// The kernel writes no such record; a file may have one.
///
/// ```
/// use pmu_events::open::Attr;
/// use pmu_events::sample::Layout;
///
/// let error = Layout::of(&Attr::default()).parse(&[9, 0, 0, 0]).unwrap_err();
/// assert_eq!(error.to_string(), "a record ends in its header");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ParseError {
    /// Where the record ends too early.
    within: &'static str,
}

impl ParseError {
    pub(in crate::sample) const fn short(within: &'static str) -> Self {
        ParseError { within }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a record ends in its {}", self.within)
    }
}

pmu_events_core::__private::debug_as_display!(ParseError);

impl core::error::Error for ParseError {}
