//! Attributes held against perf's: what Linux 6.12's perf would have opened on
//! made-up machines, recorded.
//!
//! `cases/attributes/TREE.txt` has every event of a model's table. A line
//! `# pmu:type … [per-package] [scale=…unit]` says where those below it open;
//! each of these is the number of letters that its name shares with the one
//! before, the rest of the name, the config words in hexadecimal and, if the
//! event has one, its period.
//!
//! Of `sapphirerapids` and `alderlake` only places and words were recorded;
//! where the words of the places differ, they are joined by `|`, and `refused`
//! is the place of what perf refuses.
//!
//! `cases/attributes/lists.txt` has event strings, each with its machine, and
//! indented below it what is opened; `refused` where nothing is.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use pmu_events::config::Sampling;
use pmu_events::resolve::{ErrorKind, Resolved};
use pmu_events::system::GenericNames;
use pmu_events_kernel_comparison::attributes::{as_newest, lines, model, scale, words};
use pmu_events_kernel_comparison::recorded::{self, Case};
use pmu_events_kernel_comparison::{NEWEST, kernel_arch};

#[allow(dead_code)]
#[path = "../../machines/mod.rs"]
mod machines;

use machines::Machine;

/// The two lines of a table's record that an event's attributes come to.
fn recorded_as(resolved: &[Resolved]) -> (String, String) {
    let mut places: Vec<_> =
        resolved.iter().map(|r| (r.type_(), r.pmu().map_or("-", |p| p.name()))).collect();
    places.sort_unstable();
    let mut place: Vec<String> = places.iter().map(|(kind, pmu)| format!("{pmu}:{kind}")).collect();
    if resolved[0].is_per_package() {
        place.push("per-package".into());
    }
    let mut place = place.join(" ");
    place.push_str(&scale(&resolved[0]));
    let mut each = resolved.iter().map(|one| {
        let mut line = words(one.words());
        match one.attributes().sampling() {
            Some(Sampling::Period(period)) => write!(line, " {period}").unwrap(),
            Some(Sampling::Frequency(frequency)) => write!(line, " freq={frequency}").unwrap(),
            None => {}
        }
        (line, scale(one), one.is_per_package(), one.has_default_sampling())
    });
    let first = each.next().expect("there is one");
    assert!(each.all(|other| other == first), "instances differ");
    (place, first.0)
}

/// Place, name and what else a record says of each event.
fn recorded_events(record: &str) -> impl Iterator<Item = (&str, String, &str)> {
    let (mut place, mut name) = ("", String::new());
    record.lines().filter_map(move |line| {
        if let Some(next) = line.strip_prefix("# ") {
            (place, name) = (next, String::new());
            return None;
        }
        let mut parts = line.splitn(3, ' ');
        let shared = parts.next().and_then(|n| n.parse().ok());
        name.truncate(shared.expect("the first part is a number"));
        name.push_str(parts.next().expect("the second is a name"));
        Some((place, name.clone(), parts.next().unwrap_or_default()))
    })
}

/// Compares every event of a table, and gives how many names and attributes
/// there are.
fn compare(machine: &str, record: &str) -> (usize, usize) {
    let model = model(machine).expect("there is a table");
    let made_up = Machine::named(machine);
    let system = made_up.system();
    let sysfs = system.sysfs();
    let mut recorded = BTreeSet::new();
    let mut attributes = 0;
    let mut wrong = Vec::new();
    for (place, name, rest) in recorded_events(record) {
        let expected = (place.to_owned(), rest.to_owned());
        match system.clone().with_model(model).require(&name) {
            Ok(resolved) => {
                attributes += resolved.events().len();
                let found = recorded_as(resolved.events());
                if found != expected {
                    wrong.push(format!("{name}: {found:?}, perf: {expected:?}"));
                }
            }
            Err(error) => wrong.push(format!("{name}: {error}")),
        }
        recorded.insert(name);
    }
    // What perf refuses is not in the record.
    for event in model.events() {
        let name = event.name().to_lowercase();
        if !recorded.contains(&name)
            && let Ok(resolved) = system.clone().with_model(model).require(&name)
        {
            wrong.push(format!("{name}: opens {} times, in perf not", resolved.events().len()));
        }
    }
    assert!(sysfs.problems().is_empty(), "{:?}", sysfs.problems());
    assert!(wrong.is_empty(), "{} of {machine}:\n{}", wrong.len(), wrong.join("\n"));
    (recorded.len(), attributes)
}

