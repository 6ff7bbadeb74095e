//! `perf_event_open(2)`, and the ioctls and reads of an open counter.

use core::ffi::CStr;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};

use super::{HasCores, refusal};
use crate::open::attr::SIZE;
use crate::open::{Attr, Cgroup, Error, Target, ioctl};

/// An open counter.
#[derive(Debug)]
pub(in crate::open) struct Handle(pub(in crate::open) OwnedFd);

/// `PERF_FLAG_FD_CLOEXEC`: the file is closed on `exec`.
const CLOSE_ON_EXEC: libc::c_ulong = 1 << 3;

/// `PERF_FLAG_PID_CGROUP`: the first argument is a control group's directory.
const IN_CGROUP: libc::c_ulong = 1 << 2;

/// `struct perf_event_attr`, aligned like the kernel's.
#[repr(C, align(8))]
struct Told([u8; SIZE]);

impl Told {
    /// The field `size`: the number of bytes that the kernel reads or, after a
    /// refusal with `E2BIG`, the number that it knows.
    fn size(&self) -> u32 {
        let Told([_, _, _, _, a, b, c, d, ..]) = *self;
        u32::from_ne_bytes([a, b, c, d])
    }
}

// The kernel reads `size` bytes.
const _: () = assert!(size_of::<Told>() == SIZE);

fn errno() -> i32 {
    io::Error::last_os_error().raw_os_error().unwrap_or(0)
}

/// Repeats a system call while signals interrupt it (`EINTR`), and returns its result or
/// an error number. Opening waits for a task that is in `exec`, and for the lock of a
/// group, in ways that a signal ends (`perf_event_open` in `kernel/events/core.c`).
fn uninterrupted(mut call: impl FnMut() -> libc::c_long) -> Result<libc::c_long, i32> {
    loop {
        match call() {
            result @ 0.. => return Ok(result),
            _ => match errno() {
                libc::EINTR => {}
                errno => return Err(errno),
            },
        }
    }
}

impl Handle {
    pub(in crate::open) fn open(
        attr: &Attr,
        target: Target,
        cgroup: Option<&Cgroup>,
        leader: Option<&Handle>,
        has_cores: &HasCores,
    ) -> Result<Self, Error> {
        let (pid, cpu) = target.arguments();
        let (pid, flags) = match cgroup {
            Some(cgroup) => (cgroup.descriptor(), CLOSE_ON_EXEC | IN_CGROUP),
            None => (pid, CLOSE_ON_EXEC),
        };
        let group = leader.map_or(-1, |leader| leader.0.as_raw_fd());
        let mut told = Told(attr.bytes());
        debug_assert_eq!(told.size() as usize, size_of::<Told>());
        // SAFETY: `told` has the length in its `size`, because only `Attr::bytes`
        // writes that field; the kernel writes only that field, when it refuses it, and
        // is not asked again then. The other arguments are numbers, extended to whole
        // registers.
        let opened = uninterrupted(|| unsafe {
            libc::syscall(
                libc::SYS_perf_event_open,
                &raw mut told,
                libc::c_long::from(pid),
                libc::c_long::from(cpu),
                libc::c_long::from(group),
                flags,
            )
        });
        match opened {
            // SAFETY: the kernel has just returned it, and nothing else owns it.
            Ok(fd) => Ok(Handle(unsafe { OwnedFd::from_raw_fd(fd as RawFd) })),
            Err(errno) => {
                let in_cgroup = cgroup.and_then(|cgroup| refusal::in_cgroup(errno, cgroup));
                Err(in_cgroup.unwrap_or_else(|| {
                    refusal::of_open(errno, attr, target, leader.is_some(), told.size(), has_cores)
                }))
            }
        }
    }

    pub(in crate::open) fn ioctl(&self, request: u32, argument: u64) -> Result<(), Error> {
        // SAFETY: these ioctls take a number.
        unsafe { self.ioctl_raw(request, argument as libc::c_ulong) }
    }

