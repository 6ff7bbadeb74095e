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
                for (n, &value) in now.iter().enumerate() {
                    let spent = value.saturating_sub(before.get(n).copied().unwrap_or(0));
                    match least.get_mut(n) {
                        // The first allocates.
                        Some(least) if round > 1 => *least = spent.min(*least),
                        Some(least) => *least = spent,
                        None => least.push(spent),
                    }
                }
                before = now;
            }
            least
        };
        let (own, around) = (least(None), least(Some("within")));
        let names = regions.empty("names", None);
        let mut events = Vec::new();
        for (n, event) in names.events().iter().enumerate() {
            if let (Some(&own), Some(around)) = (own.get(n), around.get(n)) {
                let name = event.name().into_owned();
                events.push(Cost { name, own, nested: around.saturating_sub(own) });
            }
        }
        Overhead { events }
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
    let mut values = Vec::with_capacity(reading.events().len());
    for event in reading.events() {
        let mut value = 0_u64;
        for part in event.parts() {
            value = value.wrapping_add(part.count().value());
        }
        values.push(value);
    }
    values
}
