//! An event that the kernel counts, and its times.

use crate::attr::Attr;
use crate::world::{Group, Tid};

/// The number of an event, which never means another one.
pub type Id = u64;

/// Where an event lives: its `perf_event_context`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Context {
    /// Of a task, wherever that runs.
    Task(Tid),
    /// Of a CPU, whoever runs there.
    Cpu(u32),
}

/// `enum perf_event_state`
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum State {
    /// Its task has ended.
    Exit,
    /// It is pinned and found no counter.
    Error,
    Off,
    /// It is enabled, and has a counter while `Event::is_active`.
    On,
}

#[derive(Clone, Debug)]
pub(super) struct Event {
    pub(super) attr: Attr,
    pub(super) context: Context,
    /// The CPU on which a task is counted, if not on all.
    pub(super) only_on: Option<u32>,
    /// The control group to whose tasks an event of a CPU is limited.
    pub(super) group: Option<Group>,
    /// Itself, if it leads a group or is alone.
    pub(super) leader: Id,
    /// The other members, if it leads a group.
    pub(super) members: Vec<Id>,
    /// Its turn among the events of its context.
    pub(super) turn: u64,
    pub(super) state: State,
    pub(super) is_active: bool,
    pub(super) starts_on_exec: bool,
    pub(super) counted: Counted,
    /// What inherited events have counted whose tasks have ended.
    pub(super) of_ended: Counted,
    /// The event that it is inherited from.
    pub(super) parent: Option<Id>,
    /// Inherited events of tasks that exist.
    pub(super) children: Vec<Id>,
    pub(super) sampling: Sampling,
}

/// The samples of an event.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sampling {
    /// How many occurrences there are before the next sample.
    pub(super) left: u64,
    /// How many hundredths of a sample in the kernel are due.
    pub(super) of_kernel: u64,
    /// The event into whose buffer it writes (`PERF_EVENT_IOC_SET_OUTPUT`).
    pub(super) output: Option<Id>,
    /// How many samples its buffer had no room for.
    pub(super) lost: u64,
}

/// A value, and the times that belong to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counted {
    pub(super) value: u64,
    pub(super) enabled: u64,
    pub(super) running: u64,
}

impl Counted {
    pub(super) fn add(&mut self, other: Counted) {
        self.value = self.value.wrapping_add(other.value);
        self.enabled += other.enabled;
        self.running += other.running;
    }
}

/// Types of events that every kernel counts in software.
const SOFTWARE: u32 = 1;
const TRACEPOINT: u32 = 2;

const CPU_CLOCK: u64 = 0;
const TASK_CLOCK: u64 = 1;
const DUMMY: u64 = 9;
const MOST_SOFTWARE: u64 = 12;

/// What an event counts.
pub(super) enum Counts {
    /// The time in which it is on.
    Time,
    Nothing,
    Occurrences,
}

impl Event {
    pub(super) fn is_software(&self) -> bool {
        is_software(&self.attr)
    }

    pub(super) fn counts(&self) -> Counts {
        match (self.attr.type_, self.attr.config) {
            (SOFTWARE, CPU_CLOCK | TASK_CLOCK) => Counts::Time,
            (SOFTWARE, DUMMY) => Counts::Nothing,
            _ => Counts::Occurrences,
        }
    }
}

/// Software events always find a place (`is_software_event`).
pub(super) fn is_software(attr: &Attr) -> bool {
    matches!(attr.type_, SOFTWARE | TRACEPOINT)
}

/// Whether a software event exists.
pub(super) fn is_known_software(attr: &Attr) -> bool {
    attr.type_ == TRACEPOINT || attr.config < MOST_SOFTWARE
}
