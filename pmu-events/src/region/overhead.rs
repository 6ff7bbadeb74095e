//! What regions cost, as far as they count it themselves.

use std::string::String;
use std::vec::Vec;

use crate::open::Reading;

/// How many empty regions are counted.
const ROUNDS: u32 = 16;

/// What a region counts of its own reads: the least of some empty regions.
#[derive(Clone, Debug, Default)]
pub(super) struct Overhead {
    events: Vec<Cost>,
}

#[derive(Clone, Debug)]
struct Cost {
    name: String,
    own: u64,
    nested: u64,
}

/// What can count empty regions.
pub(super) trait Empty {
    /// The sum of a label that has no region yet, after one that is empty, or that has another
    /// empty one within.
    fn empty(&self, label: &str, inner: Option<&str>) -> Reading;
}

impl Overhead {
    pub(super) fn of(regions: &impl Empty) -> Self {
        let least = |inner: Option<&str>| {
            let mut least: Vec<u64> = Vec::new();
            let mut before: Vec<u64> = Vec::new();
            let label = if inner.is_some() { "around" } else { "empty" };
            for round in 0..ROUNDS {
                let now: Vec<u64> = values(&regions.empty(label, inner));
                let spent = |(n, value): (usize, &u64)| {
                    value.saturating_sub(before.get(n).copied().unwrap_or(0))
                };
                let spent: Vec<u64> = now.iter().enumerate().map(spent).collect();
                // The first allocates.
                if round == 1 {
                    least = spent;
                } else {
                    least
                        .iter_mut()
                        .zip(spent)
                        .for_each(|(least, spent)| *least = spent.min(*least));
                }
                before = now;
            }
            least
        };
        let (own, around) = (least(None), least(Some("within")));
        let names = regions.empty("names", None);
        let names = names.events().iter().map(|event| event.name().into_owned());
        let cost = |(name, (own, around)): (String, (u64, u64))| Cost {
            name,
            own,
            nested: around.saturating_sub(own),
        };
        Overhead { events: names.zip(own.into_iter().zip(around)).map(cost).collect() }
    }

    /// The lower cost of each event.
    pub(super) fn least(mut self, other: Overhead) -> Overhead {
        for (cost, other) in self.events.iter_mut().zip(other.events) {
            cost.own = cost.own.min(other.own);
            cost.nested = cost.nested.min(other.nested);
        }
        self
    }

    /// For each event, its name and both counts.
    pub(super) fn counts(&self) -> impl Iterator<Item = (&str, u64, u64)> {
        self.events.iter().map(|cost| (&*cost.name, cost.own, cost.nested))
    }

    /// The part of a sum that is overhead, event by event.
    pub(super) fn share(&self, regions: u64, nested: u64) -> impl Iterator<Item = u64> {
        let of = move |cost: &Cost| {
            let (own, nested) = (cost.own.checked_mul(regions), cost.nested.checked_mul(nested));
            own.zip(nested).map_or(u64::MAX, |(own, nested)| own.saturating_add(nested))
        };
        self.events.iter().map(of)
    }
}

/// The raw counts; 0 of an event that has none.
fn values(reading: &Reading) -> Vec<u64> {
    let value = |event: &crate::open::EventReading| {
        event.parts().iter().map(|part| part.count().value()).fold(0, u64::wrapping_add)
    };
    reading.events().iter().map(value).collect()
}
