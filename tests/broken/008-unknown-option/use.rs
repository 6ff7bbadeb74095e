pub const FOUND: Option<&pmu_events::Model> = m::model("soc");
pub fn uses() -> bool { m::host().is_ok() && m::TREE.size() > 0 }
