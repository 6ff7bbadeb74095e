//! Where a CPU is.

use super::topology::Topology;
use crate::sysfs::Problem;

/// A CPU of a machine.
///
/// The numbers of its core, die and package are those of the kernel
/// (`Documentation/admin-guide/cputopology.rst`) and are read when they are asked
/// for. A number is -1 if the firmware does not provide it.
///
/// ```
/// use pmu_events::System;
///
/// let system = System::new();
/// let cpu = system.cpu(0);
/// match (cpu.package(), cpu.core()) {
///     (Ok(package), Ok(core)) => println!("CPU 0 is in core {core} of package {package}"),
///     (Err(problem), _) | (_, Err(problem)) => println!("{problem}"),
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Cpu<'s> {
    topology: &'s Topology,
    number: u32,
}

impl<'s> Cpu<'s> {
    pub(super) fn new(topology: &'s Topology, number: u32) -> Self {
        Cpu { topology, number }
    }

    /// Returns the number of the CPU.
    #[must_use]
    pub fn number(self) -> u32 {
        self.number
    }

    /// Returns the number of its core, which is unique within a die.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read or parsed.
    pub fn core(self) -> Result<i32, Problem> {
        self.topology.number(self.number, "core_id")
    }

    /// Returns the number of its die, which is unique within a package; `None` without
    /// such a file, as on kernels before Linux 5.2.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read or parsed.
    pub fn die(self) -> Result<Option<i32>, Problem> {
        self.topology.number_if_any(self.number, "die_id")
    }

    /// Returns the number of its package, which perf calls socket.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read or parsed.
    pub fn package(self) -> Result<i32, Problem> {
        self.topology.number(self.number, "physical_package_id")
    }
}
