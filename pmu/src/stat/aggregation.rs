//! What shares a line of the output: a CPU, a core, a socket
//! (`tools/perf/util/cpumap.c`).

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What is shown as one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    Everything,
    Socket,
    Core,
    Cpu,
}

/// The unit that a line shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Unit {
    Socket(i32),
    Core { socket: i32, die: i32, core: i32 },
    Cpu(u32),
}

/// The lines, and the CPUs that belong to each.
#[derive(Debug)]
pub(crate) struct Aggregation {
    pub(crate) level: Level,
    /// `devices/system/cpu`
    directory: PathBuf,
}

/// The units of some CPUs.
pub(crate) type Units = BTreeMap<u32, Unit>;

impl Aggregation {
    /// Everything in one line.
    pub(crate) fn everything() -> Self {
        Aggregation { level: Level::Everything, directory: PathBuf::new() }
    }

    pub(crate) fn new(level: Level, root: &Path) -> Self {
        Aggregation { level, directory: root.join("devices/system/cpu") }
    }

    /// The units of some CPUs; none if everything is one line. An error names
    /// the file that lacks the answer.
    pub(crate) fn units(&self, cpus: impl Iterator<Item = u32>) -> Result<Units, String> {
        let mut units = Units::new();
        for cpu in cpus {
            if !units.contains_key(&cpu)
                && let Some(unit) = self.unit(cpu)?
            {
                units.insert(cpu, unit);
            }
        }
        Ok(units)
    }

    fn unit(&self, cpu: u32) -> Result<Option<Unit>, String> {
        let socket = || self.number(cpu, "physical_package_id", None);
        Ok(Some(match self.level {
            Level::Everything => return Ok(None),
            Level::Cpu => Unit::Cpu(cpu),
            Level::Socket => Unit::Socket(socket()?),
            Level::Core => Unit::Core {
                socket: socket()?,
                // Older kernels and machines without dies have no such file.
                die: self.number(cpu, "die_id", Some(0))?,
                core: self.number(cpu, "core_id", None)?,
            },
        }))
    }

    /// If firmware does not say, the kernel writes -1.
    fn number(&self, cpu: u32, file: &str, without: Option<i32>) -> Result<i32, String> {
        let path = self.directory.join(format!("cpu{cpu}/topology/{file}"));
        let text = match (fs::read_to_string(&path), without) {
            (Err(error), Some(number)) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(number);
            }
            (text, _) => text.map_err(|error| format!("{}: {error}", path.display()))?,
        };
        let text = text.trim();
        text.parse().map_err(|_| format!("{}: invalid number `{text}`", path.display()))
    }
}

/// In perf's notation, except for a CPU, which is `CPU0` in text and `0` in
/// JSON.
impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unit::Socket(socket) => write!(f, "S{socket}"),
            Unit::Core { socket, die, core } => write!(f, "S{socket}-D{die}-C{core}"),
            Unit::Cpu(cpu) => write!(f, "CPU{cpu}"),
        }
    }
}
