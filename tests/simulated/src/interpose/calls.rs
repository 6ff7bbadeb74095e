//! The functions of C that lead to the kernel. Each passes on what is not meant for a
//! simulated one.

use core::ffi::{CStr, c_char, c_int, c_long, c_ulong, c_void};
use core::ptr;
use core::slice;
use std::ffi::{CString, OsStr};
use std::os::fd::RawFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::atomic::Ordering;

use super::real::REAL;
use super::{COUNT, Inside, OPEN, PRELOADED, Simulation, behind, buffers, current, locked};
use crate::attr::Attr;
use crate::kernel::Control;
use crate::kernel::{Errno, Request, TICK};
use crate::world::Tid;

/// Refers to every function below, so that the linker takes this file, with all of them, into
/// a program that uses the library.
pub(super) fn keep() {
    let all = [
        syscall as *const c_void,
        ioctl as *const c_void,
        open64 as *const c_void,
        read as *const c_void,
        close as *const c_void,
        clock_gettime as *const c_void,
        getrusage as *const c_void,
        gettid as *const c_void,
        sigtimedwait as *const c_void,
        waitid as *const c_void,
        buffers::mmap as *const c_void,
        buffers::munmap as *const c_void,
        buffers::poll as *const c_void,
        sched_getaffinity as *const c_void,
        sched_setaffinity as *const c_void,
    ];
    std::hint::black_box(all);
}

/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
unsafe extern "C" fn syscall(
    number: c_long,
    a: c_long,
    b: c_long,
    c: c_long,
    d: c_long,
    e: c_long,
    f: c_long,
) -> c_long {
    let _inside = Inside::enter();
    if number == libc::SYS_perf_event_open
        && let Some((simulation, task)) = current()
    {
        let attr = ptr::with_exposed_provenance_mut(a as usize);
        // SAFETY: the caller passes what this system call takes.
        let opened = unsafe { open(&simulation, task, attr, [b, c, d, e]) };
        return answer(opened.map(c_long::from));
    }
    // SAFETY: passed on as it came.
    unsafe { (REAL.syscall)(number, a, b, c, d, e, f) }
}

/// # Safety
///
/// `attr` points to a `perf_event_attr` whose `size` is true.
unsafe fn open(
    simulation: &Simulation,
    caller: Option<Tid>,
    attr: *mut u8,
    [pid, cpu, leader, flags]: [c_long; 4],
) -> Result<RawFd, Errno> {
    const IN_CGROUP: c_long = 1 << 2;
    if attr.is_null() {
        return Err(libc::EFAULT);
    }
    // SAFETY: the structure begins with `type` and `size`, and has that size.
    let bytes = unsafe {
        let size = attr.add(4).cast::<u32>().read_unaligned() as usize;
        slice::from_raw_parts(attr, size.max(8))
    };
    let attr = Attr::read(bytes).ok_or(libc::E2BIG)?;
    let number = |given: c_long| u32::try_from(given as i32).ok();
    let group = match flags & IN_CGROUP {
        0 => None,
        _ => Some(simulation.group_of(pid as RawFd).ok_or(libc::EBADF)?),
    };
    let task = match (group, number(pid)) {
        (Some(_), _) | (None, None) => None,
        (None, Some(0)) => Some(caller.unwrap_or_else(own_task)),
        (None, Some(task)) => Some(task),
    };
    catch_up();
    let leader = match number(leader) {
        None => None,
        Some(leader) => {
            let (_, id) = behind(leader as RawFd).ok_or(libc::EBADF)?;
            Some(id)
        }
    };
    if let (Some((_, preloaded)), None, Some(task)) = (PRELOADED.as_ref(), caller, task) {
        // SAFETY: signal 0 only asks.
        let is_alive = unsafe { libc::kill(task as libc::pid_t, 0) } == 0;
        locked(preloaded).meet(&mut simulation.kernel(), task, is_alive);
    }
    if task.is_some() {
        simulation.with_own(caller, |own, kernel, task| own.meet(kernel, task));
    }
    // A descriptor first: the process may have too many.
    // SAFETY: the path ends with NUL.
    let descriptor = unsafe { libc::open(c"/dev/null".as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC) };
    if descriptor < 0 {
        return Err(std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EMFILE));
    }
    let request = Request { attr: &attr, task, cpu: number(cpu), leader, group };
    let opened = simulation.kernel().open(&request);
    match opened {
        Ok(id) => {
            locked(&OPEN).insert(descriptor, (simulation.clone(), id));
            COUNT.fetch_add(1, Ordering::AcqRel);
            Ok(descriptor)
        }
        Err(errno) => {
            // SAFETY: it was opened above, and nobody else knows it.
            unsafe { (REAL.close)(descriptor) };
            Err(errno)
        }
    }
}

pub(super) fn own_task() -> Tid {
    // SAFETY: the call has no arguments and cannot fail.
    unsafe { (REAL.gettid)() }.cast_unsigned()
}

fn is_real() -> bool {
    PRELOADED.as_ref().is_some_and(|(_, preloaded)| locked(preloaded).is_real())
}

