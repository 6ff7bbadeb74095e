//! Files of samples: perf reads those of pmu, pmu reads those of perf, and another reader reads
//! both. Where nothing may be sampled, both refuse.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

#[allow(dead_code)]
#[path = "../../common/recording.rs"]
mod recording;

use linux_perf_data::{PerfFileReader, PerfFileRecord};
use linux_perf_event_reader::EventRecord;

/// Two loops of known length, of the same instructions in the same places of their cache lines.
const PROGRAM: &str = "
#include <stdlib.h>
static volatile unsigned long sink;
#define LOOP __attribute__((noinline, aligned(64))) void
LOOP short_loop(unsigned long n) { while (n--) sink += n; }
LOOP long_loop(unsigned long n) { while (n--) sink += n; }
int main(int count, char **words) {
    unsigned long n = strtoul(words[1], 0, 10);
    for (int i = 0; i < 1000; i++) { short_loop(n); long_loop(3 * n); }
    return 0;
}
";

/// A directory with the program, in which recordings are made.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("recordings-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("it can be made");
        fs::write(path.join("loops.c"), PROGRAM).expect("it can be written");
        let place = Place(path);
        let built = Command::new("gcc")
            .args(["-O1", "-g", "-fno-omit-frame-pointer", "-o", "loops", "loops.c"])
            .current_dir(&place.0)
            .status();
        assert!(built.expect("gcc runs").success());
        place
    }

    fn run(&self, program: &Path, arguments: &[&str]) -> Output {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&self.0).env_remove("DEBUGINFOD_URLS");
        command.output().expect("it runs")
    }

    fn text(&self, program: &Path, arguments: &[&str]) -> String {
        let output = self.run(program, arguments);
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{} {arguments:?}: {err}", program.display());
        String::from_utf8(output.stdout).expect("it is text")
    }

    /// Records the loops of a length; whether that is permitted.
    fn record(&self, program: &Path, options: &[&str], file: &str, length: &str) -> bool {
        let words = [&["record", "-o", file], options, &["--", "./loops", length]].concat();
        let output = self.run(program, &words);
        output.status.success() && self.0.join(file).exists()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn perf() -> PathBuf {
    std::env::var_os("PMU_EVENTS_PERF").expect("`run` sets it").into()
}

fn pmu() -> PathBuf {
    std::env::var_os("PMU_EVENTS_PMU_AS_PERF").expect("`run` sets it").into()
}

/// What is recorded, of events that every machine has.
const KINDS: [&[&str]; 10] = [
    &["-e", "cpu-clock:u", "-c", "100000"],
    &["-e", "task-clock", "-F", "5000", "-g"],
    &["-e", "page-faults,cpu-clock:u", "-c", "1000"],
    &["-e", "page-faults:u", "-c", "1", "-d"],
    &["-e", "cpu-clock", "-F", "3000", "-a"],
    &["-e", "context-switches,cpu-clock", "-c", "200000", "--kernel-callchains", "-g"],
    &["-e", "page-faults", "-c", "1", "-W", "--phys-data", "-T", "-P", "--sample-cpu"],
    &["-e", "{task-clock,page-faults}", "-c", "200000"],
    // A buffer that is full.
    &["-e", "cpu-clock", "-c", "25000", "-m", "1"],
    &["-e", "cpu-clock", "-F", "999", "-a", "--namespaces", "--all-cgroups", "--switch-events"],
];

/// How long the loops are.
const SHORT: &str = "800";
const LONG: &str = "8000";

/// Records that are no samples.
const OTHERS: [&str; 8] = [
    "--show-task-events",
    "--show-mmap-events",
    "--show-switch-events",
    "--show-namespace-events",
    "--show-cgroup-events",
    "--show-lost-events",
    "--show-bpf-events",
    "--show-text-poke-events",
];

/// Of each file, both show the same samples and the same shares. This perf knows no symbols of
/// programs, so these are left out.
#[test]
fn both_read_the_files_of_both() {
    let place = Place::new("both");
    for (n, options) in KINDS.iter().enumerate() {
        for (name, program) in [("perf", perf()), ("pmu", pmu())] {
            let file = format!("{name}-{n}");
            if !place.record(&program, options, &file, SHORT) {
                let other = if name == "perf" { pmu() } else { perf() };
                assert!(!place.record(&other, options, "none", SHORT), "{name} {options:?}");
                continue;
            }
            // A task that begins while a recording of whole CPUs does may have no name in the file;
            // then only one of the programs takes its parent's.
            let has_names = !options.contains(&"-a");
            let header = ["script", "-i", &file, "--header-only"];
            let [ours, theirs] =
                [pmu(), perf()].map(|program| header_of(&place.text(&program, &header)));
            assert!(ours.len() > 10, "{ours:?}");
            assert_eq!(ours, theirs, "{file}");
            let fields = if has_names {
                "comm,tid,time,period,event,ip,dso"
            } else {
                "tid,time,period,event,ip,dso"
            };
            let words = [&["script", "-i", &file, "-F", fields], &OTHERS[..]].concat();
            let [ours, theirs] = [pmu(), perf()].map(|program| place.text(&program, &words));
            assert!(ours.lines().count() > 5, "{file}: {ours}");
            for (ours, theirs) in ours.lines().zip(theirs.lines()) {
                assert_eq!(without_modules(ours), without_modules(theirs), "{file}");
            }
            assert_eq!(ours.lines().count(), theirs.lines().count(), "{file}");
            if !has_names {
                continue;
            }
            let report = ["report", "-i", &file, "--stdio", "--no-children", "--sort", "comm"];
            let report = [&report[..], &["-g", "none"]].concat();
            let [ours, theirs] =
                [pmu(), perf()].map(|program| shares(&place.text(&program, &report)));
            assert_eq!(
                ours.keys().collect::<Vec<_>>(),
                theirs.keys().collect::<Vec<_>>(),
                "{file}"
            );
            for (name, share) in &ours {
                // Two lines that were rounded make one.
                assert!(share.abs_diff(theirs[name]) <= 1, "{file}: {ours:?} {theirs:?}");
            }
        }
    }
}

/// What a file says, without what only perf shows, and without the list of what it does not say, in
/// which perf 6.12 has no names for some.
fn header_of(text: &str) -> Vec<String> {
    let only_of_perf =
        ["info available", "perf shows it", "pmu capabilities", "missing features", "clockid: "];
    let is_of_both = |line: &&str| !only_of_perf.iter().any(|part| line.contains(part));
    text.lines().filter(is_of_both).map(String::from).collect()
}

/// The share of each thread in hundredths of a percent, for all events together. perf makes the
/// column as wide as its heading or as the longest name that has a share, and gives the first name of
/// a task also to its samples before, which otherwise have its number, `:17`.
fn shares(report: &str) -> BTreeMap<String, u32> {
    let mut shares = BTreeMap::new();
    for line in report.lines().filter(|line| line.contains('%') && !line.starts_with('#')) {
        let (share, name) = line.trim().split_once('%').expect("it has one");
        let share: u32 = share.replace('.', "").parse().expect("it is a number");
        let name = name.trim();
        let name = if name.starts_with(':') { "loops" } else { name };
        if share > 0 {
            *shares.entry(format!("{name:.7}")).or_default() += share;
        }
    }
    shares
}

/// What a buffer of one page loses while its reader is stopped: both say the same number of the files
/// of both, that of the kernel's counters.
#[test]
fn lost_samples() {
    let place = Place::new("lost");
    let script = "kill -STOP $PPID; i=0; while [ $i -lt 200 ]; do i=$((i+1)); (:); done; \
                  kill -CONT $PPID";
    for (file, program) in [("perf", perf()), ("pmu", pmu())] {
        let record = ["record", "-o", file, "-e", "page-faults:u", "-c", "1", "-m", "1"];
        let output = place.run(&program, &[&record, &["--", "sh", "-c", script][..]].concat());
        if !output.status.success() {
            continue;
        }
        let report = ["report", "-i", file, "--stdio", "--sort", "comm"];
        let [ours, theirs] = [pmu(), perf()].map(|program| {
            let text = place.text(&program, &report);
            let line = text.lines().find(|line| line.starts_with("# Total Lost Samples: "));
            line.map(String::from).expect("it is there")
        });
        assert_eq!(ours, theirs, "{file}");
        assert_ne!(ours, "# Total Lost Samples: 0", "{file}");
    }
}

/// Accesses to data that no machine of a test samples: both show a file of them in the same words.
#[test]
fn accesses_to_data() {
    use recording::{ADDR, DATA_SOURCE, OF_DATA, OF_USER, PAGE_SIZE, PHYSICAL_ADDRESS, WEIGHTS};
    let fields = ADDR | WEIGHTS | DATA_SOURCE | PHYSICAL_ADDRESS | PAGE_SIZE;
    let mut made = recording::Recording::new(fields);
    made.map(0, 0x40_0000, 0x1000, 0, "/nowhere/program");
    made.map(OF_DATA, 0x60_0000, 0x1000, 0x2000, "/nowhere/data");
    made.map(OF_DATA, 0x7ffc_0000_0000, 0x1000, 0, "[stack]");
    let pages = [4096, 2 << 20, 1 << 30, 0];
    // Each field with others; perf tells samples apart by some of the bits that it shows, so the
    // others follow from these.
    for n in 0..120_u64 {
        let level = [1 << 1, 1 << 2, 0][n as usize % 3] | 1 << (3 + n % 11);
        let of_level = n % 33;
        let source = recording::load(level, of_level % 15, 1 << (n % 5), (n % 64) << 1)
            | (of_level % 2) << 37
            | (of_level % 5) << 43
            | (n % 5 % 3) << 38
            | (n % 3) << 24
            | [1, 2, 4, 6][n as usize % 4] << 40;
        let address = [0x60_0000, 0x7ffc_0000_0000, 0x1234_0000][n as usize % 3] + 8 * (n % 7);
        let weights = n | (n + 1) << 32 | (n + 2) << 48;
        let page = pages[n as usize % 4];
        made.sample(OF_USER, 0x40_0001, Some(address), &[weights, source, address / 2, page]);
    }
    let place = Place::new("accesses");
    fs::write(place.0.join("made"), made.bytes()).expect("it can be written");
    fs::write(place.0.join("raw"), made.of_cpu().bytes()).expect("it can be written");
    // What an event of a CPU has is shown unasked.
    for words in
        [&["made", "-F", "ip,data_src"][..], &["made", "-F", "data_src,weight,addr"], &["raw"]]
    {
        let words = [&["script", "-i"], words].concat();
        let [ours, theirs] = [pmu(), perf()].map(|program| place.text(&program, &words));
        // The file has no name for its event.
        let lines = |text: &str| text.replace(" raw 0x1cd:HG: ", " type 4 config 0x1cd: ");
        assert!(ours.contains("|OP LOAD|LVL "), "{ours}");
        assert_eq!(lines(&ours), lines(&theirs), "{words:?}");
    }
    for keys in [
        None,
        Some("mem,local_weight"),
        Some("snoop,tlb"),
        Some("locked,blocked,dso_daddr,local_weight"),
        Some("symbol_daddr,phys_daddr"),
        Some("data_page_size,local_ins_lat,local_p_stage_cyc,mem"),
    ] {
        let mut words = vec!["report", "-i", "made", "--stdio", "--mem-mode"];
        words.extend(keys.iter().flat_map(|keys| ["--sort", *keys]));
        let [ours, theirs] = [pmu(), perf()].map(|program| place.text(&program, &words));
        let (ours, theirs) = (columns(&ours), columns(&theirs));
        assert!(ours.len() > 3, "{keys:?}: {ours:?}");
        assert_eq!(ours, theirs, "{keys:?}");
    }
}

/// Each kind of records, as no test can have a kernel write them all.
#[test]
fn records_of_every_kind() {
    let mut made = recording::Recording::new(0);
    made.map(0, 0x40_0000, 0x1000, 0, "/nowhere/program");
    made.every_kind();
    let place = Place::new("kinds");
    fs::write(place.0.join("made"), made.bytes()).expect("it can be written");
    let words = ["script", "-i", "made", "-F", "comm,pid,tid,cpu,time,ip,dso"];
    let words = [&words, &OTHERS[..]].concat();
    let [ours, theirs] = [pmu(), perf()].map(|program| place.text(&program, &words));
    assert_eq!(ours, theirs);
    for kind in [
        "MMAP ",
        "MMAP2",
        "COMM:",
        "COMM exec",
        "FORK",
        "EXIT",
        "LOST",
        "SWITCH ",
        "SWITCH_CPU_WIDE",
        "NAMESPACES",
        "KSYMBOL",
        "BPF_EVENT",
        "CGROUP",
        "TEXT_POKE",
    ] {
        assert!(ours.contains(&format!("PERF_RECORD_{kind}")), "{kind} in {ours}");
    }
    let report = ["report", "-i", "made", "--stdio", "--sort", "comm,dso"];
    let [ours, theirs] = [pmu(), perf()].map(|program| place.text(&program, &report));
    assert_eq!(columns(&ours), columns(&theirs));
    let lost = |text: &str| text.lines().find(|line| line.contains("Lost")).map(String::from);
    assert_eq!(lost(&ours), lost(&theirs));
}

/// What samples have beside code, in each combination that changes a line.
#[test]
fn further_fields() {
    let place = Place::new("further");
    fs::write(place.0.join("made"), recording::further_fields().bytes())
        .expect("it can be written");
    for fields in [
        "comm,tid,time,addr,ip,dso",
        "addr,ip,sym,symoff",
        "addr",
        "time,addr,weight,ins_lat,retire_lat",
        "ip,cgroup,phys_addr,data_page_size,code_page_size",
        "ip,brstack",
        "ip,dso,brstack,addr,cgroup,weight,phys_addr",
        "brstack,code_page_size",
    ] {
        let words = ["script", "-i", "made", "-F", fields];
        let [ours, theirs] = [pmu(), perf()].map(|program| place.text(&program, &words));
        assert!(ours.lines().count() > 10, "{fields}: {ours}");
        assert_eq!(ours, theirs, "{fields}");
    }
    // What no sample has is refused.
    fs::write(place.0.join("none"), recording::Recording::new(0).bytes())
        .expect("it can be written");
    for program in [pmu(), perf()] {
        for field in ["addr", "weight", "phys_addr", "data_page_size"] {
            let output =
                place.run(&program, &["script", "-i", "none", "-F", &format!("ip,{field}")]);
            assert!(!output.status.success(), "{field}: {output:?}");
        }
    }
}

/// The parser of the library beside `perf script -D`: where each record of every kind is, when and
/// on which CPU it was written and, of those that `script` shows no other way, what they say.
#[test]
fn records_as_the_library_parses_them() {
    use pmu_events::sample::{Body, ByteOrder, Layout, Mode};
    const ATTRS: usize = 104;
    const RECORDS: usize = ATTRS + 128 + 16;
    let mut made = recording::Recording::new(0);
    made.map(0, 0x40_0000, 0x1000, 0, "/nowhere/program");
    made.every_kind();
    let bytes = made.bytes();
    let place = Place::new("raw");
    fs::write(place.0.join("made"), &bytes).expect("it can be written");
    let theirs = place.text(&perf(), &["script", "-D", "-i", "made"]);
    let theirs: Vec<&str> =
        theirs.lines().filter(|line| line.contains("]: PERF_RECORD_")).map(str::trim).collect();
    let layout = Layout::of_bytes(&bytes[ATTRS..RECORDS], ByteOrder::NATIVE);
    let (mut at, mut kinds) = (RECORDS, Vec::new());
    for theirs in &theirs {
        let record = layout.parse(&bytes[at..]).expect("it is a record");
        let says = match record.body() {
            Body::Sample(sample) => {
                assert_eq!(record.mode(), Mode::User);
                let [pid, tid] = [sample.pid(), sample.tid()].map(Option::unwrap_or_default);
                let [ip, period] = [sample.ip(), sample.period()].map(Option::unwrap_or_default);
                format!("SAMPLE(IP, 0x2): {pid}/{tid}: {ip:#x} period: {period} addr: 0")
            }
            Body::Lost(lost) => {
                format!("LOST: id:{}: lost:{}", lost.event().unwrap_or(0), lost.lost())
            }
            // It has no id of its own.
            Body::LostSamples(lost) => {
                format!("LOST_SAMPLES: id:{}: lost samples :{}", u64::MAX, lost.lost())
            }
            Body::Throttle(_) => "THROTTLE".into(),
            Body::Unthrottle(_) => "UNTHROTTLE".into(),
            Body::Read(pid, tid, values) => {
                let value = values.iter().next().expect("it has one").value();
                format!("READ: {pid} {tid} cpu-clock:HG {value}")
            }
            Body::Aux(aux) => {
                let (offset, size, flags) = (aux.offset(), aux.size(), aux.flags());
                format!("AUX offset: {offset:#x} size: {size:#x} flags: {flags:#x} [T]")
            }
            Body::TraceStart(pid, tid) => format!("ITRACE_START pid: {pid} tid: {tid}"),
            Body::AuxOutputId(id) => format!("AUX_OUTPUT_HW_ID hw_id: {id:#x}"),
            _ => String::new(),
        };
        let (cpu, time) = (record.stamp().cpu().unwrap_or(9), record.stamp().time().unwrap_or(0));
        let length = record.bytes().len();
        let ours = format!("{cpu} {time} {at:#x} [{length:#x}]: PERF_RECORD_{says}");
        match says.is_empty() {
            true => assert!(theirs.starts_with(&ours), "{theirs} for {ours}"),
            false => assert_eq!(*theirs, ours),
        }
        at += length;
        kinds.push(record.kind());
    }
    assert_eq!(at, bytes.len(), "{theirs:?}");
    kinds.sort();
    kinds.dedup();
    assert_eq!(kinds, (1..=21).collect::<Vec<u32>>());
}

/// Numbers of samples and of events, and fields with a separator, to the last space.
#[test]
fn columns_of_numbers() {
    let mut made = recording::Recording::new(recording::CALLCHAIN);
    made.map(0, 0x40_0000, 0x1000, 0, "/nowhere/program");
    made.map(0, 0x50_0000, 0x1000, 0, "/nowhere/lib,of-a-longer-name");
    for n in 0..30_u64 {
        let address = [0x40_0010, 0x50_0020, 0x40_0010][n as usize % 3];
        made.sample(recording::OF_USER, address, None, &[3, !0x1ff, address, 0x40_0100]);
    }
    let place = Place::new("columns");
    fs::write(place.0.join("made"), made.bytes()).expect("it can be written");
    for options in [
        &["-n", "--no-children"][..],
        &["-n", "--show-total-period", "--no-children"],
        &["-n", "--show-total-period", "--children"],
        &["--children"],
        &["-t", ",", "--no-children"],
        &["-t", "|", "-n", "--show-total-period", "--children"],
        &["-t", ";;", "--show-total-period", "--no-children"],
    ] {
        let words = ["report", "-i", "made", "--stdio", "--sort", "comm,dso"];
        let words = [&words, options, &["-g", "none"]].concat();
        let [ours, theirs] = [pmu(), perf()].map(|program| place.text(&program, &words));
        // perf ends with a tip.
        let theirs = theirs.split("\n\n\n").next().expect("it has a table");
        // The file has no name for its event.
        let of_event = |line: &str| line.split(" of event ").next().map(String::from);
        let lines = |text: &str| -> Vec<String> {
            let lines = text.trim_end().lines().filter_map(of_event);
            lines.map(|line| line.trim_end().to_owned()).collect()
        };
        assert!(lines(&ours).len() > 9, "{options:?}: {ours}");
        assert_eq!(lines(&ours), lines(theirs), "{options:?}");
    }
    // perf shows nothing, and says it with status 0.
    let output = place.run(&pmu(), &["report", "-i", "made", "--stdio", "-t", "."]);
    assert!(!output.status.success(), "{output:?}");
}

/// How call chains are shown.
const STYLES: [&[&str]; 14] = [
    &[],
    &["-g", "caller"],
    &["-g", "graph,5,callee"],
    &["-g", "fractal"],
    &["-g", "fractal,20,caller"],
    &["-g", "flat"],
    &["-g", "flat,3,caller,2"],
    &["-g", "folded,0,caller,count"],
    &["-g", "folded,callee,period", "-t", ","],
    &["-g", "graph,0,2,period"],
    &["-g", "fractal,0,1,count"],
    &["-G", "--percent-limit", "3"],
    &["-g", "address"],
    &["-g", "none"],
];

/// Below which columns they are.
const COLUMNS: [&[&str]; 9] = [
    &["--sort", "comm,dso"],
    &["--sort", "sym"],
    &["--sort", "comm", "-n", "--show-cpu-utilization"],
    &["-F", "overhead,comm"],
    &["-F", "dso,overhead_us,overhead_sys,sample", "-s", "comm"],
    &["-F", "+period,dso", "-s", "comm"],
    &["-F", "overhead_children,cpu,overhead_guest_sys,overhead_guest_us"],
    &["-F", "sym,period"],
    &["-F", "overhead"],
];

/// Call chains below each line, and columns in any order, to the last space: of a file in which no two
/// parts are of the same size, so that there is one order.
#[test]
fn call_chains() {
    let mut made = recording::Recording::new(recording::CALLCHAIN);
    // Where files have the addresses that processes have, because perf shows both.
    made.map(0, 0x40_0000, 0x1000, 0x40_0000, "/nowhere/program");
    made.map(0, 0x50_0000, 0x1000, 0x50_0000, "/nowhere/lib,of-a-longer-name");
    let [a, b, c, d, e, f] = [0x40_0010, 0x40_0120, 0x40_0230, 0x50_0040, 0x50_0150, 0x40_0560_u64];
    let (main, start) = (0x40_0700, 0x50_0800);
    let chains: [&[u64]; 8] = [
        &[a, b, c, main],
        &[a, b, d, main],
        &[a, e, main],
        &[b, c, main],
        &[f, main],
        &[main],
        &[a, b, c, main, start],
        // It calls itself.
        &[b, f, b, f, main, start],
    ];
    for (n, chain) in chains.iter().enumerate() {
        // `PERF_CONTEXT_USER`
        let words = [&[chain.len() as u64 + 1, !0x1ff][..], chain].concat();
        (0..1 << n).for_each(|_| made.sample(recording::OF_USER, chain[0], None, &words));
    }
    let place = Place::new("chains");
    fs::write(place.0.join("made"), made.bytes()).expect("it can be written");
    for columns in COLUMNS {
        for style in STYLES {
            for children in [&[][..], &["--no-children"]] {
                let words = [&["report", "-i", "made", "--stdio"], columns, style, children];
                let words = words.concat();
                let [ours, theirs] = [pmu(), perf()].map(|program| place.text(&program, &words));
                let lines = |text: &str| -> Vec<String> {
                    // perf ends with a tip, and the file has no name for its event.
                    let end = text.find("\n#\n# (").unwrap_or(text.len());
                    // perf does not say whether that is inlined, so that it may be anything.
                    let text = text[..end].replace("[...] (inlined)", "[...]");
                    let lines = text.trim_end_matches('\n').split('\n');
                    lines
                        .filter_map(|line| line.split(" of event ").next().map(String::from))
                        .collect()
                };
                assert!(lines(&ours).len() > 8, "{words:?}: {ours}");
                assert_eq!(lines(&ours), lines(&theirs), "{words:?}");
            }
        }
    }
    // Without call chains, there is nothing to show; perf says it with status 0.
    fs::write(place.0.join("none"), recording::Recording::new(0).bytes())
        .expect("it can be written");
    for style in ["graph", "sideways"] {
        for program in [pmu(), perf()] {
            let words = ["report", "-i", "none", "--stdio", "-g", style];
            let output = place.run(&program, &words);
            let text = String::from_utf8_lossy(&output.stdout);
            assert!(!output.stderr.is_empty() && !text.contains("Samples:"), "{output:?}");
            assert!(program == perf() || !output.status.success(), "{output:?}");
        }
    }
}

/// The same of recordings by both, where parts of the same size have any order. This perf knows no
/// functions of programs.
#[test]
fn call_chains_of_programs() {
    let place = Place::new("chains-of-programs");
    for (n, options) in [
        &["-e", "cpu-clock:u", "-F", "5000", "-g"][..],
        &["-e", "page-faults:u", "-c", "1", "-g"],
        &["-e", "task-clock:u,page-faults:u", "-c", "3000", "-g"],
        &["-e", "page-faults", "-c", "1", "-g"],
    ]
    .iter()
    .enumerate()
    {
        for (name, program) in [("perf", perf()), ("pmu", pmu())] {
            let file = format!("{name}-{n}");
            if !place.record(&program, options, &file, SHORT) {
                continue;
            }
            for style in STYLES {
                let words =
                    ["report", "-i", &file, "--stdio", "--no-children", "--sort", "comm,dso,sym"];
                let words = [&words, style].concat();
                let theirs = place.text(&perf(), &words);
                let ours = place.text(&pmu(), &[&words[..], &["--symfs", "/nowhere"]].concat());
                let (ours, theirs) = (parts(&ours), parts(&theirs));
                // A limit of lines cuts off any of those that are as large.
                let is_cut = style.iter().any(|word| {
                    word.ends_with(",2") || word.contains(",1,") || word.contains(",2,")
                });
                if !is_cut {
                    assert_eq!(ours, theirs, "{file} {words:?}");
                }
                assert!(ours.len() > 10, "{file} {words:?}: {ours:?}");
            }
        }
    }
}

/// The lines of a report with their indentation, in some order.
fn parts(report: &str) -> Vec<String> {
    let end = report.find("\n#\n# (").unwrap_or(report.len());
    let lines = report[..end].lines().map(|line| line.replace('|', " ").trim_end().to_owned());
    let mut lines: Vec<String> = lines.filter(|line| !line.is_empty()).collect();
    lines.sort();
    lines
}

/// The order, the headings and the values of a report; lines of the same share have any order. perf
/// adds a column of instructions per cycle to what has symbols, which needs branches to have values.
fn columns(report: &str) -> Vec<Vec<&str>> {
    let is_meant = |line: &&str| {
        let heads = ["# Overhead", "# Total weight", "# Sort order"];
        heads.iter().any(|head| line.starts_with(head))
            || line.contains('%') && !line.starts_with('#')
    };
    let cells = |line| -> Vec<&'_ str> {
        let cells = str::split(line, "  ").map(|cell| cell.trim().trim_end_matches(",ipc_null"));
        cells.filter(|cell| !["", "IPC", "[IPC Coverage]", "-"].contains(cell)).collect()
    };
    let mut lines: Vec<Vec<&str>> = report.lines().filter(is_meant).map(cells).collect();
    lines.sort();
    lines
}

