//! The keys of an event's JSON object, and the terms that they become.

use pmu_events_core::__private::same;

macro_rules! keys {
    ($( $name:ident )* ; $( $ignored:literal )*) => {
        /// A key that has a meaning here.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        #[allow(missing_docs)] // The keys are those of perf's trees.
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)] // A variant is spelt as its key.
        pub enum Key { $( $name, )* }

        impl Key {
            /// All keys, with the text of each.
            pub const ALL: &[(&str, Key)] = &[ $( (stringify!($name), Key::$name), )* ];
        }

        /// Keys of published trees that perf never reads, nor does this
        /// compiler.
        pub const IGNORED: &[&str] = &[ $( $ignored, )* ];
    };
}

keys! {
    ArchStdEvent
    EventName EventCode UMask Unit Counter SampleAfterValue
    BriefDescription PublicDescription
    ExtSel ConfigCode EventidCode LegacyConfigCode LegacyCacheCode
    AnyThread PortMask CounterMask EdgeDetect FCMask Invert NodeType RdWrMask
    EnAllCores EnAllSlices SliceId ThreadMask
    Filter MSRIndex MSRValue MSRUMask PerfEvent PerfLoses PerfEvidence
    PEBS TakenAlone Data_LA Errata PerPkg Deprecated Experimental ScaleUnit CountUnit CountScope
    Compat
    RetirementLatencyMean RetirementLatencyMin RetirementLatencyMax
    MetricName MetricExpr MetricThreshold MetricGroup MetricConstraint
    MetricgroupNoGroup DefaultMetricgroupName AggregationMode DefaultShowEvents SampleWith
    CountersNumFixed CountersNumGeneric
    ;
    "CollectPEBSRecord" "CounterHTOff" "CounterType" "ELLC" "EventStatus" "L1_Hit_Indication"
    "Offcore" "PDIR_COUNTER" "PDISTCounter" "PEBScounters" "PRECISE_STORE" "Speculative" "UMaskExt"
    "UncoreUnit"
}

impl Key {
    /// The key of a text.
    #[must_use]
    pub fn of(text: &str) -> Option<Key> {
        // Most keys of real trees are among the first; a map would cost more
        // than these comparisons, which look at the length first.
        Key::ALL.iter().find(|(name, _)| *name == text).map(|&(_, key)| key)
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
