//! Samples that add up.

use std::collections::HashMap;
use std::rc::Rc;

use pmu_events::sample::Mode;

use crate::profile::hash;
use crate::profile::known::Known;
use crate::profile::reading::{Access, Taken};
use crate::report::accesses::{self, Words};
use crate::report::chains::Chains;
use crate::report::places;
use crate::report_values::{ChainOrder, Key};

/// The samples of one event, by what shares a line.
pub(crate) struct Shares {
    keys: Vec<Key>,
    with_callers: bool,
    /// Whether a sample stands for its weight.
    by_weight: bool,
    words: Words,
    lines: hash::Table<Row, Sum>,
    code: Parts<u32>,
    data: Parts<accesses::Key>,
    names: Vec<Rc<str>>,
    samples: u64,
    events: u64,
    chains: Option<Chains>,
}

/// What a line is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Line {
    /// One for each key.
    pub(crate) values: Vec<Rc<str>>,
    /// The privilege of a function, as perf's letter.
    pub(crate) level: Option<char>,
}

/// A line by numbers; those that no key asks for are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Row {
    code: u32,
    data: u32,
    name: u32,
    pid: u32,
    tid: u32,
    cpu: u32,
}

/// What was sampled.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sum {
    pub(crate) samples: u64,
    /// How many events the samples stand for, or their weights.
    pub(crate) events: u64,
    /// Those of what is called, too.
    pub(crate) with_callees: u64,
    /// Those of the kernel, of programs, and the same in guests.
    pub(crate) by_mode: [u64; 4],
    /// The number of the tree of call chains.
    pub(crate) tree: u32,
    /// The number of steps of the longest one.
    pub(crate) depth: usize,
    /// The thread of the first sample.
    pub(crate) thread: u32,
    /// Whether its function is known.
    pub(crate) is_known: bool,
    /// The sample that was added last, from 1.
    last: u64,
}

/// The lines of an event, the largest first.
pub(crate) struct Table<'t> {
    pub(crate) event: &'t str,
    pub(crate) lines: Vec<(Line, Sum)>,
    pub(crate) samples: u64,
    pub(crate) events: u64,
    pub(crate) chains: Option<Chains>,
}

impl Table<'_> {
    /// The share of some events, 0 to 1.
    pub(crate) fn share(&self, events: u64) -> f64 {
        if self.events == 0 { 0.0 } else { events as f64 / self.events as f64 }
    }
}

/// The CPU of a sample that does not say it.
const NO_CPU: u32 = u32::MAX;

/// Which part of the events a privilege has.
fn part(mode: Option<Mode>) -> Option<usize> {
    match mode? {
        Mode::Kernel => Some(0),
        Mode::User => Some(1),
        Mode::GuestKernel => Some(2),
        Mode::GuestUser => Some(3),
        _ => None,
    }
}

impl Shares {
    pub(crate) fn new(keys: &[Key], with_callers: bool) -> Self {
        Shares {
            keys: keys.to_vec(),
            with_callers,
            by_weight: false,
            words: Words::Own,
            lines: hash::Table::default(),
            code: Parts::default(),
            data: Parts::default(),
            names: Vec::new(),
            samples: 0,
            events: 0,
            chains: None,
        }
    }

    /// With the call chains of each line.
    pub(super) fn with_chains(self, chains: Option<Chains>) -> Self {
        Shares { chains, ..self }
    }

    /// Accesses to data in some words; a sample stands for its weight, if that is asked for.
    pub(super) fn of_accesses(self, words: Words, by_weight: bool) -> Self {
        Shares { words, by_weight, ..self }
    }

    pub(crate) fn add(&mut self, known: &Known, taken: &Taken) {
        let events = self.worth(taken);
        self.samples += 1;
        self.events = self.events.saturating_add(events);
        let mut row = self.row(known, taken);
        if let Some(chains) = &mut self.chains {
            chains.begin(known, taken);
        }
        let frames = if self.with_callers { taken.frames.len() } else { taken.frames.len().min(1) };
        let is_outermost_first =
            self.chains.as_ref().is_some_and(|chains| chains.order() == ChainOrder::Caller);
        for n in 0..frames {
            // The innermost one is the sample's own, and comes first in any case.
            let n = if is_outermost_first && n > 0 { frames - n } else { n };
            row.code = self.code_of(known, taken.frames[n].location);
            let sum = self.lines.entry(row).or_default();
            if sum.last == 0 {
                let symbol = &known.location(taken.frames[n].location).symbol;
                (sum.thread, sum.is_known) = (taken.tid, symbol.is_some());
            }
            if n == 0 {
                sum.samples += 1;
                sum.events = sum.events.saturating_add(events);
                if let Some(mode) = part(taken.mode) {
                    sum.by_mode[mode] = sum.by_mode[mode].saturating_add(events);
                }
            }
            // A function that calls itself is in the chain several times.
            if sum.last != self.samples {
                sum.last = self.samples;
                sum.with_callees = sum.with_callees.saturating_add(events);
                if let Some(chains) = &mut self.chains {
                    let depth = chains.add(&mut sum.tree, n, events);
                    sum.depth = sum.depth.max(depth);
                }
            }
        }
    }

