//! The meaning of a code: the config words, and the PMUs whose events may have
//! them.

use std::fmt::Write as _;

use pmu_events::__private::pmu;
use pmu_events::format::{Format, Formats, Word, Words};
use pmu_events::perf_type;
use pmu_events::sysfs::Pmu;

use super::notation::{self, Notation};
use super::{control, names};
use crate::pointer::pointed_out;
use crate::system::System;
use crate::trees::Trees;

/// Config words, and the PMU that they are for.
pub(crate) struct Meaning<'s> {
    /// The PMU that counts; `None` if the system has none of the type.
    pub(crate) pmu: Option<&'s Pmu>,
    pub(crate) type_: u32,
    /// The words as they are given.
    pub(crate) given: Words,
    /// The bits of `config` that select no event, and their names.
    pub(crate) control: (u64, Vec<&'static str>),
    /// How the code was read, if that is not plain.
    pub(crate) remarks: Vec<String>,
    /// Whether it is the code that a name has on another CPU.
    pub(crate) is_of_other_cpu: bool,
}

impl Meaning<'_> {
    /// Whether the kernel encodes the event, and the words are a number of its own.
    pub(crate) fn is_generic(&self) -> bool {
        is_generic(self.type_)
    }

    /// The words that select the event.
    pub(crate) fn words(&self) -> Words {
        let config = self.given.config() & !self.control.0;
        self.given.with(Word::Config, config)
    }

    fn is_same(&self, other: &Meaning<'_>) -> bool {
        let base = |pmu: Option<&Pmu>| pmu.map(|pmu| pmu::base_name(pmu.name()).to_string());
        let is_same_pmu = base(self.pmu) == base(other.pmu);
        is_same_pmu && self.given == other.given && self.type_ == other.type_
    }
}

/// What a text means, and why it does not mean an event of this CPU.
#[derive(Default)]
pub(crate) struct Read<'s> {
    pub(crate) meanings: Vec<Meaning<'s>>,
    pub(crate) error: Option<String>,
}

/// The meaning of a code, once for each PMU with events of its own.
pub(crate) fn read<'s>(system: &'s System, trees: &'static Trees, code: &str) -> Read<'s> {
    let mut read = Read::default();
    for text in event_strings(system, code) {
        match system.require(&text) {
            Ok(resolved) => {
                for one in &resolved {
                    let (type_, words) = (one.type_(), one.words());
                    // The same PMU, as one of the system instead of the resolution.
                    let named = one.pmu().and_then(|pmu| system.sysfs().pmu(pmu.name()));
                    for pmu in pmus_of(system, type_, words, named) {
                        read.add(meaning(pmu, type_, words));
                    }
                }
            }
            Err(error) => {
                let mut message = pointed_out(&text, &error);
                let is_read = read.of_other_tool(system, code)
                    || error.is_unknown_name() && read.of_other_cpu(system, trees, code);
                if !is_read && let Some(table) = names::of_other_vendor(system, trees, code) {
                    let _ = write!(message, "\nit is an event of {table}, another vendor's CPU");
                }
                if !is_read || read.meanings.iter().any(|one| one.is_of_other_cpu) {
                    read.error = Some(message);
                }
                break;
            }
        }
    }
    read
}

impl<'s> Read<'s> {
    fn add(&mut self, meaning: Meaning<'s>) {
        if !self.meanings.iter().any(|other| other.is_same(&meaning)) {
            self.meanings.push(meaning);
        }
    }

    /// Takes the code for a name as another tool spells it. Returns whether it is one.
    fn of_other_tool(&mut self, system: &'s System, code: &str) -> bool {
        for spelt in names::spelt(system, code) {
            let events: Vec<&str> = spelt.events.iter().map(|of| of.event.name()).collect();
            let remark = format!("read as {}", events.join(" + "));
            let type_ = spelt.pmu.type_().unwrap_or(Pmu::DYNAMIC);
            let own = meaning(Some(spelt.pmu), type_, spelt.words);
            self.add(Meaning { remarks: vec![remark], ..own });
        }
        !self.meanings.is_empty()
    }

    /// Takes the code for a name that other CPUs have. Returns whether it is one.
    fn of_other_cpu(&mut self, system: &'s System, trees: &'static Trees, code: &str) -> bool {
        for pmu in system.sysfs().core_pmus() {
            let Some(model) = system.model_of(pmu) else { continue };
            let Some(table) = trees.table_of(model) else { continue };
            let formats: Vec<(&str, Format)> = pmu.formats().collect();
            let all = names::elsewhere(trees, &table, code, Formats::new(&formats));
            for one in all.into_iter().take(MOST_ELSEWHERE) {
                let tables: Vec<&str> = one.tables.iter().map(|table| table.directory()).collect();
                let remark = format!(
                    "`{code}` is no event of {}; on {} it has this code",
                    table.directory(),
                    tables.join(", "),
                );
                let own = meaning(Some(pmu), pmu.type_().unwrap_or(Pmu::DYNAMIC), one.words);
                self.add(Meaning { remarks: vec![remark], is_of_other_cpu: true, ..own });
            }
        }
        !self.meanings.is_empty()
    }
}

