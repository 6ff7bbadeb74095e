use std::format;
use std::vec::Vec;

use crate::open::{Cgroup, Error, ErrorKind};
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
    cgroups: Cgroups,
}

/// The control groups in which events are counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Cgroups {
    #[default]
    Everywhere,
    One(Cgroup),
    OfEach(Vec<Option<Cgroup>>),
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
            cgroups: Cgroups::Everywhere,
        }
    }

    /// Sets what is measured.
    ///
    /// ```
    /// use pmu_events::open::Options;
    /// use pmu_events::{Scope, System};
    ///
    /// let options = Options::new().scope(Scope::AllCpus);
    /// match System::new().open_with("cpu-clock", &options) {
    ///     Ok(counters) => println!("{} events", counters.events().len()),
    ///     Err(error) => println!("{error}"), // it needs rights
    /// }
    /// ```
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

    /// Sets the control group in which all events count. The [scope](Self::scope) must
    /// be CPUs.
    #[must_use]
    pub fn cgroup(self, cgroup: Cgroup) -> Self {
        Options { cgroups: Cgroups::One(cgroup), ..self }
    }

    /// Sets the control group of each event, in the order of the
    /// [answers](crate::resolve::Resolution::answers); an event with `None` counts all
    /// tasks. The [scope](Self::scope) must be CPUs.
    ///
    /// Opening fails unless there is one entry for each answer, and one control group
    /// for all events of a group.
    #[must_use]
    pub fn cgroups(self, cgroups: impl IntoIterator<Item = Option<Cgroup>>) -> Self {
        Options { cgroups: Cgroups::OfEach(cgroups.into_iter().collect()), ..self }
    }

    /// Returns the control group of an event.
    pub(super) fn cgroup_of(&self, event: usize) -> Option<&Cgroup> {
        match &self.cgroups {
            Cgroups::Everywhere => None,
            Cgroups::One(cgroup) => Some(cgroup),
            Cgroups::OfEach(all) => all.get(event)?.as_ref(),
        }
    }

    /// Refuses control groups that do not belong to the events.
    pub(super) fn check_cgroups(&self, events: usize) -> Result<(), Error> {
        let message = match &self.cgroups {
            Cgroups::Everywhere => return Ok(()),
            Cgroups::OfEach(all) if all.len() != events => {
                format!("there are {} control groups for {events} events", all.len())
            }
            Cgroups::OfEach(all) if all.iter().all(Option::is_none) => return Ok(()),
            _ if !self.scope.is_cpus() => Cgroup::NEEDS_CPUS.into(),
            _ => return Ok(()),
        };
        Err(Error::new(ErrorKind::Invalid, 0, message))
    }

    /// Returns what is measured.
    #[must_use]
    pub fn get_scope(&self) -> &Scope {
        &self.scope
    }
}
