//! What shares a line of the output: a CPU, a core, a die, a thread
//! (`tools/perf/util/cpumap.c`).

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use pmu_events::__private::file::{self, Kind};
use pmu_events::System;
use pmu_events::event_list::Tool;
use pmu_events::open::{EventReading, Reading, Target};
use pmu_events::resolve::Resolved;
use pmu_events::sysfs::{CpuSet, Problem};

use crate::aggregation_args::{AggregationArgs, CacheLevel};
use crate::failure::with_sources;

/// What is shown as one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    Everything,
    Node,
    Socket,
    Die,
    Cluster,
    Cache(CacheLevel),
    Core,
    Cpu,
    Thread,
}

impl Level {
    /// Of several, the last in this order (`opt_aggr_mode_to_aggr_mode` in
    /// `tools/perf/builtin-stat.c`).
    pub(crate) fn of(args: &AggregationArgs) -> Self {
        match () {
            () if args.no_aggr => Level::Cpu,
            () if args.per_thread => Level::Thread,
            () if args.per_core => Level::Core,
            () if args.per_cluster => Level::Cluster,
            () if args.per_die => Level::Die,
            () if args.per_socket => Level::Socket,
            () if args.per_node => Level::Node,
            () => Level::Everything,
        }
        .or_cache(args)
    }

    /// That of a cache is after that of a core.
    fn or_cache(self, args: &AggregationArgs) -> Self {
        match (self, args.per_cache) {
            (Level::Cpu | Level::Thread | Level::Core, _) | (_, None) => self,
            (_, Some(level)) => Level::Cache(level),
        }
    }

    /// Whether it says on which CPUs something was counted.
    pub(crate) fn is_of_cpus(self) -> bool {
        !matches!(self, Level::Everything | Level::Thread)
    }

    /// Whether all events of a unit follow each other; otherwise all units of an event do
    /// (`evlist__print_counters` in `tools/perf/util/stat-display.c`).
    pub(crate) fn is_by_unit(self) -> bool {
        self.is_of_cpus() && self != Level::Cpu
    }

    /// The units of some targets; none if everything is one line. An error names
    /// the file that lacks the answer.
    pub(crate) fn units(
        self,
        system: &System,
        targets: impl Iterator<Item = Target>,
    ) -> Result<Units, String> {
        let mut units = Units::default();
        let nodes = if self == Level::Node { nodes(system)? } else { BTreeMap::new() };
        for target in targets {
            let unit = match (self, target) {
                (Level::Everything, _) => return Ok(units),
                (Level::Thread, Target::Thread(thread)) => {
                    let name = || name_of_thread(system, thread);
                    units.names.entry(thread).or_insert_with(name);
                    continue;
                }
                (_, Target::Cpu(cpu)) if !units.of_cpus.contains_key(&cpu) => {
                    self.unit(system, cpu, &nodes)?
                }
                _ => continue,
            };
            if let Target::Cpu(cpu) = target {
                units.of_cpus.insert(cpu, unit);
            }
        }
        Ok(units)
    }

    fn unit(self, system: &System, cpu: u32, nodes: &BTreeMap<u32, i32>) -> Result<Unit, String> {
        let socket = || system.cpu(cpu).package().map_err(sentence);
        // Older kernels and machines without dies have no such file.
        let die = || Ok::<_, String>(system.cpu(cpu).die().map_err(sentence)?.unwrap_or(0));
        Ok(match self {
            Level::Node => Unit::Node(nodes.get(&cpu).copied().unwrap_or(-1)),
            Level::Socket => Unit::Socket(socket()?),
            Level::Die => Unit::Die { socket: socket()?, die: die()? },
            Level::Cluster => {
                Unit::Cluster { socket: socket()?, die: die()?, cluster: cluster(system, cpu)? }
            }
            Level::Cache(level) => {
                let (socket, die) = (socket()?, die()?);
                let (level, id) = cache(system, cpu, level)?;
                Unit::Cache { socket, die, level, id }
            }
            Level::Core => Unit::Core {
                socket: socket()?,
                die: die()?,
                cluster: cluster(system, cpu)?,
                core: system.cpu(cpu).core().map_err(sentence)?,
            },
            Level::Cpu | Level::Everything | Level::Thread => Unit::Cpu(cpu),
        })
    }
}