#[test]
fn every_event_of_skylakex() {
    let record = include_str!("../cases/attributes/skylakex.txt");
    assert_eq!(compare("skylakex", record), (3_783, 13_265));
}

#[test]
fn every_event_of_zen4() {
    let record = include_str!("../cases/attributes/zen4.txt");
    assert_eq!(compare("zen4", record), (502, 515));
}

#[test]
fn every_event_of_power9() {
    let record = include_str!("../cases/attributes/power9.txt");
    assert_eq!(compare("power9", record), (889, 889));
}

#[test]
fn every_event_of_the_test_tables() {
    let record = include_str!("../cases/attributes/testcpu.txt");
    assert_eq!(compare("testcpu", record), (13, 17));
}

/// Compares places and words of every event of a table, and gives how many
/// names, attributes and refused ones there are.
fn compare_words(machine: &str, record: &str) -> (usize, usize, usize) {
    let model = model(machine).expect("there is a table");
    let made_up = Machine::named(machine);
    let system = made_up.system();
    let sysfs = system.sysfs();
    let mut names: BTreeSet<String> =
        model.events().map(|event| event.name().to_lowercase()).collect();
    let (count, mut attributes, mut refused) = (names.len(), 0, 0);
    let mut wrong = Vec::new();
    for (place, name, expected) in recorded_events(record) {
        assert!(names.remove(&name), "{name} is none, or twice");
        match system.clone().with_model(model).require(&name) {
            Ok(all) => {
                attributes += all.events().len();
                let mut found: Vec<_> = all
                    .events()
                    .iter()
                    .map(|one| {
                        (one.type_(), one.pmu().map_or("-", |pmu| pmu.name()), words(one.words()))
                    })
                    .collect();
                found.sort_unstable();
                let places: Vec<String> =
                    found.iter().map(|(kind, pmu, _)| format!("{pmu}:{kind}")).collect();
                let mut words: Vec<&str> = found.iter().map(|(.., words)| &**words).collect();
                if words.iter().all(|other| other == &words[0]) {
                    words.truncate(1);
                }
                let found = (places.join(" "), words.join("|"));
                if (found.0.as_str(), found.1.as_str()) != (place, expected) {
                    wrong.push(format!("{name}: {found:?}, perf: {place} {expected}"));
                }
            }
            Err(error) => {
                refused += 1;
                let too_large = matches!(error.kind(), ErrorKind::Term);
                if place != "refused" || !too_large {
                    wrong.push(format!("{name}: {error}"));
                }
            }
        }
    }
    assert!(names.is_empty(), "not recorded: {names:?}");
    assert!(sysfs.problems().is_empty(), "{:?}", sysfs.problems());
    assert!(wrong.is_empty(), "{} of {machine}:\n{}", wrong.len(), wrong.join("\n"));
    (count, attributes, refused)
}

/// The umasks of 68 events of the IIO boxes have more bits than the PMU's format
/// has for them; perf refuses these, too.
#[test]
fn every_event_of_sapphirerapids() {
    let record = include_str!("../cases/attributes/sapphirerapids.txt");
    assert_eq!(compare_words("sapphirerapids", record), (2_664, 8_443, 68));
}

#[test]
fn every_event_of_alderlake() {
    let record = include_str!("../cases/attributes/alderlake.txt");
    assert_eq!(compare_words("alderlake", record), (444, 516, 0));
}

