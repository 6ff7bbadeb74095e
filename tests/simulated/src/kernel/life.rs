//! The lives of tasks and CPUs.

use super::event::{Context, Counted, Event, Id, Sampling, State};
use super::records::Lifetime;
use super::{Errno, Kernel};
use crate::world::{Group, Task, Tid};

impl Kernel {
    /// Starts a task that nobody counts yet, and that waits.
    pub fn spawn(&mut self, task: Tid, group: Group) {
        let new = Task { parent: None, group, is_alive: true, phase: 0, cpu: None };
        self.world.tasks.insert(task, new);
    }

    /// Makes a control group below another one.
    pub fn make_group(&mut self, group: Group, within: Group) {
        self.world.groups.insert(group, within);
    }

    /// Puts a task on a CPU, from which another one goes, or lets it wait. Does nothing to a
    /// task that has ended.
    ///
    /// # Errors
    ///
    /// Returns `EINVAL` if the CPU is not online.
    pub fn place(&mut self, task: Tid, cpu: Option<u32>) -> Result<(), Errno> {
        if cpu.is_some_and(|cpu| !self.online.contains(&cpu)) {
            return Err(libc::EINVAL);
        }
        if let Some(other) = cpu.and_then(|cpu| self.world.on(cpu)) {
            self.task(other, |other| other.cpu = None);
        }
        self.task(task, |task| task.cpu = cpu.filter(|_| task.is_alive));
        self.reschedule();
        Ok(())
    }

    /// Lets the program of a task do something else.
    pub fn set_phase(&mut self, task: Tid, phase: u32) {
        self.task(task, |task| task.phase = phase);
    }

    /// Moves a task into a control group.
    pub fn set_group(&mut self, task: Tid, group: Group) {
        self.task(task, |task| task.group = group);
        self.reschedule();
    }

    fn task(&mut self, task: Tid, change: impl FnOnce(&mut Task)) {
        if let Some(task) = self.world.tasks.get_mut(&task) {
            change(task);
        }
    }

    /// Starts a child of a task. It waits, and inherits the events that are to be inherited
    /// (`inherit_event`).
    pub fn fork(&mut self, parent: Tid, child: Tid) {
        let Some(task) = self.world.tasks.get(&parent).filter(|task| task.is_alive) else {
            return;
        };
        let new = Task { parent: Some(parent), cpu: None, ..task.clone() };
        self.world.tasks.insert(child, new);
        // Leaders first, so that their members find them.
        let mut inherited: Vec<(Id, Id)> = Vec::new();
        let mut own = self.of_task(parent);
        own.sort_by_key(|id| self.events[id].leader != *id);
        for id in own {
            let event = &self.events[&id];
            if !event.attr.inherits() {
                continue;
            }
            let new = self.next;
            self.next += 1;
            let origin = event.parent.unwrap_or(id);
            let found = inherited.iter().find(|(old, _)| *old == event.leader);
            let leader = found.map_or(new, |&(_, leader)| leader);
            let state = match event.state {
                State::On => State::On,
                _ => State::Off,
            };
            let copy = Event {
                context: Context::Task(child),
                leader,
                members: Vec::new(),
                turn: new,
                state,
                is_active: false,
                counted: Counted::default(),
                of_ended: Counted::default(),
                parent: Some(origin),
                children: Vec::new(),
                sampling: Sampling { lost: 0, ..event.sampling },
                ..event.clone()
            };
            self.events.insert(new, copy);
            if leader != new {
                self.events.get_mut(&leader).expect("it was made first").members.push(new);
            }
            if let Some(origin) = self.events.get_mut(&origin) {
                origin.children.push(new);
            }
            inherited.push((id, new));
        }
        self.record_task(Lifetime::Fork, child, Some(parent));
        self.reschedule();
    }

    /// Lets a task become another program, which enables events that wait for that.
    pub fn exec(&mut self, task: Tid) {
        for id in self.of_task(task) {
            let event = self.events.get_mut(&id).expect("it is listed");
            if std::mem::take(&mut event.starts_on_exec) && event.state == State::Off {
                event.state = State::On;
            }
        }
        self.record_program(task);
        self.reschedule();
    }

    /// Ends a task. Its own events keep their counts, inherited ones give theirs away.
    pub fn exit(&mut self, task: Tid) {
        let parent = self.world.tasks.get(&task).and_then(|task| task.parent);
        self.record_task(Lifetime::Exit, task, parent);
        self.task(task, |task| (task.is_alive, task.cpu) = (false, None));
        for id in self.of_task(task) {
            if self.events[&id].parent.is_some() {
                self.sync_to_parent(id);
                self.detach(id);
                self.events.remove(&id);
            } else {
                self.events.get_mut(&id).expect("it is listed").state = State::Exit;
            }
        }
        self.reschedule();
    }

    /// Takes a CPU away or brings it back. Events of a CPU that went stay off, each by
    /// itself, even after it has come back (`perf_event_exit_cpu`).
    pub fn set_online(&mut self, cpu: u32, is_online: bool) {
        if cpu >= self.machine.cpus || self.online.contains(&cpu) == is_online {
            return;
        }
        if is_online {
            self.online.insert(cpu);
            return;
        }
        if let Some(task) = self.world.on(cpu) {
            self.task(task, |task| task.cpu = None);
        }
        self.online.remove(&cpu);
        let of_cpu: Vec<Id> = self
            .events
            .iter()
            .filter(|(_, event)| event.context == Context::Cpu(cpu))
            .map(|(&id, _)| id)
            .collect();
        // Drivers of PMUs outside the cores move their events to another CPU
        // (`perf_pmu_migrate_context`).
        let next = self.online.first().copied();
        for id in of_cpu {
            if self.is_outside_cores(&self.events[&id])
                && let Some(next) = next
            {
                self.events.get_mut(&id).expect("it is listed").context = Context::Cpu(next);
                continue;
            }
            self.detach(id);
            let event = self.events.get_mut(&id).expect("it is listed");
            event.state = event.state.min(State::Off);
        }
        self.reschedule();
    }
}
