//! Metric expressions: their values.

use std::fmt::Write as _;

use pmu_events::event_list::Tool;
use pmu_events::expr::{self, Identifier};
use pmu_events::metric;
use pmu_events::system::SystemMachine;
use pmu_events::{Scope, System};
use pmu_events_kernel_comparison::attributes::cpuid;
use pmu_events_kernel_comparison::beside::formulas;
use pmu_events_kernel_comparison::beside::perf::Perf;
use pmu_events_kernel_comparison::beside::random::Random;

use crate::machines::Machine;
use crate::report::Report;
use crate::shrink::shrink;
use crate::{count_of_questions, program, seed};

/// What formulas ask of a machine, where perf has counted the named events.
struct Counted(SystemMachine);

impl Counted {
    fn on(system: &System, cpuid: &str) -> Self {
        Counted(system.clone().with_cpuid(cpuid).machine(&Scope::ThisThread))
    }
}

impl expr::Machine for Counted {
    fn literal(&self, literal: Tool) -> f64 {
        self.0.literal(literal)
    }

    fn has_event(&self, event: Identifier<'_>) -> Option<bool> {
        Some(place(event).is_some())
    }

    fn cpuid_matches(&self, cpuid: Identifier<'_>) -> Option<bool> {
        self.0.cpuid_matches(cpuid)
    }
}

/// Which of the names that have values it is.
fn place(event: Identifier<'_>) -> Option<usize> {
    let spelling = event.escaped().to_string();
    formulas::NAMES.iter().position(|name| spelling == *name)
}

/// CPUs of a made-up machine, in packages, dies and cores.
fn write_topology(machine: &Machine, random: &mut Random) {
    let (packages, dies, threads) = (1 + random.below(2), 1 + random.below(2), 1 + random.below(2));
    let cores = 1 + random.below(4);
    let cpus = packages * dies * cores * threads;
    let range = |first: usize, count: usize| match count {
        1 => first.to_string(),
        _ => format!("{first}-{}", first + count - 1),
    };
    for file in ["online", "possible", "present"] {
        machine.write(&format!("/devices/system/cpu/{file}"), range(0, cpus));
    }
    for cpu in 0..cpus {
        let lists =
            [("core", threads), ("die", threads * cores), ("package", threads * cores * dies)];
        for (what, size) in lists {
            let path = format!("/devices/system/cpu/cpu{cpu}/topology/{what}_cpus_list");
            machine.write(&path, range(cpu / size * size, size));
        }
    }
    if random.percent(50) {
        machine.write("/devices/system/cpu/smt/active", u8::from(threads > 1).to_string());
    }
    if random.percent(30) {
        machine.write("/firmware/acpi/tables/NFIT", "");
    }
}

/// Both with one assignment, on one machine.
struct Formulas<'m> {
    system: &'m Counted,
    perf: Perf,
    values: Vec<f64>,
}

impl Formulas<'_> {
    fn ours(&self, text: &str) -> Result<f64, String> {
        let formula = metric::parse(text).map_err(|error| error.message().to_string())?;
        Ok(formula.evaluate_on(self.system, |id: Identifier<'_>| {
            place(id).map_or(f64::NAN, |place| self.values[place])
        }))
    }

    fn theirs(&mut self, text: &str) -> Option<String> {
        let mut question = format!("formula\t{text}");
        for (name, value) in formulas::NAMES.iter().zip(&self.values) {
            let _ = write!(question, "\t{}={value}", name.replace('\\', ""));
        }
        self.perf.ask(&question)?.into_iter().next()
    }

    fn differ(&mut self, text: &str) -> Option<String> {
        let (ours, theirs) = (self.ours(text), self.theirs(text));
        let (ours, theirs) = match (ours, theirs.as_deref()) {
            (_, None) => return Some("perf dies".into()),
            (Err(_), Some("refused")) => return None,
            (Err(kind), Some(_)) => return Some(format!("refused here: {kind}")),
            // perf stops where there is no value, and says no more.
            (Ok(ours), Some("refused")) if ours.is_nan() => return None,
            (Ok(_), Some("refused")) => return Some("refused by perf".into()),
            (Ok(ours), Some(theirs)) => (ours, theirs),
        };
        // C writes NaN with its sign.
        let theirs = theirs.trim_start_matches("-nan").parse().unwrap_or(f64::NAN);
        match (ours.is_nan(), theirs.is_nan()) {
            (true, true) => None,
            (true, false) => Some("no value here".into()),
            _ => (ours != theirs).then(|| "value".into()),
        }
    }
}

#[test]
fn values_of_formulas() {
    let mut report = Report::of("formula");
    // Where the rule for CPUIDs is that of the architecture that perf is built for.
    for name in ["alderlake", "sapphirerapids", "skylakex", "zen4"] {
        let machine = Machine::named(name);
        let mut random = Random::new(seed(), &format!("formulas of {name}"));
        write_topology(&machine, &mut random);
        let system = machine.system();
        let counted = Counted::on(&system, cpuid(name));
        let perf = Perf::on(program(), system.sysfs(), cpuid(name));
        let mut both = Formulas { system: &counted, perf, values: Vec::new() };
        for _ in 0..count_of_questions() {
            let text = formulas::text(&mut random);
            both.values = formulas::values(&mut random);
            report.asked += 1;
            report.answered += usize::from(both.ours(&text).is_ok_and(|value| !value.is_nan()));
            let Some(how) = both.differ(&text) else {
                continue;
            };
            let short = shrink(&text, |shorter| both.differ(shorter).as_ref() == Some(&how));
            report.is_deliberate(&how, &short, || {
                let (ours, theirs) = (both.ours(&short), both.theirs(&short));
                let values: Vec<_> = formulas::NAMES.iter().zip(&both.values).collect();
                format!("    {name}: {text}\n    {values:?}\n    ours {ours:?}, perf {theirs:?}\n")
            });
        }
    }
    let machine = Machine::empty();
    let system = machine.system();
    let counted = Counted::on(&system, "none");
    let perf = Perf::on(program(), system.sysfs(), "none");
    let mut both = Formulas { system: &counted, perf, values: vec![1.0; formulas::NAMES.len()] };
    report.judge("formulas", |text| both.differ(text).into_iter().collect());
}