/// perf names the modules of the kernel after their files, which a guest may lack.
fn without_modules(line: &str) -> &str {
    line.split_once(" (").map_or(line, |(before, _)| before).trim_end()
}

/// A reader that shares no code with either.
#[test]
fn another_reader() {
    let place = Place::new("other");
    for (n, options) in KINDS.iter().enumerate() {
        let file = format!("pmu-{n}");
        if !place.record(&pmu(), options, &file, SHORT) {
            assert!(!place.record(&perf(), options, "none", SHORT), "{options:?}");
            continue;
        }
        let lines = place.text(&pmu(), &["script", "-i", &file, "-F", "time"]);
        let expected: Vec<&str> =
            lines.lines().map(|line| line.trim().trim_end_matches(':')).collect();
        let opened = fs::File::open(place.0.join(&file)).expect("it is there");
        let reader = PerfFileReader::parse_file(std::io::BufReader::new(opened));
        let PerfFileReader { mut perf_file, mut record_iter } = reader.expect("it is a recording");
        let names: Vec<_> =
            perf_file.event_attributes().iter().filter_map(|event| event.name()).collect();
        assert_eq!(names.join(","), options[1].trim_matches(['{', '}']));
        assert!(perf_file.cmdline().expect("it parses").expect("it is there").len() > 3);
        assert!(perf_file.build_ids().expect("they parse").len() > 1, "{options:?}");
        let mut times = Vec::new();
        while let Some(record) = record_iter.next_record(&mut perf_file).expect("it parses") {
            let PerfFileRecord::EventRecord { record, .. } = record else { continue };
            if let EventRecord::Sample(sample) = record.parse().expect("it parses") {
                let time = sample.timestamp.expect("it has a time");
                times.push(format!("{}.{:06}", time / 1_000_000_000, time / 1000 % 1_000_000));
            }
        }
        assert_eq!(times, expected, "{options:?}");
    }
}

