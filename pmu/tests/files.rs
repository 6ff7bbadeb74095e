//! Machines whose files are not what they should be: pipes that nobody writes to,
//! devices without end, files and directories that are too long. No command waits,
//! and none takes a part for the whole.

#![cfg(target_os = "linux")]

use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

#[allow(dead_code)] // Other tests use more of it.
#[path = "../../tests/machines/mod.rs"]
mod machines;

use machines::Machine;

const MACHINE: &str = "cpu/type\t4\n\
     cpu/format/event\tconfig:0-7\n\
     cpu/events/cycles\tevent=0x3c\n\
     /devices/system/cpu/online\t0\n\
     /devices/system/cpu/present\t0\n\
     /devices/system/cpu/smt/active\t0\n\
     /devices/system/cpu/cpu0/topology/core_cpus_list\t0\n\
     /devices/system/cpu/cpu0/topology/physical_package_id\t0\n\
     /class/hwmon/hwmon0/name\tchip\n\
     /class/hwmon/hwmon0/temp1_label\tdie\n\
     /class/hwmon/hwmon0/temp1_input\t45000\n\
     /proc/cpuinfo\tvendor_id\t: GenuineIntel\n\
     /proc/stat\tcpu  1 1 1 1 1 1 1\n\
     /proc/sys/kernel/nmi_watchdog\t0\n\
     /proc/sys/kernel/perf_event_paranoid\t2\n\
     /class/dmi/id/sys_vendor\tQEMU\n\
     /module/kvm_intel/parameters/enable_mediated_pmu\tN\n\
     /devices/system/cpu/cpu0/cache/index0/level\t2\n\
     /devices/system/cpu/cpu0/cache/index0/size\t1024K";

/// What each command asks of the machine.
const COMMANDS: [&[&str]; 9] = [
    &["list", "--details", "cycles", "temp*", "num_*"],
    &["encode", "cycles"],
    &["stat", "-e", "temp1", "true"],
    &["stat", "-e", "num_cores,num_dies,num_packages,smt_on,system_tsc_freq", "true"],
    &["stat", "-a", "-e", "user_time,num_cpus", "true"],
    &["stat", "-a", "--per-core", "-e", "duration_time", "true"],
    &["stat", "-M", "tma_frontend_bound", "true"],
    &["topdown", "true"],
    &["doctor", "cycles", "temp1"],
];

struct Run {
    text: String,
    signal: Option<i32>,
}

/// Runs a command on a machine. One that hangs or takes more memory than a machine has
/// ends by a signal.
fn run(machine: &Machine, arguments: &[&str]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pmu"));
    command.args(arguments).stdin(Stdio::null());
    command.env("SYSFS_PATH", machine.root()).env("PROCFS_PATH", machine.root().join("proc"));
    command.env("PERF_CPUID", "GenuineIntel-6-55-4").env_remove("COLUMNS");
    let limits = || {
        let memory = libc::rlimit { rlim_cur: 2 << 30, rlim_max: 2 << 30 };
        // SAFETY: both take numbers, and may be called after a fork. The kernel ends the
        // program even where it holds other signals back.
        unsafe {
            libc::setrlimit(libc::RLIMIT_AS, &raw const memory);
            libc::alarm(120);
        }
        Ok(())
    };
    // SAFETY: between fork and exec it makes only system calls.
    unsafe { command.pre_exec(limits) };
    let output = command.output().expect("pmu runs");
    let text =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let signal = std::os::unix::process::ExitStatusExt::signal(&output.status);
    Run { text: text.concat(), signal }
}

fn replace(machine: &Machine, path: &str, how: &str) {
    let path = machine.path(path);
    fs::remove_file(&path).expect("it was written");
    match how {
        "a pipe" => assert!(Command::new("mkfifo").arg(&path).status().expect("it runs").success()),
        "a device" => symlink("/dev/zero", &path).expect("a link can be made"),
        // Without blocks on the disk.
        "a long file" => {
            fs::File::create(&path)
                .and_then(|file| file.set_len(8 << 30))
                .expect("it can be written");
        }
        _ => unreachable!(),
    }
}

