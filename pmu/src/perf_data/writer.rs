//! Records into a file, which can be read at any time: the header has the length of what is
//! already there.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::FileExt as _;

use crate::perf_data::format::{DATA_SIZE, FINISHED_ROUND, Feature, HEADER, MAGIC, NAME_ALIGN};

/// An event of a file.
pub(crate) struct Event<'e> {
    pub(crate) name: &'e str,
    /// `perf_event_attr`
    pub(crate) attr: &'e [u8],
    pub(crate) ids: Vec<u64>,
}

/// A file that is being written.
pub(crate) struct Writer {
    file: BufWriter<File>,
    /// Where records begin.
    start: u64,
    /// Of the records, in bytes.
    length: u64,
    /// Of the records, when the header was last written.
    told: u64,
    /// Of each record since then.
    lengths: Vec<u16>,
    /// Where the header of the whole file ends.
    head: Vec<u8>,
}

impl Writer {
    /// Begins a file: header, ids and attributes.
    pub(crate) fn new(file: File, events: &[Event<'_>]) -> io::Result<Self> {
        /// Enough for some thousand records.
        const BUFFER: usize = 256 << 10;
        let attrs: Vec<Vec<u8>> = events.iter().map(|event| shortest(event.attr)).collect();
        // All of one length, which the header states once.
        let longest = attrs.iter().map(Vec::len).max().unwrap_or(0);
        let mut ids = Vec::new();
        let mut places = Vec::new();
        for event in events {
            let at = HEADER + ids.len() as u64;
            ids.extend(event.ids.iter().flat_map(|id| id.to_ne_bytes()));
            places.push([at, 8 * event.ids.len() as u64]);
        }
        let mut table = Vec::new();
        for (attr, place) in attrs.iter().zip(places) {
            table.extend_from_slice(attr);
            table.resize(table.len() + longest - attr.len(), 0);
            table.extend(place.iter().flat_map(|word| word.to_ne_bytes()));
        }
        let start = HEADER + (ids.len() + table.len()) as u64;
        let words = [
            MAGIC,
            HEADER,
            longest as u64 + 16,
            HEADER + ids.len() as u64,
            table.len() as u64,
            start,
            0,
            // A section that is no longer used.
            0,
            0,
        ];
        let mut head: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        // The bits of features, of which there are none yet.
        head.resize(HEADER as usize, 0);
        let mut file = BufWriter::with_capacity(BUFFER, file);
        file.write_all(&head)?;
        file.write_all(&ids)?;
        file.write_all(&table)?;
        file.flush()?;
        Ok(Writer { file, start, length: 0, told: 0, lengths: Vec::new(), head })
    }

    /// Writes a whole record.
    pub(crate) fn record(&mut self, record: &[u8]) -> io::Result<()> {
        self.length += record.len() as u64;
        self.lengths.push(record.len() as u16);
        self.file.write_all(record)
    }

    /// How long the records are, in bytes.
    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// Ends a round, if there was something in it, and makes the header true.
    pub(crate) fn finish_round(&mut self) -> io::Result<()> {
        if self.length == self.told {
            return Ok(());
        }
        let mut record = FINISHED_ROUND.to_ne_bytes().to_vec();
        record.extend(0_u16.to_ne_bytes());
        record.extend(8_u16.to_ne_bytes());
        self.record(&record)?;
        self.file.flush()?;
        self.file.get_ref().write_all_at(&self.length.to_ne_bytes(), DATA_SIZE)?;
        self.told = self.length;
        self.lengths.clear();
        Ok(())
    }

    /// Ends the file with its features. Returns its length.
    pub(crate) fn finish(mut self, mut features: Vec<(Feature, Vec<u8>)>) -> io::Result<u64> {
        self.finish_round()?;
        features.sort_by_key(|&(feature, _)| feature);
        let mut at = self.start + self.length + 16 * features.len() as u64;
        for (_, contents) in &features {
            self.file.write_all(&at.to_ne_bytes())?;
            self.file.write_all(&(contents.len() as u64).to_ne_bytes())?;
            at += contents.len() as u64;
        }
        for (_, contents) in &features {
            self.file.write_all(contents)?;
        }
        self.file.flush()?;
        // Only now, when all are there, does the header have them.
        let bits = features.iter().fold(0_u64, |bits, &(feature, _)| bits | 1 << feature as u32);
        self.head[72..80].copy_from_slice(&bits.to_ne_bytes());
        self.file.get_ref().write_all_at(&self.head[72..], 72)?;
        Ok(at)
    }
}

impl Drop for Writer {
    /// A round that could not be written, as on a full disk, still counts up to the last record
    /// that is all there.
    fn drop(&mut self) {
        if self.lengths.is_empty() {
            return;
        }
        let _ = self.file.flush();
        let Ok(metadata) = self.file.get_ref().metadata() else { return };
        let there = metadata.len().saturating_sub(self.start);
        let ends = self.lengths.iter().scan(self.told, |end, &length| {
            *end += u64::from(length);
            Some(*end)
        });
        if let Some(length) = ends.take_while(|&end| end <= there).last() {
            // Nobody can be told that this failed, too.
            let _ = self.file.get_ref().write_all_at(&length.to_ne_bytes(), DATA_SIZE);
        }
    }
}

/// The attributes without fields at their end that are 0, so that an older perf, which refuses
/// those that it does not know, reads them; with the length in their field `size`.
fn shortest(attr: &[u8]) -> Vec<u8> {
    /// `PERF_ATTR_SIZE_VER0` to `PERF_ATTR_SIZE_VER9`
    const LENGTHS: [usize; 10] = [64, 72, 80, 96, 104, 112, 120, 128, 136, 144];
    /// That of Linux 4.1, which every perf of today knows.
    const LEAST: usize = 112;
    let is_enough = |&length: &usize| {
        length >= LEAST && attr.get(length..).is_none_or(|rest| rest.iter().all(|&byte| byte == 0))
    };
    let length = LENGTHS.into_iter().find(is_enough).unwrap_or(attr.len());
    let mut short = attr.to_vec();
    short.resize(length, 0);
    short[4..8].copy_from_slice(&(length as u32).to_ne_bytes());
    short
}

/// `struct perf_header_string`
pub(crate) fn string(text: &str) -> Vec<u8> {
    let length = (text.len() + 1).next_multiple_of(NAME_ALIGN);
    let mut bytes = (length as u32).to_ne_bytes().to_vec();
    bytes.extend_from_slice(text.as_bytes());
    bytes.resize(4 + length, 0);
    bytes
}

/// Several strings, with their number before them.
pub(crate) fn strings<'t>(texts: impl ExactSizeIterator<Item = &'t str>) -> Vec<u8> {
    let number = (texts.len() as u32).to_ne_bytes().to_vec();
    [number].into_iter().chain(texts.map(string)).collect::<Vec<_>>().concat()
}

