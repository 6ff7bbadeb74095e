//! Former names of models and events keep working, and say that they are deprecated.

#![deny(unfulfilled_lint_expectations)]

use pmu_events::Event;

mod lake {
    pmu_events::pmu_events!("tests/former");
}

#[expect(deprecated)] // rustc warns of the former name of a model.
const OLD: Event = lake::OLDLAKE.require("OLD.EVENT");

#[test]
fn an_event_by_its_former_name() {
    let new = lake::NEWLAKE.require("NEW.EVENT");
    assert_eq!((OLD.name(), OLD.event_string()), ("OLD.EVENT", new.event_string()));
    assert!(OLD.is_deprecated() && !new.is_deprecated());
    assert_eq!(OLD.successor(), Some("NEW.EVENT"));
    assert!(lake::NEWLAKE.event("old.event").is_some(), "in any letter case");
}

/// An event that nobody lists any longer still counts what it counted.
#[test]
fn an_event_without_successor() {
    let gone = lake::NEWLAKE.require("GONE.EVENT");
    assert_eq!(gone.event_string(), "event=0x77,umask=0x3");
    assert!(gone.is_deprecated());
    assert_eq!((gone.successor(), gone.description()), (None, None));
}

#[test]
#[expect(deprecated)]
fn a_model_by_its_former_name() {
    assert_eq!(lake::OLDLAKE.name(), "newlake");
    assert_eq!(lake::OLDLAKE.events().count(), lake::NEWLAKE.events().count());
    assert_eq!(lake::model("Lake-1").map(|model| model.name()), Some("newlake"));
}
