//! Attributes held against perf's: what Linux 6.12's perf would have opened on
//! made-up machines, recorded.
//!
//! `cases/attributes/TREE.txt` has every event of a model's table. A line
//! `# pmu:type … [per-package] [scale=…unit]` says where those below it open;
//! each of these is the number of letters that its name shares with the one
//! before, the rest of the name, the config words in hexadecimal and, if the
//! event has one, its period.
//!
//! `cases/attributes/lists.txt` has event strings, each with its machine, and
//! indented below it what is opened; `refused` where nothing is.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use pmu_events::Model;
use pmu_events::config::Sampling;
use pmu_events::resolve::{Resolved, resolve};
use pmu_events_kernel_comparison::kernel_arch;

#[allow(dead_code)]
#[path = "../../machines/mod.rs"]
mod machines;

use machines::Machine;

/// The model of a machine's CPU.
fn model(machine: &str) -> Option<Model> {
    let (arch, cpuid) = match machine {
        "skylakex" => ("x86", "GenuineIntel-6-55-4"),
        "alderlake" => ("x86", "GenuineIntel-6-97-2"),
        "zen4" => ("x86", "AuthenticAMD-25-61-2"),
        "neoverse-n1" => ("arm64", "0x00000000410fd0c0"),
        "power9" => ("powerpc", "0x004e1200"),
        // perf's own table for tests, which no map file names.
        "testcpu" => return kernel_arch("test").tree.model_named("test_soc/cpu"),
        _ => return None,
    };
    Some(*(kernel_arch(arch).model)(cpuid).expect("the kernel's map file has it"))
}

fn words(config: [u64; 4]) -> String {
    let used = config.iter().rposition(|&word| word != 0).unwrap_or(0);
    let words: Vec<String> = config[..=used].iter().map(|word| format!("{word:x}")).collect();
    words.join(",")
}

fn scale(resolved: &Resolved<'_>) -> String {
    if resolved.scale == 1.0 && resolved.unit.is_empty() {
        return String::new();
    }
    // As C's `%g` has it.
    let scale = resolved.scale;
    let exponent = scale.abs().log10().floor();
    let number = if (-4.0..6.0).contains(&exponent) {
        format!("{scale}")
    } else {
        let digits = format!("{scale:.5e}");
        let (mantissa, power) = digits.split_once('e').expect("it was written so");
        let mantissa = mantissa.trim_end_matches('0').trim_end_matches('.');
        format!("{mantissa}e{:+03}", power.parse::<i32>().expect("it was written so"))
    };
    format!(" scale={number}{}", resolved.unit)
}

