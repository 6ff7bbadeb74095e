//! Perf's control protocol: bytes over a pipe into commands, and addresses.

use std::fs::File;
use std::io::{Write as _, pipe};
use std::time::Duration;

use pmu_events::control::{Address, Command, Server};

/// No more than a pipe holds.
const MOST: usize = 4096;

pub fn check(data: &[u8]) {
    let data = &data[..data.len().min(MOST)];
    let (commands, mut to_server) = pipe().expect("pipes open");
    let mut server = Server::from_fds(commands, None::<File>);
    // In two parts, between which the server may look.
    let (first, second) = data.split_at(data.len() / 2);
    let mut received = Vec::new();
    let mut receive = |server: &mut Server, longest| {
        while let Some(request) = server.receive(longest).expect("it can be read") {
            if let Ok(command) = request.command() {
                round_trip(command, request.text());
            }
            server.acknowledge(&request).expect("there is nowhere to write it to");
            received.push(request.text().to_string());
        }
    };
    to_server.write_all(first).expect("it has room");
    receive(&mut server, Some(Duration::ZERO));
    to_server.write_all(second).expect("it has room");
    drop(to_server);
    receive(&mut server, None);
    assert!(!server.is_open());
    assert_eq!(received, byte_by_byte(data));
    for text in received {
        if let Ok(address) = text.parse::<Address>() {
            assert_eq!(address.to_string().parse().ok(), Some(address), "{text:?}");
        }
    }
}

/// What is sent is what was understood; only `snapshot`, `stop` and `ping` may be followed by anything.
fn round_trip(command: Command<'_>, text: &str) {
    let sent = command.to_string();
    assert_eq!(Command::parse(&sent).ok(), Some(command), "{text:?}");
    assert!(text.starts_with(&sent), "{text:?}: {sent:?}");
    if !matches!(command, Command::Snapshot | Command::Stop | Command::Ping) {
        assert_eq!(text, sent);
    }
}

/// Perf's way (`evlist__ctlfd_recv` in `tools/perf/util/evlist.c`).
fn byte_by_byte(data: &[u8]) -> Vec<String> {
    let (mut texts, mut text) = (Vec::new(), Vec::new());
    let mut end = |text: &mut Vec<u8>| {
        if !text.is_empty() {
            texts.push(String::from_utf8_lossy(&std::mem::take(text)).into_owned());
        }
    };
    for &byte in data {
        match byte {
            b'\n' | 0 => end(&mut text),
            _ => text.push(byte),
        }
        if text.len() == 63 {
            end(&mut text);
        }
    }
    end(&mut text);
    texts
}
