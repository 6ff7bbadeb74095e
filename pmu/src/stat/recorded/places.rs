//! Which CPUs share a line, as the file says of the machine on which it was made.

use pmu_events::open::Target;

use crate::aggregation_args::CacheLevel;
use crate::perf_data::counts::Thread;
use crate::perf_data::topology::{CpuPlace, Topology};
use crate::stat::aggregation::{Level, Unit, Units};

/// The units of a level. An error explains what the file lacks.
pub(super) fn units(
    level: Level,
    topology: &Topology,
    cpus: &[i32],
    threads: &[Thread],
) -> Result<Units, String> {
    if level == Level::Thread {
        let named = |thread: &Thread| (thread.number as u32, thread.comm.clone());
        return Ok(Units::of_threads(threads.iter().map(named)));
    }
    if level == Level::Everything {
        return Ok(Units::default());
    }
    let cpus = cpus.iter().filter_map(|&cpu| u32::try_from(cpu).ok());
    let units = cpus.map(|cpu| match unit(level, topology, cpu) {
        Some(unit) => Ok((cpu, unit)),
        None => {
            Err(format!("the file does not say with which CPUs CPU {cpu} shares {}", what(level)))
        }
    });
    Ok(Units::of_cpus(units.collect::<Result<Vec<_>, String>>()?))
}

fn unit(level: Level, topology: &Topology, cpu: u32) -> Option<Unit> {
    let place = || topology.cpus.as_ref()?.get(cpu as usize).copied();
    Some(match level {
        Level::Socket => Unit::Socket(place()?.socket),
        Level::Die => {
            let CpuPlace { socket, die, .. } = place()?;
            Unit::Die { socket, die }
        }
        Level::Core => {
            let CpuPlace { socket, die, core } = place()?;
            Unit::Core { socket, die, cluster: 0, core }
        }
        Level::Cache(level) => {
            let CpuPlace { socket, die, .. } = place()?;
            let (level, id) = cache(level, topology, cpu)?;
            Unit::Cache { socket, die, level, id }
        }
        Level::Node => {
            let mut nodes = topology.nodes.as_ref()?.iter();
            Unit::Node(nodes.find(|(_, cpus)| cpus.contains(cpu)).map_or(-1, |(node, _)| *node))
        }
        // No file has clusters.
        Level::Cluster => return None,
        Level::Cpu | Level::Everything | Level::Thread => Unit::Cpu(cpu),
    })
}

/// The level of a cache and its id, the first CPU that shares it; -1 where the CPU has no such
/// cache.
fn cache(wanted: CacheLevel, topology: &Topology, cpu: u32) -> Option<(i32, i32)> {
    let mut of_cpu = topology.caches.as_ref()?.iter().filter(|(_, cpus)| cpus.contains(cpu));
    let found = match wanted {
        CacheLevel::Last => of_cpu.max_by_key(|(level, _)| *level),
        CacheLevel::Number(number) => of_cpu.find(|(level, _)| *level == u32::from(number)),
    };
    let id = |cpus: &pmu_events::sysfs::CpuSet| cpus.first().map_or(-1, |first| first as i32);
    Some(match (found, wanted) {
        (Some((level, cpus)), _) => (*level as i32, id(cpus)),
        (None, CacheLevel::Number(number)) => (number.into(), -1),
        (None, CacheLevel::Last) => (-1, -1),
    })
}

fn what(level: Level) -> &'static str {
    match level {
        Level::Socket => "a socket",
        Level::Die => "a die",
        Level::Cluster => "a cluster",
        Level::Cache(_) => "a cache",
        Level::Node => "a node",
        _ => "a core",
    }
}

/// Where a count is from.
pub(super) fn target(cpu: i32, thread: Option<&Thread>) -> Target {
    match (u32::try_from(cpu), thread.map(|thread| u32::try_from(thread.number))) {
        (Ok(cpu), _) => Target::Cpu(cpu),
        (_, Some(Ok(thread))) => Target::Thread(thread),
        _ => Target::ThisThread,
    }
}
