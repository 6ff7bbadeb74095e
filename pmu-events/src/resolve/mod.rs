//! From what a person writes to what the kernel wants: event strings resolved
//! on one system.
//!
//! [`System::resolve`] takes a list of events and gives a [`Resolution`]: what each
//! `perf_event_attr` would hold, one for each PMU on which an event opens, and why
//! the other events cannot be counted. [`System::require`] refuses a list of which
//! anything is missing.
//!
//! ```
//! # #[cfg(feature = "x86")] {
//! use pmu_events::{System, arch::x86};
//!
//! // Nothing there: what is generic resolves on any machine.
//! let system = System::at("/nonexistent").with_model(x86::SILVERMONT);
//! let resolved = system.resolve("{cycles,instructions:u}:D,r1a8,inst_retired.any")?;
//! assert_eq!(resolved.len(), 3);
//! assert_eq!((resolved[1].type_, resolved[1].config[0]), (0, 1));
//! assert!(resolved[0].settings.pinned && resolved[1].settings.exclude_kernel);
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
//! They are perf's (`tools/perf/util/parse-events.c` and `pmu.c` of Linux
//! 6.12).
//!
//! - A name alone opens on every PMU that has the event: each core PMU of a
//!   hybrid CPU, each instance of an uncore PMU.
//! - A PMU has the events of its own CPUs, where cores differ
//!   ([`System::model_of`]).
//! - A name before slashes is a PMU; else all PMUs that it means
//!   ([`pmu::matches`](crate::pmu::matches)); else an event with terms.
//! - An event of sysfs and one of the table that have one name are one: its
//!   terms are the table's, its scale and unit those of sysfs if there are any.
//! - System PMUs have the events of the tree's sys tables whose `Compat`
//!   matches their `identifier`.
//! - Among terms, a generic event (`cpu/cycles/`) is the PMU's own event of
//!   that name if it has one; else it assigns `config`, as `config=…` does: of
//!   both, the last counts.
//! - Where there are several core PMUs, generic events open on each, whose type
//!   is in the upper half of config.
//! - A tracepoint has the number that tracefs says; `*` and `?` in its system
//!   or its name make it a pattern.
//! - A group holds events of one PMU; members on another PMU make another
//!   group. Software events stay with the others, and everything with a leader
//!   that traces into the AUX area (`intel_pt`, `cs_etm`, …).
//! - Intel's top-down events follow `slots`, which leads them: within a group,
//!   and where they stand alone they make one. Their names tell which they are.
//!
//! # Where this is not perf
//!
//! | text | perf 6.12 | here |
//! |---|---|---|
//! | `cpu/L1-dcache-load-store/` | the store is passed over | an error, as without `cpu/` |
//! | `cpu/a,b/` with two events | refused for its scale; two generic ones are mixed up | [`ErrorKind::TwoEvents`] |
//! | `uncore_imc_1/x/` without `x` | is tried on `uncore_imc_10`, too | refused |
//! | several instances | in the order of the directory until all were asked for | always by number |
//! | a term whose format file makes no sense | sets no bits | [`ErrorKind::UnknownTerm`] |
//! | patterns of tracepoints | in the order of the directory; fails where one of several systems has no match | by name; fails where nothing matches |
//! | `intel_pt//` and other traces | defaults of `perf record` are added | just what is written |
//! | `P` | is `precise_ip` 3, less if the kernel refuses that | [`Resolved::precise_ip`] asks the PMU first |
//! | `cycles/percore/`, `mem:0/metric-id=m/` | the term is forgotten | it counts |
//! | characters that perf drops, numbers that wrap | | see [`event_list`](crate::event_list) and [`config`](mod@crate::config) |

mod absent;
mod alias;
mod draft;
mod error;
mod generic;
mod group;
mod parsed;
mod refusal;
mod resolution;
mod resolved;
mod resolver;
mod terms;
mod tracepoint;

