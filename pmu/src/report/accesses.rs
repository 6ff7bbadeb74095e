//! What an access to data is called: in words of `pmu`, or in those of perf
//! (`tools/perf/util/mem-events.c`).

use std::rc::Rc;

use pmu_events::sample::{DataSource, Hops, Level, Snoop, Tlb};

use crate::profile::known::Known;
use crate::profile::reading::Access;
use crate::profile::sizes;
use crate::profile::sources as of_perf;
use crate::report_values::Key as Column;

/// Whose words are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Words {
    Own,
    OfPerf,
}

/// What the keys of a line take of an access; the rest is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Key {
    address: u64,
    location: u32,
    source: u64,
    weight: u64,
    further_weights: (u16, u16),
    physical_address: u64,
    page_size: u64,
}

impl Key {
    pub(super) fn of(keys: &[Column], access: &Access) -> Self {
        let mut own = Key::default();
        for key in keys {
            match key {
                Column::Data => {
                    own.address = access.address;
                    own.location = access.location.unwrap_or(u32::MAX);
                }
                Column::DataModule => own.location = access.location.unwrap_or(u32::MAX),
                Column::CacheLine => own.address |= access.address & !(LINE - 1),
                Column::PhysicalAddress => own.physical_address = access.physical_address,
                Column::PageSize => own.page_size = access.page_size,
                Column::Memory => own.source |= access.source.bits() & !OF_OTHERS,
                Column::Snoop => own.source |= access.source.bits() & OF_SNOOP,
                Column::Tlb => own.source |= access.source.bits() & OF_TLB,
                Column::Locked => own.source |= access.source.bits() & OF_LOCK,
                Column::Blocked => own.source |= access.source.bits() & OF_BLOCKED,
                Column::Weight => own.weight = access.weight,
                Column::Latency => own.further_weights.0 = access.further_weights.0,
                Column::RetireLatency => own.further_weights.1 = access.further_weights.1,
                _ => {}
            }
        }
        own
    }
}

/// Bits of the fields of `union perf_mem_data_src` that are not about the level.
const OF_SNOOP: u64 = 0x1f << 19 | 3 << 38;
const OF_LOCK: u64 = 3 << 24;
const OF_TLB: u64 = 0x7f << 26;
const OF_BLOCKED: u64 = 7 << 40;
const OF_OTHERS: u64 = 0x1f | OF_SNOOP | OF_LOCK | OF_TLB | OF_BLOCKED;

/// The size of a line of a cache.
const LINE: u64 = 64;

/// The value of a key that is about data.
pub(super) fn value(key: Column, known: &Known, access: &Access, words: Words) -> Rc<str> {
    let source = access.source;
    let text = match key {
        Column::Data => data(known, access),
        Column::DataModule => match access.location {
            Some(location) => return known.module(known.location(location)),
            None => "[unknown]".into(),
        },
        Column::CacheLine => format!("{:#018x}", access.address & !(LINE - 1)),
        Column::PhysicalAddress => format!("{:#018x}", access.physical_address),
        Column::PageSize => page_size(access.page_size, words),
        Column::Weight => access.weight.to_string(),
        Column::Latency => access.further_weights.0.to_string(),
        Column::RetireLatency => access.further_weights.1.to_string(),
        Column::Memory if words == Words::OfPerf => of_perf::memory(source),
        Column::Memory => memory(source),
        Column::Snoop if words == Words::OfPerf => of_perf::snoop(source),
        Column::Snoop => snoop(source).into(),
        Column::Tlb if words == Words::OfPerf => of_perf::tlb(source),
        Column::Tlb => tlb(source),
        Column::Locked if words == Words::OfPerf => of_perf::locked(source).into(),
        Column::Locked => locked(source).into(),
        Column::Blocked if words == Words::OfPerf => of_perf::blocked(source).into(),
        Column::Blocked => blocked(source).into(),
        _ => String::new(),
    };
    Rc::from(text)
}

/// The variable with the place in it, or the address.
fn data(known: &Known, access: &Access) -> String {
    match access.location.and_then(|location| known.location(location).symbol.as_ref()) {
        Some((name, into)) => format!("{name}+{into:#x}"),
        None => format!("{:#018x}", access.address),
    }
}

fn page_size(bytes: u64, words: Words) -> String {
    match words {
        Words::Own => bytes.to_string(),
        Words::OfPerf => sizes::of_perf(bytes).into_owned(),
    }
}

const UNKNOWN: &str = "unknown";

