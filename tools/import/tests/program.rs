//! The program as a maintainer of `arch/` meets it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A kernel tree with two architectures, something to fill, and an overlay.
fn scene(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&root);
    let arch = "linux/tools/perf/pmu-events/arch";
    for (file, text) in [
        (
            "x86/mapfile.csv",
            "Family,Version,File,Type\n# A comment.\nGenuineIntel-6-1,v1,one,core\n",
        ),
        (
            "x86/one/cache.json",
            r#"[{"UMask": "0x01", "EventName": "B", "EventCode": "0x0F", "BriefDescription": "A sentence of theirs"},
                {"EventName": "A", "BriefDescription": "Another"},
                {"MetricName": "m", "MetricExpr": "( A )/B", "BriefDescription": "Theirs", "MetricThreshold": "m>C"}]"#,
        ),
        (
            "x86/one/one-metrics.json",
            r#"[{"MetricName": "n", "MetricExpr": "A", "ScaleUnit": "1x", "MetricThreshold": "n > m"},
                {"MetricName": "lost", "MetricExpr": "A / C"}]"#,
        ),
        ("x86/one/metricgroups.json", r#"{"g": "Words of theirs"}"#),
        ("arm64/mapfile.csv", "#Family,Version,File,Type\n0x00000000410fd030,v1,arm/a,core\n"),
        ("arm64/common.json", r#"[{"EventCode": "0x08", "EventName": "INST"}]"#),
        ("arm64/arm/a/x.json", r#"[{"ArchStdEvent": "inst", "PublicDescription": "Theirs."}]"#),
        (
            "arm64/arm/soc/sys/ddr.json",
            r#"[{"EventName": "ddr", "EventCode": "1", "Unit": "imx8_ddr", "Compat": "v8"}]"#,
        ),
        ("test/arch-std-events.json", "[]"),
    ] {
        write(&root.join(arch).join(file), text);
    }
    write(
        &root.join("overlay/x86/one.json"),
        r#"{"models": ["*"], "events": {"b": "Words of ours."}, "metrics": [
            {"BriefDescription": "A for each B.", "MetricExpr": "A / B", "MetricName": "ratio"}],
            "metric_texts": {"M": "Of ours.", "n": {"brief": "How many A.", "public": "Look at B."}}}"#,
    );
    root
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("it has one")).unwrap();
    fs::write(path, text).unwrap();
}

struct Run {
    code: Option<i32>,
    out: String,
    err: String,
}

