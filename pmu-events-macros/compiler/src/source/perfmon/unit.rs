//! The unit that an event of perf's tree names.

use super::context::Context;
use super::keys::Key;
use super::layout::Kind;
use super::topic;
use super::value::{Value, Values};
use crate::faults::{hint, quoted};

/// Models whose `NCU` clock is counted by the first cache box.
const CLOCK_IN_CBOX: [&str; 3] = ["BDW", "HSW", "SKL"];
/// Models whose `NCU` clock has a PMU of its own name.
const CLOCK_IN_CNCU: [&str; 2] = ["MTL", "ARL"];

/// The unit of an event, and its topic if it is an uncore's.
pub(super) struct Unit<'s> {
    pub(super) value: Option<Value<'s>>,
    pub(super) topic: Option<&'static str>,
}

/// The unit; `free_running` is the suffix of its name for such a counter.
pub(super) fn unit<'s>(
    values: &mut Values<'_, 's>,
    name: &str,
    free_running: Option<&str>,
    context: &Context<'_>,
) -> Unit<'s> {
    let Some(mut value) = values.get(Key::Unit) else {
        if context.kind.is_uncore() {
            let message = "missing Unit: expected the unit that counts, such as `CHA`";
            values.error(values.place, message);
        }
        let unit = match context.kind {
            Kind::Atom => "cpu_atom",
            Kind::LowPower => "cpu_lowpower",
            _ => "cpu_core",
        };
        let value = context.is_hybrid.then(|| Value::new(unit, values.place));
        return Unit { value, topic: None };
    };
    let converted = match &*value.text {
        "CBO" => Some("CBOX"),
        "SBO" => Some("SBOX"),
        "QPI LL" => Some("QPI"),
        "UPI LL" => Some("UPI"),
        "NCU" if name == "UNC_CLOCK.SOCKET" => Some(match context.short {
            short if CLOCK_IN_CBOX.contains(&short) => "cbox_0",
            short if CLOCK_IN_CNCU.contains(&short) => "CNCU",
            _ => "CLOCK",
        }),
        _ => None,
    };
    let written = value.text.clone();
    if let Some(converted) = converted {
        value.text = converted.into();
    }
    if let Some(suffix) = free_running {
        value.text = format!("{}_{suffix}", value.text.to_ascii_lowercase()).into();
    }
    let topic = topic::of_unit(&value.text);
    if topic.is_none() {
        let hint = hint(&written, topic::units());
        let message = format!("unknown unit {}: expected one that a rule covers", quoted(&written));
        values.error(value.place, message + &hint);
    }
    Unit { value: Some(value), topic }
}
