//! Counters that follow CPUs, control groups and processes while they come and go.
//!
//! Use it in a program that runs for long, such as an exporter or an agent.
//! [`Counters`](crate::open::Counters) are open in the places that exist when they are opened; a
//! [`Following`] looks for places again at each [`update`](Following::update), opens what has
//! come, closes what has gone, and keeps its counts where a sum would otherwise decrease.

mod cell;
mod cgroups;
mod followed;
mod left_out;
mod place;
mod processes;
mod selection;
mod sync;
mod watch;

use std::vec::Vec;

use super::event::SetEvent;
use crate::file::{self, Kind};
use crate::open::Error;
use crate::resolve::Resolution;
use crate::sysfs::CpuSet;
use crate::system::System;

pub use cell::Cell;
pub use left_out::LeftOut;
pub use place::Place;
pub use selection::Selection;

use followed::Followed;
use selection::Candidates;
use sync::{Room, Synced};
use watch::Watches;

/// Counters of lists of events, each in the places of a [`Selection`], which is looked up again by
/// [`update`](Self::update).
///
/// Opening, closing and looking up happen in `update` alone. [`read`](Self::read) costs one
/// system call for each group in each place, and allocates nothing: counts are added up in memory
/// that belongs to the places. Events that the kernel counts in software are one group, because
/// they never wait for a counter.
///
/// ```
/// # fn recipe() -> Result<(), Box<dyn std::error::Error>> {
/// use pmu_events::System;
/// use pmu_events::follow::{Following, Selection};
///
/// let system = System::new();
/// let mut following = Following::new(&system).with_limit(1000);
/// following.follow(system.require("context-switches,page-faults")?, Selection::cpus());
/// let services = |path: &str| path.starts_with("system.slice/") && path.ends_with(".service");
/// following.follow(
///     system.require("task-clock")?,
///     Selection::cgroups("/sys/fs/cgroup", services),
/// );
/// for _ in 0..3 {
///     following.update();
///     following.read();
///     for place in following.places() {
///         for (number, event) in following.events(place.selection()).iter().enumerate() {
///             let where_ = place.name().unwrap_or("the machine");
///             match place.total(number) {
///                 Some(count) => println!("{where_}: {}: {}", event.name(), count.value()),
///                 None => println!("{where_}: {} is not counted", event.name()),
///             }
///         }
///     }
///     for left_out in following.left_out() {
///         println!("{left_out}");
///     }
/// }
/// # Ok(())
/// # }
/// # recipe().unwrap();
/// ```
#[derive(Debug)]
pub struct Following {
    system: System,
    followed: Vec<Followed>,
    limit: usize,
    left_out: Vec<LeftOut>,
    watches: Watches,
    /// What the kernel writes when a group is read.
    words: Vec<u64>,
}

impl Following {
    /// Creates a set that follows nothing yet, on the machine that a system describes.
    #[must_use]
    pub fn new(system: &System) -> Self {
        Following {
            system: system.clone(),
            followed: Vec::new(),
            limit: usize::MAX,
            left_out: Vec::new(),
            watches: Watches::default(),
            words: Vec::new(),
        }
    }

    /// Sets how many counters may be open at the same time. Places for which there is no room are
    /// [left out](Self::left_out): those of the selection that was added first are opened first.
    #[must_use]
    pub fn with_limit(self, descriptors: usize) -> Self {
        Following { limit: descriptors, ..self }
    }

    /// Adds a list of events and the places in which to count it, and returns the number of the
    /// selection. Nothing is opened before the next [`update`](Self::update).
    ///
    /// Events without a counter (`duration_time`, sensors) have no place; none is ever counted.
    pub fn follow(&mut self, events: Resolution, selection: Selection) -> usize {
        let mut all = Vec::new();
        let mut numbers = Vec::new();
        for answer in events.answers() {
            match answer {
                Ok(resolved) => {
                    numbers.push(all.len());
                    let mut event = SetEvent::new(resolved.clone());
                    selection.adapt(&mut event);
                    all.push(event);
                }
                Err(missing) => all.push(SetEvent::missing(missing)),
            }
        }
        let mut numbers = numbers.into_iter();
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut software = Vec::new();
        for group in events.groups() {
            let members = group.iter().zip(numbers.by_ref());
            let members: Vec<_> = members.filter(|(one, _)| !one.is_without_counter()).collect();
            let is_software = members.iter().all(|(one, _)| sync::is_software(one));
            let members = members.into_iter().map(|(_, number)| number);
            match is_software {
                true => software.extend(members),
                false => groups.push(members.collect()),
            }
        }
        groups.push(software);
        groups.retain(|group| !group.is_empty());
        self.followed.push(Followed { selection, events: all, groups, places: Vec::new() });
        self.followed.len() - 1
    }

