//! Which events have a counter, and the passing of time.

use std::collections::BTreeMap;

use super::event::{Context, Counts, Event, Id, State};
use super::sampling::During;
use super::{Kernel, TICK, TURN};
use crate::world::{Kind, Levels, Run, Tid};

impl Kernel {
    /// Lets time pass, rounded down to whole ticks, with every task where it is.
    pub fn run(&mut self, nanoseconds: u64) {
        let end = self.now + nanoseconds / TICK * TICK;
        while self.now < end {
            let turn = (self.now / TURN + 1) * TURN;
            self.pass(turn.min(end), None);
            if self.now == turn {
                self.rotate();
            }
        }
    }

    /// Lets a running task cause something once, at this moment; the task runs on for a
    /// tick. Returns whether it runs.
    pub fn cause(&mut self, task: Tid, kind: Kind, count: u64) -> bool {
        if self.world.tasks.get(&task).is_none_or(|task| task.cpu.is_none()) {
            return false;
        }
        let end = self.now + TICK;
        self.pass(end, Some((task, kind, count)));
        if end.is_multiple_of(TURN) {
            self.rotate();
        }
        true
    }

    /// Counts what happens until a moment before which nothing changes.
    fn pass(&mut self, end: u64, single: Option<(Tid, Kind, u64)>) {
        let time = end - self.now;
        for cpu in self.online.clone() {
            let task = self.world.on(cpu);
            let single = single.filter(|&(tid, ..)| task == Some(tid));
            if let Some(tid) = task {
                let run = &self.world.tasks[&tid];
                self.world.runs.push(Run {
                    start: self.now,
                    end,
                    task: tid,
                    group: run.group,
                    cpu,
                    phase: run.phase,
                    once: single.map(|(_, kind, count)| (kind, count)),
                });
            }
            for id in self.on_cpu(cpu, task) {
                let event = &self.events[&id];
                let levels = self.occurred(event, task, time, single);
                let is_enabled = self.is_enabled(event);
                if event.is_active && event.attr.sample > 0 {
                    self.sample(id, levels, &During { cpu, task, start: self.now, end });
                }
                let event = &self.events[&id];
                let occurred = levels.user + levels.kernel;
                let occurred =
                    if self.is_backwards(&event.attr) { occurred.wrapping_neg() } else { occurred };
                let event = self.events.get_mut(&id).expect("it is listed");
                if is_enabled {
                    event.counted.enabled += time;
                }
                if event.is_active {
                    event.counted.running += time;
                    event.counted.value = event.counted.value.wrapping_add(occurred);
                }
            }
        }
        self.now = end;
    }

    /// What an event with a counter sees in a time.
    fn occurred(
        &self,
        event: &Event,
        task: Option<Tid>,
        time: u64,
        single: Option<(Tid, Kind, u64)>,
    ) -> Levels {
        let attr = &event.attr;
        let kind = kind_of(event);
        let of_users = |user| Levels { user, kernel: 0 };
        let levels = match (event.counts(), task) {
            (Counts::Time, _) => return of_users(time),
            (Counts::Nothing, _) => return of_users(0),
            // Outside the cores, nobody knows whose doing it is.
            (Counts::Occurrences, _) if self.is_outside_cores(event) => {
                return of_users(self.world.occurrences(kind, 0, time).user);
            }
            (_, None) => return of_users(0),
            (Counts::Occurrences, Some(task)) => {
                let Levels { user, kernel } =
                    self.world.occurrences(kind, self.world.tasks[&task].phase, time);
                let single = single.filter(|&(_, own, _)| own == kind).map_or(0, |(_, _, n)| n);
                Levels { user: user + single, kernel }
            }
        };
        Levels {
            user: if attr.excludes_user() { 0 } else { levels.user },
            kernel: if attr.excludes_kernel() { 0 } else { levels.kernel },
        }
    }

    /// The events whose time passes on a CPU: its own, those of the task there, and of
    /// control groups those that the task is in. An event of a task that counts elsewhere is
    /// among them: it is enabled and has no counter (`event_filter_match`).
    fn on_cpu(&self, cpu: u32, task: Option<Tid>) -> Vec<Id> {
        let group = task.and_then(|task| self.world.tasks.get(&task)).map(|task| task.group);
        let is_there = |event: &Event| match event.context {
            Context::Task(own) => task == Some(own),
            Context::Cpu(own) => {
                let is_in = |outer| group.is_some_and(|own| self.world.is_within(own, outer));
                own == cpu && event.group.is_none_or(is_in)
            }
        };
        self.events.iter().filter(|(_, event)| is_there(event)).map(|(&id, _)| id).collect()
    }

    /// A member is off while its leader is (`__perf_effective_state`).
    fn is_enabled(&self, event: &Event) -> bool {
        event.state == State::On && self.events[&event.leader].state == State::On
    }

