//! All event files of a directory, converted.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::additions;
use super::context::Context;
use super::counters::{self, Numbers};
use super::event::{self, Event};
use super::files::Perfmon;
use super::latency::{self, Latency};
use super::layout::Kind;
use super::metric;
use super::value::{Value, Values};
use crate::cost::parallel;
use crate::entry::keys::Key;
use crate::entry::repairs::Repairs;
use crate::faults::{Faults, Message, Place, narrow, quoted};
use crate::files::json::{self, Object, Raw};
use crate::files::{Files, Role};
use crate::options::Encoding;
use crate::source::converted::{Converted, ConvertedEvent};

/// Converts the event files of the models that are kept.
pub(crate) fn convert<'s>(
    files: &'s Files,
    perfmon: &Perfmon,
    encoding: Encoding,
    faults: &mut Faults,
) -> Vec<Converted<'s>> {
    let latencies = latencies(files, perfmon, faults);
    let of_models = perfmon.files_of.iter().enumerate();
    let jobs: Vec<(usize, Kind, u32)> = of_models
        .flat_map(|(model, own)| own.iter().map(move |&(kind, file)| (model, kind, file)))
        .filter(|(_, kind, _)| kind.is_core() || kind.is_uncore())
        .collect();
    let parts = parallel::map(jobs.len(), |n| {
        let (model, kind, file) = jobs[n];
        let read = &perfmon.layout.models[model];
        let context = Context { short: &read.short, kind, is_hybrid: read.is_hybrid() };
        let mut faults = Faults::default();
        let job = Job { files, file, context, encoding, latencies: latencies.get(&model) };
        let converted = job.convert(narrow(model), &mut faults);
        (converted, faults)
    });
    let mut all = Vec::with_capacity(parts.len());
    for (converted, part) in parts {
        faults.append(part);
        all.push(converted);
    }
    for (model, latencies) in &latencies {
        unknown_latencies(narrow(*model), latencies, &all, faults);
    }
    let metrics = metrics(files, perfmon, encoding, &all, faults);
    all.extend(metrics);
    all
}

/// The metrics of the models that are kept, whose events are known.
fn metrics<'s>(
    files: &'s Files,
    perfmon: &Perfmon,
    encoding: Encoding,
    events: &[Converted<'_>],
    faults: &mut Faults,
) -> Vec<Converted<'s>> {
    let parts = parallel::map(perfmon.layout.models.len(), |model| {
        let (read, own) = (&perfmon.layout.models[model], &perfmon.files_of[model]);
        let mut faults = Faults::default();
        let mut part = Converted {
            directory: narrow(model),
            events: Vec::new(),
            counters: Vec::new(),
            groups: Vec::new(),
            is_whole: true,
        };
        if own.is_empty() {
            return (part, faults);
        }
        let pmus = pmus(narrow(model), events);
        let (short, cpuid, is_hybrid) = (&*read.short, read.first_cpuid(), read.is_hybrid());
        let context = metric::Context { files, short, cpuid, is_hybrid, encoding, pmus: &pmus };
        for (_, file) in own.iter().filter(|(kind, _)| *kind == Kind::Metrics) {
            match objects(files, *file, "Metrics", &mut faults) {
                Some(objects) => {
                    part.events.extend(metric::convert(&objects, &context, &mut faults));
                }
                None => part.is_whole = false,
            }
        }
        part.events.extend(metric::extra(short, encoding, read.place()));
        let known = metrics_of_tree(files, narrow(model));
        part.events.retain(|metric| !known.contains(&name_of(metric, Key::MetricName)));
        (part, faults)
    });
    let each = parts.into_iter().map(|(part, said)| {
        faults.append(said);
        part
    });
    each.collect()
}

/// Names of metrics that are in the kernel's form already.
fn metrics_of_tree(files: &Files, model: u32) -> HashSet<String> {
    let mut names = HashSet::new();
    for (number, file) in files.all.iter().enumerate() {
        if matches!(file.role, Role::Table { directory, .. } if directory == model) {
            // What is wrong with it is reported where it is read.
            let mut said = Faults::default();
            for object in json::array(files, narrow(number), &mut said).unwrap_or_default() {
                let is_name = |(key, _): &&(Raw<'_>, Raw<'_>)| key.text == "\"MetricName\"";
                let name = object.fields.iter().find(is_name);
                names.extend(name.and_then(|(_, name)| Some(name.string()?.into_owned())));
            }
        }
    }
    names
}

/// The PMU of each event of a model.
fn pmus(model: u32, all: &[Converted<'_>]) -> metric::Pmus {
    let files = all.iter().filter(|file| file.directory == model);
    let pmu = |event: &ConvertedEvent<'_>| {
        let unit = event.values.iter().find(|(key, _)| *key == Key::Unit);
        counters::pmu_of(unit.map(|(_, unit)| &*unit.text))
    };
    let named = |event| (name_of(event, Key::EventName).to_ascii_lowercase(), pmu(event));
    files.flat_map(|file| &file.events).map(named).collect()
}

fn name_of(event: &ConvertedEvent<'_>, key: Key) -> String {
    let name = event.values.iter().find(|(known, _)| *known == key);
    name.map_or_else(String::new, |(_, name)| name.text.to_string())
}

type Latencies<'s> = HashMap<String, Latency<'s>>;

/// The retire latencies of the models that have any.
fn latencies<'s>(
    files: &'s Files,
    perfmon: &Perfmon,
    faults: &mut Faults,
) -> HashMap<usize, Latencies<'s>> {
    let mut all = HashMap::new();
    for (model, own) in perfmon.files_of.iter().enumerate() {
        let file = own.iter().find(|(kind, _)| *kind == Kind::RetireLatency);
        let read = file.and_then(|&(_, file)| latency::read(files, file, faults));
        all.extend(read.map(|latencies| (model, latencies)));
    }
    all
}

