//! Finding out whether events can be counted at the same time, and on which
//! counters.
//!
//! Use it to assign counters without a kernel. On Linux, the
//! [`planner`](https://docs.rs/pmu-events/latest/pmu_events/planner/) also knows what the
//! kernel has taken.
//!
//! Some events are restricted to certain counters
//! ([`Event::counters`](crate::Event::counters)). Assigning a counter to each
//! event is a matching in a bipartite graph, found here by augmenting paths: an
//! event whose counters are taken moves other events if that helps.

use core::fmt;

use crate::event::{CounterConstraint, CounterSet};

/// The maximum number of events that can be assigned at once.
pub const MAX_EVENTS: usize = 64;

/// The available counters: those of a machine, except those that others use.
///
/// The number of counters is in `CPUID` leaf 0Ah on Intel and in `PMCR_EL0.N`
/// on Arm; AMD cores have six since family 15h.
///
/// ```
/// use pmu_events::schedule::Pool;
///
/// // Four general counters, of which something else has the first, and three fixed ones.
/// let all = Pool::first(4, 3);
/// let pool = Pool::new(all.general().without(0), all.fixed());
/// assert_eq!(pool.general().len(), 3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pool {
    pub(crate) general: CounterSet,
    pub(crate) fixed: CounterSet,
}

impl Pool {
    /// Makes a pool of counters.
    #[must_use]
    pub const fn new(general: CounterSet, fixed: CounterSet) -> Self {
        Pool { general, fixed }
    }

    /// Returns the general-purpose counters, which can be programmed.
    #[must_use]
    pub const fn general(self) -> CounterSet {
        self.general
    }

    /// Returns the fixed counters, which count one event each.
    #[must_use]
    pub const fn fixed(self) -> CounterSet {
        self.fixed
    }

    /// Makes a pool of the first `general` and the first `fixed` counters; at
    /// most 64 each.
    #[must_use]
    pub const fn first(general: u8, fixed: u8) -> Self {
        Pool { general: first(general), fixed: first(fixed) }
    }

    /// The places of the counters that an event may use; general counters are
    /// below fixed ones.
    const fn places(self, counters: CounterConstraint) -> u128 {
        let (general, fixed) = (self.general.0 as u128, (self.fixed.0 as u128) << 64);
        match counters {
            CounterConstraint::Unstated => general,
            CounterConstraint::General(set) => general & set.0 as u128,
            CounterConstraint::Fixed(None) => fixed,
            CounterConstraint::Fixed(Some(n)) if n < 64 => fixed & 1 << (64 + n as u32),
            CounterConstraint::Fixed(Some(_)) | CounterConstraint::FreeRunning => 0,
        }
    }
}

const fn first(counters: u8) -> CounterSet {
    CounterSet(match counters {
        0 => 0,
        1..64 => u64::MAX >> (64 - counters as u32),
        64.. => u64::MAX,
    })
}

/// The counter assigned to an event.
///
/// ```
/// use pmu_events::arch::x86;
/// use pmu_events::schedule::{HardwareCounter, Pool, fit};
///
/// let events = [x86::SAPPHIRERAPIDS.require("INST_RETIRED.ANY").counters()];
/// let assignment = fit(&events, Pool::first(8, 4)).unwrap();
/// assert_eq!(assignment.as_slice(), [HardwareCounter::Fixed(0)]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HardwareCounter {
    /// A general-purpose counter.
    General(u8),
    /// A fixed counter.
    Fixed(u8),
    /// A free-running counter.
    FreeRunning,
}

/// An assignment of a counter to each event.
///
/// ```
/// use pmu_events::event::{CounterConstraint, CounterSet};
/// use pmu_events::schedule::{HardwareCounter, Pool, fit};
///
/// let [any, first] = [0b11, 0b01].map(|bits| CounterConstraint::General(CounterSet::from_bits(bits)));
/// let assignment = fit(&[any, first], Pool::first(2, 0)).unwrap();
/// assert_eq!(assignment.as_slice(), [HardwareCounter::General(1), HardwareCounter::General(0)]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Assignment {
    places: [HardwareCounter; MAX_EVENTS],
    len: usize,
}

impl Assignment {
    /// Returns the events' counters, in the order of the events.
    #[must_use]
    pub const fn as_slice(&self) -> &[HardwareCounter] {
        self.places.split_at(self.len).0
    }
}

impl fmt::Debug for Assignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.as_slice()).finish()
    }
}

