//! Which events of a ranked list can be counted at the same time.

use core::{fmt, slice};

use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use super::free::{self, FreeCounters};
use super::{Report, capacity, split};
use crate::measure::{Plan, Request};
use crate::open::{Counters, Error, Options, SetEvent};
use crate::perf_type;
use crate::planner::Supply;
use crate::resolve::Resolved;
use crate::sysfs::Pmu;
use crate::system::{Scope, System};
use pmu_events_core::__private::pmu::base_name;

/// An item of a ranked list, and whether the counters have room for it. It displays itself as its
/// name and what becomes of it.
///
/// ```
/// use pmu_events::System;
///
/// let report = System::new().check("task-clock")?;
/// let budget = report.budget("task-clock,page-faults")?;
/// // What the kernel counts in software needs no counter.
/// println!("{}", budget[0]);
/// # Ok::<(), pmu_events::open::Error>(())
/// ```
#[derive(Debug)]
pub struct Ranked {
    name: String,
    fate: Fate,
}

#[derive(Debug)]
enum Fate {
    Counted,
    Multiplexed,
    Starved(String),
    Refused(String),
    Unknown,
}

impl Ranked {
    /// Returns the item: an event, a group, or a metric.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it can be counted all the time, beside all items of a higher rank that can be.
    #[must_use]
    pub fn is_counted(&self) -> bool {
        matches!(self.fate, Fate::Counted)
    }

    /// Whether it can be counted for a part of the time: alone, the free counters have room for
    /// it. If the items that are counted all the time are pinned, it starves.
    #[must_use]
    pub fn is_multiplexed(&self) -> bool {
        matches!(self.fate, Fate::Multiplexed)
    }

    /// Whether it opens and is never counted: not even alone do the free counters have room for
    /// it.
    #[must_use]
    pub fn is_starved(&self) -> bool {
        matches!(self.fate, Fate::Starved(_))
    }

    /// What becomes of it, as one word, and the rest of the sentence.
    fn words(&self) -> (&'static str, &str) {
        match &self.fate {
            Fate::Counted => ("counted", "all the time"),
            Fate::Multiplexed => ("multiplexed", "its counters are those of items before it"),
            Fate::Starved(why) => ("starved", why),
            Fate::Refused(why) => ("refused", why),
            Fate::Unknown => ("unknown", "the counters of its PMU are not known"),
        }
    }
}

impl fmt::Display for Ranked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, rest) = self.words();
        write!(f, "{}: {word}: {rest}", self.name)
    }
}

/// The room that the counters have.
impl Report {
    /// Says which items of a ranked list the counters have room for, the first with the highest
    /// rank: events, groups in braces, and metrics of the machine's tables. Each item is counted
    /// all the time if there is room for it beside those before it.
    ///
    /// Where the tables state the counters of a PMU and the constraints of its events, these
    /// decide, less the counters that others hold; otherwise, the number of free counters that was
    /// measured. That of a PMU outside the cores is measured here. After
    /// [`describe`](System::describe), nothing is opened.
    ///
    /// Open what is counted all the time as pinned events, and nothing else, if those counts must
    /// be exact: to the kernel, events that are not pinned have no rank, and all take turns.
    ///
    /// ```
    /// use pmu_events::System;
    ///
    /// let report = System::new().check("task-clock")?;
    /// for item in report.budget("{cycles,instructions},cache-misses,branch-misses")? {
    ///     println!("{item}");
    /// }
    /// # Ok::<(), pmu_events::open::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a list of events.
    pub fn budget(&self, list: &str) -> Result<Vec<Ranked>, Error> {
        of(self, list)
    }
}

/// The counters of a PMU, and what is to be counted all the time.
struct Unit {
    pmu: String,
    supply: Option<Supply>,
    free: Option<u32>,
    counted: Vec<String>,
}

impl Unit {
    /// Whether events can be counted at the same time; `None` if nobody knows.
    fn fits(&self, events: &[String]) -> Option<bool> {
        match (self.supply, self.free) {
            (_, Some(0)) => Some(events.is_empty()),
            (Some(supply), _) => Some(supply.fits(events)),
            (None, Some(free)) => Some(events.len() <= free as usize),
            (None, None) => None,
        }
    }

    /// Whether each event can be counted at some time. A perf metric is read beside the slots, which
    /// are among the events of its formula.
    fn fits_in_parts(&self, events: &[String]) -> Option<bool> {
        for event in events {
            let mut fits = self.fits(slice::from_ref(event))?;
            for other in events.iter().filter(|other| *other != event) {
                fits = fits || self.fits(&[other.clone(), event.clone()])?;
            }
            if !fits {
                return Some(false);
            }
        }
        Some(true)
    }

    fn beside(&self, events: &[String]) -> Vec<String> {
        let mut all = self.counted.clone();
        all.extend(events.iter().filter(|event| !self.counted.contains(event)).cloned());
        all
    }
}

/// What an item needs: on each PMU, these events.
struct Needs {
    on: Vec<(usize, Vec<String>)>,
    /// Whether they must be counted together; the parts of a metric need not be.
    is_whole: bool,
}

