//! What a file says of the machine on which it was made.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::path::Path;

use pmu_events::__private::file::{self, Kind};
use pmu_events::System;
use pmu_events::sysfs::{CpuSet, Pmu};

use crate::perf_data::format::Feature;
use crate::perf_data::writer;

/// The sections that every file has.
pub(crate) fn of_machine(system: &System) -> Vec<(Feature, Vec<u8>)> {
    let mut features = vec![
        (Feature::Version, writer::string(concat!("pmu ", env!("CARGO_PKG_VERSION")))),
        (Feature::PmuMappings, pmus(system)),
    ];
    if let Some([node, release, machine]) = names() {
        features.push((Feature::Hostname, writer::string(&node)));
        features.push((Feature::OsRelease, writer::string(&release)));
        features.push((Feature::Arch, writer::string(&machine)));
    }
    let cpus = numbers_of_cpus(system);
    features.push((Feature::NumberOfCpus, cpus.map(u32::to_ne_bytes).concat()));
    if let Some(topology) = topology(system, cpus[0]) {
        features.push((Feature::CpuTopology, topology));
    }
    let nodes = nodes(system);
    if !nodes.is_empty() {
        features.push((Feature::NumaTopology, counted(nodes)));
    }
    let caches = caches(system, cpus[0]);
    if !caches.is_empty() {
        let version = 1_u32.to_ne_bytes().to_vec();
        features.push((Feature::Cache, [version, counted(caches)].concat()));
    }
    if let Some(description) = cpu_description(system) {
        features.push((Feature::CpuDescription, writer::string(&description)));
    }
    if let Ok(cpuid) = system.cpuid() {
        features.push((Feature::Cpuid, writer::string(cpuid)));
    }
    features
}

/// The words of the command line.
pub(crate) fn command_line() -> (Feature, Vec<u8>) {
    let words: Vec<String> =
        env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    (Feature::CommandLine, writer::strings(words.iter().map(String::as_str)))
}

/// Which CPUs share a socket, a core and a die, and the numbers of these for each CPU
/// (`write_cpu_topology` in `tools/perf/util/header.c`); `None` if the kernel does not say so of
/// all CPUs.
fn topology(system: &System, cpus: u32) -> Option<Vec<u8>> {
    let of_cpus: Option<Vec<[i32; 3]>> = (0..cpus)
        .map(|number| {
            let cpu = system.cpu(number);
            Some([cpu.core().ok()?, cpu.package().ok()?, cpu.die().ok()?.unwrap_or(0)])
        })
        .collect();
    let of_cpus = of_cpus?;
    // A core, and a die, is one of a socket.
    let sets = |key: &dyn Fn([i32; 3]) -> [i32; 3]| -> Vec<String> {
        let mut sets: BTreeMap<[i32; 3], Vec<u32>> = BTreeMap::new();
        for (&place, cpu) in of_cpus.iter().zip(0..) {
            sets.entry(key(place)).or_default().push(cpu);
        }
        let set = |cpus: Vec<u32>| cpus.into_iter().collect::<CpuSet>().to_string();
        sets.into_values().map(set).collect()
    };
    let strings = |sets: Vec<String>| writer::strings(sets.iter().map(String::as_str));
    let mut bytes = strings(sets(&|[_, socket, _]| [0, socket, 0]));
    bytes.extend(strings(sets(&|place| place)));
    bytes.extend(
        of_cpus.iter().flat_map(|[core, socket, _]| [core, socket]).flat_map(|n| n.to_ne_bytes()),
    );
    bytes.extend(strings(sets(&|[_, socket, die]| [0, socket, die])));
    bytes.extend(of_cpus.iter().flat_map(|[.., die]| die.to_ne_bytes()));
    Some(bytes)
}

/// Parts, with their number before them.
fn counted(parts: Vec<Vec<u8>>) -> Vec<u8> {
    let number = (parts.len() as u32).to_ne_bytes().to_vec();
    [number].into_iter().chain(parts).collect::<Vec<_>>().concat()
}

