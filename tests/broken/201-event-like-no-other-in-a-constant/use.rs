pub const EVENT: pmu_events::Event = m::SOC.expect("Something.Else");
