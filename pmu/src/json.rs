//! The output for programs: one object per line, whose `kind` says what it is.
//! All objects of a kind have the same keys; unknown values are `null`. (`stat`
//! has the keys of `perf stat -j`, which does the same without `kind`.)

use std::io::{self, Write};

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
