//! Reading sysfs: machines as they are, and files that nobody would expect.

use std::fs;
use std::process::Command;

use pmu_events::__private::name;
use pmu_events::format::Words;
use pmu_events::resolve::ErrorKind;
use pmu_events::sysfs::{CpuSet, Sysfs};

#[allow(dead_code)]
mod machines;
mod soc {
    pmu_events::pmu_events!("arch/test");
}

use machines::Machine;

/// All that can be asked of all PMUs; what is listed is what is found by name.
fn ask_everything(sysfs: &Sysfs) {
    for pmu in sysfs.pmus() {
        let name = pmu.name();
        assert!(sysfs.pmu(name).is_some_and(|found| std::ptr::eq(found, pmu)), "{name}");
        for (term, format) in pmu.formats() {
            assert_eq!(pmu.format(term), Some(format), "{name}/{term}");
        }
        let events: Vec<&str> = pmu.events().map(|event| event.name()).collect();
        for event in pmu.events() {
            let is_it = pmu.event(event.name()).map(|found| std::ptr::eq(found, event));
            assert_eq!(is_it, Some(true), "{name}/{}", event.name());
        }
        let all: Vec<&str> = pmu.event_names().collect();
        for names in [&all, &events] {
            let is_sorted = names.is_sorted_by(|a, b| name::cmp(a, b).is_le());
            assert!(is_sorted, "{name}: {names:?}");
        }
        assert!(events.iter().all(|event| all.contains(event)), "{name}: {all:?} {events:?}");
        for (cap, value) in pmu.caps() {
            assert_eq!(pmu.cap(cap), Some(value), "{name}/{cap}");
        }
        assert!(!(pmu.is_core() && pmu.is_uncore()), "{name}");
        for text in [pmu.identifier(), pmu.alias_name()].into_iter().flatten() {
            assert_eq!(text.trim(), text, "{name}");
        }
        // What was asked is not asked again.
        assert_eq!((pmu.type_(), pmu.cpus()), (pmu.type_(), pmu.cpus()), "{name}");
    }
}

#[test]
fn machines_as_they_are() {
    // Name, PMUs, core PMUs, all terms, all events.
    let cases: &[(&str, usize, &[&str], usize, usize)] = &[
        ("skylakex", 41, &["cpu"], 240, 98),
        ("sapphirerapids", 57, &["cpu"], 276, 38),
        ("alderlake", 18, &["cpu_atom", "cpu_core"], 64, 47),
        ("zen4", 11, &["cpu"], 23, 13),
        ("neoverse-n1", 7, &["armv8_pmuv3_0"], 22, 8),
        ("power9", 5, &["cpu"], 19, 6),
        ("testcpu", 14, &["cpu"], 46, 5),
        ("edge", 9, &["cpu"], 13, 14),
    ];
    for &(name, pmus, cores, terms, events) in cases {
        let machine = Machine::named(name);
        let system = machine.system();
        let sysfs = system.sysfs();
        let found: Vec<&str> = sysfs.core_pmus().map(|pmu| pmu.name()).collect();
        assert_eq!(found, cores, "{name}");
        let all = sysfs.pmus();
        let counts = (
            all.len(),
            all.iter().map(|pmu| pmu.formats().count()).sum::<usize>(),
            all.iter().map(|pmu| pmu.events().count()).sum::<usize>(),
        );
        assert_eq!(counts, (pmus, terms, events), "{name}");
        ask_everything(sysfs);
        assert!(all.iter().all(|pmu| pmu.type_().is_some()), "{name}");
        // `edge` has two formats that make no sense.
        let odd = if name == "edge" { 2 } else { 0 };
        assert_eq!(sysfs.problems().len(), odd, "{name}: {:?}", sysfs.problems());
    }
}

