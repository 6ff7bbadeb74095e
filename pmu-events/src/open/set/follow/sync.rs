//! Opening what a place lacks, and closing what is no longer there.

use std::vec;
use std::vec::Vec;

use super::cell::Cell;
use super::cgroups::{self, CgroupPlace};
use super::followed::Followed;
use super::processes::Process;
use crate::file;
use crate::open::set;
use crate::open::set::event::SetEvent;
use crate::open::set::opening::{self, Refusal};
use crate::open::set::options::Options;
use crate::open::system::HasCores;
use crate::open::{Attr, Counter, Error, ErrorKind, Target};
use crate::perf_type;
use crate::resolve::Resolved;
use crate::sysfs::CpuSet;
use crate::system::{Scope, System};

/// How many counters may be open, and how many are those of other selections.
#[derive(Debug)]
pub(super) struct Room {
    pub(super) limit: usize,
    pub(super) others: usize,
}

/// What became of a place.
#[derive(Debug)]
pub(super) enum Synced {
    Open,
    /// The control group or process has gone meanwhile.
    Gone,
    NoRoom {
        descriptors: usize,
        why: Error,
    },
    Refused {
        descriptors: usize,
        why: Error,
    },
}

/// The members of a group that are counted together, and where.
struct Lacking {
    group: usize,
    members: Vec<usize>,
    targets: Vec<Target>,
}

/// An event that the kernel counts, which never waits for a counter.
pub(super) fn is_software(event: &Resolved) -> bool {
    event.type_() == perf_type::SOFTWARE && !event.settings().pinned()
}

/// Its CPUs may be there now.
pub(super) fn forget_absent_cpus(event: &mut SetEvent) {
    if event.refusal.as_ref().is_some_and(|why| why.kind() == ErrorKind::NoDevice) {
        event.refusal = None;
    }
}

impl Followed {
    /// Brings a place up to date. Of places of processes, only the cells of that process.
    pub(super) fn sync(
        &mut self,
        place: usize,
        process: Option<&Process>,
        online: &CpuSet,
        system: &System,
        room: &Room,
    ) -> Synced {
        let scope = match process {
            None => Scope::Cpus(online.clone()),
            Some(process) => match threads(process, system) {
                Some(threads) => Scope::Threads(threads),
                None => return Synced::Gone,
            },
        };
        let options = Options::new().with_scope(scope).with_inherit(process.is_some());
        let id = process.map(|process| process.id);
        let has_cores = HasCores::default();
        // A group that is broken up, or loses a member, is looked at again.
        loop {
            let wanted = self.wanted(&options, system);
            if process.is_none() {
                self.close_all_but(place, &wanted);
            }
            let lacking = self.lacking(place, wanted, id);
            let descriptors =
                lacking.iter().map(|one| one.members.len() * one.targets.len()).sum::<usize>();
            if descriptors == 0 {
                return Synced::Open;
            }
            let open = room.others + self.descriptors();
            if open.saturating_add(descriptors) > room.limit {
                let message = std::format!("over the limit of {} counters", room.limit);
                let why = Error::new(ErrorKind::TooManyFiles, 0, message);
                return Synced::NoRoom { descriptors, why };
            }
            let mut is_changed = false;
            for one in &lacking {
                let Err(refusal) = self.open(place, one, id, &options, &has_cores) else {
                    continue;
                };
                match self.refused(place, one, refusal) {
                    None => {
                        is_changed = true;
                        break;
                    }
                    Some(why) if is_gone(&why) => return Synced::Gone,
                    Some(why) => return Synced::Refused { descriptors, why },
                }
            }
            if !is_changed {
                return Synced::Open;
            }
        }
    }

    /// All groups, and where each is counted.
    fn wanted(&mut self, options: &Options, system: &System) -> Vec<Lacking> {
        let mut all = Vec::new();
        for (group, members) in self.groups.iter().enumerate() {
            let is_alive = |member: &usize| self.events[*member].refusal.is_none();
            let members: Vec<usize> = members.iter().copied().filter(is_alive).collect();
            if members.is_empty() {
                continue;
            }
            for places in set::placed(&members, options, system, &mut self.events) {
                all.push(Lacking { group, members: places.members, targets: places.targets });
            }
        }
        all
    }

