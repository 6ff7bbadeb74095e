//! Where an event is opened: for which tasks, on which CPUs.

use std::vec::Vec;

use super::topology::Topologies;
use super::whom::Whom;
use crate::open::{Error, Target};
use crate::resolve::Resolved;
use crate::sysfs::{CpuSet, Problem};

/// The places of a group, which its members share.
///
/// An event outside the cores is opened on the CPUs that its PMU names,
/// whatever is watched: it cannot tell tasks apart, and its CPU only says which
/// instance is meant (`__perf_evlist__propagate_maps` in
/// `tools/lib/perf/evlist.c`).
pub(super) fn of_group(
    members: &[Resolved<'_>],
    whom: &Whom,
    topologies: &mut Topologies,
) -> Result<Vec<Target>, Error> {
    let mut own = None;
    let mut root = None;
    for member in members {
        let odd = |problem: &Problem| Error::unreadable(&problem.path, &problem.what);
        if let (Some(cpus), Some(pmu)) = (member.cpus().map_err(odd)?, member.pmu) {
            own.get_or_insert((cpus, pmu));
        }
        root.get_or_insert(member.root);
    }
    let Some(root) = root else {
        return Ok(Vec::new());
    };
    let topology = topologies.at(root);
    let cpus_of = |asked: &CpuSet| -> Vec<Target> {
        let has = |cpu: &u32| own.is_none_or(|(cpus, _)| cpus.contains(*cpu));
        asked.iter().filter(has).map(Target::Cpu).collect()
    };
    let targets = match (own, whom) {
        (Some((cpus, pmu)), _) if pmu.is_uncore() => cpus.iter().map(Target::Cpu).collect(),
        (_, Whom::ThisThread) => std::vec![Target::ThisThread],
        (_, Whom::Threads(threads)) => threads.iter().map(|&id| Target::Thread(id)).collect(),
        (_, Whom::AllCpus) => cpus_of(&topology.online()?),
        (_, Whom::Cpus(cpus)) => cpus_of(cpus),
    };
    if members.iter().all(|member| member.is_per_package) {
        return topology.one_a_package(targets);
    }
    Ok(targets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::open::ErrorKind;
    use crate::resolve::resolve;
    use crate::sysfs::Sysfs;
    use std::path::{Path, PathBuf};
    use std::string::{String, ToString};
    use std::{env, format, fs, process, vec};

    /// Two packages of two CPUs, of which CPU 3 is offline; two kinds of cores.
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
        let sysfs = Sysfs::at(&root);
        let mut topologies = Topologies::default();
        let cpus = |text: &str| Whom::Cpus(text.parse::<CpuSet>().unwrap());
        let threads = Whom::Threads(vec![7, 8]);
        let cases: &[(&str, &Whom, &str)] = &[
            ("task-clock", &Whom::ThisThread, "self"),
            ("task-clock", &threads, "t7 t8"),
            ("task-clock", &Whom::AllCpus, "0 1 2"),
            ("task-clock", &cpus("1-2"), "1 2"),
            // Each kind of core, as far as it is online.
            ("cpu_core/event=1/", &Whom::AllCpus, "0 1"),
            ("cpu_atom/event=1/", &Whom::AllCpus, "2"),
            ("cpu_atom/event=1/", &cpus("0-1"), ""),
            ("cpu_atom/event=1/", &threads, "t7 t8"),
            // Outside the cores, whoever is watched.
            ("uncore_imc/event=1/", &threads, "0 2"),
            ("uncore_imc/event=1/", &cpus("1"), "0 2"),
            // One CPU a package.
            ("cpu_core/energy/", &Whom::AllCpus, "0"),
            ("cpu_atom/energy/", &Whom::AllCpus, "2"),
            ("cpu_core/energy/", &threads, "t7 t8"),
        ];
        for &(text, whom, expected) in cases {
            let resolved = resolve(text, None, &sysfs).unwrap();
            let found: Vec<String> = of_group(&resolved, whom, &mut topologies)
                .unwrap()
                .into_iter()
                .map(|target| match target {
                    Target::ThisThread => "self".into(),
                    Target::Thread(thread) => format!("t{thread}"),
                    Target::Cpu(cpu) => format!("{cpu}"),
                    Target::ThreadOnCpu { .. } => "both".into(),
                })
                .collect();
            assert_eq!(found.join(" "), expected, "{text} {whom:?}");
        }
        // A software event goes where the rest of its group is.
        let resolved = resolve("{task-clock,uncore_imc/event=1/}", None, &sysfs).unwrap();
        let places = of_group(&resolved, &threads, &mut topologies).unwrap();
        assert_eq!(places, [Target::Cpu(0), Target::Cpu(2)]);
        // Of two machines in one set, each has its own CPUs.
        let other = machine("other");
        fs::write(other.join("devices/system/cpu/online"), "5-6").unwrap();
        let sysfs = Sysfs::at(&other);
        let resolved = resolve("task-clock", None, &sysfs).unwrap();
        let places = of_group(&resolved, &Whom::AllCpus, &mut topologies).unwrap();
        assert_eq!(places, [Target::Cpu(5), Target::Cpu(6)]);
        fs::remove_dir_all(other).unwrap();
        fs::remove_dir_all(root).unwrap();
    }

    /// Which CPUs are meant is known, or an error that names the file.
    #[test]
    fn odd_sources() {
        const ALL_CPUS: &[&str] =
            &["task-clock", "cpu_core/event=1/", "cpu_core/energy/", "cpu_atom/event=1/"];
        let cases: &[(&str, &str, &[&str])] = &[
            ("devices/system/cpu/online", "0-x", ALL_CPUS),
            ("devices/system/cpu/online", "", ALL_CPUS),
            ("devices/system/cpu/cpu1/topology/physical_package_id", "x", &["cpu_core/energy/"]),
            // For some CPUs alone.
            ("devices/system/cpu/cpu0/topology/die_id", "0", &["cpu_core/energy/"]),
            ("bus/event_source/devices/uncore_imc/cpumask", "0-", &["uncore_imc/event=1/"]),
            ("bus/event_source/devices/cpu_atom/cpus", "all", &["cpu_atom/event=1/"]),
        ];
        for &(file, text, odd) in cases {
            let root = machine("odd");
            fs::write(root.join(file), text).unwrap();
            let sysfs = Sysfs::at(&root);
            for event in ["task-clock", "cpu_core/event=1/", "cpu_core/energy/"]
                .into_iter()
                .chain(["cpu_atom/event=1/", "uncore_imc/event=1/"])
            {
                let resolved = resolve(event, None, &sysfs).unwrap();
                let places = of_group(&resolved, &Whom::AllCpus, &mut Topologies::default());
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