/// The unit that a line shows. The order is perf's (`aggr_cpu_id__cmp` in
/// `tools/perf/util/cpumap.c`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Unit {
    Node(i32),
    Socket(i32),
    Die {
        socket: i32,
        die: i32,
    },
    Cluster {
        socket: i32,
        die: i32,
        cluster: i32,
    },
    /// The id is the first CPU of those that share it.
    Cache {
        socket: i32,
        die: i32,
        level: i32,
        id: i32,
    },
    Core {
        socket: i32,
        die: i32,
        cluster: i32,
        core: i32,
    },
    Cpu(u32),
    Thread(u32),
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Unit::Node(node) => write!(f, "N{node}"),
            Unit::Socket(socket) => write!(f, "S{socket}"),
            Unit::Die { socket, die } => write!(f, "S{socket}-D{die}"),
            Unit::Cluster { socket, die, cluster } => write!(f, "S{socket}-D{die}-CLS{cluster}"),
            Unit::Cache { socket, die, level, id } => {
                write!(f, "S{socket}-D{die}-L{level}-ID{id}")
            }
            Unit::Core { socket, die, core, .. } => write!(f, "S{socket}-D{die}-C{core}"),
            Unit::Cpu(cpu) => write!(f, "CPU{cpu}"),
            Unit::Thread(thread) => write!(f, "{thread}"),
        }
    }
}

/// The units of the targets of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Units {
    of_cpus: BTreeMap<u32, Unit>,
    /// The names of threads.
    names: BTreeMap<u32, String>,
}

impl Units {
    pub(crate) fn of(&self, target: Target) -> Option<Unit> {
        match target {
            Target::Cpu(cpu) => self.of_cpus.get(&cpu).copied(),
            Target::Thread(thread) if self.names.contains_key(&thread) => {
                Some(Unit::Thread(thread))
            }
            _ => None,
        }
    }

    /// The CPUs of a unit.
    pub(crate) fn cpus(&self, unit: Unit) -> CpuSet {
        self.of_cpus.iter().filter(|(_, own)| **own == unit).map(|(&cpu, _)| cpu).collect()
    }

    /// All of them.
    pub(crate) fn all(&self) -> impl Iterator<Item = Unit> {
        self.of_cpus.values().copied().chain(self.names.keys().map(|&thread| Unit::Thread(thread)))
    }

    /// The part of a reading that is of one unit, and what is the same for each.
    pub(crate) fn part(&self, reading: &Reading, unit: Unit) -> Reading {
        let part = |event: &EventReading| match is_everywhere(event) {
            true => event.clone(),
            false => self.part_of_event(event, unit),
        };
        Reading::new(reading.events().iter().map(part).collect())
    }

    /// The counts of an event that are of one unit.
    pub(crate) fn part_of_event(&self, event: &EventReading, unit: Unit) -> EventReading {
        let is_its = |target| self.of(target) == Some(unit);
        let parts = event.parts().iter().filter(|part| is_its(part.target()));
        let lacks = event.lacks().iter().filter(|lack| is_its(lack.target()));
        let (parts, lacks) = (parts.copied().collect(), lacks.cloned().collect());
        let mut own = EventReading::clone(event);
        own.set_counts(parts, lacks);
        own
    }

    /// How a line names a unit: a thread by its name and its number.
    pub(crate) fn label(&self, unit: Unit) -> String {
        match unit {
            Unit::Thread(thread) => {
                let name = self.names.get(&thread).map(String::as_str).unwrap_or_default();
                format!("{name}-{thread}")
            }
            _ => unit.to_string(),
        }
    }

    /// The units of some CPUs.
    pub(crate) fn of_cpus(units: impl IntoIterator<Item = (u32, Unit)>) -> Self {
        Units { of_cpus: units.into_iter().collect(), names: BTreeMap::new() }
    }

    /// Threads with their names.
    pub(crate) fn of_threads(names: impl IntoIterator<Item = (u32, String)>) -> Self {
        Units { of_cpus: BTreeMap::new(), names: names.into_iter().collect() }
    }
}

/// Whether it is the same for each unit: the elapsed time, or a number of the machine.
fn is_everywhere(event: &EventReading) -> bool {
    let tool = event.event().resolved().and_then(Resolved::tool);
    tool.is_some_and(is_tool_everywhere)
}

/// Whether what the program measures itself is the same for each unit.
pub(crate) fn is_tool_everywhere(tool: Tool) -> bool {
    !matches!(tool, Tool::UserTime | Tool::SystemTime)
}

