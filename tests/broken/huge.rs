//! A huge file ends, one way or the other, with a message or without.

use std::io::Write as _;
use std::time::Instant;
use std::{env, fs};

use crate::case::{empty_scratch, remove, write_basis};
use crate::rustc;

/// How large; smaller where 100 MB would keep everybody waiting, because
/// the macro is not optimised. `PMU_EVENTS_HUGE_MB=100` is the whole size.
fn size(default: usize) -> usize {
    let given = env::var("PMU_EVENTS_HUGE_MB").ok();
    1_000_000 * given.map_or(default, |text| text.parse().expect("a number of megabytes"))
}

/// Compiles a tree with one huge file; gives what was said, and prints how
/// long it took.
fn compile_huge(name: &str, write: impl FnOnce(&mut dyn std::io::Write)) -> String {
    let manifest = empty_scratch(name);
    write_basis(&manifest);
    let path = manifest.join("tree/soc/huge.json");
    let mut file = std::io::BufWriter::new(fs::File::create(&path).unwrap());
    write(&mut file);
    file.flush().unwrap();
    drop(file);
    rustc::build();
    let bytes = fs::metadata(&path).unwrap().len();
    let start = Instant::now();
    let found = rustc::compile(name, &manifest, "\"tree\"", None).text;
    println!("{name}: {bytes} bytes in {:.1} s: {found}", start.elapsed().as_secs_f64());
    remove(&manifest);
    assert!(!found.contains("proc macro panicked") && !found.contains("crash: "), "{found}");
    found
}

#[test]
#[ignore = "writes up to 100 MB; CI runs it"]
fn many_events() {
    let events = size(30) / 200;
    let found = compile_huge("huge-events", |file| {
        let filler = "An event of which there are all too many";
        file.write_all(b"[").unwrap();
        for n in 0..events {
            let separator = if n == 0 { "" } else { "," };
            writeln!(
                file,
                "{separator}{{\"EventName\": \"HUGE.EVENT_{n}\", \"EventCode\": \"{n:#x}\", \
                 \"UMask\": \"{:#x}\", \"Counter\": \"0,1,2,3\", \"SampleAfterValue\": \
                 \"2000003\", \"BriefDescription\": \"{filler}, number {n}.\"}}",
                n % 256
            )
            .unwrap();
        }
        file.write_all(b"]").unwrap();
    });
    assert!(found.is_empty() || found.starts_with("error: tree: too large: "), "{found}");
}

#[test]
#[ignore = "writes up to 100 MB; CI runs it"]
fn long_descriptions() {
    let words = size(100) / 20;
    let found = compile_huge("huge-descriptions", |file| {
        file.write_all(b"[").unwrap();
        for n in 0..20 {
            let separator = if n == 0 { "" } else { "," };
            write!(file, "{separator}{{\"EventName\": \"HUGE.{n}\", \"BriefDescription\": \"")
                .unwrap();
            for word in 0..words / 10 {
                write!(file, "word {:04x} ", (word * 7 + n) % 0xffff).unwrap();
            }
            file.write_all(b"\"}\n").unwrap();
        }
        file.write_all(b"]").unwrap();
    });
    assert!(found.is_empty() || found.starts_with("error: tree: too large: "), "{found}");
}

#[test]
#[ignore = "writes up to 100 MB; CI runs it"]
fn white_space() {
    let bytes = size(100);
    let found = compile_huge("huge-space", |file| {
        let line = [b' '; 1000];
        file.write_all(b"[").unwrap();
        for _ in 0..bytes / line.len() {
            file.write_all(&line).unwrap();
        }
        file.write_all(b"]").unwrap();
    });
    assert_eq!(found, "");
}

#[test]
#[ignore = "writes up to 100 MB; CI runs it"]
fn faults_everywhere() {
    let objects = size(30) / 40;
    let found = compile_huge("huge-faults", |file| {
        file.write_all(b"[").unwrap();
        for n in 0..objects {
            let separator = if n == 0 { "" } else { "," };
            writeln!(file, "{separator}{{\"EventName\": \"E{n}\", \"UMask\": \"x\"}}").unwrap();
        }
        file.write_all(b"]").unwrap();
    });
    assert!(found.starts_with(&format!("error: {objects} errors in the event tree\n")));
    assert!(found.ends_with(&format!("… and {} more\n", objects - 20)), "{found}");
    assert_eq!(found.lines().count(), 22);
}