/// The NUMA nodes, with their memory in kB and their CPUs (`write_numa_topology`).
fn nodes(system: &System) -> Vec<Vec<u8>> {
    let directory = system.sysfs().root().join("devices/system/node");
    let online = of_sysfs(&directory.join("online")).and_then(|text| text.parse().ok());
    let online: CpuSet = online.unwrap_or_default();
    let node = |number: u32| {
        let directory = directory.join(format!("node{number}"));
        let cpus = of_sysfs(&directory.join("cpulist"))?;
        let memory = of_sysfs(&directory.join("meminfo")).unwrap_or_default();
        // `Node 0 MemTotal: 24567 kB`
        let kilobytes = |name: &str| -> u64 {
            let after = memory.split_once(name).map_or("", |(_, after)| after);
            after.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap_or(0)
        };
        let mut bytes = number.to_ne_bytes().to_vec();
        bytes.extend(kilobytes("MemTotal:").to_ne_bytes());
        bytes.extend(kilobytes("MemFree:").to_ne_bytes());
        bytes.extend(writer::string(&cpus));
        Some(bytes)
    };
    online.iter().filter_map(node).collect()
}

fn of_sysfs(path: &Path) -> Option<String> {
    file::of_sysfs(path, Kind::Unknown, str::to_owned).ok().flatten()
}

/// The caches of all CPUs, each once (`write_cache`).
fn caches(system: &System, cpus: u32) -> Vec<Vec<u8>> {
    let mut caches = BTreeSet::new();
    for cpu in 0..cpus {
        let directory = system.sysfs().root().join(format!("devices/system/cpu/cpu{cpu}/cache"));
        for index in 0.. {
            let read = |name: &str| of_sysfs(&directory.join(format!("index{index}/{name}")));
            let number = |name: &str| read(name).and_then(|text| text.parse::<u32>().ok());
            let Some(level) = number("level") else { break };
            let numbers = ["coherency_line_size", "number_of_sets", "ways_of_associativity"];
            let numbers = numbers.map(|name| number(name).unwrap_or(0));
            let texts = ["type", "size", "shared_cpu_list"];
            let texts = texts.map(|name| read(name).unwrap_or_default());
            caches.insert((level, texts, numbers));
        }
    }
    let bytes = |(level, texts, numbers): (u32, [String; 3], [u32; 3])| {
        let numbers = [level].into_iter().chain(numbers).flat_map(u32::to_ne_bytes);
        numbers.chain(texts.iter().flat_map(|text| writer::string(text))).collect()
    };
    caches.into_iter().map(bytes).collect()
}

/// The numbers and names of the PMUs.
fn pmus(system: &System) -> Vec<u8> {
    let pmus = system.sysfs().pmus();
    let mapped: Vec<(u32, &str)> =
        pmus.iter().filter_map(|pmu: &Pmu| Some((pmu.type_()?, pmu.name()))).collect();
    let mut bytes = (mapped.len() as u32).to_ne_bytes().to_vec();
    for (number, name) in mapped {
        bytes.extend(number.to_ne_bytes());
        bytes.extend(writer::string(name));
    }
    bytes
}

/// How many CPUs there can be, and how many are online (`write_nrcpus`).
fn numbers_of_cpus(system: &System) -> [u32; 2] {
    let set = |name: &str| -> Option<CpuSet> {
        of_sysfs(&system.sysfs().root().join("devices/system/cpu").join(name))?.parse().ok()
    };
    let present = set("present").and_then(|cpus| cpus.iter().last()).map_or(1, |last| last + 1);
    [present, set("online").map_or(present, |cpus| cpus.iter().count() as u32)]
}

/// The name of the machine, the release of the kernel, the kind of machine.
fn names() -> Option<[String; 3]> {
    let mut names = MaybeUninit::<libc::utsname>::zeroed();
    // SAFETY: it writes the structure, of which zeros are one.
    let names = unsafe {
        if libc::uname(names.as_mut_ptr()) != 0 {
            return None;
        }
        names.assume_init()
    };
    let text = |field: &[libc::c_char]| {
        // SAFETY: `uname` ends each text with NUL, and the last byte is one in any case.
        unsafe { CStr::from_ptr(field.as_ptr()) }.to_string_lossy().into_owned()
    };
    Some([text(&names.nodename), text(&names.release), text(&names.machine)])
}

/// What the kernel calls the CPU, if it does.
fn cpu_description(system: &System) -> Option<String> {
    let text = file::of_procfs(&system.proc().join("cpuinfo")).ok()?;
    let names = ["model name", "cpu\t", "processor", "uarch"];
    names.into_iter().find_map(|name| {
        let line = text.lines().find(|line| line.starts_with(name))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    })
}
