//! Events of this machine's CPU by name, for schedulers that program its counters.

use std::collections::HashMap;
use std::ffi::OsString;

use anyhow::{Result, bail};
use pmu_events::format::Words;
use pmu_events::resolve::Resolution;
use pmu_events::{Event, System};
use serde::{Deserialize, Serialize};

/// An event: how it is called, and what selects it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PMUSpec {
    pub name: String,
    /// The event code. Vendors that list two registers for an event list two codes; one selects it.
    pub event: Vec<u64>,
    pub umask: u64,
    /// All terms, as in `event=0xb7,offcore_rsp=0x10001,umask=1`.
    pub terms: String,
    /// The PMU that counts the event; `default_core` for the CPU's own.
    pub pmu: String,
    pub desc: Option<String>,
    pub desc_public: Option<String>,
}

impl From<Event> for PMUSpec {
    fn from(event: Event) -> Self {
        let number = |name| event.terms().last_named(name).and_then(|term| term.number());
        Self {
            name: event.name().to_owned(),
            event: number("event").into_iter().collect(),
            umask: number("umask").unwrap_or(0),
            terms: event.event_string().to_owned(),
            pmu: event.pmu().to_owned(),
            desc: event.description().map(|text| text.to_string()),
            desc_public: event.long_description().map(|text| text.to_string()),
        }
    }
}

/// The events of a CPU.
pub struct PMUManager {
    /// Where the events come from.
    pub dataroot: OsString,
    pub arch: String,
    /// The CPUID, in perf's form.
    pub tuple: String,
    /// The model in perf's tree.
    pub codename: String,
    /// By name, in the letter case of the vendor's list.
    pub pmus: HashMap<String, PMUSpec>,
    system: System,
}

impl PMUManager {
    /// Finds the events of this machine's CPU.
    pub fn new() -> Result<Self> {
        Self::of(System::new())
    }

    fn of(system: System) -> Result<Self> {
        let model = system.model()?;
        let events = model.events().chain(model.pmus().flat_map(|pmu| pmu.events()));
        Ok(Self {
            dataroot: concat!(env!("CARGO_PKG_NAME"), ":pmu-events").into(),
            arch: std::env::consts::ARCH.to_owned(),
            tuple: system.cpuid()?.to_owned(),
            codename: model.name().rsplit('/').next().unwrap_or_default().to_owned(),
            pmus: events.map(|event| (event.name().to_owned(), event.into())).collect(),
            system,
        })
    }

    /// Returns the config word (`perf_event_attr.config`) that selects an event of the cores, in any
    /// letter case. All terms are in it, each in the bits that the kernel's driver has for it, such
    /// as AMD's event codes above 0xff.
    pub fn config(&self, name: &str) -> Result<u64> {
        let resolution = self.system.resolve(name).and_then(Resolution::complete)?;
        match resolution.events() {
            [one] if one.words() == Words::new(one.words().config()) => Ok(one.words().config()),
            [_] => bail!("{name} takes more than one register"),
            several => bail!("{name} is an event of {} PMUs", several.len()),
        }
    }

    /// Prints all events as one JSON object.
    pub fn list_counters(&self) -> Result<()> {
        println!("{}", serde_json::to_string_pretty(&self.pmus)?);
        Ok(())
    }

    /// Prints what CPU this is.
    pub fn list_metadata(&self) {
        let Self { dataroot, arch, tuple, codename, .. } = self;
        println!("{tuple} ({arch}) is {codename} of {}", dataroot.display());
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    fn manager(cpuid: &str) -> PMUManager {
        PMUManager::of(System::builtin(cpuid, pmu_events::arch::model(cpuid).unwrap())).unwrap()
    }

    #[test]
    fn events_of_each_cpu() {
        for (cpuid, codename, name, event, config) in [
            ("GenuineIntel-6-55-4", "skylakex", "LONGEST_LAT_CACHE.MISS", 0x2e, 0x412e),
            ("GenuineIntel-6-AD-1", "graniterapids", "LONGEST_LAT_CACHE.MISS", 0x2e, 0x412e),
            ("AuthenticAMD-25-1-1", "amdzen3", "ls_any_fills_from_sys.mem_io_local", 0x44, 0x844),
            ("AuthenticAMD-25-11-1", "amdzen4", "ls_any_fills_from_sys.dram_io_all", 0x44, 0x4844),
            ("AuthenticAMD-25-61-2", "amdzen4", "ls_any_fills_from_sys.dram_io_all", 0x44, 0x4844),
            // Twelve bits of event code, the upper ones in bits 32 to 35.
            (
                "AuthenticAMD-26-2-1",
                "amdzen5",
                "de_no_dispatch_per_slot.backend_stalls",
                0x1a0,
                0x1_0000_1ea0,
            ),
        ] {
            let manager = manager(cpuid);
            assert_eq!(manager.codename, codename);
            assert_eq!(manager.pmus[name].event, [event], "{cpuid}");
            assert_eq!(manager.config(&name.to_ascii_uppercase()).unwrap(), config, "{cpuid}");
        }
    }

    #[test]
    fn what_one_word_cannot_select() {
        let manager = manager("GenuineIntel-6-55-4");
        assert!(manager.config("OFFCORE_RESPONSE.DEMAND_DATA_RD.ANY_RESPONSE").is_err());
        assert!(manager.config("no_such_event").is_err());
        assert!(manager.pmus["UNC_CHA_CLOCKTICKS"].pmu.contains("cha"));
    }
}
