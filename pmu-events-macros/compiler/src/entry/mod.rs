//! One JSON object, interpreted: what jevents calls a `JsonEvent`.

mod count;
pub(crate) mod event_string;
pub(crate) mod fields;
pub(crate) mod fixed_string;
pub(crate) mod flags;
pub(crate) mod full_stop;
pub(crate) mod keys;
mod number;
pub(crate) mod perf_differs;
pub(crate) mod repairs;
pub(crate) mod stated;

use std::borrow::Cow;
use std::mem;

use pmu_events_core::__private::pmu;
use pmu_events_core::__private::wire::StrRef;
use pmu_events_core::__private::wire::record::{counters, differs};

use crate::faults::{Candidates, Faults, Message, Place, hint, quoted};
use crate::files::json::Object;
use crate::options::Encoding;
pub(crate) use count::Count;
use fields::{Fields, Value};
use fixed_string::Hidden;
use flags::Flags;
use full_stop::full_stop;
use keys::Key;
use perf_differs::{Losses, PerfDiffers};
pub(crate) use stated::Metric;
use stated::Texts;

/// An event, a metric, or both, or a unit's counters.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entry<'t> {
    pub(crate) place: Place,
    pub(crate) name: Option<Value<'t>>,
    pub(crate) pmu: Cow<'t, str>,
    pub(crate) event: String,
    /// What its fields select, if its name or its standard event's has an event string
    /// on every CPU.
    pub(crate) own_event: Option<String>,
    pub(crate) brief: Option<Value<'t>>,
    pub(crate) public: Option<Value<'t>>,
    pub(crate) texts: Texts<'t>,
    pub(crate) count: Count,
    pub(crate) flags: Flags,
    /// 0 not, 1 possible, 2 required.
    pub(crate) precise: Option<u8>,
    pub(crate) notes: Notes,
    pub(crate) counter_kind: u8,
    pub(crate) counters: u64,
    pub(crate) msr: [u32; 2],
    pub(crate) msr_value: Option<u64>,
    pub(crate) sample_after: Option<u64>,
    pub(crate) metric: Metric<'t>,
    /// `CountersNumGeneric` and `CountersNumFixed`, if present.
    pub(crate) counter_numbers: Option<[Option<u8>; 2]>,
    /// Whether the object or its standard event has a code.
    pub(crate) has_code: bool,
    /// Whether its names are known: unreadable ones have been reported.
    pub(crate) is_whole: bool,
    /// What perf counts instead.
    pub(crate) perf: Option<PerfDiffers>,
    /// What is known of that: `wire::record::repair` bits.
    pub(crate) evidence: u32,
    /// The umask of each register, as terms.
    pub(crate) pairs: Option<String>,
    /// The place of the name of its standard event.
    pub(crate) reference: Option<Place>,
}

/// The notes that perf appends to each description. jevents appends them when
/// it reads the text, so that a text inherited from a standard event brings the
/// standard event's notes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes {
    pub(crate) brief: String,
    pub(crate) public: String,
}

impl Notes {
    /// The notes of an object's own texts, in jevents' words and order. They
    /// depend on the presence of a key, not on its value.
    fn read(
        fields: &mut Fields<'_, '_>,
        brief: &Option<Value<'_>>,
        public: &Option<Value<'_>>,
    ) -> Self {
        let mut notes = String::new();
        let errata = fields.raw(Key::Errata).is_some_and(|raw| !raw.is_null());
        if fields.raw(Key::Data_LA).is_some() {
            notes.push_str("  Supports address when precise");
            notes.push_str(if errata { "." } else { "" });
        }
        if errata {
            notes.push_str("  Spec update: ");
            notes.push_str(&fields.string(Key::Errata).map_or(Cow::Borrowed(""), |e| e.text));
        }
        // Only the brief text is checked for the note.
        if brief.as_ref().is_some_and(|text| !text.text.contains("(Precise Event)"))
            && let Some(precise) = fields.raw(Key::PEBS)
        {
            notes.push_str(match (precise.string().as_deref(), precise.text) {
                (Some(""), _) => "", // False to Python, as are the next.
                (Some("2"), _) => " (Must be precise)",
                (None, "null" | "false" | "[]" | "{}" | "0") => "",
                _ => " (Precise event)",
            });
        }
        let of = |text: &Option<Value<'_>>| text.as_ref().map_or("", |_| &notes).to_owned();
        Notes { brief: of(brief), public: of(public) }
    }
}

/// Interprets an object. `standard` finds an architecture standard event by its
/// name; a dangling reference is reported.
pub(crate) fn read<'t, 's>(
    object: &Object<'t>,
    standard: &dyn Fn(&str) -> Standard<'s, 't>,
    encoding: Encoding,
    faults: &mut Faults,
) -> Entry<'t>
where
    't: 's,
{
    of_fields(object.place, Fields::new(object, faults), standard, encoding)
}

