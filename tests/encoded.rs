//! Words back to events: every event that can be encoded is found by its words.

use std::collections::BTreeSet;

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
                    Ok(encoded) => encoded.words,
                    Err(error) => {
                        refused.insert((cpuid, pmu.name(), error.term().name));
                        continue;
                    }
                };
                assert!(event.is_encoded_as(words, formats));
                // Thousands of events against thousands would take minutes.
                if n % 50 == 0 {
                    assert!(pmu.events().encoded_as(words, formats).any(|found| found == event));
                }
                assert!(event.differences(words, formats).expect("it is encoded").is_empty());
            }
        }
    }
    assert_eq!(refused.into_iter().collect::<Vec<_>>(), REFUSED);
    assert_eq!(without, WITHOUT);
}

/// Each event that a metric needs has words by the formats of its CPU, also with terms of the
/// formula's own, and by the names that drivers give to codes.
#[test]
fn every_event_of_a_metric_is_encoded() {
    let (mut refused, mut encoded, mut with_terms) = (BTreeSet::new(), 0, 0);
    for cpuid in CPUS {
        let model = model(cpuid);
        let system = System::builtin(cpuid, model);
        for metric in model.metrics() {
            for event in metric.events().chain(metric.threshold_events()) {
                // One unit of several is encoded as all of them are.
                let text = event.with_parameter(1).to_string();
                let text = match text.split_once("_0/") {
                    Some((pmu, terms)) if !pmu.contains('/') => format!("{pmu}/{terms}"),
                    _ => text,
                };
                match system.require(&text) {
                    Ok(_) => {
                        encoded += 1;
                        with_terms += usize::from(text.contains(','));
                    }
                    Err(error) => {
                        refused.insert(format!("{cpuid}: {}: {error}", metric.name()));
                    }
                }
            }
        }
    }
    // `WITHOUT` has the PMU.
    refused.retain(|error| !error.contains("uncore_santa"));
    // Alder Lake has no transactions, of which its sources have metrics.
    refused.retain(|error| !error.starts_with("GenuineIntel-6-97-2: tsx_"));
    // Names that the firmware of POWER has.
    refused.retain(|error| !error.contains("`hv_24x7`") && !error.contains("`nest_"));
    assert_eq!(refused, BTreeSet::new());
    assert!(encoded > 49_000 && with_terms > 250, "{encoded}, {with_terms}");
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
    for bit in 0..256 {
        let mut words = own;
        words[bit / 64] ^= 1 << (bit % 64);
        let differences = event.differences(words, builtin::INTEL).expect("it is encoded");
        assert_eq!(differences.bits(), 1);
        assert_eq!(differences.count(), 1, "bit {bit}");
        assert!(!event.is_encoded_as(words, builtin::INTEL));
    }
}
