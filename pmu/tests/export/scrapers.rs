//! Scrapers that are slow, many, or mean no good.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use crate::SOFTWARE;
use crate::export::Exporter;

/// Slow readers, half requests and a thousand connections take nothing from others.
#[test]
fn scrapers_that_mean_no_good() {
    let limits = "[limits]\nconnections = 8\nrequest = 1\n";
    let exporter = Exporter::start(&format!("{SOFTWARE}{limits}"), &[]);
    let connect = || TcpStream::connect(&exporter.address).expect("it listens");
    let slow: Vec<TcpStream> = (0..3)
        .map(|_| {
            let mut stream = connect();
            stream.write_all(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n").expect("it is open");
            stream
        })
        .collect();
    let half: Vec<TcpStream> = (0..3)
        .map(|_| {
            let mut stream = connect();
            stream.write_all(b"GET /metrics HT").expect("it is open");
            stream
        })
        .collect();
    // A byte at a time, for as long as this test runs.
    let mut bytes = connect();
    bytes.write_all(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n").expect("it is open");
    let reader = thread::spawn(move || {
        let is_read = |stream: &mut TcpStream| stream.read(&mut [0]).is_ok_and(|read| read > 0);
        let mut read = 0;
        while read < 20 && is_read(&mut bytes) {
            read += 1;
            thread::sleep(Duration::from_millis(100));
        }
        read
    });
    assert!(exporter.get("").head.contains("200 OK"), "there is room");
    let many: Vec<TcpStream> =
        (0..1000).filter_map(|_| TcpStream::connect(&exporter.address).ok()).collect();
    assert_eq!(many.len(), 1000);
    let begin = Instant::now();
    // Until the connections that were served first are given up.
    let answer = loop {
        let answer = exporter.get("");
        if answer.head.contains("200 OK") {
            break answer;
        }
        assert!(begin.elapsed() < Duration::from_secs(60), "nobody is served any more");
        thread::sleep(Duration::from_millis(50));
    };
    let number = |name: &str| -> f64 {
        let line = answer.body.lines().find(|line| line.starts_with(name)).expect(name);
        line.rsplit(' ').next().expect("a value").parse().expect("a number")
    };
    assert!(number("pmu_export_connections_refused_total") >= 900.0, "{}", answer.body);
    assert!(number("pmu_export_connections_given_up_total") >= 3.0, "{}", answer.body);
    for mut stream in half {
        let mut rest = String::new();
        let _ = stream.read_to_string(&mut rest);
        assert!(!rest.contains("200 OK"), "it asked for nothing");
    }
    assert_eq!(reader.join().ok(), Some(20), "an answer is kept for whoever is slow to take it");
    drop((slow, many));
    assert_eq!(exporter.end().code(), Some(0));
}

/// Neither files nor memory grow with requests; `EXPORT_SCRAPES` says how many there are.
#[test]
fn nothing_grows() {
    let exporter = Exporter::start(SOFTWARE, &[]);
    let scrape = |times: usize| {
        for _ in 0..times {
            assert!(exporter.get("").head.contains("200 OK"));
        }
    };
    scrape(100);
    let times = std::env::var("EXPORT_SCRAPES").ok().and_then(|text| text.parse().ok());
    let before = (exporter.files(), exporter.memory());
    scrape(times.unwrap_or(1000));
    let begin = Instant::now();
    // The last connection may not be closed yet.
    while exporter.files() > before.0 {
        assert!(begin.elapsed() < Duration::from_secs(30), "{} files", exporter.files());
    }
    let after = (exporter.files(), exporter.memory());
    assert!(after.1 < before.1 + 512, "{before:?} {after:?} KiB");
}
