//! What is written is read again, however it was damaged meanwhile.

use std::fs::{self, File};
use std::path::PathBuf;
use std::{env, process};

use pmu_events::sample::{Body, ByteOrder};

use crate::perf_data::format::{Feature, LOST_SAMPLES, SAMPLE};
use crate::perf_data::header;
use crate::perf_data::reader::{Fault, Reader};
use crate::perf_data::writer::{Event, Writer, build_id, event_description};

/// A file that is removed at the end.
struct Stored(PathBuf);

impl Stored {
    fn new(name: &str) -> Self {
        Stored(env::temp_dir().join(format!("pmu-perf-data-{name}-{}", process::id())))
    }
}

impl Drop for Stored {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// The attributes of an event whose samples have an id, an address, a task and a time.
fn attr() -> Vec<u8> {
    let mut attr = vec![0; 144];
    attr[0..4].copy_from_slice(&1_u32.to_ne_bytes());
    attr[16..24].copy_from_slice(&250_000_u64.to_ne_bytes());
    attr[24..32].copy_from_slice(&0x10007_u64.to_ne_bytes());
    let flags: u64 = if cfg!(target_endian = "big") { 1 << 45 } else { 1 << 18 };
    attr[40..48].copy_from_slice(&flags.to_ne_bytes());
    attr
}

fn record(kind: u32, words: &[u64]) -> Vec<u8> {
    let mut bytes = kind.to_ne_bytes().to_vec();
    bytes.extend(2_u16.to_ne_bytes());
    bytes.extend((8 + 8 * words.len() as u16).to_ne_bytes());
    bytes.extend(words.iter().flat_map(|word| word.to_ne_bytes()));
    bytes
}

fn sample(id: u64, address: u64, time: u64) -> Vec<u8> {
    record(SAMPLE, &[id, address, 7, time])
}

/// Two events, and three rounds whose records are out of order.
fn write(stored: &Stored, is_finished: bool) {
    let attr = attr();
    let events = [
        Event { name: "cpu-clock:u", attr: &attr, ids: vec![11, 12] },
        Event { name: "L1D, \"odd\"", attr: &attr, ids: vec![13] },
    ];
    let file = File::create(&stored.0).expect("it can be made");
    let mut writer = Writer::new(file, &events).expect("it can be written");
    let rounds: [&[(u64, u64)]; 3] =
        [&[(11, 30), (12, 10)], &[(13, 60), (11, 20), (12, 50)], &[(13, 40), (13, 70)]];
    for round in rounds {
        for &(id, time) in round {
            writer.record(&sample(id, 0x1000 + time, time)).expect("it can be written");
        }
        writer.finish_round().expect("it can be written");
    }
    writer.record(&record(LOST_SAMPLES, &[5, 0, 0, 0])).expect("it can be written");
    if is_finished {
        let features = vec![
            (Feature::EventDescription, event_description(&events)),
            (Feature::BuildId, build_id(&[1, 2, 3, 4], false, b"/bin/x")),
        ];
        writer.finish(features).expect("it can be written");
    } else {
        writer.finish_round().expect("it can be written");
    }
}

/// The times of all samples with the numbers of their events, and what was lost.
fn read(reader: &mut Reader) -> Result<(Vec<(usize, u64)>, u64, u64), String> {
    let mut samples = Vec::new();
    let mut lost = 0;
    let damaged = reader.records(&mut |event, record| {
        match record.body() {
            Body::Sample(sample) => samples.push((event, sample.time().unwrap_or(0))),
            Body::LostSamples(some) => lost += some.lost(),
            _ => {}
        }
        Ok::<(), Fault>(())
    });
    damaged.map(|damaged| (samples, lost, damaged)).map_err(|fault| fault.0)
}

const ALL: [(usize, u64); 7] = [(0, 10), (0, 20), (0, 30), (1, 40), (0, 50), (1, 60), (1, 70)];

#[test]
fn what_is_written_is_read() {
    let stored = Stored::new("whole");
    write(&stored, true);
    let mut reader = Reader::open(&stored.0).expect("it is a recording");
    let names: Vec<&str> = reader.events.iter().map(|event| event.name.as_str()).collect();
    assert_eq!(names, ["cpu-clock:u", "L1D, \"odd\""]);
    assert_eq!((reader.events[0].period, reader.order), (250_000, ByteOrder::NATIVE));
    let ids = reader.build_ids();
    assert_eq!(ids.get(&b"/bin/x"[..]).map(Vec::as_slice), Some(&[1, 2, 3, 4][..]));
    let expected = (ALL.to_vec(), 5, 0);
    assert_eq!(read(&mut reader).expect("it has records"), expected);
    assert!(reader.notes.is_empty(), "{:?}", reader.notes);
    let mut text = Vec::new();
    header::write(&mut text, &reader).expect("it is memory");
    let text = String::from_utf8(text).expect("it is text");
    let event = "# event : name = L1D, \"odd\", , id = { 13 }, type = 1, size = 112, \
                 config = 0 (PERF_COUNT_SW_CPU_CLOCK), { sample_period, sample_freq } = 250000, \
                 sample_type = IP|TID|TIME|IDENTIFIER, sample_id_all = 1\n";
    assert!(text.contains(event), "{text}");
    assert!(text.contains("\n# missing features: TRACING_DATA HOSTNAME "), "{text}");
}

/// A recording that was killed has all that was written in whole rounds.
#[test]
fn what_was_not_ended_is_read() {
    let stored = Stored::new("killed");
    write(&stored, false);
    let mut reader = Reader::open(&stored.0).expect("it is a recording");
    assert_eq!(read(&mut reader).expect("it has records").0, ALL);
    assert_eq!(reader.events[1].name, "cpu-clock");
}

/// Whatever is cut off or changed, there is an answer, in little time and memory.
#[test]
fn damaged_files() {
    let stored = Stored::new("damaged");
    write(&stored, true);
    let whole = fs::read(&stored.0).expect("it was written");
    let try_it = |bytes: &[u8]| {
        fs::write(&stored.0, bytes).expect("it can be written");
        match Reader::open(&stored.0) {
            Ok(mut reader) => {
                let _ = read(&mut reader);
                let _ = reader.build_ids();
                let _ = header::write(&mut std::io::sink(), &reader);
            }
            Err(fault) => assert!(!fault.0.is_empty()),
        }
    };
    for length in (0..whole.len()).step_by(11) {
        try_it(&whole[..length]);
    }
    for at in (0..whole.len().min(1200)).filter(|at| at % 3 == 0 || *at < 120) {
        for byte in [0, 0xff] {
            let mut odd = whole.clone();
            odd[at] = byte;
            try_it(&odd);
        }
    }
    // Lengths and numbers that exceed any memory.
    for at in (0..whole.len() - 8).step_by(8) {
        let mut odd = whole.clone();
        odd[at..at + 8].fill(0xff);
        try_it(&odd);
        odd[at..at + 8].copy_from_slice(&(1_u64 << 62).to_ne_bytes());
        try_it(&odd);
    }
}

#[test]
fn other_files() {
    let stored = Stored::new("other");
    let cases: [(&[u8], &str); 4] = [
        (b"", "is empty"),
        (b"PERFILE2", "is no recording: it is shorter than a header"),
        (&[b'x'; 200], "is no recording in the format of perf (`PERFILE2`)"),
        (&[&b"PERFILE2"[..], &[16, 0, 0, 0, 0, 0, 0, 0], &[0; 200]].concat(), "pipe"),
    ];
    for (bytes, message) in cases {
        fs::write(&stored.0, bytes).expect("it can be written");
        let fault = Reader::open(&stored.0).err().expect("it is no recording");
        assert!(fault.0.contains(message), "{}", fault.0);
    }
    for odd in ["/dev/null", "/dev/zero", "/"] {
        let fault = Reader::open(odd.as_ref()).err().expect("it is no file");
        assert!(fault.0.contains("regular file"), "{odd}: {}", fault.0);
    }
}

/// A file of a machine with the other order of bytes, made by turning each number of this one.
#[test]
fn the_other_order_of_bytes() {
    let stored = Stored::new("turned");
    let attr: Vec<u8> = {
        let mut attr = attr();
        let flags: u64 = if cfg!(target_endian = "big") { 1 << 18 } else { 1 << 45 };
        attr[40..48].copy_from_slice(&flags.to_ne_bytes());
        attr
    };
    let events = [Event { name: "x", attr: &attr, ids: vec![11] }];
    let file = File::create(&stored.0).expect("it can be made");
    let mut writer = Writer::new(file, &events).expect("it can be written");
    writer.record(&record(SAMPLE, &[11, 0x1234, 7, 99])).expect("it can be written");
    writer.finish_round().expect("it can be written");
    let mut bytes = fs::read(&stored.0).expect("it was written");
    let (attrs, data) = (104 + 8, 104 + 8 + 112 + 16);
    let turn = |bytes: &mut [u8], width: usize| bytes.chunks_mut(width).for_each(<[u8]>::reverse);
    turn(&mut bytes[..attrs], 8);
    turn(&mut bytes[attrs..attrs + 8], 4);
    turn(&mut bytes[attrs + 8..attrs + 48], 8);
    turn(&mut bytes[attrs + 112..data], 8);
    // Kind; flags and length; numbers, of which one is of two halves.
    turn(&mut bytes[data..data + 4], 4);
    turn(&mut bytes[data + 4..data + 8], 2);
    turn(&mut bytes[data + 8..data + 24], 8);
    turn(&mut bytes[data + 24..data + 32], 4);
    turn(&mut bytes[data + 32..data + 40], 8);
    turn(&mut bytes[data + 40..data + 44], 4);
    turn(&mut bytes[data + 44..data + 48], 2);
    fs::write(&stored.0, bytes).expect("it can be written");
    let mut reader = Reader::open(&stored.0).expect("it is a recording");
    assert_ne!(reader.order, ByteOrder::NATIVE);
    assert_eq!(reader.events[0].period, 250_000);
    let (samples, _, damaged) = read(&mut reader).expect("it has records");
    assert_eq!((samples, damaged), (vec![(0, 99)], 0));
}
