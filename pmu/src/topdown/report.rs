//! The result as text or as JSON.

use std::io::{self, Write};

use pmu_events::Metric;
use pmu_events::topdown::{Drill, Finding, Found, Leaf, Sample, samples};
use serde_json::{Value, json};

use super::measure::Course;
use crate::decimals;
use crate::json;
use crate::output::{Output, one_line};
use crate::stat::{scope, subject};
use crate::style::{Style, emphasises};
use crate::terminal::wrap;
use crate::topdown_args::TopdownArgs;

/// The width of text, and of a bar that is the whole.
const WIDTH: usize = 90;
const BAR: usize = 20;

pub(super) fn write(out: &mut Output, args: &TopdownArgs, course: &Course<'_>) -> io::Result<()> {
    match args.json {
        true => objects(out, course)?,
        false => text(out, args.output.is_none(), course)?,
    }
    out.flush()
}

fn text(out: &mut Output, is_stderr: bool, course: &Course<'_>) -> io::Result<()> {
    let is_bold = is_stderr && emphasises(&io::stderr());
    writeln!(out, "\n Top-down analysis of {}:\n", one_line(&subject(course.args)))?;
    for drill in &course.drills {
        if course.drills.len() > 1 {
            writeln!(out, " {} ({})\n", drill.tree().pmu(), drill.tree().model().name())?;
        }
        tree(out, course, drill, is_bold)?;
        leaves(out, course, drill)?;
    }
    let passes = &course.passes;
    let unit = if course.args.command.is_empty() { "passes" } else { "runs of the command" };
    if passes.len() > 1 {
        writeln!(out, " Counted in {} {unit}:", passes.len())?;
        let width = format!("{}.", passes.len()).len();
        for (number, pass) in passes.iter().enumerate() {
            for (n, line) in wrap(pass, WIDTH - 4 - width).iter().enumerate() {
                let number = if n == 0 { format!("{}.", number + 1) } else { String::new() };
                writeln!(out, "   {number:<width$} {line}")?;
            }
        }
        writeln!(out)?;
    }
    for note in &course.notes {
        writeln!(out, " note: {}", one_line(note))?;
    }
    if !course.notes.is_empty() {
        writeln!(out)?;
    }
    Ok(())
}

fn tree(out: &mut Output, course: &Course<'_>, drill: &Drill<'_>, is_bold: bool) -> io::Result<()> {
    let found = drill.found();
    let name = |found: &Found<'_>| {
        format!("{:1$}{2}", "", 2 * (found.node().level() - 1), found.node().metric().name())
    };
    let width = found.iter().map(|one| name(one).chars().count()).max().unwrap_or_default();
    for one in &found {
        let finding = one.finding();
        let is_over = finding.is_over() == Some(true);
        let value = if finding.value().is_nan() {
            // Such as misses per access, without accesses.
            let is_counted = finding.running() > 0.0;
            if is_counted { "no value" } else { "not counted" }.to_string()
        } else {
            number(finding.value(), one.node().metric().scale().1)
        };
        let mark = if is_over { '<' } else { ' ' };
        let mut line = format!("{:<width$}  {value:>12} {mark}", name(one));
        if let (false, Some(share)) = (one.node().is_indicator(), finding.share()) {
            let bar = "#".repeat((drill.part(one.number()) * BAR as f64).round() as usize);
            line.push_str(&format!(" {bar:<BAR$} {:>4.0}%", 100.0 * share));
        }
        if !finding.value().is_nan() && finding.running() < 1.0 {
            line.push_str(&format!("  ({:.1}%)", 100.0 * finding.running()));
        }
        line.push_str(estimate(&finding));
        if finding.is_implausible() {
            line.push_str("  (implausible)");
        }
        line.push_str(&combined(course.parts_of(one.node().metric())));
        let line = line.trim_end();
        match is_over && is_bold {
            true => {
                write!(out, " ")?;
                out.styled(Style::Bold, line)?;
                writeln!(out)?;
            }
            false => writeln!(out, " {line}")?,
        }
    }
    writeln!(out)
}

/// The mark of a value that takes retirement latencies from the tables.
fn estimate(finding: &Finding) -> &'static str {
    if finding.is_estimate() { "  (estimate)" } else { "" }
}

/// The mark of a value whose events were not all counted at the same time.
fn combined(parts: usize) -> String {
    if parts > 1 { format!("  (combined from {parts} groups)") } else { String::new() }
}

/// `12.3%`, or three digits after the point for units that are not percentages.
fn number(value: f64, unit: &str) -> String {
    let is_percentage = unit.starts_with('%') || unit.starts_with("percent");
    let (decimals, sign) = if is_percentage { (1, "%") } else { (3, "") };
    format!("{}{sign}", decimals::shown(value, decimals))
}

