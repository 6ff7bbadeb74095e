//! Buffers of samples: the functions of C that map them and wait for them.

use core::ffi::{c_int, c_void};
use core::ptr;
use core::slice;
use std::sync::atomic::Ordering;

use super::calls::answer;
use super::real::REAL;
use super::{COUNT, Inside, OPEN, PRELOADED, behind, locked};

fn page_size() -> usize {
    // SAFETY: the call asks for a number and touches no memory.
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(size).unwrap_or(4096)
}

/// Maps the buffer of a simulated event. A single page, which would tell how to read its counter
/// without a system call, is not there, as on machines that do not allow that.
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
pub(super) unsafe extern "C" fn mmap(
    address: *mut c_void,
    length: usize,
    rights: c_int,
    flags: c_int,
    descriptor: c_int,
    offset: libc::off_t,
) -> *mut c_void {
    let _inside = Inside::enter();
    let event = if descriptor >= 0 { behind(descriptor) } else { None };
    let Some((simulation, id)) = event.filter(|_| length > page_size()) else {
        // SAFETY: passed on as it came.
        return unsafe { (REAL.mmap)(address, length, rights, flags, descriptor, offset) };
    };
    let flags = libc::MAP_SHARED | libc::MAP_ANONYMOUS;
    // SAFETY: memory of its own, wherever there is room.
    let place = unsafe {
        (REAL.mmap)(ptr::null_mut(), length, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0)
    };
    if place == libc::MAP_FAILED {
        return place;
    }
    // SAFETY: it was just mapped, and `munmap` tells the kernel before it is gone.
    let mapped =
        unsafe { simulation.kernel().map(id, place.expose_provenance(), page_size(), length) };
    match mapped {
        Ok(()) => place,
        Err(errno) => {
            // SAFETY: it was mapped above, and nobody else knows it.
            unsafe { (REAL.munmap)(place, length) };
            answer::<i8>(Err(errno));
            libc::MAP_FAILED
        }
    }
}

/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
pub(super) unsafe extern "C" fn munmap(address: *mut c_void, length: usize) -> c_int {
    let _inside = Inside::enter();
    if COUNT.load(Ordering::Acquire) > 0 {
        let mut simulations = Vec::new();
        simulations.extend(locked(&OPEN).values().map(|(simulation, _)| simulation.clone()));
        for simulation in simulations {
            if simulation.kernel().unmap(address.addr()) {
                break;
            }
        }
    }
    // SAFETY: passed on as it came; a simulated buffer is a mapping of its own.
    unsafe { (REAL.munmap)(address, length) }
}

/// Where a preloaded program waits for buffers, as much of the simulated time passes as it was
/// willing to wait.
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
pub(super) unsafe extern "C" fn poll(
    files: *mut libc::pollfd,
    number: libc::nfds_t,
    timeout: c_int,
) -> c_int {
    let _inside = Inside::enter();
    if files.is_null() || number == 0 || COUNT.load(Ordering::Acquire) == 0 {
        // SAFETY: passed on as it came.
        return unsafe { (REAL.poll)(files, number, timeout) };
    }
    // SAFETY: the caller gave the address of so many.
    let all = unsafe { slice::from_raw_parts_mut(files, number as usize) };
    let events: Vec<_> = all.iter().map(|file| behind(file.fd)).collect();
    if events.iter().all(Option::is_none) {
        // SAFETY: passed on as it came.
        return unsafe { (REAL.poll)(files, number, timeout) };
    }
    let mut others: Vec<libc::pollfd> = all.to_vec();
    for (other, event) in others.iter_mut().zip(&events) {
        // Negative ones are passed over.
        other.fd = if event.is_some() { -1 } else { other.fd };
        other.revents = 0;
    }
    let mut look = || {
        let mut ready = 0;
        for (file, event) in all.iter_mut().zip(&events) {
            let Some((simulation, id)) = event else { continue };
            let (is_ready, has_ended) = simulation.kernel().poll(*id);
            file.revents = if is_ready { libc::POLLIN } else { 0 };
            file.revents |= if has_ended { libc::POLLHUP } else { 0 };
            ready += c_int::from(file.revents != 0);
        }
        ready
    };
    let mut ready = look();
    let wait = if ready > 0 { 0 } else { timeout };
    // SAFETY: the pointer and the number are those of the vector.
    let others_ready =
        unsafe { (REAL.poll)(others.as_mut_ptr(), others.len() as libc::nfds_t, wait) };
    if others_ready < 0 {
        return others_ready;
    }
    if ready == 0
        && others_ready == 0
        && let (Some((simulation, preloaded)), 1..) = (PRELOADED.as_ref(), timeout)
    {
        let time = u64::from(timeout.unsigned_abs());
        locked(preloaded).run(&mut simulation.kernel(), 1_000_000 * time);
        ready = look();
    }
    for (file, (other, event)) in all.iter_mut().zip(others.iter().zip(&events)) {
        if event.is_none() {
            file.revents = other.revents;
        }
    }
    ready + others_ready
}
