//! What happens on the machine, whoever counts it: tasks that run on CPUs, and what they
//! cause there.
//!
//! The record of what has run is the truth against which counts are held. It knows nothing
//! of counters.

use std::collections::{BTreeMap, BTreeSet};

/// The number of a task, as in `/proc`.
pub type Tid = u32;

/// The number of a control group.
pub type Group = u32;

/// A kind of occurrence: what an event counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind {
    /// The type of the PMU, or of a generic or software event.
    pub type_: u32,
    /// The event on it.
    pub config: u64,
    /// Further bits of the event.
    pub config1: u64,
}

/// In user space, and in the kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Levels {
    /// In user space.
    pub user: u64,
    /// In the kernel.
    pub kernel: u64,
}

/// A task.
#[derive(Clone, Debug)]
pub struct Task {
    /// The task that forked it.
    pub parent: Option<Tid>,
    /// Its control group.
    pub group: Group,
    /// Whether it has not ended.
    pub is_alive: bool,
    /// What its program does at the moment: different phases cause different rates.
    pub phase: u32,
    /// Where it runs; `None` while it waits.
    pub cpu: Option<u32>,
}

/// A time in which a task ran on a CPU in one phase, and the single occurrences in it.
#[derive(Clone, Debug)]
pub struct Run {
    /// The start, in nanoseconds.
    pub start: u64,
    /// The end.
    pub end: u64,
    /// The task.
    pub task: Tid,
    /// Its control group then.
    pub group: Group,
    /// The CPU.
    pub cpu: u32,
    /// The phase of the program.
    pub phase: u32,
    /// What occurred once, at the start of this run.
    pub once: Option<(Kind, u64)>,
}

/// How often each kind occurs, for each microsecond that a task runs.
#[derive(Clone, Debug, Default)]
pub struct Rates {
    known: BTreeMap<(Kind, u32), Levels>,
    /// Kinds that occur only where [`Kernel::cause`](crate::kernel::Kernel::cause) says so.
    single: BTreeSet<Kind>,
}

impl Rates {
    /// Sets the rate of a kind in a phase.
    pub fn set(&mut self, kind: Kind, phase: u32, a_microsecond: Levels) {
        self.known.insert((kind, phase), a_microsecond);
    }

    /// Makes a kind occur only where [`Kernel::cause`](crate::kernel::Kernel::cause) says so.
    pub fn only_single(&mut self, kind: Kind) {
        self.single.insert(kind);
    }

    /// The rate of a kind. One that was not set differs from kind to kind and from phase to
    /// phase, so that no two events have the same count by accident.
    #[must_use]
    pub fn of(&self, kind: Kind, phase: u32) -> Levels {
        if self.single.contains(&kind) {
            return Levels::default();
        }
        self.known.get(&(kind, phase)).copied().unwrap_or_else(|| {
            let mixed = [u64::from(kind.type_), kind.config, kind.config1, u64::from(phase)]
                .into_iter()
                .fold(0x9e37_79b9_7f4a_7c15_u64, |sum, word| {
                    (sum ^ word).wrapping_mul(0xff51_afd7_ed55_8ccd).rotate_left(29)
                });
            Levels { user: 1 + mixed % 997, kernel: 1 + (mixed >> 32) % 101 }
        })
    }

    /// The highest rate of a kind in any of the first phases, both levels together.
    #[must_use]
    pub fn most(&self, kind: Kind, phases: u32) -> u64 {
        let both = |phase| {
            let Levels { user, kernel } = self.of(kind, phase);
            user + kernel
        };
        (0..phases).map(both).max().unwrap_or(0)
    }
}

/// The tasks, the control groups, and what has happened.
#[derive(Clone, Debug, Default)]
pub struct World {
    /// All tasks that ever were.
    pub tasks: BTreeMap<Tid, Task>,
    /// The parent of each control group; the root is 0 and has none.
    pub groups: BTreeMap<Group, Group>,
    /// What occurs.
    pub rates: Rates,
    /// The record.
    pub runs: Vec<Run>,
    /// The code that runs.
    pub code: Code,
}

