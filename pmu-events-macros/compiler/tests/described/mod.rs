//! A compiled tree in words, beside what is expected.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use pmu_events_compiler::Compiled;
use pmu_events_core::__private::flags::Flag;
use pmu_events_core::event::{CounterConstraint, Precise};
use pmu_events_core::text::Text;
use pmu_events_core::{Event, Metric, Tree};

/// A tree in words: every row, model, PMU and event, and every field of each.
fn described(compiled: Compiled) -> String {
    let mut text = String::new();
    for row in &compiled.rows {
        let _ = writeln!(text, "{}: {}", row.pattern, compiled.models[row.model].directory);
    }
    let tree: &'static Tree =
        Box::leak(Box::new(Tree::new(compiled.strings.leak(), compiled.tables.leak())));
    for model in tree.models() {
        let _ = write!(text, "\n{}", model.name());
        let _ = model.source().map_or(Ok(()), |source| write!(text, ", from {source}"));
        text.push('\n');
        for pmu in model.pmus() {
            let counters = [pmu.general_counters(), pmu.fixed_counters()]
                .map(|number| number.map_or("?".to_owned(), |number| number.to_string()));
            let name = pmu.name();
            let _ = writeln!(text, "{name}: {} general, {} fixed", counters[0], counters[1]);
            pmu.events().for_each(|event| describe(event, &mut text));
        }
        model.metrics().for_each(|metric| describe_metric(metric, &mut text));
    }
    text
}

fn describe(event: Event, text: &mut String) {
    let _ = write!(text, "  {} {} [{}]", event.name(), event.event_string(), event.topic());
    let _ = match event.counters() {
        CounterConstraint::General(set) => write!(text, " on {set}"),
        CounterConstraint::Fixed(Some(number)) => write!(text, " on fixed {number}"),
        CounterConstraint::Fixed(None) => write!(text, " on a fixed one"),
        CounterConstraint::FreeRunning => write!(text, " on a free-running one"),
        CounterConstraint::Unstated => Ok(()),
        other => write!(text, " on {other:?}"),
    };
    if let Some(msr) = event.msr() {
        let _ = write!(text, ", MSR {:#x}", msr.index());
        let _ = msr.other().map_or(Ok(()), |other| write!(text, " or {other:#x}"));
    }
    if event.vendor_event_string() != event.event_string() {
        let _ = write!(text, ", the vendor's {}", event.vendor_event_string());
    }
    let pairs: Vec<String> =
        event.msr_umasks().map(|(msr, umask)| format!("{msr:#x} with {umask:#x}")).collect();
    if !pairs.is_empty() {
        let _ = write!(text, " ({})", pairs.join(", "));
    }
    let precise = [
        (event.precise() == Precise::Possible, "precise"),
        (event.precise() == Precise::Required, "only precise"),
    ];
    let flags = Flag::ALL.iter().map(|flag| (flag.is_of(event), flag.label()));
    for (is_so, word) in precise.into_iter().chain(flags) {
        text.push_str(if is_so { ", " } else { "" });
        text.push_str(if is_so { word } else { "" });
    }
    let _ = event.errata().map_or(Ok(()), |errata| write!(text, ", errata {errata}"));
    let _ = event.scale_unit().map_or(Ok(()), |unit| write!(text, ", unit {unit}"));
    if let Some(latency) = event.retirement_latency() {
        let [mean, min, max] =
            [latency.mean(), latency.min(), latency.max()].map(Option::unwrap_or_default);
        let _ = write!(text, ", latency {mean} ({min} to {max})");
    }
    text.push('\n');
    said([event.description(), event.long_description()], text);
    if let Some(perf) = event.perf_differs() {
        let reasons = [
            (perf.loses_umask_extension(), "UMaskExt"),
            (perf.loses_ext_sel(), "ExtSel"),
            (perf.loses_precision(), "Precise"),
            (perf.has_other_register(), "register"),
            (perf.has_other_filter(), "filter"),
            (perf.has_fixed_string(), "fixed string"),
        ];
        let reasons: Vec<_> = reasons.iter().filter(|(is, _)| *is).map(|(_, why)| *why).collect();
        let _ = writeln!(text, "    ! {}: {perf}", reasons.join(", "));
    }
}

fn said([brief, long]: [Option<Text>; 2], text: &mut String) {
    let _ = brief.map_or(Ok(()), |brief| writeln!(text, "    {brief}"));
    let _ = long.map_or(Ok(()), |long| writeln!(text, "    long: {long}"));
}

fn describe_metric(metric: Metric, text: &mut String) {
    let _ = writeln!(text, "  {} = {}", metric.name(), metric.expression());
    let pmu = Some(metric.pmu()).filter(|pmu| *pmu != "default_core");
    let samples = metric.sample_with().collect::<Vec<_>>().join(", ");
    let threshold = metric.threshold().map(|threshold| threshold.to_string());
    for (what, value) in [
        ("on", pmu),
        ("unit", metric.scale_unit()),
        ("threshold", threshold.as_deref()),
        ("groups", Some(metric.group_string()).filter(|groups| !groups.is_empty())),
        ("not grouped in", metric.no_group()),
        ("default", metric.default_group()),
        ("differs", metric.difference()),
        ("samples", Some(samples.as_str()).filter(|samples| !samples.is_empty())),
    ] {
        let _ = value.map_or(Ok(()), |value| writeln!(text, "    {what}: {value}"));
    }
    said([metric.description(), metric.long_description()], text);
}

/// `BLESS=1` writes what is expected; look at the difference.
#[track_caller]
pub(crate) fn check(compiled: Compiled, expected: &Path) {
    let found = described(compiled);
    if std::env::var_os("BLESS").is_some() {
        fs::write(expected, &found).expect("what is expected can be written");
    }
    let expected = fs::read_to_string(expected).expect("what is expected can be read");
    for (found, expected) in found.lines().zip(expected.lines()) {
        assert_eq!(found, expected);
    }
    assert_eq!(found, expected);
}
