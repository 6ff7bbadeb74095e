//! The generic events of a type and a number, which the kernel encodes.

use pmu_events::__private::event_list::{Cache, Hardware, Software, generic_names};
use pmu_events::perf_type;

use super::constants;

/// The type and the number of a generic event by the name that libpfm4 has for it, with or without
/// that of its table.
pub(super) fn of_libpfm4(text: &str) -> Option<(u32, u64)> {
    let (is_of_table, text) = match text.strip_prefix("perf::") {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    // They say when to count.
    const MODIFIERS: [&str; 6] = ["u", "k", "h", "g", "precise", "excl"];
    let is_modifier =
        |part: &&str| MODIFIERS.contains(&part.split_once('=').map_or(*part, |(name, _)| name));
    let mut parts = text.split(':').filter(|part| !is_modifier(part));
    let name = parts.next()?;
    let umasks: Vec<&str> = parts.collect();
    if let Some(config) = constants::cache(name, &umasks) {
        return Some((perf_type::CACHE, config));
    }
    (is_of_table && umasks.is_empty()).then(|| number(name)).flatten()
}

/// The type and the number of the generic event of a name: perf's, or the end of a constant's.
pub(crate) fn event_of_name(name: &str) -> Option<(u32, u64)> {
    let kernels =
        ["HW", "SW"].map(|kind| format!("PERF_COUNT_{kind}_{}", name.to_ascii_uppercase()));
    let of_kernel = kernels.iter().find_map(|name| constants::event(name));
    of_kernel.or_else(|| number(name)).or_else(|| number(&name.replace('_', "-")))
}

/// The type and the number of a generic event by perf's name.
fn number(name: &str) -> Option<(u32, u64)> {
    let hardware =
        || name.parse::<Hardware>().ok().map(|event| (perf_type::HARDWARE, event.config()));
    let software =
        || name.parse::<Software>().ok().map(|event| (perf_type::SOFTWARE, event.config()));
    let cache = || name.parse::<Cache>().ok().map(|event| (perf_type::CACHE, event.config()));
    hardware().or_else(software).or_else(cache)
}

/// The names of the generic events of a type and a number.
pub(crate) fn names(type_: u32, config: u64) -> Vec<&'static str> {
    if ![perf_type::HARDWARE, perf_type::SOFTWARE, perf_type::CACHE].contains(&type_) {
        return Vec::new();
    }
    // With several kinds of cores, the upper half says which one.
    let number = if type_ == perf_type::SOFTWARE { config } else { config & 0xffff_ffff };
    let is_it = |name: &&str| self::number(name) == Some((type_, number));
    generic_names().filter(is_it).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_libpfm4() {
        for (text, expected) in [
            ("perf::PERF_COUNT_HW_CACHE_L1D:READ:MISS", Some((perf_type::CACHE, 0x1_0000))),
            ("PERF_COUNT_HW_CACHE_LL:PREFETCH:ACCESS:u", Some((perf_type::CACHE, 0x202))),
            ("L1D:READ:MISS", Some((perf_type::CACHE, 0x1_0000))),
            ("DTLB:WRITE", Some((perf_type::CACHE, 0x103))),
            ("ITLB:MISS:k", Some((perf_type::CACHE, 0x1_0004))),
            ("perf::CYCLES", Some((perf_type::HARDWARE, 0))),
            ("perf::L1-DCACHE-LOAD-MISSES", Some((perf_type::CACHE, 0x1_0000))),
            ("perf::PAGE-FAULTS:u=1", Some((perf_type::SOFTWARE, 2))),
            // A part of one, more than one, and the event of a CPU.
            ("PERF_COUNT_HW_CACHE_LL", None),
            ("L1D:READ:WRITE", None),
            ("L1D:REPLACEMENT", None),
            ("L2_RQSTS:MISS", None),
            ("CYCLES", None),
            ("perf::", None),
            ("", None),
        ] {
            assert_eq!(of_libpfm4(text), expected, "{text}");
        }
    }

    #[test]
    fn names_of_generic_events() {
        for (name, expected) in [
            ("CGROUP_SWITCHES", Some((perf_type::SOFTWARE, 11))),
            ("cgroup-switches", Some((perf_type::SOFTWARE, 11))),
            ("page_faults", Some((perf_type::SOFTWARE, 2))),
            ("LLC-load-misses", Some((perf_type::CACHE, 0x1_0002))),
            ("branches", Some((perf_type::HARDWARE, 4))),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(event_of_name(name), expected, "{name}");
        }
    }
}