    /// Closes what is open elsewhere, such as on CPUs that are offline.
    fn close_all_but(&mut self, place: usize, wanted: &[Lacking]) {
        let mut words = Vec::new();
        for cell in self.places[place].cells.iter_mut().filter(|cell| cell.is_open()) {
            let is_its =
                |one: &Lacking| one.members == cell.members && one.targets.contains(&cell.target);
            if !wanted.iter().any(is_its) {
                cell.close(&mut words);
            }
        }
    }

    fn lacking(&self, place: usize, wanted: Vec<Lacking>, process: Option<u32>) -> Vec<Lacking> {
        let cells = &self.places[place].cells;
        let is_open = |one: &Lacking, target: Target| {
            cells.iter().any(|cell| {
                cell.is_open()
                    && cell.process == process
                    && cell.target == target
                    && cell.members == one.members
            })
        };
        let mut lacking = wanted;
        for one in &mut lacking {
            let targets = std::mem::take(&mut one.targets);
            one.targets = targets.into_iter().filter(|&target| !is_open(one, target)).collect();
        }
        lacking.retain(|one| !one.targets.is_empty());
        lacking
    }

    /// Opens a group where it is lacking.
    fn open(
        &mut self,
        place: usize,
        lacking: &Lacking,
        process: Option<u32>,
        options: &Options,
        has_cores: &HasCores,
    ) -> Result<(), Refusal> {
        let Lacking { members, targets, .. } = lacking;
        let cgroup = self.places[place].cgroup.as_ref().map(CgroupPlace::open).transpose();
        let cgroup = cgroup.map_err(Refusal::Fatal)?;
        let cgroup = cgroup.as_ref();
        let open_one = |attr: &Attr, target, leader: Option<&Counter>| {
            Counter::open_knowing(has_cores, cgroup, attr, target, leader)
        };
        let spots = opening::everywhere(members, targets, options, &mut self.events, &open_one)?;
        for (target, counters) in spots {
            if let Some(leader) = counters.first() {
                leader.enable().map_err(Refusal::Fatal)?;
            }
            let cells = &mut self.places[place].cells;
            let is_same = |cell: &Cell| {
                !cell.is_open()
                    && cell.target == target
                    && cell.process == process
                    && cell.members == *members
                    && target.is_whole_cpu()
            };
            let known = cells.iter().position(is_same);
            let known = known.unwrap_or_else(|| {
                let is_counted = |&member: &usize| {
                    let only_on = self.events[member].only_on.as_ref();
                    only_on.is_none_or(|only_on| only_on.contains(&target))
                };
                let is_counted = members.iter().map(is_counted).collect();
                cells.push(Cell::new(target, process, members, is_counted));
                cells.len() - 1
            });
            cells[known].open(counters);
        }
        Ok(())
    }

    /// What follows from a refusal; `None` if the rest is to be opened without what was refused.
    fn refused(&mut self, place: usize, lacking: &Lacking, refusal: Refusal) -> Option<Error> {
        let Lacking { group, members, .. } = lacking;
        match refusal {
            Refusal::Fatal(why) => Some(why),
            Refusal::Weak => {
                let alone = self.groups.remove(*group);
                alone.iter().for_each(|&member| self.events[member].is_alone = true);
                self.groups.extend(alone.into_iter().map(|member| vec![member]));
                None
            }
            // To the kernel, one that is gone is none.
            Refusal::Member(..)
                if self.places[place].cgroup.as_ref().is_some_and(CgroupPlace::is_gone) =>
            {
                Some(cgroups::gone())
            }
            Refusal::Member(0, why) if !self.is_all_software(members) => {
                let of_leader = why.of_leader(&self.events[members[0]].name());
                for &member in &members[1..] {
                    self.events[member].refusal = Some(of_leader.clone());
                }
                self.events[members[0]].refusal = Some(why);
                None
            }
            Refusal::Member(n, why) => {
                self.events[members[n]].refusal = Some(why);
                None
            }
        }
    }

    fn is_all_software(&self, members: &[usize]) -> bool {
        members.iter().all(|&member| self.events[member].resolved().is_some_and(is_software))
    }
}

fn is_gone(why: &Error) -> bool {
    why.kind() == ErrorKind::NoSuchTask
}

fn threads(process: &Process, system: &System) -> Option<Vec<u32>> {
    let path = system.proc().join(std::format!("{}/task", process.id));
    file::numbers(&path).ok().filter(|threads| !threads.is_empty())
}
