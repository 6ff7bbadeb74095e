//! Events with their attributes (`perf_event_attr__fprintf` in
//! `tools/perf/util/perf_event_attr_fprintf.c`).

use std::fmt::Write as _;

use crate::perf_data::words::Words;

/// `PERF_COUNT_HW_*` and `PERF_COUNT_SW_*`, by their numbers.
const HARDWARE: [&str; 10] = [
    "HW_CPU_CYCLES",
    "HW_INSTRUCTIONS",
    "HW_CACHE_REFERENCES",
    "HW_CACHE_MISSES",
    "HW_BRANCH_INSTRUCTIONS",
    "HW_BRANCH_MISSES",
    "HW_BUS_CYCLES",
    "HW_STALLED_CYCLES_FRONTEND",
    "HW_STALLED_CYCLES_BACKEND",
    "HW_REF_CPU_CYCLES",
];
const SOFTWARE: [&str; 12] = [
    "SW_CPU_CLOCK",
    "SW_TASK_CLOCK",
    "SW_PAGE_FAULTS",
    "SW_CONTEXT_SWITCHES",
    "SW_CPU_MIGRATIONS",
    "SW_PAGE_FAULTS_MIN",
    "SW_PAGE_FAULTS_MAJ",
    "SW_ALIGNMENT_FAULTS",
    "SW_EMULATION_FAULTS",
    "SW_DUMMY",
    "SW_BPF_OUTPUT",
    "SW_CGROUP_SWITCHES",
];

/// `PERF_SAMPLE_*`, by their bits.
const FIELDS: [&str; 25] = [
    "IP",
    "TID",
    "TIME",
    "ADDR",
    "READ",
    "CALLCHAIN",
    "ID",
    "CPU",
    "PERIOD",
    "STREAM_ID",
    "RAW",
    "BRANCH_STACK",
    "REGS_USER",
    "STACK_USER",
    "WEIGHT",
    "DATA_SRC",
    "IDENTIFIER",
    "TRANSACTION",
    "REGS_INTR",
    "PHYS_ADDR",
    "AUX",
    "CGROUP",
    "DATA_PAGE_SIZE",
    "CODE_PAGE_SIZE",
    "WEIGHT_STRUCT",
];

/// `PERF_FORMAT_*`, by their bits.
const READS: [&str; 5] = ["TOTAL_TIME_ENABLED", "TOTAL_TIME_RUNNING", "ID", "GROUP", "LOST"];

/// The flags, by their bits; the level of precision has two.
const FLAGS: [&str; 39] = [
    "disabled",
    "inherit",
    "pinned",
    "exclusive",
    "exclude_user",
    "exclude_kernel",
    "exclude_hv",
    "exclude_idle",
    "mmap",
    "comm",
    "freq",
    "inherit_stat",
    "enable_on_exec",
    "task",
    "watermark",
    "precise_ip",
    "",
    "mmap_data",
    "sample_id_all",
    "exclude_host",
    "exclude_guest",
    "exclude_callchain_kernel",
    "exclude_callchain_user",
    "mmap2",
    "comm_exec",
    "use_clockid",
    "context_switch",
    "write_backward",
    "namespaces",
    "ksymbol",
    "bpf_event",
    "aux_output",
    "cgroup",
    "text_poke",
    "build_id",
    "inherit_thread",
    "remove_on_exec",
    "sigtrap",
    "defer_callchain",
];

/// A line for each event; `None` if the section is damaged.
pub(super) fn events(words: &mut Words<'_>, pmus: &[(u32, String)]) -> Option<Vec<String>> {
    let (number, size) = (words.u32()?, words.u32()? as usize);
    let mut lines = Vec::new();
    for _ in 0..number {
        let attr = Words { bytes: words.take(size)?, order: words.order };
        let ids = words.u32()?;
        let mut line = format!("name = {}, ", words.string()?);
        if ids > 0 {
            line.push_str(", id = {");
            for n in 0..ids {
                let _ = write!(line, "{}{}", if n == 0 { " " } else { ", " }, words.u64()?);
            }
            line.push_str(" }");
        }
        attributes(&mut line, attr, pmus)?;
        lines.push(line);
    }
    Some(lines)
}

fn attributes(line: &mut String, mut attr: Words<'_>, pmus: &[(u32, String)]) -> Option<()> {
    let (kind, size) = (attr.u32()?, attr.u32()?);
    let (config, rate, fields, reads, flags) =
        (attr.u64()?, attr.u64()?, attr.u64()?, attr.u64()?, attr.u64()?);
    let _ = write!(line, ", type = {kind}");
    if let Some((_, name)) = pmus.iter().find(|(number, _)| *number == kind) {
        let _ = write!(line, " ({name})");
    }
    let number = if config == 0 { "0".into() } else { format!("{config:#x}") };
    let _ = write!(line, ", size = {size}, config = {number}");
    let names = match kind {
        0 => &HARDWARE[..],
        1 => &SOFTWARE,
        _ => &[],
    };
    if let Some(name) = usize::try_from(config).ok().and_then(|number| names.get(number)) {
        let _ = write!(line, " (PERF_COUNT_{name})");
    }
    if rate != 0 {
        let _ = write!(line, ", {{ sample_period, sample_freq }} = {rate}");
    }
    let named = |bits: u64, names: &[&str]| {
        let set = names.iter().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1);
        set.map(|(_, name)| *name).collect::<Vec<_>>().join("|")
    };
    for (title, bits, names) in
        [("sample_type", fields, &FIELDS[..]), ("read_format", reads, &READS)]
    {
        if bits != 0 {
            let _ = write!(line, ", {title} = {}", named(bits, names));
        }
    }
    for (bit, name) in FLAGS.iter().enumerate() {
        // A machine of the other order of bytes has the bits from the other end.
        let place = if attr.order == pmu_events::sample::ByteOrder::Big { 63 - bit } else { bit };
        let value = match *name {
            "" => 0,
            "precise_ip" if place == bit => flags >> bit & 3,
            "precise_ip" => flags >> (place - 1) & 3,
            _ => flags >> place & 1,
        };
        if value != 0 {
            let _ = write!(line, ", {name} = {value}");
        }
    }
    Some(())
}
