/// How a set of counters is opened.
///
/// ```
/// use pmu_events::open::Options;
/// let options = Options::new().inherit(true).enable_on_exec(true);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    pub(super) inherit: bool,
    pub(super) enable_on_exec: bool,
}

impl Options {
    /// Children are not counted, and nothing waits for an `exec`.
    #[must_use]
    pub const fn new() -> Self {
        Options { inherit: false, enable_on_exec: false }
    }

    /// Whether what a watched task starts is counted, too, unless an event says
    /// otherwise (`no-inherit`).
    #[must_use]
    pub const fn inherit(self, inherit: bool) -> Self {
        Options { inherit, ..self }
    }

    /// Whether a task's counters begin when it next calls `exec`.
    #[must_use]
    pub const fn enable_on_exec(self, enable_on_exec: bool) -> Self {
        Options { enable_on_exec, ..self }
    }
}
