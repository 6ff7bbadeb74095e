//! Topics: what an event's name or unit says it is about.

/// The topic of an uncore's unit, in any letter case.
pub(super) fn of_unit(unit: &str) -> Option<&'static str> {
    let of = |units: &[&str]| units.iter().any(|known| unit.eq_ignore_ascii_case(known));
    UNITS.iter().find(|(_, units)| of(units)).map(|&(topic, _)| topic)
}

/// All units that have a topic.
pub(super) fn units() -> impl Iterator<Item = &'static str> {
    UNITS.iter().flat_map(|(_, units)| units.iter().copied())
}

#[rustfmt::skip]
const UNITS: &[(&str, &[&str])] = &[
    ("uncore cache", &["CHA", "CHACMS", "CBOX", "cbox_0", "HA", "HAC_CBO"]),
    ("uncore cxl", &["B2CXL", "CXLCM", "CXLDP"]),
    ("uncore interconnect", &[
        "ARB", "B2CMI", "B2HOT", "B2UPI", "HAC_ARB", "IRP", "M2M", "MDF", "R3QPI", "QPI", "SANTA", "SBOX",
        "UBOX", "UPI", "M3UPI",
    ]),
    ("uncore io", &["IIO", "iio_free_running", "M2PCIe", "R2PCIe"]),
    ("uncore memory", &[
        "EDC_ECLK", "EDC_UCLK", "iMC", "imc_free_running", "imc_free_running_0", "imc_free_running_1",
        "iMC_DCLK", "iMC_UCLK", "M2HBM", "MCHBM",
    ]),
    ("uncore other", &["CLOCK", "CNCU"]),
    ("uncore power", &["PCU"]),
];

/// The topic of a core's event: of the patterns that match, the one of the
/// highest priority, and of several the topic that is last.
pub(super) fn of_name(name: &str) -> &'static str {
    let mut best = (0, "other");
    for &(topic, groups) in TOPICS {
        for &(priority, patterns) in groups {
            if priority >= best.0 && patterns.iter().any(|pattern| matches(pattern, name)) {
                best = (priority, topic);
            }
        }
    }
    best.1
}

type Patterns = &'static [&'static str];

/// Topics in alphabetical order; patterns by priority. `*` is any run of
/// characters, `.` any one, and anything may follow.
#[rustfmt::skip]
const TOPICS: &[(&str, &[(u8, Patterns)])] = &[
    ("cache", &[
        (3, &["*CACHE", "MEM_."]),
        (1, &[
            "CORE_REJECT_L2Q", "CORE_SNOOP", "DL1", "IDI_MISC", "L1D", "L1I", "L2", "LLC",
            "LONGEST_LAT_CACHE", "MEM_LOAD_UOPS", "OCR*L3_HIT", "OCR.CORE", "OCR.DEMAND", "OCR.HWPF",
            "OCR.ITOM", "OCR.L1WB", "OCR.L2WB", "OCR.MODIFIED", "OCR.READS", "OCR.SWPF",
            "OFFCORE_REQUESTS", "OFFCORE_RESPONSE", "REHABQ", "SQ_MISC", "STORE", "SW_PREFETCH_ACCESS",
        ]),
    ]),
    ("floating point", &[
        (3, &["*AVX", "*FPDIV", "*FP_ASSIST", "*SIMD", "FP_"]),
        (1, &["ASSISTS.FP", "FP_COMP_OPS_EXE", "SIMD", "SIMD_FP_256", "X87"]),
    ]),
    ("frontend", &[
        (4, &["ICACHE"]),
        (3, &["BACLEARS", "CYCLES_ICACHE_MEM_STALLED", "FRONTEND", "IDQ"]),
        (1, &[
            "DECODE", "DSB", "INSTS_WRITTEN", "MACRO_INSTS", "MS_DECODED", "TWO_UOP_INSTS_DECODED",
            "UOPS.MS_CYCLES",
        ]),
    ]),
    ("memory", &[
        (3, &["*MEMORY_ORDERING", "HLE", "MEM_TRANS_RETIRED", "RTM"]),
        (2, &["*L3_MISS", "*LLC_MISS"]),
        (1, &[
            "LD_HEAD", "MEMORY_ACTIVITY", "MEMORY_STALLS", "MISALIGN_MEM_REF", "OCR*DRAM", "OCR*MEMORY",
            "OFFCORE_RESPONSE*DDR", "OFFCORE_RESPONSE*DRAM", "OFFCORE_RESPONSE*MCDRAM", "PREFETCH",
            "TX_EXEC", "TX_MEM",
        ]),
    ]),
    ("pipeline", &[
        (1, &[
            "*_DISPATCHED", "*_ISSUED", "*_RETIRED", "AGU_BYPASS_CANCEL", "ARITH", "ASSISTS.ANY",
            "BACLEAR", "BE_STALLS", "BOGUS_BR", "BPU_", "BR_", "BTCLEAR", "CPU_CLK", "CYCLES_DIV_BUSY",
            "CYCLE_ACTIVITY", "DEPENDENT_LOADS", "DISPATCH_BLOCKED", "DIV", "EXE", "IDQ", "ILD", "INST_",
            "INT_MISC", "INT_UOPS", "ISSUE_SLOTS_NOT_CONSUMED", "LD_BLOCKS", "LOAD_HIT_PRE", "LSD",
            "MACHINE_CLEARS", "MEMORY_STALLS", "MOVE_ELIMINATION", "MUL", "NO_ALLOC_CYCLES",
            "OTHER_ASSISTS", "PARTIAL_RAT_STALLS", "RAT_STALLS", "RECYCLEQ", "REISSUE", "RESOURCE_STALLS",
            "ROB_MISC_EVENTS", "RS", "SERIALIZATION", "STORE_FORWARD", "TOPDOWN", "UOPS_",
            "UOP_DISPATCHES_CANCELLED", "UOP_UNFUSION",
        ]),
    ]),
    ("virtual memory", &[
        (3, &["*DTLB", "ITLB"]),
        (1, &[".TLB_", "DATA_TLB", "EPT", "LARGE_ITLB", "PAGE_WALK", "TLB_FLUSH"]),
    ]),
];