#[test]
fn no_file_stops_a_command() {
    for line in MACHINE.lines().map(|line| line.split_once('\t').expect("path and text").0) {
        for how in ["a pipe", "a device", "a long file"] {
            let machine = Machine::of(MACHINE);
            replace(&machine, line, how);
            for arguments in COMMANDS {
                let run = run(&machine, arguments);
                assert_eq!(run.signal, None, "{line} is {how}: {arguments:?}: {}", run.text);
                assert!(!run.text.is_empty(), "{line} is {how}: {arguments:?}");
            }
        }
    }
}

/// What is said where the answer depends on the file.
#[test]
fn a_file_that_is_none_is_named() {
    let sensor = "class/hwmon/hwmon0/temp1_input: ";
    let counts: &[&str] = &["stat", "-e", "temp1", "true"];
    let user_time: &[&str] = &["stat", "-a", "-e", "user_time", "true"];
    for (path, how, arguments, expected) in [
        (sensor, "a pipe", counts, "is not a regular file"),
        (sensor, "a device", counts, "is not a regular file"),
        (sensor, "a long file", counts, "is longer than 64 KiB"),
        ("proc/stat: ", "a pipe", user_time, "is not a regular file"),
        ("proc/stat: ", "a long file", user_time, "is longer than 64 MiB"),
        (
            "class/hwmon/hwmon0/temp1_label: ",
            "a pipe",
            &["list", "nothing"],
            "is not a regular file",
        ),
    ] {
        let machine = Machine::of(MACHINE);
        replace(&machine, &format!("/{}", path.trim_end_matches(": ")), how);
        let run = run(&machine, arguments);
        assert!(run.text.contains(&format!("{path}{expected}")), "{path}{how}: {}", run.text);
    }
}

/// A directory of more entries than any has is a problem, and not the first of them.
#[test]
fn a_directory_that_is_too_long_is_refused() {
    let machine = Machine::of(MACHINE);
    let events = machine.path("cpu/events");
    for number in 0..100_000 {
        fs::File::create(events.join(format!("e{number}"))).expect("it can be written");
    }
    let run = run(&machine, &["encode", "cpu/e1/"]);
    let expected = format!("{}: has more than 100000 entries", events.display());
    assert!(run.text.contains(&expected), "{}", run.text);
}

/// What users name may be a pipe, but has an end.
#[test]
fn files_of_users_have_an_end() {
    let machine = Machine::of(MACHINE);
    for (arguments, expected) in [
        (
            ["page", "--html", "-", "--from", "/dev/zero"].as_slice(),
            "/dev/zero: is longer than 64 MiB",
        ),
        (&["stat", "--metrics-file", "/dev/zero", "true"], "/dev/zero: is longer than 1 MiB"),
        (&["page", "--html", "-", "--from", "/"], "/: cannot be read: Is a directory"),
        (&["encode", "-"], ""),
    ] {
        let run = run(&machine, arguments);
        assert_eq!(run.signal, None, "{arguments:?}: {}", run.text);
        assert!(run.text.contains(expected), "{arguments:?}: {}", run.text);
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_pmu"));
    command.args(["stat", "--metrics-file", "/dev/stdin", "-e", "duration_time", "--", "true"]);
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("pmu runs");
    let mut pipe = child.stdin.take().expect("it is piped");
    pipe.write_all(b"twice = duration_time * 2\n").expect("it is read");
    drop(pipe);
    let output = child.wait_with_output().expect("it is a child");
    let shown = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && shown.contains("twice"), "{shown}");
}

/// A line without end is no event.
#[test]
fn a_line_of_events_has_an_end() {
    let zeros = fs::File::open(Path::new("/dev/zero")).expect("Linux has it");
    let mut command = Command::new(env!("CARGO_BIN_EXE_pmu"));
    let limits = || {
        let memory = libc::rlimit { rlim_cur: 2 << 30, rlim_max: 2 << 30 };
        // SAFETY: it takes numbers, and may be called after a fork.
        unsafe { libc::setrlimit(libc::RLIMIT_AS, &raw const memory) };
        Ok(())
    };
    // SAFETY: between fork and exec it makes only system calls.
    unsafe { command.pre_exec(limits) };
    let output = command.args(["encode", "-"]).stdin(zeros).output().expect("pmu runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("standard input: line 1 is longer than 1 MiB"), "{said}");
    assert_eq!(output.status.code(), Some(1), "{said}");
}