/// Interprets the fields of the object at a place.
pub(crate) fn of_fields<'t, 's>(
    place: Place,
    mut fields: Fields<'_, 't>,
    standard: &dyn Fn(&str) -> Standard<'s, 't>,
    encoding: Encoding,
) -> Entry<'t>
where
    't: 's,
{
    let losses = Losses::read(&mut fields, encoding);
    let name = fields.written(Key::EventName).filter(|name| !name.text.is_empty());
    let brief = description(&mut fields, Key::BriefDescription);
    let public = description(&mut fields, Key::PublicDescription);
    let notes = Notes::read(&mut fields, &brief, &public);
    let unit = fields.string(Key::Unit);
    let pmu =
        unit.as_ref().map_or(Cow::Borrowed(pmu::DEFAULT_CORE), |unit| pmu_of(unit, &mut fields));
    let (counter_kind, counters) = counters_of(&mut fields);
    let (event, msr) = event_string::build(&mut fields);
    let mut entry = Entry {
        place,
        name,
        pmu,
        event: event.text,
        own_event: None,
        texts: Texts::read(&mut fields),
        count: Count::read(&mut fields),
        flags: Flags::read(&mut fields, encoding),
        precise: precise_of(&mut fields),
        notes,
        brief,
        public,
        counter_kind,
        counters,
        msr: msr.indices,
        msr_value: msr.value,
        sample_after: event.sample_after,
        metric: Metric::read(&mut fields),
        counter_numbers: counter_numbers(&mut fields),
        has_code: event.has_code,
        is_whole: !fields.is_spoilt(Key::EventName)
            && !fields.is_spoilt(Key::MetricName)
            && !fields.is_spoilt(Key::ArchStdEvent),
        perf: None,
        evidence: perf_differs::evidence(&mut fields),
        pairs: perf_differs::pairs(&mut fields),
        reference: None,
    };
    if let Some(reference) = fields.string(Key::ArchStdEvent) {
        entry.reference = Some(reference.place);
        match standard(&reference.text) {
            Standard::Found(found) => {
                warn_of_lost_encoding(&entry, found, &mut fields);
                entry.inherit(found);
            }
            Standard::Unknown => entry.is_whole = false,
            Standard::Missing(names) => {
                entry.is_whole = false;
                let name = quoted(&reference.text);
                let message = format!("ArchStdEvent {name} is not an architecture standard event");
                let message = Message::from(message).suggest(&reference.text, &names);
                fields.error(reference.place, message);
            }
        }
    }
    // A formula of the wrong type has been reported.
    if let (Some(name), None) = (&entry.metric.name, &entry.metric.expression)
        && fields.raw(Key::MetricExpr).is_none_or(|raw| raw.string().is_some())
    {
        let message = format!("metric {} has no MetricExpr", quoted(&name.text));
        fields.error(name.place, message);
    }
    if let Some(name) = &entry.name
        && let Some(fixed) = fixed_string::of_name(&name.text)
    {
        let own = mem::replace(&mut entry.event, fixed.to_owned());
        entry.own_event.get_or_insert(own);
    }
    let name = entry.name.as_ref().map(|name| &*name.text);
    let perf = losses.apply(name, &mut entry.event, &mut fields, encoding);
    match encoding {
        Encoding::Correct => entry.perf = perf.or(entry.perf.take()),
        Encoding::Perf => {
            (entry.perf, entry.pairs, entry.own_event) = (None, None, None);
        }
    }
    entry
}

/// Warns of what selects an event beside a reference to a standard event, of which jevents
/// takes the event string whole.
fn warn_of_lost_encoding(own: &Entry<'_>, standard: &Entry<'_>, fields: &mut Fields<'_, '_>) {
    let own = without_period(&own.event);
    let vendor = standard.own_event.as_deref().unwrap_or(&standard.event);
    let is_same = [&*standard.event, vendor].map(without_period).contains(&own);
    let Some((key, raw)) = event_string::selecting(fields).filter(|_| !is_same) else {
        return;
    };
    let message = format!(
        "{key:?} is ignored beside ArchStdEvent: this event is {} and not {}",
        quoted(&standard.event),
        quoted(&own)
    );
    fields.warn(raw.place, message);
}

/// How often an event is sampled is not part of what it counts.
fn without_period(event: &str) -> String {
    let terms = event.split(',').filter(|term| !term.starts_with("period="));
    terms.collect::<Vec<_>>().join(",")
}

