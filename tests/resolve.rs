//! Events resolved on made-up machines: tracepoints, groups, tables and what
//! terms say, as perf has them.

use std::error::Error as _;
use std::io::Write as _;
use std::process::Command;

use pmu_events::__private::attribute_terms;
use pmu_events::__private::event_list::EventList;
use pmu_events::arch::arm64;
use pmu_events::config::Sampling;
use pmu_events::format::{Word, Words};
use pmu_events::resolve::{Clock, ErrorKind, Resolution, Resolved};
use pmu_events::{Model, System};

#[allow(dead_code)]
mod machines;
mod x86 {
    pmu_events::pmu_events!("arch/x86", models = ["amdzen4", "alderlake"], text = none);
}

use machines::Machine;

/// Name, leader, members of its group.
type Member<'a> = (&'a str, usize, usize);

/// The place of each event's leader, and how many members its group has.
fn leaders(all: &Resolution) -> Vec<(usize, usize)> {
    let mut leaders = Vec::new();
    for group in all.groups() {
        leaders.extend(vec![(leaders.len(), group.len()); group.len()]);
    }
    leaders
}

fn groups(all: &Resolution) -> Vec<Member<'_>> {
    let names = all.events().iter().map(Resolved::name);
    names.zip(leaders(all)).map(|(name, (leader, members))| (name, leader, members)).collect()
}

#[test]
fn tracepoints() {
    let machine = Machine::named("tracing");
    let system = machine.system();
    let cases: &[(&str, &[(&str, u64)])] = &[
        ("sched:sched_switch", &[("sched:sched_switch", 316)]),
        ("sched:sched_switch:k", &[("sched:sched_switch", 316)]),
        ("sched:sched_wak*", &[("sched:sched_wakeup", 319), ("sched:sched_waking", 320)]),
        ("sched:sched_????ch", &[("sched:sched_switch", 316)]),
        // Brackets alone are no pattern, but part of one.
        ("sched:sched_*[g]", &[("sched:sched_waking", 320)]),
        ("s*:*_[se][wn]*", &[("sched:sched_switch", 316), ("syscalls:sys_enter_openat", 637)]),
    ];
    for (text, expected) in cases {
        let all = system.require(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let found: Vec<_> =
            all.events().iter().map(|one| (one.name(), one.words().config())).collect();
        assert_eq!(found, *expected, "{text}");
        for one in &all {
            assert_eq!((one.type_(), one.words()), (2, Words::new(one.words().config())), "{text}");
            assert_eq!(one.pmu().map(|pmu| pmu.name()), Some("tracepoint"));
            assert!(one.is_tracepoint());
            assert_eq!(one.attributes().sampling(), Some(Sampling::Period(1)));
            assert_eq!(one.settings().exclude_user(), text.ends_with(":k"));
        }
    }
    let all = system.require("{sched:sched_wak*},sched:sched_switch").unwrap();
    assert_eq!(leaders(&all), [(0, 2), (0, 2), (2, 1)]);
    let all = system.require("sched:sched_switch/max-stack=5,call-graph=no/").unwrap();
    assert_eq!(all[0].attributes().max_stack(), Some(5));
    assert_eq!(all[0].attributes().call_graph(), Some("no"));
}

#[test]
fn no_such_tracepoint() {
    let machine = Machine::named("tracing");
    let system = machine.system();
    let cases: &[(&str, &str)] = &[
        ("sched:sched_swich", "; did you mean `sched:sched_switch`?"),
        ("shed:sched_switch", "; did you mean `sched:sched_switch`?"),
        ("sched:filter", ""),
        ("sched:nothing*", ""),
        ("nothing:at_all", ""),
        ("sched:sched_[s]witch", "; did you mean `sched:sched_switch`?"),
        ("SCHED:sched_switch", "; did you mean"),
    ];
    for (text, suggestion) in cases {
        let error = system.require(text).unwrap_err();
        assert_eq!((error.kind(), error.span()), (ErrorKind::UnknownEvent, 0..text.len()));
        let expected = format!("there is no tracepoint `{text}`{suggestion}");
        if suggestion.ends_with("mean") {
            continue;
        }
        assert_eq!(error.to_string(), expected);
    }
    let pipe = machine.root().join("kernel/tracing/events/odd/pipe");
    std::fs::create_dir(&pipe).unwrap();
    assert!(Command::new("mkfifo").arg(pipe.join("id")).status().unwrap().success());
    let system = machine.system();
    for (text, file, what) in [
        ("odd:pipe", "odd/pipe/id", "is not a regular file"),
        ("odd:no_number", "odd/no_number/id", "is not a number: `many`"),
        ("odd:no_file", "odd/no_file/id", "does not exist"),
    ] {
        let error = system.require(text).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Tracing, "{text}");
        let path = machine.root().join("kernel/tracing/events").join(file);
        let expected = format!("cannot look up tracepoints: {}: {what}", path.display());
        assert_eq!(error.to_string(), expected);
    }
}

/// Where tracefs is, and what is said where it is not.
#[test]
fn places_of_tracefs() {
    let machine = Machine::empty();
    let error = machine.system().require("sched:sched_switch").unwrap_err();
    let tracefs = machine.root().join("kernel/tracing");
    let tracefs = tracefs.display();
    assert_eq!(error.kind(), ErrorKind::Tracing);
    assert_eq!(
        error.message(),
        format!(
            "cannot look up tracepoints: {tracefs}: tracefs is not mounted: \
             `mount -t tracefs nodev {tracefs}` (as root) mounts it"
        )
    );
    // An empty directory is where it would be mounted.
    std::fs::create_dir_all(machine.root().join("kernel/tracing")).unwrap();
    machine.write("/kernel/debug/tracing/events/sched/sched_switch/id", "7");
    let system = machine.system();
    let all = system.require("sched:sched_switch").unwrap();
    assert_eq!((all[0].words().config(), all[0].pmu().is_none()), (7, true));
    machine.write("/kernel/tracing/events/sched/sched_switch/id", "8");
    let system = machine.system();
    assert_eq!(system.require("sched:sched_switch").unwrap()[0].words().config(), 8);
    // Something else lies there.
    let machine = Machine::empty();
    machine.write("/kernel/tracing/events", "text");
    let error = machine.system().require("sched:sched_switch").unwrap_err();
    assert!(error.message().contains("kernel/tracing/events: "), "{error}");
}

