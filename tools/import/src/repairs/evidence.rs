//! What is recorded about repaired events: `overlay/evidence/`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use pmu_events_core::event::Precise;
use pmu_events_core::name;
use pmu_events_core::{Event, Tree};

use super::{Kind, Repair, terms};
use crate::problem::Place;
use crate::problem::Problems;

/// The versions of Linux whose trees are compared.
pub const VERSIONS: [&str; 3] = ["6.1", "6.12", "6.17"];

/// How a tree of perf's has a repaired event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// As the source has it.
    Correct,
    /// As `arch/` says that perf has it.
    Wrong,
    /// In a third way.
    Other,
    /// It lacks the event.
    Absent,
}

impl Verdict {
    const ALL: [Verdict; 4] = [Verdict::Correct, Verdict::Wrong, Verdict::Other, Verdict::Absent];

    fn word(self) -> &'static str {
        match self {
            Verdict::Correct => "correct",
            Verdict::Wrong => "wrong",
            Verdict::Other => "other",
            Verdict::Absent => "absent",
        }
    }
}

/// Counts of verdicts, in the order of [`Verdict`].
type Counts = [usize; 4];

/// The files of `overlay/evidence/`.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// Codes of libpfm4 by model and event.
    libpfm4: BTreeMap<(String, String), u64>,
    /// What each version has of the events of one kind, model and PMU.
    perf: BTreeMap<(String, String, String, String), Counts>,
}

impl Evidence {
    /// Reads the files of an overlay; what is missing is unknown.
    #[must_use]
    pub fn read(overlay: &Path, problems: &mut Problems) -> Evidence {
        let mut evidence = Evidence::default();
        for [model, event, code] in
            rows(overlay, "libpfm4.csv", ["Model", "Event", "Code"], problems)
        {
            if let Some(code) = crate::record::number(&code) {
                evidence.libpfm4.insert((model, event), code);
            }
        }
        for [kind, model, pmu, version, counts @ ..] in rows(overlay, "perf.csv", HEADER, problems)
        {
            let counts = counts.map(|count| count.parse().unwrap_or_default());
            evidence.perf.insert((kind, model, pmu, version), counts);
        }
        evidence
    }

    /// libpfm4's code for an event.
    #[must_use]
    pub fn libpfm4(&self, repair: &Repair) -> Option<u64> {
        let key = (repair.model.to_owned(), repair.event.name().to_owned());
        self.libpfm4.get(&key).copied()
    }

    /// The number of libpfm4's codes.
    #[must_use]
    pub fn libpfm4_count(&self) -> usize {
        self.libpfm4.len()
    }

    /// What a version of Linux has of the events of one kind, model and PMU:
    /// `120 wrong`.
    pub(super) fn of_version(&self, repair: &Repair, version: &str) -> String {
        let counts = self.counts(repair, version);
        let parts = Verdict::ALL.iter().zip(counts).filter(|(_, count)| *count > 0);
        let parts: Vec<String> =
            parts.map(|(verdict, count)| format!("{count} {}", verdict.word())).collect();
        parts.join(", ")
    }

    /// How many events of one kind, model and PMU a version of Linux has right.
    pub(super) fn correct(&self, repair: &Repair, version: &str) -> usize {
        self.counts(repair, version)[0]
    }

    fn counts(&self, repair: &Repair, version: &str) -> Counts {
        let key = [repair.kind.word(), repair.model, repair.event.pmu(), version];
        let [kind, model, pmu, version] = key.map(str::to_owned);
        self.perf.get(&(kind, model, pmu, version)).copied().unwrap_or_default()
    }
}

const HEADER: [&str; 8] = ["Kind", "Model", "PMU", "Linux", "Correct", "Wrong", "Other", "Absent"];

fn rows<const N: usize>(
    overlay: &Path,
    file: &str,
    header: [&str; N],
    problems: &mut Problems,
) -> Vec<[String; N]> {
    let path = overlay.join("evidence").join(file);
    let Ok(text) = fs::read_to_string(&path) else {
        return Vec::new();
    };
    let mut rows = Vec::new();
    for (line, row) in text.lines().enumerate() {
        let row: Vec<String> = row.split(',').map(str::to_owned).collect();
        match <[String; N]>::try_from(row) {
            Ok(row) if line == 0 && row == header => {}
            Ok(row) if line > 0 => rows.push(row),
            _ => {
                let place =
                    Place { path: path.to_string_lossy().into_owned(), line: line + 1, column: 1 };
                problems.error(place, format!("expected the columns {}", header.join(",")));
            }
        }
    }
    rows
}

/// The file `perf.csv`, from perf's own trees: a version and its tree.
#[must_use]
pub fn compared(repairs: &[Repair], trees: &[(&str, &'static Tree)]) -> String {
    let mut counts: BTreeMap<(Kind, &str, &str, usize), Counts> = BTreeMap::new();
    for repair in repairs {
        for (number, (_, tree)) in trees.iter().enumerate() {
            let key = (repair.kind, repair.model, repair.event.pmu(), number);
            counts.entry(key).or_default()[verdict(repair, tree) as usize] += 1;
        }
    }
    let mut out = HEADER.join(",") + "\n";
    for ((kind, model, pmu, number), counts) in counts {
        let counts = counts.map(|count| count.to_string()).join(",");
        out += &format!("{},{model},{pmu},{},{counts}\n", kind.word(), trees[number].0);
    }
    out
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