/// Whether a name begins as a pattern says.
fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => begins(pattern, name),
        Some((start, rest)) => {
            begins(start, name)
                && (start.len()..=name.len())
                    .filter_map(|at| name.get(at..))
                    .any(|name| matches(rest, name))
        }
    }
}

fn begins(pattern: &str, name: &str) -> bool {
    let same = |(pattern, name)| pattern == b'.' || pattern == name;
    name.len() >= pattern.len() && pattern.bytes().zip(name.bytes()).all(same)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_of_names() {
        let cases = [
            ("CACHE_LOCK_CYCLES.L1D", "cache"),
            ("MEM_LOAD_UOPS_RETIRED.L1_HIT", "cache"),
            ("MEM_", "other"),
            ("OCR.HWPF_L3.L3_HIT", "cache"),
            ("OCR.DEMAND_RFO.L3_MISS", "memory"),
            ("OCR.READS_TO_CORE.DRAM", "memory"),
            ("ICACHE.MISSES", "frontend"),
            ("DTLB_LOAD_MISSES.STLB_HIT", "virtual memory"),
            ("FP_ASSIST.ANY", "floating point"),
            // Of one priority the last topic, of several the highest priority.
            ("MEM_TRANS_RETIRED.LOAD_LATENCY", "memory"),
            ("IDQ.MITE_UOPS", "frontend"),
            ("UOPS_RETIRED.ALL", "pipeline"),
            ("PAGE_WALKER_LOADS.DTLB_L1", "virtual memory"),
            ("CORE_POWER.LVL0", "other"),
            ("", "other"),
        ];
        for (name, expected) in cases {
            assert_eq!(of_name(name), expected, "{name}");
        }
    }

    #[test]
    fn patterns() {
        let cases = [
            ("ASSISTS.FP", "ASSISTS_FP.X", true),
            ("OCR*L3_HIT", "OCR.A.L3_HIT", true),
            ("OCR*L3_HIT", "XOCR.L3_HIT", false),
            (".TLB_", "TLB_", false),
            (".TLB_", "XTLB_", true),
            ("MEM_.", "MEM_", false),
            ("", "", true),
        ];
        for (pattern, name, expected) in cases {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }
}
