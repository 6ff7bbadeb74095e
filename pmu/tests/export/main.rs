//! `pmu export`: configurations and their faults, answers, and what may go wrong while it runs.
//!
//! What can be counted depends on rights, which `rights` tells; everything else holds without any.

#![cfg(all(target_os = "linux", target_env = "gnu"))]

use std::time::{Duration, Instant};
use std::{fs, thread};

#[path = "../common/export.rs"]
mod export;
#[allow(dead_code)] // Other tests use more of it.
#[path = "../../../tests/machines/mod.rs"]
mod machines;
mod places;
#[allow(dead_code)]
#[path = "../../../tests/common/rights.rs"]
mod rights;
#[allow(dead_code)]
#[path = "../common/run.rs"]
mod run;
mod scrapers;
#[allow(dead_code)]
#[path = "../common/simulated.rs"]
mod simulated;
mod textfile;

use export::{Exporter, SYSFS};
use machines::Machine;
use rights::{Rights, has_no_counters, rights};
use run::{command, finish};

/// What `--check` says of a configuration, without its path.
fn check(text: &str, arguments: &[&str]) -> (i32, String) {
    let machine = Machine::of(SYSFS);
    machine.write("/export.toml", text);
    let path = machine.path("/export.toml");
    let mut command = command();
    command.args(["export", "--check"]).arg(&path).args(arguments);
    let run = finish(&mut command);
    assert_eq!(run.out, "", "{text}");
    let err = run.err.replace(&format!("{}:", path.display()), "");
    let faults = err.lines().filter(|line| !line.starts_with("pmu export: note: "));
    (run.code.expect("it ends"), faults.collect::<Vec<_>>().join("\n"))
}

