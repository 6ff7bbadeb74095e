//! Metrics, their groups, and the decision tree.

use std::collections::{HashMap, HashSet};

use super::object::{Fields, Text};
use crate::entry::keys::Key;
use crate::faults::{Candidates, Faults, Message, quoted};
use crate::files::Files;
use crate::files::json;
use crate::source::converted::{ConvertedEvent, Value};

const KEYS: [&str; 6] = ["title", "formula", "description", "units", "events", "sample_events"];
const GROUP_KEYS: [&str; 4] = ["title", "description", "metrics", "events"];
const NODE_KEYS: [&str; 4] = ["name", "group", "next_items", "sample_events"];

/// Ratios that perf shows in percent, and of what
/// (`perf_json_generator/metrics_adjustments.json`).
const IN_PERCENT: [(&str, &str); 11] = [
    ("branch_misprediction_ratio", "branches"),
    ("dtlb_walk_ratio", "TLB accesses"),
    ("itlb_walk_ratio", "TLB accesses"),
    ("l1d_cache_miss_ratio", "cache accesses"),
    ("l1d_tlb_miss_ratio", "TLB accesses"),
    ("l1i_cache_miss_ratio", "cache accesses"),
    ("l1i_tlb_miss_ratio", "TLB accesses"),
    ("l2_cache_miss_ratio", "cache accesses"),
    ("l2_tlb_miss_ratio", "TLB accesses"),
    ("ll_cache_read_hit_ratio", "cache accesses"),
    ("ll_cache_read_miss_ratio", "cache accesses"),
];

/// What a specification says of metrics, by the name of the metric.
#[derive(Default)]
pub(super) struct Places<'t> {
    /// The groups, as the kernel's tree names them.
    groups: HashMap<String, Vec<String>>,
    /// The events to sample, beyond those of the metric itself.
    samples: HashMap<String, Vec<String>>,
    /// The description of each group.
    pub(super) descriptions: Vec<(Value<'t>, Value<'t>)>,
}

/// The names of a specification's metrics.
pub(super) struct Names<'n> {
    all: HashSet<&'n str>,
    candidates: Candidates,
}

impl<'n> Names<'n> {
    pub(super) fn new(names: impl Iterator<Item = &'n str>) -> Self {
        let all: HashSet<&str> = names.collect();
        let mut candidates: Vec<String> = all.iter().map(|&name| name.to_owned()).collect();
        candidates.sort_unstable();
        Names { all, candidates: candidates.into() }
    }

    /// Whether a name is one of them; others are reported.
    fn has(&self, name: &Text<'_>, what: &str, faults: &mut Faults) -> bool {
        let is_known = self.all.contains(&*name.text);
        if !is_known {
            let message = Message::from(format!("unknown {what} {}", quoted(&name.text)));
            faults.warning(name.place, message.suggest(&name.text, &self.candidates));
        }
        is_known
    }
}

/// perf's name of a group.
fn group_name(name: &str) -> String {
    name.replace("Topdown_L", "TopdownL")
}

impl<'t> Places<'t> {
    /// Reads the groups and the decision tree of a specification.
    pub(super) fn read(
        all: &Fields<'t>,
        groups: Option<&Fields<'t>>,
        names: &Names<'_>,
        files: &'t Files,
        faults: &mut Faults,
    ) -> Self {
        let mut places = Places::default();
        let mut members: HashMap<String, Vec<String>> = HashMap::new();
        let of_metrics = groups.and_then(|groups| groups.below("metrics", files, faults));
        for (key, value) in of_metrics.into_iter().flat_map(|groups| groups.fields) {
            let Some(name) = key.string() else { continue };
            let group = Fields::of(files, &value, faults);
            group.only(&GROUP_KEYS, faults);
            for metric in group.list("metrics", files, faults) {
                if names.has(&metric, "metric", faults) {
                    places.add(&metric.text, group_name(&name));
                    members.entry(name.to_string()).or_default().push(metric.text.into());
                }
            }
            if let Some(text) = group.optional("description", faults) {
                let name = Value::new(group_name(&name), key.place);
                places.descriptions.push((name, Value::new(text.text, text.place)));
            }
        }
        let tree = all
            .below("methodologies", files, faults)
            .and_then(|all| all.below("topdown_methodology", files, faults))
            .and_then(|topdown| topdown.below("decision_tree", files, faults));
        let nodes = tree.as_ref().and_then(|tree| tree.get("metrics"));
        let objects = nodes.and_then(|nodes| json::array_of(files, nodes, faults));
        for object in objects.unwrap_or_default() {
            let node = Fields::of_object(object, faults);
            places.node(&node, names, &members, files, faults);
        }
        places
    }

