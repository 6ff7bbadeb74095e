//! The names that the kernel's drivers export: the core's list of them against
//! the sources that it cites, of Linux 6.12 and 7.3. And formats that are built in
//! against those of the same drivers.
//!
//! A driver declares an event of sysfs by a macro that has the name as one of
//! its arguments. The list says in a comment which files a driver is made of.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use pmu_events::__private::provided;
use pmu_events::builtin;
use pmu_events::format::Format;
use pmu_events_kernel_comparison::{kernel_root, newest_root};

/// The list, as it is written.
const LIST: &str = include_str!("../../../pmu-events/core/src/provided/drivers.rs");

/// Where drivers are; of a tree that has them all, these are looked through.
const DIRECTORIES: &[&str] =
    &["arch/arm", "arch/powerpc/perf", "arch/s390/kernel", "arch/x86/events", "drivers/perf"];

/// Files that declare what is no event that can be named here.
const OTHERS: &[(&str, &str)] = &[
    ("arch/x86/events/amd/ibs.c", "capabilities"),
    ("arch/x86/events/intel/pt.c", "capabilities"),
    ("drivers/perf/arm-cmn.c", "`pmu_events::cmn` has these events"),
    ("drivers/perf/arm-ni.c", "each is a type that `eventid` completes"),
];

type Names = BTreeSet<String>;

/// What the list has of the drivers that are made of some files.
fn listed() -> BTreeMap<Vec<&'static str>, (BTreeSet<&'static str>, Names)> {
    let mut drivers = BTreeMap::new();
    let mut files = Vec::new();
    let list = &LIST[LIST.find("const DRIVERS").expect("the list has a name")..];
    let mut is_cited_before = false;
    let mut rest = list;
    while let Some(line) = rest.split_inclusive('\n').next() {
        let trimmed = line.trim_start();
        if trimmed.starts_with("//") {
            if !is_cited_before {
                files.clear();
            }
            files.extend(trimmed.split('`').skip(1).step_by(2));
        }
        is_cited_before = trimmed.starts_with("//");
        if !trimmed.starts_with("Driver {") {
            rest = &rest[line.len()..];
            continue;
        }
        let text_of = |key: &str| {
            let from = rest.find(key).expect("a driver has each field") + key.len();
            let text = &rest[from..];
            &text[..text.find('"').expect("a text ends")]
        };
        let (arch, events) = (text_of("arch: \""), text_of("events: \""));
        let names = events.split_ascii_whitespace().filter(|name| *name != "\\");
        let (archs, all): &mut (BTreeSet<_>, Names) = drivers.entry(files.clone()).or_default();
        archs.insert(arch);
        all.extend(names.map(str::to_owned));
        rest = &rest[line.len()..];
    }
    drivers
}

