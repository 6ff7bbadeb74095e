//! Generic events, which the kernel encodes: which one is meant does not depend on the CPU, and what a
//! hardware event counts is the kernel's choice.

use pmu_events::perf_type;

use super::{Judgement, Name, Verdict, open, right};
use crate::decode::codes::Found;
use crate::decode::generic;

pub(crate) fn of(event: (u32, u64), label: Option<&Name>) -> Judgement {
    let names = names(event);
    let label = label.map(Name::text);
    if let Some((label, wanted)) =
        label.and_then(|label| Some((label, generic::event_of_name(label)?)))
        && wanted != event
    {
        let fix = self::names(wanted);
        return Judgement {
            verdict: Verdict::AnotherEvent,
            evidence: format!("the constant is that of {names}, on each CPU; {label} is {fix}"),
            fix: Some(fix),
        };
    }
    match event {
        (perf_type::SOFTWARE, _) => right(format!("{names}, on each CPU")),
        _ => open(format!("the kernel chooses an event of the CPU for {names}")),
    }
}

fn names((type_, config): (u32, u64)) -> String {
    Found::generic(type_, config).names.join(" or ")
}
