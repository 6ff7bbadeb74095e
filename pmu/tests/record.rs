//! `pmu record`, `report` and `script`, on the machine that the test runs on: where it forbids
//! samples, the refusal is expected. tests/perf-record has them beside perf.

#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "../../tests/common/rights.rs"]
#[allow(dead_code)]
mod rights;
#[path = "common/run.rs"]
#[allow(dead_code)]
mod run;

use rights::{Rights, rights};
use run::{PMU, Run, command, finish};
use serde_json::Value;

/// A directory in which a recording is made.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("pmu-record-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("it can be made");
        Place(path)
    }

    fn pmu(&self, arguments: &[&str]) -> Run {
        finish(self.command().args(arguments))
    }

    fn command(&self) -> Command {
        let mut command = command();
        command.current_dir(&self.0).env("PERF_CPUID", "GenuineIntel-6-8F-4");
        command
    }

    /// Records each page fault of a shell command; `None` where nothing may be sampled, which is
    /// then told before the command begins.
    fn recorded(&self, options: &[&str], script: &str) -> Option<Run> {
        let words = [&["record", "-e", "page-faults:u", "-c", "1"], options, &["--", "sh", "-c"]];
        let run = self.pmu(&[&words.concat()[..], &[script]].concat());
        if rights() > Rights::Nothing {
            return Some(run);
        }
        assert_eq!((run.code, &*run.out), (Some(125), ""), "{}", run.err);
        assert!(run.err.starts_with("pmu record: `page-faults:u`: "), "{}", run.err);
        assert!(!self.path("perf.data").exists());
        None
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The samples of the file, as `pmu script` shows them.
    fn samples(&self) -> Vec<String> {
        let run = self.pmu(&["script", "-F", "comm,tid,time,period,event,ip"]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        run.out.lines().map(String::from).collect()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The number in `(N samples)`.
fn captured(run: &Run) -> usize {
    let number = run.err.split(" samples)").next().and_then(|text| text.rsplit('(').next());
    number.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{}", run.err))
}

#[test]
fn a_recording_is_read_again() {
    let place = Place::new("whole");
    let Some(run) = place.recorded(&["-g"], "exit 3") else { return };
    assert_eq!((run.code, &*run.out), (Some(3), ""), "{}", run.err);
    let number = captured(&run);
    assert!(number > 5, "{}", run.err);
    let lines = place.samples();
    let samples = lines.iter().filter(|line| line.contains(" 1 page-faults:u: "));
    assert_eq!(samples.count(), number, "{lines:?}");
    assert!(lines[0].starts_with("sh "), "{}", lines[0]);

    let report = place.pmu(&["report", "--json", "--sort", "comm,pid,module"]);
    assert_eq!((report.code, &*report.err), (Some(0), ""));
    let lines = report.out.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let lines: Vec<Value> = lines.collect();
    let share: f64 = lines.iter().filter_map(|line| line["share"].as_f64()).sum();
    assert!((share - 1.0).abs() < 1e-9, "{share}");
    let samples: u64 = lines.iter().filter_map(|line| line["samples"].as_u64()).sum();
    assert_eq!(samples, number as u64);
    assert!(lines.iter().all(|line| line["comm"] == "sh" && line["event"] == "page-faults:u"));

    let csv = place.pmu(&["report", "--csv", "--sort", "module"]);
    let mut csv = csv.out.lines();
    assert_eq!(csv.next(), Some("event,share,samples,events,module,level"));
    assert!(csv.all(|line| line.split(',').count() == 6));
    let folded = place.pmu(&["report", "--folded"]).out;
    let counts = folded.lines().filter_map(|line| line.rsplit_once(' ')?.1.parse::<usize>().ok());
    assert_eq!(counts.sum::<usize>(), number, "{folded}");
    assert!(folded.lines().all(|line| line.starts_with("sh;")), "{folded}");
    let stdio = place.pmu(&["report", "--stdio"]).out;
    assert!(stdio.contains("# Overhead  Command"), "{stdio}");
    let text = place.pmu(&["report", "--children"]).out;
    assert!(text.starts_with(&format!("{number} samples of page-faults:u")), "{text}");

    // A second one keeps the first.
    let first = fs::read(place.path("perf.data")).expect("it is there");
    place.recorded(&["-q"], "true").inspect(|run| assert_eq!(run.err, ""));
    assert_eq!(fs::read(place.path("perf.data.old")).expect("it is kept"), first);
}

/// Several events are told apart, with the names that the user wrote.
#[test]
fn several_events() {
    let place = Place::new("several");
    let options = ["-e", "minor-faults:u,task-clock/period=100000/u"];
    let Some(run) = place.recorded(&options, "true") else { return };
    let lines = place.samples();
    let of = |name: &str| lines.iter().filter(|line| line.contains(&format!(" {name}: "))).count();
    assert_eq!(of("page-faults:u"), of("minor-faults:u"), "{lines:?}");
    let clock = of("task-clock/period=100000/u");
    assert_eq!(2 * of("page-faults:u") + clock, captured(&run));
}

/// A recording that is killed has all that was written by then.
#[test]
fn a_killed_recording_is_readable() {
    let place = Place::new("killed");
    // The shell ends its parent once there is something.
    let script = "until [ \"$(wc -c <perf.data)\" -gt 4000 ]; do :; done; kill -9 $PPID";
    if let Some(run) = place.recorded(&["-m", "1"], script) {
        assert_eq!(run.code, None, "{}", run.err);
        assert!(!place.samples().is_empty());
    }
}

/// Where nothing more can be written, the recording ends, and the command does not. What could be
/// written of the last round can be read, also if it was the first one.
#[test]
fn a_full_disk() {
    let script = "i=0; while [ $i -lt 200 ]; do i=$((i+1)); (:); done; : >done";
    for pages in ["-m 1", "-m 128"] {
        let place = Place::new("full");
        let program = format!(
            "trap '' XFSZ; ulimit -f 16; exec {PMU} record -e page-faults:u -c 1 {pages} -- sh -c '{script}'"
        );
        let run = finish(
            Command::new("sh")
                .args(["-c", &program])
                .current_dir(&place.0)
                .env("PERF_CPUID", "GenuineIntel-6-8F-4"),
        );
        assert_eq!(run.code, Some(125), "{}", run.err);
        if rights() > Rights::Nothing {
            assert!(run.err.contains("cannot write"), "{}", run.err);
            assert!(place.path("done").exists());
            assert!(place.samples().len() > 10, "{pages}");
        }
    }
}

/// What is lost is told: at the end, and by whoever reads the file.
#[test]
fn lost_samples() {
    let place = Place::new("lost");
    // A reader that is stopped cannot keep up. The kernel writes how many were lost before the next
    // sample for which there is room, when the reader has read.
    let script = "kill -STOP $PPID; i=0; while [ $i -lt 100 ]; do i=$((i+1)); (:); done; \
                  size=$(wc -c <perf.data); kill -CONT $PPID; \
                  until [ $(wc -c <perf.data) -gt $size ]; do (:); done; (:); (:)";
    let Some(run) = place.recorded(&["-m", "1"], script) else { return };
    let (lost, all) = lost_of(&run.err);
    let report = place.pmu(&["report"]);
    assert_eq!(lost_of(&report.err), (lost, all), "{}", report.err);
    let stdio = place.pmu(&["report", "--stdio"]).out;
    assert!(stdio.contains(&format!("\n# Total Lost Samples: {lost}\n")), "{stdio}");
    assert_eq!(place.samples().len() as u64 + lost, all);
    // A record says what was lost before it; behind the last one, there may be more.
    let script = place.pmu(&["script", "--show-lost-events", "-F", "comm"]).out;
    let records = script.lines().filter_map(|line| line.split_once("PERF_RECORD_LOST lost "));
    let in_records: u64 = records.map(|(_, lost)| lost.parse::<u64>().expect("a number")).sum();
    assert!((1..=lost).contains(&in_records), "{in_records} of {lost}");
}

/// How many of how many samples a note says were lost.
fn lost_of(err: &str) -> (u64, u64) {
    let note = err.lines().find(|line| line.contains(" samples were lost"));
    let note = note.unwrap_or_else(|| panic!("{err}"));
    let mut numbers = note.split_whitespace().filter_map(|word| word.parse().ok());
    (numbers.next().expect("it has one"), numbers.next().expect("it has two"))
}

/// Others switch the events, and end the recording, which ends the command.
#[test]
fn events_that_others_switch() {
    let place = Place::new("control");
    for fifo in ["ctl", "ack"] {
        let made = Command::new("mkfifo").arg(place.path(fifo)).status();
        assert!(made.expect("POSIX has mkfifo").success());
    }
    let script = "tell() { echo $1 >ctl; read answer <ack; echo $answer; }
        faults() { i=0; while [ $i -lt 20 ]; do i=$((i+1)); (:); done; }
        faults; tell enable; faults; tell disable; faults; tell 'enable page-faults:u'; tell evlist
        tell stop; exec sleep 60";
    let options = ["-D", "-1", "--control", "fifo:ctl,ack"];
    let Some(run) = place.recorded(&options, script) else { return };
    assert_eq!(run.code, Some(128 + libc::SIGTERM), "{}", run.err);
    // The last one may not come to be shown.
    let acknowledged = run.out.replace('\0', "");
    assert!(acknowledged.starts_with(&"ack\n".repeat(4)), "{acknowledged}{}", run.err);
    let said = "Events disabled\nEvents enabled\nEvents disabled\nEvent page-faults:u enabled\n\
                page-faults:u\n[ pmu record: Captured";
    assert!(run.err.starts_with(said), "{}", run.err);
    let whole = Place::new("control-whole");
    let script = script.replace("echo $1 >ctl; read answer <ack", ":").replace("sleep 60", "true");
    let all = whole.recorded(&[], &script).expect("it is permitted");
    let (some, all) = (captured(&run), captured(&all));
    // A third, and what the messages themselves take.
    assert!(some > 20 && some < all * 2 / 3, "{some} of {all}: {}", run.err);
}

fn kernel_is_since(major: u32, minor: u32) -> bool {
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").expect("Linux has it");
    let mut numbers = release.split(['.', '-', '\n']).map(|number| number.parse().unwrap_or(0));
    (numbers.next(), numbers.next()) >= (Some(major), Some(minor))
}

/// In a container, another file may have the path of one of ours. The recording has its build id,
/// with which `report` tells it from ours.
#[test]
fn files_of_another_mount_namespace() {
    let place = Place::new("mounts");
    let program = place.path("program");
    fs::copy(PMU, &program).expect("it can be written");
    let can_unshare = |options: &[&str]| {
        let mut command = Command::new("unshare");
        command.args(options).args(["mount", "--bind", "/bin/sh"]).arg(&program);
        command.output().is_ok_and(|output| output.status.success())
    };
    let ways = [&["--mount"][..], &["--mount", "--map-root-user"]];
    let Some(way) = ways.into_iter().find(|way| can_unshare(way)) else {
        println!("(this machine lets nobody have mounts of his own)");
        return;
    };
    let script = format!(
        "exec unshare {} sh -c 'mount --bind /bin/sh program && exec ./program -c \"$0\"' \
         'i=0; while [ $i -lt 200 ]; do i=$((i+1)); (:); done'",
        way.join(" ")
    );
    let Some(run) = place.recorded(&[], &script) else { return };
    assert_eq!(run.code, Some(0), "{}", run.err);
    let shown = place.pmu(&["script", "--show-mmap-events"]);
    let ids_of = |path: &Path| -> BTreeSet<&str> {
        let path = path.to_str().expect("it is text");
        let lines = shown.out.lines().filter(|line| line.ends_with(&format!(" {path}")));
        lines.filter_map(|line| Some(line.split_once('<')?.1.split_once('>')?.0)).collect()
    };
    let shell = ids_of(&fs::canonicalize("/bin/sh").expect("POSIX has it"));
    /// An ELF note: lengths of a name and of a build id, `NT_GNU_BUILD_ID`, the name.
    const NOTE: &[u8] = b"\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0";
    let bytes = fs::read("/bin/sh").expect("it can be read");
    let has_one = bytes.windows(NOTE.len()).any(|bytes| bytes == NOTE);
    if !has_one || !kernel_is_since(5, 12) {
        println!("(this kernel does not say build ids of mappings, or the shell has none)");
        return;
    }
    assert_eq!(shell.len(), 1, "{shell:?}");
    assert_eq!(ids_of(&program), shell, "{}", shown.out);
}

/// A recording begins later, has pauses, or ends when the file is as long as it may be.
#[test]
fn parts_of_a_command() {
    let place = Place::new("parts");
    let script = "while :; do (:); done";
    // Long enough for the command to have a CPU meanwhile, whatever else runs.
    let options = ["-D", "5-100,120-200"];
    if let Some(run) = place.recorded(&options, script) {
        assert_eq!(run.code, Some(128 + libc::SIGTERM), "{}", run.err);
        let said = ["Events disabled\n", "Events enabled\n"].concat().repeat(2);
        assert!(run.err.starts_with(&(said + "Events disabled\n[ pmu")), "{}", run.err);
        assert!(captured(&run) > 0);
    }
    if let Some(run) = place.recorded(&["-D", "1"], "exit 3") {
        assert_eq!(run.code, Some(3), "{}", run.err);
        assert!(run.err.starts_with("Events disabled\n"), "{}", run.err);
    }
    if let Some(run) = place.recorded(&["--max-size", "16K", "-k", "mono", "--all-user"], script) {
        assert_eq!(run.code, Some(128 + libc::SIGTERM), "{}", run.err);
        let limit = "[ pmu record: pmu size limit reached (16 KB), stopping session ]\n[ pmu";
        assert!(run.err.starts_with(limit), "{}", run.err);
        let length = fs::metadata(place.path("perf.data")).expect("it is there").len();
        assert!((16 << 10..64 << 10).contains(&length), "{length}");
        assert_eq!(place.samples().len(), captured(&run));
    }
}

#[test]
fn what_cannot_be_recorded() {
    let place = Place::new("refused");
    let cases: [(&[&str], i32, &str); 12] = [
        (&["record", "-D", "9-5", "--", "true"], 125, "expected milliseconds"),
        (&["record", "-j", "none", "--", "true"], 125, "no kind of branches `none`"),
        (&["record", "--max-size", "7", "--", "true"], 125, "10M"),
        (&["record", "--control", "fifo:nothing", "--", "true"], 125, "nothing"),
        (&["record", "--call-graph", "dwarf", "--", "true"], 125, "frame pointers"),
        (&["record", "-e", "no_such_event", "--", "true"], 125, "no_such_event"),
        (&["record", "-e", "duration_time", "--", "true"], 125, "cannot be sampled"),
        (&["record", "-F", "0", "--", "true"], 125, "expected a number"),
        (&["record", "-G", "x", "--", "true"], 125, "whole CPUs"),
        (&["report", "-i", "nothing"], 1, "nothing: "),
        (&["script", "-F", "x"], 1, "nothing"),
        (&["report", "--sort", "x"], 2, "x"),
    ];
    for (arguments, code, message) in cases {
        let run = place.pmu(arguments);
        let message = if arguments[0] == "script" { "perf.data: " } else { message };
        assert_eq!(run.code, Some(code), "{arguments:?} {}", run.err);
        assert!(run.err.contains(message) || arguments[0] == "script", "{arguments:?} {}", run.err);
    }
    let missing = place.pmu(&["record", "-e", "page-faults:u", "--", "/no/such/program"]);
    let expected = if rights() > Rights::Nothing { 127 } else { 125 };
    assert_eq!(missing.code, Some(expected), "{}", missing.err);
    assert!(!Path::new(&place.path("perf.data.old")).exists());
}

/// Files of machines with either order of bytes say the same: mappings that a child has of its
/// parent, names that change, records that are out of order, and what was lost.
#[test]
fn both_orders_of_bytes() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recordings");
    let place = Place::new("orders");
    for name in ["little.data", "big.data"] {
        let file = directory.join(name);
        let file = file.to_str().expect("it is text");
        let run = place.pmu(&["script", "-i", file]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        let expected = "\
parent      70 [000]     1.000002:     250000 cpu-clock:u: 
\t          400020 [unknown] (/nowhere/program)
\t          400100 [unknown] (/nowhere/program)

parent      71 [001]     1.000003:       1000  L1D, \"odd\": 
\t          400010 [unknown] (/nowhere/program)
\t          400100 [unknown] (/nowhere/program)

child\\u001b[1m      71 [001]     1.000004:     250000 cpu-clock:u: 
\t          401800 [unknown] (/nowhere/lib;rary.so)
\t          400100 [unknown] (/nowhere/program)

parent      70 [000]     1.000005:     500000 cpu-clock:u: 
\tffffffff81000000 [unknown] ([unknown])
\t          400100 [unknown] (/nowhere/program)

";
        assert_eq!(run.out, expected, "{name}");
        assert_eq!(run.err, "pmu script: note: 3 of 7 samples were lost\n");

        let report = place.pmu(&["report", "-i", file, "--csv", "--children", "--sort", "module"]);
        let expected = "\
event,share,share-with-callees,samples,events,module,level
cpu-clock:u,0.250000,1.000000,1,250000,program,
cpu-clock:u,0.500000,0.500000,1,500000,[kernel.kallsyms],
cpu-clock:u,0.250000,0.250000,1,250000,lib;rary.so,
\"L1D, \"\"odd\"\"\",1.000000,1.000000,1,1000,program,
";
        assert_eq!(report.out, expected, "{name}");
        let folded = place.pmu(&["report", "-i", file, "--folded"]).out;
        let expected = "\
child\\u001b[1m;[program];[lib:rary.so] 1
parent;[program];[kernel.kallsyms] 1
parent;[program];[program] 2
";
        assert_eq!(folded, expected, "{name}");
    }
}

/// Samples are selected by thread, task, CPU, function and module; those that are left out stay part
/// of the whole, but for those of other CPUs.
#[test]
fn selected_samples() {
    let place = Place::new("selected");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recordings/little.data");
    let file = file.to_str().expect("it is text");
    // Options, how many samples `script` shows, and the shares of `report`.
    let cases: [(&[&str], usize, &[&str]); 9] = [
        (&[], 4, &["0.500000", "0.250000", "0.250000", "1.000000"]),
        (&["-c", "parent"], 3, &["0.500000", "0.250000", "1.000000"]),
        (&["--comms", "nobody,parent"], 3, &["0.500000", "0.250000", "1.000000"]),
        (&["--pid", "70", "--tid", "70"], 2, &["0.500000", "0.250000"]),
        (&["--tid", "71"], 2, &["0.250000", "1.000000"]),
        (&["-C", "1"], 2, &["1.000000", "1.000000"]),
        (&["--dsos", "program"], 2, &["0.250000", "1.000000"]),
        (&["--dsos", "/nowhere/lib;rary.so"], 1, &["0.250000"]),
        (&["-S", "main"], 0, &[]),
    ];
    for (options, samples, expected) in cases {
        let script = place.pmu(&[&["script", "-F", "tid", "-i", file], options].concat());
        assert_eq!((script.code, script.out.lines().count()), (Some(0), samples), "{options:?}");
        let report = ["report", "-q", "--csv", "-s", "module", "-i", file];
        let report = place.pmu(&[&report, options].concat());
        assert_eq!((report.code, report.err.as_str()), (Some(0), ""), "{options:?}");
        let share = |line: &str| {
            let fields: Vec<&str> = line.rsplit(',').collect();
            fields.get(fields.len() - 2).map(|share| (*share).to_owned())
        };
        let line = |line: &str| line.split("\"\"\",").last().map(String::from);
        let shares = report.out.lines().skip(1).filter_map(line);
        let mut shares: Vec<String> = shares
            .filter_map(|line| match line.starts_with("cpu-clock") {
                true => share(&line),
                false => line.split(',').next().map(String::from),
            })
            .collect();
        let mut expected: Vec<String> = expected.iter().map(|share| (*share).into()).collect();
        shares.sort();
        expected.sort();
        assert_eq!(shares, expected, "{options:?}: {}", report.out);
    }
    let run = place.pmu(&["script", "-i", file, "-G", "--ns", "-F", "time,ip", "--tid", "70"]);
    let expected = "    1.000002000:            400020\n    1.000005000:  ffffffff81000000\n";
    assert_eq!(run.out, expected, "{}", run.err);
    let bad = place.pmu(&["script", "-i", file, "--pid", "x"]);
    assert!(bad.code == Some(2) && bad.err.contains("--pid"), "{}", bad.err);
}

/// What perf's options ask for beside is in the file, and read again.
#[test]
fn further_contents() {
    let place = Place::new("contents");
    let options = [
        "-P",
        "--sample-cpu",
        "-R",
        "--data-page-size",
        "--code-page-size",
        "--all-cgroups",
        "--switch-events",
        "--no-bpf-event",
        "--user-callchains",
        "-g",
    ];
    let with_namespaces = [&options[..], &["--namespaces"]].concat();
    let Some(mut run) = place.recorded(&with_namespaces, "true") else { return };
    if run.code == Some(125) {
        // For these alone the kernel asks for a capability (`perf_event_open`).
        assert!(run.err.contains("`page-faults:u`: not permitted"), "{}", run.err);
        run = place.recorded(&options, "true").expect("it is permitted");
    }
    assert_eq!(run.code, Some(0), "{}", run.err);
    let run = place.pmu(&["script", "-G", "-F", "cpu,period"]);
    let number =
        run.out.lines().filter(|line| line.starts_with('[') && line.contains("] ")).count();
    assert!(number > 0 && number == run.out.lines().count(), "{}", run.out);
}

/// What a tracepoint says is in the words of its format, which the file has.
#[test]
fn tracepoints() {
    let place = Place::new("tracepoints");
    let run = place.pmu(&["record", "-e", "sched:sched_process_exec", "-c", "1", "--", "true"]);
    if run.code == Some(125) {
        // Without tracefs, or the right to sample tracepoints.
        assert!(run.err.contains("sched:sched_process_exec"), "{}", run.err);
        return;
    }
    assert_eq!((run.code, captured(&run)), (Some(0), 1), "{}", run.err);
    let text = place.pmu(&["script"]).out;
    let (_, says) = text.split_once(": sched:sched_process_exec: filename=").expect("it says so");
    assert!(says.split(' ').next().is_some_and(|path| path.ends_with("true")), "{text}");
    assert!(says.contains(" pid=") && says.ends_with('\n'), "{text}");
    let text = place.pmu(&["script", "-F", "event,trace"]).out;
    assert!(text.starts_with("sched:sched_process_exec: filename="), "{text}");
    let text = place.pmu(&["script", "-F", "-trace"]).out;
    assert!(!text.contains("filename"), "{text}");
}

/// What has no effect is said, and a trial records nothing, whatever the rights.
#[test]
fn a_trial() {
    let place = Place::new("trial");
    let arguments = ["record", "-e", "page-faults:u", "--timestamp", "--dry-run", "--", "true"];
    let run = place.pmu(&arguments);
    let note = "pmu record: note: `--timestamp` has no effect: samples always have a time\n";
    assert_eq!((run.code, run.err.as_str()), (Some(0), note));
    assert!(!place.path("perf.data").exists());
    let unknown = place.pmu(&["record", "-e", "no_such_event", "--dry-run", "--", "true"]);
    assert_eq!(unknown.code, Some(125), "{}", unknown.err);
}

/// Options of perf that have no meaning here are refused with the reason, and no unknown one is.
#[test]
fn options_of_perf() {
    let place = Place::new("options");
    let cases: [(&[&str], i32, &str); 6] = [
        (
            &["record", "--switch-output=1s", "true"],
            125,
            "`--switch-output` is not available: a rec",
        ),
        (
            &["record", "--off-cpu-thresh", "5", "true"],
            125,
            ", an option of a later perf than 6.12,",
        ),
        (&["record", "--call-grap", "fp", "--nosuch", "true"], 125, "'--nosuch' found"),
        (&["report", "--tui"], 2, "`--tui` is not available: there is no interface"),
        (
            &["script", "--show-round-events"],
            2,
            "`--show-round-events` is not available: records are shown",
        ),
        (&["report", "--chidren"], 2, "'--children'"),
    ];
    for (arguments, code, message) in cases {
        let run = place.pmu(arguments);
        assert_eq!(run.code, Some(code), "{arguments:?}: {}", run.err);
        assert!(run.err.contains(message), "{arguments:?}: {}", run.err);
    }
}
