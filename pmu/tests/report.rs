//! `pmu report` of files that the test writes: accesses to data, pages for a browser, pagers.

#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

#[path = "../../tests/common/recording.rs"]
#[allow(dead_code)]
mod recording;
#[path = "common/run.rs"]
#[allow(dead_code)]
mod run;
#[path = "common/sha256.rs"]
mod sha256;
#[path = "common/terminal.rs"]
mod terminal;

use recording::{
    ADDR, DATA_SOURCE, OF_DATA, OF_USER, PAGE_SIZE, PHYSICAL_ADDRESS, Recording, WEIGHTS, load,
};
use run::{Run, command, finish};
use serde_json::{Value, json};

/// A file that is removed at the end.
struct Stored(PathBuf);

impl Stored {
    fn new(name: &str, recording: &Recording) -> Self {
        let name = format!("pmu-report-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::write(&path, recording.bytes()).expect("it can be written");
        Stored(path)
    }

    fn report(&self, arguments: &[&str]) -> Run {
        finish(command().args(["report", "-i"]).arg(&self.0).args(arguments))
    }

    /// The lines of a report as JSON, without what all have.
    fn lines(&self, arguments: &[&str]) -> Vec<Value> {
        let run = self.report(&[&["--json"], arguments].concat());
        assert_eq!((run.code, &*run.err), (Some(0), ""));
        let line = |line: &str| {
            let mut line: Value = serde_json::from_str(line).expect("it is JSON");
            let keys = line.as_object_mut().expect("it is an object");
            ["kind", "event", "share", "level"].into_iter().for_each(|key| drop(keys.remove(key)));
            line
        };
        run.out.lines().map(line).collect()
    }
}

impl Drop for Stored {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// What the samples say that they accessed, in this program.
static VARIABLE: [AtomicU64; 8] = [const { AtomicU64::new(7) }; 8];

/// Its address, and the start, the length, the offset and the path of the mapping that it is in.
fn variable() -> (u64, [u64; 3], String) {
    // The compiler must not know what it contains.
    VARIABLE[1].fetch_add(1, Ordering::Relaxed);
    let address = VARIABLE.as_ptr() as u64;
    let maps = fs::read_to_string("/proc/self/maps").expect("it is there");
    let found = maps.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        let (start, end) = words.next()?.split_once('-')?;
        let number = |text| u64::from_str_radix(text, 16).ok();
        let (start, end) = (number(start)?, number(end)?);
        let offset = number(words.nth(1)?)?;
        let path = words.nth(2).unwrap_or_default();
        (start..end).contains(&address).then(|| ([start, end - start, offset], path.to_owned()))
    });
    let (place, path) = found.expect("it is mapped");
    (address, place, path)
}

const STACK: u64 = 0x7ffc_0000_0000;

/// Loads of a variable and of a stack, of which two are alike.
fn accesses() -> (Recording, u64) {
    let (address, [start, length, offset], path) = variable();
    let fields = ADDR | WEIGHTS | DATA_SOURCE | PHYSICAL_ADDRESS | PAGE_SIZE;
    let mut recording = Recording::new(fields);
    recording.map(0, 0x40_0000, 0x1000, 0, "/nowhere/program");
    recording.map(OF_DATA, start, length, offset, &path);
    recording.map(OF_DATA, STACK, 0x1000, 0, "[stack]");
    let hit_l1 = load(1 << 1 | 1 << 3, 1, 1 << 1, 1 << 1 | 1 << 3);
    let hit_remote = load(1 << 1 | 1 << 10, 0xb, 1 << 4, 1 << 2 | 1 << 5) | 1 << 37 | 2 << 24;
    let weights = |weight: u64, latency: u64, retire: u64| weight | latency << 32 | retire << 48;
    let mut sample = |data: u64, weights: u64, source: u64| {
        recording.sample(OF_USER, 0x40_0010, Some(data), &[weights, source, data & 0xffff, 4096]);
    };
    sample(address + 8, weights(10, 12, 3), hit_l1);
    sample(address + 8, weights(10, 12, 3), hit_l1);
    sample(STACK + 0x88, weights(300, 310, 4), hit_remote);
    sample(STACK + 0x80, weights(0, 0, 0), 0);
    (recording, address)
}

