//! From what a person writes to what the kernel wants: event strings resolved
//! on one system.
//!
//! [`resolve`] takes a list of events, the CPU's [`Model`](crate::Model) or
//! whatever else there are [`Tables`] of, and the system's PMUs ([`Sysfs`]),
//! and gives what each `perf_event_attr` would
//! hold: one for each PMU on which an event opens.
//!
//! ```
//! # #[cfg(feature = "x86")] {
//! use pmu_events::{arch::x86, resolve::resolve, sysfs::Sysfs};
//!
//! // Nothing there: what is generic resolves on any machine.
//! let sysfs = Sysfs::at("/nonexistent");
//! let resolved = resolve("{cycles,instructions:u}:D,r1a8", None, &sysfs)?;
//! assert_eq!(resolved.len(), 3);
//! assert_eq!((resolved[1].kind, resolved[1].config[0]), (0, 1));
//! assert_eq!(resolved[1].leader, 0);
//! assert!(resolved[0].settings.pinned && resolved[1].settings.exclude_kernel);
//!
//! let error = resolve("cycles,instrutcions", x86::model("GenuineIntel-6-37-8"), &sysfs)
//!     .unwrap_err();
//! assert_eq!(error.to_string(), "no PMU has an event `instrutcions`; did you mean `instructions`?");
//! assert_eq!(error.span(), 7..19);
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
//!   ([`Tables::with_machine`]).
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
mod error;
mod generic;
mod group;
mod parsed;
mod refusal;
mod resolved;
mod resolver;
mod tables;
mod terms;
mod tracepoint;

use std::vec::Vec;

pub use error::{Error, ErrorKind};
pub use resolved::Resolved;
pub use tables::Tables;
pub use terms::AttributeTerm;

use crate::event_list::{EventList, EventRef, Settings};
use crate::sysfs::Sysfs;
use parsed::Parsed;
use resolver::Resolver;

/// Resolves a text: perf's `-e` option.
///
/// # Errors
///
/// The first thing that is wrong, with its place in the text.
pub fn resolve<'a>(
    text: &'a str,
    tables: impl Into<Tables>,
    sysfs: &'a Sysfs,
) -> Result<Vec<Resolved<'a>>, Error> {
    let parsed = Parsed::new(text).map_err(|error| Error::syntax(error, text))?;
    resolve_by(Resolver { text, tables: tables.into(), sysfs, suggests: true }, &parsed)
}

/// The same, with errors that suggest nothing: for what is asked by the
/// thousand.
pub(crate) fn resolve_tersely<'a>(
    text: &'a str,
    tables: Tables,
    sysfs: &'a Sysfs,
) -> Result<Vec<Resolved<'a>>, Error> {
    let parsed = Parsed::new(text).map_err(|error| Error::syntax(error, text))?;
    resolve_by(Resolver { text, tables, sysfs, suggests: false }, &parsed)
}

/// Resolves a list that has been parsed.
///
/// # Errors
///
/// The first thing that is wrong, with its place in the list's text.
pub fn resolve_list<'a>(
    list: EventList<'a>,
    tables: impl Into<Tables>,
    sysfs: &'a Sysfs,
) -> Result<Vec<Resolved<'a>>, Error> {
    resolve(list.text(), tables, sysfs)
}

fn resolve_by<'a>(resolver: Resolver<'a>, list: &Parsed<'a>) -> Result<Vec<Resolved<'a>>, Error> {
    let mut all = Vec::new();
    let mut groups = Vec::new();
    let (mut group, mut number) = (0, 0);
    for event in list.events() {
        // Each event that stands alone is a group of its own.
        if event.membership().is_none_or(|membership| membership.index == 0) {
            group += 1;
        }
        for (n, mut resolved) in resolver.event(event)?.into_iter().enumerate() {
            resolved.event = number;
            resolved.settings = settings(event.event(), n == 0);
            if resolved.settings.precise_max {
                resolved.max_precise = resolver.max_precise(&resolved);
            }
            // Instances of an event that stands alone are not scheduled
            // together.
            if event.membership().is_none() && n > 0 {
                group += 1;
            }
            groups.push(group);
            all.push(resolved);
        }
        number += 1;
    }
    Ok(group::regroup(all, &groups, resolver.tables, resolver.sysfs))
}

/// Puts a list behind others that were resolved by themselves, so that all are
/// one set: events and leaders are numbered on. Gives the number of its first
/// event.
///
/// ```
/// use pmu_events::{resolve, sysfs::Sysfs};
///
/// let sysfs = Sysfs::at("/nonexistent");
/// let mut all = resolve::resolve("faults", None, &sysfs)?;
/// let first = resolve::append(&mut all, resolve::resolve("{cycles,branches}", None, &sysfs)?);
/// assert_eq!((first, all[2].event, all[2].leader), (1, 2, 1));
/// # Ok::<(), resolve::Error>(())
/// ```
pub fn append<'a>(all: &mut Vec<Resolved<'a>>, list: Vec<Resolved<'a>>) -> usize {
    let places = all.len();
    // The last is not always the last that was written.
    let first = all.iter().map(|one| one.event + 1).max().unwrap_or(0);
    all.extend(list.into_iter().map(|one| Resolved {
        event: one.event + first,
        leader: one.leader + places,
        ..one
    }));
    first
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
