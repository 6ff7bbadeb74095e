//! Sampling on this machine: shares, lost records, buffers that several events share.
#![cfg(target_os = "linux")]

#[path = "common/rights.rs"]
#[allow(dead_code)]
mod rights;

use std::hint::black_box;
use std::ptr;
use std::thread;
use std::time::Duration;

use pmu_events::config::Sampling;
use pmu_events::open::{Attr, Error, ErrorKind, Flag};
use pmu_events::sample::{Body, Fields, Mode, Options, Sampler, Wake};
use pmu_events::{Scope, System};
use rights::{Rights, rights};

/// Opens events of this thread, or checks the refusal where the kernel permits nothing.
fn opened(events: &str, options: &Options) -> Option<Sampler> {
    let events = System::new().require(events).expect("every Linux has them");
    match Sampler::open(&events, options) {
        Ok(sampler) => {
            assert!(rights() > Rights::Nothing);
            Some(sampler)
        }
        Err(error) => {
            assert_eq!(rights(), Rights::Nothing, "{error}");
            check_refusal(&error);
            None
        }
    }
}

fn check_refusal(error: &Error) {
    let kinds = [ErrorKind::NotPermitted, ErrorKind::NoSystemCall];
    assert!(kinds.contains(&error.kind()), "{error}");
    assert!(error.event().is_some(), "{error}");
}

/// A loop, which takes time.
fn spin(times: u64) {
    black_box((0..times).fold(1, |sum, n| black_box(sum ^ n.rotate_left(3))));
}