/// Intel's top-down metrics are counted behind `slots` alone.
#[test]
fn top_down_events_follow_slots() {
    let cases: &[(&str, &str, &[Member<'_>])] = &[
        (
            "sapphirerapids",
            "{topdown-retiring,slots}",
            &[("slots", 0, 2), ("topdown-retiring", 0, 2)],
        ),
        (
            "sapphirerapids",
            "{cycles,topdown-retiring,slots,topdown-bad-spec}",
            &[
                ("slots", 0, 4),
                ("topdown-retiring", 0, 4),
                ("topdown-bad-spec", 0, 4),
                ("cycles", 0, 4),
            ],
        ),
        // Those that stand alone become a group where the first of them is.
        (
            "sapphirerapids",
            "topdown-retiring,cycles,slots",
            &[("slots", 0, 2), ("topdown-retiring", 0, 2), ("cycles", 2, 1)],
        ),
        (
            "sapphirerapids",
            "cycles,topdown-be-bound,faults,SLOTS,instructions",
            &[
                ("cycles", 0, 1),
                ("SLOTS", 1, 2),
                ("topdown-be-bound", 1, 2),
                ("faults", 3, 1),
                ("instructions", 4, 1),
            ],
        ),
        // They take a group of nothing but top-down events behind them along.
        (
            "sapphirerapids",
            "slots,{topdown-be-bound,slots},topdown-fe-bound",
            &[
                ("slots", 0, 4),
                ("topdown-fe-bound", 0, 4),
                ("slots", 0, 4),
                ("topdown-be-bound", 0, 4),
            ],
        ),
        // A name decides, whatever is counted.
        (
            "sapphirerapids",
            "{cpu/event=1,name=a/,cpu/event=2,name=my_slots/}",
            &[("my_slots", 0, 2), ("a", 0, 2)],
        ),
        (
            "sapphirerapids",
            "{cpu/event=1,name=a/,cpu/event=2,name=UOPS_RETIRED.SLOTS/}",
            &[("a", 0, 2), ("UOPS_RETIRED.SLOTS", 0, 2)],
        ),
        // Without `slots`, events of such names are like any other.
        (
            "skylakex",
            "{cycles,topdown-total-slots,topdown-slots-issued}",
            &[("cycles", 0, 3), ("topdown-total-slots", 0, 3), ("topdown-slots-issued", 0, 3)],
        ),
        // On a hybrid CPU, the small cores' are no metrics.
        (
            "alderlake",
            "{cpu_core/topdown-retiring/,cpu_core/slots/}",
            &[("cpu_core/slots/", 0, 2), ("cpu_core/topdown-retiring/", 0, 2)],
        ),
        (
            "alderlake",
            "{cpu_atom/cycles/,cpu_atom/topdown-retiring/}",
            &[("cpu_atom/cycles/", 0, 2), ("cpu_atom/topdown-retiring/", 0, 2)],
        ),
    ];
    let machines = ["sapphirerapids", "skylakex", "alderlake"];
    let machines = machines.map(|name| (name, Machine::named(name)));
    for (name, text, expected) in cases {
        let (_, machine) = machines.iter().find(|(known, _)| known == name).unwrap();
        let system = machine.system();
        let all = system.require(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(groups(&all), *expected, "{text}");
    }
}

/// A group is on one PMU; what is software joins the others.
#[test]
fn groups_are_split_by_pmu() {
    let cases: &[(&str, &str, &[Member<'_>])] = &[
        (
            "skylakex",
            "{faults,uncore_imc_0/event=1/,uncore_imc_1/event=2/,msr/tsc/}",
            &[
                ("faults", 0, 3),
                ("uncore_imc_0/event=1/", 0, 3),
                ("msr/tsc/", 0, 3),
                ("uncore_imc_1/event=2/", 3, 1),
            ],
        ),
        (
            "skylakex",
            "{uncore_imc_0/event=1/,cycles},faults",
            &[("cycles", 0, 1), ("uncore_imc_0/event=1/", 1, 1), ("faults", 2, 1)],
        ),
        // Software PMUs without any other are as different as any two.
        ("skylakex", "{msr/tsc/,faults}", &[("msr/tsc/", 0, 1), ("faults", 1, 1)]),
        // What perf measures itself is a software event, a breakpoint another.
        ("skylakex", "{duration_time,faults}", &[("duration_time", 0, 2), ("faults", 0, 2)]),
        (
            "skylakex",
            "{user_time,cycles,system_time}",
            &[("user_time", 0, 3), ("cycles", 0, 3), ("system_time", 0, 3)],
        ),
        ("skylakex", "{faults,mem:0x1000}", &[("mem:0x1000", 0, 1), ("faults", 1, 1)]),
        // Whatever is in the group of a trace into the AUX area stays there.
        (
            "aux",
            "{intel_pt//,cycles,uncore_imc_0/event=1/,faults}",
            &[
                ("intel_pt//", 0, 4),
                ("cycles", 0, 4),
                ("uncore_imc_0/event=1/", 0, 4),
                ("faults", 0, 4),
            ],
        ),
        ("alderlake", "{cycles,faults}", &[("cycles", 0, 2), ("faults", 0, 2), ("cycles", 2, 1)]),
        // A PMU of each core that is not the core's own is not software, either.
        ("zen4", "{cycles,ibs_op//}", &[("cycles", 0, 1), ("ibs_op//", 1, 1)]),
    ];
    for (name, text, expected) in cases {
        let machine = match *name {
            "aux" => Machine::of(
                "cpu/type\t4\n\
                 intel_pt/type\t9\n\
                 software/type\t1\n\
                 uncore_imc_0/type\t10\n\
                 uncore_imc_0/cpumask\t0\n\
                 uncore_imc_0/format/event\tconfig:0-7\n",
            ),
            name => Machine::named(name),
        };
        let system = machine.system();
        let all = system.require(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(groups(&all), *expected, "{text}");
    }
}

/// What perf 6.12 opens for lists of events and groups, recorded by running it
/// on made-up machines: the list, and below it for each event its type, config
/// words, precise level, what is excluded (user, kernel, hypervisor, Idle, Host,
/// Guest), pinneD or exclusive, and the place of its leader.
#[test]
fn recorded_groups() {
    let mut machines = std::collections::BTreeMap::new();
    let mut cases: Vec<(&str, &str, Vec<&str>)> = Vec::new();
    for line in include_str!("groups.txt").lines() {
        match line.strip_prefix('\t') {
            Some(event) => cases.last_mut().expect("a list is above it").2.push(event),
            None => {
                let (machine, text) = line.split_once('\t').expect("machine, tab, list");
                machines.entry(machine).or_insert_with(|| Machine::named(machine));
                cases.push((machine, text, Vec::new()));
            }
        }
    }
    assert_eq!(cases.len(), 73);
    for (machine, text, expected) in cases {
        let system = machines[machine].system();
        let all = system.require(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let leaders = leaders(&all).into_iter();
        let found: Vec<String> = all
            .events()
            .iter()
            .zip(leaders)
            .map(|(one, (leader, _))| recorded_as(one, leader))
            .collect();
        assert_eq!(found, expected, "{machine} {text}");
    }
}

fn recorded_as(one: &Resolved, leader: usize) -> String {
    let used = one.words().iter().rposition(|(_, bits)| bits != 0).unwrap_or(0);
    let words: Vec<String> =
        one.words().iter().take(used + 1).map(|(_, bits)| format!("{bits:x}")).collect();
    let settings = one.settings();
    let flags = [
        (settings.exclude_user(), 'u'),
        (settings.exclude_kernel(), 'k'),
        (settings.exclude_hv(), 'h'),
        (settings.exclude_idle(), 'I'),
        (settings.exclude_host(), 'H'),
        (settings.exclude_guest(), 'G'),
        (settings.pinned(), 'D'),
        (settings.exclusive(), 'e'),
    ];
    let mut set: String = flags.iter().filter(|(is_set, _)| *is_set).map(|(_, c)| c).collect();
    if set.is_empty() {
        set.push('-');
    }
    format!("{} {} {} {set} {}", one.type_(), words.join(","), settings.precise(), leader)
}

/// What perf 6.12 opens on a Skylake server: type, config, scaled unit, and the
/// period that it sets by itself.
#[test]
fn generic_events_among_terms() {
    let machine = Machine::named("skylakex");
    let system = machine.system();
    let cases: &[(&str, u32, u64)] = &[
        ("cpu/config=2,cycles/", 0, 0),
        ("cpu/cycles,config=2/", 0, 2),
        ("cpu/r1a8,cycles/", 0, 0),
        ("cpu/cycles,r1a8/", 0, 0x1a8),
        ("cpu/stalled-cycles-frontend,config=3/", 0, 3),
        ("cpu/config=3,stalled-cycles-frontend/", 0, 7),
        ("cpu/branch-loads,config=3/", 3, 3),
        ("cpu/config=3,branch-loads/", 3, 5),
        ("cpu/branch/", 3, 5),
        ("cpu/config=7,event=1/", 4, 7),
        ("uncore_imc_0/cycles/", 0, 0),
        ("cycles/config=2/", 0, 2),
    ];
    for &(text, kind, config) in cases {
        let all = system.require(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!((all[0].type_(), all[0].words()), (kind, Words::new(config)), "{text}");
    }
    for (text, why, span) in [
        ("cpu/L1-icache-stores/", "this cache does not have this operation", 4..20),
        ("cpu/i-tlb-stores/", "this cache does not have this operation", 4..16),
        ("cpu/L1-dcache-load-store/", "a cache event has one operation and one result", 4..24),
        ("uncore_imc_0/branch/", "unknown term `branch` (PMU `uncore_imc_0`)", 13..19),
        ("cpu/cycles,branch-loads/", "two events between one pair of slashes", 11..23),
        // perf opens another code.
        ("cpu/stalled-cycles-frontend,cmask=1/", "term `cmask` is not allowed here", 28..33),
        ("cpu/cmask=1,config=3,branch-loads/", "term `cmask` is not allowed here", 4..9),
    ] {
        let error = system.require(text).unwrap_err();
        assert!(error.message().starts_with(why), "{text}: {error}");
        assert_eq!(error.span(), span, "{text}");
    }
    // On each kind of cores, its own; `config=…` is the whole of it.
    let machine = Machine::named("alderlake");
    let system = machine.system();
    for (text, config) in [
        ("cpu_core/config=2,L1-dcache-loads/", 4 << 32),
        ("cpu_core/L1-dcache-loads,config=2/", 2),
        ("cpu_core/stalled-cycles-frontend/", 4 << 32 | 7),
    ] {
        let all = system.require(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(all[0].words(), Words::new(config), "{text}");
    }
}

/// What perf gives software events besides: units of clocks, and samples of
/// what BPF programs write.
#[test]
fn software_events() {
    let machine = Machine::named("skylakex");
    let system = machine.system();
    let period = |n| Some(Sampling::Period(n));
    for (text, unit, sampling) in [
        ("cpu-clock", "msec", None),
        ("software//", "msec", None),
        ("soft*//", "msec", None),
        // perf shows nanoseconds, without a unit.
        ("software/config=1/", "", None),
        ("software/name=x/", "", None),
        ("1:1", "msec", None),
        ("bpf-output", "", period(1)),
        ("bpf-output/period=5/", "", period(5)),
        ("bpf-output/freq=5/", "", Some(Sampling::Frequency(5))),
        ("software/config=10/", "", period(1)),
        ("1:10", "", period(1)),
        ("dummy", "", None),
    ] {
        let all = system.require(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let scale = if unit == "msec" { 1e-6 } else { 1.0 };
        assert_eq!(all[0].perf_unit(), (scale, unit), "{text}");
        let is_clock = all[0].words().config() < 2;
        let clock = is_clock.then_some(Clock::Kernel);
        let expected = if is_clock { (1e-9, "s") } else { (1.0, "") };
        assert_eq!((all[0].clock(), (all[0].scale(), all[0].unit())), (clock, expected), "{text}");
        assert_eq!(all[0].attributes().sampling(), sampling, "{text}");
    }
}

/// The true reason, and never what was written as what may have been meant.
#[test]
fn known_events_of_absent_pmus() {
    let virtual_machine = Machine::of("software/type\t1\nmsr/type\t9\n");
    let hybrid = Machine::named("alderlake");
    let server = Machine::named("skylakex");
    let meshless = Machine::of(
        "arm_cmn_0/type\t9\narm_cmn_0/cpumask\t0\narm_cmn_0/identifier\t00000\n\
         armv8_pmuv3_0/type\t8\narmv8_pmuv3_0/cpus\t0\n",
    );
    let zen = x86::model("AuthenticAMD-25-61-2");
    let alder_lake = x86::model("GenuineIntel-6-97-2");
    let n1 = arm64::model("0x00000000413fd0c1");
    let no_core = "a core PMU, which this machine does not have";
    let cases: &[(&Machine, Option<Model>, &str, ErrorKind, String)] = &[
        (
            &virtual_machine,
            zen,
            "ex_ret_instr",
            ErrorKind::NoCorePmu,
            format!("event `ex_ret_instr` is of {no_core}"),
        ),
        (
            &virtual_machine,
            zen,
            "EX_RET_INSTR/cmask=1/",
            ErrorKind::NoCorePmu,
            format!("event `EX_RET_INSTR` is of {no_core}"),
        ),
        (
            &virtual_machine,
            zen,
            "topdown-fe-bound",
            ErrorKind::NoCorePmu,
            format!("event `topdown-fe-bound` is of {no_core}"),
        ),
        (
            &virtual_machine,
            zen,
            "cpu/ex_ret_instr/",
            ErrorKind::NoCorePmu,
            "this machine has no core PMU, and so no `cpu`".into(),
        ),
        (
            &virtual_machine,
            zen,
            "msr/ex_ret_instr/",
            ErrorKind::NoCorePmu,
            format!("event `ex_ret_instr` is of {no_core}"),
        ),
        (
            &server,
            alder_lake,
            "topdown_be_bound.all",
            ErrorKind::NoPmu,
            "event `topdown_be_bound.all` is of PMU `cpu_atom`, which this machine does not have"
                .into(),
        ),
        (
            &hybrid,
            alder_lake,
            "cpu_core/topdown_be_bound.all/",
            ErrorKind::OtherPmu,
            "`topdown_be_bound.all` is an event of PMU `cpu_atom`, not of `cpu_core`".into(),
        ),
        (
            &hybrid,
            None,
            "cpu_atom/event=slots/",
            ErrorKind::OtherPmu,
            "`slots` is an event of PMU `cpu_core`, not of `cpu_atom`".into(),
        ),
        (
            &meshless,
            n1,
            "hnf_mc_reqs",
            ErrorKind::NoPmu,
            "event `hnf_mc_reqs` is of another PMU than `arm_cmn_0`, which has identifier `00000`"
                .into(),
        ),
        (
            &virtual_machine,
            n1,
            "hnf_mc_reqs",
            ErrorKind::NoPmu,
            "event `hnf_mc_reqs` is of PMU `arm_cmn`, which this machine does not have".into(),
        ),
    ];
    for (machine, model, text, kind, message) in cases {
        let error = machine.with_model(*model).require(text).unwrap_err();
        assert_eq!((error.kind(), error.message()), (*kind, message.as_str()), "{text}");
        assert_eq!(error.suggestion(), None, "{text}");
    }
    // What is not known is asked back, also where there is no PMU for it.
    let error = virtual_machine.with_model(zen).require("ex_ret_intsr").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnknownEvent);
    assert_eq!(error.suggestion(), Some("ex_ret_instr"));
}

/// Files of events that are none: each is named, with what it is.
#[test]
fn events_whose_files_cannot_be_read() {
    let machine =
        Machine::of("cpu/type\t4\ncpu/format/event\tconfig:0-7\ncpu/events/fine\tevent=1\n");
    let events = machine.path("cpu/events");
    assert!(Command::new("mkfifo").arg(events.join("pipe")).status().unwrap().success());
    std::os::unix::fs::symlink("loop", events.join("loop")).unwrap();
    std::fs::create_dir(events.join("directory")).unwrap();
    machine.write("cpu/events/long", "event=1,".repeat(10_000));
    machine.write("cpu/events/binary", b"event=\xff");
    let system = machine.system();
    for (name, what, has_source) in [
        ("pipe", "is not a regular file", false),
        ("loop", "cannot be read", true),
        ("directory", "is not a regular file", false),
        ("long", "is longer than 64 KiB", false),
        ("binary", "is not text", false),
    ] {
        let path = events.join(name);
        let message = format!("event `{name}`: {}: {what}", path.display());
        for text in [name.to_string(), format!("cpu/{name}/"), format!("cpu/event={name}/")] {
            let error = system.require(&text).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Unreadable, "{text}");
            assert_eq!(error.message(), message, "{text}");
            let source = error.source().map(|source| source.to_string());
            let is_it = |source: &str| source.starts_with("Too many levels of symbolic links");
            assert_eq!(source.as_deref().is_some_and(is_it), has_source, "{text}: {source:?}");
            assert_eq!(error.suggestion(), None, "{text}");
        }
    }
    assert!(system.require("fine").is_ok());
}

/// What perf 6.12 calls generic events of caches: their modifiers do not belong to
/// the name.
#[test]
fn names_of_cache_events() {
    let machine = Machine::named("skylakex");
    let system = machine.system();
    for (text, name) in [
        ("LLC-loads", "LLC-loads"),
        ("LLC-loads:u", "LLC-loads"),
        ("LLC/config1=1/u", "LLC"),
        ("l1d/name=x/:k", "x"),
        ("cycles:u", "cycles:u"),
    ] {
        let all = system.require(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(all[0].name(), name, "{text}");
    }
}

/// Address and length of a breakpoint are `config1` and `config2`, which terms may
/// give as well.
#[test]
fn words_of_breakpoints() {
    let machine = Machine::named("skylakex");
    let system = machine.system();
    for (text, config) in [
        ("mem:0x10", Words::NONE.with(Word::Config1, 0x10).with(Word::Config2, 4)),
        ("mem:0x10/config1=3/", Words::NONE.with(Word::Config1, 3).with(Word::Config2, 4)),
        ("mem:0x10/8:x/config2/", Words::NONE.with(Word::Config1, 0x10).with(Word::Config2, 1)),
        ("mem:0x10:r/config=9/", Words::new(9).with(Word::Config1, 0x10).with(Word::Config2, 4)),
    ] {
        let all = system.require(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(all[0].words(), config, "{text}");
    }
}

/// `inv_data_src_filter` of Arm's SPE is in the fifth word, since Linux 6.19.
#[test]
fn a_format_of_the_last_word() {
    let machine = Machine::of(
        "arm_spe_0/type\t12\n\
         arm_spe_0/format/ts_enable\tconfig:0\n\
         arm_spe_0/format/inv_data_src_filter\tconfig4:0-63\n",
    );
    let all = machine.system().require("arm_spe/ts_enable,inv_data_src_filter=0xf0/,r1/config4=6/");
    let all = all.expect("it has both formats");
    assert_eq!((all[0].type_(), all[0].words()), (12, Words::new(1).with(Word::Config4, 0xf0)));
    assert_eq!((all[1].type_(), all[1].words()), (4, Words::new(1).with(Word::Config4, 6)));
}

/// `P` asks for what the PMU can do.
#[test]
fn as_precise_as_it_gets() {
    let machine = Machine::of(
        "cpu/type\t4\n\
         cpu/format/event\tconfig:0-7\n\
         cpu/caps/max_precise\t2\n\
         silent/type\t5\n\
         silent/format/event\tconfig:0-7\n\
         odd/type\t6\n\
         odd/caps/max_precise\t9\n",
    );
    let system = machine.system();
    for (text, expected, is_max) in [
        ("cpu/event=1/P", 2, true),
        ("cycles:P", 2, true),
        ("cycles:ppp", 3, false),
        ("cycles:p", 1, false),
        ("cycles", 0, false),
        ("{cycles,cpu/event=1/}:P", 2, true),
        ("silent/event=1/P", 3, true),
        ("odd//P", 3, true),
        ("faults:P", 3, true),
    ] {
        let all = system.require(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert!(all.events().iter().all(|one| one.precise_ip() == expected), "{text}");
        assert!(all.events().iter().all(|one| one.settings().precise_max() == is_max), "{text}");
    }
}

/// The CPU is unknown but for its architecture, the interconnect is not.
#[test]
fn a_tree_is_enough_for_sys_tables() {
    let machine = Machine::named("neoverse-n1");
    let system = machine.system();
    let unknown = arm64::model("0x00000000123fd0c1");
    assert_eq!(unknown, Some(arm64::ARCHITECTURE));
    let error = system.require("hnf_mc_reqs").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnknownEvent);

    let known = arm64::model("0x00000000413fd0c1").unwrap();
    let with_tree = system.clone().with_tree(&arm64::TREE);
    let of_unknown = with_tree.clone().with_cpuid("0x00000000123fd0c1");
    for system in [&with_tree, &of_unknown, &system.clone().with_model(known)] {
        let all = system.require("hnf_mc_reqs").unwrap();
        assert_eq!(all[0].pmu().map(|pmu| pmu.name()), Some("arm_cmn_0"));
        assert_eq!(all[0].words().config(), 0xd_0005);
        let error = system.require("hnf_mc_req").unwrap_err();
        assert_eq!(error.suggestion(), Some("hnf_mc_reqs"));
    }
    // Which of the architecture's events a core has, its driver says.
    assert!(of_unknown.require("l3d_cache_lmiss_rd").is_err());
    assert!(of_unknown.require("l1d_cache_rd").is_err());
    assert!(system.with_model(known).require("l1i_cache").is_ok());
}

/// What Arm's kernel opens although it does not list it counts 0.
#[test]
fn events_that_an_arm_cpu_lacks() {
    let machine = Machine::named("neoverse-n1");
    let known = arm64::model("0x00000000413fd0c1").unwrap();
    let system = machine.system().with_model(known);
    let cases = [
        ("inst_retired", false),
        ("INST_RETIRED:u", false),
        ("l1i_cache", true),
        ("L1I_CACHE", true),
        ("armv8_pmuv3_0/l1i_cache/", true),
        ("br_mis_pred_retired", true),
        // The CPU does not say whether it has numbers from 0x40 on; a raw code is no event's.
        ("exc_irq", false),
        ("armv8_pmuv3_0/event=0x14/", false),
        ("hnf_mc_reqs", false),
        ("cycles", false),
    ];
    for (text, is_lacking) in cases {
        let all = system.require(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(all[0].is_lacking(), is_lacking, "{text}");
    }
}

/// A mesh's driver looks at a node only if it is told to.
#[test]
fn nodes_that_are_named_in_vain() {
    let machine = Machine::named("neoverse-n1");
    let system = machine.system();
    let cases = [
        ("arm_cmn_0/hnf_cache_miss/", false),
        ("arm_cmn_0/hnf_cache_miss,nodeid=0x78/", true),
        ("arm_cmn/hnf_cache_miss,nodeid=0x78/", true),
        ("arm_cmn_0/hnf_cache_miss,bynodeid,nodeid=0x78/", false),
        ("arm_cmn_0/hnf_cache_miss,nodeid=0x78,bynodeid=1/", false),
        ("arm_cmn_0/type=0x5,eventid=0x1,bynodeid=0,nodeid=0x78/", true),
        // The node whose id is 0.
        ("arm_cmn_0/hnf_cache_miss,nodeid=0/", true),
        ("arm_cmn_0/hnf_cache_miss,bynodeid/", false),
        ("arm_cmn_0/config=0x7800010005/", true),
        ("arm_cmn_0/config=0x7880010005/", false),
        // The same clock at each node.
        ("arm_cmn_0/dtc_cycles,nodeid=0x78/", false),
        ("armv8_pmuv3_0/event=0x11/", false),
    ];
    for (text, ignores) in cases {
        let all = system.require(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(all[0].ignores_node(), ignores, "{text}");
    }
}

/// Each term that perf takes besides those of the PMU is carried, or refused
/// with the reason.
#[test]
fn perfs_own_terms() {
    let machine = Machine::named("skylakex");
    let system = machine.system();
    let cases: &[(&str, &[&str])] = &[
        ("cpu/event=1,period=5,period=0x10/", &["period=5", "period=0x10"]),
        ("cpu/freq=100,event=1/", &["freq=100"]),
        (
            "cpu/percore,time=0,call-graph=lbr,stack-size=8192/",
            &["percore", "time=0", "call-graph=lbr", "stack-size=8192"],
        ),
        (
            "cpu/max-stack=5,nr=7,branch_type=any,no-inherit,overwrite/",
            &["max-stack=5", "nr=7", "branch_type=any", "no-inherit", "overwrite"],
        ),
        (
            "cpu/inherit=0,no-overwrite=1,aux-output,aux-sample-size=4096/",
            &["inherit=0", "no-overwrite=1", "aux-output", "aux-sample-size=4096"],
        ),
        ("cpu/name=x,metric-id=y,@sink/", &["name=x", "metric-id=y", "@sink"]),
        ("cycles/period=9,config1=3/", &["period=9"]),
        ("mem-loads/period=9/", &["period=9"]),
    ];
    for (text, expected) in cases {
        let all = system.require(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let terms: Vec<String> =
            attribute_terms(&all[0]).map(|one| one.term().to_string()).collect();
        assert_eq!(terms, *expected, "{text}");
        assert!(attribute_terms(&all[0]).all(|one| !one.is_default()), "{text}");
        assert!(!all[0].has_default_sampling(), "{text}");
    }
    let one = system.require("cpu/max-stack=5,nr=7,branch_type=any,no-inherit,overwrite/");
    let one = one.unwrap();
    let attributes = one[0].attributes();
    assert_eq!((attributes.max_stack(), attributes.max_events()), (Some(5), Some(7)));
    assert_eq!((attributes.branch_type(), attributes.inherit()), (Some("any"), Some(false)));
    assert_eq!(attributes.overwrite(), Some(true));
    let one = system.require("cpu/aux-output,aux-sample-size=4096,@sink=a:b/");
    let one = one.unwrap();
    let attributes = one[0].attributes();
    assert_eq!((attributes.aux_output(), attributes.aux_sample_size()), (Some(true), Some(4096)));
    assert_eq!(attributes.driver().map(|term| term.name()), Some("sink=a:b"));

    for (text, why) in [
        ("cpu/period=x/", "invalid value for term `period`: expected a number"),
        ("cpu/name=5/", "invalid value for term `name`: expected text, not a number"),
        ("cpu/percore=2/", "value too large for term `percore`: at most 1 fits"),
        ("cycles/branch_type=lbr/", "unknown branch type"),
        (
            "cpu/aux-sample-size=0x100000000/",
            "value too large for term `aux-sample-size`: at most 4294967295 fits",
        ),
        ("cycles/@sink/", "this term is not allowed on an event without a PMU"),
        ("cpu/cycles,instructions/", "two events between one pair of slashes: a counter has one"),
        ("sched:sched_switch/period=5/", "this term is not allowed on a tracepoint"),
        ("duration_time/name=x/", "this term is not allowed on a tool event"),
    ] {
        let error = system.require(text).unwrap_err();
        assert_eq!(error.message(), why, "{text}");
    }
}

/// Since Linux 6.13, the cores of an Arrow Lake H that save power have a PMU.
#[test]
fn three_kinds_of_cores() {
    let machine = Machine::named("alderlake");
    for (file, text) in [
        ("type", "11"),
        ("cpus", "8-9"),
        ("format/event", "config:0-7"),
        ("events/cpu-cycles", "event=0x3c"),
    ] {
        machine.write(&format!("cpu_lowpower/{file}"), text);
    }
    let system = machine.system();
    let shown = |text: &str| -> Vec<String> {
        let all = system.require(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let one = |one: &Resolved| {
            let cpus = one.cpus().unwrap().unwrap();
            format!("{}:{:#x} {cpus}", one.type_(), one.words().config())
        };
        all.events().iter().map(one).collect()
    };
    assert_eq!(
        shown("instructions"),
        ["0:0xa00000001 4-7", "0:0x400000001 0-3", "0:0xb00000001 8-9"]
    );
    assert_eq!(shown("cpu_lowpower/event=2/"), ["11:0x2 8-9"]);
    assert_eq!(shown("cpu_lowpower/cpu-cycles/"), ["11:0x3c 8-9"]);
    assert_eq!(shown("cycles/cpu=cpu_lowpower/"), ["0:0xb00000000 8-9"]);
    assert!(system.sysfs().pmu("cpu_lowpower").unwrap().is_core());
}

/// The CPUs to which `cpu` terms limit each event, by PMU.
#[test]
fn limited_to_cpus() {
    let machine = Machine::named("alderlake");
    machine.write("/devices/system/cpu/present", "0-7\n");
    machine.write("uncore_x/type", "30\n");
    machine.write("uncore_x/cpumask", "0\n");
    machine.write("uncore_x/events/ev", "event=1\n");
    machine.write("uncore_x/format/event", "config:0-7\n");
    let system = machine.system();
    let cases: &[(&str, &str)] = &[
        ("task-clock", "software:-"),
        ("task-clock/cpu=3/", "software:3"),
        ("task-clock/cpu=0x3/", "software:3"),
        ("task-clock/cpu=2-5/", "software:2-5"),
        ("task-clock/cpu=1,cpu=3-4,cpu=2/", "software:1-4"),
        ("task-clock/cpu='0-1,7'/", "software:0-1,7"),
        ("task-clock/cpu=cpu_atom/", "software:4-7"),
        ("task-clock/cpu=cpu_atom,cpu=0/", "software:0,4-7"),
        ("task-clock/cpu=uncore_x/", "software:0"),
        ("cpu_core/event=1,cpu=2-5/", "cpu_core:2-3"),
        ("ev/cpu=0/", "uncore_x:0"),
        // Only the PMUs with any of them have the event.
        ("instructions/cpu=1/", "cpu_core:1"),
        ("instructions/cpu=5/", "cpu_atom:5"),
        ("instructions/cpu=1,cpu=5/", "cpu_atom:5 cpu_core:1"),
        ("instructions/cpu=cpu_atom/", "cpu_atom:4-7"),
        ("L1-dcache-loads/cpu=6/", "cpu_atom:6"),
        ("cpu*/event=1,cpu=6/", "cpu_atom:6"),
        ("mem-loads/cpu=6/", "cpu_atom:6"),
        ("mem:0x10/cpu=2/", "-:2"),
        ("{instructions/cpu=1/,cs/cpu=2/}", "cpu_core:1 software:2"),
    ];
    let shown = |all: &Resolution| -> String {
        let one = |one: &Resolved| {
            let limit = one.limit().map_or("-".into(), ToString::to_string);
            // What is opened are its limits, if it has any.
            assert!(one.limit().is_none() || one.cpus() == Ok(one.limit()));
            format!("{}:{limit}", one.pmu().map_or("-", |pmu| pmu.name()))
        };
        all.events().iter().map(one).collect::<Vec<_>>().join(" ")
    };
    for &(text, expected) in cases {
        let all = system.require(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(shown(&all), expected, "{text}");
    }
    let one = system.require("cycles/cpu=0,cpu=1/").unwrap();
    assert_eq!(one[0].attributes().cpu(), Some("1"));

    let faults: &[(&str, &str, &str)] = &[
        ("task-clock/cpu=8/", "8", "this machine has no CPU 8: its CPUs are 0-7"),
        ("task-clock/cpu=6-9/", "6-9", "this machine has no CPU 8: its CPUs are 0-7"),
        (
            "task-clock/cpu=99999999999/",
            "99999999999",
            "`99999999999` is neither a CPU, a range of CPUs, nor a PMU",
        ),
        ("task-clock/cpu=5-2/", "5-2", "`5-2` is neither a CPU, a range of CPUs, nor a PMU"),
        (
            "task-clock/cpu=cpu_atmo/",
            "cpu_atmo",
            "`cpu_atmo` is neither a CPU, a range of CPUs, nor a PMU; did you mean `cpu_atom`?",
        ),
        ("task-clock/cpu=software/", "software", "PMU `software` has no list of CPUs"),
        (
            "cpu_core/event=1,cpu=5/",
            "cpu_core/event=1,cpu=5/",
            "PMU `cpu_core` does not count on CPU 5: its CPUs are 0-3",
        ),
        ("ev/cpu=1/", "ev/cpu=1/", "PMU `uncore_x` does not count on CPU 1: its CPUs are 0"),
    ];
    for &(text, wrong, why) in faults {
        let error = system.require(text).unwrap_err();
        assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::NoCpu, why), "{text}");
        assert_eq!(&text[error.span()], wrong, "{text}");
        // The others are resolved.
        let all = system.resolve(&format!("cs,{text},faults")).unwrap();
        assert_eq!((all.events().len(), all.missing().len()), (2, 1), "{text}");
    }
    // Without `present`, the machine is not at hand; a PMU `cpu` has all online CPUs.
    let machine = Machine::named("edge");
    let one_kind = machine.system();
    assert_eq!(shown(&one_kind.require("cs/cpu=4000/").unwrap()), "software:4000");
    assert_eq!(shown(&one_kind.require("cs/cpu=cpu/").unwrap()), "software:0-3");
}

/// A file that does not say which CPUs there are is an error of the events that need it.
#[test]
fn odd_lists_of_cpus() {
    for (file, text, event) in [
        ("/devices/system/cpu/present", "0-x", "cs/cpu=1/"),
        ("/devices/system/cpu/present", "\n", "cs/cpu=1/"),
        ("/devices/system/cpu/present", "\u{e4}", "cs/cpu=1/"),
        ("cpu_atom/cpus", "all", "cs/cpu=cpu_atom/"),
    ] {
        let machine = Machine::named("alderlake");
        machine.write(file, text);
        let all = machine.system().resolve(&format!("{event},cs")).unwrap();
        assert_eq!(all.events().len(), 1, "{file} {text:?}");
        let error = all.missing()[0].error();
        assert_eq!(error.kind(), ErrorKind::Unreadable, "{error}");
        assert!(error.message().contains("cpu"), "{error}");
    }
}

/// A machine whose core PMU has counters that reload each other.
fn reloading() -> Machine {
    let machine = Machine::named("alderlake");
    for pmu in ["cpu_core", "cpu_atom"] {
        machine.write(&format!("{pmu}/format/acr_mask"), "config2:0-63\n");
    }
    machine
}

#[test]
fn reload_masks() {
    use Sampling::{Frequency, Period};
    let machine = reloading();
    let system = machine.system();
    // `config2`, the period, and the mask alone, of each event.
    type Expected<'a> = &'a [(u64, Option<Sampling>, u64)];
    let cases: &[(&str, Expected<'_>)] = &[
        (
            "{cpu_atom/instructions/,cpu_atom/cycles,period=100000,ratio-to-prev=0.5/}",
            &[(2, Some(Period(200_000)), 2), (3, Some(Period(100_000)), 3)],
        ),
        (
            "{cpu_atom/cycles,period=50/,cpu_atom/instructions,ratio-to-prev=2/}",
            &[(2, Some(Period(50)), 2), (3, Some(Period(100)), 3)],
        ),
        // The period of the previous event wins.
        (
            "{cpu_core/event=1,period=50/,cpu_core/event=2,period=7,ratio-to-prev=2.5/}",
            &[(2, Some(Period(50)), 2), (3, Some(Period(125)), 3)],
        ),
        (
            "{cpu_core/event=1,freq=50/,cpu_core/event=2,period=8,ratio-to-prev=2.0/}",
            &[(2, Some(Period(4)), 2), (3, Some(Period(8)), 3)],
        ),
        (
            "{cpu_core/event=1,freq=9/,cpu_core/event=2,period=4/,cpu_core/event=3,ratio-to-prev=2.0/}",
            &[(0, Some(Frequency(9)), 0), (4, Some(Period(4)), 4), (6, Some(Period(8)), 6)],
        ),
        // Each PMU has a group.
        (
            "{cycles/period=4/,instructions/ratio-to-prev=0.5/}",
            &[
                (2, Some(Period(4)), 2),
                (3, Some(Period(2)), 3),
                (2, Some(Period(4)), 2),
                (3, Some(Period(2)), 3),
            ],
        ),
    ];
    for &(text, expected) in cases {
        let all = system.require(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let found: Vec<_> = all
            .events()
            .iter()
            .map(|one| {
                (one.words().get(Word::Config2), one.attributes().sampling(), one.reload_mask())
            })
            .collect();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn no_reload() {
    let machine = reloading();
    let system = machine.system();
    let needs = "term `ratio-to-prev` needs another event before it in its group";
    let cases: &[(&str, &str, usize)] = &[
        ("cycles/period=5,ratio-to-prev=2.0/", needs, 0),
        ("cs,cycles/period=5,ratio-to-prev=2.0/", needs, 1),
        (
            "{cpu_core/event=1/,cpu_core/event=2,ratio-to-prev=2.0/}",
            "term `ratio-to-prev` needs a term `period` on one of the two events",
            1,
        ),
        (
            "{cpu_core/event=1,period=1/,cpu_core/event=2,ratio-to-prev=0.5/,cs}",
            "`ratio-to-prev` and `period` result in a period of 0, or one beyond 64 bits",
            2,
        ),
        (
            "{cpu_core/event=1,period=0xffffffffffffffff/,cpu_core/event=2,ratio-to-prev=2.0/}",
            "`ratio-to-prev` and `period` result in a period of 0, or one beyond 64 bits",
            1,
        ),
        (
            "{cpu_core/event=1,period=1/,cs/ratio-to-prev=2.0/}",
            "term `ratio-to-prev` is only for events of a core PMU",
            1,
        ),
        (
            "{cs,cpu_core/event=1,period=1,ratio-to-prev=2.0/}",
            "term `ratio-to-prev` is only for events of a core PMU",
            1,
        ),
        (
            "{cpu_core/event=1,config2=8,period=1/,cpu_core/event=1,ratio-to-prev=2.0/}",
            "`cpu_core/event=1,config2=8,period=1/` already sets config2, where term `ratio-to-prev` puts its mask",
            1,
        ),
        // The other PMU's events form another group, which this one would lead.
        ("{cpu_core/event=1,period=1/,cpu_atom/event=1,ratio-to-prev=2.0/}", needs, 1),
    ];
    for &(text, why, left) in cases {
        let error = system.require(text).unwrap_err();
        assert_eq!((error.kind(), error.message()), (ErrorKind::Ratio, why), "{text}");
        assert!(text[error.span()].starts_with("ratio-to-prev="), "{text}");
        let all = system.resolve(text).unwrap();
        assert_eq!(all.events().len(), left, "{text}");
        assert_eq!(all.groups().map(<[Resolved]>::len).sum::<usize>(), left, "{text}");
        let mut names: Vec<&str> =
            all.answers().map(|one| one.map_or_else(|one| one.name(), Resolved::name)).collect();
        let written = EventList::parse(text).unwrap();
        let mut expected: Vec<&str> = written.events().map(|one| one.name()).collect();
        // Groups are sorted by PMU.
        names.sort_unstable();
        expected.sort_unstable();
        assert_eq!(names, expected, "{text}");
    }
    // A group cannot exist without its leader.
    let all = system.resolve("{cycles/period=5,ratio-to-prev=2.0/,cpu_core/event=1/},cs").unwrap();
    assert_eq!((all.events().len(), all.missing().len()), (1, 2));
    assert!(all.missing()[1].error().message().contains("leads its group: term"));

    let text = "{cpu_core/event=1,period=1/,cpu_core/event=1,ratio-to-prev=2.0/}";
    for (format, why) in [("", "is missing"), ("config1:0-63", "is not in config2")] {
        let machine = Machine::named("alderlake");
        if !format.is_empty() {
            machine.write("cpu_core/format/acr_mask", format);
        }
        let error = machine.system().require(text).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NoReload);
        let message = format!(
            "the counters of PMU `cpu_core` cannot reload each other: its format `acr_mask` {why}"
        );
        assert_eq!(error.message(), message);
    }
}

/// The numbers and names of all answers.
fn answers(all: &Resolution) -> Vec<(usize, &str)> {
    let answers = all.answers();
    answers
        .map(|one| match one {
            Ok(one) => (one.event(), one.name()),
            Err(one) => (one.event(), one.name()),
        })
        .collect()
}

/// Missing events keep their places among the others.
#[test]
fn places_of_missing_events() {
    let machine = reloading();
    let system = machine.system();
    // The fifth event turns out to be missing when all others are known.
    let text = "none,cs,{cpu_core/event=1/,nix,cpu_core/event=2,ratio-to-prev=2.0/},nor,faults";
    let all = system.resolve(text).unwrap();
    let written = EventList::parse(text).unwrap();
    let expected: Vec<_> = written.events().map(|event| event.name()).enumerate().collect();
    assert_eq!(answers(&all), expected);

    let mut both = system.resolve("none,cs").unwrap();
    assert_eq!(both.append(system.resolve("nor,faults,none").unwrap()).first_event(), 2);
    assert_eq!(both.append(system.resolve("nor").unwrap()).first_event(), 5);
    let expected = [(0, "none"), (1, "cs"), (2, "nor"), (3, "faults"), (4, "none"), (5, "nor")];
    assert_eq!(answers(&both), expected);
}

/// An error about a term that the PMU does not have names those that it has; others
/// do not.
#[test]
fn known_terms() {
    let machine = Machine::of(
        "software/type\t1\ncpu/type\t4\n\
         cpu/format/event\tconfig:0-7\ncpu/format/umask\tconfig:8-15\n",
    );
    let system = machine.system();
    let cases: &[(&str, &[&str])] = &[
        ("cpu/umsk=1/", &["event", "umask"]),
        ("cpu/none/", &["event", "umask"]),
        ("cpu/event=0x1ff/", &[]),
        ("none", &[]),
    ];
    for (text, known) in cases {
        let error = system.require(text).unwrap_err();
        assert_eq!(error.known(), *known, "{text}: {error}");
    }
}

/// `X` keeps events where they are written.
#[test]
fn kept_places() {
    let machine = Machine::named("sapphirerapids");
    let system = machine.system();
    let cases: &[(&str, &[Member<'_>])] = &[
        ("{mem-stores,slots}", &[("slots", 0, 2), ("mem-stores", 0, 2)]),
        ("{mem-stores,slots:X}", &[("mem-stores", 0, 2), ("slots:X", 0, 2)]),
        ("{mem-stores,slots:uX}", &[("mem-stores", 0, 2), ("slots:uX", 0, 2)]),
        ("{mem-stores,slots}:X", &[("mem-stores", 0, 2), ("slots", 0, 2)]),
        ("slots,cs,topdown-retiring", &[("slots", 0, 2), ("topdown-retiring", 0, 2), ("cs", 2, 1)]),
        (
            "slots,cs,topdown-retiring:X",
            &[("slots", 0, 1), ("cs", 1, 1), ("topdown-retiring:X", 2, 1)],
        ),
    ];
    for &(text, expected) in cases {
        let all = system.require(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(groups(&all), expected, "{text}");
    }
}

/// No counter has a retirement latency, whatever the modifier is on.
#[test]
fn retirement_latencies_are_refused() {
    let machine = Machine::named("sapphirerapids");
    let system = machine.system();
    // The event, and where it is.
    let cases = [
        ("mem-loads:R", "mem-loads:R", 0..11),
        ("cs,cpu/event=0xd0,umask=0x21/upR", "cpu/event=0xd0,umask=0x21/upR", 3..32),
        ("{cs,faults:R}", "faults:R", 4..12),
        ("{cs,faults}:R", "cs", 1..3),
        ("cs:RX", "cs:RX", 0..5),
    ];
    for (text, event, span) in cases {
        let error = system.require(text).expect_err(text);
        assert_eq!((error.kind(), error.span()), (ErrorKind::RetireLatency, span), "{text}");
        assert!(error.to_string().contains("no counter counts a retirement latency"), "{error}");
        let resolved = system.resolve(text).expect("the text is a list");
        assert_eq!(resolved.missing()[0].name(), event, "{text}");
    }
    // Nothing is opened.
    let counters = system.open("mem-loads:R").expect("an event may be refused");
    let refusal = counters.events()[0].refusal().expect("it is").to_string();
    assert!(refusal.contains("no counter counts a retirement latency"), "{refusal}");
}

/// The kernel's own tracepoints, where tracefs is mounted and this user may read
/// it; says which it is. Made-up machines have both above.
#[test]
fn tracepoints_of_this_machine() {
    let system = System::at("/sys").without_tables();
    let resolved = system.require("sched:sched_switch");
    let ids = ["/sys/kernel/tracing", "/sys/kernel/debug/tracing"]
        .map(|mounted| std::fs::read_to_string(format!("{mounted}/events/sched/sched_switch/id")));
    let id = ids.iter().flatten().next();
    // Unlike `eprintln!`, is shown where tests pass.
    let seen = if id.is_some() { "has" } else { "has not" };
    let _ = writeln!(std::io::stderr(), "(this machine {seen} tracefs)");
    match id {
        Some(id) => {
            assert_eq!(resolved.unwrap()[0].words().config().to_string(), id.trim());
            let all = system.require("sched:*").unwrap();
            assert!(all.events().len() > 10, "{}", all.events().len());
        }
        // Not mounted, or not for us: then it says so.
        None => {
            let error = resolved.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Tracing);
            assert!(error.message().contains("mount"), "{error}");
        }
    }
}

/// A driver that describes an event by an event.
#[test]
fn descriptions_that_name_events() {
    let machine = Machine::of(
        "cpu/type\t4\ncpu/format/event\tconfig:0-7\ncpu/events/itself\titself\n\
         cpu/events/other\tevent=1\ncpu/events/another\tother\ncpu/events/odd\toddly\n",
    );
    let system = machine.system();
    for (name, what) in [
        ("itself", "`itself` is an event, not a term (PMU `cpu`)"),
        ("another", "`other` is an event, not a term (PMU `cpu`)"),
        ("odd", "unknown term `oddly` (PMU `cpu`)"),
    ] {
        for text in [name.to_owned(), format!("cpu/{name}/")] {
            let error = system.require(&text).map(|all| all[0].words()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::UnknownTerm, "{text}");
            let expected = format!("the description of this event does not fit: {what}");
            assert_eq!(error.to_string(), expected, "{text}");
        }
    }
}

/// An instance that refuses an event is missing; one on which there is no event of that name
/// is not.
#[test]
fn instances_that_are_missing() {
    let machine = Machine::of(
        "uncore_imc_0/type\t20\nuncore_imc_0/format/event\tconfig:0-7\n\
         uncore_imc_0/events/both\tevent=1\nuncore_imc_0/events/first\tevent=2\n\
         uncore_imc_1/type\t21\nuncore_imc_1/format/nothing\tconfig:0-7\n\
         uncore_imc_1/events/both\tevent=1",
    );
    let system = machine.system();
    let cases: [(&str, &[&str]); 4] = [
        ("uncore_imc/first/", &[]),
        ("first", &[]),
        ("uncore_imc/event=3/", &["uncore_imc_1"]),
        ("both", &["uncore_imc_1"]),
    ];
    for (text, expected) in cases {
        let resolution = system.resolve(text).unwrap();
        let missing: Vec<&str> =
            resolution.missing().iter().filter_map(|missing| missing.pmu_name()).collect();
        assert_eq!((resolution.events().len(), &missing[..]), (1, expected), "{text}");
        assert_eq!(system.require(text).is_ok(), expected.is_empty(), "{text}");
    }
}
