//! Lists of events, resolved: any text on the machine `edge` with the test
//! tree's model, and without one.

use std::sync::LazyLock;

use pmu_events::__private::event_list::EventList;
use pmu_events::System;
use pmu_events::format::Words;
use pmu_events::resolve::Resolution;

use crate::trees::soc;

#[allow(dead_code)]
#[path = "../../../tests/machines/mod.rs"]
mod machines;

/// The machine, and its system with the model and without.
static EDGE: LazyLock<(machines::Machine, [System; 2])> = LazyLock::new(|| {
    let machine = machines::Machine::named("edge");
    let systems = [None, soc::model("testcpu")].map(|model| machine.with_model(model));
    (machine, systems)
});

pub fn check(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    for system in &EDGE.1 {
        let again = EventList::parse(text).map(|list| list.to_string()).unwrap_or_default();
        // Each event has an answer; and where one is missing, a strict list is
        // refused for it.
        let answers = system.resolve(text);
        match system.require(text) {
            Ok(all) => {
                is_sound(&all, text);
                assert_eq!(words(&all), words(&answers.expect("it resolves")), "{text:?}");
                let again = system.require(&again).expect("what is printed resolves");
                assert_eq!(words(&all), words(&again), "{text:?}");
            }
            Err(error) => {
                assert!(text.get(error.span()).is_some(), "{error:?}");
                assert!(!error.message().is_empty());
                // Nobody is asked whether they meant what they wrote.
                assert_ne!(error.suggestion(), text.get(error.span()), "{text:?} {error}");
                assert!(again.is_empty() || system.require(&again).is_err());
                match answers {
                    Ok(answers) => {
                        assert_eq!(answers.missing()[0].error(), &error, "{text:?}");
                        is_answered(&answers, text);
                    }
                    Err(other) => assert_eq!(other, error),
                }
            }
        }
    }
}

fn is_sound(all: &Resolution, text: &str) {
    for one in all {
        assert!(text.contains(one.name()));
        assert!(one.scale().is_finite());
    }
    assert!(all.missing().is_empty());
    is_answered(all, text);
}

/// Each event opens somewhere or is missing, and not both.
fn is_answered(all: &Resolution, text: &str) {
    let events = EventList::parse(text).expect("what resolves parses").events().count();
    assert!(all.events().iter().all(|one| one.event() < events));
    for event in 0..events {
        let opens = all.events().iter().any(|one| one.event() == event);
        let missing = all.missing().iter().filter(|one| one.event() == event).count();
        assert_eq!(usize::from(!opens), missing, "{text:?}");
    }
    assert_eq!(all.groups().map(<[_]>::len).sum::<usize>(), all.events().len());
    assert!(all.groups().all(|group| !group.is_empty()));
    assert_eq!(all.answers().count(), all.events().len() + all.missing().len());
}

type Encoded = Vec<Vec<(u32, Words, usize)>>;

fn words(all: &Resolution) -> Encoded {
    let of_group = |group: &[_]| {
        let words = |one: &pmu_events::resolve::Resolved| (one.type_(), one.words(), one.event());
        group.iter().map(words).collect()
    };
    all.groups().map(of_group).collect()
}