/// The events with their names (`write_event_desc`).
pub(crate) fn event_description(events: &[Event<'_>]) -> Vec<u8> {
    let attrs: Vec<Vec<u8>> = events.iter().map(|event| shortest(event.attr)).collect();
    let longest = attrs.iter().map(Vec::len).max().unwrap_or(0);
    let mut bytes = (events.len() as u32).to_ne_bytes().to_vec();
    bytes.extend((longest as u32).to_ne_bytes());
    for (event, attr) in events.iter().zip(&attrs) {
        bytes.extend_from_slice(attr);
        bytes.resize(bytes.len() + longest - attr.len(), 0);
        bytes.extend((event.ids.len() as u32).to_ne_bytes());
        bytes.extend(string(event.name));
        bytes.extend(event.ids.iter().flat_map(|id| id.to_ne_bytes()));
    }
    bytes
}

/// What stands for the name of a group that has none (`write_group_desc`).
pub(crate) const NO_NAME: &str = "{anon_group}";

/// The groups of several events, each with the number of its leader and of its events.
pub(crate) fn group_description(groups: &[(u32, u32)]) -> Vec<u8> {
    let mut bytes = (groups.len() as u32).to_ne_bytes().to_vec();
    for (leader, members) in groups {
        bytes.extend(string(NO_NAME));
        bytes.extend(leader.to_ne_bytes());
        bytes.extend(members.to_ne_bytes());
    }
    bytes
}

/// The build id of a file (`struct perf_record_header_build_id`).
pub(crate) fn build_id(id: &[u8], is_kernel: bool, path: &[u8]) -> Vec<u8> {
    /// `PERF_RECORD_MISC_BUILD_ID_SIZE`
    const HAS_SIZE: u16 = 1 << 15;
    const ROOM: usize = 20;
    let length = (path.len() + 1).next_multiple_of(NAME_ALIGN);
    let mode = if is_kernel { super::format::OF_KERNEL } else { super::format::OF_USER };
    let size = (8 + 4 + 24 + length) as u16;
    let mut bytes = 0_u32.to_ne_bytes().to_vec();
    bytes.extend((mode | HAS_SIZE).to_ne_bytes());
    bytes.extend(size.to_ne_bytes());
    // The process of the host.
    bytes.extend((-1_i32).to_ne_bytes());
    let id = &id[..id.len().min(ROOM)];
    bytes.extend_from_slice(id);
    bytes.resize(12 + ROOM, 0);
    bytes.push(id.len() as u8);
    bytes.resize(12 + 24, 0);
    bytes.extend_from_slice(path);
    bytes.resize(size.into(), 0);
    bytes
}
