//! What is found in a file: a name, a code or both, with its place.

use std::ops::Range;

use super::cpu::Cpu;

/// A name or a code of an event, or the name of a metric.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// Where it is in the text, in bytes.
    pub(crate) span: Range<usize>,
    pub(crate) name: Option<Name>,
    pub(crate) code: Option<Code>,
    /// The CPUs that its line or its table says it is for; none if they do not say.
    pub(crate) cpus: Vec<Cpu>,
    /// Where the text says so, in bytes.
    pub(crate) cpu_at: Option<usize>,
}

impl Candidate {
    /// One without a code, whose text does not say for which CPU it is.
    pub(crate) fn named(span: Range<usize>, name: Name) -> Self {
        Candidate { span, name: Some(name), code: None, cpus: Vec::new(), cpu_at: None }
    }
}

/// What the file calls an event or a metric.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Name {
    /// The name of an event, as the vendor or a tool has it.
    Event(String),
    /// A name of the program's own for what it counts.
    Label(String),
    /// A word that perf takes for a metric or a group of metrics.
    Metric(String),
    /// A node or a metric of toplev, as it prints it: `Frontend_Bound.Fetch_Latency`.
    Node(String),
}

impl Name {
    pub(crate) fn text(&self) -> &str {
        match self {
            Name::Event(name) | Name::Label(name) | Name::Metric(name) | Name::Node(name) => name,
        }
    }
}

/// A code of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Code {
    /// The PMU that is named with it; the core's, if none is.
    pub(crate) pmu: Option<String>,
    /// Terms of the PMU. A selector has `event` and `umask` whatever the PMU calls its bits.
    pub(crate) terms: String,
    /// Whether nothing says that it is of the core's PMU.
    pub(crate) is_of_any_pmu: bool,
    /// The only counter that the file has for it, the first of them being 0.
    pub(crate) counter: Option<u8>,
    /// The type and the number of an event that the kernel encodes; there are no terms then.
    pub(crate) kernel: Option<(u32, u64)>,
}

impl Code {
    pub(crate) fn of_core(terms: impl Into<String>) -> Self {
        Code::of_pmu(None, terms.into())
    }

    pub(crate) fn of_pmu(pmu: Option<String>, terms: String) -> Self {
        Code { pmu, terms, is_of_any_pmu: false, counter: None, kernel: None }
    }

    /// A code that may be of any PMU, if it is not one of the core's.
    pub(crate) fn of_any_pmu(terms: String) -> Self {
        Code { is_of_any_pmu: true, ..Code::of_core(terms) }
    }

    pub(crate) fn of_kernel(event: (u32, u64)) -> Self {
        Code { kernel: Some(event), ..Code::of_core("") }
    }

    pub(crate) fn raw(config: u64) -> Self {
        Code::of_core(format!("config={config:#x}"))
    }
}
