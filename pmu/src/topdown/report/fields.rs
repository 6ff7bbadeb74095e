//! Lines of fields (RFC 4180, with any separator), the first of which has their names. What was
//! used of the time is a line of level 0; a bottleneck has no level, and nor has a function with
//! samples of a finding, its parent.

use std::borrow::Cow;
use std::io::{self, Write};
use std::time::Duration;

use super::Report;
use crate::csv;
use crate::topdown::places::Place;
use crate::topdown::sampling::Samples;
use crate::topdown::walk::Walk;

const NAMES: [&str; 15] = [
    "interval",
    "cgroup",
    "place",
    "model",
    "pmu",
    "level",
    "name",
    "parent",
    "value",
    "unit",
    "share",
    "running",
    "over",
    "implausible",
    "rank",
];

/// Writes the nodes of each place.
pub(super) fn walks(
    out: &mut impl Write,
    report: &Report<'_>,
    separator: &str,
    has_names: bool,
    end: Option<Duration>,
    walks: &[Walk<'_>],
) -> io::Result<()> {
    if has_names {
        row(out, separator, NAMES.map(Cow::from))?;
    }
    for walk in walks {
        let [interval, cgroup, place] = start(end, &walk.place);
        let start = || [interval.clone(), cgroup.clone(), place.clone()].map(Cow::from);
        if let Some(used) = walk.utilization() {
            for (name, value, unit) in
                [("cpus_used", used.cpus_used, "CPUs"), ("idle", 100.0 * used.idle(), "%")]
            {
                let own = ["", "", "0", name, "", &value.to_string(), unit, "", "", "", "", ""];
                let own = own.map(|field| Cow::from(field.to_owned()));
                row(out, separator, start().into_iter().chain(own))?;
            }
        }
        if report.has_bottlenecks {
            for (drill, all) in walk.bottlenecks() {
                for (rank, one) in (1..).zip(all) {
                    let own: [Cow<'_, str>; 12] = [
                        drill.tree().model().name().into(),
                        drill.tree().pmu().into(),
                        "".into(),
                        one.metric.name().into(),
                        "".into(),
                        number(100.0 * one.part).into(),
                        "%".into(),
                        number(one.part).into(),
                        number(one.running).into(),
                        "".into(),
                        "".into(),
                        rank.to_string().into(),
                    ];
                    row(out, separator, start().into_iter().chain(own))?;
                }
            }
            continue;
        }
        for drill in walk.drills() {
            let leaves = drill.leaves();
            for one in drill.found() {
                let (node, finding) = (one.node(), one.finding());
                let parent = node.parent().map(|parent| drill.tree().nodes()[parent].metric());
                let leaf = leaves.iter().find(|leaf| leaf.number() == one.number());
                let own: [Cow<'_, str>; 12] = [
                    drill.tree().model().name().into(),
                    drill.tree().pmu().into(),
                    node.level().to_string().into(),
                    node.metric().name().into(),
                    parent.map_or("", |metric| metric.name()).into(),
                    number(finding.value()).into(),
                    node.metric().scale().1.into(),
                    finding.share().map(number).unwrap_or_default().into(),
                    number(finding.running()).into(),
                    finding.is_over().map(|is_over| is_over.to_string()).unwrap_or_default().into(),
                    finding.is_implausible().to_string().into(),
                    leaf.map(|leaf| leaf.rank().to_string()).unwrap_or_default().into(),
                ];
                row(out, separator, start().into_iter().chain(own))?;
            }
        }
    }
    Ok(())
}

/// Writes the functions beneath each finding, with their samples.
pub(super) fn functions(
    out: &mut impl Write,
    report: &Report<'_>,
    separator: &str,
    samples: &Samples,
    walks: &[Walk<'_>],
) -> io::Result<()> {
    for (walk, drill) in walks.iter().flat_map(|walk| walk.drills().map(move |drill| (walk, drill)))
    {
        for leaf in drill.leaves() {
            for sample in report.samples(drill, leaf.number()) {
                for of_event in samples.of(sample.event(), drill.tree()) {
                    for one in &of_event.functions {
                        let own: [Cow<'_, str>; 12] = [
                            drill.tree().model().name().into(),
                            drill.tree().pmu().into(),
                            "".into(),
                            one.name.as_str().into(),
                            leaf.node().metric().name().into(),
                            one.samples.to_string().into(),
                            format!("samples of {}", of_event.name).into(),
                            number(one.share).into(),
                            "".into(),
                            "".into(),
                            "".into(),
                            "".into(),
                        ];
                        row(
                            out,
                            separator,
                            start(None, &walk.place).map(Cow::from).into_iter().chain(own),
                        )?;
                    }
                }
            }
        }
    }
    Ok(())
}

fn start(end: Option<Duration>, place: &Place) -> [String; 3] {
    let end = end.map(|end| format!("{:.9}", end.as_secs_f64()));
    [end, place.cgroup.clone(), place.label.clone()].map(Option::unwrap_or_default)
}

/// Empty if it is not known.
fn number(value: f64) -> String {
    if value.is_finite() { value.to_string() } else { String::new() }
}

fn row<'f>(
    out: &mut impl Write,
    separator: &str,
    fields: impl IntoIterator<Item = Cow<'f, str>>,
) -> io::Result<()> {
    let fields = fields.into_iter().map(|field| csv::field(&field, separator).into_owned());
    writeln!(out, "{}", fields.collect::<Vec<_>>().join(separator))
}
