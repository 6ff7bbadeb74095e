//! A group of events, open on all its CPUs and tasks.

use std::time::Duration;
use std::vec::Vec;

use super::each::all;
use super::event::SetEvent;
use super::method::ReadMethod;
use super::opening::{self, Refusal};
use super::options::Options;
use super::pinned::{Context, TimesEnabled};
use super::presence::{Domain, Present};
use super::reach::{self, Reach};
use super::reading::{EventReading, Lack, Part};
use super::stopwatch;
use super::timed::{Read, Timed, since};
use super::user_reads::UserReads;
use crate::open::page::{Pages, Slot};
use crate::open::system::HasCores;
use crate::open::{Attr, Cgroup, Count, Counter, Error, Target};

/// Events that are counted together. A single event is a group of one.
#[derive(Debug)]
pub(super) struct Group {
    /// The indices of its events in the set, the leader's first.
    members: Vec<usize>,
    spots: Vec<Spot>,
    /// Whether its counters go with a CPU, unlike those of a PMU outside the cores.
    goes_offline: bool,
    cgroup: Option<Cgroup>,
    /// Whether it is in error as soon as it gets no counter: it is pinned, and not counted in
    /// software.
    may_be_in_error: bool,
    /// For each member, whether it could count on every CPU if it were alone.
    could_count_anywhere: Vec<bool>,
}

/// A group in one place.
#[derive(Debug)]
struct Spot {
    target: Target,
    inherits: bool,
    reach: Reach,
    /// In the order of the members.
    counters: Vec<Counter>,
    /// Their pages, if they may be read without a system call.
    pages: Option<Pages>,
}

/// Events that are opened together, and where.
#[derive(Clone, Debug)]
pub(super) struct Places {
    /// The indices of the events in the set, the leader's first.
    pub(super) members: Vec<usize>,
    pub(super) targets: Vec<Target>,
    /// The CPUs on which its PMU does not count, if there are any.
    pub(super) cpus_without_pmu: Option<Vec<u32>>,
}

/// Opens a group without its unsupported members. A weak group that does not fit is
/// broken up.
pub(super) fn open(
    places: &Places,
    options: &Options,
    reads: Option<&UserReads>,
    has_cores: &HasCores,
    events: &mut [SetEvent],
) -> Result<Vec<Group>, Error> {
    let mut members = places.members.clone();
    // The events of a group are resolved together, and so are in one control group.
    let cgroup = members.first().and_then(|&leader| events[leader].cgroup().cloned());
    let cgroup = cgroup.as_ref();
    let open_one = |attr: &Attr, target, leader: Option<&Counter>| {
        Counter::open_knowing(has_cores, cgroup, attr, target, leader)
    };
    while let Some(&leader) = members.first() {
        let opened = opening::everywhere(&members, &places.targets, options, events, &open_one);
        match opened {
            Ok(spots) => {
                let mut resolved = Vec::with_capacity(members.len());
                let (mut goes_offline, mut could_count_anywhere) = (true, Vec::new());
                for &member in &members {
                    let Some(one) = events[member].resolved() else { continue };
                    goes_offline &= !one.pmu().is_some_and(|pmu| pmu.is_uncore());
                    could_count_anywhere.push(reach::is_anywhere(one));
                    resolved.push(one.clone());
                }
                let spot_of = |(target, counters): opening::Spot<Counter>| {
                    let inherits = opening::inherits(&events[leader], target, options);
                    let cpus = places.cpus_without_pmu.as_deref();
                    let reach = Reach::of(&resolved, target, cpus, inherits);
                    let pages = reads
                        .and_then(|reads| reads.map(&resolved, target, inherits, counters.iter()));
                    Spot { target, inherits, reach, counters, pages }
                };
                let spots = spots.into_iter().map(spot_of).collect();
                return Ok(std::vec![Group {
                    goes_offline,
                    cgroup: cgroup.cloned(),
                    may_be_in_error: resolved.first().is_some_and(|one| one.settings().pinned())
                        && !reach::is_software(&resolved),
                    could_count_anywhere,
                    members,
                    spots,
                }]);
            }
            Err(Refusal::Fatal(error)) => return Err(error),
            Err(Refusal::Weak) => {
                let mut groups = Vec::new();
                for member in members {
                    events[member].is_alone = true;
                    let alone = Places { members: std::vec![member], ..places.clone() };
                    groups.extend(open(&alone, options, reads, has_cores, events)?);
                }
                return Ok(groups);
            }
            // A group cannot be opened without its leader.
            Err(Refusal::Member(0, error)) => {
                let of_leader = error.of_leader(&events[leader].name());
                for &member in &members[1..] {
                    events[member].refusal = Some(of_leader.clone());
                }
                events[leader].refusal = Some(error);
                return Ok(Vec::new());
            }
            Err(Refusal::Member(n, error)) => {
                let member = members.remove(n);
                events[member].refusal = Some(error);
            }
        }
    }
    Ok(Vec::new())
}