/// The code without comments and without the definitions of macros.
fn code_of(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("/*") {
        code.push_str(&rest[..start]);
        let end = rest[start..].find("*/").map_or(rest.len(), |end| start + end + 2);
        rest = &rest[end..];
    }
    code.push_str(rest);
    let mut is_definition = false;
    let lines = code.lines().filter(|line| {
        let goes_on = is_definition;
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
        is_definition |= directive.is_some_and(|directive| directive.starts_with("define"));
        let is_kept = !goes_on && !is_definition;
        is_definition &= line.ends_with('\\');
        is_kept
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The names that the macros of a file declare.
fn declared(text: &str) -> Names {
    let code = code_of(text);
    let mut names = Names::new();
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    for (open, _) in code.match_indices('(') {
        let head = code[..open].trim_end();
        let start = head.rfind(|c| !is_word(c)).map_or(0, |at| at + 1);
        let called = &head[start..];
        if !called.starts_with(|c: char| c.is_ascii_uppercase()) {
            continue;
        }
        let mut arguments = code[open + 1..].splitn(3, [',', '(', ')']).map(str::trim);
        let (Some(first), Some(second)) = (arguments.next(), arguments.next()) else {
            continue;
        };
        let first = first.trim_matches('"');
        let pair = |counted: &str| [format!("{first}_{counted}"), format!("{first}_time")];
        match called {
            "NV_CSPMU_EVENT_ATTR_4" => {
                names.extend((0..4).map(|number| format!("{first}_{number}_{second}")));
            }
            "HNS3_PMU_BW_EVT_PAIR" => names.extend(pair("byte_num")),
            "HNS3_PMU_PPS_EVT_PAIR" | "HNS3_PMU_DLY_EVT_PAIR" => names.extend(pair("packet_num")),
            "HNS3_PMU_INTR_EVT_PAIR" => names.extend(pair("intr_num")),
            "CPUMF_EVENT_ATTR" => drop(names.insert(second.to_owned())),
            _ if called.contains("EVENT")
                && (called.contains("ATTR") || called.contains("DESC"))
                && !called.contains("FORMAT")
                && !called.contains("EXTRACTOR")
                && !second.is_empty() =>
            {
                names.insert(first.to_owned());
            }
            _ => {}
        }
    }
    // Beside an event: `energy-pkg.scale`.
    names.retain(|name| !name.contains('.'));
    names.into_iter().map(|name| name.to_ascii_lowercase()).collect()
}

/// The trees that have the drivers.
fn roots() -> [PathBuf; 2] {
    [kernel_root(), newest_root()]
}

/// The texts of a file, of which each tree may have one. Some drivers are newer than
/// the older tree.
fn texts_of(file: &str) -> Vec<String> {
    let read = |root: &PathBuf| fs::read(root.join(file)).ok();
    let texts: Vec<_> = roots().iter().filter_map(read).collect();
    let hint = "the trees should be whole ones, or what fetch-kernel-tree gives";
    assert!(!texts.is_empty(), "no tree has {file}; {hint}");
    texts.iter().map(|text| String::from_utf8_lossy(text).into_owned()).collect()
}

fn declared_by(file: &str) -> Names {
    texts_of(file).iter().flat_map(|text| declared(text)).collect()
}

#[test]
fn each_driver_has_the_names_that_it_exports() {
    let mut count = 0;
    for (files, (archs, names)) in listed() {
        assert!(!files.is_empty(), "a driver cites no file: {names:?}");
        let exported: Names = files.iter().flat_map(|file| declared_by(file)).collect();
        let known: Names = names.iter().map(|name| name.to_ascii_lowercase()).collect();
        let lacking: Vec<_> = exported.difference(&known).collect();
        let unknown: Vec<_> = known.difference(&exported).collect();
        assert!(lacking.is_empty(), "{files:?} export these, too: {lacking:?}");
        assert!(unknown.is_empty(), "{files:?} do not export these: {unknown:?}");
        for arch in archs {
            let of_file = |file: &&str| file.split('/').nth(1).is_some_and(|name| name == arch);
            let of_arch = files.iter().filter(|file| file.starts_with("arch/"));
            assert!(of_arch.clone().all(of_file), "{files:?} are not of `{arch}`");
            assert!(names.iter().all(|name| provided::is_on(arch, name)), "{files:?}");
        }
        count += names.len();
    }
    let all: BTreeSet<&str> = provided::names().collect();
    println!("{count} events of drivers, of {} names in all", all.len());
    assert!(count > 1000, "only {count} names: the sources are not understood");
}

/// No driver of the tree is forgotten.
#[test]
fn each_driver_is_listed() {
    let cited: BTreeSet<&str> = listed().into_keys().flatten().collect();
    for (file, why) in OTHERS {
        assert!(!declared_by(file).is_empty(), "{file} declares nothing more: {why}");
        assert!(!cited.contains(file), "{file} is listed, too");
    }
    let mut forgotten = BTreeSet::new();
    let mut waiting = Vec::new();
    for root in roots() {
        let directories = DIRECTORIES.iter().map(|directory| root.join(directory));
        waiting.extend(directories.map(|directory| (root.clone(), directory)));
    }
    while let Some((root, directory)) = waiting.pop() {
        let entries = fs::read_dir(&directory)
            .unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
        for entry in entries {
            let path = entry.expect("a directory can be read").path();
            if path.is_dir() && !path.is_symlink() {
                waiting.push((root.clone(), path));
                continue;
            }
            let file = path.strip_prefix(&root).unwrap_or(&path).to_str().unwrap_or_default();
            let is_known = cited.contains(file) || OTHERS.iter().any(|(other, _)| *other == file);
            if Path::new(file).extension().is_some_and(|extension| extension == "c")
                && !is_known
                && !declared_by(file).is_empty()
            {
                forgotten.insert(file.to_owned());
            }
        }
    }
    assert!(forgotten.is_empty(), "these export events, too: {forgotten:?}");
}

/// Formats that a driver declares: a name and its bits among the arguments of a macro.
fn formats_of(text: &str) -> BTreeMap<String, Format> {
    let mut formats = BTreeMap::new();
    let code = code_of(text);
    for (quote, _) in code.match_indices("\"config") {
        let bits = &code[quote + 1..];
        let bits = &bits[..bits.find('"').expect("a text ends")];
        // Texts of files are not formats.
        if !bits.trim_start_matches(|c: char| c.is_ascii_alphanumeric()).starts_with(':') {
            continue;
        }
        let open = code[..quote].rfind('(').expect("it is an argument");
        let name = code[open + 1..quote].split(',').next().unwrap_or_default().trim();
        let format = Format::parse(bits).unwrap_or_else(|error| panic!("{name}, {bits}: {error}"));
        formats.insert(name.to_owned(), format);
    }
    formats
}

/// Drivers with the same formats on every machine, and PMUs of theirs.
const FORMATS: &[(&str, &[&str])] = &[
    ("drivers/perf/alibaba_uncore_drw_pmu.c", &["ali_drw"]),
    ("drivers/perf/fsl_imx8_ddr_perf.c", &["imx8_ddr"]),
    ("drivers/perf/fujitsu_uncore_pmu.c", &["mac_iod0_mac1_ch0", "pci_iod0_pci1"]),
    ("drivers/perf/hisilicon/hisi_uncore_cpa_pmu.c", &["hisi_sicl,cpa"]),
    ("drivers/perf/hisilicon/hisi_uncore_mn_pmu.c", &["hisi_scl1_mn0"]),
    ("drivers/perf/hisilicon/hisi_uncore_noc_pmu.c", &["hisi_scl1_noc0_2"]),
    ("drivers/perf/marvell_pem_pmu.c", &["mrvl_pcie_rc_pmu_a00000000000"]),
    ("drivers/perf/nvidia_t410_cmem_latency_pmu.c", &["nvidia_cmem_latency_pmu_0"]),
];

#[test]
fn formats_that_are_built_in() {
    let built_in = |pmu: &str| -> BTreeMap<String, Format> {
        let formats = builtin::of_pmu("0x00000000410fd0c0", pmu).unwrap_or_else(|| panic!("{pmu}"));
        formats.as_slice().iter().map(|&(name, format)| (name.to_owned(), format)).collect()
    };
    for (file, pmus) in FORMATS {
        for text in texts_of(file) {
            for pmu in *pmus {
                assert_eq!(built_in(pmu), formats_of(&text), "{pmu} of {file}");
            }
        }
    }
    // Memory has no mask. The event's macro is in another one.
    let [text] = &texts_of("drivers/perf/nvidia_t410_c2c_pmu.c")[..] else {
        panic!("two trees have the driver");
    };
    let mask = formats_of(text);
    let mut of_all = built_in("nvidia_nvlink_c2c_pmu_0");
    assert_eq!(of_all, built_in("nvidia_nvclink_pmu_1"));
    assert_eq!(of_all.remove("gpu_mask"), mask.get("gpu_mask").copied());
    assert_eq!(of_all, built_in("nvidia_nvdlink_pmu_0"));
    assert!(text.contains("(event, \"config:0-3\")"));
    assert_eq!(of_all["event"], Format::parse("config:0-3").unwrap());
}

#[test]
fn macros() {
    let cases = [
        ("A_EVENT_ATTR(cpu_cycles, 0x11),", "cpu_cycles"),
        ("A_EVENT_ATTR(one, ID(2, 64)), A_EVENT_DESC(\"two\", \"x\")", "one two"),
        ("EVENT_ATTR_STR(a-b, b, \"event=1\"); EVENT_ATTR_STR(a-b.scale, b, \"1\");", "a-b"),
        ("A_FORMAT_ATTR(event, \"config:0-7\"), EVENT_ATTR(Z /* last */, Y)", "z"),
        ("#define X_EVENT_ATTR(a, b) \\\n\tA_EVENT_ATTR(a, b)\nX_EVENT_ATTR(c, d)", "c"),
        ("/* A_EVENT_ATTR(old, 1) */ some_event_attr(attr, x)", ""),
        ("NV_CSPMU_EVENT_ATTR_4(s, r, 1)", "s_0_r s_1_r s_2_r s_3_r"),
        ("HNS3_PMU_DLY_EVT_PAIR(dly, DLY)", "dly_packet_num dly_time"),
        ("CPUMF_EVENT_ATTR(cf, CPU_CYCLES, 0)", "cpu_cycles"),
    ];
    for (code, expected) in cases {
        let found: Vec<_> = declared(code).into_iter().collect();
        assert_eq!(found.join(" "), expected, "{code}");
    }
}
