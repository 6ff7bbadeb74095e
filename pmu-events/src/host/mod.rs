//! Which CPU this machine has.
//!
//! A CPUID here is perf's: the text that map files hold their patterns
//! against (`get_cpuid_str` in `tools/perf/arch/*/util/header.c`).
//!
//! | architecture | form | from |
//! |---|---|---|
//! | x86 | `GenuineIntel-6-55-4`: vendor, family, model, stepping | the instruction |
//! | arm64 | `0x00000000414fd0c1`: MIDR_EL1 | sysfs, of the PMU's CPUs |
//! | powerpc | `0x004e1202`: PVR | `/proc/cpuinfo` |
//! | riscv | `0x489-0x8000000000000007-0x0`: vendor, architecture, implementation | `/proc/cpuinfo` |
//! | s390 | `IBM,3931,704,A01,3.7,002f` | `/proc/sysinfo`, `/proc/service_levels` |

mod arm64;
mod error;
mod file;
#[cfg(test)]
mod fixture;
mod proc;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86;

use std::env;
use std::path::Path;
use std::string::String;

use once_cell::sync::OnceCell;

pub use error::{Error, ErrorKind};

use crate::Model;
use crate::sysfs::{Pmu, Sysfs};

/// The environment variable that overrides what the machine says, as perf has
/// it.
pub const OVERRIDE: &str = "PERF_CPUID";

/// The CPUID of this machine; on a machine with several kinds of cores, that
/// of the first core PMU.
///
/// `PERF_CPUID` overrides it.
///
/// # Errors
///
/// When the file that tells cannot be read, does not tell, or the architecture
/// is none of those above.
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

/// The CPUID of this machine as a sysfs tells it. Only arm64's is told there;
/// on other architectures it is the machine's own.
///
/// # Errors
///
/// As [`cpuid`].
pub fn cpuid_on(sysfs: &Sysfs) -> Result<String, Error> {
    cpuid_below(sysfs, Path::new("/proc"))
}

/// The same with another directory in place of `/proc`.
pub(crate) fn cpuid_below(sysfs: &Sysfs, proc: &Path) -> Result<String, Error> {
    overridden().map_or_else(|| read(sysfs, proc), Ok)
}

/// The CPUID of the CPUs that a PMU counts on: on an Arm machine with several
/// kinds of cores each core PMU has another (`perf_pmu__getcpuid` in
/// `tools/perf/util/pmu.c`). `PERF_CPUID` overrides it.
///
/// # Errors
///
/// As [`cpuid`]; on arm64 also when the PMU names no CPUs.
pub fn cpuid_of_pmu(pmu: &Pmu) -> Result<String, Error> {
    match overridden() {
        Some(id) => Ok(id),
        // Which architecture the machine is of, sysfs tells as well.
        None if pmu.midr().is_some() || cfg!(target_arch = "aarch64") => arm64::of_pmu(pmu),
        None => read(&Sysfs::new(), Path::new("/proc")),
    }
}

/// What `PERF_CPUID` says.
pub(crate) fn overridden() -> Option<String> {
    // What is no UTF-8 is in no map file either; it must not be passed over.
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
    Err(Error::from(ErrorKind::Architecture(env::consts::ARCH)))
}

/// The machine's model, looked up once.
#[doc(hidden)]
#[derive(Debug)]
pub struct Once(OnceCell<Model>);

impl Once {
    /// Not yet looked up.
    #[must_use]
    pub const fn new() -> Self {
        Once(OnceCell::new())
    }

    /// The model, by the generated `match`. An error is not kept: what was
    /// missing may be there next time.
    ///
    /// # Errors
    ///
    /// As [`cpuid`], and when no row matches.
    pub fn model(&self, find: fn(&str) -> Option<Model>) -> Result<Model, Error> {
        self.0
            .get_or_try_init(|| {
                let cpuid = cpuid()?;
                find(&cpuid).ok_or(Error::from(ErrorKind::Unknown(cpuid)))
            })
            .copied()
    }
}

impl Default for Once {
    fn default() -> Self {
        Self::new()
    }
}
