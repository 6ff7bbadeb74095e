//! Random programs of operations. Every count that is complete is true, every estimate is as
//! near as its share of the time allows, and everything else has a reason.
//!
//! `COUNTS_SEED` and `COUNTS_OPERATIONS` select other programs, and more of them;
//! `COUNTS_TRIAL` repeats one.

use std::collections::{BTreeMap, BTreeSet};

use pmu_events::Scope;
use pmu_events::format::Word;
use pmu_events::open::{self, Counters, ErrorKind, EventReading, Flag, Options, Outcome, Reading};
use pmu_events::resolve::Resolved;
use simulated_kernel::attr::Attr;
use simulated_kernel::kernel::Request;
use simulated_kernel::world::{Group, Kind, Run, Tid};

use crate::laboratory::{Cores, Laboratory, MILLISECOND, SELF};

const TASKS: [Tid; 3] = [SELF, 101, 102];
const PHASES: u32 = 3;
const GROUPS: [Group; 2] = [1, 2];

/// A generator of random numbers (xorshift64*), the same on every machine.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % most
    }

    fn one_in(&mut self, count: u64) -> bool {
        self.below(count) == 0
    }

    fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len() as u64) as usize]
    }
}

/// Times in which something was counted: the end is open while it is.
type Windows = Vec<(u64, Option<u64>)>;

/// What was done with a set of counters.
struct Measured {
    counters: Counters,
    scope: Scope,
    inherits: bool,
    on_exec: bool,
    group: Option<Group>,
    /// The CPUs that were online when it was opened.
    cpus: BTreeSet<u32>,
    text: String,
    /// The tasks of the scope.
    roots: Vec<Tid>,
    /// When each task was counted: those of the scope, and their children.
    of_tasks: BTreeMap<Tid, Windows>,
    /// Tasks that wait for their `exec`.
    waiting: Vec<Tid>,
    /// When CPUs, and times that need no counter, were counted.
    of_cpus: Windows,
    was_enabled: bool,
    reset: u64,
    earlier: Vec<(u64, Reading, u64)>,
}

#[derive(Debug, Default)]
pub struct Tally {
    pub operations: u64,
    /// Sets that could not be opened.
    pub refused: u64,
    /// Counts that are exact and not 0.
    pub exact: u64,
    /// Counts of nothing.
    pub nothing: u64,
    pub estimates: u64,
    pub partial: u64,
    pub unknown: u64,
}

fn open_window(windows: &mut Windows, now: u64) {
    if windows.last().is_none_or(|(_, end)| end.is_some()) {
        windows.push((now, None));
    }
}

fn close_window(windows: &mut Windows, now: u64) {
    if let Some((_, end @ None)) = windows.last_mut() {
        *end = Some(now);
    }
}

fn within(windows: &Windows, (from, to): (u64, u64)) -> impl Iterator<Item = (u64, u64)> {
    windows.iter().filter_map(move |&(start, end)| {
        let (start, end) = (start.max(from), end.unwrap_or(to).min(to));
        (start < end).then_some((start, end))
    })
}

/// A machine, what runs on it, and who counts.
struct Trial {
    dice: Dice,
    laboratory: Laboratory,
    cores: Cores,
    sets: Vec<Measured>,
    /// Events of somebody else.
    others: Vec<u64>,
    next_task: Tid,
}

impl Trial {
    fn new(mut dice: Dice) -> Self {
        let cores = *dice.of(&[Cores::Alike, Cores::Hybrid]);
        let laboratory = Laboratory::new(cores);
        for task in &TASKS[1..] {
            laboratory.spawn(*task);
        }
        for task in TASKS {
            let group = dice.below(3) as Group;
            laboratory.kernel().set_group(task, group);
            let cpu = dice.below(4) as u32;
            laboratory.kernel().place(task, Some(cpu)).expect("all CPUs are online");
        }
        Trial { dice, laboratory, cores, sets: Vec::new(), others: Vec::new(), next_task: 200 }
    }

    fn now(&self) -> u64 {
        self.laboratory.kernel().now()
    }