fn run(root: &Path, arguments: &[&str]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pmu-events-import"));
    let output = command.current_dir(root).args(arguments).output().expect("it runs");
    Run {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// All files below a directory and their texts.
fn files(directory: &Path) -> Vec<(String, String)> {
    fn walk(directory: &Path, below: &str, found: &mut Vec<(String, String)>) {
        let mut entries: Vec<_> = fs::read_dir(directory).unwrap().map(Result::unwrap).collect();
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let name = format!("{below}{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                walk(&entry.path(), &format!("{name}/"), found);
            } else {
                found.push((name, fs::read_to_string(entry.path()).unwrap()));
            }
        }
    }
    let mut found = Vec::new();
    walk(directory, "", &mut found);
    found
}

#[test]
fn facts_of_theirs_and_words_of_ours() {
    let root = scene("import");
    let first = run(&root, &["linux"]);
    let lost = "linux/tools/perf/pmu-events/arch/x86/one/one-metrics.json:2:18: metric `lost` is left out: one lacks `C`\n\
        linux/tools/perf/pmu-events/arch/x86/one/cache.json:3:18: the threshold of metric `m` is left out: one lacks `C`\n";
    let silent = [
        "arm64/arm/a/x.json:1:3: event `inst` of arm64/arm/a has no description",
        "arm64/arm/soc/sys/ddr.json:1:3: event `ddr` of arm64/arm/soc/sys has no description",
    ]
    .map(|line| format!("linux/tools/perf/pmu-events/arch/{line}\n"));
    let at = "linux/tools/perf/pmu-events/arch/x86/one/cache.json:2:18";
    let last = format!("{at}: event `A` of x86/one has no description\n");
    let said = [silent.concat(), lost.to_owned(), last].concat();
    assert_eq!((first.code, first.err), (Some(0), said));
    let expected = [
        ("arm64/arm/a/x.json", "[\n{\"ArchStdEvent\":\"inst\"}\n]\n"),
        (
            "arm64/arm/soc/sys/ddr.json",
            "[\n{\"EventName\":\"ddr\",\"Unit\":\"imx8_ddr\",\"EventCode\":\"1\",\"Compat\":\"v8\"}\n]\n",
        ),
        ("arm64/common.json", "[\n{\"EventName\":\"INST\",\"EventCode\":\"8\"}\n]\n"),
        (
            "arm64/cpus.csv",
            "CPUID,Directory,Source\n0x00000000410fd030,arm/a,the row of the map file\n",
        ),
        (
            "arm64/mapfile.csv",
            "Family-model,Version,Filename,EventType\n0x00000000410fd030,v1,arm/a,core\n",
        ),
        (
            "x86/cpus.csv",
            "CPUID,Directory,Source\nGenuineIntel-6-1,one,the row of the map file\n",
        ),
        ("x86/mapfile.csv", "Family-model,Version,Filename,EventType\nGenuineIntel-6-1,v1,one,core\n"),
        (
            "x86/one/cache.json",
            "[\n{\"EventName\":\"A\",\"EventCode\":\"0\"},\n{\"EventName\":\"B\",\"EventCode\":\"0xf\",\"UMask\":\"1\",\"BriefDescription\":\"Words of ours.\"}\n]\n",
        ),
        (
            "x86/one/metrics.json",
            "[\n{\"MetricName\":\"m\",\"MetricExpr\":\"A / B\",\"BriefDescription\":\"Of ours.\"},\n\
             {\"MetricName\":\"n\",\"MetricExpr\":\"A\",\"MetricThreshold\":\"n > m\",\"ScaleUnit\":\"1x\",\"BriefDescription\":\"How many A.\",\"PublicDescription\":\"Look at B.\"}\n]\n",
        ),
        (
            "x86/one/own-metrics.json",
            "[\n{\"MetricName\":\"ratio\",\"MetricExpr\":\"A / B\",\"BriefDescription\":\"A for each B.\"}\n]\n",
        ),
    ]
    .map(|(file, text)| (file.to_owned(), text.to_owned()));
    assert_eq!(files(&root.join("arch")), expected);

    // Once more, from the kernel and from itself: nothing changes.
    for arguments in [&["linux"][..], &["linux/tools/perf/pmu-events/arch"], &[], &["--check"]] {
        let again = run(&root, arguments);
        let is_kernel = arguments.iter().any(|argument| argument.starts_with("linux"));
        let said = if is_kernel { lost } else { "" };
        assert_eq!((again.code, again.err.as_str()), (Some(0), said), "{arguments:?}");
        assert_eq!(files(&root.join("arch")), expected, "{arguments:?}");
        assert!(again.out.contains("all          3       4          1"), "{}", again.out);
    }
    let leftover = fs::read_dir(&root).unwrap().map(|e| e.unwrap().file_name());
    assert_eq!(leftover.filter(|name| name.to_string_lossy().starts_with('.')).count(), 0);
}

#[test]
fn a_newer_tree() {
    let root = scene("newer");
    assert_eq!(run(&root, &["linux"]).code, Some(0));
    let kernel = root.join("linux/tools/perf/pmu-events/arch/x86");
    write(&kernel.join("mapfile.csv"), "h\nGenuineIntel-6-1,v2,two,core\n");
    fs::rename(kernel.join("one"), kernel.join("two")).unwrap();
    write(&root.join("arch/x86/README"), "Not the program's.\n");
    write(&root.join("arch/x86/former.csv"), "Former name,Models,Name,Since\none,,two,0.2.0\n");
    let check = run(&root, &["linux", "--check"]);
    assert_eq!(check.code, Some(1));
    let changes: Vec<&str> = check.out.lines().take(10).collect();
    assert_eq!(
        changes,
        [
            "x86/one: gone, 2 events",
            "x86/two: new, 2 events",
            "changed arch/x86/cpus.csv",
            "changed arch/x86/mapfile.csv",
            "removed arch/x86/one/cache.json",
            "removed arch/x86/one/metrics.json",
            "removed arch/x86/one/own-metrics.json",
            "new     arch/x86/two/cache.json",
            "new     arch/x86/two/metrics.json",
            "new     arch/x86/two/own-metrics.json",
        ]
    );
    assert!(root.join("arch/x86/one").exists(), "--check changes nothing");
    assert_eq!(run(&root, &["linux", "--arch", "arm64"]).code, Some(0));
    assert!(root.join("arch/x86/one").exists(), "only arm64 was asked for");
    assert_eq!(run(&root, &["linux", "--arch", "x86"]).code, Some(0));
    assert!(!root.join("arch/x86/one").exists());
    assert!(root.join("arch/x86/README").exists());
    assert!(root.join("arch/x86/former.csv").exists(), "it is written by hand");
    assert_eq!(run(&root, &["linux", "--check"]).code, Some(0));
}

/// One specification of Arm's telemetry, with the code of its event `OWN`.
fn specification(product: &str, part: &str, revision: &str, own: &str) -> String {
    let (major, minor) = revision.split_once('.').expect("two numbers");
    format!(
        r#"{{"product_configuration": {{"product_name": "{product}", "part_num": "{part}",
            "major_revision": "{major}", "minor_revision": "{minor}", "implementer": "0x41"}},
            "events": {{
                "INST": {{"code": "0x0008", "description": "Theirs", "accesses": ["PMU"]}},
                "OWN": {{"code": "{own}", "description": "Theirs", "accesses": ["PMU"]}},
                "CLASH": {{"code": "0x0009", "accesses": ["PMU"]}}}},
            "metrics": {{"rate": {{"formula": "OWN / INST", "description": "Theirs", "units": "x"}}}}}}"#
    )
}

