//! From words to metrics (`match_metric` in `tools/perf/util/metricgroup.c`): a
//! word is the name of a metric or of a group, in any letter case; `all` means
//! every metric, `No_group` those without a group.

use std::collections::BTreeSet;

use pmu_events::__private::name::{self, Nearest};
use pmu_events::measure::Request;
use pmu_events::{Metric, Model, arch, pmu};

use crate::system::System;

/// The metrics that a word means, at least one; modifiers follow a colon.
pub(crate) fn find(word: &str, system: &System) -> Result<Vec<Request>, String> {
    let (wanted, modifiers) = word.split_once(':').unwrap_or((word, ""));
    if wanted.is_empty() {
        return Err(format!("`{word}` is not the name of a metric"));
    }
    let known = known(system);
    let meant: Vec<Metric> =
        known.iter().copied().filter(|metric| is_meant(*metric, wanted)).collect();
    let own = meant.iter().filter(|metric| !is_of_others(**metric, &meant, system));
    let found: Vec<Request> = own
        .flat_map(|&metric| Request::each(metric, system))
        .map(|request| request.by_group(wanted).with_modifiers(modifiers))
        .collect();
    match found.is_empty() {
        false => Ok(found),
        true if !system.models().is_empty() && system.model().is_err() => {
            let why = "the cores of this machine are of several models, and a metric is of one";
            Err(format!("there is no metric `{wanted}`: {why}"))
        }
        true if known.is_empty() => {
            Err(format!("there is no metric `{wanted}`: this CPU has no table with metrics"))
        }
        true => match lacked(wanted, system) {
            Some(reason) => Err(format!("this CPU cannot count `{wanted}`: {reason}")),
            None => Err(unknown(wanted, &known)),
        },
    }
}

/// Why the CPU cannot have a metric that other CPUs have.
pub(crate) fn lacked(wanted: &str, system: &System) -> Option<&'static str> {
    let mut lacking = system.models().into_iter().flat_map(|model| model.lacking());
    lacking.find(|(metric, _)| name::eq(metric, wanted)).map(|(_, reason)| reason)
}

/// The metrics that other CPUs have in a group and this one cannot have, each with the reason.
pub(crate) fn lacked_of(group: &str, system: &System) -> Vec<(&'static str, &'static str)> {
    let Ok(model) = system.model() else { return Vec::new() };
    if model.metric_group(group).is_none() {
        return Vec::new();
    }
    // A quantity of every CPU is in the same groups on all that have it, so the first one tells;
    // the tables of all the others need not be read, nor of those that say that they lack it.
    let models = arch::TREES.iter().flat_map(|(_, tree)| tree.models());
    let is_of_group = |name: &str| {
        let has = |other: &Model| !other.lacking().any(|(lacked, _)| lacked == name);
        let of_other = models.clone().filter(has).find_map(|other| other.metric(name));
        of_other.is_some_and(|metric| metric.is_in(group))
    };
    model.lacking().filter(|(metric, _)| is_of_group(metric)).collect()
}

/// The CPU's metrics, those of every CPU that it does not have under the same name, and those
/// of system PMUs whose events are all here.
pub(crate) fn known(system: &System) -> Vec<Metric> {
    let of_cpu = system.model();
    let of_cpu: Vec<Metric> = of_cpu.iter().flat_map(|model| model.metrics()).collect();
    let is_hidden = |of_all: &Metric| of_cpu.iter().any(|own| own.is_called(of_all.name()));
    let of_all = system.common();
    let of_all = of_all.iter().flat_map(|common| common.metrics());
    let of_all: Vec<Metric> = of_all.filter(|of_all| !is_hidden(of_all)).collect();
    let of_system = system.trees().iter().flat_map(|tree| tree.sys_tables()).flat_map(|table| {
        let is_here = |metric: &Metric| {
            metric.events().all(|event| {
                let text = event.with_parameter(0).to_string();
                system.require(&text).is_ok()
            })
        };
        table.metrics().filter(is_here).collect::<Vec<_>>()
    });
    of_cpu.iter().copied().chain(of_all).chain(of_system).collect()
}

/// Whether a metric is of a kind of core that this machine lacks, and there is one of the same name
/// for a kind that it has: a table may be that of CPUs with more kinds.
fn is_of_others(metric: Metric, all: &[Metric], system: &System) -> bool {
    let has = |metric: Metric| {
        metric.pmu() == pmu::DEFAULT_CORE || system.sysfs().matching(metric.pmu()).next().is_some()
    };
    !has(metric) && all.iter().any(|&other| other.is_called(metric.name()) && has(other))
}

/// Whether a word means a metric, by its name or by a group.
pub(crate) fn is_meant(metric: Metric, wanted: &str) -> bool {
    wanted == "all"
        || metric.is_called(wanted)
        || metric.is_in(wanted)
        || (metric.groups().next().is_none() && name::eq(wanted, "No_group"))
}

fn unknown(wanted: &str, known: &[Metric]) -> String {
    let hint = match nearest(wanted, known) {
        Some(near) => format!("; did you mean `{near}`?"),
        None => "; `pmu list metrics` and `pmu list metricgroups` show them".into(),
    };
    format!("no metric and no metric group is called `{wanted}`{hint}")
}

/// The name of a metric or of a group that is most like a word.
pub(crate) fn nearest(wanted: &str, known: &[Metric]) -> Option<&'static str> {
    let names = known.iter().flat_map(|metric| metric.name().split(';'));
    // Most metrics are in several groups, and most groups have many metrics.
    let groups: BTreeSet<&str> = known.iter().flat_map(|metric| metric.groups()).collect();
    Nearest::instead_of(wanted).among(names.chain(groups))
}
