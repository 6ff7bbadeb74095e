//! `pmu stat` under the control of others: as tools run it, and where the channel is no good.

#![cfg(target_os = "linux")]

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use pmu_events::control::{Address, Control, Listing};

#[allow(dead_code)] // Other tests use more of it.
#[path = "../../tests/common/rights.rs"]
mod rights;
#[allow(dead_code)] // As above.
#[path = "common/stat.rs"]
mod stat;

use rights::{Rights, rights};

const LONG: Duration = Duration::from_secs(60);

/// A directory of one test, with two FIFOs.
struct Scratch {
    directory: PathBuf,
}

impl Scratch {
    fn new(name: &str) -> Self {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("control-{name}"));
        let _ = fs::remove_dir_all(&directory);
        fs::create_dir_all(&directory).expect("the scratch directory can be written");
        for fifo in ["ctl", "ack"] {
            let status = Command::new("mkfifo").arg(directory.join(fifo)).status();
            assert!(status.expect("POSIX has mkfifo").success());
        }
        Scratch { directory }
    }

    fn path(&self, name: &str) -> String {
        self.directory.join(name).to_str().expect("its name is UTF-8").into()
    }

    fn fifos(&self) -> String {
        format!("fifo:{},{}", self.path("ctl"), self.path("ack"))
    }
}

