//! The machine that events are resolved and counted on.
//!
//! Use it first: events are opened, resolved and listed by it.
//!
//! A [`System`] is where everything begins: it has the PMUs of a machine, the event
//! tables of each PMU, and the CPUs. [`System::new`] is the running machine; the
//! other constructors and the `with_` methods describe any other.
//!
//! ```
//! use pmu_events::System;
//!
//! let system = System::new();
//! match system.model() {
//!     Ok(model) => println!("{}: {} events", model.name(), model.event_count()),
//!     Err(error) => println!("{error}"),
//! }
//! for pmu in system.sysfs().pmus() {
//!     println!("{}", pmu.name());
//! }
//! ```

mod architecture;
mod constraint;
#[cfg(feature = "metrics")]
mod core_state;
mod cpu;
mod cpuid;
pub(crate) mod drm;
mod generic_names;
mod leaf;
mod machine;
mod process;
mod scope;
mod tables;
#[cfg(test)]
mod tests;
mod topology;
mod tsc;

use std::path::{Path, PathBuf};
use std::string::{String, ToString};
use std::sync::{Arc, OnceLock};
use std::vec::Vec;
use std::{env, fmt, vec};

pub use cpu::Cpu;
pub use generic_names::GenericNames;
pub use machine::SystemMachine;
pub use process::ProcessError;
pub use scope::Scope;
pub(crate) use tables::Tables;
#[cfg(feature = "open")]
pub(crate) use topology::Die;
pub(crate) use topology::Topology;

use crate::event::Encoding;
use crate::model::Note;
use crate::sysfs::{Pmu, Sysfs};
use crate::{Event, Model, Tree, arch, host};
use tables::Source;

/// Where procfs is mounted.
const PROC: &str = "/proc";

/// Names another directory in place of [`PROC`], as for perf
/// (`fs__env_override` in `tools/lib/api/fs/fs.c`).
const PROC_OVERRIDE: &str = "PROCFS_PATH";

/// A machine: its PMUs, the event tables of each PMU, and its CPUs.
///
/// Each file is read once, when it is first needed. A `System` is cheap to clone;
/// clones share what has been read.
///
/// ```
/// # #[cfg(feature = "x86")] {
/// use pmu_events::{System, arch::x86};
///
/// // Any CPU, not necessarily this one, with the formats that Linux's drivers define.
/// let zen4 = System::builtin("AuthenticAMD-25-61-2", x86::AMDZEN4);
/// let events = zen4.resolve("ex_ret_instr,l3_lookup_state.l3_miss")?;
/// assert_eq!((events[0].type_(), events[0].words().config()), (4, 0xc0));
/// # }
/// # Ok::<(), pmu_events::resolve::Error>(())
/// ```
#[derive(Clone)]
pub struct System {
    shared: Arc<Shared>,
}

struct Shared {
    parts: Parts,
    tables: OnceLock<Tables>,
    cpuid: OnceLock<Result<String, host::Error>>,
    topology: Topology,
    tsc_frequency: OnceLock<f64>,
    has_nmi_watchdog: OnceLock<bool>,
    drm: OnceLock<Vec<Pmu>>,
}

/// The inputs of a system; everything else is read from them.
#[derive(Clone)]
struct Parts {
    sysfs: Arc<Sysfs>,
    proc: PathBuf,
    source: Source,
    cpuid: Option<String>,
    generic_names: GenericNames,
}

