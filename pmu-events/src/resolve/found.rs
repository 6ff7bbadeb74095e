//! What an event resolves to, PMU by PMU.

use std::vec::Vec;

use super::draft::Draft;
use super::{Error, ErrorKind};
use crate::sysfs::Pmu;
use pmu_events_core::__private::pmu;

/// The drafts of all events so far, and what the last event lacks.
#[derive(Default)]
pub(super) struct Found<'a> {
    pub(super) drafts: Vec<Draft<'a>>,
    /// PMUs that refuse the event.
    refused: Vec<(&'a Pmu, Error)>,
}

impl<'a> Found<'a> {
    pub(super) fn len(&self) -> usize {
        self.drafts.len()
    }

    pub(super) fn push(&mut self, draft: Draft<'a>) {
        self.drafts.push(draft);
    }

    pub(super) fn refuse(&mut self, pmu: &'a Pmu, error: Error) {
        self.refused.push((pmu, error));
    }

    /// The instances that an event lacks although others, among the drafts from `start` on,
    /// have it. Without them the sum would be too small. perf leaves them out.
    ///
    /// An event that has its name on one instance alone is complete there: the memory
    /// controllers of Alder Lake have an event each.
    pub(super) fn take_missing_instances(&mut self, start: usize) -> Vec<(&'a Pmu, Error)> {
        let own: Vec<&Pmu> = self.drafts[start..].iter().filter_map(|draft| draft.pmu).collect();
        let is_instance = |one: &Pmu, other: &&Pmu| {
            !one.is_core() && pmu::base_name(one.name()) == pmu::base_name(other.name())
        };
        let mut refused = core::mem::take(&mut self.refused);
        let is_named =
            |error: &Error| !matches!(error.kind(), ErrorKind::OtherPmu | ErrorKind::UnknownEvent);
        refused.retain(|(one, error)| {
            is_named(error) && own.iter().any(|other| is_instance(one, other))
        });
        refused
    }
}