impl Group {
    /// Enables the group, except where the task's `exec` does.
    pub(super) fn enable(&self, options: &Options) -> Result<(), Error> {
        all(self
            .leaders()
            .filter(|(target, _)| target.is_whole_cpu() || !options.enable_on_exec)
            .map(|(_, leader)| leader.enable()))
    }

    /// Enables the group everywhere.
    pub(super) fn switch_on(&self) -> Result<(), Error> {
        all(self.leaders().map(|(_, leader)| leader.enable()))
    }

    /// The index of its leader in the set.
    pub(super) fn leader(&self) -> Option<usize> {
        self.members.first().copied()
    }

    pub(super) fn disable(&self) -> Result<(), Error> {
        all(self.leaders().map(|(_, leader)| leader.disable()))
    }

    /// The targets on which an event of the set is open; none if it is not in this
    /// group.
    pub(super) fn targets(&self, event: usize) -> impl Iterator<Item = Target> {
        let is_member = self.members.contains(&event);
        self.spots.iter().filter(move |_| is_member).map(|spot| spot.target)
    }

    fn leaders(&self) -> impl Iterator<Item = (Target, &Counter)> {
        self.spots.iter().filter_map(|spot| Some((spot.target, spot.counters.first()?)))
    }

    /// The CPUs and tasks whose presence must be known.
    pub(super) fn domains(&self) -> impl Iterator<Item = &Domain> {
        self.spots.iter().filter_map(|spot| match &spot.reach {
            Reach::Hardware(domain) => Some(domain),
            Reach::Everywhere | Reach::Software => None,
        })
    }

    /// Where the group may lose its counters without a word.
    pub(super) fn pinned_contexts(&self) -> impl Iterator<Item = Context> {
        self.spots.iter().filter(|_| self.may_be_in_error).map(|spot| self.context(spot))
    }

    fn context(&self, spot: &Spot) -> Context {
        let &Spot { target, inherits, .. } = spot;
        Context { target, inherits, cgroup: self.cgroup.clone() }
    }

    /// The CPUs that must be watched.
    pub(super) fn cpus_to_watch(&self) -> impl Iterator<Item = u32> {
        let spots = self.spots.iter().filter(|_| self.cgroup.is_some() && self.goes_offline);
        spots.filter_map(|spot| match spot.target {
            Target::Cpu(cpu) => Some(cpu),
            _ => None,
        })
    }

    /// The number of its counts.
    pub(super) fn size(&self) -> usize {
        self.spots.len() * self.members.len()
    }

    /// Whether its counters may be taken away with their CPU.
    pub(super) fn may_go_offline(&self) -> bool {
        self.goes_offline && self.spots.iter().any(|spot| spot.target.is_whole_cpu())
    }

    /// Adds its [`size`](Self::size) counts to `counts`. The kernel writes into `words`, a read
    /// without it into `slots`.
    pub(super) fn read(&self, words: &mut Vec<u64>, slots: &mut Vec<Slot>, counts: &mut Vec<Read>) {
        for spot in &self.spots {
            if !spot.read_in_user_space(slots, counts) {
                spot.read(words, counts);
            }
        }
    }

    /// Whether its counts are what the kernel says, with its times.
    pub(super) fn is_plain(&self) -> bool {
        let is_plain = |spot: &Spot| spot.reach == Reach::Everywhere && !spot.target.is_whole_cpu();
        self.cgroup.is_none() && !self.may_be_in_error && self.spots.iter().all(is_plain)
    }

