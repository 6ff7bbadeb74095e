//! Resolving event strings to `perf_event_attr` fields on one system.
//!
//! Use it to check names before you open anything, or to hand the words of `perf_event_attr`
//! to other code.
//!
//! [`System::resolve`] takes a list of events and returns a [`Resolution`]: the
//! fields of a `perf_event_attr` for each PMU on which an event opens, and the
//! reason why each of the other events cannot be counted. [`System::require`]
//! returns an error if any event is missing.
//!
//! ```
//! # #[cfg(feature = "x86")] {
//! use pmu_events::{System, arch::x86};
//!
//! // A machine without PMUs: generic events still resolve.
//! let system = System::at("/nonexistent").with_model(x86::SILVERMONT);
//! let resolved = system.resolve("{cycles,instructions:u}:D,r1a8,inst_retired.any")?;
//! assert_eq!(resolved.events().len(), 3);
//! assert_eq!((resolved[1].type_(), resolved[1].words().config()), (0, 1));
//! assert!(resolved[0].settings().pinned() && resolved[1].settings().exclude_kernel());
//! let groups: Vec<usize> = resolved.groups().map(|group| group.len()).collect();
//! assert_eq!(groups, [2, 1]);
//!
//! let missing = &resolved.missing()[0];
//! assert_eq!(
//!     missing.error().to_string(),
//!     "event `inst_retired.any` is of a core PMU, which this machine does not have",
//! );
//! assert_eq!(missing.error().span(), 31..47);
//! # }
//! # Ok::<(), pmu_events::resolve::Error>(())
//! ```
//!
//! # Rules
//!
//! The rules are those of perf (`tools/perf/util/parse-events.c` and `pmu.c` of
//! Linux 6.12; for what later versions added, of 6.18).
//!
//! - A bare name opens on every PMU that has the event: each core PMU of a hybrid
//!   CPU, each instance of an uncore PMU.
//! - On a machine with several kinds of cores, a PMU has the events of its own CPUs
//!   ([`System::model_of`]).
//! - A name before slashes is a PMU; if there is none, all PMUs that it matches
//!   (`perf_pmu__match` in `tools/perf/util/pmu.c`); otherwise an event with terms. `default_core` is
//!   every core PMU.
//! - An event of sysfs and one of the table with the same name are merged: the
//!   terms are those of the table, scale and unit those of sysfs if it has any.
//! - System PMUs have the events of the tree's sys tables whose `Compat`
//!   matches their `identifier`.
//! - Among terms, a generic event (`cpu/cycles/`) is the PMU's own event of that
//!   name if it has one; otherwise it assigns `config`, like `config=…`. The last
//!   of the two wins. It stands for a code of the kernel, and takes no terms of the PMU.
//! - Letter case does not decide what is counted: `Cycles` is `cycles`. But an event that a
//!   PMU has in exactly the written letters is that event: s390's `INSTRUCTIONS` is its
//!   driver's, and `instructions` the generic one.
//! - `num_cpus`, `smt_on` and other values of the machine are events if no PMU has one of
//!   that name, and so is `tool/num_cpus/` ([`Tool`](crate::event_list::Tool)).
//! - The devices of `class/hwmon` are PMUs `hwmon_NAME`, and `hwmonN`; each sensor is an
//!   event by its number and by its label ([`Pmu::has_sensors`](crate::sysfs::Pmu::has_sensors)).
//! - The graphics drivers that processes use are PMUs `drm_NAME`, with the keys of their
//!   `fdinfo` as events ([`System::drm_pmus`](crate::System::drm_pmus)).
//! - A generic name without a PMU is the kernel's event, whatever else has an event of that
//!   name; or, if the program so [chooses](crate::system::GenericNames), that event.
//! - If there are several core PMUs, generic events open on each, with the PMU's
//!   type in the upper half of `config`.
//! - The number of a tracepoint comes from tracefs; `*` and `?` in its system or
//!   its name make it a pattern.
//! - A group contains events of one PMU; members on another PMU form another group.
//!   Software events stay in the group, and so does every member if the leader
//!   traces into the AUX area (`intel_pt`, `cs_etm`, …).
//! - The term `cpu` limits an event to the CPUs that it names, or to those of a PMU; a
//!   PMU without any of them does not have the event ([`Resolved::limit`]).
//! - The term `ratio-to-prev` sets the periods of the event and of the one before it in
//!   its group, and the mask in `config2` with which one reloads the other.
//! - The modifier `X` keeps an event from being moved to others.
//! - Intel's top-down events follow `slots`, which leads them, within a group;
//!   ungrouped, they form one. They are recognized by their names.
//!
//! # Differences from perf
//!
//! | text | perf | here |
//! |---|---|---|
//! | `cpu/L1-dcache-load-store/` | ignores the store | an error, as without `cpu/` |
//! | `cpu/cycles,umask=1/`, `cpu/L1-dcache-loads,umask=1/` | another code: stores for loads | [`ErrorKind::BesideCode`] |
//! | `Cycles`, `PAGE-FAULTS` | an event that some PMU has, or none | the generic event |
//! | an event of sysfs in mixed case | not found, unless others were read before | found |
//! | `cpu/a,b/` with two events | refused because of the scale; two generic events are mixed up | [`ErrorKind::TwoEvents`] |
//! | `uncore_imc_1/x/` without `x` | also tried on `uncore_imc_10` | refused |
//! | one of several instances refuses the event | left out of the sum | missing ([`Missing::pmu_name`]) |
//! | several instances | in directory order until all have been read | always by number |
//! | a term with an invalid format file | sets no bits | [`ErrorKind::UnknownTerm`] |
//! | patterns of tracepoints | in directory order; fails if one of several systems has no match | by name; fails if nothing matches |
//! | `intel_pt//` and other traces | adds defaults of `perf record` | only the written terms |
//! | `P` | `precise_ip` is 3, or less if the kernel refuses that | [`Resolved::precise_ip`] first asks the PMU |
//! | `cycles/percore/`, `mem:0/metric-id=m/` | drops the term | keeps the term |
//! | `cycles/cpu=99/` on a machine with fewer CPUs | refused for a number, nothing opened for a range | [`ErrorKind::NoCpu`] |
//! | `ratio-to-prev` that cannot be applied | a message, and the event without it | [`ErrorKind::Ratio`], [`ErrorKind::NoReload`] |
//! | `power1`, `energy1` of `class/hwmon` | a thousand times too large | in watts and joules |
//! | `hwmon0/temp1_max/` | the same as `temp1` | [`ErrorKind::UnknownTerm`] |
//! | `drm-engine-render` and others of graphics drivers | since the client was opened; the first client of each device | since the start; each client once |
//! | `task-clock`, `cpu-clock`; `duration_time` and the other times | in milliseconds; in nanoseconds | in seconds ([`Resolved::perf_unit`] has perf's) |
//! | a sensor below 0 | a huge count | its value |
//! | one name on PMUs of several kinds: `temp1`, `clockticks` | one sum in Linux 6.12 | a count on each kind |
//! | `mem:0/cpu=1/` | drops the term | keeps the term |
//! | characters that perf drops, numbers that wrap | | see [`event_list`](crate::event_list) and [`config`](mod@crate::config) |

