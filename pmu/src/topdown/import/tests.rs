//! Lines as perf 6.12, perf 7.3 and `pmu stat` write them, and lines that are none.

use super::record::Record;
use super::spelling::Spelling;
use super::{fields, json, parse};

fn record(event: &str, value: f64) -> Record {
    Record { event: event.into(), value: Some(value), running: 1.0, ..Record::default() }
}

#[test]
fn lines_of_fields() {
    let cases = [
        ("12,,INST_RETIRED.ANY,99,100.00,,", record("INST_RETIRED.ANY", 12.0)),
        ("12;;cycles:u;99;50.00;;", Record { running: 0.5, ..record("cycles:u", 12.0) }),
        (
            "1.03,msec,task-clock,1030000,100.00,0.485,CPUs utilized",
            Record {
                unit_of_value: "msec".into(),
                cpus_used: Some(0.485),
                ..record("task-clock", 1.03)
            },
        ),
        (
            "<not counted>,,slots,0,0.00,,",
            Record { value: None, running: 0.0, ..record("slots", 0.0) },
        ),
        ("<not supported>,,slots,0,100.00,,", Record { value: None, ..record("slots", 0.0) }),
        // Terms have commas, and so may a control group; a deviation is none.
        ("7,,cpu/e=1,u=2/u,99,100.00,,", record("cpu/e=1,u=2/u", 7.0)),
        (
            "7,,cpu/e=1,u=2/,a.slice/b,99,100.00,,",
            Record { cgroup: Some("a.slice/b".into()), ..record("cpu/e=1,u=2/", 7.0) },
        ),
        ("7,,cycles,,99,100.00,,", record("cycles", 7.0)),
        ("7,,cycles,0.42%,99,100.00,,", record("cycles", 7.0)),
        (
            "7,,cycles,web,0.42%,99,100.00,,",
            Record { cgroup: Some("web".into()), ..record("cycles", 7.0) },
        ),
        // Intervals, and units with and without a number of counts.
        (
            "     1.000123456,7,,cycles,99,100.00,,",
            Record { interval: Some(1.000123456), ..record("cycles", 7.0) },
        ),
        (
            "     2.000000000,S0-D0-C3,2,7,,cycles,99,100.00,,",
            Record { interval: Some(2.0), unit: Some("S0-D0-C3".into()), ..record("cycles", 7.0) },
        ),
        ("N1,8,7,,cycles,99,100.00,,", Record { unit: Some("N1".into()), ..record("cycles", 7.0) }),
        (
            "CPU3,7,,cycles,99,100.00,,",
            Record { unit: Some("CPU3".into()), ..record("cycles", 7.0) },
        ),
        (
            "a worker-123,7,,cycles,99,100.00,,",
            Record { unit: Some("a worker-123".into()), ..record("cycles", 7.0) },
        ),
        ("summary,7,,cycles,99,100.00,,", Record { is_summary: true, ..record("cycles", 7.0) }),
        // What pmu adds.
        ("7,,cycles,99,100.00,3.5,m,good,estimate", record("cycles", 7.0)),
    ];
    for (line, expected) in cases {
        let separator = fields::separator(line).unwrap_or_else(|| panic!("{line}"));
        assert_eq!(fields::record(line, separator), Ok(Some(expected)), "{line}");
    }
    // A further metric.
    assert_eq!(fields::record(",,,,,12.5,%  tma_x", ','), Ok(None));
}

