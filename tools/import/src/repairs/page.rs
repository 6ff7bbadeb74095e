//! `REPAIRS.md`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use pmu_events_core::__private::{self as core, Confidence};

use super::{Evidence, Kind, Repair, VERSIONS, Verdict};
use crate::origin::Publication;

const HEAD: &str = "# Repairs

Events that perf's tables get wrong and `arch/` has right. `tools/import` writes this page from `arch/`; what it
cannot compute is recorded in `overlay/evidence/`, by `tests/evidence/libpfm4` and `tests/kernel`. For each event:

- the numbers of the source;
- the format that Linux 6.12's driver has for what is lost, as in `/sys/bus/event_source/devices/<pmu>/format/`, and whether
  the correct event can be written with the driver's formats;
- the encoding of libpfm4 4.13.0, where it has the event by the same name;
- what the trees of Linux 6.1, 6.12, about 6.17 and 7.3 have: the correct event, the wrong one, another one, or none;
- how sure the correction is, in a word that `pmu list --details`, `pmu encode` and `PerfDiffers::evidence` have, too:

| word | meaning |
|---|---|
| confirmed | a tree of Linux or libpfm4 has the event as it is corrected |
| supported | only the source has it so, and the driver's formats can express what perf loses |
| stated | only the source has it so |
| disputed | libpfm4 has another code |
| incomplete | the source gives several events this encoding, without the match fields that tell them apart: they count the same, and are not counted as correct here |

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
        let correct = of_kind.iter().filter(|repair| is_complete(repair, evidence)).count();
        let _ = write!(out, "\n## {} ({correct})\n\n{}", kind.word(), about(kind));
        if correct < of_kind.len() {
            let _ = write!(
                out,
                " {} further events are incomplete: they have the right code, but all of them the same.",
                of_kind.len() - correct
            );
        }
        out += "\n\n";
        match kind {
            Kind::Precise => precise(&mut out, &of_kind, evidence),
            _ => strings(&mut out, &of_kind, evidence),
        }
    }
    out
}

/// How sure a correction is.
fn confidence(repair: &Repair, evidence: &Evidence) -> Option<Confidence> {
    if repair.kind == Kind::Precise {
        let is_right = evidence.of(repair)?.trees.contains(&Verdict::Correct);
        return Some(if is_right { Confidence::Confirmed } else { Confidence::Stated });
    }
    Some(core::confidence(repair.event.perf_differs()?.evidence()?))
}

/// Whether the event counts what its name says.
pub(super) fn is_complete(repair: &Repair, evidence: &Evidence) -> bool {
    confidence(repair, evidence) != Some(Confidence::Incomplete)
}

fn word_of_confidence(repair: &Repair, evidence: &Evidence) -> &'static str {
    confidence(repair, evidence).map_or("unknown", Confidence::word)
}

/// The versions that are known to have the event wrong: `6.12, 6.17, 7.3`.
fn wrong_in(repair: &Repair, evidence: &Evidence) -> String {
    let Some(recorded) = evidence.of(repair) else {
        return "unknown".to_owned();
    };
    let wrong = VERSIONS.iter().zip(recorded.trees).filter(|(_, one)| *one == Verdict::Wrong);
    wrong.map(|(version, _)| *version).collect::<Vec<_>>().join(", ")
}

/// What a version has of the events of a group: `120 wrong`.
fn of_version(group: &[Repair], evidence: &Evidence, version: usize) -> String {
    let of_verdict = |verdict: &Verdict| {
        let recorded = group.iter().filter_map(|repair| evidence.of(repair));
        recorded.filter(|recorded| recorded.trees[version] == *verdict).count()
    };
    let counts = Verdict::ALL.iter().map(|verdict| (of_verdict(verdict), verdict.word()));
    counted(counts)
}

fn counted<'w>(counts: impl Iterator<Item = (usize, &'w str)>) -> String {
    let parts =
        counts.filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}"));
    parts.collect::<Vec<_>>().join(", ")
}

/// One row for each kind, model and PMU.
pub(super) fn summary(repairs: &[Repair], evidence: &Evidence) -> String {
    let mut out = "| lost | model | PMU | events | Linux 6.1 | 6.12 | 6.17 | 7.3 | in libpfm4 | driver's format | fits | how sure |\n\
                   |---|---|---|---|---|---|---|---|---|---|---|---|\n"
        .to_owned();
    let key = |repair: &Repair| (repair.kind, repair.model, repair.event.pmu());
    for group in repairs.chunk_by(|a, b| key(a) == key(b)) {
        let first = &group[0];
        let known = group.iter().filter(|repair| evidence.libpfm4(repair).is_some()).count();
        let versions: Vec<String> =
            (0..VERSIONS.len()).map(|version| of_version(group, evidence, version)).collect();
        let versions = versions.join(" | ");
        let mut degrees: BTreeMap<&str, usize> = BTreeMap::new();
        for repair in group {
            *degrees.entry(word_of_confidence(repair, evidence)).or_default() += 1;
        }
        let degrees = counted(degrees.into_iter().map(|(word, count)| (count, word)));
        let format = match &first.format {
            Some(format) => format!("`{format}`"),
            None => String::new(),
        };
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {versions} | {known} | {format} | {} | {degrees} |",
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
    *out += "| PMU | event | source | correct | perf | libpfm4 | wrong in | how sure | models |\n\
             |---|---|---|---|---|---|---|---|---|\n";
    let mut rows: BTreeMap<[String; 8], Vec<&str>> = BTreeMap::new();
    for repair in repairs {
        let code = evidence.libpfm4(repair).map(|code| format!("`{code:#x}`")).unwrap_or_default();
        let row = [
            repair.event.pmu().to_owned(),
            repair.event.name().to_owned(),
            repair.of_source(),
            repair.wanted(),
            repair.now(),
            code,
            wrong_in(repair, evidence),
            word_of_confidence(repair, evidence).to_owned(),
        ];
        rows.entry(row).or_default().push(repair.model);
    }
    for ([pmu, event, source, wanted, now, code, wrong, degree], models) in rows {
        let models = models.join(", ");
        let _ = writeln!(
            out,
            "| {pmu} | {event} | {source} | `{wanted}` | `{now}` | {code} | {wrong} | {degree} | {models} |"
        );
    }
}

/// One row for each set of models: their events.
fn precise(out: &mut String, repairs: &[&Repair], evidence: &Evidence) {
    *out += "| PMU | source | wrong in | how sure | models | events |\n|---|---|---|---|---|---|\n";
    type Of<'r> = (&'r str, String, String, &'r str);
    let mut models: BTreeMap<(Of<'_>, &str), Vec<&str>> = BTreeMap::new();
    for repair in repairs {
        let degree = word_of_confidence(repair, evidence);
        let of = (repair.event.pmu(), repair.of_source(), wrong_in(repair, evidence), degree);
        models.entry((of, repair.event.name())).or_default().push(repair.model);
    }
    let mut rows: BTreeMap<(Of<'_>, Vec<&str>), Vec<&str>> = BTreeMap::new();
    for ((of, event), models) in models {
        rows.entry((of, models)).or_default().push(event);
    }
    for (((pmu, source, wrong, degree), models), events) in rows {
        let (models, events) = (models.join(", "), events.join(", "));
        let _ = writeln!(out, "| {pmu} | {source} | {wrong} | {degree} | {models} | {events} |");
    }
}
