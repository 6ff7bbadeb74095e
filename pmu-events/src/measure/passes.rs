//! Counting a plan in passes, so that nothing is multiplexed.

use std::vec::Vec;

use super::lists::List;
#[cfg(feature = "open")]
use super::operand::Operand;
use super::operand::Place;
use super::plan::{Plan, PlannedMetric};
#[cfg(feature = "open")]
use crate::resolve::AnswerId;

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
    #[doc(hidden)]
    #[must_use]
    pub fn has_room(&self, pass: usize) -> bool {
        let of_pass = |list: &&List| list.pass == Some(pass);
        self.grouped.iter().filter(of_pass).all(|list| list.has_room)
    }

    /// Returns the plan of a pass: its lists, and the metrics any of whose events it counts;
    /// that of the first also has those none of whose events can be counted.
    /// Events of other passes have no [answers](super::Operand::answers) in it. The values of metrics that are in one
    /// part are those of this plan; `Plan::count_in_passes`, of the
    /// feature `open`, has the counts of all.
    #[must_use]
    pub fn pass(&self, pass: usize) -> Plan {
        let mut metrics = self.metrics().to_vec();
        for operand in metrics.iter_mut().flat_map(|planned| &mut planned.operands) {
            operand.place = operand.place.take().and_then(|place| {
                let list = self.lists_of_pass(pass).position(|list| list == place.list)?;
                Some(Place { list, ..place })
            });
        }
        // What cannot be counted at all is said once.
        let is_nowhere = |planned: &PlannedMetric| {
            planned.operands.iter().all(|operand| operand.missing.is_some())
        };
        metrics.retain(|planned| {
            planned.operands.iter().any(|operand| operand.place.is_some())
                || pass == 0 && is_nowhere(planned)
        });
        let grouped: Vec<List> =
            self.lists_of_pass(pass).map(|list| self.grouped[list].clone()).collect();
        Plan::of_lists(self.machine.clone(), grouped, metrics)
    }

    /// The lists of a pass, by their indices in the plan.
    fn lists_of_pass(&self, pass: usize) -> impl Iterator<Item = usize> {
        let is_in = move |list: &usize| self.grouped[*list].pass.is_none_or(|own| own == pass);
        (0..self.grouped.len()).filter(is_in)
    }

    /// The pass that counts an operand of a metric, and the identities of what is counted there.
    #[cfg(feature = "open")]
    pub(super) fn place_in_passes(
        &self,
        planned: &PlannedMetric,
        operand: &Operand,
    ) -> Option<(usize, Vec<AnswerId>)> {
        let place = operand.place.as_ref()?;
        // What every pass has belongs to the time of the metric's other events.
        let own = self.grouped[place.list].pass;
        let pass = own.or_else(|| self.first_pass_of(planned)).unwrap_or(0);
        let before = self.lists_of_pass(pass).take_while(|&list| list != place.list);
        let answers = |list: usize| self.grouped[list].resolution.ids().count();
        let first: usize = before.map(answers).sum();
        Some((pass, place.answers.iter().map(|id| id.behind(first)).collect()))
    }

    #[cfg(feature = "open")]
    fn first_pass_of(&self, planned: &PlannedMetric) -> Option<usize> {
        let places = planned.operands.iter().filter_map(|operand| operand.place.as_ref());
        places.filter_map(|place| self.grouped[place.list].pass).min()
    }
}
