//! Lines of `perf stat -x` (`perf-stat(1)`, CSV FORMAT): time, unit and the number of counts in
//! it, count, unit of the count, event, control group, deviation, time with a counter, its share,
//! and what follows from the count. Only some of them are always there, and events may have the
//! separator within: what a field is follows from what it looks like.

use super::record::{CPUS_USED, Record, running, value};

/// The separator of a line; the first with which it is one.
pub(super) fn separator(line: &str) -> Option<char> {
    let is_it = |separator: &char| matches!(record(line, *separator), Ok(Some(_)));
    [',', ';', '\t', '|', '!', ':', ' '].into_iter().find(is_it)
}

/// `None` for a line that only has a further metric of the event before it.
pub(super) fn record(line: &str, separator: char) -> Result<Option<Record>, String> {
    let mut fields: &[&str] = &line.split(separator).map(str::trim).collect::<Vec<_>>();
    let mut record = Record::default();
    if let ["summary", rest @ ..] = fields {
        record.is_summary = true;
        fields = rest;
    }
    if let [first, rest @ ..] = fields
        && let Some(time) = time(first)
    {
        record.interval = Some(time);
        fields = rest;
    }
    if let [first, rest @ ..] = fields
        && value(first).is_err()
        && is_unit(first)
    {
        record.unit = Some((*first).to_owned());
        fields = rest.get(usize::from(has_number(first))..).unwrap_or_default();
    }
    let [count, unit, rest @ ..] = fields else {
        return Err("expected a count, its unit and an event".into());
    };
    if count.is_empty() {
        return Ok(None);
    }
    record.value = value(count)?;
    record.unit_of_value = (*unit).to_owned();
    let at = (1..rest.len()).find(|&at| is_runtime(&rest[at..]));
    let Some(at) = at else {
        return Err("expected an event, the time in which it was counted, and its share".into());
    };
    let percent: f64 = rest[at + 1].trim_end_matches('%').parse().unwrap_or(f64::NAN);
    record.running = running(percent)?;
    let mut names = &rest[..at];
    if let [before @ .., last] = names
        && !before.is_empty()
        && last.strip_suffix('%').is_some_and(|number| number.parse::<f64>().is_ok())
    {
        names = before;
    }
    let of_event = event_fields(names);
    let separator = separator.to_string();
    record.event = names[..of_event].join(&separator);
    if record.event.is_empty() {
        return Err("expected an event after the count".into());
    }
    if of_event < names.len() {
        let cgroup = names[of_event..].join(&separator);
        record.cgroup = Some(cgroup).filter(|cgroup| !cgroup.is_empty());
    }
    if let [metric, unit, ..] = rest[at + 2..]
        && unit == CPUS_USED
    {
        record.cpus_used = metric.parse().ok();
    }
    Ok(Some(record))
}

/// Seconds, with nanoseconds, which no count has.
fn time(field: &str) -> Option<f64> {
    let (_, decimals) = field.split_once('.')?;
    let seconds = field.parse::<f64>().ok()?;
    (decimals.len() == 9 && seconds >= 0.0).then_some(seconds)
}

/// Whether it names a unit: a thread is its name and its number.
fn is_unit(field: &str) -> bool {
    is_of_cpus(field) || field.rsplit_once('-').is_some_and(|(_, number)| is_number(number))
}

/// Whether the name of a unit is that of CPUs, and not of a thread.
pub(super) fn is_of_cpus(unit: &str) -> bool {
    has_number(unit) || unit.strip_prefix("CPU").is_some_and(is_number)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether the number of counts follows a unit: those of sockets, nodes and what is within.
fn has_number(unit: &str) -> bool {
    let parts: Vec<&str> = unit.split('-').collect();
    let is_part = |part: &&str| {
        let digits = part.trim_start_matches(|c: char| c.is_ascii_uppercase());
        digits.len() < part.len() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    unit.starts_with(['S', 'N']) && parts.iter().all(is_part)
}

/// Nanoseconds and a percentage with two decimals.
fn is_runtime(fields: &[&str]) -> bool {
    let [time, share, ..] = fields else { return false };
    let is_time = !time.is_empty() && time.bytes().all(|byte| byte.is_ascii_digit());
    let decimals = share.split_once('.').map_or("", |(_, decimals)| decimals);
    is_time && decimals.len() == 2 && share.parse::<f64>().is_ok()
}

/// How many fields the event has: terms within slashes have commas.
fn event_fields(names: &[&str]) -> usize {
    let mut slashes = 0;
    for (number, name) in names.iter().enumerate() {
        slashes += name.matches('/').count();
        if slashes % 2 == 0 {
            return number + 1;
        }
    }
    names.len()
}
