//! Counters opened on this machine. Nothing is skipped: where the machine can
//! do less, another answer is expected.

#![cfg(target_os = "linux")]

use std::thread;
use std::time::Instant;

#[allow(dead_code)]
mod machines;
#[path = "common/rights.rs"]
mod rights;

use machines::Machine;
use pmu_events::__private::{instances, set_event};
use pmu_events::format::Words;
use pmu_events::open::{
    self, Attr, Counter, Counters, ErrorKind, Flag, Options, Outcome, ReadFormat, Target,
};
use pmu_events::resolve::Resolved;
use pmu_events::{Scope, System};
use rights::{Rights, has_hardware, rights};

/// What is a directory, but no control group, is refused by name; so is a task in
/// one.
#[test]
fn directories_that_are_no_control_groups() {
    let directory = std::env::temp_dir();
    let cgroup = || open::Cgroup::open(&directory).expect("it is a directory");
    let options =
        Options::new().with_scope(Scope::Cpus("0".parse().unwrap())).with_cgroup(cgroup());
    let opened = Counters::open(&System::new().resolve("cpu-clock").unwrap(), &options);
    match opened {
        // Older and smaller kernels have no counters of control groups at all.
        Ok(counters) => {
            let refusal = counters.events()[0].refusal().expect("nothing is open").to_string();
            let is_known = refusal.contains("CONFIG_CGROUP_PERF") || rights::has_no_counters();
            assert!(is_known, "{refusal}");
        }
        // The kernel asks for rights after it has looked at the directory; a sandbox
        // does before.
        Err(error) => {
            let message = format!("{} is not a control group", directory.display());
            let is_forbidden = error.kind() == ErrorKind::NotPermitted;
            // Without rights, the kernel's part is left out.
            let names = ["cpu-clock", "cpu-clock:u"];
            let text = error.to_string();
            let is_expected = names.iter().any(|name| text == format!("`{name}`: {message}"))
                || is_forbidden && rights() == Rights::Nothing;
            assert!(is_expected, "{error}");
        }
    }
    let attr = Attr::counting(&System::new().require("cpu-clock").unwrap()[0]);
    let error = Counter::open_in(Some(&cgroup()), &attr, Target::ThisThread, None).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotSupported, "{error}");
}

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
        // A huge page may be there before it is touched, by a neighbour. Where
        // there are none, neither is this.
        libc::madvise(start, LENGTH, libc::MADV_NOHUGEPAGE);
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

fn attributes(resolved: &[Resolved]) -> Vec<Attr> {
    resolved.iter().map(Attr::counting).collect()
}

/// Where the kernel lets nobody count, it must say so, and there is nothing else
/// to be seen. What counts in user space alone is permitted first.
fn is_refused() -> bool {
    if rights() > Rights::Nothing {
        return false;
    }
    let system = System::new();
    let resolved = system.require("task-clock:u").unwrap();
    let attr = Attr::counting(&resolved[0]);
    let error = Counter::open(&attr, Target::ThisThread, None).unwrap_err();
    let expected = match rights::has_no_counters() {
        true => ErrorKind::NoSystemCall,
        false => ErrorKind::NotPermitted,
    };
    assert_eq!(error.kind(), expected, "{error}");
    let set = Counters::open(&resolved, &Options::new());
    match expected {
        // What a machine lacks is an answer of the event.
        ErrorKind::NoSystemCall => {
            assert_eq!(set.unwrap().events()[0].refusal().map(open::Error::kind), Some(expected));
        }
        _ => assert_eq!(set.unwrap_err().kind(), expected),
    }
    true
}

/// What is said of hardware that is not there.
fn no_hardware() -> ErrorKind {
    // Nothing can be said without sysfs.
    match std::path::Path::new("/sys/bus/event_source/devices").is_dir() {
        true => ErrorKind::NoHardwarePmu,
        false => ErrorKind::NoSuchEvent,
    }
}

