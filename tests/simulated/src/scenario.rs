//! A machine and the program on it, described in a file for the preloaded library.
//!
//! ```text
//! cpus 4
//! pmu 4 core counters=4 cpus=0-3
//! pmu 18 uncore counters=2 cpus=0
//! constraint 4 mask=0xff value=0xc0 counters=0x1
//! taken 4 counters=0x1
//! refuse 18 errno=19
//! refuse 3 config=0x2 errno=95
//! program cpu=0 us=30000 phase=0
//! program us=20000
//! program cpu=1 us=90000 phase=1
//! rate 4 config=0x3c phase=0 user=3000 kernel=100
//! map start=0x400000 length=0x1000 offset=0 file=/usr/bin/program
//! code phase=0 address=0x400010
//! latency 4 config=0x1cd phase=0 cycles=40
//! held 4 cpu=0 events=2
//! backwards 4 config=0x3c
//! own us=50
//! directories
//! real
//! ```
//!
//! Lines begin with their kind; a PMU is known by its type. The command (or each task that is
//! measured) runs the lines of `program` one after another, each for some microseconds on a
//! CPU or, without one, waiting, and then ends. `map` is what it maps as code, `code` where a phase
//! is in it, and `latency` how long the instructions of a phase that cause an event take to retire.
//! A PMU takes samples of the level `precise` at most, with `nosamples` none. `held` are pinned events of somebody else.
//! `own` is what the program with the preloaded library does itself while its counters are
//! enabled ([`crate::own`]): some microseconds on a CPU or where it may run, in the first
//! such time (`work=0`, the default), the second or a later one. With `directories`, each directory
//! is a control group, in which nothing runs. With `real`, as much time passes as outside, for programs
//! that run until they are told to end; without it, only what the program waits for. Numbers are decimal, or hexadecimal with `0x`. Text behind `#` is a
//! remark.

use std::collections::{BTreeMap, BTreeSet};
use std::{env, fs};

use crate::attr::Attr;
use crate::kernel::{Kernel, Request, TICK};
use crate::machine::{Constraint, Machine, Pmu};
use crate::own::{self, Own};
use crate::world::{Code, Kind, Levels, Mapping, Tid};

/// The variable that names the file.
pub const VARIABLE: &str = "SIMULATED_KERNEL";

/// A stretch of a program; without a CPU, it waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stretch {
    cpu: Option<u32>,
    nanoseconds: u64,
    phase: u32,
}

/// Events that the kernel refuses: all of a type, or one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Refused {
    type_: u32,
    config: Option<u64>,
    errno: i32,
}

/// What a file describes.
#[derive(Debug)]
pub struct Scenario {
    machine: Machine,
    program: Vec<Stretch>,
    rates: Vec<(Kind, u32, Levels)>,
    refused: Vec<Refused>,
    held: Vec<(u32, u32, u64)>,
    backwards: Vec<Kind>,
    code: Code,
    own: Vec<Vec<own::Stretch>>,
    /// Whether each directory is a control group.
    has_directories: bool,
    /// Whether time passes as it does outside.
    is_real: bool,
}

/// The words of a line behind its kind: a number, words alone, and values by name.
struct Line<'l> {
    number: Option<u64>,
    words: BTreeSet<&'l str>,
    values: BTreeMap<&'l str, &'l str>,
}

fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// Numbers and ranges, as in sysfs.
fn set(text: &str) -> Option<BTreeSet<u32>> {
    let mut all = BTreeSet::new();
    for part in text.split(',').filter(|part| !part.is_empty()) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        all.extend(first.parse::<u32>().ok()?..=last.parse::<u32>().ok()?);
    }
    Some(all)
}

impl<'l> Line<'l> {
    fn of(words: impl Iterator<Item = &'l str>) -> Self {
        let mut line = Line { number: None, words: BTreeSet::new(), values: BTreeMap::new() };
        for word in words {
            match word.split_once('=') {
                Some((name, value)) => {
                    line.values.insert(name, value);
                }
                None if line.number.is_none() && number(word).is_some() => {
                    line.number = number(word);
                }
                None => {
                    line.words.insert(word);
                }
            }
        }
        line
    }

