//! The event lists of ARM-software/data: one file for each core, `pmu/<core>.json`.
//!
//! Names, codes and CPUs are taken. What has no name or no code in its file is left out: it
//! is a signal for trace units, or an event that would need a name of ours. So is what Arm
//! reserves for its tests.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use pmu_events_compiler::tree_json::Key;

use crate::arch::{Arch, Row, VERSION};
use crate::json::{Fault, File, Object, Value};
use crate::problem::{Place, Problems};
use crate::record::{Keep, Record};
use crate::tree;

/// The schema of the files, which no other directory has.
const SCHEMA: &str = "pmu/pmu-schema.json";

/// A core with fewer events is left out: its file names hardly more than every core has.
const LEAST_EVENTS: usize = 50;

/// How the files describe events that are not for users.
const FOR_TESTS: &str = "This event is reserved for testing";

/// Events that no counter counts: half of a 64-bit one, which the driver uses itself, and
/// overflows, which only trace units see.
const NOT_COUNTED: &[&str] = &["CHAIN", "PMU_OVFS", "PMU_HOVFS"];

pub(crate) fn is_at(path: &Path) -> bool {
    path.join(SCHEMA).is_file()
}

/// Reads a directory for which [`is_at`] holds.
pub(crate) fn read(path: &Path, keep: Keep, problems: &mut Problems) -> Arch {
    let mut arch = Arch { name: "arm64".to_owned(), ..Arch::default() };
    let below = path.join("pmu");
    let shown = below.to_string_lossy().into_owned();
    let entries = tree::list(&below).unwrap_or_else(|error| {
        problems.error(Place::file(&shown), format!("cannot be read: {error}"));
        Vec::new()
    });
    for (name, _) in entries {
        let Some(core) = name.strip_suffix(".json") else {
            continue;
        };
        let shown = format!("{shown}/{name}");
        match fs::read_to_string(below.join(&name)) {
            Ok(text) => {
                if let Err((place, why)) = add(core, &File::new(&shown, &text), keep, &mut arch) {
                    problems.error(place, why);
                }
            }
            Err(error) => problems.error(Place::file(&shown), format!("cannot be read: {error}")),
        }
    }
    arch
}

/// Adds a core; files about no single core, such as the schema, have no `cpuid`.
fn add(core: &str, file: &File, keep: Keep, arch: &mut Arch) -> Result<(), Fault> {
    let object = file.value().object()?;
    let (Some(cpuid), Some(events)) = (field(&object, "cpuid"), field(&object, "events")) else {
        return Ok(());
    };
    let Some(pattern) = midr(&cpuid.string()?) else {
        return Err((cpuid.place(), format!("invalid number {}", cpuid.raw())));
    };
    let mut files: BTreeMap<String, Vec<Record>> = BTreeMap::new();
    let mut count = 0;
    for event in events.array()? {
        let event = event.object()?;
        if let Some((topic, record)) = record(&event)? {
            count += 1;
            files.entry(format!("{topic}.json")).or_default().push(record);
        }
    }
    if count < LEAST_EVENTS || keep == Keep::Metrics {
        return Ok(());
    }
    for records in files.values_mut() {
        records.sort_by(|a, b| a.key().cmp(&b.key()));
    }
    let directory = format!("arm/{core}");
    arch.rows.push(Row {
        pattern,
        version: VERSION.to_owned(),
        directory: directory.clone(),
        kind: "core".to_owned(),
    });
    arch.tables.insert(directory, files);
    Ok(())
}

/// An event and its topic.
fn record(event: &Object<'_>) -> Result<Option<(&'static str, Record)>, Fault> {
    let (Some(name), Some(code)) = (field(event, "name"), field(event, "code")) else {
        return Ok(None);
    };
    let name = name.string()?.to_ascii_uppercase();
    let Some(number) = code.number().and_then(|number| number.parse::<u32>().ok()) else {
        return Err((code.place(), format!("invalid number {}", code.raw())));
    };
    if NOT_COUNTED.contains(&name.as_str()) {
        return Ok(None);
    }
    let text = |key| match field(event, key) {
        Some(value) => value.string().map(std::borrow::Cow::into_owned),
        None => Ok(String::new()),
    };
    if text("description")?.starts_with(FOR_TESTS) {
        return Ok(None);
    }
    let topic = topic(&name, &text("type")?, &text("component")?);
    let fields = [(Key::EventName, name), (Key::EventCode, format!("{number:#x}"))];
    let record = Record::of(&fields, Keep::Facts, event.place.clone(), &mut Problems::default());
    Ok(record.map(|record| (topic, record)))
}

