//! One event of perfmon as an object of the kernel's tree
//! (`scripts/create_perf_json.py` of perfmon, rule by rule).

use std::borrow::Cow;

use super::context::Context;
use super::filter::{Filter, filter};
use super::free_running::free_running;
use super::keys::Key as Source;
use super::topic;
use super::umask::{pairs, umask};
use super::unit::{Unit, unit};
use super::value::{Value, Values};
use crate::entry::keys::Key;
use crate::entry::repairs::Repairs;
use crate::faults::quoted;
use crate::options::Encoding;

/// Keys and values, as the kernel's tree would have them.
pub(super) struct Event<'s> {
    pub(super) name: Value<'s>,
    pub(super) topic: &'static str,
    pub(super) values: Vec<(Key, Value<'s>)>,
    pub(super) repairs: Repairs,
    pub(super) pairs: Option<String>,
    /// Unit and counters, where they say how many counters the unit has.
    pub(super) counter: Option<String>,
}

impl Event<'_> {
    pub(super) fn unit(&self) -> Option<&str> {
        let unit = self.values.iter().find(|(key, _)| *key == Key::Unit);
        unit.map(|(_, value)| &*value.text)
    }
}

/// Models whose occupancies of power states are bits of a filter.
const OCCUPANCY: [&str; 9] = ["SNB", "IVB", "HSW", "BDW", "BDW-DE", "BDX", "HSX", "IVT", "JKT"];

/// Keys whose values stay as they are.
const SAME: [(Source, Key); 11] = [
    (Source::AnyThread, Key::AnyThread),
    (Source::CounterMask, Key::CounterMask),
    (Source::Data_LA, Key::Data_LA),
    (Source::Deprecated, Key::Deprecated),
    (Source::EdgeDetect, Key::EdgeDetect),
    (Source::Errata, Key::Errata),
    (Source::FCMask, Key::FCMask),
    (Source::Invert, Key::Invert),
    (Source::MSRValue, Key::MSRValue),
    (Source::PortMask, Key::PortMask),
    (Source::SampleAfterValue, Key::SampleAfterValue),
];

/// `None` if perf has no such event, or there is no name.
pub(super) fn convert<'s>(
    values: &mut Values<'_, 's>,
    context: &Context<'_>,
    encoding: Encoding,
) -> Option<Event<'s>> {
    let Some(written) = values.get(Source::EventName) else {
        values.error(values.place, "missing EventName: expected the name of the event");
        return None;
    };
    if written.text.starts_with("UNC_IIO_BANDWIDTH_OUT.") && !has_bandwidth_out(context, encoding) {
        return None;
    }
    let mut repairs = Repairs::default();
    let mut out: Vec<(Key, Value<'s>)> = Vec::with_capacity(16);
    let name = name(&written);
    let mut umask = umask(values, encoding, &mut repairs);
    let free_running = free_running(values, &name.text, context.short);
    let suffix = free_running.as_ref().map(|counter| counter.suffix.as_str());
    let unit = unit(values, &name.text, suffix, context);
    let mut occupancy = None;
    if let Some(selection) = occupancy_of(&name.text, context.short) {
        let is_pcu = unit.value.as_ref().is_some_and(|unit| unit.text == "PCU");
        if is_pcu {
            umask = None;
            occupancy = selection.map(|term| Value::new(term, name.place));
        } else {
            let message = format!("event {} must be of Unit PCU", quoted(&name.text));
            values.error(name.place, message);
        }
    }
    // 0 is a code like any other.
    let mut code = values.written(Source::EventCode).filter(|code| !is_absent(&code.text));
    let counter = values.written(Source::Counter);
    let is_free_running = free_running.is_some();
    let is_fixed =
        counter.as_ref().is_some_and(|counter| counter.text.eq_ignore_ascii_case("fixed"));
    if is_free_running || is_fixed {
        let place = code.map_or(values.place, |code| code.place);
        code = Some(Value::new("0xff", place));
        umask = free_running.map(|counter| counter.umask);
    }
    let filter = match (filter(values, encoding, &mut repairs), occupancy) {
        (Filter::Dropped, _) => return None,
        (Filter::Term(term), None) => Some(term),
        (_, occupancy) => occupancy,
    };
    let (brief, public) = descriptions(values, &written.text, context);
    let precise = values.get(Source::Precise);
    let select = values.get(Source::ExtSel).filter(|_| !is_doubtful(&unit, context));
    repairs_of_flags(&precise, &select, &mut repairs);
    let is_correct = encoding == Encoding::Correct;
    let mut pebs = values.get(Source::PEBS);
    if is_correct && pebs.is_none() {
        pebs = precise;
    }
    if let Some(equal) = values.get(Source::Equal).filter(|_| is_correct) {
        let message = format!("Equal is {}: no rule covers it", quoted(&equal.text));
        values.error(equal.place, message);
    }
    let counters = match (&counter, is_free_running && is_correct) {
        (Some(counter), true) => Some(Value::new("FREERUN", counter.place)),
        (counter, _) => counter.clone(),
    };
    for (key, value) in [
        (Key::EventCode, code),
        (Key::UMask, umask),
        (Key::ExtSel, select.filter(|_| is_correct)),
        (Key::Unit, unit.value),
        (Key::Filter, filter),
        (Key::MSRIndex, values.get(Source::MSRIndex)),
        (Key::BriefDescription, brief),
        (Key::PublicDescription, public),
        (Key::PEBS, pebs),
        (Key::Counter, counters.filter(|counter| !counter.text.is_empty())),
        (Key::TakenAlone, values.get(Source::TakenAlone).filter(|_| is_correct)),
    ] {
        out.extend(value.map(|value| (key, value)));
    }
    for (from, to) in SAME {
        out.extend(values.get(from).map(|value| (to, value)));
    }
    let place = values.place;
    let mut flag = |key: Key, is_set: bool| {
        out.extend(is_set.then(|| (key, Value::new("1", place))));
    };
    flag(Key::Experimental, context.is_experimental());
    flag(Key::PerPkg, context.kind.is_uncore());
    out.push((Key::EventName, name.clone()));
    let says_counters = !name.text.contains("FREERUN");
    let counter = counter.filter(|_| says_counters).map(|counter| counter.text.into_owned());
    let topic = unit.topic.unwrap_or_else(|| topic::of_name(&name.text));
    // With perf's own encoding nothing differs from it.
    let repairs = if is_correct { repairs } else { Repairs::default() };
    let pairs = if is_correct && !values.is_refused { pairs(values) } else { None };
    Some(Event { name, topic, values: out, repairs, pairs, counter })
}

