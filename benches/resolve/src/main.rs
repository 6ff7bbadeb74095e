//! Measures one run of everything, and prints `key<TAB>value`. `./compare`
//! runs it several times.

#[path = "../../common/allocations.rs"]
mod allocations;
mod libpfm;
#[allow(dead_code)]
#[path = "../../../tests/machines/mod.rs"]
mod machines;
#[path = "../../common/processor_time.rs"]
mod processor_time;
mod turns;

use std::ffi::CString;
use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Stdio};

use perf_event::events::Dynamic;
use pmu_events::__private::event_list::TermList;
use pmu_events::format::{Format, Word, Words};
use pmu_events::sysfs::{OVERRIDE, Pmu, Sysfs};
use pmu_events::term::Terms;
use pmu_events::{Model, System, builtin, config};

use machines::Machine;
use turns::measure;

mod x86 {
    pmu_events::pmu_events!("../../arch/x86", models = ["sapphirerapids"]);
}

#[global_allocator]
static ALLOCATOR: allocations::Counting = allocations::Counting;

const OURS: &str = "ours";
const LIBPFM: &str = "libpfm4";
const PERF_EVENT: &str = "perf-event2";

fn main() {
    let argument = std::env::args().nth(1);
    assert!(libpfm::initialize(), "libpfm4 knows the PMU that LIBPFM_FORCE_PMU names");
    match argument.as_deref() {
        None => everything(),
        Some("libpfm4") => libpfm_alone(x86::SAPPHIRERAPIDS),
        Some(_) => {
            eprintln!("usage: pmu-events-resolve-bench [libpfm4]");
            std::process::exit(2);
        }
    }
}

fn everything() {
    let machine = machine();
    let system = machine.system().with_model(x86::SAPPHIRERAPIDS);
    let sysfs = system.sysfs();
    // So that formats and events are known.
    ask_everything(sysfs);
    words(x86::SAPPHIRERAPIDS, sysfs);
    texts(x86::SAPPHIRERAPIDS);
    scan(machine.root());
    whole_strings(&system);
    from_nothing();
}

/// Sapphire Rapids has 57 PMUs in a socket of the made-up machine; with three
/// more CHAs it has 60.
fn machine() -> Machine {
    let mut text = include_str!("../../../tests/machines/sapphirerapids.txt").to_owned();
    for n in 4..7 {
        text.push_str(&format!("uncore_cha_{n}\t=uncore_cha_0\n"));
    }
    Machine::of(&text)
}

/// A name and the words of `perf_event_attr`, the formats being known.
fn words(model: Model, sysfs: &Sysfs) {
    let cpu = sysfs.core_pmus().next().expect("the machine has a core PMU");
    let mut names = Vec::new();
    let (mut core_events, mut equal) = (0, 0);
    for event in model.events().filter(|event| event.pmu() == "default_core") {
        core_events += 1;
        // Those that both sides have. libpfm writes `event:umask` and takes a
        // full stop as well.
        let name = event.name().to_ascii_lowercase();
        let for_c = CString::new(name.as_str()).expect("a name has no NUL");
        if let Some(theirs) = libpfm::config(&for_c) {
            let encoded = event.encode(builtin::INTEL).expect("events of the tree encode");
            assert_eq!(on(model, cpu, &name), total(encoded.words()));
            equal += u32::from(encoded.words().config() == theirs);
            names.push((name, for_c));
        }
    }
    println!("core_events\t{core_events}\nshared_names\t{}\nequal_words\t{equal}", names.len());
    assert!(names.len() > 50, "libpfm4 has none of these events: is LIBPFM_FORCE_PMU set?");
    shuffle(&mut names);

    let sum = |word: &dyn Fn(&str) -> u64| names.iter().map(|(name, _)| word(name)).sum();
    let built_in = |name: &str| {
        let event = black_box(model).event(name).expect("the model has it");
        let encoded = event.encode(builtin::INTEL).expect("it encodes");
        encoded.words().config() ^ encoded.words().get(Word::Config1)
    };
    let theirs = || names.iter().map(|(_, name)| libpfm::config(name).unwrap_or(0)).sum();
    let ops = names.len();
    measure("words", ops, &[(OURS, &|| sum(&built_in)), (LIBPFM, &theirs)]);
    measure("words_sysfs", ops, &[(OURS, &|| sum(&|name| on(black_box(model), cpu, name)))]);
    one("words_any", &names, "inst_retired.any", built_in);
    one("words_miss", &names, "longest_lat_cache.miss", built_in);
}