#[test]
fn what_a_pmu_says() {
    let machine = Machine::named("skylakex");
    let system = machine.system();
    let sysfs = system.sysfs();
    let cpu = sysfs.pmu("cpu").unwrap();
    assert_eq!((cpu.type_(), cpu.is_core(), cpu.cpus()), (Some(4), true, Ok(None)));
    assert_eq!(cpu.format("ldlat").unwrap().to_string(), "config1:0-15");
    assert_eq!(cpu.event("Mem-Loads").unwrap().terms(), "event=0xcd,umask=0x1,ldlat=3");
    assert_eq!(cpu.event("topdown-total-slots").unwrap().scale(), Some(2.0));
    assert!(cpu.caps().any(|cap| cap == ("pmu_name", "skylake")));
    assert_eq!((cpu.cap("max_precise"), cpu.cap("none")), (Some("3"), None));

    let imc: Vec<&str> = sysfs.matching("imc").map(|pmu| pmu.name()).collect();
    assert_eq!(imc.len(), 6);
    let first = sysfs.pmu(imc[0]).unwrap();
    assert!(first.is_uncore() && first.is_of_unit("uncore_imc"));
    assert_eq!(first.cpus().unwrap().map(CpuSet::to_string).as_deref(), Some("0"));
    let alias = first.event("cas_count_read").unwrap();
    assert_eq!((alias.scale(), alias.unit()), (Some(6.103515625e-5), Some("MiB")));

    let margin = sysfs.pmu("msr").unwrap().event("cpu_thermal_margin").unwrap();
    assert!(margin.is_snapshot() && !margin.is_per_package());

    let edge = Machine::named("edge");
    let system = edge.system();
    let sysfs = system.sysfs();
    assert_eq!(sysfs.pmu("uncore_alias_1").unwrap().name(), "uncore_foo_type_0_1");
    let cpu = sysfs.pmu("cpu").unwrap();
    for name in ["upper", "Mixed_Case", "mixed_case"] {
        assert!(cpu.event(name).is_some_and(|event| name::eq(event.name(), name)), "{name}");
    }
    assert!(cpu.event("scaled").unwrap().is_per_package());
    let hybrid = Machine::named("alderlake");
    let atom = hybrid.sysfs().pmu("cpu_atom").unwrap().cpus().unwrap().unwrap().to_string();
    assert_eq!(atom, "4-7");
}

/// A healthy PMU, and one with which something is wrong.
fn hostile() -> Machine {
    let machine = Machine::empty();
    for pmu in ["bad", "good"] {
        for (file, text) in [
            ("type", "7"),
            ("format/event", "config:0-7"),
            ("events/cycles", "event=1"),
            ("events/cycles.scale", "2"),
            ("events/cycles.unit", "B"),
            ("cpumask", "0"),
            ("caps/branches", "1"),
            ("identifier", "v1"),
            ("alias", "other"),
        ] {
            machine.write(&format!("{pmu}/{file}"), format!("{text}\n"));
        }
    }
    machine
}

fn replace(machine: &Machine, path: &str, how: &str) {
    let path = machine.path(path);
    fs::remove_file(&path).unwrap();
    match how {
        "missing" => {}
        "directory" => fs::create_dir(&path).unwrap(),
        "pipe" => assert!(Command::new("mkfifo").arg(&path).status().unwrap().success()),
        "loop" => std::os::unix::fs::symlink(&path, &path).unwrap(),
        "dangling" => std::os::unix::fs::symlink("nowhere", &path).unwrap(),
        "device" => std::os::unix::fs::symlink("/dev/zero", &path).unwrap(),
        "megabytes" => fs::write(&path, vec![b'1'; 4 << 20]).unwrap(),
        "binary" => fs::write(&path, b"\xff\xfe\x00\x01").unwrap(),
        "nul" => fs::write(&path, b"1\0").unwrap(),
        "empty" => fs::write(&path, b"").unwrap(),
        "long" => fs::write(&path, "\u{e4}1".repeat(20_000)).unwrap(),
        "nonsense" => fs::write(&path, "\u{1f600}-,:=//?").unwrap(),
        _ => unreachable!(),
    }
}

