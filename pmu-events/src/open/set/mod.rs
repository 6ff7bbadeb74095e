//! All events of a list, open wherever they belong.

mod event;
mod group;
mod instances;
mod opening;
mod options;
mod places;
mod reading;
mod tool;

use std::sync::Arc;
use std::vec;
use std::vec::Vec;

pub use event::{EventError, OpenError, SetEvent};
pub use instances::instances;
pub use options::Options;
pub use reading::{EventReading, Outcome, Part, Reading, Total};

use super::{Error, Target};
use crate::resolve::{Resolution, Resolved};
use crate::system::{Scope, System};
use group::{Group, all};
use tool::Watch;

/// Open counters for all events of a list: each on the CPUs and for the tasks
/// where it belongs, groups together.
///
/// It borrows nothing, so that it can be kept in a struct, and goes to another
/// thread: [`Scope::ThisThread`](crate::Scope::ThisThread) stays the one that
/// opened it.
///
/// ```
/// # #[cfg(target_os = "linux")] {
/// use pmu_events::System;
///
/// let system = System::new();
/// let mut counters = system.open("{task-clock,page-faults}:u,cycles:u")?;
/// counters.enable()?;
/// let sum: u64 = (0..1_000_000).sum();
/// counters.disable()?;
/// println!("the sum is {sum}");
/// for event in counters.read() {
///     match event.value() {
///         Ok(value) => println!("{}: {value} {}", event.name(), event.unit()),
///         // On a machine without a hardware PMU, of `cycles`.
///         Err(why) => println!("{}: {why}", event.name()),
///     }
/// }
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
pub struct Counters {
    events: Vec<Arc<SetEvent>>,
    groups: Vec<Group>,
    watches: Vec<(usize, Watch)>,
    options: Options,
}

/// Counting.
impl System {
    /// Opens a list of events for the calling thread. Nothing is counted before
    /// [`Counters::enable`].
    ///
    /// An event that this machine does not have is part of the set, and says why
    /// it has no value.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a list of events, or if the kernel
    /// refuses an event that the machine has. Nothing stays open then.
    ///
    /// ```no_run
    /// use pmu_events::System;
    ///
    /// let mut counters = System::new().open("{instructions,cycles}:u,page-faults")?;
    /// counters.enable()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(&self, events: &str) -> Result<Counters, OpenError> {
        self.open_with(events, &Options::new())
    }

    /// Opens a list of events for other tasks, for CPUs, or in another way.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open), and if a task is not there.
    ///
    /// ```no_run
    /// use pmu_events::{Scope, System, open::Options};
    ///
    /// let everything = Options::new().scope(Scope::AllCpus);
    /// let mut counters = System::new().open_with("instructions,cpu-clock", &everything)?;
    /// counters.enable()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open_with(&self, events: &str, options: &Options) -> Result<Counters, OpenError> {
        Ok(Counters::open(&self.resolve(events)?, options)?)
    }
}

impl Counters {
    /// Opens what a list of events was resolved to. Nothing is counted before
    /// [`enable`](Self::enable), or the task's `exec` with
    /// [`Options::enable_on_exec`].
    ///
    /// # Errors
    ///
    /// Returns an error if the kernel refuses an event that machine and kernel
    /// have, or if a task is not there. Nothing stays open then.
    pub fn open(resolution: &Resolution, options: &Options) -> Result<Self, EventError> {
        let (system, scope) = (resolution.system(), &options.scope);
        let mut events = Vec::new();
        // Where what was resolved stands in the set.
        let mut places = Vec::new();
        for answer in resolution.answers() {
            match answer {
                Ok(resolved) => {
                    places.push(events.len());
                    events.push(SetEvent::new(resolved.clone()));
                }
                Err(missing) => events.push(SetEvent::missing(missing)),
            }
        }
        let mut places = places.into_iter();
        let (mut groups, mut watches) = (Vec::new(), Vec::new());
        for of_group in resolution.groups() {
            let mut members = Vec::new();
            // The shorter of both first: `zip` takes one from it before it looks at
            // the other.
            for (resolved, n) in of_group.iter().zip(places.by_ref()) {
                match resolved.tool {
                    Some(tool) => watches.push((n, Watch::new(tool, scope, system.proc()))),
                    None => members.push(n),
                }
            }
            let counted: Vec<Resolved> =
                of_group.iter().filter(|one| one.tool.is_none()).cloned().collect();
            match places_of(&members, &counted, scope, system, &mut events) {
                Ok(targets) => {
                    groups.extend(group::open(&members, &targets, options, &mut events)?);
                }
                // Where it belongs is not known: anywhere else it would count
                // something else.
                Err(error) => members.iter().for_each(|&n| events[n].refusal = Some(error.clone())),
            }
        }
        let events = events.into_iter().map(Arc::new).collect();
        Ok(Counters { events, groups, watches, options: options.clone() })
    }

    /// Its events: the [answers](Resolution::answers) of what it was opened with.
    #[must_use]
    pub fn events(&self) -> &[Arc<SetEvent>] {
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
        all(self.groups.iter().map(|group| group.enable(&self.options)))
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

    /// Sets all counts to 0, and the times that no counter counts; the times of
    /// counters stay.
    ///
    /// # Errors
    ///
    /// Returns an error if the kernel refuses; not to be expected.
    pub fn reset(&mut self) -> Result<(), Error> {
        self.watches.iter_mut().for_each(|(_, watch)| watch.reset());
        all(self.groups.iter().map(Group::reset))
    }

    /// What all have counted; each group in one moment. What cannot be read of
    /// an event is a [`failure`](EventReading::failure) of that event: that a
    /// thread has ended spoils no other number.
    ///
    /// Any thread may ask: [`Scope::ThisThread`](crate::Scope::ThisThread) stays the one that opened the
    /// set. (Asked by another, `user_time` and `system_time` come in ticks.)
    #[must_use]
    pub fn read(&self) -> Reading {
        let mut events: Vec<EventReading> =
            self.events.iter().cloned().map(EventReading::new).collect();
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

/// Where the members of a group are opened.
fn places_of(
    members: &[usize],
    resolved: &[Resolved],
    scope: &Scope,
    system: &System,
    events: &mut [SetEvent],
) -> Result<Vec<Target>, Error> {
    let topology = system.topology();
    let targets = places::of_group(resolved, scope, topology)?;
    for (&member, _) in members.iter().zip(resolved).filter(|(_, one)| one.is_per_package) {
        let first = places::one_a_package(targets.clone(), topology)?;
        events[member].only_on = (first.len() < targets.len()).then_some(first);
    }
    Ok(targets)
}
