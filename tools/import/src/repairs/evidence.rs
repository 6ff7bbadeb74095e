//! What is recorded about repaired events: `overlay/evidence/`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use pmu_events_core::__private::glob;
use pmu_events_core::__private::name;
use pmu_events_core::event::Precise;
use pmu_events_core::{Event, Tree};

use super::{Kind, Repair, VERSIONS, terms};
use crate::problem::{Place, Problems};
use crate::record::{self, Record};

/// How a tree of perf's has a repaired event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// As the source has it.
    Correct,
    /// As perfmon's script has it.
    Wrong,
    /// In a third way.
    Other,
    /// It lacks the event.
    Absent,
}

impl Verdict {
    /// All of them, in the order of the pages.
    pub const ALL: [Verdict; 4] =
        [Verdict::Correct, Verdict::Wrong, Verdict::Other, Verdict::Absent];

    /// The word of `perf.csv`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Correct => "correct",
            Verdict::Wrong => "wrong",
            Verdict::Other => "other",
            Verdict::Absent => "absent",
        }
    }
}

/// What is recorded of one thing that perf loses of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// What the tree of each version has.
    pub trees: [Verdict; VERSIONS.len()],
    /// Whether the driver's formats can express the event; `None` if they are not known.
    pub fits: Option<bool>,
}

/// The files of `overlay/evidence/`.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// Codes of libpfm4 by model and event.
    libpfm4: BTreeMap<(String, String), u64>,
    /// By the word of the kind, model, PMU and event.
    perf: BTreeMap<[String; 4], Recorded>,
}

/// Events to which the source gives one encoding, without the match fields that tell
/// them apart: a model, and a glob of their names.
const SHARED: &[(&str, &str)] = &[("ivytown", "UNC_Q_MESSAGE.*")];

impl Evidence {
    /// Reads the files of an overlay; what is missing is unknown.
    #[must_use]
    pub fn read(overlay: &Path, problems: &mut Problems) -> Evidence {
        let mut evidence = Evidence::default();
        let header = ["Model", "Event", "Code"];
        for (_, [model, event, code]) in rows(overlay, "libpfm4.csv", header, problems) {
            if let Some(code) = record::number(&code) {
                evidence.libpfm4.insert((model, event), code);
            }
        }
        for (place, row) in rows(overlay, "perf.csv", header_of_perf(), problems) {
            let [kind, model, pmu, event, format, trees @ ..] = row;
            let verdict = |word: String| Verdict::ALL.into_iter().find(|one| one.word() == word);
            let trees = trees.map(verdict);
            let fits = match &*format {
                "yes" => Some(true),
                "no" => Some(false),
                _ => None,
            };
            if trees.contains(&None) {
                let words = Verdict::ALL.map(Verdict::word).join(", ");
                problems.error(place, format!("expected {words} for each version of Linux"));
                continue;
            }
            let trees = trees.map(|verdict| verdict.unwrap_or(Verdict::Absent));
            evidence.perf.insert([kind, model, pmu, event], Recorded { trees, fits });
        }
        evidence
    }

    /// libpfm4's code for an event.
    #[must_use]
    pub fn libpfm4(&self, repair: &Repair) -> Option<u64> {
        self.libpfm4_of(repair.model, repair.event.name())
    }

    fn libpfm4_of(&self, model: &str, event: &str) -> Option<u64> {
        self.libpfm4.get(&(model.to_owned(), event.to_owned())).copied()
    }

    /// The number of libpfm4's codes.
    #[must_use]
    pub fn libpfm4_count(&self) -> usize {
        self.libpfm4.len()
    }

    /// What is recorded of a repair.
    #[must_use]
    pub fn of(&self, repair: &Repair) -> Option<Recorded> {
        let Repair { kind, model, event, .. } = repair;
        self.recorded(kind.word(), model, event.pmu(), event.name())
    }

    fn recorded(&self, kind: &str, model: &str, pmu: &str, event: &str) -> Option<Recorded> {
        self.perf.get(&[kind, model, pmu, event].map(str::to_owned)).copied()
    }

