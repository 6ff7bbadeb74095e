//! The output for programs: one object per line, whose `kind` says what it is.
//! All objects of a kind have the same keys; unknown values are `null`. (`stat`
//! has the keys of `perf stat -j`, which does the same without `kind`.)

use std::fmt;
use std::io::{self, Write};

use pmu_events::__private::confidence;
use pmu_events::event::PerfDiffers;
use serde_json::{Value, json};

/// Keys stay in the order in which people want to read them, which a
/// `serde_json` object would not preserve.
pub(crate) type Keys = Vec<(&'static str, Value)>;

pub(crate) fn line(out: &mut impl Write, kind: &str, keys: Keys) -> io::Result<()> {
    write!(out, "{{\"kind\":{}", json!(kind))?;
    for (key, value) in keys {
        write!(out, ",\"{key}\":{value}")?;
    }
    writeln!(out, "}}")
}

/// A note for users.
pub(crate) fn note(out: &mut impl Write, note: &dyn fmt::Display) -> io::Result<()> {
    line(out, "note", vec![("note", json!(note.to_string()))])
}

/// What perf has under the name of an event.
pub(crate) fn perf_differs(differs: PerfDiffers) -> Value {
    json!({
        "event_string": differs.event_string(),
        "versions": differs.versions(),
        "confidence": differs.evidence().map(|evidence| confidence(evidence).word()),
        "evidence": differs.evidence().map(|evidence| evidence.to_string()),
        "loses_umask_extension": differs.loses_umask_extension(),
        "loses_ext_sel": differs.loses_ext_sel(),
        "loses_precision": differs.loses_precision(),
        "has_other_register": differs.has_other_register(),
        "has_other_filter": differs.has_other_filter(),
        "has_fixed_string": differs.has_fixed_string(),
    })
}
