//! Metrics: their formulas, and the names in them.

use std::collections::HashSet;
use std::ops::Range;

use pmu_events_core::expr::{self, Identifier, Item as ExprItem};

use crate::assemble::{Item, Table};
use crate::fault::{Faults, Place, hint, quoted};
use crate::fields::Value;
use crate::source::Source;

/// Reports formulas that are none, and names in them that nothing bears.
pub(super) fn check(table: &Table<'_>, source: &Source, faults: &mut Faults) {
    if table.metrics.is_empty() {
        return;
    }
    let names = Names::of(table);
    for item in &table.metrics {
        metric(item, &names, source, faults);
    }
}

fn metric(item: &Item<'_>, names: &Names<'_>, source: &Source, faults: &mut Faults) {
    let metric = &item.entry.metric;
    if let Some(name) = &metric.name {
        super::length(name, "MetricName", faults);
    }
    super::shared_lengths(&item.entry, faults);
    for (value, key) in [
        (&metric.no_group, "MetricgroupNoGroup"),
        (&metric.default_group, "DefaultMetricgroupName"),
    ] {
        value.iter().for_each(|value| super::length(value, key, faults));
    }
    for (key, formula) in
        [("MetricExpr", &metric.expression), ("MetricThreshold", &metric.threshold)]
    {
        let Some(formula) = formula else {
            continue;
        };
        let mut unknown: Vec<(Range<usize>, String)> = Vec::new();
        let parsed = expr::parse(&formula.text, |item: ExprItem<'_>, span| {
            // A question such as has_event() is about names that may be
            // missing.
            if let Some((identifier, None)) = item.identifier()
                && !names.knows(identifier)
            {
                unknown.push((span, identifier.to_string()));
            }
        });
        if let Err(error) = parsed {
            let place = within(formula, error.offset(), source);
            faults.error(place, format!("{key}: {}, in {}", error.kind(), quoted(&formula.text)));
            continue;
        }
        for (span, name) in unknown {
            faults.warning(
                within(formula, span.start, source),
                format!(
                    "{key} names {}, which is neither an event nor a metric of this model{}",
                    quoted(&name),
                    hint(&name, names.spelt.iter().copied())
                ),
            );
        }
    }
}

/// Names that a formula may use.
struct Names<'t> {
    /// In lower case.
    all: HashSet<&'t str>,
    /// As they are written, in an order that does not change.
    spelt: Vec<&'t str>,
}

/// Names that every Linux has, without a table: perf's tool events, generic
/// hardware, cache and software events (`perf_event_open(2)`).
const EVERYWHERE: &[&str] = &[
    "duration_time",
    "user_time",
    "system_time",
    "cycles",
    "cpu-cycles",
    "instructions",
    "branches",
    "branch-instructions",
    "branch-misses",
    "cache-references",
    "cache-misses",
    "bus-cycles",
    "ref-cycles",
    "stalled-cycles-frontend",
    "stalled-cycles-backend",
    "cpu-clock",
    "task-clock",
    "context-switches",
    "cs",
    "cpu-migrations",
    "migrations",
    "page-faults",
    "faults",
    "minor-faults",
    "major-faults",
    "alignment-faults",
    "emulation-faults",
];

/// Events that kernel drivers describe in sysfs and no tree repeats
/// (`arch/x86/events/intel/core.c`, `arch/x86/events/msr.c`).
const SYSFS: &[&str] = &[
    "slots",
    "topdown-retiring",
    "topdown-bad-spec",
    "topdown-fe-bound",
    "topdown-be-bound",
    "topdown-heavy-ops",
    "topdown-br-mispredict",
    "topdown-fetch-lat",
    "topdown-mem-bound",
    "topdown-total-slots",
    "topdown-slots-issued",
    "topdown-slots-retired",
    "topdown-fetch-bubbles",
    "topdown-recovery-bubbles",
    "tsc",
    "aperf",
    "mperf",
    "pperf",
    "smi",
    "mem-loads",
    "mem-loads-aux",
    "mem-stores",
    "cycles-t",
    "cycles-ct",
    "tx-start",
    "tx-abort",
    "el-start",
    "el-abort",
];

impl<'t> Names<'t> {
    fn of(table: &'t Table<'_>) -> Self {
        let items = || table.events.iter().chain(&table.metrics);
        let provided = || EVERYWHERE.iter().chain(SYSFS).copied();
        let names = |item: &'t Item<'_>| {
            [&item.entry.name, &item.entry.metric.name].into_iter().flatten().map(|n| &*n.text)
        };
        Names {
            all: items().map(|item| item.key.as_str()).chain(provided()).collect(),
            spelt: items().flat_map(names).chain(provided()).collect(),
        }
    }

    /// Whether a name is an event's or a metric's, or is spelt out for a PMU
    /// (`cpu@event\\=0x3c@`), which only the running system can judge.
    fn knows(&self, identifier: Identifier<'_>) -> bool {
        let text = identifier.to_string();
        if text.contains('@') || identifier.has_parameter() {
            return true;
        }
        let lower = text.to_ascii_lowercase();
        if self.all.contains(lower.as_str()) {
            return true;
        }
        // Modifiers stand behind a colon.
        lower.split_once(':').is_some_and(|(name, _)| self.all.contains(name))
    }
}

/// The place of a byte of a value, past the escapes of its JSON string.
fn within(value: &Value<'_>, offset: usize, source: &Source) -> Place {
    let text = &source.files[value.place.file as usize].text[value.place.offset as usize..];
    let mut raw = text.char_indices().skip(1).peekable();
    let mut decoded = 0;
    while decoded < offset {
        match raw.next() {
            Some((_, '\\')) => match raw.next() {
                Some((_, 'u')) => {
                    // A code point, or half of one: its length in UTF-8 is not
                    // worth a decoder here; expressions are ASCII.
                    raw.nth(3);
                    decoded += 1;
                }
                Some(_) => decoded += 1,
                None => break,
            },
            Some((_, c)) => decoded += c.len_utf8(),
            None => break,
        }
    }
    let at = raw.peek().map_or(0, |&(at, _)| at);
    Place { offset: value.place.offset + at as u32, ..value.place }
}
