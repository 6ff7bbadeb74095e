//! A file of perf's format: its events, its records in the order of time, its features.
//!
//! The file may be cut off, damaged, hostile, or of a machine with the other order of bytes. No
//! number in it is believed before the file is known to be that long, and no more is kept in
//! memory than the file has.

use std::collections::{BTreeMap, HashMap};
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::time::SystemTime;

use pmu_events::sample::{ByteOrder, Fields, Layout, Record};

use crate::perf_data::counts;
use crate::perf_data::format::{
    AUXTRACE, COMPRESSED, COMPRESSED2, FINISHED_ROUND, Feature, HEADER, MAGIC, RAW, SAMPLE,
    SOFTWARE, TRACEPOINT,
};
use crate::perf_data::topology::{self, Topology};
use crate::perf_data::tracing::{self, Tracing};
use crate::perf_data::words::Words;

/// An open file.
pub(crate) struct Reader {
    source: Source,
    pub(crate) order: ByteOrder,
    pub(crate) events: Vec<Event>,
    /// The number of the event of each id.
    ids: HashMap<u64, usize>,
    /// Where the records are.
    start: u64,
    end: u64,
    features: BTreeMap<u32, (u64, u64)>,
    /// What is wrong with the file, though its records can be read.
    pub(crate) notes: Vec<String>,
}

/// An event of a file.
pub(crate) struct Event {
    /// As the user wrote it, or what stands for it.
    pub(crate) name: String,
    pub(crate) layout: Layout,
    /// `type`, `config` and the flags of `perf_event_attr`, the first in the lowest bit.
    pub(crate) kind: u32,
    pub(crate) config: u64,
    pub(crate) flags: u64,
    /// The number of a tracepoint, if it is one.
    pub(crate) tracepoint: Option<u64>,
    /// What a sample stands for that does not say so.
    pub(crate) period: u64,
    /// Whether the address of data is where the event was (`sample_addr_correlates_sym` in
    /// `tools/perf/util/event.c`).
    pub(crate) is_at_data: bool,
    /// Whether it is a code of a CPU.
    pub(crate) is_raw: bool,
}

/// Why a file cannot be read.
#[derive(Debug)]
pub(crate) struct Fault(pub(crate) String);

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Fault(error.to_string())
    }
}

fn fault<T>(message: impl Into<String>) -> Result<T, Fault> {
    Err(Fault(message.into()))
}

/// Bytes at any place.
struct Source {
    file: File,
    length: u64,
}

impl Source {
    /// So many bytes, if the file has them.
    fn bytes(&self, at: u64, length: u64) -> Result<Vec<u8>, Fault> {
        if at.checked_add(length).is_none_or(|end| end > self.length) {
            return fault("the file ends within what its header announces");
        }
        // The file has them, so that there is as much memory as there is file.
        let mut bytes = vec![0; length as usize];
        self.read(at, &mut bytes)?;
        Ok(bytes)
    }

    fn read(&self, at: u64, bytes: &mut [u8]) -> Result<(), Fault> {
        Ok(self.file.read_exact_at(bytes, at)?)
    }
}