#[test]
fn shares_by_data() {
    let (recording, address) = accesses();
    let stored = Stored::new("data", &recording);
    let lines = stored.lines(&["--mem-mode", "--sort", "data,data-module,memory,weight"]);
    let [remote, variable, unknown] = &lines[..] else { panic!("{lines:?}") };
    assert_eq!(
        *remote,
        json!({
            "samples": 1, "weights": 300, "data": format!("{:#018x}", STACK + 0x88),
            "data-module": "[stack]", "memory": "cache of another node hit", "weight": 300,
        })
    );
    assert_eq!((&variable["samples"], &variable["weights"]), (&json!(2), &json!(20)));
    let name = variable["data"].as_str().expect("it is a text");
    assert!(name.ends_with("VARIABLE+0x8"), "{name} at {address:#x}");
    assert!(variable["data-module"].as_str().is_some_and(|name| name.starts_with("report-")));
    assert_eq!(variable["memory"], "L1 hit");
    // Without a weight, a sample stands for one.
    assert_eq!((&unknown["weights"], &unknown["memory"]), (&json!(1), &json!("unknown")));

    // Without that mode, shares are those of events.
    let lines = stored.lines(&["--sort", "cache-line,snoop,tlb,locked,blocked"]);
    let line = lines.iter().find(|line| line["snoop"] == "hit modified").expect("it is there");
    assert_eq!(
        *line,
        json!({
            "samples": 1, "events": 1000, "cache-line": format!("{:#018x}", STACK + 0x80),
            "snoop": "hit modified", "tlb": "walker miss", "locked": "yes", "blocked": "unknown",
        })
    );
    let lines = stored.lines(&["--sort", "physical-address,page-size,latency,retire-latency"]);
    assert!(lines.contains(&json!({
        "samples": 1, "events": 1000, "physical-address": format!("{:#018x}", 0x88),
        "page-size": 4096, "latency": 310, "retire-latency": 4,
    })));

    let csv = stored.report(&["--mem-mode", "--csv", "--sort", "memory"]).out;
    let expected = "event,share,samples,weights,memory,level\n\
        cpu-clock,0.934579,1,300,cache of another node hit,\n\
        cpu-clock,0.062305,2,20,L1 hit,\ncpu-clock,0.003115,1,1,unknown,\n";
    assert_eq!(csv, expected);
    let text = stored.report(&["--mem-mode"]).out;
    assert!(text.starts_with("4 samples of cpu-clock, weights of 321\n"), "{text}");
    assert!(text.contains("93.46 %  300     cache of another node hit"), "{text}");
}

/// With perf's names, and in perf's words.
#[test]
fn shares_by_data_as_perf() {
    let stored = Stored::new("perf", &accesses().0);
    let words = ["report", "--mem-mode", "--sort", "mem,snoop,tlb,locked,dso_daddr,local_weight"];
    let run = finish(command().arg0("perf").args(words).arg("-i").arg(&stored.0));
    assert_eq!((run.code, &*run.err), (Some(0), ""));
    for part in [
        "# Total weight : 321\n# Sort order   : mem,snoop,tlb,locked,dso_daddr,local_weight\n#\n",
        "# Overhead  Memory access         Snoop  TLB access   Locked  Data Object",
        "    93.46%  Remote Any cache hit  HitM   Walker miss  Yes     [stack]",
        "     0.31%  N/A                   N/A    N/A          No      [stack]",
    ] {
        assert!(run.out.contains(part), "{part} in {}", run.out);
    }
}

#[test]
fn what_samples_do_not_have() {
    let mut recording = Recording::new(0);
    recording.sample(OF_USER, 0x40_0010, None, &[]);
    let stored = Stored::new("without", &recording);
    for (arguments, part) in [
        (&["--mem-mode"][..], "no sample has the source of data; `pmu record` records it"),
        (&["--sort", "data"], "no sample has addresses of data; "),
        (&["--sort", "function,snoop"], "no sample has the source of data; "),
        (&["--sort", "physical-address"], "`pmu record` records them with `--phys-data`"),
    ] {
        let run = stored.report(arguments);
        assert_eq!((run.code, &*run.out), (Some(1), ""), "{arguments:?}");
        assert!(run.err.contains(part), "{}", run.err);
    }
    let run = stored.report(&["--mem-mode", "--folded"]);
    assert_eq!(run.code, Some(2), "{}", run.err);
}