/// The two lines of a table's record that an event's attributes come to.
fn recorded_as(resolved: &[Resolved<'_>]) -> (String, String) {
    let mut places: Vec<_> =
        resolved.iter().map(|r| (r.kind, r.pmu.map_or("-", |p| p.name()))).collect();
    places.sort_unstable();
    let mut place: Vec<String> = places.iter().map(|(kind, pmu)| format!("{pmu}:{kind}")).collect();
    if resolved[0].is_per_package {
        place.push("per-package".into());
    }
    let mut place = place.join(" ");
    place.push_str(&scale(&resolved[0]));
    let mut each = resolved.iter().map(|one| {
        let mut line = words(one.config);
        match one.attributes.sampling {
            Some(Sampling::Period(period)) => write!(line, " {period}").unwrap(),
            Some(Sampling::Frequency(frequency)) => write!(line, " freq={frequency}").unwrap(),
            None => {}
        }
        (line, scale(one), one.is_per_package, one.has_default_sampling)
    });
    let first = each.next().expect("there is one");
    assert!(each.all(|other| other == first), "instances differ");
    (place, first.0)
}

/// Compares every event of a table, and gives how many names and attributes
/// there are.
fn compare(machine: &str, record: &str) -> (usize, usize) {
    let model = model(machine).expect("there is a table");
    let made_up = Machine::named(machine);
    let sysfs = made_up.sysfs();
    let (mut place, mut name) = ("", String::new());
    let mut recorded = BTreeSet::new();
    let mut attributes = 0;
    let mut wrong = Vec::new();
    for line in record.lines() {
        if let Some(next) = line.strip_prefix("# ") {
            (place, name) = (next, String::new());
            continue;
        }
        let mut parts = line.splitn(3, ' ');
        let mut part = || parts.next().expect("a line has three parts");
        name.truncate(part().parse().expect("the first part is a number"));
        name.push_str(part());
        let expected = (place.to_owned(), part().to_owned());
        match resolve(&name, Some(&model), &sysfs) {
            Ok(resolved) => {
                attributes += resolved.len();
                let found = recorded_as(&resolved);
                if found != expected {
                    wrong.push(format!("{name}: {found:?}, perf: {expected:?}"));
                }
            }
            Err(error) => wrong.push(format!("{name}: {error}")),
        }
        recorded.insert(name.clone());
    }
    // What perf refuses is not in the record.
    for event in model.events() {
        let name = event.name().to_lowercase();
        if !recorded.contains(&name)
            && let Ok(resolved) = resolve(&name, Some(&model), &sysfs)
        {
            wrong.push(format!("{name}: opens {} times, in perf not", resolved.len()));
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

/// The line of a list's record that an attribute comes to.
fn listed_as(one: &Resolved<'_>, place: usize) -> Vec<String> {
    let mut fields = vec![
        format!("pmu={}", one.pmu.map_or("-", |pmu| pmu.name())),
        format!("type={}", one.kind),
        format!("config={}", words(one.config)),
    ];
    let settings = one.settings;
    let percore = one.attributes.percore.unwrap_or_default();
    let numbers = [
        ("bp_type", one.breakpoint.map_or(0, |breakpoint| breakpoint.access())),
        ("precise_ip", settings.precise.into()),
        ("percore", percore.into()),
    ];
    let numbers = numbers.iter().filter(|(_, number)| *number != 0);
    fields.extend(numbers.map(|(name, number)| format!("{name}={number}")));
    let flags = [
        ("exclude_user", settings.exclude_user),
        ("exclude_kernel", settings.exclude_kernel),
        ("exclude_hv", settings.exclude_hv),
        ("exclude_host", settings.exclude_host),
        ("exclude_guest", settings.exclude_guest),
        ("exclude_idle", settings.exclude_idle),
        ("pinned", settings.pinned),
        ("exclusive", settings.exclusive),
        ("sample_read", settings.sample_read),
        ("per_pkg", one.is_per_package),
        ("snapshot", one.is_snapshot),
    ];
    fields.extend(flags.iter().filter(|(_, set)| *set).map(|(name, _)| (*name).to_owned()));
    match one.attributes.sampling {
        Some(Sampling::Period(period)) => fields.push(format!("period={period}")),
        Some(Sampling::Frequency(frequency)) => fields.push(format!("freq={frequency}")),
        None => {}
    }
    let scale = scale(one);
    if !scale.is_empty() {
        fields.push(scale.trim_start().into());
    }
    if one.leader != 0 {
        fields.push(format!("leader={}", one.leader));
    }
    if one.leader == place && one.group_len > 1 {
        fields.push(format!("members={}", one.group_len));
    }
    fields.push(format!("name={}", one.name));
    fields.extend(one.attributes.metric_id.map(|id| format!("metric_id={id}")));
    fields
}

/// Answers of perf that are not given on purpose.
const DELIBERATE: &[(&str, &str)] = &[
    (" cycles", "blanks around a name are none of it"),
    ("cycles ", "blanks around a name are none of it"),
    ("mem:0x1000/8:rw:u", "it is named as it is written"),
    ("bw_in_port0", "instances come by number"),
];

#[test]
fn event_strings() {
    let mut cases: Vec<(&str, Vec<Vec<String>>)> = Vec::new();
    for line in include_str!("../cases/attributes/lists.txt").lines() {
        match line.strip_prefix('\t') {
            Some(attribute) => {
                let fields = attribute.split('\t').map(String::from).collect();
                cases.last_mut().expect("a case stands before its attributes").1.push(fields);
            }
            None => cases.push((line, Vec::new())),
        }
    }
    let mut machines = BTreeMap::new();
    for (case, _) in &cases {
        let name = case.split('\t').next().expect("there is a first part");
        machines.entry(name).or_insert_with(|| Machine::named(name));
    }
    let mut wrong = Vec::new();
    let mut differing = BTreeSet::new();
    for (case, expected) in &cases {
        let mut parts = case.split('\t');
        let (name, text) = (parts.next().unwrap(), parts.next().unwrap());
        let sysfs = machines[name].sysfs();
        let found = match resolve(text, model(name).as_ref(), &sysfs) {
            Ok(all) => all.iter().enumerate().map(|(n, one)| listed_as(one, n)).collect(),
            Err(error) => {
                assert!(text.get(error.span()).is_some(), "{text}: {error:?}");
                vec![]
            }
        };
        assert_eq!(parts.next().is_some(), expected.is_empty(), "{case}");
        if found != *expected {
            if DELIBERATE.iter().any(|(known, _)| known == &text) {
                differing.insert(text);
            } else {
                wrong.push(format!("{name} `{text}`:\n  {found:?}\n  {expected:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
    assert_eq!(cases.len(), 213);
    assert_eq!(differing.len(), DELIBERATE.len(), "all that is listed differs: {differing:?}");
}
