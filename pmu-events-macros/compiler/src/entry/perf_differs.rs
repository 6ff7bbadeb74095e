//! What perf counts instead of an event: computed from perfmon, or read from the
//! keys of a tree that was made from it.

use pmu_events_core::__private::wire::record::repair;
use pmu_events_core::term::Terms;

use super::fields::{Fields, Value};
use super::fixed_string;
use super::keys::Key;
use super::number;
use super::repairs::Repairs;
use crate::faults::{hint, quoted};
use crate::options::Encoding;

/// What perf counts under an event's name, if it differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PerfDiffers {
    /// perf's event string.
    pub(crate) event: String,
    pub(crate) why: Repairs,
}

impl PerfDiffers {
    /// `PerfLoses`, as [`Losses`] reads it.
    #[cfg(any(feature = "perfmon", feature = "telemetry"))]
    pub(crate) fn words(&self) -> String {
        let lost = LOSSES.iter().filter(|(_, loss)| self.why.only(*loss) == *loss);
        lost.map(|&(word, _)| word).collect::<Vec<_>>().join(",")
    }

    /// `own` is the event string of the event called `name`, and `event` that of
    /// perf before the names that have one of their own.
    pub(crate) fn of(
        name: Option<&str>,
        own: &str,
        event: Option<String>,
        why: Repairs,
    ) -> Option<Self> {
        let is_fixed = name.is_some_and(|name| fixed_string::of_name(name).is_some());
        let event = event.filter(|_| !is_fixed).unwrap_or_else(|| own.to_owned());
        // perf's string may be equal for another reason.
        let precise = why.only(Repairs::PRECISE);
        let why = if event == own { precise } else { why };
        (why != Repairs::default()).then_some(PerfDiffers { event, why })
    }
}

/// The words of `PerfLoses`.
const LOSSES: [(&str, Repairs); 5] = [
    ("UMaskExt", Repairs::UMASK_EXTENSION),
    ("ExtSel", Repairs::EXT_SEL),
    ("Precise", Repairs::PRECISE),
    ("Register", Repairs::REGISTER),
    ("Filter", Repairs::FILTER),
];

/// `PerfLoses` and `PerfEvent`.
pub(crate) struct Losses<'t> {
    why: Repairs,
    event: Option<Value<'t>>,
}

impl<'t> Losses<'t> {
    /// Reads the keys. With perf's encoding, drops what perf loses.
    pub(crate) fn read(fields: &mut Fields<'_, 't>, encoding: Encoding) -> Self {
        let mut losses = Losses { why: Repairs::default(), event: None };
        let list = fields.string(Key::PerfLoses);
        let event = fields.string(Key::PerfEvent);
        let is_known = match &list {
            Some(list) => losses.words(list, fields),
            None => !fields.is_spoilt(Key::PerfLoses),
        };
        match (&list, &event) {
            _ if !is_known => {}
            (Some(_), None) if fields.is_spoilt(Key::PerfEvent) => {}
            (None, Some(event)) => {
                let message = "PerfEvent without PerfLoses: expected what perf loses";
                fields.error(event.place, message);
            }
            (Some(list), None) if losses.why.is_of_string() => {
                let message = format!("PerfLoses {} without PerfEvent", quoted(&list.text));
                fields.error(list.place, format!("{message}: expected perf's event string"));
            }
            (Some(list), Some(event)) if !losses.why.is_of_string() => {
                let message = format!("PerfLoses {} changes no event string", quoted(&list.text));
                fields.error(event.place, format!("{message}: expected no PerfEvent"));
            }
            _ => losses.event = event,
        }
        if let Some(event) = &losses.event
            && let Err(error) = Terms::check_as_perf(&event.text)
        {
            let message = format!("invalid PerfEvent {}: {error}", quoted(&event.text));
            fields.error(event.place, message);
        }
        let is_precise = fields.raw(Key::PEBS).is_some() || fields.raw(Key::ArchStdEvent).is_some();
        if let Some(list) = list.filter(|_| losses.loses_precision() && !is_precise) {
            fields.error(list.place, "PerfLoses `Precise`, but the event has no PEBS");
        }
        if encoding == Encoding::Perf && losses.loses_precision() {
            fields.forget(Key::PEBS);
        }
        losses
    }

    /// Whether all words are known.
    fn words(&mut self, list: &Value<'t>, fields: &mut Fields<'_, 't>) -> bool {
        let mut are_known = true;
        for word in list.text.split(',').map(str::trim) {
            let Some((_, loss)) = LOSSES.iter().find(|(known, _)| *known == word) else {
                let words = LOSSES.map(|(known, _)| known);
                let message = format!(
                    "PerfLoses cannot be {}; it is one or several of {}{}",
                    quoted(word),
                    words.join(", "),
                    hint(word, words)
                );
                fields.error(list.place, message);
                are_known = false;
                continue;
            };
            self.why.insert(*loss);
        }
        are_known
    }

    fn loses_precision(&self) -> bool {
        self.why.only(Repairs::PRECISE) != Repairs::default()
    }

