//! An open counter.

use core::ffi::CStr;

use std::vec;
use std::vec::Vec;

use super::count::Members;
use super::system::{Handle, HasCores};
use super::{Attr, Cgroup, Count, Error, ErrorKind, ReadFormat, Target, count, ioctl};

/// An open counter. Dropping it closes the file descriptor.
///
/// ```no_run
/// use pmu_events::System;
/// use pmu_events::open::{Attr, Counter, Target};
///
/// let resolved = System::new().require("instructions:u")?;
/// let counter = Counter::open(&Attr::counting(&resolved[0]), Target::ThisThread, None)?;
/// counter.enable()?;
/// let sum: u64 = (0..1_000).sum();
/// counter.disable()?;
/// match counter.read()?.estimate() {
///     Some(count) => println!("{count} instructions for {sum}"),
///     None => println!("never had a counter"),
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Counter {
    handle: Handle,
    format: ReadFormat,
}

impl Counter {
    /// The format of the groups of a set. The order of the members tells them apart, so that
    /// their ids would only make each read longer.
    pub(super) const OF_GROUP: ReadFormat =
        ReadFormat::from_bits(ReadFormat::TIMES.bits() | ReadFormat::GROUP.bits());

    /// The maximum number of words that a read of one event returns.
    const MOST: usize = 5;

    /// Opens a counter, in the group of `leader` if one is given. The file is
    /// closed on `exec`.
    ///
    /// Reads always include both times, whatever the attributes say: without them a
    /// count cannot be scaled.
    ///
    /// # Errors
    ///
    /// Returns an error if the kernel refuses to open the event; the message
    /// suggests a cure. Always returns an error on non-Linux systems.
    pub fn open(attr: &Attr, target: Target, leader: Option<&Counter>) -> Result<Self, Error> {
        Self::open_in(None, attr, target, leader)
    }

    /// Opens a counter of a CPU that counts only the tasks of a control group; with
    /// `None`, this is [`open`](Self::open).
    ///
    /// # Errors
    ///
    /// Returns an error in the same cases as [`open`](Self::open), and if the
    /// target is not a whole CPU.
    pub fn open_in(
        cgroup: Option<&Cgroup>,
        attr: &Attr,
        target: Target,
        leader: Option<&Counter>,
    ) -> Result<Self, Error> {
        Self::open_knowing(&HasCores::default(), cgroup, attr, target, leader)
    }

    /// Like [`open_in`](Self::open_in), one of several: what explains one refusal explains the next.
    pub(super) fn open_knowing(
        has_cores: &HasCores,
        cgroup: Option<&Cgroup>,
        attr: &Attr,
        target: Target,
        leader: Option<&Counter>,
    ) -> Result<Self, Error> {
        if cgroup.is_some() && !target.is_whole_cpu() {
            return Err(Error::new(ErrorKind::NotSupported, 0, Cgroup::NEEDS_CPUS));
        }
        let format = attr.read_format() | ReadFormat::TIMES;
        let attr = attr.with_read_format(format);
        let leader = leader.map(|leader| &leader.handle);
        let handle = Handle::open(&attr, target, cgroup, leader, has_cores)?;
        Ok(Counter { handle, format })
    }

    /// Enables the counter, and with it the members of its group that are not
    /// themselves disabled.
    ///
    /// # Errors
    ///
    /// Returns an error if the ioctl fails.
    pub fn enable(&self) -> Result<(), Error> {
        self.handle.ioctl(ioctl::ENABLE, 0)
    }

    /// Disables the counter, which keeps its count.
    ///
    /// # Errors
    ///
    /// Returns an error if the ioctl fails.
    pub fn disable(&self) -> Result<(), Error> {
        self.handle.ioctl(ioctl::DISABLE, 0)
    }

    /// Sets the count to 0. The kernel keeps the times, and what children have counted
    /// that have ended; [`Counters::reset`](super::Counters::reset) clears both.
    ///
    /// # Errors
    ///
    /// Returns an error if the ioctl fails.
    pub fn reset(&self) -> Result<(), Error> {
        self.handle.ioctl(ioctl::RESET, 0)
    }

    /// Enables each member of the counter's group, one after another.
    /// [`Attr::counting`] explains why members should not be disabled in the first
    /// place.
    ///
    /// # Errors
    ///
    /// Returns an error if the ioctl fails.
    pub fn enable_group(&self) -> Result<(), Error> {
        self.handle.ioctl(ioctl::ENABLE, ioctl::GROUP)
    }

    /// Disables each member of the counter's group.
    ///
    /// # Errors
    ///
    /// Returns an error if the ioctl fails.
    pub fn disable_group(&self) -> Result<(), Error> {
        self.handle.ioctl(ioctl::DISABLE, ioctl::GROUP)
    }

    /// Sets the count of each member of the counter's group to 0.
    ///
    /// # Errors
    ///
    /// Returns an error if the ioctl fails.
    pub fn reset_group(&self) -> Result<(), Error> {
        self.handle.ioctl(ioctl::RESET, ioctl::GROUP)
    }

    /// Changes the sampling period, or the frequency if the event samples by
    /// frequency.
    ///
    /// # Errors
    ///
    /// Returns an error if the event does not sample, or if the number is 0 or too
    /// large.
    pub fn set_period(&self, period: u64) -> Result<(), Error> {
        self.handle.set_period(period)
    }

