//! What metrics ask of the running system: its topology, its clock, its events.
//!
//! [`SystemMachine`] answers for the literals and the queries of formulas
//! ([`Machine`]), and says whether a metric's events may be put into one group.
//!
//! ```
//! use pmu_events::expr::{Literal, Machine};
//! use pmu_events::{machine::SystemMachine, sysfs::Sysfs};
//!
//! let sysfs = Sysfs::new();
//! let machine = SystemMachine::new(&sysfs, None);
//! println!("{} CPUs are online", machine.literal(Literal::NumCpusOnline));
//! # #[cfg(target_os = "linux")]
//! # assert!(machine.literal(Literal::NumCpusOnline) >= 1.0);
//! ```

mod constraint;
mod cpuid;
#[cfg(test)]
mod tests;
mod topology;
mod tsc;

use std::path::{Path, PathBuf};
use std::string::{String, ToString};

use once_cell::unsync::OnceCell;

use crate::expr::{Identifier, Literal, Machine};
use crate::host;
use crate::resolve::{Tables, resolve_tersely};
use crate::sysfs::{CpuSet, Sysfs};
use topology::Topology;

/// The running system, as formulas ask about it (`expr__get_literal` and its
/// neighbours in `tools/perf/util/expr.c`). Files are read when they are first
/// asked for, once.
///
/// | asked for | answered from |
/// |---|---|
/// | `#num_cpus` | `devices/system/cpu/present`: its last CPU, and one |
/// | `#num_cpus_online` | `devices/system/cpu/online` |
/// | `#num_cores`, `#num_dies`, `#num_packages` | the different lists of CPUs in `cpu*/topology` |
/// | `#smt_on` | `devices/system/cpu/smt/active`, else the lists of the cores |
/// | `#core_wide`, `#target_cpu` | [`watching_all`](Self::watching_all), [`watching`](Self::watching) |
/// | `#system_tsc_freq` | of an Intel CPU, CPUID leaf 0x15, else `/proc/cpuinfo`; hertz |
/// | `#slots` | `caps/slots` of the first core PMU |
/// | `#has_pmem` | whether there is `firmware/acpi/tables/NFIT` |
/// | `has_event` | whether [`resolve`](mod@crate::resolve) knows it |
/// | `strcmp_cpuid_str` | the CPUID, by the rules of its architecture's map file |
///
/// Where perf answers 0 for what it does not know (`#system_tsc_freq` of a CPU
/// that is not Intel's, dies of an old kernel), this is NaN: not known.
#[derive(Debug)]
pub struct SystemMachine<'s> {
    sysfs: &'s Sysfs,
    tables: Tables,
    proc: PathBuf,
    cpuid: Option<String>,
    watched: Watched,
    topology: OnceCell<Topology>,
    tsc_frequency: OnceCell<f64>,
    own_cpuid: OnceCell<Option<String>>,
}

/// Which CPUs are counted as a whole.
#[derive(Debug)]
enum Watched {
    /// None: only tasks.
    None,
    All,
    Some(CpuSet),
}

impl<'s> SystemMachine<'s> {
    /// The machine of a sysfs; `has_event` looks into the tables, too. Nothing
    /// is read yet.
    #[must_use]
    pub fn new(sysfs: &'s Sysfs, tables: impl Into<Tables>) -> Self {
        SystemMachine {
            sysfs,
            tables: tables.into(),
            proc: PathBuf::from("/proc"),
            cpuid: None,
            watched: Watched::None,
            topology: OnceCell::new(),
            tsc_frequency: OnceCell::new(),
            own_cpuid: OnceCell::new(),
        }
    }

    /// The same with another directory in the place of `/proc`: a container's,
    /// a made-up one. Then CPUID is not asked for the clock either.
    #[must_use]
    pub fn with_proc(self, proc: impl Into<PathBuf>) -> Self {
        SystemMachine { proc: proc.into(), ..self }
    }

