//! One open counter.

use core::ffi::CStr;

use std::vec;
use std::vec::Vec;

use super::system::Handle;
use super::{Attr, Cgroup, Count, Error, ErrorKind, ReadFormat, Target, count, ioctl};

/// An open counter; closed when it goes.
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
    /// The words of a read of one event.
    const MOST: usize = 5;

    /// Opens a counter, in the group of `leader` if one is given. A program
    /// that is started does not inherit the file.
    ///
    /// Whatever the attributes say, a read gives the two times, without which
    /// a count means little.
    ///
    /// # Errors
    ///
    /// When the kernel refuses, with what may help; on other systems always.
    pub fn open(attr: &Attr, target: Target, leader: Option<&Counter>) -> Result<Self, Error> {
        Self::open_in(None, attr, target, leader)
    }

    /// Opens a counter of a CPU that counts the tasks of a control group alone; with
    /// `None`, as [`open`](Self::open).
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open), and if the target is not a whole CPU.
    pub fn open_in(
        cgroup: Option<&Cgroup>,
        attr: &Attr,
        target: Target,
        leader: Option<&Counter>,
    ) -> Result<Self, Error> {
        if cgroup.is_some() && !target.is_whole_cpu() {
            let message = "a control group can be counted on whole CPUs alone";
            return Err(Error::new(ErrorKind::NotSupported, 0, message));
        }
        let format = attr.read_format() | ReadFormat::TIMES;
        let attr = Attr { read_format: format.bits(), ..*attr };
        let handle = Handle::open(&attr, target, cgroup, leader.map(|leader| &leader.handle))?;
        Ok(Counter { handle, format })
    }

    /// Lets it count, and with it the members of its group that are not
    /// disabled themselves.
    ///
    /// # Errors
    ///
    /// When the kernel refuses; not to be expected.
    pub fn enable(&self) -> Result<(), Error> {
        self.handle.ioctl(ioctl::ENABLE, 0)
    }

    /// Stops it; its count stays.
    ///
    /// # Errors
    ///
    /// When the kernel refuses; not to be expected.
    pub fn disable(&self) -> Result<(), Error> {
        self.handle.ioctl(ioctl::DISABLE, 0)
    }

    /// Sets its count to 0; its times stay.
    ///
    /// # Errors
    ///
    /// When the kernel refuses; not to be expected.
    pub fn reset(&self) -> Result<(), Error> {
        self.handle.ioctl(ioctl::RESET, 0)
    }

    /// [`enable`](Self::enable) for its whole group, one by one: in
    /// [`Attr::counting`] stands why members are better not disabled at all.
    ///
    /// # Errors
    ///
    /// When the kernel refuses; not to be expected.
    pub fn enable_group(&self) -> Result<(), Error> {
        self.handle.ioctl(ioctl::ENABLE, ioctl::GROUP)
    }

    /// [`disable`](Self::disable) for its whole group.
    ///
    /// # Errors
    ///
    /// When the kernel refuses; not to be expected.
    pub fn disable_group(&self) -> Result<(), Error> {
        self.handle.ioctl(ioctl::DISABLE, ioctl::GROUP)
    }

    /// [`reset`](Self::reset) for its whole group.
    ///
    /// # Errors
    ///
    /// When the kernel refuses; not to be expected.
    pub fn reset_group(&self) -> Result<(), Error> {
        self.handle.ioctl(ioctl::RESET, ioctl::GROUP)
    }

    /// Samples after another number of events from now on, or with another
    /// frequency.
    ///
    /// # Errors
    ///
    /// When it does not sample, or the number is 0 or too large.
    pub fn set_period(&self, period: u64) -> Result<(), Error> {
        self.handle.set_period(period)
    }

    /// Lets a tracepoint count only where a condition holds
    /// (`Documentation/trace/events.rst`).
    ///
    /// # Errors
    ///
    /// When the condition does not parse, or the event is none that has
    /// conditions.
    pub fn set_filter(&self, filter: &CStr) -> Result<(), Error> {
        self.handle.set_filter(filter)
    }

    /// The kernel's number of the event, which [`ReadFormat::ID`] gives with a
    /// read.
    ///
    /// # Errors
    ///
    /// When the kernel refuses; not to be expected.
    pub fn id(&self) -> Result<u64, Error> {
        self.handle.id()
    }

    /// What it has counted. Opened with [`ReadFormat::GROUP`], what its
    /// group's leader has.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PinnedOut`] for a pinned event that lost the PMU.
    pub fn read(&self) -> Result<Count, Error> {
        if self.format.has(ReadFormat::GROUP) {
            return self.read_group()?.first().copied().ok_or_else(odd);
        }
        let mut words = [0; Self::MOST];
        let length = self.handle.read(&mut words)?.ok_or_else(Error::pinned_out)?;
        count::one(&words[..length.min(Self::MOST)], self.format).ok_or_else(odd)
    }

    /// What its group has counted, all in one moment: the leader first, the
    /// others in the order in which they were opened. Without
    /// [`ReadFormat::GROUP`], that of itself alone.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PinnedOut`] for a pinned group that lost the PMU.
    /// `ECHILD` ([`ErrorKind::Other`]) where tasks inherit the group while
    /// members are being opened.
    pub fn read_group(&self) -> Result<Vec<Count>, Error> {
        /// Words; the kernel lets no group be longer than 16 KiB
        /// (`__perf_event_read_size`).
        const LONGEST: usize = 16 * 1024 / size_of::<u64>();
        if !self.format.has(ReadFormat::GROUP) {
            return Ok(vec![self.read()?]);
        }
        let mut words = vec![0; 64];
        loop {
            match self.handle.read(&mut words) {
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

fn odd() -> Error {
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

    /// For what else a counter's file can: `mmap`, `poll`.
    impl From<Counter> for OwnedFd {
        fn from(counter: Counter) -> Self {
            counter.handle.0
        }
    }
}
