//! The verdict on a candidate: what its code counts on a CPU, and what the vendor has for its name.
//!
//! A verdict is a finding only if the tables say so. A name that no table of the vendor has, with a
//! code that counts something, is the program's own name, and no error.

mod bench;
mod generic;
mod metric;
mod part;
mod uncore;

use std::collections::HashMap;

use pmu_events::format::Words;

use super::candidate::{Candidate, Name};
use super::cpu::Cpu;
use crate::decode::architecture;
use crate::decode::codes::Found;
use crate::decode::restriction;
use crate::decode::{self, coded::OfModel};
use crate::failure::Failure;
use crate::trees::{Table, Trees};
pub(super) use generic::of as of_generic;

use bench::{Bench, Core, Reading};

/// What is found out about a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Judgement {
    pub(crate) verdict: Verdict,
    /// What the code counts, or the name means; facts of the tables.
    pub(crate) evidence: String,
    /// What to write instead.
    pub(crate) fix: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Verdict {
    /// The code counts something else than the vendor's event of that name.
    AnotherEvent,
    /// The CPU has no such event or metric.
    NotOnThisCpu,
    /// The code counts a part of what the name says.
    OnlyAPart,
    /// A program takes the CPU for another.
    AnotherModel,
    /// The vendor has replaced the event.
    Deprecated,
    Right,
    /// The code counts something, and the name is not one of the vendor's for this CPU.
    OwnName,
    /// Nothing tells whether it is right.
    Open,
}

impl Verdict {
    pub(crate) const FINDINGS: [Verdict; 5] = [
        Verdict::AnotherEvent,
        Verdict::NotOnThisCpu,
        Verdict::OnlyAPart,
        Verdict::AnotherModel,
        Verdict::Deprecated,
    ];

    /// The name in outputs.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Verdict::AnotherEvent => "another-event",
            Verdict::NotOnThisCpu => "not-on-this-cpu",
            Verdict::OnlyAPart => "only-a-part",
            Verdict::AnotherModel => "another-model",
            Verdict::Deprecated => "deprecated",
            Verdict::Right => "right",
            Verdict::OwnName => "own-name",
            Verdict::Open => "open",
        }
    }

    /// What there is besides findings.
    pub(crate) const OTHERS: [Verdict; 3] = [Verdict::Right, Verdict::OwnName, Verdict::Open];

    pub(crate) fn is_finding(self) -> bool {
        Self::FINDINGS.contains(&self)
    }
}

/// Judges candidates, and keeps what is read of each CPU.
pub(crate) struct Judge {
    trees: &'static Trees,
    benches: HashMap<&'static str, Bench>,
    metrics: metric::Metrics,
}

impl Judge {
    pub(crate) fn new(trees: &'static Trees) -> Self {
        Judge { trees, benches: HashMap::new(), metrics: metric::Metrics::new(trees) }
    }

    /// The table that a CPU has.
    pub(crate) fn table(&mut self, cpu: Cpu) -> Result<Table, Failure> {
        Ok(self.bench(cpu)?.table)
    }

    fn bench(&mut self, cpu: Cpu) -> Result<&Bench, Failure> {
        if !self.benches.contains_key(cpu.model) {
            self.benches.insert(cpu.model, Bench::new(self.trees, cpu.model)?);
        }
        Ok(&self.benches[cpu.model])
    }

    /// The verdict for a CPU. On one with several kinds of cores, it is enough if one of them has the
    /// event.
    pub(crate) fn judge(&mut self, one: &Candidate, cpu: Cpu) -> Result<Judgement, Failure> {
        if let Some(name @ (Name::Metric(_) | Name::Node(_))) = &one.name {
            self.bench(cpu)?;
            return Ok(self.metrics.judge(&self.benches[cpu.model], cpu, name));
        }
        let bench = self.bench(cpu)?;
        let is_meant = |core: &&Core| cpu.core.is_none_or(|name| core.name == name);
        let judged = bench.cores.iter().filter(is_meant).map(|core| of_core(bench, core, one));
        // The best of them: the order of verdicts begins with the worst.
        let best = judged.max_by_key(|judgement| rank(judgement.verdict));
        Ok(best.unwrap_or_else(|| open("the CPU has no PMU whose formats are known")))
    }
}

