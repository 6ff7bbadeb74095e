//! What does not change while places come and go: the machine, and what is not counted there.

use pmu_events::Scope;
use pmu_events::event_list::Tool;
use pmu_events::expr::Machine as _;
use pmu_events::follow::Following;

use super::labels;
use crate::export::choice::Chosen;
use crate::export::exposition::{Label, Labels};
use crate::export::names;
use crate::system::System;

/// The events of each scope that are not counted, and why.
pub(super) fn not_counted(scopes: &[Chosen], following: &Following) -> Vec<Labels> {
    let mut all: Vec<Vec<Label>> = Vec::new();
    for (number, chosen) in scopes.iter().enumerate() {
        let kind = chosen.scope.kind;
        for event in following.events(number) {
            if let Some(why) = event.refusal() {
                all.push(vec![
                    (names::EVENT, event.name().into_owned()),
                    (names::PMU, labels::pmu(event, kind)),
                    (names::REASON, why.to_string()),
                    (names::SCOPE, kind.name().into()),
                ]);
            }
        }
        for (item, why) in &chosen.left {
            all.push(vec![
                (names::EVENT, item.clone()),
                (names::PMU, String::new()),
                (names::REASON, why.clone()),
                (names::SCOPE, kind.name().into()),
            ]);
        }
    }
    all.sort();
    all.dedup();
    all.into_iter().map(Labels::of).collect()
}

/// What formulas call `#num_packages` and the like.
pub(super) fn numbers(system: &System) -> Vec<(&'static str, f64)> {
    let machine = system.machine(&Scope::AllCpus);
    let number = |&tool: &Tool| (tool.name(), machine.literal(tool));
    Tool::ALL.iter().map(number).filter(|(_, number)| number.is_finite()).collect()
}

/// The model of the machine, and the table that its events are from.
pub(super) fn machine(system: &System) -> Labels {
    let models = system.models();
    let model = models.first().map_or("", |model| model.name());
    let table = pmu_events::arch::NATIVE.unwrap_or_default();
    let table = if model.is_empty() { String::new() } else { format!("{table}/{model}") };
    Labels::of([
        (names::MODEL, model.to_owned()),
        (names::CPUID, system.cpuid().unwrap_or_default().to_owned()),
        (names::TABLE, table),
        (names::VERSION, env!("CARGO_PKG_VERSION").to_owned()),
    ])
}
