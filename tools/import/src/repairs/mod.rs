//! What perf's tables get wrong and `arch/` has right: every repaired event, and the
//! pages that list them with the evidence.
//!
//! The events come from the compiled trees, so that the pages say what a program
//! sees. What cannot be computed is recorded in `overlay/evidence/`: the encodings
//! of libpfm4 (`tests/evidence/libpfm4`) and what perf's own trees have
//! (`tests/kernel`).

mod evidence;
mod page;
mod upstream;

use std::fs;
use std::path::{Path, PathBuf};

use pmu_events_compiler::{Compiled, Options, Source, Text, compile};
use pmu_events_core::builtin;
use pmu_events_core::config::encode;
use pmu_events_core::event::Precise;
use pmu_events_core::format::Word;
use pmu_events_core::term::Terms;
use pmu_events_core::{Event, Tree};

use crate::arch::Arch;
use crate::origin::Publication;

pub use evidence::{Evidence, Recorded, Verdict, compared};
pub use page::page;
pub use upstream::with_tables;

/// The versions of Linux whose trees are compared.
pub use pmu_events_core::__private::wire::record::repair::VERSIONS;

/// Says of each repaired event of an architecture what supports its correction:
/// `PerfEvidence`.
pub fn state(arch: &mut Arch, evidence: &Evidence) {
    for (directory, files) in &mut arch.tables {
        for record in files.values_mut().flatten() {
            if let Some(text) = evidence.text(directory, record) {
                record.set("PerfEvidence", text);
            }
        }
    }
}

/// The page's file, beside the directory of architectures.
pub const FILE: &str = "REPAIRS.md";

/// The document whose tables are generated, beside the directory of architectures.
const UPSTREAM: &str = "UPSTREAM.md";

/// The texts of both files, for the directory of architectures `out`.
///
/// # Errors
///
/// What keeps them from being made.
pub fn files(
    out: &Path,
    evidence: &Evidence,
    publications: &[Publication],
) -> Result<Vec<(PathBuf, String)>, String> {
    // perf's losses are those of a script that converts Intel's data.
    files_of(&of_arch(&out.join("x86"))?, out, evidence, publications)
}

/// The same of repairs that are known.
///
/// # Errors
///
/// What keeps the texts from being made.
pub fn files_of(
    repairs: &[Repair],
    out: &Path,
    evidence: &Evidence,
    publications: &[Publication],
) -> Result<Vec<(PathBuf, String)>, String> {
    let mut files = vec![(out.with_file_name(FILE), page(repairs, evidence, publications))];
    let upstream = out.with_file_name(UPSTREAM);
    if let Ok(document) = fs::read_to_string(&upstream) {
        let text = with_tables(&document, repairs, evidence);
        files.push((upstream, text.map_err(|why| format!("{UPSTREAM}: {why}"))?));
    }
    Ok(files)
}

/// What perf's tables lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The bits of the event code above the lower eight.
    ExtSel,
    /// The extension of a zero umask.
    UMaskExt,
    /// The umask of the second register.
    Register,
    /// The register of a filter.
    Filter,
    /// That an event can be sampled precisely.
    Precise,
}

impl Kind {
    /// All kinds, in the order of the pages.
    pub const ALL: [Kind; 5] =
        [Kind::ExtSel, Kind::UMaskExt, Kind::Register, Kind::Filter, Kind::Precise];

    /// The word of `PerfLoses`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Kind::ExtSel => "ExtSel",
            Kind::UMaskExt => "UMaskExt",
            Kind::Register => "Register",
            Kind::Filter => "Filter",
            Kind::Precise => "Precise",
        }
    }

    fn of_event(self, event: Event) -> bool {
        event.perf_differs().is_some_and(|differs| match self {
            Kind::ExtSel => differs.loses_ext_sel(),
            Kind::UMaskExt => differs.loses_umask_extension(),
            Kind::Register => differs.has_other_register(),
            Kind::Filter => differs.has_other_filter(),
            Kind::Precise => differs.loses_precision(),
        })
    }

    /// The term that carries what is lost.
    fn term(self) -> Option<&'static str> {
        match self {
            Kind::ExtSel => Some("event"),
            Kind::UMaskExt | Kind::Register => Some("umask"),
            Kind::Filter | Kind::Precise => None,
        }
    }
}

/// An event, and one thing that perf loses of it.
#[derive(Clone, Debug)]
pub struct Repair {
    /// What perf loses.
    pub kind: Kind,
    /// The model's directory.
    pub model: &'static str,
    /// The event.
    pub event: Event,
    /// What the driver has for what is lost, if it is known.
    pub format: Option<String>,
    /// Whether the driver's formats can express the event; `None` if they are not
    /// known.
    pub fits: Option<bool>,
}

impl Repair {
    /// The event string without the sampling period.
    #[must_use]
    pub fn wanted(&self) -> String {
        without_period(self.event.event_string())
    }

    /// perf's.
    #[must_use]
    pub fn now(&self) -> String {
        without_period(self.event.perf_differs().map_or("", |differs| differs.event_string()))
    }

