//! What the file says of the machine and of the recording.

use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::path::{Path, PathBuf};

use pmu_events::__private::file;
use pmu_events::sysfs::Pmu;

use crate::perf_data::format::Feature;
use crate::perf_data::notes;
use crate::perf_data::tracing;
use crate::perf_data::writer::{self, Event};
use crate::record::journal::Journal;
use crate::system::System;

/// The sections behind the records.
pub(super) fn all(
    system: &System,
    events: &[Event<'_>],
    journal: &Journal,
    command_line: &[String],
    has_branches: bool,
    clock: Option<i32>,
    tracepoints: &[(String, String)],
) -> Vec<(Feature, Vec<u8>)> {
    let mut features = vec![
        (Feature::EventDescription, writer::event_description(events)),
        (Feature::CommandLine, writer::strings(command_line.iter().map(String::as_str))),
        (Feature::Version, writer::string(concat!("pmu ", env!("CARGO_PKG_VERSION")))),
        (Feature::PmuMappings, pmus(system)),
    ];
    if has_branches {
        features.push((Feature::BranchStack, Vec::new()));
    }
    if let Some((first, last)) = journal.times {
        features.push((Feature::SampleTime, [first.to_ne_bytes(), last.to_ne_bytes()].concat()));
    }
    if !tracepoints.is_empty()
        && let Some(formats) = tracing::section(&tracefs(system), tracepoints)
    {
        features.push((Feature::TracingData, formats));
    }
    if let Some(clock) = clock {
        features.extend(of_clock(clock));
    }
    let build_ids = build_ids(system, journal);
    if !build_ids.is_empty() {
        features.push((Feature::BuildId, build_ids));
    }
    if let Some([node, release, machine]) = names() {
        features.push((Feature::Hostname, writer::string(&node)));
        features.push((Feature::OsRelease, writer::string(&release)));
        features.push((Feature::Arch, writer::string(&machine)));
    }
    let cpus = [libc::_SC_NPROCESSORS_CONF, libc::_SC_NPROCESSORS_ONLN].map(number_of_cpus);
    features.push((Feature::NumberOfCpus, cpus.concat()));
    if let Some(description) = cpu_description(system) {
        features.push((Feature::CpuDescription, writer::string(&description)));
    }
    if let Ok(cpuid) = system.cpuid() {
        features.push((Feature::Cpuid, writer::string(cpuid)));
    }
    features
}

/// Where tracefs is mounted, or on older systems its place in debugfs.
fn tracefs(system: &System) -> PathBuf {
    let mounted = ["kernel/tracing", "kernel/debug/tracing"];
    let mut mounted = mounted.map(|path| system.sysfs().root().join(path)).into_iter();
    mounted.find(|path| path.join("events/header_page").exists()).unwrap_or_default()
}

/// The resolution of a clock, and what it and the time of day were at the same moment
/// (`write_clockid` and `write_clock_data` in `tools/perf/util/header.c`).
fn of_clock(clock: i32) -> Vec<(Feature, Vec<u8>)> {
    /// Of the second section.
    const VERSION: u32 = 1;
    type Call = unsafe extern "C" fn(libc::clockid_t, *mut libc::timespec) -> libc::c_int;
    let nanoseconds = |call: Call, clock: i32| {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: both calls write a `timespec`, and refuse a clock that there is not.
        let result = unsafe { call(clock, &raw mut time) };
        (result == 0).then_some(time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64)
    };
    let mut features = Vec::new();
    if let Some(resolution) = nanoseconds(libc::clock_getres, clock) {
        features.push((Feature::ClockId, resolution.to_ne_bytes().to_vec()));
    }
    let now = |clock| nanoseconds(libc::clock_gettime, clock);
    if let (Some(of_day), Some(of_clock)) = (now(libc::CLOCK_REALTIME), now(clock)) {
        let mut bytes = VERSION.to_ne_bytes().to_vec();
        bytes.extend(clock.to_ne_bytes());
        bytes.extend(of_day.to_ne_bytes());
        bytes.extend(of_clock.to_ne_bytes());
        features.push((Feature::ClockData, bytes));
    }
    features
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

/// Those of the kernel and of the files whose code was mapped, if they have one.
fn build_ids(system: &System, journal: &Journal) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(id) = notes::of_kernel(system.sysfs().root()) {
        bytes.extend(writer::build_id(&id, true, b"[kernel.kallsyms]"));
    }
    for (path, of_mapping) in &journal.files {
        use std::os::unix::ffi::OsStrExt as _;
        let of_file = || {
            let name = Path::new(std::ffi::OsStr::from_bytes(path));
            crate::image::Image::open(name).ok().and_then(|image| image.build_id())
        };
        if let Some(id) = of_mapping.clone().or_else(of_file).filter(|id| !id.is_empty()) {
            bytes.extend(writer::build_id(&id, false, path));
        }
    }
    bytes
}

fn number_of_cpus(name: libc::c_int) -> [u8; 4] {
    // SAFETY: the call asks for a number and touches no memory.
    let number = unsafe { libc::sysconf(name) };
    u32::try_from(number).unwrap_or(1).to_ne_bytes()
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