/// The error for events that cannot be counted at the same time.
///
/// ```
/// use pmu_events::event::{CounterConstraint, CounterSet};
/// use pmu_events::schedule::{Pool, fit};
///
/// let first = CounterConstraint::General(CounterSet::from_bits(1));
/// let error = fit(&[first, first], Pool::first(4, 0)).unwrap_err();
/// println!("{error}");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct DoesNotFit {
    pub(crate) event: usize,
}

impl DoesNotFit {
    /// Returns the index of the first event without a counter: the events before it can
    /// be counted together, but with this one they cannot, however they are
    /// assigned.
    #[must_use]
    pub const fn event(self) -> usize {
        self.event
    }
}

impl fmt::Display for DoesNotFit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DoesNotFit { event } = self;
        write!(f, "no counter is left for event {event} (the first is 0)")
    }
}

crate::__debug_as_display!(DoesNotFit);

impl core::error::Error for DoesNotFit {}

/// Assigns counters to events.
///
/// An event for which the tree states no counters may use any general-purpose
/// one. Trees of older Intel cores number fixed counters from one;
/// `register::intel::counters` returns the hardware's numbers.
///
/// ```
/// use pmu_events::event::{CounterSet, CounterConstraint};
/// use pmu_events::schedule::{DoesNotFit, HardwareCounter, Pool, fit};
/// const ANY: CounterConstraint = CounterConstraint::Unstated;
/// const ON_0: CounterConstraint = CounterConstraint::General(CounterSet::from_bits(0b01));
///
/// // The second event needs the counter that the first would take.
/// let assignment = fit(&[ANY, ON_0, CounterConstraint::Fixed(Some(1))], Pool::first(2, 3))?;
/// let [first, second, third] = assignment.as_slice() else { unreachable!() };
/// assert_eq!([first, second], [&HardwareCounter::General(1), &HardwareCounter::General(0)]);
/// assert_eq!(third, &HardwareCounter::Fixed(1));
///
/// const THIRD: DoesNotFit = match fit(&[ANY, ON_0, ON_0], Pool::first(4, 0)) {
///     Ok(_) => panic!(),
///     Err(error) => error,
/// };
/// assert_eq!(THIRD.event(), 2);
/// # Ok::<(), DoesNotFit>(())
/// ```
///
/// # Errors
///
/// Returns an error for the first event that does not fit. More than
/// [`MAX_EVENTS`] events never fit.
pub const fn fit(events: &[CounterConstraint], pool: Pool) -> Result<Assignment, DoesNotFit> {
    let mut assignment = Assignment { places: [HardwareCounter::FreeRunning; MAX_EVENTS], len: 0 };
    let mut graph = Graph { place_of: [NONE; MAX_EVENTS], owner_of: [NONE; PLACES] };
    let mut allowed = [0; MAX_EVENTS];
    let mut event = 0;
    while event < events.len() {
        if event == MAX_EVENTS {
            return Err(DoesNotFit { event });
        }
        if !matches!(events[event], CounterConstraint::FreeRunning) {
            allowed[event] = pool.places(events[event]);
            if !graph.place(event, &allowed) {
                return Err(DoesNotFit { event });
            }
        }
        event += 1;
    }
    while assignment.len < events.len() {
        let place = graph.place_of[assignment.len];
        assignment.places[assignment.len] = match place {
            NONE => HardwareCounter::FreeRunning,
            0..64 => HardwareCounter::General(place),
            _ => HardwareCounter::Fixed(place - 64),
        };
        assignment.len += 1;
    }
    Ok(assignment)
}

/// General counters have the places 0 to 63, fixed ones 64 to 127.
const PLACES: usize = 128;
const NONE: u8 = u8::MAX;

struct Graph {
    place_of: [u8; MAX_EVENTS],
    owner_of: [u8; PLACES],
}

impl Graph {
    /// Finds a place for one more event, moving others if that helps.
    const fn place(&mut self, event: usize, allowed: &[u128; MAX_EVENTS]) -> bool {
        // A breadth-first search: which event reached a place, and which events
        // still have to be examined for other places.
        let mut finder = [NONE; PLACES];
        let mut seen = 0;
        let mut queue = [0_u8; MAX_EVENTS];
        queue[0] = event as u8;
        let (mut next, mut end) = (0, 1);
        while next < end {
            let asked = queue[next];
            next += 1;
            let mut places = allowed[asked as usize] & !seen;
            seen |= places;
            while places != 0 {
                let place = places.trailing_zeros() as usize;
                places &= places - 1;
                finder[place] = asked;
                match self.owner_of[place] {
                    NONE => {
                        self.shift(place as u8, event, &finder);
                        return true;
                    }
                    owner => {
                        queue[end] = owner;
                        end += 1;
                    }
                }
            }
        }
        false
    }

