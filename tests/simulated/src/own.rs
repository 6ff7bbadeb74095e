//! What a program does itself between starting and stopping its own counters.
//!
//! A program that counts its own work does real work, of which the simulated kernel sees
//! nothing. A description stands for it: from the first counter that a thread enables to the
//! first that it disables, the task runs for some microseconds, on one CPU or on several.

use std::collections::BTreeSet;

use crate::kernel::{Kernel, TICK};
use crate::world::Tid;

/// A time of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The CPU, wherever the task may run; without one, the first where it may.
    pub cpu: Option<u32>,
    /// How long it takes.
    pub microseconds: u64,
}

/// The work of a program, time after time; the last is repeated.
#[derive(Debug, Default)]
pub struct Own {
    works: Vec<Vec<Stretch>>,
    done: usize,
    is_working: bool,
    allowed: Option<BTreeSet<u32>>,
}

impl Own {
    /// Creates the work of a program.
    #[must_use]
    pub fn new(works: Vec<Vec<Stretch>>) -> Self {
        Own { works, ..Own::default() }
    }

    fn place(&self) -> u32 {
        self.allowed.as_ref().and_then(|allowed| allowed.first().copied()).unwrap_or(0)
    }

    /// The task is a part of this machine, and runs.
    pub(crate) fn meet(&self, kernel: &mut Kernel, task: Tid) {
        if !kernel.world().tasks.contains_key(&task) {
            kernel.spawn(task, 0);
        }
        if kernel.world().tasks[&task].cpu.is_none() {
            kernel.place(task, Some(self.place())).expect("the CPU is online");
        }
    }

    /// The task has enabled a counter.
    pub(crate) fn begin(&mut self) {
        self.is_working = true;
    }

    /// The task is about to disable a counter: what it has done since takes its time now.
    pub(crate) fn end(&mut self, kernel: &mut Kernel, task: Tid) {
        if !std::mem::take(&mut self.is_working) {
            return;
        }
        let last = self.works.len().saturating_sub(1);
        let work = self.works.get(self.done.min(last)).cloned().unwrap_or_default();
        self.done += 1;
        for Stretch { cpu, microseconds } in work {
            let cpu = cpu.unwrap_or_else(|| self.place());
            kernel.place(task, Some(cpu)).expect("the CPU is online");
            kernel.run(microseconds * TICK);
        }
        kernel.place(task, Some(self.place())).expect("the CPU is online");
    }

    /// Where the task may run: `sched_getaffinity`.
    pub(crate) fn allowed(&self, kernel: &Kernel) -> BTreeSet<u32> {
        self.allowed.clone().unwrap_or_else(|| kernel.online().clone())
    }

    /// `sched_setaffinity`; whether there is such a CPU.
    pub(crate) fn allow(&mut self, kernel: &mut Kernel, task: Tid, cpus: &BTreeSet<u32>) -> bool {
        let online: BTreeSet<u32> = cpus.intersection(kernel.online()).copied().collect();
        if online.is_empty() {
            return false;
        }
        self.allowed = Some(online);
        self.meet(kernel, task);
        kernel.place(task, Some(self.place())).expect("the CPU is online");
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Machine;

    /// The last work is repeated, and each takes place only after a counter was enabled.
    #[test]
    fn works_in_turn() {
        const TASK: Tid = 7;
        let mut kernel = Kernel::new(Machine::with_cores(4, 2));
        let stretch = |cpu, microseconds| Stretch { cpu, microseconds };
        let mut own =
            Own::new(vec![vec![stretch(None, 5), stretch(Some(3), 2)], vec![stretch(None, 1)]]);
        own.meet(&mut kernel, TASK);
        own.end(&mut kernel, TASK);
        assert_eq!(kernel.now(), 0);
        let cases = [(7, [5, 0, 0, 2]), (8, [6, 0, 0, 2]), (9, [7, 0, 0, 2])];
        for (microseconds, of_cpus) in cases {
            own.begin();
            own.end(&mut kernel, TASK);
            own.end(&mut kernel, TASK);
            assert_eq!(kernel.now(), microseconds * TICK);
            for (cpu, time) in (0..).zip(of_cpus) {
                let there = kernel.world().time((0, kernel.now()), |run| run.cpu == cpu);
                assert_eq!(there, time * TICK, "CPU {cpu} at {microseconds}");
            }
        }
    }

    #[test]
    fn tasks_stay_where_they_may_run() {
        const TASK: Tid = 7;
        let mut kernel = Kernel::new(Machine::with_cores(4, 2));
        let mut own = Own::new(vec![vec![Stretch { cpu: None, microseconds: 1 }]]);
        assert_eq!(own.allowed(&kernel).len(), 4);
        assert!(!own.allow(&mut kernel, TASK, &[9].into()));
        assert!(own.allow(&mut kernel, TASK, &[2, 9].into()));
        assert_eq!((own.allowed(&kernel), kernel.world().on(2)), ([2].into(), Some(TASK)));
        own.begin();
        own.end(&mut kernel, TASK);
        assert_eq!(kernel.world().time((0, kernel.now()), |run| run.cpu == 2), TICK);
    }
}
