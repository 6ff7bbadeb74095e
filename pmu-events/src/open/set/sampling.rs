//! Opening events so that they sample, with the fallbacks of a set of counters.

use core::cell::Cell;
use std::vec::Vec;

use super::event::SetEvent;
use super::opening::{self, Refusal};
use super::options::Options;
use super::{places, targets};
use crate::open::flag::SAMPLE_READ;
use crate::open::system::HasCores;
use crate::open::{Attr, Counter, Error, ErrorKind, Flag, ReadFormat, Target};
use crate::resolve::{Resolution, Resolved};
use crate::system::Topology;

/// An event, open on all its targets.
pub(crate) struct Sampled {
    pub(crate) resolved: Resolved,
    pub(crate) spots: Vec<Spot>,
}

/// An event, open on one of its targets.
pub(crate) struct Spot {
    pub(crate) target: Target,
    pub(crate) counter: Counter,
    pub(crate) attr: Attr,
    /// Whether it is to be enabled: members of a group are with their leader.
    pub(crate) leads: bool,
}

/// Opens all events of a resolution, each with the attributes that `attr_of` makes for it and its
/// number.
pub(crate) fn open(
    resolution: &Resolution,
    options: &Options,
    attr_of: &dyn Fn(&Resolved, usize) -> Attr,
) -> Result<Vec<Sampled>, Error> {
    if let Some(missing) = resolution.missing().first() {
        return Err(Error::unresolved(missing.error()).of_event(missing.name()));
    }
    let system = resolution.system();
    let mut events: Vec<SetEvent> =
        resolution.events().iter().cloned().map(SetEvent::new).collect();
    for (n, (event, resolved)) in events.iter_mut().zip(resolution.events()).enumerate() {
        if resolved.is_without_counter() {
            let message = "no counter counts it, so that it cannot be sampled";
            return Err(Error::new(ErrorKind::NotSupported, 0, message).of_event(resolved.name()));
        }
        event.attr = attr_of(resolved, n);
    }
    let mut events: Vec<SetEvent> =
        events.into_iter().map(|event| event.in_cgroup(options.cgroup.as_ref())).collect();
    options.check_cgroups(&events)?;
    let scope = targets::checked(&options.scope, system.proc())?;
    let options = &options.clone().with_scope(scope);
    let has_cores = HasCores::of(system.sysfs());
    let mut sampled: Vec<Sampled> = Vec::new();
    let mut first = 0;
    for group in resolution.groups() {
        let members: Vec<usize> = (first..first + group.len()).collect();
        first += group.len();
        let targets = places_of(&group[0], &events[members[0]], options, system.topology())?;
        let cgroup = events[members[0]].cgroup().cloned();
        let asks = Asks::new(group);
        let open = |attr: &Attr, target: Target, leader: Option<&(Counter, Attr)>| {
            asks.open(attr, |attr| {
                let leader = leader.map(|(counter, _)| counter);
                Counter::open_knowing(&has_cores, cgroup.as_ref(), attr, target, leader)
            })
        };
        let spots = opening::everywhere(&members, &targets, options, &mut events, &open).map_err(
            |refusal| match refusal {
                Refusal::Member(n, error) => error.of_event(group[n].name()),
                Refusal::Weak => too_large(group),
                Refusal::Fatal(error) => error,
            },
        )?;
        let start = sampled.len();
        sampled
            .extend(group.iter().map(|one| Sampled { resolved: one.clone(), spots: Vec::new() }));
        for (target, counters) in spots {
            for (n, (counter, attr)) in counters.into_iter().enumerate() {
                let spot = Spot { target, counter, attr, leads: n == 0 };
                sampled[start + n].spots.push(spot);
            }
        }
    }
    Ok(sampled)
}

fn too_large(group: &[Resolved]) -> Error {
    let message = "the group has more events than the PMU has counters";
    Error::new(ErrorKind::Invalid, 0, message).of_event(group[0].name())
}

/// A buffer of a task that is on any CPU cannot have what its children record
/// (`perf_mmap` in `kernel/events/core.c`), so such events are opened on each CPU.
fn places_of(
    resolved: &Resolved,
    event: &SetEvent,
    options: &Options,
    topology: &Topology,
) -> Result<Vec<Target>, Error> {
    let targets = places::of_event(resolved, &options.scope, topology)?;
    let Some(&first) = targets.first() else { return Ok(targets) };
    if !opening::inherits(event, first, options) {
        return Ok(targets);
    }
    let own = match resolved.pmu() {
        Some(pmu) => pmu.cpus().map_err(Error::of_file)?,
        None => None,
    };
    let online = topology.online().map_err(Error::of_file)?.iter();
    let cpus: Vec<u32> = online.filter(|&cpu| own.is_none_or(|own| own.contains(cpu))).collect();
    let on_all = |target: Target| -> Vec<Target> {
        let thread = match target {
            Target::ThisThread => 0,
            Target::Thread(thread) => thread,
            other => return std::vec![other],
        };
        cpus.iter().map(|&cpu| Target::ThreadOnCpu { thread, cpu }).collect()
    };
    Ok(targets.into_iter().flat_map(on_all).collect())
}

/// What is asked of the kernel beyond the attributes, as far as it is not refused.
struct Asks {
    format: Cell<ReadFormat>,
    /// Whether mappings have build ids, if they are asked for.
    build_ids: Cell<bool>,
    /// The highest level of precision; `P` asks for what there is.
    precise: Cell<u8>,
    may_lower: bool,
    is_group: bool,
}

impl Asks {
    fn new(group: &[Resolved]) -> Self {
        Asks {
            format: Cell::new(ReadFormat::TIMES | ReadFormat::ID | ReadFormat::LOST),
            build_ids: Cell::new(true),
            precise: Cell::new(u8::MAX),
            may_lower: group.iter().any(|one| one.settings().precise_max()),
            is_group: group.len() > 1,
        }
    }

    fn open(
        &self,
        attr: &Attr,
        open: impl Fn(&Attr) -> Result<Counter, Error>,
    ) -> Result<(Counter, Attr), Error> {
        let reads_group = self.is_group && attr.sample_type() & SAMPLE_READ != 0;
        let with = |format: ReadFormat, build_ids: bool| {
            let format = if reads_group { format | ReadFormat::GROUP } else { format };
            let build_ids = build_ids && attr.has(Flag::BuildId);
            let precise = attr.precise().min(self.precise.get());
            attr.with_read_format(format).with(Flag::BuildId, build_ids).with_precise(precise)
        };
        let mut why = None;
        loop {
            let asked = with(self.format.get(), self.build_ids.get());
            let error = match open(&asked) {
                Ok(counter) => return Ok((counter, asked)),
                Err(error) => error,
            };
            if error.kind() == ErrorKind::Invalid && asked.read_format().contains(ReadFormat::LOST)
            {
                // Linux before 6.0 does not know how many samples an event has lost, and before
                // 5.12 no build ids.
                let older = ReadFormat::TIMES | ReadFormat::ID;
                for build_ids in [true, false] {
                    let asked = with(older, build_ids);
                    if let Ok(counter) = open(&asked) {
                        self.format.set(older);
                        self.build_ids.set(build_ids);
                        return Ok((counter, asked));
                    }
                    if !attr.has(Flag::BuildId) {
                        break;
                    }
                }
            }
            // `evsel__precise_ip_fallback` in `tools/perf/util/evsel.c`
            let is_lower = self.may_lower && asked.precise() > 0;
            if !is_lower || !error.is_unsupported() {
                return Err(why.unwrap_or(error));
            }
            self.precise.set(asked.precise() - 1);
            why.get_or_insert(error);
        }
    }
}