    fn add(&mut self, metric: &str, group: String) {
        self.groups.entry(metric.to_owned()).or_default().push(group);
    }

    /// Puts the metrics below a node into its group. Groups below a node explain it
    /// without being parts of it.
    fn node(
        &mut self,
        node: &Fields<'t>,
        names: &Names<'_>,
        members: &HashMap<String, Vec<String>>,
        files: &'t Files,
        faults: &mut Faults,
    ) {
        node.only(&NODE_KEYS, faults);
        let Some(name) = node.string("name", faults) else { return };
        if !names.has(&name, "metric", faults) {
            return;
        }
        let samples = node.list("sample_events", files, faults);
        let samples = samples.into_iter().map(|event| event.text.into_owned());
        self.samples.entry(name.text.to_string()).or_default().extend(samples);
        for item in node.list("next_items", files, faults) {
            match members.get(&*item.text) {
                Some(metrics) => {
                    for metric in metrics {
                        self.add(metric, format!("{}_indicators", name.text));
                    }
                }
                None if names.has(&item, "metric or group", faults) => {
                    self.add(&item.text, format!("{}_group", name.text));
                }
                None => {}
            }
        }
    }

    fn groups(&self, metric: &str) -> Option<String> {
        self.groups.get(metric).map(|groups| groups.join(";"))
    }
}

/// Converts a metric; `None` if it is refused, which has been reported.
pub(super) fn convert<'t>(
    name: &Text<'t>,
    metric: &Fields<'t>,
    places: &Places<'t>,
    files: &'t Files,
    faults: &mut Faults,
) -> Option<ConvertedEvent<'t>> {
    metric.only(&KEYS, faults);
    let formula = metric.string("formula", faults)?;
    let mut values = vec![
        (Key::MetricName, Value::new(name.text.clone(), name.place)),
        (Key::MetricExpr, Value::new(formula.text, formula.place)),
    ];
    // The title only repeats the name.
    if let Some(text) = metric.optional("description", faults) {
        values.push((Key::BriefDescription, Value::new(text.text, text.place)));
    }
    if let Some(units) = metric.optional("units", faults) {
        let percent = IN_PERCENT.iter().find(|(ratio, _)| *ratio == name.text);
        let unit = match percent {
            Some((_, of)) => format!("100percent of {of}"),
            None => format!("1{}", units.text),
        };
        values.push((Key::ScaleUnit, Value::new(unit, units.place)));
    }
    if let Some(groups) = places.groups(&name.text) {
        values.push((Key::MetricGroup, Value::new(groups, name.place)));
    }
    let own = metric.list("sample_events", files, faults).into_iter();
    let mut samples: Vec<String> = own.map(|event| event.text.into_owned()).collect();
    for event in places.samples.get(&*name.text).into_iter().flatten() {
        if !samples.contains(event) {
            samples.push(event.clone());
        }
    }
    if !samples.is_empty() {
        values.push((Key::SampleWith, Value::new(samples.join(";"), name.place)));
    }
    Some(ConvertedEvent::plain(name.place, "metrics", values))
}
