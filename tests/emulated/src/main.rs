//! The first and only program of an emulated machine: takes names of events
//! through our tables to counts, and says what it expected and what it got.
//!
//! | module | what is in it |
//! |---|---|
//! | [`machine`] | which machine this is to be, and its table |
//! | [`work`] | a loop with a known number of instructions |
//! | [`counts`] | events opened by name, alone and in a group |
//! | [`metrics`] | metrics by name, from the counts of their events |
//! | [`refusals`] | what cannot be counted, and what we say then |
//! | `benchmark` | instructions and a metric, measured by criterion, on Arm |
//! | `doctor` | what a check says of events, on Arm |
//! | `read_costs` | what reads take, with and without a system call, on Arm |
//! | `samples` | samples by overflow interrupts, on Arm |
//! | `user_reads` | counters that are read without a system call, on Arm |
//! | [`programs`] | the command's `stat`, `topdown` and `ebb` |
//! | [`branches`] | event-based branches, against the kernel |
//! | [`report`] | the rows |

#[cfg(target_arch = "aarch64")]
mod benchmark;
#[cfg(target_arch = "powerpc64")]
mod branches;
#[cfg(target_arch = "powerpc64")]
#[path = "../../../pmu-events/ebb/src/ebb/tests/cases.rs"]
mod cases;
mod counts;
#[cfg(target_arch = "aarch64")]
mod doctor;
mod machine;
mod metrics;
mod programs;
#[cfg(target_arch = "aarch64")]
mod read_costs;
mod refusals;
mod report;
#[cfg(target_arch = "aarch64")]
mod samples;
#[cfg(target_arch = "aarch64")]
mod user_reads;
mod work;

// Where the recorded cases look for it.
#[cfg(target_arch = "powerpc64")]
use pmu_events::ebb;

use std::ffi::CStr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::{env, fs, process};

use report::Report;

fn main() {
    match env::args().nth(1).as_deref() {
        Some(refusals::UNPRIVILEGED) => return refusals::unprivileged(),
        Some(programs::TURNS) => return programs::turns(),
        #[cfg(target_arch = "aarch64")]
        Some(samples::LOOPS) => return samples::loops(),
        _ => {}
    }
    if process::id() != 1 {
        eprintln!("this is the first process of an emulated machine; see tests/emulated/run");
        process::exit(2);
    }
    mount(c"proc", c"/proc");
    mount(c"sysfs", c"/sys");
    // A program that is started reads from /dev/null.
    mount(c"devtmpfs", c"/dev");
    // Whoever does not power off lets the emulator run until its time is out.
    let mut report = Report::new();
    let result = catch_unwind(AssertUnwindSafe(|| run(&mut report)));
    if let Err(payload) = result {
        let literal = payload.downcast_ref::<&str>().copied();
        let message = payload.downcast_ref::<String>().map(String::as_str).or(literal);
        report.check("panic", "none", message.unwrap_or("one").replace(['\n', '\t'], " "), false);
    }
    report.end();
    // SAFETY: nothing is left to be written.
    unsafe {
        libc::sync();
        libc::reboot(libc::RB_POWER_OFF);
    }
}

fn run(report: &mut Report) {
    // Distributions differ: 2 lets users count what is theirs.
    fs::write("/proc/sys/kernel/perf_event_paranoid", "2").expect("it can be written");
    let machine = machine::Machine::of_environment();
    machine.check(report);
    counts::check(report, &machine);
    #[cfg(target_arch = "aarch64")]
    user_reads::check(report, &machine);
    #[cfg(target_arch = "aarch64")]
    samples::check(report, &machine);
    metrics::check(report, &machine);
    #[cfg(target_arch = "aarch64")]
    benchmark::check(report, &machine);
    #[cfg(target_arch = "aarch64")]
    doctor::check(report, &machine);
    refusals::check(report, &machine);
    programs::check(report, &machine);
    #[cfg(target_arch = "powerpc64")]
    branches::check(report, machine.generation(), machine.model);
}

fn mount(kind: &CStr, place: &CStr) {
    std::fs::create_dir_all(place.to_str().expect("it is ASCII")).expect("it can be made");
    // SAFETY: the strings end with zeros; there are no options.
    let result =
        unsafe { libc::mount(kind.as_ptr(), place.as_ptr(), kind.as_ptr(), 0, std::ptr::null()) };
    assert_eq!(result, 0, "{kind:?}: {}", std::io::Error::last_os_error());
}
