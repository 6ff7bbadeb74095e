//! The kernel: the system call and what belongs to it, as `kernel/events/core.c` of
//! Linux 6.12 has it.

mod control;
mod event;
mod life;
mod open;
mod read;
mod records;
mod ring;
mod sampling;
mod schedule;

use std::collections::{BTreeMap, BTreeSet};

pub use control::Control;
pub use event::Id;
pub use open::Request;

use crate::machine::Machine;
use crate::world::{Kind, World};
use event::Event;
use ring::Ring;

/// An error number.
pub type Errno = i32;

/// Which requests the kernel refuses, beyond those that it cannot carry out.
pub type Refusal = Box<dyn FnMut(&Request<'_>) -> Option<Errno> + Send>;

/// A simulated kernel, and the world that it counts in.
///
/// Time passes only in [`run`](Self::run) and [`cause`](Self::cause): a system call takes none.
pub struct Kernel {
    /// The CPUs and PMUs.
    pub machine: Machine,
    world: World,
    now: u64,
    online: BTreeSet<u32>,
    events: BTreeMap<Id, Event>,
    /// The buffers that are mapped, by their events.
    rings: BTreeMap<Id, Ring>,
    /// The next number of an event, and the next turn.
    next: u64,
    refusal: Option<Refusal>,
    /// What counts downwards.
    backwards: BTreeSet<Kind>,
    /// How often a system call was made.
    calls: u64,
}

/// `perf_event_mux_interval_ms`: how long events have a counter before others get it.
pub const TURN: u64 = 4_000_000;

/// The resolution of time in which everything happens, in nanoseconds.
pub const TICK: u64 = 1_000;

impl Kernel {
    /// Starts a machine on which nothing runs.
    #[must_use]
    pub fn new(machine: Machine) -> Self {
        let online = (0..machine.cpus).collect();
        Kernel {
            machine,
            world: World::default(),
            now: 0,
            online,
            events: BTreeMap::new(),
            rings: BTreeMap::new(),
            next: 1,
            refusal: None,
            backwards: BTreeSet::new(),
            calls: 0,
        }
    }

    /// Refuses some requests that the kernel could carry out.
    pub fn refuse(&mut self, refusal: Refusal) {
        self.refusal = Some(refusal);
    }

    /// Makes the counter of a kind count downwards, as no counter should.
    pub fn turn_back(&mut self, kind: Kind) {
        self.backwards.insert(kind);
    }

    /// Returns the time since the start, in nanoseconds.
    #[must_use]
    pub fn now(&self) -> u64 {
        self.now
    }

    /// Returns what has happened.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Changes what occurs from now on. Tasks are changed by methods of the kernel, which
    /// must know.
    pub fn rates(&mut self) -> &mut crate::world::Rates {
        &mut self.world.rates
    }

    /// Changes the code that runs from now on.
    pub fn code(&mut self) -> &mut crate::world::Code {
        &mut self.world.code
    }

    /// Returns the CPUs that are online.
    #[must_use]
    pub fn online(&self) -> &BTreeSet<u32> {
        &self.online
    }

    /// Returns how many system calls there were: opening, reading and controlling.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.calls
    }

    /// Returns the number of events that are open.
    #[must_use]
    pub fn open_events(&self) -> usize {
        self.events.values().filter(|event| event.parent.is_none()).count()
    }
}
