//! Open counters for all events of a list.

mod each;
mod event;
#[cfg(feature = "follow")]
pub mod follow;
mod group;
pub(crate) mod instances;
mod method;
mod opening;
mod options;
mod outcome;
mod pinned;
mod places;
mod presence;
mod reach;
mod reading;
#[cfg(feature = "sample")]
pub(crate) mod sampling;
mod scratch;
#[cfg(feature = "serde")]
mod serialize;
#[cfg(feature = "region")]
mod snapshot;
mod stopwatch;
mod sum;
mod switch;
mod targets;
mod timed;
mod tool;
mod user_reads;

#[cfg(feature = "region")]
use core::sync::atomic::AtomicU64;
use std::format;
use std::sync::Arc;
use std::time::Duration;
use std::vec;
use std::vec::Vec;

pub use event::SetEvent;
pub use method::ReadMethod;
pub use options::Options;
pub use outcome::{Outcome, Total};
pub use reading::{EventReading, Lack, Part, Reading};
#[cfg(feature = "region")]
pub(crate) use snapshot::{Layout, Snapshot};
pub use sum::{LackingInstance, Sum};

use super::system::HasCores;
use super::{Error, ErrorKind, Target};
use crate::resolve::{AnswerId, Resolution};
use crate::system::{Scope, System};
use each::all;
use group::{Group, Places};
use pinned::Pinned;
use presence::Presence;
use scratch::{Scratch, SetState};
use stopwatch::Stopwatch;
use timed::Read;
use tool::Watch;
use user_reads::UserReads;

/// Open counters for all events of a list, each on the CPUs and tasks where it
/// belongs, with groups kept together.
///
/// It borrows nothing, so it can be kept in a struct or moved to another thread:
/// [`Scope::ThisThread`](crate::Scope::ThisThread) still means the thread that
/// opened it.
///
/// ```
/// # fn recipe() -> Result<(), Box<dyn std::error::Error>> {
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
///         // Printed for `cycles` on a machine without a hardware PMU.
///         Err(why) => println!("{}: {why}", event.name()),
///     }
/// }
/// # Ok(())
/// # }
/// # // Some machines forbid counting.
/// # if let Err(error) = recipe() {
/// #     assert!(error.is::<pmu_events::open::Error>(), "{error}");
/// # }
/// ```
///
/// # Where events are opened
///
/// | event | measuring tasks | measuring CPUs |
/// |---|---|---|
/// | of a core PMU, generic, software | for each task | on each CPU, limited to the PMU's CPUs if it has a list |
/// | of a PMU outside the cores | on the CPUs that its PMU names | on the CPUs that its PMU names |
/// | `duration_time`, `user_time`, `system_time` | measured here | measured here |
/// | `num_cpus` and other values of the machine | read when the set is opened | the same |
/// | sensors (`class/hwmon`) | read with the set | read with the set |
/// | graphics drivers (`drm_i915`) | the clients of the processes | all clients that the user may see |
///
/// `user_time` and `system_time` of tasks are those of the threads themselves. With
/// [`Options::with_inherit`], all threads of a process are that process, including threads that it
/// starts later and children that it has waited for. Of a child that it had before, the time
/// until then is not known, and the value is missing once that child has ended.
///
/// A package-wide event counts on one CPU of each package. An event with a term `cpu`
/// counts only on those of its CPUs that it names
/// ([`Resolved::limit`](crate::resolve::Resolved::limit)); tasks are then counted while they
/// run there. A member of a group that belongs elsewhere than its leader is counted on its
/// own ([`SetEvent::is_alone`]), as in perf; so is one that counts children where its leader
/// does not, or the other way round (`no-inherit`, `inherit`).
///
/// # What happens when the kernel refuses
///
/// An event that the machine or the kernel lacks is reported for that event
/// ([`SetEvent::refusal`], [`Outcome::NotSupported`]), or for its whole group if it
/// is the leader; the others are counted. If the user does not have permission to
/// count the kernel, the kernel is excluded, and [`SetEvent::is_user_only`] returns
/// `true`. A weak group (`:W`) that does not fit is broken up. Each fallback
/// applies wherever the event is open: what one CPU forces an event to exclude is
/// excluded on the others as well. Any other refusal is an error, and nothing stays
/// open.
#[derive(Debug)]
pub struct Counters {
    events: Arc<[Arc<SetEvent>]>,
    groups: Vec<Group>,
    watches: Vec<(usize, Watch)>,
    /// Whether counts are what the kernel says, wherever they are read.
    is_plain: bool,
    /// What the words of its reads mean, if they are all that must be known.
    #[cfg(feature = "region")]
    layout: Option<Arc<Layout>>,
    presence: Presence,
    pinned: Pinned,
    stopwatch: Stopwatch,
    state: SetState,
    /// The counts at the last reset, group by group; none before the first.
    baseline: Vec<Read>,
    options: Options,
    system: System,
}

