//! Event strings: what they open.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use pmu_events::System;
use pmu_events::arch::common::COMMON;
use pmu_events::resolve::{Error, ErrorKind};
use pmu_events::system::GenericNames;
use pmu_events_kernel_comparison::attributes::{as_newest, cpuid, lines, with_guests};
use pmu_events_kernel_comparison::beside::events::{Vocabulary, Writer};
use pmu_events_kernel_comparison::beside::perf::{Answer, Perf};
use pmu_events_kernel_comparison::beside::random::Random;
use pmu_events_kernel_comparison::recorded::{self, Case};

use crate::machines::Machine;
use crate::report::Report;
use crate::shrink::shrink;
use crate::{count_of_questions, is_newest, model, program, seed, version};

const MACHINES: &[&str] = &[
    "alderlake",
    "edge",
    "neoverse-n1",
    "power9",
    "sapphirerapids",
    "skylakex",
    "testcpu",
    "zen4",
];

/// perf's answer to an event string. In 7.3, only `H` leaves out guests.
fn theirs(text: &str, answer: Answer) -> Answer {
    if is_newest() && text.contains('H') { with_guests(&answer) } else { answer }
}

/// How two answers differ, in a few words each.
fn differences(ours: &Result<Answer, String>, theirs: Option<&Answer>) -> BTreeSet<String> {
    let Some(theirs) = theirs else {
        return ["perf dies".into()].into();
    };
    let is_refused = theirs.first().is_some_and(|line| line == "refused");
    let ours = match ours {
        Err(_) if is_refused => return BTreeSet::new(),
        Err(kind) => return [format!("refused here: {kind}")].into(),
        Ok(_) if is_refused => return ["refused by perf".into()].into(),
        Ok(ours) => ours,
    };
    if ours.len() != theirs.len() {
        let which = if ours.len() < theirs.len() { "fewer" } else { "more" };
        return [format!("{which} events than perf")].into();
    }
    let mut found = BTreeSet::new();
    for (ours, theirs) in ours.iter().zip(theirs) {
        let of = |line: &str| line.split('\t').map(String::from).collect::<BTreeSet<String>>();
        let (ours, theirs) = (of(ours), of(theirs));
        for field in ours.symmetric_difference(&theirs) {
            found.insert(match field.split('=').next().unwrap_or_default() {
                "config" if ours.iter().any(|field| is_code_of_kernel(field)) => {
                    "config of the kernel's".into()
                }
                name => name.to_owned(),
            });
        }
    }
    found
}

/// Whether the type is that of generic hardware, software and cache events.
fn is_code_of_kernel(field: &str) -> bool {
    matches!(field, "type=0" | "type=1" | "type=3")
}

/// Of what is refused by the rules for texts, the kind says too little.
fn refusal(error: &Error) -> String {
    match error.kind() {
        ErrorKind::Syntax | ErrorKind::Term => error.message().to_owned(),
        kind => format!("{kind:?}"),
    }
}

/// Two answers, line by line; what they share is shown once.
fn shown(ours: &Result<Answer, String>, theirs: Option<&Answer>) -> String {
    let one = |lines: &Answer| lines.iter().map(|line| format!("    {line}")).collect::<Vec<_>>();
    let ours = ours.as_ref().map_or_else(|kind| vec![format!("    refused: {kind}")], one);
    let theirs = theirs.map_or_else(|| vec!["    dies".into()], one);
    let same = ours.iter().zip(&theirs).take_while(|(a, b)| a == b).count();
    let mut text = if same > 0 { format!("    {same} alike\n") } else { String::new() };
    for (who, lines) in [("ours", &ours), ("perf", &theirs)] {
        for line in lines.iter().skip(same).take(8) {
            let _ = writeln!(text, "    {who}{}", line.replace('\t', " "));
        }
    }
    text
}

/// Both on one machine.
struct Events {
    system: System,
    perf: Perf,
}

