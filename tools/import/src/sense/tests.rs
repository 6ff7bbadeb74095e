//! What each rule finds, and what it leaves alone.

use std::collections::BTreeMap;

use super::*;
use crate::json::File;
use crate::problem::Problems;
use crate::record::Keep;

/// The rules that refuse the events of a model.
fn refused(arch: &str, standard: &str, events: &str) -> Vec<(&'static str, String)> {
    let read = |text: &str| {
        let file = File::new("x.json", text);
        let items = file.value().array().unwrap();
        let record = |item: &crate::json::Value<'_>| {
            Record::read(&item.object().unwrap(), Keep::All, &mut Problems::default()).unwrap()
        };
        BTreeMap::from([("x.json".to_owned(), items.iter().map(record).collect())])
    };
    let tables = [(String::new(), read(standard)), ("m".to_owned(), read(events))];
    let tables = BTreeMap::from(tables);
    let arch = Arch { name: arch.to_owned(), tables, ..Arch::default() };
    let mut findings = check(&arch);
    findings.retain(|finding| !finding.model.is_empty());
    findings.into_iter().map(|finding| (finding.rule, finding.message)).collect()
}

/// Errors that were found in descriptions, and the rule that finds each of
/// them; then the same events with a proper sentence.
#[test]
fn each_rule_finds_the_errors_it_is_made_for() {
    let long = "Cycles. ".repeat(13);
    let long = long.trim();
    let cases: &[(&str, &str, &str, &str, &str)] = &[
        (
            "wrong path",
            "arm64",
            r#""EventName":"BR_SPEC""#,
            "Executed branches.",
            "Executed branches, on wrong paths too.",
        ),
        (
            "wrong path",
            "arm64",
            r#""EventName":"NOP_SPEC""#,
            "No-operations.",
            "No-operations; those on wrong paths are left out.",
        ),
        (
            "duration",
            "x86",
            r#""EventName":"A","CounterMask":"1""#,
            "Uops issued.",
            "Cycles in which a uop issued.",
        ),
        (
            "duration",
            "x86",
            r#""EventName":"A","CounterMask":"1","EdgeDetect":"1""#,
            "Cycles of a stall.",
            "Stalls, however many cycles each takes.",
        ),
        (
            "duration",
            "powerpc",
            r#""EventName":"PM_BFU_BUSY_CYC""#,
            "The unit is busy.",
            "Cycles in which the unit is busy.",
        ),
        ("duration", "s390", r#""EventName":"AES_CYCLES""#, "Calls of AES.", "Cycles of AES."),
        (
            "duration",
            "arm64",
            r#""EventName":"DTLB_WALK_PERCYC""#,
            "Page table walks in progress.",
            "Walks in progress, summed over cycles.",
        ),
        (
            "retired",
            "arm64",
            r#""EventName":"BR_RETIRED""#,
            "Branches executed.",
            "Retired branches.",
        ),
        (
            "retired",
            "powerpc",
            r#""EventName":"PM_BR_CMPL""#,
            "Branches.",
            "Branches that completed.",
        ),
        (
            "scope",
            "x86",
            r#""EventName":"A","AnyThread":"1""#,
            "Cycles.",
            "Cycles of either thread.",
        ),
        (
            "scope",
            "x86",
            r#""EventName":"A","PerPkg":"1""#,
            "Reads of this core.",
            "Reads of all cores.",
        ),
        (
            "scope",
            "x86",
            r#""EventName":"UNC_S_BOUNCE""#,
            "Bounces on the mesh.",
            "Bounces on the ring.",
        ),
        (
            "opposite",
            "x86",
            r#""EventName":"L2_RQSTS.MISS""#,
            "Requests that hit the L2.",
            "Requests that missed the L2.",
        ),
        (
            "opposite",
            "x86",
            r#""EventName":"L3.HIT""#,
            "Reads that missed the L3.",
            "Reads that hit the L3.",
        ),
        (
            "opposite",
            "s390",
            r#""EventName":"L3_REMOTE""#,
            "Lines of the local book.",
            "Lines of another book, not the local one.",
        ),
        ("opposite", "arm64", r#""EventName":"BUS_RD""#, "Bytes written.", "Bytes read."),
        ("opposite", "arm64", r#""EventName":"L1D_CACHE_WR""#, "Reads.", "Writes."),
        (
            "number",
            "powerpc",
            r#""EventName":"PM_LAT_EXC_256""#,
            "Over 32 cycles.",
            "Over 256 cycles.",
        ),
        (
            "number",
            "powerpc",
            r#""EventName":"PM_LAT_EXC_1024""#,
            "Over 24 cycles.",
            "Over 1,024 cycles.",
        ),
        ("number", "x86", r#""EventName":"LATENCY_GE_2""#, "Four or more.", "Two or more."),
        ("number", "arm64", r#""EventName":"L1D_TLB_64K""#, "Pages of 4 KB.", "Pages of 64 KB."),
        ("number", "arm64", r#""EventName":"A""#, "Lines of 64B each.", "Lines of 64 B each."),
        (
            "unit",
            "x86",
            r#""EventName":"A","ScaleUnit":"64Bytes""#,
            "Misses.",
            "Bytes read for misses.",
        ),
        (
            "filter",
            "x86",
            r#""EventName":"A","PortMask":"2","FCMask":"7""#,
            "Reads by devices on parts 0 and 1.",
            "Reads by devices on part 1.",
        ),
        (
            "filter",
            "x86",
            r#""EventName":"A","PortMask":"0x10","FCMask":"7""#,
            "Reads by devices.",
            "Reads by VT-d 0.",
        ),
        (
            "filter",
            "x86",
            r#""EventName":"A","PortMask":"0xff","FCMask":"4""#,
            "Requests of every port.",
            "Completions of every port.",
        ),
        (
            "filter",
            "x86",
            r#""EventName":"A","CounterMask":"4","UMask":"1""#,
            "Cycles with uops.",
            "Cycles with four uops or more.",
        ),
        (
            "filter",
            "x86",
            r#""EventName":"A","CounterMask":"1","Invert":"1""#,
            "Cycles with uops.",
            "Cycles without uops.",
        ),
        (
            "filter",
            "x86",
            r#""EventName":"A","Filter":"filter_opc=0x182""#,
            "Reads that missed.",
            "Data reads that missed.",
        ),
        (
            "filter",
            "x86",
            r#""EventName":"A","Filter":"config1=0x4043300000000""#,
            "Code reads by cores.",
            "Data reads by cores.",
        ),
        (
            "filter",
            "x86",
            r#""EventName":"A","RdWrMask":"2""#,
            "Commands to the DRAM.",
            "Commands to the DRAM for writes.",
        ),
        (
            "filter",
            "x86",
            r#""EventName":"A","MSRIndex":"0x3f6","MSRValue":"0x80""#,
            "Loads of 64 cycles or more.",
            "Loads of 128 cycles or more.",
        ),
        ("length", "x86", r#""EventName":"A""#, long, "Cycles."),
        (
            "deprecated",
            "x86",
            r#""EventName":"A","Deprecated":"1""#,
            "Cycles.",
            "Deprecated; no other event here counts the same. Cycles.",
        ),
        ("deprecated", "x86", r#""EventName":"A""#, "Deprecated: use NEW. Cycles.", "Cycles."),
    ];
    for &(rule, arch, fields, wrong, right) in cases {
        let event =
            |text: &str| format!(r#"[{{"EventCode":"1",{fields},"BriefDescription":"{text}"}}]"#);
        let found = refused(arch, "[]", &event(wrong));
        let rules: Vec<&str> = found.iter().map(|(rule, _)| *rule).collect();
        assert_eq!(rules, [rule], "{fields}: {wrong}");
        assert!(found[0].1.ends_with(&format!(": `{wrong}`")), "{found:?}");
        assert_eq!(refused(arch, "[]", &event(right)), [], "{fields}: {right}");
    }
}

/// What `arch/` once said: words about part 0 at a filter that takes in all parts, and words
/// about all look-ups at a filter for those that find no valid line.
#[test]
fn words_beside_filters_that_they_leave_out() {
    let iio =
        r#""EventCode":"0x83","FCMask":"7","PortMask":"1","Filter":"ch_mask=0x1f","Unit":"IIO""#;
    let cbo = r#""EventCode":"0x34","UMask":"0x11","Filter":"filter_state=0x1","Unit":"CBOX""#;
    for (name, fields, filter, [wrong, more], right) in [
        (
            "LLC_MISSES.PCIE_READ",
            iio,
            "ch_mask=0x1f",
            [
                "Reads by devices on part 0 of an I/O stack (IIO), in units of 4 bytes; no LLC misses.",
                "Parts 1 to 3 have events of their own: UNC_IIO_DATA_REQ_OF_CPU.MEM_READ.PART1 and so on. All four make the sum.",
            ],
            "Reads by the devices of an I/O stack (IIO), in units of 4 bytes; no LLC misses.",
        ),
        (
            "LLC_MISSES.PCIE_WRITE",
            iio,
            "ch_mask=0x1f",
            [
                "Writes by devices on part 0 of an I/O stack (IIO), in units of 4 bytes; no LLC misses.",
                "Parts 1 to 3 have events of their own: UNC_IIO_DATA_REQ_OF_CPU.MEM_WRITE.PART1 and so on. All four make the sum.",
            ],
            "Writes by devices on parts 0 to 4 of an I/O stack (IIO), in units of 4 bytes.",
        ),
        (
            "UNC_C_LLC_LOOKUP.ANY",
            cbo,
            "filter_state=1",
            [
                "LLC lookups of every request type, each for a line of 64 bytes.",
                "The event counts nothing unless states of the line are selected, too, by the term filter_state.",
            ],
            "LLC lookups of every request type that miss, each for a line of 64 bytes.",
        ),
    ] {
        let said = |brief: &str, more: &str| {
            let event = format!(
                r#"[{{"EventName":"{name}",{fields},"BriefDescription":"{brief}","PublicDescription":"{more}"}}]"#
            );
            refused("x86", "[]", &event)
        };
        let message = format!("does not say what {filter} selects: `{wrong}`");
        assert_eq!(said(wrong, more), [("filter", message)]);
        assert_eq!(said(right, "More."), []);
    }
}

/// A term that no rule knows is one to look at.
#[test]
fn unknown_filters() {
    let event = |filter: &str| {
        let fields = format!(r#""EventCode":"1","Filter":"{filter}""#);
        format!(r#"[{{"EventName":"A",{fields},"BriefDescription":"Some events."}}]"#)
    };
    for filter in ["filter_band0=0x1e", "filter_state=7", "filter_opc=0x1ff", "config2=1"] {
        let message = format!("does not say what {filter} selects: `Some events.`");
        assert_eq!(refused("x86", "[]", &event(filter)), [("filter", message)]);
    }
    let all = r#"[{"EventName":"A","EventCode":"1","EnAllCores":"1","EnAllSlices":"1","SliceId":"3",
        "ThreadMask":"3","PortMask":"0xff","FCMask":"7","BriefDescription":"Some events."}]"#;
    assert_eq!(refused("x86", "[]", all), []);
}

#[test]
fn a_mesh_needs_a_cha_and_mcdram_its_controllers() {
    for (text, unit) in [("Bounces on the mesh.", "CHA"), ("Served by MCDRAM.", "EDC_UCLK")] {
        let event = format!(r#"{{"EventName":"A","EventCode":"1","BriefDescription":"{text}"}}"#);
        let other = format!(r#"{{"EventName":"B","EventCode":"1","Unit":"{unit}"}}"#);
        assert_eq!(refused("x86", "[]", &format!("[{event}]")).len(), 1);
        assert_eq!(refused("x86", "[]", &format!("[{event},{other}]")), []);
    }
}

#[test]
fn the_successor_counts_the_same() {
    let new = r#"{"EventName":"NEW","EventCode":"1","BriefDescription":"Cycles."},{"EventName":"OTHER","EventCode":"2"}"#;
    for (text, why) in [
        ("Deprecated: use NEW. Cycles.", None),
        ("Deprecated: use NEW.", None),
        ("Deprecated: use OTHER. Cycles.", Some("`OTHER` does not count the same")),
        (
            "Deprecated; no other event here counts the same. Cycles.",
            Some("does not name the event that counts the same"),
        ),
        ("Cycles.", Some("does not name the event that counts the same")),
    ] {
        let old = format!(
            r#"{{"EventName":"OLD","EventCode":"1","Deprecated":"1","BriefDescription":"{text}"}}"#
        );
        let found = refused("x86", "[]", &format!("[{new},{old}]"));
        let expected: Vec<(&str, String)> =
            why.iter().map(|why| ("deprecated", format!("{why}: `{text}`"))).collect();
        assert_eq!(found, expected, "{text}");
    }
}

/// Both the standard event's words and the long description count.
#[test]
fn words_of_standard_events() {
    let standard = |public: &str| {
        format!(
            r#"[{{"EventName":"X_SPEC","EventCode":"1","BriefDescription":"Executed.","PublicDescription":"{public}"}}]"#
        )
    };
    let event = r#"[{"ArchStdEvent":"x_spec"}]"#;
    let found = refused("arm64", &standard("More."), event);
    assert_eq!(found[0].0, "wrong path");
    assert_eq!(refused("arm64", &standard("Wrong paths count."), event), []);
}

fn exceptions(rows: &str) -> (Exceptions, Vec<String>) {
    let mut problems = Problems::default();
    let text = format!("Rule,Architecture,Models,Events,Reason\n{rows}");
    let exceptions = Exceptions::read(&File::new("e.csv", &text), &mut problems);
    (exceptions, problems.errors.iter().map(ToString::to_string).collect())
}

#[test]
fn exceptions_from_rules() {
    let finding = |event: &str| Finding {
        rule: "unit",
        place: Place::file("x"),
        arch: "x86".to_owned(),
        model: "m".to_owned(),
        event: event.to_owned(),
        message: String::new(),
    };
    let rows = "unit,x86,m*,LLC_*,Misses move lines.\nunit,arm64,*,*,Never.\n";
    let (mut exceptions, errors) = exceptions(rows);
    assert_eq!(errors, [""; 0]);
    assert_eq!((exceptions.len(), exceptions.is_empty()), (2, false));
    let mut findings = vec![finding("LLC_X"), finding("L2_X")];
    exceptions.apply(&mut findings);
    assert_eq!(findings, [finding("L2_X")]);
    let mut problems = Problems::default();
    exceptions.report_unused("x86", &mut problems);
    exceptions.report_unused("arm64", &mut problems);
    let unused: Vec<String> = problems.errors.iter().map(ToString::to_string).collect();
    assert_eq!(unused, ["e.csv:3:1: no event `*` needs this exception from `unit`"]);
}

#[test]
fn faults_of_exceptions() {
    for (row, expected) in [
        ("unti,x86,*,*,Why.\n", "e.csv:2:1: unknown rule `unti`; did you mean `unit`?"),
        ("unit,x86,*,*,\n", "e.csv:2:1: an exception needs a reason"),
    ] {
        assert_eq!(exceptions(row).1, [expected]);
    }
}
