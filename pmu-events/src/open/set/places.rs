//! The tasks and CPUs on which an event is opened.

use std::vec::Vec;

use crate::open::{Error, Target};
use crate::resolve::Resolved;
use crate::sysfs::CpuSet;
use crate::system::{Die, Scope, Topology};

/// The targets of an event, on all of which it counts unless it is per package.
///
/// An event outside the cores is opened on the CPUs that its PMU names, whatever
/// the scope: it cannot tell tasks apart, and the CPU only selects the instance
/// (`__perf_evlist__propagate_maps` in `tools/lib/perf/evlist.c`).
pub(super) fn of_event(
    event: &Resolved,
    scope: &Scope,
    topology: &Topology,
) -> Result<Vec<Target>, Error> {
    let own = match event.pmu() {
        Some(pmu) => pmu.cpus().map_err(Error::of_file)?,
        None => None,
    };
    let cpus_of = |asked: &CpuSet| {
        let mut targets = Vec::new();
        for cpu in asked.iter() {
            if own.is_none_or(|cpus| cpus.contains(cpu)) {
                targets.push(Target::Cpu(cpu));
            }
        }
        targets
    };
    let is_uncore = event.pmu().is_some_and(|pmu| pmu.is_uncore());
    let targets = match (own.filter(|_| is_uncore), scope) {
        (Some(cpus), _) => cpus_of(cpus),
        (None, Scope::ThisThread) => std::vec![Target::ThisThread],
        (None, Scope::Threads(threads)) => {
            let mut targets = Vec::with_capacity(threads.len());
            for &thread in threads {
                targets.push(Target::Thread(thread));
            }
            targets
        }
        (None, Scope::AllCpus) => cpus_of(topology.online().map_err(Error::of_file)?),
        (None, Scope::Cpus(cpus)) => cpus_of(cpus),
    };
    match event.limit() {
        Some(limit) => limited(limit, targets, own, topology),
        None => Ok(targets),
    }
}

/// Keeps the CPUs to which an event is limited, and counts tasks only there. `own` are
/// the CPUs of the PMU.
fn limited(
    limit: &CpuSet,
    targets: Vec<Target>,
    own: Option<&CpuSet>,
    topology: &Topology,
) -> Result<Vec<Target>, Error> {
    let (mut cpus, mut threads) = (Vec::new(), Vec::new());
    for target in targets {
        match target {
            Target::Cpu(cpu) if limit.contains(cpu) => cpus.push(target),
            // The one that opens it.
            Target::ThisThread => threads.push(0),
            Target::Thread(thread) => threads.push(thread),
            _ => {}
        }
    }
    if threads.is_empty() {
        return Ok(cpus);
    }
    let online = topology.online().map_err(Error::of_file)?;
    let mut on_cpus = Vec::new();
    for thread in threads {
        for cpu in online.iter() {
            if limit.contains(cpu) && own.is_none_or(|own| own.contains(cpu)) {
                on_cpus.push(Target::ThreadOnCpu { thread, cpu });
            }
        }
    }
    Ok(on_cpus)
}

/// The targets on which an event counts.
pub(super) fn counted(
    event: &Resolved,
    scope: &Scope,
    topology: &Topology,
) -> Result<Vec<Target>, Error> {
    let targets = of_event(event, scope, topology)?;
    if event.is_per_package() { one_a_package(targets, topology) } else { Ok(targets) }
}

