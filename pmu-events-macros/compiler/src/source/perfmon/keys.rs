//! The keys of perfmon's event files.

macro_rules! keys {
    ($( $name:ident )* ; $( $ignored:literal )*) => {
        /// A key that a rule reads.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)] // A variant is spelt as its key.
        pub(super) enum Key { $( $name, )* }

        impl Key {
            pub(super) const ALL: &[(&str, Key)] = &[ $( (stringify!($name), Key::$name), )* ];
        }

        /// Keys that no rule reads: what they say is not part of the event's encoding.
        pub(super) const IGNORED: &[&str] = &[ $( $ignored, )* ];
    };
}

keys! {
    EventName EventCode UMask UMaskExt ExtSel Unit Counter CounterType
    BriefDescription PublicDescription Description
    CounterMask Invert EdgeDetect AnyThread Equal SampleAfterValue PortMask FCMask
    MSRIndex MSRValue ProgrammingRestriction Filter FILTER_VALUE
    PEBS Precise PDISTCounter TakenAlone Data_LA Errata Deprecated
    ;
    "CollectPEBSRecord" "PEBScounters" "PDIR_COUNTER" "L1_Hit_Indication" "PRECISE_STORE" "Offcore"
    "Offmodule" "Speculative" "CounterHTOff" "ELLC"
}

impl Key {
    pub(super) fn of(text: &str) -> Option<Key> {
        Key::ALL.iter().find(|(name, _)| *name == text).map(|&(_, key)| key)
    }
}

/// All of them, for “did you mean”.
pub(super) fn known() -> impl Iterator<Item = &'static str> {
    Key::ALL.iter().map(|&(name, _)| name).chain(IGNORED.iter().copied())
}