fn little() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recordings/little.data")
}

/// A page may run its own script and no other: escaping is not the only barrier.
#[test]
fn pages() {
    let run = finish(command().args(["report", "--html", "-", "-i"]).arg(little()));
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(run.err, "pmu report: note: 3 of 7 samples were lost\n");
    let page = run.out;
    let scripts: Vec<&str> = page.split("<script>").skip(1).collect();
    assert_eq!((scripts.len(), page.matches("<script").count()), (1, 1));
    let script = scripts[0].split("</script>").next().expect("it has an end");
    let hash = sha256::base64(&sha256::sha256(script.as_bytes()));
    assert!(page.contains(&format!("script-src 'sha256-{hash}'")), "the hash is {hash}");
    assert!(!page.contains("https://") && !page.contains("http://"));
    for part in [
        "<h2>cpu-clock:u</h2>",
        "<h2>L1D, &quot;odd&quot;</h2>",
        "<p>3 samples, which stand for 1000000 events ",
        "title=\"[kernel.kallsyms] ([kernel.kallsyms]): 50.00 %, itself 50.00 %, 1 samples\"",
        "<output id=\"found\" for=\"search\">4 samples, 3 lost</output>",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
    // Into a file: all of it.
    let stored = Stored::new("page", &Recording::new(0));
    let run = finish(command().args(["report", "-i"]).arg(little()).arg("--html").arg(&stored.0));
    assert_eq!((run.code, &*run.out), (Some(0), ""), "{}", run.err);
    assert_eq!(fs::read_to_string(&stored.0).expect("it was written"), page);
    let run = finish(command().args(["report", "--html", "/nowhere/x", "-i"]).arg(little()));
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("cannot write `/nowhere/x`"), "{}", run.err);
}

/// On a terminal, a pager shows the output; the status is that of the report.
#[test]
fn pagers() {
    let marks = "sed 's/^/paged: /'";
    let shown = |program: &str, before: &[&str], after: &[&str], variables: &[(&str, &str)]| {
        let mut command = command();
        command.arg0(program).args(before).args(["report", "--sort", "module", "-i"]).arg(little());
        command.args(after).env_remove("PERF_PAGER").env_remove("PAGER");
        terminal::shown(command.envs(variables.iter().copied()), 30)
    };
    let cases: [(&str, &[&str], &[&str], &[(&str, &str)], bool); 8] = [
        ("pmu", &[], &[], &[("PERF_PAGER", marks)], true),
        ("pmu", &[], &[], &[("PAGER", marks)], true),
        ("pmu", &[], &[], &[("PERF_PAGER", "cat"), ("PAGER", marks)], false),
        ("pmu", &[], &[], &[("PERF_PAGER", ""), ("PAGER", marks)], false),
        ("pmu", &[], &["--no-pager"], &[("PAGER", marks)], false),
        ("perf", &[], &[], &[("PERF_PAGER", marks)], true),
        ("perf", &["--no-pager"], &[], &[("PERF_PAGER", marks)], false),
        ("perf", &["--no-pager", "-p"], &[], &[("PERF_PAGER", marks)], true),
    ];
    for (program, before, after, variables, is_paged) in cases {
        let (text, code) = shown(program, before, after, variables);
        assert_eq!(code, Some(0), "{text}");
        let note = format!("{program} report: note: 3 of 7 samples were lost\n");
        let report = text.strip_suffix(&note).unwrap_or_else(|| panic!("{text}"));
        assert!(report.contains("kernel"), "{text}");
        let lines = report.lines().filter(|line| line.starts_with("paged: ")).count();
        let expected = if is_paged { report.lines().count() } else { 0 };
        assert_eq!(lines, expected, "{program} {before:?} {variables:?} {text}");
    }
    // Whoever leaves the pager early has seen enough; a failure is one all the same.
    for (pager, arguments, code) in [
        ("exit 3", &["--no-inline"][..], 0),
        ("head -n 1", &["--children"], 0),
        (marks, &["--sort", "data"], 1),
    ] {
        let (text, status) = shown("pmu", &[], arguments, &[("PAGER", pager)]);
        assert_eq!(status, Some(code), "{pager}: {text}");
    }
    // Nothing but a terminal has one.
    let run = finish(command().args(["script", "-i"]).arg(little()).env("PERF_PAGER", marks));
    assert!(!run.out.contains("paged"), "{}", run.out);
    let mut script = command();
    script.args(["script", "-i"]).arg(little()).env("PERF_PAGER", marks);
    let (text, _) = terminal::shown(&mut script, 80);
    assert!(text.starts_with("paged: parent"), "{text}");
}