#[test]
fn lines_of_json() {
    let cases = [
        (
            r#"{"counter-value" : "12.000000", "unit" : "", "event" : "slots", "event-runtime" : 9, "pcnt-running" : 100.00, "metric-value" : "0.000000", "metric-unit" : "(null)"}"#,
            record("slots", 12.0),
        ),
        (
            r#"{"interval" : 1.5, "cpu" : "3", "counter-value" : "7", "event" : "slots", "pcnt-running" : 25.00}"#,
            Record {
                interval: Some(1.5),
                unit: Some("CPU3".into()),
                running: 0.25,
                ..record("slots", 7.0)
            },
        ),
        (
            r#"{"core" : "S0-D0-C1", "aggregate-number" : 2, "counter-value" : 7, "event" : "slots", "cgroup" : "web"}"#,
            Record {
                unit: Some("S0-D0-C1".into()),
                cgroup: Some("web".into()),
                ..record("slots", 7.0)
            },
        ),
        (
            r#"{"thread" : "sh-12", "counter-value" : "<not counted>", "event" : "slots"}"#,
            Record { unit: Some("sh-12".into()), value: None, ..record("slots", 0.0) },
        ),
        (
            r#"{"counter-value" : "5.0", "unit" : "msec", "event" : "task-clock", "metric-value" : "0.5", "metric-unit" : "CPUs utilized"}"#,
            Record {
                unit_of_value: "msec".into(),
                cpus_used: Some(0.5),
                ..record("task-clock", 5.0)
            },
        ),
    ];
    for (line, expected) in cases {
        assert_eq!(json::record(line), Ok(Some(expected)), "{line}");
    }
    assert_eq!(json::record(r#"{"metric-value" : "1", "metric-unit" : "m"}"#), Ok(None));
}

#[test]
fn files_that_have_no_counts() {
    let json = |rest: &str| format!("{{\"event\":\"x\",\"counter-value\":\"1\"}}\n{rest}\n");
    let cases = [
        (String::new(), ": has no counts"),
        ("# started on Mon\n\n".into(), ": has no counts"),
        ("hello\n".into(), ":1: expected a line of `perf stat -x` or `-j`"),
        ("PERFILE2\u{1}\n".into(), ":1: expected a line of `perf stat -x` or `-j`"),
        ("1,,a,9,100.00,,\nx\n".into(), ":2: expected a count, its unit and an event"),
        ("1,,a,9,100.00,,\n1,,a\n".into(), ":2: expected an event, the time in which"),
        ("# x\n1,,a,9,100.00,,\n\n1e999,,a,9,100.00,,\n".into(), ":4: `1e999` is not a count"),
        ("1,,a,9,100.00,,\nnan,,a,9,100.00,,\n".into(), ":2: `nan` is not a count"),
        ("1,,a,9,100.00,,\n1,,,9,100.00,,\n".into(), ":2: expected an event after the count"),
        ("1,,a,9,100.00,,\n1,,a,9,100.01,,\n".into(), ":2: `100.01` is not a percentage"),
        (json("{"), ":2: invalid JSON: "),
        (json("1,,a,9,100.00,,"), ":2: invalid JSON: "),
        (json("[1]"), ":2: invalid JSON: "),
        (json("{\"event\":\"x\"}"), ":2: expected the key `counter-value`"),
        (json("{\"counter-value\":\"1\"}"), ":2: expected the key `event`"),
        (json("{\"event\":\"x\",\"counter-value\":\"one\"}"), ":2: `one` is not a count"),
        (json("{\"event\":\"x\",\"counter-value\":true}"), ":2: expected the key `counter-value`"),
        (
            json("{\"event\":\"x\",\"counter-value\":\"1\",\"interval\":\"soon\"}"),
            ":2: `interval` is not a number",
        ),
        (
            json("{\"event\":\"x\",\"counter-value\":\"1\",\"pcnt-running\":-1}"),
            ":2: `-1` is not a percentage",
        ),
    ];
    for (text, expected) in cases {
        let found = parse(&text).err().unwrap_or_else(|| panic!("{text:?} has counts"));
        assert!(found.starts_with(expected), "{text:?}: {found}");
    }
}

#[test]
fn one_event_in_several_spellings() {
    for (one, other, pmu, expected) in [
        ("INST_RETIRED.ANY", "inst_retired.any", "default_core", true),
        ("INST_RETIRED.ANY:u", "INST_RETIRED.ANY", "default_core", true),
        ("cpu/INST_RETIRED.ANY/uk", "INST_RETIRED.ANY", "default_core", true),
        ("cpu/UOPS,cmask=1,metric-id=x/", "cpu/UOPS,cmask=1/", "default_core", true),
        ("cpu/UOPS,cmask=2/", "cpu/UOPS,cmask=1/", "default_core", false),
        ("UOPS", "cpu/UOPS,cmask=1/", "default_core", false),
        ("cpu_core/UOPS/", "UOPS", "cpu_core", true),
        ("cpu_core/UOPS/", "UOPS", "cpu_atom", false),
        ("UOPS [cpu_atom]", "UOPS", "cpu_atom", true),
        ("UOPS [cpu_atom]", "UOPS", "cpu_core", false),
    ] {
        let found = Spelling::of(one).is_same(&Spelling::of(other), pmu);
        assert_eq!(found, expected, "{one} {other} {pmu}");
    }
}

/// What was counted in each interval and place; a group that was multiplexed more says less.
#[test]
fn tables() {
    let text = "1.000000000,S0,2,5,,a,9,50.00,,\n\
                1.000000000,S0,2,6,,a,9,100.00,,\n\
                1.000000000,S1,2,7,,a,9,50.00,,\n\
                2.000000000,S0,2,<not counted>,,a,0,0.00,,\n\
                2.000000000,S0,2,8,,a,9,10.00,,\n\
                summary,S0,2,9,,a,9,100.00,,\n";
    let table = parse(text).expect("it has counts");
    let system = pmu_events::System::at("/nonexistent");
    let encodings = super::Encodings::new(&system);
    let found: Vec<String> = table
        .moments
        .iter()
        .flat_map(|moment| moment.places.iter().map(move |place| (moment.end, place)))
        .map(|(end, (place, counts))| {
            let count = counts.of("A", "default_core", "", &encodings);
            let end = end.map(|end| end.as_secs_f64());
            format!("{end:?} {place} {} {}", count.value().value(), count.running())
        })
        .collect();
    assert_eq!(found, ["Some(1.0) S0 6 1", "Some(1.0) S1 7 0.5", "Some(2.0) S0 8 0.1"]);
    assert!(table.is_of_cpus());
}

/// Only the clock of tasks says how much of the time something ran.
#[test]
fn utilization() {
    for (line, expected) in [
        ("5,msec,task-clock,9,100.00,0.5,CPUs utilized", Some(0.5)),
        ("5,msec,task-clock:u,9,100.00,0.5,CPUs utilized", Some(0.5)),
        ("sh-12,5,msec,task-clock,9,100.00,0.5,CPUs utilized", Some(0.5)),
        ("5,msec,cpu-clock,9,100.00,2.0,CPUs utilized", None),
        ("S0,2,5,msec,task-clock,9,100.00,2.0,CPUs utilized", None),
        ("CPU1,5,msec,task-clock,9,100.00,1.0,CPUs utilized", None),
        ("S0,2,5,msec,task-clock,web,9,100.00,0.5,CPUs utilized", Some(0.5)),
        ("5,msec,task-clock,9,100.00,,", None),
    ] {
        let table = parse(line).unwrap_or_else(|fault| panic!("{line}{fault}"));
        let [(_, counts)] = &table.moments[0].places[..] else { panic!("{line}") };
        assert_eq!(counts.utilization.map(|one| one.cpus_used), expected, "{line}");
    }
}