    fn value(&self, name: &str) -> Option<u64> {
        number(self.values.get(name)?)
    }

    fn type_(&self) -> Option<u32> {
        u32::try_from(self.number?).ok()
    }

    fn phase(&self) -> Option<u32> {
        u32::try_from(self.value("phase").unwrap_or(0)).ok()
    }

    fn kind(&self) -> Option<Kind> {
        Some(Kind {
            type_: self.type_()?,
            config: self.value("config")?,
            config1: self.value("config1").unwrap_or(0),
        })
    }
}

impl Scenario {
    /// Reads a description.
    ///
    /// # Errors
    ///
    /// Returns the first line that cannot be read.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut all = Scenario {
            machine: Machine { cpus: 1, pmus: Vec::new() },
            program: Vec::new(),
            rates: Vec::new(),
            refused: Vec::new(),
            held: Vec::new(),
            backwards: Vec::new(),
            code: Code::default(),
            own: Vec::new(),
            has_directories: false,
            is_real: false,
        };
        for (n, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default();
            let mut words = line.split_whitespace();
            let Some(kind) = words.next() else { continue };
            all.add(kind, &Line::of(words)).ok_or_else(|| format!("line {}: `{line}`", n + 1))?;
        }
        Ok(all)
    }

    fn add(&mut self, kind: &str, line: &Line<'_>) -> Option<()> {
        match kind {
            "cpus" => self.machine.cpus = line.type_()?,
            "pmu" => {
                let cpus = match line.values.get("cpus") {
                    Some(text) => Some(set(text)?),
                    None => None,
                };
                let counters = u32::try_from(line.value("counters")?).ok()?;
                let pmu = Pmu::core(line.type_()?, cpus, counters);
                let precise = match line.value("precise") {
                    Some(most) => Some(u8::try_from(most).ok()?),
                    None => pmu.precise,
                };
                let is_core = line.words.contains("core");
                let precise = precise.filter(|_| is_core && !line.words.contains("nosamples"));
                self.machine.pmus.push(Pmu { is_core, precise, ..pmu });
            }
            "constraint" => {
                let constraint = Constraint {
                    mask: line.value("mask")?,
                    value: line.value("value")?,
                    counters: line.value("counters")?,
                };
                self.pmu(line)?.constraints.push(constraint);
            }
            "taken" => self.pmu(line)?.taken |= line.value("counters")?,
            "refuse" => {
                let errno = i32::try_from(line.value("errno")?).ok()?;
                let config = line.value("config");
                self.refused.push(Refused { type_: line.type_()?, config, errno });
            }
            "program" => self.program.push(Stretch {
                cpu: match line.values.get("cpu") {
                    Some(text) => Some(u32::try_from(number(text)?).ok()?),
                    None => None,
                },
                nanoseconds: line.value("us")? * TICK,
                phase: line.phase()?,
            }),
            "held" => {
                let cpu = u32::try_from(line.value("cpu")?).ok()?;
                self.held.push((line.type_()?, cpu, line.value("events")?));
            }
            "map" => self.code.mappings.push(Mapping {
                start: line.value("start")?,
                length: line.value("length")?,
                offset: line.value("offset").unwrap_or(0),
                file: (*line.values.get("file")?).to_owned(),
            }),
            "code" => self.code.place(line.phase()?, line.value("address")?),
            "latency" => {
                let cycles = u16::try_from(line.value("cycles")?).ok()?;
                self.code.take(line.kind()?, line.phase()?, cycles);
            }
            "directories" => self.has_directories = true,
            "real" => self.is_real = true,
            "backwards" => self.backwards.push(line.kind()?),
            "own" => {
                let work = line.value("work").unwrap_or(0) as usize;
                let microseconds = line.value("us")?;
                let cpu = match line.values.get("cpu") {
                    Some(text) => Some(u32::try_from(number(text)?).ok()?),
                    None => None,
                };
                if self.own.len() <= work {
                    self.own.resize(work + 1, Vec::new());
                }
                self.own[work].push(own::Stretch { cpu, microseconds });
            }
            "rate" => {
                let kind = line.kind()?;
                let user = line.value("user")?;
                let levels = Levels { user, kernel: line.value("kernel").unwrap_or(0) };
                self.rates.push((kind, line.phase()?, levels));
            }
            _ => return None,
        }
        Some(())
    }

    fn pmu(&mut self, line: &Line<'_>) -> Option<&mut Pmu> {
        let type_ = line.type_()?;
        self.machine.pmus.iter_mut().find(|pmu| pmu.type_ == type_)
    }
}

