//! The events that the programs of metrics need on a machine.

use super::latency::LatencyOf;
use super::siblings::Siblings;
use crate::expr::{Identifier, Machine};
use crate::packed::Tree;
use crate::wire::program::Name;
use crate::wire::record::MetricRecord;

/// The maximum number of metrics that one may refer to, directly or indirectly.
///
/// One metric of Linux 6.12 refers to 77.
pub const MAX_METRICS: usize = 256;

/// The maximum number of events that one may need, directly or indirectly. One
/// metric of Linux 6.12 needs 91.
pub const MAX_EVENTS: usize = 512;

/// Finds the events that a metric's formula needs on a machine, its own and those of
/// the metrics it refers to.
pub(super) fn needs(
    siblings: &Siblings<'_>,
    metric: &MetricRecord,
    formula: u16,
    machine: &impl Machine,
) -> Needs {
    let mut needs = Needs::NONE;
    let mut metrics = [0u32; MAX_METRICS];
    let mut metric_count = 0;
    let mut next = 0;
    let (mut pmu, mut formula) = (metric.pmu, siblings.wire.formula(formula));
    loop {
        if let Some(formula) = formula {
            let program = siblings.wire.program(&formula);
            let needed = program.code().needed(machine, |number| {
                match siblings.wire.name(program.identifier(number)) {
                    Name::Event(identifier) => Some(identifier),
                    Name::Metric(_) => None,
                }
            });
            for number in (0..program.identifier_count()).filter(|&n| needed.has(n)) {
                let identifier = program.identifier(number);
                match siblings.wire.name(identifier) {
                    Name::Event(_) => needs.add(identifier),
                    Name::Metric(reference) => {
                        if let Some(found) = siblings.resolve(reference, pmu)
                            && !metrics[..metric_count].contains(&found)
                        {
                            if let Some(free) = metrics.get_mut(metric_count) {
                                *free = found;
                                metric_count += 1;
                            } else {
                                needs.are_all = false;
                            }
                        }
                    }
                }
            }
        }
        if next == metric_count {
            return needs;
        }
        let record = siblings.wire.metric_record(metrics[next] as usize);
        (pmu, formula) = (record.pmu, siblings.wire.formula(record.expression));
        next += 1;
    }
}

/// The events that a metric needs, or the retirement latencies
/// ([`Metric::latencies`](super::Metric::latencies)).
///
/// ```
/// use pmu_events::arch::x86;
///
/// let metric = x86::SAPPHIRERAPIDS.metric("branch_mispredict_ratio").unwrap();
/// let needed = metric.events();
/// assert!(needed.are_all());
/// for event in needed {
///     println!("{}", event.with_parameter(0));
/// }
/// ```
#[derive(Clone, Debug)]
pub struct NeededEvents {
    tree: &'static Tree,
    needs: Needs,
    next: usize,
}

impl NeededEvents {
    /// What has to be counted.
    pub(super) fn events(tree: &'static Tree, needs: Needs) -> Self {
        Self::of(tree, needs, false)
    }

    /// What no counter counts.
    pub(super) fn latencies(tree: &'static Tree, needs: Needs) -> Self {
        Self::of(tree, needs, true)
    }

    fn of(tree: &'static Tree, mut needs: Needs, are_latencies: bool) -> Self {
        needs.retain(|identifier| match tree.wire.name(identifier) {
            Name::Event(identifier) => LatencyOf::is_one(identifier) == are_latencies,
            Name::Metric(_) => false,
        });
        NeededEvents { tree, needs, next: 0 }
    }

    /// Whether the list is complete. It always is for a tree compiled by
    /// `pmu_events!`, which rejects metrics that need more than [`MAX_EVENTS`]
    /// events or refer to more than [`MAX_METRICS`] others. For tables from
    /// elsewhere, the excess is left out.
    #[must_use]
    pub fn are_all(&self) -> bool {
        self.needs.are_all
    }

    fn rest(&self) -> &[u32] {
        self.needs.identifiers().get(self.next..).unwrap_or_default()
    }
}

impl Iterator for NeededEvents {
    type Item = Identifier<'static>;

    fn next(&mut self) -> Option<Identifier<'static>> {
        let &identifier = self.rest().first()?;
        self.next += 1;
        match self.tree.wire.name(identifier) {
            Name::Event(identifier) => Some(identifier),
            Name::Metric(_) => None,
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.rest().len(), Some(self.rest().len()))
    }
}

impl ExactSizeIterator for NeededEvents {}

/// The identifiers that a formula needs, in the form programs use.
#[derive(Clone, Debug)]
pub(super) struct Needs {
    identifiers: [u32; MAX_EVENTS],
    len: u16,
    /// Whether there was room for all identifiers.
    are_all: bool,
}

impl Needs {
    const NONE: Self = Needs { identifiers: [0; MAX_EVENTS], len: 0, are_all: true };

    fn add(&mut self, identifier: u32) {
        if self.identifiers().contains(&identifier) {
            return;
        }
        if let Some(free) = self.identifiers.get_mut(usize::from(self.len)) {
            *free = identifier;
            self.len += 1;
        } else {
            self.are_all = false;
        }
    }

    fn retain(&mut self, is_wanted: impl Fn(u32) -> bool) {
        let mut kept = Needs { are_all: self.are_all, ..Needs::NONE };
        self.identifiers().iter().filter(|one| is_wanted(**one)).for_each(|&one| kept.add(one));
        *self = kept;
    }

    /// The identifiers, without duplicates: a metric's own first, in the order
    /// of the text.
    pub(super) fn identifiers(&self) -> &[u32] {
        self.identifiers.get(..usize::from(self.len)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_are_said_to_be() {
        let mut needs = Needs::NONE;
        for _ in 0..2 {
            (0..MAX_EVENTS as u32).for_each(|identifier| needs.add(identifier));
            assert_eq!((needs.identifiers().len(), needs.are_all), (MAX_EVENTS, true));
        }
        needs.add(MAX_EVENTS as u32);
        assert_eq!((needs.identifiers().len(), needs.are_all), (MAX_EVENTS, false));
        assert!(needs.identifiers().iter().copied().eq(0..MAX_EVENTS as u32));
    }
}
