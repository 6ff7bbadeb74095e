//! Control groups, in which events are counted on whole CPUs.

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::file;

/// An open control group, which limits counters of whole CPUs to its tasks
/// (`PERF_FLAG_PID_CGROUP`).
///
/// ```no_run
/// use pmu_events::open::{Cgroup, Options};
/// use pmu_events::{Scope, System};
///
/// let web = Cgroup::open("/sys/fs/cgroup/web.slice")?;
/// let options = Options::new().with_scope(Scope::AllCpus).with_cgroup(web);
/// let mut counters = System::new().open_with("cpu-clock", &options)?;
/// counters.enable()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Cgroup {
    shared: Arc<Shared>,
    /// What reports show, if not the path.
    name: Option<Arc<str>>,
}

#[derive(Debug)]
struct Shared {
    path: PathBuf,
    #[cfg_attr(not(target_os = "linux"), allow(dead_code))]
    directory: File,
}

impl Cgroup {
    pub(super) const NEEDS_CPUS: &str = "a control group can be counted only on whole CPUs";

    /// Opens the directory of a control group, in the unified hierarchy or in that
    /// of the controller `perf_event`. Whether the directory is a control group is
    /// only checked when an event is opened in it.
    ///
    /// # Errors
    ///
    /// Returns an error if the directory cannot be opened.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        let path = path.as_ref().to_path_buf();
        let directory = file::directory(&path)?;
        Ok(Cgroup { shared: Arc::new(Shared { path, directory }), name: None })
    }

    /// Returns the path of the control group's directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.shared.path
    }

    /// Sets the name that a report shows, such as the part of the path below the mount point.
    #[must_use]
    pub fn with_name(self, name: &str) -> Self {
        Cgroup { name: Some(name.into()), ..self }
    }

    /// Returns the [name](Self::with_name), or the path without one.
    #[must_use]
    pub fn name(&self) -> Cow<'_, str> {
        match &self.name {
            Some(name) => Cow::Borrowed(name),
            None => self.path().to_string_lossy(),
        }
    }

    /// The file descriptor that replaces the thread id in the system call.
    #[cfg(target_os = "linux")]
    pub(super) fn descriptor(&self) -> i32 {
        use std::os::fd::AsRawFd;
        self.shared.directory.as_raw_fd()
    }
}

/// Control groups are equal if their paths are.
impl PartialEq for Cgroup {
    fn eq(&self, other: &Self) -> bool {
        self.path() == other.path()
    }
}

impl Eq for Cgroup {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::env;

    #[test]
    fn only_directories_are_opened() {
        let root = env::temp_dir();
        let cgroup = Cgroup::open(&root).unwrap();
        assert_eq!(cgroup.path(), root);
        assert_eq!(cgroup.clone(), cgroup);
        assert_eq!(cgroup.name(), root.to_string_lossy());
        let named = cgroup.clone().with_name("shop/till");
        assert_eq!((&*named.name(), &named), ("shop/till", &cgroup));
        let program = env::current_exe().unwrap();
        assert_eq!(Cgroup::open(program).unwrap_err().kind(), io::ErrorKind::NotADirectory);
        let missing = Cgroup::open(root.join("no such control group")).unwrap_err();
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
    }
}
