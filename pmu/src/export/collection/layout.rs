//! Which series there are, and which counts each is the sum of.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use pmu_events::__private::pmu::base_name;
use pmu_events::event_list::Tool;
use pmu_events::expr::Machine as _;
use pmu_events::follow::{Cell, Following, Place};
use pmu_events::measure::{self, Per};
use pmu_events::open::{SetEvent, Target};
use pmu_events::{Scope, perf_type, system};
use prometheus_client::metrics::MetricType;
use prometheus_client::registry::Unit;

use super::health::Health;
use crate::export::choice::Chosen;
use crate::export::config::ScopeKind;
use crate::export::containers::Containers;
use crate::export::exposition::{Family, Labels, Row, Value};
use crate::export::names::{self, Series};
use crate::system::System;

/// A series that does not exist: there was no room for it, or another one has the same counts.
const NONE: u32 = u32::MAX;

/// The series of the places that exist.
#[derive(Default)]
pub(super) struct Layout {
    state: Option<u64>,
    sums: Vec<Sum>,
    /// For each count of each cell of each place, in their order, the sum to which it belongs.
    links: Vec<u32>,
    groups: Vec<GroupSum>,
    /// For each cell of each place, the group.
    group_links: Vec<u32>,
    /// The labels of each place.
    places: Vec<Arc<[(&'static str, String)]>>,
    not_counted: Vec<Labels>,
    /// Series for which there was no room.
    left_out: usize,
    machine: Labels,
    numbers: Vec<(&'static str, f64)>,
    metrics_at: usize,
}

/// A series of counts.
struct Sum {
    series: Series,
    labels: Labels,
    /// What a count is multiplied by, if it is not exported as it is.
    factor: Option<f64>,
    value: u64,
    enabled: u64,
    running: u64,
    /// Its place among the families.
    at: (usize, usize),
}

/// The times of a group in one place.
struct GroupSum {
    labels: Labels,
    enabled: u64,
    running: u64,
    /// At the read before.
    before: (u64, u64),
}

impl Layout {
    /// Whether places have come or gone since it was made.
    pub(super) fn is_outdated(&self, following: &Following) -> bool {
        self.state != Some(state(following))
    }

    pub(super) fn new(
        before: &Layout,
        system: &System,
        scopes: &[Chosen],
        following: &Following,
        containers: &mut Containers,
        most: usize,
    ) -> Self {
        let mut layout = Layout { state: Some(state(following)), ..Layout::default() };
        let mut known: HashMap<Key, u32> = HashMap::new();
        // Places of one scope have the same labels of their own.
        let mut shared: BTreeSet<Arc<[(&'static str, String)]>> = BTreeSet::new();
        let mut known_groups: HashMap<(usize, String), u32> = HashMap::new();
        for (number, place) in following.places().enumerate() {
            let scope = &scopes[place.selection()].scope;
            let events = following.events(place.selection());
            let of_place = labels_of(place, scope.kind, containers);
            layout.places.push(of_place.clone());
            for cell in place.cells() {
                let spot = spot(scope.kind, cell.target(), system);
                for (event, _) in cell.counts() {
                    let own = own_labels(&events[event], scope.kind, &spot);
                    let series = Series::of_unit(events[event].unit());
                    // The same event of a metric and of a list is counted once; instances of a PMU are
                    // added up unless the labels tell them apart.
                    let first = first_of_its_name(events, event);
                    let key = (number, series.family, own.clone());
                    let room = layout.sums.len() < most;
                    let link = *known.entry(key).or_insert_with(|| {
                        if !room {
                            layout.left_out += 1;
                            return NONE;
                        }
                        let own = shared.get(own.as_slice()).cloned().unwrap_or_else(|| {
                            let own: Arc<[_]> = own.into();
                            shared.insert(own.clone());
                            own
                        });
                        let labels = Labels { of_place: of_place.clone(), own };
                        layout.sums.push(Sum::new(series, labels, &events[event]));
                        layout.sums.len() as u32 - 1
                    });
                    let is_other = first != event
                        && events[first].pmu_name() == events[event].pmu_name()
                        && events[first].refusal().is_none();
                    layout.links.push(if is_other { NONE } else { link });
                }
                let of_group =
                    group(&mut layout, &mut known_groups, before, number, cell, events, &spot);
                layout.group_links.push(of_group);
            }
        }
        layout.not_counted = not_counted(scopes, following);
        layout.machine = machine(system);
        layout.numbers = numbers(system);
        layout
    }

    /// Adds up what was read.
    pub(super) fn add_up(&mut self, following: &Following) {
        for sum in &mut self.sums {
            (sum.value, sum.enabled, sum.running) = (0, 0, 0);
        }
        for group in &mut self.groups {
            group.before = (group.enabled, group.running);
            (group.enabled, group.running) = (0, 0);
        }
        let (mut links, mut group_links) = (self.links.iter(), self.group_links.iter());
        for cell in following.places().flat_map(Place::cells) {
            let group = group_links.next().and_then(|&at| self.groups.get_mut(at as usize));
            let mut times = (0, 0);
            for (_, count) in cell.counts() {
                times = (count.time_enabled(), count.time_running());
                let sum = links.next().and_then(|&at| self.sums.get_mut(at as usize));
                if let Some(sum) = sum {
                    sum.value = sum.value.wrapping_add(count.value());
                    sum.enabled += times.0;
                    sum.running += times.1;
                }
            }
            if let Some(group) = group {
                group.enabled += times.0;
                group.running += times.1;
            }
        }
    }

    /// Makes the families anew.
    pub(super) fn families(&mut self, health: &Health, all: &mut Vec<Family>) {
        all.clear();
        for sum in &mut self.sums {
            let (name, unit) = name_and_unit(sum.series.family);
            let is_it = |family: &Family| family.name == name && family.unit == unit;
            let at = all.iter().position(is_it).unwrap_or_else(|| {
                let help = "What events have counted, estimated while they had no counter";
                all.push(family(name, unit, help, MetricType::Counter));
                all.len() - 1
            });
            let rows = &mut all[at].rows;
            sum.at = (at, rows.len());
            rows.push(Row { labels: sum.labels.clone(), value: Value::Unknown });
        }
        let help = "The share of the time in which a group of events had its counters";
        all.push(family(names::RUNNING_RATIO, None, help, MetricType::Gauge));
        let (name, unit) = name_and_unit(names::ENABLED);
        all.push(family(name, unit, "For how long a group was enabled", MetricType::Counter));
        for group in &self.groups {
            let row = || Row { labels: group.labels.clone(), value: Value::Unknown };
            let [.., ratios, times] = &mut all[..] else { continue };
            ratios.rows.push(row());
            times.rows.push(row());
        }
        let help = "Events that are not counted, and why";
        all.push(family(names::NOT_COUNTED, None, help, MetricType::Info));
        let rows = self.not_counted.iter();
        let row = |labels: &Labels| Row { labels: labels.clone(), value: Value::One };
        all.last_mut().into_iter().for_each(|family| family.rows.extend(rows.clone().map(row)));
        all.push(family(names::MACHINE, None, "The machine and its table", MetricType::Info));
        all.last_mut().into_iter().for_each(|family| family.rows.push(row(&self.machine)));
        let help = "Numbers of the machine that formulas name";
        all.push(family(names::NUMBERS, None, help, MetricType::Gauge));
        let number = |&(name, number): &(&str, f64)| Row {
            labels: Labels::of([(names::NUMBER, name.to_owned())]),
            value: Value::Number(number),
        };
        let rows = self.numbers.iter().map(number);
        all.last_mut().into_iter().for_each(|family| family.rows.extend(rows.clone()));
        self.metrics_at = all.len();
        let help = "Metrics that PromQL cannot express, over the exporter's own interval";
        all.push(family(names::METRIC, None, help, MetricType::Gauge));
        all.extend(health.families());
    }

    /// Puts the sums into the families.
    pub(super) fn put(&self, all: &mut [Family]) {
        for sum in &self.sums {
            let (family, row) = sum.at;
            let value = match sum.factor {
                // It never had a counter: what it would have counted is unknown.
                _ if sum.running == 0 && sum.enabled > 0 => Value::Unknown,
                None => Value::Whole(sum.value),
                Some(factor) => Value::Number(sum.value as f64 * factor),
            };
            if let Some(row) = all.get_mut(family).and_then(|family| family.rows.get_mut(row)) {
                row.value = value;
            }
        }
        let is_ratios = |family: &Family| family.name == names::RUNNING_RATIO;
        let Some(at) = all.iter().position(is_ratios) else { return };
        let [ratios, times, ..] = &mut all[at..] else { return };
        for ((group, ratio), time) in self.groups.iter().zip(&mut ratios.rows).zip(&mut times.rows)
        {
            let enabled = group.enabled.saturating_sub(group.before.0);
            let running = group.running.saturating_sub(group.before.1);
            if enabled > 0 {
                // Times of different CPUs are not read at one moment.
                ratio.value = Value::Number((running as f64 / enabled as f64).min(1.0));
            }
            time.value = Value::Number(group.enabled as f64 / 1e9);
        }
    }

    pub(super) fn put_metrics(&self, rows: Vec<Row>, all: &mut [Family]) {
        if let Some(family) = all.get_mut(self.metrics_at) {
            family.rows = rows;
        }
    }

    /// The labels of a place by its number.
    pub(super) fn place(&self, number: usize) -> Arc<[(&'static str, String)]> {
        self.places.get(number).cloned().unwrap_or_default()
    }

    pub(super) fn series(&self) -> usize {
        self.sums.len() + 2 * self.groups.len() + self.not_counted.len() + self.numbers.len() + 1
    }

    pub(super) fn left_out(&self) -> usize {
        self.left_out
    }
}

type Key = (usize, &'static str, Vec<(&'static str, String)>);

impl Sum {
    fn new(series: Series, labels: Labels, event: &SetEvent) -> Self {
        let in_unit =
            event.resolved().map_or(1.0, |one| one.in_unit(1 << 40) / (1_u64 << 40) as f64);
        let factor = in_unit * series.factor;
        let factor = (series.family != names::EVENTS || factor != 1.0).then_some(factor);
        Sum { series, labels, factor, value: 0, enabled: 0, running: 0, at: (0, 0) }
    }
}

fn family(name: &'static str, unit: Option<Unit>, help: &'static str, kind: MetricType) -> Family {
    Family { name, unit, help, kind, rows: Vec::new() }
}

/// The name of a family without its unit, which the encoder adds.
fn name_and_unit(family: &'static str) -> (&'static str, Option<Unit>) {
    let units = [("_joules", Unit::Joules), ("_bytes", Unit::Bytes), ("_seconds", Unit::Seconds)];
    let found = units.into_iter().find_map(|(end, unit)| Some((family.strip_suffix(end)?, unit)));
    found.map_or((family, None), |(name, unit)| (name, Some(unit)))
}

/// A number that changes when series must be made anew.
fn state(following: &Following) -> u64 {
    use std::hash::{DefaultHasher, Hash as _, Hasher as _};
    let mut state = DefaultHasher::new();
    for place in following.places() {
        (place.selection(), place.name(), place.cells().len()).hash(&mut state);
        for event in following.events(place.selection()) {
            event.refusal().is_some().hash(&mut state);
        }
    }
    following.left_out().len().hash(&mut state);
    state.finish()
}

fn labels_of(
    place: &Place,
    kind: ScopeKind,
    containers: &mut Containers,
) -> Arc<[(&'static str, String)]> {
    let name = place.name().unwrap_or_default();
    match kind {
        ScopeKind::Cgroup => {
            let mut labels = vec![(names::CGROUP, name.to_owned())];
            labels.extend(containers.labels(name));
            labels.into()
        }
        ScopeKind::Process => [(names::PROCESS, name.to_owned())].into(),
        _ => Arc::default(),
    }
}

/// The labels of where a cell is, as far as its scope tells CPUs apart.
fn spot(kind: ScopeKind, target: Target, system: &System) -> Vec<(&'static str, String)> {
    let Target::Cpu(cpu) = target else { return Vec::new() };
    let per = match kind {
        ScopeKind::Cpu => Per::Cpu,
        ScopeKind::Core => Per::Core,
        ScopeKind::Socket | ScopeKind::Instance => Per::Socket,
        _ => return Vec::new(),
    };
    let cpu: system::Cpu<'_> = system.cpu(cpu);
    per.place(cpu).map(labels_of_unit).unwrap_or_default()
}

/// The labels of a part of the machine.
pub(super) fn labels_of_unit(place: measure::Place) -> Vec<(&'static str, String)> {
    match place {
        measure::Place::Cpu(cpu) => vec![(names::CPU, cpu.to_string())],
        measure::Place::Core { socket, die, core } => vec![
            (names::SOCKET, socket.to_string()),
            (names::DIE, die.to_string()),
            (names::CORE, core.to_string()),
        ],
        measure::Place::Socket(socket) => vec![(names::SOCKET, socket.to_string())],
        _ => Vec::new(),
    }
}

/// The label of the PMU that counts an event.
fn pmu_of(event: &SetEvent, kind: ScopeKind) -> String {
    let type_ = event.resolved().map(|one| one.type_());
    match (event.pmu_name(), type_) {
        (_, Some(perf_type::SOFTWARE)) => names::SOFTWARE.into(),
        (_, Some(perf_type::TRACEPOINT)) => "tracepoint".into(),
        (_, Some(perf_type::BREAKPOINT)) => "breakpoint".into(),
        (Some(name), _) if kind == ScopeKind::Instance => name.into(),
        (Some(name), _) => base_name(name).into(),
        // As the PMU of the core is called where there is one kind of core.
        (None, _) => "cpu".into(),
    }
}

fn own_labels(
    event: &SetEvent,
    kind: ScopeKind,
    spot: &[(&'static str, String)],
) -> Vec<(&'static str, String)> {
    let mut labels =
        vec![(names::EVENT, event.name().into_owned()), (names::PMU, pmu_of(event, kind))];
    let unit = Series::of_unit(event.unit()).unit;
    labels.extend(unit.map(|unit| (names::UNIT, unit)));
    labels.extend_from_slice(spot);
    labels
}

fn first_of_its_name(events: &[SetEvent], event: usize) -> usize {
    let own = &events[event];
    let is_same =
        |other: &SetEvent| other.name() == own.name() && other.pmu_name() == own.pmu_name();
    events.iter().position(is_same).unwrap_or(event)
}

/// The sum of the times of a cell's group; those that the kernel counts in software never wait.
fn group(
    layout: &mut Layout,
    known: &mut HashMap<(usize, String), u32>,
    before: &Layout,
    place: usize,
    cell: &Cell,
    events: &[SetEvent],
    spot: &[(&'static str, String)],
) -> u32 {
    let members: Vec<&SetEvent> = cell.group().iter().map(|&member| &events[member]).collect();
    let is_software =
        |event: &&SetEvent| event.resolved().is_some_and(|one| one.type_() == perf_type::SOFTWARE);
    if members.iter().all(is_software) {
        return NONE;
    }
    let name = members.iter().map(|event| event.name()).collect::<Vec<_>>().join(",");
    let mut own = vec![(names::GROUP, name)];
    own.extend_from_slice(spot);
    let of_place = layout.places[place].clone();
    let key = (place, format!("{own:?}"));
    *known.entry(key).or_insert_with(|| {
        let labels = Labels { of_place, own: own.into() };
        let same = |other: &&GroupSum| {
            other.labels.own == labels.own && other.labels.of_place == labels.of_place
        };
        let (enabled, running) =
            before.groups.iter().find(same).map_or((0, 0), |group| (group.enabled, group.running));
        layout.groups.push(GroupSum { labels, enabled, running, before: (enabled, running) });
        layout.groups.len() as u32 - 1
    })
}

/// The events of each scope that are not counted, and why.
fn not_counted(scopes: &[Chosen], following: &Following) -> Vec<Labels> {
    let mut all: Vec<Vec<(&'static str, String)>> = Vec::new();
    for (number, chosen) in scopes.iter().enumerate() {
        let kind = chosen.scope.kind;
        for event in following.events(number) {
            if let Some(why) = event.refusal() {
                all.push(vec![
                    (names::EVENT, event.name().into_owned()),
                    (names::PMU, pmu_of(event, kind)),
                    (names::REASON, why.to_string()),
                    (names::SCOPE, kind.name().into()),
                ]);
            }
        }
        for (item, why) in &chosen.left {
            all.push(vec![
                (names::EVENT, item.clone()),
                (names::PMU, String::new()),
                (names::REASON, why.clone()),
                (names::SCOPE, kind.name().into()),
            ]);
        }
    }
    all.sort();
    all.dedup();
    all.into_iter().map(Labels::of).collect()
}

/// What formulas call `#num_packages` and the like.
fn numbers(system: &System) -> Vec<(&'static str, f64)> {
    let machine = system.machine(&Scope::AllCpus);
    let number = |&tool: &Tool| (tool.name(), machine.literal(tool));
    Tool::ALL.iter().map(number).filter(|(_, number)| number.is_finite()).collect()
}

fn machine(system: &System) -> Labels {
    let models = system.models();
    let model = models.first().map_or("", |model| model.name());
    let table = pmu_events::arch::NATIVE.unwrap_or_default();
    let table = if model.is_empty() { String::new() } else { format!("{table}/{model}") };
    Labels::of([
        (names::MODEL, model.to_owned()),
        (names::CPUID, system.cpuid().unwrap_or_default().to_owned()),
        (names::TABLE, table),
        (names::VERSION, env!("CARGO_PKG_VERSION").to_owned()),
    ])
}