/// Whether a file that is odd in this way is a problem: what is not there is
/// none, and some files may hold any text or none.
fn is_problem(file: &str, how: &str) -> bool {
    match how {
        "missing" | "dangling" => false,
        "empty" => matches!(file, "type" | "format/event" | "events/cycles.scale"),
        "nonsense" | "long" => {
            matches!(file, "type" | "format/event" | "events/cycles.scale" | "cpumask")
        }
        // perf asks of what kind a PMU is by whether there is a file; without
        // one it has no CPUs either.
        _ => true,
    }
}

#[test]
fn odd_files_spoil_nothing_else() {
    let files = [
        "type",
        "format/event",
        "events/cycles",
        "events/cycles.scale",
        "events/cycles.unit",
        "cpumask",
        "caps/branches",
        "identifier",
        "alias",
    ];
    let ways = [
        "missing",
        "directory",
        "pipe",
        "loop",
        "dangling",
        "device",
        "megabytes",
        "binary",
        "nul",
        "empty",
        "long",
        "nonsense",
    ];
    for file in files {
        for how in ways {
            let machine = hostile();
            replace(&machine, &format!("bad/{file}"), how);
            let system = machine.system();
            let sysfs = system.sysfs();
            ask_everything(sysfs);
            let good = sysfs.pmu("good").unwrap();
            assert_eq!(good.type_(), Some(7), "{file} {how}");
            assert!(good.format("event").is_some() && good.event("cycles").is_some());
            assert!(good.problems().is_empty(), "{file} {how}");
            let problems = sysfs.pmu("bad").unwrap().problems();
            assert_eq!(
                problems.len(),
                usize::from(is_problem(file, how)),
                "{file} {how}: {problems:?}"
            );
            for problem in &problems {
                assert!(problem.path().ends_with(format!("bad/{file}")), "{problem}");
                assert!(problem.to_string().len() < 1000, "{problem}");
            }
            assert_eq!(sysfs.problems(), problems);
            // What a count would mean, and where it would be counted, is known
            // or an error: never a default.
            let resolved = system.require("bad/cycles/");
            let is_odd = is_problem(file, how);
            if matches!(file, "events/cycles.scale" | "events/cycles.unit") && is_odd {
                let error = resolved.unwrap_err();
                assert_eq!(error.kind(), ErrorKind::Unreadable, "{file} {how}");
                assert_eq!(error.message(), problems[0].to_string());
                // Nor is it counted on the other PMUs alone.
                assert_eq!(system.require("*ad/cycles/").unwrap_err(), error);
            } else if let Ok(resolved) = resolved {
                // Without its file `cycles` is the kernel's, which has no scale.
                let has_none = matches!(file, "events/cycles" | "events/cycles.scale")
                    && how != "nonsense"
                    && how != "long"
                    && !(file == "events/cycles" && how == "empty");
                assert_eq!(resolved[0].scale(), if has_none { 1.0 } else { 2.0 }, "{file} {how}");
                assert_eq!(resolved[0].cpus().is_err(), file == "cpumask" && is_odd);
            }
        }
    }
}

/// A directory that is none: no formats, no events, and a word about it.
#[test]
fn files_in_place_of_directories() {
    for directory in ["format", "events", "caps"] {
        let machine = hostile();
        fs::remove_dir_all(machine.path(&format!("bad/{directory}"))).unwrap();
        machine.write(&format!("bad/{directory}"), "text");
        let system = machine.system();
        let sysfs = system.sysfs();
        ask_everything(sysfs);
        assert_eq!(sysfs.problems().len(), 1, "{directory}");
        assert!(sysfs.pmu("bad").unwrap().type_().is_some());
    }
}

