//! The specifications of the models that are kept, converted.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::layout::{Layout, Model};
use super::metric::{Names, Places};
use super::object::{Fields, Text};
use super::{event, metric};
use crate::cost::parallel;
use crate::faults::{Faults, narrow};
use crate::files::Files;
use crate::source::converted::Converted;

/// The topic of events that no group of functions has.
const NO_TOPIC: &str = "other";

/// Converts the specifications of the models that are kept.
pub(crate) fn convert<'s>(
    files: &'s Files,
    layout: &Layout,
    faults: &mut Faults,
) -> Vec<Converted<'s>> {
    let kept: Vec<(usize, &Model)> =
        layout.models.iter().enumerate().filter(|(_, model)| model.is_kept).collect();
    let parts = parallel::map(kept.len(), |n| {
        let (number, model) = kept[n];
        let mut faults = Faults::default();
        let converted = specification(files, narrow(number), model.file, &mut faults);
        (converted, faults)
    });
    // Each specification describes its groups in its own words; one description is
    // kept of each.
    let mut described = HashSet::new();
    let each = parts.into_iter().map(|(mut converted, said)| {
        faults.append(said);
        converted.groups.retain(|(name, _)| described.insert(name.text.to_lowercase()));
        converted
    });
    each.collect()
}

fn specification<'s>(
    files: &'s Files,
    directory: u32,
    file: u32,
    faults: &mut Faults,
) -> Converted<'s> {
    let all = Fields::of_file(files, file, faults);
    let mut named = |key: &str| -> Vec<(Text<'s>, Fields<'s>)> {
        let value = all.required(key, faults);
        let objects = value.map(|value| Fields::of(files, value, faults));
        let fields = objects.into_iter().flat_map(|objects| objects.fields);
        let named = fields.filter_map(|(key, value)| {
            let name = Text { text: key.string()?, place: key.place };
            Some((name, Fields::of(files, &value, faults)))
        });
        named.collect()
    };
    let (events, metrics) = (named("events"), named("metrics"));
    let groups = all.below("groups", files, faults);
    let topics = topics(groups.as_ref(), files, faults);
    let names = Names::new(metrics.iter().map(|(name, _)| &*name.text));
    let places = Places::read(&all, groups.as_ref(), &names, files, faults);
    let mut converted = Vec::with_capacity(events.len() + metrics.len());
    for (name, fields) in &events {
        let topic = topics.get(&*name.text).map_or(NO_TOPIC, String::as_str);
        converted.extend(event::convert(name, fields, topic, files, faults));
    }
    for (name, fields) in &metrics {
        converted.extend(metric::convert(name, fields, &places, files, faults));
    }
    Converted {
        directory,
        events: converted,
        counters: Vec::new(),
        groups: places.descriptions,
        is_whole: !faults.has_errors(),
    }
}

/// The topic of each event: the group of functions that has it, in lower case.
fn topics<'s>(
    groups: Option<&Fields<'s>>,
    files: &'s Files,
    faults: &mut Faults,
) -> HashMap<Cow<'s, str>, String> {
    let mut topics = HashMap::new();
    let of_functions = groups.and_then(|groups| groups.below("function", files, faults));
    for (key, value) in of_functions.into_iter().flat_map(|groups| groups.fields) {
        let topic = key.string().unwrap_or_default().to_lowercase().replace('_', " ");
        let group = Fields::of(files, &value, faults);
        for event in group.list("events", files, faults) {
            topics.entry(event.text).or_insert_with(|| topic.clone());
        }
    }
    topics
}