fn memory(source: DataSource) -> String {
    let Some(level) = source.level() else { return UNKNOWN.into() };
    let level = match level {
        Level::L0 => "L0",
        Level::L1 => "L1",
        Level::FillBuffer => "fill buffer",
        Level::L2 => "L2",
        Level::L2MissBuffer => "buffer of L2 misses",
        Level::L3 => "L3",
        Level::L4 => "L4",
        Level::MemorySideCache => "memory-side cache",
        Level::AnyCache => "cache",
        Level::Memory => "memory",
        Level::PersistentMemory => "persistent memory",
        Level::Cxl => "CXL memory",
        Level::Device => "device",
        Level::Uncached => "uncached memory",
        _ => UNKNOWN,
    };
    let whose = match source.hops() {
        Some(Hops::Core) => " of another core",
        Some(Hops::Node) => " of another node",
        Some(Hops::Socket) => " of another socket",
        Some(Hops::Board) => " of another board",
        _ if source.is_remote() => " of another node",
        _ => "",
    };
    format!("{level}{whose}{}", hit(source.is_hit()))
}

fn hit(is_hit: Option<bool>) -> &'static str {
    match is_hit {
        Some(true) => " hit",
        Some(false) => " miss",
        None => "",
    }
}

fn snoop(source: DataSource) -> &'static str {
    match source.snoop() {
        Some(Snoop::None) => "none",
        Some(Snoop::Hit) => "hit",
        Some(Snoop::Miss) => "miss",
        Some(Snoop::HitModified) => "hit modified",
        Some(Snoop::Forwarded) => "forwarded",
        Some(Snoop::Peer) => "peer",
        _ => UNKNOWN,
    }
}

fn tlb(source: DataSource) -> String {
    let level = match source.tlb() {
        Some(Tlb::L1) => "L1",
        Some(Tlb::L2) => "L2",
        Some(Tlb::L1OrL2) => "L1 or L2",
        Some(Tlb::Walker) => "walker",
        Some(Tlb::Fault) => "fault",
        _ => UNKNOWN,
    };
    format!("{level}{}", hit(source.is_tlb_hit()))
}

fn locked(source: DataSource) -> &'static str {
    match source.is_locked() {
        Some(true) => "yes",
        Some(false) => "no",
        None => UNKNOWN,
    }
}

fn blocked(source: DataSource) -> &'static str {
    let (data, address) = (source.is_blocked_by_data(), source.is_blocked_by_address());
    match data.zip(address) {
        None => UNKNOWN,
        Some((false, false)) => "no",
        Some((true, false)) => "by data",
        Some((false, true)) => "by address",
        Some((true, true)) => "by data and address",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words of Intel's PEBS, AMD's IBS and POWER, as their drivers fill them in.
    #[test]
    fn words_of_sources() {
        let hit = 1 << 1 << 5;
        let miss = 1 << 2 << 5;
        let cases = [
            (0, "unknown", "N/A", "unknown", "N/A"),
            // A load that hit the first level of caches and of translation buffers.
            (
                1 << 1 | hit | 1 << 3 << 5 | 1 << 33 | (1 << 1 | 1 << 3) << 26 | 1 << 1 << 19,
                "L1 hit",
                "L1 hit",
                "L1 hit",
                "L1 hit",
            ),
            // Memory of another node.
            (
                hit | 1 << 8 << 5 | 0xd << 33 | 1 << 37,
                "memory of another node hit",
                "Remote RAM hit",
                "unknown",
                "N/A",
            ),
            (miss | 1 << 6 << 5, "L3 miss", "L3 miss", "unknown", "N/A"),
            (
                hit | 2 << 33 | 1 << 37 | 1 << 43,
                "L2 of another core hit",
                "Remote core, same node L2 hit",
                "unknown",
                "N/A",
            ),
            (
                hit | 0xc << 33 | (1 << 2 | 3 << 3 | 1 << 5) << 26,
                "fill buffer hit",
                "LFB/MAB hit",
                "L1 or L2 miss",
                "L1 or L2 or Walker miss",
            ),
            (hit | 7 << 33, "L0 hit", "Unknown level 7 hit", "unknown", "N/A"),
        ];
        for (bits, own_memory, perf_memory, own_tlb, perf_tlb) in cases {
            let source = DataSource::from_bits(bits);
            let found =
                [memory(source), of_perf::memory(source), tlb(source), of_perf::tlb(source)];
            assert_eq!(found, [own_memory, perf_memory, own_tlb, perf_tlb], "{bits:#x}");
        }
        for (bits, own, perf) in [
            (0, "unknown", "N/A"),
            (1 << 4 << 19, "hit modified", "HitM"),
            (1 << 2 << 19 | 1 << 38, "forwarded", "Hit or Fwd"),
            (2 << 38, "peer", "Peer"),
        ] {
            let source = DataSource::from_bits(bits);
            assert_eq!((snoop(source), &*of_perf::snoop(source)), (own, perf), "{bits:#x}");
        }
    }

    #[test]
    fn sizes_of_pages() {
        for (bytes, perf) in
            [(0, "N/A"), (4096, "4K"), (2 << 20, "2M"), (1 << 30, "1024M"), (512, "512B")]
        {
            assert_eq!(page_size(bytes, Words::OfPerf), perf);
            assert_eq!(page_size(bytes, Words::Own), bytes.to_string());
        }
    }
}