#[allow(clippy::needless_pass_by_value)] // For `map_err`.
fn sentence(problem: Problem) -> String {
    with_sources(&problem)
}

/// A thread that has ended has no name.
fn name_of_thread(system: &System, thread: u32) -> String {
    let path = system.proc().join(thread.to_string()).join("comm");
    file::of_procfs(&path).map(|name| name.trim_end().into()).unwrap_or_default()
}

fn cpu_directory(system: &System, cpu: u32) -> PathBuf {
    system.sysfs().root().join(format!("devices/system/cpu/cpu{cpu}"))
}

/// A number in a file of sysfs; `None` without the file.
fn number(path: &Path) -> Result<Option<i32>, String> {
    let parse = |text: &str| {
        let invalid = || format!("{}: invalid number `{}`", path.display(), text.escape_debug());
        text.parse().map_err(|_| invalid())
    };
    file::of_sysfs(path, Kind::Unknown, parse).map_err(sentence)?.transpose()
}

/// The CPUs in a file of sysfs; `None` without the file.
fn cpus(path: &Path) -> Result<Option<CpuSet>, String> {
    let parse =
        |text: &str| text.parse::<CpuSet>().map_err(|why| format!("{}: {why}", path.display()));
    file::of_sysfs(path, Kind::Unknown, parse).map_err(sentence)?.transpose()
}

/// 0 on kernels before Linux 5.16, which have no such file.
fn cluster(system: &System, cpu: u32) -> Result<i32, String> {
    let number = number(&cpu_directory(system, cpu).join("topology/cluster_id"))?;
    Ok(number.filter(|&cluster| cluster != -1).unwrap_or(0))
}

/// The level of a cache and its id; -1 where the machine has no such cache
/// (`cpu__get_cache_details` in `tools/perf/builtin-stat.c`).
fn cache(system: &System, cpu: u32, wanted: CacheLevel) -> Result<(i32, i32), String> {
    let directory = cpu_directory(system, cpu).join("cache");
    let mut found: Option<(i32, PathBuf)> = None;
    for index in 0.. {
        let directory = directory.join(format!("index{index}"));
        let Some(level) = number(&directory.join("level"))? else { break };
        let is_better = match wanted {
            CacheLevel::Last => found.as_ref().is_none_or(|(highest, _)| level > *highest),
            CacheLevel::Number(number) => level == i32::from(number),
        };
        if is_better {
            found = Some((level, directory));
        }
    }
    let Some((level, directory)) = found else {
        return Ok((if let CacheLevel::Number(level) = wanted { level.into() } else { -1 }, -1));
    };
    let shared = cpus(&directory.join("shared_cpu_list"))?;
    let first = shared.and_then(|cpus| cpus.first()).unwrap_or(cpu);
    Ok((level, i32::try_from(first).unwrap_or(-1)))
}