/// The same names by the tables of another CPU.
fn libpfm_alone(model: Model) {
    let names = model.events().filter(|event| event.pmu() == "default_core").filter_map(|event| {
        let name = CString::new(event.name().to_ascii_lowercase()).ok()?;
        libpfm::config(&name).map(|_| name)
    });
    let mut names: Vec<CString> = names.collect();
    shuffle(&mut names);
    println!("other_names\t{}", names.len());
    let all = || names.iter().map(|name| libpfm::config(name).unwrap_or(0)).sum();
    measure("other_words", names.len(), &[(LIBPFM, &all)]);
}

/// One name alone.
fn one(figure: &str, names: &[(String, CString)], name: &str, ours: impl Fn(&str) -> u64) {
    let (name, for_c) = names.iter().find(|(known, _)| known == name).expect("both have it");
    let theirs = || libpfm::config(black_box(for_c)).unwrap_or(0);
    measure(figure, 1, &[(OURS, &|| ours(black_box(name))), (LIBPFM, &theirs)]);
}

/// By the formats that sysfs said.
fn on(model: Model, cpu: &Pmu, name: &str) -> u64 {
    let event = model.event(name).expect("the model has it");
    let encoded = config::encode_with(event.terms(), |term| cpu.format(term));
    total(encoded.expect("it encodes").words())
}

fn total(words: Words) -> u64 {
    words.iter().map(|(_, bits)| bits).sum()
}

fn shuffle<T>(items: &mut [T]) {
    let mut x: u64 = 1;
    for n in (1..items.len()).rev() {
        x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        items.swap(n, (x >> 33) as usize % (n + 1));
    }
}

/// Event strings and format files, parsed.
fn texts(model: Model) {
    let lists: Vec<&str> = model.events().map(|event| event.event_string()).collect();
    let terms = lists.iter().map(|list| Terms::new(list).count()).sum::<usize>();
    println!("term_lists\t{}\nterms\t{terms}", lists.len());
    let walk = || {
        let numbers = |list: &&str| -> u64 {
            Terms::new(black_box(list)).map(|term| term.number().unwrap_or(0)).sum()
        };
        lists.iter().map(numbers).sum()
    };
    let check = || {
        let is_fine = |list: &&&str| Terms::check_as_perf(black_box(list)).is_ok();
        lists.iter().filter(is_fine).count() as u64
    };
    let parse = || {
        let is_list = |list: &&&str| TermList::parse(black_box(list)).is_ok();
        lists.iter().filter(is_list).count() as u64
    };
    measure("term_list", lists.len(), &[(OURS, &walk)]);
    measure("term_list_checked", lists.len(), &[(OURS, &check)]);
    measure("term_list_of_a_person", lists.len(), &[(OURS, &parse)]);
    // perf's own five, of `tests/pmu.c`.
    let files = [
        "config:0-1,62-63\n",
        "config:10-17\n",
        "config:5\n",
        "config1:0,2,4,6,8,20-28\n",
        "config2:0-3,10-13,20-23,30-33,40-43,50-53,60-63\n",
    ];
    let formats = || {
        let mask = |file: &&str| Format::parse(black_box(file)).map_or(0, Format::mask);
        files.iter().map(mask).fold(0, |all, mask| all ^ mask)
    };
    measure("format_file", files.len(), &[(OURS, &formats)]);
}

fn ask_everything(sysfs: &Sysfs) -> u64 {
    let ask = |pmu: &Pmu| {
        let names = (pmu.identifier().map(str::len), pmu.alias_name().map(str::len));
        black_box((names, pmu.cpus().is_ok(), pmu.is_uncore()));
        pmu.type_().unwrap_or(0) as usize + pmu.formats().count() + pmu.caps().count()
    };
    sysfs.pmus().iter().map(ask).sum::<usize>() as u64
}