#[test]
fn odd_roots() {
    let nowhere = Sysfs::at("/nonexistent");
    assert!(nowhere.pmus().is_empty() && nowhere.problems().is_empty());

    let machine = Machine::empty();
    fs::remove_dir(machine.path("")).unwrap();
    fs::write(machine.root().join(machines::DEVICES), "text").unwrap();
    let system = machine.system();
    let sysfs = system.sysfs();
    assert!(sysfs.pmus().is_empty());
    assert_eq!(sysfs.problems().len(), 1);

    // What lies about between the PMUs is none.
    let machine = Machine::empty();
    machine.write("file", "text");
    std::os::unix::fs::symlink("loop", machine.path("loop")).unwrap();
    assert!(machine.sysfs().pmus().is_empty());
}

/// A driver may be unloaded between two questions.
#[test]
fn vanished_pmu() {
    let machine = hostile();
    let system = machine.system();
    let sysfs = system.sysfs();
    assert_eq!(sysfs.pmus().len(), 2);
    fs::remove_dir_all(machine.path("bad")).unwrap();
    ask_everything(sysfs);
    let bad = sysfs.pmu("bad").unwrap();
    assert_eq!((bad.type_(), bad.events().count(), bad.formats().count()), (None, 0, 0));
    assert!(sysfs.pmu("good").unwrap().event("cycles").is_some());
}

#[test]
fn read_when_asked_and_once() {
    let machine = hostile();
    let system = machine.system();
    let sysfs = system.sysfs();
    // Written after `sysfs` was made, before anything was asked.
    machine.write("late/type", "9");
    assert_eq!(sysfs.pmu("late").unwrap().type_(), Some(9));
    assert_eq!(sysfs.pmus().len(), 3);
    // PMUs are known now, their files are not.
    machine.write("later/type", "10");
    machine.write("good/type", "8");
    machine.write("good/events/cycles", "event=2");
    assert!(sysfs.pmu("later").is_none());
    let good = sysfs.pmu("good").unwrap();
    assert_eq!((good.type_(), good.event("cycles").unwrap().terms()), (Some(8), "event=2"));
    machine.write("good/type", "11");
    machine.write("good/events/cycles", "event=3");
    assert_eq!((good.type_(), good.event("cycles").unwrap().terms()), (Some(8), "event=2"));
    // A format has the meaning that it had when its name was first asked for; with
    // many names, the directory is listed.
    let mask = |name: &str| good.format(name).map(|format| format.mask());
    assert_eq!(mask("event"), Some(0xff));
    machine.write("good/format/event", "config:0-3");
    for n in 0..6 {
        machine.write(&format!("good/format/term{n}"), format!("config:{n}"));
    }
    for n in 0..6 {
        assert_eq!(mask(&format!("term{n}")), Some(1 << n));
    }
    let masks: Vec<(&str, u64)> = good.formats().map(|(name, bits)| (name, bits.mask())).collect();
    assert_eq!((masks[0], masks.len()), (("event", 0xff), 7));
}

/// A PMU that has the name that is asked for is found without a list of all;
/// what was read of it is not read again when they are listed.
#[test]
fn a_name_lists_nothing() {
    let machine = hostile();
    let system = machine.system();
    let sysfs = system.sysfs();
    let resolved = system.require("good/cycles/").unwrap();
    assert_eq!(
        (resolved[0].type_(), resolved[0].words().config(), resolved[0].scale()),
        (7, 1, 2.0)
    );
    assert!(sysfs.pmu("bad").unwrap().is_uncore());
    replace(&machine, "bad/cpumask", "missing");
    replace(&machine, "good/type", "binary");
    machine.write("other/type", "9");
    let names: Vec<&str> = sysfs.pmus().iter().map(|pmu| pmu.name()).collect();
    assert_eq!(names, ["bad", "good", "other"]);
    assert!(sysfs.pmu("bad").unwrap().is_uncore());
    assert_eq!(sysfs.pmu("good").unwrap().type_(), Some(7));
    assert_eq!(sysfs.problems(), []);

    // What is odd about it is known without a list, too, and once with it.
    let system = machine.system();
    let sysfs = system.sysfs();
    assert_eq!(sysfs.pmu("good").unwrap().type_(), None);
    assert_eq!((sysfs.problems().len(), sysfs.pmus().len(), sysfs.problems().len()), (1, 3, 1));

    // Nothing but a name in the directory is one.
    let system = machine.system();
    let sysfs = system.sysfs();
    for name in ["", ".", "..", "/", "good/", "./good", "good/format", "../devices/good", "*ood"] {
        assert!(sysfs.pmu(name).is_none(), "{name:?}");
    }
    assert_eq!(sysfs.pmu("other").unwrap().type_(), Some(9));

    // However many are named.
    let machine = hostile();
    let system = machine.system();
    let sysfs = system.sysfs();
    for n in 0..30 {
        machine.write(&format!("pmu{n}/type"), n.to_string());
        assert_eq!(sysfs.pmu("pmu0").unwrap().type_(), Some(0));
    }
    let system = machine.system();
    let sysfs = system.sysfs();
    for n in (0..30).chain(0..30) {
        assert_eq!(sysfs.pmu(&format!("pmu{n}")).unwrap().type_(), Some(n));
    }
}

