//! The known facts of an event or a metric, as labels and values, without
//! descriptions.

use std::fmt::Write as _;

use pmu_events::__private::flags::Flag;
use pmu_events::event::{CounterConstraint, Msr, Precise};
use pmu_events::text::Text;
use pmu_events::{Event, Metric};

use crate::core_codes::CoreCodes;
use crate::spelling;

/// A label and its value.
pub(crate) type Fact = (&'static str, String);

pub(crate) const EXPRESSION: &str = "expression";
pub(crate) const THRESHOLD: &str = "threshold";
pub(crate) const SUCCESSOR: &str = "successor";

pub(crate) fn of_event(event: Event, codes: &CoreCodes) -> Vec<Fact> {
    let latency = event.retirement_latency();
    let stated = |which: fn(_) -> Option<&'static str>| latency.and_then(which).map(String::from);
    let facts = [
        ("PMU", Some(event.pmu().into())),
        ("event string", Some(event.event_string().into())),
        ("vendor's code", vendors_code(event)),
        ("raw code", codes.raw_code_of(event)),
        ("generic name", codes.generic_names_of(event)),
        ("counters", counters(event.counters())),
        ("sample after", event.sample_after().map(|period| period.to_string())),
        ("precise", precise(event.precise())),
        ("MSR", event.msr().map(msr)),
    ];
    let flags = Flag::ALL.iter().filter(|flag| !MARKS.contains(flag));
    let flags = flags.map(|&flag| (flag.label(), flag.is_of(event).then(|| yes(flag).into())));
    let more = [
        ("perf differs", event.perf_differs().map(|differs| differs.to_string())),
        ("evidence", evidence(event)),
        ("latency, mean", stated(|latency| latency.mean())),
        ("latency, min", stated(|latency| latency.min())),
        ("latency, max", stated(|latency| latency.max())),
        ("scale unit", event.scale_unit().map(Into::into)),
        ("one count", event.count_unit().map(|unit| unit.to_string())),
        ("scope", event.count_scope().map(|scope| scope.to_string())),
        ("errata", event.errata().map(Into::into)),
        ("compat", event.compat().map(Into::into)),
        (SUCCESSOR, event.successor().map(Into::into)),
    ];
    known(facts.into_iter().chain(flags).chain(more))
}

/// Flags that stand beside the name.
const MARKS: [Flag; 2] = [Flag::Deprecated, Flag::Experimental];

/// What stands beside an event's name.
pub(crate) fn marks(event: Event) -> impl Iterator<Item = &'static str> {
    MARKS.into_iter().filter(move |flag| flag.is_of(event)).map(Flag::label)
}

fn yes(flag: Flag) -> &'static str {
    if flag == Flag::DataAddress { "when precise" } else { "yes" }
}

/// What supports the correction of what perf gets wrong.
fn evidence(event: Event) -> Option<String> {
    Some(event.perf_differs()?.evidence()?.to_string())
}

pub(crate) fn of_metric(metric: Metric) -> Vec<Fact> {
    let facts = [
        ("groups", Some(metric.groups().collect::<Vec<_>>().join(", "))),
        (EXPRESSION, Some(metric.expression().to_string())),
        (THRESHOLD, metric.threshold().map(|threshold| threshold.to_string())),
        ("difference", metric.difference().map(Into::into)),
        ("scale unit", metric.scale_unit().map(Into::into)),
        ("compat", metric.compat().map(Into::into)),
        ("aggregation", metric.aggregation().map(|a| spelling::aggregation(a).into())),
        ("constraint", metric.constraint().map(|c| spelling::constraint(c).into())),
        ("not grouped in", metric.no_group().map(Into::into)),
        ("default group", metric.default_group().map(Into::into)),
        ("sample with", sample_with(metric)),
        ("shows events", metric.shows_events().then(|| "yes".into())),
    ];
    known(facts)
}

fn sample_with(metric: Metric) -> Option<String> {
    let events: Vec<&str> = metric.sample_with().collect();
    (!events.is_empty()).then(|| events.join(", "))
}

fn known(facts: impl IntoIterator<Item = (&'static str, Option<String>)>) -> Vec<Fact> {
    facts.into_iter().filter_map(|(label, value)| Some((label, value?))).collect()
}

/// The short description without its full stop, and what perf notes behind it: what to
/// know before the event is counted or sampled.
pub(crate) fn summary(event: Event) -> Option<String> {
    let mut text = event.description()?.trimmed().to_string();
    let precise = match event.precise() {
        // Some descriptions of the kernel's trees say so themselves.
        _ if text.contains("(Precise Event") => None,
        Precise::Required => Some("must be precise"),
        Precise::Possible => Some("can be precise"),
        _ => None,
    };
    let remarks = [
        precise.map(String::from),
        event.has_data_address().then(|| "has a data address when precise".into()),
        event.errata().map(|errata| format!("errata {errata}")),
    ];
    let remarks: Vec<String> = remarks.into_iter().flatten().collect();
    if !remarks.is_empty() {
        let _ = write!(text, " ({})", remarks.join("; "));
    }
    Some(text)
}

/// The descriptions, as paragraphs. Many public ones begin with the brief one,
/// which is then omitted.
pub(crate) fn descriptions(brief: Option<Text>, public: Option<Text>) -> Vec<String> {
    let [short, long] = [brief, public].map(|text| text.map(|text| text.to_string()));
    match (short, long) {
        (Some(short), Some(long)) if !long.starts_with(short.trim_end_matches('.')) => {
            vec![short, long]
        }
        (short, long) => long.or(short).into_iter().collect(),
    }
}

/// The vendor's event string, if perf's hides it.
fn vendors_code(event: Event) -> Option<String> {
    let own = event.vendor_event_string();
    (own != event.event_string()).then(|| own.into())
}

fn precise(precise: Precise) -> Option<String> {
    (precise != Precise::No).then(|| spelling::precise(precise).into())
}

fn counters(counters: CounterConstraint) -> Option<String> {
    match counters {
        CounterConstraint::General(set) => Some(set.to_string()),
        CounterConstraint::Fixed(Some(number)) => Some(format!("fixed {number}")),
        CounterConstraint::Fixed(None) => Some("fixed".into()),
        CounterConstraint::FreeRunning => Some("free running".into()),
        _ => None,
    }
}

fn msr(msr: Msr) -> String {
    let mut text = format!("{:#x}", msr.index());
    if let Some(other) = msr.other() {
        let _ = write!(text, " or {other:#x}");
    }
    if let Some(value) = msr.value() {
        let _ = write!(text, " = {value:#x}");
    }
    text
}