    fn event(&mut self) -> String {
        let own: &[&str] = match self.cores {
            Cores::Alike => &["cpu/event=", "cpu/event="],
            Cores::Hybrid => &["cpu_core/event=", "cpu_atom/event="],
        };
        let number = self.dice.below(6);
        let limit = match self.dice.below(4) {
            0 => format!("cpu={}", self.dice.below(4)),
            1 if self.dice.one_in(2) => "cpu=1-2".into(),
            _ => String::new(),
        };
        let own_children = if self.dice.one_in(8) { "no-inherit" } else { "" };
        let terms: Vec<&str> =
            [&*limit, own_children].into_iter().filter(|term| !term.is_empty()).collect();
        let terms = terms.join(",");
        let join = |separator: &str| match terms.is_empty() {
            true => String::new(),
            false => format!("{separator}{terms}"),
        };
        let slashed = |name: &str| match terms.is_empty() {
            true => name.to_string(),
            false => format!("{name}/{terms}/"),
        };
        let text = match self.dice.below(11) {
            0..=5 => {
                let pmu = self.dice.of(own);
                format!("{pmu}{number}{}/", join(","))
            }
            6 => slashed("page-faults"),
            7 => slashed("task-clock"),
            8 => slashed("cycles"),
            9 => slashed("context-switches"),
            _ if limit.is_empty() && self.dice.one_in(2) => return "duration_time".into(),
            _ => return format!("uncore_imc/event={number}/"),
        };
        let modifier = ["", "", "", "u", "k", "D"][self.dice.below(6) as usize];
        match (modifier, text.ends_with('/')) {
            ("", _) => text,
            (_, true) => format!("{text}{modifier}"),
            (_, false) => format!("{text}:{modifier}"),
        }
    }

    fn list(&mut self) -> String {
        let mut items = Vec::new();
        for _ in 0..1 + self.dice.below(6) {
            if self.dice.one_in(3) {
                let members: Vec<String> = (0..1 + self.dice.below(3))
                    .map(|_| self.event().replace(":D", "").replace("/D", "/"))
                    .filter(|event| event != "duration_time")
                    .collect();
                if !members.is_empty() {
                    let modifier = ["", "", ":W", ":W", ":D"][self.dice.below(5) as usize];
                    items.push(format!("{{{}}}{modifier}", members.join(",")));
                    continue;
                }
            }
            items.push(self.event());
        }
        items.join(",")
    }

    fn open(&mut self, tally: &mut Tally) {
        let text = self.list();
        let scope = match self.dice.below(4) {
            0 => Scope::ThisThread,
            1 => Scope::Threads(vec![101, 102, 101]),
            2 => Scope::AllCpus,
            _ => Scope::Cpus("1-2".parse().expect("it is a list")),
        };
        let inherits = self.dice.one_in(2);
        let on_exec = !scope.is_cpus() && self.dice.one_in(3);
        let mut options = Options::new()
            .with_scope(scope.clone())
            .with_inherit(inherits)
            .with_enable_on_exec(on_exec);
        let mut group = None;
        if scope.is_cpus() && self.dice.one_in(3) {
            let number = *self.dice.of(&GROUPS);
            options = options.with_cgroup(self.laboratory.group(number));
            group = Some(number);
        }
        let system = self.laboratory.system();
        let counters = match system.open_with(&text, &options) {
            Ok(counters) => counters,
            // All threads have ended, or a control group does not fit the events.
            Err(error) => {
                let kinds = [ErrorKind::NoSuchTask, ErrorKind::NoDevice];
                assert!(kinds.contains(&error.kind()), "{text} on {scope:?}: {error}");
                tally.refused += 1;
                return;
            }
        };
        let roots: Vec<Tid> = match &scope {
            Scope::ThisThread => vec![SELF],
            Scope::Threads(threads) => threads.clone(),
            _ => Vec::new(),
        };
        let alive = |task: &Tid| self.laboratory.kernel().world().tasks[task].is_alive;
        let roots: Vec<Tid> = roots.into_iter().filter(alive).collect();
        let of_tasks = roots.iter().map(|&task| (task, Windows::new())).collect();
        let waiting = if on_exec { roots.clone() } else { Vec::new() };
        let (of_cpus, reset) = (Windows::new(), self.now());
        let set = Measured {
            counters,
            scope,
            inherits,
            on_exec,
            group,
            cpus: self.laboratory.kernel().online().clone(),
            text,
            roots,
            of_tasks,
            waiting,
            of_cpus,
            was_enabled: false,
            reset,
            earlier: Vec::new(),
        };
        if self.sets.len() == 2 {
            let n = self.dice.below(2) as usize;
            self.sets.remove(n);
        }
        self.sets.push(set);
        if !self.dice.one_in(3) {
            let (last, now) = (self.sets.len() - 1, self.now());
            self.enable(last, now);
        }
    }