/// What nobody asks for is not read: files of which each would be a problem.
#[test]
fn only_what_is_asked_for_is_read() {
    let machine = hostile();
    for name in ["aaa", "zzz"] {
        machine.write(&format!("good/events/{name}"), b"\xff");
        machine.write(&format!("good/events/{name}.scale"), b"\xff");
        machine.write(&format!("good/format/{name}"), b"\xff");
        machine.write(&format!("good/caps/{name}"), b"\xff");
    }
    let system = machine.system();
    let sysfs = system.sysfs();
    let good = sysfs.pmu("good").unwrap();
    assert!(good.event("CYCLES").is_some() && good.event("none").is_none());
    assert!(good.format("event").is_some() && good.format("none").is_none());
    // Nothing but a name in the directory is one.
    for path in ["", ".", "..", "/", "event/", "./event", "../format/event", "../type"] {
        assert_eq!(good.format(path), None, "{path:?}");
    }
    assert_eq!(good.cap("branches"), Some("1"));
    assert_eq!(good.event_names().collect::<Vec<_>>(), ["aaa", "cycles", "zzz"]);
    assert_eq!(system.require("good/cycles/").unwrap()[0].words().config(), 1);
    assert_eq!(sysfs.problems(), []);
    // Each is a problem when it is asked for, and once.
    for _ in 0..2 {
        assert!(good.event("aaa").is_none() && good.format("zzz").is_none());
        assert_eq!(sysfs.problems().len(), 2);
    }
    assert_eq!(good.events().map(|event| event.name()).collect::<Vec<_>>(), ["cycles"]);
    assert_eq!(good.formats().map(|(name, _)| name).collect::<Vec<_>>(), ["event"]);
    assert_eq!(good.caps().collect::<Vec<_>>(), [("branches", "1")]);
    // Two events, two terms, two capabilities; a scale only with its event.
    assert_eq!(sysfs.problems().len(), 6);
}

/// Links are followed, as those of the kernel are, and say what they lead to.
#[test]
fn links() {
    let machine = hostile();
    let link = |from: &str, to: &str| {
        std::os::unix::fs::symlink(machine.path(to), machine.path(from)).unwrap();
    };
    link("linked", "good");
    link("good/events/instructions", "good/events/cycles");
    link("good/events/nowhere", "good/events/nothing");
    link("good/events/directory", "good/caps");
    machine.write("elsewhere/type", "9");
    link("good/cpus", "elsewhere/type");
    // Of some files it only matters whether they exist.
    machine.write("good/events/energy", "event=7");
    link("good/events/energy.per-pkg", "elsewhere/type");
    link("good/events/energy.snapshot", "good/events/nothing");
    let system = machine.system();
    let sysfs = system.sysfs();
    let linked = sysfs.pmu("linked").unwrap();
    assert_eq!((linked.type_(), linked.is_core()), (Some(7), true));
    assert!(linked.event("cycles").is_some() && linked.event("instructions").is_some());
    assert!(linked.event("nowhere").is_none() && linked.problems().is_empty());
    let energy = linked.event("energy").expect("it is there");
    assert!(energy.is_per_package() && !energy.is_snapshot());
    assert!(linked.event("directory").is_none());
    assert!(linked.problems()[0].to_string().ends_with(": is not a regular file"));
}

