//! What perf has instead of an event, by the keys of a tree or by an event's name, with
//! both encodings.

use std::fs;
use std::path::Path;

use pmu_events_compiler::{Encoding, Options, Source, Unknown, compile};
use pmu_events_core::event::Precise;
use pmu_events_core::{Event, Tree};

const STANDARD: &str = r#"[
{"EventName": "CPU_CLK_UNHALTED.REF", "EventCode": "0x3c", "UMask": "1", "Counter": "0,1"},
{"EventName": "CPU_CLK_UNHALTED.CORE", "EventCode": "0x3e", "Counter": "Fixed counter 1"},
{"EventName": "STANDARD", "EventCode": "0x2", "ExtSel": "1", "TakenAlone": "1",
 "PerfLoses": "ExtSel", "PerfEvent": "event=2"}
]"#;

const EVENTS: &str = r#"[
{"EventName": "EXT_SEL", "EventCode": "0x2", "ExtSel": "1", "PerfLoses": "ExtSel", "PerfEvent": "event=2",
 "PerfEvidence": "wrong in 6.12,7.3; right in 6.1; driver"},
{"EventName": "EXTENSION", "EventCode": "0x2", "UMask": "0x8000", "PEBS": "1",
 "BriefDescription": "Both.", "PerfLoses": "UMaskExt, Precise", "PerfEvent": "event=2"},
{"EventName": "PRECISE", "EventCode": "0x2", "PEBS": "2", "BriefDescription": "One.",
 "PerfLoses": "Precise"},
{"EventName": "REGISTER", "EventCode": "0x2", "UMask": "2", "MSRIndex": "0x1a7", "MSRValue": "1",
 "PerfLoses": "Register", "PerfEvent": "event=2,umask=1,offcore_rsp=1"},
{"EventName": "PAIRS", "EventCode": "0x2", "UMask": "1", "MSRIndex": "0x3e0,0x3e1", "MSRValue": "1",
 "MSRUMask": "1,0x20"},
{"EventName": "ALONE", "EventCode": "0x2", "TakenAlone": "1"},
{"EventName": "INST_RETIRED.ANY", "EventCode": "0", "PEBS": "1", "PerfLoses": "Precise"},
{"EventName": "CPU_CLK_UNHALTED.THREAD", "EventCode": "0", "ExtSel": "1",
 "PerfLoses": "ExtSel", "PerfEvent": "event=0"},
{"ArchStdEvent": "CPU_CLK_UNHALTED.REF"},
{"ArchStdEvent": "CPU_CLK_UNHALTED.REF", "EventName": "REF.GENERAL"},
{"ArchStdEvent": "CPU_CLK_UNHALTED.REF", "EventName": "REF.FIXED", "Counter": "Fixed counter 2"},
{"ArchStdEvent": "CPU_CLK_UNHALTED.CORE", "Counter": "0,1"},
{"EventName": "INST_RETIRED.ANY_P", "EventCode": "0xc0", "UMask": "1", "Counter": "0,1",
 "SampleAfterValue": "2000000", "PEBS": "1", "PerfLoses": "Precise"},
{"EventName": "CPU_CLK_UNHALTED.THREAD_ANY", "EventCode": "0x3c", "Counter": "0,1", "PEBS": "1",
 "PerfLoses": "Precise"},
{"ArchStdEvent": "STANDARD", "PerfEvidence": "wrong in 6.17; not libpfm4"},
{"ArchStdEvent": "STANDARD", "EventName": "OTHER"}
]"#;

/// Event string, precision, whether it is alone, pairs, and what perf has.
fn described(event: Event) -> String {
    let mut text = format!("{} {}", event.name(), event.event_string());
    if event.vendor_event_string() != event.event_string() {
        text += &format!(", the vendor's {}", event.vendor_event_string());
    }
    text += match event.precise() {
        Precise::Possible => ", precise",
        Precise::Required => ", only precise",
        _ => "",
    };
    text += if event.is_taken_alone() { ", alone" } else { "" };
    for (msr, umask) in event.msr_umasks() {
        text += &format!(", {msr:#x} with {umask:#x}");
    }
    if let Some(perf) = event.perf_differs() {
        let reasons = [
            (perf.loses_umask_extension(), "UMaskExt"),
            (perf.loses_ext_sel(), "ExtSel"),
            (perf.loses_precision(), "Precise"),
            (perf.has_other_register(), "Register"),
            (perf.has_fixed_string(), "fixed"),
        ];
        let reasons: Vec<_> = reasons.iter().filter(|(is, _)| *is).map(|(_, why)| *why).collect();
        text += &format!("; {}: {perf}", reasons.join(", "));
        if let Some(evidence) = perf.evidence() {
            text += &format!(" ({evidence})");
        }
    }
    if let Some(brief) = event.perf_description() {
        text += &format!("; {brief}");
    }
    text
}

