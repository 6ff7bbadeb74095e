//! `REPAIRS.md`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::evidence::VERSIONS;
use super::{Evidence, Kind, Repair};
use crate::origin::Publication;

const HEAD: &str = "# Repairs

Events that perf's tables get wrong and `arch/` has right. `tools/import` writes this page from `arch/`; what it
cannot compute is recorded in `overlay/evidence/`, by `tests/evidence/libpfm4` and `tests/kernel`. For each event:

- the numbers of the source;
- the format that Linux 6.12's driver has for what is lost, as in `/sys/bus/event_source/devices/<pmu>/format/`, and whether
  the correct event can be written with the driver's formats;
- the encoding of libpfm4 4.13.0, where it has the event by the same name;
- what the trees of Linux 6.1, 6.12 and about 6.17 have: the correct event, the wrong one, another one, or none.

[UPSTREAM.md](UPSTREAM.md) explains the errors. Event strings have no sampling period here.
";

const fn about(kind: Kind) -> &'static str {
    match kind {
        Kind::ExtSel => "perf drops `ExtSel`, so it counts the event without bit 8 of its code.",
        Kind::UMaskExt => "perf drops `UMaskExt` if `UMask` is 0.",
        Kind::Register => "perf uses the umask of the first register with the second one.",
        Kind::Filter => {
            "perf writes the value of the second filter register into the lower half of `config1`, which is the \
             first register."
        }
        Kind::Precise => {
            "perf drops `Precise`, so it does not know that the event can be sampled precisely."
        }
    }
}

/// The page.
#[must_use]
pub fn page(repairs: &[Repair], evidence: &Evidence, publications: &[Publication]) -> String {
    let mut out = HEAD.to_owned();
    if let Some(source) = publications.iter().find(|publication| publication.key == "perfmon") {
        let Publication { name, version, date, .. } = source;
        let _ = writeln!(out, "The source of all of them is {name} {version} ({date}).");
    }
    out += "\n## Summary\n\n";
    out += &summary(repairs, evidence);
    for kind in Kind::ALL {
        let of_kind: Vec<&Repair> = repairs.iter().filter(|repair| repair.kind == kind).collect();
        let _ = write!(out, "\n## {} ({})\n\n{}\n\n", kind.word(), of_kind.len(), about(kind));
        match kind {
            Kind::Precise => precise(&mut out, &of_kind),
            _ => strings(&mut out, &of_kind, evidence),
        }
    }
    out
}

/// One row for each kind, model and PMU.
pub(super) fn summary(repairs: &[Repair], evidence: &Evidence) -> String {
    let mut out = "| lost | model | PMU | events | Linux 6.1 | 6.12 | 6.17 | in libpfm4 | driver's format | fits |\n\
                   |---|---|---|---|---|---|---|---|---|---|\n"
        .to_owned();
    let key = |repair: &Repair| (repair.kind, repair.model, repair.event.pmu());
    for group in repairs.chunk_by(|a, b| key(a) == key(b)) {
        let first = &group[0];
        let known = group.iter().filter(|repair| evidence.libpfm4(repair).is_some()).count();
        let versions = VERSIONS.map(|version| evidence.of_version(first, version)).join(" | ");
        let format = match &first.format {
            Some(format) => format!("`{format}`"),
            None => String::new(),
        };
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {versions} | {known} | {format} | {} |",
            first.kind.word(),
            first.model,
            first.event.pmu(),
            group.len(),
            fits(group),
        );
    }
    out
}

/// Whether the driver's formats can express the events of a group.
fn fits(group: &[Repair]) -> String {
    if group[0].kind == Kind::Precise {
        return String::new();
    }
    let fitting = group.iter().filter(|repair| repair.fits == Some(true)).count();
    match (group.iter().all(|repair| repair.fits.is_none()), fitting) {
        (true, _) => "unknown".to_owned(),
        (_, 0) => "no".to_owned(),
        (_, all) if all == group.len() => "yes".to_owned(),
        (_, some) => format!("{some}"),
    }
}

/// One row for each event and encoding: the models that have it so.
fn strings(out: &mut String, repairs: &[&Repair], evidence: &Evidence) {
    *out += "| PMU | event | source | correct | perf | libpfm4 | models |\n|---|---|---|---|---|---|---|\n";
    let mut rows: BTreeMap<[String; 6], Vec<&str>> = BTreeMap::new();
    for repair in repairs {
        let code = evidence.libpfm4(repair).map(|code| format!("`{code:#x}`")).unwrap_or_default();
        let row = [
            repair.event.pmu().to_owned(),
            repair.event.name().to_owned(),
            repair.of_source(),
            repair.wanted(),
            repair.now(),
            code,
        ];
        rows.entry(row).or_default().push(repair.model);
    }
    for ([pmu, event, source, wanted, now, code], models) in rows {
        let models = models.join(", ");
        let _ = writeln!(
            out,
            "| {pmu} | {event} | {source} | `{wanted}` | `{now}` | {code} | {models} |"
        );
    }
}

/// One row for each set of models: their events.
fn precise(out: &mut String, repairs: &[&Repair]) {
    *out += "| PMU | source | models | events |\n|---|---|---|---|\n";
    let mut models: BTreeMap<(&str, String, &str), Vec<&str>> = BTreeMap::new();
    for repair in repairs {
        let key = (repair.event.pmu(), repair.of_source(), repair.event.name());
        models.entry(key).or_default().push(repair.model);
    }
    let mut rows: BTreeMap<(&str, String, Vec<&str>), Vec<&str>> = BTreeMap::new();
    for ((pmu, source, event), models) in models {
        rows.entry((pmu, source, models)).or_default().push(event);
    }
    for ((pmu, source, models), events) in rows {
        let (models, events) = (models.join(", "), events.join(", "));
        let _ = writeln!(out, "| {pmu} | {source} | {models} | {events} |");
    }
}
