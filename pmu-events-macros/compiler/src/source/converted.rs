//! What a vendor publishes, as the objects of a kernel tree.

use std::borrow::Cow;

use crate::entry::keys::Key;
use crate::entry::repairs::Repairs;
use crate::faults::Place;
use crate::files::json::Raw;

/// The contribution of one file to one model.
pub(crate) struct Converted<'s> {
    pub(crate) directory: u32,
    pub(crate) events: Vec<ConvertedEvent<'s>>,
    pub(crate) counters: Vec<(String, [Option<u8>; 2])>,
    /// Groups of metrics, each with its description.
    pub(crate) groups: Vec<(Value<'s>, Value<'s>)>,
    /// Whether these are all events: missing ones have been reported.
    pub(crate) is_whole: bool,
}

/// One event or metric, as an object of the kernel's tree.
pub(crate) struct ConvertedEvent<'s> {
    pub(crate) place: Place,
    pub(crate) topic: Cow<'s, str>,
    pub(crate) values: Vec<(Key, Value<'s>)>,
    /// The equivalent in perf's tree, if its event string may differ.
    pub(crate) perf: Option<Vec<(Key, Value<'s>)>>,
    pub(crate) repairs: Repairs,
    /// The umask of each register, if there are several.
    pub(crate) pairs: Option<String>,
}

impl<'s> ConvertedEvent<'s> {
    /// An event that perf counts as its source does.
    #[cfg(any(feature = "perfmon", feature = "telemetry"))]
    pub(crate) fn plain(
        place: Place,
        topic: impl Into<Cow<'s, str>>,
        values: Vec<(Key, Value<'s>)>,
    ) -> Self {
        let repairs = Repairs::default();
        ConvertedEvent { place, topic: topic.into(), values, perf: None, repairs, pairs: None }
    }
}

/// A value of the file, or the result of a rule, and its place.
#[derive(Clone, Debug)]
pub(crate) struct Value<'s> {
    pub(crate) text: Cow<'s, str>,
    pub(crate) place: Place,
    /// Whether JSON writes it without quotes.
    pub(crate) is_number: bool,
}

impl<'s> Value<'s> {
    #[cfg(any(feature = "perfmon", feature = "telemetry"))]
    pub(crate) fn new(text: impl Into<Cow<'s, str>>, place: Place) -> Self {
        Value { text: text.into(), place, is_number: false }
    }

    /// The same as a value of a kernel tree.
    pub(crate) fn raw(&self) -> Raw<'_> {
        match self.is_number {
            false => Raw::converted(&self.text, self.place),
            true => Raw::json(&self.text, self.place),
        }
    }
}

/// Makes one entry for each PMU, with the maximum of all files.
pub(crate) fn merge_counters(counters: &mut Vec<(String, [Option<u8>; 2])>) {
    counters.sort();
    counters.dedup_by(|next, kept| {
        let is_same = next.0 == kept.0;
        if is_same {
            for (kept, next) in kept.1.iter_mut().zip(next.1) {
                *kept = (*kept).max(next);
            }
        }
        is_same
    });
}