mod absent;
mod alias;
mod answer_id;
mod clock;
mod draft;
mod error;
pub(crate) mod flags;
mod found;
mod generic;
mod group;
mod limit;
mod mesh_node;
mod parsed;
mod refusal;
mod reload;
mod resolution;
pub(crate) mod resolved;
mod resolver;
#[cfg(feature = "serde")]
mod serialize;
pub(crate) mod terms;
#[cfg(feature = "metrics")]
mod together;
mod tool;
mod tracepoint;

use std::format;
use std::vec::Vec;

pub use answer_id::{AnswerId, Appended};
pub use clock::Clock;
pub use error::{Error, ErrorKind};
pub use resolution::{Missing, Resolution};
pub use resolved::Resolved;

#[cfg(all(test, feature = "x86"))]
pub(crate) use parsed::log as parses;

use crate::system::System;
use draft::Draft;
use found::Found;
use parsed::Parsed;
use pmu_events_core::__private::event_list::{EventRef, Settings, with_event, with_group};
use resolver::Resolver;

/// Resolving events.
impl System {
    /// Resolves a list of events, written as for perf's `-e` option. Each event has
    /// its own answer: an event that this machine does not have is
    /// [missing](Resolution::missing), with the reason.
    ///
    /// # Errors
    ///
    /// Returns an error with its position if the text is not a valid list of
    /// events.
    ///
    /// ```
    /// use pmu_events::System;
    ///
    /// let events = System::at("/nonexistent").resolve("task-clock,instrutcions")?;
    /// assert_eq!(events[0].name(), "task-clock");
    /// let missing = &events.missing()[0];
    /// assert_eq!(
    ///     missing.error().to_string(),
    ///     "no PMU has an event `instrutcions`; did you mean `instructions`?",
    /// );
    /// # Ok::<(), pmu_events::resolve::Error>(())
    /// ```
    pub fn resolve(&self, text: &str) -> Result<Resolution, Error> {
        resolve(self, text, Mode { suggests: true, is_strict: false })
    }