/// Arm's telemetry adds the CPUs that the kernel's tree has not: standard events by
/// reference, and no revision twice.
#[test]
fn telemetry() {
    let root = scene("telemetry");
    let kernel = root.join("linux/tools/perf/pmu-events/arch/arm64/common.json");
    write(
        &kernel,
        r#"[{"EventCode": "0x08", "EventName": "INST"}, {"EventCode": "0x7", "EventName": "CLASH"}]"#,
    );
    for (file, product, part, revision, own) in [
        ("a", "A", "0xd03", "0.0", "0x30"),
        ("b-r0p0", "B", "0xd77", "0.0", "0x30"),
        ("b-r1p0", "B", "0xd77", "1.0", "0x30"),
        ("b-r1p1", "B", "0xd77", "1.1", "0x31"),
        ("b-r2p0", "B", "0xd77", "2.0", "0x30"),
        ("sme", "C1-SME2", "0xd8d", "0.0", "0x30"),
    ] {
        let text = specification(product, part, revision, own);
        write(&root.join(format!("telemetry/{file}.json")), &text);
    }
    write(
        &root.join("overlay/arm64/b.json"),
        r#"{"models": ["arm/b*"], "metric_texts": {"rate": "Own ones for each instruction."}}"#,
    );
    let both = run(&root, &["--arch", "arm64", "linux", "telemetry"]);
    let lost = "telemetry/a.json:7:25: metric `rate` is left out: arm/a lacks `OWN`\n";
    let silent = |place: &str, event: &str, model: &str| {
        format!("{place}: event `{event}` of arm64/arm/{model} has no description\n")
    };
    let mut said = lost.to_owned();
    said += &silent("linux/tools/perf/pmu-events/arch/arm64/arm/a/x.json:1:3", "inst", "a");
    for (file, model) in [("b-r0p0", "b"), ("b-r1p1", "b-r1p1"), ("b-r2p0", "b-r2p0")] {
        for (line, event) in [(6, "CLASH"), (4, "INST"), (5, "OWN")] {
            said += &silent(&format!("telemetry/{file}.json:{line}:17"), event, model);
        }
    }
    let place = "linux/tools/perf/pmu-events/arch/arm64/arm/soc/sys/ddr.json:1:3";
    said += &silent(place, "ddr", "soc/sys");
    assert_eq!((both.code, both.err), (Some(0), said));
    let files = files(&root.join("arch/arm64"));
    let of = |file: &str| {
        let found = files.iter().find(|(name, _)| name == file);
        found.map(|(_, text)| text.as_str()).unwrap_or_else(|| panic!("{file}"))
    };
    assert_eq!(
        of("mapfile.csv"),
        "Family-model,Version,Filename,EventType\n\
         0x00000000410fd030,v1,arm/a,core\n\
         0x00000000412fd770,v1,arm/b-r2p0,core\n\
         0x00000000411fd771,v1,arm/b-r1p1,core\n\
         0x00000000410fd770,v1,arm/b,core\n"
    );
    assert_eq!(
        of("arm/b/other.json"),
        "[\n{\"EventName\":\"CLASH\",\"EventCode\":\"9\"},\n{\"ArchStdEvent\":\"INST\"},\n\
         {\"EventName\":\"OWN\",\"EventCode\":\"0x30\"}\n]\n"
    );
    assert!(of("arm/b-r1p1/other.json").contains("\"0x31\""));
    assert_eq!(of("arm/b-r1p1/metrics.json"), of("arm/b/metrics.json"));
    assert_eq!(
        of("arm/b/metrics.json"),
        "[\n{\"MetricName\":\"rate\",\"MetricExpr\":\"OWN / INST\",\"ScaleUnit\":\"1x\",\
         \"BriefDescription\":\"Own ones for each instruction.\"}\n]\n"
    );
    // The kernel's tree has this CPU, and the SME2 unit is none.
    assert_eq!(of("arm/a/x.json"), "[\n{\"ArchStdEvent\":\"inst\"}\n]\n");
    assert!(!files.iter().any(|(name, _)| name.contains("sme2")));

    write(&root.join("telemetry/c.json"), &specification("C", "0xd7z", "0.0", "0x30"));
    let refused = run(&root, &["--arch", "arm64", "linux", "telemetry"]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.err.contains("telemetry/c.json:1:"), "{}", refused.err);
}

/// An error anywhere, and nothing is written anywhere.
#[test]
fn nothing_is_half_done() {
    let root = scene("errors");
    assert_eq!(run(&root, &["linux"]).code, Some(0));
    let before = files(&root.join("arch"));
    write(&root.join("linux/tools/perf/pmu-events/arch/arm64/arm/a/x.json"), "[]\n");
    write(
        &root.join("linux/tools/perf/pmu-events/arch/x86/one/cache.json"),
        "[\n  {\"EventName\": \"A\", \"EventCode\": \"ff\"},\n  {\"EventName\": \"A\"\n]",
    );
    let failed = run(&root, &["linux"]);
    assert_eq!(failed.code, Some(1));
    let place = "linux/tools/perf/pmu-events/arch/x86/one/cache.json:4:1: ";
    assert!(failed.err.starts_with(place), "{}", failed.err);
    assert!(failed.err.ends_with(" errors; nothing was written\n"), "{}", failed.err);
    assert_eq!(files(&root.join("arch")), before);
}

