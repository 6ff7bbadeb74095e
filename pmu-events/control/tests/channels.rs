//! Both ends over pipes and FIFOs, and what goes wrong with them. Nothing is counted, so that this
//! runs on every Unix.

#![cfg(unix)]

use std::fs::{self, File};
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::AsRawFd;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use pmu_events_control::{Address, Command, Control, Error, ErrorKind, Listing, Server};

/// So long that it is over only where nothing happens.
const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(20);

/// A directory with FIFOs.
struct Fifos {
    directory: PathBuf,
}

impl Fifos {
    fn new(names: &[&str]) -> Self {
        let name = format!("control-{}-{:?}", std::process::id(), thread::current().id());
        let directory = std::env::temp_dir().join(name);
        fs::create_dir_all(&directory).expect("the scratch directory can be written");
        let fifos = Fifos { directory };
        for name in names {
            let status = std::process::Command::new("mkfifo").arg(fifos.path(name)).status();
            assert!(status.expect("POSIX has mkfifo").success());
        }
        fifos
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    fn address(&self) -> Address {
        Address::fifos(self.path("ctl"), Some(self.path("ack")))
    }
}

impl Drop for Fifos {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.directory);
    }
}

/// Receives until `stop` or the end, acknowledges, and returns what was received.
fn serve(mut server: Server) -> Result<Vec<String>, Error> {
    let mut received = Vec::new();
    while let Some(request) = server.receive(Some(LONG))? {
        received.push(request.text().to_string());
        server.acknowledge(&request)?;
        if matches!(request.command(), Ok(Command::Stop)) {
            break;
        }
    }
    Ok(received)
}

fn all(control: &mut Control) -> Result<u32, Error> {
    control.ping()?;
    control.enable_event("cycles:u")?;
    control.disable_event("cycles:u")?;
    control.list(Listing::Groups)?;
    let result = control.during(|| 7)?;
    control.send(Command::Stop)?;
    Ok(result)
}

const ALL: [&str; 7] =
    ["ping", "enable cycles:u", "disable cycles:u", "evlist -g", "enable", "disable", "stop"];

#[test]
fn over_pipes() {
    let (commands, to_server) = io::pipe().expect("pipes open");
    let (from_server, acks) = io::pipe().expect("pipes open");
    let server = thread::spawn(move || serve(Server::from_fds(commands, Some(acks))));
    let mut control = Control::from_fds(to_server, Some(from_server)).with_timeout(LONG);
    assert_eq!(all(&mut control).expect("it is served"), 7);
    assert_eq!(server.join().unwrap().expect("nothing breaks"), ALL);
}

/// Whoever comes first.
#[test]
fn over_fifos() {
    for is_client_first in [true, false] {
        let fifos = Fifos::new(&["ctl", "ack"]);
        let address = fifos.address();
        let client = {
            let address = address.clone();
            move || {
                Control::connect_within(&address, LONG).and_then(|mut control| all(&mut control))
            }
        };
        let server = move || Server::listen(&address).and_then(serve);
        let (result, received) = match is_client_first {
            true => {
                let client = thread::spawn(client);
                thread::sleep(SHORT);
                let received = server();
                (client.join().unwrap(), received)
            }
            false => {
                let server = thread::spawn(server);
                thread::sleep(SHORT);
                (client(), server.join().unwrap())
            }
        };
        assert_eq!(result.expect("it is served"), 7);
        assert_eq!(received.expect("nothing breaks"), ALL);
    }
}

/// Clients of a FIFO come and go.
#[test]
fn several_clients() {
    let fifos = Fifos::new(&["ctl", "ack"]);
    let server = Server::listen(&fifos.address()).expect("it is there");
    let server = thread::spawn(move || serve(server));
    for _ in 0..20 {
        let mut control = Control::connect(&fifos.address()).expect("somebody serves");
        control.enable().expect("it is served");
    }
    let mut control = Control::connect(&fifos.address()).expect("somebody serves");
    control.send(Command::Stop).expect("it is served");
    assert_eq!(server.join().unwrap().expect("nothing breaks").len(), 21);
}

