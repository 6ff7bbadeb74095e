//! What the file says of the recording, beside the machine.

use std::path::{Path, PathBuf};

use crate::perf_data::features::{command_line, of_machine};
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
    has_branches: bool,
    clock: Option<i32>,
    tracepoints: &[(String, String)],
) -> Vec<(Feature, Vec<u8>)> {
    let mut features =
        vec![(Feature::EventDescription, writer::event_description(events)), command_line()];
    features.extend(of_machine(system));
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
