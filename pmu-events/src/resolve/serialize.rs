//! Resolutions as maps, with the keys that `pmu encode --json` has.

use core::fmt;

use serde_core::Serializer;
use serde_core::ser::{Serialize, SerializeMap, SerializeStruct};

use super::flags::evsel_flags;
use super::{Missing, Resolution, Resolved};
use crate::sysfs::Pmu;

/// As a map of `evsels`, the events with their attributes, and `missing`, those that this
/// machine does not have.
///
/// Each event has the keys of `pmu encode --json` that do not depend on whether it is counted or
/// sampled: `name`, `pmu`, `type`, `config` to `config4` (hexadecimal, as strings), `bp_type` of
/// a breakpoint, `unit`, `scale`, `precise_ip`, the flags, `cpus`, `leader_idx` and `nr_members`.
/// What is missing has a `name`, a `pmu` if one is known to lack it, and `why`.
///
/// Needs the feature `serde`.
///
/// ```
/// # #[cfg(feature = "serde")] {
/// use pmu_events::System;
///
/// let resolution = System::at("/nonexistent").resolve("{page-faults,task-clock}:u,l1d")?;
/// let json = serde_json::to_value(&resolution).unwrap();
/// assert_eq!(json["evsels"][1]["config"], "0x1");
/// assert_eq!(json["evsels"][0]["nr_members"], 2);
/// assert_eq!(json["missing"][0]["name"], "l1d");
/// # }
/// # Ok::<(), pmu_events::resolve::Error>(())
/// ```
impl Serialize for Resolution {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut resolution = serializer.serialize_struct("Resolution", 2)?;
        resolution.serialize_field("evsels", &Evsels(self))?;
        resolution.serialize_field("missing", &Absent(self.missing()))?;
        resolution.end()
    }
}

struct Absent<'r>(&'r [Missing]);

impl Serialize for Absent<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(Without))
    }
}

struct Without<'r>(&'r Missing);

impl Serialize for Without<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let one = self.0;
        let mut missing = serializer.serialize_struct("Missing", 3)?;
        missing.serialize_field("name", one.name())?;
        missing.serialize_field("pmu", &one.pmu_name())?;
        missing.serialize_field("why", &format_args!("{}", one.error()))?;
        missing.end()
    }
}

struct Evsels<'r>(&'r Resolution);

impl Serialize for Evsels<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut leader = 0;
        serializer.collect_seq(self.0.groups().flat_map(|group| {
            let first = leader;
            leader += group.len();
            group.iter().enumerate().map(move |(place, event)| Evsel {
                event,
                leader: first,
                members: if place == 0 { group.len() } else { 0 },
            })
        }))
    }
}

struct Evsel<'r> {
    event: &'r Resolved,
    leader: usize,
    members: usize,
}

impl Serialize for Evsel<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (one, mut evsel) = (self.event, serializer.serialize_map(None)?);
        evsel.serialize_entry("name", one.name())?;
        evsel.serialize_entry("pmu", &one.pmu().map(Pmu::name))?;
        evsel.serialize_entry("type", &(one.type_() != Pmu::DYNAMIC).then_some(one.type_()))?;
        for (word, bits) in one.words().iter() {
            evsel.serialize_entry(word.name(), &format_args!("{bits:#x}"))?;
        }
        if let Some(breakpoint) = one.breakpoint() {
            evsel.serialize_entry("bp_type", &breakpoint.access())?;
        }
        evsel.serialize_entry("unit", one.unit())?;
        evsel.serialize_entry("scale", &one.scale())?;
        evsel.serialize_entry("precise_ip", &one.settings().precise())?;
        for (flag, is_set) in evsel_flags(one) {
            evsel.serialize_entry(flag, &u8::from(is_set))?;
        }
        evsel.serialize_entry("cpus", &one.cpus().ok().flatten().map(Shown))?;
        evsel.serialize_entry("leader_idx", &self.leader)?;
        evsel.serialize_entry("nr_members", &self.members)?;
        evsel.end()
    }
}

/// What displays itself, as a string.
struct Shown<T>(T);

impl<T: fmt::Display> Serialize for Shown<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}
