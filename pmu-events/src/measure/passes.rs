//! Counting a plan in passes, so that nothing is multiplexed.

use std::vec::Vec;

use super::lists::List;
use super::plan::{Plan, PlannedMetric};

impl Plan {
    /// Returns how many passes count each group at a time of its own, so that nothing is
    /// multiplexed; at least one. Groups of different PMUs share a pass. Where the counters
    /// of a PMU are not known, all of its groups are in the first pass.
    #[must_use]
    pub fn passes(&self) -> usize {
        self.grouped.iter().filter_map(|list| list.pass).max().map_or(1, |last| last + 1)
    }

    /// Whether the counters have room for all events of a pass, as far as they are known. A
    /// pass without is multiplexed if need be.
    #[must_use]
    pub fn has_room(&self, pass: usize) -> bool {
        let of_pass = |list: &&List| list.pass == Some(pass);
        self.grouped.iter().filter(of_pass).all(|list| list.has_room)
    }

    /// Returns the plan of a pass: its lists, and the metrics any of whose events it counts;
    /// that of the first also has those none of whose events can be counted.
    /// Events of other passes have no number in it. The values of metrics that are in one
    /// part are those of this plan; `Plan::count_in_passes`, of the
    /// feature `open`, has the counts of all.
    #[must_use]
    pub fn pass(&self, pass: usize) -> Plan {
        let mut metrics = self.metrics().to_vec();
        for planned in &mut metrics {
            for operand in &mut planned.operands {
                let place = operand.number.and_then(|number| self.place_in(pass, number));
                operand.number = place;
            }
        }
        let is_counted = |planned: &PlannedMetric| {
            planned.operands.iter().any(|operand| operand.number.is_some())
        };
        let mut is_nowhere = self.metrics().iter().map(|planned| !is_counted(planned));
        // What cannot be counted at all is said once.
        metrics.retain(|planned| {
            let is_nowhere = is_nowhere.next().unwrap_or_default();
            is_counted(planned) || pass == 0 && is_nowhere
        });
        let grouped: Vec<List> =
            self.lists_of_pass(pass).map(|list| self.grouped[list].clone()).collect();
        Plan::of_lists(self.machine.clone(), grouped, metrics)
    }

    /// The number of an event of the plan in a pass; `None` if it is not counted there.
    fn place_in(&self, pass: usize, number: usize) -> Option<usize> {
        let (list, place) = self.list_of(number);
        let mut before = 0;
        for other in self.lists_of_pass(pass) {
            if other == list {
                return Some(before + place);
            }
            before += self.grouped[other].events.len();
        }
        None
    }

    fn lists_of_pass(&self, pass: usize) -> impl Iterator<Item = usize> {
        let is_in = move |list: &usize| self.grouped[*list].pass.is_none_or(|own| own == pass);
        (0..self.grouped.len()).filter(is_in)
    }

    /// The list of an event of the plan, and its place there.
    fn list_of(&self, mut number: usize) -> (usize, usize) {
        for (list, List { events, .. }) in self.grouped.iter().enumerate() {
            match number.checked_sub(events.len()) {
                Some(rest) => number = rest,
                None => return (list, number),
            }
        }
        unreachable!("operands are in lists")
    }

    /// The pass that counts an event of the plan for a metric, and the event's number there.
    #[cfg(feature = "open")]
    pub(super) fn place_in_passes(
        &self,
        metric: crate::Metric,
        number: usize,
    ) -> Option<(usize, usize)> {
        let (list, _) = self.list_of(number);
        // What every pass has belongs to the time of the metric's other events.
        let pass = self.grouped[list].pass.or_else(|| self.first_pass_of(metric)).unwrap_or(0);
        Some((pass, self.place_in(pass, number)?))
    }

    #[cfg(feature = "open")]
    fn first_pass_of(&self, metric: crate::Metric) -> Option<usize> {
        let planned = self.metrics().iter().find(|one| one.request.metric() == Some(metric))?;
        let numbers = planned.operands.iter().filter_map(|operand| operand.number);
        let passes: Vec<usize> =
            numbers.filter_map(|number| self.grouped[self.list_of(number).0].pass).collect();
        passes.into_iter().min()
    }
}