/// The code of programs: where it is mapped, and which of it runs in each phase.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// What a program maps when it starts.
    pub mappings: Vec<Mapping>,
    places: BTreeMap<u32, u64>,
    latencies: BTreeMap<(Kind, u32), u16>,
}

/// A part of a file that a program maps as code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// The address.
    pub start: u64,
    /// The number of bytes.
    pub length: u64,
    /// Where they are in the file.
    pub offset: u64,
    /// The path of the file.
    pub file: String,
}

impl Code {
    /// Says which instruction runs in a phase.
    pub fn place(&mut self, phase: u32, address: u64) {
        self.places.insert(phase, address);
    }

    /// Says how many cycles pass from the retirement of the instruction before to that of one
    /// that causes the event.
    pub fn take(&mut self, kind: Kind, phase: u32, cycles: u16) {
        self.latencies.insert((kind, phase), cycles);
    }

    pub(crate) fn address(&self, phase: u32) -> u64 {
        /// Where nothing is said, each phase has a place of its own.
        const SOMEWHERE: u64 = 0x10_0000;
        let somewhere = || SOMEWHERE + 0x1000 * u64::from(phase);
        self.places.get(&phase).copied().unwrap_or_else(somewhere)
    }

    pub(crate) fn latency(&self, kind: Kind, phase: u32) -> u16 {
        self.latencies.get(&(kind, phase)).copied().unwrap_or(0)
    }
}

/// Nanoseconds of a rate's unit.
const MICROSECOND: u64 = 1_000;

impl World {
    /// Whether a control group is another one or below it.
    #[must_use]
    pub fn is_within(&self, group: Group, outer: Group) -> bool {
        let mut next = Some(group);
        while let Some(one) = next {
            if one == outer {
                return true;
            }
            next = self.groups.get(&one).copied().filter(|_| one != 0);
        }
        false
    }

    /// Whether a task descends from another one.
    #[must_use]
    pub fn descends(&self, task: Tid, ancestor: Tid) -> bool {
        let mut next = self.tasks.get(&task).and_then(|task| task.parent);
        while let Some(one) = next {
            if one == ancestor {
                return true;
            }
            next = self.tasks.get(&one).and_then(|task| task.parent);
        }
        false
    }

    /// The task on a CPU.
    #[must_use]
    pub fn on(&self, cpu: u32) -> Option<Tid> {
        let is_there = |(_, task): &(&Tid, &Task)| task.cpu == Some(cpu);
        self.tasks.iter().find(is_there).map(|(&tid, _)| tid)
    }

    /// What a kind causes in a time in a phase.
    pub(crate) fn occurrences(&self, kind: Kind, phase: u32, nanoseconds: u64) -> Levels {
        let Levels { user, kernel } = self.rates.of(kind, phase);
        let of = |rate: u64| rate * nanoseconds / MICROSECOND;
        Levels { user: of(user), kernel: of(kernel) }
    }

    /// How often a kind truly occurred between two moments, in the runs that are meant.
    pub fn truth(
        &self,
        kind: Kind,
        (from, to): (u64, u64),
        mut is_meant: impl FnMut(&Run) -> bool,
    ) -> Levels {
        let mut sum = Levels::default();
        for run in self.runs.iter().filter(|run| run.end >= from && run.start <= to) {
            if !is_meant(run) {
                continue;
            }
            if let Some((single, count)) = run.once {
                // The occurrence is at the start; a window has its start and not its end.
                let is_inside = run.start >= from && run.start < to;
                sum.user += if single == kind && is_inside { count } else { 0 };
            }
            let time = run.end.min(to).saturating_sub(run.start.max(from));
            let own = self.occurrences(kind, run.phase, time);
            sum.user += own.user;
            sum.kernel += own.kernel;
        }
        sum
    }

    /// How long the runs that are meant took between two moments.
    pub fn time(&self, (from, to): (u64, u64), mut is_meant: impl FnMut(&Run) -> bool) -> u64 {
        let meant = self.runs.iter().filter(|run| is_meant(run));
        meant.map(|run| run.end.min(to).saturating_sub(run.start.max(from))).sum()
    }
}
