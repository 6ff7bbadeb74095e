//! Records whose strings and texts are still numbers, and how they get their
//! places.

use pmu_events_core::__private::wire::record::{
    CountRecord, EventRecord, Extras, MetricRecord, MetricTraits, NodeRecord, Traits, node,
};
use pmu_events_core::__private::wire::{LongRef, StrRef};

use super::limit::{COMPATS, COUNTS, FORMULAS, NODES, PMUS, TOPICS, TRAITS, fit};
use crate::hierarchy::{Node, Rule};

/// No string: a missing optional one.
pub(super) const NO_STRING: u64 = u64::MAX;
/// No text.
pub(super) const NO_TEXT: u32 = u32::MAX;

/// Traits of events, as numbers: an array, so that equal ones are found fast.
pub(super) type TraitsDraft = [u64; 16];
pub(super) type ExtrasDraft = [u64; 7];
/// Traits of metrics, likewise.
pub(super) type MetricTraitsDraft = [u64; 12];
/// A [`CountRecord`], so that equal ones are found fast.
pub(super) type CountDraft = [u32; 4];

/// An event whose strings and texts are numbers.
#[derive(Clone, Copy)]
pub(super) struct EventDraft {
    pub(super) name: u32,
    pub(super) event: u32,
    pub(super) traits: u32,
    pub(super) brief: u32,
    pub(super) public: u32,
    /// The name of its successor.
    pub(super) successor: Option<u32>,
}

/// A metric whose strings and texts are numbers.
#[derive(Clone, Copy)]
pub(super) struct MetricDraft {
    pub(super) name: u32,
    /// Numbers plus one; zero for none.
    pub(super) formulas: [u32; 2],
    pub(super) pmu: u32,
    pub(super) traits: u32,
    pub(super) brief: u32,
    pub(super) public: u32,
}

type Place<'f> = &'f dyn Fn(u32) -> Result<StrRef, String>;

fn placed(number: u64, place: Place<'_>) -> Result<StrRef, String> {
    // A missing string has a number that no string has.
    u32::try_from(number).map_or(Ok(StrRef::NONE), place)
}

pub(super) fn event(draft: &EventDraft, place: Place<'_>) -> Result<EventRecord, String> {
    let EventDraft { name, event, traits, brief: _, public: _, successor: _ } = *draft;
    Ok(EventRecord { name: place(name)?, event: place(event)?, traits: fit(traits, TRAITS)? })
}

pub(super) fn traits(draft: &TraitsDraft, place: Place<'_>) -> Result<Traits, String> {
    let &[
        pmu,
        topic,
        flags,
        counter_kind,
        extras,
        count,
        repair,
        counters,
        msr,
        msr_other,
        scale_unit,
        compat,
        compat_pattern,
        errata,
        brief_notes,
        public_notes,
    ] = draft;
    Ok(Traits {
        pmu: fit(pmu, PMUS)?,
        topic: fit(topic, TOPICS)?,
        flags: fit(flags, TRAITS)?,
        counter_kind: fit(counter_kind, TRAITS)?,
        extras: fit(extras, TRAITS)?,
        count: fit(count, COUNTS)?,
        repair: fit(repair, TRAITS)?,
        counters,
        msr: fit(msr, TRAITS)?,
        msr_other: fit(msr_other, TRAITS)?,
        scale_unit: placed(scale_unit, place)?,
        compat: placed(compat, place)?,
        compat_pattern: fit(compat_pattern, COMPATS)?,
        errata: placed(errata, place)?,
        brief_notes: placed(brief_notes, place)?,
        public_notes: placed(public_notes, place)?,
    })
}

pub(super) fn extras(draft: &ExtrasDraft, place: Place<'_>) -> Result<Extras, String> {
    let &[sample_after, msr_value, mean, min, max, other_event, pairs] = draft;
    Ok(Extras {
        sample_after,
        msr_value,
        latency_mean: placed(mean, place)?,
        latency_min: placed(min, place)?,
        latency_max: placed(max, place)?,
        other_event: placed(other_event, place)?,
        pairs: placed(pairs, place)?,
    })
}

pub(super) fn count(draft: &CountDraft) -> Result<CountRecord, String> {
    let &[multiplier, divisor, quantity, scope] = draft;
    let [quantity, scope] = [fit(quantity, COUNTS)?, fit(scope, COUNTS)?];
    Ok(CountRecord { multiplier, divisor, quantity, scope })
}

pub(super) fn metric(draft: &MetricDraft, place: Place<'_>) -> Result<MetricRecord, String> {
    let MetricDraft { name, formulas: [expression, threshold], pmu, traits, brief: _, public: _ } =
        *draft;
    Ok(MetricRecord {
        name: place(name)?,
        expression: fit(expression, FORMULAS)?,
        threshold: fit(threshold, FORMULAS)?,
        pmu: fit(pmu, PMUS)?,
        traits,
    })
}

pub(super) fn metric_traits(
    draft: &MetricTraitsDraft,
    place: Place<'_>,
    place_long: &dyn Fn(u64) -> LongRef,
) -> Result<MetricTraits, String> {
    let &[
        groups,
        no_group,
        default_group,
        sample_with,
        difference,
        scale_unit,
        compat,
        compat_pattern,
        topic,
        aggregation,
        constraint,
        show_events,
    ] = draft;
    Ok(MetricTraits {
        groups: place_long(groups),
        no_group: placed(no_group, place)?,
        default_group: placed(default_group, place)?,
        sample_with: placed(sample_with, place)?,
        difference: place_long(difference),
        scale_unit: placed(scale_unit, place)?,
        compat: placed(compat, place)?,
        compat_pattern: fit(compat_pattern, COMPATS)?,
        topic: fit(topic, TOPICS)?,
        aggregation: fit(aggregation, TRAITS)?,
        constraint: fit(constraint, TRAITS)?,
        show_events: fit(show_events, TRAITS)?,
    })
}

pub(super) fn node(draft: &Node) -> Result<NodeRecord, String> {
    // Both have three bytes.
    let number = |n: usize| {
        fit::<_, u32>(n, NODES)
            .and_then(|n| if n >> 24 == 0 { Ok(n) } else { Err(NODES.to_owned()) })
    };
    let kind = match draft.rule {
        Rule::Indicator => node::INDICATOR,
        _ if draft.is_of_parent => node::PART_OF_PARENT,
        _ => node::PART,
    };
    let parent = draft.parent.map_or(0, |parent| parent + 1);
    Ok(NodeRecord { metric: number(draft.metric)?, parent: number(parent)?, kind })
}

/// The place of a string that may be long, or missing.
pub(super) fn long(offsets: &[u32], lengths: &[u32], number: u64) -> LongRef {
    // A missing string has a number that no string has.
    usize::try_from(number)
        .ok()
        .and_then(|number| Some(LongRef { offset: *offsets.get(number)?, len: lengths[number] }))
        .unwrap_or_default()
}
