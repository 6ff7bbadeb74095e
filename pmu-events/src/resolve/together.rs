//! Events that were resolved one by one, as the metrics of a plan need them.

use std::vec::Vec;

use super::Resolution;
use super::group::{self, InGroup};
use crate::system::System;
use pmu_events_core::__private::event_list::{Modifier, with_group};

impl Resolution {
    /// Puts events together that were resolved one by one, none of which is missing: as a weak
    /// group, or as a list.
    pub(crate) fn together<'r>(
        system: &System,
        events: impl IntoIterator<Item = &'r Resolution>,
        is_group: bool,
    ) -> Self {
        let mut written: Vec<InGroup> = Vec::new();
        let (mut asked, mut group) = (0, 0);
        for one in events {
            for (instance, resolved) in one.events().iter().enumerate() {
                // Instances of an ungrouped event are not scheduled together.
                group += usize::from(!is_group);
                let is_leader = asked == 0 && instance == 0;
                let settings = match is_group {
                    true => with_group(resolved.settings(), Modifier::Weak.into(), is_leader),
                    false => resolved.settings(),
                };
                written.push(InGroup { resolved: resolved.clone().at(asked, settings), group });
            }
            asked += 1;
        }
        let (resolved, ends) = group::regroup(written, system.tables(), system.sysfs());
        Resolution::new(system, resolved, ends, Vec::new(), asked)
    }
}
