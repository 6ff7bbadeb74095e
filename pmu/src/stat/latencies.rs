//! The retirement latencies that formulas take on a system.

use pmu_events::metric::{Latencies, LatencyOf};

use crate::latency_args::{Choice, LatencyArgs};
use crate::system::System;

/// What the command line selects. An error names an event that no table of the machine has.
pub(crate) fn latencies(args: &LatencyArgs, system: &System) -> Result<Latencies, String> {
    let mut latencies = Latencies::new();
    for choice in args.choices() {
        latencies = match choice {
            Choice::Statistic(statistic) => latencies.with_statistic(statistic),
            Choice::Sampled => latencies,
            Choice::Cycles { event, cycles } => {
                known(&event, system)?;
                latencies.with_cycles(&event, cycles)
            }
        };
    }
    Ok(latencies)
}

fn known(event: &str, system: &System) -> Result<(), String> {
    let (of, models) = (LatencyOf::of_event(event), system.models());
    if models.iter().any(|model| model.event_of_latency(of).is_some()) {
        return Ok(());
    }
    let nearest = models.iter().find_map(|model| model.nearest(of.event()));
    let hint = nearest.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    Err(format!("--retire-latency: the tables of this machine have no event `{event}`{hint}"))
}