fn now(clock: libc::clockid_t) -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: it writes the time.
    unsafe { libc::clock_gettime(clock, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// The share of samples in a loop is that of the processor time in it. A sample falls into it with
/// the probability of its share, so of N samples the share has a standard deviation of
/// √(p(1-p)/N); one in 15 787 is farther off than four of those.
#[test]
fn shares_are_those_of_the_time() {
    let clock = Attr::default().with(Flag::UseClockId, true).with_clockid(libc::CLOCK_MONOTONIC);
    let options = Options::new().with_sampling(Sampling::Period(100_000)).with_attr(clock);
    let Some(mut sampler) = opened("task-clock:u", &options) else { return };
    let mut spent = [0; 2];
    let mut hits = [0_u64; 2];
    // Lengths that no multiple of the period fits.
    for times in (0..120).map(|round| 20_011 + 1_009 * (round % 13)) {
        sampler.enable().expect("it can be enabled");
        let marks = [0, times, 3 * times].map(|times| {
            spin(black_box(times));
            (now(libc::CLOCK_MONOTONIC), now(libc::CLOCK_THREAD_CPUTIME_ID))
        });
        sampler.disable().expect("it can be disabled");
        for n in 0..2 {
            spent[n] += marks[n + 1].1 - marks[n].1;
        }
        sampler
            .read(|_, record| {
                let Some(time) = record.sample().and_then(|sample| sample.time()) else { return };
                assert_eq!(record.mode(), Mode::User);
                for n in 0..2 {
                    hits[n] += u64::from((marks[n].0..marks[n + 1].0).contains(&time));
                }
            })
            .expect("the kernel writes records");
    }
    let samples = (hits[0] + hits[1]) as f64;
    let truth = spent[0] as f64 / (spent[0] + spent[1]) as f64;
    let share = hits[0] as f64 / samples;
    let bound = 4.0 * (truth * (1.0 - truth) / samples).sqrt();
    assert!(samples > 50.0, "{hits:?} in {spent:?}");
    assert!((share - truth).abs() <= bound, "{share} of {samples}, not {truth} ± {bound}");
    assert_eq!(sampler.lost().expect("it can be read").unwrap_or(0), 0);
}

/// Writes to each page of new memory, which is a fault for each.
fn touch(pages: usize) {
    // SAFETY: new memory of this length, which nothing else knows, and which is unmapped.
    unsafe {
        let page = libc::sysconf(libc::_SC_PAGESIZE) as usize;
        let rights = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        let place = libc::mmap(ptr::null_mut(), pages * page, rights, flags, -1, 0);
        assert_ne!(place, libc::MAP_FAILED);
        // Larger pages would be fewer.
        libc::madvise(place, pages * page, libc::MADV_NOHUGEPAGE);
        for n in 0..pages {
            place.cast::<u8>().add(n * page).write_volatile(1);
        }
        libc::munmap(place, pages * page);
    }
}

/// A buffer that is full loses records: as many as the kernel says, in its counter and in its
/// records.
#[test]
fn lost_records() {
    const PAGES: usize = 2000;
    /// What this thread touches first between two system calls.
    const OTHERS: u64 = 16;
    let options = Options::new().with_sampling(Sampling::Period(1)).with_pages(1);
    let Some(mut sampler) = opened("page-faults:u", &options) else { return };
    // A counter of its own, which has no buffer.
    let mut counter = System::new().open("page-faults:u").expect("the event is known");
    counter.enable().expect("it can be enabled");
    sampler.enable().expect("it can be enabled");
    touch(PAGES);
    sampler.disable().expect("it can be disabled");
    counter.disable().expect("it can be disabled");
    let faults = counter.read().events()[0].outcome().total().expect("it was counted").value();
    let mut samples = 0;
    let mut lost = 0;
    let mut read = |sampler: &mut Sampler| {
        sampler
            .read(|_, record| match record.body() {
                Body::Sample(_) => samples += 1,
                Body::Lost(some) => lost += some.lost(),
                _ => {}
            })
            .expect("the kernel writes records");
        (samples, lost)
    };
    let (samples, _) = read(&mut sampler);
    assert!(samples < PAGES as u64, "{samples}");
    let counted = sampler.lost().expect("it can be read");
    // Whatever else this thread does, it touches so many pages.
    let missing = PAGES as u64 - samples;
    assert!(counted.is_none_or(|lost| lost >= missing), "{samples} and {counted:?}");
    // Samples and lost ones are all that the kernel counts.
    if let Some(lost) = counted {
        let all = samples + lost;
        assert!((all..=all + OTHERS).contains(&faults), "{faults}, {samples}, {lost}");
    }
    // Once there is room, the next record is about those that are missing.
    sampler.enable().expect("it can be enabled");
    touch(10);
    sampler.disable().expect("it can be disabled");
    let (_, lost) = read(&mut sampler);
    assert!(lost >= missing, "{samples} and {lost}");
    assert_eq!(sampler.lost().expect("it can be read").unwrap_or(lost), lost);
}

/// Events that share a buffer are told apart by their ids, and each has its own attributes.
#[test]
fn several_events_share_a_buffer() {
    let options = Options::new()
        .with_sampling(Sampling::Period(1))
        .with_fields(Options::FIELDS | Fields::ADDR)
        .with_attr(Attr::default().with(Flag::Mmap2, true).with(Flag::MmapData, true));
    let events = "page-faults:u,task-clock/period=1000000/u,minor-faults:u";
    let Some(mut sampler) = opened(events, &options) else { return };
    assert_eq!(sampler.buffers_mut().len(), 1);
    sampler.enable().expect("it can be enabled");
    touch(100);
    sampler.disable().expect("it can be disabled");
    let ids: Vec<u64> = sampler.events().iter().flat_map(|event| event.ids()).collect();
    let [faults, _, minor] = ids[..] else { panic!("{ids:?}") };
    let mut samples = Vec::new();
    let mut mappings = 0;
    sampler
        .read(|event, record| {
            let stamp = record.stamp();
            assert!(event.ids().any(|id| Some(id) == stamp.id()), "{record:?}");
            match record.body() {
                Body::Sample(sample) if event.name() != "task-clock/period=1000000/u" => {
                    assert_eq!(sample.period(), Some(1), "{}", event.name());
                    samples.push((stamp.id(), sample.addr(), stamp.time()));
                }
                Body::Mmap(_) => mappings += 1,
                _ => {}
            }
        })
        .expect("the kernel writes records");
    let of = |id| samples.iter().filter(|sample| sample.0 == Some(id)).count();
    // Each fault counts in both.
    assert!(of(faults) >= 100 && of(faults) == of(minor), "{samples:?}");
    assert!(samples.iter().all(|sample| sample.1.is_some()), "{samples:?}");
    assert!(samples.windows(2).all(|two| two[0].2 <= two[1].2), "in the order of their times");
    assert!(mappings > 0);
    let names: Vec<&str> =
        ids.iter().map(|&id| sampler.event(id).expect("it is there").name()).collect();
    assert_eq!(names, ["page-faults:u", "task-clock/period=1000000/u", "minor-faults:u"]);
    assert!(sampler.event(u64::MAX).is_none());
}

/// Another thread's records can be waited for, from its beginning to its end, with those of its
/// children; buffers are read by a thread of their own.
#[test]
fn waiting_for_another_thread() {
    let (ready, is_ready) = std::sync::mpsc::channel();
    let (go, may_go) = std::sync::mpsc::channel::<()>();
    let thread = thread::spawn(move || {
        // SAFETY: it takes nothing.
        ready.send(unsafe { libc::gettid() }).expect("it is waited for");
        let _ = may_go.recv();
        touch(50);
        thread::spawn(|| touch(50)).join().expect("it ends");
    });
    let id = is_ready.recv().expect("it says who it is") as u32;
    let options = Options::new()
        .with_scope(Scope::Threads(vec![id]))
        .with_inherit(true)
        .with_sampling(Sampling::Period(1))
        .with_attr(Attr::default().with(Flag::Task, true).with_wakeup(1));
    let sampler = opened("page-faults:u", &options);
    if let Some(sampler) = &sampler {
        sampler.enable().expect("it can be enabled");
    }
    go.send(()).expect("it waits");
    let mut samples = 0;
    let mut forks = 0;
    if let Some(mut sampler) = sampler {
        loop {
            let wake =
                sampler.wait(Some(Duration::from_millis(100))).expect("it can be waited for");
            // At the end, too.
            sampler
                .read(|_, record| match record.body() {
                    Body::Sample(_) => samples += 1,
                    Body::Fork(_) => forks += 1,
                    _ => {}
                })
                .expect("the kernel writes records");
            if wake == Wake::Ended {
                break;
            }
        }
        assert!(samples >= 100 && forks == 1, "{samples} samples, {forks} forks");
        let is_empty = thread::scope(|scope| {
            let readers = sampler.buffers_mut().iter_mut();
            let readers = readers.map(|buffer| scope.spawn(|| buffer.ready().concat().is_empty()));
            let readers: Vec<_> = readers.collect();
            readers.into_iter().all(|reader| reader.join().expect("it reads"))
        });
        assert!(is_empty);
    }
    thread.join().expect("it ends");
}

/// What cannot be sampled is refused with the event's name, and the reason.
#[test]
fn refusals() {
    let system = System::new();
    let refusal = |events: &str, options: &Options| {
        let events = system.resolve(events).expect("it is a list of events");
        Sampler::open(&events, options).expect_err("it cannot be sampled")
    };
    let error = refusal("duration_time", &Options::new());
    assert_eq!((error.kind(), error.event()), (ErrorKind::NotSupported, Some("duration_time")));
    let error = refusal("task-clock,no_such_event", &Options::new());
    assert_eq!(error.event(), Some("no_such_event"));
    let nobody = Options::new().with_scope(Scope::Threads(vec![u32::MAX >> 2]));
    assert_eq!(refusal("task-clock", &nobody).kind(), ErrorKind::NoSuchTask);
    let too_often = Options::new().with_sampling(Sampling::Frequency(1 << 40));
    let error = refusal("task-clock:u", &too_often);
    if rights() > Rights::Nothing {
        assert!(error.to_string().contains("perf_event_max_sample_rate"), "{error}");
    }
    let huge = Options::new().with_pages(1 << 40);
    let error = refusal("task-clock:u", &huge);
    if rights() > Rights::Nothing {
        assert!(error.to_string().contains("pages"), "{error}");
    }
}
