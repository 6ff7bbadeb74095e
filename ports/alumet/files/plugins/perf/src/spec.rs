//! Events as the configuration names them: `<event>[#<modifiers>]`.
//!
//! An event is whatever pmu-events resolves: a generic name of the kernel (`instructions`), a name
//! of the vendor's list (`RESOURCE_STALLS.ANY`), a raw code (`r412e`), a PMU with terms or a name
//! (`cpu/event=0x2e,umask=0x41/`, `power/energy-pkg/`). Two other spellings mean the same: the
//! kernel's constants (`CPU_CYCLES`, `LL_READ_MISS`), and a colon before the unit mask
//! (`RESOURCE_STALLS:ANY`).

use std::sync::LazyLock;

use anyhow::Context;
use pmu_events::System;
use pmu_events::resolve::Resolution;
use serde::{Deserialize, Serialize};

/// The machine, which is read once.
pub(crate) static SYSTEM: LazyLock<System> = LazyLock::new(System::new);

/// One entry of the list `events`: a name, or a table that also renames the metric.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(untagged)]
pub enum EventEntry {
    Simple(String),
    Detailed {
        event: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rename: Option<String>,
    },
}

/// An event with its modifiers, as pmu-events writes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfiguredEvent(pub(crate) String);

/// What becomes of an entry: a metric `perf_<suffix>` that has the counts of the event.
#[derive(Debug)]
pub struct ParsedEvent {
    pub metric_suffix: String,
    pub description: String,
    pub event: ConfiguredEvent,
}

/// Parses an entry, and checks its name against the events of this machine.
pub fn parse(entry: &EventEntry) -> anyhow::Result<ParsedEvent> {
    let (text, rename) = match entry {
        EventEntry::Simple(text) => (text, None),
        EventEntry::Detailed { event, rename } => (event, rename.as_ref()),
    };
    parse_on(&SYSTEM, text, rename).with_context(|| format!("invalid event `{text}`"))
}

fn parse_on(system: &System, text: &str, rename: Option<&String>) -> anyhow::Result<ParsedEvent> {
    let (name, modifiers) = text.split_once('#').unwrap_or((text, ""));
    let event = with_modifiers(&name_in_perf(name), &letters(modifiers)?);
    let resolution = match system.resolve(&event).and_then(Resolution::complete) {
        Ok(resolution) => Some(resolution),
        // A machine without a hardware PMU says so when the event is opened.
        Err(error) if error.is_unsupported() => None,
        Err(error) => return Err(error.into()),
    };
    let listed =
        resolution.as_ref().and_then(|resolution| resolution.events().first()?.table_event());
    let described = listed.and_then(|event| event.description()).map(|text| text.to_string());
    Ok(ParsedEvent {
        metric_suffix: sanitize(rename.map_or(name, String::as_str)),
        description: described.unwrap_or_else(|| format!("Counts of the perf event {name}")),
        event: ConfiguredEvent(event),
    })
}

/// The letters of modifiers that colons separate. Without one of `u`, `k`, `h`, only user space
/// counts.
fn letters(modifiers: &str) -> anyhow::Result<String> {
    let mut letters = String::new();
    for modifier in modifiers.split(':').filter(|_| !modifiers.is_empty()) {
        match modifier {
            "u" | "k" | "h" | "H" | "G" | "I" => letters += modifier,
            _ => anyhow::bail!(
                "unknown modifier `{modifier}`; the modifiers are u, k, h, H, G and I, as in `#u:k`"
            ),
        }
    }
    if !letters.contains(['u', 'k', 'h']) {
        letters.push('u');
    }
    Ok(letters)
}

fn with_modifiers(name: &str, letters: &str) -> String {
    match name.ends_with('/') {
        true => format!("{name}{letters}"),
        false => format!("{name}:{letters}"),
    }
}

/// The name by which perf knows an event.
fn name_in_perf(name: &str) -> String {
    let upper = name.to_ascii_uppercase();
    if let Some(cache) = cache(&upper) {
        return cache;
    }
    match upper.as_str() {
        "REF_CPU_CYCLES" => "ref-cycles".to_owned(),
        "PAGE_FAULTS_MIN" => "minor-faults".to_owned(),
        "PAGE_FAULTS_MAJ" => "major-faults".to_owned(),
        "INSTRUCTIONS"
        | "CPU_CYCLES"
        | "CACHE_REFERENCES"
        | "CACHE_MISSES"
        | "BRANCH_INSTRUCTIONS"
        | "BRANCH_MISSES"
        | "BUS_CYCLES"
        | "STALLED_CYCLES_FRONTEND"
        | "STALLED_CYCLES_BACKEND"
        | "PAGE_FAULTS"
        | "CONTEXT_SWITCHES"
        | "CPU_MIGRATIONS"
        | "ALIGNMENT_FAULTS"
        | "EMULATION_FAULTS"
        | "CGROUP_SWITCHES" => upper.to_ascii_lowercase().replace('_', "-"),
        _ if name.contains('/') => name.to_owned(),
        _ => match name.strip_prefix("r0x") {
            Some(code) => format!("r{code}"),
            None => name.replace(':', "."),
        },
    }
}

