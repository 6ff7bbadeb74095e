//! Lists of events, resolved: any text on the machine `edge` with the test
//! tree's model, and without one.

use std::sync::LazyLock;

use pmu_events::event_list::EventList;
use pmu_events::resolve::{Resolved, resolve};
use pmu_events::sysfs::Sysfs;

use crate::trees::soc;

#[allow(dead_code)]
#[path = "../../../tests/machines/mod.rs"]
mod machines;

static EDGE: LazyLock<(machines::Machine, Sysfs)> = LazyLock::new(|| {
    let machine = machines::Machine::named("edge");
    let sysfs = machine.sysfs();
    (machine, sysfs)
});

pub fn check(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    let sysfs = &EDGE.1;
    for model in [None, soc::model("testcpu")] {
        let again = EventList::parse(text).map(|list| list.to_string()).unwrap_or_default();
        match resolve(text, model, sysfs) {
            Ok(all) => {
                is_sound(&all, text);
                let again = resolve(&again, model, sysfs).expect("what is printed resolves");
                assert_eq!(words(&all), words(&again), "{text:?}");
            }
            Err(error) => {
                assert!(text.get(error.span()).is_some(), "{error:?}");
                assert!(!error.message().is_empty());
                // Nobody is asked whether they meant what they wrote.
                assert_ne!(error.suggestion(), text.get(error.span()), "{text:?} {error}");
                assert!(again.is_empty() || resolve(&again, model, sysfs).is_err());
            }
        }
    }
}

fn is_sound(all: &[Resolved<'_>], text: &str) {
    let events = EventList::parse(text).expect("what resolves parses").events().count();
    for (n, one) in all.iter().enumerate() {
        assert!(one.event < events);
        assert!(text.contains(one.name));
        assert!((one.leader..one.leader + one.group_len).contains(&n));
        assert_eq!(
            (all[one.leader].leader, all[one.leader].group_len),
            (one.leader, one.group_len)
        );
        assert!(one.scale.is_finite());
    }
    // Each event opens somewhere.
    assert!((0..events).all(|event| all.iter().any(|one| one.event == event)));
}

fn words(all: &[Resolved<'_>]) -> Vec<(u32, [u64; 4], usize, usize)> {
    all.iter().map(|one| (one.kind, one.config, one.event, one.leader)).collect()
}
