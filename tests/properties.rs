//! What the fuzz targets check, without a fuzzer: of their seeds, and of what
//! random damage and splicing make of these, the same in every run.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use pmu_events::System;
use pmu_events::sysfs::Pmu;

#[path = "../fuzz/src/checks/mod.rs"]
mod checks;
#[path = "common/damaged.rs"]
mod damaged;
mod trees {
    pub(crate) mod arm64 {
        pmu_events::pmu_events!("arch/arm64", text = none, metrics = false);
    }
    pub(crate) mod soc {
        pmu_events::pmu_events!("arch/test");
    }
    pub(crate) mod x86 {
        pmu_events::pmu_events!("arch/x86", text = none, metrics = false);
    }
}

/// Calls a check with each seed, and with so many others. What breaks it is
/// shown.
fn hold(target: &str, check: fn(&[u8]), others: usize) {
    /// What stands at the border of something in one grammar or another.
    const BYTES: &[u8] = b"=,:/'-{}()?*[@#\\\t\n 09afx\0\x7f\xc3\xa4\xff";
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    let seeds = damaged::seeds(&corpus.join(target));
    let damaged = damaged::copies(&seeds, BYTES, others);
    for data in seeds.iter().cloned().chain(damaged) {
        if std::panic::catch_unwind(|| check(&data)).is_err() {
            panic!("{target}: {:?} breaks it", data.escape_ascii().to_string());
        }
    }
}

macro_rules! properties {
    ($($target:ident: $others:literal,)+) => {
        $(
            #[test]
            fn $target() {
                hold(stringify!($target), checks::$target::check, $others);
            }
        )+
    };
}

properties! {
    control: 5_000,
    cpuid: 10_000,
    encode: 40_000,
    event_list: 20_000,
    expr: 500,
    format: 20_000,
    formula: 20_000,
    names: 10_000,
    registers: 10_000,
    resolve: 4_000,
    samples: 20_000,
    schedule: 2_000,
    sysfs: 200,
    terms: 30_000,
}

/// Files come and go while others read them, as drivers are loaded and
/// unloaded.
#[test]
fn files_that_vanish() {
    const COMING: &[u8] = b"gone/type\t9\ngone/cpumask\t0\ngone/format/event\tconfig:0-7\n\
        gone/events/a\tevent=1\ngone/events/a.scale\t2\ngone/events/b\tevent=2\n\
        gone/caps/x\t1\ngone/alias\tother";
    const STAYING: &[u8] =
        b"stays/type\t7\nstays/format/event\tconfig:0-7\nstays/events/it\tevent=3";
    const DEVICES: &str = "bus/event_source/devices";
    let directory = checks::directory::Directory::new();
    directory.fill(DEVICES, STAYING);
    let stop = AtomicBool::new(false);
    let gone = directory.root().join(DEVICES).join("gone");
    let mut seen = [0, 0];
    thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                directory.fill(DEVICES, COMING);
                let _ = fs::remove_dir_all(&gone);
            }
        });
        // Until it has been seen whole and not, however the two take turns.
        for turn in 0.. {
            if turn >= 2_000 && seen.iter().all(|&times| times > 0) {
                break;
            }
            let system = System::at(directory.root()).without_tables();
            let sysfs = system.sysfs();
            let is_there = sysfs.pmu("gone").is_some_and(|pmu| ask(pmu) == (Some(9), 1, 2));
            seen[usize::from(is_there)] += 1;
            // All of it or none.
            let text = "gone/a/,b,other/event=1/";
            match system.require(text) {
                Ok(all) => {
                    let words: Vec<_> = all
                        .events()
                        .iter()
                        .map(|one| (one.type_(), one.words().config()))
                        .collect();
                    assert_eq!(words, [(9, 1), (9, 2), (9, 1)]);
                }
                Err(error) => {
                    assert!(text.get(error.span()).is_some_and(|part| !part.is_empty()), "{error}");
                }
            }
            let stays = sysfs.pmu("stays").expect("it stays");
            assert_eq!((ask(stays), stays.problems().len()), ((Some(7), 1, 1), 0));
            let resolved = system.require("it").expect("its event resolves");
            assert_eq!((resolved[0].type_(), resolved[0].words().config()), (7, 3));
        }
        stop.store(true, Ordering::Relaxed);
    });
}

fn ask(pmu: &Pmu) -> (Option<u32>, usize, usize) {
    let _ = (pmu.cpus(), pmu.caps(), pmu.identifier(), pmu.alias_name(), pmu.is_uncore());
    (pmu.type_(), pmu.formats().count(), pmu.events().count())
}