/// Whether the free-running counters of outbound data can be read. Only Sapphire Rapids'
/// driver has them (`spr_iio_freerunning` of `uncore_snbep.c`). It is Emerald Rapids', too,
/// of which perf leaves them out.
fn has_bandwidth_out(context: &Context<'_>, encoding: Encoding) -> bool {
    context.short == "SPR" || (context.short == "EMR" && encoding == Encoding::Correct)
}

/// Whether only Jaketown's list sets `ExtSel`: the UBox of the next three generations has
/// the same events without it, and the driver has no such bit (`snbep_uncore_ubox`).
fn is_doubtful(unit: &Unit<'_>, context: &Context<'_>) -> bool {
    context.short == "JKT" && unit.value.as_ref().is_some_and(|unit| unit.text == "UBOX")
}

/// Whether a text says that there is no value.
fn is_absent(text: &str) -> bool {
    matches!(text, "" | "na" | "null" | "tbd")
}

fn repairs_of_flags(
    precise: &Option<Value<'_>>,
    select: &Option<Value<'_>>,
    repairs: &mut Repairs,
) {
    if precise.is_some() {
        repairs.insert(Repairs::PRECISE);
    }
    if select.is_some() {
        repairs.insert(Repairs::EXT_SEL);
    }
}

/// perf's name of an event.
fn name<'s>(written: &Value<'s>) -> Value<'s> {
    let text = &*written.text;
    let text = match text.strip_prefix("OFFCORE_RESPONSE_0") {
        Some(rest) => Cow::Owned(format!("OFFCORE_RESPONSE{rest}")),
        None => Cow::Borrowed(text),
    };
    let parts = text
        .strip_prefix("OFFCORE_RESPONSE:request=")
        .and_then(|rest| rest.split_once(":response="));
    let text = match parts {
        Some((request, response)) => format!("OFFCORE_RESPONSE.{request}.{response}").into(),
        None => text,
    };
    match text {
        Cow::Borrowed(_) => written.clone(),
        Cow::Owned(text) => Value::new(text, written.place),
    }
}

/// The state whose occupancy an event counts; `Some(None)` if there is none.
fn occupancy_of(name: &str, short: &str) -> Option<Option<&'static str>> {
    if !name.starts_with("UNC_P_POWER_STATE_OCCUPANCY") || !OCCUPANCY.contains(&short) {
        return None;
    }
    let states = [("C0", "occ_sel=1"), ("C3", "occ_sel=2"), ("C6", "occ_sel=3")];
    Some(states.iter().find(|(state, _)| name.ends_with(state)).map(|&(_, term)| term))
}

/// Brief and public description.
fn descriptions<'s>(
    values: &mut Values<'_, 's>,
    name: &str,
    context: &Context<'_>,
) -> (Option<Value<'s>>, Option<Value<'s>>) {
    let other = values.get(Source::Description);
    let mut brief = values.get(Source::BriefDescription).or_else(|| other.clone());
    let mut public = values.get(Source::PublicDescription).or(other);
    if brief.is_none() && context.short == "SNB" && name == "OFFCORE_RESPONSE.COREWB.ANY_RESPONSE" {
        brief = Some(Value::new("COREWB & ANY_RESPONSE", values.place));
    }
    if let Some(counters) = values.written(Source::PDISTCounter)
        && !counters.text.is_empty()
        && counters.text != "NA"
    {
        let (text, place) = match public {
            Some(public) => (public.text.into_owned(), public.place),
            None => (String::new(), counters.place),
        };
        let text = format!("{text} Available PDIST counters: {}", counters.text);
        public = Some(Value::new(text, place));
    }
    let within =
        |public: &Value<'_>| brief.as_ref().is_some_and(|brief| brief.text.contains(&*public.text));
    let public = public.filter(|public| !within(public));
    (brief, public)
}