impl Reader {
    /// Opens a file, and reads all but its records.
    pub(crate) fn open(path: &Path) -> Result<Self, Fault> {
        let file = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path)?;
        Self::of_file(file)
    }

    /// Reads all of an open file but its records.
    pub(crate) fn of_file(file: File) -> Result<Self, Fault> {
        let about = file.metadata()?;
        if !about.is_file() {
            return fault("is not a regular file; a recording in a pipe must be stored first");
        }
        Self::of(Source { file, length: about.len() })
    }

    fn of(source: Source) -> Result<Self, Fault> {
        if source.length == 0 {
            return fault("is empty");
        }
        let Ok(header) = source.bytes(0, HEADER) else {
            return fault("is no recording: it is shorter than a header");
        };
        let first = header.first_chunk().copied().unwrap_or_default();
        let order = match (u64::from_ne_bytes(first), u64::from_ne_bytes(first).swap_bytes()) {
            (MAGIC, _) => ByteOrder::NATIVE,
            (_, MAGIC) => match ByteOrder::NATIVE {
                ByteOrder::Little => ByteOrder::Big,
                ByteOrder::Big => ByteOrder::Little,
            },
            _ => return fault("is no recording in the format of perf (`PERFILE2`)"),
        };
        let mut words = Words { bytes: &header[8..], order };
        let mut next = || words.u64().unwrap_or(0);
        let (size, attr_size) = (next(), next());
        let (attrs, start, length) = ((next(), next()), next(), next());
        let _ = (next(), next());
        let bits: Vec<u64> = (0..4).map(|_| next()).collect();
        if size == 16 {
            return fault("is a recording for a pipe, which has no index");
        }
        if size != HEADER {
            return fault("has a header of an unknown length");
        }
        let mut reader = Reader {
            source,
            order,
            events: Vec::new(),
            ids: HashMap::new(),
            start,
            end: start.saturating_add(length),
            features: BTreeMap::new(),
            notes: Vec::new(),
        };
        reader.find_records(length)?;
        reader.read_features(&bits);
        reader.read_events(attrs, attr_size)?;
        Ok(reader)
    }

    /// A recording that was killed by an older perf has no length, and one that was copied may
    /// have been cut off.
    fn find_records(&mut self, length: u64) -> Result<(), Fault> {
        let all = self.source.length;
        if self.start < HEADER || self.start > all {
            return fault("has records where the file is already over");
        }
        if length == 0 && self.start < all {
            self.notes.push("the recording was not ended; what is there is read".into());
            self.end = all;
        } else if self.end > all {
            self.notes.push("the file is cut off; what is there is read".into());
            self.end = all;
        }
        Ok(())
    }

    fn read_features(&mut self, bits: &[u64]) {
        let is_set = |feature: &u32| {
            bits.get(*feature as usize / 64).is_some_and(|word| word >> (feature % 64) & 1 == 1)
        };
        let set: Vec<u32> = (0..256).filter(is_set).collect();
        let Ok(table) = self.source.bytes(self.end, 16 * set.len() as u64) else { return };
        let mut words = Words { bytes: &table, order: self.order };
        for feature in set {
            if let (Some(at), Some(length)) = (words.u64(), words.u64()) {
                self.features.insert(feature, (at, length));
            }
        }
    }

    /// The contents of a section, by its bit.
    pub(crate) fn section(&self, bit: u32) -> Option<Vec<u8>> {
        let &(at, length) = self.features.get(&bit)?;
        self.source.bytes(at, length).ok()
    }

    /// Where the records begin and end in the file.
    pub(crate) fn place_of_records(&self) -> (u64, u64) {
        (self.start, self.end)
    }

    /// When the file was written.
    pub(crate) fn written_at(&self) -> Option<SystemTime> {
        self.source.file.metadata().ok()?.modified().ok()
    }

    /// The contents of a feature.
    fn feature(&self, feature: Feature) -> Option<Vec<u8>> {
        self.section(feature as u32)
    }

    /// The times of the first and of the last sample, if the file has them.
    pub(crate) fn bounds(&self) -> Option<(u64, u64)> {
        let bytes = self.feature(Feature::SampleTime)?;
        let mut words = Words { bytes: &bytes, order: self.order };
        let bounds = (words.u64()?, words.u64()?);
        (bounds != (0, 0)).then_some(bounds)
    }

    /// The formats of tracepoints.
    pub(crate) fn tracing(&self) -> Tracing {
        self.feature(Feature::TracingData).map(|bytes| tracing::parse(&bytes)).unwrap_or_default()
    }

    /// The words of the command line that made the file.
    pub(crate) fn command_line(&self) -> Option<Vec<String>> {
        let bytes = self.feature(Feature::CommandLine)?;
        let mut words = Words { bytes: &bytes, order: self.order };
        let number = words.u32()? as usize;
        (0..number.min(bytes.len())).map(|_| words.string()).collect()
    }

    /// What the file says of the machine's CPUs.
    pub(crate) fn topology(&self) -> Topology {
        let cpus = self.feature(Feature::NumberOfCpus);
        let cpus = cpus.and_then(|bytes| Words { bytes: &bytes, order: self.order }.u32());
        let section = |feature| self.feature(feature).unwrap_or_default();
        Topology {
            cpus: topology::cpus(&section(Feature::CpuTopology), self.order, cpus.unwrap_or(0)),
            nodes: topology::nodes(&section(Feature::NumaTopology), self.order),
            caches: topology::caches(&section(Feature::Cache), self.order),
        }
    }

    /// The build ids of files, by their paths.
    pub(crate) fn build_ids(&self) -> HashMap<Vec<u8>, Vec<u8>> {
        const HAS_SIZE: u16 = 1 << 15;
        let Some(bytes) = self.feature(Feature::BuildId) else { return HashMap::new() };
        let mut rest = &bytes[..];
        let mut found = HashMap::new();
        while let Some(head) = rest.first_chunk::<36>() {
            let misc = self.order.u16([head[4], head[5]]);
            let size = usize::from(self.order.u16([head[6], head[7]]));
            let Some(path) = rest.get(head.len()..size) else { break };
            let length = if misc & HAS_SIZE != 0 { usize::from(head[32]).min(20) } else { 20 };
            let end = path.iter().position(|&byte| byte == 0).unwrap_or(path.len());
            found.insert(path[..end].to_vec(), head[12..12 + length].to_vec());
            rest = &rest[size..];
        }
        found
    }

    fn read_events(&mut self, (at, length): (u64, u64), attr_size: u64) -> Result<(), Fault> {
        /// A section, behind the attributes.
        const SECTION: u64 = 16;
        /// `PERF_ATTR_SIZE_VER0`
        const LEAST: u64 = 64;
        if !(LEAST + SECTION..=4096).contains(&attr_size) {
            return fault("has attributes of an unknown length");
        }
        let table = self.source.bytes(at, length)?;
        let names = self.names();
        let mut of_ids = 0_u64;
        for (n, entry) in table.chunks_exact(attr_size as usize).enumerate() {
            let (attr, section) = entry.split_at((attr_size - SECTION) as usize);
            let mut words = Words { bytes: section, order: self.order };
            let (at, length) = (words.u64().unwrap_or(0), words.u64().unwrap_or(0));
            // Lists of ids do not overlap.
            of_ids = of_ids.saturating_add(length);
            if of_ids > self.source.length {
                return fault("has more ids of events than the file is long");
            }
            let ids = self.source.bytes(at, length)?;
            let mut ids = Words { bytes: &ids, order: self.order };
            while let Some(id) = ids.u64() {
                self.ids.insert(id, n);
            }
            let mut words = Words { bytes: attr, order: self.order };
            let kind = words.u32().unwrap_or(0);
            let _ = words.u32();
            let (config, period) = (words.u64().unwrap_or(0), words.u64().unwrap_or(1));
            let _ = (words.u64(), words.u64());
            let flags = words.u64().unwrap_or(0);
            self.events.push(Event {
                name: names.get(n).cloned().unwrap_or_else(|| plain_name(kind, config)),
                layout: Layout::of_bytes(attr, self.order),
                kind,
                config,
                flags: match self.order {
                    ByteOrder::Little => flags,
                    ByteOrder::Big => flags.reverse_bits(),
                },
                tracepoint: (kind == TRACEPOINT).then_some(config),
                period,
                // Page faults of all kinds.
                is_at_data: kind == SOFTWARE && matches!(config, 2 | 5 | 6),
                is_raw: kind == RAW,
            });
        }
        if self.events.is_empty() {
            return fault("has no event");
        }
        Ok(())
    }

    /// The names of the events, in their order.
    fn names(&self) -> Vec<String> {
        let Some(bytes) = self.feature(Feature::EventDescription) else { return Vec::new() };
        let mut words = Words { bytes: &bytes, order: self.order };
        let mut names = Vec::new();
        let next = |words: &mut Words<'_>, size: usize| {
            words.take(size)?;
            let ids = words.u32()? as usize;
            let name = words.string()?;
            words.take(ids.checked_mul(8)?)?;
            Some(name)
        };
        let (number, size) = (words.u32().unwrap_or(0), words.u32().unwrap_or(0) as usize);
        for _ in 0..number {
            match next(&mut words, size) {
                Some(name) => names.push(name),
                None => break,
            }
        }
        names
    }

    /// The names of the events, in their order.
    pub(crate) fn event_names(&self) -> Vec<String> {
        self.events.iter().map(|event| event.name.clone()).collect()
    }

    /// The event of a record, by its number.
    fn event_of(&self, record: &[u8]) -> usize {
        if self.events.len() == 1 {
            return 0;
        }
        let id = self.events[0].layout.identifier(record).or_else(|| {
            // Without an identifier, the id of a sample is where its event says.
            let parsed = self.events[0].layout.parse(record).ok()?;
            parsed.stamp().id()
        });
        id.and_then(|id| self.ids.get(&id)).copied().unwrap_or(0)
    }

    /// Calls `each` with all records, in the order of their times: the number of the event, and
    /// the record; its error ends them. Returns how many records are damaged.
    pub(crate) fn records<E: From<Fault>>(
        &mut self,
        each: &mut dyn FnMut(usize, &Record<'_>) -> Result<(), E>,
    ) -> Result<u64, E> {
        let mut rounds = Rounds::default();
        let mut chunks = Chunks { at: self.start, end: self.end, bytes: Vec::new(), next: 0 };
        let mut damaged = 0;
        loop {
            let record = match chunks.next(&self.source, self.order) {
                Ok(Some(record)) => record,
                Ok(None) => break,
                Err(Fault(why)) => {
                    self.notes.push(format!("the rest of the records is left out: {why}"));
                    break;
                }
            };
            let kind = record.first_chunk().map_or(0, |&bytes| self.order.u32(bytes));
            match kind {
                FINISHED_ROUND => {
                    rounds
                        .finish(&mut |event, bytes| self.pass(event, bytes, &mut damaged, each))?;
                    continue;
                }
                COMPRESSED | COMPRESSED2 => {
                    fault("has compressed records, which `perf inject` unpacks")?;
                }
                AUXTRACE => {
                    // Its data follow, which are no records.
                    let length = record.get(8..).and_then(|rest| rest.first_chunk());
                    let length = length.map_or(0, |&bytes| self.order.u64(bytes));
                    chunks.skip(length);
                    continue;
                }
                _ => {}
            }
            let event = self.event_of(record);
            match self.time_of(kind, event, record) {
                Some(time) => rounds.add(Waiting::new(time, event, record), record),
                None => damaged += 1,
            }
        }
        rounds.finish_all(&mut |event, bytes| self.pass(event, bytes, &mut damaged, each))?;
        Ok(damaged)
    }

    /// Calls `each` with all records of counts, in the order of the file; its error ends them.
    pub(crate) fn counts<E: From<Fault>>(
        &mut self,
        each: &mut dyn FnMut(counts::Record) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut chunks = Chunks { at: self.start, end: self.end, bytes: Vec::new(), next: 0 };
        loop {
            match chunks.next(&self.source, self.order) {
                Ok(Some(record)) => {
                    if let Some(record) = counts::Record::parse(record, self.order) {
                        each(record)?;
                    }
                }
                Ok(None) => return Ok(()),
                Err(Fault(why)) => {
                    self.notes.push(format!("the rest of the records is left out: {why}"));
                    return Ok(());
                }
            }
        }
    }

    /// The event of an id. A file of one event needs none.
    pub(crate) fn event_of_id(&self, id: u64) -> Option<usize> {
        match self.events.len() {
            1 => Some(0),
            _ => self.ids.get(&id).copied(),
        }
    }

    /// The time of a record; a sample is not parsed for it, because it is when its turn comes
    /// (`perf_output_sample` in `kernel/events/core.c`).
    fn time_of(&self, kind: u32, event: usize, record: &[u8]) -> Option<u64> {
        let layout = &self.events[event].layout;
        if kind != SAMPLE {
            return Some(layout.parse(record).ok()?.stamp().time().unwrap_or(0));
        }
        let has = |field| layout.fields().contains(field);
        if !has(Fields::TIME) {
            return Some(0);
        }
        let before = [Fields::IDENTIFIER, Fields::IP, Fields::TID];
        let before = before.into_iter().filter(|&field| has(field)).count();
        let word = record.get(8 + 8 * before..)?.first_chunk()?;
        Some(self.order.u64(*word))
    }

    fn pass<E>(
        &self,
        event: usize,
        record: &[u8],
        damaged: &mut u64,
        each: &mut dyn FnMut(usize, &Record<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        match self.events[event].layout.parse(record) {
            Ok(record) => each(event, &record),
            Err(_) => {
                *damaged += 1;
                Ok(())
            }
        }
    }
}

/// What stands for an event without a name.
fn plain_name(kind: u32, config: u64) -> String {
    const SOFTWARE: [&str; 3] = ["cpu-clock", "task-clock", "page-faults"];
    const HARDWARE: [&str; 2] = ["cycles", "instructions"];
    let named = match kind {
        0 => HARDWARE.get(config as usize),
        1 => SOFTWARE.get(config as usize),
        _ => None,
    };
    named.map_or_else(|| format!("type {kind} config {config:#x}"), |&name| name.to_owned())
}

/// The records of a file, read in large pieces.
struct Chunks {
    at: u64,
    end: u64,
    bytes: Vec<u8>,
    /// Where the next one is among the bytes.
    next: usize,
}

impl Chunks {
    fn next(&mut self, source: &Source, order: ByteOrder) -> Result<Option<&[u8]>, Fault> {
        const HEADER: usize = 8;
        if !self.has(source, HEADER)? {
            return match self.bytes.len() - self.next {
                0 => Ok(None),
                _ => fault("one ends in its header"),
            };
        }
        let head = &self.bytes[self.next..];
        let length = usize::from(order.u16([head[6], head[7]]));
        if length < HEADER {
            return fault("one is shorter than its header");
        }
        if !self.has(source, length)? {
            return fault("one ends after the file");
        }
        let start = self.next;
        self.next += length;
        Ok(Some(&self.bytes[start..self.next]))
    }

    /// Whether so many bytes are there, after reading if they must be read.
    fn has(&mut self, source: &Source, length: usize) -> Result<bool, Fault> {
        const PIECE: u64 = 1 << 20;
        if self.bytes.len() - self.next >= length {
            return Ok(true);
        }
        self.bytes.drain(..self.next);
        self.next = 0;
        let more = PIECE.min(self.end.saturating_sub(self.at));
        let here = self.bytes.len();
        self.bytes.resize(here + more as usize, 0);
        source.read(self.at, &mut self.bytes[here..])?;
        self.at += more;
        Ok(self.bytes.len() >= length)
    }

    fn skip(&mut self, length: u64) {
        let here = (self.bytes.len() - self.next) as u64;
        match length.checked_sub(here) {
            None => self.next += length as usize,
            Some(further) => {
                self.next = self.bytes.len();
                self.at = self.at.saturating_add(further).min(self.end);
            }
        }
    }
}

/// Records that wait for older ones, in the memory of their rounds.
#[derive(Default)]
struct Rounds {
    bytes: Vec<u8>,
    /// In the order of their places until they are sorted.
    waiting: Vec<Waiting>,
    /// The latest time of this round, and of the one before.
    latest: u64,
    before: u64,
    /// Memory for what goes on waiting.
    kept: Vec<u8>,
}

/// A record that waits.
#[derive(Clone, Copy)]
struct Waiting {
    time: u64,
    /// Its place among the bytes.
    at: usize,
    length: u32,
    event: u32,
}

impl Waiting {
    fn new(time: u64, event: usize, record: &[u8]) -> Self {
        Waiting { time, at: 0, length: record.len() as u32, event: event as u32 }
    }

    fn of<'b>(&self, bytes: &'b [u8]) -> &'b [u8] {
        &bytes[self.at..self.at + self.length as usize]
    }
}