/// Counting events.
impl System {
    /// Opens counters for a list of events on the calling thread. Nothing is
    /// counted before [`Counters::enable`].
    ///
    /// An event that this machine does not have is part of the set; its value is
    /// the reason why it is missing.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a list of events, or if the kernel
    /// refuses an event that the machine has. In that case nothing stays open.
    ///
    /// ```no_run
    /// use pmu_events::System;
    ///
    /// let mut counters = System::new().open("{instructions,cycles}:u,page-faults")?;
    /// counters.enable()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(&self, events: &str) -> Result<Counters, Error> {
        self.open_with(events, &Options::new())
    }

    /// Opens counters for a list of events with options: on other tasks, on CPUs,
    /// inherited by children, and so on.
    ///
    /// # Errors
    ///
    /// Returns an error in the same cases as [`open`](Self::open), and if a task
    /// does not exist.
    ///
    /// ```no_run
    /// use pmu_events::{Scope, System, open::Options};
    ///
    /// let everything = Options::new().with_scope(Scope::AllCpus);
    /// let mut counters = System::new().open_with("instructions,cpu-clock", &everything)?;
    /// counters.enable()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open_with(&self, events: &str, options: &Options) -> Result<Counters, Error> {
        Counters::open(&self.resolve(events)?, options)
    }
}

impl Counters {
    /// Opens counters for resolved events. Nothing is counted before
    /// [`enable`](Self::enable), or the task's `exec` with
    /// [`Options::with_enable_on_exec`].
    ///
    /// # Errors
    ///
    /// Returns an error if the kernel refuses an event that the machine and the
    /// kernel have, or if a task does not exist. In that case nothing stays open.
    pub fn open(resolution: &Resolution, options: &Options) -> Result<Self, Error> {
        let system = resolution.system();
        let mut events = Vec::new();
        // The index in the set of each resolved event.
        let mut places = Vec::new();
        for answer in resolution.answers() {
            let event = match answer {
                Ok(resolved) => {
                    places.push(events.len());
                    SetEvent::new(resolved.clone())
                }
                Err(missing) => SetEvent::missing(missing),
            };
            events.push(event.in_cgroup(options.cgroup.as_ref()));
        }
        options.check_cgroups(&events)?;
        let scope = targets::checked(&options.scope, system.proc())?;
        let options = &options.clone().with_scope(scope);
        let reads = UserReads::of(options, system);
        if let Some(reads) = &reads {
            events.iter_mut().for_each(|event| reads.ask(event));
        }
        let mut places = places.into_iter();
        let (mut groups, mut watches) = (Vec::new(), Vec::new());
        let has_cores = HasCores::of(system.sysfs());
        for of_group in resolution.groups() {
            let mut members = Vec::new();
            // The shorter of both first: `zip` takes one from it before it looks at
            // the other.
            for (resolved, n) in of_group.iter().zip(places.by_ref()) {
                match Watch::of(resolved, options, events[n].cgroup(), system) {
                    Some(Ok(watch)) => watches.push((n, watch)),
                    Some(Err(unknown)) => events[n].refusal = Some(unknown),
                    None => members.push(n),
                }
            }
            for together in placed(&members, options, system, &mut events) {
                let reads = reads.as_ref();
                groups.extend(group::open(&together, options, reads, &has_cores, &mut events)?);
            }
        }
        let mut presence = Presence::default();
        for domain in groups.iter().flat_map(Group::domains) {
            match presence.watch(domain, options.enable_on_exec) {
                // What has ended is nowhere.
                Err(error) if error.kind() == ErrorKind::NoSuchTask => {}
                watched => watched?,
            }
        }
        let mut pinned = Pinned::default();
        for context in groups.iter().flat_map(Group::pinned_contexts) {
            match pinned.watch(context, options.enable_on_exec) {
                Err(error) if error.kind() == ErrorKind::NoSuchTask => {}
                watched => watched?,
            }
        }
        for cpu in groups.iter().flat_map(Group::cpus_to_watch) {
            presence.watch_cpu(cpu)?;
        }
        let is_plain =
            groups.iter().all(Group::is_plain) && events.iter().all(|one| one.only_on.is_none());
        let events = events.into_iter().map(Arc::new).collect();
        #[cfg(feature = "region")]
        let layout =
            if is_plain && watches.is_empty() { Layout::of(&groups, &events) } else { None };
        Ok(Counters {
            is_plain,
            #[cfg(feature = "region")]
            layout: layout.map(Arc::new),
            events,
            groups,
            watches,
            presence,
            pinned,
            stopwatch: Stopwatch::default(),
            state: SetState::default(),
            baseline: Vec::new(),
            options: options.clone(),
            system: system.clone(),
        })
    }

