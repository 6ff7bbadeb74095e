//! One object per line: the run, the utilization of each place, each bottleneck, each node, each
//! note.

use std::io::{self, Write};
use std::time::Duration;

use pmu_events::topdown::{Drill, Found, Leaf};
use serde_json::{Value, json};

use super::Report;
use super::words::advice;
use crate::json::{self, Keys, line};
use crate::topdown::findings::{Combined, Findings};
use crate::topdown::places::Place;
use crate::topdown::sampling::Samples;
use crate::topdown::walk::Walk;

/// Ends the output: all of it, or the run and its notes after intervals.
pub(super) fn end(
    out: &mut impl Write,
    report: &Report<'_>,
    findings: &Findings<'_>,
) -> io::Result<()> {
    let keys = vec![("subject", json!(report.subject)), ("passes", json!(findings.passes))];
    line(out, "topdown", keys)?;
    if !report.has_intervals {
        walks(out, report, findings.combined, None, findings.walks)?;
    }
    if let Some(samples) = findings.samples {
        findings.walks.iter().try_for_each(|walk| functions(out, report, samples, walk))?;
    }
    findings.notes.iter().try_for_each(|note| json::note(out, note))
}

/// Writes the utilization and the nodes of each place.
pub(super) fn walks(
    out: &mut impl Write,
    report: &Report<'_>,
    combined: &Combined,
    end: Option<Duration>,
    walks: &[Walk<'_>],
) -> io::Result<()> {
    for walk in walks {
        let start = || start(end, &walk.place);
        if let Some(utilization) = walk.utilization() {
            let mut keys = start();
            keys.extend([
                ("cpus_used", json!(utilization.cpus_used)),
                ("cpus", json!(utilization.cpus)),
                ("idle", json!(utilization.idle())),
            ]);
            line(out, "utilization", keys)?;
        }
        if report.has_bottlenecks {
            for (drill, all) in walk.bottlenecks() {
                for one in all {
                    let mut keys = start();
                    keys.extend([
                        ("model", json!(drill.tree().model().name())),
                        ("pmu", json!(drill.tree().pmu())),
                        ("name", json!(one.metric.name())),
                        ("part", json!(one.part)),
                        ("rest", json!(one.is_rest)),
                        ("running", json!(one.running)),
                        ("estimate", json!(one.is_estimate)),
                        ("description", json!(advice(&one.metric))),
                    ]);
                    line(out, "bottleneck", keys)?;
                }
            }
        }
        for drill in walk.drills() {
            let leaves = drill.leaves();
            for one in drill.found() {
                let leaf = leaves.iter().find(|leaf| leaf.number() == one.number());
                let mut keys = start();
                keys.extend(node(report, combined, drill, &one, leaf));
                line(out, "node", keys)?;
            }
        }
    }
    Ok(())
}

/// Writes the functions beneath each finding.
fn functions(
    out: &mut impl Write,
    report: &Report<'_>,
    samples: &Samples,
    walk: &Walk<'_>,
) -> io::Result<()> {
    for (drill, leaf) in walk.drills().flat_map(|drill| {
        let leaves = drill.leaves();
        leaves.into_iter().map(move |leaf| (drill, leaf))
    }) {
        for sample in report.samples(drill, leaf.number()) {
            for of_event in samples.of(sample.event(), drill.tree()) {
                for one in &of_event.functions {
                    let mut keys = start(None, &walk.place);
                    keys.extend([
                        ("model", json!(drill.tree().model().name())),
                        ("pmu", json!(drill.tree().pmu())),
                        ("node", json!(leaf.node().metric().name())),
                        ("sample", json!(sample.event())),
                        ("event", json!(of_event.name)),
                        ("samples", json!(of_event.samples)),
                        ("events", json!(of_event.events)),
                        ("name", json!(one.name)),
                        ("module", json!(one.module)),
                        ("kernel", json!(one.is_of_kernel)),
                        ("function_samples", json!(one.samples)),
                        ("share", json!(one.share)),
                    ]);
                    line(out, "function", keys)?;
                }
            }
        }
    }
    Ok(())
}

/// What all objects of a place begin with.
fn start(end: Option<Duration>, place: &Place) -> Keys {
    vec![
        ("interval", json!(end.map(|end| end.as_secs_f64()))),
        ("cgroup", json!(place.cgroup)),
        ("place", json!(place.label)),
    ]
}

fn node(
    report: &Report<'_>,
    combined: &Combined,
    drill: &Drill<'_>,
    one: &Found<'_>,
    leaf: Option<&Leaf<'_>>,
) -> Keys {
    let (metric, finding) = (one.node().metric(), one.finding());
    let parent = one.node().parent().map(|parent| drill.tree().nodes()[parent].metric().name());
    let events = leaf.map(|leaf| report.samples(drill, leaf.number())).unwrap_or_default();
    let events = events.into_iter().map(|sample| sample.event().to_owned());
    vec![
        ("model", json!(drill.tree().model().name())),
        ("pmu", json!(drill.tree().pmu())),
        ("name", json!(metric.name())),
        ("level", json!(one.node().level())),
        ("parent", json!(parent)),
        ("indicator", json!(one.node().is_indicator())),
        ("value", known(finding.value())),
        ("unit", json!(metric.scale().1)),
        ("share", json!(finding.share())),
        ("implausible", json!(finding.is_implausible())),
        ("over", json!(finding.is_over())),
        ("running", json!(finding.running())),
        ("estimate", json!(finding.is_estimate())),
        ("groups", json!(combined.parts_of(metric))),
        ("leaf", json!(leaf.is_some())),
        ("rank", json!(leaf.map(|leaf| leaf.rank()))),
        ("overlaps", json!(leaf.is_some_and(|leaf| leaf.overlaps()))),
        ("rest", json!(leaf.and_then(|leaf| leaf.rest()))),
        ("sample", json!(events.collect::<Vec<_>>())),
        ("description", json!(advice(&metric))),
    ]
}

fn known(value: f64) -> Value {
    // JSON has no NaN.
    if value.is_finite() { json!(value) } else { Value::Null }
}
