//! Counts how much has a description.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;

use crate::arch::Arch;
use crate::deprecated;
use crate::record::Record;

/// Counts of one architecture, or of all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// Model directories and sys tables.
    pub models: usize,
    /// Distinct names of events.
    pub names: usize,
    /// Those of them that are described in some model.
    pub described_names: usize,
    /// Events of all models.
    pub events: usize,
    /// Those of them that are described.
    pub described: usize,
    /// Metrics of all models.
    pub metrics: usize,
}

/// A name, and the number of models in which it has no description.
pub type Missing = BTreeMap<String, usize>;

/// Counts an architecture. `missing` collects names without a description.
pub fn count(arch: &Arch, missing: &mut Missing) -> Share {
    let standard: HashSet<String> = arch
        .records("")
        .filter(|record| is_described(record))
        .filter_map(|record| Some(record.get("EventName")?.to_ascii_lowercase()))
        .collect();
    let (mut names, mut described_names) = (HashSet::new(), HashSet::new());
    let mut share = Share::default();
    for directory in arch.tables.keys().filter(|d| !d.is_empty()) {
        share.models += 1;
        let mut without = HashSet::new();
        let described: HashSet<String> = arch
            .records(directory)
            .filter(|record| is_described(record))
            .filter_map(|record| Some(record.name()?.to_ascii_lowercase()))
            .collect();
        for record in arch.records(directory) {
            share.metrics += usize::from(record.get("MetricName").is_some());
            let Some(name) = record.name() else {
                continue;
            };
            let lower = name.to_ascii_lowercase();
            share.events += 1;
            let inherits = record
                .get("ArchStdEvent")
                .is_some_and(|reference| standard.contains(&reference.to_ascii_lowercase()));
            let brief = record.get("BriefDescription");
            let has_successor = brief
                .and_then(deprecated::successor)
                .is_some_and(|name| described.contains(&name.to_ascii_lowercase()));
            if inherits || has_successor || is_described(record) {
                share.described += 1;
                described_names.insert(lower.clone());
            } else {
                without.insert(name.to_owned());
            }
            names.insert(lower);
        }
        for name in without {
            *missing.entry(format!("{} {name}", arch.name)).or_default() += 1;
        }
    }
    share.names = names.len();
    share.described_names = described_names.len();
    share
}

/// That an event is deprecated does not describe what it counts, unless its
/// successor is described.
fn is_described(record: &Record) -> bool {
    record.get("BriefDescription").is_some_and(|text| !deprecated::is_bare(text))
}

impl std::iter::Sum for Share {
    fn sum<I: Iterator<Item = Share>>(shares: I) -> Share {
        shares.fold(Share::default(), |sum, one| Share {
            models: sum.models + one.models,
            names: sum.names + one.names,
            described_names: sum.described_names + one.described_names,
            events: sum.events + one.events,
            described: sum.described + one.described,
            metrics: sum.metrics + one.metrics,
        })
    }
}

/// A line for each architecture, and one for all.
#[must_use]
pub fn table(shares: &[(String, Share)]) -> String {
    let mut out =
        String::from("        tables   names  described       events  described       metrics\n");
    let mut line = |name: &str, share: &Share| {
        let percent = |part: usize, of: usize| 100.0 * part as f64 / of.max(1) as f64;
        let _ = writeln!(
            out,
            "{name:8}{:6} {:7} {:10} {:4.0}% {:7} {:10} {:4.0}% {:8}",
            share.models,
            share.names,
            share.described_names,
            percent(share.described_names, share.names),
            share.events,
            share.described,
            percent(share.described, share.events),
            share.metrics,
        );
    };
    for (name, share) in shares {
        line(name, share);
    }
    line("all", &shares.iter().map(|(_, share)| share.clone()).sum());
    out
}

/// A document with this table in the place of the one that it has; `None` if it has none.
#[must_use]
pub fn in_document(document: &str, table: &str) -> Option<String> {
    const FENCE: &str = "```text\n";
    let head = table.lines().next()?;
    let start = document.find(&format!("{FENCE}{head}\n"))? + FENCE.len();
    let end = start + document[start..].find("```")?;
    Some([&document[..start], table, &document[end..]].concat())
}

/// The names that lack a description in the most models.
#[must_use]
pub fn most_missing(missing: &Missing, count: usize) -> String {
    let mut sorted: Vec<(&String, &usize)> = missing.iter().collect();
    sorted.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
    let lines = sorted.into_iter().take(count);
    lines.map(|(name, models)| format!("{models:4} {name}\n")).collect()
}
