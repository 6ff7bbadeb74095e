//! What shares a line of the output: a CPU, a core, a socket
//! (`tools/perf/util/cpumap.c`).

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use pmu_events::System;
use pmu_events::measure::{Per, Place};
use pmu_events::sysfs::Problem;

/// What is shown as one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    Everything,
    Socket,
    Core,
    Cpu,
}

/// The unit that a line shows.
pub(crate) type Unit = Place;

/// The units of some CPUs.
pub(crate) type Units = BTreeMap<u32, Unit>;

impl Level {
    /// The units of some CPUs; none if everything is one line. An error names
    /// the file that lacks the answer.
    pub(crate) fn units(
        self,
        system: &System,
        cpus: impl Iterator<Item = u32>,
    ) -> Result<Units, Problem> {
        let mut units = Units::new();
        let Some(per) = self.per() else { return Ok(units) };
        for cpu in cpus {
            if let Entry::Vacant(unknown) = units.entry(cpu) {
                unknown.insert(per.place(system.cpu(cpu))?);
            }
        }
        Ok(units)
    }

    fn per(self) -> Option<Per> {
        match self {
            Level::Everything => None,
            Level::Cpu => Some(Per::Cpu),
            Level::Socket => Some(Per::Socket),
            Level::Core => Some(Per::Core),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// The lines of two packages, whose cores have the same numbers.
    #[test]
    fn units_of_a_machine() {
        let root = std::env::temp_dir().join(format!("pmu-units-{}", std::process::id()));
        for (cpu, file, text) in [
            (0, "physical_package_id", "0\n"),
            (0, "die_id", "0\n"),
            (0, "core_id", "4\n"),
            (1, "physical_package_id", "1\n"),
            (1, "core_id", "4\n"),
            (2, "physical_package_id", "1\n"),
            (2, "die_id", "1\n"),
        ] {
            let directory = root.join(format!("devices/system/cpu/cpu{cpu}/topology"));
            fs::create_dir_all(&directory).expect("it can be written");
            fs::write(directory.join(file), text).expect("it can be written");
        }
        let system = System::at(&root);
        let units = |level: Level, cpus: &[u32]| {
            let units =
                level.units(&system, cpus.iter().copied()).map_err(|why| why.to_string())?;
            Ok(units.values().map(Unit::to_string).collect::<Vec<_>>().join(" "))
        };
        let missing = root.join("devices/system/cpu/cpu2/topology/core_id");
        let missing = format!("{}: does not exist", missing.display());
        let cases: &[(Level, &[u32], Result<&str, &str>)] = &[
            (Level::Everything, &[0, 1, 2], Ok("")),
            (Level::Cpu, &[7, 0, 7], Ok("CPU0 CPU7")),
            (Level::Socket, &[0, 1, 2], Ok("S0 S1 S1")),
            (Level::Core, &[0, 1], Ok("S0-D0-C4 S1-D0-C4")),
            (Level::Core, &[0, 2], Err(&missing)),
        ];
        for &(level, cpus, expected) in cases {
            let expected = expected.map(String::from).map_err(String::from);
            assert_eq!(units(level, cpus), expected, "{level:?} {cpus:?}");
        }
        fs::remove_dir_all(&root).expect("it can be removed");
    }
}
