//! The flags of an event, by their names in perf.

use super::Resolved;

/// Returns the flags of an event that are bits of `perf_event_attr` or of perf's `evsel`.
#[must_use]
pub fn evsel_flags(one: &Resolved) -> [(&'static str, bool); 13] {
    let settings = one.settings();
    [
        ("exclude_user", settings.exclude_user()),
        ("exclude_kernel", settings.exclude_kernel()),
        ("exclude_hv", settings.exclude_hv()),
        ("exclude_host", settings.exclude_host()),
        ("exclude_guest", settings.exclude_guest()),
        ("exclude_idle", settings.exclude_idle()),
        ("precise_max", settings.precise_max()),
        ("sample_read", settings.sample_read()),
        ("pinned", settings.pinned()),
        ("exclusive", settings.exclusive()),
        ("per_pkg", one.is_per_package()),
        ("snapshot", one.is_snapshot()),
        ("percore", one.attributes().percore() == Some(true)),
    ]
}
