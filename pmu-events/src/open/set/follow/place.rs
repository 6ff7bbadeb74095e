//! Where a list of events is counted.

use std::string::String;
use std::vec::Vec;

use super::cell::Cell;
use super::cgroups::{CgroupPlace, Found};
use super::processes::Process;
use crate::open::{Count, Target};

/// One of the places of a [`Selection`](super::Selection): the machine, a control group, or all
/// processes of one name.
///
/// ```
/// use pmu_events::System;
/// use pmu_events::follow::{Following, Selection};
///
/// let system = System::new();
/// let mut following = Following::new(&system);
/// following.follow(system.require("page-faults")?, Selection::cpus());
/// following.update();
/// following.read();
/// for place in following.places() {
///     assert_eq!((place.selection(), place.name()), (0, None));
///     if let Some(count) = place.total(0) {
///         println!("{} page faults", count.value());
///     }
/// }
/// # Ok::<(), pmu_events::resolve::Error>(())
/// ```
#[derive(Debug)]
pub struct Place {
    selection: usize,
    name: Option<String>,
    pub(super) cgroup: Option<CgroupPlace>,
    processes: Vec<Process>,
    pub(super) cells: Vec<Cell>,
}

impl Place {
    pub(super) fn machine(selection: usize) -> Self {
        let (cgroup, processes, cells) = (None, Vec::new(), Vec::new());
        Place { selection, name: None, cgroup, processes, cells }
    }

    pub(super) fn cgroup(selection: usize, found: &Found) -> Self {
        let (name, cgroup) = (Some(found.name.clone()), Some(found.place()));
        Place { name, cgroup, ..Place::machine(selection) }
    }

    pub(super) fn process(selection: usize, name: &str) -> Self {
        Place { name: Some(name.into()), ..Place::machine(selection) }
    }

    /// Returns the number of the selection.
    #[must_use]
    pub fn selection(&self) -> usize {
        self.selection
    }

    /// Returns the path of the control group below the directory of all, or the name of the
    /// processes; `None` is the machine.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Returns the counts of the groups of events, on each CPU or in each thread.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Returns the sum of the counts of an event by its number; `None` if it has not been opened
    /// anywhere here.
    #[must_use]
    pub fn total(&self, event: usize) -> Option<Count> {
        let counts = self.cells.iter().flat_map(Cell::counts);
        let own = counts.filter(|(number, _)| *number == event).map(|(_, count)| count);
        own.reduce(|sum, count| sum.plus(&count))
    }

    pub(super) fn descriptors(&self) -> usize {
        self.cells.iter().map(|cell| cell.counters.len()).sum()
    }

    pub(super) fn read(&mut self, words: &mut Vec<u64>) {
        self.cells.iter_mut().for_each(|cell| cell.read(words));
    }

    /// Closes what is open on CPUs that do not count any more.
    pub(super) fn close_on(&mut self, cpus: &[u32]) {
        let mut words = Vec::new();
        for cell in &mut self.cells {
            if matches!(cell.target, Target::Cpu(cpu) if cpus.contains(&cpu)) {
                cell.close(&mut words);
            }
        }
    }

    /// Whether a control group is this one, and no later one with the same path.
    pub(super) fn is_of(&self, found: &Found) -> bool {
        self.is_called(&found.name)
            && self.cgroup.as_ref().is_some_and(|own| own.inode == found.inode)
    }

    /// The same of control groups that are sorted by their names.
    pub(super) fn is_among(&self, found: &[Found]) -> bool {
        let name = self.name().unwrap_or_default();
        let place = found.binary_search_by(|one| one.name.as_str().cmp(name));
        place.is_ok_and(|place| self.is_of(&found[place]))
    }

    pub(super) fn is_called(&self, name: &str) -> bool {
        self.name() == Some(name)
    }

    pub(super) fn has_process(&self, process: &Process) -> bool {
        self.processes.contains(process)
    }

    pub(super) fn add_process(&mut self, process: &Process) {
        self.processes.push(process.clone());
    }

    /// Closes what is open in processes that are no longer there, and keeps one sum of them.
    pub(super) fn end_all_but(&mut self, found: &[Process]) {
        let (alive, ended) = std::mem::take(&mut self.processes)
            .into_iter()
            .partition::<Vec<Process>, _>(|process| found.contains(process));
        self.processes = alive;
        if ended.is_empty() {
            return;
        }
        let mut words = Vec::new();
        let has_ended = |cell: &Cell| ended.iter().any(|process| Some(process.id) == cell.process);
        let (closed, mut rest): (Vec<Cell>, Vec<Cell>) =
            std::mem::take(&mut self.cells).into_iter().partition(has_ended);
        for mut cell in closed {
            cell.close(&mut words);
            let of_all = |one: &&mut Cell| one.process.is_none() && one.members == cell.members;
            match rest.iter_mut().find(of_all) {
                Some(sum) => sum.absorb(&cell),
                None => {
                    cell.process = None;
                    rest.push(cell);
                }
            }
        }
        self.cells = rest;
    }
}
