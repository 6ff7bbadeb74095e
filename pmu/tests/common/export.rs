//! An exporter on a made-up machine, and what it is asked.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use crate::machines::Machine;
use crate::run::command;

/// A machine without a core that counts. Its first CPU is on every machine.
pub const SYSFS: &str = "/devices/system/cpu/online\t0\n/devices/system/cpu/present\t0\n\
                         software/type\t1";

pub struct Exporter {
    machine: Machine,
    child: Child,
    pub address: String,
}

pub struct Answer {
    pub head: String,
    pub body: String,
}

impl Exporter {
    /// Starts it with a configuration, and waits until it can be asked.
    pub fn start(config: &str, arguments: &[&str]) -> Self {
        Self::on(SYSFS, config, arguments, |_, command| command)
    }

    /// On a machine, with what else the command needs there.
    pub fn on(
        sysfs: &str,
        config: &str,
        arguments: &[&str],
        change: impl FnOnce(&Machine, Command) -> Command,
    ) -> Self {
        let machine = Machine::of(sysfs);
        machine.write("/export.toml", config);
        let cgroups = machine.path("/cgroup");
        fs::create_dir_all(&cgroups).expect("it can be made");
        let mounts = format!("cgroup2 {} cgroup2 rw 0 0\n", cgroups.display());
        machine.write("/proc/mounts", &mounts);
        let said = fs::File::create(machine.path("/said")).expect("it can be made");
        let mut command = change(&machine, command());
        command
            .env("SYSFS_PATH", machine.root())
            .env("PROCFS_PATH", machine.path("/proc"))
            .env("PERF_CPUID", "none")
            .arg("export")
            .arg(machine.path("/export.toml"))
            .args(arguments)
            .stderr(Stdio::from(said));
        let listens = !arguments.contains(&"--textfile");
        if listens {
            command.args(["--listen", "127.0.0.1:0"]);
        }
        let child = command.spawn().expect("pmu runs");
        let mut exporter = Exporter { machine, child, address: String::new() };
        let begin = Instant::now();
        while listens && exporter.address.is_empty() {
            assert!(begin.elapsed() < Duration::from_secs(60), "{}", exporter.said());
            let said = exporter.said();
            let address = said.split("listening on http://").nth(1);
            let address = address.and_then(|rest| rest.split_once("/metrics\n"));
            exporter.address = address.map(|(address, _)| address.to_owned()).unwrap_or_default();
            thread::sleep(Duration::from_millis(5));
        }
        exporter
    }

    pub fn config(&self) -> PathBuf {
        self.machine.path("/export.toml")
    }

    pub fn write_config(&self, text: &str) {
        self.machine.write("/export.toml", text);
    }

    /// The directory of all control groups, which are none.
    pub fn cgroups(&self) -> PathBuf {
        self.machine.path("/cgroup")
    }

    /// What it has written to standard error.
    pub fn said(&self) -> String {
        fs::read_to_string(self.machine.path("/said")).expect("it is there")
    }

    /// Waits until something is so.
    pub fn until(&self, what: &str, is_so: impl Fn() -> bool) {
        let begin = Instant::now();
        while !is_so() {
            assert!(begin.elapsed() < Duration::from_secs(30), "{what}: {}", self.said());
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// The value of the first series whose name and labels begin so, as of now.
    pub fn number(&self, name: &str) -> Option<f64> {
        let body = self.get("").body;
        let line = body.lines().find(|line| line.starts_with(name))?;
        line.rsplit(' ').next()?.parse().ok()
    }

    pub fn write(&self, path: &str, text: &str) {
        self.machine.write(path, text);
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Asks for the counts, with some more headers.
    pub fn get(&self, headers: &str) -> Answer {
        self.ask(&format!("GET /metrics HTTP/1.1\r\nHost: x\r\n{headers}\r\n"))
    }

    /// An empty answer if the connection is closed.
    pub fn ask(&self, request: &str) -> Answer {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        let mut answer = Vec::new();
        let _ = stream.write_all(request.as_bytes());
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8(answer).expect("it is text");
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        Answer { head: head.into(), body: body.into() }
    }

    pub fn signal(&self, signal: i32) {
        let id = libc::pid_t::try_from(self.child.id()).expect("it is one");
        // SAFETY: it takes numbers, and the child has not been waited for.
        assert_eq!(unsafe { libc::kill(id, signal) }, 0);
    }

    /// How many files it has open.
    pub fn files(&self) -> usize {
        fs::read_dir(format!("/proc/{}/fd", self.child.id())).expect("it runs").count()
    }

    /// Its own memory, in KiB.
    pub fn memory(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.expect("it runs");
        let line =
            status.lines().find_map(|line| line.strip_prefix("RssAnon:")).expect("it has some");
        line.trim().trim_end_matches(" kB").parse().expect("a number")
    }

    /// Tells it to end.
    pub fn end(mut self) -> ExitStatus {
        self.signal(libc::SIGTERM);
        self.child.wait().expect("it ends")
    }
}

impl Drop for Exporter {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
