//! Samples that add up.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use pmu_events::sample::Mode;

use crate::profile::modules::Modules;
use crate::profile::reading::{Frame, Taken, kernel_name};
use crate::report_args::Key;

/// The samples of one event, by what shares a line.
pub(crate) struct Shares {
    keys: Vec<Key>,
    with_callers: bool,
    lines: HashMap<Line, Sum>,
    samples: u64,
    events: u64,
}

/// What a line is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Line {
    /// One for each key.
    pub(crate) values: Vec<Rc<str>>,
    /// The privilege of a function, as perf's letter.
    pub(crate) level: Option<char>,
}

/// What was sampled.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sum {
    pub(crate) samples: u64,
    /// How many events the samples stand for.
    pub(crate) events: u64,
    /// Those of what is called, too.
    pub(crate) with_callees: u64,
}

/// The lines of an event, the largest first.
pub(crate) struct Table<'t> {
    pub(crate) event: &'t str,
    pub(crate) lines: Vec<(Line, Sum)>,
    pub(crate) samples: u64,
    pub(crate) events: u64,
}

impl Table<'_> {
    /// The share of some events, 0 to 1.
    pub(crate) fn share(&self, events: u64) -> f64 {
        if self.events == 0 { 0.0 } else { events as f64 / self.events as f64 }
    }
}

impl Shares {
    pub(crate) fn new(keys: &[Key], with_callers: bool) -> Self {
        Shares { keys: keys.to_vec(), with_callers, lines: HashMap::new(), samples: 0, events: 0 }
    }

    pub(crate) fn add(&mut self, modules: &Modules, taken: &Taken) {
        self.samples += 1;
        self.events = self.events.saturating_add(taken.period);
        let mut seen = HashSet::new();
        let frames = if self.with_callers { &taken.frames[..] } else { first(&taken.frames) };
        for (n, frame) in frames.iter().enumerate() {
            let line = line(&self.keys, modules, taken, frame);
            // A function that calls itself is in the chain several times.
            let is_first = !self.with_callers || seen.insert(line.clone());
            let sum = self.lines.entry(line).or_default();
            if n == 0 {
                sum.samples += 1;
                sum.events = sum.events.saturating_add(taken.period);
            }
            if is_first {
                sum.with_callees = sum.with_callees.saturating_add(taken.period);
            }
        }
    }

    /// The lines that are not smaller than a share.
    pub(crate) fn into_table(self, event: &str, least: f64) -> Table<'_> {
        let mut lines: Vec<(Line, Sum)> = self.lines.into_iter().collect();
        let with_callers = self.with_callers;
        let size = |sum: &Sum| if with_callers { sum.with_callees } else { sum.events };
        lines.sort_by(|(one, first), (other, second)| {
            size(second).cmp(&size(first)).then_with(|| one.cmp(other))
        });
        let mut table =
            Table { event, lines: Vec::new(), samples: self.samples, events: self.events };
        lines.retain(|(_, sum)| table.share(size(sum)) >= least);
        table.lines = lines;
        table
    }
}

fn first(frames: &[Frame]) -> &[Frame] {
    &frames[..frames.len().min(1)]
}

fn line(keys: &[Key], modules: &Modules, taken: &Taken, frame: &Frame) -> Line {
    let value = |key: &Key| -> Rc<str> {
        match key {
            Key::Comm => taken.name.clone(),
            Key::Pid => Rc::from(taken.pid.to_string()),
            Key::Tid => Rc::from(taken.tid.to_string()),
            Key::Cpu => taken.cpu.map_or_else(|| Rc::from("?"), |cpu| Rc::from(cpu.to_string())),
            Key::Module => module(modules, frame),
            Key::Function => function(frame),
            Key::Line => match frame.found.places.first().and_then(|place| place.line.as_ref()) {
                Some((file, line)) => Rc::from(format!("{file}:{line}")),
                None => Rc::from("??:0"),
            },
        }
    };
    let letter = match frame.mode {
        Mode::Kernel => 'k',
        Mode::Hypervisor => 'H',
        Mode::GuestKernel => 'g',
        Mode::GuestUser => 'u',
        _ => '.',
    };
    // Other keys do not tell the two apart, nor does perf.
    let level = keys.contains(&Key::Function).then_some(letter);
    Line { values: keys.iter().map(value).collect(), level }
}

/// The module, as perf shows it.
pub(super) fn module(modules: &Modules, frame: &Frame) -> Rc<str> {
    match frame.module {
        Some(module) => modules.get(module).short_name.clone(),
        None if frame.mode == Mode::Kernel => Rc::from(kernel_name()),
        None => Rc::from("[unknown]"),
    }
}

/// The function, or the address where none is known, as perf shows it.
fn function(frame: &Frame) -> Rc<str> {
    match &frame.symbol {
        Some((name, _)) => name.clone(),
        None => Rc::from(format!("{:#018x}", frame.offset.unwrap_or(frame.address))),
    }
}
