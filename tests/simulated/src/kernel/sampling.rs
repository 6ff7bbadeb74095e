//! Samples: when a counter overflows, and the buffers.

use super::event::{Context, Event, Id, State};
use super::records::{Moment, Record};
use super::ring::Ring;
use super::schedule::kind_of;
use super::{Errno, Kernel};
use crate::world::{Levels, Tid};

/// A time in which nothing changes on a CPU.
pub(super) struct During {
    pub(super) cpu: u32,
    pub(super) task: Option<Tid>,
    pub(super) start: u64,
    pub(super) end: u64,
}

pub(super) const IP: u64 = 1 << 0;
pub(super) const TID: u64 = 1 << 1;
pub(super) const TIME: u64 = 1 << 2;
pub(super) const ADDR: u64 = 1 << 3;
pub(super) const CALLCHAIN: u64 = 1 << 5;
pub(super) const ID: u64 = 1 << 6;
pub(super) const CPU: u64 = 1 << 7;
pub(super) const PERIOD: u64 = 1 << 8;
pub(super) const STREAM_ID: u64 = 1 << 9;
pub(super) const WEIGHT: u64 = 1 << 14;
pub(super) const DATA_SRC: u64 = 1 << 15;
pub(super) const IDENTIFIER: u64 = 1 << 16;
pub(super) const WEIGHT_STRUCT: u64 = 1 << 24;

/// Whether the simulated kernel writes all of these fields.
pub(super) fn is_known(sample_type: u64) -> bool {
    const KNOWN: u64 = IP
        | TID
        | TIME
        | ADDR
        | CALLCHAIN
        | ID
        | CPU
        | PERIOD
        | STREAM_ID
        | WEIGHT
        | DATA_SRC
        | IDENTIFIER
        | WEIGHT_STRUCT;
    let has_both = sample_type & WEIGHT != 0 && sample_type & WEIGHT_STRUCT != 0;
    sample_type & !KNOWN == 0 && !has_both
}

impl Kernel {
    /// Takes the samples of what an event with a counter sees in a time, in which its
    /// occurrences are evenly distributed.
    pub(super) fn sample(&mut self, id: Id, levels: Levels, during: &During) {
        let event = &self.events[&id];
        let (attr, mut state) = (event.attr, event.sampling);
        let (occurred, time) = (levels.user + levels.kernel, during.end - during.start);
        if occurred == 0 || time == 0 {
            return;
        }
        let wide = |number: u64| u128::from(number);
        let period = match attr.has_frequency() {
            false => attr.sample,
            // What the kernel's adjustment arrives at (`perf_calculate_period`).
            true => {
                let a_second = wide(occurred) * 1_000_000_000 / wide(time);
                (a_second / wide(attr.sample)).max(1) as u64
            }
        };
        let mut at = state.left.min(period);
        while at <= occurred {
            let within = (wide(time) * wide(at) / wide(occurred)) as u64;
            state.of_kernel += (100 * wide(levels.kernel) / wide(occurred)) as u64;
            let in_kernel = state.of_kernel >= 100;
            state.of_kernel -= if in_kernel { 100 } else { 0 };
            let moment = Moment { time: during.start + within, cpu: during.cpu, task: during.task };
            let phase = during.task.and_then(|task| self.world.tasks.get(&task));
            let phase = phase.map_or(0, |task| task.phase);
            let event = &self.events[&id];
            let latency = self.world.code.latency(kind_of(event), phase);
            let address = self.world.code.address(phase);
            let record = Record::sample(&attr, self.number_of(id), id, &moment, period, latency, {
                if in_kernel { Err(phase) } else { Ok(address) }
            });
            if !self.write(id, &record, &moment) {
                state.lost += 1;
            }
            at += period;
        }
        state.left = at - occurred;
        self.events.get_mut(&id).expect("it is listed").sampling = state;
    }