/// A description. jevents treats one that is only a full stop as missing.
fn description<'t>(fields: &mut Fields<'_, 't>, key: Key) -> Option<Value<'t>> {
    fields.string(key).filter(|value| full_stop(&value.text) < value.text.len())
}

/// The result of a look-up among the architecture standard events.
pub(crate) enum Standard<'s, 't> {
    Found(&'s Entry<'t>),
    /// Those that there are.
    Missing(Candidates),
    /// Unknown: not all standard events could be read.
    Unknown,
}

impl<'t> Entry<'t> {
    /// The vendor's event string, if perf's has another code.
    pub(crate) fn vendor_event(&self) -> Option<&str> {
        self.own_event.as_deref().filter(|_| self.hidden() != Hidden::Nothing)
    }

    /// Why perf counts something else, or knows less, as the records have it.
    pub(crate) fn reasons(&self) -> u8 {
        let lost = self.perf.as_ref().map_or(0, |perf| perf.why.bits());
        lost | if self.hidden() == Hidden::Event { differs::FIXED_STRING } else { 0 }
    }

    /// What is known of that, as the records have it.
    pub(crate) fn repair(&self) -> u32 {
        if self.perf.is_some() { self.evidence } else { 0 }
    }

    /// What the event string hides, unless the tree itself says what perf has instead.
    fn hidden(&self) -> Hidden {
        let is_said = self.perf.as_ref().is_some_and(|perf| perf.event != self.event);
        let own = self.own_event.as_deref().filter(|_| !is_said);
        own.map_or(Hidden::Nothing, |own| Hidden::of(&self.event, own, self.counter_kind))
    }

    /// Takes an architecture standard event's string, and each attribute that
    /// the event itself leaves empty. The PMU is never empty.
    fn inherit(&mut self, standard: &Entry<'t>) {
        // A new field must be thought of here.
        let Entry {
            place: _,
            name,
            pmu: _,
            event,
            own_event,
            brief,
            public,
            texts,
            count,
            flags,
            precise,
            notes,
            counter_kind,
            counters,
            msr,
            msr_value,
            sample_after,
            metric,
            counter_numbers: _,
            has_code,
            is_whole,
            perf,
            evidence,
            pairs,
            reference: _,
        } = standard;
        self.has_code |= has_code;
        self.is_whole &= is_whole;
        self.event.clone_from(event);
        self.own_event.clone_from(own_event);
        self.perf.clone_from(perf);
        if self.evidence == 0 {
            self.evidence = *evidence;
        }
        self.pairs.clone_from(pairs);
        fill(&mut self.name, name);
        if self.brief.is_none() {
            self.notes.brief.clone_from(&notes.brief);
        }
        if self.public.is_none() {
            self.notes.public.clone_from(&notes.public);
        }
        fill(&mut self.brief, brief);
        fill(&mut self.public, public);
        self.count.unit = self.count.unit.or(count.unit);
        self.count.scope = self.count.scope.or(count.scope);
        self.texts.inherit(texts);
        self.flags.inherit(*flags);
        self.precise = self.precise.or(*precise);
        if self.counter_kind == counters::UNSTATED {
            (self.counter_kind, self.counters) = (*counter_kind, *counters);
        }
        if self.msr == [0, 0] {
            (self.msr, self.msr_value) = (*msr, *msr_value);
        }
        self.sample_after = self.sample_after.or(*sample_after);
        self.metric.inherit(metric);
    }
}

fn fill<'t>(own: &mut Option<Value<'t>>, standard: &Option<Value<'t>>) {
    if own.is_none() {
        own.clone_from(standard);
    }
}

/// The PMU of a unit; reports a unit that cannot be the name of a PMU.
fn pmu_of<'t>(unit: &Value<'t>, fields: &mut Fields<'_, 't>) -> Cow<'t, str> {
    if let Some(pmu) = pmu::of_unit(&unit.text) {
        return Cow::Borrowed(pmu);
    }
    if "uncore_".len() + unit.text.len() > StrRef::MAX_LEN {
        let message = format!("Unit is longer than 255 bytes: {}", quoted(&unit.text));
        fields.error(unit.place, message);
        return Cow::Borrowed(pmu::DEFAULT_CORE);
    }
    let known = || pmu::UNITS.iter().map(|&(unit, _)| unit);
    let name = Cow::Owned(format!("uncore_{}", unit.text.to_ascii_lowercase()));
    // jevents converts these to lower case.
    if pmu::UNCORE_UNITS.iter().any(|known| known.eq_ignore_ascii_case(&unit.text)) {
        return name;
    }
    let of = |c: char| !c.is_ascii_alphanumeric() && !"_-.".contains(c);
    let why = if let Some(bad) = unit.text.chars().find(|c| of(*c)) {
        let hint = hint(&unit.text, known());
        format!(": no PMU is named with {}{hint}", quoted(&bad.to_string()))
    } else if let Some(meant) =
        known().find(|known| known.eq_ignore_ascii_case(&unit.text)).or_else(|| {
            known()
                .chain(pmu::UNCORE_UNITS.iter().copied())
                .find(|known| is_slip(&unit.text, known))
        })
    {
        format!("; did you mean {}?", quoted(meant))
    } else {
        return name;
    };
    fields.warn(unit.place, format!("unknown unit {}{why}", quoted(&unit.text)));
    name
}