/// A task of a preloaded simulation.
#[derive(Debug)]
struct Running {
    task: Tid,
    /// The stretch that it is in, and what is left of it.
    stretch: usize,
    left: u64,
}

/// The task that runs the program where only CPUs are measured.
const SOMEBODY: Tid = Tid::MAX;

/// A scenario that is played to a program.
#[derive(Debug)]
pub struct Preloaded {
    scenario: Scenario,
    running: Vec<Running>,
    is_started: bool,
    /// When the time of the world outside began to be followed.
    begin: Option<u64>,
}

impl Preloaded {
    /// The scenario that the environment names, if it names one.
    ///
    /// A file that cannot be read ends the process: a test that runs without its machine
    /// would be about another one.
    pub(crate) fn of_environment() -> Option<Self> {
        let path = env::var_os(VARIABLE)?;
        let text = fs::read_to_string(&path).map_err(|error| error.to_string());
        match text.and_then(|text| Scenario::parse(&text)) {
            Ok(scenario) => Some(Self::new(scenario)),
            Err(error) => {
                eprintln!("{VARIABLE}={}: {error}", path.display());
                std::process::abort();
            }
        }
    }

    /// Nothing runs yet.
    #[must_use]
    pub fn new(scenario: Scenario) -> Self {
        Preloaded { scenario, running: Vec::new(), is_started: false, begin: None }
    }

    /// The kernel of the described machine.
    #[must_use]
    pub fn kernel(&self) -> Kernel {
        let mut kernel = Kernel::new(self.scenario.machine.clone());
        for &(kind, phase, levels) in &self.scenario.rates {
            kernel.rates().set(kind, phase, levels);
        }
        *kernel.code() = self.scenario.code.clone();
        for &kind in &self.scenario.backwards {
            kernel.turn_back(kind);
        }
        for &(type_, cpu, events) in &self.scenario.held {
            let attr = Attr::pinned(type_, 0);
            let (task, leader, group) = (None, None, None);
            let request = Request { attr: &attr, task, cpu: Some(cpu), leader, group };
            for _ in 0..events {
                kernel.open(&request).expect("the scenario names a PMU and its CPU");
            }
        }
        let refused = self.scenario.refused.clone();
        kernel.refuse(Box::new(move |request| {
            let is_meant = |one: &&Refused| {
                let config = one.config.unwrap_or(request.attr.config);
                (one.type_, config) == (request.attr.type_, request.attr.config)
            };
            refused.iter().find(is_meant).map(|one| one.errno)
        }));
        kernel
    }

    /// Whether each directory is a control group.
    #[must_use]
    pub fn has_directories(&self) -> bool {
        self.scenario.has_directories
    }

    /// Whether time passes as it does outside.
    #[must_use]
    pub fn is_real(&self) -> bool {
        self.scenario.is_real
    }

    /// Lets tasks run until a moment outside, in nanoseconds.
    pub fn follow(&mut self, kernel: &mut Kernel, outside: u64) {
        let passed = outside - *self.begin.get_or_insert(outside);
        self.run(kernel, passed.saturating_sub(kernel.now()) / TICK * TICK);
    }

    /// What the program does itself, if that is described.
    #[must_use]
    pub fn own(&self) -> Option<Own> {
        let works = &self.scenario.own;
        (!works.is_empty()).then(|| Own::new(works.clone()))
    }

    /// A task that is to be measured.
    pub fn meet(&mut self, kernel: &mut Kernel, task: Tid, is_alive: bool) {
        let is_known = kernel.world().tasks.get(&task).is_some_and(|task| task.is_alive);
        if is_known || !is_alive {
            return;
        }
        kernel.spawn(task, 0);
        let left = self.scenario.program.first().map_or(0, |first| first.nanoseconds);
        self.running.push(Running { task, stretch: 0, left });
    }

