//! Events that perf gets wrong, as the commands show and encode them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde_json::{Value, json};

#[allow(dead_code)] // Other tests use more of it.
#[path = "common/run.rs"]
mod run;

use run::Run;

const EVENTS: &str = r#"[
{"EventName": "UNC_Q_SHINE", "EventCode": "0x2", "ExtSel": "1", "UMask": "0x8", "Unit": "QPI",
 "PerPkg": "1", "BriefDescription": "Facets that were seen.", "PerfLoses": "ExtSel",
 "PerfEvent": "event=2,umask=8",
 "PerfEvidence": "wrong in 6.12,6.17,7.3; right in 6.1; driver; libpfm4"},
{"EventName": "FACETS", "EventCode": "0xc4", "PEBS": "1", "PerfLoses": "Precise",
 "PerfEvidence": "imprecise in 6.17"},
{"EventName": "CPU_CLK_UNHALTED.REF", "EventCode": "0x3c", "UMask": "0x1", "Counter": "0,1",
 "BriefDescription": "Reference facets."},
{"EventName": "INST_RETIRED.ANY_P", "EventCode": "0xc0", "UMask": "0x1", "Counter": "0,1",
 "BriefDescription": "Facets that retired."},
{"EventName": "DULL", "EventCode": "0xc5"}
]"#;
const MAP_FILE: &str =
    "Family-model,Version,Filename,EventType\nGenuineIntel-6-3F,v1,quartz,core\n";
const SENTENCE: &str = "perf 6.12, 6.17 and 7.3 count event=2,umask=8 under this name";
const EVIDENCE: &str = "confirmed: Linux 6.1, libpfm4, the driver's formats";
const FIXED: &str = "perf counts event=0x0,umask=0x03,period=2000003 under this name, \
                     not the vendor's event=0x3c,umask=1";
const PRECISE: &str = "perf 6.17 does not know that it can be sampled precisely";

/// The made-up tree, written once: tests read it at the same time.
static TREE: LazyLock<PathBuf> = LazyLock::new(|| {
    let tree = Path::new(env!("CARGO_TARGET_TMPDIR")).join("perf-differs/x86");
    fs::create_dir_all(tree.join("quartz")).expect("it is made");
    fs::write(tree.join("mapfile.csv"), MAP_FILE).expect("it is written");
    fs::write(tree.join("quartz/other.json"), EVENTS).expect("it is written");
    tree
});

/// A command on the tables of the made-up tree, whose CPU has the formats of a
/// Haswell server.
fn run(command: &str, arguments: &[&str]) -> Run {
    let subject = [command, "--cpuid", "GenuineIntel-6-3F-2", "--tree"];
    let mut command = run::command();
    run::finish(command.args(subject).arg(&*TREE).args(arguments).env("COLUMNS", "120"))
}

fn lines(run: &Run) -> Vec<Value> {
    run.out.lines().map(|line| serde_json::from_str(line).expect("one object a line")).collect()
}

#[test]
fn list_shows_both() {
    let shown = run("list", &["--details"]);
    assert_eq!(shown.code, Some(0), "{}", shown.err);
    for line in [SENTENCE, EVIDENCE, PRECISE, "event=0x102,umask=8"] {
        assert_eq!(shown.out.matches(line).count(), 1, "{line}:\n{}", shown.out);
    }

    // What the lines of the terminal break apart.
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown = words(&shown.out);
    for facts in [
        "event string event=0x0,umask=0x03,period=2000003 vendor's code event=0x3c,umask=1",
        "event string event=0xc0,period=2000003 vendor's code event=0xc0,umask=1",
        FIXED,
    ] {
        assert_eq!(shown.matches(facts).count(), 1, "{facts}:\n{shown}");
    }
    // The same instructions, by another code.
    assert_eq!(shown.matches("perf differs").count(), 3, "{shown}");

    let shown = run("list", &["--details", "--encoding", "perf"]);
    assert_eq!(shown.code, Some(0), "{}", shown.err);
    assert_eq!(shown.out.matches("event=2,umask=8").count(), 1, "{}", shown.out);
    for line in ["under this name", "precise", "0x102", "vendor", "0x3c"] {
        assert!(!shown.out.contains(line), "{line}:\n{}", shown.out);
    }
}

#[test]
fn list_tells_programs() {
    let events = lines(&run("list", &["--json"]));
    let of = |name: &str| &events.iter().find(|event| event["name"] == name).expect(name)["perf_differs"];
    let differs = |event: &str, versions: &str, evidence: Option<&str>, is_precise: bool| {
        json!({
            "event_string": event,
            "versions": versions,
            "confidence": evidence.map(|evidence| evidence.split(':').next()),
            "evidence": evidence,
            "loses_umask_extension": false,
            "loses_ext_sel": !is_precise,
            "loses_precision": is_precise,
            "has_other_register": false,
            "has_other_filter": false,
            "has_fixed_string": false,
        })
    };
    let of_shine = differs("event=2,umask=8", "perf 6.12, 6.17 and 7.3", Some(EVIDENCE), false);
    assert_eq!(*of("UNC_Q_SHINE"), of_shine);
    assert_eq!(*of("FACETS"), differs("event=0xc4", "perf 6.17", Some("stated"), true));
    assert_eq!(*of("DULL"), Value::Null);
    let mut fixed = differs("event=0x0,umask=0x03,period=2000003", "perf", None, false);
    (fixed["loses_ext_sel"], fixed["has_fixed_string"]) = (json!(false), json!(true));
    assert_eq!(*of("CPU_CLK_UNHALTED.REF"), fixed);
    assert_eq!(*of("INST_RETIRED.ANY_P"), Value::Null);
    for (name, own) in [
        ("CPU_CLK_UNHALTED.REF", "event=0x3c,umask=1"),
        ("INST_RETIRED.ANY_P", "event=0xc0,umask=1"),
        ("DULL", "event=0xc5"),
    ] {
        let event = events.iter().find(|event| event["name"] == name).expect(name);
        assert_eq!(event["vendor_event_string"], own, "{name}");
    }
    let events = lines(&run("list", &["--json", "--encoding=perf"]));
    assert!(events.iter().all(|event| event["perf_differs"].is_null()));
    assert!(events.iter().any(|event| event["event_string"] == "event=2,umask=8"));
}

