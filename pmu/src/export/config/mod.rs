//! The configuration: what is counted and where, and the limits of the exporter.
//!
//! ```toml
//! listen = "127.0.0.1:9739"
//!
//! [machine]
//! events = ["context-switches", "page-faults"]
//!
//! [[cgroup]]
//! paths = ["system.slice/*.service", "kubepods.slice/**"]
//! events = ["{cycles,instructions}"]
//!
//! [model.sapphirerapids.socket]
//! events = ["uncore_imc/cas_count_read/"]
//! ```
//!
//! A table, or each of an array of tables, is a scope with the events and metrics that are counted
//! in it. Scopes of the file apply to every machine; those of `[model."GLOB"]` only to machines
//! with such a model, in addition.

mod fault;
mod located;
mod read;
mod schema;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

pub(crate) use fault::{Fault, Text};
pub(crate) use located::Located;
pub(crate) use read::read;

/// What a configuration says.
#[derive(Debug)]
pub(crate) struct Config {
    /// Where the exporter listens.
    pub(crate) listen: Option<Located<SocketAddr>>,
    /// Where the files of the machine are, if not at `/`: those of the container runtime and of the
    /// kubelet, which name containers and pods.
    pub(crate) host: Option<PathBuf>,
    /// How often CPUs, control groups and processes are looked for, and metrics evaluated.
    pub(crate) every: Duration,
    pub(crate) limits: Limits,
    /// The scopes of every machine, in the order of the file, which is that of their ranks.
    pub(crate) scopes: Vec<Scope>,
    /// The scopes of some models, in the order of the file.
    pub(crate) models: Vec<ModelSection>,
}

/// The scopes of the machines of some models.
#[derive(Debug)]
pub(crate) struct ModelSection {
    /// A shell pattern over the names of models and of CPUs.
    pub(crate) glob: Located<String>,
    pub(crate) scopes: Vec<Scope>,
}

/// Events and metrics, and where they are counted.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    pub(crate) kind: ScopeKind,
    /// The offset of the table's name in the text.
    pub(crate) at: usize,
    /// Lists of events, as for `perf stat -e`.
    pub(crate) events: Vec<Located<String>>,
    /// Names of metrics or of groups of metrics.
    pub(crate) metrics: Vec<Located<String>>,
    /// Of the scope `cgroup`: shell patterns over paths of control groups below the mount point.
    pub(crate) paths: Vec<Located<String>>,
    /// Of the scope `cgroup`: those that are left out.
    pub(crate) except: Vec<Located<String>>,
    /// Of the scope `process`: shell patterns over names of processes.
    pub(crate) names: Vec<Located<String>>,
    /// Whether events may take turns on the counters.
    pub(crate) multiplex: bool,
}

/// Where events are counted, and which labels tell where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ScopeKind {
    Machine,
    Cpu,
    Core,
    Socket,
    /// Each instance of a PMU outside the cores.
    Instance,
    Cgroup,
    Process,
}

impl ScopeKind {
    /// All, with their names in a configuration.
    pub(crate) const ALL: [(&'static str, ScopeKind); 7] = [
        ("machine", ScopeKind::Machine),
        ("cpu", ScopeKind::Cpu),
        ("core", ScopeKind::Core),
        ("socket", ScopeKind::Socket),
        ("pmu", ScopeKind::Instance),
        ("cgroup", ScopeKind::Cgroup),
        ("process", ScopeKind::Process),
    ];

    /// The name in a configuration.
    pub(crate) fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }

    /// Whether all that runs is counted, whoever runs it.
    pub(crate) fn is_whole_machine(self) -> bool {
        !matches!(self, ScopeKind::Cgroup | ScopeKind::Process)
    }
}

/// What the exporter may use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Limits {
    /// Open counters; without it, what the system permits.
    pub(crate) descriptors: Option<usize>,
    /// Series in one answer.
    pub(crate) series: usize,
    /// Connections at the same time.
    pub(crate) connections: usize,
    /// The longest time for a request and its answer.
    pub(crate) request: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            descriptors: None,
            series: 20_000,
            connections: 32,
            request: Duration::from_secs(10),
        }
    }
}
