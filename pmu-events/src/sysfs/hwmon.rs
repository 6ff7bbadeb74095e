//! Sensors: the devices of `class/hwmon` as PMUs, as in perf since Linux 6.13
//! (`tools/perf/util/hwmon_pmu.c`; `Documentation/hwmon/sysfs-interface.rst`).

use std::format;
use std::path::{Path, PathBuf};
use std::string::String;
use std::vec::Vec;

use super::alias::Alias;
use crate::file::{self, Kind};
use crate::order::sort_by;
use crate::problem::Problem;

/// The type of the first device (`PERF_PMU_TYPE_HWMON_START` in
/// `tools/perf/util/pmu.h`); the kernel knows none of them.
pub(super) const FIRST_TYPE: u32 = 0xffff_0000;

/// The types of all devices (`PERF_PMU_TYPE_HWMON_END`).
const LAST_TYPE: u32 = 0xffff_fffd;

/// A kind of sensor: the prefix of its files.
struct Sensor {
    name: &'static str,
    unit: &'static str,
    scale: f64,
}

/// In the order of perf, whose numbers begin with 1. perf takes energy and power for
/// thousandths; the kernel's unit is a millionth.
const SENSORS: [Sensor; 10] = [
    Sensor { name: "cpu", unit: "V", scale: 1e-3 },
    Sensor { name: "curr", unit: "A", scale: 1e-3 },
    Sensor { name: "energy", unit: "J", scale: 1e-6 },
    Sensor { name: "fan", unit: "rpm", scale: 1.0 },
    Sensor { name: "humidity", unit: "%", scale: 1e-3 },
    Sensor { name: "in", unit: "V", scale: 1e-3 },
    Sensor { name: "intrusion", unit: "", scale: 1.0 },
    Sensor { name: "power", unit: "W", scale: 1e-6 },
    Sensor { name: "pwm", unit: "Hz", scale: 1.0 },
    Sensor { name: "temp", unit: "'C", scale: 1e-3 },
];

/// The position of the sensor's kind in `config`, above its number
/// (`union hwmon_pmu_event_key`).
const KIND_SHIFT: u32 = 16;

/// A device with sensors.
pub(super) struct Device {
    /// The name of its PMU: `hwmon_` and the name that its driver gives it.
    pub(super) name: String,
    /// The name of its directory.
    pub(super) alias: String,
    pub(super) path: PathBuf,
    pub(super) type_: u32,
}

/// The devices below a root, with what is wrong with others.
pub(super) fn devices(root: &Path) -> (Vec<Device>, Vec<Problem>) {
    let directory = root.join("class/hwmon");
    let (mut devices, mut problems) = (Vec::new(), Vec::new());
    let names = file::list(&directory).unwrap_or_else(|problem| {
        problems.push(problem);
        Vec::new()
    });
    for (alias, _) in names {
        // perf's type has room for as many.
        let number = alias.strip_prefix("hwmon").and_then(|number| number.parse::<u16>().ok());
        let Some(type_) = number.map(|number| FIRST_TYPE + u32::from(number)) else { continue };
        let path = directory.join(&alias);
        match file::of_sysfs(&path.join("name"), Kind::Unknown, cleaned) {
            Ok(Some(device)) if !device.is_empty() && type_ <= LAST_TYPE => {
                devices.push(Device { name: format!("hwmon_{device}"), alias, path, type_ });
            }
            Ok(Some(_)) => problems.push(Problem::new(&path.join("name"), "is empty")),
            // Not every directory is a device.
            Ok(None) => {}
            Err(problem) => problems.push(problem),
        }
    }
    (devices, problems)
}

/// The sensors in a device's directory that have a value, by their number and by their
/// label, sorted by name; with what is wrong with labels.
pub(super) fn sensors(path: &Path) -> Result<(Vec<Alias>, Vec<Problem>), Problem> {
    let files = file::list(path)?;
    let (mut events, mut problems) = (Vec::new(), Vec::new());
    for (name, _) in &files {
        let Some((kind, sensor, number)) = name.strip_suffix("_input").and_then(parsed) else {
            continue;
        };
        let own = format!("{}{number}", sensor.name);
        let label = file::of_sysfs(&path.join(format!("{own}_label")), Kind::Unknown, |label| {
            Some(label).filter(|label| !label.is_empty()).map(cleaned)
        });
        let label = label.unwrap_or_else(|problem| {
            problems.push(problem);
            None
        });
        let terms = format!("config={:#x}", kind << KIND_SHIFT | u64::from(number));
        let event = |name: String| {
            Alias::of_value(name, terms.clone(), Some((sensor.scale, sensor.unit.into())), true)
        };
        let labelled = label.flatten().map(|label| event(format!("{}_{label}", sensor.name)));
        if let Some(labelled) = labelled {
            events.push(labelled);
        }
        events.push(event(own));
    }
    sort_by(&mut events, |a: &Alias, b| a.name.cmp(&b.name));
    // Of several sensors with one label the first counts, as one of them does in perf.
    events.dedup_by(|a, b| a.name == b.name);
    Ok((events, problems))
}

/// The file of a sensor's value; `None` if `config` is that of no sensor.
#[cfg(feature = "open")]
pub(super) fn file(config: u64) -> Option<String> {
    let kind = usize::try_from((config >> KIND_SHIFT).checked_sub(1)?).ok()?;
    Some(format!("{}{}_input", SENSORS.get(kind)?.name, config & 0xffff))
}

/// A kind of sensor with its number in perf, and the number of the sensor.
fn parsed(name: &str) -> Option<(u64, &'static Sensor, u16)> {
    let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = name.get(letters.len()..)?.parse().ok()?;
    let n = SENSORS.iter().position(|sensor| sensor.name == letters)?;
    Some((n as u64 + 1, &SENSORS[n], number))
}

/// A word of event strings (`fix_name`).
fn cleaned(text: &str) -> String {
    let text = text.lines().next().unwrap_or_default();
    let letter = |c: char| match c {
        ' ' | ':' | ',' | '/' | '\t' => '_',
        c => c.to_ascii_lowercase(),
    };
    text.chars().map(letter).collect()
}
