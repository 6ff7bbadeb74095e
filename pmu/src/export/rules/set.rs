//! The rules of a model: those of the metrics that are wanted, and of the metrics to which these
//! refer.

use pmu_events::system::SystemMachine;
use pmu_events::{Metric, Model};

use super::formula::Known;
use super::naming::Recorded;
use super::refusal::Refusal;
use super::rule_name;
use super::series::{Selection, kind_of_core};
use super::translate::Translator;
use crate::export::config::ScopeKind;

/// Metrics, and the scope in which the exporter counts for them.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    pub(crate) counted: ScopeKind,
    pub(crate) metrics: Vec<Metric>,
}

/// The rules of one scope, in the order in which they are to be evaluated.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) counted: ScopeKind,
    pub(crate) level: ScopeKind,
    pub(crate) rules: Vec<Rule>,
    pub(crate) refused: Vec<(Metric, Refusal)>,
}

/// A rule.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) metric: Metric,
    pub(crate) name: String,
    pub(crate) query: String,
    /// The events whose series it takes, itself or by another rule.
    pub(crate) events: Vec<String>,
    /// The kind of core whose metric this is, on machines that have several.
    pub(crate) kind: Option<&'static str>,
}

impl Rule {
    /// Whether the value is a share, from 0 to 1.
    pub(crate) fn is_share(&self) -> bool {
        self.name.contains("_ratio:")
    }
}

/// Makes the rules of a model. `machine` has the CPUID, if it is known.
pub(crate) fn groups(
    model: Model,
    machine: Option<&SystemMachine>,
    wanted: &[Wanted],
    range: &str,
) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for Wanted { counted, metrics } in wanted {
        let is_of_cpus = *counted != ScopeKind::Process;
        let known = Known { model, machine, is_of_cpus };
        let machine_too = match counted {
            ScopeKind::Cpu | ScopeKind::Core | ScopeKind::Socket => Some(ScopeKind::Machine),
            _ => None,
        };
        // An instance of a PMU outside the cores has no metric of its own.
        let own = if *counted == ScopeKind::Instance { ScopeKind::Machine } else { *counted };
        for level in [own].into_iter().chain(machine_too) {
            let selection = Selection { counted: *counted, level, range };
            let translator = Translator::new(known, selection);
            let place = groups.iter().position(|one| (one.counted, one.level) == (*counted, level));
            let group = place.unwrap_or_else(|| {
                groups.push(Group {
                    counted: *counted,
                    level,
                    rules: Vec::new(),
                    refused: Vec::new(),
                });
                groups.len() - 1
            });
            metrics.iter().for_each(|metric| groups[group].add(&translator, *metric));
        }
    }
    // What the machine has for itself is not added up from its parts.
    let whole: Vec<String> = names_of(&groups, |group| group.counted == ScopeKind::Machine);
    for group in &mut groups {
        if group.level == ScopeKind::Machine && group.counted != ScopeKind::Machine {
            group.rules.retain(|rule| !whole.contains(&rule.name));
        }
    }
    groups.retain(|group| !group.rules.is_empty() || !group.refused.is_empty());
    groups
}

fn names_of(groups: &[Group], is_meant: impl Fn(&Group) -> bool) -> Vec<String> {
    let meant = groups.iter().filter(|group| is_meant(group));
    meant.flat_map(|group| group.rules.iter().map(|rule| rule.name.clone())).collect()
}

impl Group {
    /// Adds the rule of a metric behind those of the metrics to which it refers.
    fn add(&mut self, translator: &Translator<'_>, metric: Metric) {
        let is_known = |group: &Self| {
            group.rules.iter().any(|rule| rule.metric == metric)
                || group.refused.iter().any(|(refused, _)| *refused == metric)
        };
        if is_known(self) {
            return;
        }
        let query = match translator.rule(metric) {
            Ok(query) => query,
            Err(refusal) => return self.refused.push((metric, refusal)),
        };
        if let Ok(formula) = translator.formula(metric) {
            for other in formula.leaves().1 {
                self.add(translator, other);
            }
        }
        let needed = translator.needed(metric);
        self.rules.push(Rule {
            metric,
            name: rule_name(&Recorded::of(metric), translator.selection()),
            query,
            events: needed.all().iter().map(|event| event.to_string()).collect(),
            kind: kind_of_core(metric.pmu()),
        });
    }
}
