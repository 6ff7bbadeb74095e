//! Records of a buffer (`include/uapi/linux/perf_event.h`), written by hand: a mistake in the
//! parser that is tested must not cancel out.

use std::path::Path;

use super::Kernel;
use super::event::{Context, Id, State};
use super::sampling::{
    ADDR, CALLCHAIN, CPU, DATA_SRC, ID, IDENTIFIER, IP, PERIOD, STREAM_ID, TID, TIME, WEIGHT,
    WEIGHT_STRUCT,
};
use crate::attr::Attr;
use crate::world::{Mapping, Tid};

/// When and where a record is written.
#[derive(Clone, Copy)]
pub(super) struct Moment {
    pub(super) time: u64,
    pub(super) cpu: u32,
    pub(super) task: Option<Tid>,
}

/// The beginning and the end of a task.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lifetime {
    Fork,
    Exit,
}

/// A record with its header.
pub(super) struct Record(Vec<u8>);

/// `enum perf_event_type`
const LOST: u32 = 2;
const COMM: u32 = 3;
const EXIT: u32 = 4;
const FORK: u32 = 7;
const SAMPLE: u32 = 9;
const MMAP2: u32 = 10;

/// `PERF_RECORD_MISC_…`
const KERNEL: u16 = 1;
const USER: u16 = 2;
const EXACT_IP: u16 = 1 << 14;
const COMM_EXEC: u16 = 1 << 13;

/// What stands before the addresses of the kernel and of users in a call chain.
const CONTEXT_KERNEL: u64 = (-128_i64).cast_unsigned();
const CONTEXT_USER: u64 = (-512_i64).cast_unsigned();

/// Where the code of the kernel is.
const TEXT: u64 = 0xffff_ffff_8100_0000;