    /// The same with another CPUID than [`host::cpuid_on`] gives.
    #[must_use]
    pub fn with_cpuid(self, cpuid: impl Into<String>) -> Self {
        SystemMachine { cpuid: Some(cpuid.into()), ..self }
    }

    /// The same where everything on all CPUs is counted, not only tasks.
    #[must_use]
    pub fn watching_all(self) -> Self {
        SystemMachine { watched: Watched::All, ..self }
    }

    /// The same where everything on some CPUs is counted. `#core_wide` is true
    /// if they are whole cores; perf asks for `-a` besides.
    #[must_use]
    pub fn watching(self, cpus: CpuSet) -> Self {
        SystemMachine { watched: Watched::Some(cpus), ..self }
    }

    /// Its PMUs.
    #[must_use]
    pub fn sysfs(&self) -> &'s Sysfs {
        self.sysfs
    }

    /// The tables of its events.
    #[must_use]
    pub fn tables(&self) -> Tables {
        self.tables
    }

    fn topology(&self) -> &Topology {
        self.topology.get_or_init(|| Topology::read(self.sysfs.root()))
    }

    fn is_core_wide(&self) -> Option<bool> {
        match &self.watched {
            Watched::None => Some(false),
            Watched::All => Some(true),
            Watched::Some(cpus) => match self.topology().is_smt_on() {
                Some(false) => Some(true),
                _ => self.topology().are_whole_cores(cpus),
            },
        }
    }

    /// `perf_pmu__cpu_slots_per_cycle` in `tools/perf/arch/arm64/util/pmu.c`
    fn slots(&self) -> Option<f64> {
        let written = self.sysfs.core_pmus().next()?.cap("slots")?;
        let slots = match written.strip_prefix("0x") {
            Some(digits) => u32::from_str_radix(digits, 16).ok()?,
            None => written.parse().ok()?,
        };
        (slots > 0).then(|| slots.into())
    }

    fn tsc_frequency(&self) -> f64 {
        let frequency = || {
            let is_own = self.proc == Path::new("/proc");
            tsc::frequency(if is_own { tsc::crystal() } else { None }, &self.proc)
        };
        *self.tsc_frequency.get_or_init(|| frequency().unwrap_or(f64::NAN))
    }

    fn cpuid(&self) -> Option<&str> {
        let own = || self.own_cpuid.get_or_init(|| host::cpuid_on(self.sysfs).ok()).as_deref();
        self.cpuid.as_deref().or_else(own)
    }
}

impl Machine for SystemMachine<'_> {
    fn literal(&self, literal: Literal) -> f64 {
        let truth = |known: Option<bool>| known.map(f64::from);
        let known = match literal {
            Literal::NumCpus => self.topology().cpus(),
            Literal::NumCpusOnline => self.topology().online(),
            Literal::NumCores => self.topology().cores(),
            Literal::NumDies => self.topology().dies(),
            Literal::NumPackages => self.topology().packages(),
            Literal::SmtOn => truth(self.topology().is_smt_on()),
            Literal::CoreWide => truth(self.is_core_wide()),
            Literal::TargetCpu => truth(Some(!matches!(self.watched, Watched::None))),
            Literal::SystemTscFreq => Some(self.tsc_frequency()),
            Literal::Slots => self.slots(),
            Literal::HasPmem => {
                Some(self.sysfs.root().join("firmware/acpi/tables/NFIT").exists().into())
            }
        };
        known.unwrap_or(f64::NAN)
    }

    fn has_event(&self, event: Identifier<'_>) -> Option<bool> {
        let text = event.with_parameter(0).to_string();
        Some(resolve_tersely(&text, self.tables, self.sysfs).is_ok())
    }

    fn cpuid_matches(&self, cpuid: Identifier<'_>) -> Option<bool> {
        Some(cpuid::matches(&cpuid.to_string(), self.cpuid()?))
    }
}
