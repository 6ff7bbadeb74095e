//! The first lines that users write.

use std::collections::{BTreeSet, HashMap};

use pmu_events::event_list::{Hardware, Software, Tool};
use pmu_events::format::{Format, Word, Words};
use pmu_events::measure::Formulas;
use pmu_events::sysfs::CpuSet;
use pmu_events::{Event, Model, System, arch::x86, builtin};

#[test]
fn events_in_maps_and_sets() {
    let [first, second] = ["INST_RETIRED.ANY", "CPU_CLK_UNHALTED.THREAD"].map(|name| {
        let event: Event = x86::SKYLAKE.require(name);
        event
    });
    let mut counts: HashMap<Event, u64> = HashMap::new();
    counts.insert(first, 1);
    *counts.entry(first).or_default() += 1;
    assert_eq!((counts[&first], counts.get(&second)), (2, None));

    let all: BTreeSet<Event> = [second, first, second].into();
    assert_eq!(all.len(), 2);
    let models: BTreeSet<Model> = [x86::SKYLAKE, x86::HASWELL, x86::SKYLAKE].into();
    assert_eq!(models.len(), 2);
    assert_eq!(first.to_string(), "INST_RETIRED.ANY");
}

#[test]
fn names_are_parsed() {
    assert_eq!("cycles".parse(), Ok(Hardware::CpuCycles));
    assert_eq!("page-faults".parse(), Ok(Software::PageFaults));
    assert_eq!("duration_time".parse(), Ok(Tool::DurationTime));
    assert_eq!("config1".parse(), Ok(Word::Config1));
    assert_eq!("config:0-7".parse(), Ok(Format::new(Word::Config, 0xff)));
    let user = System::at("/nonexistent").resolve("cycles:up").unwrap();
    assert!(user[0].settings().exclude_kernel() && user[0].settings().precise() == 1);
    assert!("ipc = instructions / cycles".parse::<Formulas>().is_ok());
    let error = "cylces".parse::<Hardware>().unwrap_err();
    assert_eq!(error.to_string(), "expected a hardware event");
}

#[test]
fn cpus_from_numbers() {
    let cpus: CpuSet = [0, 1, 4].into_iter().collect();
    assert_eq!(cpus, "0-1,4".parse().unwrap());
}

#[test]
fn words_of_an_event() {
    const WORDS: Words = x86::SKYLAKE.require("INST_RETIRED.ANY_P").require_words(builtin::INTEL);
    assert_eq!((WORDS, WORDS.config()), (Words::new(0xc0), 0xc0));
    assert_eq!(WORDS.to_string(), "config=0xc0");
    assert_eq!(format!("{WORDS:?}"), "Words(config=0xc0)");
}

/// Where nobody may count, the error says so.
#[test]
fn counts_of_some_work() {
    let sum = || (0..1_000_000_u64).sum::<u64>();
    let mut counters = match System::new().open("task-clock,page-faults") {
        Ok(counters) => counters,
        Err(error) => {
            assert!(error.is_permission() || error.is_unsupported(), "{error}");
            return;
        }
    };
    let (result, reading) = counters.count(sum).unwrap();
    assert_eq!(result, 499_999_500_000);
    match reading["task-clock"].value() {
        Ok(seconds) => assert!(seconds > 0.0),
        // A kernel without counters refuses each event alone.
        Err(error) => assert!(error.is_unsupported(), "{error}"),
    }
    assert!(reading.get("page-faults").is_some() && reading.get("cycles").is_none());
}