/// A region between two others of the same work. Descriptors 101 and 102 are the ends of a
/// benchmark: it writes commands, and reads each acknowledgement with the zero behind it.
const REGION: &str = "work() { i=0; while [ $i -lt $1 ]; do i=$((i+1)); done; }
    tell() { echo $1 >&101; read answer <&102; [ \"$answer\" = ack ] || exit 9; }
    work 300000; tell enable; work 30000; tell disable; work 300000";

/// Milliseconds of an event of `-j`.
#[track_caller]
fn milliseconds(text: &str, event: &str) -> f64 {
    let objects = stat::objects(text);
    let is_it = |object: &&serde_json::Value| {
        object["event"].as_str().is_some_and(|name| name.trim_end_matches(":u") == event)
    };
    stat::number(&objects.iter().find(is_it).unwrap_or_else(|| panic!("{text}"))["counter-value"])
}

/// A benchmark that knows descriptors by number, as gungraun starts it: all four ends are
/// inherited, so that no end is ever closed.
#[test]
fn over_inherited_descriptors() {
    let scratch = Scratch::new("descriptors");
    let (commands, to_server) = io::pipe().expect("pipes open");
    let (from_server, acks) = io::pipe().expect("pipes open");
    let output = scratch.path("out");
    let mut command = stat::command();
    command.args([
        "--control=fd:100,103",
        "--delay=-1",
        "--event=task-clock:u,duration_time",
        "-j",
    ]);
    command.arg(format!("--output={output}")).args(["bash", "-c", REGION]);
    let ends = [&commands as &dyn AsRawFd, &to_server, &from_server, &acks].map(AsRawFd::as_raw_fd);
    let inherit = move || {
        for (end, number) in ends.into_iter().zip(100..) {
            // SAFETY: it takes numbers, and may be called after a fork.
            if unsafe { libc::dup2(end, number) } < 0 {
                return Err(io::Error::last_os_error());
            }
        }
        Ok(())
    };
    // SAFETY: between fork and exec it makes only system calls.
    unsafe { command.pre_exec(inherit) };
    let mut run = stat::finish(&mut command);
    if rights() == Rights::Nothing {
        // A kernel without counters still writes the results, with this event as unsupported.
        run.err += &fs::read_to_string(&output).unwrap_or_default();
        return stat::assert_refused(&run);
    }
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(run.err, "Events disabled\nEvents enabled\nEvents disabled\n");
    let text = fs::read_to_string(&output).expect("it is written");
    let region = milliseconds(&text, "task-clock");
    // A twentieth of the work, and the whole is known by its time.
    assert!(region > 0.0 && region < 0.5 * run.elapsed.as_secs_f64() * 1e3, "{region} ms: {text}");
}

/// A benchmark that knows FIFOs by the environment, as php-cgi does.
#[test]
fn over_fifos() {
    let scratch = Scratch::new("fifos");
    let mut command = stat::command();
    command.args(["-D", "-1", "-j", "-e", "task-clock", "--control", &scratch.fifos()]);
    let script = format!("exec 101>\"$CTL\" 102<\"$ACK\"; {REGION}");
    command.args(["bash", "-c", &script]);
    command.env("CTL", scratch.path("ctl")).env("ACK", scratch.path("ack"));
    let run = stat::finish(&mut command);
    if rights() == Rights::Nothing {
        return stat::assert_refused(&run);
    }
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(
        run.err.starts_with("Events disabled\nEvents enabled\nEvents disabled\n{"),
        "{}",
        run.err
    );
    let region = milliseconds(&run.err, "task-clock");
    assert!(region > 0.0 && region < 0.5 * run.elapsed.as_secs_f64() * 1e3, "{}", run.err);
}

/// What each command says, and what is acknowledged. Of a command without counters, all is said
/// everywhere.
#[test]
fn what_is_said() {
    let scratch = Scratch::new("said");
    let mut command = stat::command();
    command.args(["-e", "duration_time,num_cpus", "--control", &scratch.fifos(), "sleep", "100"]);
    let mut child = command.stderr(Stdio::piped()).spawn().expect("stat runs");
    let mut err = BufReader::new(child.stderr.take().expect("it is piped"));
    let address = Address::fifos(scratch.path("ctl"), Some(scratch.path("ack")));
    let mut control = Control::connect_within(&address, LONG).expect("stat listens");
    control.disable().expect("it is acknowledged");
    control.enable_event("duration_time").expect("it is acknowledged");
    control.disable_event("duration_time").expect("it is acknowledged");
    control.enable_event("nothing").expect("it is acknowledged");
    control.enable().expect("it is acknowledged");
    control.list(Listing::Names).expect("it is acknowledged");
    control.list(Listing::Frequencies).expect("it is acknowledged");
    control.ping().expect("it is acknowledged");
    drop(control);
    let mut fifo = fs::File::options().write(true).open(scratch.path("ctl")).expect("it is there");
    fifo.write_all(b"enabled\nunheard-of\nsnapshot\nstop\n").expect("it is open");
    let mut control = Control::connect_within(&address, LONG).expect("stat listens");
    // The answers to `enabled` and `stop` are not its own; they are there already.
    thread::sleep(Duration::from_millis(50));
    control.ping().expect("it is acknowledged");
    let said = "Events disabled\nEvent duration_time enabled\nEvent duration_time disabled\n\
        failed: can't find 'nothing' event\nEvents enabled\nduration_time\nnum_cpus\n\
        duration_time: sample_period=0\nnum_cpus: sample_period=0\nfailed: wrong command\n";
    let mut found = String::new();
    while found.len() < said.len() && err.read_line(&mut found).expect("it is text") > 0 {}
    assert_eq!(found, said);
    // It goes on after `stop`, until it is told otherwise.
    assert!(child.try_wait().expect("it is a child").is_none());
    // SAFETY: it takes numbers; the process has not been waited for.
    unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGTERM) };
    child.wait().expect("it is a child");
    let mut rest = String::new();
    err.read_to_string(&mut rest).expect("it is text");
    assert!(rest.contains("duration_time"), "{rest}");
}

