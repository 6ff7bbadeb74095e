use super::event::SetEvent;
use crate::open::{Cgroup, Error, ErrorKind};
use crate::system::Scope;

/// Options for opening a set of counters.
///
/// ```
/// use pmu_events::Scope;
/// use pmu_events::open::Options;
///
/// let command = Options::new().with_inherit(true).with_enable_on_exec(true);
/// let machine = Options::new().with_scope(Scope::AllCpus);
/// assert!(machine.scope().is_cpus() && !command.scope().is_cpus());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    pub(super) scope: Scope,
    pub(super) inherit: bool,
    pub(super) enable_on_exec: bool,
    pub(super) cgroup: Option<Cgroup>,
    pub(super) user_space_reads: bool,
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
            cgroup: None,
            user_space_reads: false,
        }
    }

    /// Sets what is measured.
    ///
    /// ```
    /// use pmu_events::open::Options;
    /// use pmu_events::{Scope, System};
    ///
    /// let options = Options::new().with_scope(Scope::AllCpus);
    /// match System::new().open_with("cpu-clock", &options) {
    ///     Ok(counters) => println!("{} events", counters.events().len()),
    ///     Err(error) => println!("{error}"), // it needs rights
    /// }
    /// ```
    #[must_use]
    pub fn with_scope(self, scope: Scope) -> Self {
        Options { scope, ..self }
    }

    /// Sets whether children of a measured task are counted as well, except for
    /// events with the term `no-inherit`.
    #[must_use]
    pub fn with_inherit(self, inherit: bool) -> Self {
        Options { inherit, ..self }
    }

    /// Sets whether a task's counters start at its next `exec`.
    #[must_use]
    pub fn with_enable_on_exec(self, enable_on_exec: bool) -> Self {
        Options { enable_on_exec, ..self }
    }

    /// Sets the control group in which events count, except for those that have one of their
    /// own ([`Resolution::in_cgroup`](crate::resolve::Resolution::in_cgroup)). The
    /// [scope](Self::scope) must be CPUs.
    #[must_use]
    pub fn with_cgroup(self, cgroup: Cgroup) -> Self {
        Options { cgroup: Some(cgroup), ..self }
    }

    /// Sets whether the counters of [the calling thread](Scope::ThisThread) are read without a
    /// system call where that is possible: with the instruction `rdpmc` on x86-64, from the
    /// counter registers on Arm (64 bits) and RISC-V. All other counts are read by system calls,
    /// as without this option; [`Part::method`](super::Part::method) tells them apart.
    ///
    /// A group is read without a system call if
    ///
    /// * all its events are those of the cores, and it counts no children;
    /// * it is read on the thread that opened it, and has its counters at that moment;
    /// * the machine has one kind of core, so that the counter is there on whatever CPU the
    ///   thread is;
    /// * the kernel allows it. On x86 that is the default (file `rdpmc` of the PMU). On Arm it
    ///   takes `sysctl kernel.perf_user_access=1`. (An administrator who withdraws this while
    ///   counters are open ends programs that read them, by SIGSEGV or SIGILL, until the kernel
    ///   next switches their tasks.)
    ///
    /// Members of a group are then read one after the other, a few instructions apart. Each event
    /// takes a page of memory that the kernel locks, and a group of which one page cannot be
    /// mapped is read by system calls.
    ///
    /// ```
    /// use pmu_events::System;
    /// use pmu_events::open::{Options, ReadMethod, Reading};
    ///
    /// let options = Options::new().with_user_space_reads(true);
    /// match System::new().open_with("{instructions,cycles}:u,duration_time", &options) {
    ///     Ok(mut counters) => {
    ///         let mut reading = Reading::default();
    ///         counters.enable()?;
    ///         counters.read_into(&mut reading);
    ///         let parts = reading.events().iter().flat_map(|event| event.parts());
    ///         let read = parts.filter(|part| part.method() == ReadMethod::UserSpace);
    ///         println!("{} events without a system call", read.count());
    ///     }
    ///     Err(error) => println!("{error}"), // some machines forbid counting
    /// }
    /// # Ok::<(), pmu_events::open::Error>(())
    /// ```
    #[must_use]
    pub fn with_user_space_reads(self, user_space_reads: bool) -> Self {
        Options { user_space_reads, ..self }
    }

    /// Refuses control groups of what is not CPUs.
    pub(super) fn check_cgroups(&self, events: &[SetEvent]) -> Result<(), Error> {
        let is_in_cgroup = self.cgroup.is_some() || events.iter().any(|one| one.cgroup().is_some());
        match is_in_cgroup && !self.scope.is_cpus() {
            true => Err(Error::new(ErrorKind::Invalid, 0, Cgroup::NEEDS_CPUS)),
            false => Ok(()),
        }
    }

    /// Whether a task's counters start at its next `exec`.
    #[cfg(feature = "sample")]
    pub(crate) fn enables_on_exec(&self) -> bool {
        self.enable_on_exec
    }

    /// Returns what is measured.
    #[must_use]
    pub fn scope(&self) -> &Scope {
        &self.scope
    }
}