    /// Gives the free place to the event that found it, the place this vacates
    /// to the event that found that one, and so on.
    const fn shift(&mut self, free: u8, last: usize, finder: &[u8; PLACES]) {
        let mut place = free;
        loop {
            let event = finder[place as usize];
            let left = self.place_of[event as usize];
            self.place_of[event as usize] = place;
            self.owner_of[place as usize] = event;
            if event as usize == last {
                return;
            }
            place = left;
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec::Vec;

    use super::*;

    /// Whether events fit, by brute force.
    fn fits(allowed: &[u64], free: u64) -> bool {
        let Some((first, rest)) = allowed.split_first() else {
            return true;
        };
        (0..64).any(|n| first & free & 1 << n != 0 && fits(rest, free & !(1 << n)))
    }

    #[test]
    fn finds_a_way_when_there_is_one() {
        let mut state = 7_u64;
        for round in 0..20_000 {
            let counters = 1 + round % 6;
            let sets: Vec<u64> = (0..counters)
                .map(|_| {
                    state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                    (state >> 40) & (state >> 20) & 0x3f
                })
                .collect();
            let events: Vec<_> =
                sets.iter().map(|&s| CounterConstraint::General(CounterSet(s))).collect();
            let pool = Pool::first(counters as u8, 0);
            match fit(&events, pool) {
                Ok(assignment) => {
                    let mut used = 0;
                    for (place, set) in assignment.as_slice().iter().zip(&sets) {
                        let HardwareCounter::General(n) = *place else { panic!("{place:?}") };
                        assert_eq!((set & pool.general.0) >> n & 1, 1);
                        assert_eq!(used >> n & 1, 0);
                        used |= 1 << n;
                    }
                }
                Err(DoesNotFit { event }) => {
                    assert!(fits(&sets[..event], pool.general.0), "{sets:x?}");
                    assert!(!fits(&sets[..=event], pool.general.0), "{sets:x?}");
                }
            }
        }
    }

    #[test]
    fn borders() {
        let any = [CounterConstraint::Unstated; 65];
        assert_eq!(fit(&any[..64], Pool::first(64, 64)).unwrap().as_slice().len(), 64);
        assert_eq!(fit(&any, Pool::first(255, 64)), Err(DoesNotFit { event: 64 }));
        assert_eq!(fit(&[], Pool::first(0, 0)).unwrap().as_slice(), []);
        assert_eq!(fit(&any[..1], Pool::first(0, 3)), Err(DoesNotFit { event: 0 }));
        let free = [CounterConstraint::FreeRunning; 3];
        assert_eq!(
            fit(&free, Pool::first(0, 0)).unwrap().as_slice(),
            [HardwareCounter::FreeRunning; 3]
        );
        let fixed = [
            CounterConstraint::Fixed(None),
            CounterConstraint::Fixed(Some(0)),
            CounterConstraint::Fixed(Some(63)),
        ];
        let expected =
            [HardwareCounter::Fixed(1), HardwareCounter::Fixed(0), HardwareCounter::Fixed(63)];
        assert_eq!(fit(&fixed, Pool::first(0, 64)).unwrap().as_slice(), expected);
        for beyond in [64, 65, 200] {
            let fixed = [CounterConstraint::Fixed(Some(beyond))];
            assert_eq!(fit(&fixed, Pool::first(64, 64)), Err(DoesNotFit { event: 0 }), "{beyond}");
        }
    }

    #[test]
    fn pools() {
        let cases = [(0, 0), (1, 1), (3, 7), (63, u64::MAX / 2), (64, u64::MAX), (255, u64::MAX)];
        for (count, set) in cases {
            let pool = Pool::first(count, 0);
            assert_eq!((pool.general.0, pool.fixed.0), (set, 0), "{count}");
            let pool = Pool::first(0, count);
            assert_eq!((pool.general.0, pool.fixed.0), (0, set), "{count}");
        }
    }

    #[test]
    fn what_does_not_fit_is_said() {
        let text = std::format!("{}", DoesNotFit { event: 3 });
        assert_eq!(text, "no counter is left for event 3 (the first is 0)");
    }
}
