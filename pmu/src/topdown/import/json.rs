//! Lines of `perf stat -j`.

use serde_json::{Map, Value};

use super::record::{CPUS_USED, Record, running, value};

/// The keys that name a unit.
const UNITS: [&str; 7] = ["core", "cluster", "cache", "die", "socket", "node", "thread"];

/// `None` for a line that only has a further metric of the event before it.
pub(super) fn record(line: &str) -> Result<Option<Record>, String> {
    let object: Map<String, Value> =
        serde_json::from_str(line).map_err(|error| format!("invalid JSON: {error}"))?;
    let text = |key: &str| object.get(key).and_then(Value::as_str);
    let Some(event) = text("event") else {
        return match object.contains_key("metric-value") {
            true => Ok(None),
            false => Err("expected the key `event`".into()),
        };
    };
    let count = match object.get("counter-value") {
        Some(Value::String(text)) => value(text)?,
        Some(Value::Number(number)) => number.as_f64(),
        _ => return Err("expected the key `counter-value`".into()),
    };
    let number = |key: &str| match object.get(key) {
        None => Ok(None),
        Some(Value::Number(number)) => Ok(number.as_f64()),
        Some(Value::String(text)) if text.trim().parse::<f64>().is_ok() => {
            Ok(text.trim().parse().ok())
        }
        Some(_) => Err(format!("`{key}` is not a number")),
    };
    let cpu = text("cpu").map(|cpu| format!("CPU{cpu}"));
    let unit = UNITS.iter().find_map(|key| text(key)).map(str::to_owned).or(cpu);
    let metric = number("metric-value").ok().flatten();
    Ok(Some(Record {
        interval: number("interval")?,
        is_summary: false,
        unit,
        cgroup: text("cgroup").filter(|name| !name.is_empty()).map(str::to_owned),
        event: event.to_owned(),
        unit_of_value: text("unit").unwrap_or_default().to_owned(),
        value: count,
        running: running(number("pcnt-running")?.unwrap_or(100.0))?,
        cpus_used: metric.filter(|_| text("metric-unit") == Some(CPUS_USED)),
    }))
}
