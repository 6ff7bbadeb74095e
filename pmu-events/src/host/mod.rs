//! Identifying the CPU of this machine.
//!
//! Use it to name the CPU of a machine in a report, or to choose a table yourself;
//! [`System`](crate::System) does both for you.
//!
//! CPUIDs have perf's form: the text that the patterns of map files match
//! (`get_cpuid_str` in `tools/perf/arch/*/util/header.c`).
//!
//! | architecture | form | source |
//! |---|---|---|
//! | x86 | `GenuineIntel-6-55-4`: vendor, family, model, stepping | the instruction `CPUID` |
//! | arm64 | `0x00000000414fd0c1`: MIDR_EL1 of the PMU's CPUs | sysfs |
//! | powerpc | `0x004e1202`: PVR | `/proc/cpuinfo` |
//! | riscv | `0x489-0x8000000000000007-0x0`: vendor, architecture, implementation | `/proc/cpuinfo` |
//! | s390 | `IBM,3931,704,A01,3.7,002f` | `/proc/sysinfo`, `/proc/service_levels` |

mod arm64;
mod error;
#[cfg(test)]
mod fixture;
mod proc;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86;

use std::env;
use std::path::Path;
use std::string::String;
use std::sync::OnceLock;

pub(crate) use error::Fault;
pub use error::{Error, ErrorKind};

use crate::Model;
use crate::cpuid::Architectural;
use crate::sysfs::{Pmu, Sysfs};

/// The environment variable that overrides the CPUID of the machine, as in perf.
pub const OVERRIDE: &str = "PERF_CPUID";

/// Returns the CPUID of this machine; on a machine with several kinds of cores,
/// that of the first core PMU.
///
/// `PERF_CPUID` overrides it.
///
/// # Errors
///
/// Returns an error if the CPU cannot be identified: a file cannot be read or lacks
/// the information, or the architecture is not in the [table](self).
///
/// ```
/// # #[cfg(target_arch = "x86_64")] {
/// let cpuid = pmu_events::host::cpuid()?;
/// assert!(!cpuid.is_empty(), "such as GenuineIntel-6-8F-4");
/// # }
/// # Ok::<(), pmu_events::host::Error>(())
/// ```
pub fn cpuid() -> Result<String, Error> {
    cpuid_on(&Sysfs::new())
}

/// Returns the CPUID of this machine according to a sysfs.
///
/// Only arm64 reads it from sysfs; on other architectures it is always that of the
/// running machine.
///
/// # Errors
///
/// Returns an error in the same cases as [`cpuid`].
pub fn cpuid_on(sysfs: &Sysfs) -> Result<String, Error> {
    cpuid_below(sysfs, Path::new("/proc"))
}

/// Like [`cpuid_on`], with another directory in place of `/proc`.
pub(crate) fn cpuid_below(sysfs: &Sysfs, proc: &Path) -> Result<String, Error> {
    overridden().map_or_else(|| read(sysfs, proc), Ok)
}

/// Returns the CPUID of the CPUs on which a PMU counts: on an Arm machine with
/// several kinds of cores, each core PMU has its own (`perf_pmu__getcpuid` in
/// `tools/perf/util/pmu.c`).
///
/// `PERF_CPUID` overrides it.
///
/// # Errors
///
/// Returns an error in the same cases as [`cpuid`]; on arm64 also if the PMU has no
/// list of CPUs.
pub fn cpuid_of_pmu(pmu: &Pmu) -> Result<String, Error> {
    match overridden() {
        Some(id) => Ok(id),
        // A sysfs with MIDR_EL1 is that of an Arm machine, too.
        None if pmu.midr().is_some() || cfg!(target_arch = "aarch64") => arm64::of_pmu(pmu),
        None => read(&Sysfs::new(), Path::new("/proc")),
    }
}

/// What the running CPU says about the events that its architecture names.
pub(crate) fn architectural() -> Option<Architectural> {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    return x86::architectural();
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    None
}

/// The value of `PERF_CPUID`.
pub(crate) fn overridden() -> Option<String> {
    // A value that is not UTF-8 matches no map file, but must not be ignored.
    let id = env::var_os(OVERRIDE)?.to_string_lossy().into_owned();
    (!id.is_empty()).then_some(id)
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fn read(_sysfs: &Sysfs, _proc: &Path) -> Result<String, Error> {
    Ok(x86::cpuid())
}

#[cfg(target_arch = "aarch64")]
fn read(sysfs: &Sysfs, _proc: &Path) -> Result<String, Error> {
    arm64::cpuid(sysfs)
}

#[cfg(any(target_arch = "powerpc", target_arch = "powerpc64"))]
fn read(_sysfs: &Sysfs, proc: &Path) -> Result<String, Error> {
    proc::powerpc(proc)
}

#[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
fn read(_sysfs: &Sysfs, proc: &Path) -> Result<String, Error> {
    proc::riscv(proc)
}

#[cfg(target_arch = "s390x")]
fn read(_sysfs: &Sysfs, proc: &Path) -> Result<String, Error> {
    proc::s390(proc)
}

#[cfg(not(any(
    target_arch = "x86",
    target_arch = "x86_64",
    target_arch = "aarch64",
    target_arch = "powerpc",
    target_arch = "powerpc64",
    target_arch = "riscv32",
    target_arch = "riscv64",
    target_arch = "s390x"
)))]
fn read(_sysfs: &Sysfs, _proc: &Path) -> Result<String, Error> {
    Err(Error::new(Fault::Architecture(env::consts::ARCH)))
}

/// The machine's model, looked up once.
#[doc(hidden)]
#[derive(Debug)]
pub struct Once(OnceLock<Model>);

impl Once {
    /// Not yet looked up.
    #[must_use]
    pub const fn new() -> Self {
        Once(OnceLock::new())
    }

    /// Returns the model, by the generated `match`. An error is not cached: the
    /// next attempt may succeed.
    ///
    /// # Errors
    ///
    /// Returns an error in the same cases as [`cpuid`], and if no row of the map
    /// file matches.
    pub fn model(&self, find: fn(&str) -> Option<Model>) -> Result<Model, Error> {
        if let Some(model) = self.0.get() {
            return Ok(*model);
        }
        let cpuid = cpuid()?;
        let model = find(&cpuid).ok_or(Error::unknown_cpu(cpuid))?;
        // Another thread may have found it at the same time.
        Ok(*self.0.get_or_init(|| model))
    }
}

impl Default for Once {
    fn default() -> Self {
        Self::new()
    }
}