#[test]
fn a_counter_counts_between_enable_and_disable() {
    if is_refused() {
        return;
    }
    let system = System::new();
    let resolved = system.require("task-clock:u").unwrap();
    let attr = Attr::counting(&resolved[0]);
    let counter =
        Counter::open(&attr, Target::ThisThread, None).expect("a thread may count itself");
    work();
    let before = counter.read().unwrap();
    assert_eq!((before.value(), before.time_running(), before.estimate()), (0, 0, None));

    let start = Instant::now();
    counter.enable().unwrap();
    work();
    counter.disable().unwrap();
    let elapsed = start.elapsed().as_nanos() as u64;
    let count = counter.read().unwrap();
    let nanoseconds = count.estimate().expect("it was scheduled");
    assert!(nanoseconds > 0 && nanoseconds <= elapsed, "{nanoseconds} of {elapsed} ns");
    assert!(count.time_enabled() <= elapsed && count.share() == Some(1.0), "{count:?}");
    work();
    assert_eq!(counter.read().unwrap(), count);

    counter.reset().unwrap();
    let reset = counter.read().unwrap();
    assert_eq!((reset.value(), reset.time_enabled()), (0, count.time_enabled()));
}

#[test]
fn a_group_is_read_in_one_moment() {
    if is_refused() {
        return;
    }
    let system = System::new();
    let resolved = system.require("{task-clock,page-faults,dummy}:u").unwrap();
    let mut attributes = attributes(resolved.events());
    for attr in &mut attributes {
        *attr = attr.with_read_format(ReadFormat::TIMES | ReadFormat::GROUP | ReadFormat::ID);
    }
    attributes[1..].iter_mut().for_each(|attr| *attr = attr.with(Flag::Disabled, false));
    let leader = Counter::open(&attributes[0], Target::ThisThread, None).unwrap();
    let open = |attr| Counter::open(attr, Target::ThisThread, Some(&leader)).unwrap();
    let members: Vec<Counter> = attributes[1..].iter().map(open).collect();
    leader.enable().unwrap();
    work();
    leader.disable().unwrap();
    let counts = leader.read_group().unwrap();
    assert_eq!(counts.len(), 3);
    assert_eq!(counts[0].id(), Some(leader.id().unwrap()));
    assert_eq!(counts[1].id(), Some(members[0].id().unwrap()));
    assert!(counts[0].value() > 0 && counts[1].value() >= 64, "{counts:?}");
    assert_eq!(counts[2].value(), 0);
    assert!(counts.iter().all(|count| count.time_enabled() == counts[0].time_enabled()));
    // A member gives the whole group, too.
    assert_eq!(members[1].read_group().unwrap(), counts);

    // As large a group as has to be read anew with more room.
    let many: Vec<Counter> = (0..60).map(|_| open(&attributes[1])).collect();
    assert_eq!(leader.read_group().unwrap().len(), 3 + many.len());
}

#[test]
fn a_thread_by_its_id_and_a_whole_cpu() {
    if is_refused() {
        return;
    }
    let system = System::new();
    let resolved = system.require("task-clock:u,cpu-clock").unwrap();
    let attributes = attributes(resolved.events());
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
            assert_eq!(rights(), Rights::Cpus);
            counter.enable().unwrap();
            work();
            assert!(counter.read().unwrap().estimate() > Some(0));
        }
        Err(error) => {
            assert!(rights() < Rights::Cpus, "{error}");
            assert_eq!(error.kind(), ErrorKind::NotPermitted);
            assert!(error.to_string().contains("perf_event_paranoid"), "{error}");
        }
    }
}

