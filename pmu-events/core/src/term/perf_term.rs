//! The terms that perf itself defines.

use core::fmt;
use core::str::FromStr;

use crate::located;

/// One of perf's own terms (`config_term_names` in
/// `tools/perf/util/parse-events.c` of Linux 6.18).
///
/// It is never a field of a PMU's format, even if the PMU has a format of that
/// name.
///
/// ```
/// use pmu_events::__private::term::PerfTerm;
///
/// let term: PerfTerm = "config1".parse()?;
/// assert_eq!((term, term.name()), (PerfTerm::Config1, "config1"));
/// # Ok::<(), pmu_events::located::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PerfTerm {
    /// `config=N`
    Config,
    /// `config1=N`
    Config1,
    /// `config2=N`
    Config2,
    /// `config3=N`
    Config3,
    /// `config4=N`, since Linux 6.19.
    Config4,
    /// `name=TEXT`: the displayed name of the event.
    Name,
    /// `period=N`: samples after every N events.
    Period,
    /// `freq=N`: samples N times a second.
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
    /// `max-stack=N`: the maximum depth of call chains.
    MaxStack,
    /// `nr=N`: the maximum number of events recorded.
    MaxEvents,
    /// `inherit`: children are also counted.
    Inherit,
    /// `no-inherit`: children are not counted.
    NoInherit,
    /// `overwrite`: the newest samples overwrite the oldest.
    Overwrite,
    /// `no-overwrite`: the oldest samples are kept.
    NoOverwrite,
    /// `percore=0|1`: counts are summed over the hardware threads of each core.
    Percore,
    /// `aux-output`: samples go into the AUX area.
    AuxOutput,
    /// `aux-action=TEXT`: what the event does to the trace into the AUX area, such as
    /// `pause`.
    AuxAction,
    /// `aux-sample-size=N`: how much of the AUX area goes into samples.
    AuxSampleSize,
    /// `metric-id=TEXT`: the name by which a metric refers to the event.
    MetricId,
    /// `cpu=N`, `cpu=N-M` or `cpu=PMU`: the CPUs on which the event is opened. If it is
    /// repeated, all of them.
    Cpu,
    /// `ratio-to-prev=TEXT`: the sampling period as a ratio of the previous event's, of
    /// which either reloads the other (Intel's auto counter reload).
    RatioToPrev,
}

/// The value that one of perf's own terms takes (`config_term_common` in
/// `tools/perf/util/parse-events.c`).
///
/// ```
/// use pmu_events::__private::term::{PerfTerm, Takes};
///
/// let period: PerfTerm = "period".parse().unwrap();
/// assert!(matches!(period.takes(), Takes::Number { max: u64::MAX }));
/// assert_eq!("name".parse().map(PerfTerm::takes), Ok(Takes::Text));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Takes {
    /// A number up to `max`; 1 if the term has no value.
    Number {
        /// The largest allowed number.
        max: u64,
    },
    /// Text.
    Text,
    /// The number of a CPU, or text: a list of CPUs or the name of a PMU.
    Cpus,
    /// A positive number, which may have a fraction.
    Ratio,
}

impl PerfTerm {
    /// All terms.
    pub const ALL: &'static [Self] = &[
        Self::Config,
        Self::Config1,
        Self::Config2,
        Self::Config3,
        Self::Config4,
        Self::Name,
        Self::Period,
        Self::Freq,
        Self::BranchType,
        Self::Time,
        Self::CallGraph,
        Self::StackSize,
        Self::MaxStack,
        Self::MaxEvents,
        Self::Inherit,
        Self::NoInherit,
        Self::Overwrite,
        Self::NoOverwrite,
        Self::Percore,
        Self::AuxOutput,
        Self::AuxAction,
        Self::AuxSampleSize,
        Self::MetricId,
        Self::Cpu,
        Self::RatioToPrev,
    ];

    #[inline]
    pub(crate) const fn named(name: &str) -> Option<Self> {
        Self::of_bytes(name.as_bytes())
    }

    pub(super) const fn of_bytes(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"config" => Self::Config,
            b"config1" => Self::Config1,
            b"config2" => Self::Config2,
            b"config3" => Self::Config3,
            b"config4" => Self::Config4,
            b"name" => Self::Name,
            b"period" => Self::Period,
            b"freq" => Self::Freq,
            b"branch_type" => Self::BranchType,
            b"time" => Self::Time,
            b"call-graph" => Self::CallGraph,
            b"stack-size" => Self::StackSize,
            b"max-stack" => Self::MaxStack,
            b"nr" => Self::MaxEvents,
            b"inherit" => Self::Inherit,
            b"no-inherit" => Self::NoInherit,
            b"overwrite" => Self::Overwrite,
            b"no-overwrite" => Self::NoOverwrite,
            b"percore" => Self::Percore,
            b"aux-output" => Self::AuxOutput,
            b"aux-action" => Self::AuxAction,
            b"aux-sample-size" => Self::AuxSampleSize,
            b"metric-id" => Self::MetricId,
            b"cpu" => Self::Cpu,
            b"ratio-to-prev" => Self::RatioToPrev,
            _ => return None,
        })
    }

    /// Returns the name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Config => "config",
            Self::Config1 => "config1",
            Self::Config2 => "config2",
            Self::Config3 => "config3",
            Self::Config4 => "config4",
            Self::Name => "name",
            Self::Period => "period",
            Self::Freq => "freq",
            Self::BranchType => "branch_type",
            Self::Time => "time",
            Self::CallGraph => "call-graph",
            Self::StackSize => "stack-size",
            Self::MaxStack => "max-stack",
            Self::MaxEvents => "nr",
            Self::Inherit => "inherit",
            Self::NoInherit => "no-inherit",
            Self::Overwrite => "overwrite",
            Self::NoOverwrite => "no-overwrite",
            Self::Percore => "percore",
            Self::AuxOutput => "aux-output",
            Self::AuxAction => "aux-action",
            Self::AuxSampleSize => "aux-sample-size",
            Self::MetricId => "metric-id",
            Self::Cpu => "cpu",
            Self::RatioToPrev => "ratio-to-prev",
        }
    }

    /// Returns the kind of value the term takes.
    #[must_use]
    #[inline]
    pub const fn takes(self) -> Takes {
        match self {
            Self::Name | Self::MetricId | Self::CallGraph | Self::BranchType | Self::AuxAction => {
                Takes::Text
            }
            Self::Cpu => Takes::Cpus,
            Self::RatioToPrev => Takes::Ratio,
            Self::Percore | Self::Time => Takes::Number { max: 1 },
            Self::AuxSampleSize => Takes::Number { max: u32::MAX as u64 },
            _ => Takes::Number { max: u64::MAX },
        }
    }
}

/// Case matters.
///
/// ```
/// use pmu_events::__private::term::PerfTerm;
/// assert_eq!("period".parse(), Ok(PerfTerm::Period));
/// assert!("umask".parse::<PerfTerm>().is_err());
/// ```
impl FromStr for PerfTerm {
    type Err = located::Error;

    fn from_str(name: &str) -> Result<Self, located::Error> {
        PerfTerm::named(name).ok_or(located::Error::expected(name, "one of perf's own terms"))
    }
}

impl fmt::Display for PerfTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_its_name() {
        for &term in PerfTerm::ALL {
            assert_eq!(PerfTerm::named(term.name()), Some(term));
        }
        for name in ["", "Period", "periods", "@config", "umask", "config5"] {
            assert_eq!(PerfTerm::named(name), None);
        }
    }
}