    /// The source's numbers for what perf loses.
    #[must_use]
    pub fn of_source(&self) -> String {
        let number = |name| self.event.terms().last_named(name).and_then(|term| term.number());
        match self.kind {
            Kind::ExtSel => {
                let code = number("event").unwrap_or_default();
                format!("EventCode {:#x}, ExtSel {}", code & 0xff, code >> 8)
            }
            Kind::UMaskExt => {
                let umask = number("umask").unwrap_or_default();
                format!("UMask {:#x}, UMaskExt {:#x}", umask & 0xff, umask >> 8)
            }
            Kind::Register => {
                let register = self.event.msr().map_or(0, |msr| msr.index());
                format!("UMask 1,{}, MSRIndex {register:#x}", number("umask").unwrap_or_default())
            }
            Kind::Filter => {
                format!("Filter1 {:#x}", number("config1").unwrap_or_default() >> 32)
            }
            Kind::Precise => match self.event.precise() {
                Precise::Required => "Precise 2".to_owned(),
                _ => "Precise 1".to_owned(),
            },
        }
    }
}

/// Reads the architecture `path` and lists its repaired events.
///
/// # Errors
///
/// The compiler's report on a tree that does not compile.
pub fn of_arch(path: &Path) -> Result<Vec<Repair>, String> {
    let mut options = Options::default();
    options.text = Text::None;
    options.metrics = false;
    let source = Source::read(path, &path.to_string_lossy(), &options);
    let compiled = compile(&source, &options).map_err(|refused| refused.errors.to_string())?;
    // The tables of a tree are static.
    Ok(of_compiled(Box::leak(Box::new(compiled))))
}

/// Lists the repaired events of a compiled architecture.
#[must_use]
pub fn of_compiled(compiled: &'static Compiled) -> Vec<Repair> {
    let cpuids: Vec<(String, &str)> = compiled
        .rows
        .iter()
        .map(|row| (example(&row.pattern), compiled.models[row.model].directory.as_str()))
        .collect();
    let tree: &'static Tree = Box::leak(Box::new(Tree::new(&compiled.strings, &compiled.tables)));
    let mut repairs = Vec::new();
    for model in tree.models() {
        let cpuid = cpuids.iter().find(|(_, directory)| *directory == model.name());
        let cpuid = cpuid.map_or("", |(cpuid, _)| cpuid.as_str());
        for event in model.events() {
            for kind in Kind::ALL.into_iter().filter(|kind| kind.of_event(event)) {
                let formats = builtin::of_pmu(cpuid, event.pmu());
                let format = formats.and_then(|formats| match kind.term() {
                    Some(term) => Some(format!("{term}: {}", formats.find(term)?)),
                    None if kind == Kind::Filter => {
                        let high = formats.as_slice().iter().filter(|(_, format)| {
                            format.word() == Word::Config1 && format.mask() >> 32 != 0
                        });
                        let names: Vec<&str> = high.map(|&(name, _)| name).collect();
                        Some(names.join(", "))
                    }
                    None => None,
                });
                let fits = formats.map(|formats| encode(event.terms(), formats).is_ok());
                repairs.push(Repair { kind, model: model.name(), event, format, fits });
            }
        }
    }
    repairs.sort_by_key(|repair| (repair.kind, repair.model, repair.event.pmu()));
    repairs
}

fn without_period(event_string: &str) -> String {
    let terms = event_string.split(',').filter(|term| !term.starts_with("period="));
    terms.collect::<Vec<_>>().join(",")
}

/// A CPUID that a pattern of a map file matches, if it has only sets and
/// alternatives: enough to find a driver's formats.
fn example(pattern: &str) -> String {
    let mut example = String::new();
    let mut rest = pattern.chars();
    while let Some(c) = rest.next() {
        match c {
            '[' => {
                example.extend(rest.next());
                rest.by_ref().find(|&c| c == ']');
            }
            '(' => {}
            '|' => {
                rest.by_ref().find(|&c| c == ')');
            }
            ')' => {}
            other => example.push(other),
        }
    }
    example
}

/// The terms of an event string and their values, without the sampling period.
fn terms(event_string: &str) -> Vec<(&str, Option<u64>, Option<&str>)> {
    let mut terms: Vec<_> = Terms::new(event_string)
        .filter(|term| term.name() != "period")
        .map(|term| (term.name(), term.number(), term.value().filter(|_| term.number().is_none())))
        .collect();
    terms.sort();
    terms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_of_patterns() {
        for (pattern, expected) in [
            ("GenuineIntel-6-2D", "GenuineIntel-6-2D"),
            ("GenuineIntel-6-55-[56789ABCDEF]", "GenuineIntel-6-55-5"),
            ("GenuineIntel-6-(C5|C6|B5)", "GenuineIntel-6-C5"),
            ("GenuineIntel-18-[13]", "GenuineIntel-18-1"),
        ] {
            assert_eq!(example(pattern), expected);
        }
    }

    #[test]
    fn strings_without_their_period() {
        assert_eq!(without_period("event=0xb7,period=100,umask=1"), "event=0xb7,umask=1");
        assert_eq!(terms("umask=0x1,event=2,period=3"), terms("event=0x2,umask=1"));
        assert_ne!(terms("event=2"), terms("event=2,umask=1"));
    }
}
