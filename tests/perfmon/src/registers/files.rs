//! The files of perfmon that list a core's events.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::vendor::VendorEvent;

/// The events of one kind of cores of one model.
pub(super) struct File {
    pub(super) model: String,
    /// The PMU, as trees name it.
    pub(super) pmu: &'static str,
    /// One of the CPUs, as perf names it.
    pub(super) cpuid: String,
    pub(super) events: Vec<VendorEvent>,
}

/// The CPU that has the files of another model, but is one of its own.
const OWN_MODEL: (&str, &str) = ("GenuineIntel-6-BE", "alderlaken");

/// The files that the map file names, each model's once.
pub(super) fn files(perfmon: &Path) -> Result<Vec<File>, String> {
    let read = |path: &Path| {
        fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let map = read(&perfmon.join("mapfile.csv"))?;
    // The path and a CPU, by model and PMU.
    let mut rows: BTreeMap<(String, &'static str), (String, String)> = BTreeMap::new();
    for row in map.lines() {
        let columns: Vec<&str> = row.split(',').map(str::trim).collect();
        let pmu = match (columns.get(3).copied(), columns.get(6).copied().unwrap_or_default()) {
            (Some("core"), _) => "default_core",
            (Some("hybridcore"), "Core") => "cpu_core",
            (Some("hybridcore"), "Atom") => "cpu_atom",
            (Some("hybridcore"), "LowPower_Atom") => "cpu_lowpower",
            (Some("hybridcore"), other) => return Err(format!("mapfile.csv: a core {other}")),
            _ => continue,
        };
        let (cpuid, path) = (columns[0], columns[2].trim_start_matches('/'));
        let file = path.rsplit('/').next().unwrap_or(path);
        let model = match cpuid == OWN_MODEL.0 {
            true => OWN_MODEL.1.to_owned(),
            false => file.split('_').next().unwrap_or(file).to_ascii_lowercase(),
        };
        // A set of steppings stands for its first one.
        let cpuid = match cpuid.split_once('[') {
            Some((head, set)) => format!("{head}{}", &set[..1]),
            None => format!("{cpuid}-0"),
        };
        rows.entry((model, pmu)).or_insert_with(|| (path.to_owned(), cpuid));
    }
    let file = |((model, pmu), (path, cpuid)): ((String, &'static str), (String, String))| {
        let json: Value = serde_json::from_str(&read(&perfmon.join(&path))?)
            .map_err(|error| format!("{path}: {error}"))?;
        let list = json.get("Events").unwrap_or(&json).as_array();
        let list = list.ok_or_else(|| format!("{path}: there are no events"))?;
        let events: Result<_, _> = list.iter().map(VendorEvent::of).collect();
        let events = events.map_err(|why| format!("{path}: {why}"))?;
        Ok(File { model, pmu, cpuid, events })
    };
    rows.into_iter().map(file).collect()
}