/// What is no sample is shown where it is asked for, in perf's words.
#[test]
fn records_beside_samples() {
    let mut recording = Recording::new(0);
    recording.every_kind();
    let stored = Stored::new("kinds", &recording);
    let script = |arguments: &[&str]| {
        let run = finish(command().args(["script", "-i"]).arg(&stored.0).args(arguments));
        assert_eq!(run.code, Some(0), "{}", run.err);
        run.out
    };
    assert!(!script(&[]).contains("RECORD"));
    for (option, number, expected) in [
        ("task", 5, "PERF_RECORD_COMM exec: program:70/70\n"),
        ("task", 5, "PERF_RECORD_FORK(71:71):(70:70)\n"),
        ("mmap", 5, "PERF_RECORD_MMAP 70/70: [0x600000(0x1000) @ 0]: r /nowhere/data\n"),
        ("mmap", 5, " @ 0x2000 08:01 7 3]: r-xp /nowhere/program\n"),
        (
            "mmap",
            5,
            " @ 0x2000 <0102030405060708090a0b0c0d0e0f1011121314>]: r-xp /nowhere/with-id\n",
        ),
        ("switch", 5, "PERF_RECORD_SWITCH OUT preempt\n"),
        ("switch", 5, "PERF_RECORD_SWITCH_CPU_WIDE IN           prev pid/tid:    70/70   \n"),
        (
            "namespace",
            1,
            "1/uts: 4/0xf0000000, 2/ipc: 4/0xf0000000, 3/pid: 4/0xf0000000, \n\t\t 4/user",
        ),
        ("cgroup", 1, "PERF_RECORD_CGROUP cgroup: 42 /group\n"),
        ("lost", 1, "PERF_RECORD_LOST lost 5\n"),
        ("bpf", 4, "len 128 type 1 flags 0x1 name bpf_prog_one\n"),
        ("bpf", 4, "PERF_RECORD_BPF_EVENT type 2, flags 0, id 9\n"),
        ("text-poke", 3, "            New bytes: e9 01 02\n"),
    ] {
        let text = script(&[&format!("--show-{option}-events")]);
        assert_eq!(text.matches("PERF_RECORD_").count(), number, "{option}: {text}");
        assert!(text.contains(expected), "{option}: {text}");
    }
}

/// What samples have beside code, as perf writes it; what no sample has is refused.
#[test]
fn further_fields() {
    let stored = Stored::new("further", &recording::further_fields());
    let script = |stored: &Stored, fields: &str| {
        finish(command().args(["script", "-i"]).arg(&stored.0).args(["-F", fields]))
    };
    for (fields, expected) in [
        ("addr,ip,dso", "          600000 (/nowhere/data)           400001 (/nowhere/program)\n"),
        ("addr,sym,ip", "        12340002 [unknown]           400001 [unknown]\n"),
        ("addr,weight", "          600003              10\n"),
        ("ins_lat,retire_lat", "               1               2\n"),
        ("cgroup", " /group\n"),
        ("cgroup", " unknown\n"),
        ("phys_addr,data_page_size,code_page_size", "          300000 4K 4K\n"),
        ("data_page_size", " 2M\n"),
        ("data_page_size", " N/A\n"),
        ("brstack", " 0x400010/0x400020/P/X/-/6/RET/NON_SPEC_CORRECT_PATH "),
        ("brstack", " 0x400010/0x400020/P/X/A/15/ARCH_3/SPEC_CORRECT_PATH "),
        ("brstack,dso", "[unknown])/0x400030 (/nowhere/program)/M/-/-/0//- \n"),
    ] {
        let run = script(&stored, fields);
        assert_eq!((run.code, &*run.err), (Some(0), ""), "{fields}");
        assert!(run.out.contains(expected), "{fields}: {}", run.out);
    }
    let none = Stored::new("no-further", &Recording::new(0));
    for field in ["addr", "weight", "ins_lat", "cgroup", "brstack", "phys_addr", "data_page_size"] {
        let run = script(&none, &format!("ip,{field}"));
        let expected = format!("`-F`: no sample has the field `{field}`");
        assert!(run.code == Some(1) && run.err.contains(&expected), "{field}: {}", run.err);
    }
}

