//! The tables of `UPSTREAM.md`, between marks; the rest of it is written by hand.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::{Evidence, Kind, Recorded, Repair, VERSIONS, Verdict, page};

/// The document with its tables brought up to date.
///
/// # Errors
///
/// Says which mark is missing.
pub fn with_tables(
    document: &str,
    repairs: &[Repair],
    evidence: &Evidence,
) -> Result<String, String> {
    let tables = [
        ("summary", page::summary(&counted(repairs), evidence)),
        ("precise", precise(repairs, evidence)),
        ("events", events(repairs, evidence)),
    ];
    let mut document = document.to_owned();
    for (name, table) in tables {
        let [start, end] = [format!("<!-- table: {name} -->\n"), "<!-- end -->".to_owned()];
        let missing = |mark: &str| format!("expected the mark `{}`", mark.trim());
        let from = document.find(&start).ok_or_else(|| missing(&start))? + start.len();
        let to = document[from..].find(&end).ok_or_else(|| missing(&end))? + from;
        document.replace_range(from..to, &format!("\n{table}\n"));
    }
    Ok(document)
}

/// Those that count something else.
fn counted(repairs: &[Repair]) -> Vec<Repair> {
    repairs.iter().filter(|repair| repair.kind != Kind::Precise).cloned().collect()
}

fn precise(repairs: &[Repair], evidence: &Evidence) -> String {
    let mut out =
        "| model | precise in perfmon | of these precise in Linux 6.12 | in 6.17 | in 7.3 |\n\
                   |---|---|---|---|---|\n"
            .to_owned();
    let mut models: BTreeMap<&str, Vec<&Repair>> = BTreeMap::new();
    for repair in repairs.iter().filter(|repair| repair.kind == Kind::Precise) {
        models.entry(repair.model).or_default().push(repair);
    }
    for (model, repairs) in models {
        let of = |wanted: &str| {
            let version = VERSIONS.iter().position(|version| *version == wanted);
            let recorded = repairs.iter().filter_map(|repair| evidence.of(repair));
            let has = |recorded: &Recorded| {
                version.is_some_and(|version| recorded.trees[version] == Verdict::Correct)
            };
            recorded.filter(has).count()
        };
        let [older, newer, newest] = ["6.12", "6.17", "7.3"].map(of);
        let _ = writeln!(out, "| {model} | {} | {older} | {newer} | {newest} |", repairs.len());
    }
    out
}

fn events(repairs: &[Repair], evidence: &Evidence) -> String {
    let mut out = String::new();
    let key = |repair: &Repair| (repair.kind, repair.model, repair.event.pmu());
    for group in counted(repairs).chunk_by(|a, b| key(a) == key(b)) {
        let Repair { kind, model, event, .. } = &group[0];
        let blank = if out.is_empty() { "" } else { "\n" };
        let _ = write!(
            out,
            "{blank}### {model}, {}: {} ({})\n\n",
            event.pmu(),
            kind.word(),
            group.len()
        );
        let is_known = group.iter().any(|repair| evidence.libpfm4(repair).is_some());
        out += if is_known {
            "| event | value now | value wanted | libpfm4 |\n|---|---|---|---|\n"
        } else {
            "| event | value now | value wanted |\n|---|---|---|\n"
        };
        let rows: BTreeSet<(&str, String, String, String)> = group
            .iter()
            .map(|repair| {
                let code = evidence.libpfm4(repair);
                let code = code.map(|code| format!("`{code:#x}`")).unwrap_or_default();
                (repair.event.name(), repair.now(), repair.wanted(), code)
            })
            .collect();
        for (event, now, wanted, code) in rows {
            let _ = write!(out, "| {event} | `{now}` | `{wanted}` |");
            let _ = if is_known { writeln!(out, " {code} |") } else { writeln!(out) };
        }
    }
    out
}
