//! Control groups and CPUs that come and go.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::SOFTWARE;
use crate::export::Exporter;
use crate::rights::has_no_counters;
use crate::simulated;

const TWO_CPUS: &str = "/devices/system/cpu/online\t0-1\n/devices/system/cpu/present\t0-1\n\
                        software/type\t1";

/// On a simulated kernel, to which each directory is a control group.
fn simulated(config: &str) -> Exporter {
    Exporter::on(TWO_CPUS, config, &[], |machine, _| {
        let mut command = simulated::pmu(machine, "none", "cpus 2\ndirectories\nreal\n");
        command.stdin(Stdio::null());
        command
    })
}

/// A directory that is no control group is told, and the others go on.
#[test]
fn what_is_no_control_group() {
    let text = format!("{SOFTWARE}[[cgroup]]\npaths = 'shop/*'\nevents = 'cs'\n");
    let exporter = Exporter::start(&text, &[]);
    fs::create_dir_all(exporter.cgroups().join("shop/till")).expect("it can be made");
    if has_no_counters() {
        let is_refused = |line: &str| {
            line.starts_with("pmu_event_not_counted_info{") && line.contains("scope=\"cgroup\"")
        };
        exporter.until("refused", || exporter.get("").body.lines().any(is_refused));
        return;
    }
    let left_out = "left out: [cgroup]: `shop/till`: ";
    exporter.until(left_out, || exporter.said().contains(left_out));
    fs::remove_dir(exporter.cgroups().join("shop/till")).expect("it was made");
    let no_longer = format!("no longer {left_out}");
    exporter.until(&no_longer, || exporter.said().contains(&no_longer));
    assert!(exporter.get("").head.contains("200 OK"));
}

/// What is open after each of two rounds is what was open before, and so is what is used.
#[test]
fn five_hundred_control_groups() {
    const GROUPS: usize = 500;
    let exporter = simulated("every = 0.2\n[[cgroup]]\npaths = '*'\nevents = 'cs,page-faults'\n");
    let paths: Vec<PathBuf> =
        (0..GROUPS).map(|n| exporter.cgroups().join(format!("g{n}"))).collect();
    let has_counters = |expected: usize| {
        let counters = || exporter.number("pmu_export_counters ");
        exporter.until(&format!("{expected} counters"), || counters() == Some(expected as f64));
    };
    has_counters(0);
    let (files, is_over) = (exporter.files(), AtomicBool::new(false));
    let round = || {
        paths.iter().for_each(|path| fs::create_dir(path).expect("it can be made"));
        has_counters(GROUPS * 2 * 2);
        let series = exporter.get("").body;
        let is_of_group = |line: &&str| line.starts_with("pmu_events_total{event=\"cs\"");
        assert_eq!(series.lines().filter(is_of_group).count(), GROUPS);
        paths.iter().for_each(|path| fs::remove_dir(path).expect("it was made"));
        has_counters(0);
        exporter.until("files", || exporter.files() <= files);
        exporter.memory()
    };
    thread::scope(|scope| {
        // Reads happen while groups vanish.
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                assert!(exporter.get("").head.contains("200 OK"));
            }
        });
        let rounds = catch_unwind(AssertUnwindSafe(|| [round(), round(), round()]));
        is_over.store(true, Ordering::Relaxed);
        let [_, second, third] = rounds.unwrap_or_else(|panic| resume_unwind(panic));
        assert!(third < second + 1024, "{second} {third} KiB");
    });
    assert_eq!(exporter.said().matches("left out").count(), 0, "{}", exporter.said());
    assert_eq!(exporter.end().code(), Some(0));
}

/// What a CPU has counted stays while the CPU is offline.
#[test]
fn a_cpu_that_goes_offline() {
    let exporter = simulated("every = 0.1\n[cpu]\nevents = 'page-faults'\n");
    let series = "pmu_events_total{event=\"page-faults\",pmu=\"software\",cpu=\"1\"} ";
    let open = |expected: f64| {
        exporter.until(&format!("{expected} counters"), || {
            exporter.number("pmu_export_counters ") == Some(expected)
        });
    };
    open(2.0);
    let before = exporter.number(series);
    assert!(before.is_some());
    exporter.write("/devices/system/cpu/online", "0\n");
    open(1.0);
    assert!(exporter.number(series) >= before, "{before:?}");
    exporter.write("/devices/system/cpu/online", "0-1\n");
    open(2.0);
    assert!(exporter.number(series) >= before, "{before:?}");
}

/// A path that is no label, or none of a control group, is told, and the others go on.
#[test]
fn paths_that_are_wrong() {
    let exporter =
        simulated("every = 0.1\n[[cgroup]]\npaths = ['*', 'etc/passwd']\nevents = 'cs'\n");
    let odd = exporter.cgroups().join(std::ffi::OsStr::from_bytes(b"sh\xffp"));
    fs::create_dir(&odd).expect("it can be made");
    fs::create_dir(exporter.cgroups().join("till")).expect("it can be made");
    let told = "is not UTF-8, so that no label can have it";
    exporter.until(told, || exporter.said().contains(told));
    let told = "left out: [cgroup]: `etc/passwd`: there is no such control group";
    assert!(exporter.said().contains(told), "{}", exporter.said());
    let series = "pmu_events_total{event=\"cs\",pmu=\"software\",cgroup=\"till\"} ";
    exporter.until(series, || exporter.number(series).is_some());
    assert_eq!(exporter.number("pmu_export_places_left_out "), Some(1.0));
}
