use std::vec::Vec;

use crate::open::Cgroup;
use crate::system::Scope;

/// Options for opening a set of counters.
///
/// ```
/// use pmu_events::Scope;
/// use pmu_events::open::Options;
///
/// let command = Options::new().inherit(true).enable_on_exec(true);
/// let machine = Options::new().scope(Scope::AllCpus);
/// assert!(machine.get_scope().is_cpus() && !command.get_scope().is_cpus());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    pub(super) scope: Scope,
    pub(super) inherit: bool,
    pub(super) enable_on_exec: bool,
    pub(super) cgroups: Vec<Option<Cgroup>>,
}

impl Options {
    /// Creates the default options: measure the calling thread without its
    /// children, and do not wait for an `exec`.
    #[must_use]
    pub const fn new() -> Self {
        Options {
            scope: Scope::ThisThread,
            inherit: false,
            enable_on_exec: false,
            cgroups: Vec::new(),
        }
    }

    /// Sets what is measured.
    #[must_use]
    pub fn scope(self, scope: Scope) -> Self {
        Options { scope, ..self }
    }

    /// Sets whether children of a measured task are counted as well, except for
    /// events with the term `no-inherit`.
    #[must_use]
    pub fn inherit(self, inherit: bool) -> Self {
        Options { inherit, ..self }
    }

    /// Sets whether a task's counters start at its next `exec`.
    #[must_use]
    pub fn enable_on_exec(self, enable_on_exec: bool) -> Self {
        Options { enable_on_exec, ..self }
    }

    /// Sets the control group of each event, in the order of the
    /// [answers](crate::resolve::Resolution::answers). An event without one counts
    /// all tasks. All events of a group use the control group of their leader. The
    /// [scope](Self::scope) must be CPUs.
    #[must_use]
    pub fn cgroups(self, cgroups: impl IntoIterator<Item = Option<Cgroup>>) -> Self {
        Options { cgroups: cgroups.into_iter().collect(), ..self }
    }

    /// Returns the control group of an event.
    pub(super) fn cgroup(&self, event: usize) -> Option<&Cgroup> {
        self.cgroups.get(event)?.as_ref()
    }

    /// Returns what is measured.
    #[must_use]
    pub fn get_scope(&self) -> &Scope {
        &self.scope
    }
}
