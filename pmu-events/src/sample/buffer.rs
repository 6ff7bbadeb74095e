use std::sync::Arc;
use std::vec::Vec;

use super::Layout;
use super::ring::{Mapped, Records};
use crate::open::{Counter, Error, ErrorKind, Owner, Target};

/// A buffer that the kernel writes records into.
///
/// What was read stays in the buffer, and takes its room, until it is
/// [released](Buffer::release).
///
/// ```
/// use pmu_events::sample::Sampler;
///
/// fn bytes(sampler: &mut Sampler) -> usize {
///     let mut sum = 0;
///     for buffer in sampler.buffers_mut() {
///         let [first, second] = buffer.ready();
///         sum += first.len() + second.len();
///         buffer.release();
///     }
///     sum
/// }
/// ```
#[derive(Debug)]
pub struct Buffer {
    target: Target,
    ring: Mapped,
    /// Of any of its events, for all have the id in one place.
    pub(super) layout: Layout,
    /// How many bytes were shown.
    shown: usize,
    /// Room for a record that goes on at the beginning.
    whole: Vec<u8>,
}

impl Buffer {
    pub(super) fn new(
        target: Target,
        counter: &Counter,
        layout: Layout,
        pages: Option<usize>,
        owner: &Arc<Owner>,
    ) -> Result<Self, Error> {
        let ring = map(counter, pages, owner)?;
        Ok(Buffer { target, ring, layout, shown: 0, whole: Vec::new() })
    }

    /// Returns the task or CPU that its events sample; events of a task that its children
    /// inherit have a buffer for each CPU, and so [`Target::ThreadOnCpu`].
    #[must_use]
    pub fn target(&self) -> Target {
        self.target
    }

    /// Returns the bytes that are ready: whole records, of which one may begin in the first part
    /// and end in the second. What was shown before is released.
    pub fn ready(&mut self) -> [&[u8]; 2] {
        self.release();
        let parts = self.ring.ready().unwrap_or([&[], &[]]);
        self.shown = parts[0].len() + parts[1].len();
        parts
    }

    /// Returns the records that are ready, each as its bytes; a [`Layout`] parses them. What was
    /// shown before is released.
    pub fn records(&mut self) -> Records<'_> {
        self.release();
        let parts = self.ring.ready().unwrap_or([&[], &[]]);
        self.shown = parts[0].len() + parts[1].len();
        Records::new(parts, &mut self.whole)
    }

    /// Gives the room of what was shown back to the kernel.
    pub fn release(&mut self) {
        self.ring.release(core::mem::take(&mut self.shown));
    }
}

/// Maps a buffer of so many pages, or of as many as the kernel allows.
fn map(counter: &Counter, pages: Option<usize>, owner: &Arc<Owner>) -> Result<Mapped, Error> {
    /// Of data, as `perf record` has without privilege.
    const DEFAULT: usize = 512 << 10;
    const LEAST: usize = 4;
    let mut now = pages.unwrap_or_else(|| (DEFAULT / page_size()).max(LEAST));
    loop {
        let error = match Mapped::new(counter, now, owner) {
            Ok(ring) => return Ok(ring),
            Err(error) => error,
        };
        let is_refused = error.kind() == std::io::ErrorKind::PermissionDenied;
        if pages.is_none() && is_refused && now > LEAST {
            now /= 2;
            continue;
        }
        return Err(refused(&error, now));
    }
}

/// `perf_mmap` in `kernel/events/core.c`
fn refused(error: &std::io::Error, pages: usize) -> Error {
    let errno = error.raw_os_error().unwrap_or(0);
    if error.kind() == std::io::ErrorKind::PermissionDenied {
        let message = std::format!(
            "not permitted: a buffer of {pages} pages would lock more memory than \
             kernel.perf_event_mlock_kb and `ulimit -l` allow; use smaller buffers"
        );
        return Error::new(ErrorKind::NotPermitted, errno, message);
    }
    let message = std::format!("its buffer of {pages} pages cannot be mapped");
    Error::new(ErrorKind::Other, errno, message)
}

#[cfg(target_os = "linux")]
use crate::open::memory::page_size;
#[cfg(not(target_os = "linux"))]
fn page_size() -> usize {
    4096
}
