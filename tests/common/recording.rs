//! Files of samples, as perf and `pmu record` write them, of whatever a test wants sampled.

/// `perf_event_sample_format`: what the samples have, in the order of their words.
pub const IP: u64 = 1 << 0;
pub const TID: u64 = 1 << 1;
pub const TIME: u64 = 1 << 2;
pub const ADDR: u64 = 1 << 3;
pub const CALLCHAIN: u64 = 1 << 5;
pub const CPU: u64 = 1 << 7;
pub const PERIOD: u64 = 1 << 8;
pub const BRANCHES: u64 = 1 << 11;
pub const DATA_SOURCE: u64 = 1 << 15;
pub const PHYSICAL_ADDRESS: u64 = 1 << 19;
pub const CGROUP: u64 = 1 << 21;
pub const PAGE_SIZE: u64 = 1 << 22;
pub const CODE_PAGE_SIZE: u64 = 1 << 23;
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
    /// `PERF_TYPE_SOFTWARE`, or another.
    kind: u32,
    config: u64,
    records: Vec<u8>,
    time: u64,
}

impl Recording {
    /// A file whose samples have an address, a thread, a time, a CPU and a period, and also some
    /// fields.
    pub fn new(fields: u64) -> Self {
        let sample_type = IP | TID | TIME | CPU | PERIOD | fields;
        let mut recording =
            Recording { sample_type, kind: 1, config: 0, records: Vec::new(), time: 1_000_000_000 };
        recording.rename("program");
        recording
    }