/// Takes the number of an event, and a record.
type Pass<'p, E> = dyn FnMut(usize, &[u8]) -> Result<(), E> + 'p;

impl Rounds {
    fn add(&mut self, waiting: Waiting, record: &[u8]) {
        self.latest = self.latest.max(waiting.time);
        self.waiting.push(Waiting { at: self.bytes.len(), ..waiting });
        self.bytes.extend_from_slice(record);
    }

    /// What is not later than the round before is complete.
    fn finish<E>(&mut self, pass: &mut Pass<'_, E>) -> Result<(), E> {
        let limit = std::mem::replace(&mut self.before, self.latest);
        self.pass_up_to(limit, pass)
    }

    fn finish_all<E>(&mut self, pass: &mut Pass<'_, E>) -> Result<(), E> {
        self.pass_up_to(u64::MAX, pass)
    }

    fn pass_up_to<E>(&mut self, limit: u64, pass: &mut Pass<'_, E>) -> Result<(), E> {
        // Each buffer is in order, so that there are a few runs to merge; equal times stay in theirs.
        self.waiting.sort_by_key(|waiting| waiting.time);
        let number = self.waiting.partition_point(|waiting| waiting.time <= limit);
        for waiting in &self.waiting[..number] {
            pass(waiting.event as usize, waiting.of(&self.bytes))?;
        }
        if number > 0 {
            // Those that still wait move to the beginning.
            self.kept.clear();
            for waiting in &mut self.waiting[number..] {
                let start = self.kept.len();
                self.kept.extend_from_slice(waiting.of(&self.bytes));
                waiting.at = start;
            }
            self.waiting.drain(..number);
            std::mem::swap(&mut self.bytes, &mut self.kept);
        }
        Ok(())
    }
}
