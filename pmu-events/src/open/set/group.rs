//! A group of events, open on all its CPUs and tasks.

use std::format;
use std::vec::Vec;

use super::event::SetEvent;
use super::opening::{self, Refusal};
use super::options::Options;
use super::reading::{EventReading, Part};
use crate::open::{Attr, Count, Counter, Error, ErrorKind, Target};

/// Events that are counted together. A single event is a group of one.
#[derive(Debug)]
pub(super) struct Group {
    /// The indices of its events in the set, the leader's first.
    members: Vec<usize>,
    spots: Vec<Spot>,
}

/// A group in one place.
#[derive(Debug)]
struct Spot {
    target: Target,
    /// In the order of the members, with the kernel's ids.
    counters: Vec<(Counter, u64)>,
}

/// Opens a group without its unsupported members. A weak group that does not fit is
/// broken up.
pub(super) fn open(
    members: &[usize],
    targets: &[Target],
    options: &Options,
    events: &mut [SetEvent],
) -> Result<Vec<Group>, Error> {
    let mut members = members.to_vec();
    let cgroup = members.first().and_then(|&leader| options.cgroup(leader));
    let open_one = |attr: &Attr, target, leader: Option<&Counter>| {
        Counter::open_in(cgroup, attr, target, leader)
    };
    while let Some(&leader) = members.first() {
        let opened = opening::everywhere(&members, targets, options, events, &open_one);
        match opened {
            Ok(spots) => {
                let spot = |spot| Spot::with_ids(spot, members.len() > 1);
                let spots: Result<_, Error> = spots.into_iter().map(spot).collect();
                let spots = spots.map_err(|error| events[leader].refused(error))?;
                return Ok(std::vec![Group { members, spots }]);
            }
            Err(Refusal::Fatal(error)) => return Err(error),
            Err(Refusal::Weak) => {
                let mut groups = Vec::new();
                for member in members {
                    events[member].is_alone = true;
                    groups.extend(open(&[member], targets, options, events)?);
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

    /// One ioctl resets the whole group.
    pub(super) fn reset(&self) -> Result<(), Error> {
        all(self.leaders().map(|(_, leader)| leader.reset_group()))
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
        self.spots.iter().filter_map(|spot| Some((spot.target, &spot.counters.first()?.0)))
    }

    /// Adds the counts of each place to its events, or the reason why they cannot
    /// be read.
    pub(super) fn read(&self, events: &mut [EventReading]) {
        for spot in &self.spots {
            let counts = spot.read(self.members.len());
            for (&member, count) in self.members.iter().zip(counts) {
                let event = &mut events[member];
                match count {
                    Ok(count) => event.parts.push(Part { target: spot.target, count }),
                    Err(error) if error.kind() == ErrorKind::PinnedOut => {
                        event.is_pinned_out = true;
                    }
                    Err(error) => event.failure = Some(error),
                }
            }
        }
    }
}

/// Runs all steps, and returns the first error.
pub(super) fn all(done: impl Iterator<Item = Result<(), Error>>) -> Result<(), Error> {
    done.fold(Ok(()), Result::and)
}

impl Spot {
    fn with_ids((target, counters): opening::Spot<Counter>, is_group: bool) -> Result<Self, Error> {
        let with_id = |counter: Counter| {
            let id = if is_group { counter.id()? } else { 0 };
            Ok((counter, id))
        };
        let counters = counters.into_iter().map(with_id).collect::<Result<_, Error>>()?;
        Ok(Spot { target, counters })
    }

    /// Returns one result for each member of the group, in the order of the
    /// counters.
    fn read(&self, members: usize) -> Vec<Result<Count, Error>> {
        match self.counters.as_slice() {
            [] => Vec::new(),
            [(counter, _)] => std::vec![counter.read()],
            [(leader, _), ..] => match leader.read_group() {
                Ok(counts) => self.counters.iter().map(|&(_, id)| of_member(&counts, id)).collect(),
                Err(error) => std::vec![Err(error); members],
            },
        }
    }
}

/// The count of a member among those of its group.
fn of_member(counts: &[Count], id: u64) -> Result<Count, Error> {
    let found = counts.iter().find(|count| count.id == Some(id));
    found.copied().ok_or_else(|| {
        let message = format!("the kernel gave no count of event {id} of its group");
        Error::new(ErrorKind::Unreadable, 0, message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A member that is missing from a group's read has no count; it must not
    /// appear as 0.
    #[test]
    fn a_member_without_count() {
        let count = |id| Count { id, ..Count::new(5, 2, 2) };
        let counts = [count(Some(7)), count(None), count(Some(9))];
        for (id, expected) in [(7, Ok(5)), (9, Ok(5)), (8, Err(ErrorKind::Unreadable))] {
            let found = of_member(&counts, id);
            assert_eq!(found.map(|count| count.value).map_err(|error| error.kind()), expected);
        }
    }

    /// A failure must not keep the other counters from being stopped.
    #[test]
    fn all_are_done() {
        let mut done = 0;
        let error = |n| Error::new(ErrorKind::Other, n, "it fails");
        let each = (0..4).map(|n| {
            done += 1;
            if n % 2 == 1 { Err(error(n)) } else { Ok(()) }
        });
        assert_eq!((all(each), done), (Err(error(1)), 4));
    }
}