    /// The event is a code of a CPU (`PERF_TYPE_RAW`).
    pub fn of_cpu(self) -> Self {
        Recording { kind: 4, config: 0x1cd, ..self }
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

    /// The same record, with the build id of the file in place of its numbers.
    pub fn map_of(&mut self, start: u64, length: u64, offset: u64, path: &str, build_id: [u8; 20]) {
        /// `PERF_RECORD_MISC_MMAP_BUILD_ID`
        const HAS_BUILD_ID: u16 = 1 << 14;
        let mut field = [[0; 8]; 3];
        let bytes = field.as_flattened_mut();
        bytes[0] = build_id.len() as u8;
        bytes[4..].copy_from_slice(&build_id);
        let [a, b, c] = field.map(u64::from_ne_bytes);
        let words = [task(), start, length, offset, a, b, c, 0x2_0000_0003];
        self.side(10, OF_USER | HAS_BUILD_ID, &words, path.as_bytes());
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
    pub fn side(&mut self, kind: u32, misc: u16, words: &[u64], text: &[u8]) {
        let mut padded = text.to_vec();
        if !text.is_empty() {
            padded.resize((text.len() + 1).next_multiple_of(8), 0);
        }
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
        // `cpu-clock` or another, with a period, stamps, and times of the samples.
        let mut attr = Vec::new();
        attr.extend(self.kind.to_ne_bytes());
        attr.extend((ATTR as u32).to_ne_bytes());
        let flags: u64 = if cfg!(target_endian = "big") { 1 << 45 } else { 1 << 18 };
        for word in [self.config, 1000, self.sample_type, 0, flags] {
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

impl Recording {
    /// One of each kind of records that is no sample, with a sample before and behind it.
    pub fn every_kind(&mut self) {
        const PATH: &[u8] = b"/nowhere/program";
        const NANOSECONDS: u64 = 2_000_000_000;
        let pair = |high: u64, low: u64| high << 32 | low;
        // The order of the halves of a word is that of the machine.
        let halves = |first: u64, second: u64| match cfg!(target_endian = "big") {
            true => pair(first, second),
            false => pair(second, first),
        };
        let child = halves(71, 70);
        let shorts = |first: u64, second: u64, third: u64| match cfg!(target_endian = "big") {
            true => first << 32 | second << 16 | third,
            false => third << 48 | second << 32 | first,
        };
        let id =
            b"\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\x11\x12\x13\x14";
        let build_id: Vec<u64> = [&[20, 0, 0, 0][..], id]
            .concat()
            .chunks(8)
            .map(|bytes| u64::from_ne_bytes(bytes.try_into().expect("they are eight")))
            .collect();
        let mapped = [task(), 0x50_0000, 0x1000, 0x2000];
        let rights = halves(5, 2);
        // `PERF_RECORD_MISC_COMM_EXEC`, `_SWITCH_OUT`, `_SWITCH_OUT_PREEMPT`, `_MMAP_BUILD_ID`
        let (exec, out, preempted, has_build_id) = (1 << 13, 1 << 13, 1 << 14, 1 << 14);
        let lengths = [2_u16.to_ne_bytes(), 3_u16.to_ne_bytes()].concat();
        let poke = [&lengths[..], &[0x66, 0x90, 0xe9, 1, 2]].concat();
        let kinds: [(u32, u16, Vec<u64>, &[u8]); 29] = [
            (1, OF_USER, mapped.to_vec(), PATH),
            (1, OF_USER | OF_DATA, vec![task(), 0x60_0000, 0x1000, 0], b"/nowhere/data"),
            (2, 0, vec![7, 5], &[]),
            (3, OF_USER, vec![task()], b"renamed"),
            (3, OF_USER | exec, vec![task()], b"program"),
            (1, OF_USER, mapped.to_vec(), PATH),
            (5, 0, vec![NANOSECONDS, 7, 7], &[]),
            (6, 0, vec![NANOSECONDS, 7, 7], &[]),
            (7, OF_USER, vec![child, child, NANOSECONDS], &[]),
            (8, OF_USER, vec![task(), 1], &[]),
            (10, OF_USER, [&mapped[..], &[halves(8, 1), 7, 3, rights]].concat(), PATH),
            (
                10,
                OF_USER | has_build_id,
                [&mapped[..], &build_id, &[rights]].concat(),
                b"/nowhere/with-id",
            ),
            (11, 0, vec![0x1000, 0x2000, 1], &[]),
            (12, 0, vec![task()], &[]),
            (13, 0, vec![5], &[]),
            (14, OF_USER, vec![], &[]),
            (14, OF_USER | out, vec![], &[]),
            (14, OF_USER | out | preempted, vec![], &[]),
            (15, OF_USER, vec![task()], &[]),
            (15, OF_USER | out, vec![task()], &[]),
            (16, OF_USER, [&[task(), 7][..], &[4, 0xf000_0000].repeat(7)].concat(), &[]),
            (17, OF_KERNEL, vec![0xffff_ffff_c000_0000, shorts(0x80, 1, 0)], b"bpf_prog_one"),
            (17, OF_KERNEL, vec![0xffff_ffff_c000_0000, shorts(0x80, 1, 1)], b"bpf_prog_one"),
            (18, OF_KERNEL, vec![of_program(1), 0x0123_4567_89ab_cdef], &[]),
            (18, OF_KERNEL, vec![of_program(2), 0x0123_4567_89ab_cdef], &[]),
            (19, OF_USER, vec![42], b"/group"),
            (20, OF_KERNEL, vec![0xffff_ffff_8100_0000], &poke),
            (21, 0, vec![6], &[]),
            (4, OF_USER, vec![child, child, NANOSECONDS], &[]),
        ];
        self.sample(OF_USER, 0x50_0010, None, &[]);
        for (kind, misc, words, text) in kinds {
            self.time += 1000;
            self.side(kind, misc, &words, text);
            // perf goes on with the mappings before an `exec`.
            if misc != OF_USER | exec {
                self.sample(OF_USER, 0x50_0010, None, &[]);
            }
        }
    }
}

/// Page faults whose samples have what an instruction accessed, branches and a control group.
pub fn further_fields() -> Recording {
    let fields = ADDR | BRANCHES | WEIGHTS | PHYSICAL_ADDRESS | CGROUP | PAGE_SIZE | CODE_PAGE_SIZE;
    let mut made = Recording { config: 2, ..Recording::new(fields) };
    made.map(0, 0x40_0000, 0x1000, 0, "/nowhere/program");
    made.map(OF_DATA, 0x60_0000, 0x1000, 0x2000, "/nowhere/data");
    made.side(19, OF_USER, &[42], b"/group");
    // Flags, 16 bits of cycles, four of the kind, two of speculation, four of the further kind
    // (`struct perf_branch_entry`), which other machines have from the other end.
    let bits = |parts: [(u64, u32); 9]| {
        let mut at = 0;
        parts.into_iter().fold(0, |word, (value, width)| {
            at += width;
            let place = if cfg!(target_endian = "big") { 64 - at } else { at - width };
            word | value << place
        })
    };
    for n in 0..18_u64 {
        let flag = |bit: u64| (n >> bit & 1, 1);
        let kind = [(n, 16), (n % 16, 4), (n % 4, 2), (n % 10, 4)];
        let mut flags = [(0, 0); 9];
        flags[..4].copy_from_slice(&[flag(0), flag(1), flag(2), flag(3)]);
        flags[4..8].copy_from_slice(&kind);
        let address = [0x60_0000, 0x40_0800, 0x1234_0000][n as usize % 3] + n;
        let weights = (n + 7) | (n + 1) << 32 | (n + 2) << 48;
        let sizes = [4096, 2 << 20, 0][n as usize % 3];
        let branches = [0x40_0010, 0x40_0020, bits(flags), 0xffff_ffff_8100_0000, 0x40_0030, 1];
        let further = [&[2][..], &branches, &[weights, address / 2, 41 + n % 2, sizes, 4096]];
        made.sample(OF_USER, 0x40_0001, Some(address), &further.concat());
    }
    made
}

/// The kind, the flags and the number of a BPF program.
fn of_program(kind: u64) -> u64 {
    if cfg!(target_endian = "big") { kind << 48 | 9 } else { 9 << 32 | kind }
}