    /// Looks for CPUs, control groups and processes: opens counters in those that have come, and
    /// closes those of the ones that have gone. The first call opens all.
    ///
    /// A control group that has gone is no [place](Self::places) any more. What a CPU or a process
    /// has counted until it went stays in the sums. A CPU that was offline between two calls is
    /// opened again. What could not be opened is tried again by the next call, unless the machine
    /// or the kernel lacks the event.
    pub fn update(&mut self) {
        self.left_out.clear();
        let online = match online(&self.system) {
            Ok(online) => online,
            Err(why) => {
                for (selection, followed) in self.followed.iter().enumerate() {
                    for place in &followed.places {
                        self.left_out.push(LeftOut::new(selection, place.name(), 0, why.clone()));
                    }
                }
                return;
            }
        };
        let restarted = self.watches.restarted(&online);
        for number in 0..self.followed.len() {
            let all = self.descriptors();
            let followed = &mut self.followed[number];
            let room = Room { limit: self.limit, others: all - followed.descriptors() };
            followed.places.iter_mut().for_each(|place| place.close_on(&restarted));
            let mut note = |name: Option<&str>, descriptors, why| {
                self.left_out.push(LeftOut::new(number, name, descriptors, why));
            };
            followed.update(number, &self.system, &online, &room, &mut note);
        }
    }

    /// Reads all counters. One that cannot be read keeps its last count, and its
    /// [error](Cell::error).
    pub fn read(&mut self) {
        let words = &mut self.words;
        let places = self.followed.iter_mut().flat_map(|followed| &mut followed.places);
        places.for_each(|place| place.read(words));
    }

    /// Returns the places of all selections, in the order in which these were added; those of one
    /// are sorted by their names.
    pub fn places(&self) -> impl Iterator<Item = &Place> {
        self.followed.iter().flat_map(|followed| &followed.places)
    }

    /// Returns the events of a selection by its number, in the order of the
    /// [answers](Resolution::answers) of their resolution. An event that the machine or the kernel
    /// lacks has a [refusal](SetEvent::refusal).
    ///
    /// # Panics
    ///
    /// If there is no such selection.
    #[must_use]
    pub fn events(&self, selection: usize) -> &[SetEvent] {
        &self.followed[selection].events
    }

    /// Returns what the last [`update`](Self::update) could not open: what there was no room for,
    /// in the order of the ranks, and what the kernel refused.
    #[must_use]
    pub fn left_out(&self) -> &[LeftOut] {
        &self.left_out
    }

    /// Returns how many counters are open.
    #[must_use]
    pub fn descriptors(&self) -> usize {
        self.followed.iter().map(Followed::descriptors).sum()
    }
}

impl Followed {
    fn update(
        &mut self,
        number: usize,
        system: &System,
        online: &CpuSet,
        room: &Room,
        note: &mut dyn FnMut(Option<&str>, usize, Error),
    ) {
        self.events.iter_mut().for_each(sync::forget_absent_cpus);
        let candidates = match self.selection.candidates(system) {
            Ok(candidates) => candidates,
            Err(why) => return note(None, 0, why),
        };
        match candidates {
            Candidates::Machine => {
                if self.places.is_empty() {
                    self.places.push(Place::machine(number));
                }
                let synced = self.sync(0, None, online, system, room);
                noted(synced, None, note);
            }
            Candidates::Cgroups { found, not_utf8 } => {
                for name in not_utf8 {
                    note(Some(&name), 0, cgroups::not_utf8());
                }
                self.places.retain(|place| place.is_among(&found));
                for one in &found {
                    let place = match self.places.iter().position(|known| known.is_of(one)) {
                        Some(place) => place,
                        None => {
                            self.places.push(Place::cgroup(number, one));
                            self.places.len() - 1
                        }
                    };
                    match self.sync(place, None, online, system, room) {
                        Synced::Gone => drop(self.places.remove(place)),
                        synced => noted(synced, Some(&one.name), note),
                    }
                }
            }
            Candidates::Processes(found) => {
                self.places.iter_mut().for_each(|place| place.end_all_but(&found));
                for one in &found {
                    let place =
                        match self.places.iter().position(|known| known.is_called(&one.name)) {
                            Some(place) => place,
                            None => {
                                self.places.push(Place::process(number, &one.name));
                                self.places.len() - 1
                            }
                        };
                    if !self.places[place].has_process(one) {
                        let synced = self.sync(place, Some(one), online, system, room);
                        if matches!(synced, Synced::Open) {
                            self.places[place].add_process(one);
                        }
                        noted(synced, Some(&one.name), note);
                    }
                }
            }
        }
        self.places.sort_by(|a, b| a.name().cmp(&b.name()));
    }
}

fn noted(synced: Synced, name: Option<&str>, note: &mut dyn FnMut(Option<&str>, usize, Error)) {
    match synced {
        Synced::Open | Synced::Gone => {}
        Synced::NoRoom { descriptors, why } | Synced::Refused { descriptors, why } => {
            note(name, descriptors, why);
        }
    }
}

/// The CPUs that are online now; what a system knows of them is what it once was.
fn online(system: &System) -> Result<CpuSet, Error> {
    let path = system.sysfs().root().join("devices/system/cpu/online");
    let parsed = file::of_sysfs(&path, Kind::Unknown, |text| text.parse::<CpuSet>());
    match parsed {
        Ok(Some(Ok(cpus))) if !cpus.is_empty() => Ok(cpus),
        Ok(Some(_)) => Err(Error::odd(&path, "is no list of CPUs")),
        Ok(None) => Err(Error::odd(&path, "does not exist")),
        Err(problem) => Err(Error::of_file(&problem)),
    }
}
