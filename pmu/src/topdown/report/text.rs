//! Trees and findings, for people.

use std::io::{self, Write};

use pmu_events::topdown::{Drill, Finding, Found};

use super::Report;
use super::words::{advice, combined, estimate, number, utilization};
use crate::output::{Output, one_line};
use crate::style::Style;
use crate::terminal::wrap;
use crate::topdown::findings::{Combined, Findings, Trees};
use crate::topdown::sampling::{Function, OfEvent, Samples};
use crate::topdown::walk::Walk;

/// The width of text, and of a bar that is the whole.
const WIDTH: usize = 90;
const BAR: usize = 20;

/// Writes the trees of an interval; before the first, what is counted.
pub(super) fn interval(out: &mut Output, report: &Report<'_>, trees: &Trees<'_>) -> io::Result<()> {
    if trees.number == 0 {
        title(out, report)?;
    }
    let time = format!("{:6}.{:09}", trees.end.as_secs(), trees.end.subsec_nanos());
    for walk in trees.walks {
        let place = match walk.place.is_everything() {
            true => String::new(),
            false => format!("  {}", walk.place),
        };
        let used = walk.utilization().map(|used| format!("  {}", utilization(used)));
        writeln!(out, " {time}{}{}\n", one_line(&place), used.unwrap_or_default())?;
        if report.has_bottlenecks {
            bottlenecks(out, walk)?;
            continue;
        }
        for drill in walk.drills() {
            kind(out, walk, drill)?;
            tree(out, report, trees.combined, drill)?;
        }
    }
    Ok(())
}

/// Writes all of a run, or its notes after intervals.
pub(super) fn end(
    out: &mut Output,
    report: &Report<'_>,
    findings: &Findings<'_>,
) -> io::Result<()> {
    if !report.has_intervals {
        title(out, report)?;
        for walk in findings.walks {
            place(out, report, findings, walk)?;
        }
        passes(out, report, findings.passes)?;
    }
    for note in findings.notes {
        writeln!(out, " note: {}", one_line(note))?;
    }
    if !findings.notes.is_empty() {
        writeln!(out)?;
    }
    Ok(())
}

fn title(out: &mut Output, report: &Report<'_>) -> io::Result<()> {
    writeln!(out, "\n Top-down analysis of {}:\n", one_line(&report.subject))
}

/// Writes the trees of a place and what they say.
fn place(
    out: &mut Output,
    report: &Report<'_>,
    findings: &Findings<'_>,
    walk: &Walk<'_>,
) -> io::Result<()> {
    if !walk.place.is_everything() {
        writeln!(out, " {}:\n", one_line(&walk.place.to_string()))?;
    }
    if let Some(used) = walk.utilization() {
        writeln!(out, " {}\n", utilization(used))?;
    }
    if report.has_bottlenecks {
        return bottlenecks(out, walk);
    }
    for drill in walk.drills() {
        kind(out, walk, drill)?;
        tree(out, report, findings.combined, drill)?;
        leaves(out, report, drill, findings.samples)?;
    }
    Ok(())
}

/// Writes what is at least a thousandth of the whole.
fn bottlenecks(out: &mut Output, walk: &Walk<'_>) -> io::Result<()> {
    const LEAST: f64 = 0.0005;
    for (drill, all) in walk.bottlenecks() {
        kind(out, walk, drill)?;
        let width = all.iter().map(|one| one.metric.name().chars().count()).max();
        let width = width.unwrap_or_default();
        for one in all.iter().filter(|one| one.part.abs() >= LEAST) {
            let bar = "#".repeat((one.part.clamp(0.0, 1.0) * BAR as f64).round() as usize);
            let percent = 100.0 * one.part;
            let mut line = format!("{:<width$}  {percent:>5.1}% {bar:<BAR$}", one.metric.name());
            if one.is_rest {
                line.push_str("  (beside its parts)");
            }
            if one.running < 1.0 {
                line.push_str(&format!("  ({:.1}%)", 100.0 * one.running));
            }
            if one.is_estimate {
                line.push_str("  (estimate)");
            }
            writeln!(out, " {}", line.trim_end())?;
        }
        if all.is_empty() {
            writeln!(out, " Nothing was counted.")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// The kind of core of a tree, if there are several.
fn kind(out: &mut Output, walk: &Walk<'_>, drill: &Drill<'_>) -> io::Result<()> {
    match walk.drills().count() {
        1 => Ok(()),
        _ => writeln!(out, " {} ({})\n", drill.tree().pmu(), drill.tree().model().name()),
    }
}

fn passes(out: &mut Output, report: &Report<'_>, passes: &[String]) -> io::Result<()> {
    if passes.len() < 2 {
        return Ok(());
    }
    writeln!(out, " Counted in {} {}:", passes.len(), report.unit)?;
    let width = format!("{}.", passes.len()).len();
    for (number, pass) in passes.iter().enumerate() {
        for (n, line) in wrap(pass, WIDTH - 4 - width).iter().enumerate() {
            let number = if n == 0 { format!("{}.", number + 1) } else { String::new() };
            writeln!(out, "   {number:<width$} {line}")?;
        }
    }
    writeln!(out)
}

fn tree(
    out: &mut Output,
    report: &Report<'_>,
    groups: &Combined,
    drill: &Drill<'_>,
) -> io::Result<()> {
    let is_bold = report.is_bold();
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
        line.push_str(&combined(groups.parts_of(one.node().metric())));
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

/// Writes the functions with most samples of an event.
fn functions(out: &mut impl Write, of: &OfEvent) -> io::Result<()> {
    /// How many are shown, and how small the last may be.
    const MOST: usize = 10;
    const LEAST: f64 = 0.005;
    writeln!(out, "   {} of {}:", counted(of.samples, "sample"), one_line(&of.name))?;
    let shown = of.functions.iter().take(MOST).take_while(|one| one.share >= LEAST);
    let shown: Vec<&Function> = shown.collect();
    let name = |one: &Function| one_line(&one.name).into_owned();
    let width = shown.iter().map(|one| name(one).chars().count()).max().unwrap_or_default();
    for one in &shown {
        // The kernel says so by its name.
        let module = one_line(&one.module);
        writeln!(out, "   {:>6.1}%  {:<width$}  {module}", 100.0 * one.share, name(one))?;
    }
    let others = of.functions.len() - shown.len();
    if others > 0 {
        let share: f64 = of.functions[shown.len()..].iter().map(|one| one.share).sum();
        writeln!(
            out,
            "   {:>6.1}%  in {}",
            100.0 * share,
            counted(others as u64, "other function")
        )?;
    }
    Ok(())
}

/// A number of things.
fn counted(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

fn leaves(
    out: &mut impl Write,
    report: &Report<'_>,
    drill: &Drill<'_>,
    sampled: Option<&Samples>,
) -> io::Result<()> {
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
        let samples = report.samples(drill, leaf.number());
        let events: Vec<&str> = samples.iter().map(|sample| sample.event()).collect();
        if !events.is_empty() {
            writeln!(out, "   To find the code: perf record -e {}", events.join(","))?;
        }
        for event in &events {
            let of_event = sampled.iter().flat_map(|samples| samples.of(event, drill.tree()));
            of_event.filter(|one| one.samples > 0).try_for_each(|one| functions(out, one))?;
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
