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
}

impl Options {
    /// The calling thread is counted without its children, and nothing waits for
    /// an `exec`.
    #[must_use]
    pub const fn new() -> Self {
        Options { scope: Scope::ThisThread, inherit: false, enable_on_exec: false }
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

    /// Whose events are counted.
    #[must_use]
    pub fn watched(&self) -> &Scope {
        &self.scope
    }
}
