//! `pmu record`: samples of a command, of tasks or of whole CPUs, in a file of perf's format.
//!
//! | module | contents |
//! |---|---|
//! | [`settings`] | what the command line asks for, as options of a sampler |
//! | [`recording`] | one recording, from opening to the end of the file |
//! | [`watch`] | what happens while it runs |
//! | [`journal`] | what of the records must be known for the end of the file |
//! | [`existing`] | what was there before: the kernel, tasks, mappings |
//! | [`features`] | what the file says of the recording |

mod existing;
mod features;
mod journal;
mod recording;
mod settings;
mod watch;

use std::process::ExitCode;

use pmu_events::open::ErrorKind;
use pmu_events::resolve::Resolution;
use pmu_events::sample::{Options, Sampler};

use crate::failure::complain;
use crate::record_args::RecordArgs;
use crate::stat::cgroups::{self, Cgroups, Opened};
use crate::stat::{Failure, Signals};
use crate::system::System;
use recording::Recording;
pub(crate) use settings::Settings;

pub(crate) fn main(args: RecordArgs) -> ExitCode {
    crate::stat::exit_code("record", record(args))
}

/// The status of the command.
fn record(args: RecordArgs) -> Result<u8, Failure> {
    let settings = Settings::new(args)?;
    if let Some(overridden) = settings.run.overridden {
        complain("record", &format!("note: {}", overridden.note()));
    }
    let system = System::of_args(&settings.machine)?;
    let events = events(&settings, &system)?;
    if settings.is_dry_run {
        return Ok(0);
    }
    let signals = Signals::new();
    Recording { settings: &settings, system: &system, events, signals }.run()
}

/// Records events for another command of this program; the status of the command that runs.
pub(crate) fn run(
    settings: &Settings,
    system: &System,
    events: Resolution,
    signals: Signals,
) -> Result<u8, Failure> {
    Recording { settings, system, events, signals }.run()
}

/// The events that are asked for, or the first that this machine has.
fn events(settings: &Settings, system: &System) -> Result<Resolution, Failure> {
    /// `perf_evlist__new_default` in `tools/perf/util/evlist.c`, and what perf falls back to.
    const DEFAULTS: [&str; 2] = ["cycles:P", "cpu-clock"];
    let cgroup = settings.cgroup.as_deref();
    let cgroups = Cgroups::new(cgroup, None, || cgroups::root(system)).map_err(Failure::Cannot)?;
    let resolved = |lists: &[String]| {
        let parts = cgroups::resolved(lists, 0, &cgroups, system).map_err(Failure::Missing)?;
        let mut opened = Opened::new(system);
        let mut all = Resolution::empty(system);
        for part in parts {
            all.append(opened.placed(part).map_err(Failure::Cannot)?);
        }
        Ok(all)
    };
    if !settings.events.is_empty() {
        return resolved(&settings.events);
    }
    let [first, second] = DEFAULTS.map(String::from);
    let events = resolved(&[first])?;
    // A probe that samples nothing: some machines have a core PMU that cannot sample.
    let is_there = events.missing().is_empty()
        && match Sampler::open(&events, &Options::new()) {
            Ok(_) => true,
            Err(error) => !error.is_unsupported() && error.kind() != ErrorKind::NoHardwarePmu,
        };
    if is_there { Ok(events) } else { resolved(&[second]) }
}