impl Record {
    fn new(kind: u32, misc: u16) -> Self {
        let mut record = Record(Vec::new());
        record.word32(kind);
        record.0.extend(misc.to_ne_bytes());
        // The length follows.
        record.0.extend([0; 2]);
        record
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    fn word(&mut self, word: u64) {
        self.0.extend(word.to_ne_bytes());
    }

    fn word32(&mut self, word: u32) {
        self.0.extend(word.to_ne_bytes());
    }

    /// A text that ends with zeros, at a multiple of 8.
    fn text(&mut self, text: &str) {
        self.0.extend(text.as_bytes());
        self.0.push(0);
        self.0.resize(self.0.len().next_multiple_of(8), 0);
    }

    fn task(&mut self, task: Option<Tid>) {
        // A thread of its own process; 0 idles.
        let task = task.unwrap_or(0);
        self.word32(task);
        self.word32(task);
    }

    fn finished(mut self) -> Self {
        let length = self.0.len() as u16;
        self.0[6..8].copy_from_slice(&length.to_ne_bytes());
        self
    }

    /// A sample (`perf_output_sample`); `place` is an address of a user, or a phase in the
    /// kernel.
    pub(super) fn sample(
        attr: &Attr,
        number: Id,
        stream: Id,
        moment: &Moment,
        period: u64,
        latency: u16,
        place: Result<u64, u32>,
    ) -> Self {
        let (address, mode) = match place {
            Ok(address) => (address, USER),
            Err(phase) => (TEXT + 0x1000 * u64::from(phase), KERNEL),
        };
        let exact = if attr.precise() > 0 { EXACT_IP } else { 0 };
        let mut record = Record::new(SAMPLE, mode | exact);
        let has = |field| attr.sample_type & field != 0;
        if has(IDENTIFIER) {
            record.word(number);
        }
        if has(IP) {
            record.word(address);
        }
        if has(TID) {
            record.task(moment.task);
        }
        if has(TIME) {
            record.word(moment.time);
        }
        if has(ADDR) {
            record.word(0);
        }
        if has(ID) {
            record.word(number);
        }
        if has(STREAM_ID) {
            record.word(stream);
        }
        if has(CPU) {
            record.word(u64::from(moment.cpu));
        }
        if has(PERIOD) {
            record.word(period);
        }
        if has(CALLCHAIN) {
            record.word(2);
            record.word(if mode == KERNEL { CONTEXT_KERNEL } else { CONTEXT_USER });
            record.word(address);
        }
        // `union perf_sample_weight`
        if has(WEIGHT_STRUCT) {
            record.word32(0);
            record.0.extend(0_u16.to_ne_bytes());
            record.0.extend(latency.to_ne_bytes());
        } else if has(WEIGHT) {
            record.word(0);
        }
        if has(DATA_SRC) {
            record.word(0);
        }
        record.finished()
    }

    /// How many records had no room.
    pub(super) fn lost(attr: &Attr, number: Id, stream: Id, moment: &Moment, lost: u64) -> Self {
        let mut record = Record::new(LOST, 0);
        record.word(number);
        record.word(lost);
        record.stamped(attr, number, stream, moment)
    }

    /// Appends what all records end with (`perf_event__output_id_sample`).
    fn stamped(mut self, attr: &Attr, number: Id, stream: Id, moment: &Moment) -> Self {
        let has = |field| attr.stamps_all() && attr.sample_type & field != 0;
        if has(TID) {
            self.task(moment.task);
        }
        if has(TIME) {
            self.word(moment.time);
        }
        if has(ID) {
            self.word(number);
        }
        if has(STREAM_ID) {
            self.word(stream);
        }
        if has(CPU) {
            self.word(u64::from(moment.cpu));
        }
        if has(IDENTIFIER) {
            self.word(number);
        }
        self.finished()
    }

    fn comm(task: Tid, name: &str) -> Self {
        let mut record = Record::new(COMM, USER | COMM_EXEC);
        record.task(Some(task));
        record.text(name);
        record
    }

    fn mapping(task: Tid, mapping: &Mapping) -> Self {
        const READ_EXECUTE: u32 = 5;
        const PRIVATE: u32 = 2;
        let mut record = Record::new(MMAP2, USER);
        record.task(Some(task));
        record.word(mapping.start);
        record.word(mapping.length);
        record.word(mapping.offset);
        // The device and the file's number, which is of no interest.
        [0; 2].into_iter().for_each(|word| record.word32(word));
        [0; 2].into_iter().for_each(|word| record.word(word));
        record.word32(READ_EXECUTE);
        record.word32(PRIVATE);
        record.text(&mapping.file);
        record
    }

    fn lifetime(lifetime: Lifetime, task: Tid, parent: Option<Tid>, time: u64) -> Self {
        let kind = if lifetime == Lifetime::Fork { FORK } else { EXIT };
        let mut record = Record::new(kind, 0);
        // Processes, then threads.
        for id in [task, parent.unwrap_or(1), task, parent.unwrap_or(1)] {
            record.word32(id);
        }
        record.word(time);
        record
    }
}

impl Kernel {
    /// Records that a task has become the described program.
    pub(super) fn record_program(&mut self, task: Tid) {
        let mappings = self.world.code.mappings.clone();
        let path = mappings.first().map_or("program", |mapping| &mapping.file);
        let name = Path::new(path).file_name().and_then(|name| name.to_str()).unwrap_or("program");
        // `TASK_COMM_LEN`
        let name: String = name.chars().take(15).collect();
        self.record(task, Attr::records_names, || Record::comm(task, &name));
        for mapping in &mappings {
            self.record(task, Attr::records_mappings, || Record::mapping(task, mapping));
        }
    }

    /// Records that a task has begun or ended.
    pub(super) fn record_task(&mut self, lifetime: Lifetime, task: Tid, parent: Option<Tid>) {
        let time = self.now;
        let make = || Record::lifetime(lifetime, task, parent, time);
        self.record(task, Attr::records_tasks, make);
    }

    /// Writes a record of a task for each event that asks for it: its own, and one of the CPU
    /// where it is.
    fn record(&mut self, task: Tid, asks: fn(&Attr) -> bool, make: impl Fn() -> Record) {
        let cpu = self.world.tasks.get(&task).and_then(|task| task.cpu);
        // Who waits is woken somewhere.
        let Some(cpu) = cpu.or(self.online.first().copied()) else { return };
        let is_meant = |id: &Id| {
            let event = &self.events[id];
            let is_there = match event.context {
                Context::Task(own) => own == task && event.only_on.is_none_or(|own| own == cpu),
                Context::Cpu(own) => own == cpu,
            };
            is_there && event.state == State::On && asks(&event.attr)
        };
        let meant: Vec<Id> = self.events.keys().copied().filter(is_meant).collect();
        let moment = Moment { time: self.now, cpu, task: Some(task) };
        for id in meant {
            let attr = self.events[&id].attr;
            let record = make().stamped(&attr, self.number_of(id), id, &moment);
            // A record that has no room is lost, and the next one says so.
            let _ = self.write(id, &record, &moment);
        }
    }
}