impl Events {
    fn on(name: &str, machine: &Machine) -> Self {
        // As `pmu` asks.
        let system = machine.with_model(model(name)).with_common(COMMON);
        let names = if is_newest() { GenericNames::Pmu } else { GenericNames::Kernel };
        let system = system.with_generic_names(names);
        let perf = Perf::on(program(), system.sysfs(), cpuid(name));
        Events { system, perf }
    }

    fn ours(&self, text: &str) -> Result<Answer, String> {
        let all = self.system.require(text);
        let all = all.map_err(|error| refusal(&error))?;
        let answer = lines(&all);
        Ok(if is_newest() { as_newest(&answer) } else { answer })
    }

    fn theirs(&mut self, text: &str) -> Option<Answer> {
        Some(theirs(text, self.perf.ask(&format!("event\t{text}"))?))
    }

    fn theirs_at_first(&mut self, text: &str) -> Option<Answer> {
        Some(theirs(text, self.perf.ask_anew(&format!("event\t{text}"))?))
    }

    /// How the answers differ.
    fn differ(&mut self, text: &str) -> BTreeSet<String> {
        let theirs = self.theirs(text);
        differences(&self.ours(text), theirs.as_ref())
    }

    /// The same. Some of perf's answers depend on what it was asked before, and
    /// are asked for again.
    fn differ_at_first(&mut self, text: &str) -> BTreeSet<String> {
        if self.differ(text).is_empty() {
            return BTreeSet::new();
        }
        let theirs = self.theirs_at_first(text);
        differences(&self.ours(text), theirs.as_ref())
    }

    fn shown(&mut self, text: &str) -> String {
        let theirs = self.theirs_at_first(text);
        shown(&self.ours(text), theirs.as_ref())
    }
}

#[test]
fn event_strings() {
    let mut report = Report::of("event");
    for name in MACHINES {
        let machine = Machine::named(name);
        let mut both = Events::on(name, &machine);
        let words = Vocabulary::of(&both.system);
        let mut writer = Writer::new(&words, Random::new(seed(), name));
        for _ in 0..count_of_questions() {
            let text = writer.text();
            report.asked += 1;
            let found = both.differ_at_first(&text);
            report.answered += usize::from(found.is_empty() && both.ours(&text).is_ok());
            for how in found {
                let short = shrink(&text, |shorter| both.differ(shorter).contains(&how));
                let example = || format!("    {name}: {text}\n{}", both.shown(&short));
                // Others follow from it.
                if !report.is_deliberate(&how, &short, example) {
                    break;
                }
            }
        }
    }
    let examples =
        ["alderlake", "edge", "neoverse-n1", "skylakex"].map(|name| (name, Machine::named(name)));
    let mut all: Vec<Events> =
        examples.iter().map(|(name, machine)| Events::on(name, machine)).collect();
    report
        .judge("event strings", |text| all.iter_mut().flat_map(|both| both.differ(text)).collect());
}

/// The recorded cases are what perf answers. With `BLESS` in the environment, they
/// are recorded anew.
#[test]
fn recorded_event_strings() {
    let recorded = recorded::of(version());
    let mut machines: BTreeMap<&str, (Machine, Option<Perf>)> = BTreeMap::new();
    let mut answered = Vec::new();
    for case in &recorded {
        let name = case.machine;
        let (machine, perf) = machines.entry(name).or_insert_with(|| (Machine::named(name), None));
        let perf = perf.get_or_insert_with(|| Perf::on(program(), &machine.sysfs(), cpuid(name)));
        let answer = perf.ask_anew(&format!("event\t{}", case.text)).expect("perf answers it");
        answered.push(Case { answer: theirs(case.text, answer), ..case.clone() });
    }
    if std::env::var_os("BLESS").is_some() {
        let file = if is_newest() { "lists-7.3.txt" } else { "lists.txt" };
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/attributes").join(file);
        let text = recorded::file(version(), &answered);
        return std::fs::write(path, text).expect("the case file can be written");
    }
    let both = recorded.iter().zip(&answered);
    let wrong: Vec<_> = both.filter(|(recorded, answer)| recorded != answer).collect();
    assert!(wrong.is_empty(), "{} differ, such as {:#?}", wrong.len(), wrong[0]);
}
