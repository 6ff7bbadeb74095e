use pmu_events::{Event, Metric, Model};
pub const EXPECTED: Event = m::SOC.expect("NAME");
pub const STRING: &str = EXPECTED.event_string();
pub const NAME: &str = EXPECTED.name();
pub const PMU: &str = EXPECTED.pmu();
pub const TOPIC: &str = EXPECTED.topic();
pub const PRECISE: pmu_events::event::Precise = EXPECTED.precise();
pub const MSR: Option<pmu_events::event::Msr> = EXPECTED.msr();
pub const METRIC: Option<Metric> = m::SOC.metric("M");
pub const NEAREST: Option<&str> = m::SOC.nearest("NAME");
pub static TWO: [Event; 2] = [m::SOC.expect("A"), m::SOC.expect("B")];
pub fn uses() -> Option<(&'static Model, usize)> {
    Some((m::model("soc")?, m::TREE.models().count() + m::SOC.events().count()))
}
