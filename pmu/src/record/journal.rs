//! What of the records must be known for the end of the file.

use std::collections::BTreeMap;

use pmu_events::sample::{Body, ByteOrder, Layout};

use crate::perf_data::format::{LOST, MMAP2, SAMPLE};

/// What was recorded.
#[derive(Default)]
pub(super) struct Journal {
    pub(super) samples: u64,
    /// The records that the kernel says were lost.
    pub(super) lost: u64,
    /// The times of the first and of the last sample.
    pub(super) times: Option<(u64, u64)>,
    /// Files whose code was mapped, with their build ids if the mappings say them.
    pub(super) files: BTreeMap<Vec<u8>, Option<Vec<u8>>>,
}

impl Journal {
    /// More files than any program maps: a hostile one could map files without end.
    const MOST_FILES: usize = 100_000;

    /// Looks at a record.
    pub(super) fn note(&mut self, layout: &Layout, record: &[u8]) {
        let Some(kind) = record.first_chunk().map(|&bytes| ByteOrder::NATIVE.u32(bytes)) else {
            return;
        };
        match kind {
            SAMPLE => {
                self.samples += 1;
                self.note_time(layout, record);
            }
            LOST | MMAP2 => match layout.parse(record).as_ref().map(|record| *record.body()) {
                Ok(Body::Lost(lost)) => self.lost += lost.lost(),
                Ok(Body::Mmap(mmap)) if !mmap.is_data() => {
                    self.add_file(mmap.path(), mmap.build_id());
                }
                _ => {}
            },
            _ => {}
        }
    }

    #[inline]
    fn note_time(&mut self, layout: &Layout, record: &[u8]) {
        let time = layout.parse(record).ok().and_then(|record| record.stamp().time());
        let Some(time) = time.filter(|&time| time > 0) else { return };
        let (first, last) = self.times.unwrap_or((time, time));
        self.times = Some((first.min(time), last.max(time)));
    }

    fn add_file(&mut self, path: &[u8], build_id: Option<&[u8]>) {
        if path.first() == Some(&b'/')
            && !path.starts_with(b"//anon")
            && self.files.len() < Self::MOST_FILES
            && !self.files.contains_key(path)
        {
            self.files.insert(path.to_vec(), build_id.map(<[u8]>::to_vec));
        }
    }
}
