//! What a configuration means on a machine: which of its scopes apply, and the events that its
//! lists and metrics need there.

mod chosen;
mod room;

use std::ops::Range;

use pmu_events::__private::event_list::EventList;
use pmu_events::__private::{glob, name};
use pmu_events::cpuid;
use pmu_events::measure::Request;

use super::config::{Config, Fault, Located, Scope, ScopeKind};
use crate::failure::without_position;
use crate::metric_names;
use crate::system::System;
use crate::trees::Trees;
pub(crate) use chosen::{Chosen, ChosenMetrics};
use room::{Item, Wanted, with_room};

/// What is counted on a machine.
pub(crate) struct Choice {
    /// The scopes that apply, in the order of their ranks.
    pub(crate) scopes: Vec<Chosen>,
    /// The report of what this machine lacks, though others have it.
    pub(crate) lacks: String,
}

/// Chooses what applies to a machine; beside it is what this machine alone lacks.
///
/// # Errors
///
/// Returns all faults of the configuration on this machine, but for what this machine alone lacks.
pub(crate) fn choose(
    config: &Config,
    system: &System,
    trees: &'static Trees,
) -> Result<(Vec<Chosen>, Vec<Fault>), Vec<Fault>> {
    let mut choosing = Choosing { system, trees, faults: Vec::new(), lacks: Vec::new() };
    let scopes: Vec<&Scope> = choosing.applying(config);
    choosing.counted_twice(&scopes);
    let wanted: Vec<Wanted<'_>> = scopes.into_iter().map(|scope| choosing.wanted(scope)).collect();
    let Choosing { faults, lacks, .. } = choosing;
    match faults.is_empty() {
        true => Ok((with_room(wanted, system), lacks)),
        false => Err(faults.into_iter().chain(lacks).collect()),
    }
}

struct Choosing<'m> {
    system: &'m System,
    trees: &'static Trees,
    faults: Vec<Fault>,
    lacks: Vec<Fault>,
}

