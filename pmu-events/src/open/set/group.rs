//! A group of events, open in all its places.

use std::format;
use std::vec::Vec;

use super::event::{EventError, SetEvent};
use super::options::Options;
use super::reading::{EventReading, Part};
use crate::open::{Attr, Count, Counter, Error, ErrorKind, Flag, ReadFormat, Target};

/// Events that are counted together. An event that stands alone is a group,
/// too.
#[derive(Debug)]
pub(super) struct Group {
    /// The places of its events in the set, the leader's first.
    members: Vec<usize>,
    spots: Vec<Spot>,
}

/// A group in one place.
#[derive(Debug)]
struct Spot {
    target: Target,
    /// As the members, with the kernel's numbers of them.
    counters: Vec<(Counter, u64)>,
}

/// Why a group is not open as it was asked for.
enum Refusal {
    /// The event at this place among the members is not supported.
    Member(usize, Error),
    /// The group does not fit, and may be broken up.
    Weak,
    Fatal(EventError),
}

/// Opens a group, less what is not supported. A weak one that does not fit
/// becomes several.
pub(super) fn open(
    members: &[usize],
    targets: &[Target],
    options: Options,
    events: &mut [SetEvent<'_>],
) -> Result<Vec<Group>, EventError> {
    let mut members = members.to_vec();
    while let Some(&leader) = members.first() {
        match spots(&members, targets, options, events) {
            Ok(spots) => return Ok(std::vec![Group { members, spots }]),
            Err(Refusal::Fatal(error)) => return Err(error),
            Err(Refusal::Weak) => {
                let mut groups = Vec::new();
                for member in members {
                    events[member].is_alone = true;
                    groups.extend(open(&[member], targets, options, events)?);
                }
                return Ok(groups);
            }
            // Without its leader there is no group.
            Err(Refusal::Member(0, error)) => {
                let message = format!("`{}` leads its group: {error}", events[leader].name());
                for &member in &members[1..] {
                    let error = Error::new(error.kind(), 0, message.as_str());
                    events[member].refusal = Some(error);
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

fn spots(
    members: &[usize],
    targets: &[Target],
    options: Options,
    events: &mut [SetEvent<'_>],
) -> Result<Vec<Spot>, Refusal> {
    let mut spots = Vec::new();
    let mut vanished = None;
    let fatal = |event: &SetEvent<'_>, error| {
        Refusal::Fatal(EventError { event: event.name().into_owned(), error })
    };
    'targets: for &target in targets {
        let mut counters: Vec<(Counter, u64)> = Vec::new();
        let leads_inheriting = inherits(&events[members[0]], target, options);
        for (n, &member) in members.iter().enumerate() {
            let event = &mut events[member];
            let is_task = !target.is_whole_cpu();
            let adapt = |attr: &mut Attr| {
                attr.set(Flag::Disabled, n == 0);
                attr.set(Flag::EnableOnExec, n == 0 && options.enable_on_exec && is_task);
                // All of a group do, or none.
                attr.set(Flag::Inherit, leads_inheriting);
                if members.len() > 1 {
                    attr.set_read_format(ReadFormat::TIMES | ReadFormat::GROUP | ReadFormat::ID);
                }
            };
            let leader = counters.first().map(|(leader, _)| leader);
            match open_one(event, adapt, target, leader) {
                Ok(counter) => {
                    let id = if members.len() > 1 {
                        counter.id().map_err(|error| fatal(event, error))?
                    } else {
                        0
                    };
                    counters.push((counter, id));
                }
                // One of several threads may have ended meanwhile.
                Err(error) if error.kind() == ErrorKind::NoSuchTask => {
                    vanished = Some(fatal(event, error));
                    continue 'targets;
                }
                Err(error) if error.kind() == ErrorKind::Invalid && n > 0 && event.is_weak() => {
                    return Err(Refusal::Weak);
                }
                Err(error) if error.kind().is_lack_of_support() => {
                    return Err(Refusal::Member(n, error));
                }
                Err(error) => return Err(fatal(event, error)),
            }
        }
        spots.push(Spot { target, counters });
    }
    match vanished {
        Some(refusal) if spots.is_empty() => Err(refusal),
        _ => Ok(spots),
    }
}

/// Only tasks have children.
fn inherits(event: &SetEvent<'_>, target: Target, options: Options) -> bool {
    let asked = event.resolved.attributes.inherit.unwrap_or(options.inherit);
    asked && !target.is_whole_cpu()
}

/// Opens one event. What the kernel does not allow but perf does without is
/// left out, and the event remembers it (`evsel__fallback` and
/// `evsel__detect_missing_features` in `tools/perf/util/evsel.c`).
fn open_one(
    event: &mut SetEvent<'_>,
    adapt: impl Fn(&mut Attr),
    target: Target,
    leader: Option<&Counter>,
) -> Result<Counter, Error> {
    let mut has_tried_without_guests = event.attr.has(Flag::ExcludeGuest);
    loop {
        let mut attr = event.attr;
        adapt(&mut attr);
        let error = match Counter::open(&attr, target, leader) {
            Ok(counter) => return Ok(counter),
            Err(error) => error,
        };
        // It is the group that does not fit: nothing to leave out would help.
        let is_member = leader.is_some() && error.kind() == ErrorKind::Invalid;
        if is_member && Counter::open(&attr, target, None).is_ok() {
            return Err(error);
        }
        let settings = &event.resolved.settings;
        let may_guest_count = attr.has(Flag::ExcludeGuest) && !settings.exclude_host;
        match error.kind() {
            // A PMU that can exclude nothing (`PERF_PMU_CAP_NO_EXCLUDE`)
            // refuses what was never asked for.
            ErrorKind::Invalid if may_guest_count => {
                event.attr.set(Flag::ExcludeGuest, false);
            }
            // Apple's M1 must not count guests.
            ErrorKind::NotSupported if !has_tried_without_guests && !settings.exclude_host => {
                has_tried_without_guests = true;
                event.attr.set(Flag::ExcludeGuest, true);
            }
            ErrorKind::NotPermitted
                if !attr.has(Flag::ExcludeKernel) && !attr.has(Flag::ExcludeUser) =>
            {
                event.attr.set(Flag::ExcludeKernel, true);
                event.attr.set(Flag::ExcludeHv, true);
                event.is_user_only = true;
            }
            ErrorKind::NotPermitted | ErrorKind::Invalid if event.is_user_only => {
                event.attr.set(Flag::ExcludeKernel, false);
                event.attr.set(Flag::ExcludeHv, false);
                event.is_user_only = false;
                return with_kernel(error.kind(), event, adapt, target, leader);
            }
            _ => return Err(error),
        }
    }
}

/// Without the kernel it does not work either: why the kernel was left out is
/// the better message.
fn with_kernel(
    without: ErrorKind,
    event: &SetEvent<'_>,
    adapt: impl Fn(&mut Attr),
    target: Target,
    leader: Option<&Counter>,
) -> Result<Counter, Error> {
    let mut attr = event.attr;
    adapt(&mut attr);
    Counter::open(&attr, target, leader).map_err(|error| {
        if (without, error.kind()) == (ErrorKind::Invalid, ErrorKind::NotPermitted) {
            let message = format!("this PMU cannot leave out the kernel, and it is {error}");
            return Error::new(ErrorKind::NotSupported, 0, message);
        }
        error
    })
}

impl Group {
    /// Those that no `exec` enables.
    pub(super) fn enable(&self, options: Options) -> Result<(), Error> {
        self.leaders()
            .filter(|(target, _)| target.is_whole_cpu() || !options.enable_on_exec)
            .try_for_each(|(_, leader)| leader.enable())
    }

    pub(super) fn disable(&self) -> Result<(), Error> {
        self.leaders().try_for_each(|(_, leader)| leader.disable())
    }

    fn leaders(&self) -> impl Iterator<Item = (Target, &Counter)> {
        self.spots.iter().filter_map(|spot| Some((spot.target, &spot.counters.first()?.0)))
    }

    pub(super) fn read(&self, events: &mut [EventReading]) -> Result<(), Error> {
        for spot in &self.spots {
            let counts = match spot.read() {
                Ok(counts) => counts,
                Err(error) if error.kind() == ErrorKind::PinnedOut => {
                    self.members.iter().for_each(|&member| events[member].is_pinned_out = true);
                    continue;
                }
                Err(error) => return Err(error),
            };
            for (&member, count) in self.members.iter().zip(counts) {
                events[member].parts.push(Part { target: spot.target, count });
            }
        }
        Ok(())
    }
}

impl Spot {
    /// In the order of the counters.
    fn read(&self) -> Result<Vec<Count>, Error> {
        match self.counters.as_slice() {
            [] => Ok(Vec::new()),
            [(counter, _)] => Ok(std::vec![counter.read()?]),
            [(leader, _), ..] => {
                let counts = leader.read_group()?;
                let count_of = |&(_, id): &(Counter, u64)| {
                    let found = counts.iter().find(|count| count.id == Some(id));
                    found.copied().unwrap_or_default()
                };
                Ok(self.counters.iter().map(count_of).collect())
            }
        }
    }
}
