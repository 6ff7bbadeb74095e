//! Counters that always run: their events are numbers of the kernel's driver.

use super::keys::Key;
use super::value::{Value, Values};
use crate::faults::quoted;

/// What is counted, by a part of the event's name.
enum Kind {
    /// One counter.
    One(&'static str, u8),
    /// One counter for each `PARTn`.
    Parts(&'static str, u8),
}

use Kind::{One, Parts};

struct Rule {
    models: &'static [&'static str],
    unit: &'static str,
    kinds: &'static [Kind],
}

/// The types of the kernel's drivers (`tgl_uncore_imc_freerunning` and the like
/// in `arch/x86/events/intel/uncore_snb.c`, `uncore_snbep.c`).
const RULES: &[Rule] = &[
    Rule {
        models: &["ADL", "ADLN", "ARL", "TGL", "MTL"],
        unit: "imc",
        kinds: &[One("TOTAL", 1), One("RDCAS", 2), One("WRCAS", 3)],
    },
    Rule {
        models: &["EMR", "ICX", "SNR", "SPR"],
        unit: "iio",
        kinds: &[One("CLOCKTICKS", 1), Parts("BANDWIDTH_IN", 2), Parts("BANDWIDTH_OUT", 3)],
    },
    Rule { models: &["EMR", "ICX", "SNR", "SPR"], unit: "imc", kinds: &[One("CLOCKTICKS", 1)] },
];

/// The parts that replace those of an event on a free-running counter.
pub(super) struct FreeRunning<'s> {
    pub(super) umask: Value<'s>,
    /// The suffix of the unit's name.
    pub(super) suffix: String,
}

/// `None` if the event's counter is an ordinary one.
pub(super) fn free_running<'s>(
    values: &mut Values<'_, 's>,
    name: &str,
    short: &str,
) -> Option<FreeRunning<'s>> {
    let kind = values.get(Key::CounterType)?;
    match &*kind.text {
        "PGMABLE" | "FIXED" => return None,
        "FREERUN" => {}
        other => {
            let message = format!(
                "unknown CounterType {}: expected PGMABLE, FREERUN or FIXED",
                quoted(other)
            );
            values.error(kind.place, message);
            return None;
        }
    }
    let unit = values.get(Key::Unit).map_or_else(String::new, |unit| unit.text.to_lowercase());
    let rules = RULES.iter().filter(|rule| rule.unit == unit && rule.models.contains(&short));
    let number = rules.flat_map(|rule| rule.kinds).find_map(|kind| kind.number(name));
    let Some(number) = number else {
        let message = format!(
            "no rule covers the free-running counter {} of unit {} in model {short}",
            quoted(name),
            quoted(&unit)
        );
        values.error(kind.place, message);
        return None;
    };
    let suffix = match number_after(name, "_MC").filter(|&(_, rest)| rest.starts_with('_')) {
        Some((controller, _)) => format!("free_running_{controller}"),
        None => "free_running".to_owned(),
    };
    Some(FreeRunning { umask: Value::new(format!("{number:#x}"), kind.place), suffix })
}

impl Kind {
    /// Type and index of the counter of a name.
    fn number(&self, name: &str) -> Option<u8> {
        match *self {
            One(part, kind) => name.contains(part).then_some(kind << 4),
            Parts(part, kind) => {
                let (index, _) = number_after(&name[name.find(part)?..], "PART")?;
                (index < 16).then_some(kind << 4 | index)
            }
        }
    }
}

/// The number that follows a text, and what follows that.
fn number_after<'n>(name: &'n str, text: &str) -> Option<(u8, &'n str)> {
    let rest = &name[name.find(text)? + text.len()..];
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    Some((rest[..digits].parse().ok()?, &rest[digits..]))
}