/// What an overlay says of events that are not there, or that another file describes, too.
#[test]
fn words_of_no_event() {
    let root = scene("unused");
    let kernel = root.join("linux/tools/perf/pmu-events/arch/x86");
    write(
        &kernel.join("mapfile.csv"),
        "h\nGenuineIntel-6-1,v1,one,core\nGenuineIntel-6-2,v1,two,core\n",
    );
    write(
        &kernel.join("two/cache.json"),
        r#"[{"EventName": "B", "EventCode": "0x0F", "UMask": "1"},
        {"EventName": "D", "EventCode": "0x2"}, {"EventName": "U", "EventCode": "0x3", "Unit": "CHA"}]"#,
    );
    let refused = |text: &str| {
        write(&root.join("overlay/x86/other.json"), text);
        let run = run(&root, &["linux", "--arch", "x86"]);
        assert_eq!(run.code, Some(1), "{text}: {}", run.err);
        let of_other = run.err.lines().filter(|line| line.starts_with("overlay/"));
        of_other.map(String::from).collect::<Vec<_>>()
    };
    let at = |line: &str| format!("overlay/x86/{line}");
    // An event of a unit has its name in a file about any, and none in one about others.
    assert_eq!(
        refused(
            "{\"models\": [\"two\"],\n\"events\": {\"U\": {\"brief\": \"A unit.\", \"event\": \"event=0x9\"}}}"
        ),
        [at("other.json:2:12: no event `U` of these models has that code")]
    );
    assert_eq!(
        refused("{\"models\": [\"two\"], \"unit\": \"CHA\",\n\"events\": {\"D\": \"No unit.\"}}"),
        [at("other.json:2:12: no model that the file is about has an event `D`")]
    );
    // Once for each description, whatever the number of models.
    assert_eq!(
        refused("{\"models\": [\"*\"],\n\"events\": {\"B\": \"Words of others.\"}}"),
        [at("other.json:2:12: `B` of x86/one is described in overlay/x86/one.json:1:30, too")]
    );
}

/// A sentence of a family has the slots of its name.
#[test]
fn slots_of_sentences() {
    let root = scene("slots");
    let family = |brief: &str| {
        format!(
            r#"{{"models": ["*"], "units": ["core"], "glossaries": {{"end": {{"A": "one", "B": "two"}}}},
"families": [{{"name": "{{end}}", "brief": "{brief}"}}]}}"#
        )
    };
    let of = |brief: &str| {
        write(&root.join("overlay/x86/families/ends.json"), &family(brief));
        run(&root, &["linux", "--arch", "x86"]).err
    };
    let described = || {
        let text = fs::read_to_string(root.join("arch/x86/one/cache.json")).unwrap();
        text.lines().find(|line| line.contains("\"A\"")).expect("it is there").to_owned()
    };
    assert!(!of("Ends of {end}.").contains("unknown slot"));
    assert!(described().contains("Ends of one."), "{}", described());
    assert!(of("Ends of {end} and {and}.").contains("unknown slot `and`"));
    assert!(of("Ends of {emd}.").contains("unknown slot `emd`; did you mean `end`?"));
    // Of a part without words, nothing is said.
    let silent = family("Ends of {end}.").replace("\"one\"", "null");
    write(&root.join("overlay/x86/families/ends.json"), &silent);
    let silent = run(&root, &["linux", "--arch", "x86"]);
    assert_eq!(silent.code, Some(0), "{}", silent.err);
    assert!(!described().contains("BriefDescription"), "{}", described());
}

