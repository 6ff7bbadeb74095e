//! The output for people: a line for each finding, and what has no verdict, by its reason.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::{Report, Row};
use crate::audit::judge::Verdict;
use crate::output::one_line;
use crate::spelling::count;

/// What has no verdict is shown in full only on request.
const MOST_OPEN: usize = 5;

pub(crate) fn text(out: &mut impl Write, report: &Report, all: bool) -> io::Result<()> {
    let is_shown = |row: &&Row| {
        let verdict = row.judgement.verdict;
        verdict.is_finding() || all && verdict == Verdict::Right
    };
    for row in report.rows.iter().filter(is_shown) {
        line(out, row)?;
    }
    open(out, report, all)?;
    for unread in &report.no_text {
        write!(out, "{}:", one_line(&unread.path))?;
        if let Some(first) = unread.lines.first() {
            write!(out, "{first}:")?;
        }
        writeln!(out, " {}", unread.sentence())?;
    }
    let findings = Verdict::FINDINGS.map(|verdict| (verdict.word(), report.count(verdict)));
    let named: Vec<String> = findings
        .iter()
        .filter(|(_, number)| *number > 0)
        .map(|(word, number)| format!("{number} {word}"))
        .collect();
    let findings = if named.is_empty() { "no finding".into() } else { named.join(", ") };
    writeln!(
        out,
        "{}: {findings}; {} right, {} without a verdict",
        count(report.files, "file"),
        report.count(Verdict::Right),
        report.count(Verdict::OwnName) + report.count(Verdict::Open),
    )
}

fn line(out: &mut impl Write, row: &Row) -> io::Result<()> {
    let place = &row.place;
    write!(out, "{}:{}:{}: ", one_line(&place.path), place.line, place.column)?;
    write!(out, "{}: {}", row.judgement.verdict.word(), one_line(&row.shown))?;
    if let Some(cpu) = &row.cpu {
        match row.cpu_line.filter(|line| *line != place.line) {
            Some(line) => write!(out, " ({}, line {line})", cpu.name)?,
            None => write!(out, " ({})", cpu.name)?,
        }
    }
    writeln!(out, ": {}", one_line(&row.judgement.evidence))
}

/// What has no verdict: each, or some of each reason.
fn open(out: &mut impl Write, report: &Report, all: bool) -> io::Result<()> {
    let is_open = |row: &&Row| matches!(row.judgement.verdict, Verdict::OwnName | Verdict::Open);
    let open: Vec<&Row> = report.rows.iter().filter(is_open).collect();
    if all {
        return open.into_iter().try_for_each(|row| line(out, row));
    }
    let mut by_kind: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in open {
        by_kind.entry(kind(row)).or_default().push(row);
    }
    for (kind, rows) in by_kind {
        writeln!(out, "without a verdict, {kind}: {}", rows.len())?;
        for row in rows.iter().take(MOST_OPEN) {
            let place = &row.place;
            let path = one_line(&place.path);
            writeln!(out, "  {path}:{}:{}: {}", place.line, place.column, one_line(&row.shown))?;
        }
        if rows.len() > MOST_OPEN {
            writeln!(out, "  … and {} more, which `--all` shows", rows.len() - MOST_OPEN)?;
        }
    }
    Ok(())
}

/// Why there is no verdict, in short.
fn kind(row: &Row) -> &'static str {
    match (&row.cpu, row.judgement.verdict) {
        _ if row.is_kernels => "for the kernel to choose the event",
        (None, _) => "for want of a CPU",
        (Some(_), Verdict::OwnName) => "a name that is not the vendor's",
        (Some(_), _) => "nothing known of it",
    }
}