/// Where data were, in perf's words, each as wide as the widest before it; an event of a CPU has them
/// unasked.
#[test]
fn sources_of_data() {
    let script = |recording: &Recording, arguments: &[&str]| {
        let stored = Stored::new("sources", recording);
        let run = finish(command().args(["script", "-i"]).arg(&stored.0).args(arguments));
        assert_eq!((run.code, &*run.err), (Some(0), ""), "{arguments:?}");
        run.out
    };
    let (recording, _) = accesses();
    let text = script(&recording, &["-F", "data_src"]);
    let l1 = "       228100142 |OP LOAD|LVL L1 hit|SNP None|TLB L1 hit|LCK No|BLK  N/A";
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[..2], [l1, l1]);
    assert!(lines[2].contains("|OP LOAD|LVL Remote Any cache hit|SNP HitM|TLB "), "{text}");
    assert_eq!(lines[3].len(), lines[2].len(), "{text}");
    assert!(!script(&recording, &[]).contains("|OP LOAD|"));
    let text = script(&recording.of_cpu(), &[]);
    assert!(text.contains(&format!("{l1}              10")), "{text}");
}

/// A process has nothing of an earlier one with its number, whether or not its parent is known; a
/// child has what its parent has.
#[test]
fn numbers_of_processes_that_repeat() {
    const UNKNOWN: u64 = 99;
    let process = u64::from(recording::PROCESS);
    let halves = |first: u64, second: u64| match cfg!(target_endian = "big") {
        true => first << 32 | second,
        false => second << 32 | first,
    };
    let mut made = Recording::new(0);
    made.map(0, 0x40_0000, 0x1000, 0, "/nowhere/first");
    made.sample(OF_USER, 0x40_0010, None, &[]);
    // `PERF_RECORD_EXIT`, `PERF_RECORD_FORK`
    let of_parent = |parent: u64| [halves(process, parent), halves(process, parent), 0];
    made.side(4, OF_USER, &of_parent(UNKNOWN), &[]);
    made.side(7, OF_USER, &of_parent(UNKNOWN), &[]);
    made.sample(OF_USER, 0x40_0010, None, &[]);
    made.rename("second");
    made.map(0, 0x40_0000, 0x1000, 0, "/nowhere/second");
    made.sample(OF_USER, 0x40_0010, None, &[]);
    let lines = Stored::new("repeat", &made).lines(&["--sort", "comm,module"]);
    let line = |comm: &str, module: &str| json!({"samples": 1, "events": 1000, "comm": comm, "module": module});
    let number = format!(":{process}");
    let expected = [line(&number, "[unknown]"), line("program", "first"), line("second", "second")];
    assert_eq!(lines, expected);
}

/// A file that is deleted, or that another mount namespace has, is named, without functions.
#[test]
fn files_that_are_gone() {
    let mut made = Recording::new(0);
    made.map(0, 0x40_0000, 0x1000, 0, "/bin/sh (deleted)");
    made.map(0, 0x50_0000, 0x1000, 0, "/nowhere/in-container");
    made.sample(OF_USER, 0x40_0010, None, &[]);
    made.sample(OF_USER, 0x50_0020, None, &[]);
    let lines = Stored::new("gone", &made).lines(&["--sort", "module,function"]);
    let line = |module: &str, function: &str| json!({"samples": 1, "events": 1000, "module": module, "function": function});
    let expected =
        [line("in-container", "0x0000000000000020"), line("sh (deleted)", "0x0000000000000010")];
    assert_eq!(lines, expected);
}

