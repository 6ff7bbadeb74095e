//! Tracepoints, with their numbers from tracefs.

use std::format;
use std::path::{Path, PathBuf};
use std::string::String;
use std::sync::OnceLock;
use std::vec::Vec;

use super::Problem;
use crate::file::{self, Kind};

/// The tracepoints of the system: `events` of tracefs, which is mounted at
/// `/sys/kernel/tracing`, or on older systems below debugfs
/// (`Documentation/trace/events.rst`).
///
/// The names of systems, the names of a system's events, and the number of an event
/// are each read once, on demand.
///
/// ```
/// use pmu_events::sysfs::Sysfs;
///
/// match Sysfs::new().tracing().of_system("sched") {
///     Ok(events) => println!("{} ways to watch the scheduler", events.len()),
///     Err(problem) => println!("{problem}"),
/// }
/// let nowhere = Sysfs::at("/nonexistent");
/// let problem = nowhere.tracing().of_system("sched").unwrap_err();
/// assert!(problem.to_string().contains("tracefs is not mounted: "));
/// ```
#[derive(Debug)]
pub struct Tracing {
    /// The directory used as `/sys`.
    root: PathBuf,
    systems: OnceLock<Result<Vec<System>, Problem>>,
}

#[derive(Debug)]
struct System {
    name: String,
    path: PathBuf,
    events: OnceLock<Result<Vec<Tracepoint>, Problem>>,
}

/// A tracepoint: a place in the kernel that reports when it is reached.
///
/// ```
/// use pmu_events::sysfs::Sysfs;
///
/// let sysfs = Sysfs::new();
/// match sysfs.tracing().of_system("sched") {
///     Ok(tracepoints) => tracepoints.iter().for_each(|one| println!("{}", one.name())),
///     // Only root may read tracefs on most machines.
///     Err(problem) => println!("{problem}"),
/// }
/// ```
#[derive(Debug)]
pub struct Tracepoint {
    /// `system:event`
    name: String,
    /// The length of the system's name.
    system: usize,
    path: PathBuf,
    id: OnceLock<Result<u64, Problem>>,
}

impl Tracing {
    pub(super) fn below(root: &Path) -> Self {
        Tracing { root: root.into(), systems: OnceLock::new() }
    }

    /// Returns the names of all systems.
    ///
    /// # Errors
    ///
    /// Returns an error if tracefs is not mounted, or not readable by this user.
    /// The message suggests a cure.
    pub fn systems(&self) -> Result<impl Iterator<Item = &str>, &Problem> {
        Ok(self.all_systems()?.iter().map(|system| &*system.name))
    }

    /// Returns the tracepoints of a system, by name; none if there is no such
    /// system.
    ///
    /// # Errors
    ///
    /// Returns an error if tracefs or the system's directory cannot be read.
    pub fn of_system(&self, name: &str) -> Result<&[Tracepoint], &Problem> {
        let systems = self.all_systems()?;
        match systems.binary_search_by(|system| system.name.as_str().cmp(name)) {
            Ok(at) => systems[at].events(),
            Err(_) => Ok(&[]),
        }
    }

    fn all_systems(&self) -> Result<&[System], &Problem> {
        let read = || {
            let mut first = None;
            // The mount point of tracefs, and its place in debugfs.
            let [tracefs, debugfs] = ["kernel/tracing", "kernel/debug/tracing"];
            let mounted = [self.root.join(tracefs), self.root.join(debugfs)];
            for mounted in &mounted {
                match directories(&mounted.join("events")) {
                    Ok(found) if !found.is_empty() => {
                        let mut systems = Vec::with_capacity(found.len());
                        for (name, path) in found {
                            systems.push(System { name, path, events: OnceLock::new() });
                        }
                        return Ok(systems);
                    }
                    Ok(_) => {}
                    Err(problem) => first = first.or(Some(refused(mounted, problem))),
                }
            }
            let [tracefs, _] = &mounted;
            Err(first.unwrap_or_else(|| {
                let shown = tracefs.display();
                let cure = format!("`mount -t tracefs nodev {shown}` (as root) mounts it");
                Problem::missing(tracefs, format!("tracefs is not mounted: {cure}"))
            }))
        };
        self.systems.get_or_init(read).as_deref()
    }
}

impl System {
    fn events(&self) -> Result<&[Tracepoint], &Problem> {
        let read = || {
            let found = directories(&self.path)?;
            let mut events = Vec::with_capacity(found.len());
            for (name, path) in found {
                events.push(Tracepoint {
                    name: format!("{}:{name}", self.name),
                    system: self.name.len(),
                    path,
                    id: OnceLock::new(),
                });
            }
            Ok(events)
        };
        self.events.get_or_init(read).as_deref()
    }
}

impl Tracepoint {
    /// Returns the name including that of its system: `sched:sched_switch`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the name within its system: `sched_switch`.
    #[must_use]
    pub fn event(&self) -> &str {
        &self.name[self.system + 1..]
    }

    /// Returns the number of the tracepoint (`id`), which is the config of its
    /// `perf_event_attr`.
    ///
    /// # Errors
    ///
    /// Returns an error if the number cannot be read or parsed.
    pub fn id(&self) -> Result<u64, &Problem> {
        let read = || {
            let path = self.path.join("id");
            let id = |text: &str| {
                text.parse().map_err(|_| {
                    Problem::new(&path, format!("is not a number: `{}`", text.escape_debug()))
                })
            };
            match file::of_sysfs(&path, Kind::Unknown, id) {
                Ok(Some(id)) => id,
                Ok(None) => Err(Problem::missing(&path, "does not exist")),
                Err(problem) => Err(problem),
            }
        };
        self.id.get_or_init(read).as_ref().copied()
    }
}

/// The directories in a directory, by name.
fn directories(path: &Path) -> Result<Vec<(String, PathBuf)>, Problem> {
    let mut directories = Vec::new();
    for (name, kind) in file::list(path)? {
        if kind == Kind::Directory {
            let below = path.join(&name);
            directories.push((name, below));
        }
    }
    Ok(directories)
}

/// tracefs is only accessible to root unless mounted otherwise.
fn refused(mounted: &Path, problem: Problem) -> Problem {
    if !problem.is_permission() {
        return problem;
    }
    let mounted = mounted.display();
    let cure = format!("`mount -o remount,mode=755 {mounted}` (as root) lets others read it");
    problem.with_cure(&cure)
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;

    use super::*;
    use std::string::ToString;

    /// Only a missing right has this cure.
    #[test]
    fn cures() {
        let of = |kind: ErrorKind| {
            let problem = Problem::io(Path::new("events"), kind.into());
            refused(Path::new("/mounted"), problem).to_string()
        };
        assert_eq!(
            of(ErrorKind::PermissionDenied),
            "events: cannot be read; `mount -o remount,mode=755 /mounted` (as root) lets others \
             read it"
        );
        assert_eq!(of(ErrorKind::NotFound), "events: cannot be read");
    }
}