/// Ranks the items of a list.
fn of(report: &Report, list: &str) -> Result<Vec<Ranked>, Error> {
    // What is wrong with one of them, at its place in the list.
    report.system().resolve(list)?;
    let mut units: Vec<Unit> = Vec::new();
    let mut ranked = Vec::new();
    for name in split(list)? {
        let fate = match needs(&name, report, &mut units)? {
            Err(why) => Fate::Refused(why),
            Ok(needs) => fate(&needs, &mut units),
        };
        ranked.push(Ranked { name, fate });
    }
    Ok(ranked)
}

fn fate(needs: &Needs, units: &mut [Unit]) -> Fate {
    let mut fits_beside = true;
    for (unit, events) in &needs.on {
        let unit = &units[*unit];
        let alone = match unit.fits(events) {
            Some(false) if !needs.is_whole => unit.fits_in_parts(events),
            whole => whole,
        };
        match alone {
            None => return Fate::Unknown,
            Some(false) => {
                let left = unit.free.map_or_else(
                    || String::from("too few counters"),
                    |free| format!("{free} free counters"),
                );
                return Fate::Starved(format!("PMU `{}` has {left} for it", unit.pmu));
            }
            Some(true) => {}
        }
        fits_beside &= unit.fits(&unit.beside(events)) == Some(true);
    }
    if !fits_beside {
        return Fate::Multiplexed;
    }
    for (unit, events) in &needs.on {
        units[*unit].counted = units[*unit].beside(events);
    }
    Fate::Counted
}

/// What an item needs, or why it cannot be counted.
fn needs(
    name: &str,
    report: &Report,
    units: &mut Vec<Unit>,
) -> Result<Result<Needs, String>, Error> {
    let system = report.system();
    let metrics: Vec<Request> = (system.models().into_iter())
        .filter_map(|model| model.metric(name))
        .flat_map(|metric| Request::each(metric, system))
        .collect();
    let is_whole = metrics.is_empty();
    let resolution = match is_whole {
        true => system.resolve(name)?,
        false => {
            let plan = Plan::new(metrics, system, &Scope::ThisThread);
            if let Some(missing) = plan.missing().first() {
                return Ok(Err(format!("`{}`: {}", missing.name(), missing.error())));
            }
            plan.resolution().clone()
        }
    };
    if let Some(missing) = resolution.missing().first() {
        return Ok(Err(missing.error().to_string()));
    }
    // What the kernel makes of it, where something was opened before.
    let opened = match report.is_measured().then(|| Counters::open(&resolution, &Options::new())) {
        Some(Err(error)) => return Ok(Err(error.to_string())),
        Some(Ok(counters)) => counters.events().to_vec(),
        None => Vec::new(),
    };
    if let Some(why) = opened.iter().find_map(|event| event.refusal()) {
        return Ok(Err(why.to_string()));
    }
    let mut on: Vec<(usize, Vec<String>)> = Vec::new();
    for (number, event) in resolution.events().iter().enumerate() {
        let opened = opened.get(number).map(|event| &**event);
        let Some(unit) = unit(event, opened, report, units) else { continue };
        let name = event.name().to_string();
        match on.iter_mut().find(|(known, _)| *known == unit) {
            Some((_, events)) if events.contains(&name) => {}
            Some((_, events)) => events.push(name),
            None => on.push((unit, Vec::from([name]))),
        }
    }
    Ok(Ok(Needs { on, is_whole }))
}

/// The number of the unit that counts an event; `None` if that needs no counter. Instances of a
/// PMU are alike, and the first stands for all.
fn unit(
    event: &Resolved,
    opened: Option<&SetEvent>,
    report: &Report,
    units: &mut Vec<Unit>,
) -> Option<usize> {
    let software = [perf_type::SOFTWARE, perf_type::TRACEPOINT, perf_type::BREAKPOINT];
    if event.is_without_counter() || software.contains(&event.type_()) {
        return None;
    }
    let system = report.system();
    let pmu = event.pmu().or_else(|| system.sysfs().core_pmus().next());
    let Some(pmu) = pmu else {
        // A machine whose sysfs names no PMU: nothing is known of the cores'.
        return Some(numbered("of the cores", units, || (None, None)));
    };
    let family = if pmu.is_core() { pmu.name() } else { base_name(pmu.name()) };
    Some(numbered(family, units, || counters(opened, pmu, report, system)))
}

fn numbered(
    family: &str,
    units: &mut Vec<Unit>,
    counters: impl FnOnce() -> (Option<Supply>, Option<u32>),
) -> usize {
    units.iter().position(|unit| unit.pmu == family).unwrap_or_else(|| {
        let (supply, free) = counters();
        units.push(Unit { pmu: family.into(), supply, free, counted: Vec::new() });
        units.len() - 1
    })
}

/// What the tables know of a PMU, less what others hold, and what was measured.
fn counters(
    opened: Option<&SetEvent>,
    pmu: &Pmu,
    report: &Report,
    system: &System,
) -> (Option<Supply>, Option<u32>) {
    let supply = capacity::supply(pmu, system);
    let of_core = report.counters().iter().find(|known| known.pmu() == pmu.name());
    let outside = opened.filter(|_| !pmu.is_core()).map(|event| free::outside_cores(event, pmu));
    let known = of_core.or(outside.as_ref());
    let held = known.map_or(0, FreeCounters::held);
    (supply.map(|supply| capacity::without(supply, held)), known.and_then(FreeCounters::free))
}
