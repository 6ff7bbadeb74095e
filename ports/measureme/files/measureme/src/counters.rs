//! Counters that a profile can be made of: elapsed time, or events of the hardware.
//!
//! | name | counts | where |
//! |---|---|---|
//! | `wall-time` | [`WallTime`] | everywhere |
//! | `instructions:u` | [`Instructions`] | Linux, on every CPU that its kernel counts on |
//! | `instructions-minus-irqs:u` | [`InstructionsMinusIrqs`] | Linux, AMD and Intel |
//! | `instructions-minus-r0420:u` | [`InstructionsMinusRaw0420`] | Linux, AMD Zen |
//!
//! Counts of events are those of the thread that makes the counter, outside the kernel. Where
//! a counter cannot be had, making it fails, and the error says why.

use std::error::Error;
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use pmu_events::System;
use pmu_events::open::{Counters, Options, Reading};
use pmu_events::resolve::Resolution;

type Made<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// What a profile is made of.
pub enum Counter {
    WallTime(WallTime),
    Instructions(Instructions),
    InstructionsMinusIrqs(InstructionsMinusIrqs),
    InstructionsMinusRaw0420(InstructionsMinusRaw0420),
}

impl Counter {
    /// Makes the counter that has this name.
    pub fn by_name(name: &str) -> Made<Self> {
        if name == WallTime::NAME {
            Ok(Self::WallTime(WallTime::new()))
        } else if name == Instructions::NAME {
            Instructions::new().map(Self::Instructions)
        } else if name == InstructionsMinusIrqs::NAME {
            InstructionsMinusIrqs::new().map(Self::InstructionsMinusIrqs)
        } else if name == InstructionsMinusRaw0420::NAME {
            InstructionsMinusRaw0420::new().map(Self::InstructionsMinusRaw0420)
        } else {
            Err(format!("no counter is called {name:?}").into())
        }
    }

