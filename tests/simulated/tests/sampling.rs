//! Samples of the model beside what `kernel/events/core.c` and `ring_buffer.c` promise.

#![cfg(target_os = "linux")]

use simulated_kernel::attr::Attr;
use simulated_kernel::kernel::{Control, Request};
use simulated_kernel::machine::{Machine, Pmu};
use simulated_kernel::world::{Kind, Levels};
use simulated_kernel::{Errno, Id, Kernel};

const CORE: u32 = 4;
const UNCORE: u32 = 18;
const DISABLED: u64 = 1 << 0;
const INHERIT: u64 = 1 << 1;
const FREQUENCY: u64 = 1 << 10;
const PRECISE: u64 = 3 << 15;
/// `IP`, `TID`, `TIME` and `WEIGHT_STRUCT`
const FIELDS: u64 = 7 | 1 << 24;
const LOST: u64 = 16;
const TASK: u32 = 7;

const PAGE: usize = 4096;

fn attr(type_: u32, sample: u64, flags: u64, fields: u64) -> Attr {
    let flags = if cfg!(target_endian = "big") { flags.reverse_bits() } else { flags };
    let mut bytes = vec![0; 64];
    bytes[..4].copy_from_slice(&type_.to_ne_bytes());
    bytes[4..8].copy_from_slice(&64_u32.to_ne_bytes());
    for (at, word) in [(8, 1), (16, sample), (24, fields), (32, LOST), (40, flags)] {
        bytes[at..at + 8].copy_from_slice(&u64::to_ne_bytes(word));
    }
    Attr::read(&bytes).unwrap()
}

/// Two CPUs; the event occurs ten times in a microsecond, nine of them in user space.
fn kernel() -> Kernel {
    let mut machine = Machine::with_cores(2, 2);
    machine.pmus.push(Pmu::uncore(UNCORE, [0].into(), 2));
    let mut kernel = Kernel::new(machine);
    let kind = Kind { type_: CORE, config: 1, config1: 0 };
    for phase in 0..2 {
        kernel.rates().set(kind, phase, Levels { user: 9, kernel: 1 });
        kernel.code().place(phase, 0x40_0000 + 0x10 * u64::from(phase));
        kernel.code().take(kind, phase, 30 + phase as u16);
    }
    kernel.spawn(TASK, 0);
    kernel
}

fn open(kernel: &mut Kernel, attr: &Attr) -> Result<Id, Errno> {
    let (task, cpu, leader, group) = (Some(TASK), None, None, None);
    kernel.open(&Request { attr, task, cpu, leader, group })
}

/// Memory of a page and so many pages of data.
struct Memory(Vec<[u64; PAGE / 8]>);

impl Memory {
    fn of(kernel: &mut Kernel, id: Id, pages: usize) -> Self {
        let mut memory = Memory(vec![[0; PAGE / 8]; 1 + pages]);
        let base = memory.0.as_mut_ptr().expose_provenance();
        // SAFETY: the memory is there until the end of the test, and only the kernel and
        // `records` use it.
        unsafe { kernel.map(id, base, PAGE, PAGE * (1 + pages)) }.expect("it can be mapped");
        memory
    }

    /// The words of each record, whose first is the header.
    fn records(&self) -> Vec<(u32, Vec<u64>)> {
        self.records_from(0)
    }

    /// Those that begin at a word of the data or later.
    fn records_from(&self, start: usize) -> Vec<(u32, Vec<u64>)> {
        let word = |page: usize, at: usize| {
            // SAFETY: it is within the memory, which the kernel has just written.
            unsafe { std::ptr::read_volatile(&raw const self.0[page][at]) }
        };
        let size = (self.0.len() - 1) * PAGE / 8;
        let (mut at, head) = (start, word(0, 1024 / 8) as usize / 8);
        let mut all = Vec::new();
        while at < head {
            let data = |at: usize| word(1 + at % size / (PAGE / 8), at % size % (PAGE / 8));
            let header = data(at).to_ne_bytes();
            let kind = u32::from_ne_bytes(header[..4].try_into().unwrap());
            let length = usize::from(u16::from_ne_bytes(header[6..].try_into().unwrap())) / 8;
            all.push((kind, (at..at + length).map(data).collect()));
            at += length;
        }
        assert_eq!(at, head);
        all
    }
}

