//! What can only be said of a whole tree.

use std::collections::BTreeMap;

use pmu_events_core::cpuid::{Midr, Rule};
use pmu_events_core::event::msr_term;
use pmu_events_core::expr;
use pmu_events_core::term::Terms;
use pmu_events_core::wire::StrRef;

use crate::assemble::{Item, Table, Tree, somewhere};
use crate::entry::Value;
use crate::fault::{Faults, Place, quoted};
use crate::mapfile::Row;
use crate::pack::Automata;
use crate::pattern::{self, Pattern};
use crate::source::Source;

/// Values that the look-ups take from an event string.
pub(crate) struct Shown {
    pub(crate) sample_after: Option<u64>,
    pub(crate) msr_value: Option<u64>,
}

impl Shown {
    pub(crate) fn of(event: &str, msr: u32) -> Self {
        // Most events have neither, and the macro runs unoptimised.
        let number = |name: &str| Terms::new(event).last(name).and_then(|term| term.number());
        Shown {
            sample_after: event.contains("period=").then(|| number("period")).flatten(),
            msr_value: if msr == 0 { None } else { number(msr_term(msr)) },
        }
    }
}

/// Reports what is wrong with a tree; gives the automata of its patterns.
pub(crate) fn check<'t>(
    tree: &'t Tree<'t>,
    source: &Source,
    rule: Rule,
    faults: &mut Faults,
) -> Automata<'t> {
    for table in &tree.tables {
        duplicates(table, source, faults);
        for item in &table.events {
            if let Some(name) = &item.entry.name {
                length(name, "EventName", faults);
            }
            if item.entry.event.len() > StrRef::MAX_LEN {
                faults.error(item.entry.place, "the event string is longer than 255 bytes");
            }
        }
        for item in &table.metrics {
            metric(item, source, faults);
        }
    }
    Automata {
        cpuids: cpuids(&tree.rows, source, rule, faults),
        compats: compats(tree, source, faults),
        compat_patterns: compat_texts(tree).into_keys().collect(),
    }
}

fn length(value: &Value<'_>, key: &str, faults: &mut Faults) {
    if value.text.len() > StrRef::MAX_LEN {
        faults
            .error(value.place, format!("{key} is longer than 255 bytes: {}", quoted(&value.text)));
    }
}

/// Names that stand twice on one PMU: fatal for events, as in jevents; perf
/// keeps the first of two metrics.
fn duplicates(table: &Table<'_>, source: &Source, faults: &mut Faults) {
    let twice =
        |pair: &[Item<'_>]| pair[0].key == pair[1].key && pair[0].entry.pmu == pair[1].entry.pmu;
    let first = |item: &Item<'_>| {
        let (path, line, column) = source.locate(item.entry.place);
        format!("first at {path}:{line}:{column}")
    };
    for pair in table.events.windows(2).filter(|pair| twice(pair)) {
        faults.error(
            place_of(&pair[1], &pair[1].entry.name),
            format!(
                "event {} stands twice on PMU {}; {}",
                quoted(&pair[1].key),
                quoted(&pair[1].entry.pmu),
                first(&pair[0])
            ),
        );
    }
    for pair in table.metrics.windows(2).filter(|pair| twice(pair)) {
        faults.warning(
            place_of(&pair[1], &pair[1].entry.metric.name),
            format!("metric {} stands twice; {}", quoted(&pair[1].key), first(&pair[0])),
        );
    }
}

fn place_of(item: &Item<'_>, name: &Option<Value<'_>>) -> Place {
    name.as_ref().map_or(item.entry.place, |name| name.place)
}

fn metric(item: &Item<'_>, source: &Source, faults: &mut Faults) {
    let metric = &item.entry.metric;
    if let Some(name) = &metric.name {
        length(name, "MetricName", faults);
        if metric.expression.is_none() {
            faults.error(name.place, format!("metric {} has no MetricExpr", quoted(&name.text)));
        }
    }
    for (key, formula) in
        [("MetricExpr", &metric.expression), ("MetricThreshold", &metric.threshold)]
    {
        if let Some(formula) = formula
            && let Err(error) = expr::check(&formula.text)
        {
            let place = within(formula, error.offset(), source);
            faults.error(place, format!("{key}: {}, in {}", error.kind(), quoted(&formula.text)));
        }
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

/// The automaton of the map file; for arm64 there is none, but each row must
/// be a MIDR.
fn cpuids(rows: &[(Row, usize)], source: &Source, rule: Rule, faults: &mut Faults) -> Vec<u8> {
    if rule == Rule::Arm64 {
        for (row, _) in rows {
            if Midr::parse(&row.pattern).is_none() {
                faults.error(
                    row.place,
                    format!(
                        "{} is no MIDR; write it as hexadecimal, such as 0x00000000410fd0c0",
                        quoted(&row.pattern)
                    ),
                );
            }
        }
        return Vec::new();
    }
    let patterns = rows.iter().map(|(row, _)| (row.pattern.as_str(), row.place));
    compile(patterns, rule, source, faults)
}

fn compats(tree: &Tree<'_>, source: &Source, faults: &mut Faults) -> Vec<u8> {
    compile(compat_texts(tree).into_iter(), Rule::Whole, source, faults)
}

/// Distinct `Compat` patterns, and where each stands first.
fn compat_texts<'t>(tree: &'t Tree<'_>) -> BTreeMap<&'t str, Place> {
    let mut all = BTreeMap::new();
    for table in &tree.tables {
        for item in table.events.iter().chain(&table.metrics) {
            if let Some(compat) = &item.entry.compat {
                all.entry(&*compat.text).or_insert(compat.place);
            }
        }
    }
    all
}

fn compile<'p>(
    patterns: impl Iterator<Item = (&'p str, Place)>,
    rule: Rule,
    source: &Source,
    faults: &mut Faults,
) -> Vec<u8> {
    let mut compiled = Vec::new();
    for (text, place) in patterns {
        match pattern::parse(text) {
            Ok(expression) => compiled.push(Pattern { text, expression }),
            Err(problem) => {
                let place = column_of(text, place, problem.offset, source);
                faults.error(place, format!("bad pattern {}: {}", quoted(text), problem.message));
            }
        }
    }
    pattern::build(&compiled, rule).unwrap_or_else(|message| {
        faults.error(somewhere(source), message);
        Vec::new()
    })
}

/// The place within a pattern, where the pattern stands unquoted at `place`;
/// else its start.
fn column_of(text: &str, place: Place, offset: usize, source: &Source) -> Place {
    let written = &source.files[place.file as usize].text[place.offset as usize..];
    let start = if written.starts_with('"') { 1 } else { 0 };
    if written[start..].starts_with(text) {
        Place { offset: place.offset + (start + offset) as u32, ..place }
    } else {
        place
    }
}
