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
        let mut missing = Vec::new();
        for (pmu, error) in core::mem::take(&mut self.refused) {
            let is_named = !matches!(error.kind(), ErrorKind::OtherPmu | ErrorKind::UnknownEvent);
            if is_named && !pmu.is_core() && self.has_instance(start, pmu) {
                missing.push((pmu, error));
            }
        }
        missing
    }

    fn has_instance(&self, start: usize, one: &Pmu) -> bool {
        let base = pmu::base_name(one.name());
        for draft in &self.drafts[start..] {
            if draft.pmu.is_some_and(|pmu| pmu::base_name(pmu.name()) == base) {
                return true;
            }
        }
        false
    }
}