    /// The value of `PerfEvidence` of a record with `PerfLoses`; `None` if nothing is known.
    #[must_use]
    pub fn text(&self, model: &str, record: &Record) -> Option<String> {
        let (name, losses) = (record.name()?, record.get("PerfLoses")?);
        let pmu = pmu_of(record.get("Unit"));
        let mut parts: Vec<String> = Vec::new();
        let (mut is_known, mut has_format) = (false, false);
        for kind in losses.split(',').map(str::trim) {
            let Some(recorded) = self.recorded(kind, model, &pmu, name) else {
                continue;
            };
            is_known = true;
            let words = match kind == Kind::Precise.word() {
                true => [("imprecise in", Verdict::Wrong), ("precise in", Verdict::Correct)],
                false => [("wrong in", Verdict::Wrong), ("right in", Verdict::Correct)],
            };
            has_format |= recorded.fits == Some(true) && kind != Kind::Precise.word();
            for (word, verdict) in words {
                let of_verdict = VERSIONS.iter().zip(recorded.trees);
                let versions = of_verdict.filter(|(_, one)| *one == verdict);
                let versions: Vec<&str> = versions.map(|(version, _)| *version).collect();
                if !versions.is_empty() {
                    parts.push(format!("{word} {}", versions.join(",")));
                }
            }
        }
        if !is_known {
            return None;
        }
        parts.extend(has_format.then(|| "driver".to_owned()));
        if let Some(code) = self.libpfm4_of(model, name) {
            let word = if code == code_of(record) { "libpfm4" } else { "not libpfm4" };
            parts.push(word.to_owned());
        }
        let is_shared = |(of, names): &(&str, &str)| *of == model && glob::matches(names, name);
        parts.extend(SHARED.iter().any(is_shared).then(|| "shared".to_owned()));
        if parts.is_empty() {
            parts.push("in no tree".to_owned());
        }
        Some(parts.join("; "))
    }
}

/// The event, umask and extra select bit as libpfm4 has them.
fn code_of(record: &Record) -> u64 {
    let number = |key: &str| record.get(key).and_then(record::number).unwrap_or_default();
    number("EventCode") | number("UMask") << 8 | number("ExtSel") << 21
}

/// The PMU of a unit, as the compiler finds it.
fn pmu_of(unit: Option<&str>) -> String {
    match unit {
        None => pmu_events_core::pmu::DEFAULT_CORE.to_owned(),
        Some(unit) => pmu_events_core::__private::pmu::of_unit(unit)
            .map_or_else(|| format!("uncore_{}", unit.to_ascii_lowercase()), str::to_owned),
    }
}

fn header_of_perf() -> [&'static str; 5 + VERSIONS.len()] {
    let mut header = ["Kind", "Model", "PMU", "Event", "Format", "", "", "", ""];
    header[5..].copy_from_slice(&VERSIONS);
    header
}

fn rows<const N: usize>(
    overlay: &Path,
    file: &str,
    header: [&str; N],
    problems: &mut Problems,
) -> Vec<(Place, [String; N])> {
    let path = overlay.join("evidence").join(file);
    let Ok(text) = fs::read_to_string(&path) else {
        return Vec::new();
    };
    let mut rows = Vec::new();
    for (line, row) in text.lines().enumerate() {
        let row: Vec<String> = row.split(',').map(str::to_owned).collect();
        let place = Place { path: path.to_string_lossy().into_owned(), line: line + 1, column: 1 };
        match <[String; N]>::try_from(row) {
            Ok(row) if line == 0 && row == header => {}
            Ok(row) if line > 0 => rows.push((place, row)),
            _ => problems.error(place, format!("expected the columns {}", header.join(","))),
        }
    }
    rows
}

/// The file `perf.csv`, from perf's own trees, in the order of [`VERSIONS`].
#[must_use]
pub fn compared(repairs: &[Repair], trees: &[&'static Tree; VERSIONS.len()]) -> String {
    let mut lines: Vec<String> = repairs
        .iter()
        .map(|repair| {
            let verdicts = trees.map(|tree| verdict(repair, tree).word()).join(",");
            let format = match repair.fits {
                Some(true) => "yes",
                Some(false) => "no",
                None => "",
            };
            let Repair { kind, model, event, .. } = repair;
            let (kind, pmu, name) = (kind.word(), event.pmu(), event.name());
            format!("{kind},{model},{pmu},{name},{format},{verdicts}\n")
        })
        .collect();
    lines.sort();
    lines.dedup();
    header_of_perf().join(",") + "\n" + &lines.concat()
}

fn verdict(repair: &Repair, tree: &'static Tree) -> Verdict {
    let own = repair.event;
    let is_same = |event: &Event| name::eq(event.name(), own.name()) && event.pmu() == own.pmu();
    let model = tree.model_named(repair.model);
    let Some(theirs) = model.and_then(|model| model.events().find(is_same)) else {
        return Verdict::Absent;
    };
    if repair.kind == Kind::Precise {
        let is_precise = theirs.precise() != Precise::No;
        return if is_precise { Verdict::Correct } else { Verdict::Wrong };
    }
    let perf = own.perf_differs().map_or("", |differs| differs.event_string());
    match terms(theirs.event_string()) {
        theirs if theirs == terms(own.event_string()) => Verdict::Correct,
        theirs if theirs == terms(perf) => Verdict::Wrong,
        _ => Verdict::Other,
    }
}