    fn step(&mut self, tally: &mut Tally) {
        tally.operations += 1;
        if self.sets.is_empty() || self.dice.one_in(12) {
            return self.open(tally);
        }
        let n = self.dice.below(self.sets.len() as u64) as usize;
        let now = self.now();
        match self.dice.below(26) {
            0..=5 => {
                let time = (1 + self.dice.below(20_000)) * 1_000;
                self.laboratory.kernel().run(time);
            }
            6..=8 => {
                let task = self.any_task();
                let cpu = (!self.dice.one_in(5)).then_some(self.dice.below(4) as u32);
                let _ = self.laboratory.kernel().place(task, cpu);
                let phase = self.dice.below(u64::from(PHASES)) as u32;
                self.laboratory.kernel().set_phase(task, phase);
            }
            9..=11 => self.enable(n, now),
            12 if self.dice.one_in(2) => {
                let set = &mut self.sets[n];
                set.counters.disable().expect("it can be disabled");
                set.of_tasks.values_mut().for_each(|windows| close_window(windows, now));
                close_window(&mut set.of_cpus, now);
            }
            12 => {
                let set = &mut self.sets[n];
                set.counters.reset();
                set.reset = now;
            }
            13 => self.fork(),
            14 => {
                let task = self.any_task();
                if task != SELF && self.dice.one_in(2) {
                    self.laboratory.exit_if_there(task);
                }
            }
            15 => self.exec(now),
            16 => self.compete(),
            17 if self.dice.one_in(4) => self.go_offline(),
            17 => {
                let task = self.any_task();
                let group = self.dice.below(3) as Group;
                self.laboratory.kernel().set_group(task, group);
            }
            _ => self.read(n, tally),
        }
    }

    fn any_task(&mut self) -> Tid {
        let tasks: Vec<Tid> = self.laboratory.kernel().world().tasks.keys().copied().collect();
        *self.dice.of(&tasks)
    }

    fn enable(&mut self, n: usize, now: u64) {
        let set = &mut self.sets[n];
        if let Err(error) = set.counters.enable() {
            assert_eq!(error.kind(), ErrorKind::NoSuchTask, "{}", set.text);
            return;
        }
        set.was_enabled = true;
        open_window(&mut set.of_cpus, now);
        if !set.on_exec {
            set.of_tasks.values_mut().for_each(|windows| open_window(windows, now));
        }
    }

    fn fork(&mut self) {
        let parent = self.any_task();
        if !self.laboratory.kernel().world().tasks[&parent].is_alive || self.next_task > 206 {
            return;
        }
        let child = self.next_task;
        self.next_task += 1;
        self.laboratory.kernel().fork(parent, child);
        self.laboratory.tell_of(child);
        let now = self.now();
        for set in self.sets.iter_mut().filter(|set| set.inherits) {
            let Some(windows) = set.of_tasks.get(&parent) else { continue };
            let is_on = windows.last().is_some_and(|(_, end)| end.is_none());
            let own = if is_on { vec![(now, None)] } else { Vec::new() };
            set.of_tasks.insert(child, own);
            if set.waiting.contains(&parent) {
                set.waiting.push(child);
            }
        }
    }

    fn exec(&mut self, now: u64) {
        let task = self.any_task();
        if !self.laboratory.kernel().world().tasks[&task].is_alive {
            return;
        }
        self.laboratory.kernel().exec(task);
        for set in &mut self.sets {
            let is_waiting = set.waiting.contains(&task);
            set.waiting.retain(|&one| one != task);
            if let (true, Some(windows)) = (is_waiting, set.of_tasks.get_mut(&task)) {
                open_window(windows, now);
            }
        }
    }

    /// Somebody else takes counters, or gives them back.
    fn compete(&mut self) {
        if self.others.len() > 2 {
            for id in std::mem::take(&mut self.others) {
                self.laboratory.kernel().close(id);
            }
            return;
        }
        let pinned = u64::from(self.dice.one_in(2)) << 2;
        let flags = if cfg!(target_endian = "big") { pinned.reverse_bits() } else { pinned };
        let type_ = match self.cores {
            Cores::Hybrid if self.dice.one_in(2) => crate::laboratory::LITTLE,
            _ => crate::laboratory::BIG,
        };
        let mut bytes = [0; 64];
        bytes[..4].copy_from_slice(&type_.to_ne_bytes());
        bytes[4..8].copy_from_slice(&64_u32.to_ne_bytes());
        bytes[40..48].copy_from_slice(&flags.to_ne_bytes());
        let attr = Attr::read(&bytes).expect("it has the size that it says");
        let cpu = self.dice.below(4) as u32;
        let request =
            Request { attr: &attr, task: None, cpu: Some(cpu), leader: None, group: None };
        self.others.extend(self.laboratory.kernel().open(&request));
    }