    /// Reads a [plain](Self::is_plain) group into its events. The pages are those of a group in
    /// one place.
    #[inline]
    pub(super) fn read_into(
        &self,
        words: &mut Vec<u64>,
        slots: &mut Vec<Slot>,
        events: &mut [EventReading],
    ) {
        if let [spot] = self.spots.as_slice() {
            let is_read = spot.read_pages_into(slots, &self.members, events)
                || spot.read_words_into(words, &self.members, events);
            if is_read {
                return;
            }
        }
        self.read_spots_into(words, events);
    }

    /// On its own, so that the way of most reads is short.
    #[inline(never)]
    fn read_spots_into(&self, words: &mut Vec<u64>, events: &mut [EventReading]) {
        self.members.iter().for_each(|&member| events[member].clear());
        for spot in &self.spots {
            spot.read_into(words, &self.members, events);
        }
    }

    /// The target and the members, if the words of one read are all that must be known of its
    /// counts.
    #[cfg(feature = "region")]
    pub(super) fn in_one_place(&self) -> Option<(Target, &[usize])> {
        let [spot] = self.spots.as_slice() else { return None };
        let alone = crate::open::ReadFormat::TIMES;
        let format = if spot.counters.len() > 1 { Counter::OF_GROUP } else { alone };
        let leader = spot.counters.first()?;
        let is_in_words = self.is_plain() && spot.pages.is_none() && leader.reads_as(format);
        is_in_words.then_some((spot.target, self.members.as_slice()))
    }

    /// Reads a group that is [in one place](Self::in_one_place) with one call; `false` if the
    /// kernel did not write as many words.
    #[cfg(feature = "region")]
    #[inline]
    pub(super) fn read_words(&self, words: &mut [u64]) -> bool {
        let [Spot { counters, .. }] = self.spots.as_slice() else { return false };
        counters.first().is_some_and(|leader| leader.read_words(words))
    }

    /// Notes for how long the group was in error.
    pub(super) fn note_errors(&self, counts: &mut [Read], times: &TimesEnabled) {
        if !self.may_be_in_error {
            return;
        }
        let spots = self.spots.iter().zip(counts.chunks_exact_mut(self.members.len()));
        for (spot, counts) in spots {
            let context = self.context(spot);
            for read in counts {
                let Ok(timed) = *read else { continue };
                if let Some(in_error) = times.in_error(&context, timed.enabled) {
                    let online = |in_error| timed.online.saturating_add(in_error);
                    *read = in_error.map(|in_error| Timed {
                        in_error,
                        online: online(in_error),
                        ..timed
                    });
                }
            }
        }
    }

    /// Limits the enabled times to those in which the events could be counted. A member that
    /// could count elsewhere, but for its group, waits there. In a control group, the CPU
    /// is enabled as long as it is online.
    pub(super) fn limit(&self, counts: &mut [Read], present: &Present) {
        let counts = counts.chunks_exact_mut(self.members.len());
        for (spot, counts) in self.spots.iter().zip(counts) {
            for (read, &is_anywhere) in counts.iter_mut().zip(&self.could_count_anywhere) {
                let Ok(timed) = *read else { continue };
                if let (true, Target::Cpu(cpu)) = (self.cgroup.is_some(), spot.target) {
                    let online = present.of_cpu(cpu).unwrap_or(Ok(timed.online));
                    *read = online.map(|online| Timed { online, ..timed });
                } else if !is_anywhere {
                    let limited = spot.reach.limit(timed.count, present);
                    *read = limited.map(|count| Timed { count, ..timed });
                }
            }
        }
    }

