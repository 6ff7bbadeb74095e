//! How long a command of the control protocol takes until its acknowledgement is there, beside
//! bare writes to two pipes between processes.

use std::io::{self, Read, Write};
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use pmu_events_control::{Address, Control};

use crate::process::Side;

pub fn measure(sides: &[Side], rounds: usize, scratch: &Path) {
    let mut served: Vec<(&str, Control, std::process::Child)> = Vec::new();
    for side in sides {
        let [commands, acks] =
            ["ctl", "ack"].map(|end| scratch.join(format!("{}-{end}", side.name)));
        [&commands, &acks].into_iter().for_each(|path| crate::fifo(path));
        let mut command = side.stat();
        let address = format!("--control=fifo:{},{}", commands.display(), acks.display());
        command.args(["--delay=-1", "-e", "task-clock,page-faults", &address, "sleep", "1000"]);
        let child = command.stderr(Stdio::null()).spawn().expect("it runs");
        let address = Address::fifos(commands, Some(acks));
        let control = Control::connect_within(&address, Duration::from_secs(30));
        served.push((side.name, control.expect("it listens"), child));
    }
    let mut bare = Bare::new();
    let [mut bares, mut pings, mut switches] =
        [vec![Vec::new()], vec![Vec::new(); 2], vec![Vec::new(); 2]];
    for _ in 0..rounds {
        timed(&mut bares[0], || bare.round());
        for (n, (name, control, _)) in served.iter_mut().enumerate() {
            timed(&mut pings[n], || control.ping().expect(name));
            timed(&mut switches[n], || {
                control.enable().expect(name);
                control.disable().expect(name);
            });
        }
    }
    println!("bare.ping_ns\t{:.0}", crate::median(&mut bares[0]));
    for (n, (name, _, child)) in served.iter_mut().enumerate() {
        println!("{name}.ping_ns\t{:.0}", crate::median(&mut pings[n]));
        println!("{name}.switch_ns\t{:.0}", crate::median(&mut switches[n]));
        // SAFETY: it takes numbers; the process has not been waited for.
        unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGTERM) };
        child.wait().expect("it is a child");
    }
}

fn timed(times: &mut Vec<f64>, work: impl FnOnce()) {
    let start = Instant::now();
    work();
    times.push(start.elapsed().as_secs_f64() * 1e9);
    // The other end waits again before the next one comes.
    thread::sleep(Duration::from_micros(200));
}

/// Another thread that answers `ping\n` with `ack\n` and a zero as soon as a read returns.
struct Bare {
    to: io::PipeWriter,
    from: io::PipeReader,
}

impl Bare {
    fn new() -> Self {
        let (mut commands, to) = io::pipe().expect("pipes open");
        let (from, mut acks) = io::pipe().expect("pipes open");
        thread::spawn(move || {
            let mut bytes = [0; 64];
            while commands.read(&mut bytes).is_ok_and(|read| read > 0) {
                if acks.write_all(b"ack\n\0").is_err() {
                    break;
                }
            }
        });
        Bare { to, from }
    }

    fn round(&mut self) {
        self.to.write_all(b"ping\n").expect("somebody reads");
        self.from.read_exact(&mut [0; 5]).expect("somebody writes");
    }
}
