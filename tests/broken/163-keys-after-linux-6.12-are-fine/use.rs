use pmu_events::metric::Constraint;
const MODULE: pmu_events::Event = m::SOC.expect("module");
const _: () = assert!(matches!(MODULE.event_string().as_bytes(), b"event=1,offmodule_rsp=0x7"));
const _: () = assert!(matches!(
    m::SOC.metric("m").unwrap().constraint(),
    Some(Constraint::NoThresholdWithNmiWatchdog)
));
