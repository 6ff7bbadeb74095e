//! Counters opened on this machine. Nothing is skipped: where the machine can
//! do less, another answer is expected.

#![cfg(target_os = "linux")]

use std::thread;
use std::time::Instant;

use pmu_events::open::{Attr, Counter, ErrorKind, Flag, ReadFormat, Target};
use pmu_events::resolve::{Resolved, resolve};
use pmu_events::sysfs::Sysfs;

/// Work that takes some time and touches new pages.
fn work() -> u64 {
    const LENGTH: usize = 64 << 12;
    // An allocator might give pages that have been touched before.
    // SAFETY: the kernel chooses where; nothing else is there.
    let pages = unsafe {
        let (rights, kind) =
            (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        let start = libc::mmap(std::ptr::null_mut(), LENGTH, rights, kind, -1, 0);
        assert_ne!(start, libc::MAP_FAILED);
        std::slice::from_raw_parts_mut(start.cast::<u8>(), LENGTH)
    };
    let mut sum = 0_u64;
    for turn in 0..10_u64 {
        for (n, byte) in pages.iter_mut().enumerate() {
            *byte = byte.wrapping_add((n as u64 ^ turn) as u8);
            sum += u64::from(*byte);
        }
    }
    // SAFETY: it was mapped above, and is not used any more.
    unsafe { libc::munmap(pages.as_mut_ptr().cast(), LENGTH) };
    std::hint::black_box(sum)
}

fn attributes(resolved: &[Resolved<'_>]) -> Vec<Attr> {
    resolved.iter().map(Attr::counting).collect()
}

#[test]
fn a_counter_counts_between_enable_and_disable() {
    let sysfs = Sysfs::new();
    let resolved = resolve("task-clock", None, &sysfs).unwrap();
    let attr = Attr::counting(&resolved[0]);
    let counter = Counter::open(&attr, Target::ThisThread, None)
        .expect("a thread's own task-clock can be counted at perf_event_paranoid 2 or less");
    work();
    let before = counter.read().unwrap();
    assert_eq!((before.value, before.time_running, before.estimate()), (0, 0, None));

    let start = Instant::now();
    counter.enable().unwrap();
    work();
    counter.disable().unwrap();
    let elapsed = start.elapsed().as_nanos() as u64;
    let count = counter.read().unwrap();
    let nanoseconds = count.estimate().expect("it was scheduled");
    assert!(nanoseconds > 0 && nanoseconds <= elapsed, "{nanoseconds} of {elapsed} ns");
    assert!(count.time_enabled <= elapsed && count.share() == Some(1.0), "{count:?}");
    work();
    assert_eq!(counter.read().unwrap(), count);

    counter.reset().unwrap();
    let reset = counter.read().unwrap();
    assert_eq!((reset.value, reset.time_enabled), (0, count.time_enabled));
}

#[test]
fn a_group_is_read_in_one_moment() {
    let sysfs = Sysfs::new();
    let resolved = resolve("{task-clock,page-faults,dummy}", None, &sysfs).unwrap();
    let mut attributes = attributes(&resolved);
    for attr in &mut attributes {
        attr.set_read_format(ReadFormat::TIMES | ReadFormat::GROUP | ReadFormat::ID);
    }
    let leader = Counter::open(&attributes[0], Target::ThisThread, None).unwrap();
    let open = |attr| Counter::open(attr, Target::ThisThread, Some(&leader)).unwrap();
    let members: Vec<Counter> = attributes[1..].iter().map(open).collect();
    leader.enable_group().unwrap();
    work();
    leader.disable_group().unwrap();
    let counts = leader.read_group().unwrap();
    assert_eq!(counts.len(), 3);
    assert_eq!(counts[0].id, Some(leader.id().unwrap()));
    assert_eq!(counts[1].id, Some(members[0].id().unwrap()));
    assert!(counts[0].value > 0 && counts[1].value > 0, "{counts:?}");
    assert_eq!(counts[2].value, 0);
    assert!(counts.iter().all(|count| count.time_enabled == counts[0].time_enabled));
    // A member gives the whole group, too.
    assert_eq!(members[1].read_group().unwrap(), counts);

    // As large a group as has to be read anew with more room.
    let many: Vec<Counter> = (0..60).map(|_| open(&attributes[1])).collect();
    assert_eq!(leader.read_group().unwrap().len(), 3 + many.len());
}

#[test]
fn a_thread_by_its_id_and_a_whole_cpu() {
    let sysfs = Sysfs::new();
    let resolved = resolve("task-clock,cpu-clock", None, &sysfs).unwrap();
    let attributes = attributes(&resolved);
    let (tell, hear) = std::sync::mpsc::channel();
    let (done, wait) = std::sync::mpsc::channel::<()>();
    let other = thread::spawn(move || {
        // SAFETY: it has no arguments and cannot fail.
        tell.send(unsafe { libc::gettid() }).unwrap();
        wait.recv().unwrap();
        work();
        wait.recv().unwrap();
    });
    let id = hear.recv().unwrap() as u32;
    let counter = Counter::open(&attributes[0], Target::Thread(id), None).unwrap();
    counter.enable().unwrap();
    done.send(()).unwrap();
    done.send(()).unwrap();
    other.join().unwrap();
    assert!(counter.read().unwrap().estimate() > Some(0));

    let whole = Counter::open(&attributes[1], Target::Cpu(0), None);
    match whole {
        Ok(counter) => {
            counter.enable().unwrap();
            work();
            assert!(counter.read().unwrap().estimate() > Some(0));
        }
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::NotPermitted);
            assert!(error.to_string().contains("perf_event_paranoid"), "{error}");
        }
    }
}