/// No words were recorded: each event opens once, on the PMU of its table, with
/// the number that its table has.
#[test]
fn every_event_of_neoverse_n1() {
    let machine = Machine::named("neoverse-n1");
    let system = machine.system();
    let sysfs = system.sysfs();
    let model = model("neoverse-n1").expect("there is a table");
    let mut count = 0;
    for event in model.events() {
        let all = system
            .clone()
            .with_model(model)
            .require(event.name())
            .unwrap_or_else(|e| panic!("{e}"));
        let [one] = all.events() else { panic!("{}: {} times", event.name(), all.events().len()) };
        assert_eq!((one.pmu().map(|pmu| pmu.name()), one.type_()), (Some("armv8_pmuv3_0"), 8));
        let code = event.terms().find(|term| term.name() == "event").and_then(|term| term.number());
        assert_eq!(Some(one.words().config()), code, "{}", event.name());
        count += 1;
    }
    assert_eq!(count, 109);
    let cmn = sysfs.pmu("arm_cmn_0").expect("the machine has one");
    let identifier = cmn.identifier().expect("it has one");
    let mut count = 0;
    for event in kernel_arch("arm64").tree.sys_events(cmn.name(), identifier) {
        let with_tree = system.clone().with_tree(kernel_arch("arm64").tree);
        for system in [system.clone().with_model(model), with_tree] {
            let all = system.require(event.name()).unwrap_or_else(|e| panic!("{e}"));
            let [one] = all.events() else {
                panic!("{}: {} times", event.name(), all.events().len())
            };
            let number = |name| {
                let term = event.terms().find(|term| term.name() == name);
                term.map_or(0, |term| term.number().expect("it is a number"))
            };
            let expected = number("type") | number("eventid") << 16 | number("occupid") << 27;
            assert_eq!((one.type_(), one.words().config()), (9, expected), "{}", event.name());
        }
        count += 1;
    }
    assert_eq!(count, 33);
    assert!(sysfs.problems().is_empty());
}

/// What is odd on purpose: each event of its PMUs, with what is wrong with it.
#[test]
fn every_event_of_edge() {
    let machine = Machine::named("edge");
    let system = machine.system();
    let sysfs = system.sysfs();
    let mut refused = Vec::new();
    for pmu in sysfs.pmus() {
        for event in pmu.events() {
            let text = format!("{}/{}/", pmu.name(), event.name());
            match system.require(&text) {
                Ok(all) => assert_eq!(all[0].type_(), pmu.type_().unwrap(), "{text}"),
                Err(error) => refused.push((text, error.to_string())),
            }
        }
    }
    let refused: Vec<(&str, &str)> = refused.iter().map(|(t, e)| (&**t, &**e)).collect();
    let parameter = "parameter `umask` has no value: add umask=\u{2026} (PMU `cpu`)";
    assert_eq!(refused, [("cpu/param/", parameter)]);
}

/// Answers of perf that are not given on purpose.
const DELIBERATE: &[(&str, &str)] = &[
    (" cycles", "blanks around a name are none of it"),
    ("cycles ", "blanks around a name are none of it"),
    ("mem:0x1000/8:rw:u", "it is named as it is written"),
    ("Mixed_Case", "an event of sysfs is found as it is spelled"),
    ("cpu/Mixed_Case/", "an event of sysfs is found as it is spelled"),
];

/// Compares the cases that are recorded of a version, and says how many these are.
fn compare_lists(version: &str, names: GenericNames) -> usize {
    let cases = recorded::of(version);
    let mut machines = BTreeMap::new();
    for case in &cases {
        machines.entry(case.machine).or_insert_with(|| Machine::named(case.machine));
    }
    let mut wrong = Vec::new();
    let mut differing = BTreeSet::new();
    for Case { machine, text, answer } in &cases {
        let system = machines[machine].with_model(model(machine)).with_generic_names(names);
        let found = match system.require(text) {
            Ok(all) => lines(&all),
            Err(error) => {
                assert!(text.get(error.span()).is_some(), "{text}: {error:?}");
                vec!["refused".into()]
            }
        };
        let found = if version == NEWEST { as_newest(&found) } else { found };
        if found != *answer {
            if DELIBERATE.iter().any(|(known, _)| known == text) {
                differing.insert(text);
            } else {
                wrong.push(format!("{machine} `{text}`:\n  {found:?}\n  {answer:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
    assert_eq!(differing.len(), DELIBERATE.len(), "all that is listed differs: {differing:?}");
    cases.len()
}

#[test]
fn event_strings() {
    assert_eq!(compare_lists("6.12", GenericNames::Kernel), 213);
}

#[test]
fn event_strings_of_the_newest_perf() {
    assert_eq!(compare_lists(NEWEST, GenericNames::Pmu), 323);
}