    /// For longer than clocks may differ.
    fn go_offline(&mut self) {
        let cpu = self.dice.below(4) as u32;
        if self.laboratory.kernel().online().len() < 2 {
            return;
        }
        self.laboratory.set_online(cpu, false);
        self.laboratory.kernel().run(20 * MILLISECOND);
        if !self.dice.one_in(4) {
            self.laboratory.set_online(cpu, true);
        }
    }

    fn read(&mut self, n: usize, tally: &mut Tally) {
        let time = (1 + self.dice.below(8_000)) * 1_000;
        self.laboratory.kernel().run(time);
        let now = self.now();
        let set = &self.sets[n];
        let reading = set.counters.read();
        self.check(set, &reading, (set.reset, now), tally);
        for (then, before, reset) in &set.earlier {
            let difference = reading.since(before);
            if *reset == set.reset {
                self.check(set, &difference, (*then, now), tally);
                continue;
            }
            for event in
                difference.events().iter().filter(|event| event.event().refusal().is_none())
            {
                let is_snapshot = event.event().resolved().is_some_and(|one| one.is_snapshot());
                let is_known = event.outcome().known().is_some();
                assert!(is_snapshot || !is_known, "{} across a reset: {event:?}", set.text);
            }
        }
        let set = &mut self.sets[n];
        set.earlier.push((now, reading, set.reset));
        if set.earlier.len() > 3 {
            set.earlier.remove(0);
        }
    }

    fn check(&self, set: &Measured, reading: &Reading, time: (u64, u64), tally: &mut Tally) {
        for event in reading.events() {
            let what = || {
                let Measured { text, scope, inherits, on_exec, group, of_tasks, of_cpus, .. } = set;
                format!(
                    "{text} on {scope:?} in {time:?}: {event:#?}\ninherits {inherits}, on exec {on_exec}, \
                     group {group:?}, tasks {of_tasks:?}, CPUs {of_cpus:?}"
                )
            };
            match event.outcome() {
                Outcome::Counted(total) => {
                    let truth = self.truth(set, event, time);
                    let bound = self.bound(event);
                    let error = total.value().abs_diff(truth);
                    assert!(error <= bound, "{error} > {bound} of {truth}: {}", what());
                    assert!(event.value().is_ok(), "{}", what());
                    match (bound, truth) {
                        (0, 0) => tally.nothing += 1,
                        (0, _) => tally.exact += 1,
                        _ => tally.estimates += 1,
                    }
                }
                // What is known is no more than all of it.
                Outcome::Partial(total) => {
                    let most = self.truth(set, event, time) + self.bound(event);
                    assert!(total.value() <= most, "{most}: {}", what());
                    assert!(!event.lacking().is_empty(), "{}", what());
                    assert_eq!(event.value().unwrap_err().kind(), ErrorKind::Partial, "{}", what());
                    tally.partial += 1;
                }
                outcome => {
                    let is_starved = event.parts().iter().any(|part| part.count().is_starved());
                    let has_counted = event.parts().iter().any(|part| part.count().value() > 0);
                    assert!(!has_counted, "{}", what());
                    let is_explained = match outcome {
                        Outcome::NotCounted => is_starved || !set.was_enabled,
                        Outcome::NotSupported => event.event().refusal().is_some(),
                        _ => !event.lacks().is_empty(),
                    };
                    assert!(is_explained, "{}", what());
                    let why = event.value().expect_err("it was not counted").to_string();
                    assert!(!why.is_empty(), "{outcome:?} {}", what());
                    tally.unknown += 1;
                }
            }
        }
    }

    /// How far an estimate may be from the truth: the event could occur as often as in its
    /// busiest phase, or never, while it had no counter.
    fn bound(&self, event: &EventReading) -> u64 {
        let most = self.most(event);
        let counts = event.parts().iter().map(|part| part.count());
        let scaled =
            counts.filter(|one| one.time_running() < one.time_enabled() && !one.is_starved());
        scaled.map(|one| (one.time_enabled() - one.time_running()) * most / 1_000 + 1).sum()
    }

    fn most(&self, event: &EventReading) -> u64 {
        match event.event().attr() {
            Some(attr) if (attr.type_(), attr.words().config()) != (1, 1) => {
                let kind = kind_of(attr);
                self.laboratory.kernel().world().rates.most(kind, PHASES)
            }
            _ => 1_000,
        }
    }

