//! The keys of an event's JSON object, and the terms that they become.

use pmu_events_core::__private::same;

/// What the values of a key are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A text, read as it is.
    Text,
    /// A number, or several with commas, in any notation; zero is one too.
    Code,
    /// A number whose notation appears in the event string; zero has no effect.
    Field,
    /// `0` or `1`; `0` has no effect.
    Flag,
    /// `0`, `1` or `2`; `0` has no effect.
    Precision,
    /// `0,1,2`, `Fixed counter 1`, …
    Counter,
    /// A number of counters, which some trees write without quotes.
    Count,
    /// A number of cycles, which some trees write without quotes.
    Latency,
    /// Numbers of a specification update.
    Errata,
    /// Belongs to a metric.
    Metric,
    /// Written by hand, about an event: no source has it.
    Own,
    /// A description.
    Sentence,
}

macro_rules! keys {
    ($( $name:ident: $kind:ident, )* ; $( $ignored:literal )*) => {
        /// A key that has a meaning here.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[repr(u8)]
        #[allow(missing_docs)] // The keys are those of perf's trees.
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)] // A variant is spelt as its key.
        pub enum Key { $( $name, )* }

        impl Key {
            /// All keys, with the text of each, in the order in which an object is written.
            pub const ALL: &[(&str, Key)] = &[ $( (stringify!($name), Key::$name), )* ];

            /// What its values are.
            #[must_use]
            pub const fn kind(self) -> Kind {
                match self { $( Key::$name => Kind::$kind, )* }
            }
        }

        /// Keys of published trees that perf never reads, nor does this
        /// compiler.
        pub const IGNORED: &[&str] = &[ $( $ignored, )* ];
    };
}

// In the order in which an object is written.
keys! {
    ArchStdEvent: Text,
    EventName: Text,
    MetricName: Metric,
    Unit: Text,
    ConfigCode: Code,
    EventidCode: Code,
    EventCode: Code,
    ExtSel: Field,
    LegacyConfigCode: Code,
    LegacyCacheCode: Code,
    NodeType: Field,
    RdWrMask: Field,
    UMask: Field,
    FCMask: Field,
    PortMask: Field,
    CounterMask: Field,
    EdgeDetect: Field,
    Invert: Field,
    AnyThread: Field,
    EnAllCores: Field,
    EnAllSlices: Field,
    SliceId: Field,
    ThreadMask: Field,
    Filter: Text,
    Counter: Counter,
    CountersNumFixed: Count,
    CountersNumGeneric: Count,
    SampleAfterValue: Field,
    MSRIndex: Code,
    // It appears in the event string as it is written.
    MSRValue: Text,
    MSRUMask: Code,
    PEBS: Precision,
    TakenAlone: Flag,
    Data_LA: Flag,
    Errata: Errata,
    PerfLoses: Text,
    PerfEvent: Text,
    PerfEvidence: Own,
    RetirementLatencyMean: Latency,
    RetirementLatencyMin: Latency,
    RetirementLatencyMax: Latency,
    MetricExpr: Metric,
    MetricThreshold: Metric,
    MetricGroup: Metric,
    MetricgroupNoGroup: Metric,
    DefaultMetricgroupName: Metric,
    MetricConstraint: Metric,
    AggregationMode: Metric,
    SampleWith: Metric,
    Difference: Metric,
    DefaultShowEvents: Metric,
    ScaleUnit: Text,
    CountUnit: Own,
    CountScope: Own,
    PerPkg: Flag,
    Compat: Text,
    Experimental: Flag,
    Deprecated: Flag,
    BriefDescription: Sentence,
    PublicDescription: Sentence,
    ;
    "CollectPEBSRecord" "CounterHTOff" "CounterType" "ELLC" "EventStatus" "L1_Hit_Indication"
    "Offcore" "PDIR_COUNTER" "PDISTCounter" "PEBScounters" "PRECISE_STORE" "Speculative" "UMaskExt"
    "UncoreUnit"
}