/// Keeps one CPU of each die. perf distinguishes packages by their dies
/// (`check_per_pkg` in `tools/perf/util/stat.c`).
fn one_a_package(targets: Vec<Target>, topology: &Topology) -> Result<Vec<Target>, Error> {
    let mut seen: Vec<Die> = Vec::new();
    let mut first = Vec::new();
    for target in targets {
        if let Target::Cpu(cpu) = target {
            let die = topology.die(cpu).map_err(|problem| Error::of_file(&problem))?;
            // If no CPU has the file, all are the same; if only some do, the others
            // might be on any die.
            let mut are_as_known = true;
            for (package, core) in &seen {
                are_as_known &= package.is_some() == die.0.is_some();
                are_as_known &= core.is_some() == die.1.is_some();
            }
            if !are_as_known {
                let why = "is there for some CPUs and not for others";
                return Err(Error::odd(&topology.file(cpu, "physical_package_id"), why));
            }
            if seen.contains(&die) {
                continue;
            }
            seen.push(die);
        }
        first.push(target);
    }
    Ok(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::open::ErrorKind;
    use crate::system::System;
    use std::path::{Path, PathBuf};
    use std::string::{String, ToString};
    use std::{env, format, fs, process, vec};

    /// Two packages of two CPUs each, with CPU 3 offline; two kinds of cores.
    fn machine(name: &str) -> PathBuf {
        let root = env::temp_dir().join(format!("pmu-events-places-{name}-{}", process::id()));
        let files: &[(&str, &str)] = &[
            ("devices/system/cpu/online", "0-2"),
            ("devices/system/cpu/cpu0/topology/physical_package_id", "0"),
            ("devices/system/cpu/cpu1/topology/physical_package_id", "0"),
            ("devices/system/cpu/cpu2/topology/physical_package_id", "1"),
            ("bus/event_source/devices/cpu_core/type", "4"),
            ("bus/event_source/devices/cpu_core/cpus", "0-1"),
            ("bus/event_source/devices/cpu_core/format/event", "config:0-7"),
            ("bus/event_source/devices/cpu_core/events/energy", "event=9"),
            ("bus/event_source/devices/cpu_core/events/energy.per-pkg", "1"),
            ("bus/event_source/devices/cpu_atom/type", "10"),
            ("bus/event_source/devices/cpu_atom/cpus", "2-3"),
            ("bus/event_source/devices/cpu_atom/format/event", "config:0-7"),
            ("bus/event_source/devices/cpu_atom/events/energy", "event=9"),
            ("bus/event_source/devices/cpu_atom/events/energy.per-pkg", "1"),
            ("bus/event_source/devices/uncore_imc/type", "11"),
            ("bus/event_source/devices/uncore_imc/cpumask", "0,2"),
            ("bus/event_source/devices/uncore_imc/format/event", "config:0-7"),
            ("bus/event_source/devices/software/type", "1"),
        ];
        for (path, text) in files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap_or(Path::new("/"))).unwrap();
            fs::write(path, format!("{text}\n")).unwrap();
        }
        root
    }

    #[test]
    fn places() {
        let root = machine("places");
        let system = System::at(&root);
        let cpus = |text: &str| Scope::Cpus(text.parse::<CpuSet>().unwrap());
        let threads = Scope::Threads(vec![7, 8]);
        let cases: &[(&str, &Scope, &str)] = &[
            ("task-clock", &Scope::ThisThread, "self"),
            ("task-clock", &threads, "t7 t8"),
            ("task-clock", &Scope::AllCpus, "0 1 2"),
            ("task-clock", &cpus("1-2"), "1 2"),
            // Online CPUs of each kind of core.
            ("cpu_core/event=1/", &Scope::AllCpus, "0 1"),
            ("cpu_atom/event=1/", &Scope::AllCpus, "2"),
            ("cpu_atom/event=1/", &cpus("0-1"), ""),
            ("cpu_atom/event=1/", &threads, "t7 t8"),
            // Outside the cores, whatever the scope.
            ("uncore_imc/event=1/", &threads, "0 2"),
            ("uncore_imc/event=1/", &cpus("1"), "0 2"),
            // One CPU per package.
            ("cpu_core/energy/", &Scope::AllCpus, "0"),
            ("cpu_atom/energy/", &Scope::AllCpus, "2"),
            ("cpu_core/energy/", &threads, "t7 t8"),
            // Limited to some CPUs, of which 3 is offline.
            ("task-clock/cpu=1/", &Scope::AllCpus, "1"),
            ("task-clock/cpu=1-3/", &Scope::AllCpus, "1 2"),
            ("task-clock/cpu=0,cpu=2/", &cpus("1-2"), "2"),
            ("task-clock/cpu=1/", &cpus("0"), ""),
            ("task-clock/cpu=cpu_atom/", &Scope::AllCpus, "2"),
            ("task-clock/cpu=0,cpu=3/", &threads, "t7/0 t8/0"),
            ("task-clock/cpu=0-1/", &Scope::ThisThread, "t0/0 t0/1"),
            ("cpu_core/event=1,cpu=1-2/", &Scope::AllCpus, "1"),
            ("cpu_core/event=1,cpu=1-2/", &threads, "t7/1 t8/1"),
            ("uncore_imc/event=1,cpu=2/", &threads, "2"),
            ("cpu_core/energy,cpu=1/", &Scope::AllCpus, "1"),
        ];
        for &(text, scope, expected) in cases {
            let resolved = system.require(text).unwrap();
            let found: Vec<String> = counted(&resolved[0], scope, system.topology())
                .unwrap()
                .into_iter()
                .map(|target| match target {
                    Target::ThisThread => "self".into(),
                    Target::Thread(thread) => format!("t{thread}"),
                    Target::Cpu(cpu) => format!("{cpu}"),
                    Target::ThreadOnCpu { thread, cpu } => format!("t{thread}/{cpu}"),
                })
                .collect();
            assert_eq!(found.join(" "), expected, "{text} {scope:?}");
        }
        fs::remove_dir_all(root).unwrap();
    }

    /// Either the CPUs are known, or an error names the file.
    #[test]
    fn odd_sources() {
        const ALL_CPUS: &[&str] =
            &["task-clock", "cpu_core/event=1/", "cpu_core/energy/", "cpu_atom/event=1/"];
        let cases: &[(&str, &str, &[&str])] = &[
            ("devices/system/cpu/online", "0-x", ALL_CPUS),
            ("devices/system/cpu/online", "", ALL_CPUS),
            ("devices/system/cpu/cpu1/topology/physical_package_id", "x", &["cpu_core/energy/"]),
            // Only for some CPUs.
            ("devices/system/cpu/cpu0/topology/die_id", "0", &["cpu_core/energy/"]),
            ("bus/event_source/devices/uncore_imc/cpumask", "0-", &["uncore_imc/event=1/"]),
            ("bus/event_source/devices/cpu_atom/cpus", "all", &["cpu_atom/event=1/"]),
        ];
        for &(file, text, odd) in cases {
            let root = machine("odd");
            fs::write(root.join(file), text).unwrap();
            let system = System::at(&root);
            for event in ["task-clock", "cpu_core/event=1/", "cpu_core/energy/"]
                .into_iter()
                .chain(["cpu_atom/event=1/", "uncore_imc/event=1/"])
            {
                let resolved = system.require(event).unwrap();
                let places = counted(&resolved[0], &Scope::AllCpus, system.topology());
                let is_odd = odd.contains(&event);
                let error = places.err().map(|error| (error.kind(), error.to_string()));
                assert_eq!(error.is_some(), is_odd, "{file}, {event}: {error:?}");
                if let Some((kind, message)) = error {
                    assert_eq!(kind, ErrorKind::Unreadable, "{message}");
                    assert!(message.contains("cpu"), "{message}");
                }
            }
            fs::remove_dir_all(root).unwrap();
        }
    }
}
