//! `pmu export --rules`: recording rules of Prometheus, made from the formulas of metrics.
//!
//! ```text
//! Metric ─▶ formula ─▶ translate ─▶ promql ─▶ rule
//!                         ▲
//!               series, needs, naming
//! ```

mod formula;
mod naming;
mod needs;
mod promql;
mod refusal;
mod series;
mod set;
#[cfg(test)]
mod tests;
mod translate;
mod wanted;
mod yaml;

pub(crate) use set::{Group, Rule, Wanted, groups};
pub(crate) use wanted::of_config;
pub(crate) use yaml::write;

use naming::Recorded;
use series::Selection;

use super::config::ScopeKind;

/// The name of a rule, by Prometheus's convention: the labels that tell values apart, what they
/// are, and how they were made.
fn rule_name(recorded: &Recorded, selection: &Selection<'_>) -> String {
    let level = match selection.level {
        ScopeKind::Machine | ScopeKind::Instance => "instance",
        ScopeKind::Cpu => "instance_cpu",
        ScopeKind::Core => "instance_core",
        ScopeKind::Socket => "instance_socket",
        ScopeKind::Cgroup => "instance_cgroup",
        ScopeKind::Process => "instance_process",
    };
    format!("{level}:{}:rate{}", recorded.name, selection.range)
}