#[test]
fn each_overflow_is_a_sample() {
    // A period, and as many samples a second as make the same.
    for (sample, flags) in [(100, 0), (100_000, FREQUENCY)] {
        let mut kernel = kernel();
        let id = open(&mut kernel, &attr(CORE, sample, DISABLED | flags, FIELDS)).unwrap();
        let memory = Memory::of(&mut kernel, id, 16);
        kernel.place(TASK, Some(1)).unwrap();
        kernel.run(1_000_000);
        assert!(memory.records().is_empty(), "it is not enabled");
        kernel.control(id, Control::Enable, false).unwrap();
        kernel.run(1_000_000);
        kernel.set_phase(TASK, 1);
        kernel.run(3_000_000);
        let samples = memory.records();
        // 40 000 occurrences; a tenth of the samples is in the kernel.
        assert_eq!(samples.len(), 400, "{sample}");
        let at = |address: u64| samples.iter().filter(|(_, words)| words[1] == address).count();
        assert_eq!((at(0x40_0000), at(0x40_0010)), (90, 270));
        assert!(samples.iter().all(|(kind, words)| *kind == 9 && words.len() == 5));
        let times: Vec<u64> = samples.iter().map(|(_, words)| words[3]).collect();
        assert!(times.is_sorted() && times[0] == 1_010_000 && times[399] == 5_000_000);
        // `var3_w`
        let latency = |words: &[u64]| {
            let bytes = words[4].to_ne_bytes();
            u16::from_ne_bytes(bytes[6..].try_into().unwrap())
        };
        assert_eq!((latency(&samples[0].1), latency(&samples[399].1)), (30, 31));
    }
}

/// What has no room is lost, counted, and said by the next record.
#[test]
fn a_full_buffer() {
    let mut kernel = kernel();
    let id = open(&mut kernel, &attr(CORE, 10, 0, FIELDS)).unwrap();
    let memory = Memory::of(&mut kernel, id, 1);
    kernel.place(TASK, Some(0)).unwrap();
    kernel.run(200_000);
    let written = memory.records().len() as u64;
    // 4096 bytes have room for 102 records of 40.
    assert_eq!((written, kernel.read(id, 2)), (102, Ok(vec![2_000, 200 - 102])));
    assert_eq!(kernel.poll(id), (true, false));
    assert_eq!(kernel.poll(id), (false, false));
    // The reader moves the tail.
    let tail = (memory.0.as_ptr().expose_provenance() + 1032) as *mut u64;
    // SAFETY: it is within the memory.
    unsafe { tail.write_volatile(4080) };
    kernel.run(1_000);
    let records = memory.records_from(102 * 5);
    assert_eq!((records[0].0, &records[0].1[1..]), (2, &[id, 98][..]));
    assert_eq!(records[1].0, 9);
    kernel.exit(TASK);
    assert_eq!(kernel.poll(id), (false, true));
}

#[test]
fn refusals() {
    let mut kernel = kernel();
    kernel.machine.pmus[0].precise = Some(2);
    let cases = [
        (attr(CORE, 10, 0, FIELDS), Ok(())),
        (attr(CORE, 10, 1 << 16, FIELDS), Ok(())),
        (attr(CORE, 10, PRECISE, FIELDS), Err(libc::EOPNOTSUPP)),
        // A counter is no sample.
        (attr(CORE, 0, PRECISE, 0), Ok(())),
        // `PERF_SAMPLE_WEIGHT` beside the structure; a field that nobody writes.
        (attr(CORE, 10, 0, FIELDS | 1 << 14), Err(libc::EINVAL)),
        (attr(CORE, 10, 0, 1 << 13), Err(libc::EINVAL)),
    ];
    for (attr, expected) in cases {
        assert_eq!(open(&mut kernel, &attr).map(|_| ()), expected, "{attr:?}");
    }
    let (task, cpu, leader, group) = (None, Some(0), None, None);
    let attr = &attr(UNCORE, 10, 0, FIELDS);
    let uncore = kernel.open(&Request { attr, task, cpu, leader, group });
    assert_eq!(uncore, Err(libc::EOPNOTSUPP));
}

/// A buffer of a task on any CPU has nothing of its children; events of one place share one.
#[test]
fn buffers() {
    let mut kernel = kernel();
    let inherited = open(&mut kernel, &attr(CORE, 10, INHERIT, FIELDS)).unwrap();
    let base = 0;
    // SAFETY: nothing is mapped, since the kernel refuses.
    let refused = unsafe { kernel.map(inherited, base, PAGE, 2 * PAGE) };
    assert_eq!(refused, Err(libc::EINVAL));
    let first = open(&mut kernel, &attr(CORE, 1_000, 0, FIELDS)).unwrap();
    let second = open(&mut kernel, &attr(CORE, 1_000, 0, FIELDS)).unwrap();
    assert_eq!(kernel.redirect(first, first), Err(libc::EINVAL));
    assert_eq!(kernel.redirect(second, first), Ok(()));
    let memory = Memory::of(&mut kernel, first, 4);
    kernel.control(inherited, Control::Disable, false).unwrap();
    kernel.place(TASK, Some(0)).unwrap();
    kernel.run(1_000_000);
    assert_eq!(memory.records().len(), 20);
    let base = memory.0.as_ptr().expose_provenance();
    assert!(kernel.unmap(base) && !kernel.unmap(base));
}