    /// Resolves a list of events, all of which this machine must have, as in perf.
    ///
    /// # Errors
    ///
    /// Returns the first error, with its position in the text.
    ///
    /// ```
    /// use pmu_events::System;
    ///
    /// let error = System::at("/nonexistent").require("cycles,instrutcions").unwrap_err();
    /// assert_eq!(error.suggestion(), Some("instructions"));
    /// assert_eq!(error.span(), 7..19);
    /// ```
    pub fn require(&self, text: &str) -> Result<Resolution, Error> {
        resolve(self, text, Mode { suggests: true, is_strict: true })?.complete()
    }

    /// Like [`require`](Self::require), for a single event; without suggestions in errors for
    /// thousands of queries.
    pub(crate) fn require_one(&self, text: &str, suggests: bool) -> Result<Resolution, Error> {
        let found = resolve(self, text, Mode { suggests, is_strict: true })?.complete()?;
        match found.asked() {
            1 => Ok(found),
            several => Err(Error::several_events(text, several)),
        }
    }

    /// Whether an event can be resolved.
    pub(crate) fn knows(&self, text: &str) -> bool {
        self.require_one(text, false).is_ok()
    }
}

#[derive(Clone, Copy)]
struct Mode {
    /// Whether errors contain suggestions.
    suggests: bool,
    /// Whether to stop at the first missing event.
    is_strict: bool,
}

fn resolve(system: &System, text: &str, mode: Mode) -> Result<Resolution, Error> {
    let list = Parsed::new(text).map_err(|error| Error::syntax(error, text).checked(text))?;
    let (tables, sysfs) = (system.tables(), system.sysfs());
    let topology = system.topology();
    let resolver = Resolver { text, tables, sysfs, topology, system, suggests: mode.suggests };
    let mut all = Found::default();
    let mut missing = Vec::new();
    let (mut group, mut asked) = (0, 0);
    // The error of a group whose leader is missing.
    let mut lost: Option<Error> = None;
    for (number, event) in list.events().enumerate() {
        asked += 1;
        // An ungrouped event is a group of one.
        if event.membership().is_none_or(|membership| membership.index() == 0) {
            group += 1;
            lost = None;
        }
        // A group cannot exist without its leader.
        let start = all.len();
        let found = match settings(event.event(), true).retire_latency() {
            true => Err(Error::retire_latency(event.span())),
            false => resolver.event(event, &mut all),
        };
        let found = found.and_then(|()| resolver.limited(event, &mut all, start));
        let found = found.and_then(|()| match &lost {
            Some(lost) => Err(lost.clone().at(event.span())),
            None => Ok(()),
        });
        let instances = all.take_missing_instances(start);
        if let Err(error) = found {
            all.drafts.truncate(start);
            let error = error.checked(text);
            if event.membership().is_some_and(|membership| membership.index() == 0) {
                lost = Some(error.of_leader(&format!("`{}` leads its group: ", event.name())));
            }
            missing.push(Missing::new(event.name(), number, error, start));
            if mode.is_strict {
                break;
            }
            continue;
        }
        for (n, draft) in all.drafts[start..].iter_mut().enumerate() {
            draft.event = number;
            draft.settings = settings(event.event(), n == 0);
            if draft.settings.precise_max() {
                draft.max_precise = resolver.max_precise(draft);
            }
            // Instances of an ungrouped event are not scheduled together.
            if event.membership().is_none() && n > 0 {
                group += 1;
            }
            draft.group = group;
        }
        for (pmu, error) in instances {
            let one = Missing::new(event.name(), number, error.checked(text), all.len());
            missing.push(one.on_instance(pmu.name()));
        }
    }
    let written =
        |draft: &Draft<'_>| group::InGroup { group: draft.group, resolved: Resolved::of(draft) };
    let grouped = group::regroup(all.drafts.iter().map(written).collect(), tables, sysfs);
    let (resolved, ends) = reload::apply(grouped, &mut missing, &list, sysfs);
    Ok(Resolution::new(system, resolved, ends, missing, asked))
}

/// To perf, only the first PMU's event leads the group at this point.
fn settings(event: EventRef<'_>, is_first: bool) -> Settings {
    let own = with_event(Settings::default(), event.modifiers());
    match event.membership() {
        Some(group) => {
            let leads = group.index() == 0 && is_first;
            with_group(own, group.modifiers(), leads)
        }
        None => own,
    }
}

#[cfg(test)]
mod tests;
