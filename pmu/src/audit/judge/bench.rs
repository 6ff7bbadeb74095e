//! The tables of a CPU, ready to be asked for names and codes many times.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::rc::Rc;

use pmu_events::__private::pmu;
use pmu_events::Metric;
use pmu_events::format::{Word, Words};
use pmu_events::perf_type;
use pmu_events::sysfs::Pmu;
use pmu_events::term::Terms;

use crate::audit::candidate::Code;
use crate::decode::coded::{Coded, OfModel};
use crate::decode::codes::{Codes, Found};
use crate::decode::names::plain;
use crate::decode::{architecture, control, registers, sum};
use crate::failure::Failure;
use crate::metric_names;
use crate::system::System;
use crate::trees::{Table, Trees};

/// A CPU with its tables.
pub(super) struct Bench {
    pub(super) table: Table,
    pub(super) cores: Vec<Core>,
    pub(super) system: &'static System,
    trees: &'static Trees,
    /// The PMUs outside the cores that were asked for, by the name that asked.
    uncore: RefCell<HashMap<String, Option<Rc<Uncore>>>>,
    /// All events, by their plain names: those outside the cores, and those without a code.
    others: HashMap<String, OfModel>,
    metrics: OnceCell<Vec<Metric>>,
}

/// The PMU of one kind of core.
pub(super) struct Core {
    pub(super) name: &'static str,
    codes: Codes<'static>,
    by_name: HashMap<String, Vec<OfModel>>,
}

/// Terms of `amd_l3` that say for which cores, threads and slices to count, not what
/// (`arch/x86/events/amd/uncore.c`).
const PLACES: [&str; 6] =
    ["coreid", "enallcores", "enallslices", "sliceid", "slicemask", "threadmask"];

/// What a code may mean.
pub(super) struct Reading {
    /// As terms of the core's PMU.
    pub(super) terms: String,
    pub(super) words: Words,
}

/// A PMU outside the cores.
pub(super) struct Uncore {
    pmu: &'static Pmu,
    codes: Codes<'static>,
}

/// Other CPUs of the vendor that have a name.
pub(super) struct Kin {
    pub(super) tables: Vec<&'static str>,
    /// Its code on each of them, if the formats here have its terms.
    words: Vec<Option<Words>>,
}

impl Kin {
    /// Its code, if all of them agree.
    pub(super) fn words(&self) -> Option<Words> {
        let first = *self.words.first()?;
        first.filter(|_| self.words.iter().all(|own| *own == first))
    }

    /// Those on which it has a code.
    pub(super) fn with(&self, words: Words) -> Vec<&'static str> {
        let all = self.tables.iter().zip(&self.words);
        all.filter(|(_, own)| **own == Some(words)).map(|(table, _)| *table).collect()
    }
}

impl Bench {
    pub(super) fn new(trees: &'static Trees, model: &str) -> Result<Self, Failure> {
        let (system, table) = System::of_table(trees, model)?;
        // One for each CPU of a run, to its end, as the trees are.
        let system: &'static System = Box::leak(Box::new(system));
        let cores: Vec<Core> =
            system.sysfs().core_pmus().map(|pmu| Core::new(system, pmu)).collect();
        let mut others = HashMap::new();
        for event in table.events() {
            others.entry(plain(event.name())).or_insert(OfModel { model: table.model, event });
        }
        let (uncore, metrics) = (RefCell::default(), OnceCell::new());
        Ok(Bench { table, cores, system, trees, uncore, others, metrics })
    }

    /// A PMU outside the cores, under its name or one that perf takes for it. `None` if the formats of
    /// the CPU have no such PMU.
    pub(super) fn uncore(&self, name: &str) -> Option<Rc<Uncore>> {
        let mut known = self.uncore.borrow_mut();
        let found = known.entry(name.to_string()).or_insert_with(|| {
            let pmu = self.system.sysfs().pmu(name);
            // Formats are known of one instance. The drivers of AMD's have a prefix of their own.
            let (base, prefixed) = (pmu::base_name(name), format!("amd_{name}"));
            let like = || {
                let mut all = self.system.sysfs().pmus().iter();
                let is_meant =
                    |pmu: &Pmu| [name, base, &prefixed].iter().any(|own| pmu.is_meant_by(own));
                all.find(|pmu| is_meant(pmu) && !pmu.is_core())
            };
            let pmu = pmu.filter(|pmu| !pmu.is_core()).or_else(like)?;
            Some(Rc::new(Uncore { pmu, codes: Codes::new(self.system, pmu) }))
        });
        found.clone()
    }

    /// The metrics that perf knows on the CPU.
    pub(super) fn metrics(&self) -> &[Metric] {
        self.metrics.get_or_init(|| metric_names::known(self.system))
    }

    /// Whether a PMU is a core's, under this name or under one that other machines have.
    pub(super) fn is_core(&self, pmu: &str) -> bool {
        let is_own = self.cores.iter().any(|core| core.name == pmu);
        let is_arms = self.table.architecture == "arm64"
            && ["armv8_", "armv9_", "apple_"].iter().any(|start| pmu.starts_with(start));
        is_own || is_arms || matches!(pmu, "cpu" | "cpu_core" | "cpu_atom")
    }