    /// Describes the counter in the header of a profile: its name, and its units with the
    /// number of counts in each.
    pub(super) fn describe_as_json(&self) -> String {
        const COUNTS: &[(&str, u64)] = &[("instructions", 1)];
        let (name, units): (_, &[_]) = match self {
            Self::WallTime(_) => {
                let times = &[("ns", 1), ("μs", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000)];
                (WallTime::NAME, times)
            }
            Self::Instructions(_) => (Instructions::NAME, COUNTS),
            Self::InstructionsMinusIrqs(_) => (InstructionsMinusIrqs::NAME, COUNTS),
            Self::InstructionsMinusRaw0420(_) => (InstructionsMinusRaw0420::NAME, COUNTS),
        };
        let units: Vec<_> =
            units.iter().map(|(unit, size)| format!(r#"["{unit}", {size}]"#)).collect();
        format!(r#"{{ "name": "{name}", "units": [{}] }}"#, units.join(", "))
    }

    /// Returns the count since the counter was made.
    #[inline]
    pub(super) fn since_start(&self) -> u64 {
        match self {
            Self::WallTime(WallTime { start }) => start.elapsed().as_nanos() as u64,
            Self::Instructions(Instructions(events))
            | Self::InstructionsMinusIrqs(InstructionsMinusIrqs(events))
            | Self::InstructionsMinusRaw0420(InstructionsMinusRaw0420(events)) => {
                events.since_start()
            }
        }
    }
}

/// Elapsed time in nanoseconds.
pub struct WallTime {
    start: Instant,
}

impl WallTime {
    const NAME: &'static str = "wall-time";

    pub fn new() -> Self {
        Self { start: Instant::now() }
    }
}

/// Retired instructions.
pub struct Instructions(Difference);

impl Instructions {
    const NAME: &'static str = "instructions:u";

    pub fn new() -> Made<Self> {
        Difference::open(&System::new(), "instructions").map(Self)
    }
}

/// Retired instructions less the interrupts during them, each of which adds one.
pub struct InstructionsMinusIrqs(Difference);

impl InstructionsMinusIrqs {
    const NAME: &'static str = "instructions-minus-irqs:u";

    pub fn new() -> Made<Self> {
        let system = System::new();
        let events = format!("instructions,{}", interrupts(&system)?);
        Difference::open(&system, &events).map(Self)
    }
}

/// Retired instructions less the undocumented event 0x20, unit mask 4, of AMD Zen, which
/// seems to count interrupts and exceptions.
pub struct InstructionsMinusRaw0420(Difference);

impl InstructionsMinusRaw0420 {
    const NAME: &'static str = "instructions-minus-r0420:u";

    pub fn new() -> Made<Self> {
        let system = System::new();
        if !system.model().is_ok_and(|model| model.name().contains("amdzen")) {
            error!("r0420 is known to count on AMD Zen only");
        }
        Difference::open(&system, "instructions,r420").map(Self)
    }
}

/// The first event of a list less all others.
struct Difference {
    counters: Counters,
    last: Mutex<Last>,
    start: u64,
}

/// What the last read found, with the memory that the next one needs.
struct Last {
    reading: Reading,
    value: u64,
}

impl Difference {
    fn open(system: &System, events: &str) -> Made<Self> {
        warn_of_speculation(system);
        // Pinned, because a profile is no place for counts of a part of the time.
        let options = Options::new().with_user_space_reads(true);
        let mut counters = system.open_with(&format!("{{{events}}}:uD"), &options)?;
        counters.enable()?;
        let reading = counters.read();
        for event in &reading {
            event.value()?;
        }
        let start = difference(&reading).unwrap_or_default();
        Ok(Self { counters, last: Mutex::new(Last { reading, value: start }), start })
    }

    fn since_start(&self) -> u64 {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        self.counters.read_into(&mut last.reading);
        // A counter that the kernel has taken away stands still.
        last.value = difference(&last.reading).unwrap_or(last.value);
        last.value.wrapping_sub(self.start)
    }
}

fn difference(reading: &Reading) -> Option<u64> {
    reading.events().iter().try_fold(0_u64, |sum, event| {
        let count = event.outcome().total()?.value();
        // With several kinds of core, an event has a count for each of them.
        Some(if event.event().number() == 0 {
            sum.wrapping_add(count)
        } else {
            sum.wrapping_sub(count)
        })
    })
}

/// Returns the event that counts interrupts on this CPU: the vendor's, or else a code that no
/// list has, with a warning.
fn interrupts(system: &System) -> Made<&'static str> {
    let has = |name: &&str| system.resolve(name).and_then(Resolution::complete).is_ok();
    if let Some(listed) = ["hw_interrupts.received", "ls_int_taken"].iter().copied().find(has) {
        return Ok(listed);
    }
    let cpuid = system.cpuid()?;
    let code = unlisted(cpuid, system.model().map_or("", |model| model.name()))
        .ok_or_else(|| format!("no event is known that counts interrupts on {cpuid}"))?;
    error!("{cpuid}: no list has an event that counts interrupts; {code} seems to");
    Ok(code)
}

fn unlisted(cpuid: &str, model: &str) -> Option<&'static str> {
    // Older than Sandy Bridge, or made of such cores.
    const WITHOUT: [&str; 8] = [
        "bonnell",
        "knightslanding",
        "nehalemep",
        "nehalemex",
        "silvermont",
        "westmereep-dp",
        "westmereep-sp",
        "westmereex",
    ];
    let mut parts = cpuid.split('-');
    match (parts.next()?, parts.next()?.parse().ok()?) {
        ("GenuineIntel", 6) if !WITHOUT.contains(&model) => Some("r1cb"),
        ("AuthenticAMD", 15..=22) => Some("rcf"),
        ("AuthenticAMD" | "HygonGenuine", 23..=26) => Some("r2c"),
        _ => None,
    }
}

const ZEN: [&str; 3] = ["AuthenticAMD-23-", "AuthenticAMD-25-", "AuthenticAMD-26-"];

/// Warns if this CPU executes locked instructions speculatively and counts those again that it
/// repeats. AMD Zen does, unless the firmware or the kernel has switched that off.
fn warn_of_speculation(system: &System) {
    if !system.cpuid().is_ok_and(|cpuid| ZEN.iter().any(|family| cpuid.starts_with(family))) {
        return;
    }
    let Ok(mut commits) = system.open("r825:u") else { return };
    let Ok((_, reading)) =
        commits.count(|| black_box(&AtomicU64::new(0)).fetch_add(1, Ordering::SeqCst))
    else {
        return;
    };
    if reading.events().iter().any(|commits| commits.value().is_ok_and(|count| count > 0.0)) {
        error!(
            "SpecLockMap is on, which makes counts vary: https://github.com/mozilla/rr/wiki/Zen"
        );
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    #[test]
    fn interrupts_of_each_cpu() {
        let cases = [
            ("GenuineIntel-6-55-4", Some("hw_interrupts.received")),
            ("GenuineIntel-6-8F-4", Some("hw_interrupts.received")),
            ("AuthenticAMD-23-31-0", Some("ls_int_taken")),
            ("AuthenticAMD-26-2-1", Some("ls_int_taken")),
            // The vendors' lists lack the event.
            ("GenuineIntel-6-2A-7", Some("r1cb")),
            ("AuthenticAMD-23-1-1", Some("r2c")),
            ("GenuineIntel-6-1A-5", None),
            ("GenuineIntel-6-37-8", None),
        ];
        for (cpuid, expected) in cases {
            let model = pmu_events::arch::model(cpuid).unwrap();
            let system = System::builtin(cpuid, model);
            assert_eq!(interrupts(&system).ok(), expected, "{cpuid}");
        }
        assert_eq!(unlisted("AuthenticAMD-21-2-0", ""), Some("rcf"));
    }

    #[test]
    fn without_a_counter_the_error_says_why() {
        let system = System::at("/nonexistent");
        let error = Difference::open(&system, "instructions").map(drop).unwrap_err().to_string();
        assert!(["perf_event", "PMU"].iter().any(|part| error.contains(part)), "{}", error);
    }

    #[test]
    fn the_header_has_each_unit() {
        let time = Counter::by_name("wall-time").unwrap();
        assert!(time.describe_as_json().contains(r#"["ms", 1000000]"#));
        assert!(time.since_start() <= time.since_start());
    }
}
