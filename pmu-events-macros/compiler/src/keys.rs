//! The keys of an event's JSON object.

macro_rules! keys {
    ($( $name:ident )* ; $( $ignored:literal )*) => {
        /// A key that means something to us.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)] // A variant is spelt as its key.
        pub(crate) enum Key { $( $name, )* }

        impl Key {
            /// All of them, with the text of each.
            pub(crate) const ALL: &[(&str, Key)] = &[ $( (stringify!($name), Key::$name), )* ];
        }

        /// Keys of published trees that perf never looked at, nor do we.
        pub(crate) const IGNORED: &[&str] = &[ $( $ignored, )* ];
    };
}

keys! {
    ArchStdEvent
    EventName EventCode UMask Unit Counter SampleAfterValue
    BriefDescription PublicDescription
    ExtSel ConfigCode EventidCode LegacyConfigCode LegacyCacheCode
    AnyThread PortMask CounterMask EdgeDetect FCMask Invert NodeType RdWrMask
    EnAllCores EnAllSlices SliceId ThreadMask
    Filter MSRIndex MSRValue
    PEBS Data_LA Errata PerPkg Deprecated Experimental ScaleUnit Compat
    RetirementLatencyMean RetirementLatencyMin RetirementLatencyMax
    MetricName MetricExpr MetricThreshold MetricGroup MetricConstraint
    MetricgroupNoGroup DefaultMetricgroupName AggregationMode DefaultShowEvents
    CountersNumFixed CountersNumGeneric
    ;
    "CollectPEBSRecord" "CounterHTOff" "CounterType" "ELLC" "EventStatus" "L1_Hit_Indication"
    "Offcore" "PDIR_COUNTER" "PDISTCounter" "PEBScounters" "PRECISE_STORE" "Speculative" "TakenAlone" "UMaskExt"
    "UncoreUnit"
}

impl Key {
    /// The key of a text.
    pub(crate) fn of(text: &str) -> Option<Key> {
        // Most keys of real trees are among the first; a map would cost more
        // than these comparisons, which look at the length first.
        Key::ALL.iter().find(|(name, _)| *name == text).map(|&(_, key)| key)
    }
}

/// Texts of all keys that are no mistake, for “did you mean”.
pub(crate) fn known() -> impl Iterator<Item = &'static str> {
    Key::ALL.iter().map(|&(name, _)| name).chain(IGNORED.iter().copied())
}
