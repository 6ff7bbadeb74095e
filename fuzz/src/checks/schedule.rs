//! Events on counters: any pool, any sets.

use pmu_events::event::{CounterConstraint, CounterSet};
use pmu_events::schedule::{HardwareCounter, Pool, fit};

use super::numbers::Numbers;

/// The largest number of events of which every subset is checked.
const MOST: usize = 12;

pub fn check(data: &[u8]) {
    let mut numbers = Numbers(data);
    let general = CounterSet::from_bits(numbers.word());
    let pool = Pool::new(general, CounterSet::from_bits(numbers.byte().into()));
    let mut events = Vec::new();
    while !numbers.0.is_empty() && events.len() < MOST {
        events.push(match numbers.byte() % 8 {
            0 => CounterConstraint::Unstated,
            1 => CounterConstraint::Fixed(None),
            2 => CounterConstraint::Fixed(Some(numbers.byte())),
            3 => CounterConstraint::FreeRunning,
            4 => CounterConstraint::General(CounterSet::from_bits(numbers.word())),
            _ => CounterConstraint::General(CounterSet::from_bits(numbers.byte().into())),
        });
    }
    match fit(&events, pool) {
        Ok(assignment) => is_an_assignment(&events, pool, assignment.as_slice()),
        Err(error) => {
            let event = error.event();
            assert!(can_fit(&events[..event], pool), "those before it fit");
            assert!(!can_fit(&events[..=event], pool), "with it they do not");
        }
    }
}

/// Each event on a counter of the pool that it may use, no two on one.
fn is_an_assignment(events: &[CounterConstraint], pool: Pool, places: &[HardwareCounter]) {
    assert_eq!(places.len(), events.len());
    for (n, (&event, &place)) in events.iter().zip(places).enumerate() {
        let is_allowed = match (event, place) {
            (CounterConstraint::FreeRunning, HardwareCounter::FreeRunning) => continue,
            (CounterConstraint::Unstated, HardwareCounter::General(at)) => {
                pool.general().contains(at)
            }
            (CounterConstraint::General(set), HardwareCounter::General(at)) => {
                set.contains(at) && pool.general().contains(at)
            }
            (CounterConstraint::Fixed(None), HardwareCounter::Fixed(at)) => {
                pool.fixed().contains(at)
            }
            (CounterConstraint::Fixed(Some(only)), HardwareCounter::Fixed(at)) => {
                at == only && pool.fixed().contains(at)
            }
            _ => false,
        };
        assert!(is_allowed, "{event:?} on {place:?}");
        assert!(!places[..n].contains(&place), "{place:?} twice");
    }
}

/// Hall's marriage theorem: there is a way if, and only if, any *n* events together
/// may use at least *n* counters.
fn can_fit(events: &[CounterConstraint], pool: Pool) -> bool {
    let allowed: Vec<(u64, u64)> = events
        .iter()
        .filter_map(|event| match *event {
            CounterConstraint::FreeRunning => None,
            CounterConstraint::Unstated => Some((pool.general().bits(), 0)),
            CounterConstraint::General(set) => Some((pool.general().bits() & set.bits(), 0)),
            CounterConstraint::Fixed(None) => Some((0, pool.fixed().bits())),
            CounterConstraint::Fixed(Some(n)) => {
                Some((0, if pool.fixed().contains(n) { 1 << n } else { 0 }))
            }
            other => panic!("{other:?} is not made here"),
        })
        .collect();
    (0_u32..1 << allowed.len()).all(|some| {
        let chosen = allowed.iter().enumerate().filter(|(n, _)| some >> n & 1 == 1);
        let all = chosen.fold((0, 0), |all, (_, set)| (all.0 | set.0, all.1 | set.1));
        all.0.count_ones() + all.1.count_ones() >= some.count_ones()
    })
}
