//! All events of a list, open wherever they belong.

mod event;
mod group;
mod instances;
mod opening;
mod options;
mod places;
mod reading;
mod tool;
mod topology;
mod whom;

use std::collections::BTreeMap;
use std::vec;
use std::vec::Vec;

pub use event::{EventError, SetEvent};
pub use instances::instances;
pub use options::Options;
pub use reading::{EventReading, Outcome, Part, Reading, Total};
pub use whom::{Whom, threads_of};

use super::{Error, Target};
use crate::resolve::Resolved;
use group::{Group, all};
use tool::Watch;
use topology::Topologies;

/// Open counters for all events of a list: each on the CPUs and for the tasks
/// where it belongs, groups together.
///
/// ```
/// use pmu_events::open::{Counters, Options, Whom};
/// use pmu_events::{resolve::resolve, sysfs::Sysfs};
///
/// # #[cfg(target_os = "linux")] {
/// let sysfs = Sysfs::new();
/// let resolved = resolve("task-clock,cycles:u", None, &sysfs)?;
/// let mut counters = Counters::open(&resolved, &Whom::ThisThread, Options::new())?;
/// counters.enable()?;
/// let sum: u64 = (0..1_000_000).sum();
/// counters.disable()?;
/// for (event, reading) in counters.events().iter().zip(counters.read().events) {
///     match event.value(&reading) {
///         Ok(value) => println!("{}: {value} {}", event.name(), event.resolved().unit),
///         // On a machine without a hardware PMU, of `cycles`.
///         Err(why) => println!("{}: {why}", event.name()),
///     }
/// }
/// # assert!(counters.read().events[0].outcome().total().is_some(), "{sum}");
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # What is opened where
///
/// | event | tasks are watched | CPUs are watched |
/// |---|---|---|
/// | of a core PMU, generic, software | for each task | on each CPU, of the PMU's own if it has a list |
/// | of a PMU outside the cores | on the CPUs that its PMU names | the same |
/// | `duration_time`, `user_time`, `system_time` | measured here | measured here |
///
/// An event of a whole package counts on one CPU of each package.
///
/// # What happens when the kernel refuses
///
/// What the machine or the kernel lacks is an answer for that event
/// ([`SetEvent::refusal`], [`Outcome::NotSupported`]), for a whole group if it
/// is the leader; the others are counted. Where the user may not count in the
/// kernel, it is left out, and [`SetEvent::is_user_only`] says so. A weak group
/// (`:W`) that does not fit is broken up. Each is so in all its places: what one
/// CPU makes an event leave out, it leaves out on the others, too. Everything
/// else fails, with nothing left open.
#[derive(Debug)]
pub struct Counters<'a> {
    events: Vec<SetEvent<'a>>,
    groups: Vec<Group>,
    watches: Vec<(usize, Watch)>,
    options: Options,
}

impl<'a> Counters<'a> {
    /// Opens what a list of events was resolved to. Nothing is counted before
    /// [`enable`](Self::enable), or the task's `exec` with
    /// [`Options::enable_on_exec`].
    ///
    /// Lists that were resolved one by one make one set when the places of
    /// their leaders are those in the whole.
    ///
    /// # Errors
    ///
    /// When the kernel refuses an event that machine and kernel have, or a task
    /// is not there. Nothing stays open then.
    pub fn open(
        resolved: &[Resolved<'a>],
        whom: &Whom,
        options: Options,
    ) -> Result<Self, EventError> {
        let mut topologies = Topologies::default();
        let mut events: Vec<SetEvent<'a>> = resolved.iter().map(SetEvent::new).collect();
        let mut by_leader: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let mut watches = Vec::new();
        for (n, one) in resolved.iter().enumerate() {
            match one.tool {
                Some(tool) => watches.push((n, Watch::new(tool, whom))),
                None => by_leader.entry(one.leader).or_default().push(n),
            }
        }
        let mut groups = Vec::new();
        for (leader, mut members) in by_leader {
            // The leader first, wherever it stands.
            members.sort_by_key(|&member| member != leader);
            let of_group: Vec<Resolved<'a>> = members.iter().map(|&n| resolved[n]).collect();
            let mut place = || {
                let targets = places::of_group(&of_group, whom, &mut topologies)?;
                for &member in members.iter().filter(|&&n| resolved[n].is_per_package) {
                    let topology = topologies.at(resolved[member].root);
                    let first = topology.one_a_package(targets.clone())?;
                    events[member].only_on = (first.len() < targets.len()).then_some(first);
                }
                Ok(targets)
            };
            match place() {
                Ok(targets) => {
                    groups.extend(group::open(&members, &targets, options, &mut events)?);
                }
                // Where it belongs is not known: anywhere else it would count
                // something else.
                Err(error) => {
                    let error: Error = error;
                    members.iter().for_each(|&n| events[n].refusal = Some(error.clone()));
                }
            }
        }
        Ok(Counters { events, groups, watches, options })
    }

    /// Its events, in the order of what it was opened with.
    #[must_use]
    pub fn events(&self) -> &[SetEvent<'a>] {
        &self.events
    }

    /// Where an event is open, by its place among [`events`](Self::events).
    pub fn targets(&self, event: usize) -> impl Iterator<Item = Target> {
        self.groups.iter().flat_map(move |group| group.targets(event))
    }

    /// Lets all count. With [`Options::enable_on_exec`] only those that watch
    /// CPUs: the others begin with the task's `exec`.
    ///
    /// # Errors
    ///
    /// When the kernel refuses; not to be expected.
    pub fn enable(&mut self) -> Result<(), Error> {
        self.watches.iter_mut().for_each(|(_, watch)| watch.start());
        all(self.groups.iter().map(|group| group.enable(self.options)))
    }

    /// Stops all; their counts stay.
    ///
    /// # Errors
    ///
    /// When the kernel refuses; not to be expected.
    pub fn disable(&mut self) -> Result<(), Error> {
        let disabled = all(self.groups.iter().map(Group::disable));
        self.watches.iter_mut().for_each(|(_, watch)| watch.stop());
        disabled
    }

    /// What all have counted; each group in one moment. What cannot be read of
    /// an event is a [`failure`](EventReading::failure) of that event: that a
    /// thread has ended spoils no other number.
    ///
    /// Any thread may ask: [`Whom::ThisThread`] stays the one that opened the
    /// set. (Asked by another, `user_time` and `system_time` come in ticks.)
    #[must_use]
    pub fn read(&self) -> Reading {
        let mut events: Vec<EventReading> = self
            .events
            .iter()
            .map(|event| EventReading {
                is_supported: event.refusal.is_none(),
                is_snapshot: event.resolved.is_snapshot,
                ..EventReading::default()
            })
            .collect();
        self.groups.iter().for_each(|group| group.read(&mut events));
        for (event, reading) in self.events.iter().zip(&mut events) {
            if let Some(targets) = &event.only_on {
                reading.parts.retain(|part| targets.contains(&part.target));
            }
        }
        for (n, watch) in &self.watches {
            match watch.read() {
                Ok(count) => events[*n].parts = vec![Part { target: Target::ThisThread, count }],
                Err(error) => events[*n].failure = Some(error),
            }
        }
        Reading { events }
    }
}