impl System {
    /// The machine that the program runs on: `/sys`, or the directory named by
    /// `SYSFS_PATH`, with the event trees that this build contains
    /// ([`arch::TREES`]).
    ///
    /// `PERF_CPUID` replaces the CPUID of the machine and `PROCFS_PATH` the directory
    /// `/proc`, as in perf.
    ///
    /// ```
    /// use pmu_events::System;
    ///
    /// // Nothing is read before it is needed.
    /// let system = System::new();
    /// for pmu in system.sysfs().pmus() {
    ///     println!("{}", pmu.name());
    /// }
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::with(Sysfs::new())
    }

    /// The machine described by another sysfs, with another directory in place of
    /// `/sys`: that of a container, a recording, or a test fixture.
    ///
    /// ```
    /// use pmu_events::System;
    ///
    /// // Generic events resolve without any file.
    /// let events = System::at("/nonexistent").resolve("instructions:u")?;
    /// assert_eq!((events[0].type_(), events[0].words().config()), (0, 1));
    /// # Ok::<(), pmu_events::resolve::Error>(())
    /// ```
    #[must_use]
    pub fn at(sysfs: impl Into<PathBuf>) -> Self {
        Self::with(Sysfs::at(sysfs))
    }

    /// A CPU without its sysfs: the PMUs that the CPU's event table names, with the
    /// formats that Linux's drivers define ([`Sysfs::builtin`]). This is enough to
    /// encode events for a machine that is not at hand. A type that the kernel assigns
    /// when it boots is [`Pmu::DYNAMIC`].
    ///
    /// ```
    /// # #[cfg(feature = "x86")] {
    /// use pmu_events::{System, arch::x86};
    ///
    /// let system = System::builtin("GenuineIntel-6-8F-4", x86::SAPPHIRERAPIDS);
    /// assert_eq!(system.require("l2_lines_in.all")?.events().len(), 1);
    /// # }
    /// # Ok::<(), pmu_events::resolve::Error>(())
    /// ```
    #[must_use]
    pub fn builtin(cpuid: impl Into<String>, model: Model) -> Self {
        let cpuid = cpuid.into();
        Self::with(Sysfs::builtin(&cpuid, model)).with_model(model).with_cpuid(cpuid)
    }

    fn with(sysfs: Sysfs) -> Self {
        let proc = env::var_os(PROC_OVERRIDE).filter(|path| !path.is_empty());
        let proc = proc.map_or_else(|| PROC.into(), PathBuf::from);
        let (source, generic_names) = (Source::default(), GenericNames::default());
        Parts { sysfs: Arc::new(sysfs), proc, source, cpuid: None, generic_names }.into()
    }

    fn change(mut self, change: impl FnOnce(&mut Parts)) -> Self {
        // What has been read belongs to the parts as they were: only a system that
        // has read nothing, and that no clone shares, is changed in place.
        let mut parts = match Arc::get_mut(&mut self.shared) {
            Some(shared) if shared.is_unread() => {
                change(&mut shared.parts);
                return self;
            }
            _ => self.shared.parts.clone(),
        };
        change(&mut parts);
        parts.into()
    }

    /// Uses another directory in place of `/proc`.
    #[must_use]
    pub fn with_proc(self, proc: impl Into<PathBuf>) -> Self {
        self.change(|parts| parts.proc = proc.into())
    }

    /// Uses the tables of one tree, such as your own tree or a selection, instead
    /// of those that this build contains.
    ///
    /// ```
    /// # #[cfg(feature = "macros")]
    /// mod soc {
    ///     pmu_events::pmu_events!("tests/soc");
    /// }
    /// # fn main() {
    /// # #[cfg(feature = "macros")] {
    /// use pmu_events::System;
    ///
    /// let system = System::at("/nonexistent").with_tree(&soc::TREE).with_cpuid("Acme-1");
    /// println!("{:?}", system.model().map(|model| model.name()));
    /// # }
    /// # }
    /// ```
    #[must_use]
    pub fn with_tree(self, tree: &'static Tree) -> Self {
        self.with_trees([tree])
    }

    /// Uses the tables of several trees, instead of those that this build contains.
    /// A CPU has the tables of the first tree that knows it. The CPU-independent events are
    /// those of the first tree that has a table of the CPUID `common`; without one, there
    /// are none.
    #[must_use]
    pub fn with_trees(self, trees: impl IntoIterator<Item = &'static Tree>) -> Self {
        self.change(|parts| {
            parts.source = Source::of(trees.into_iter().collect(), parts.source.encoding);
        })
    }

    /// Uses the tables of one model for all PMUs.
    ///
    /// ```
    /// # #[cfg(feature = "x86")] {
    /// use pmu_events::{System, arch::x86};
    ///
    /// let system = System::at("/nonexistent").with_model(x86::SILVERMONT);
    /// assert_eq!(system.model()?, x86::SILVERMONT);
    /// # }
    /// # Ok::<(), pmu_events::host::Error>(())
    /// ```
    #[must_use]
    pub fn with_model(self, model: Model) -> Self {
        self.change(|parts| {
            parts.source.trees = vec![model.tree()];
            parts.source.model = Some(model);
        })
    }

    /// Adds the CPU-independent events, which trees after Linux 6.12 keep in their
    /// directory `common`. The events of a PMU's own table and of its driver take
    /// precedence.
    #[must_use]
    pub fn with_common(self, common: Model) -> Self {
        self.change(|parts| parts.source.common = Some(common))
    }

    /// Removes all event tables: only the events of the drivers and the generic
    /// events remain.
    ///
    /// ```
    /// use pmu_events::System;
    ///
    /// // Only what the kernel itself names.
    /// let system = System::new().without_tables();
    /// assert!(system.require("page-faults").is_ok());
    /// ```
    #[must_use]
    pub fn without_tables(self) -> Self {
        self.change(|parts| {
            parts.source.trees.clear();
            (parts.source.model, parts.source.common) = (None, None);
        })
    }

    /// Selects the encoding of events that perf gets wrong
    /// ([`Event::perf_differs`](crate::Event::perf_differs)). With perf's, counts can
    /// be compared with those that perf recorded under the same names.
    ///
    /// ```
    /// # #[cfg(feature = "x86")] {
    /// use pmu_events::event::Encoding;
    /// use pmu_events::{System, arch::x86};
    ///
    /// let haswell = System::builtin("GenuineIntel-6-3F-2", x86::HASWELLX);
    /// let as_perf = haswell.with_encoding(Encoding::Perf);
    /// let events = as_perf.resolve("unc_q_rxl_flits_g1.drs")?;
    /// assert_eq!(events[0].words().config() & 0xff, 2);
    /// # }
    /// # Ok::<(), pmu_events::resolve::Error>(())
    /// ```
    #[must_use]
    pub fn with_encoding(self, encoding: Encoding) -> Self {
        self.change(|parts| parts.source.encoding = encoding)
    }

    /// Selects what a generic name without a PMU means: `cycles`.
    ///
    /// ```
    /// # #[cfg(feature = "x86")] {
    /// use pmu_events::system::GenericNames;
    /// use pmu_events::{System, arch::x86};
    ///
    /// let skylake = System::builtin("GenuineIntel-6-5E-3", x86::SKYLAKE);
    /// assert_eq!(skylake.generic_names(), GenericNames::Kernel);
    /// let as_later = skylake.with_generic_names(GenericNames::Pmu);
    /// // In sysfs, Skylake's core PMU has an event `cpu-cycles`, which this would be. Built-in
    /// // PMUs have no sysfs: the kernel's event remains.
    /// let events = as_later.resolve("cpu-cycles")?;
    /// assert_eq!((events[0].type_(), events[0].words().config()), (0, 0));
    /// # }
    /// # Ok::<(), pmu_events::resolve::Error>(())
    /// ```
    #[must_use]
    pub fn with_generic_names(self, names: GenericNames) -> Self {
        self.change(|parts| parts.generic_names = names)
    }

    /// Sets the CPUID of the machine, which then applies to all PMUs.
    ///
    /// ```
    /// # #[cfg(feature = "x86")] {
    /// use pmu_events::System;
    ///
    /// let system = System::at("/nonexistent").with_cpuid("GenuineIntel-6-37-8");
    /// assert_eq!(system.model()?.name(), "silvermont");
    /// # }
    /// # Ok::<(), pmu_events::host::Error>(())
    /// ```
    #[must_use]
    pub fn with_cpuid(self, cpuid: impl Into<String>) -> Self {
        self.change(|parts| parts.cpuid = Some(cpuid.into()))
    }

    /// Returns the encoding of events that perf gets wrong.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.shared.parts.source.encoding
    }

    /// Returns what a generic name without a PMU means.
    #[must_use]
    pub fn generic_names(&self) -> GenericNames {
        self.shared.parts.generic_names
    }

    /// Returns the PMUs and tracepoints of the machine.
    #[must_use]
    pub fn sysfs(&self) -> &Sysfs {
        &self.shared.parts.sysfs
    }

    /// Returns the directory used as `/proc`.
    #[must_use]
    pub fn proc(&self) -> &Path {
        &self.shared.parts.proc
    }

    /// Returns the graphics drivers that processes use, as PMUs: `drm_i915` with events such
    /// as `drm-engine-render`. perf has them since Linux 6.15. They are found when they are
    /// first needed, in the files of the processes that the user may see.
    #[must_use]
    pub fn drm_pmus(&self) -> &[Pmu] {
        self.shared.drm.get_or_init(|| drm::pmus(self.proc()))
    }

    /// Returns the CPUID of the machine, in perf's form; on a machine with several
    /// kinds of cores, that of the first core PMU.
    ///
    /// ```
    /// use pmu_events::System;
    ///
    /// match System::new().cpuid() {
    ///     Ok(cpuid) => println!("{cpuid}"),
    ///     Err(error) => println!("{error}"),
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the CPU cannot be identified.
    pub fn cpuid(&self) -> Result<&str, host::Error> {
        let parts = &self.shared.parts;
        let read = || match &parts.cpuid {
            Some(cpuid) => Ok(cpuid.clone()),
            None => host::cpuid_below(&parts.sysfs, &parts.proc),
        };
        self.shared.cpuid.get_or_init(read).as_deref().map_err(Clone::clone)
    }

    /// Returns the model of the machine's CPU.
    ///
    /// ```
    /// use pmu_events::System;
    ///
    /// match System::new().model() {
    ///     Ok(model) => println!("{}", model.name()),
    ///     Err(error) => println!("{error}"), // no table has this CPU
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the CPU cannot be identified, if no tree has it, or if
    /// the cores are of several models; in that case, [`model_of`](Self::model_of)
    /// returns the model of each PMU.
    pub fn model(&self) -> Result<Model, host::Error> {
        if let Some(model) = self.tables().model() {
            return Ok(model);
        }
        if !self.models().is_empty() {
            return Err(host::Error::new(host::Fault::SeveralModels));
        }
        let cpuid = self.cpuid()?.to_string();
        Err(match self.shared.parts.source.is_bundled() {
            true => arch::unknown(cpuid),
            false => host::Error::unknown_cpu(cpuid),
        })
    }

    /// Returns the notes for users on tables that were not made for the CPUs of this
    /// machine ([`Model::note`]), once for each kind of core. Show them: such a table may
    /// have events that the CPU lacks, or that count something else there.
    ///
    /// ```
    /// # #[cfg(feature = "x86")] {
    /// use pmu_events::System;
    ///
    /// // A model number that no CPU has had when this was written.
    /// let later = System::at("/nonexistent").with_cpuid("AuthenticAMD-26-F8-0");
    /// assert_eq!(later.model()?.note("AuthenticAMD-26-F8-0").as_ref(), later.notes().first());
    /// for note in later.notes() {
    ///     eprintln!("note: {note}");
    /// }
    /// # }
    /// # Ok::<(), pmu_events::host::Error>(())
    /// ```
    #[must_use]
    pub fn notes(&self) -> Vec<Note<'_>> {
        self.tables().notes(self.sysfs())
    }

    /// Returns whether a PMU has an event of the table of its architecture
    /// ([`MadeFor::Architecture`](crate::model::MadeFor::Architecture)), according to what
    /// the machine says: on Arm, the driver names the common events that a core has; on
    /// Intel's CPUs, leaf 0xA of the instruction `CPUID` of the running machine tells.
    /// `None` if nothing tells, or if the PMU's table is that of a model. Events that a
    /// PMU lacks do not resolve.
    #[must_use]
    pub fn has_event(&self, pmu: &Pmu, event: Event) -> Option<bool> {
        self.tables().has(pmu, event, self.sysfs())
    }

    /// Returns the models of all PMUs without duplicates, in the order of the core
    /// PMUs.
    ///
    /// ```
    /// use pmu_events::System;
    ///
    /// // One for each kind of core.
    /// for model in System::new().models() {
    ///     println!("{}", model.name());
    /// }
    /// ```
    #[must_use]
    pub fn models(&self) -> Vec<Model> {
        self.tables().models(self.sysfs())
    }

    /// Returns the model whose events a PMU has. On a machine with several kinds of
    /// cores, this is the model of the PMU's own CPUs.
    #[must_use]
    pub fn model_of(&self, pmu: &Pmu) -> Option<Model> {
        self.tables().of_pmu(pmu, self.sysfs())
    }

    /// Returns the table of CPU-independent events.
    #[must_use]
    pub fn common(&self) -> Option<Model> {
        self.tables().common()
    }

    /// Returns the trees whose sys tables apply to system PMUs: the model's tree,
    /// or all trees if the model is unknown.
    #[must_use]
    pub fn trees(&self) -> &[&'static Tree] {
        self.tables().trees()
    }

    /// Returns a CPU by its number, whether or not the machine has it.
    #[must_use]
    pub fn cpu(&self, number: u32) -> Cpu<'_> {
        Cpu::new(self.topology(), number)
    }

    /// Returns the threads of a process, from `/proc/PID/task`.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such process, or if procfs does not tell its
    /// threads.
    ///
    /// ```
    /// # #[cfg(target_os = "linux")] {
    /// use pmu_events::System;
    ///
    /// let threads = System::new().threads_of(std::process::id())?;
    /// assert!(threads.contains(&std::process::id()));
    /// # }
    /// # Ok::<(), pmu_events::system::ProcessError>(())
    /// ```
    pub fn threads_of(&self, process: u32) -> Result<Vec<u32>, ProcessError> {
        process::threads(self.proc(), process)
    }

    /// Returns the machine as metric formulas see it while the counters of a scope
    /// are open.
    #[must_use]
    pub fn machine(&self, scope: &Scope) -> SystemMachine {
        SystemMachine::new(self, scope)
    }

    pub(crate) fn tables(&self) -> &Tables {
        let Parts { sysfs, source, cpuid, .. } = &self.shared.parts;
        let own = || self.cpuid().ok().map(String::from);
        self.shared.tables.get_or_init(|| {
            let given = cpuid.clone().or_else(host::overridden);
            Tables::of(source, sysfs, given, &own)
        })
    }

    pub(crate) fn topology(&self) -> &Topology {
        &self.shared.topology
    }
}