#[test]
fn refusals_have_kinds() {
    let sysfs = Sysfs::new();
    let resolved = resolve("task-clock", None, &sysfs).unwrap();
    let clock = Attr::counting(&resolved[0]);
    let has_hardware = sysfs.core_pmus().next().is_some();
    let mut hardware = Attr { kind: 0, ..Attr::new() };
    hardware.set(Flag::ExcludeKernel, true);
    // A group's member can be neither pinned nor alone.
    let leader = Counter::open(&clock, Target::ThisThread, None).unwrap();
    let mut pinned = clock;
    pinned.set(Flag::Pinned, true);
    let nobody = Target::Thread(i32::MAX as u32);
    let cases = [
        (
            "no such type",
            Attr { kind: 0x7fff_0000, ..clock },
            Target::ThisThread,
            None,
            Some(ErrorKind::NoSuchEvent),
        ),
        ("no such thread", clock, nobody, None, Some(ErrorKind::NoSuchTask)),
        ("a pinned member", pinned, Target::ThisThread, Some(&leader), Some(ErrorKind::Invalid)),
        (
            "bits to come",
            Attr { read_format: 1 << 40, ..clock },
            Target::ThisThread,
            None,
            Some(ErrorKind::Invalid),
        ),
        (
            "cycles",
            hardware,
            Target::ThisThread,
            None,
            (!has_hardware).then_some(ErrorKind::NoHardwarePmu),
        ),
    ];
    for (what, attr, target, leader, expected) in cases {
        let answer = Counter::open(&attr, target, leader);
        assert_eq!(
            answer.as_ref().err().map(pmu_events::open::Error::kind),
            expected,
            "{what}: {answer:?}"
        );
    }
}

/// A counter that another program inherited would go on counting for it.
#[test]
fn programs_inherit_no_counter() {
    use std::os::fd::AsRawFd;
    let sysfs = Sysfs::new();
    let resolved = resolve("dummy", None, &sysfs).unwrap();
    let counter = Counter::open(&Attr::counting(&resolved[0]), Target::ThisThread, None).unwrap();
    // SAFETY: it asks for a number.
    let flags = unsafe { libc::fcntl(counter.as_raw_fd(), libc::F_GETFD) };
    assert_eq!(flags & libc::FD_CLOEXEC, libc::FD_CLOEXEC);
}
