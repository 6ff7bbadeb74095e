//! Kinds of terms: what they take, and which events they stand at.

use core::fmt;

use super::generic::Hardware;

/// What a term is to perf.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TermKind {
    /// No word of the grammar: a field of the PMU's format, a parameter, or
    /// without value an event of the PMU.
    Format,
    /// `config=N`, and likewise the other three.
    Config,
    /// `config1=N`
    Config1,
    /// `config2=N`
    Config2,
    /// `config3=N`
    Config3,
    /// `name=TEXT`: what the event is to be called.
    Name,
    /// `period=N`: the event is sampled each N times.
    Period,
    /// `freq=N`: the event is sampled N times a second.
    Freq,
    /// `branch_type=TEXT`: which branches are recorded, such as `any_call` or
    /// `'any_call,u'`.
    BranchType,
    /// `time=0|1`: whether samples carry a time stamp.
    Time,
    /// `call-graph=TEXT`: how call chains are recorded.
    CallGraph,
    /// `stack-size=N`: how much stack is recorded.
    StackSize,
    /// `max-stack=N`: how deep call chains may be.
    MaxStack,
    /// `nr=N`: how many events are recorded at most.
    MaxEvents,
    /// `inherit`: children are counted as well.
    Inherit,
    /// `no-inherit`: children are not counted.
    NoInherit,
    /// `overwrite`: the newest samples overwrite the oldest.
    Overwrite,
    /// `no-overwrite`: they do not.
    NoOverwrite,
    /// `@TEXT`: for the driver of the PMU, which reads it by itself.
    DriverConfig,
    /// `percore=0|1`: the hardware threads of a core are summed up.
    Percore,
    /// `aux-output`: samples go into the AUX area.
    AuxOutput,
    /// `aux-sample-size=N`: how much of the AUX area goes into samples.
    AuxSampleSize,
    /// `metric-id=TEXT`: how a metric refers to the event.
    MetricId,
    /// `r1a8` or `r0x1a8`, alone: an event of that name if the PMU has one
    /// (`read`), else this config.
    Raw(u64),
    /// The name of a generic cache event, alone: an event of that name if the
    /// PMU has one, else what [`Cache::find`](super::Cache::find) says.
    Cache,
    /// The name of a generic hardware event, alone: an event of that name if
    /// the PMU has one, else the generic event.
    Hardware(Hardware),
}

/// The words that are terms of perf's own, with what they are.
pub(super) const KNOWN: [(&str, TermKind); 21] = [
    ("config", TermKind::Config),
    ("config1", TermKind::Config1),
    ("config2", TermKind::Config2),
    ("config3", TermKind::Config3),
    ("name", TermKind::Name),
    ("period", TermKind::Period),
    ("freq", TermKind::Freq),
    ("branch_type", TermKind::BranchType),
    ("time", TermKind::Time),
    ("call-graph", TermKind::CallGraph),
    ("stack-size", TermKind::StackSize),
    ("max-stack", TermKind::MaxStack),
    ("nr", TermKind::MaxEvents),
    ("inherit", TermKind::Inherit),
    ("no-inherit", TermKind::NoInherit),
    ("overwrite", TermKind::Overwrite),
    ("no-overwrite", TermKind::NoOverwrite),
    ("percore", TermKind::Percore),
    ("aux-output", TermKind::AuxOutput),
    ("aux-sample-size", TermKind::AuxSampleSize),
    ("metric-id", TermKind::MetricId),
];

/// What a kind of term takes.
pub(super) enum Takes {
    Anything,
    /// Up to a largest one; a term alone is 1.
    Number(u64),
    Text,
    /// Those of [`BRANCH_TYPES`], joined by commas.
    BranchType,
}

/// What `branch_type` takes, in any letter case (`branch_modes` in
/// `tools/perf/util/parse-branch-options.c`; `no` in `config_term_common`).
pub(super) const BRANCH_TYPES: [&str; 20] = [
    "u",
    "k",
    "hv",
    "any",
    "any_call",
    "any_ret",
    "ind_call",
    "abort_tx",
    "in_tx",
    "no_tx",
    "cond",
    "ind_jmp",
    "call",
    "no_flags",
    "no_cycles",
    "save_type",
    "stack",
    "hw_index",
    "priv",
    "counter",
];

/// `no` stands alone, and in lower case.
pub(super) fn is_branch_type(text: &str) -> bool {
    let is_known = |one: &str| BRANCH_TYPES.iter().any(|known| known.eq_ignore_ascii_case(one));
    text == "no" || text.split(',').all(is_known)
}

impl TermKind {
    pub(super) fn known(word: &str) -> Option<Self> {
        // Fields of formats are many, and most begin with none of these.
        if !matches!(
            word.as_bytes().first()?,
            b'a' | b'b' | b'c' | b'f' | b'i' | b'm'..=b'p' | b's' | b't'
        ) {
            return None;
        }
        KNOWN.iter().find(|&&(known, _)| known == word).map(|&(_, kind)| kind)
    }

    /// config_term_common in tools/perf/util/parse-events.c
    pub(super) const fn takes(self) -> Takes {
        match self {
            Self::Format | Self::DriverConfig | Self::Raw(_) | Self::Cache | Self::Hardware(_) => {
                Takes::Anything
            }
            Self::Name | Self::CallGraph | Self::MetricId => Takes::Text,
            Self::BranchType => Takes::BranchType,
            Self::Time | Self::Percore => Takes::Number(1),
            Self::AuxSampleSize => Takes::Number(u32::MAX as u64),
            _ => Takes::Number(u64::MAX),
        }
    }

    /// config_term_common and config_term_tracepoint there
    pub(super) const fn stands(self, place: TermPlace) -> bool {
        match place {
            TermPlace::Pmu => true,
            TermPlace::Generic => !matches!(
                self,
                Self::Format | Self::DriverConfig | Self::Raw(_) | Self::Cache | Self::Hardware(_)
            ),
            TermPlace::Tracepoint => matches!(
                self,
                Self::CallGraph
                    | Self::StackSize
                    | Self::Inherit
                    | Self::NoInherit
                    | Self::MaxStack
                    | Self::MaxEvents
                    | Self::Overwrite
                    | Self::NoOverwrite
                    | Self::AuxOutput
                    | Self::AuxSampleSize
            ),
            TermPlace::Tool => false,
        }
    }
}

impl fmt::Display for TermKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = KNOWN.iter().find(|&(_, kind)| kind == self);
        f.write_str(match (known, self) {
            (Some(&(word, _)), _) => word,
            (None, Self::DriverConfig) => "driver-config",
            (None, Self::Raw(_)) => "raw",
            (None, Self::Cache) => "legacy-cache",
            (None, Self::Hardware(_)) => "hardware",
            (None, _) => "format",
        })
    }
}

/// Kinds of events that do not take every term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TermPlace {
    /// A PMU, or an event that PMUs have: any term.
    Pmu,
    /// A generic, raw or numeric event, or a breakpoint: no term that only a
    /// PMU can read.
    Generic,
    /// A tracepoint.
    Tracepoint,
    /// A tool event: none at all.
    Tool,
}

impl fmt::Display for TermPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pmu => "a PMU",
            Self::Generic => "an event without a PMU",
            Self::Tracepoint => "a tracepoint",
            Self::Tool => "a tool event, which takes none",
        })
    }
}
