//! Open events that sample, and their buffers.

use std::format;
#[cfg(all(target_os = "linux", target_has_atomic = "64"))]
use std::os::fd::BorrowedFd;
use std::path::Path;
use std::time::Duration;
use std::vec::Vec;

use super::buffer::Buffer;
use super::{Layout, Options, ParseError, Record};
use crate::config::Sampling;
use crate::file;
use crate::open::set::sampling::{self, Spot};
use crate::open::{Attr, Counter, Error, ErrorKind, Owner, Target};
use crate::resolve::{Resolution, Resolved};

/// Events that sample, open on all their targets, and the buffers of their records.
///
/// ```
/// use pmu_events::System;
/// use pmu_events::sample::{Options, Sampler, Wake};
/// use std::time::Duration;
///
/// let events = System::new().require("page-faults:u")?;
/// if let Ok(mut sampler) = Sampler::open(&events, &Options::new()) {
///     sampler.enable()?;
///     if let Wake::Ready = sampler.wait(Some(Duration::from_millis(1)))? {
///         sampler.read(|event, record| println!("{}: {record:?}", event.name()))?;
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Sampler {
    events: Vec<SampledEvent>,
    buffers: Vec<Buffer>,
    /// The number of the event of each id, sorted.
    ids: Vec<(u64, u32)>,
    enable_on_exec: bool,
}

/// An event of a [`Sampler`].
///
/// ```
/// use pmu_events::sample::Sampler;
///
/// fn show(sampler: &Sampler) {
///     for event in sampler.events() {
///         println!("{} has the ids {:?}", event.name(), event.ids().collect::<Vec<_>>());
///     }
/// }
/// ```
#[derive(Debug)]
pub struct SampledEvent {
    resolved: Resolved,
    attr: Attr,
    layout: Layout,
    places: Vec<Place>,
}

/// Where an event is open.
#[derive(Debug)]
struct Place {
    counter: Counter,
    id: u64,
    is_whole_cpu: bool,
    leads: bool,
    /// Whether its task has ended, so that there is nothing to wait for.
    #[cfg_attr(not(all(target_os = "linux", target_has_atomic = "64")), allow(dead_code))]
    has_ended: bool,
}

/// Why a [wait](Sampler::wait) is over.
///
/// ```
/// use pmu_events::open::Error;
/// use pmu_events::sample::{Sampler, Wake};
///
/// fn drain(sampler: &mut Sampler) -> Result<(), Error> {
///     while sampler.wait(None)? != Wake::Ended {
///         sampler.read(|_, record| println!("{record:?}"))?;
///     }
///     sampler.read(|_, record| println!("{record:?}"))
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Wake {
    /// A buffer has records.
    Ready,
    /// The time is over, or a signal arrived.
    Timeout,
    /// All tasks that are sampled have ended.
    Ended,
    /// One of the other files of [`Sampler::wait_beside`] can be read, or its other end is gone.
    Other,
}

impl SampledEvent {
    /// Returns the name of the event, as the user wrote it.
    #[must_use]
    pub fn name(&self) -> &str {
        self.resolved.name()
    }

    /// Returns what was resolved.
    #[must_use]
    pub fn resolved(&self) -> &Resolved {
        &self.resolved
    }

    /// Returns the attributes that the kernel accepted.
    #[must_use]
    pub fn attr(&self) -> &Attr {
        &self.attr
    }

    /// Returns the layout of its records.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns the kernel's ids of the event, one for each place where it is open.
    pub fn ids(&self) -> impl Iterator<Item = u64> {
        self.places.iter().map(|place| place.id)
    }

    /// How many samples it has lost; `None` before Linux 6.0.
    fn lost(&self) -> Result<Option<u64>, Error> {
        let mut sum = 0;
        for place in &self.places {
            let counts = place.counter.read_group()?;
            let own = counts.iter().find(|count| count.id().is_none_or(|id| id == place.id));
            let Some(lost) = own.and_then(|count| count.lost()) else { return Ok(None) };
            sum += lost;
        }
        Ok(Some(sum))
    }
}