    /// Makes a tracepoint count only if a condition holds
    /// (`Documentation/trace/events.rst`).
    ///
    /// # Errors
    ///
    /// Returns an error if the condition does not parse, or if the event does not
    /// support filters.
    pub fn set_filter(&self, filter: &CStr) -> Result<(), Error> {
        self.handle.set_filter(filter)
    }

    /// Writes the records into the buffer of another counter.
    #[cfg(all(feature = "sample", target_os = "linux"))]
    pub(crate) fn write_to(&self, other: &Counter) -> Result<(), Error> {
        use std::os::fd::AsRawFd as _;
        self.handle.ioctl(ioctl::SET_OUTPUT, other.as_raw_fd() as u64)
    }

    #[cfg(all(feature = "sample", not(target_os = "linux")))]
    pub(crate) fn write_to(&self, _other: &Counter) -> Result<(), Error> {
        Err(Error::unsupported())
    }

    /// Returns the kernel's id of the event, which reads with [`ReadFormat::ID`]
    /// contain.
    ///
    /// # Errors
    ///
    /// Returns an error if the ioctl fails.
    pub fn id(&self) -> Result<u64, Error> {
        self.handle.id()
    }

    /// Reads the counter. If it was opened with [`ReadFormat::GROUP`], returns the
    /// count of its group's leader.
    ///
    /// # Errors
    ///
    /// Returns an error if the read fails; [`ErrorKind::PinnedOut`] for a pinned
    /// event that lost the PMU.
    pub fn read(&self) -> Result<Count, Error> {
        if self.format.contains(ReadFormat::GROUP) {
            return self.members(&mut Vec::new())?.next().ok_or_else(odd);
        }
        self.read_alone()
    }

    /// Reads a counter that does not read its group.
    fn read_alone(&self) -> Result<Count, Error> {
        let mut words = [0; Self::MOST];
        let length = self.handle.read(&mut words)?.ok_or_else(Error::pinned_out)?;
        count::one(&words[..length.min(Self::MOST)], self.format).ok_or_else(odd)
    }

    /// Reads all counters of the group at the same instant: the leader first, the
    /// others in the order in which they were opened. Without
    /// [`ReadFormat::GROUP`], reads only this counter.
    ///
    /// # Errors
    ///
    /// Returns an error if the read fails; [`ErrorKind::PinnedOut`] for a pinned
    /// group that lost the PMU, and `ECHILD` ([`ErrorKind::Other`]) if a task
    /// inherited the group while its members were being opened.
    pub fn read_group(&self) -> Result<Vec<Count>, Error> {
        if !self.format.contains(ReadFormat::GROUP) {
            return Ok(vec![self.read_alone()?]);
        }
        Ok(self.members(&mut Vec::new())?.collect())
    }

    /// Reads a group into `words` with one call, and returns both times and the value of each
    /// member; `None` if that is not what the kernel wrote, or if there was no room for it.
    #[inline]
    pub(super) fn values<'w>(
        &self,
        words: &'w mut [u64],
        members: usize,
    ) -> Option<(u64, u64, &'w [u64])> {
        let length = 3 + members;
        let is_as_long = words.len() >= length && self.handle.read_once(words) == length;
        if !is_as_long || self.format.bits() != Self::OF_GROUP.bits() {
            return None;
        }
        match &words[..length] {
            [number, enabled, running, values @ ..] if *number == members as u64 => {
                Some((*enabled, *running, values))
            }
            _ => None,
        }
    }

    /// Whether this is the format of its reads.
    #[cfg(feature = "region")]
    pub(super) fn reads_as(&self, format: ReadFormat) -> bool {
        self.format.bits() == format.bits()
    }

    /// Reads the counter, or its group, with one call; `false` if the result is not as long as
    /// `words`.
    #[cfg(feature = "region")]
    #[inline]
    pub(super) fn read_words(&self, words: &mut [u64]) -> bool {
        self.handle.read_once(words) == words.len()
    }

    /// Reads the group into `words`, which grows to what is needed and is of use for the next
    /// read; its format must be that of a group.
    pub(super) fn members<'w>(&self, words: &'w mut Vec<u64>) -> Result<Members<'w>, Error> {
        /// In words; most groups need less.
        const LEAST: usize = 64;
        /// The kernel limits a group to 16 KiB (`__perf_event_read_size`).
        const LONGEST: usize = 16 * 1024 / size_of::<u64>();
        if words.len() < LEAST {
            words.resize(LEAST, 0);
        }
        loop {
            match self.handle.read(words) {
                Ok(Some(length)) => {
                    let words = words.get(..length).ok_or_else(odd)?;
                    return count::group(words, self.format).ok_or_else(odd);
                }
                Ok(None) => return Err(Error::pinned_out()),
                Err(error) if error.kind() == ErrorKind::NoSpace && words.len() < LONGEST => {
                    words.resize(LONGEST, 0);
                }
                Err(error) => return Err(error),
            }
        }
    }
}

pub(super) fn odd() -> Error {
    Error::new(ErrorKind::Other, 0, "the kernel gave less than a read of this event has")
}

#[cfg(target_os = "linux")]
mod fd {
    use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};

    use super::Counter;

    impl AsFd for Counter {
        fn as_fd(&self) -> BorrowedFd<'_> {
            self.handle.0.as_fd()
        }
    }

    impl AsRawFd for Counter {
        fn as_raw_fd(&self) -> RawFd {
            self.handle.0.as_raw_fd()
        }
    }

    /// For other operations on the counter's file, such as `mmap` and `poll`.
    impl From<Counter> for OwnedFd {
        fn from(counter: Counter) -> Self {
            counter.handle.0
        }
    }
}
