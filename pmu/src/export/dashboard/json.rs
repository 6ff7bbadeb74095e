//! Small pieces of JSON.

use serde_json::{Map, Value};

/// An object, whose keys keep their order if `serde_json` does.
pub(super) fn object<const N: usize>(pairs: [(&str, Value); N]) -> Value {
    let pairs = pairs.into_iter().map(|(key, value)| (String::from(key), value));
    Value::Object(pairs.collect::<Map<_, _>>())
}

pub(super) fn list<const N: usize>(values: [Value; N]) -> Value {
    Value::Array(values.into())
}

pub(super) fn text(text: &str) -> Value {
    Value::String(text.into())
}