fn rank(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Right => 6,
        Verdict::Deprecated => 5,
        Verdict::OwnName => 4,
        Verdict::Open => 3,
        Verdict::OnlyAPart => 2,
        Verdict::AnotherEvent | Verdict::AnotherModel => 1,
        Verdict::NotOnThisCpu => 0,
    }
}

impl Judgement {
    fn new(verdict: Verdict, evidence: impl Into<String>) -> Self {
        Judgement { verdict, evidence: evidence.into(), fix: None }
    }

    pub(crate) fn open(why: impl Into<String>) -> Self {
        Judgement::new(Verdict::Open, why)
    }
}

fn open(why: impl Into<String>) -> Judgement {
    Judgement::open(why)
}

fn right(evidence: impl Into<String>) -> Judgement {
    Judgement::new(Verdict::Right, evidence)
}

fn of_core(bench: &Bench, core: &Core, one: &Candidate) -> Judgement {
    let Some(code) = &one.code else {
        return match &one.name {
            Some(name) => of_name(bench, core, name.text()),
            None => open("neither a name nor a code"),
        };
    };
    if let Some(pmu) = &code.pmu
        && !bench.is_core(pmu)
    {
        return uncore::of(bench, pmu, &code.terms, one.name.as_ref());
    }
    let readings = core.readings(code);
    if readings.is_empty() {
        return open(format!("`{}` has no such terms: {}", core.name, code.terms));
    }
    let is_named = matches!(one.name, Some(Name::Event(_)));
    let counted = readings.into_iter().map(|Reading { terms, words }| {
        let found = core.find(words, !is_named);
        Counted { terms, words, found }
    });
    let mut counted: Vec<Counted> = counted.collect();
    // A reading that counts nothing is a misreading beside one that counts something.
    if counted.iter().any(|reading| reading.found.is_known()) {
        counted.retain(|reading| reading.found.is_known());
    }
    let judged = counted.into_iter().map(|counted| {
        if code.is_of_any_pmu && one.name.is_none() && !counted.found.is_known() {
            return open(format!("{}; it may be a code of another PMU", counted.sentence()));
        }
        match &one.name {
            Some(Name::Event(name)) => of_both(bench, core, name, &counted),
            Some(name) => of_label(bench, core, Some(name.text()), &counted),
            None => of_label(bench, core, None, &counted),
        }
    });
    // The last of equals is taken, and the first reading is the usual one.
    let judged: Vec<Judgement> = judged.collect();
    let best = judged.into_iter().rev().max_by_key(|judgement| rank(judgement.verdict));
    best.unwrap_or_else(|| open("the code has no reading"))
}

/// A code, and what it counts.
struct Counted {
    terms: String,
    words: Words,
    found: Found,
}

impl Counted {
    /// In words.
    fn sentence(&self) -> String {
        match names_of(&self.found) {
            names if names.is_empty() => format!("no event has {}", self.terms),
            names => format!("{} counts {names}", self.terms),
        }
    }
}