/// The node of each CPU; none on a kernel without nodes.
fn nodes(system: &System) -> Result<BTreeMap<u32, i32>, String> {
    let directory = system.sysfs().root().join("devices/system/node");
    let mut nodes = BTreeMap::new();
    let Some(online) = cpus(&directory.join("online"))? else { return Ok(nodes) };
    for node in online.iter() {
        let its = cpus(&directory.join(format!("node{node}/cpulist")))?;
        let number = i32::try_from(node).unwrap_or(-1);
        nodes.extend(its.iter().flat_map(CpuSet::iter).map(|cpu| (cpu, number)));
    }
    Ok(nodes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Two packages, whose cores have the same numbers, with a cache for both CPUs of a
    /// package, and a node that crosses them.
    #[test]
    fn units_of_a_machine() {
        let root = std::env::temp_dir().join(format!("pmu-units-{}", std::process::id()));
        for (file, text) in [
            ("cpu/cpu0/topology/physical_package_id", "0\n"),
            ("cpu/cpu0/topology/die_id", "0\n"),
            ("cpu/cpu0/topology/core_id", "4\n"),
            ("cpu/cpu0/topology/cluster_id", "7\n"),
            ("cpu/cpu0/cache/index0/level", "1\n"),
            ("cpu/cpu0/cache/index0/shared_cpu_list", "0\n"),
            ("cpu/cpu0/cache/index1/level", "2\n"),
            ("cpu/cpu0/cache/index1/shared_cpu_list", "0,3\n"),
            ("cpu/cpu1/topology/physical_package_id", "1\n"),
            ("cpu/cpu1/topology/core_id", "4\n"),
            ("cpu/cpu1/topology/cluster_id", "-1\n"),
            ("cpu/cpu2/topology/physical_package_id", "1\n"),
            ("cpu/cpu2/topology/die_id", "1\n"),
            ("node/online", "0,2\n"),
            ("node/node0/cpulist", "0,2\n"),
            ("node/node2/cpulist", "1\n"),
        ] {
            let path = root.join("devices/system").join(file);
            fs::create_dir_all(path.parent().expect("it has one")).expect("it can be written");
            fs::write(path, text).expect("it can be written");
        }
        let system = System::at(&root);
        let units = |level: Level, cpus: &[u32]| {
            let units = level.units(&system, cpus.iter().map(|&cpu| Target::Cpu(cpu)))?;
            Ok(units.all().map(|unit| units.label(unit)).collect::<Vec<_>>().join(" "))
        };
        let missing = root.join("devices/system/cpu/cpu2/topology/core_id");
        let missing = format!("{}: does not exist", missing.display());
        let cases: &[(Level, &[u32], Result<&str, &str>)] = &[
            (Level::Everything, &[0, 1, 2], Ok("")),
            (Level::Cpu, &[7, 0, 7], Ok("CPU0 CPU7")),
            (Level::Socket, &[0, 1, 2], Ok("S0 S1 S1")),
            (Level::Die, &[0, 1, 2], Ok("S0-D0 S1-D0 S1-D1")),
            (Level::Cluster, &[0, 1, 2], Ok("S0-D0-CLS7 S1-D0-CLS0 S1-D1-CLS0")),
            (Level::Cache(CacheLevel::Last), &[0, 1], Ok("S0-D0-L2-ID0 S1-D0-L-1-ID-1")),
            (Level::Cache(CacheLevel::Number(1)), &[0], Ok("S0-D0-L1-ID0")),
            (Level::Cache(CacheLevel::Number(3)), &[0], Ok("S0-D0-L3-ID-1")),
            (Level::Node, &[0, 1, 2, 3], Ok("N0 N2 N0 N-1")),
            (Level::Core, &[0, 1], Ok("S0-D0-C4 S1-D0-C4")),
            (Level::Core, &[0, 2], Err(&missing)),
        ];
        for &(level, cpus, expected) in cases {
            let expected = expected.map(String::from).map_err(String::from);
            assert_eq!(units(level, cpus), expected, "{level:?} {cpus:?}");
        }
        fs::remove_dir_all(&root).expect("it can be removed");
    }

    /// A thread has the name that it has given itself.
    #[test]
    fn threads() {
        let root = std::env::temp_dir().join(format!("pmu-threads-{}", std::process::id()));
        fs::create_dir_all(root.join("12")).expect("it can be written");
        fs::write(root.join("12/comm"), "a worker\n").expect("it can be written");
        let system = System::at("/nonexistent").with_proc(&root);
        let targets = [Target::Thread(12), Target::Thread(13), Target::ThisThread];
        let units = Level::Thread.units(&system, targets.into_iter()).expect("nothing is read");
        let labels: Vec<String> = units.all().map(|unit| units.label(unit)).collect();
        assert_eq!(labels, ["a worker-12", "-13"]);
        assert_eq!(units.of(Target::Thread(12)), Some(Unit::Thread(12)));
        assert_eq!(units.of(Target::Cpu(12)), None);
        fs::remove_dir_all(&root).expect("it can be removed");
    }

    #[test]
    fn of_several_levels_one_counts() {
        use clap::Parser as _;

        #[derive(clap::Parser)]
        struct Command {
            #[command(flatten)]
            aggregation: AggregationArgs,
        }
        for (words, expected) in [
            ("", Level::Everything),
            ("--per-socket --per-node", Level::Socket),
            ("--per-die --per-socket", Level::Die),
            ("--per-cluster --per-die", Level::Cluster),
            ("--per-cache --per-cluster", Level::Cache(CacheLevel::Last)),
            ("--per-cache=l2", Level::Cache(CacheLevel::Number(2))),
            ("--per-cache=L4 --per-core", Level::Core),
            ("--per-core --per-thread", Level::Thread),
            ("--per-thread -A --per-cache", Level::Cpu),
        ] {
            let words = ["pmu"].into_iter().chain(words.split_whitespace());
            let args = Command::parse_from(words).aggregation;
            assert_eq!(Level::of(&args), expected, "{args:?}");
        }
    }
}
