//! Intel's perfmon as a source: a made-up directory with every rule and quirk, and
//! the result of compiling it with the source's encodings and with perf's.

mod described;

use std::path::{Path, PathBuf};

use pmu_events_compiler::{Compiled, Encoding, Options, Source, Unknown, compile};
use pmu_events_core::{Model, Tree};

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

fn compiled(directory: &Path, encoding: Encoding) -> Result<Compiled, String> {
    let mut options = Options::default();
    options.encoding = encoding;
    options.unknown = Unknown::Deny;
    let source = Source::read(directory, "perfmon", &options);
    compile(&source, &options).map_err(|refused| refused.errors.to_string())
}

#[track_caller]
fn check(name: &str, encoding: Encoding) {
    match compiled(&tests().join("made-up-perfmon"), encoding) {
        Ok(compiled) => described::check(compiled, &tests().join(name)),
        Err(errors) => panic!("{errors}"),
    }
}

#[test]
fn what_the_source_says() {
    check("made-up-perfmon.correct.txt", Encoding::Correct);
}

#[test]
fn what_perf_makes_of_it() {
    check("made-up-perfmon.perf.txt", Encoding::Perf);
}

/// perf's string that an event keeps is the one that perf's encoding has.
#[test]
fn what_perf_counts_is_what_perf_has() {
    let directory = tests().join("made-up-perfmon");
    let tree = |encoding| -> &'static Tree {
        let Compiled { strings, tables, .. } =
            compiled(&directory, encoding).unwrap_or_else(|errors| panic!("{errors}"));
        Box::leak(Box::new(Tree::new(strings.leak(), tables.leak())))
    };
    let (correct, perf) = (tree(Encoding::Correct), tree(Encoding::Perf));
    let mut differing = 0;
    for model in correct.models() {
        let theirs: Model = perf.model_named(model.name()).expect("both have the same models");
        for event in model.events() {
            let their = theirs.event_on(event.pmu(), event.name()).expect("and the same events");
            assert_eq!(their.perf_differs(), None);
            let kept = event.perf_differs().map_or(event.event_string(), |d| d.event_string());
            assert_eq!(kept, their.event_string(), "{}", event.name());
            differing += usize::from(event.event_string() != their.event_string());
        }
    }
    assert!(differing > 4, "{differing}");
}

/// perf's script keeps the first of several events of one name; which of them is meant
/// is not known.
#[test]
fn an_event_twice() {
    let objects =
        r#"{"EventName": "A", "EventCode": "0x1"}, {"EventName": "A", "EventCode": "0x2"}"#;
    let directory = one_file("an-event-twice", "QTZ", "core", objects);
    let Err(errors) = compiled(&directory, Encoding::Correct) else { panic!("it is refused") };
    assert!(errors.contains("duplicate event `A`"), "{errors}");
    assert_eq!(event_strings(&directory, Encoding::Perf), ["event=1"]);
}

/// Emerald Rapids has the driver of Sapphire Rapids, hence its counters of outbound
/// data, of which perf's script knows those of Sapphire Rapids only.
#[test]
fn outbound_data() {
    let objects = r#"{"Unit": "IIO", "EventName": "UNC_IIO_BANDWIDTH_OUT.PART3_FREERUN",
        "EventCode": "0x00", "Counter": "12", "CounterType": "FREERUN"}"#;
    for (short, encoding, expected) in [
        ("SPR", Encoding::Correct, &["event=0xff,umask=0x33"][..]),
        ("SPR", Encoding::Perf, &["event=0xff,umask=0x33"]),
        ("EMR", Encoding::Correct, &["event=0xff,umask=0x33"]),
        ("EMR", Encoding::Perf, &[]),
        ("ICX", Encoding::Correct, &[]),
    ] {
        let directory = one_file(&format!("outbound-data-{short}"), short, "uncore", objects);
        assert_eq!(event_strings(&directory, encoding), expected, "{short} {encoding:?}");
    }
}

/// A directory of one file of events.
fn one_file(test: &str, short: &str, kind: &str, objects: &str) -> PathBuf {
    use std::fs;

    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("perfmon-with-{test}"));
    let events = directory.join(short).join("events");
    fs::create_dir_all(&events).expect("a directory can be made");
    let map = format!(
        "Family-model,Version,Filename,EventType,Core Type,Native Model ID,Core Role Name\n\
         GenuineIntel-6-F0,V1,/{short}/events/quartz_{kind}.json,{kind},,,\n"
    );
    fs::write(directory.join("mapfile.csv"), map).expect("a file can be written");
    let objects = format!(r#"{{"Header": {{}}, "Events": [{objects}]}}"#);
    fs::write(events.join(format!("quartz_{kind}.json")), objects).expect("a file can be written");
    directory
}

fn event_strings(directory: &Path, encoding: Encoding) -> Vec<String> {
    let Compiled { strings, tables, .. } =
        compiled(directory, encoding).unwrap_or_else(|errors| panic!("{errors}"));
    let tree: &'static Tree = Box::leak(Box::new(Tree::new(strings.leak(), tables.leak())));
    tree.events().map(|event| event.event_string().to_string()).collect()
}