/// Lets as much time pass as has passed outside, if the description says so.
fn catch_up() {
    let Some((simulation, preloaded)) = PRELOADED.as_ref().filter(|_| is_real()) else { return };
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call only writes the structure.
    unsafe { (REAL.clock_gettime)(libc::CLOCK_MONOTONIC, &raw mut time) };
    let outside = time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64;
    locked(preloaded).follow(&mut simulation.kernel(), outside);
}

/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
unsafe extern "C" fn ioctl(descriptor: c_int, request: c_ulong, argument: c_ulong) -> c_int {
    const WHOLE_GROUP: c_ulong = 1;
    let _inside = Inside::enter();
    let Some((simulation, id)) = behind(descriptor) else {
        // SAFETY: passed on as it came.
        return unsafe { (REAL.ioctl)(descriptor, request, argument) };
    };
    catch_up();
    // The number alone: direction and size differ between architectures.
    let is_of_events = request >> 8 & 0xff == c_ulong::from(b'$');
    let caller = current().and_then(|(_, task)| task);
    let control = |control| {
        if control == Control::Disable {
            simulation.with_own(caller, |own, kernel, task| own.end(kernel, task));
        }
        let done = simulation.kernel().control(id, control, argument & WHOLE_GROUP != 0);
        if control == Control::Enable {
            simulation.with_own(caller, |own, _, _| own.begin());
        }
        done.map(|()| 0)
    };
    answer(match request & 0xff {
        _ if !is_of_events => Err(libc::ENOTTY),
        0 => control(Control::Enable),
        1 => control(Control::Disable),
        3 => control(Control::Reset),
        5 => {
            let output = behind(argument as RawFd).ok_or(libc::EBADF);
            output.and_then(|(_, output)| simulation.kernel().redirect(id, output)).map(|()| 0)
        }
        7 => {
            let place = ptr::with_exposed_provenance_mut::<u64>(argument as usize);
            // SAFETY: this request takes the address of a `u64`.
            unsafe { place.write(id) };
            Ok(0)
        }
        _ => Err(libc::EINVAL),
    })
}

/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
unsafe extern "C" fn open64(path: *const c_char, flags: c_int, mode: libc::mode_t) -> c_int {
    let _inside = Inside::enter();
    // SAFETY: the caller gave a text that ends with NUL.
    let text = unsafe { CStr::from_ptr(path) };
    let path_of = |text: &CStr| Path::new(OsStr::from_bytes(text.to_bytes())).to_path_buf();
    let redirected = text
        .to_bytes()
        .starts_with(b"/sys/")
        .then(current)
        .flatten()
        .and_then(|(simulation, _)| simulation.redirect(&path_of(text)))
        .and_then(|path| CString::new(path.into_os_string().into_encoded_bytes()).ok());
    let path = redirected.as_ref().map_or(path, |path| path.as_ptr());
    // SAFETY: passed on as it came, or with another text that ends with NUL.
    unsafe { (REAL.open64)(path, flags, mode) }
}

/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
unsafe extern "C" fn read(descriptor: c_int, buffer: *mut c_void, length: usize) -> isize {
    let _inside = Inside::enter();
    let Some((simulation, id)) = behind(descriptor) else {
        // SAFETY: passed on as it came.
        return unsafe { (REAL.read)(descriptor, buffer, length) };
    };
    catch_up();
    // A program that counts itself runs while it reads.
    simulation.with_own(None, |_, kernel, _| kernel.run(TICK));
    let words = simulation.kernel().read(id, length / size_of::<u64>());
    answer(words.map(|words| {
        // SAFETY: the buffer has room for them, and they are of no use to anyone else.
        unsafe { ptr::copy_nonoverlapping(words.as_ptr(), buffer.cast(), words.len()) };
        (words.len() * size_of::<u64>()) as isize
    }))
}

/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
unsafe extern "C" fn close(descriptor: c_int) -> c_int {
    let _inside = Inside::enter();
    if COUNT.load(Ordering::Acquire) > 0
        && let Some((simulation, id)) = locked(&OPEN).remove(&descriptor)
    {
        COUNT.fetch_sub(1, Ordering::AcqRel);
        simulation.kernel().close(id);
    }
    // SAFETY: passed on as it came; a simulated event has a descriptor of its own.
    unsafe { (REAL.close)(descriptor) }
}

/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
unsafe extern "C" fn clock_gettime(clock: c_int, time: *mut libc::timespec) -> c_int {
    let _inside = Inside::enter();
    let Some((simulation, _)) = (clock == libc::CLOCK_MONOTONIC).then(current).flatten() else {
        // SAFETY: passed on as it came.
        return unsafe { (REAL.clock_gettime)(clock, time) };
    };
    if is_real() {
        // SAFETY: passed on as it came.
        return unsafe { (REAL.clock_gettime)(clock, time) };
    }
    let now = simulation.kernel().now();
    // A clock that starts at 0 would let a moment before the start seem to be impossible.
    let now = libc::timespec {
        tv_sec: 1_000_000 + (now / 1_000_000_000) as libc::time_t,
        tv_nsec: (now % 1_000_000_000) as _,
    };
    // SAFETY: the caller gave the address of a `timespec`.
    unsafe { time.write(now) };
    0
}