    /// An event of the CPU, whichever PMU it is of.
    pub(super) fn elsewhere_on_cpu(&self, name: &str) -> Option<OfModel> {
        self.others.get(&plain(name)).copied()
    }

    /// Whether the vendor's list has all events of the CPU. Those of Arm and RISC-V may lack what the
    /// architecture has, and those of architectures lack what only a CPU has.
    pub(super) fn is_complete(&self) -> bool {
        architecture::has_complete_tables(self.table.architecture) && !self.is_of_architecture()
    }

    /// Whether the table is an architecture's.
    pub(super) fn is_of_architecture(&self) -> bool {
        architecture::is_table_of(&self.table)
    }

    /// The table of the architecture, if it has a code that the CPU's lacks.
    pub(super) fn of_architecture(&self, core: &Core, words: Words) -> Option<String> {
        let found = architecture::events(self.trees, &self.table, &core.codes, words);
        found.map(|(table, _)| table.to_string())
    }

    /// Other CPUs of the vendor that have the name for an event of their cores.
    pub(super) fn kin(&self, core: &Core, name: &str) -> Option<Kin> {
        let wanted = name.replace(':', ".");
        let mut kin = Kin { tables: Vec::new(), words: Vec::new() };
        let is_kin = |table: &Table| !table.sys && table.vendor() == self.table.vendor();
        for table in self.trees.all().filter(is_kin) {
            let Some(event) = table.model.event(&wanted) else { continue };
            kin.words.push(core.codes.encoded(event.event_string()).map(|own| own.words()));
            kin.tables.push(table.directory());
        }
        (!kin.tables.is_empty()).then_some(kin)
    }

    /// A table of another vendor that has the name.
    pub(super) fn other_vendor(&self, name: &str) -> Option<&'static str> {
        let wanted = name.replace(':', ".");
        let is_other = |table: &Table| table.vendor() != self.table.vendor();
        let mut tables = self.trees.all().filter(is_other);
        tables.find(|table| table.model.event(&wanted).is_some()).map(|table| table.directory())
    }
}

impl Uncore {
    pub(super) fn name(&self) -> &'static str {
        pmu::base_name(self.pmu.name())
    }

    /// What terms count; `None` if the PMU has no such terms.
    pub(super) fn find(&self, terms: &str) -> Option<Found> {
        let find = |terms: &str| {
            let words = self.codes.encoded(terms)?.words();
            Some(self.codes.find(self.pmu.type_().unwrap_or(Pmu::DYNAMIC), words, 0))
        };
        let found = find(terms)?;
        let is_of_event =
            |term: &&str| !PLACES.contains(&term.split_once('=').map_or(*term, |(name, _)| name));
        let of_event: Vec<&str> = terms.split(',').filter(is_of_event).collect();
        if found.is_known() || of_event.len() == terms.split(',').count() {
            return Some(found);
        }
        find(&of_event.join(","))
    }

    /// The PMU's events of a name.
    pub(super) fn named(&self, name: &str) -> Vec<OfModel> {
        let wanted = plain(name);
        let all = self.codes.events.iter().map(|own| own.of);
        all.filter(|of| plain(of.event.name()) == wanted).collect()
    }
}

impl Core {
    fn new(system: &'static System, pmu: &'static Pmu) -> Self {
        let codes = Codes::new(system, pmu);
        let mut by_name: HashMap<String, Vec<OfModel>> = HashMap::new();
        for &Coded { of, .. } in &codes.events {
            by_name.entry(plain(of.event.name())).or_default().push(of);
        }
        Core { name: pmu.name(), codes, by_name }
    }

    /// The events of a name, whatever separates its parts.
    pub(super) fn named(&self, name: &str) -> &[OfModel] {
        let named = self.by_name.get(&plain(name));
        named.map_or(&[], |events| events)
    }

    /// What a code may mean, the usual first, without the bits that select no event.
    pub(super) fn readings(&self, code: &Code) -> Vec<Reading> {
        let formats = self.codes.formats();
        let readings = match self.codes.encoded(&code.terms) {
            Some(own) => vec![Reading { terms: code.terms.clone(), words: own.words() }],
            None if formats.find("umask").is_none() => self.of_two_numbers(code),
            None => Vec::new(),
        };
        let select = |words: Words| {
            let (control, _) = control::of(words, formats);
            let words = words.with(Word::Config, words.config() & !control);
            registers::first(words, &self.codes.events, formats)
        };
        readings
            .into_iter()
            .map(|reading| Reading { words: select(reading.words), ..reading })
            .collect()
    }