/// An event of the kernel's table of caches: `LL_READ_MISS` is `LLC-load-misses`.
fn cache(name: &str) -> Option<String> {
    let [cache, operation, result] = name.split('_').collect::<Vec<_>>().try_into().ok()?;
    let cache = match cache {
        "L1D" => "L1-dcache",
        "L1I" => "L1-icache",
        "LL" => "LLC",
        "DTLB" => "dTLB",
        "ITLB" => "iTLB",
        "BPU" => "branch",
        "NODE" => "node",
        _ => return None,
    };
    match (operation, result) {
        ("READ", "ACCESS") => Some(format!("{cache}-loads")),
        ("WRITE", "ACCESS") => Some(format!("{cache}-stores")),
        ("PREFETCH", "ACCESS") => Some(format!("{cache}-prefetches")),
        ("READ", "MISS") => Some(format!("{cache}-load-misses")),
        ("WRITE", "MISS") => Some(format!("{cache}-store-misses")),
        ("PREFETCH", "MISS") => Some(format!("{cache}-prefetch-misses")),
        _ => None,
    }
}

/// Makes a part of a metric's name: lower case, with underscores for all but letters and digits.
fn sanitize(text: &str) -> String {
    let replaced = text.to_ascii_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    replaced.trim_matches('_').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_modifiers() {
        for (text, suffix, event) in [
            ("REF_CPU_CYCLES", "ref_cpu_cycles", "ref-cycles:u"),
            ("CONTEXT_SWITCHES", "context_switches", "context-switches:u"),
            ("CGROUP_SWITCHES#k", "cgroup_switches", "cgroup-switches:k"),
            ("ll_read_miss", "ll_read_miss", "LLC-load-misses:u"),
            ("DTLB_WRITE_ACCESS#u:k", "dtlb_write_access", "dTLB-stores:uk"),
            ("INSTRUCTIONS#H:I", "instructions", "instructions:HIu"),
            ("r0x412e", "r0x412e", "r412e:u"),
            ("cpu-clock", "cpu_clock", "cpu-clock:u"),
        ] {
            let parsed = parse(&EventEntry::Simple(text.to_owned())).unwrap();
            assert_eq!(
                (parsed.metric_suffix.as_str(), parsed.event.0.as_str()),
                (suffix, event),
                "{text}"
            );
        }
        let entry = EventEntry::Detailed {
            event: "PAGE_FAULTS".to_owned(),
            rename: Some("My faults".to_owned()),
        };
        assert_eq!(parse(&entry).unwrap().metric_suffix, "my_faults");
    }

    #[test]
    fn what_is_refused() {
        for (text, reason) in [
            ("INSTRUCTIONS#uk", "unknown modifier `uk`"),
            ("INSTRUCTIONS#u:", "unknown modifier ``"),
            ("#u", "expected"),
            ("DEFINITELY_NOT_A_REAL_EVENT", "DEFINITELY_NOT_A_REAL_EVENT"),
        ] {
            let error = parse(&EventEntry::Simple(text.to_owned())).unwrap_err();
            assert!(format!("{error:#}").contains(reason), "{text}: {error:#}");
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn events_of_a_cpu_have_its_descriptions() {
        let cpuid = "GenuineIntel-6-8F-4";
        let system = System::builtin(cpuid, pmu_events::arch::model(cpuid).unwrap());
        for text in [
            "RESOURCE_STALLS:SCOREBOARD",
            "resource_stalls.scoreboard#u:k",
            "cpu/RESOURCE_STALLS.SCOREBOARD/",
        ] {
            let parsed = parse_on(&system, text, None).unwrap();
            assert!(parsed.description.contains("serializing"), "{}", parsed.description);
        }
        let error = parse_on(&system, "RESOURCE_STALLS:SCOREBORD", None).unwrap_err().to_string();
        assert!(error.contains("did you mean"), "{error}");
    }
}