#[test]
fn refusals_have_kinds() {
    if is_refused() {
        return;
    }
    let system = System::new();
    let resolved = system.require("task-clock:u").unwrap();
    let clock = Attr::counting(&resolved[0]);
    let hardware = Attr::new(0, Words::NONE).with(Flag::ExcludeKernel, true);
    // A group's member can be neither pinned nor alone.
    let leader = Counter::open(&clock, Target::ThisThread, None).unwrap();
    let pinned = clock.with(Flag::Pinned, true);
    let nobody = Target::Thread(i32::MAX as u32);
    let cases = [
        (
            "no such type",
            clock.with_type(0x7fff_0000),
            Target::ThisThread,
            None,
            Some(ErrorKind::NoSuchEvent),
        ),
        ("no such thread", clock, nobody, None, Some(ErrorKind::NoSuchTask)),
        ("a pinned member", pinned, Target::ThisThread, Some(&leader), Some(ErrorKind::Invalid)),
        (
            "bits to come",
            clock.with_read_format(ReadFormat::from_bits(1 << 40)),
            Target::ThisThread,
            None,
            Some(ErrorKind::Invalid),
        ),
        ("cycles", hardware, Target::ThisThread, None, (!has_hardware()).then(no_hardware)),
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
    if is_refused() {
        return;
    }
    use std::os::fd::AsRawFd;
    let system = System::new();
    let resolved = system.require("dummy:u").unwrap();
    let counter = Counter::open(&Attr::counting(&resolved[0]), Target::ThisThread, None).unwrap();
    // SAFETY: it asks for a number.
    let flags = unsafe { libc::fcntl(counter.as_raw_fd(), libc::F_GETFD) };
    assert_eq!(flags & libc::FD_CLOEXEC, libc::FD_CLOEXEC);
}

#[test]
fn a_set_counts_what_there_is() {
    if is_refused() {
        return;
    }
    let system = System::new();
    let text = "{task-clock,page-faults,cycles},duration_time,user_time,cycles";
    let resolved = system.require(text).unwrap();
    let mut counters = Counters::open(&resolved, &Options::new()).unwrap();
    let before = counters.read();
    assert!(before.events()[0].outcome() == Outcome::NotCounted, "{before:?}");
    counters.enable().unwrap();
    let start = Instant::now();
    work();
    let middle = counters.read();
    work();
    counters.disable().unwrap();
    let elapsed = start.elapsed().as_nanos() as u64;
    let end = counters.read();
    work();
    let after = counters.read();
    assert_eq!(end, after);

    let total = |n: usize| end.events()[n].outcome().total().expect("it was counted");
    assert!(total(0).value() > 0 && total(1).value() > 0, "{end:?}");
    assert_eq!(total(0).time_enabled(), total(1).time_enabled());
    assert!(total(3).value() >= elapsed / 2, "{end:?}");
    // The kernel shares a thread's time out between user space and itself by
    // ticks, of up to 10 ms each (`cputime_adjust` in `kernel/sched/cputime.c`).
    assert!(total(4).value() <= total(3).value() + 20_000_000, "{end:?}");
    for (n, event) in counters
        .events()
        .iter()
        .enumerate()
        .filter(|(_, e)| e.resolved().is_some_and(|one| one.type_() == 0))
    {
        assert_eq!(event.refusal().is_some(), !has_hardware());
        assert_eq!(end.events()[n].outcome() == Outcome::NotSupported, !has_hardware());
        if let Some(refusal) = event.refusal() {
            assert_eq!(refusal.kind(), no_hardware());
            assert_eq!(end.events()[n].value(), Err(refusal.clone()));
        }
    }
    assert_eq!(
        (end.events()[0].value(), end.events()[0].unit()),
        (Ok(total(0).value() as f64 / 1e9), "s")
    );
    let never = before.events()[0].value().unwrap_err();
    assert_eq!(never.kind(), ErrorKind::NeverScheduled);
    // What came in the second half is less than what came in both.
    let second = end.since(&middle).events()[0].outcome().total().unwrap();
    assert!(second.value() > 0 && second.value() < total(0).value());
}

/// As many breakpoints as a thread can have say whether any is still open.
#[test]
fn nothing_stays_open_when_a_set_fails() {
    if is_refused() {
        return;
    }
    let system = System::new();
    let breakpoints = |count: u64| {
        let list: Vec<String> = (1..=count).map(|n| format!("mem:{:#x}:w:u", n << 12)).collect();
        list.join(",")
    };
    let is_open = |count: u64| {
        let text = breakpoints(count);
        let resolved = system.require(&text).unwrap();
        Counters::open(&resolved, &Options::new()).map(drop)
    };
    let most = (1..64).take_while(|&count| is_open(count).is_ok()).last().unwrap_or(0);
    for _ in 0..10 {
        let error = is_open(most + 1).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NoSpace, "{error}");
        assert!(error.event().is_some_and(|name| name.starts_with("mem:")), "{error}");
    }
    is_open(most).expect("as many as before");
}