/// A value of unknown size is no count of something else.
#[test]
fn scales() {
    let cases: [(&str, Option<f64>); 15] = [
        ("2", Some(2.0)),
        ("6.103515625e-5\n", Some(6.103_515_625e-5)),
        ("-0.5", Some(-0.5)),
        // Every count would be 0, or, as in perf, another number than it says.
        ("0", None),
        ("-0.0", None),
        ("0e9", None),
        ("1e-400", None),
        ("nan", None),
        ("inf", None),
        ("-inf", None),
        ("1e400", None),
        ("0x2", None),
        ("2 J", None),
        ("1,5", None),
        ("", None),
    ];
    for (text, expected) in cases {
        let machine = hostile();
        machine.write("good/events/cycles.scale", text);
        let system = machine.system();
        let all = system.resolve("good/cycles/,good/event=1/").unwrap();
        match expected {
            Some(scale) => assert_eq!((all.events().len(), all[0].scale()), (2, scale), "{text:?}"),
            None => {
                assert_eq!((all.events().len(), all.missing().len()), (1, 1), "{text:?}");
                let error = all.missing()[0].error().to_string();
                assert!(error.contains("good/events/cycles.scale"), "{text:?}: {error}");
            }
        }
    }
}

/// Whatever is written on whatever machine, there is an answer; an error
/// stands within the text.
#[test]
fn any_event_on_any_machine_has_an_answer() {
    let machine = Machine::named("edge");
    let descriptions: [&[u8]; 8] =
        [b"=,,=?", b"event=", b"?", b"event=99999999999999999999", b"config=x", b"", b"@", b"\xff"];
    for (n, description) in descriptions.iter().enumerate() {
        machine.write(&format!("cpu/events/odd{n}"), description);
    }
    machine.write("cpu/events/odd0.scale", "\u{ff}");
    machine.write("odd/format/event", "config:0-7");
    let system = machine.system();
    let pieces = [
        "cpu/",
        "uncore_foo/",
        "odd/",
        "/",
        ",",
        "{",
        "}",
        ":",
        "u",
        "=",
        "odd0",
        "odd1",
        "odd4",
        "odd6",
        "event=1",
        "event=odd2",
        "lower",
        "param",
        "umask=1",
        "cycles",
        "l1d",
        "r12",
        "period=5",
        "config=3",
        "*",
        "name='a'",
        "@x",
        "gap",
        "\u{e4}",
        "?",
        "bar",
    ];
    let mut state = 7_u64;
    let mut next = |below: usize| {
        let mixed = state.wrapping_mul(6_364_136_223_846_793_005);
        state = mixed.wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut resolved = 0;
    for _ in 0..50_000 {
        let text: String = (0..next(9)).map(|_| pieces[next(pieces.len())]).collect();
        match system.require(&text) {
            Ok(all) => {
                resolved += 1;
                assert_eq!(
                    all.groups().map(<[_]>::len).sum::<usize>(),
                    all.events().len(),
                    "{text}"
                );
            }
            Err(error) => {
                assert!(text.get(error.span()).is_some(), "{text:?}: {error:?}");
                assert!(!error.message().is_empty());
            }
        }
    }
    assert!(resolved > 1_000, "{resolved}");
}

/// Parameters are filled by the terms beside them; what cannot be is refused.
#[test]
fn parameters() {
    let machine = Machine::named("power9");
    let system = machine.system();
    let filled = system.require("hv_24x7/PM_PB_CYC,chip=3/").unwrap();
    assert_eq!(filled[0].words(), Words::new(0x80_0003_0001));
    let error = system.require("hv_24x7/PM_PB_CYC/").unwrap_err();
    assert_eq!(
        error.to_string(),
        "parameter `chip` has no value: add chip=\u{2026} (PMU `hv_24x7`)"
    );
    let error = system.require("cpu/event=PM_CYK/").unwrap_err();
    assert_eq!((error.suggestion(), error.span()), (Some("PM_CYC"), 10..16));
}

/// Of an event that both the table and sysfs have, the terms are the table's,
/// the scale and the unit those of sysfs where it says any.
#[test]
fn one_event_of_table_and_sysfs() {
    let machine = Machine::of(
        "uncore_imc_0/type\t9\n\
         uncore_imc_0/cpumask\t0\n\
         uncore_imc_0/format/event\tconfig:0-7\n\
         uncore_imc_1\t=uncore_imc_0\n\
         uncore_imc_1/type\t10\n\
         uncore_imc_0/events/unit.rule\tevent=1\n\
         uncore_imc_0/events/unit.rule.scale\t2\n\
         uncore_imc_1/events/unit.rule\tevent=1\n\
         uncore_imc_1/events/unit.rule.unit\tLines\n\
         uncore_imc_1/events/unit.rule.snapshot\t1\n",
    );
    let system = machine.system();
    let resolved = machine.with_model(soc::model("testcpu")).require("Unit.Rule").unwrap();
    let all: Vec<_> = resolved
        .events()
        .iter()
        .map(|one| {
            (
                one.type_(),
                one.words().config(),
                one.scale(),
                one.unit(),
                one.is_per_package(),
                one.is_snapshot(),
            )
        })
        .collect();
    let expected = [(9, 0x17, 2.0, "Bytes", true, false), (10, 0x17, 64.0, "Lines", true, true)];
    assert_eq!(all, expected);
    // Without a table, sysfs alone.
    let resolved = system.require("unit.rule").unwrap();
    assert_eq!((resolved[0].words().config(), resolved[0].unit()), (1, ""));
}

/// Events of system PMUs belong to those whose identifier matches.
#[test]
fn sys_tables_by_identifier() {
    for (identifier, is_there) in [("v8", true), ("v9", false), ("v88", false), ("", false)] {
        let machine = Machine::of(
            "uncore_sys_ddr_pmu0/type\t20\n\
             uncore_sys_ddr_pmu0/cpumask\t0\n\
             uncore_sys_ddr_pmu0/format/event\tconfig:0-7\n",
        );
        machine.write("uncore_sys_ddr_pmu0/identifier", identifier);
        let found = machine.with_model(soc::model("testcpu")).require("sys_ddr_pmu.write_cycles");
        match found {
            Ok(all) => {
                assert_eq!((is_there, all.events().len(), all[0].words().config()), (true, 1, 0x2b))
            }
            Err(error) => assert!(!is_there, "{identifier}: {error}"),
        }
    }
}

/// The PMUs that drivers of a CPU provide: those outside the cores are the ones whose type
/// only a running kernel knows.
#[test]
fn kinds_of_builtin_pmus() {
    use pmu_events::arch::{arm64, x86};

    let cases = [
        ("GenuineIntel-6-8F-4", x86::SAPPHIRERAPIDS, "cpu", (true, false)),
        ("GenuineIntel-6-8F-4", x86::SAPPHIRERAPIDS, "software", (false, false)),
        ("GenuineIntel-6-8F-4", x86::SAPPHIRERAPIDS, "uncore_cha", (false, true)),
        ("0x00000000414fd0c1", arm64::ARM_NEOVERSE_N1, "armv8_pmuv3_0", (true, false)),
    ];
    for (cpuid, model, name, expected) in cases {
        let sysfs = Sysfs::builtin(cpuid, model);
        let pmu = sysfs.pmu(name).unwrap_or_else(|| panic!("{cpuid} has {name}"));
        assert_eq!((pmu.is_core(), pmu.is_uncore()), expected, "{cpuid} {name}");
    }
}