    /// The tasks become the command.
    fn start(&mut self, kernel: &mut Kernel) {
        if self.running.is_empty() && !self.is_started {
            self.meet(kernel, SOMEBODY, true);
        }
        if !std::mem::replace(&mut self.is_started, true) {
            self.running.iter().for_each(|one| kernel.exec(one.task));
        }
    }

    /// Lets tasks run for a time.
    pub fn run(&mut self, kernel: &mut Kernel, mut time: u64) {
        self.start(kernel);
        while time > 0 {
            for one in &self.running {
                let stretch = self.scenario.program.get(one.stretch);
                let cpu = stretch.and_then(|stretch| stretch.cpu);
                kernel.set_phase(one.task, stretch.map_or(0, |stretch| stretch.phase));
                kernel.place(one.task, cpu).expect("the program names CPUs of the machine");
            }
            let lefts = self.running.iter().map(|one| one.left).filter(|&left| left > 0);
            let step = lefts.min().map_or(time, |left| left.min(time));
            kernel.run(step);
            // Less than a tick does not pass.
            time = time.saturating_sub(step.max(TICK));
            for one in self.running.iter_mut().filter(|one| one.left > 0) {
                one.left -= step;
                if one.left == 0 {
                    one.stretch += 1;
                    let next = self.scenario.program.get(one.stretch);
                    one.left = next.map_or(0, |next| next.nanoseconds);
                }
            }
        }
    }

    /// Lets the tasks run to their end.
    pub fn finish(&mut self, kernel: &mut Kernel) {
        self.start(kernel);
        while let Some(left) = self.running.iter().map(|one| one.left).max().filter(|&n| n > 0) {
            self.run(kernel, left);
        }
        for one in self.running.drain(..) {
            kernel.exit(one.task);
        }
        self.is_started = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let text = "cpus 2 # two\n\npmu 4 core counters=4\npmu 18 uncore counters=2 cpus=0,1\n\
                    constraint 4 mask=0xff value=0xc0 counters=1\ntaken 4 counters=0x8\n\
                    program cpu=1 us=5\nrate 4 config=0x3c user=7\nrefuse 18 errno=19\n";
        let scenario = Scenario::parse(text).unwrap();
        assert_eq!(scenario.machine.cpus, 2);
        let [core, uncore] = &scenario.machine.pmus[..] else { panic!("{scenario:?}") };
        assert!(core.is_core && core.constraints.len() == 1 && core.taken == 8);
        assert!(!uncore.is_core && uncore.cpus == Some([0, 1].into()));
        assert_eq!(scenario.program, [Stretch { cpu: Some(1), nanoseconds: 5000, phase: 0 }]);
        let refused = Refused { type_: 18, config: None, errno: 19 };
        assert_eq!((scenario.rates.len(), scenario.refused), (1, vec![refused]));
        for odd in ["pmu", "pmu x counters=1", "nothing", "taken 4 counters=1", "program cpu=0"] {
            assert!(Scenario::parse(odd).is_err(), "{odd}");
        }
    }

    #[test]
    fn a_program_runs_to_its_end() {
        let text = "cpus 2\npmu 4 core counters=4\nprogram cpu=0 us=30\nprogram cpu=1 us=90\n";
        let mut preloaded = Preloaded::new(Scenario::parse(text).unwrap());
        let mut kernel = preloaded.kernel();
        preloaded.meet(&mut kernel, 7, true);
        preloaded.meet(&mut kernel, 8, false);
        preloaded.run(&mut kernel, 40_000);
        preloaded.finish(&mut kernel);
        let on = |cpu| kernel.world().time((0, kernel.now()), |run| run.cpu == cpu);
        assert_eq!((kernel.now(), on(0), on(1)), (120_000, 30_000, 90_000));
        assert!(!kernel.world().tasks[&7].is_alive && kernel.world().tasks.len() == 1);
    }
}
