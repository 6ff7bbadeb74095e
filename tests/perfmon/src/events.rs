//! The events of one model, and the counters of its PMUs.

use std::collections::{BTreeMap, BTreeSet};

use pmu_events_compiler::Encoding;
use pmu_events_core::event::CounterConstraint;
use pmu_events_core::{Event, Model};

use crate::Outcome;

pub(crate) fn compare(ours: &Model, theirs: &Model, outcome: &mut Outcome) {
    let model = theirs.name();
    let by_name = |model: &Model| -> BTreeMap<(String, String), Event> {
        let key = |event: Event| (event.pmu().to_owned(), event.name().to_owned());
        model.events().map(|event| (key(event), event)).collect()
    };
    let (our, their) = (by_name(ours), by_name(theirs));
    for (key, event) in &their {
        let name = format!("{}/{}/", key.0, key.1);
        match our.get(key) {
            None => outcome.differs(model, &name, "event", "none", event.event_string()),
            Some(our) => {
                for ((field, our), (_, their)) in fields(*our).into_iter().zip(fields(*event)) {
                    outcome.differs(model, &name, field, &our, &their);
                }
                if texts(*our) != texts(*event) {
                    if from_tables(*event) {
                        outcome.text_differs();
                    } else {
                        let [our, their] = [*our, *event].map(|event| texts(event).join(" | "));
                        outcome.differs(model, &name, "descriptions", &our, &their);
                    }
                }
            }
        }
    }
    for (key, event) in our.iter().filter(|(key, _)| !their.contains_key(key)) {
        let name = format!("{}/{}/", key.0, key.1);
        outcome.differs(model, &name, "event", event.event_string(), "none");
    }
    for pmu in theirs.pmus() {
        let our = ours.pmus().find(|our| our.name() == pmu.name());
        let counters = |pmu: &pmu_events_core::model::PmuTable| {
            format!("{:?} {:?}", pmu.general_counters(), pmu.fixed_counters())
        };
        let our = our.as_ref().map_or_else(|| "no PMU".to_owned(), counters);
        outcome.differs(model, pmu.name(), "counters of the PMU", &our, &counters(&pmu));
    }
}

/// Compares what `arch/` takes from perfmon: all facts.
pub(crate) fn compare_facts(
    ours: &Model,
    theirs: &Model,
    encoding: Encoding,
    outcome: &mut Outcome,
) {
    let model = theirs.name();
    let by_name = |model: &Model| -> BTreeMap<(String, String), Event> {
        let key = |event: Event| (event.pmu().to_owned(), event.name().to_owned());
        model.events().map(|event| (key(event), event)).collect()
    };
    let (our, their) = (by_name(ours), by_name(theirs));
    let names: BTreeSet<_> = our.keys().chain(their.keys()).collect();
    let shown = |event: Option<&Event>| event.map_or("none", |event| event.event_string());
    for key in names {
        let name = format!("{}/{}/", key.0, key.1);
        let sides = [our.get(key), their.get(key)];
        outcome.differs(model, &name, "event", shown(sides[0]), shown(sides[1]));
        let [Some(our), Some(their)] = sides.map(|side| side.map(|event| all(*event))) else {
            continue;
        };
        for ((field, our), (_, their)) in our.into_iter().zip(their) {
            // That a counter is free-running is not in perf's encoding of perfmon.
            if field != "counters" || encoding == Encoding::Correct {
                outcome.differs(model, &name, field, &our, &their);
            }
        }
    }
    let counters = |model: &Model| -> Vec<String> {
        let numbers = model.pmus().map(|pmu| {
            format!("{} {:?} {:?}", pmu.name(), pmu.general_counters(), pmu.fixed_counters())
        });
        numbers.collect()
    };
    if encoding == Encoding::Correct {
        let [our, their] = [ours, theirs].map(|model| counters(model).join("; "));
        outcome.differs(model, "", "counters of PMUs", &our, &their);
    }
}

fn all(event: Event) -> Vec<(&'static str, String)> {
    let mut all = fields(event);
    // A register without a value selects nothing; `arch/` has only the term that
    // perf makes of it.
    if event.msr().is_some_and(|msr| msr.value().is_none()) {
        all.retain(|(field, _)| *field != "MSR");
        all.insert(0, ("MSR", "None".to_owned()));
    } else {
        all.sort_by_key(|(field, _)| *field != "MSR");
    }
    all.push(("taken alone", event.is_taken_alone().to_string()));
    all.push(("umasks of registers", format!("{:?}", event.msr_umasks().collect::<Vec<_>>())));
    all
}

/// Whether the script may take the event's description from its own tables, which
/// are about uncores and no part of perfmon's data.
fn from_tables(event: Event) -> bool {
    event.pmu().starts_with("uncore_")
}

fn texts(event: Event) -> [String; 4] {
    let text = |text: Option<pmu_events_core::text::Text>| {
        text.map_or_else(|| "none".to_owned(), |text| text.to_string())
    };
    let perf_text = |text: Option<pmu_events_core::event::PerfText>| {
        text.map_or_else(|| "none".to_owned(), |text| text.to_string())
    };
    [
        text(event.description()),
        text(event.long_description()),
        perf_text(event.perf_description()),
        perf_text(event.perf_long_description()),
    ]
}

fn fields(event: Event) -> Vec<(&'static str, String)> {
    let counters = match event.counters() {
        CounterConstraint::General(set) => format!("general {set}"),
        other => format!("{other:?}"),
    };
    vec![
        ("event string", event.event_string().to_owned()),
        ("topic", event.topic().to_owned()),
        ("precise", format!("{:?}", event.precise())),
        ("counters", counters),
        ("MSR", format!("{:?}", event.msr())),
        ("sample-after", format!("{:?}", event.sample_after())),
        ("latency", format!("{:?}", event.retirement_latency())),
        ("per-package", event.is_per_package().to_string()),
        ("deprecated", event.is_deprecated().to_string()),
        ("experimental", event.is_experimental().to_string()),
        ("data address", event.has_data_address().to_string()),
        ("errata", format!("{:?}", event.errata())),
        ("scale unit", format!("{:?}", event.scale_unit())),
        ("perf differs", format!("{:?}", event.perf_differs())),
    ]
}
