//! Files of samples, as perf and `pmu record` write them, of whatever a test wants sampled.

/// `perf_event_sample_format`: what the samples have, in the order of their words.
pub const IP: u64 = 1 << 0;
pub const TID: u64 = 1 << 1;
pub const TIME: u64 = 1 << 2;
pub const ADDR: u64 = 1 << 3;
pub const CALLCHAIN: u64 = 1 << 5;
pub const CPU: u64 = 1 << 7;
pub const PERIOD: u64 = 1 << 8;
pub const DATA_SOURCE: u64 = 1 << 15;
pub const PHYSICAL_ADDRESS: u64 = 1 << 19;
pub const PAGE_SIZE: u64 = 1 << 22;
pub const WEIGHTS: u64 = 1 << 24;

/// `PERF_RECORD_MISC_KERNEL`, `PERF_RECORD_MISC_USER`, `PERF_RECORD_MISC_MMAP_DATA`
pub const OF_KERNEL: u16 = 1;
pub const OF_USER: u16 = 2;
pub const OF_DATA: u16 = 1 << 13;

/// The only process.
pub const PROCESS: u32 = 70;

/// A file that is being made, with one event.
pub struct Recording {
    sample_type: u64,
    records: Vec<u8>,
    time: u64,
}

impl Recording {
    /// A file whose samples have an address, a thread, a time, a CPU and a period, and also some
    /// fields.
    pub fn new(fields: u64) -> Self {
        let sample_type = IP | TID | TIME | CPU | PERIOD | fields;
        let mut recording = Recording { sample_type, records: Vec::new(), time: 1_000_000_000 };
        recording.rename("program");
        recording
    }

    /// The thread has a name from now on (`PERF_RECORD_COMM`).
    pub fn rename(&mut self, name: &str) {
        self.side(3, OF_USER, &[task()], name.as_bytes());
    }

    /// `PERF_RECORD_MMAP2`
    pub fn map(&mut self, kind: u16, start: u64, length: u64, offset: u64, path: &str) {
        let words = [task(), start, length, offset, 0, 0, 0, 0x2_0000_0003];
        self.side(10, OF_USER | kind, &words, path.as_bytes());
    }

    /// A sample at an address, with the words of the further fields in the order of their bits.
    /// `ADDR` comes before the CPU.
    pub fn sample(&mut self, level: u16, ip: u64, address: Option<u64>, further: &[u64]) {
        self.time += 1000;
        let mut words = vec![ip, task(), self.time];
        words.extend(address);
        words.extend([0, 1000]);
        words.extend_from_slice(further);
        self.record(9, level, &words, &[]);
    }

    /// A record that is no sample, with a stamp: a task, a time and a CPU.
    fn side(&mut self, kind: u32, misc: u16, words: &[u64], text: &[u8]) {
        let mut padded = text.to_vec();
        padded.resize((text.len() + 1).next_multiple_of(8), 0);
        for word in [task(), self.time, 0] {
            padded.extend(word.to_ne_bytes());
        }
        self.record(kind, misc, words, &padded);
    }

    fn record(&mut self, kind: u32, misc: u16, words: &[u64], behind: &[u8]) {
        let length = (8 + 8 * words.len() + behind.len()) as u16;
        self.records.extend(kind.to_ne_bytes());
        self.records.extend(misc.to_ne_bytes());
        self.records.extend(length.to_ne_bytes());
        self.records.extend(words.iter().flat_map(|word| word.to_ne_bytes()));
        self.records.extend_from_slice(behind);
    }

    /// The file.
    pub fn bytes(&self) -> Vec<u8> {
        const HEADER: u64 = 104;
        const ATTR: u64 = 128;
        let mut file = b"PERFILE2".to_vec();
        if cfg!(target_endian = "big") {
            file.reverse();
        }
        let (attrs, records) = (HEADER, HEADER + ATTR + 16);
        let lengths = [HEADER, ATTR + 16, attrs, ATTR + 16, records, self.records.len() as u64];
        let words = lengths.into_iter().chain([0; 6]);
        file.extend(words.flat_map(u64::to_ne_bytes));
        // `cpu-clock`, with a period, stamps, and times of the samples.
        let mut attr = Vec::new();
        attr.extend(1_u32.to_ne_bytes());
        attr.extend((ATTR as u32).to_ne_bytes());
        let flags: u64 = if cfg!(target_endian = "big") { 1 << 45 } else { 1 << 18 };
        for word in [0, 1000, self.sample_type, 0, flags] {
            attr.extend(word.to_ne_bytes());
        }
        attr.resize(ATTR as usize, 0);
        file.extend(attr);
        // No ids.
        file.extend([0; 16]);
        file.extend_from_slice(&self.records);
        file
    }
}

fn task() -> u64 {
    let half = u64::from(PROCESS);
    half << 32 | half
}

/// A data source (`union perf_mem_data_src`) of a load: the bits of its level, the number of its
/// level, the bits of a snoop and of the translation buffer.
pub fn load(level: u64, number: u64, snoop: u64, tlb: u64) -> u64 {
    1 << 1 | level << 5 | snoop << 19 | tlb << 26 | number << 33
}