/// A sentence stands at the encodings for which it was accepted, whatever other model has an
/// event of the same name.
#[test]
fn sentences_at_new_encodings() {
    let root = scene("encodings");
    let kernel = root.join("linux/tools/perf/pmu-events/arch/x86");
    let words = root.join("overlay/x86/one.json");
    let list = root.join("overlay/x86/accepted.txt");
    let say = |brief: &str| {
        write(
            &words,
            &format!(
                "{{\"models\": [\"*\"], \"events\": {{\n\"INST_RETIRED.ANY\": \"{brief}\"}}}}"
            ),
        );
    };
    let event = |code: &str, umask: &str| {
        format!(
            r#"[{{"EventName": "INST_RETIRED.ANY", "EventCode": "{code}", "UMask": "{umask}", "BriefDescription": "Theirs"}}]"#
        )
    };
    let import = |more: &[&str]| run(&root, &[&["linux", "--arch", "x86"], more].concat());
    let old = "Retired instructions (fixed counter).";
    say(old);
    write(&kernel.join("one/cache.json"), &event("0", "1"));
    fs::remove_file(kernel.join("one/one-metrics.json")).unwrap();
    let first = import(&[]);
    assert_eq!((first.code, first.err.as_str()), (Some(0), ""));
    let lines = |text: &str| text.lines().skip(2).map(str::to_owned).collect::<Vec<_>>();
    let accepted = || lines(&fs::read_to_string(&list).unwrap());
    let of_one = accepted();
    assert_eq!(of_one[0], "INST_RETIRED.ANY");
    assert!(of_one[1].starts_with("\tevent=0,umask=1\t"), "{of_one:?}");
    assert_eq!(of_one.len(), 2);

    // Another model, the same name, another encoding.
    write(
        &kernel.join("mapfile.csv"),
        "h\nGenuineIntel-6-1,v1,one,core\nGenuineIntel-6-2,v1,two,core\n",
    );
    write(&kernel.join("two/cache.json"), &event("0x77", "5"));
    let before = files(&root.join("arch"));
    let refused = import(&[]);
    assert_eq!(refused.code, Some(1));
    assert_eq!(
        refused.err.lines().take(2).collect::<Vec<_>>(),
        [
            "overlay/x86/one.json:2:21: `INST_RETIRED.ANY` of x86/two is event=0x77,umask=5; \
             accepted for event=0,umask=1: `Retired instructions (fixed counter).`",
            "    source: Theirs",
        ]
    );
    assert!(refused.err.contains("accept those that are right with --accept EVENTS"));
    assert!(refused.out.contains("x86/two: new, 1 events\n"), "{}", refused.out);
    assert_eq!((files(&root.join("arch")), accepted()), (before.clone(), of_one.clone()));
    // An edit at the same time is no way around it, and neither is another name's acceptance.
    say("Retired instructions, on the fixed counter.");
    let edited = import(&["--accept", "OTHER.*"]);
    assert!(edited.err.contains("this text is new, and so is the encoding"), "{}", edited.err);
    assert_eq!((edited.code, accepted()), (Some(1), of_one.clone()));
    say(old);
    assert_eq!(import(&["--check"]).code, Some(1));

    let agreed = import(&["--accept", "INST_*"]);
    assert_eq!((agreed.code, agreed.err.as_str()), (Some(0), ""));
    assert!(agreed.out.starts_with("accepted: `INST_RETIRED.ANY` of x86/two"), "{}", agreed.out);
    let both = accepted();
    assert_eq!((&both[..2], both.len()), (&of_one[..], 3));
    assert!(both[2].starts_with("\tevent=0x77,umask=5\t"), "{both:?}");
    let again = import(&[]);
    assert_eq!((again.code, again.err.as_str(), accepted()), (Some(0), "", both));

    // Whoever edits a sentence sees the facts that are there.
    say("Instructions that retired.");
    assert_eq!(run(&root, &["--arch", "x86", "--check"]).code, Some(1));
    let edited = run(&root, &["--arch", "x86"]);
    assert_eq!((edited.code, edited.err.as_str()), (Some(0), ""));
    assert_eq!(accepted().len(), 3);
    // Two sentences do not change places.
    let swap = |first: &str, second: &str| {
        let text = format!(
            r#"{{"models": ["*"], "events": {{"INST_RETIRED.ANY": [
            {{"brief": "{first}", "event": "event=0,umask=1"}},
            {{"brief": "{second}", "event": "event=0x77,umask=5"}}]}}}}"#
        );
        write(&words, &text);
        run(&root, &["--arch", "x86"])
    };
    assert_eq!(swap("The one.", "The other.").code, Some(0));
    let swapped = swap("The other.", "The one.");
    assert_eq!(swapped.code, Some(1));
    assert_eq!(swapped.err.matches("; accepted for event=").count(), 2, "{}", swapped.err);
}