impl Shared {
    /// Whether nothing has been read that depends on the parts; the topology depends
    /// only on the root of sysfs, which never changes.
    fn is_unread(&self) -> bool {
        let Shared { parts: _, tables, cpuid, topology: _, tsc_frequency, has_nmi_watchdog, drm } =
            self;
        tables.get().is_none()
            && cpuid.get().is_none()
            && tsc_frequency.get().is_none()
            && has_nmi_watchdog.get().is_none()
            && drm.get().is_none()
    }
}

impl From<Parts> for System {
    fn from(parts: Parts) -> Self {
        let shared = Shared {
            topology: Topology::below(parts.sysfs.root()),
            parts,
            tables: OnceLock::new(),
            cpuid: OnceLock::new(),
            tsc_frequency: OnceLock::new(),
            has_nmi_watchdog: OnceLock::new(),
            drm: OnceLock::new(),
        };
        System { shared: Arc::new(shared) }
    }
}

impl Default for System {
    fn default() -> Self {
        Self::new()
    }
}

/// Shows only the inputs: everything that has been read would fill pages.
impl fmt::Debug for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Parts { sysfs, proc, cpuid, .. } = &self.shared.parts;
        f.debug_struct("System")
            .field("sysfs", &sysfs.root())
            .field("proc", proc)
            .field("cpuid", cpuid)
            .finish_non_exhaustive()
    }
}