    /// Returns the events of the set: the [answers](Resolution::answers) of the
    /// resolution with which it was opened.
    #[must_use]
    pub fn events(&self) -> &[Arc<SetEvent>] {
        &self.events
    }

    /// Returns the identities of the events, in their order: those of the resolution, and of each
    /// reading.
    pub fn ids(&self) -> impl Iterator<Item = AnswerId> + use<> {
        (0..self.events.len()).map(AnswerId::new)
    }

    /// Returns an event; `None` if the identity is not one of this set.
    #[must_use]
    pub fn event(&self, id: AnswerId) -> Option<&SetEvent> {
        self.events.get(id.place()).map(|event| &**event)
    }

    /// Returns the targets on which an event is open, by its index in
    /// [`events`](Self::events).
    pub fn targets(&self, event: usize) -> impl Iterator<Item = Target> {
        self.groups.iter().flat_map(move |group| group.targets(event))
    }

    /// Enables all counters. With [`Options::with_enable_on_exec`], enables only those
    /// that measure CPUs; the others start at the task's `exec`.
    ///
    /// ```
    /// use pmu_events::System;
    ///
    /// let mut counters = System::new().open("duration_time")?;
    /// counters.enable()?;
    /// std::hint::black_box((0..1000).sum::<u64>());
    /// counters.disable()?;
    /// println!("{}", counters.read()["duration_time"]);
    /// # Ok::<(), pmu_events::open::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if an ioctl fails, or if none of the threads to be measured
    /// exists any more ([`ErrorKind::NoSuchTask`]), unless they start at an `exec`: whoever
    /// starts the task waits for it.
    pub fn enable(&mut self) -> Result<(), Error> {
        if !self.options.enable_on_exec {
            targets::check_some_left(&self.options.scope, self.system.proc())?;
        }
        self.enable_without_check()
    }

    fn enable_without_check(&mut self) -> Result<(), Error> {
        self.state.was_enabled = true;
        self.watches.iter_mut().for_each(|(_, watch)| watch.start());
        self.presence.enable(self.options.enable_on_exec)?;
        all(self.groups.iter().map(|group| group.enable(&self.options)))?;
        self.pinned.enable(self.options.enable_on_exec)?;
        self.stopwatch.start();
        Ok(())
    }

    /// Disables all counters, which keep their counts.
    ///
    /// # Errors
    ///
    /// Returns an error if an ioctl fails.
    pub fn disable(&mut self) -> Result<(), Error> {
        self.stopwatch.stop();
        let disabled = self.pinned.disable();
        let disabled = disabled.and(all(self.groups.iter().map(Group::disable)));
        let disabled = disabled.and(self.presence.disable());
        self.watches.iter_mut().for_each(|(_, watch)| watch.stop());
        disabled
    }

    /// Counts some work: enables the counters, runs the work, disables them, and returns what
    /// the work returns and what was counted in between.
    ///
    /// Work that panics leaves the counters enabled.
    ///
    /// ```
    /// use pmu_events::System;
    ///
    /// let mut counters = System::new().open("duration_time")?;
    /// for size in [100, 1000] {
    ///     let (sorted, reading) = counters.count(|| (0..size).rev().collect::<Vec<u32>>())?;
    ///     println!("{}: {} s", sorted.len(), reading["duration_time"].value()?);
    /// }
    /// # Ok::<(), pmu_events::open::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`enable`](Self::enable), before the work runs, and [`disable`](Self::disable),
    /// after it.
    pub fn count<T>(&mut self, work: impl FnOnce() -> T) -> Result<(T, Reading), Error> {
        let before = self.read();
        self.enable()?;
        let done = work();
        self.disable()?;
        Ok((done, self.read().since(&before)))
    }

    /// Sets all counts and times to 0, also those of children that have ended and those
    /// measured without a counter.
    ///
    /// The kernel keeps its counts: this notes where they stand, and later reads
    /// subtract that. A count that cannot be read now is unknown from then on.
    ///
    /// ```
    /// use pmu_events::System;
    ///
    /// let mut counters = System::new().open("duration_time")?;
    /// counters.enable()?;
    /// for round in 0..3 {
    ///     counters.reset();
    ///     println!("{round}: {}", counters.read()["duration_time"]);
    /// }
    /// # Ok::<(), pmu_events::open::Error>(())
    /// ```
    pub fn reset(&mut self) {
        self.watches.iter_mut().for_each(|(_, watch)| watch.reset());
        let mut scratch = Scratch::default();
        self.count_into(&mut scratch);
        self.baseline = scratch.counts;
        self.state.resets += 1;
    }