    /// The number by which programs know an event: that from which it is inherited
    /// (`primary_event_id`).
    pub(super) fn number_of(&self, id: Id) -> Id {
        self.events[&id].parent.unwrap_or(id)
    }

    /// Writes a record into the buffer of an event, and before it how many had no room; `false`
    /// if there is none.
    pub(super) fn write(&mut self, id: Id, record: &Record, moment: &Moment) -> bool {
        let number = self.number_of(id);
        let Some(event) = self.events.get(&number) else { return true };
        let output = event.sampling.output.unwrap_or(number);
        let attr = event.attr;
        // Nobody has mapped it: nothing is written, and nothing lost.
        let Some(ring) = self.rings.get_mut(&output) else { return true };
        let lost = Record::lost(&attr, number, id, moment, ring.lost);
        let before = if ring.lost > 0 { lost.bytes() } else { &[] };
        if !ring.has_room(before.len() + record.bytes().len()) {
            ring.lost += 1;
            return false;
        }
        ring.write(before);
        ring.write(record.bytes());
        ring.lost = 0;
        true
    }

    /// How many samples an event has lost, and those that it has inherited.
    pub(super) fn lost(&self, id: Id) -> u64 {
        let event = &self.events[&id];
        let of_children = event.children.iter().map(|child| self.events[child].sampling.lost);
        event.sampling.lost + of_children.sum::<u64>()
    }

    /// Maps the buffer of an event (`perf_mmap`).
    ///
    /// # Errors
    ///
    /// Returns the error number that Linux gives.
    ///
    /// # Safety
    ///
    /// So many bytes are mapped at `base`, can be written, and stay until
    /// [`unmap`](Self::unmap).
    pub unsafe fn map(
        &mut self,
        id: Id,
        base: usize,
        page: usize,
        length: usize,
    ) -> Result<(), Errno> {
        let event = self.events.get(&id).ok_or(libc::EBADF)?;
        let is_anywhere = matches!(event.context, Context::Task(_)) && event.only_on.is_none();
        let pages = length.checked_sub(page).map(|data| data / page).unwrap_or(0);
        if is_anywhere && event.attr.inherits() || !pages.is_power_of_two() {
            return Err(libc::EINVAL);
        }
        // SAFETY: the caller says so.
        let ring = unsafe { Ring::new(base, page, length) };
        self.rings.insert(id, ring);
        Ok(())
    }

    /// Forgets a buffer; returns whether there was one.
    pub fn unmap(&mut self, base: usize) -> bool {
        let before = self.rings.len();
        self.rings.retain(|_, ring| ring.base() != base);
        self.rings.len() < before
    }

    /// Makes an event write into the buffer of another one (`perf_event_set_output`).
    ///
    /// # Errors
    ///
    /// Returns the error number that Linux gives.
    pub fn redirect(&mut self, id: Id, output: Id) -> Result<(), Errno> {
        let (Some(own), Some(other)) = (self.events.get(&id), self.events.get(&output)) else {
            return Err(libc::EBADF);
        };
        let cpu = |event: &Event| match event.context {
            Context::Cpu(cpu) => Some(cpu),
            Context::Task(_) => event.only_on,
        };
        let is_same_task = own.context == other.context;
        if id == output || cpu(own) != cpu(other) || cpu(own).is_none() && !is_same_task {
            return Err(libc::EINVAL);
        }
        self.events.get_mut(&id).expect("it is there").sampling.output = Some(output);
        Ok(())
    }

    /// Whether a reader of an event is woken, and whether nothing more comes (`perf_poll`).
    pub fn poll(&mut self, id: Id) -> (bool, bool) {
        let Some(event) = self.events.get(&id) else { return (false, true) };
        let has_ended = event.state == State::Exit && event.children.is_empty();
        let output = event.sampling.output.unwrap_or(id);
        (self.rings.get_mut(&output).is_some_and(Ring::wakes), has_ended)
    }
}
