//! Words back to events: every event that can be encoded is found by its words.

use std::collections::BTreeSet;

use pmu_events::__private::glob;
use pmu_events::format::Word;
use pmu_events::{Model, System, arch, builtin, config};

#[allow(dead_code)]
#[path = "machines/mod.rs"]
mod machines;

use machines::Machine;

/// Events with a term that the kernel's drivers do not take either.
const REFUSED: [(&str, &str, &str); 4] = [
    ("GenuineIntel-6-2D-7", "uncore_pcu", "event"),
    ("GenuineIntel-6-3E-4", "uncore_pcu", "event"),
    ("GenuineIntel-6-8F-4", "uncore_iio", "umask"),
    ("GenuineIntel-6-CF-2", "uncore_iio", "umask"),
];

/// PMUs for which the drivers of Linux 6.12 have no formats.
const WITHOUT: [(&str, &str); 1] = [("GenuineIntel-6-BD-1", "uncore_santa")];

/// CPUs with built-in formats, among them one of each family of uncore PMUs.
const CPUS: [&str; 28] = [
    "GenuineIntel-6-37-8",
    "GenuineIntel-6-2A-7",
    "GenuineIntel-6-2D-7",
    "GenuineIntel-6-3C-3",
    "GenuineIntel-6-3E-4",
    "GenuineIntel-6-3F-2",
    "GenuineIntel-6-4F-1",
    "GenuineIntel-6-56-3",
    "GenuineIntel-6-57-1",
    "GenuineIntel-6-5E-3",
    "GenuineIntel-6-55-4",
    "GenuineIntel-6-55-7",
    "GenuineIntel-6-6A-6",
    "GenuineIntel-6-86-7",
    "GenuineIntel-6-8C-1",
    "GenuineIntel-6-8F-4",
    "GenuineIntel-6-CF-2",
    "GenuineIntel-6-97-2",
    "GenuineIntel-6-AA-4",
    "GenuineIntel-6-AD-1",
    "GenuineIntel-6-AF-3",
    "GenuineIntel-6-B6-1",
    "GenuineIntel-6-BD-1",
    "AuthenticAMD-23-1-1",
    "AuthenticAMD-25-1-1",
    "AuthenticAMD-25-61-2",
    "0x00000000410fd0c0",
    "0x004e1200",
];

fn model(cpuid: &str) -> Model {
    arch::model(cpuid).unwrap_or_else(|| panic!("{cpuid} is known"))
}

#[test]
fn every_event_is_found_by_its_words() {
    let mut refused = BTreeSet::new();
    let mut without = Vec::new();
    for cpuid in CPUS {
        for pmu in model(cpuid).pmus() {
            let Some(formats) = builtin::of_pmu(cpuid, pmu.name()) else {
                without.push((cpuid, pmu.name()));
                continue;
            };
            for (n, event) in pmu.events().enumerate() {
                let words = match event.encode(formats) {
                    Ok(encoded) => encoded.words(),
                    Err(error) => {
                        refused.insert((cpuid, pmu.name(), error.term().name()));
                        continue;
                    }
                };
                assert!(event.is_encoded_as(words, formats));
                // Thousands of events against thousands would take minutes.
                if n % 50 == 0 {
                    assert!(pmu.events().encoded_as(words, formats).any(|found| found == event));
                }
                assert_eq!(event.differences(words, formats).expect("it is encoded").count(), 0);
            }
        }
    }
    assert_eq!(refused.into_iter().collect::<Vec<_>>(), REFUSED);
    assert_eq!(without, WITHOUT);
}

/// A CPU of each model that has metrics, and of each table of a system.
fn cpus_of_all_models() -> Vec<(String, Model)> {
    const OTHERS: [&str; 25] = [
        // Nobody makes these: they have what their architectures have.
        "0x0-0x0-0x0",
        "0x00900200",
        "IBM,9999,704,A01,3.7,002f",
        "0x31e-0x8000000000008a45-0x1",
        "0x489-0x8000000000000007-0x20181004",
        "0x489-0x8000000000000107-0x7000000",
        "0x489-0x8000000000000107-0xd000000",
        "0x489-0x8000000000000008-0x6200000",
        "0x489-0x8000000000000108-0x9000000",
        "0x5b7-0x0-0x0",
        "0x602-0x3-0x0",
        "0x67e-0x80000000db000080-0x1",
        "0x710-0x8000000058000001-0x1",
        "0x004d0200",
        "0x004e1200",
        "0x00800200",
        "0x00ffffff",
        "IBM,2097,704,E10,1.4,002f",
        "IBM,2817,704,M15,1.4,002f",
        "IBM,2827,704,H20,1.4,002f",
        "IBM,2964,704,N30,1.4,002f",
        "IBM,3906,704,M01,1.4,002f",
        "IBM,8561,704,T01,3.6,002f",
        "IBM,3931,704,A01,3.7,002f",
        "IBM,9175,704,ME1,3.8,002f",
    ];
    let intel = (0..0x1000).map(|n| format!("GenuineIntel-6-{:X}-{:X}", n >> 4, n & 0xf));
    let newer = (0..0x10).map(|model| format!("GenuineIntel-18-{model:X}-0"));
    let amd = (0..0x400).map(|n| format!("AuthenticAMD-{}-{:X}-0", 23 + (n >> 8), n & 0xff));
    let implementers = [0x3f, 0x41, 0x42, 0x43, 0x46, 0x48, 0x4e, 0x50, 0x61, 0x6d, 0xc0];
    let arm = implementers.into_iter().flat_map(|implementer: u64| {
        (0..0x1000).map(move |part| format!("{:#018x}", implementer << 24 | 0xf << 16 | part << 4))
    });
    let cpuids = intel.chain(newer).chain(amd).chain(arm).chain(OTHERS.map(String::from));
    let mut all: Vec<(String, Model)> = Vec::new();
    for cpuid in cpuids {
        let Some(model) = arch::model(&cpuid) else { continue };
        if !all.iter().any(|(_, known)| *known == model) {
            all.push((cpuid, model));
        }
    }
    for (arch, tree) in arch::TREES.iter().filter(|(arch, _)| !["common", "test"].contains(arch)) {
        for model in tree.models().filter(|model| model.metrics().len() > 0) {
            assert!(all.iter().any(|(_, known)| *known == model), "{arch} {}", model.name());
        }
        // Systems with a table of their own have cores of Arm.
        all.extend(tree.sys_tables().map(|table| ("0x00000000410fd030".into(), table)));
    }
    all
}