/// The shares of two loops of known length, as `pmu record` and `perf record` see them in runs that
/// alternate. Of N samples, a share p has a standard deviation of √(p(1-p)/N); four of them are
/// allowed, and 1 % for what the two loops do not have in common.
#[test]
fn shares_of_two_loops() {
    let place = Place::new("shares");
    let options = ["-e", "task-clock:u", "-c", "50000"];
    for round in 0..2 {
        for (name, program) in [("pmu", pmu()), ("perf", perf())] {
            let file = format!("{name}-{round}");
            if !place.record(&program, &options, &file, LONG) {
                assert!(!place.record(&pmu(), &options, "none", LONG));
                return;
            }
            let report = ["report", "-i", &file, "--csv", "--sort", "function"];
            let report = place.text(&pmu(), &report);
            let samples = |function: &str| -> f64 {
                let line = report.lines().find(|line| line.split(',').nth(4) == Some(function));
                let line = line.unwrap_or_else(|| panic!("{function} in {report}"));
                line.split(',').nth(2).and_then(|field| field.parse().ok()).expect("a number")
            };
            let (short, long) = (samples("short_loop"), samples("long_loop"));
            let (all, expected) = (short + long, 0.25);
            let bound = 4.0 * f64::sqrt(expected * (1.0 - expected) / all) + 0.01;
            let share = short / all;
            assert!(all > 100.0, "{report}");
            assert!((share - expected).abs() < bound, "{file}: {share} of {all} ± {bound}");
        }
    }
}
