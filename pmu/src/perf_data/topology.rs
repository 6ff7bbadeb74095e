//! Which CPUs share a core, a node or a cache, as a file says.

use pmu_events::sample::ByteOrder;
use pmu_events::sysfs::CpuSet;

use crate::perf_data::words::Words;

/// What a file says of the CPUs of its machine; `None` where it is silent.
pub(crate) struct Topology {
    /// The place of each CPU.
    pub(crate) cpus: Option<Vec<CpuPlace>>,
    /// The CPUs of each NUMA node, with its number.
    pub(crate) nodes: Option<Vec<(i32, CpuSet)>>,
    /// The CPUs of each cache, with its level.
    pub(crate) caches: Option<Vec<(u32, CpuSet)>>,
}

/// Where a CPU is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CpuPlace {
    pub(crate) core: i32,
    pub(crate) socket: i32,
    pub(crate) die: i32,
}

/// `process_cpu_topology` in `tools/perf/util/header.c`
pub(super) fn cpus(bytes: &[u8], order: ByteOrder, number: u32) -> Option<Vec<CpuPlace>> {
    let mut words = Words { bytes, order };
    skip_strings(&mut words)?;
    skip_strings(&mut words)?;
    // The number may be any; the section ends.
    let place = |words: &mut Words<'_>| {
        Some(CpuPlace { core: words.u32()? as i32, socket: words.u32()? as i32, die: 0 })
    };
    let mut places: Vec<CpuPlace> = (0..number).map_while(|_| place(&mut words)).collect();
    if places.len() < number as usize {
        return None;
    }
    // Dies came later.
    if skip_strings(&mut words).is_some() {
        for place in &mut places {
            place.die = words.u32()? as i32;
        }
    }
    Some(places)
}

/// `process_numa_topology`
pub(super) fn nodes(bytes: &[u8], order: ByteOrder) -> Option<Vec<(i32, CpuSet)>> {
    let mut words = Words { bytes, order };
    let number = words.u32()?;
    let node = |words: &mut Words<'_>| {
        let number = words.u32()? as i32;
        // The memory.
        words.take(16)?;
        Some((number, words.string()?.parse().ok()?))
    };
    let nodes: Vec<_> = (0..number).map_while(|_| node(&mut words)).collect();
    (nodes.len() == number as usize).then_some(nodes)
}

/// `process_cache`
pub(super) fn caches(bytes: &[u8], order: ByteOrder) -> Option<Vec<(u32, CpuSet)>> {
    let mut words = Words { bytes, order };
    let (version, number) = (words.u32()?, words.u32()?);
    if version != 1 {
        return None;
    }
    let cache = |words: &mut Words<'_>| {
        let level = words.u32()?;
        // The length of a line, the sets and ways; the type and the size.
        words.take(12)?;
        let _ = (words.string()?, words.string()?);
        Some((level, words.string()?.parse().ok()?))
    };
    let caches: Vec<_> = (0..number).map_while(|_| cache(&mut words)).collect();
    (caches.len() == number as usize).then_some(caches)
}

fn skip_strings(words: &mut Words<'_>) -> Option<()> {
    let number = words.u32()?;
    (0..number).try_for_each(|_| words.string().map(drop))
}
