//! Clients of graphics drivers, as `fdinfo` of their processes shows them
//! (`Documentation/gpu/drm-usage-stats.rst`; `tools/perf/util/drm_pmu.c` of Linux 6.15).

use core::fmt;
use std::borrow::ToOwned;
use std::format;
use std::fs;
use std::path::Path;
use std::string::{String, ToString};
use std::vec::Vec;

use crate::file;
use crate::sysfs::{Alias, Pmu, Problem};

/// The type of the first driver's PMU (`PERF_PMU_TYPE_DRM_START` in
/// `tools/perf/util/pmu.h`).
const FIRST_TYPE: u32 = 0xfffe_0000;

/// What the names of PMUs and of events begin with.
pub(crate) const PREFIX: &str = "drm";

/// Where device nodes of these drivers are.
const NODES: &str = "/dev/dri/";

/// A client: an open file of a driver, and the keys that its driver shows.
pub(crate) struct Client {
    pub(crate) id: Id,
    driver: String,
    values: Vec<(String, String)>,
}

/// What distinguishes clients: files that were duplicated or inherited have the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Id {
    /// The device, and the number of the client.
    Client(String, String),
    /// Process and file, with a driver that does not number its clients.
    File(u32, u32),
}

/// What a value is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Bytes,
    Capacity,
    Cycles,
    Hertz,
    Nanoseconds,
}

impl Unit {
    /// The unit of a key; `None` if the key is not one of a value. The more specific
    /// prefixes come first.
    pub(crate) fn of(key: &str) -> Option<Self> {
        for (prefix, unit) in [
            ("drm-active-", Unit::Bytes),
            ("drm-cycles-", Unit::Cycles),
            ("drm-engine-capacity-", Unit::Capacity),
            ("drm-engine-", Unit::Nanoseconds),
            ("drm-maxfreq-", Unit::Hertz),
            ("drm-purgeable-", Unit::Bytes),
            ("drm-resident-", Unit::Bytes),
            ("drm-shared-", Unit::Bytes),
            // perf takes them for bytes.
            ("drm-total-cycles-", Unit::Cycles),
            ("drm-total-", Unit::Bytes),
        ] {
            if key.strip_prefix(prefix).is_some_and(|rest| !rest.is_empty()) {
                return Some(unit);
            }
        }
        None
    }

    /// Whether the value only grows, so that its gain is what is counted.
    pub(crate) fn is_running(self) -> bool {
        matches!(self, Unit::Cycles | Unit::Nanoseconds)
    }

    /// Reads `number [unit]`; `None` if it is anything else.
    #[cfg(feature = "open")]
    pub(crate) fn read(self, value: &str) -> Option<u64> {
        let mut words = value.split_ascii_whitespace();
        let number: u64 = words.next()?.parse().ok()?;
        let factor = match (self, words.next()) {
            (_, None) | (Unit::Nanoseconds, Some("ns")) | (Unit::Hertz, Some("Hz")) => 1,
            (Unit::Bytes, Some("KiB")) => 1 << 10,
            (Unit::Bytes, Some("MiB")) => 1 << 20,
            (Unit::Hertz, Some("KHz")) => 1_000,
            (Unit::Hertz, Some("MHz")) => 1_000_000,
            _ => return None,
        };
        words.next().is_none().then_some(())?;
        number.checked_mul(factor)
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unit::Bytes => "bytes",
            Unit::Capacity => "capacity",
            Unit::Cycles => "cycles",
            Unit::Hertz => "Hz",
            Unit::Nanoseconds => "ns",
        })
    }
}

