//! The tables of `UPSTREAM.md`, between marks; the rest of it is written by hand.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::{Evidence, Kind, Repair, page};

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
    let mut out = "| model | precise in perfmon | of these precise in Linux 6.12 | in 6.17 |\n\
                   |---|---|---|---|\n"
        .to_owned();
    let mut models: BTreeMap<&str, (usize, BTreeMap<&str, &Repair>)> = BTreeMap::new();
    for repair in repairs.iter().filter(|repair| repair.kind == Kind::Precise) {
        let (count, pmus) = models.entry(repair.model).or_default();
        *count += 1;
        pmus.insert(repair.event.pmu(), repair);
    }
    for (model, (count, pmus)) in models {
        let of = |version| pmus.values().map(|one| evidence.correct(one, version)).sum::<usize>();
        let _ = writeln!(out, "| {model} | {count} | {} | {} |", of("6.12"), of("6.17"));
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
