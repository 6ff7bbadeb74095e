//! The register values of every event of every Intel core: what the library programs for
//! `arch/x86`, and what perfmon's JSON says.

mod files;
mod vendor;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

use pmu_events_core::format::Formats;
use pmu_events_core::{Event, Tree, builtin};
use pmu_events_register::intel::{ProgrammableCounter, program_with};
use pmu_events_register::{Control, ErrorKind};

use vendor::{VendorEvent, Write};

/// Counters with a selector of their own that the library programs, and fixed ones.
const GENERAL: u8 = 8;
const FIXED: u8 = 16;

/// Why the library refuses what perfmon's numbers allow. Each must be needed.
const REFUSED: [(&str, &str, &str); 2] = [
    (
        "*",
        "MEM_INST_RETIRED.LATENCY_ABOVE_THRESHOLD_0",
        "perfmon's threshold is 0, of which perf makes a term without a value (`ldlat=None`)",
    ),
    (
        "novalake",
        "MEM_LOAD_L2_MISS_RETIRED.*",
        "`builtin` has no format of the offmodule response registers",
    ),
];

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Registers {
    cores: usize,
    models: BTreeSet<String>,
    events: usize,
    /// Pairs of an event and a counter: with equal writes, and refused by both.
    equal: usize,
    refused: usize,
    /// Pairs that the library refuses, by the number of the reason.
    explained: BTreeMap<usize, usize>,
    /// By what differs, the cores where it does.
    differences: BTreeMap<String, BTreeSet<String>>,
    idle: Vec<&'static str>,
}

impl Registers {
    /// Whether nothing differs, and every reason is needed.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.differences.is_empty() && self.idle.is_empty() && self.equal > 0
    }

    fn explain(&mut self, reason: Option<usize>) {
        if let Some(number) = reason {
            *self.explained.entry(number).or_default() += 1;
        }
    }

    fn differs(&mut self, what: String, core: &str) {
        self.differences.entry(what).or_default().insert(core.to_owned());
    }
}

/// Compares the events of all models of a perfmon directory, or of some.
///
/// # Errors
///
/// Says what cannot be read.
pub(crate) fn compare(
    perfmon: &Path,
    names: &[String],
    ours: &'static Tree,
) -> Result<Registers, String> {
    let mut found = Registers::default();
    for file in files::files(perfmon)? {
        if !names.is_empty() && !names.contains(&file.model) {
            continue;
        }
        let model = ours
            .model_named(&file.model)
            .ok_or_else(|| format!("arch/x86 has no model {}", file.model))?;
        let formats = builtin::of_pmu(&file.cpuid, file.pmu)
            .ok_or_else(|| format!("there are no formats of {} {}", file.cpuid, file.pmu))?;
        let own: BTreeMap<String, Event> = model
            .events()
            .filter(|event| event.pmu() == file.pmu)
            .map(|event| (event.name().to_ascii_lowercase(), event))
            .collect();
        let core = match file.pmu {
            "default_core" => file.model.clone(),
            pmu => format!("{} {pmu}", file.model),
        };
        for event in &file.events {
            match own.get(&event.name.to_ascii_lowercase()) {
                Some(own) => one_event(event, *own, formats, &file.model, &core, &mut found),
                None => found.differs(format!("{}: arch/x86 does not have it", event.name), &core),
            }
        }
        found.cores += 1;
        found.models.insert(file.model);
    }
    if names.is_empty() {
        let is_idle = |(number, _): &(usize, _)| !found.explained.contains_key(number);
        found.idle = REFUSED.iter().enumerate().filter(is_idle).map(|(_, one)| one.2).collect();
    }
    Ok(found)
}

fn one_event(
    vendor: &VendorEvent,
    own: Event,
    formats: Formats<'_>,
    model: &str,
    core: &str,
    found: &mut Registers,
) {
    let general = (0..GENERAL).map(|n| (ProgrammableCounter::General(n), vendor.on_general(n)));
    let fixed = (0..FIXED).map(|n| (ProgrammableCounter::Fixed(n), vendor.on_fixed(n)));
    let reason = reason(model, own.name());
    let mut differences = Vec::new();
    for (counter, wanted) in general.chain(fixed) {
        let ours = program_with(own, formats, counter, Control::COUNT);
        let written: Result<Vec<Write>, ErrorKind> = match &ours {
            Ok(program) => Ok(program
                .as_slice()
                .iter()
                .map(|write| (write.register(), write.value(), write.mask()))
                .collect()),
            Err(error) => Err(error.kind()),
        };
        match (written, wanted) {
            (Ok(ours), Some(wanted)) if ours == wanted => found.equal += 1,
            (Err(ErrorKind::Counters), None) => found.refused += 1,
            (Err(ErrorKind::Terms), _) if reason.is_some() => found.explain(reason),
            (ours, wanted) => {
                let ours = ours.map_or_else(|kind| format!("{kind:?}"), |ours| shown(&ours));
                let wanted = wanted.map_or_else(|| "refused".to_owned(), |all| shown(&all));
                differences.push(format!("{counter:?}: {ours} instead of {wanted}"));
            }
        }
    }
    found.events += 1;
    // Those of the other counters are alike.
    if let Some(first) = differences.first() {
        let name = own.name();
        found.differs(format!("{name}: {} counters, first {first}", differences.len()), core);
    }
}

fn reason(model: &str, event: &str) -> Option<usize> {
    let is_it = |(of_model, name, _): &(&str, &str, &str)| {
        let matches = pmu_events_core::__private::glob::matches;
        matches(of_model, model) && matches(name, event)
    };
    REFUSED.iter().position(is_it)
}

fn shown(writes: &[Write]) -> String {
    let one = |&(register, value, _): &Write| format!("{register:#x}={value:#x}");
    writes.iter().map(one).collect::<Vec<_>>().join(" ")
}

/// What differs, and figures.
impl fmt::Display for Registers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (what, cores) in &self.differences {
            let cores: Vec<&str> = cores.iter().map(String::as_str).collect();
            writeln!(f, "{what} ({})", cores.join(", "))?;
        }
        for reason in &self.idle {
            writeln!(f, "a reason that nothing needs: {reason}")?;
        }
        let (models, cores, events) = (self.models.len(), self.cores, self.events);
        let (equal, refused) = (self.equal, self.refused);
        let differ: usize = self.differences.values().map(BTreeSet::len).sum();
        writeln!(f, "{cores} cores of {models} models, {events} events: {differ} differ")?;
        writeln!(f, "  {equal} pairs of event and counter with equal writes, {refused} refused")?;
        for (&number, count) in &self.explained {
            writeln!(f, "  {count}: {}", REFUSED[number].2)?;
        }
        Ok(())
    }
}
