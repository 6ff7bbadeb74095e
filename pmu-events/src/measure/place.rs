//! Where values are: on a CPU, a core, a socket (`tools/perf/util/cpumap.c`).

use core::fmt;

use crate::sysfs::Problem;
use crate::system::Cpu;

/// Which CPUs' counts have one value together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Per {
    /// Each CPU has its own.
    Cpu,
    /// The threads of a core.
    Core,
    /// The CPUs of a package.
    Socket,
}

/// Where a value is. [`Display`](fmt::Display) writes perf's notation, such as `S0-D0-C3`.
///
/// ```
/// use pmu_events::measure::Place;
///
/// assert_eq!(Place::Core { socket: 0, die: 0, core: 3 }.to_string(), "S0-D0-C3");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Place {
    /// A package by its number.
    Socket(i32),
    /// A core.
    Core {
        /// The number of its package.
        socket: i32,
        /// The number of its die, which is 0 where the kernel states none.
        die: i32,
        /// Its number within the die.
        core: i32,
    },
    /// A CPU by its number.
    Cpu(u32),
}

impl Per {
    /// Returns the place of a CPU.
    ///
    /// ```
    /// use pmu_events::System;
    /// use pmu_events::measure::{Per, Place};
    ///
    /// let system = System::new();
    /// assert_eq!(Per::Cpu.place(system.cpu(3))?, Place::Cpu(3));
    /// # Ok::<(), pmu_events::sysfs::Problem>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if a file of the CPU's topology cannot be read or parsed.
    pub fn place(self, cpu: Cpu<'_>) -> Result<Place, Problem> {
        Ok(match self {
            Per::Cpu => Place::Cpu(cpu.number()),
            Per::Socket => Place::Socket(cpu.package()?),
            Per::Core => Place::Core {
                socket: cpu.package()?,
                // Older kernels and machines without dies have no such file.
                die: cpu.die()?.unwrap_or(0),
                core: cpu.core()?,
            },
        })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Socket(socket) => write!(f, "S{socket}"),
            Place::Core { socket, die, core } => write!(f, "S{socket}-D{die}-C{core}"),
            Place::Cpu(cpu) => write!(f, "CPU{cpu}"),
        }
    }
}