/// The topics of the kernel's tables of such cores.
fn topic(name: &str, kind: &str, component: &str) -> &'static str {
    match (kind, component) {
        ("ETM", _) => "trace",
        (_, "BPU") => "branch",
        (_, "") if name.starts_with("BR_") => "branch",
        (_, "BUS") => "bus",
        (_, "L1I" | "L1D" | "L2" | "L3" | "L1ITLB" | "L1DTLB" | "L2TLB") => "cache",
        ("EXC", _) => "exception",
        ("INS", _) => "instruction",
        ("CYCLE", _) => "pipeline",
        _ if name.starts_with("MEM") || name.starts_with("UNALIGNED") => "memory",
        _ if ["CACHE", "TLB"].iter().any(|part| name.contains(part)) => "cache",
        _ if name.ends_with("_SPEC") || name.ends_with("_RETIRED") => "instruction",
        _ => "other",
    }
}

/// The pattern of a CPU, given implementer and part number, as `0x41d80`.
fn midr(cpuid: &str) -> Option<String> {
    let number = u32::from_str_radix(cpuid.strip_prefix("0x")?, 16).ok()?;
    let (implementer, part) = (number >> 12, number & 0xfff);
    (implementer <= 0xff).then(|| format!("0x{:016x}", implementer << 24 | 0xf << 16 | part << 4))
}

fn field<'t>(object: &Object<'t>, name: &str) -> Option<Value<'t>> {
    object.fields.iter().find(|(key, ..)| key == name).map(|(.., value)| *value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn core(text: &str) -> Result<Arch, String> {
        let mut arch = Arch::default();
        match add("x", &File::new("x.json", text), Keep::Facts, &mut arch) {
            Ok(()) => Ok(arch),
            Err((place, why)) => Err(format!("{place}: {why}")),
        }
    }

    #[test]
    fn cpus() {
        assert_eq!(midr("0x41d80").as_deref(), Some("0x00000000410fd800"));
        assert_eq!(midr("0x3f412").as_deref(), Some("0x000000003f0f4120"));
        assert_eq!((midr("41d80"), midr("0x41"), midr("0x100000")), (None, midr("0x00041"), None));
    }

    #[test]
    fn only_named_events_with_a_code() {
        let more: String = (0..LEAST_EVENTS - 2)
            .map(|n| format!(r#", {{"code": {n}, "name": "e{n}", "type": "UEVT"}}"#))
            .collect();
        let text = |more: &str| {
            format!(
                r#"{{"cpuid": "0x41d80", "events": [
                {{"code": 30, "name": "CHAIN"}}, {{"code": 16397, "name": "PMU_OVFS"}},
                {{"code": 1}}, {{"name": "SIGNAL"}},
                {{"code": 3, "name": "T", "description": "This event is reserved for testing."}},
                {{"code": 4660, "name": "Hit", "type": "UEVT", "component": "L2TLB"}},
                {{"code": 2, "name": "taken", "type": "EXC"}}{more}]}}"#
            )
        };
        let arch = core(&text(&more)).unwrap();
        assert_eq!(arch.rows[0].pattern, "0x00000000410fd800");
        assert_eq!(arch.rows[0].directory, "arm/x");
        let files = &arch.tables["arm/x"];
        let line = |file: &str| {
            let record = &files[file][0];
            (
                record.get("EventName").unwrap().to_owned(),
                record.get("EventCode").unwrap().to_owned(),
            )
        };
        assert_eq!(line("cache.json"), ("HIT".to_owned(), "0x1234".to_owned()));
        assert_eq!(line("exception.json"), ("TAKEN".to_owned(), "2".to_owned()));
        assert_eq!(files.values().flatten().count(), LEAST_EVENTS);
        // One event less.
        let (less, _) = more.rsplit_once(", ").unwrap();
        assert!(core(&text(less.rsplit_once(", {").unwrap().0)).unwrap().rows.is_empty());
    }

    #[test]
    fn other_files_and_bad_ones() {
        assert!(core(r#"{"$schema": "x"}"#).unwrap().rows.is_empty());
        for (text, why) in [
            (r#"{"cpuid": "d80", "events": []}"#, "x.json:1:11: invalid number \"d80\""),
            (
                r#"{"cpuid": "0x41d80", "events": [{"code": -1, "name": "A"}]}"#,
                "x.json:1:42: invalid number -1",
            ),
            (r#"{"cpuid": "0x41d80", "events": {}}"#, "x.json:1:32: expected an array"),
        ] {
            let error = core(text).unwrap_err();
            assert!(error.starts_with(why), "{error}");
        }
    }
}