/// A machine's directory, read anew each time.
fn scan(root: &Path) {
    let sysfs = Sysfs::at(root);
    println!("pmus\t{}", sysfs.pmus().len());
    assert_eq!(sysfs.pmus().len(), 60);
    measure("pmus_listed", 1, &[(OURS, &|| Sysfs::at(root).pmus().len() as u64)]);
    measure("pmus_scanned", 1, &[(OURS, &|| ask_everything(&Sysfs::at(root)))]);
    if let Some(perf) = std::env::var_os("BENCH_PERF") {
        scan_by_perf(Path::new(&perf), root);
    }

    // perf-event2 reads a PMU's type and formats when a builder is made; it
    // knows one range a term.
    let readable: Vec<&Path> =
        sysfs.pmus().iter().map(Pmu::path).filter(|path| Dynamic::builder(path).is_ok()).collect();
    println!("readable_pmus\t{}", readable.len());
    assert!(!readable.is_empty(), "perf-event2 reads a PMU");
    let names: Vec<&str> = readable
        .iter()
        .map(|path| path.file_name().and_then(|name| name.to_str()).expect("it has a name"))
        .collect();
    let ours = || {
        let of_one = |name: &&str| {
            let sysfs = Sysfs::at(root);
            let pmu = sysfs.pmu(name).expect("the machine has it");
            u64::from(pmu.type_().unwrap_or(0)) + pmu.formats().count() as u64
        };
        names.iter().map(of_one).sum()
    };
    let theirs = || {
        let fields = |path: &&Path| Dynamic::builder(path).map_or(0, |b| b.fields().count());
        readable.iter().map(fields).sum::<usize>() as u64
    };
    measure("formats", readable.len(), &[(OURS, &ours), (PERF_EVENT, &theirs)]);

    for (figure, name) in [("events_cpu", "cpu"), ("events_msr", "msr")] {
        let events = sysfs.pmu(name).expect("the machine has it").events().count();
        println!("{figure}\t{events}");
        // Found anew by each call, which is not what is measured.
        let found = || Sysfs::at(root).pmu(name).map_or(0, |pmu| pmu.name().len() as u64);
        let read = || Sysfs::at(root).pmu(name).map_or(0, |pmu| pmu.events().count() as u64);
        measure(figure, 1, &[("found", &found), (OURS, &read)]);
    }
}

/// perf's own benchmark, since 6.4: type, formats, CPUs, capabilities and what
/// else it wants of each PMU. It scans the core PMUs as often as all of them,
/// which is a small part of the whole and counted here.
fn scan_by_perf(perf: &Path, root: &Path) {
    const SCANS: u32 = 200;
    let scan = |times: u32| {
        let before = turns::of_children();
        let status = Command::new(perf)
            .args(["bench", "internals", "pmu-scan", "--iterations", &times.to_string()])
            .env(OVERRIDE, root)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .expect("perf runs");
        assert!(status.success(), "perf has `bench internals pmu-scan`");
        turns::of_children() - before
    };
    // perf starts once, too.
    let once = scan(1);
    let took = scan(1 + SCANS).saturating_sub(once) / SCANS;
    println!("perf.pmus_scanned_ns\t{}", took.as_nanos());
}

/// Whole strings, on the machine whose files have been read.
fn whole_strings(system: &System) {
    let cases = [
        ("resolve_name", "inst_retired.any"),
        ("resolve_terms", "cpu/event=0x3c,umask=0x1/u"),
        ("resolve_group", "{cycles,instructions}:u"),
        ("resolve_uncore", "uncore_cha/event=0x50,umask=0x3/"),
        ("resolve_sysfs", "msr/tsc/"),
    ];
    for (figure, text) in cases {
        let events = system.require(text).expect("it resolves").events().len();
        println!("{figure}_events\t{events}\n{figure}_text\t{text}");
        let ours = || {
            let resolved = system.require(black_box(text)).expect("it resolves");
            resolved.events().iter().map(|one| one.words().config()).sum()
        };
        if text == "inst_retired.any" {
            let theirs = || libpfm::config(black_box(c"inst_retired.any")).unwrap_or(0);
            measure(figure, 1, &[(OURS, &ours), (LIBPFM, &theirs)]);
        } else {
            measure(figure, 1, &[(OURS, &ours)]);
        }
    }
}

/// One event of the real machine, of which nothing has been read.
fn from_nothing() {
    let ours = || {
        let system = System::at("/sys").without_tables();
        let resolved = system.require("msr/tsc/").expect("the machine has an msr PMU");
        resolved.events().iter().map(|one| one.words().config() + u64::from(one.type_())).sum()
    };
    let theirs = || {
        let mut builder = Dynamic::builder("msr").expect("the machine has an msr PMU");
        let event = builder.event("tsc").expect("it has a tsc").build().expect("it has no fields");
        black_box(event);
        0
    };
    let pmus = Sysfs::at("/sys").pmus().len();
    if Path::new("/sys/bus/event_source/devices/msr/events/tsc").exists() {
        println!("real_pmus\t{pmus}");
        measure("from_nothing", 1, &[(OURS, &ours), (PERF_EVENT, &theirs)]);
    }
}
