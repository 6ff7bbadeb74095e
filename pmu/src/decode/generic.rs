//! The generic events of a type and a number, which the kernel encodes.

use pmu_events::__private::event_list::{Cache, Hardware, Software, generic_names};
use pmu_events::perf_type;

/// The names of the generic events of a type and a number.
pub(crate) fn names(type_: u32, config: u64) -> Vec<&'static str> {
    if ![perf_type::HARDWARE, perf_type::SOFTWARE, perf_type::CACHE].contains(&type_) {
        return Vec::new();
    }
    // With several kinds of cores, the upper half says which one.
    let number = if type_ == perf_type::SOFTWARE { config } else { config & 0xffff_ffff };
    let is_it = |name: &&str| {
        let hardware =
            name.parse::<Hardware>().ok().map(|event| (perf_type::HARDWARE, event.config()));
        let software =
            || name.parse::<Software>().ok().map(|event| (perf_type::SOFTWARE, event.config()));
        let cache = || name.parse::<Cache>().ok().map(|event| (perf_type::CACHE, event.config()));
        hardware.or_else(software).or_else(cache) == Some((type_, number))
    };
    generic_names().filter(is_it).collect()
}
