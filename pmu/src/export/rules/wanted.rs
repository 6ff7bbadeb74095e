//! Which metrics a configuration lists for a model.

use pmu_events::__private::glob;
use pmu_events::__private::name::Nearest;
use pmu_events::{Metric, Model, arch, cpuid};

use super::set::Wanted;
use crate::export::config::{Config, Fault, Scope};

/// The metrics of the scopes that apply to machines of a model.
///
/// # Errors
///
/// Returns a fault for each name that no model has. A name that only this model lacks is left out:
/// a configuration may be for several.
pub(crate) fn of_config(config: &Config, model: Model) -> Result<Vec<Wanted>, Vec<Fault>> {
    let sections = config.models.iter().filter(|section| is_of(&section.glob.value, model));
    let scopes = config.scopes.iter().chain(sections.flat_map(|section| &section.scopes));
    let (mut wanted, mut faults) = (Vec::new(), Vec::new());
    for scope in scopes {
        let metrics = of_scope(scope, model, &mut faults);
        if !metrics.is_empty() {
            wanted.push(Wanted { counted: scope.kind, metrics });
        }
    }
    if faults.is_empty() { Ok(wanted) } else { Err(faults) }
}

/// Whether a section of a configuration is about a model: by its name, the last part of the name,
/// or the name of a CPU that has its table.
fn is_of(pattern: &str, model: Model) -> bool {
    let name = model.name();
    let last = name.rsplit('/').next().unwrap_or(name);
    let mut cpus = cpuid::names().filter(|(cpu, _)| glob::matches(pattern, cpu));
    [name, last].into_iter().any(|name| glob::matches(pattern, name))
        || cpus.any(|(_, cpuid)| model.tree().model(cpuid) == Some(model))
}

fn of_scope(scope: &Scope, model: Model, faults: &mut Vec<Fault>) -> Vec<Metric> {
    let mut all: Vec<Metric> = Vec::new();
    for name in &scope.metrics {
        let found = named(model, &name.value);
        if found.is_empty() && !is_known(&name.value) {
            let names = models().flat_map(|model| model.metrics()).map(|metric| metric.name());
            let hint = match Nearest::instead_of(&name.value).among(names) {
                Some(near) => format!("; did you mean `{near}`?"),
                None => String::new(),
            };
            let message = format!("no model has a metric `{}`{hint}", name.value);
            faults.push(Fault::new(name.at, message));
        }
        for metric in found {
            if !all.contains(&metric) {
                all.push(metric);
            }
        }
    }
    all
}

/// The metrics that a name means: those of each kind of core, or those of a group.
pub(crate) fn named(model: Model, name: &str) -> Vec<Metric> {
    model.metrics().filter(|metric| metric.is_called(name) || metric.is_in(name)).collect()
}

fn models() -> impl Iterator<Item = Model> {
    arch::TREES.iter().flat_map(|(_, tree)| tree.models())
}

fn is_known(name: &str) -> bool {
    models().any(|model| model.metric(name).is_some() || model.metric_group(name).is_some())
}
