pub const EVENT: pmu_events::Event = m::SOC.expect("MARK");
pub const MODEL: &pmu_events::Model = m::model("soc").unwrap();