#[test]
fn threads_that_are_gone() {
    if is_refused() {
        return;
    }
    let system = System::new();
    let resolved = system.require("{task-clock,page-faults}:u").unwrap();
    // SAFETY: it has no arguments and cannot fail.
    let this = unsafe { libc::gettid() } as u32;
    let gone = i32::MAX as u32;
    // Of several, those that are left are counted.
    let scope = Scope::Threads(vec![gone, this]);
    let mut counters = Counters::open(&resolved, &Options::new().with_scope(scope)).unwrap();
    counters.enable().unwrap();
    work();
    let reading = counters.read();
    assert_eq!(reading.events()[1].parts().len(), 1);
    assert_eq!(reading.events()[1].parts()[0].target(), Target::Thread(this));
    assert!(reading.events()[0].outcome().total().is_some());
    let error = Counters::open(&resolved, &Options::new().with_scope(Scope::Threads(vec![gone])))
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NoSuchTask);
    assert_eq!(error.to_string(), "there is no thread 2147483647");
}

/// A thread that waits, and how to let it end.
fn waiting() -> (u32, impl FnOnce()) {
    let (tell, hear) = std::sync::mpsc::channel();
    let (done, wait) = std::sync::mpsc::channel::<()>();
    let thread = thread::spawn(move || {
        // SAFETY: it has no arguments and cannot fail.
        tell.send(unsafe { libc::gettid() }).unwrap();
        wait.recv().unwrap();
    });
    let id = hear.recv().unwrap() as u32;
    let end = move || {
        done.send(()).unwrap();
        thread.join().unwrap();
        // A thread may be joined before the kernel has removed it.
        let task = format!("/proc/self/task/{id}");
        while std::path::Path::new(&task).exists() {
            thread::yield_now();
        }
    };
    (id, end)
}

#[test]
fn an_ended_thread_spoils_no_other_number() {
    if is_refused() {
        return;
    }
    let system = System::new();
    let resolved = system.require("task-clock,user_time,duration_time").unwrap();
    let ((stays, end_staying), (goes, end_going)) = (waiting(), waiting());
    let scope = Scope::Threads(vec![stays, goes]);
    let mut counters = Counters::open(&resolved, &Options::new().with_scope(scope)).unwrap();
    counters.enable().unwrap();
    let before = counters.read();
    let outcomes = |reading: &open::Reading| {
        reading.events().iter().map(|event| event.outcome()).collect::<Vec<_>>()
    };
    assert!(outcomes(&before)[1].total().is_some(), "{before:?}");
    end_going();
    for _ in 0..2 {
        let reading = counters.read();
        // What it spent is known to a counter, and to nobody else.
        assert_eq!(reading.events()[0].parts().len(), 2);
        assert!(reading.events()[0].lacks().is_empty() && reading.events()[2].lacks().is_empty());
        assert!(outcomes(&reading)[2].total().is_some(), "{reading:?}");
        assert_eq!(outcomes(&reading)[1], Outcome::Failed);
        let why = reading.events()[1].value().unwrap_err();
        assert_eq!(why.kind(), ErrorKind::NoSuchTask, "{why}");
        counters.disable().expect("it stops all the same");
    }
    end_staying();
}

/// `duration_time` and `user_time` go on when they are enabled anew, as
/// counters do; that they were disabled before means nothing.
#[test]
fn times_stop_and_go_on() {
    if is_refused() {
        return;
    }
    let system = System::new();
    let resolved = system.require("duration_time,user_time,task-clock").unwrap();
    let mut counters = Counters::open(&resolved, &Options::new()).unwrap();
    counters.disable().unwrap();
    let outcome = |counters: &Counters, n: usize| counters.read().events()[n].outcome();
    assert_eq!(outcome(&counters, 0), Outcome::NotCounted);
    let mut last = [0; 3];
    for _ in 0..3 {
        counters.enable().unwrap();
        let has_grown = |n: usize| {
            let now = outcome(&counters, n).total().map(|total| total.value());
            now.is_some_and(|now| now > last[n])
        };
        let grow = |n: usize| (0..10_000).any(|_| work() > 0 && has_grown(n));
        assert!((0..3).all(grow), "{:?} after {last:?}", counters.read());
        counters.disable().unwrap();
        let stopped = counters.read();
        work();
        assert_eq!(counters.read(), stopped);
        last =
            [0, 1, 2].map(|n| stopped.events()[n].outcome().total().expect("it counted").value());
    }
}