/// More codes of a name on other CPUs are not shown.
const MOST_ELSEWHERE: usize = 3;

fn meaning(pmu: Option<&Pmu>, type_: u32, given: Words) -> Meaning<'_> {
    let of_core = pmu.into_iter().filter(|pmu| pmu.is_core() && !is_generic(type_));
    let formats: Vec<(&str, Format)> = of_core.flat_map(Pmu::formats).collect();
    let control = control::of(given, Formats::new(&formats));
    Meaning { pmu, type_, given, control, remarks: Vec::new(), is_of_other_cpu: false }
}

/// Whether the kernel encodes the events of a type, also where it has a PMU for them in sysfs.
fn is_generic(type_: u32) -> bool {
    [perf_type::HARDWARE, perf_type::SOFTWARE, perf_type::CACHE].contains(&type_)
}

/// The PMUs that count a generic event of a type: `perf_init_event` in `kernel/events/core.c`.
fn pmus_of_generic(system: &System, type_: u32, words: Words) -> Vec<Option<&Pmu>> {
    let of_type = |type_| system.sysfs().pmus().iter().find(|pmu| pmu.type_() == Some(type_));
    if type_ == perf_type::SOFTWARE {
        return vec![of_type(type_)];
    }
    let core = match words.config() >> 32 {
        0 => perf_type::RAW,
        core => core as u32,
    };
    let cores: Vec<_> = match of_type(core) {
        Some(core) => vec![Some(core)],
        // Arm's PMUs have types of their own, and each is asked.
        None if core == perf_type::RAW => system.sysfs().core_pmus().map(Some).collect(),
        None => Vec::new(),
    };
    if cores.is_empty() { vec![None] } else { cores }
}

fn pmus_of<'s>(
    system: &'s System,
    type_: u32,
    words: Words,
    named: Option<&'s Pmu>,
) -> Vec<Option<&'s Pmu>> {
    match (type_, named) {
        _ if is_generic(type_) => pmus_of_generic(system, type_, words),
        (perf_type::RAW, None) => system.sysfs().core_pmus().map(Some).collect(),
        (_, Some(pmu)) if pmu.type_() == Some(type_) => vec![Some(pmu)],
        _ => vec![None],
    }
}

/// A code in perf's notation for events. Bare terms and words apply to each core
/// PMU, or to the one that `pmu=` names.
fn event_strings(system: &System, code: &str) -> Vec<String> {
    let code = code.trim();
    if let Some(Notation { type_, terms }) = notation::of_others(code) {
        let of_type = |type_| system.sysfs().pmus().iter().find(|pmu| pmu.type_() == Some(type_));
        return match type_ {
            None => on_cores(system, &terms),
            Some(type_) => match of_type(type_) {
                Some(pmu) => vec![format!("{}/{terms}/", pmu.name())],
                // Of the generic types, `config` is the number.
                None => vec![format!("{type_}:{}", terms.trim_start_matches("config="))],
            },
        };
    }
    if let Some(digits) = code.strip_prefix("0x").or_else(|| code.strip_prefix("0X")) {
        return vec![format!("r{digits}")];
    }
    if let Some((pmu, terms)) = code.strip_suffix('/').and_then(|code| code.split_once('/'))
        && is_core_elsewhere(system, pmu)
    {
        return on_cores(system, terms);
    }
    if code.contains('/') || !code.contains('=') || code.contains(':') {
        return vec![code.into()];
    }
    let terms = code.split([',', ' ']).filter(|term| !term.is_empty());
    let (pmus, terms): (Vec<&str>, Vec<&str>) = terms.partition(|term| term.starts_with("pmu="));
    let terms = terms.join(",");
    match pmus.last() {
        Some(pmu) => vec![format!("{}/{terms}/", &pmu["pmu=".len()..])],
        None => on_cores(system, &terms),
    }
}

fn on_cores(system: &System, terms: &str) -> Vec<String> {
    system.sysfs().core_pmus().map(|pmu| format!("{}/{terms}/", pmu.name())).collect()
}

/// Whether a PMU that the system lacks is the name of a core PMU on other machines: built-in formats
/// have one name for all cores of Arm, and machines have `armv8_neoverse_n1`.
fn is_core_elsewhere(system: &System, pmu: &str) -> bool {
    let is_unknown = system.sysfs().matching(pmu).next().is_none();
    is_unknown
        && system.builtin.is_some()
        && ["armv8_", "armv9_"].iter().any(|own| pmu.starts_with(own))
}
