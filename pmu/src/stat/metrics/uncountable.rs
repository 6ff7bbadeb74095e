//! Metrics that have no value on this machine, and what the machine lacks for
//! them.

use pmu_events::metric::LatencyOf;
use pmu_events::open::Counters;
use pmu_events::resolve::{ErrorKind, Missing};

use crate::failure::message_with_sources;
use crate::stat::events::stated;
use crate::stat::failure::reason;

use super::value::{Bound, BoundMetric};
use crate::stat::lines::Shows;

impl Bound<'_> {
    /// Messages about metrics whose events cannot be counted here, one for each
    /// reason. Events used only by a threshold do not matter.
    pub(crate) fn uncountable(&self, missing: &[Missing], counters: &Counters) -> Vec<String> {
        let mut reasons: Vec<(String, Vec<String>)> = Vec::new();
        for bound in &self.metrics {
            let Some(why) = lack(bound, missing, counters) else { continue };
            let name = format!("`{}`", bound.planned.request().name());
            match reasons.iter_mut().find(|(other, _)| *other == why) {
                // Once, not for each control group.
                Some((_, names)) if names.contains(&name) => {}
                Some((_, names)) => names.push(name),
                None => reasons.push((why, vec![name])),
            }
        }
        let message = |(why, names): (String, Vec<String>)| {
            let metrics = if names.len() > 1 { "metrics" } else { "metric" };
            format!("{metrics} {} cannot be counted: {why}", names.join(", "))
        };
        reasons.into_iter().map(message).chain(self.without_latency()).collect()
    }

    /// A message about all metrics whose retirement latencies nobody states: each may need
    /// others.
    fn without_latency(&self) -> Option<String> {
        let mut events: Vec<(String, Vec<String>)> = Vec::new();
        for BoundMetric { planned, .. } in &self.metrics {
            let metric = format!("`{}`", planned.request().name());
            let measured = self.measured.borrow();
            for operand in planned.unknown_latencies() {
                if stated(&measured, operand).is_some() {
                    continue;
                }
                let Some(of) = LatencyOf::parse(operand.identifier()) else { continue };
                let event = of.to_string();
                match events.iter_mut().find(|(other, _)| *other == event) {
                    Some((_, metrics)) if metrics.contains(&metric) => {}
                    Some((_, metrics)) => metrics.push(metric.clone()),
                    None => events.push((event, vec![metric.clone()])),
                }
            }
        }
        let [(first, _), ..] = &events[..] else { return None };
        let cure = format!(
            "`--retire-latency sampled` samples them, and {first}=CYCLES instead states one"
        );
        let statistic = self.metrics.first()?.planned.request().latencies().statistic().name();
        let event = |(event, metrics): &(String, Vec<String>)| {
            format!("`{event}` (for {})", metrics.join(", "))
        };
        let events: Vec<String> = events.iter().map(event).collect();
        let what = "metrics without a value: the tables do not state the retirement latency";
        Some(format!("{what} ({statistic}) of {}; {cure}", events.join(", ")))
    }
}

/// What the machine lacks for a metric; `None` if all that the formula needs
/// can be counted. A missing PMU says more than an unknown name.
fn lack(bound: &BoundMetric<'_>, missing: &[Missing], counters: &Counters) -> Option<String> {
    let mut name_only = None;
    for needed in bound.needed() {
        match &needed.counted {
            Shows::Missing(id) => {
                let error = missing.get(id.event)?.error();
                match error.kind() {
                    ErrorKind::NoCorePmu => return Some("this machine has no core PMU".into()),
                    ErrorKind::UnknownEvent => {
                        name_only.get_or_insert_with(|| error.message().into());
                    }
                    _ => return Some(message_with_sources(error)),
                }
            }
            // A sum without one of its instances has no use in a formula.
            Shows::Answers(answers) => {
                let mut events = answers.iter().filter_map(|&id| counters.event(id));
                let Some(event) = events.find(|event| event.refusal().is_some()) else { continue };
                let on = match event.pmu_name() {
                    Some(pmu) if answers.len() > 1 => format!(" on `{pmu}`"),
                    _ => String::new(),
                };
                return Some(format!("`{}`{on}: {}", event.name(), reason(event.refusal()?)));
            }
        }
    }
    name_only
}
