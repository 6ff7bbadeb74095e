//! Events that perf gets wrong, as the commands show and encode them.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

const EVENTS: &str = r#"[
{"EventName": "UNC_Q_SHINE", "EventCode": "0x2", "ExtSel": "1", "UMask": "0x8", "Unit": "QPI",
 "PerPkg": "1", "BriefDescription": "Facets that were seen.", "PerfLoses": "ExtSel",
 "PerfEvent": "event=2,umask=8"},
{"EventName": "FACETS", "EventCode": "0xc4", "PEBS": "1", "PerfLoses": "Precise"},
{"EventName": "DULL", "EventCode": "0xc5"}
]"#;
const MAP_FILE: &str =
    "Family-model,Version,Filename,EventType\nGenuineIntel-6-3F,v1,quartz,core\n";
const SENTENCE: &str = "perf 6.2 to 6.17 counts event=2,umask=8 under this name";
const PRECISE: &str = "perf 6.17 does not know that it can be sampled precisely";

struct Run {
    code: Option<i32>,
    out: String,
    err: String,
}

/// A command on the tables of the made-up tree, whose CPU has the formats of a
/// Haswell server.
fn run(test: &str, command: &str, arguments: &[&str]) -> Run {
    let tree = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("perf-differs-{test}/x86"));
    fs::create_dir_all(tree.join("quartz")).expect("it is made");
    fs::write(tree.join("mapfile.csv"), MAP_FILE).expect("it is written");
    fs::write(tree.join("quartz/other.json"), EVENTS).expect("it is written");
    let output = Command::new(env!("CARGO_BIN_EXE_pmu"))
        .args([command, "--cpuid", "GenuineIntel-6-3F-2", "--tree"])
        .arg(&tree)
        .args(arguments)
        .env_remove("PERF_CPUID")
        .env_remove("SYSFS_PATH")
        .env("COLUMNS", "120")
        .output();
    let Output { status, stdout, stderr } = output.expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("the output is UTF-8");
    Run { code: status.code(), out: text(stdout), err: text(stderr) }
}

fn lines(run: &Run) -> Vec<Value> {
    run.out.lines().map(|line| serde_json::from_str(line).expect("one object a line")).collect()
}

#[test]
fn list_shows_both() {
    let shown = run("list", "list", &["--details"]);
    assert_eq!(shown.code, Some(0), "{}", shown.err);
    for line in [SENTENCE, PRECISE, "event=0x102,umask=8"] {
        assert_eq!(shown.out.matches(line).count(), 1, "{line}:\n{}", shown.out);
    }

    let shown = run("list", "list", &["--details", "--encoding", "perf"]);
    assert_eq!(shown.code, Some(0), "{}", shown.err);
    assert_eq!(shown.out.matches("event=2,umask=8").count(), 1, "{}", shown.out);
    for line in ["under this name", "precise", "0x102"] {
        assert!(!shown.out.contains(line), "{line}:\n{}", shown.out);
    }
}

#[test]
fn list_tells_programs() {
    let events = lines(&run("list-json", "list", &["--json"]));
    let of = |name: &str| &events.iter().find(|event| event["name"] == name).expect(name)["perf_differs"];
    let differs = |event: &str, versions: &str, is_precise: bool| {
        json!({
            "event_string": event,
            "versions": versions,
            "loses_umask_extension": false,
            "loses_ext_sel": !is_precise,
            "loses_precision": is_precise,
            "has_other_register": false,
            "has_other_filter": false,
        })
    };
    assert_eq!(*of("UNC_Q_SHINE"), differs("event=2,umask=8", "perf 6.2 to 6.17", false));
    assert_eq!(*of("FACETS"), differs("event=0xc4", "perf 6.17", true));
    assert_eq!(*of("DULL"), Value::Null);
    let events = lines(&run("list-json", "list", &["--json", "--encoding=perf"]));
    assert!(events.iter().all(|event| event["perf_differs"].is_null()));
    assert!(events.iter().any(|event| event["event_string"] == "event=2,umask=8"));
}

#[test]
fn encode_sets_the_bit_and_says_so() {
    let shown = run("encode", "encode", &["unc_q_shine,facets:p,dull"]);
    assert_eq!(shown.code, Some(0), "{}", shown.err);
    assert!(shown.out.contains("unc_q_shine pmu=uncore_qpi"), "{}", shown.out);
    assert!(shown.out.contains("config=0x200802"), "{}", shown.out);
    let note = format!("pmu encode: note: UNC_Q_SHINE: {SENTENCE}\n");
    assert_eq!(shown.err.matches(&note).count(), 1, "{}", shown.err);
    // Nobody's words change by what can be sampled precisely.
    assert!(!shown.err.contains("FACETS"), "{}", shown.err);

    let shown = run("encode", "encode", &["--encoding=perf", "unc_q_shine"]);
    assert!(shown.out.contains(" config=0x802 "), "{}", shown.out);
    assert!(!shown.err.contains(SENTENCE), "{}", shown.err);
}

#[test]
fn encode_tells_programs() {
    let shown = run("encode-json", "encode", &["--json", "{unc_q_shine},facets,dull"]);
    let evsels = &lines(&shown)[0]["evsels"];
    let strings = |of: &Value| {
        let differs = of.as_array().expect("an array").iter().map(|one| &one["perf_differs"]);
        differs.map(|one| one["event_string"].clone()).collect::<Vec<_>>()
    };
    let expected = [json!("event=2,umask=8"), json!("event=0xc4"), Value::Null];
    assert_eq!(strings(evsels), expected, "{evsels}");
}

#[test]
fn decode_finds_the_event_that_perf_counted() {
    let found = |encoding: &str| {
        let shown = run("decode", "decode", &["--encoding", encoding, "uncore_qpi/config=0x802/"]);
        (shown.code, shown.out.contains("UNC_Q_SHINE"), shown.out + &shown.err)
    };
    let (code, is_found, text) = found("perf");
    assert_eq!((code, is_found), (Some(0), true), "{text}");
    let (code, _, text) = found("correct");
    assert_eq!(code, Some(1), "{text}");
}

#[test]
fn page_shows_both() {
    let page = run("page", "page", &["--html=-"]);
    assert_eq!(page.code, Some(0), "{}", page.err);
    for fact in [SENTENCE, PRECISE] {
        let fact = format!("<dt>perf differs</dt><dd>{fact}</dd>");
        assert_eq!(page.out.matches(&fact).count(), 1, "{fact}");
    }
    let page = run("page", "page", &["--html=-", "--encoding=perf"]);
    assert!(page.out.contains("<dd>event=2,umask=8</dd>"), "{}", page.err);
    assert!(!page.out.contains("under this name"));
}

#[test]
fn an_encoding_is_one_of_two() {
    for command in ["list", "encode", "decode", "page", "stat"] {
        let refused = run("usage", command, &["--encoding", "linux"]);
        assert_eq!(refused.code, Some(if command == "stat" { 125 } else { 2 }), "{command}");
        assert!(refused.err.contains("[possible values: correct, perf]"), "{}", refused.err);
    }
}
