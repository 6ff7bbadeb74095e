//! Everything that a program without tables would do while it is compiled.

use super::*;

const MODEL: Model = test::model("testcpu-rev7").unwrap();
const INST: Event = test::TEST_SOC_CPU.require("inst_retired.any");
const ON_A_PMU: Event = MODEL.event_on("uncore_cha", "unit.core_too").unwrap();
const MISSING: Option<Event> = MODEL.event("no.such.event");
const NEAREST: Option<&str> = MODEL.nearest("note.non");
const METRIC: Metric = MODEL.metric("ALL_FIELDS").unwrap();
const WORDS: (&str, &str, &str, &str) =
    (INST.name(), INST.event_string(), INST.pmu(), INST.topic());
const SECOND: Event = {
    let mut named = MODEL.events_named("unit.core_too");
    named.step().unwrap();
    named.step().unwrap()
};
const FIRST: Event = MODEL.events().step().unwrap();
const SAMPLE_AFTER: Option<u64> = INST.sample_after();
const COUNT: usize = {
    let mut pmus = MODEL.pmus();
    let mut count = 0;
    while let Some(pmu) = pmus.step() {
        let mut events = pmu.events();
        while events.step().is_some() {
            count += 1;
        }
    }
    count
};
const UMASK: Option<u64> = match MODEL.require("FIELD.HEXADECIMAL").terms().last_named("umask") {
    Some(term) => term.number(),
    None => None,
};

static IN_A_STATIC: [Event; 2] =
    [MODEL.require("NOTE.LA"), test::ACME_WIDGET_9000.require("widget.core")];

#[test]
fn constants() {
    assert_eq!(MODEL.name(), "test_soc/cpu");
    assert_eq!(
        WORDS,
        ("INST_RETIRED.ANY", "event=0xc0,period=2000003", "default_core", "fixed names")
    );
    assert_eq!(ON_A_PMU.event_string(), "event=0x1a");
    assert_eq!(MISSING, None);
    assert_eq!(NEAREST, Some("NOTE.NONE"));
    assert_eq!(METRIC.scale_unit(), Some("100%"));
    assert_eq!(SECOND, ON_A_PMU);
    assert_eq!(Some(FIRST), MODEL.events().next());
    assert_eq!(SAMPLE_AFTER, Some(1_000_003));
    assert_eq!(COUNT, MODEL.event_count());
    assert_eq!(UMASK, Some(5));
    assert_eq!(IN_A_STATIC.map(Event::event_string), ["event=0x61", "event=0x3e"]);
}