fn leaves(out: &mut impl Write, course: &Course<'_>, drill: &Drill<'_>) -> io::Result<()> {
    let (leaves, found) = (drill.leaves(), drill.found());
    if leaves.is_empty() {
        let is_any = |has: fn(&Finding) -> bool| found.iter().any(|one| has(&one.finding()));
        let what = if is_any(|finding| finding.is_over().is_some()) {
            "No node is over its threshold."
        } else if is_any(|finding| finding.is_implausible()) {
            "No value makes sense: whether a node is over its threshold is not known."
        } else {
            "Nothing was counted: whether a node is over its threshold is not known."
        };
        writeln!(out, " {what}\n")?;
    }
    for leaf in &leaves {
        let metric = leaf.node().metric();
        let unit = metric.scale().1;
        let value = number(leaf.finding().value(), unit);
        write!(out, " {}: {value}{}", metric.name(), estimate(&leaf.finding()))?;
        if let Some(rest) = leaf.rest() {
            write!(out, "; the rest of this node, beside its parts: {:.0}% of it", 100.0 * rest)?;
        }
        writeln!(out, "{}", if leaf.overlaps() { "  (overlaps)" } else { "" })?;
        for line in wrap(&advice(&leaf.node().metric()), WIDTH - 3) {
            writeln!(out, "   {line}")?;
        }
        let samples = of_leaf(course, drill, leaf);
        let events: Vec<&str> = samples.iter().map(|sample| sample.event()).collect();
        if !events.is_empty() {
            writeln!(out, "   To find the code: perf record -e {}", events.join(","))?;
        }
        writeln!(out)?;
    }
    let mut remarks = Vec::new();
    if leaves.iter().any(|leaf| leaf.overlaps()) {
        remarks.push(
            "Findings marked (overlaps) are parts of the same time: which comes first says nothing."
                .to_string(),
        );
    }
    let implausible: Vec<&str> = (found.iter().filter(|one| one.finding().is_implausible()))
        .map(|one| one.node().metric().name())
        .collect();
    if !implausible.is_empty() {
        remarks.push(format!(
            "Implausible, below 0 or above 100% of the whole, and so neither ranked nor descended \
             into: {}. The counts do not belong together, or one of them is wrong.",
            implausible.join(", ")
        ));
    }
    for remark in remarks {
        for line in wrap(&remark, WIDTH - 1) {
            writeln!(out, " {line}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn of_leaf(course: &Course<'_>, drill: &Drill<'_>, leaf: &Leaf<'_>) -> Vec<Sample> {
    let machine = course.system().machine(&scope(&course.args.subject));
    samples(drill.tree(), leaf.number(), &machine)
}

/// What the metric means, without the lists that some trees append.
fn advice(metric: &Metric) -> String {
    const LISTS: [&str; 3] = ["Sample with:", "Related metrics:", "#Link:"];
    let text = metric.long_description().or(metric.description());
    let text = text.map(|text| text.to_string()).unwrap_or_default();
    let end = LISTS.iter().filter_map(|list| text.find(list)).min().unwrap_or(text.len());
    text[..end].trim_end().into()
}

fn objects(out: &mut impl Write, course: &Course<'_>) -> io::Result<()> {
    let keys = vec![("subject", json!(subject(course.args))), ("passes", json!(course.passes))];
    json::line(out, "topdown", keys)?;
    for drill in &course.drills {
        let leaves = drill.leaves();
        for one in drill.found() {
            let metric = one.node().metric();
            let parent =
                one.node().parent().map(|parent| drill.tree().nodes()[parent].metric().name());
            let leaf = leaves.iter().find(|leaf| leaf.number() == one.number());
            let events = leaf.map(|leaf| of_leaf(course, drill, leaf));
            let events =
                events.unwrap_or_default().into_iter().map(|sample| sample.event().to_owned());
            let keys = vec![
                ("model", json!(drill.tree().model().name())),
                ("pmu", json!(drill.tree().pmu())),
                ("name", json!(metric.name())),
                ("level", json!(one.node().level())),
                ("parent", json!(parent)),
                ("indicator", json!(one.node().is_indicator())),
                ("value", known(one.finding().value())),
                ("unit", json!(metric.scale().1)),
                ("share", json!(one.finding().share())),
                ("implausible", json!(one.finding().is_implausible())),
                ("over", json!(one.finding().is_over())),
                ("running", json!(one.finding().running())),
                ("estimate", json!(one.finding().is_estimate())),
                ("groups", json!(course.parts_of(metric))),
                ("leaf", json!(leaf.is_some())),
                ("rank", json!(leaf.map(|leaf| leaf.rank()))),
                ("overlaps", json!(leaf.is_some_and(|leaf| leaf.overlaps()))),
                ("rest", json!(leaf.and_then(|leaf| leaf.rest()))),
                ("sample", json!(events.collect::<Vec<_>>())),
                ("description", json!(advice(&metric))),
            ];
            json::line(out, "node", keys)?;
        }
    }
    for note in &course.notes {
        json::note(out, note)?;
    }
    Ok(())
}

fn known(value: f64) -> Value {
    // JSON has no NaN.
    if value.is_finite() { json!(value) } else { Value::Null }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let cases = [
            (0.0, "", "0.000"),
            (1.23456, "", "1.235"),
            (1.0e-7, "GB/s", "0.00000010"),
            (12.345, "%", "12.3%"),
            (0.0, "%", "0.0%"),
            (0.0412, "%", "0.041%"),
            (-3.0, "percent of slots", "-3.0%"),
        ];
        for (value, unit, expected) in cases {
            assert_eq!(number(value, unit), expected, "{value} {unit}");
        }
    }
}