    /// What a sample stands for.
    fn worth(&self, taken: &Taken) -> u64 {
        // perf takes samples without a weight for 1 (`iter_add_single_mem_entry` in
        // `tools/perf/util/hist.c`).
        if self.by_weight { taken.access.weight.max(1) } else { taken.period }
    }

    /// A sample that is not shown, but part of the whole.
    pub(crate) fn pass_over(&mut self, taken: &Taken) {
        self.samples += 1;
        self.events = self.events.saturating_add(self.worth(taken));
    }

    /// What the frames of a sample share.
    fn row(&mut self, known: &Known, taken: &Taken) -> Row {
        let mut row = Row::default();
        let mut has_data = false;
        for key in &self.keys {
            match key {
                Key::Comm => {
                    row.name = taken.name;
                    while self.names.len() <= taken.name as usize {
                        self.names.push(known.name(self.names.len() as u32).clone());
                    }
                }
                Key::Pid => row.pid = taken.pid,
                Key::Tid => row.tid = taken.tid,
                Key::Cpu => row.cpu = taken.cpu.unwrap_or(NO_CPU),
                key => has_data |= key.is_of_data(),
            }
        }
        if has_data {
            row.data = self.data_of(known, &taken.access);
        }
        row
    }

    /// The number of what a place is called.
    fn code_of(&mut self, known: &Known, location: u32) -> u32 {
        let keys = &self.keys;
        self.code.number(location, || {
            let location = known.location(location);
            let values = keys.iter().filter_map(|key| places::value(*key, known, location));
            // Other keys do not tell privileges apart, nor does perf.
            let has_level = keys.iter().any(|key| key.has_level());
            let level = has_level.then(|| places::level(location));
            Line { values: values.collect(), level }
        })
    }

    fn data_of(&mut self, known: &Known, access: &Access) -> u32 {
        let (keys, words) = (&self.keys, self.words);
        let raw = accesses::Key::of(keys, access);
        self.data.number(raw, || {
            let keys = keys.iter().filter(|key| key.is_of_data());
            let values = keys.map(|key| accesses::value(*key, known, access, words));
            Line { values: values.collect(), level: None }
        })
    }

    /// The lines that are not smaller than a share.
    pub(crate) fn into_table(self, event: &str, least: f64) -> Table<'_> {
        let with_callers = self.with_callers;
        let size = |sum: &Sum| if with_callers { sum.with_callees } else { sum.events };
        let (samples, events) = (self.samples, self.events);
        let mut table = Table { event, lines: Vec::new(), samples, events, chains: None };
        let lines = self.lines.iter().filter(|(_, sum)| table.share(size(sum)) >= least);
        let mut lines: Vec<_> = lines.map(|(row, sum)| (self.line(row), *sum)).collect();
        lines.sort_by(|(one, first), (other, second)| {
            size(second).cmp(&size(first)).then_with(|| one.cmp(other))
        });
        table.lines = lines;
        table.chains = self.chains;
        table
    }

    fn line(&self, row: &Row) -> Line {
        let code = self.code.line(row.code);
        let mut of_code = code.into_iter().flat_map(|line| &line.values);
        let mut of_data = self.data.line(row.data).into_iter().flat_map(|line| &line.values);
        let value = |key: &Key| -> Rc<str> {
            match key {
                Key::Comm => self.names[row.name as usize].clone(),
                Key::Pid => Rc::from(row.pid.to_string()),
                Key::Tid => Rc::from(row.tid.to_string()),
                Key::Cpu if row.cpu == NO_CPU => Rc::from("?"),
                Key::Cpu => Rc::from(row.cpu.to_string()),
                key if key.is_of_data() => of_data.next().cloned().unwrap_or_default(),
                _ => of_code.next().cloned().unwrap_or_default(),
            }
        };
        let values = self.keys.iter().map(value).collect();
        Line { values, level: code.and_then(|line| line.level) }
    }
}

/// Parts of lines: each has a number, and so has each thing that is called so.
struct Parts<T> {
    lines: Vec<Line>,
    numbers: HashMap<Line, u32>,
    of: hash::Table<T, u32>,
}

impl<T> Default for Parts<T> {
    fn default() -> Self {
        Parts { lines: Vec::new(), numbers: HashMap::new(), of: hash::Table::default() }
    }
}

impl<T: Copy + Eq + std::hash::Hash> Parts<T> {
    fn number(&mut self, thing: T, line: impl FnOnce() -> Line) -> u32 {
        if let Some(&number) = self.of.get(&thing) {
            return number;
        }
        let line = line();
        let new = self.lines.len() as u32;
        let number = *self.numbers.entry(line.clone()).or_insert(new);
        if number == new {
            self.lines.push(line);
        }
        self.of.insert(thing, number);
        number
    }

    fn line(&self, number: u32) -> Option<&Line> {
        self.lines.get(number as usize)
    }
}
