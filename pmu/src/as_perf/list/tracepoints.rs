//! The tracepoints of the kernel.

use pmu_events::System;
use pmu_events::sysfs::Problem;

use super::entry::Entry;

/// A directory that cannot be read hides only its own events.
pub(super) fn all(system: &System) -> Result<Vec<Entry>, &Problem> {
    let tracing = system.sysfs().tracing();
    let mut entries = Vec::new();
    for system in tracing.systems()? {
        for tracepoint in tracing.of_system(system).unwrap_or_default() {
            if let Ok(id) = tracepoint.id() {
                entries.push(Entry {
                    encoding: Some(format!("tracepoint/config={id:#x}/")),
                    ..Entry::of_kind("Tracepoint event", tracepoint.name())
                });
            }
        }
    }
    Ok(entries)
}
