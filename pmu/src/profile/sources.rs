//! Where data were, in perf's words, which follow the bits rather than their meaning
//! (`tools/perf/util/mem-events.c`).

use pmu_events::sample::DataSource;

const LEVELS: [&str; 14] = [
    "N/A",
    "HIT",
    "MISS",
    "L1",
    "LFB/MAB",
    "L2",
    "L3",
    "Local RAM",
    "Remote RAM (1 hop)",
    "Remote RAM (2 hops)",
    "Remote Cache (1 hop)",
    "Remote Cache (2 hops)",
    "I/O",
    "Uncached",
];
const NONE: &str = "N/A";

fn part(source: DataSource, offset: u32, width: u32) -> u64 {
    source.bits() >> offset & ((1 << width) - 1)
}

/// The names of the bits that are set.
fn names(bits: u64, names: &[&'static str]) -> Vec<&'static str> {
    let set = names.iter().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1);
    set.map(|(_, name)| *name).collect()
}

pub(crate) fn memory(source: DataSource) -> String {
    const NOT_AVAILABLE: u64 = 0xf;
    let levels = part(source, 5, 14);
    let hit = match () {
        () if levels & 1 << 1 != 0 => "hit",
        () if levels & 1 << 2 != 0 => "miss",
        () => "",
    };
    let number = part(source, 33, 4);
    if number != 0 && number != NOT_AVAILABLE {
        let level = match number {
            0x1 => "L1".into(),
            0x2 => "L2".into(),
            0x3 => "L3".into(),
            0x4 => "L4".into(),
            0x5 => "L2 MHB".into(),
            0x6 => "Memory-side Cache".into(),
            0x8 => "Uncached".into(),
            0x9 => "CXL".into(),
            0xa => "I/O".into(),
            0xb => "Any cache".into(),
            0xc => "LFB/MAB".into(),
            0xd => "RAM".into(),
            0xe => "PMEM".into(),
            other => format!("Unknown level {other}"),
        };
        let remote = if part(source, 37, 1) == 1 { "Remote " } else { "" };
        let hops = match part(source, 43, 3) {
            1 => "core, same node ",
            2 => "node, same socket ",
            3 => "socket, same board ",
            4 => "board ",
            _ => "",
        };
        return format!("{remote}{hops}{level} {hit}");
    }
    let found = names(levels & !7, &LEVELS);
    if found.is_empty() { NONE.into() } else { format!("{} {hit}", found.join(" or ")) }
}

pub(crate) fn locked(source: DataSource) -> &'static str {
    match part(source, 24, 2) {
        bits if bits & 1 != 0 => NONE,
        bits if bits & 2 != 0 => "Yes",
        _ => "No",
    }
}

pub(crate) fn snoop(source: DataSource) -> String {
    let mut found = names(part(source, 19, 5), &["N/A", "None", "Hit", "Miss", "HitM"]);
    found.extend(names(part(source, 38, 2), &["Fwd", "Peer"]));
    if found.is_empty() { NONE.into() } else { found.join(" or ") }
}

pub(crate) fn tlb(source: DataSource) -> String {
    let bits = part(source, 26, 7);
    let found = names(bits & !6, &["N/A", "HIT", "MISS", "L1", "L2", "Walker", "Fault"]);
    let mut text = if found.is_empty() { NONE.into() } else { found.join(" or ") };
    if bits & 2 != 0 {
        text.push_str(" hit");
    }
    if bits & 4 != 0 {
        text.push_str(" miss");
    }
    text
}

pub(crate) fn blocked(source: DataSource) -> &'static str {
    let (data, address) = (source.is_blocked_by_data(), source.is_blocked_by_address());
    match data.zip(address) {
        None => " N/A",
        Some((false, false)) => "",
        Some((true, false)) => " Data",
        Some((false, true)) => " Addr",
        Some((true, true)) => " Data Addr",
    }
}

fn operation(source: DataSource) -> &'static str {
    let names = ["N/A", "LOAD", "STORE", "PFETCH", "EXEC"];
    let bits = part(source, 0, 5);
    names.iter().enumerate().find(|(bit, _)| bits >> bit & 1 == 1).map_or("No", |(_, name)| name)
}

/// All of it, as `perf script` writes it (`data_src__fprintf` in
/// `tools/perf/builtin-script.c`), which has no room for more.
pub(crate) fn all(source: DataSource) -> String {
    const ROOM: usize = 99;
    let mut text = format!(
        "{:16x} |OP {}|LVL {}|SNP {}|TLB {}|LCK {}|BLK {}",
        source.bits(),
        operation(source),
        memory(source),
        snoop(source),
        tlb(source),
        locked(source),
        blocked(source)
    );
    text.truncate(ROOM);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_sources() {
        // A load that hit the first level of caches, and of translation buffers.
        let load = 1 << 1 | 0xa << 5 | 1 << 33 | 0xa << 26 | 1 << 1 << 19;
        for (bits, expected) in [
            (load, "       228100142 |OP LOAD|LVL L1 hit|SNP None|TLB L1 hit|LCK No|BLK  N/A"),
            (
                1 << 2 | 4 << 40,
                "     40000000004 |OP STORE|LVL N/A|SNP N/A|TLB N/A|LCK No|BLK  Addr",
            ),
            (0, "               0 |OP No|LVL N/A|SNP N/A|TLB N/A|LCK No|BLK  N/A"),
        ] {
            assert_eq!(all(DataSource::from_bits(bits)), expected);
        }
        assert_eq!(all(DataSource::from_bits(u64::MAX)).len(), 99);
    }
}