impl Key {
    /// The key of a text.
    #[must_use]
    pub fn of(text: &str) -> Option<Key> {
        // The macro runs unoptimised: a map would cost more than the few comparisons.
        let (keys, starts) = &BY_LENGTH;
        let [first, end] = [*starts.get(text.len())?, *starts.get(text.len() + 1)?];
        keys[first..end].iter().find(|(name, _)| *name == text).map(|&(_, key)| key)
    }
}

impl Key {
    /// The key of a text that is one.
    pub(crate) const fn spelt(text: &str) -> Key {
        let mut number = 0;
        while number < Key::ALL.len() {
            if same(Key::ALL[number].0, text) {
                return Key::ALL[number].1;
            }
            number += 1;
        }
        panic!("`keys!` lacks a key");
    }

    /// The key's text in trees.
    #[must_use]
    pub fn text(self) -> &'static str {
        Key::ALL[self as usize].0
    }

    /// The term that the key's number becomes in an event string.
    #[must_use]
    pub fn term(self) -> Option<&'static str> {
        let mut terms = CODES.iter().chain(&[(Key::EventCode, EVENT)]).chain(FIELDS);
        terms.find(|(key, _)| *key == self).map(|&(_, term)| term)
    }
}

/// No key is as long.
const LONGER: usize = 32;

/// The keys by the length of their texts, and where each length begins.
const BY_LENGTH: ([(&str, Key); Key::ALL.len()], [usize; LONGER + 1]) = {
    let mut keys = [Key::ALL[0]; Key::ALL.len()];
    let mut starts = [0; LONGER + 1];
    let (mut length, mut sorted) = (0, 0);
    while length < LONGER {
        starts[length] = sorted;
        let mut number = 0;
        while number < keys.len() {
            if Key::ALL[number].0.len() == length {
                keys[sorted] = Key::ALL[number];
                sorted += 1;
            }
            number += 1;
        }
        length += 1;
    }
    starts[LONGER] = sorted;
    assert!(sorted == keys.len(), "a key is longer");
    (keys, starts)
};

/// The term of [`Key::EventCode`].
pub(crate) const EVENT: &str = "event";

/// The fields that follow the code, in jevents' order, with their terms.
pub(crate) const FIELDS: &[(Key, &str)] = &[
    (Key::AnyThread, "any"),
    (Key::PortMask, "ch_mask"),
    (Key::CounterMask, "cmask"),
    (Key::EdgeDetect, "edge"),
    (Key::FCMask, "fc_mask"),
    (Key::Invert, "inv"),
    (Key::SampleAfterValue, "period"),
    (Key::UMask, "umask"),
    (Key::NodeType, "type"),
    (Key::RdWrMask, "rdwrmask"),
    (Key::EnAllCores, "enallcores"),
    (Key::EnAllSlices, "enallslices"),
    (Key::SliceId, "sliceid"),
    (Key::ThreadMask, "threadmask"),
];

/// The keys that may contain the code, with the term of each; the first that is
/// present wins.
pub(crate) const CODES: &[(Key, &str)] = &[
    (Key::ConfigCode, "config"),
    (Key::EventidCode, "eventid"),
    (Key::LegacyConfigCode, "legacy-hardware-config"),
    (Key::LegacyCacheCode, "legacy-cache-config"),
];

/// The texts of all valid keys, for “did you mean”.
pub fn known() -> impl Iterator<Item = &'static str> {
    Key::ALL.iter().map(|&(name, _)| name).chain(IGNORED.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_found() {
        for &(text, key) in Key::ALL {
            assert_eq!((Key::of(text), key.text()), (Some(key), text));
        }
        for text in ["", "Umask", "EventNames", "an unknown key that is longer than any other"] {
            assert_eq!(Key::of(text), None, "{text}");
        }
    }

    /// The importer takes a key of kind `Field` for part of the code, and one of kind `Code`
    /// that has a term for a code of its own.
    #[test]
    fn kinds_of_terms() {
        let of = |terms: &[(Key, &str)], kind| terms.iter().all(|(key, _)| key.kind() == kind);
        assert!(of(CODES, Kind::Code) && of(FIELDS, Kind::Field));
        for &(text, key) in Key::ALL {
            let is_field = key.kind() == Kind::Field && key != Key::ExtSel;
            assert_eq!(is_field, FIELDS.iter().any(|(field, _)| *field == key), "{text}");
        }
    }
}