    /// Reads all counters, each group at one instant. A task or CPU that cannot be read
    /// is [lacking](EventReading::lacking); a thread that has ended, for example, does
    /// not affect the other events.
    ///
    /// Any thread may read: [`Scope::ThisThread`](crate::Scope::ThisThread) remains
    /// the thread that opened the set. (On other threads, the resolution of
    /// `user_time` and `system_time` is a clock tick.)
    ///
    /// ```
    /// use pmu_events::System;
    ///
    /// let mut counters = System::new().open("duration_time")?;
    /// counters.enable()?;
    /// for event in counters.read() {
    ///     println!("{event}");
    /// }
    /// # Ok::<(), pmu_events::open::Error>(())
    /// ```
    #[must_use]
    pub fn read(&self) -> Reading {
        let mut reading = Reading::default();
        self.read_into(&mut reading);
        reading
    }

    /// Reads all counters as [`read`](Self::read) does, into a reading that the caller keeps. A
    /// reading of the same set is reused with all that it has allocated, so that the second read
    /// into it allocates nothing; any other is replaced.
    ///
    /// Each group costs one system call, whose result is decoded where the kernel writes it.
    /// What no counter counts still allocates, except for `duration_time`: it comes from files
    /// (sensors, graphics drivers, the times of tasks). So does the reason why a count cannot be
    /// read.
    ///
    /// ```
    /// use pmu_events::System;
    /// use pmu_events::open::Reading;
    ///
    /// let mut counters = System::new().open("duration_time")?;
    /// let (mut before, mut after) = (Reading::default(), Reading::default());
    /// counters.enable()?;
    /// for size in [100, 1000] {
    ///     counters.read_into(&mut before);
    ///     std::hint::black_box((0..size).sum::<u64>());
    ///     counters.read_into(&mut after);
    ///     after.subtract(&before);
    ///     println!("{size}: {}", after["duration_time"]);
    /// }
    /// # Ok::<(), pmu_events::open::Error>(())
    /// ```
    pub fn read_into(&self, reading: &mut Reading) {
        reading.begin(&self.events, self.state);
        let Reading { events, scratch } = reading;
        if self.is_plain && self.baseline.is_empty() {
            let Scratch { words, slots, .. } = scratch;
            self.groups.iter().for_each(|group| group.read_into(words, slots, events));
        } else {
            self.add_counts(events, scratch);
        }
        if !self.watches.is_empty() {
            self.read_watches(events);
        }
    }

    /// Replaces a snapshot of the set, which is enabled, by one of now.
    #[cfg(feature = "region")]
    #[inline]
    pub(crate) fn take(&self, snapshot: &mut Snapshot) {
        if !snapshot.take_words(self.layout.as_ref(), &self.groups) {
            self.read_into(snapshot.reading());
        }
    }

    /// What the words of a snapshot mean, if they tell.
    #[cfg(feature = "region")]
    pub(crate) fn layout(&self) -> Option<&Arc<Layout>> {
        self.layout.as_ref()
    }

    /// Adds to sums of words what was counted from one snapshot to another. Adds nothing and returns
    /// `false` if their words do not tell, as their [difference](Self::difference) does then.
    #[cfg(feature = "region")]
    #[inline]
    pub(crate) fn add_between(
        &self,
        before: &Snapshot,
        after: &Snapshot,
        sums: &[AtomicU64],
    ) -> bool {
        after.add_since(before, self.layout.as_ref(), sums)
    }

