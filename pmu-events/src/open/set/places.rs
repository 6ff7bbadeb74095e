//! Where an event is opened: for which tasks, on which CPUs.

use std::vec::Vec;

use super::topology::Topology;
use super::whom::Whom;
use crate::open::Target;
use crate::resolve::Resolved;
use crate::sysfs::CpuSet;

/// The places of a group, which its members share.
///
/// An event outside the cores is opened on the CPUs that its PMU names,
/// whatever is watched: it cannot tell tasks apart, and its CPU only says which
/// instance is meant (`__perf_evlist__propagate_maps` in
/// `tools/lib/perf/evlist.c`).
pub(super) fn of_group(
    members: &[Resolved<'_>],
    whom: &Whom,
    topology: &mut Topology,
) -> Vec<Target> {
    let own = members.iter().find_map(|member| Some((member.cpus()?, member.pmu?)));
    let cpus_of = |asked: &CpuSet| -> Vec<Target> {
        let has = |cpu: &u32| own.is_none_or(|(cpus, _)| cpus.contains(*cpu));
        asked.iter().filter(has).map(Target::Cpu).collect()
    };
    let targets = match (own, whom) {
        (Some((cpus, pmu)), _) if pmu.is_uncore() => cpus.iter().map(Target::Cpu).collect(),
        (_, Whom::ThisThread) => std::vec![Target::ThisThread],
        (_, Whom::Threads(threads)) => threads.iter().map(|&id| Target::Thread(id)).collect(),
        (_, Whom::AllCpus) => cpus_of(topology.online()),
        (_, Whom::Cpus(cpus)) => cpus_of(cpus),
    };
    if members.iter().all(|member| member.is_per_package) {
        return topology.one_a_package(targets);
    }
    targets
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resolve::resolve;
    use crate::sysfs::Sysfs;
    use std::path::{Path, PathBuf};
    use std::string::String;
    use std::{env, format, fs, process, vec};

    /// Two packages of two CPUs, of which CPU 3 is offline; two kinds of cores.
    fn machine() -> PathBuf {
        let root = env::temp_dir().join(format!("pmu-events-places-{}", process::id()));
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
        let root = machine();
        let sysfs = Sysfs::at(&root);
        let mut topology = Topology::at(&root);
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
            let found: Vec<String> = of_group(&resolved, whom, &mut topology)
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
        let places = of_group(&resolved, &threads, &mut topology);
        assert_eq!(places, [Target::Cpu(0), Target::Cpu(2)]);
        fs::remove_dir_all(root).unwrap();
    }
}