/// The sentence of a family is bound with its slots, and a note by itself; an event that the
/// list knows in no way takes a new sentence.
#[test]
fn families_and_notes_at_new_encodings() {
    let root = scene("families");
    let kernel = root.join("linux/tools/perf/pmu-events/arch/x86");
    let family = r#"{"models": ["*"], "units": ["core", "cpu_core"],
        "glossaries": {"end": {"X": "one", "Y": "two"}},
        "families": [{"name": "END.{end}", "brief": "Ends of {end}."}]}"#;
    write(&root.join("overlay/x86/families/ends.json"), family);
    let note = r#"{"models": ["*"], "notes": {"END.*": "They are read."}}"#;
    write(&root.join("overlay/x86/notes.json"), note);
    let events = |more: &str| {
        let text = format!(
            r#"[{{"EventName": "B", "EventCode": "0x0F"}}, {{"EventName": "A"}},
            {{"EventName": "END.X", "EventCode": "1"}}, {{"EventName": "END.Y", "EventCode": "2"}}{more},
            {{"MetricName": "m", "MetricExpr": "A / B"}}]"#
        );
        write(&kernel.join("one/cache.json"), &text);
        run(&root, &["linux", "--arch", "x86"])
    };
    assert_eq!(events("").code, Some(0));
    let more = r#", {"EventName": "END.X", "Unit": "cpu_core", "EventCode": "3", "Filter": "f=1"}"#;
    let refused = events(more);
    assert_eq!(refused.code, Some(1));
    let of = |file: &str| refused.err.lines().filter(|line| line.starts_with(file)).count();
    assert_eq!(
        (of("overlay/x86/notes.json"), of("overlay/x86/families")),
        (1, 1),
        "{}",
        refused.err
    );
    assert!(refused.err.contains("is cpu_core/event=3,f=1/; accepted for event=1 event=2"));
    let refused = events(r#", {"EventName": "END.Z", "EventCode": "4"}"#);
    assert!(refused.err.contains("no word of a glossary"), "{}", refused.err);
    let wider = family.replace(r#""Y": "two""#, r#""Y": "two", "Z": "three""#);
    write(&root.join("overlay/x86/families/ends.json"), &wider);
    let refused = events(r#", {"EventName": "END.Z", "EventCode": "4"}"#);
    assert!(refused.err.contains("`Ends of {end}.`"), "{}", refused.err);
    assert!(refused.err.contains("`They are read.`"), "{}", refused.err);
}

#[test]
fn rows_of_another_length() {
    let root = scene("rows");
    let head = "Key,Name,Version,Date,Part,Licence,Taken,Architectures\n";
    let row = "linux,Linux,7.3,2026-11-01,\"tools/perf,\n and more\",GPL-2.0-only,facts,\n";
    for (rows, expected) in [
        (
            "linux-8,Linux,8.0,2027-01-01\n",
            "overlay/sources.csv:4:1: the row `linux-8` is too short: it lacks Part, Licence, Taken, Architectures",
        ),
        (
            "linux-8,Linux,8.0,2027-01-01,a,b,c,d,e,f\n",
            "overlay/sources.csv:4:1: the row `linux-8` has 10 columns, not 8: \
             Key, Name, Version, Date, Part, Licence, Taken, Architectures",
        ),
    ] {
        write(&root.join("overlay/sources.csv"), &[head, row, rows].concat());
        let run = run(&root, &["linux=linux"]);
        let mut of_rows = run.err.lines().filter(|line| line.starts_with("overlay/"));
        assert_eq!((run.code, of_rows.next()), (Some(1), Some(expected)));
    }
}

/// The table of the overlay's README follows the import.
#[test]
fn the_table_of_the_readme() {
    let root = scene("readme");
    let first = run(&root, &["linux"]);
    let table = &first.out[first.out.find("        tables").expect("it is printed")..];
    let document = |table: &str| format!("# Head\n\n```text\n{table}```\n\nEnd.\n");
    let head = table.lines().next().unwrap();
    write(&root.join("overlay/README.md"), &document(&format!("{head}\nx86 1\n")));
    assert_eq!(run(&root, &["--check"]).code, Some(1));
    assert_eq!(run(&root, &[]).code, Some(0));
    assert_eq!(fs::read_to_string(root.join("overlay/README.md")).unwrap(), document(table));
    assert_eq!(run(&root, &["--check"]).code, Some(0));
}

/// `arch` itself as the first tree: its models stay as they are, and those that it lacks come.
#[test]
fn one_more_model() {
    let root = scene("more");
    assert_eq!(run(&root, &["linux"]).code, Some(0));
    let before = files(&root.join("arch"));
    let kernel = root.join("newer/tools/perf/pmu-events/arch/x86");
    write(
        &kernel.join("mapfile.csv"),
        "h\nGenuineIntel-6-1,v1,three,core\nGenuineIntel-6-2,v1,two,core\n",
    );
    let events = r#"[{"EventName": "B", "EventCode": "0x0F", "UMask": "1"}, {"EventName": "A"},
        {"MetricName": "m", "MetricExpr": "A + B"}, {"MetricName": "new", "MetricExpr": "A"}]"#;
    for model in ["one", "two", "three"] {
        write(&kernel.join(model).join("cache.json"), events);
    }
    let words = r#"{"models": ["two"], "metric_texts": {"new": "The new ones."}}"#;
    write(&root.join("overlay/x86/two.json"), words);
    let more = run(&root, &["arch", "newer", "--arch", "x86"]);
    assert_eq!(more.code, Some(0), "{}", more.err);
    let place = "newer/tools/perf/pmu-events/arch/x86/two/cache.json:1:58";
    assert_eq!(
        more.err,
        format!(
            "x86/mapfile.csv: row `GenuineIntel-6-1` of `three` is left out: an earlier tree has it \
             for `one`\nx86/three: 2 metrics are left out: there are no events\n\
             {place}: event `A` of x86/two has no description\n"
        )
    );
    assert!(more.out.starts_with("x86/two: new, 2 events\n"), "{}", more.out);
    let after = files(&root.join("arch"));
    // These list all models.
    let lists = ["x86/cpus.csv", "x86/mapfile.csv"];
    for (file, text) in before.iter().filter(|(file, _)| !lists.contains(&file.as_str())) {
        assert!(after.contains(&(file.clone(), text.clone())), "{file}");
    }
    let of_two = after.iter().find(|(file, _)| file == "x86/two/metrics.json").unwrap();
    assert!(of_two.1.contains("A + B") && of_two.1.contains("The new ones."), "{}", of_two.1);
}

/// What lacks words is said once: when it comes.
#[test]
fn news_of_a_tree() {
    let root = scene("news");
    let none = "event `A` of x86/one has no description";
    assert!(run(&root, &["linux"]).err.contains(none));
    let again = run(&root, &["linux"]);
    assert!(!again.err.contains(none), "{}", again.err);
    let kernel = root.join("linux/tools/perf/pmu-events/arch/x86");
    write(
        &kernel.join("one/cache.json"),
        r#"[{"UMask": "0x01", "EventName": "B", "EventCode": "0x0F"},
            {"EventName": "D", "EventCode": "2", "UMask": "3"},
            {"MetricName": "m", "MetricExpr": "B + D"}]"#,
    );
    write(&kernel.join("one/one-metrics.json"), r#"[{"MetricName": "n", "MetricExpr": "B"}]"#);
    write(
        &root.join("overlay/x86/one.json"),
        r#"{"models": ["*"], "events": {"b": "Words of ours."}, "metric_texts": {"M": "Of ours.", "n": "N."}}"#,
    );
    let newer = run(&root, &["linux"]);
    assert_eq!(newer.code, Some(0), "{}", newer.err);
    assert_eq!(
        newer.out.lines().take(3).collect::<Vec<_>>(),
        ["x86/one:", "  new      D  event=2,umask=3", "  gone     A"]
    );
    let place = "linux/tools/perf/pmu-events/arch/x86/one/cache.json:2:14: ";
    assert_eq!(newer.err, format!("{place}event `D` of x86/one has no description\n"));
}

#[test]
fn what_lacks_words() {
    let root = scene("missing");
    let run = run(&root, &["linux", "--missing", "2"]);
    let last: Vec<&str> = run.out.lines().rev().take(2).collect();
    assert_eq!(last, ["   1 arm64 inst", "   1 arm64 ddr"]);
}

#[test]
fn usage() {
    let root = scene("usage");
    for option in ["-h", "--help"] {
        let help = run(&root, &[option]);
        assert_eq!((help.code, help.err.as_str()), (Some(0), ""));
        assert!(help.out.starts_with("Usage: pmu-events-import "), "{}", help.out);
    }
    assert!(run(&root, &["--version"]).out.starts_with("pmu-events-import "));
    let cases: &[(&[&str], Option<i32>, &str)] = &[
        (&["--chek"], Some(2), "unknown option `--chek`; did you mean `--check`?"),
        (&["--check=yes"], Some(2), "`--check` takes no value"),
        (&["--arch"], Some(2), "`--arch` needs a value"),
        (&["--missing", "x"], Some(2), "invalid number `x` of --missing"),
        (&["x=linux"], Some(2), "unknown source `x`: expected a key of sources.csv"),
        (&["linux", "--arch", "x68"], Some(2), "unknown architecture `x68`; did you mean `x86`?"),
        (&["nowhere"], Some(1), "nowhere is not a directory"),
        (
            &["overlay"],
            Some(1),
            "overlay is not a tree of events: no directory in it has a mapfile.csv",
        ),
    ];
    for &(arguments, code, message) in cases {
        let run = run(&root, arguments);
        assert_eq!(run.code, code, "{arguments:?}: {}", run.err);
        let first = run.err.lines().next().unwrap_or_default();
        assert_eq!(first, format!("pmu-events-import: {message}"), "{arguments:?}");
        assert!(!root.join("arch").exists(), "{arguments:?}");
    }
}

#[test]
fn metrics_of_some_models() {
    let root = scene("globs");
    for (models, is_taken) in [("x86/on*", true), ("[!x]*", false), ("x86/tw*", false)] {
        let run = run(&root, &["linux", "--arch", "x86", "--metrics", &format!("{models}=linux")]);
        // Without the metrics of the source, its texts are of nothing.
        assert_eq!(run.code, Some(if is_taken { 0 } else { 1 }), "{models}: {}", run.err);
        assert_eq!(run.err.contains("has a metric `n`"), !is_taken, "{models}: {}", run.err);
        assert_eq!(root.join("arch/x86/one/metrics.json").is_file(), is_taken, "{models}");
        let _ = fs::remove_dir_all(root.join("arch"));
    }
}

#[test]
fn cpus_that_no_map_file_names() {
    let root = scene("cpus");
    let header = "Architecture,Pattern,Name,Directory,Reason\n";
    let rows =
        "x86,GenuineIntel-6-2,Two,one,the same core\nx86,GenuineIntel-6-3,Three,,nobody knows\n";
    write(&root.join("overlay/cpus.csv"), &format!("{header}{rows}"));
    for _ in 0..2 {
        let run = run(&root, &["linux", "--arch", "x86"]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        let text = fs::read_to_string(root.join("arch/x86/mapfile.csv")).unwrap();
        let rows: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(rows, ["GenuineIntel-6-1,v1,one,core", "GenuineIntel-6-2,v1,one,core"]);
    }
    write(&root.join("overlay/cpus.csv"), &format!("{header}x86,GenuineIntel-6-2,Two,ones,why\n"));
    let run = run(&root, &["linux", "--arch", "x86", "--out", "other"]);
    let why = "overlay/cpus.csv:2:1: no CPU of `ones` has a row; did you mean `one`?";
    assert_eq!((run.code, run.err.contains(why)), (Some(1), true), "{}", run.err);
}

/// A model that no source has is dropped, and that is said; one of our own is not.
#[test]
fn models_that_no_source_has() {
    let root = scene("dropped");
    let sources = "Key,Name,Version,Date,Part,Licence,Taken,Architectures\n\
                   linux-1,Linux,1,2001-02-03,tools,MIT,facts,\n";
    write(&root.join("overlay/sources.csv"), sources);
    let ours = root.join("overlay/x86/models");
    write(&ours.join("mapfile.csv"), "Family,Version,File,Type\n");
    write(
        &ours.join("architecture/all.json"),
        r#"[{"EventName": "every", "EventCode": "9", "BriefDescription": "Ours."}]"#,
    );
    let fallback = "CPUID,Directory,Source\nGenuineIntel-6-9,architecture,a manual\n";
    write(&root.join("overlay/x86/fallback.csv"), fallback);
    let first = run(&root, &["linux-1=linux"]);
    assert_eq!(first.code, Some(0), "{}", first.err);
    let table = root.join("arch/x86/architecture/all.json");
    assert!(table.is_file());

    // No source needs to have a table of ours.
    let again = run(&root, &["linux-1=linux"]);
    assert_eq!((again.code, again.err.contains("is gone")), (Some(0), false), "{}", again.err);
    assert!(table.is_file());

    // The only source now has the model by another name.
    let kernel = root.join("linux/tools/perf/pmu-events/arch/x86");
    write(&kernel.join("mapfile.csv"), "h\nGenuineIntel-6-2,v2,two,core\n");
    fs::rename(kernel.join("one"), kernel.join("two")).unwrap();
    let gone = "arch/x86/one: `one` is gone: no TREE has it; as the last one, arch keeps it\n";
    let kept = run(&root, &["linux-1=linux", "arch", "--check"]);
    assert!(!kept.err.contains("is gone"), "{}", kept.err);
    let dropped = run(&root, &["linux-1=linux"]);
    assert_eq!((dropped.code, dropped.err.contains(gone)), (Some(0), true), "{}", dropped.err);
    assert!(!root.join("arch/x86/one").exists() && table.is_file());

    fs::remove_dir_all(&ours).unwrap();
    fs::remove_file(root.join("overlay/x86/fallback.csv")).unwrap();
    let refused = run(&root, &["linux-1=linux"]);
    let why = "arch/x86/architecture: `architecture` is gone: it is our own, and no \
               overlay/x86/models has it\n";
    assert_eq!((refused.code, refused.err.contains(why)), (Some(1), true), "{}", refused.err);
    assert!(table.is_file(), "nothing is written");
}

/// A wrong formula is found, too, if its source writes out what has a name here.
#[test]
fn corrections_of_formulas_with_names() {
    let root = scene("corrections");
    let kernel = root.join("linux/tools/perf/pmu-events/arch/x86");
    write(&kernel.join("mapfile.csv"), "h\nGenuineIntel-6-1,v1,elkhartlake,core\n");
    fs::remove_dir_all(kernel.join("one")).unwrap();
    write(
        &kernel.join("elkhartlake/all.json"),
        r#"[{"EventName": "CPU_CLK_UNHALTED.REF_TSC", "EventCode": "0x3c", "BriefDescription": "Theirs"},
            {"MetricName": "Turbo_Utilization", "MetricExpr": "cycles / CPU_CLK_UNHALTED.REF_TSC"},
            {"MetricName": "Average_Frequency",
             "MetricExpr": "(cycles / CPU_CLK_UNHALTED.REF_TSC) * msr@tsc@ / 1000000000 "}]"#,
    );
    write(
        &root.join("overlay/x86/one.json"),
        r#"{"models": ["*"], "events": {"cpu_clk_unhalted.ref_tsc": "Words of ours."},
            "metric_texts": {"Turbo_Utilization": "Of ours.", "Average_Frequency": "Of ours, too."}}"#,
    );
    let first = run(&root, &["linux", "--arch", "x86"]);
    assert_eq!(first.code, Some(0), "{}", first.err);
    let metrics = fs::read_to_string(root.join("arch/x86/elkhartlake/metrics.json")).unwrap();
    let right = r#""MetricExpr":"Turbo_Utilization * #system_tsc_freq / 1000000000""#;
    assert!(metrics.contains(right), "{metrics}");
    // Nothing is left to be done.
    let second = run(&root, &["--arch", "x86", "--check"]);
    assert_eq!(second.code, Some(0), "{}", second.out);
}