/// A name alone.
fn of_name(bench: &Bench, core: &Core, name: &str) -> Judgement {
    let named = core.named(name);
    if let Some(event) = named.first().copied().or_else(|| bench.elsewhere_on_cpu(name)) {
        return replaced(event).unwrap_or_else(|| right(described(event)));
    }
    match bench.kin(core, name) {
        Some(kin) => {
            let counted = kin.words().map(|words| core.find(words, false)).unwrap_or_default();
            let here = names_of(&counted);
            let tables = listed(&kin.tables);
            let evidence = match here.is_empty() {
                true => format!("only on {tables}"),
                false => format!("only on {tables}; its code counts {here} here"),
            };
            match bench.is_complete() {
                true => Judgement::new(Verdict::NotOnThisCpu, evidence),
                false => open(evidence),
            }
        }
        None => match (bench.other_vendor(name), decode::generic::event_of_name(name)) {
            (_, Some(event)) => of_generic(event, None),
            // A name without a dot may be a word of the program's own.
            (Some(table), _) => {
                let evidence = format!("an event of {table}, another vendor's CPU");
                match name.contains(['.', ':']) {
                    true => Judgement::new(Verdict::NotOnThisCpu, evidence),
                    false => open(evidence),
                }
            }
            (None, None) => open("no table has an event of this name"),
        },
    }
}

/// A name of an event with a code.
fn of_both(bench: &Bench, core: &Core, name: &str, counted: &Counted) -> Judgement {
    let named = core.named(name);
    if named.is_empty() {
        return match bench.elsewhere_on_cpu(name) {
            Some(of) => open(format!("{} has no code in the table", of.event.name())),
            None => of_own_name(bench, core, name, counted),
        };
    }
    let is_it = |event: &&OfModel| core.has_words(**event, counted.words);
    if let Some(event) = named.iter().find(is_it) {
        return replaced(*event).unwrap_or_else(|| right(described(*event)));
    }
    let event = named[0];
    let vendors = core.string(event);
    let here = counted.sentence();
    if let Some(missing) = core.lacks(event, counted.words) {
        return Judgement {
            verdict: Verdict::OnlyAPart,
            evidence: format!(
                "{here}; {} is {vendors}, of which {missing} is missing",
                event.event.name()
            ),
            fix: Some(vendors),
        };
    }
    if core.is_power() && !counted.found.is_known() {
        let is_elsewhere = |of: &&OfModel| core.has_words_elsewhere(**of, counted.words);
        return match named.iter().find(is_elsewhere) {
            Some(event) => replaced(*event).unwrap_or_else(|| right(described(*event))),
            None => open(format!(
                "{here}; {} is {vendors}, and may have this code as well",
                event.event.name()
            )),
        };
    }
    let is_of_architecture = || {
        let kin = bench.kin(core, event.event.name());
        kin.is_some_and(|kin| kin.with(counted.words).contains(&architecture::DIRECTORY))
    };
    if !counted.found.is_known() && is_of_architecture() {
        return open(format!(
            "{here} but in the architecture, where it is {name}; here, it is {vendors}"
        ));
    }
    Judgement {
        verdict: Verdict::AnotherEvent,
        evidence: format!("{here}; {} is {vendors}", event.event.name()),
        fix: Some(vendors),
    }
}

/// A name that the CPU's vendor does not have for it, with a code.
fn of_own_name(bench: &Bench, core: &Core, name: &str, counted: &Counted) -> Judgement {
    let here = counted.sentence();
    let kin = bench.kin(core, name);
    let with_code = kin.as_ref().map(|kin| kin.with(counted.words)).unwrap_or_default();
    if counted.found.is_known() {
        return match (&with_code[..], kin) {
            ([], Some(kin)) => Judgement::new(
                Verdict::OwnName,
                format!("{here}; {name} is an event of {}", listed(&kin.tables)),
            ),
            ([], None) => Judgement::new(
                Verdict::OwnName,
                format!("{here}; the vendor has no event of this name"),
            ),
            (tables, _) => right(format!("{here}; {name} is its name on {}", listed(tables))),
        };
    }
    if let Some(why) = core.other_register(counted.words) {
        return open(why);
    }
    match (&with_code[..], kin) {
        // The name of another code elsewhere is no event of those CPUs.
        ([], Some(kin)) => {
            open(format!("{here}; {name} has another code on {}", listed(&kin.tables)))
        }
        ([], None) => open(format!("{here}, and the vendor has no event of this name")),
        // What the architecture has, a CPU may have although its list does not.
        (tables, _) if tables.contains(&architecture::DIRECTORY) => open(format!(
            "{} has no {name}; it has this code in the architecture",
            bench.table.directory()
        )),
        (tables, _) if bench.is_complete() => Judgement::new(
            Verdict::NotOnThisCpu,
            format!("{here}; {name} has this code on {}", listed(tables)),
        ),
        (tables, _) => open(format!(
            "{} has no {name}; it has this code on {}",
            bench.table.directory(),
            listed(tables)
        )),
    }
}