impl Sampler {
    /// Opens events, and maps their buffers. Nothing is sampled before
    /// [`enable`](Self::enable).
    ///
    /// As in a set of counters, what the user may not sample in the kernel is sampled only in
    /// user space, and the level of precision of the modifier `P` is the highest that the kernel
    /// accepts. [`SampledEvent::attr`] tells what was accepted.
    ///
    /// # Errors
    ///
    /// Returns an error if the machine lacks an event or cannot sample it, if a frequency is above
    /// the kernel's limit, if the user has no right to sample or to map a buffer, and if no task
    /// exists.
    pub fn open(events: &Resolution, options: &Options) -> Result<Self, Error> {
        let of = events.events().len();
        let attr_of = |resolved: &Resolved, number: usize| options.attr_of(resolved, number, of);
        let sampled = sampling::open(events, &options.open, &attr_of)
            .map_err(|error| above_limit(events, &attr_of).unwrap_or(error))?;
        let owner = Owner::new().ok_or_else(|| {
            let message = "sampling needs Linux 4.14 or later (MADV_WIPEONFORK)";
            Error::new(ErrorKind::Unsupported, 0, message)
        })?;
        let mut buffers: Vec<(Target, Buffer, usize, usize)> = Vec::new();
        let mut opened: Vec<SampledEvent> = Vec::new();
        let mut ids = Vec::new();
        for (number, event) in sampled.into_iter().enumerate() {
            let Some(first) = event.spots.first() else {
                let message = "it is open nowhere: no CPU that was named has its PMU";
                let error = Error::new(ErrorKind::NoDevice, 0, message);
                return Err(error.of_event(event.resolved.name()));
            };
            let attr = first.attr;
            let mut new = SampledEvent {
                resolved: event.resolved,
                attr,
                layout: Layout::of(&attr),
                places: Vec::new(),
            };
            for Spot { target, counter, attr, leads } in event.spots {
                let shared = shared_by(target);
                match buffers.iter().find(|(place, ..)| *place == shared) {
                    Some(&(_, _, event, place)) => {
                        let of = opened.get(event).unwrap_or(&new);
                        counter.write_to(&of.places[place].counter)
                    }
                    None => {
                        let layout = Layout::of(&attr);
                        let buffer = Buffer::new(target, &counter, layout, options.pages, &owner);
                        buffer.map(|buffer| {
                            buffers.push((shared, buffer, number, new.places.len()));
                        })
                    }
                }
                .map_err(|error| error.of_event(new.name()))?;
                let id = counter.id()?;
                ids.push((id, number as u32));
                let is_whole_cpu = target.is_whole_cpu();
                new.places.push(Place { counter, id, is_whole_cpu, leads, has_ended: false });
            }
            opened.push(new);
        }
        ids.sort_unstable();
        let buffers = buffers.into_iter().map(|(_, buffer, ..)| buffer).collect();
        let enable_on_exec = options.open.enables_on_exec();
        Ok(Sampler { events: opened, buffers, ids, enable_on_exec })
    }

    /// Returns the events, in the order of the resolution.
    #[must_use]
    pub fn events(&self) -> &[SampledEvent] {
        &self.events
    }

    /// Returns the event with an id of the kernel, such as that of a
    /// [record](Layout::identifier).
    #[must_use]
    pub fn event(&self, id: u64) -> Option<&SampledEvent> {
        number(&self.ids, id).and_then(|number| self.events.get(number))
    }

    /// Starts sampling: of CPUs now, of tasks now or, with
    /// [`Options::with_enable_on_exec`], at their `exec`.
    ///
    /// # Errors
    ///
    /// Returns an error if an ioctl fails.
    pub fn enable(&self) -> Result<(), Error> {
        self.leaders(|place| {
            if self.enable_on_exec && !place.is_whole_cpu { Ok(()) } else { place.counter.enable() }
        })
    }

