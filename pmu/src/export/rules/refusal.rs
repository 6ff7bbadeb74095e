//! Why no rule computes a metric.

use std::fmt;

/// Why no rule computes a metric. [`Display`](fmt::Display) writes a clause: the metric "has a
/// remainder".
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Refusal {
    /// A function or an operator that PromQL lacks.
    Lacks(&'static str),
    /// `has_event` of an event that the tables do not have.
    HasEvent(String),
    /// `strcmp_cpuid_str` without a CPUID.
    Cpuid,
    /// A retirement latency that no table has.
    Latency(String),
    /// An event of which there are several, by a run-time parameter.
    Parameter,
    /// The processor time of a command.
    OfCommand(String),
    /// A number of the whole machine, in a metric of a part.
    WholeMachine(String),
    /// The number of PMUs that count an event, in a scope that adds them up.
    Sources(String),
    /// An event that counts for more than the scope.
    Elsewhere(String),
    /// The metric refers to itself.
    Circle,
    /// It needs no event.
    NoEvent,
    /// It has no value on any machine.
    NoValue,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Lacks(what) => write!(f, "has {what}, which PromQL lacks"),
            Refusal::HasEvent(event) => {
                write!(f, "asks whether the machine has `{event}`, which only the machine tells")
            }
            Refusal::Cpuid => f.write_str("depends on the CPUID, which `--cpuid` would state"),
            Refusal::Latency(of) => write!(f, "takes the latency `{of}`, which no table has"),
            Refusal::Parameter => f.write_str("has a value for each chip or core"),
            Refusal::OfCommand(event) => {
                write!(f, "needs `{event}`, the processor time of a command")
            }
            Refusal::WholeMachine(what) => {
                write!(f, "needs {what} of the whole machine, but the scope is a part of it")
            }
            Refusal::Sources(event) => {
                write!(
                    f,
                    "needs the number of PMUs with `{event}`, which only the scope `pmu` shows"
                )
            }
            Refusal::Elsewhere(event) => {
                write!(f, "needs `{event}`, which no part of the scope counts")
            }
            Refusal::Circle => f.write_str("refers to itself"),
            Refusal::NoEvent => f.write_str("needs no event"),
            Refusal::NoValue => f.write_str("has no value on any machine"),
        }
    }
}