/// A code without the name of an event.
fn of_label(bench: &Bench, core: &Core, label: Option<&str>, counted: &Counted) -> Judgement {
    let here = counted.sentence();
    if !counted.found.is_known() {
        if let Some(why) = core.other_register(counted.words) {
            return open(why);
        }
        if let Some(table) = bench.of_architecture(core, counted.words) {
            return open(format!("the table does not have {}, which {table} has", counted.terms));
        }
        if bench.is_of_architecture() {
            return open(format!("{} of the architecture", here));
        }
        if core.is_power() {
            return open(format!("{here}, and events may have more codes than one"));
        }
        let near = counted.found.nearest.first().map(|near| near.of);
        let near =
            near.map(|of| format!("; the nearest is {}, {}", of.event.name(), core.string(of)));
        let near = near.unwrap_or_default();
        return Judgement::new(Verdict::NotOnThisCpu, format!("{here}{near}"));
    }
    let whole = label.and_then(|label| part::of(label, core, counted));
    if let Some(part) = whole {
        return part;
    }
    match counted.found.events.first() {
        Some(event) if counted.found.events.iter().all(|of| of.event.is_deprecated()) => {
            replaced(*event).unwrap_or_else(|| right(here))
        }
        _ => right(here),
    }
}

/// The judgement of an event that the vendor has replaced.
fn replaced(of: OfModel) -> Option<Judgement> {
    let successor = of.event.is_deprecated().then(|| of.event.successor());
    successor.map(|successor| Judgement {
        verdict: Verdict::Deprecated,
        evidence: match successor {
            Some(name) => format!("{} is now {name}", of.event.name()),
            None => format!("{} has no successor", of.event.name()),
        },
        fix: successor.map(String::from),
    })
}

fn described(of: OfModel) -> String {
    match of.event.description() {
        Some(text) => format!("{}: {}", of.event.name(), text.trimmed()),
        None => of.event.name().to_string(),
    }
}

/// The names of what is counted.
fn names_of(counted: &Found) -> String {
    let joined = |all: &[OfModel], by: &str| -> String {
        let mut names: Vec<&str> = all.iter().map(|of| of.event.name()).collect();
        names.dedup();
        names.truncate(MOST_NAMES);
        names.join(by)
    };
    if !counted.events.is_empty() {
        return joined(&counted.events, " or ");
    }
    if !counted.by_vendor.is_empty() {
        return joined(&counted.by_vendor, " or ");
    }
    if let Some(one) = &counted.restricted {
        return format!("{} with {}", joined(&one.events, " or "), one.by);
    }
    if let Some(sum) = &counted.sum {
        let names = joined(&sum.parts, " + ");
        return match sum.by == restriction::Restriction::default() {
            true => names,
            false => format!("{names} with {}", sum.by),
        };
    }
    counted.names.join(" or ")
}

/// More names of one code say no more.
const MOST_NAMES: usize = 4;

/// Some names of tables.
fn listed(tables: &[&str]) -> String {
    const MOST: usize = 4;
    let shown = tables.iter().take(MOST).copied().collect::<Vec<_>>().join(", ");
    match tables.len() > MOST {
        true => format!("{shown} and {} more", tables.len() - MOST),
        false => shown,
    }
}