#[test]
fn encode_sets_the_bit_and_says_so() {
    let shown = run("encode", &["unc_q_shine,facets:p,dull"]);
    assert_eq!(shown.code, Some(0), "{}", shown.err);
    assert!(shown.out.contains("unc_q_shine pmu=uncore_qpi"), "{}", shown.out);
    assert!(shown.out.contains("config=0x200802"), "{}", shown.out);
    let note = format!("pmu encode: note: UNC_Q_SHINE: {SENTENCE} ({EVIDENCE})\n");
    assert_eq!(shown.err.matches(&note).count(), 1, "{}", shown.err);
    // A name with one event string on every CPU has perf's words.
    let fixed = run("encode", &["cpu_clk_unhalted.ref,inst_retired.any_p"]);
    assert!(fixed.out.contains(" config=0x300 "), "{}", fixed.out);
    let note = format!("pmu encode: note: CPU_CLK_UNHALTED.REF: {FIXED}\n");
    assert_eq!(fixed.err.matches(&note).count(), 1, "{}", fixed.err);
    assert!(!fixed.err.contains("INST_RETIRED"), "{}", fixed.err);
    // Nobody's words change by what can be sampled precisely.
    assert!(!shown.err.contains("FACETS"), "{}", shown.err);

    let shown = run("encode", &["--encoding=perf", "unc_q_shine"]);
    assert!(shown.out.contains(" config=0x802 "), "{}", shown.out);
    assert!(!shown.err.contains(SENTENCE), "{}", shown.err);
}

#[test]
fn encode_tells_programs() {
    let shown = run("encode", &["--json", "{unc_q_shine},facets,dull"]);
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
        let shown = run("decode", &["--encoding", encoding, "uncore_qpi/config=0x802/"]);
        (shown.code, shown.out.contains("UNC_Q_SHINE"), shown.out + &shown.err)
    };
    let (code, is_found, text) = found("perf");
    assert_eq!((code, is_found), (Some(0), true), "{text}");
    let (code, _, text) = found("correct");
    assert_eq!(code, Some(1), "{text}");
}

/// A code is an event's by perf's string or by the vendor's list.
#[test]
fn decode_finds_the_vendor_s_code() {
    let cases = [
        ("0x13c", "by_vendor", "CPU_CLK_UNHALTED.REF"),
        ("0x300", "events", "CPU_CLK_UNHALTED.REF"),
        ("0x1c0", "by_vendor", "INST_RETIRED.ANY_P"),
        ("0xc0", "events", "INST_RETIRED.ANY_P"),
    ];
    for (code, place, name) in cases {
        let shown = run("decode", &["--json", code]);
        assert_eq!(shown.code, Some(0), "{code}: {}", shown.err);
        let found = &lines(&shown)[0];
        let other = if place == "events" { "by_vendor" } else { "events" };
        assert_eq!(found[place][0]["name"], name, "{code}: {found}");
        assert_eq!(found[other], json!([]), "{code}: {found}");
        assert_eq!(found["nearest"], json!([]), "{code}: {found}");
    }
    let told = |code: &str| run("decode", &[code]).out;
    let sentence = "perf counts event=0xc0,period=2000003 under this name";
    assert!(told("0x1c0").contains(sentence), "{}", told("0x1c0"));
    assert!(told("0x13c").contains("event=0x3c,umask=1"), "{}", told("0x13c"));
    assert!(told("0x300").contains(FIXED), "{}", told("0x300"));
    let shown = run("decode", &["--encoding", "perf", "0x13c"]);
    assert_eq!(shown.code, Some(1), "{}", shown.out);
}

#[test]
fn page_shows_both() {
    let page = run("page", &["--html=-"]);
    assert_eq!(page.code, Some(0), "{}", page.err);
    for (label, fact) in [
        ("perf differs", SENTENCE),
        ("evidence", &EVIDENCE.replace('\'', "&#39;")),
        ("perf differs", PRECISE),
        ("perf differs", &FIXED.replace('\'', "&#39;")),
        ("vendor's code", "event=0x3c,umask=1"),
        ("vendor's code", "event=0xc0,umask=1"),
    ] {
        let fact = format!("<dt>{label}</dt><dd>{fact}</dd>");
        assert_eq!(page.out.matches(&fact).count(), 1, "{fact}");
    }
    let page = run("page", &["--html=-", "--encoding=perf"]);
    assert!(page.out.contains("<dd>event=2,umask=8</dd>"), "{}", page.err);
    assert!(!page.out.contains("under this name"));
}

#[test]
fn an_encoding_is_one_of_two() {
    for command in ["list", "encode", "decode", "page", "stat"] {
        let refused = run(command, &["--encoding", "linux"]);
        assert_eq!(refused.code, Some(if command == "stat" { 125 } else { 2 }), "{command}");
        assert!(refused.err.contains("[possible values: correct, perf]"), "{}", refused.err);
    }
}
