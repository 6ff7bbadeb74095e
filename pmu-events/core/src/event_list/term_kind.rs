//! Kinds of terms, the values they take, and the events that allow them.

use core::fmt;

use super::generic::Hardware;
use crate::term::PerfTerm;

/// What perf takes a term for.
///
/// ```
/// use pmu_events::__private::event_list::{TermKind, TermList};
/// use pmu_events::__private::term::PerfTerm;
///
/// let terms = TermList::parse("umask=1,period=1000,r1c2")?;
/// let kinds: Vec<TermKind> = terms.iter().map(|term| term.kind()).collect();
/// // A term of the PMU's formats, one of perf's own, and a raw code.
/// assert_eq!(kinds, [TermKind::Format, TermKind::Perf(PerfTerm::Period), TermKind::Raw(0x1c2)]);
/// # Ok::<(), pmu_events::located::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TermKind {
    /// Not a word of the grammar: a field of the PMU's format, a parameter, or,
    /// without a value, an event of the PMU.
    Format,
    /// One of perf's own terms.
    Perf(PerfTerm),
    /// `@TEXT`: a setting that the driver of the PMU interprets itself.
    DriverConfig,
    /// `r1a8` or `r0x1a8` without a value: an event of that name if the PMU has
    /// one (`read`), otherwise this config.
    Raw(u64),
    /// The name of a generic cache event, without a value: an event of that
    /// name if the PMU has one, otherwise the [`Cache`](super::Cache) that the name
    /// parses to.
    Cache,
    /// The name of a generic hardware event, without a value: an event of that
    /// name if the PMU has one, otherwise the generic event.
    Hardware(Hardware),
}

/// The words that `branch_type` takes, in any letter case (`branch_modes` in
/// `tools/perf/util/parse-branch-options.c`; `no` in `config_term_common`), in the order of their
/// bits in `branch_sample_type`.
pub const BRANCH_TYPES: [&str; 20] = [
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
    "stack",
    "ind_jmp",
    "call",
    "no_flags",
    "no_cycles",
    "save_type",
    "hw_index",
    "priv",
    "counter",
];

/// `no` must be the only word, and in lower case.
pub(super) fn is_branch_type(text: &str) -> bool {
    let is_known = |one: &str| BRANCH_TYPES.iter().any(|known| known.eq_ignore_ascii_case(one));
    text == "no" || text.split(',').all(is_known)
}

impl TermKind {
    /// config_term_common and config_term_tracepoint in
    /// tools/perf/util/parse-events.c
    pub(super) const fn stands(self, place: TermPlace) -> bool {
        match place {
            TermPlace::Pmu => true,
            TermPlace::Generic => matches!(self, Self::Perf(_)),
            TermPlace::Tracepoint => matches!(
                self,
                Self::Perf(
                    PerfTerm::CallGraph
                        | PerfTerm::StackSize
                        | PerfTerm::Inherit
                        | PerfTerm::NoInherit
                        | PerfTerm::MaxStack
                        | PerfTerm::MaxEvents
                        | PerfTerm::Overwrite
                        | PerfTerm::NoOverwrite
                        | PerfTerm::AuxOutput
                        | PerfTerm::AuxAction
                        | PerfTerm::AuxSampleSize
                )
            ),
            TermPlace::Tool => false,
        }
    }
}

impl fmt::Display for TermKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Perf(term) => term.name(),
            Self::DriverConfig => "driver-config",
            Self::Raw(_) => "raw",
            Self::Cache => "legacy-cache",
            Self::Hardware(_) => "hardware",
            Self::Format => "format",
        })
    }
}

/// Kinds of events, by the terms they allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TermPlace {
    /// A PMU, or an event of PMUs: any term is allowed.
    Pmu,
    /// A generic, raw or numeric event, or a breakpoint: terms that only a PMU
    /// can interpret are not allowed.
    Generic,
    /// A tracepoint.
    Tracepoint,
    /// A tool event: no terms are allowed.
    Tool,
}

impl fmt::Display for TermPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pmu => "a PMU",
            Self::Generic => "an event without a PMU",
            Self::Tracepoint => "a tracepoint",
            Self::Tool => "a tool event",
        })
    }
}