    /// Stops sampling. What is in the buffers remains.
    ///
    /// # Errors
    ///
    /// Returns an error if an ioctl fails.
    pub fn disable(&self) -> Result<(), Error> {
        self.leaders(|place| place.counter.disable())
    }

    fn leaders(&self, switch: impl Fn(&Place) -> Result<(), Error>) -> Result<(), Error> {
        let places = self.events.iter().flat_map(|event| &event.places);
        places.filter(|place| place.leads).try_for_each(switch)
    }

    /// Starts or stops the groups that some events lead, by their numbers, whether the task's `exec`
    /// would or has. A task that has ended is left alone.
    pub(crate) fn switch(&self, is_it: impl Fn(usize) -> bool, is_on: bool) -> Result<(), Error> {
        let events = self.events.iter().enumerate().filter(|&(number, _)| is_it(number));
        let mut places = events.flat_map(|(_, event)| &event.places).filter(|place| place.leads);
        places.try_for_each(|place| {
            let counter = &place.counter;
            match if is_on { counter.enable() } else { counter.disable() } {
                Err(error) if error.is_gone() => Ok(()),
                answer => answer,
            }
        })
    }

    /// Returns how many samples the kernel could not write, because a buffer was full; `None`
    /// before Linux 6.0, where only the records say so.
    ///
    /// # Errors
    ///
    /// Returns an error if a counter cannot be read.
    pub fn lost(&self) -> Result<Option<u64>, Error> {
        let mut sum = 0;
        for event in &self.events {
            let Some(lost) = event.lost()? else { return Ok(None) };
            sum += lost;
        }
        Ok(Some(sum))
    }

    /// Returns the buffers, each of which may be read by another thread.
    pub fn buffers_mut(&mut self) -> &mut [Buffer] {
        &mut self.buffers
    }