/// A file at the path of a mapping is another one if its build id is: it gives no names, as where
/// the mapping was in a container.
#[test]
fn files_with_another_build_id() {
    let function = files_with_another_build_id as fn() as usize as u64;
    let maps = fs::read_to_string("/proc/self/maps").expect("Linux has it");
    let number = |text: &str| u64::from_str_radix(text, 16).expect("it is one");
    let (start, end, offset, path) = maps
        .lines()
        .find_map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let (start, end) = words[0].split_once('-')?;
            let (start, end) = (number(start), number(end));
            (start..end).contains(&function).then(|| (start, end, number(words[2]), words[5]))
        })
        .expect("the function is somewhere");
    let mut made = Recording::new(0);
    made.map_of(start, end - start, offset, path, [7; 20]);
    made.sample(OF_USER, function, None, &[]);
    made.map(0, start, end - start, offset, path);
    made.sample(OF_USER, function, None, &[]);
    let lines = Stored::new("another", &made).lines(&["--sort", "module,function"]);
    let names: Vec<&str> = lines.iter().filter_map(|line| line["function"].as_str()).collect();
    assert_eq!(names.len(), 2, "{lines:?}");
    let is_named = |name: &&&str| name.contains("files_with_another_build_id");
    assert_eq!(names.iter().filter(is_named).count(), 1, "{names:?}");
    assert_eq!(names.iter().filter(|name| name.starts_with("0x")).count(), 1, "{names:?}");
}

/// Numbers of samples and of events, in the form of this program and in perf's.
#[test]
fn columns_of_numbers() {
    let mut made = Recording::new(0);
    made.map(0, 0x40_0000, 0x1000, 0, "/nowhere/one,two");
    for _ in 0..3 {
        made.sample(OF_USER, 0x40_0010, None, &[]);
    }
    made.sample(OF_USER, 0x60_0010, None, &[]);
    let stored = Stored::new("numbers", &made);
    for (options, expected) in [
        (&["-n"][..], "   share  samples  module\n 75.00 %        3  one,two\n"),
        (
            &["-n", "--show-total-period"],
            "   share  samples  events  module\n 75.00 %        3    3000  one,two\n",
        ),
        (
            &["--stdio", "-n"],
            "# Overhead       Samples  Shared Object   \n# ........  ............  ................\n#\n    \
             75.00%             3  one,two         \n",
        ),
        (
            &["--show-total-period", "-t,"],
            "# Overhead,      Period,Shared Object\n 75.00% , 3000       ,one.two      \n",
        ),
        (
            &["--stdio", "--children"],
            "# Children      Self  Shared Object   \n# ........  ........  ................\n#\n    \
             75.00%    75.00%  one,two         \n",
        ),
    ] {
        let run = stored.report(&[&["--sort", "module"], options].concat());
        assert_eq!((run.code, &*run.err), (Some(0), ""), "{options:?}");
        assert!(run.out.contains(expected), "{options:?}: {}", run.out);
    }
    for options in [&["-t", "."][..], &["-t", ""], &["-t,", "--json"], &["-n", "--folded"]] {
        assert_eq!(stored.report(options).code, Some(2), "{options:?}");
    }
}

/// Columns in any order, and call chains, in perf's form; `tests/perf-stat` compares them with perf's.
#[test]
fn columns_and_call_chains() {
    let mut made = Recording::new(recording::CALLCHAIN);
    made.map(0, 0x40_0000, 0x1000, 0, "/nowhere/program");
    let [inner, middle, outer] = [0x40_0010, 0x40_0100, 0x40_0200_u64];
    // `PERF_CONTEXT_USER`
    let chain = |words: &[u64]| [&[words.len() as u64 + 1, !0x1ff], words].concat();
    for _ in 0..3 {
        made.sample(OF_USER, inner, None, &chain(&[inner, middle, outer]));
    }
    made.sample(OF_USER, inner, None, &chain(&[inner, outer]));
    made.sample(recording::OF_KERNEL, middle, None, &chain(&[middle, outer]));
    let stored = Stored::new("chains", &made);
    let tree = "    80.00%  program           [.] 0x0000000000000010
            |
            ---0x400010
               |          
               |--60.00%--0x400100
               |          0x400200
               |          
                --20.00%--0x400200
";
    let part = "
            |          
             --20.00%--0x400100
                       0x400200

";
    for (options, expected) in [
        (&["-g", "--sort", "module,function"][..], tree),
        (&["-F", "overhead", "-g"], part),
        (
            &["-F", "overhead", "-g", "caller"],
            "   100.00%\n            |\n            ---0x400200\n",
        ),
        (&["-s", "module", "-g", "flat,50"], "           60.00%\n                0x400010\n"),
        (&["-s", "module", "-g", "folded,count"], "\n3 0x400010;0x400100;0x400200\n1 0x"),
        (&["-F", "sample,comm,overhead_sys"], "#      Samples  Command       sys\n"),
        (&["-F", "sample,comm,overhead_sys"], "             5  program    20.00%\n"),
        (&["-F", "comm", "-s", "cpu"], "# Command  CPU\n# .......  ...\n#\n  program  000\n"),
        (&["-F", "+period", "-s", "comm"], "   100.00%          5000  program\n"),
        (&["--show-cpu-utilization", "-s", "comm"], "   100.00%    20.00%    80.00%  program\n"),
        (&["-F", "overhead_children,module", "-g", "none"], "   100.00%  program         \n"),
    ] {
        let run = stored.report(options);
        assert_eq!((run.code, &*run.err), (Some(0), ""), "{options:?}");
        assert!(run.out.contains(expected), "{options:?}: {}", run.out);
    }
    for options in [
        &["-g", "sideways"][..],
        &["-g", "graph,-1"],
        &["-F", "parent"],
        &["-F", ""],
        &["-F", "comm", "--json"],
        &["-g", "caller", "--folded"],
    ] {
        assert_eq!(stored.report(options).code, Some(2), "{options:?}");
    }
    let none = Stored::new("no-chains", &Recording::new(0));
    let run = none.report(&["-g"]);
    assert_eq!(run.code, Some(1), "{}", run.out);
    assert!(run.err.contains("no sample has a call chain; `pmu record -g`"), "{}", run.err);
    assert_eq!(none.report(&["-g", "none"]).code, Some(0));
}

