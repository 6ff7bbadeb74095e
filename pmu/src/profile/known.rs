//! What a recording has said so far: files, places in them, names of threads. Each has a number,
//! so that samples are added up without a text.

use std::collections::HashMap;
use std::rc::Rc;

use pmu_events::sample::Mode;

use crate::image;
use crate::profile::hash;
use crate::profile::modules::{KERNEL, Modules};

/// What samples name by numbers.
pub(crate) struct Known {
    pub(crate) modules: Modules,
    locations: Vec<Location>,
    location_numbers: hash::Table<Key, u32>,
    names: Vec<Rc<str>>,
    name_numbers: HashMap<Rc<str>, u32>,
    cgroups: HashMap<u64, Rc<str>>,
}

/// A place in code or data, which is the same for all processes that have the file.
pub(crate) struct Location {
    pub(crate) mode: Mode,
    /// The number of the file.
    pub(crate) module: Option<usize>,
    /// The place in the file, or the address where there is none.
    pub(crate) at: u64,
    /// The function or variable of the symbol table, and how far into it this is.
    pub(crate) symbol: Option<(Rc<str>, u64)>,
    /// From the innermost function outwards, if lines were asked for and the file has them.
    pub(crate) places: Vec<image::Place>,
}

/// What makes a place different.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key {
    /// `usize::MAX` where there is none.
    pub(super) module: usize,
    pub(super) kind: Kind,
    pub(super) mode: u8,
    pub(super) at: u64,
}

/// What is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(crate) enum Kind {
    /// An instruction.
    Code,
    /// What follows a call, which may be the end of a function.
    Return,
    Data,
}

impl Known {
    pub(super) fn new(modules: Modules) -> Self {
        Known {
            modules,
            locations: Vec::new(),
            location_numbers: hash::Table::default(),
            names: Vec::new(),
            name_numbers: HashMap::new(),
            cgroups: HashMap::new(),
        }
    }

    pub(crate) fn location(&self, number: u32) -> &Location {
        &self.locations[number as usize]
    }

    /// The number of a place; of one that is new, `look` tells what is there.
    pub(super) fn locate(&mut self, key: Key, look: impl FnOnce(&Modules) -> Location) -> u32 {
        if let Some(&number) = self.location_numbers.get(&key) {
            return number;
        }
        let number = self.locations.len() as u32;
        self.locations.push(look(&self.modules));
        self.location_numbers.insert(key, number);
        number
    }

    /// The name of a thread.
    pub(crate) fn name(&self, number: u32) -> &Rc<str> {
        &self.names[number as usize]
    }

    pub(super) fn number_of_name(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.name_numbers.get(name) {
            return number;
        }
        let (number, name) = (self.names.len() as u32, Rc::<str>::from(name));
        self.names.push(name.clone());
        self.name_numbers.insert(name, number);
        number
    }

    /// The path of a control group, if the recording says it.
    pub(crate) fn cgroup(&self, number: u64) -> Option<&Rc<str>> {
        self.cgroups.get(&number)
    }

    /// The first name stays, as with perf (`cgroup__findnew`).
    pub(super) fn name_cgroup(&mut self, number: u64, path: &str) {
        self.cgroups.entry(number).or_insert_with(|| Rc::from(path));
    }

    /// The file that a place is in, as perf shows it.
    pub(crate) fn module(&self, location: &Location) -> Rc<str> {
        match location.module {
            Some(module) => self.modules.get(module).short_name.clone(),
            None if location.mode == Mode::Kernel => Rc::from(kernel_name()),
            None => Rc::from("[unknown]"),
        }
    }
}

/// The name under which the kernel's code is shown where no mapping says it.
pub(crate) fn kernel_name() -> &'static str {
    std::str::from_utf8(KERNEL).unwrap_or_default()
}