    /// Reads all records that are ready, buffer by buffer, and releases them. Records of one
    /// buffer are in the order of their times; those of several are not.
    ///
    /// # Errors
    ///
    /// Returns an error if a buffer has something else than records, which the kernel never
    /// writes; all other records have been read then.
    pub fn read(&mut self, mut each: impl FnMut(&SampledEvent, &Record<'_>)) -> Result<(), Error> {
        let Sampler { events, buffers, ids, .. } = self;
        read(buffers, ids, events, |number, record| each(&events[number], record))
    }

    /// The same with the number of each event.
    #[cfg(feature = "metrics")]
    pub(super) fn read_numbered(
        &mut self,
        each: impl FnMut(usize, &Record<'_>),
    ) -> Result<(), Error> {
        read(&mut self.buffers, &self.ids, &self.events, each)
    }

    /// Waits until there are records, all tasks have ended, or a time is over; `None` waits for
    /// ever. What was read is released.
    ///
    /// The kernel wakes a reader when half of a buffer is full, unless the
    /// [attributes](Options::with_attr) say otherwise. So rare samples need a time.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call fails, and always on systems other than Linux.
    pub fn wait(&mut self, longest: Option<Duration>) -> Result<Wake, Error> {
        #[cfg(all(target_os = "linux", target_has_atomic = "64"))]
        return self.wait_for(&[], longest);
        #[cfg(not(all(target_os = "linux", target_has_atomic = "64")))]
        {
            let _ = longest;
            Err(Error::unsupported())
        }
    }

    /// Like [`wait`](Self::wait), also for other files: that of signals, or a pipe by which
    /// another thread stops it.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call fails.
    #[cfg(all(target_os = "linux", target_has_atomic = "64"))]
    pub fn wait_beside(
        &mut self,
        files: &[BorrowedFd<'_>],
        longest: Option<Duration>,
    ) -> Result<Wake, Error> {
        self.wait_for(files, longest)
    }

    #[cfg(all(target_os = "linux", target_has_atomic = "64"))]
    fn wait_for(
        &mut self,
        others: &[BorrowedFd<'_>],
        longest: Option<Duration>,
    ) -> Result<Wake, Error> {
        use std::os::fd::AsFd as _;
        self.buffers.iter_mut().for_each(Buffer::release);
        let alive = |place: &&Place| !place.has_ended;
        let places = self.events.iter().flat_map(|event| &event.places).filter(alive);
        let files: Vec<_> =
            others.iter().copied().chain(places.map(|place| place.counter.as_fd())).collect();
        if files.is_empty() {
            return Ok(Wake::Ended);
        }
        let mut states = super::ring::wait(&files, longest).map_err(|error| {
            let errno = error.raw_os_error().unwrap_or(0);
            Error::new(ErrorKind::Other, errno, "the buffers cannot be waited for")
        })?;
        let of_places = states.split_off(others.len());
        let is_ready = of_places.iter().any(|&(is_ready, _)| is_ready);
        let places = self.events.iter_mut().flat_map(|event| &mut event.places);
        let mut is_over = true;
        for (place, (_, has_ended)) in places.filter(|place| !place.has_ended).zip(of_places) {
            place.has_ended = has_ended;
            is_over &= has_ended;
        }
        let is_other = states.iter().any(|&(is_ready, has_ended)| is_ready || has_ended);
        Ok(match () {
            () if is_ready => Wake::Ready,
            () if is_other => Wake::Other,
            () if is_over => Wake::Ended,
            () => Wake::Timeout,
        })
    }
}

/// Reads all records that are ready, each with the number of its event.
fn read(
    buffers: &mut [Buffer],
    ids: &[(u64, u32)],
    events: &[SampledEvent],
    mut each: impl FnMut(usize, &Record<'_>),
) -> Result<(), Error> {
    let mut broken = None;
    // Most records are of the same event as the one before.
    let mut last = (u64::MAX, 0);
    for buffer in buffers {
        let layout = buffer.layout;
        let mut records = buffer.records();
        while let Some(bytes) = records.next() {
            let parsed = bytes.and_then(|bytes| {
                let id = layout.identifier(bytes).unwrap_or(last.0);
                if id != last.0 {
                    last = (id, number(ids, id).unwrap_or(0));
                }
                events[last.1].layout.parse(bytes).map(|record| (last.1, record))
            });
            match parsed {
                Ok((event, record)) => each(event, &record),
                Err(error) => broken = Some(error),
            }
        }
        buffer.release();
    }
    broken.map_or(Ok(()), |error| Err(odd(error)))
}

/// The place of events that can share a buffer (`perf_event_set_output` in
/// `kernel/events/core.c`): those of one CPU, or those of one task that are on any CPU.
fn shared_by(target: Target) -> Target {
    match target {
        Target::ThreadOnCpu { cpu, .. } => Target::Cpu(cpu),
        other => other,
    }
}

fn number(ids: &[(u64, u32)], id: u64) -> Option<usize> {
    let at = ids.binary_search_by_key(&id, |&(own, _)| own).ok()?;
    Some(ids[at].1 as usize)
}

fn odd(error: ParseError) -> Error {
    Error::new(ErrorKind::Other, 0, format!("the kernel wrote no record: {error}"))
}

/// Why the kernel refuses a frequency (`perf_event_open` in `kernel/events/core.c`, which only
/// says that something is invalid).
fn above_limit(events: &Resolution, attr_of: &dyn Fn(&Resolved, usize) -> Attr) -> Option<Error> {
    let setting = Path::new("/proc/sys/kernel/perf_event_max_sample_rate");
    let limit: u64 = file::of_procfs(setting).ok()?.trim().parse().ok()?;
    events.events().iter().enumerate().find_map(|(number, resolved)| {
        match attr_of(resolved, number).sampling() {
            Some(Sampling::Frequency(asked)) if asked > limit => {
                let message = format!(
                    "{asked} samples a second are more than the kernel allows, \
                     kernel.perf_event_max_sample_rate = {limit}"
                );
                let error = Error::new(ErrorKind::Invalid, 0, message);
                Some(error.of_event(resolved.name()))
            }
            _ => None,
        }
    })
}
