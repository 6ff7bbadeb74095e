use std::vec::Vec;

use crate::open::Cgroup;
use crate::system::Scope;

/// How a set of counters is opened.
///
/// ```
/// use pmu_events::Scope;
/// use pmu_events::open::Options;
///
/// let command = Options::new().inherit(true).enable_on_exec(true);
/// let machine = Options::new().scope(Scope::AllCpus);
/// assert!(machine.watched().is_cpus() && !command.watched().is_cpus());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    pub(super) scope: Scope,
    pub(super) inherit: bool,
    pub(super) enable_on_exec: bool,
    pub(super) cgroups: Vec<Option<Cgroup>>,
}

impl Options {
    /// The calling thread is counted without its children, and nothing waits for
    /// an `exec`.
    #[must_use]
    pub const fn new() -> Self {
        Options {
            scope: Scope::ThisThread,
            inherit: false,
            enable_on_exec: false,
            cgroups: Vec::new(),
        }
    }

    /// Sets whose events are counted.
    #[must_use]
    pub fn scope(self, scope: Scope) -> Self {
        Options { scope, ..self }
    }

    /// Sets whether what a watched task starts is counted, too, unless an event
    /// says otherwise (`no-inherit`).
    #[must_use]
    pub fn inherit(self, inherit: bool) -> Self {
        Options { inherit, ..self }
    }

    /// Sets whether a task's counters begin when it next calls `exec`.
    #[must_use]
    pub fn enable_on_exec(self, enable_on_exec: bool) -> Self {
        Options { enable_on_exec, ..self }
    }

    /// Sets the control groups in which events are counted, by the places of the
    /// [answers](crate::resolve::Resolution::answers); an event without one is
    /// counted everywhere. All events of a group are counted in that of its leader.
    /// The [scope](Self::scope) must be CPUs.
    #[must_use]
    pub fn cgroups(self, cgroups: impl IntoIterator<Item = Option<Cgroup>>) -> Self {
        Options { cgroups: cgroups.into_iter().collect(), ..self }
    }

    /// The control group of an event.
    pub(super) fn cgroup(&self, event: usize) -> Option<&Cgroup> {
        self.cgroups.get(event)?.as_ref()
    }

    /// Whose events are counted.
    #[must_use]
    pub fn watched(&self) -> &Scope {
        &self.scope
    }
}