/// As a shell does: no line feed, no acknowledgement read.
#[test]
fn an_unfinished_line_of_a_fifo_is_a_command() {
    let fifos = Fifos::new(&["ctl"]);
    let address = Address::fifos(fifos.path("ctl"), None::<PathBuf>);
    let mut server = Server::listen(&address).expect("it is there");
    fs::write(fifos.path("ctl"), "ping\nenable").expect("it can be written");
    let mut received = || server.receive(Some(LONG)).unwrap().map(|it| it.text().to_string());
    assert_eq!(received().as_deref(), Some("ping"));
    assert_eq!(received().as_deref(), Some("enable"));
    assert!(server.receive(Some(Duration::ZERO)).unwrap().is_none() && server.is_open());
}

/// From a pipe, it waits for the rest, and for the end.
#[test]
fn an_unfinished_line_of_a_pipe_waits() {
    let (commands, mut to_server) = io::pipe().expect("pipes open");
    let mut server = Server::from_fds(commands, None::<File>);
    to_server.write_all(b"ena").expect("it is open");
    assert!(server.receive(Some(SHORT)).unwrap().is_none());
    to_server.write_all(b"ble\nstop").expect("it is open");
    assert_eq!(server.receive(Some(LONG)).unwrap().unwrap().text(), "enable");
    assert!(server.receive(Some(SHORT)).unwrap().is_none() && server.is_open());
    drop(to_server);
    assert_eq!(server.receive(None).unwrap().unwrap().text(), "stop");
    assert!(server.receive(None).unwrap().is_none() && !server.is_open());
}

/// What perf acknowledges.
#[test]
fn acknowledgements() {
    let (commands, mut to_server) = io::pipe().expect("pipes open");
    let (mut from_server, acks) = io::pipe().expect("pipes open");
    let text = "enable\nenabled\nevlist -x\nenable nothing\nstop\nping\nsnapshot\nnonsense\n\n";
    to_server.write_all(text.as_bytes()).expect("it is open");
    drop(to_server);
    let mut server = Server::from_fds(commands, Some(acks));
    while let Some(request) = server.receive(None).unwrap() {
        server.acknowledge(&request).expect("somebody may read");
    }
    drop(server);
    let mut answers = String::new();
    from_server.read_to_string(&mut answers).expect("they are text");
    assert_eq!(answers, "ack\n\0".repeat(6));
}

/// A client with both pipes, and their other ends.
fn client(timeout: Duration) -> (Control, PipeReader, PipeWriter) {
    let (commands, to_server) = io::pipe().expect("pipes open");
    let (from_server, acks) = io::pipe().expect("pipes open");
    (Control::from_fds(to_server, Some(from_server)).with_timeout(timeout), commands, acks)
}

#[test]
fn what_goes_wrong() {
    let kind = |result: Result<(), Error>| result.unwrap_err().kind();

    let fifos = Fifos::new(&["ctl", "ack"]);
    let nobody = Control::connect_within(&fifos.address(), SHORT).unwrap_err();
    assert_eq!(nobody.kind(), ErrorKind::NobodyListens);
    assert!(nobody.to_string().starts_with("nobody reads FIFO `/"), "{nobody}");

    let (mut control, _commands, _acks) = client(SHORT);
    assert_eq!(kind(control.enable()), ErrorKind::NoAck);

    let (mut control, commands, acks) = client(LONG);
    drop(commands);
    assert_eq!(kind(control.enable()), ErrorKind::Broken);
    drop(acks);

    // Who counts ends while it is waited for: one end is gone, or the other.
    for is_commands in [true, false] {
        let (mut control, mut commands, acks) = client(LONG);
        let server = thread::spawn(move || {
            commands.read_exact(&mut [0; 7]).expect("it is sent");
            match is_commands {
                true => drop(commands),
                false => drop(acks),
            }
        });
        assert_eq!(kind(control.enable()), ErrorKind::Broken, "{is_commands}");
        server.join().unwrap();
    }

    for answer in ["nack\n", "ack \n", "\n", &format!("{}\n", "x".repeat(1000))] {
        let (mut control, _commands, mut acks) = client(LONG);
        acks.write_all(answer.as_bytes()).expect("it is open");
        assert_eq!(kind(control.enable()), ErrorKind::UnexpectedAnswer, "{answer}");
    }

    // Nobody reads.
    let (_commands, to_server) = io::pipe().expect("pipes open");
    let mut control = Control::from_fds(to_server, None::<File>).with_timeout(SHORT);
    let full = loop {
        if let Err(error) = control.enable() {
            break error;
        }
    };
    assert_eq!(full.kind(), ErrorKind::Full);

    let (mut control, _commands, _acks) = client(SHORT);
    for name in ["a\nb", "a\0b", &"x".repeat(57)] {
        assert_eq!(kind(control.enable_event(name)), ErrorKind::UnsendableCommand, "{name:?}");
    }
    assert_eq!(kind(control.enable_event(&"x".repeat(56))), ErrorKind::NoAck);
}