    /// Gives the counters of each CPU to the events that are first in line
    /// (`ctx_sched_in`): pinned ones of the CPU and then of the task, then the others.
    pub(super) fn reschedule(&mut self) {
        self.events.values_mut().for_each(|event| event.is_active = false);
        for cpu in self.online.clone() {
            let task = self.world.on(cpu);
            let mut leaders: Vec<Id> = self
                .on_cpu(cpu, task)
                .into_iter()
                .filter(|&id| self.events[&id].leader == id && self.is_enabled(&self.events[&id]))
                .filter(|&id| self.may_run(&self.events[&id], cpu))
                .collect();
            leaders.sort_by_key(|id| {
                let event = &self.events[id];
                let is_of_task = matches!(event.context, Context::Task(_));
                (!event.attr.is_pinned(), is_of_task, event.turn)
            });
            self.assign(&leaders);
        }
    }

    /// Whether an event counts on this CPU (`event_filter_match`).
    fn may_run(&self, event: &Event, cpu: u32) -> bool {
        let pmu = self.pmu_type(event);
        let has_cpu = |type_| {
            let pmu = self.machine.pmus.iter().find(|pmu| pmu.type_ == type_);
            pmu.is_none_or(|pmu| !pmu.is_core || pmu.has_cpu(cpu))
        };
        event.only_on.is_none_or(|own| own == cpu) && pmu.is_none_or(has_cpu)
    }

    pub(super) fn is_outside_cores(&self, event: &Event) -> bool {
        let pmu = self.machine.pmu_of(event.attr.type_, event.attr.config);
        !event.is_software() && pmu.is_some_and(|pmu| !pmu.is_core)
    }

    /// The PMU of a group; `None` if all members are counted in software.
    fn pmu_type(&self, leader: &Event) -> Option<u32> {
        let members = leader.members.iter().map(|id| &self.events[id]);
        let hardware = [leader].into_iter().chain(members).find(|event| !event.is_software())?;
        Some(self.machine.pmu_of(hardware.attr.type_, hardware.attr.config)?.type_)
    }

    fn assign(&mut self, leaders: &[Id]) {
        // What each PMU counts, and the contexts that may add nothing more to it: after one
        // group that does not fit, no other of its context is tried (`can_add_hw`).
        let mut taken: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
        let mut full: Vec<(u32, Context)> = Vec::new();
        for &leader in leaders {
            let event = &self.events[&leader];
            let (is_pinned, context) = (event.attr.is_pinned(), event.context);
            let enabled: Vec<Id> = [leader]
                .into_iter()
                .chain(event.members.iter().copied())
                .filter(|id| self.is_enabled(&self.events[id]))
                .collect();
            let fits = match self.pmu_type(event) {
                None => true,
                Some(type_) if !is_pinned && full.contains(&(type_, context)) => false,
                Some(type_) => {
                    let own = enabled.iter().map(|id| &self.events[id]);
                    let own = own.filter(|event| !event.is_software());
                    let mut all = taken.get(&type_).cloned().unwrap_or_default();
                    all.extend(own.map(|event| event.attr.config));
                    let pmu = self.machine.pmus.iter().find(|pmu| pmu.type_ == type_);
                    let fits = pmu.is_some_and(|pmu| pmu.fits(&all, pmu.taken));
                    if fits {
                        taken.insert(type_, all);
                    } else {
                        full.push((type_, context));
                    }
                    fits
                }
            };
            if fits {
                for id in enabled {
                    self.events.get_mut(&id).expect("it is listed").is_active = true;
                }
            } else if is_pinned {
                self.events.get_mut(&leader).expect("it is listed").state = State::Error;
            }
        }
    }

    /// Where a group waits for a counter, the first one that has one goes to the end
    /// (`perf_rotate_context`), on each PMU and in each context.
    fn rotate(&mut self) {
        for cpu in self.online.clone() {
            let task = self.world.on(cpu);
            let mut queues: Vec<((u32, Context), Vec<Id>)> = Vec::new();
            for id in self.on_cpu(cpu, task) {
                let event = &self.events[&id];
                let is_waiting_or_on = event.leader == id
                    && self.is_enabled(event)
                    && !event.attr.is_pinned()
                    && self.may_run(event, cpu);
                let Some(pmu) = self.pmu_type(event).filter(|_| is_waiting_or_on) else { continue };
                match queues.iter_mut().find(|(key, _)| *key == (pmu, event.context)) {
                    Some((_, queue)) => queue.push(id),
                    None => queues.push(((pmu, event.context), vec![id])),
                }
            }
            for (_, queue) in queues {
                let first = |is_active: bool| {
                    let of = queue.iter().filter(|id| self.events[id].is_active == is_active);
                    of.min_by_key(|id| self.events[id].turn).copied()
                };
                let (Some(_), Some(next)) = (first(false), first(true).or(first(false))) else {
                    continue;
                };
                let turn = self.next;
                self.next += 1;
                self.events.get_mut(&next).expect("it is listed").turn = turn;
            }
        }
        self.reschedule();
    }
}

pub(super) fn kind_of(event: &Event) -> Kind {
    Kind { type_: event.attr.type_, config: event.attr.config, config1: event.attr.config1 }
}
