//! Events on counters: any pool, any sets.

use pmu_events::event::{CounterSet, Counters};
use pmu_events::schedule::{DoesNotFit, Place, Pool, fit};

use super::numbers::Numbers;

/// Every subset of so many events is looked at.
const MOST: usize = 12;

pub fn check(data: &[u8]) {
    let mut numbers = Numbers(data);
    let general = CounterSet(numbers.word());
    let pool = Pool { general, fixed: CounterSet(numbers.byte().into()) };
    let mut events = Vec::new();
    while !numbers.0.is_empty() && events.len() < MOST {
        events.push(match numbers.byte() % 8 {
            0 => Counters::Unstated,
            1 => Counters::Fixed(None),
            2 => Counters::Fixed(Some(numbers.byte())),
            3 => Counters::FreeRunning,
            4 => Counters::General(CounterSet(numbers.word())),
            _ => Counters::General(CounterSet(numbers.byte().into())),
        });
    }
    match fit(&events, pool) {
        Ok(assignment) => is_an_assignment(&events, pool, assignment.as_slice()),
        Err(DoesNotFit { event }) => {
            assert!(can_fit(&events[..event], pool), "those before it fit");
            assert!(!can_fit(&events[..=event], pool), "with it they do not");
        }
    }
}

/// Each event on a counter of the pool that it may use, no two on one.
fn is_an_assignment(events: &[Counters], pool: Pool, places: &[Place]) {
    assert_eq!(places.len(), events.len());
    for (n, (&event, &place)) in events.iter().zip(places).enumerate() {
        let is_allowed = match (event, place) {
            (Counters::FreeRunning, Place::FreeRunning) => continue,
            (Counters::Unstated, Place::General(at)) => pool.general.contains(at),
            (Counters::General(set), Place::General(at)) => {
                set.contains(at) && pool.general.contains(at)
            }
            (Counters::Fixed(None), Place::Fixed(at)) => pool.fixed.contains(at),
            (Counters::Fixed(Some(only)), Place::Fixed(at)) => {
                at == only && pool.fixed.contains(at)
            }
            _ => false,
        };
        assert!(is_allowed, "{event:?} on {place:?}");
        assert!(!places[..n].contains(&place), "{place:?} twice");
    }
}

/// Hall's marriage theorem: there is a way if, and only if, any so many events
/// together may use at least so many counters.
fn can_fit(events: &[Counters], pool: Pool) -> bool {
    let allowed: Vec<(u64, u64)> = events
        .iter()
        .filter_map(|event| match *event {
            Counters::FreeRunning => None,
            Counters::Unstated => Some((pool.general.0, 0)),
            Counters::General(set) => Some((pool.general.0 & set.0, 0)),
            Counters::Fixed(None) => Some((0, pool.fixed.0)),
            Counters::Fixed(Some(n)) => Some((0, if pool.fixed.contains(n) { 1 << n } else { 0 })),
        })
        .collect();
    (0_u32..1 << allowed.len()).all(|some| {
        let chosen = allowed.iter().enumerate().filter(|(n, _)| some >> n & 1 == 1);
        let all = chosen.fold((0, 0), |all, (_, set)| (all.0 | set.0, all.1 | set.1));
        all.0.count_ones() + all.1.count_ones() >= some.count_ones()
    })
}