/// An event of its own, by the name that is shown. The clock counts all the time.
#[test]
fn one_event_alone() {
    let scratch = Scratch::new("alone");
    let mut command = stat::command();
    command.args(["-D", "-1", "-j", "-e", "task-clock,{cpu-clock,page-faults}"]);
    let script = "exec 101>\"$CTL\" 102<\"$ACK\"
        tell() { echo $* >&101; read answer <&102; [ \"$answer\" = ack ] || exit 9; }
        tell enable cpu-clock$U; i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done";
    command.args(["--control", &scratch.fifos(), "bash", "-c", script]);
    command.env("CTL", scratch.path("ctl")).env("ACK", scratch.path("ack"));
    // Where the kernel may not be counted, names say so.
    let suffix = if rights() == Rights::User { ":u" } else { "" };
    let run = stat::finish(command.env("U", suffix));
    if rights() == Rights::Nothing {
        return stat::assert_refused(&run);
    }
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(milliseconds(&run.err, "cpu-clock") > 0.0, "{}", run.err);
    let clock = stat::objects(&run.err).remove(0);
    assert_eq!(clock["counter-value"], "<not counted>", "{}", run.err);
}

/// A channel that is no good is refused before anything runs, and one that breaks harms nobody.
#[test]
fn channels_that_are_no_good() {
    let scratch = Scratch::new("bad");
    let file = scratch.path("file");
    fs::write(&file, "").expect("it can be written");
    let cases = [
        ("fd:999".into(), "`--control`: descriptor 999 is not open: "),
        ("fifo:/nowhere/ctl".into(), "`--control`: FIFO `/nowhere/ctl` cannot be opened: No such"),
        (format!("fifo:{file}"), "is not a FIFO; `mkfifo` makes one"),
        (format!("fifo:{},{file}", scratch.path("ctl")), "is not a FIFO; `mkfifo` makes one"),
        ("fd:x".into(), "write fd:CTL[,ACK] with the numbers of descriptors"),
        ("fifo:".into(), "write fifo:CTL[,ACK] with the paths of FIFOs"),
        ("ctl,ack".into(), "write fd:CTL[,ACK] or fifo:CTL[,ACK]"),
    ];
    for (address, message) in cases {
        let mark = scratch.path("mark");
        let arguments = ["-e", "duration_time", "--control", &address, "touch", &mark];
        let run = stat::run(&arguments);
        assert_eq!(run.code, Some(125), "{address}: {}", run.err);
        assert!(run.err.contains(message), "{address}: {}", run.err);
        assert!(!Path::new(&mark).exists(), "{address}");
    }
    // Nobody opens it.
    let run = stat::run(&["-e", "duration_time", "--control", &scratch.fifos(), "true"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    // The other end closes at once: a pipe at its end is not waited for.
    let mut command = stat::command();
    command.args(["-e", "duration_time", "--control", "fd:0", "sleep", "0.1"]);
    let run = stat::finish(command.stdin(Stdio::null()));
    assert_eq!(run.code, Some(0), "{}", run.err);
    // It closes after some commands, of which none is lost.
    let mut command = stat::command();
    command.args(["-e", "duration_time", "--control", "fd:0", "sleep", "0.3"]);
    command.stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("stat runs");
    let mut stdin = child.stdin.take().expect("it is piped");
    stdin.write_all(b"disable\nenable\nping").expect("it is open");
    drop(stdin);
    let output = child.wait_with_output().expect("it is a child");
    let err = String::from_utf8(output.stderr).expect("it is text");
    assert!(err.starts_with("Events disabled\nEvents enabled\n"), "{err}");
    // Nobody reads what it acknowledges.
    let (_, acks) = io::pipe().expect("pipes open");
    let mut command = stat::command();
    command.args(["-e", "duration_time", "--control", "fd:0,1", "sleep", "0.1"]);
    command.stdin(Stdio::piped()).stdout(Stdio::from(acks)).stderr(Stdio::piped());
    let mut child = command.spawn().expect("stat runs");
    child.stdin.take().expect("it is piped").write_all(b"ping\n").expect("it is open");
    let output = child.wait_with_output().expect("it is a child");
    let err = String::from_utf8(output.stderr).expect("it is text");
    assert_eq!(output.status.code(), Some(0), "{err}");
    assert!(err.starts_with("pmu stat: nobody reads acknowledgements any more\n"), "{err}");
}