use std::format;
use std::vec::Vec;

pub use error::{Error, ErrorKind};
pub use resolution::{Missing, Resolution};
pub use resolved::Resolved;
pub use terms::AttributeTerm;

use crate::event_list::{EventRef, Settings};
use crate::system::System;
use draft::Draft;
use parsed::Parsed;
use resolver::Resolver;

/// Which events can be counted, and how.
impl System {
    /// Resolves a list of events, written as for perf's `-e` option. Each event has
    /// its own answer: what this machine does not have is
    /// [missing](Resolution::missing), and says why.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a list of events, with its place.
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

    /// Resolves a list of events, all of which this machine must have, as perf
    /// does.
    ///
    /// # Errors
    ///
    /// Returns the first thing that is wrong, with its place in the text.
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

    /// The same, with errors that suggest nothing: for what is asked by the
    /// thousand.
    pub(crate) fn require_tersely(&self, text: &str) -> Result<Resolution, Error> {
        resolve(self, text, Mode { suggests: false, is_strict: true })?.complete()
    }

    /// Whether a list can be resolved.
    pub(crate) fn knows(&self, text: &str) -> bool {
        self.require_tersely(text).is_ok()
    }
}

#[derive(Clone, Copy)]
struct Mode {
    /// Whether errors say what may have been meant.
    suggests: bool,
    /// Whether the first event that is missing ends it.
    is_strict: bool,
}

fn resolve(system: &System, text: &str, mode: Mode) -> Result<Resolution, Error> {
    let list = Parsed::new(text).map_err(|error| Error::syntax(error, text).checked(text))?;
    let (tables, sysfs) = (system.tables(), system.sysfs());
    let resolver = Resolver { text, tables, sysfs, suggests: mode.suggests };
    let mut all: Vec<Draft<'_>> = Vec::new();
    let (mut groups, mut missing) = (Vec::new(), Vec::new());
    let (mut group, mut asked) = (0, 0);
    // Of a group whose leader is missing.
    let mut lost: Option<Error> = None;
    for (number, event) in list.events().enumerate() {
        asked += 1;
        // Each event that stands alone is a group of its own.
        if event.membership().is_none_or(|membership| membership.index == 0) {
            group += 1;
            lost = None;
        }
        // Without its leader there is no group.
        let found = resolver.event(event).and_then(|found| match &lost {
            Some(lost) => Err(lost.clone().at(event.span())),
            None => Ok(found),
        });
        let found = match found {
            Ok(found) => found,
            Err(error) => {
                let error = error.checked(text);
                if event.membership().is_some_and(|membership| membership.index == 0) {
                    lost = Some(error.of_leader(&format!("`{}` leads its group: ", event.name())));
                }
                missing.push(Missing::new(event.name(), number, error, all.len()));
                if mode.is_strict {
                    break;
                }
                continue;
            }
        };
        for (n, mut draft) in found.into_iter().enumerate() {
            draft.event = number;
            draft.settings = settings(event.event(), n == 0);
            if draft.settings.precise_max {
                draft.max_precise = resolver.max_precise(&draft);
            }
            // Instances of an event that stands alone are not scheduled
            // together.
            if event.membership().is_none() && n > 0 {
                group += 1;
            }
            groups.push(group);
            all.push(draft);
        }
    }
    let (sorted, ends) = group::regroup(all, &groups, tables, sysfs);
    let resolved = sorted.iter().map(Resolved::of).collect();
    Ok(Resolution::new(system, resolved, ends, missing, asked))
}

/// Only the first PMU's event leads the group as perf sees it here.
fn settings(event: EventRef<'_>, is_first: bool) -> Settings {
    let own = Settings::default().with_event(event.modifiers());
    match event.membership() {
        Some(group) => own.with_group(group.modifiers, group.index == 0 && is_first),
        None => own,
    }
}

#[cfg(test)]
mod tests;
