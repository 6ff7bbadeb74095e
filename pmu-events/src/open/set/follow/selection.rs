//! Which places are meant.

use core::fmt;
use std::boxed::Box;
use std::path::{Path, PathBuf};
use std::string::String;
use std::vec::Vec;

use super::cgroups::{self, Found};
use super::processes::{self, Process};
use crate::open::set::event::SetEvent;
use crate::open::{Error, Flag};
use crate::system::System;

/// The places in which a list of events is counted, whichever exist.
///
/// ```
/// use pmu_events::follow::Selection;
///
/// let everything = Selection::cpus();
/// let pods = Selection::cgroups("/sys/fs/cgroup", |path| path.starts_with("kubepods.slice/"));
/// let servers = Selection::processes(|name| name == "nginx");
/// # drop((everything, pods, servers));
/// ```
pub struct Selection(Kind);

enum Kind {
    Cpus,
    Cgroups { root: PathBuf, is_wanted: Box<dyn Fn(&str) -> bool + Send> },
    Processes { is_wanted: Box<dyn Fn(&str) -> bool + Send> },
}

/// What exists of it.
pub(super) enum Candidates {
    Machine,
    Cgroups { found: Vec<Found>, not_utf8: Vec<String> },
    Processes(Vec<Process>),
}

impl Selection {
    /// Selects all CPUs that are online, together one place. Events outside the cores count where
    /// their PMU does.
    #[must_use]
    pub fn cpus() -> Self {
        Selection(Kind::Cpus)
    }

    /// Selects control groups, each one place on all CPUs that are online. `root` is the directory
    /// of all control groups: that of the unified hierarchy, or of the controller `perf_event`. A
    /// control group is selected by its path below `root`, such as `system.slice/cron.service`.
    #[must_use]
    pub fn cgroups(
        root: impl AsRef<Path>,
        is_wanted: impl Fn(&str) -> bool + Send + 'static,
    ) -> Self {
        let root = root.as_ref().into();
        Selection(Kind::Cgroups { root, is_wanted: Box::new(is_wanted) })
    }

    /// Selects processes by the name of their main thread (`/proc/PID/comm`); all of one name
    /// are one place. All threads count, including those that are started later. Processes that a
    /// process starts are selected by their own names; one that starts and ends between two
    /// updates is not seen.
    ///
    /// This needs Linux 5.13, which can tell threads from processes when counters are inherited.
    #[must_use]
    pub fn processes(is_wanted: impl Fn(&str) -> bool + Send + 'static) -> Self {
        Selection(Kind::Processes { is_wanted: Box::new(is_wanted) })
    }

    /// Prepares an event to be opened in such places.
    pub(super) fn adapt(&self, event: &mut SetEvent) {
        if let Kind::Processes { .. } = self.0 {
            event.attr.set(Flag::InheritThread, true);
        }
    }

    pub(super) fn candidates(&self, system: &System) -> Result<Candidates, Error> {
        Ok(match &self.0 {
            Kind::Cpus => Candidates::Machine,
            Kind::Cgroups { root, is_wanted } => {
                let (found, not_utf8) = cgroups::wanted(root, is_wanted)?;
                Candidates::Cgroups { found, not_utf8 }
            }
            Kind::Processes { is_wanted } => {
                Candidates::Processes(processes::wanted(system, is_wanted)?)
            }
        })
    }
}

impl fmt::Debug for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Cpus => f.write_str("Cpus"),
            Kind::Cgroups { root, .. } => f.debug_struct("Cgroups").field("root", root).finish(),
            Kind::Processes { .. } => f.write_str("Processes"),
        }
    }
}