/// Events of metrics that no driver's formats have, and why: models, and parts of what resolving them
/// says.
const WITHOUT_FORMATS: [(&str, &str, &str); 5] = [
    ("lunarlake", "uncore_santa", "no driver counts on this PMU of Lunar Lake"),
    ("alderlake", "tsx_", "the core has no transactions, of which its sources have metrics"),
    (
        "compat",
        "is of a core PMU",
        "the kernel's driver for unknown processors has formats of its own",
    ),
    ("power*", "`hv_24x7`", "the firmware has the names of its events"),
    ("power*", "`nest_", "the firmware has the names of its PMUs and events"),
];

/// The PMU of an event, without the number of an instance: one of several is encoded as all are.
fn without_number(event: &str) -> String {
    let Some((pmu, terms)) = event.split_once('/') else { return event.to_owned() };
    let stem = pmu.trim_end_matches(|digit: char| digit.is_ascii_digit());
    match stem {
        "cpu" | "armv8_pmuv3_" | "hv_24x" => event.to_owned(),
        _ => format!("{}/{terms}", stem.trim_end_matches('_')),
    }
}

/// Each event that a metric of any model needs has words by the formats of its CPU, also with terms
/// of the formula's own, and by the names that drivers give to codes.
#[test]
fn every_event_of_every_metric_is_encoded() {
    let (mut refused, mut encoded, mut with_terms) = (BTreeSet::new(), 0, 0);
    let mut needed = [false; WITHOUT_FORMATS.len()];
    let all = cpus_of_all_models();
    for (cpuid, model) in &all {
        let system = System::builtin(cpuid, *model);
        for metric in model.metrics() {
            for event in metric.events().chain(metric.threshold_events()) {
                let text = without_number(&event.with_parameter(1).to_string());
                let Err(error) = system.require(&text) else {
                    encoded += 1;
                    with_terms += usize::from(text.contains(','));
                    continue;
                };
                let error = format!("{}: {}: {error}", model.name(), metric.name());
                let known = WITHOUT_FORMATS.iter().position(|(models, part, _)| {
                    glob::matches(models, model.name()) && error.contains(part)
                });
                match known {
                    Some(known) => needed[known] = true,
                    None => {
                        refused.insert(format!("{cpuid} {error}"));
                    }
                }
            }
        }
    }
    println!("{} models, {encoded} events, {with_terms} of them with terms", all.len());
    assert_eq!(refused, BTreeSet::new());
    assert!(needed.iter().all(|needed| *needed), "{needed:?}");
    assert!(all.len() > 130 && encoded > 71_000 && with_terms > 1_900);
}

/// Where they can be compared, built-in formats make the same words as those of
/// a machine's sysfs.
#[test]
fn built_in_formats_are_those_of_machines() {
    let machines = [
        ("skylakex", "GenuineIntel-6-55-4", 10),
        ("sapphirerapids", "GenuineIntel-6-8F-4", 4),
        ("alderlake", "GenuineIntel-6-97-2", 3),
        ("zen4", "AuthenticAMD-25-61-2", 4),
        ("power9", "0x004e1200", 1),
        ("neoverse-n1", "0x00000000410fd0c0", 1),
    ];
    for (machine, cpuid, least) in machines {
        let machine = Machine::named(machine);
        let (sysfs, units) = (machine.sysfs(), model(cpuid).pmus());
        let mut compared = 0;
        for unit in units {
            let formats = builtin::of_pmu(cpuid, unit.name()).expect("it is built in");
            for pmu in sysfs.pmus().iter().filter(|pmu| pmu.is_of_unit(unit.name())) {
                for event in unit.events() {
                    let terms = event.terms();
                    let of_sysfs = config::encode_with(terms, |term| pmu.format(term));
                    let [own, of_sysfs] = [event.encode(formats), of_sysfs].map(|it| it.ok());
                    assert_eq!(own, of_sysfs, "{cpuid}: {}: {}", pmu.name(), event.name());
                }
                compared += 1;
            }
        }
        assert!(compared >= least, "{cpuid}: {compared} PMUs");
    }
}

#[test]
fn differences_cover_every_bit() {
    let event = model("GenuineIntel-6-8F-4").require("INST_RETIRED.ANY_P");
    let own = event.require_words(builtin::INTEL);
    for (&word, bit) in Word::ALL.iter().flat_map(|word| (0..64).map(move |bit| (word, bit))) {
        let words = own.with(word, own.get(word) ^ 1 << bit);
        let differences = event.differences(words, builtin::INTEL).expect("it is encoded");
        assert_eq!(differences.count(), 1, "{word} {bit}");
        assert!(!event.is_encoded_as(words, builtin::INTEL));
    }
}
