//! Events that perf gets wrong, in both encodings.

use pmu_events::__private::flags::Flag;
use pmu_events::event::Encoding;
use pmu_events::format::Words;
use pmu_events::resolve::{Resolution, Resolved};
use pmu_events::{Event, Model, System, Tree};

mod correct {
    pmu_events::pmu_events!("pmu-events-macros/compiler/tests/made-up-perfmon", unknown = allow);
}

mod perf {
    pmu_events::pmu_events!(
        "pmu-events-macros/compiler/tests/made-up-perfmon",
        unknown = allow,
        encoding = perf
    );
}

/// Everything that depends on the encoding.
fn facts(event: Event) -> String {
    let told = [event.perf_description(), event.perf_long_description()].map(|text| {
        // Read after the encoding was chosen.
        text.map(|text| text.to_string())
    });
    format!(
        "{} {} {} {} {:?} {:?} {:?} {told:?} {:?}",
        event.name(),
        event.pmu(),
        event.event_string(),
        event.vendor_event_string(),
        event.precise(),
        Flag::ALL.iter().map(|flag| flag.is_of(event)).collect::<Vec<_>>(),
        event.msr_umasks().collect::<Vec<_>>(),
        event.perf_differs(),
    )
}

fn all(tree: &'static Tree, encoding: Encoding) -> Vec<String> {
    let of_model = |model: Model| {
        let events = model.events().map(move |event| facts(event.with_encoding(encoding)));
        events.map(move |facts| format!("{} {facts}", model.name()))
    };
    tree.models().flat_map(of_model).collect()
}

#[test]
fn at_run_time_as_if_compiled_so() {
    let compiled = all(&perf::TREE, Encoding::Correct);
    assert_eq!(all(&correct::TREE, Encoding::Perf), compiled);
    assert_eq!(all(&perf::TREE, Encoding::Perf), compiled);
    assert_ne!(all(&correct::TREE, Encoding::Correct), compiled);
}

#[test]
fn an_event_is_the_same_in_both() {
    for event in correct::TREE.models().flat_map(Model::events) {
        let of_perf = event.with_encoding(Encoding::Perf);
        assert_eq!(of_perf, event);
        assert_eq!(facts(of_perf.with_encoding(Encoding::Correct)), facts(event));
        let differs = event.perf_differs();
        let expected = differs.map_or(event.event_string(), |differs| differs.event_string());
        assert_eq!(of_perf.event_string(), expected);
    }
}

/// A machine with the formats of a Haswell server, whose link units have an
/// event code of nine bits.
fn system() -> System {
    let model = correct::TREE.model("GenuineIntel-6-F1-0").expect("the map file has it");
    System::builtin("GenuineIntel-6-3F-2", model)
}

fn words(all: &Resolution) -> Vec<Words> {
    all.events().iter().map(|one| one.words()).collect()
}

#[test]
fn systems_have_an_encoding() {
    let (correct, perf) = (system(), system().with_encoding(Encoding::Perf));
    assert_eq!((correct.encoding(), perf.encoding()), (Encoding::Correct, Encoding::Perf));
    // By name, as a term, and with further terms.
    let texts = ["unc_q_shine", "uncore_qpi/UNC_Q_SHINE/", "uncore_qpi/unc_q_shine,edge/"];
    for (text, edge) in texts.into_iter().zip([0, 0, 1 << 18]) {
        let resolved = |system: &System| words(&system.resolve(text).expect(text));
        let own = resolved(&correct);
        assert!(!own.is_empty(), "{text}");
        assert!(
            own.iter().all(|words| words.config() == edge | 1 << 21 | 0x402),
            "{text}: {own:?}"
        );
        let of_perf = resolved(&perf);
        assert_eq!(of_perf.len(), own.len());
        assert!(of_perf.iter().all(|words| words.config() == edge | 0x402), "{text}: {of_perf:?}");
    }
    // What perf gets right is the same.
    for text in ["unc_q_dull", "cpu/event=0x3c/", "cycles"] {
        let resolved = |system: &System| words(&system.resolve(text).expect(text));
        assert_eq!(resolved(&correct), resolved(&perf), "{text}");
    }
    assert_eq!(
        words(&perf.with_encoding(Encoding::Correct).resolve("unc_q_shine").expect("it")),
        { words(&correct.resolve("unc_q_shine").expect("it")) }
    );
}

#[test]
fn resolved_events_say_what_perf_has() {
    let differs = |system: &System, text| {
        let resolved = system.resolve(text).expect(text);
        let event = resolved.events().iter().find_map(Resolved::table_event);
        event.map(|event| event.perf_differs().map(|differs| differs.to_string()))
    };
    let (correct, perf) = (system(), system().with_encoding(Encoding::Perf));
    let sentence = "perf counts event=2,umask=4 under this name";
    assert_eq!(differs(&correct, "unc_q_shine"), Some(Some(sentence.into())));
    assert_eq!(differs(&correct, "uncore_qpi/unc_q_shine,edge/"), Some(Some(sentence.into())));
    let sentence = "perf does not know that it can be sampled precisely";
    assert_eq!(differs(&correct, "facets.seen:p"), Some(Some(sentence.into())));
    for (system, text) in [(&correct, "unc_q_dull"), (&perf, "unc_q_shine"), (&perf, "facets.seen")]
    {
        assert_eq!(differs(system, text), Some(None), "{text}");
    }
    assert_eq!(differs(&correct, "cpu/event=0x3c/"), None);
}