    /// What was counted from one snapshot to another, which are then only of use to be taken again.
    #[cfg(feature = "region")]
    pub(crate) fn difference<'s>(
        &self,
        before: &mut Snapshot,
        after: &'s mut Snapshot,
    ) -> &'s Reading {
        after.since(before, self.layout.as_ref())
    }

    #[inline(never)]
    fn read_watches(&self, events: &mut [EventReading]) {
        for (n, watch) in &self.watches {
            let target = Target::ThisThread;
            events[*n].clear();
            let read = watch.read().map(|count| Part::new(target, count));
            events[*n].add(read.map_err(|why| Lack { target, why }));
        }
    }

    /// Reads the groups into their events, with all that must be known beside their counts.
    #[inline(never)]
    fn add_counts(&self, events: &mut [EventReading], scratch: &mut Scratch) {
        // Before the counters are read: none of them has been enabled for less.
        let is_needed = self.groups.iter().any(Group::may_go_offline);
        let least = if is_needed { self.stopwatch.least() } else { Duration::ZERO };
        events.iter_mut().for_each(EventReading::clear);
        self.count_into(scratch);
        let (mut counts, mut before) = (&scratch.counts[..], &self.baseline[..]);
        for group in &self.groups {
            let (own, others) = counts.split_at(group.size());
            let own_before = before.split_off(..group.size());
            counts = others;
            group.add(own, own_before, least, events);
        }
        for (event, reading) in self.events.iter().zip(events) {
            if let Some(targets) = &event.only_on {
                reading.parts.retain(|part| targets.contains(&part.target));
                reading.lacks.retain(|lack| targets.contains(&lack.target));
            }
        }
    }

    /// Reads the counts since opening, with the times in which each could be counted.
    fn count_into(&self, scratch: &mut Scratch) {
        let Scratch { words, slots, counts, times, present, .. } = scratch;
        self.pinned.read_into(times);
        counts.clear();
        for group in &self.groups {
            group.read(words, slots, counts);
        }
        self.presence.read_into(present);
        let mut rest = &mut counts[..];
        for group in &self.groups {
            let (own, others) = rest.split_at_mut(group.size());
            rest = others;
            group.note_errors(own, times);
            group.limit(own, present);
        }
    }
}

/// The members of a group where each is opened. Those that are opened elsewhere than their
/// leader are groups of their own (`evlist__check_cpu_maps` in `tools/perf/util/evlist.c`): a
/// group is on one CPU or task, and there they would count something else. So are those that
/// differ in whether they count children, as a group is inherited as a whole
/// (`inherit_group` in `kernel/events/core.c`).
fn placed(
    members: &[usize],
    options: &Options,
    system: &System,
    events: &mut [SetEvent],
) -> Vec<Places> {
    let mut all: Vec<Places> = Vec::new();
    for &member in members {
        match places_of(member, &options.scope, system, &mut events[member]) {
            Ok(places) => match all.first_mut() {
                Some(first)
                    if first.targets == places.targets
                        && inherits_as(first, member, options, events) =>
                {
                    first.members.push(member);
                    first.cpus_without_pmu =
                        first.cpus_without_pmu.take().or(places.cpus_without_pmu);
                }
                None => all.push(places),
                Some(_) => {
                    events[member].is_alone = true;
                    all.push(places);
                }
            },
            // The CPUs are unknown; on any others it would count something else.
            Err(why) => events[member].refusal = Some(why),
        }
    }
    // The other CPUs of an event per package are only opened for the sake of its group.
    for places in &mut all {
        let is_needed = |&member: &usize| events[member].only_on.is_none();
        if !places.members.iter().any(is_needed)
            && let Some(own) = events[places.members[0]].only_on.clone()
        {
            places.targets = own;
        }
    }
    all
}

/// Whether an event counts children if the leader of a group does.
fn inherits_as(group: &Places, member: usize, options: &Options, events: &[SetEvent]) -> bool {
    let inherits = |n: usize, target| opening::inherits(&events[n], target, options);
    let mut targets = group.targets.iter();
    targets.all(|&target| inherits(group.members[0], target) == inherits(member, target))
}

fn places_of(
    member: usize,
    scope: &Scope,
    system: &System,
    event: &mut SetEvent,
) -> Result<Places, Error> {
    let topology = system.topology();
    let resolved = event.resolved().cloned();
    let Some(resolved) = resolved else { return Err(Error::never_scheduled()) };
    let targets = places::of_event(&resolved, scope, topology)?;
    if targets.is_empty() {
        let message = match (resolved.limit(), resolved.pmu()) {
            (Some(limit), _) => {
                format!("of the CPUs that its term `cpu` names, none is measured: {limit}")
            }
            (None, Some(pmu)) => {
                format!("none of the CPUs that are measured is one of `{}`", pmu.name())
            }
            (None, None) => "no CPU is measured".into(),
        };
        return Err(Error::new(ErrorKind::NoDevice, 0, message));
    }
    if resolved.is_per_package() {
        let own = places::counted(&resolved, scope, topology)?;
        event.only_on = (own.len() < targets.len()).then_some(own);
    }
    // Only tasks move from CPU to CPU.
    let online = topology.online().ok().filter(|_| !scope.is_cpus());
    let cpus_without_pmu = online.and_then(|online| reach::cpus_without_pmu(&resolved, online));
    Ok(Places { members: vec![member], targets, cpus_without_pmu })
}