    /// What truly happened.
    fn truth(&self, set: &Measured, event: &EventReading, (from, to): (u64, u64)) -> u64 {
        let kernel = self.laboratory.kernel();
        let world = kernel.world();
        let time = |windows: &Windows| -> u64 {
            within(windows, (from, to)).map(|(start, end)| end - start).sum()
        };
        let Some(attr) = event.event().attr() else { return time(&set.of_cpus) };
        let kind = kind_of(attr);
        let resolved = event.event().resolved().expect("it is open");
        if resolved.pmu().is_some_and(|pmu| pmu.is_uncore()) {
            return world.rates.of(kind, 0).user * time(&set.of_cpus) / 1_000;
        }
        let is_clock = (attr.type_(), attr.words().config()) == (1, 1);
        let is_there = |cpu: u32| {
            let is_of_scope = set.scope != Scope::AllCpus || set.cpus.contains(&cpu);
            is_of_scope && may_count(resolved, &set.scope, cpu)
        };
        let mut sum = 0;
        let mut add = |windows: &Windows, is_meant: &dyn Fn(&Run) -> bool| {
            for window in within(windows, (from, to)) {
                if is_clock {
                    sum += world.time(window, |run| is_there(run.cpu) && is_meant(run));
                    continue;
                }
                let levels = world.truth(kind, window, |run| is_there(run.cpu) && is_meant(run));
                let user = if attr.has(Flag::ExcludeUser) { 0 } else { levels.user };
                sum += user + if attr.has(Flag::ExcludeKernel) { 0 } else { levels.kernel };
            }
        };
        match (set.scope.is_cpus(), set.group) {
            (true, None) if is_clock => {
                // The clock of a CPU goes whether anything runs there or not.
                let cpus = event.parts().len() as u64;
                return cpus * time(&set.of_cpus);
            }
            (true, None) => add(&set.of_cpus, &|_| true),
            (true, Some(group)) => {
                add(&set.of_cpus, &|run| world.is_within(run.group, group));
            }
            (false, _) => {
                let has_children = resolved.attributes().inherit() != Some(false);
                for (task, windows) in &set.of_tasks {
                    if has_children || set.roots.contains(task) {
                        add(windows, &|run| run.task == *task);
                    }
                }
            }
        }
        sum
    }
}

fn kind_of(attr: &open::Attr) -> Kind {
    let words = attr.words();
    Kind { type_: attr.type_(), config: words.config(), config1: words.get(Word::Config1) }
}

/// Whether an event counts on a CPU.
fn may_count(resolved: &Resolved, scope: &Scope, cpu: u32) -> bool {
    let of_scope = match scope {
        Scope::Cpus(cpus) => cpus.contains(cpu),
        _ => true,
    };
    let of_pmu = match resolved.pmu().map(|pmu| pmu.cpus()) {
        Some(Ok(Some(cpus))) => cpus.contains(cpu),
        _ => true,
    };
    of_scope && of_pmu && resolved.limit().is_none_or(|limit| limit.contains(cpu))
}

/// Runs so many operations.
pub fn run(seed: u64, operations: u64) -> Tally {
    let mut tally = Tally::default();
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    while tally.operations < operations {
        let of_trial = dice.below(u64::MAX >> 33) << 20 | dice.below(1 << 20) | 1;
        let _named = Named(of_trial);
        let mut trial = Trial::new(Dice(of_trial));
        for _ in 0..80 {
            trial.step(&mut tally);
        }
    }
    tally
}

/// Names a trial that fails, so that it can be repeated alone.
struct Named(u64);

impl Drop for Named {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("COUNTS_TRIAL={} repeats this trial", self.0);
        }
    }
}

#[test]
fn every_count_is_true() {
    let number = |name| std::env::var(name).ok().map(|text: String| text.parse().expect(name));
    if let Some(trial) = number("COUNTS_TRIAL") {
        let mut trial = Trial::new(Dice(trial));
        return (0..80).for_each(|_| trial.step(&mut Tally::default()));
    }
    let operations = number("COUNTS_OPERATIONS").unwrap_or(2_500);
    let seeds = number("COUNTS_SEED").map_or(vec![1, 2, 3], |seed| vec![seed]);
    for seed in seeds {
        let tally = run(seed, operations);
        println!("seed {seed}: {tally:?}");
        // Programs that count nothing would show nothing.
        let Tally { exact, nothing, estimates, partial, unknown, .. } = tally;
        let all = exact + nothing + estimates + partial + unknown;
        assert!(exact * 6 > all && estimates * 20 > all && partial * 60 > all, "{tally:?}");
    }
}