/// A late acknowledgement is not taken for that of the next command.
#[test]
fn late_acknowledgements() {
    let (mut control, _commands, mut acks) = client(SHORT);
    assert_eq!(control.enable().unwrap_err().kind(), ErrorKind::NoAck);
    acks.write_all(b"ack\n\0").expect("it is open");
    assert_eq!(control.disable().unwrap_err().kind(), ErrorKind::NoAck);
    acks.write_all(b"ack\n\0ack\n\0").expect("it is open");
    control.ping().expect("all are there");
    // Nobody acknowledges a snapshot, and nobody waits for that.
    assert_eq!(control.send(Command::Snapshot).unwrap_err().kind(), ErrorKind::NoAck);
    acks.write_all(b"ack\n\0").expect("it is open");
    control.ping().expect("it is there");
}

/// A region that panics is left disabled.
#[test]
fn a_panic_ends_the_region() {
    let (commands, to_server) = io::pipe().expect("pipes open");
    let mut control = Control::from_fds(to_server, None::<File>);
    let region = move || control.during(|| panic!("of the region"));
    let panicked: Result<Result<(), Error>, _> = thread::spawn(region).join();
    assert!(panicked.is_err());
    assert_eq!(serve(Server::from_fds(commands, None::<File>)).unwrap(), ["enable", "disable"]);
}

/// Descriptors by number: copies, of which the end is not that of the original.
#[test]
fn descriptors_by_number() {
    let (commands, to_server) = io::pipe().expect("pipes open");
    let (from_server, acks) = io::pipe().expect("pipes open");
    let of_server = Address::descriptors(commands.as_raw_fd(), Some(acks.as_raw_fd()));
    let of_client = Address::descriptors(to_server.as_raw_fd(), Some(from_server.as_raw_fd()));
    let server = Server::listen(&of_server).expect("they are open");
    let server = thread::spawn(move || serve(server));
    let mut control = Control::connect(&of_client).expect("they are open");
    assert_eq!(all(&mut control).expect("it is served"), 7);
    assert_eq!(server.join().unwrap().expect("nothing breaks"), ALL);

    // Each end of a pipe goes one way.
    let wrong = Server::listen(&of_client).unwrap_err();
    let message = format!("descriptor {} is not open for reading", to_server.as_raw_fd());
    assert_eq!((wrong.kind(), wrong.to_string()), (ErrorKind::Descriptor, message));
    let wrong = Control::connect(&of_server).unwrap_err();
    let message = format!("descriptor {} is not open for writing", commands.as_raw_fd());
    assert_eq!((wrong.kind(), wrong.to_string()), (ErrorKind::Descriptor, message));
}

/// Acknowledgements that nobody reads do not stop who counts.
#[test]
fn acknowledgements_that_nobody_reads() {
    let (commands, mut to_server) = io::pipe().expect("pipes open");
    let (from_server, acks) = io::pipe().expect("pipes open");
    let mut server = Server::from_fds(commands, Some(acks));
    to_server.write_all(b"ping\n").expect("it is open");
    let request = server.receive(None).unwrap().unwrap();
    let full = loop {
        if let Err(error) = server.acknowledge(&request) {
            break error;
        }
    };
    assert_eq!(full.kind(), ErrorKind::Full);
    drop(from_server);
    assert_eq!(server.acknowledge(&request).unwrap_err().kind(), ErrorKind::Broken);
}