impl Choosing<'_> {
    /// The scopes of the file and of the sections for a model of this machine.
    fn applying<'c>(&mut self, config: &'c Config) -> Vec<&'c Scope> {
        let mut scopes: Vec<&Scope> = config.scopes.iter().collect();
        for section in &config.models {
            let Located { value: pattern, at } = &section.glob;
            if self.is_of_machine(pattern) {
                scopes.extend(&section.scopes);
            } else if !self.is_of_any(pattern) {
                let near = near(pattern, self.names());
                let message = format!("no model and no CPU has the name `{pattern}`{near}");
                self.faults.push(Fault::new(*at, message));
            }
        }
        let is_for_others = scopes.is_empty() && self.faults.is_empty();
        if let (true, Some(first)) = (is_for_others, config.models.first()) {
            let models = self.system.models();
            let own = match models.first() {
                Some(model) => format!("`{}`", model.name()),
                None => "not known".into(),
            };
            let message = format!(
                "the configuration is for other models: that of this machine is {own}, and no \
                 scope applies to it"
            );
            self.faults.push(Fault::new(first.glob.at, message));
        }
        scopes
    }

    /// Whether a pattern means a model of this machine, by one of its names, or its CPU.
    fn is_of_machine(&self, pattern: &str) -> bool {
        let own_cpu = self.system.cpuid().ok();
        let is_of_model = self.system.models().into_iter().any(|model| {
            let table = self.trees.table_of(model);
            is_match(pattern, model.name())
                || table.is_some_and(|table| is_match(pattern, table.last_part()))
        });
        let mut names = cpuid::names();
        is_of_model || names.any(|(name, id)| own_cpu == Some(id) && is_match(pattern, name))
    }

    fn is_of_any(&self, pattern: &str) -> bool {
        self.names().any(|name| is_match(pattern, name))
    }

    /// The names of all models and CPUs.
    fn names(&self) -> impl Iterator<Item = &'static str> {
        let tables = self.trees.all().flat_map(|table| [table.directory(), table.last_part()]);
        tables.chain(cpuid::names().map(|(name, _)| name))
    }

    /// Reports lists and metrics that several scopes count in the same places.
    fn counted_twice(&mut self, scopes: &[&Scope]) {
        for (n, scope) in scopes.iter().enumerate() {
            for one in scope.events.iter().chain(&scope.metrics) {
                let same = |other: &&&Scope| {
                    let mut all = other.events.iter().chain(&other.metrics);
                    overlap(scope, other) && all.any(|known| name::eq(&known.value, &one.value))
                };
                if let Some(other) = scopes[..n].iter().find(same) {
                    let (own, before) = (scope.kind.name(), other.kind.name());
                    let message = format!(
                        "`{}` is counted twice: by [{before}] already, of which [{own}] has the \
                         same counts",
                        one.value
                    );
                    self.faults.push(Fault::new(one.at, message));
                }
            }
        }
    }

    fn wanted<'c>(&mut self, scope: &'c Scope) -> Wanted<'c> {
        let mut items = Vec::new();
        for list in &scope.events {
            self.check(list, scope.kind);
            if let Ok(parsed) = EventList::parse(&list.value) {
                let text = |span: Range<usize>| Item::Events(list.value[span].to_owned());
                items.extend(parsed.items().map(|item| text(item.span())));
            }
        }
        for word in &scope.metrics {
            let requests = self.requests(word).into_iter().map(Request::without_threshold);
            items.extend(requests.map(Item::Metric));
        }
        Wanted { scope, items }
    }

    /// Checks the events of a list.
    fn check(&mut self, list: &Located<String>, kind: ScopeKind) {
        let resolution = match self.system.resolve(&list.value) {
            Ok(resolution) => resolution,
            Err(error) => {
                let at = list.at + 1 + error.span().start;
                self.faults.push(Fault::new(at, without_position(&error)));
                return;
            }
        };
        let place = |number: usize| {
            let spans = EventList::parse(&list.value).ok().map(|list| spans(&list));
            let start = spans.and_then(|spans| spans.get(number).copied()).unwrap_or(0);
            list.at + 1 + start
        };
        for missing in resolution.missing() {
            let mut fault = Fault::new(place(missing.event()), without_position(missing.error()));
            let is_unknown = missing.error().is_unknown_name();
            if is_unknown && !self.is_known_elsewhere(missing.name()) {
                self.faults.push(fault);
                continue;
            }
            if is_unknown {
                fault.message.push_str("; other CPUs have one");
            }
            self.lacks.push(fault);
        }
        for event in resolution.events() {
            let wrong = match kind {
                _ if event.is_without_counter() => "is no counter, but a value of the moment",
                ScopeKind::Instance if !event.pmu().is_some_and(|pmu| pmu.is_uncore()) => {
                    "is not counted outside the cores, and [pmu] has the instances of PMUs there"
                }
                ScopeKind::Cgroup | ScopeKind::Process | ScopeKind::Cpu | ScopeKind::Core
                    if event.pmu().is_some_and(|pmu| pmu.is_uncore()) =>
                {
                    "is counted outside the cores, where nobody knows for which CPU or task; \
                     [machine], [socket] and [pmu] have such events"
                }
                _ => continue,
            };
            let message = format!("`{}` {wrong}", event.name());
            self.faults.push(Fault::new(place(event.event()), message));
        }
    }

    /// Whether another CPU has an event of this name.
    fn is_known_elsewhere(&self, event: &str) -> bool {
        let bare = event.split([':', '/']).find(|part| !part.is_empty()).unwrap_or(event);
        self.trees.all().any(|table| table.model.event(bare).is_some())
    }

    fn requests(&mut self, word: &Located<String>) -> Vec<Request> {
        match metric_names::find(&word.value, self.system) {
            Ok(requests) => requests,
            Err(message) => {
                let is_elsewhere = self.trees.all().any(|table| {
                    let model = table.model;
                    model.metric(&word.value).is_some() || model.metric_group(&word.value).is_some()
                });
                let fault = Fault::new(word.at + 1, message);
                if is_elsewhere {
                    self.lacks.push(fault)
                } else {
                    self.faults.push(fault)
                }
                Vec::new()
            }
        }
    }
}

/// The start of each event of a list.
fn spans(list: &EventList<'_>) -> Vec<usize> {
    let of_item = |start: usize, count: usize| vec![start; count];
    list.items().flat_map(|item| of_item(item.span().start, item.event_count())).collect()
}

/// Whether two scopes count in the same places.
fn overlap(a: &Scope, b: &Scope) -> bool {
    let values = |all: &[Located<String>]| -> Vec<String> {
        all.iter().map(|one| one.value.clone()).collect()
    };
    let shares = |a: &[Located<String>], b: &[Located<String>]| {
        let b = values(b);
        values(a).iter().any(|one| b.contains(one))
    };
    match (a.kind, b.kind) {
        (ScopeKind::Cgroup, ScopeKind::Cgroup) => shares(&a.paths, &b.paths),
        (ScopeKind::Process, ScopeKind::Process) => shares(&a.names, &b.names),
        (a, b) => a.is_whole_machine() && b.is_whole_machine(),
    }
}

fn is_match(pattern: &str, name: &str) -> bool {
    glob::matches(&pattern.to_ascii_lowercase(), &name.to_ascii_lowercase())
}

fn near(pattern: &str, names: impl Iterator<Item = &'static str>) -> String {
    let near = name::Nearest::instead_of(pattern).among(names);
    match near {
        Some(near) => format!("; did you mean `{near}`?"),
        None => "; `pmu list --models` shows all".into(),
    }
}
