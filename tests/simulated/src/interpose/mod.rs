//! System calls that arrive at a simulated kernel.

mod buffers;
mod calls;
mod real;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::os::fd::RawFd;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use crate::kernel::{Id, Kernel};
use crate::own::Own;
use crate::scenario::Preloaded;
use crate::world::{Group, Tid};

/// A simulated kernel at which the system calls of threads arrive.
#[derive(Clone)]
pub struct Simulation {
    shared: Arc<Shared>,
}

struct Shared {
    kernel: Mutex<Kernel>,
    groups: Mutex<Vec<(PathBuf, Group)>>,
    /// Whether any other directory is a control group, too.
    has_directories: AtomicBool,
    /// What stands for `/sys`.
    sysfs: Mutex<Option<PathBuf>>,
    /// What the program itself does.
    own: Mutex<Option<Own>>,
}

/// While it exists, the system calls of this thread arrive at a simulated kernel.
pub struct Entered {
    before: Option<(Simulation, Tid)>,
}

thread_local! {
    static CURRENT: RefCell<Option<(Simulation, Tid)>> = const { RefCell::new(None) };
}

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// While it exists, this thread is in a call that may lead to a simulated kernel.
struct Inside;

impl Inside {
    fn enter() -> Self {
        DEPTH.set(DEPTH.get() + 1);
        Inside
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
    }
}

/// Whether this thread is in a call of the kernel, whose allocations are not the program's.
#[must_use]
pub fn is_inside() -> bool {
    DEPTH.get() > 0
}

/// The events behind descriptors.
static OPEN: Mutex<BTreeMap<RawFd, (Simulation, Id)>> = Mutex::new(BTreeMap::new());

/// How many there are: most calls have nothing to do with them.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// The machine and the program that the environment describes.
static PRELOADED: LazyLock<Option<(Simulation, Mutex<Preloaded>)>> = LazyLock::new(|| {
    let preloaded = Preloaded::of_environment()?;
    let simulation = Simulation::new(preloaded.kernel());
    if let Some(own) = preloaded.own() {
        simulation.set_own(own);
    }
    simulation.shared.has_directories.store(preloaded.has_directories(), Ordering::Relaxed);
    if let Some(sysfs) = std::env::var_os("SYSFS_PATH") {
        simulation.set_sysfs(Path::new(&sysfs));
    }
    Some((simulation, Mutex::new(preloaded)))
});

impl Simulation {
    /// Makes a kernel reachable by system calls.
    #[must_use]
    pub fn new(kernel: Kernel) -> Self {
        calls::keep();
        let (kernel, groups) = (Mutex::new(kernel), Mutex::default());
        let (sysfs, own) = (Mutex::default(), Mutex::default());
        let has_directories = AtomicBool::new(false);
        Simulation { shared: Arc::new(Shared { kernel, groups, has_directories, sysfs, own }) }
    }

    /// Returns the kernel, to let time pass and to change what runs.
    pub fn kernel(&self) -> MutexGuard<'_, Kernel> {
        locked(&self.shared.kernel)
    }

    /// Makes a directory stand for a control group.
    pub fn set_directory(&self, directory: impl AsRef<Path>, group: Group) {
        // As the kernel shows the descriptor's path: without links.
        let path = directory.as_ref().canonicalize().unwrap_or(directory.as_ref().into());
        locked(&self.shared.groups).push((path, group));
    }

    /// Makes a directory stand for `/sys`, for those who ask why the kernel refuses something.
    pub fn set_sysfs(&self, directory: &Path) {
        *locked(&self.shared.sysfs) = Some(directory.into());
    }

    /// Says what a program does itself while its own counters are enabled.
    pub fn set_own(&self, own: Own) {
        *locked(&self.shared.own) = Some(own);
    }

    /// What the calling task does itself, if that is described, and the kernel.
    fn with_own<T>(
        &self,
        caller: Option<Tid>,
        act: impl FnOnce(&mut Own, &mut Kernel, Tid) -> T,
    ) -> Option<T> {
        let mut own = locked(&self.shared.own);
        let task = caller.unwrap_or_else(calls::own_task);
        own.as_mut().map(|own| act(own, &mut self.kernel(), task))
    }

    /// Where a path is in truth, if it is below `/sys`.
    fn redirect(&self, path: &Path) -> Option<PathBuf> {
        let below = path.strip_prefix("/sys").ok()?;
        Some(locked(&self.shared.sysfs).as_ref()?.join(below))
    }

    /// Makes the system calls of this thread arrive here, as those of a task.
    #[must_use]
    pub fn enter(&self, task: Tid) -> Entered {
        let before = CURRENT.with_borrow_mut(|current| current.replace((self.clone(), task)));
        Entered { before }
    }

    fn group_of(&self, descriptor: RawFd) -> Option<Group> {
        let path = std::fs::read_link(format!("/proc/self/fd/{descriptor}")).ok()?;
        let mut groups = locked(&self.shared.groups);
        if let Some(&(_, group)) = groups.iter().find(|(own, _)| *own == path) {
            return Some(group);
        }
        // The link of one that has been removed leads nowhere.
        if !self.shared.has_directories.load(Ordering::Relaxed) || !path.is_dir() {
            return None;
        }
        let group = Group::try_from(groups.len() + 1).ok()?;
        self.kernel().make_group(group, 0);
        groups.push((path, group));
        Some(group)
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        CURRENT.with_borrow_mut(|current| *current = self.before.take());
    }
}

/// Where the calls of this thread arrive, and the task that makes them.
fn current() -> Option<(Simulation, Option<Tid>)> {
    // A thread that ends may have no storage any more.
    let entered = CURRENT.try_with(|current| current.try_borrow().ok()?.clone()).ok().flatten();
    match entered {
        Some((simulation, task)) => Some((simulation, Some(task))),
        None => PRELOADED.as_ref().map(|(simulation, _)| (simulation.clone(), None)),
    }
}

fn behind(descriptor: RawFd) -> Option<(Simulation, Id)> {
    if COUNT.load(Ordering::Acquire) == 0 {
        return None;
    }
    locked(&OPEN).get(&descriptor).cloned()
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