/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
unsafe extern "C" fn getrusage(who: c_int, usage: *mut libc::rusage) -> c_int {
    let _inside = Inside::enter();
    let entered = (who == libc::RUSAGE_THREAD).then(current).flatten();
    let Some((simulation, Some(task))) = entered else {
        // SAFETY: passed on as it came.
        return unsafe { (REAL.getrusage)(who, usage) };
    };
    let kernel = simulation.kernel();
    let ran = kernel.world().time((0, kernel.now()), |run| run.task == task);
    // SAFETY: the caller gave the address of a `rusage`, for which zeros are a value.
    unsafe {
        usage.write_bytes(0, 1);
        (*usage).ru_utime.tv_sec = (ran / 1_000_000_000) as libc::time_t;
        (*usage).ru_utime.tv_usec = (ran % 1_000_000_000 / 1_000) as libc::suseconds_t;
    }
    0
}

#[unsafe(no_mangle)]
extern "C" fn gettid() -> c_int {
    let _inside = Inside::enter();
    match current() {
        Some((_, Some(task))) => task.cast_signed(),
        _ => own_task().cast_signed(),
    }
}

/// Where a preloaded program waits, as much of the simulated time passes as it was willing to
/// wait.
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
unsafe extern "C" fn sigtimedwait(
    set: *const libc::sigset_t,
    about: *mut libc::siginfo_t,
    time: *const libc::timespec,
) -> c_int {
    // SAFETY: passed on as it came.
    let signal = unsafe { (REAL.sigtimedwait)(set, about, time) };
    if let (Some((simulation, preloaded)), true) =
        (PRELOADED.as_ref(), signal < 0 && !time.is_null())
    {
        // SAFETY: the caller gave the address of a `timespec`.
        let time = unsafe { time.read() };
        let time = time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64;
        locked(preloaded).run(&mut simulation.kernel(), time);
    }
    signal
}

/// When a preloaded program learns that its command has ended, the described program has,
/// too.
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
unsafe extern "C" fn waitid(
    kind: libc::idtype_t,
    id: libc::id_t,
    about: *mut libc::siginfo_t,
    options: c_int,
) -> c_int {
    // SAFETY: passed on as it came.
    let result = unsafe { (REAL.waitid)(kind, id, about, options) };
    if let (Some((simulation, preloaded)), true) =
        (PRELOADED.as_ref(), result == 0 && !about.is_null())
    {
        // SAFETY: the call has written it.
        let has_ended = unsafe { (*about).si_pid() } != 0;
        // One that follows the time outside goes on: it is what the machine does.
        match has_ended && !is_real() {
            true => locked(preloaded).finish(&mut simulation.kernel()),
            false => catch_up(),
        }
    }
    result
}

/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
unsafe extern "C" fn sched_getaffinity(
    task: libc::pid_t,
    size: usize,
    cpus: *mut libc::cpu_set_t,
) -> c_int {
    let _inside = Inside::enter();
    let allowed = current().filter(|_| task == 0).and_then(|(simulation, caller)| {
        simulation.with_own(caller, |own, kernel, _| own.allowed(kernel))
    });
    let Some(allowed) = allowed else {
        // SAFETY: passed on as it came.
        return unsafe { (REAL.sched_getaffinity)(task, size, cpus) };
    };
    // SAFETY: the caller gave the address of a set of that size, for which zeros are values.
    unsafe {
        cpus.cast::<u8>().write_bytes(0, size);
        allowed.iter().for_each(|&cpu| libc::CPU_SET(cpu as usize, &mut *cpus));
    }
    0
}

/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
unsafe extern "C" fn sched_setaffinity(
    task: libc::pid_t,
    size: usize,
    cpus: *const libc::cpu_set_t,
) -> c_int {
    let _inside = Inside::enter();
    let done = current().filter(|_| task == 0).and_then(|(simulation, caller)| {
        // SAFETY: the caller gave the address of a set.
        let is_in = |cpu: &u32| unsafe { libc::CPU_ISSET(*cpu as usize, &*cpus) };
        simulation.with_own(caller, |own, kernel, task| {
            let cpus = (0..kernel.machine.cpus).filter(is_in).collect();
            own.allow(kernel, task, &cpus)
        })
    });
    match done {
        Some(is_done) => answer(if is_done { Ok(0) } else { Err(libc::EINVAL) }),
        // SAFETY: passed on as it came.
        None => unsafe { (REAL.sched_setaffinity)(task, size, cpus) },
    }
}

/// The result of a function of C: -1 and the error number, or what it returns.
pub(super) fn answer<T: From<i8>>(result: Result<T, Errno>) -> T {
    result.unwrap_or_else(|errno| {
        // SAFETY: it is the address of this thread's error number.
        unsafe { *libc::__errno_location() = errno };
        T::from(-1)
    })
}