    /// What perf counts instead of an event whose own event string is complete.
    /// With perf's encoding, that becomes the event's own.
    pub(crate) fn apply(
        self,
        name: Option<&str>,
        own: &mut String,
        fields: &mut Fields<'_, 't>,
        encoding: Encoding,
    ) -> Option<PerfDiffers> {
        if let Some(event) = self.event.as_ref().filter(|event| event.text == *own) {
            let message = format!("PerfEvent {} is the event's own string", quoted(&event.text));
            fields.error(event.place, format!("{message}: expected what perf has instead"));
        }
        let event = self.event.map(|event| event.text.into_owned());
        match encoding {
            Encoding::Perf => {
                if let (Some(event), None) = (event, name.and_then(fixed_string::of_name)) {
                    *own = event;
                }
                None
            }
            Encoding::Correct => PerfDiffers::of(name, own, event, self.why),
        }
    }
}

/// The words of `PerfEvidence` that have versions of Linux after them, and the shift of
/// their bits.
const OF_VERSIONS: [(&str, u32); 4] = [
    ("wrong in", repair::WRONG_SHIFT),
    ("right in", repair::RIGHT_SHIFT),
    ("imprecise in", repair::IMPRECISE_SHIFT),
    ("precise in", repair::PRECISE_SHIFT),
];

/// The other words of `PerfEvidence`.
const OF_OTHERS: [(&str, u32); 5] = [
    ("in no tree", 0),
    ("driver", repair::DRIVER),
    ("libpfm4", repair::LIBPFM4),
    ("not libpfm4", repair::NOT_LIBPFM4),
    ("shared", repair::SHARED),
];

/// `PerfEvidence`: what is known of a repair, as `wire::record::repair` bits.
pub(crate) fn evidence(fields: &mut Fields<'_, '_>) -> u32 {
    let Some(list) = fields.string(Key::PerfEvidence) else {
        return 0;
    };
    if fields.raw(Key::PerfLoses).is_none() && fields.raw(Key::ArchStdEvent).is_none() {
        let message = "PerfEvidence without PerfLoses: expected what perf loses";
        fields.error(list.place, message);
    }
    let mut bits = repair::RECORDED;
    for part in list.text.split(';').map(str::trim) {
        match part_of_evidence(part) {
            Some(part) => bits |= part,
            None => {
                let words =
                    OF_VERSIONS.iter().map(|(word, _)| format!("{word} {}", repair::VERSIONS[1]));
                let words: Vec<String> =
                    words.chain(OF_OTHERS.iter().map(|(word, _)| (*word).to_owned())).collect();
                let message = format!(
                    "PerfEvidence cannot be {}; it is one or several of {}, with `;` between them{}",
                    quoted(part),
                    words.join(", "),
                    hint(part, words.iter().map(String::as_str)),
                );
                fields.error(list.place, message);
            }
        }
    }
    bits
}

fn part_of_evidence(part: &str) -> Option<u32> {
    if let Some((_, bits)) = OF_OTHERS.iter().find(|(word, _)| *word == part) {
        return Some(*bits);
    }
    let of_word = |&(word, shift): &(&str, u32)| Some((part.strip_prefix(word)?, shift));
    let (versions, shift) = OF_VERSIONS.iter().find_map(of_word)?;
    let mut bits = 0;
    for version in versions.strip_prefix(' ')?.split(',').map(str::trim) {
        bits |= 1 << repair::VERSIONS.iter().position(|known| *known == version)?;
    }
    Some(bits << shift)
}

/// `MSRUMask`: the umask of each register of `MSRIndex`, as terms.
pub(crate) fn pairs(fields: &mut Fields<'_, '_>) -> Option<String> {
    let umasks = fields.string(Key::MSRUMask)?;
    let index = fields.string(Key::MSRIndex);
    let registers = index.as_ref().map_or("", |index| &*index.text);
    let numbers =
        |list: &str| -> Option<Vec<u64>> { list.split(',').map(number::any_base).collect() };
    let Some(each) = numbers(&umasks.text) else {
        let found = quoted(&umasks.text);
        let message = format!("invalid MSRUMask {found}: expected numbers, such as `0x1,0x2`");
        fields.error(umasks.place, message);
        return None;
    };
    let registers = numbers(registers).unwrap_or_default();
    if each.len() < 2 || each.len() != registers.len() {
        let message = format!(
            "MSRUMask {} lists {}, but MSRIndex lists {}: expected a umask for each of several registers",
            quoted(&umasks.text),
            each.len(),
            registers.len()
        );
        fields.error(umasks.place, message);
        return None;
    }
    let own = fields.string(Key::UMask).and_then(|umask| number::field_number(&umask.text));
    if own.map_or(0, |(umask, _)| umask) != each[0] {
        let message = format!("the first umask of MSRUMask {} is not UMask", quoted(&umasks.text));
        fields.error(umasks.place, message);
        return None;
    }
    let pair = |(register, umask): (&u64, &u64)| format!("{register:#x}={umask:#x}");
    Some(registers.iter().zip(&each).map(pair).collect::<Vec<_>>().join(","))
}