    /// Adds the counts since the last reset to the events, or the reason why they are
    /// unknown. `least` is the shortest time for which the counters were enabled.
    pub(super) fn add(
        &self,
        counts: &[Read],
        baseline: Option<&[Read]>,
        least: Duration,
        events: &mut [EventReading],
    ) {
        for (n, read) in counts.iter().enumerate() {
            // Member by member in one place, then in the next.
            let Some(spot) = self.spots.get(n / self.members.len()) else { break };
            let target = spot.target;
            let event = &mut events[self.members[n % self.members.len()]];
            if let (true, Target::Cpu(cpu), Ok(timed)) = (self.goes_offline, target, read)
                && stopwatch::was_off(timed.online, least)
            {
                event.lacks.push(Lack { target, why: Error::went_offline(cpu) });
            }
            let since = since(read, baseline.and_then(|before| before.get(n)));
            let part = |(count, method)| Part { target, count, method };
            event.add(since.map(part).map_err(|why| Lack { target, why }));
        }
    }
}

impl Spot {
    /// Reads the group into its events, if that takes no system call.
    #[inline]
    fn read_pages_into(
        &self,
        slots: &mut Vec<Slot>,
        members: &[usize],
        events: &mut [EventReading],
    ) -> bool {
        let Some(pages) = &self.pages else { return false };
        // A read without loops.
        if let [member] = *members {
            let Some((slot, times)) = pages.read_alone() else { return false };
            let count = Count::new(slot.value, times.enabled, times.running);
            events[member].begin_with(self.target, count, ReadMethod::UserSpace);
            return true;
        }
        let Some((slots, times)) = pages.read(slots) else { return false };
        for (&member, slot) in members.iter().zip(slots) {
            let count = Count::new(slot.value, times.enabled, times.running);
            events[member].begin_with(self.target, count, ReadMethod::UserSpace);
        }
        true
    }

    /// Reads the group into its events, if the kernel tells all of its counts. Few
    /// steps, because the processor predicts little after a system call.
    #[inline(never)]
    fn read_words_into(
        &self,
        words: &mut [u64],
        members: &[usize],
        events: &mut [EventReading],
    ) -> bool {
        let [leader, _, ..] = self.counters.as_slice() else { return false };
        let Some((enabled, running, values)) = leader.values(words, self.counters.len()) else {
            return false;
        };
        for (&value, &member) in values.iter().zip(members) {
            let count = Count::new(value, enabled, running);
            events[member].begin_with(self.target, count, ReadMethod::SystemCall);
        }
        true
    }

    /// Adds what is read of the group to its events.
    #[cold]
    fn read_into(&self, words: &mut Vec<u64>, members: &[usize], events: &mut [EventReading]) {
        let target = self.target;
        let mut put = |member: usize, read: Result<Count, Error>| {
            let part = read.map(|count| Part::new(target, count));
            events[member].add(part.map_err(|why| Lack { target, why }));
        };
        match self.counters.as_slice() {
            [] => {}
            [counter] => put(members[0], counter.read()),
            [leader, ..] => match leader.members(words) {
                Ok(counts) => {
                    for (n, &member) in members.iter().enumerate() {
                        put(member, counts.of_member(n, members.len()));
                    }
                }
                Err(why) => members.iter().for_each(|&member| put(member, Err(why.clone()))),
            },
        }
    }

    /// Adds one count for each member of the group, in the order of the counters, if that takes
    /// no system call.
    fn read_in_user_space(&self, slots: &mut Vec<Slot>, counts: &mut Vec<Read>) -> bool {
        let Some(pages) = &self.pages else { return false };
        let Some((slots, times)) = pages.read(slots) else { return false };
        for slot in slots {
            let count = Count::new(slot.value, times.enabled, times.running);
            counts.push(Ok(Timed::of(count, ReadMethod::UserSpace)));
        }
        true
    }

    /// Adds one count for each member of the group, in the order of the counters.
    fn read(&self, words: &mut Vec<u64>, counts: &mut Vec<Read>) {
        let of = |count| Timed::of(count, ReadMethod::SystemCall);
        match self.counters.as_slice() {
            [] => {}
            [counter] => counts.push(counter.read().map(of)),
            [leader, ..] => match leader.members(words) {
                Ok(members) => {
                    let opened = self.counters.len();
                    let read = (0..opened).map(|member| members.of_member(member, opened).map(of));
                    counts.extend(read);
                }
                Err(error) => {
                    for _ in &self.counters {
                        counts.push(Err(error.clone()));
                    }
                }
            },
        }
    }
}