    pub(in crate::open) fn set_period(&self, period: u64) -> Result<(), Error> {
        // SAFETY: the ioctl reads a `u64`.
        unsafe { self.ioctl_raw(ioctl::PERIOD, (&raw const period) as libc::c_ulong) }
    }

    pub(in crate::open) fn set_filter(&self, filter: &CStr) -> Result<(), Error> {
        // SAFETY: the ioctl reads a NUL-terminated string.
        unsafe { self.ioctl_raw(ioctl::SET_FILTER, filter.as_ptr() as libc::c_ulong) }
    }

    pub(in crate::open) fn id(&self) -> Result<u64, Error> {
        let mut id = 0_u64;
        // SAFETY: the ioctl writes a `u64`.
        unsafe { self.ioctl_raw(ioctl::ID, (&raw mut id) as libc::c_ulong) }?;
        Ok(id)
    }

    /// # Safety
    ///
    /// The argument must be valid for the request.
    unsafe fn ioctl_raw(&self, request: u32, argument: libc::c_ulong) -> Result<(), Error> {
        let file = self.0.as_raw_fd();
        // In musl, the request is a signed number. SAFETY: guaranteed by the
        // caller.
        let answer = uninterrupted(|| unsafe { libc::ioctl(file, request as _, argument) }.into());
        answer.map(drop).map_err(refusal::of_use)
    }

    /// Returns the number of whole words read by one call; 0 if it fails.
    #[inline]
    pub(in crate::open) fn read_once(&self, words: &mut [u64]) -> usize {
        let file = self.0.as_raw_fd();
        // SAFETY: the buffer has the given length, and any bytes are valid integers.
        let length = unsafe { libc::read(file, words.as_mut_ptr().cast(), size_of_val(words)) };
        usize::try_from(length).unwrap_or(0) / size_of::<u64>()
    }

    /// Returns the number of words read; `None` at end of file.
    ///
    /// The caller handles `ENOSPC`: the group may be larger than expected.
    pub(in crate::open) fn read(&self, words: &mut [u64]) -> Result<Option<usize>, Error> {
        let file = self.0.as_raw_fd();
        // SAFETY: the buffer has the given length, and any bytes are valid integers.
        let length = uninterrupted(|| unsafe {
            libc::read(file, words.as_mut_ptr().cast(), size_of_val(words)) as libc::c_long
        });
        match length.map_err(refusal::of_use)? {
            0 => Ok(None),
            length => Ok(Some(length as usize / size_of::<u64>())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_is_told_the_size() {
        let told = Told(Attr::default().bytes());
        assert_eq!(told.size() as usize, size_of::<Told>());
        assert_eq!(align_of::<Told>(), align_of::<u64>());
    }
    /// The answers of the kernel, and what the caller sees after how many calls.
    #[test]
    fn interrupted_calls_are_repeated() {
        const EINTR: libc::c_long = -(libc::EINTR as libc::c_long);
        const ENOENT: libc::c_long = -(libc::ENOENT as libc::c_long);
        let cases: &[(&[libc::c_long], Result<libc::c_long, i32>, usize)] = &[
            (&[7, 8], Ok(7), 1),
            (&[0], Ok(0), 1),
            (&[ENOENT, 7], Err(libc::ENOENT), 1),
            (&[EINTR, 7], Ok(7), 2),
            (&[EINTR, EINTR, EINTR, 0, 7], Ok(0), 4),
            (&[EINTR, ENOENT, EINTR, 7], Err(libc::ENOENT), 2),
        ];
        for &(answers, expected, calls) in cases {
            let mut rest = answers.iter();
            let result = uninterrupted(|| {
                let &answer = rest.next().expect("it is not called after an answer");
                if answer < 0 {
                    // SAFETY: each thread has an error number of its own.
                    unsafe { *libc::__errno_location() = -answer as i32 };
                    return -1;
                }
                answer
            });
            assert_eq!((result, answers.len() - rest.len()), (expected, calls), "{answers:?}");
        }
    }
}