fn events(encoding: Encoding) -> Vec<String> {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("perf-differs-{encoding:?}"));
    fs::create_dir_all(root.join("acme")).expect("it is made");
    for (path, text) in [
        ("mapfile.csv", "Family-model,Version,Filename,EventType\nacme-1,v1,acme,core\n"),
        ("standard.json", STANDARD),
        ("acme/events.json", EVENTS),
    ] {
        fs::write(root.join(path), text).expect("it is written");
    }
    let mut options = Options::default();
    (options.encoding, options.unknown) = (encoding, Unknown::Deny);
    let compiled = match compile(&Source::read(&root, "acme", &options), &options) {
        Ok(compiled) => compiled,
        Err(refused) => panic!("{}", refused.errors),
    };
    let tree: &'static Tree =
        Box::leak(Box::new(Tree::new(compiled.strings.leak(), compiled.tables.leak())));
    tree.models().flat_map(|model| model.events()).map(described).collect()
}

#[test]
fn with_the_source_s_encoding() {
    let expected = [
        "ALONE event=2, alone",
        "CPU_CLK_UNHALTED.CORE event=0x3c,period=2000003, the vendor's event=0x3e; fixed: perf counts event=0x3c,period=2000003 under this name, not the vendor's event=0x3e",
        "CPU_CLK_UNHALTED.REF event=0x0,umask=0x03,period=2000003, the vendor's event=0x3c,umask=1; fixed: perf counts event=0x0,umask=0x03,period=2000003 under this name, not the vendor's event=0x3c,umask=1",
        "CPU_CLK_UNHALTED.THREAD event=0x3c,period=2000003",
        "CPU_CLK_UNHALTED.THREAD_ANY event=0x3c,any=1,period=2000003, the vendor's event=0x3c, precise; Precise, fixed: perf counts event=0x3c,any=1,period=2000003 under this name, not the vendor's event=0x3c",
        "EXT_SEL event=0x102; ExtSel: perf 6.12 and 7.3 count event=2 under this name (confirmed: Linux 6.1, the driver's formats)",
        "EXTENSION event=2,umask=0x8000, precise; UMaskExt, Precise: perf counts event=2 under this name; Both (Precise event)",
        "INST_RETIRED.ANY event=0xc0,period=2000003, precise; Precise: perf does not know that it can be sampled precisely",
        "INST_RETIRED.ANY_P event=0xc0,period=2000003, the vendor's event=0xc0,period=2000000,umask=1, precise; Precise: perf does not know that it can be sampled precisely",
        "OTHER event=0x102, alone; ExtSel: perf counts event=2 under this name",
        "PAIRS event=2,umask=1,offmodule_rsp=1, 0x3e0 with 0x1, 0x3e1 with 0x20",
        "PRECISE event=2, only precise; Precise: perf does not know that it can be sampled precisely; One (Must be precise)",
        "REF.FIXED event=0x0,umask=0x03,period=2000003",
        "REF.GENERAL event=0x0,umask=0x03,period=2000003, the vendor's event=0x3c,umask=1; fixed: perf counts event=0x0,umask=0x03,period=2000003 under this name, not the vendor's event=0x3c,umask=1",
        "REGISTER event=2,umask=2,offcore_rsp=1; Register: perf counts event=2,umask=1,offcore_rsp=1 under this name",
        "STANDARD event=0x102, alone; ExtSel: perf 6.17 counts event=2 under this name (disputed: libpfm4 has another code)",
    ];
    assert_eq!(events(Encoding::Correct), expected);
}

#[test]
fn with_perf_s_encoding() {
    let expected = [
        "ALONE event=2",
        "CPU_CLK_UNHALTED.CORE event=0x3c,period=2000003",
        "CPU_CLK_UNHALTED.REF event=0x0,umask=0x03,period=2000003",
        "CPU_CLK_UNHALTED.THREAD event=0x3c,period=2000003",
        "CPU_CLK_UNHALTED.THREAD_ANY event=0x3c,any=1,period=2000003",
        "EXT_SEL event=2",
        "EXTENSION event=2; Both",
        "INST_RETIRED.ANY event=0xc0,period=2000003",
        "INST_RETIRED.ANY_P event=0xc0,period=2000003",
        "OTHER event=2",
        "PAIRS event=2,umask=1,offmodule_rsp=1",
        "PRECISE event=2; One",
        "REF.FIXED event=0x0,umask=0x03,period=2000003",
        "REF.GENERAL event=0x0,umask=0x03,period=2000003",
        "REGISTER event=2,umask=1,offcore_rsp=1",
        "STANDARD event=2",
    ];
    assert_eq!(events(Encoding::Perf), expected);
}