#[test]
fn faults_of_configurations() {
    let skylake = &["--model", "skylakex"][..];
    let cases: &[(&str, &[&str], &str)] = &[
        ("[machine]\nevents = ['context-switches', 'INST_RETIRED.ANY']", skylake, ""),
        ("machine = 1", skylake, "1:11: `machine` is 1; expected a table"),
        (
            "[machine]\nevents = ['page-faults,inst_retired.nay']",
            skylake,
            "2:24: no PMU has an event `inst_retired.nay`; did you mean `INST_RETIRED.ANY`?",
        ),
        ("[machine]\nevents = ['page-faults,cycles:uu']", skylake, "2:32: duplicate modifier `u`"),
        (
            "[machine]\nmetrics = ['common.icp']",
            skylake,
            "2:13: no metric and no metric group is called `common.icp`; did you mean `common.ipc`?",
        ),
        (
            "[machine]\nevents = 'page-faults'\n[cpu]\nevents = 'page-faults'",
            skylake,
            "4:10: `page-faults` is counted twice: by [machine] already, of which [cpu] has the same \
             counts",
        ),
        (
            "[[cgroup]]\npaths = 'a/*'\nevents = 'cs'\n[[cgroup]]\npaths = ['b', 'a/*']\nevents = 'cs'",
            skylake,
            "6:10: `cs` is counted twice: by [cgroup] already, of which [cgroup] has the same counts",
        ),
        (
            "[model.skylaek.machine]\nevents = 'cs'",
            skylake,
            "1:8: no model and no CPU has the name `skylaek`; did you mean `skylake`?",
        ),
        (
            "[model.'neoverse-*'.machine]\nevents = 'cs'",
            skylake,
            "1:8: the configuration is for other models: that of this machine is `skylakex`, and no \
             scope applies to it",
        ),
        ("[model.'skylake*'.machine]\nevents = 'cs'", skylake, ""),
        ("[model.'neoverse-v2'.machine]\nevents = 'cs'", &["--model", "neoverse-v2"], ""),
        (
            "[machine]\nevents = 'duration_time'",
            skylake,
            "2:11: `duration_time` is no counter, but a value of the moment",
        ),
        (
            "[pmu]\nevents = 'INST_RETIRED.ANY'",
            skylake,
            "2:11: `INST_RETIRED.ANY` is not counted outside the cores, and [pmu] has the instances \
             of PMUs there",
        ),
    ];
    let mut wrong = Vec::new();
    for (text, arguments, expected) in cases {
        let (code, err) = check(text, arguments);
        let is_as_expected = err == *expected && code == i32::from(!expected.is_empty());
        if !is_as_expected {
            wrong.push(format!("{text}\n{code}: {err}\ninstead of {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// A name that only other CPUs have is no typing error.
#[test]
fn what_only_this_cpu_lacks() {
    let (code, err) = check("[machine]\nevents = 'l1d_cache_refill'", &["--model", "skylakex"]);
    assert_eq!(code, 1);
    let expected = "2:11: no PMU has an event `l1d_cache_refill`; other CPUs have one";
    assert_eq!(err, expected);
}

#[test]
fn a_configuration_that_is_no_text() {
    let machine = Machine::of(SYSFS);
    let path = machine.path("/export.toml");
    fs::write(&path, b"[machine]\nevents = ['\xff']\n").expect("it can be written");
    let run = finish(command().args(["export", "--check"]).arg(&path));
    assert_eq!(run.code, Some(1));
    let name = path.display();
    assert_eq!(run.err, format!("pmu export: {name}:2:12: the configuration is not UTF-8\n"));
}

const SOFTWARE: &str = "every = 0.2\n[machine]\nevents = ['context-switches', 'task-clock']\n\
                        [cpu]\nevents = 'page-faults'\n";

#[test]
fn answers() {
    let exporter = Exporter::start(SOFTWARE, &[]);
    let open = exporter.get("Accept: application/openmetrics-text; version=1.0.0\r\n");
    assert!(open.head.contains("200 OK"), "{}", open.head);
    assert!(
        open.head
            .contains("content-type: application/openmetrics-text; version=1.0.0; charset=utf-8")
    );
    assert!(open.body.ends_with("# EOF\n"));
    let plain = exporter.get("");
    assert!(plain.head.contains("content-type: text/plain; version=0.0.4; charset=utf-8"));
    assert!(!plain.body.contains("# EOF"));
    for body in [&open.body, &plain.body] {
        assert!(body.contains("pmu_machine_info{model=\"\",cpuid=\"none\""), "{body}");
        let switches = "pmu_events_total{event=\"context-switches\",pmu=\"software\"} ";
        let faults = "pmu_events_total{event=\"page-faults\",pmu=\"software\",cpu=\"0\"} ";
        let clock = "pmu_events_seconds_total{event=\"task-clock\",pmu=\"software\"} ";
        let is_counted = rights() >= Rights::Cpus;
        for series in [switches, faults, clock] {
            assert_eq!(body.contains(series), is_counted, "{body}");
        }
        // Without such a system call, no event can be counted anywhere, and each says so.
        let left_out = if is_counted || has_no_counters() { "0\n" } else { "2\n" };
        assert!(body.contains(&format!("pmu_export_places_left_out {left_out}")), "{body}");
    }
    for (request, status) in [
        ("GET / HTTP/1.1\r\nHost: x\r\n\r\n", "200 OK"),
        ("HEAD /metrics HTTP/1.1\r\nHost: x\r\n\r\n", "200 OK"),
        ("GET /other HTTP/1.1\r\nHost: x\r\n\r\n", "404 Not Found"),
        (
            "POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n",
            "405 Method Not Allowed",
        ),
        ("nonsense\r\n\r\n", "400 Bad Request"),
    ] {
        let answer = exporter.ask(request);
        assert!(answer.head.contains(status), "{request}: {}", answer.head);
    }
    let long = format!("GET /metrics HTTP/1.1\r\nHost: x\r\nX: {}\r\n\r\n", "x".repeat(64 << 10));
    assert!(exporter.ask(&long).head.contains("431 Request Header Fields Too Large"));
    let again =
        finish(command().args(["export", "--listen", &exporter.address]).arg(exporter.config()));
    assert_eq!(again.code, Some(1));
    assert!(
        again.err.contains(&format!("cannot listen on {}: ", exporter.address)),
        "{}",
        again.err
    );
    assert_eq!(exporter.end().code(), Some(0));
}

/// Which labels tell the parts of a machine apart, and what becomes of an event without a counter.
#[test]
fn labels_of_scopes() {
    let mut sysfs = String::from(
        "/devices/system/cpu/online\t0-3\n/devices/system/cpu/present\t0-3\nsoftware/type\t1\n\
         cpu/type\t4\ncpu/format/event\tconfig:0-7\n\
         uncore_imc_0/type\t20\nuncore_imc_0/cpumask\t0\nuncore_imc_0/format/event\tconfig:0-7\n\
         uncore_imc_1/type\t21\nuncore_imc_1/cpumask\t2\nuncore_imc_1/format/event\tconfig:0-7",
    );
    for cpu in 0..4 {
        let topology = format!("/devices/system/cpu/cpu{cpu}/topology");
        sysfs.push_str(&format!("\n{topology}/physical_package_id\t{}", cpu / 2));
        sysfs.push_str(&format!("\n{topology}/core_id\t{}", cpu % 2));
    }
    let scenario = "cpus 4\npmu 4 core counters=2\npmu 20 uncore counters=2 cpus=0\n\
                    pmu 21 uncore counters=2 cpus=2\nown us=50\nrate 4 config=1 user=1000\n\
                    rate 20 config=1 user=5\nrate 21 config=1 user=3\nheld 4 cpu=3 events=2\n";
    let config = "[machine]\nevents = ['page-faults', 'uncore_imc/event=1/']\n\
                  [pmu]\nevents = 'uncore_imc/event=2/'\n\
                  [core]\nevents = 'cpu/event=2/'\n[socket]\nevents = 'cpu/event=3/'\n";
    let exporter = Exporter::on(&sysfs, config, &[], |machine, _| {
        let mut command = simulated::pmu(machine, "none", scenario);
        command.stdin(std::process::Stdio::null());
        command
    });
    let body = exporter.get("").body;
    let mut series: Vec<&str> = body
        .lines()
        .filter(|line| ["pmu_events", "pmu_group_r"].iter().any(|name| line.starts_with(name)))
        .filter_map(|line| Some(line.rsplit_once(' ')?.0))
        .collect();
    series.sort_unstable();
    // On CPU 3, somebody else has both counters: what would have been counted there is unknown.
    let expected = [
        r#"pmu_events_total{event="cpu/event=2/",pmu="cpu",socket="0",die="0",core="0"}"#,
        r#"pmu_events_total{event="cpu/event=2/",pmu="cpu",socket="0",die="0",core="1"}"#,
        r#"pmu_events_total{event="cpu/event=2/",pmu="cpu",socket="1",die="0",core="0"}"#,
        r#"pmu_events_total{event="cpu/event=3/",pmu="cpu",socket="0"}"#,
        r#"pmu_events_total{event="cpu/event=3/",pmu="cpu",socket="1"}"#,
        r#"pmu_events_total{event="page-faults",pmu="software"}"#,
        r#"pmu_events_total{event="uncore_imc/event=1/",pmu="uncore_imc"}"#,
        r#"pmu_events_total{event="uncore_imc/event=2/",pmu="uncore_imc_0",socket="0"}"#,
        r#"pmu_events_total{event="uncore_imc/event=2/",pmu="uncore_imc_1",socket="1"}"#,
        r#"pmu_group_running_ratio{group="cpu/event=2/",socket="0",die="0",core="0"}"#,
        r#"pmu_group_running_ratio{group="cpu/event=2/",socket="0",die="0",core="1"}"#,
        r#"pmu_group_running_ratio{group="cpu/event=2/",socket="1",die="0",core="0"}"#,
        r#"pmu_group_running_ratio{group="cpu/event=2/",socket="1",die="0",core="1"}"#,
        r#"pmu_group_running_ratio{group="cpu/event=3/",socket="0"}"#,
        r#"pmu_group_running_ratio{group="cpu/event=3/",socket="1"}"#,
        r#"pmu_group_running_ratio{group="uncore_imc/event=1/"}"#,
        r#"pmu_group_running_ratio{group="uncore_imc/event=2/",socket="0"}"#,
        r#"pmu_group_running_ratio{group="uncore_imc/event=2/",socket="1"}"#,
    ];
    assert_eq!(series, expected, "{body}\n{}", exporter.said());
}

/// Counts never decrease, and what this program does is among them.
#[test]
fn counts_go_on() {
    let exporter = Exporter::start(SOFTWARE, &[]);
    let faults = || -> f64 {
        let body = exporter.get("").body;
        let lines =
            body.lines().filter(|line| line.starts_with("pmu_events_total{event=\"page-faults\""));
        lines
            .map(|line| line.rsplit(' ').next().expect("a value").parse::<f64>().expect("a number"))
            .sum()
    };
    let before = faults();
    let pages = 4096;
    let memory = vec![1_u8; pages * 4096];
    thread::sleep(Duration::from_millis(60));
    let after = faults();
    // Pages may be larger, so that there are fewer faults. Without rights, there are no counts.
    assert_eq!(after > before, rights() >= Rights::Cpus, "{before} {after} {}", memory.len());
}

#[test]
fn configurations_are_read_again() {
    let exporter = Exporter::start(SOFTWARE, &[]);
    let body = || exporter.get("").body;
    let reloads = |expected: &str| {
        let begin = Instant::now();
        while !body().contains(expected) {
            assert!(begin.elapsed() < Duration::from_secs(30), "{expected}: {}", body());
            thread::sleep(Duration::from_millis(20));
        }
    };
    exporter.write_config("[machine]\nevents = 'no-such-event'\n");
    exporter.signal(libc::SIGHUP);
    reloads("pmu_export_faults_total 1");
    assert!(exporter.said().contains("the configuration stays as it was:"), "{}", exporter.said());
    assert!(
        exporter.said().contains(":2:11: no PMU has an event `no-such-event`"),
        "{}",
        exporter.said()
    );
    exporter.write_config("[[process]]\nnames = 'nobody-has-this-name'\nevents = 'page-faults'\n");
    exporter.signal(libc::SIGHUP);
    reloads("pmu_export_reloads_total 1");
    reloads("pmu_export_counters 0\n");
    assert_eq!(exporter.end().code(), Some(0));
}