/// Reports latencies of events that the model does not have.
fn unknown_latencies(
    model: u32,
    latencies: &Latencies<'_>,
    all: &[Converted<'_>],
    faults: &mut Faults,
) {
    let files = || all.iter().filter(|file| file.directory == model);
    if files().any(|file| !file.is_whole) {
        return;
    }
    let name = |event| name_of(event, Key::EventName);
    let known: HashSet<String> = files().flat_map(|file| &file.events).map(name).collect();
    for (event, latency) in latencies {
        if !known.contains(event) {
            let message = format!("latency of {}, which the model does not have", quoted(event));
            faults.error(latency.place, format!("{message}: expected one of its events"));
        }
    }
}

/// One file, read for one model.
struct Job<'m, 's> {
    files: &'s Files,
    file: u32,
    context: Context<'m>,
    encoding: Encoding,
    latencies: Option<&'m Latencies<'s>>,
}

impl<'s> Job<'_, 's> {
    fn convert(&self, directory: u32, faults: &mut Faults) -> Converted<'s> {
        let objects = objects(self.files, self.file, "Events", faults);
        let is_whole = objects.is_some();
        let mut events = Vec::new();
        let mut numbers = Numbers::new();
        let mut names: HashSet<String> = HashSet::new();
        for object in objects.unwrap_or_default() {
            let Some((event, perf)) = self.event(&object, faults) else {
                continue;
            };
            // perf's script keeps the first of a name.
            if self.encoding == Encoding::Perf && !names.insert(event.name.text.to_string()) {
                continue;
            }
            if let Some(counter) = &event.counter {
                counters::count(event.unit(), counter, &mut numbers);
            }
            let Event { name, topic, mut values, repairs, pairs, .. } = event;
            let mut perf = perf;
            let (short, place) = (self.context.short, name.place);
            let copies = additions::apply(short, &name.text, place, &mut values, self.encoding);
            if let Some(values) = &mut perf {
                additions::apply(short, &name.text, place, values, Encoding::Perf);
            }
            if let Some(latency) = self.latencies.and_then(|all| all.get(&*name.text)) {
                let keys = [
                    Key::RetirementLatencyMean,
                    Key::RetirementLatencyMin,
                    Key::RetirementLatencyMax,
                ];
                values.extend(keys.into_iter().zip(latency.values.iter().cloned()));
            }
            let place = object.place;
            // No event of a copy is one that perf gets wrong but for the filter.
            let copies = copies.into_iter().map(|mut values| {
                let is_correct = self.encoding == Encoding::Correct;
                let perf = is_correct.then(|| additions::correct_filter(&mut values)).flatten();
                let repairs = perf.as_ref().map_or(Repairs::default(), |_| Repairs::FILTER);
                ConvertedEvent { place, topic: topic.into(), values, perf, repairs, pairs: None }
            });
            events.extend(copies);
            events.push(ConvertedEvent {
                place,
                topic: topic.into(),
                values,
                perf,
                repairs,
                pairs,
            });
        }
        let writes_numbers =
            self.encoding == Encoding::Correct || !counters::WITHOUT.contains(&self.context.short);
        let numbers = numbers.into_iter().filter(|_| writes_numbers);
        let counters = numbers.map(|(pmu, most)| (pmu, most.map(Some))).collect();
        Converted { directory, events, counters, groups: Vec::new(), is_whole }
    }

    /// An event, and what perf's tree has where its event string may differ.
    #[allow(clippy::type_complexity)] // Two lists of the same values.
    fn event(
        &self,
        object: &Object<'s>,
        faults: &mut Faults,
    ) -> Option<(Event<'s>, Option<Vec<(Key, Value<'s>)>>)> {
        let mut values = Values::new(object, faults);
        let event = event::convert(&mut values, &self.context, self.encoding)?;
        let is_refused = values.is_refused;
        let perf =
            (self.encoding == Encoding::Correct && event.repairs.is_of_string() && !is_refused)
                .then(|| {
                    // The same keys: what they lack has been reported.
                    let mut again = Faults::default();
                    let mut values = Values::new(object, &mut again);
                    event::convert(&mut values, &self.context, Encoding::Perf)
                })
                .flatten();
        // Its faults have been reported, and must not be reported again.
        (!is_refused).then(|| (event, perf.map(|event| event.values)))
    }
}

/// The objects of a file's list; `None` where they cannot be read, which has been
/// reported.
fn objects<'s>(
    files: &'s Files,
    file: u32,
    key: &str,
    faults: &mut Faults,
) -> Option<Vec<Object<'s>>> {
    if !files[file].is_whole {
        return None;
    }
    let before = faults.errors.kept.len();
    let fields = json::object(files, file, faults);
    if faults.errors.kept.len() > before {
        return None;
    }
    let mut seen: HashMap<Cow<'_, str>, Place> = HashMap::new();
    for (known, _) in &fields {
        let name = known.string().unwrap_or_default();
        if let Some(first) = seen.get(&name) {
            let message = format!("duplicate key {}; first at ", quoted(&name));
            faults.error(known.place, Message::from(message).place(*first));
        } else {
            seen.insert(name, known.place);
        }
    }
    let list = fields.iter().find(|(known, _)| known.string().as_deref() == Some(key));
    let Some((_, list)) = list else {
        let message =
            format!("missing `{key}`: expected `{{\"Header\": {{…}}, \"{key}\": [{{…}}]}}`");
        faults.unread(Place::new(file, 0), message);
        return None;
    };
    json::array_of(files, list, faults)
}
