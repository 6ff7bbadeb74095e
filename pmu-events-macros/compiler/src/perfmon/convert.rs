//! All event files of a directory, converted.

use std::collections::{HashMap, HashSet};

use super::additions;
use super::counters::{self, Numbers};
use super::event::{self, Event};
use super::files::Perfmon;
use super::latency::{self, Latency};
use super::layout::Kind;
use super::repair::Repairs;
use super::value::{Value, Values};
use crate::fault::{Faults, Place, narrow, quoted};
use crate::json::{self, Object};
use crate::keys::Key;
use crate::options::Encoding;
use crate::parallel;
use crate::source::Source;

/// What the rules ask of an event's file and model.
pub(super) struct Context<'m> {
    pub(super) short: &'m str,
    pub(super) kind: Kind,
    pub(super) is_hybrid: bool,
}

impl Context<'_> {
    pub(super) fn is_experimental(&self) -> bool {
        self.kind == Kind::UncoreExperimental
    }
}

/// What one file gives to one model.
pub(crate) struct Converted<'s> {
    pub(crate) directory: u32,
    pub(crate) events: Vec<ConvertedEvent<'s>>,
    pub(crate) counters: Vec<(String, [Option<u8>; 2])>,
    /// Whether these are all: what is missing has been reported.
    pub(crate) is_whole: bool,
}

/// One event, as an object of the kernel's tree.
pub(crate) struct ConvertedEvent<'s> {
    pub(crate) place: Place,
    pub(crate) topic: &'static str,
    pub(crate) values: Vec<(Key, Value<'s>)>,
    /// What perf's tree has instead, where its event string may differ.
    pub(crate) perf: Option<Vec<(Key, Value<'s>)>>,
    pub(crate) repairs: Repairs,
}

/// Converts the event files of the models that are kept.
pub(crate) fn convert<'s>(
    source: &'s Source,
    encoding: Encoding,
    faults: &mut Faults,
) -> Vec<Converted<'s>> {
    let Some(perfmon) = &source.perfmon else {
        return Vec::new();
    };
    let latencies = latencies(source, perfmon, faults);
    let of_models = perfmon.files_of.iter().enumerate();
    let jobs: Vec<(usize, Kind, u32)> = of_models
        .flat_map(|(model, files)| files.iter().map(move |&(kind, file)| (model, kind, file)))
        .filter(|(_, kind, _)| kind.is_core() || kind.is_uncore())
        .collect();
    let parts = parallel::map(jobs.len(), |n| {
        let (model, kind, file) = jobs[n];
        let read = &perfmon.layout.models[model];
        let context = Context { short: &read.short, kind, is_hybrid: read.is_hybrid() };
        let mut faults = Faults::default();
        let job = Job { source, file, context, encoding, latencies: latencies.get(&model) };
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
    all
}

type Latencies<'s> = HashMap<String, Latency<'s>>;

/// The retire latencies of the models that have any.
fn latencies<'s>(
    source: &'s Source,
    perfmon: &Perfmon,
    faults: &mut Faults,
) -> HashMap<usize, Latencies<'s>> {
    let mut all = HashMap::new();
    for (model, files) in perfmon.files_of.iter().enumerate() {
        let file = files.iter().find(|(kind, _)| *kind == Kind::RetireLatency);
        let read = file.and_then(|&(_, file)| latency::read(source, file, faults));
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
    let name = |event: &ConvertedEvent<'_>| {
        let name = event.values.iter().find(|(key, _)| *key == Key::EventName);
        name.map(|(_, name)| name.text.to_string())
    };
    let known: HashSet<String> = files().flat_map(|file| &file.events).filter_map(name).collect();
    for (event, latency) in latencies {
        if !known.contains(event) {
            let message = format!("latency of {}, which the model does not have", quoted(event));
            faults.error(latency.place, format!("{message}: expected one of its events"));
        }
    }
}

/// One file, read for one model.
struct Job<'m, 's> {
    source: &'s Source,
    file: u32,
    context: Context<'m>,
    encoding: Encoding,
    latencies: Option<&'m Latencies<'s>>,
}

impl<'s> Job<'_, 's> {
    fn convert(&self, directory: u32, faults: &mut Faults) -> Converted<'s> {
        let objects = self.objects(faults);
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
            let Event { name, topic, mut values, repairs, .. } = event;
            let mut perf = perf;
            let (short, place) = (self.context.short, name.place);
            let copies = additions::apply(short, &name.text, place, &mut values);
            if let Some(values) = &mut perf {
                additions::apply(short, &name.text, place, values);
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
            // No event of a copy is one that perf gets wrong.
            let copies = copies.into_iter().map(|values| ConvertedEvent {
                place,
                topic,
                values,
                perf: None,
                repairs: Repairs::default(),
            });
            events.extend(copies);
            events.push(ConvertedEvent { place, topic, values, perf, repairs });
        }
        let writes_numbers =
            self.encoding == Encoding::Correct || !counters::WITHOUT.contains(&self.context.short);
        let numbers = numbers.into_iter().filter(|_| writes_numbers);
        let counters = numbers.map(|(pmu, most)| (pmu, most.map(Some))).collect();
        Converted { directory, events, counters, is_whole }
    }

    /// The objects of `Events`; `None` where they cannot be read, which has been
    /// reported.
    fn objects(&self, faults: &mut Faults) -> Option<Vec<Object<'s>>> {
        if !self.source.files[self.file as usize].is_whole {
            return None;
        }
        let before = faults.errors.kept.len();
        let fields = json::object(self.source, self.file, faults);
        if faults.errors.kept.len() > before {
            return None;
        }
        let events = fields.iter().find(|(key, _)| key.string().as_deref() == Some("Events"));
        let Some((_, events)) = events else {
            let message = "missing `Events`: expected `{\"Header\": {…}, \"Events\": [{…}]}`";
            faults.unread(Place::new(self.file, 0), message);
            return None;
        };
        json::array_of(self.source, events, faults)
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
        // What is wrong with it has been reported, and is not to be said again.
        (!is_refused).then(|| (event, perf.map(|event| event.values)))
    }
}