/// "This thread" is the one that opened the set, whichever thread asks.
#[test]
fn another_thread_reads_what_this_thread_has_spent() {
    if is_refused() {
        return;
    }
    let system = System::new();
    let resolved = system.require("user_time,task-clock").unwrap();
    let mut counters = Counters::open(&resolved, &Options::new()).unwrap();
    counters.enable().unwrap();
    let values = |counters: &Counters| {
        let reading = counters.read();
        [0, 1].map(|n| reading.events()[n].outcome().total().map_or(0, |total| total.value()))
    };
    // More than the hundredths of a second in which `/proc` counts.
    assert!((0..100_000).any(|_| work() > 0 && values(&counters)[0] > 60_000_000));
    let theirs = thread::scope(|scope| scope.spawn(|| values(&counters)).join().unwrap());
    let own = values(&counters);
    assert!(theirs[0] > 0 && theirs[0] <= own[0], "{theirs:?} and {own:?}");
    assert!(theirs[1] > 0 && theirs[1] <= own[1], "{theirs:?} and {own:?}");
}

/// What perf adds up: instances outside the cores, and not kinds of cores.
#[test]
fn instances_of_one_event() {
    let cases: &[(&str, &str, &[usize])] = &[
        ("skylakex", "imc/cas_count_read/", &[6]),
        ("skylakex", "imc/cas_count_read/,imc/cas_count_read/,imc_0/event=1/", &[6, 6, 1]),
        ("skylakex", "cycles,cycles", &[1, 1]),
        ("alderlake", "cycles", &[1, 1]),
    ];
    // Two thermometers, and two kinds of PMUs, which have no sum.
    let of_two_kinds = "/class/hwmon/hwmon0/name\tchip\n/class/hwmon/hwmon0/temp1_input\t45000\n\
                        /class/hwmon/hwmon1/name\tdisk\n/class/hwmon/hwmon1/temp1_input\t38000\n\
                        uncore_a_0/type\t20\nuncore_a_0/events/ticks\tconfig=1\n\
                        uncore_a_1/type\t21\nuncore_a_1/events/ticks\tconfig=1\n\
                        uncore_b_0/type\t22\nuncore_b_0/events/ticks\tconfig=1";
    let named =
        cases.iter().map(|&(machine, text, lengths)| (Machine::named(machine), text, lengths));
    let more: [(&str, &[usize]); 2] = [("temp1", &[1, 1]), ("ticks", &[2, 1])];
    let of_kinds = more.map(|(text, lengths)| (Machine::of(of_two_kinds), text, lengths));
    for (machine, text, lengths) in named.chain(of_kinds) {
        let system = machine.system();
        let resolved = system.require(text).unwrap();
        let events = resolved.events().iter().cloned().map(set_event);
        let lists = instances(events);
        assert_eq!(lists.iter().map(Vec::len).collect::<Vec<_>>(), lengths, "{text}");
        let all: Vec<usize> = lists.concat();
        assert_eq!(all, (0..resolved.events().len()).collect::<Vec<_>>(), "{text}");
    }
}

/// Why the system refuses to read what an event needs is the source of its error.
#[cfg(target_os = "linux")]
#[test]
fn reasons_of_the_system() {
    use std::error::Error as _;

    let machine = Machine::named("tracing");
    let number = machine.path("/kernel/tracing/events/sched/sched_switch/id");
    std::fs::remove_file(&number).unwrap();
    std::os::unix::fs::symlink(&number, &number).unwrap();
    let counters = machine.system().open("sched:sched_switch,duration_time").unwrap();
    let refusal = counters.events()[0].refusal().expect("its number cannot be read");
    assert_eq!(refusal.errno(), Some(libc::ELOOP), "{refusal}");
    assert!(refusal.source().is_some(), "{refusal}");
}