    /// Codes that have no unit mask. Lists that have one for every CPU have 0 there or, on POWER, the
    /// bits above the lowest eight: all of them, or the unit alone (bits 12 to 15). A counter of
    /// POWER is part of the code, and the first of them is 1 there.
    fn of_two_numbers(&self, code: &Code) -> Vec<Reading> {
        let value = |name| Terms::new(&code.terms).last_named(name).and_then(|term| term.number());
        let (Some(event), Some(umask), 2) =
            (value("event"), value("umask"), code.terms.split(',').count())
        else {
            return Vec::new();
        };
        let events = match (umask, self.is_power()) {
            (0, _) => vec![event],
            (1..=0xff, true) => vec![umask << 8 | event, umask << 12 | event],
            _ => Vec::new(),
        };
        let counter = code.counter.filter(|_| self.is_power());
        let counter =
            counter.map(|first| format!(",pmc={:#x}", u16::from(first) + 1)).unwrap_or_default();
        let reading = |event: u64| {
            let words = self.codes.encoded(&format!("event={event:#x}{counter}"))?.words();
            Some(Reading { terms: format!("event={:#x}", words.config()), words })
        };
        events.into_iter().filter_map(reading).collect()
    }

    /// Whether a code names the counter. There, an event may have more codes than the one that the
    /// table has.
    pub(super) fn is_power(&self) -> bool {
        self.codes.counter().is_some()
    }

    /// What words count, and the nearest event if that is asked for.
    pub(super) fn find(&self, words: Words, with_nearest: bool) -> Found {
        self.codes.find(perf_type::RAW, words, usize::from(with_nearest))
    }

    /// The words of an event, in perf's code and the vendor's.
    fn words_of(&self, of: OfModel) -> impl Iterator<Item = Words> {
        let strings = [of.event.event_string(), of.event.vendor_event_string()];
        strings.into_iter().filter_map(|terms| Some(self.codes.encoded(terms)?.words()))
    }

    /// Whether an event has the words.
    pub(super) fn has_words(&self, of: OfModel, words: Words) -> bool {
        let is_same = |own: Words| match self.codes.counter() {
            Some(counter) => counter.may_be_same(own, words),
            None => own == words,
        };
        self.words_of(of).any(is_same)
    }

    /// Whether an event has the words, if it counts in their counter.
    pub(super) fn has_words_elsewhere(&self, of: OfModel, words: Words) -> bool {
        let counter = self.codes.counter();
        let is_same = |own| counter.is_some_and(|counter| counter.is_same_without(own, words));
        self.words_of(of).any(is_same)
    }

    /// The code of an event, without what does not select.
    pub(super) fn string(&self, of: OfModel) -> String {
        let mut text = String::new();
        for term in
            Terms::new(of.event.vendor_event_string()).filter(|term| term.name() != "period")
        {
            let separator = if text.is_empty() { "" } else { "," };
            let _ = match term.number() {
                Some(number) => write!(text, "{separator}{}={number:#x}", term.name()),
                None => write!(text, "{separator}{}", term.name()),
            };
        }
        text
    }

    /// What an event has that the words lack, if they are a part of its unit mask.
    pub(super) fn lacks(&self, of: OfModel, words: Words) -> Option<String> {
        let formats = self.codes.formats();
        let umask = formats.find("umask")?;
        let own = self.codes.encoded(of.event.event_string())?.words();
        let rest = |words: Words| words.with(umask.word(), words.get(umask.word()) & !umask.mask());
        let (all, some) = (umask.value_in(own), umask.value_in(words));
        let is_part = rest(own) == rest(words) && some != 0 && some & !all == 0 && some != all;
        is_part.then(|| format!("umask={:#x}", all & !some))
    }

    /// Why nothing is known of words whose register has a value that no event has: requests and
    /// responses can be combined in more ways than a list has.
    pub(super) fn other_register(&self, words: Words) -> Option<String> {
        let value = words.get(Word::Config1);
        let is_like = |own: &&Coded| {
            own.words.config() == words.config() && own.words.get(Word::Config1) != 0
        };
        let other = self.codes.events.iter().filter(|_| value != 0).find(is_like)?;
        Some(format!("no event has the value {value:#x}; {} has another", other.of.event.name()))
    }

    /// The events that differ from the words only in the unit mask, with theirs.
    pub(super) fn siblings(&self, words: Words) -> Vec<(OfModel, u64)> {
        sum::siblings(words, &self.codes.events, self.codes.formats())
    }

    /// The code of an event with more bits in its unit mask.
    pub(super) fn with_umask(&self, of: OfModel, more: u64) -> Option<String> {
        let terms = of.event.terms().filter(|term| term.name() != "period");
        let mut text = String::new();
        for term in terms {
            let value = term.number()?;
            let value = if term.name() == "umask" { value | more } else { value };
            let separator = if text.is_empty() { "" } else { "," };
            let _ = write!(text, "{separator}{}={value:#x}", term.name());
        }
        Some(text)
    }

    /// The smallest event of which the words are a part.
    pub(super) fn wholes(&self, words: Words) -> Vec<(OfModel, u64)> {
        sum::wholes(words, &self.codes.events, self.codes.formats())
    }
}