/// Whether a unit is only one slip away from a known one. New generations bring
/// new units, so a larger difference may be intended.
fn is_slip(unit: &str, known: &str) -> bool {
    unit.len() > 2 && matches!(pmu_events_core::__private::name::distance(unit, known, 1), Some(1))
}

/// `PEBS`: 0, 1 or 2. perf treats any other value as 1.
fn precise_of(fields: &mut Fields<'_, '_>) -> Option<u8> {
    let value = fields.loose(Key::PEBS)?;
    Some(match &*value.text {
        "0" => 0,
        "1" => 1,
        "2" => 2,
        other => {
            let message = format!("PEBS should be 0, 1 or 2, found {}", quoted(other));
            fields.warn(value.place, format!("{message}; perf takes it for 1"));
            1
        }
    })
}

/// The set of a list such as `0,1,2,3`. Nearly all events have one, and unoptimised, the
/// general way costs some ten times as much.
fn one_digit_each(text: &str) -> Option<u64> {
    let bytes = text.as_bytes();
    let (mut set, mut at) = (0, 0);
    loop {
        if at >= bytes.len() || !bytes[at].is_ascii_digit() {
            return None;
        }
        set |= 1 << (bytes[at] - b'0');
        at += 1;
        if at == bytes.len() {
            return Some(set);
        }
        if bytes[at] != b',' {
            return None;
        }
        at += 1;
    }
}

/// `Counter`: a list of general counters, or one that is fixed. jevents does
/// not read it.
fn counters_of(fields: &mut Fields<'_, '_>) -> (u8, u64) {
    let Some(value) = fields.loose(Key::Counter) else {
        return (counters::UNSTATED, 0);
    };
    if let Some(set) = one_digit_each(&value.text) {
        return (counters::GENERAL, set);
    }
    let lower = value.text.trim().to_ascii_lowercase();
    if lower == "fixed" {
        return (counters::FIXED_UNNUMBERED, 0);
    }
    if lower.starts_with("freerun") || lower.starts_with("free run") {
        return (counters::FREE_RUNNING, 0);
    }
    if let Some(number) = lower.strip_prefix("fixed counter ")
        && let Ok(number @ 0..64) = number.trim().parse::<u64>()
    {
        return (counters::FIXED, number);
    }
    match set_of_counters(&lower) {
        Some(set) => (counters::GENERAL, set),
        None => {
            let message = format!(
                "invalid Counter {}: expected `0,1,2` or `Fixed counter 1`; it is ignored",
                quoted(&value.text)
            );
            fields.warn(value.place, message);
            (counters::UNSTATED, 0)
        }
    }
}

/// `0,1,2`, `0-3`; published trees have `0,`, too.
fn set_of_counters(text: &str) -> Option<u64> {
    let number = |text: &str| text.trim().parse::<u32>().ok().filter(|&counter| counter < 64);
    let mut set = 0u64;
    for part in text.strip_suffix(',').unwrap_or(text).split(',') {
        let (first, last) = match part.split_once('-') {
            Some((first, last)) => (number(first)?, number(last)?),
            None => (number(part)?, number(part)?),
        };
        if first > last {
            return None;
        }
        (first..=last).for_each(|counter| set |= 1 << counter);
    }
    Some(set)
}

fn counter_numbers(fields: &mut Fields<'_, '_>) -> Option<[Option<u8>; 2]> {
    let keys = [Key::CountersNumGeneric, Key::CountersNumFixed];
    let is_said = keys.iter().any(|&key| fields.raw(key).is_some());
    is_said.then(|| keys.map(|key| small_number(fields, key)))
}

/// A number of counters. jevents does not read it.
fn small_number(fields: &mut Fields<'_, '_>, key: Key) -> Option<u8> {
    let value = fields.loose(key)?;
    let number = value.text.trim().parse::<u8>().ok().filter(|&number| number < u8::MAX);
    if number.is_none() {
        let found = quoted(&value.text);
        let message = format!("invalid {key:?} {found}: expected a number; it is ignored");
        fields.warn(value.place, message);
    }
    number
}

#[cfg(test)]
mod tests;
