//! The constants of `include/uapi/linux/perf_event.h`, as programs have them in their source text.

use pmu_events::perf_type;

/// `enum perf_type_id`.
const TYPES: [&str; 6] = ["HARDWARE", "SOFTWARE", "TRACEPOINT", "HW_CACHE", "RAW", "BREAKPOINT"];

/// `enum perf_hw_id`.
const HARDWARE: [&str; 10] = [
    "CPU_CYCLES",
    "INSTRUCTIONS",
    "CACHE_REFERENCES",
    "CACHE_MISSES",
    "BRANCH_INSTRUCTIONS",
    "BRANCH_MISSES",
    "BUS_CYCLES",
    "STALLED_CYCLES_FRONTEND",
    "STALLED_CYCLES_BACKEND",
    "REF_CPU_CYCLES",
];

/// `enum perf_sw_ids`.
const SOFTWARE: [&str; 12] = [
    "CPU_CLOCK",
    "TASK_CLOCK",
    "PAGE_FAULTS",
    "CONTEXT_SWITCHES",
    "CPU_MIGRATIONS",
    "PAGE_FAULTS_MIN",
    "PAGE_FAULTS_MAJ",
    "ALIGNMENT_FAULTS",
    "EMULATION_FAULTS",
    "DUMMY",
    "BPF_OUTPUT",
    "CGROUP_SWITCHES",
];

/// `enum perf_hw_cache_id`, and those of operations and results, which the kernel takes from the
/// second and third byte.
const CACHES: [&str; 7] = ["L1D", "L1I", "LL", "DTLB", "ITLB", "BPU", "NODE"];
const OPERATIONS: [&str; 3] = ["READ", "WRITE", "PREFETCH"];
const RESULTS: [&str; 2] = ["ACCESS", "MISS"];

/// The type that a constant stands for: `PERF_TYPE_RAW`.
pub(super) fn type_of(word: &str) -> Option<u32> {
    number_in(&TYPES, word.strip_prefix("PERF_TYPE_")?)?.try_into().ok()
}

/// The type and the number of the generic event that a text names, whatever stands around its
/// constants: `PERF_COUNT_HW_CPU_CYCLES`, or a cache, an operation and a result. `None` for a text
/// with a part of them, or with several events.
pub(crate) fn event(text: &str) -> Option<(u32, u64)> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let constants = text.split(|c| !is_word(c)).filter_map(|word| word.strip_prefix("PERF_COUNT_"));
    let (mut whole, mut parts) = (Vec::new(), [const { Vec::new() }; 3]);
    for constant in constants {
        let software = constant.strip_prefix("SW_").and_then(|name| number_in(&SOFTWARE, name));
        let hardware = constant.strip_prefix("HW_").and_then(|name| number_in(&HARDWARE, name));
        if let Some(number) = software {
            whole.push((perf_type::SOFTWARE, number));
        } else if let Some(number) = hardware {
            whole.push((perf_type::HARDWARE, number));
        } else {
            let (part, number) = part_of_cache(constant.strip_prefix("HW_CACHE_")?)?;
            parts[part].push(number << (8 * part));
        }
    }
    match (&whole[..], parts.each_ref().map(|part| &part[..])) {
        (&[one], [[], [], []]) => Some(one),
        ([], [&[cache], &[operation], &[result]]) => {
            Some((perf_type::CACHE, cache | operation | result))
        }
        _ => None,
    }
}

/// The number of a cache event as libpfm4 has it: a cache, and an operation and a result of it, of
/// which it leaves out reads and accesses.
pub(super) fn cache(name: &str, umasks: &[&str]) -> Option<u64> {
    let name = name.strip_prefix("PERF_COUNT_HW_CACHE_").unwrap_or(name);
    let cache = number_in(&CACHES, name)?;
    let (mut operations, mut results) = (Vec::new(), Vec::new());
    for umask in umasks {
        match (number_in(&OPERATIONS, umask), number_in(&RESULTS, umask)) {
            (Some(operation), _) => operations.push(operation),
            (_, Some(result)) => results.push(result),
            _ => return None,
        }
    }
    match (&operations[..], &results[..]) {
        ([], []) => None,
        ([] | [_], [] | [_]) => {
            let first = |numbers: &[u64]| numbers.first().copied().unwrap_or_default();
            Some(cache | first(&operations) << 8 | first(&results) << 16)
        }
        _ => None,
    }
}

/// Which byte of a cache event a constant is for, and its value there.
fn part_of_cache(name: &str) -> Option<(usize, u64)> {
    if let Some(operation) = name.strip_prefix("OP_") {
        return Some((1, number_in(&OPERATIONS, operation)?));
    }
    match name.strip_prefix("RESULT_") {
        Some(result) => Some((2, number_in(&RESULTS, result)?)),
        None => Some((0, number_in(&CACHES, name)?)),
    }
}

fn number_in(names: &[&str], name: &str) -> Option<u64> {
    names.iter().position(|known| *known == name)?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generic_events() {
        for (text, expected) in [
            ("PERF_COUNT_HW_CPU_CYCLES", Some((perf_type::HARDWARE, 0))),
            ("bindings::PERF_COUNT_HW_REF_CPU_CYCLES as u64", Some((perf_type::HARDWARE, 9))),
            ("PERF_COUNT_HW_CACHE_MISSES", Some((perf_type::HARDWARE, 3))),
            ("PERF_COUNT_SW_CGROUP_SWITCHES", Some((perf_type::SOFTWARE, 11))),
            (
                "PERF_COUNT_HW_CACHE_LL | (PERF_COUNT_HW_CACHE_OP_READ << 8) \
                 | (PERF_COUNT_HW_CACHE_RESULT_MISS << 16)",
                Some((perf_type::CACHE, 0x1_0002)),
            ),
            ("PERF_COUNT_HW_CACHE_LL", None),
            ("PERF_COUNT_HW_CPU_CYCLES, PERF_COUNT_HW_INSTRUCTIONS", None),
            ("PERF_COUNT_HW_NO_SUCH", None),
            ("cycles", None),
        ] {
            assert_eq!(event(text), expected, "{text}");
        }
        assert_eq!(type_of("PERF_TYPE_RAW"), Some(perf_type::RAW));
        assert_eq!(type_of("PERF_TYPE_MAX"), None);
    }
}