impl Client {
    fn parsed(text: &str, file: Id) -> Option<Self> {
        let (mut driver, mut device, mut number, mut values) = (None, "", None, Vec::new());
        for line in text.lines() {
            let Some((key, value)) = line.split_once(':') else { continue };
            let value = value.trim();
            match key {
                "drm-driver" => driver = Some(value),
                "drm-pdev" => device = value,
                "drm-client-id" => number = Some(value),
                key if Unit::of(key).is_some() => values.push((key.to_owned(), value.to_owned())),
                _ => {}
            }
        }
        let id = number.map(|number| Id::Client(device.into(), number.into())).unwrap_or(file);
        let driver = driver.filter(|driver| !driver.is_empty())?.into();
        Some(Client { id, driver, values })
    }

    /// The value of a key, if the client is one of a driver's PMU and has it.
    #[cfg(feature = "open")]
    pub(crate) fn value(&self, pmu: &str, key: &str) -> Option<&str> {
        if pmu.strip_prefix("drm_") != Some(&*self.driver) {
            return None;
        }
        for (known, value) in &self.values {
            if known == key {
                return Some(value);
            }
        }
        None
    }
}

/// The processes whose clients are counted.
#[derive(Clone, Debug)]
pub(crate) enum Who {
    /// All processes whose files the user may see.
    All,
    #[cfg_attr(not(feature = "open"), allow(dead_code))]
    These(Vec<u32>),
}

/// The clients of processes, each once.
pub(crate) fn clients(proc: &Path, who: &Who) -> Result<Vec<Client>, Problem> {
    let mut all: Vec<Client> = Vec::new();
    match who {
        Who::These(processes) => {
            for &process in processes {
                add_new(&mut all, of_process(proc, process)?);
            }
        }
        Who::All => {
            for process in file::numbers(proc)? {
                if let Ok(clients) = of_process(proc, process) {
                    add_new(&mut all, clients);
                }
            }
        }
    }
    Ok(all)
}

fn add_new(all: &mut Vec<Client>, clients: Vec<Client>) {
    'clients: for client in clients {
        for known in &*all {
            if known.id == client.id {
                continue 'clients;
            }
        }
        all.push(client);
    }
}

fn of_process(proc: &Path, process: u32) -> Result<Vec<Client>, Problem> {
    let directory = proc.join(process.to_string());
    let files = directory.join("fd");
    let mut clients = Vec::new();
    for number in file::numbers(&files)? {
        let name = number.to_string();
        // What is closed in the meantime is no client.
        let is_node = fs::read_link(files.join(&name))
            .is_ok_and(|target| target.to_str().is_some_and(|target| target.starts_with(NODES)));
        if is_node && let Ok(text) = file::of_procfs(&directory.join("fdinfo").join(&name)) {
            clients.extend(Client::parsed(&text, Id::File(process, number)));
        }
    }
    Ok(clients)
}

/// The PMUs of the drivers that have clients, with the keys of all clients as events.
pub(super) fn pmus(proc: &Path) -> Vec<Pmu> {
    let clients = clients(proc, &Who::All).unwrap_or_default();
    let mut drivers: Vec<(&str, Vec<&str>)> = Vec::new();
    for client in &clients {
        let mut at = 0;
        while at < drivers.len() && drivers[at].0 != client.driver {
            at += 1;
        }
        if at == drivers.len() {
            drivers.push((&client.driver, Vec::new()));
        }
        for (key, _) in &client.values {
            if !drivers[at].1.contains(&key.as_str()) {
                drivers[at].1.push(key);
            }
        }
    }
    let (mut pmus, mut type_) = (Vec::with_capacity(drivers.len()), FIRST_TYPE);
    for (driver, keys) in drivers {
        let mut events = Vec::with_capacity(keys.len());
        for key in keys {
            events.push(alias(key, events.len()));
        }
        pmus.push(Pmu::of_clients(format!("drm_{driver}"), type_, events));
        type_ += 1;
    }
    pmus
}

fn alias(key: &str, number: usize) -> Alias {
    let unit = Unit::of(key);
    Alias::of_value(
        key.into(),
        format!("config={number:#x}"),
        unit.map(|unit| (1.0, unit.to_string())),
        !unit.is_some_and(Unit::is_running),
    )
}
