//! An event that is still being resolved.

use std::sync::Arc;

use crate::Event;
use crate::config::{Attributes, Sampling};
use crate::event_list::{Breakpoint, Settings, Tool};
use crate::format::Words;
use crate::sysfs::{CpuSet, Pmu};

use super::terms::ItsTerms;

/// A [`Resolved`](super::Resolved) that still borrows from its sources. Only final
/// results are copied.
#[derive(Clone, Debug)]
pub(super) struct Draft<'a> {
    pub(super) name: &'a str,
    pub(super) event: usize,
    /// The number of its group, ascending; before groups are split by PMU.
    pub(super) group: usize,
    pub(super) pmu: Option<&'a Pmu>,
    pub(super) table_event: Option<Event>,
    pub(super) type_: u32,
    pub(super) words: Words,
    pub(super) breakpoint: Option<Breakpoint>,
    pub(super) is_tracepoint: bool,
    pub(super) tool: Option<Tool>,
    pub(super) settings: Settings,
    pub(super) attributes: Attributes<'a>,
    pub(super) has_default_sampling: bool,
    /// The unit and the factor of a count as perf has them.
    pub(super) unit: &'a str,
    pub(super) scale: f64,
    pub(super) is_per_package: bool,
    pub(super) is_snapshot: bool,
    /// The PMU's maximum, or the core PMU's for a generic event.
    pub(super) max_precise: Option<u8>,
    /// The CPUs to which `cpu` terms limit it.
    pub(super) limit: Option<Arc<CpuSet>>,
    pub(super) terms: ItsTerms<'a>,
}

impl<'a> Draft<'a> {
    pub(super) fn set_sampling(&mut self, sampling: Sampling) {
        self.attributes = self.attributes.with_sampling(Some(sampling));
    }

    /// Sets the period or frequency unless a term does.
    pub(super) fn set_default_sampling(&mut self, sampling: Sampling) {
        if self.attributes.sampling().is_none() {
            self.set_sampling(sampling);
        }
    }

    /// Starts with only the terms and the config words.
    pub(super) fn start(
        name: &'a str,
        terms: ItsTerms<'a>,
        pmu: Option<&'a Pmu>,
        type_: u32,
        words: Words,
    ) -> Self {
        Draft {
            name,
            event: 0,
            group: 0,
            pmu,
            table_event: None,
            type_,
            words,
            breakpoint: None,
            is_tracepoint: false,
            tool: None,
            settings: Settings::default(),
            attributes: Attributes::default(),
            has_default_sampling: false,
            unit: "",
            scale: 1.0,
            is_per_package: false,
            is_snapshot: false,
            max_precise: None,
            limit: None,
            terms,
        }
    }
}
