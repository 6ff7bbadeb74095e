//! Which file an address of a process is in, at each moment of a recording.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use pmu_events::sample::{Comm, Mmap, Task};

/// The mappings and names of all processes.
#[derive(Default)]
pub(super) struct Spaces {
    /// Shared by a process and its children until one of them maps something.
    processes: HashMap<u32, Rc<Space>>,
    /// The numbers of names.
    names: HashMap<u32, u32>,
    /// How many mappings were made, and copied for children.
    made: usize,
}

type Space = BTreeMap<u64, Mapping>;

/// A mapping of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Mapping {
    start: u64,
    end: u64,
    /// The place in the file of the first byte.
    offset: u64,
    /// The number of the file.
    pub(super) module: usize,
}

impl Mapping {
    /// The place in the file of an address.
    pub(super) fn offset_of(&self, address: u64) -> u64 {
        (address - self.start).wrapping_add(self.offset)
    }
}

impl Spaces {
    /// More than any recording has; a hostile file could have a child for each mapping.
    const MOST: usize = 8 << 20;

    /// Something was mapped: what was in its place is no more.
    pub(super) fn map(&mut self, mmap: &Mmap<'_>, module: usize) {
        let (start, end) = (mmap.address(), mmap.address().saturating_add(mmap.length()));
        if start >= end {
            return;
        }
        let space = self.processes.entry(mmap.pid()).or_default();
        self.made += if Rc::strong_count(space) > 1 { space.len() + 1 } else { 1 };
        if self.made > Self::MOST {
            return;
        }
        let space = Rc::make_mut(space);
        let before = space.range(..start).next_back().map(|(_, mapping)| *mapping);
        let behind: Vec<u64> = space.range(start..end).map(|(&start, _)| start).collect();
        let mut cut = before.filter(|mapping| mapping.end > start).into_iter().collect::<Vec<_>>();
        cut.extend(behind.into_iter().filter_map(|start| space.remove(&start)));
        for mapping in cut {
            if mapping.start < start {
                space.insert(mapping.start, Mapping { end: start, ..mapping });
            }
            if mapping.end > end {
                let offset = mapping.offset_of(end);
                space.insert(end, Mapping { start: end, offset, ..mapping });
            }
        }
        space.insert(start, Mapping { start, end, offset: mmap.offset(), module });
    }

    /// A thread began. A process has the mappings of its parent, and nothing of an earlier process
    /// that had its number (`machine__process_fork_event` in `tools/perf/util/machine.c`).
    pub(super) fn fork(&mut self, task: &Task) {
        if task.pid() != task.parent_pid() {
            let space = self.processes.get(&task.parent_pid()).cloned();
            match space {
                Some(space) => self.processes.insert(task.pid(), space),
                None => self.processes.remove(&task.pid()),
            };
        }
        match self.names.get(&task.parent_tid()).copied() {
            Some(name) => self.names.insert(task.tid(), name),
            None => self.names.remove(&task.tid()),
        };
    }

    /// The threads with the number 0, and what they start, have a name.
    pub(super) fn name_idle_threads(&mut self, name: u32) {
        self.names.insert(0, name);
    }

    /// A thread has a new name; one that it has by `exec` ends all mappings.
    pub(super) fn rename(&mut self, comm: &Comm<'_>, name: u32) {
        if comm.is_exec() {
            self.processes.remove(&comm.pid());
        }
        self.names.insert(comm.tid(), name);
    }

    /// The number of the name of a thread, if it is known.
    pub(super) fn name(&self, process: u32, thread: u32) -> Option<u32> {
        self.names.get(&thread).or_else(|| self.names.get(&process)).copied()
    }

    pub(super) fn find(&self, process: u32, address: u64) -> Option<Mapping> {
        let space = self.processes.get(&process)?;
        let (_, mapping) = space.range(..=address).next_back()?;
        (address < mapping.end).then_some(*mapping)
    }
}