/// What a file says of itself comes before the report, or alone.
#[test]
fn headers() {
    let run = |words: &[&str]| finish(command().args(words).arg("-i").arg(little()));
    for words in [&["report", "--header-only"][..], &["script", "--header-only"]] {
        let run = run(words);
        assert_eq!((run.code, &*run.err), (Some(0), ""), "{words:?}");
        assert!(run.out.starts_with("# ========\n# captured on    : "), "{}", run.out);
        assert!(run.out.ends_with("\n# ========\n#\n"), "{}", run.out);
        assert!(run.out.contains("\n# event : name = cpu-clock:u, "), "{}", run.out);
    }
    let report = run(&["report", "--header", "--stdio"]).out;
    assert!(report.starts_with("# ========\n"), "{report}");
    assert!(report.contains("\n#\n#\n# Total Lost Samples: 3\n"), "{report}");
    assert_eq!(run(&["report", "--header", "--json"]).code, Some(2));
}

/// Times of an interval, of a part, and between lines.
#[test]
fn times() {
    let script = |arguments: &[&str]| {
        let fixed = ["script", "-F", "time", "-i"];
        finish(command().args(fixed).arg(little()).args(arguments))
    };
    let (first, second, third, last) = ("1.000002:", "1.000003:", "1.000004:", "1.000005:");
    let cases: [(&[&str], &[&str]); 6] = [
        (&["--time", "1.000003,1.000004"], &[second, third]),
        (&["--time", ",1.000002"], &[first]),
        (&["--time", "1.0000045,"], &[last]),
        (&["--time", ",1.000002 1.000005,"], &[first, last]),
        (&["--reltime"], &["0.000000:", "0.000001:", "0.000002:", "0.000003:"]),
        (&["--deltatime"], &["0.000000:", "0.000001:", "0.000001:", "0.000001:"]),
    ];
    for (arguments, expected) in cases {
        let run = script(arguments);
        let lines: Vec<&str> = run.out.split_whitespace().collect();
        assert_eq!(lines, expected, "{arguments:?} {}", run.err);
    }
    for (text, part) in [
        ("2,1", "expected START,STOP in seconds"),
        ("50%", "does not say when its first and last samples were"),
    ] {
        let run = script(&["--time", text]);
        assert_eq!((run.code, &*run.out), (Some(1), ""), "{text}");
        assert!(run.err.contains(part), "{}", run.err);
    }
    // Samples of other times are no part of the whole.
    let report = ["report", "--csv", "-s", "module", "--time", "1.000005,", "-q", "-i"];
    let run = finish(command().args(report).arg(little()));
    let expected = "event,share,samples,events,module,level\n\
                    cpu-clock:u,1.000000,1,500000,[kernel.kallsyms],\n";
    assert_eq!(run.out, expected, "{}", run.err);
}
