//! What `register::intel` writes for the events of `arch/x86`: the vendor's codes, on the
//! counters that the vendor says.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use pmu_events::arch::x86;
use pmu_events::event::{CounterConstraint, Encoding};
use pmu_events::register::intel::{ProgrammableCounter, counters, program, program_with};
use pmu_events::register::{Control, ErrorKind};
use pmu_events::{Event, Tree, builtin, pmu};
use pmu_events_compiler::{Options, Source, compile};
use serde_json::Value;

use ProgrammableCounter::{Fixed, General};

/// User and kernel mode, and the enable bit of a selector.
const CONTROL: u64 = 0x43_0000;

/// The value of the selector or, of a fixed counter, its bits of `IA32_FIXED_CTR_CTRL`;
/// `Err` has the counters that can count the event.
fn value(event: Event, counter: ProgrammableCounter) -> Result<u64, CounterConstraint> {
    let program = match program(event, counter, Control::COUNT) {
        Ok(program) => program,
        Err(error) => match error.counters() {
            Some(counters) => return Err(counters),
            None => panic!("{}: {error}", event.name()),
        },
    };
    let (register, shift) = match counter {
        General(n) => (0x186 + u32::from(n), 0),
        Fixed(n) => (0x38d, 4 * n),
    };
    let mut writes = program.as_slice().iter();
    let write = writes.find(|write| write.register() == register).expect("the register is written");
    Ok(write.value() >> shift)
}

fn event(model: &str, pmu: &str, name: &str) -> Event {
    let model = x86::TREE.model_named(model).expect(model);
    let mut events = model.events().filter(|event| event.pmu() == pmu);
    events.find(|event| event.name().eq_ignore_ascii_case(name)).expect(name)
}

/// General counters that count `CPU_CLK_UNHALTED.REF`, by the vendor's lists.
const REFERENCE: [(&str, &str, u8); 8] = [
    ("silvermont", "default_core", 2),
    ("knightslanding", "default_core", 2),
    ("goldmont", "default_core", 4),
    ("goldmontplus", "default_core", 4),
    ("snowridgex", "default_core", 4),
    ("elkhartlake", "default_core", 4),
    ("alderlake", "cpu_atom", 6),
    ("alderlaken", "default_core", 6),
];

const NEHALEMS: [&str; 5] =
    ["nehalemep", "nehalemex", "westmereep-dp", "westmereep-sp", "westmereex"];

#[test]
fn reference_cycles_of_a_general_counter() {
    for (model, pmu, number) in REFERENCE {
        let event = event(model, pmu, "CPU_CLK_UNHALTED.REF");
        for n in 0..number {
            assert_eq!(value(event, General(n)), Ok(0x43_013c), "{model} {n}");
        }
        for other in [General(number), Fixed(0), Fixed(1), Fixed(2)] {
            assert_eq!(value(event, other), Err(event.counters()), "{model} {other:?}");
        }
        let differs = event.perf_differs().expect(model);
        assert!(differs.changes_count() && differs.has_fixed_string(), "{model}");
        assert_eq!(differs.event_string(), "event=0x0,umask=0x03,period=2000003", "{model}");
        assert_eq!(
            differs.to_string(),
            "perf counts event=0x0,umask=0x03,period=2000003 under this name, \
             not the vendor's event=0x3c,period=2000003,umask=1",
            "{model}"
        );
        // What perf counts, only the fixed counter of the reference cycles counts.
        let of_perf = event.with_encoding(Encoding::Perf);
        assert_eq!(of_perf.vendor_event_string(), of_perf.event_string());
        assert_eq!(counters(of_perf), CounterConstraint::Fixed(Some(2)), "{model}");
        assert_eq!(value(of_perf, Fixed(2)), Ok(0b11), "{model}");
        assert_eq!(value(of_perf, General(0)), Err(counters(of_perf)), "{model}");
    }
}

#[test]
fn retired_instructions_of_nehalem() {
    for model in NEHALEMS {
        let event = event(model, "default_core", "INST_RETIRED.ANY_P");
        for n in 0..4 {
            assert_eq!(value(event, General(n)), Ok(0x43_01c0), "{model} {n}");
        }
        for other in [General(4), Fixed(0)] {
            assert_eq!(value(event, other), Err(event.counters()), "{model} {other:?}");
        }
        assert_eq!(event.event_string(), "event=0xc0,period=2000003", "{model}");
        let of_perf = event.with_encoding(Encoding::Perf);
        assert_eq!(value(of_perf, General(0)), Ok(0x43_00c0), "{model}");
        // Both codes are of the same architectural event.
        assert!(event.perf_differs().is_none_or(|differs| !differs.changes_count()), "{model}");
    }
}

/// Fixed counters have no code; the architectural events among theirs have one on general
/// counters.
#[test]
fn events_of_fixed_counters() {
    let fixed = |n| Err(CounterConstraint::Fixed(Some(n)));
    let cases = [
        ("nehalemep", "INST_RETIRED.ANY", Fixed(0), Ok(0b11)),
        ("nehalemep", "INST_RETIRED.ANY", General(1), Ok(0x43_00c0)),
        ("nehalemep", "CPU_CLK_UNHALTED.THREAD", Fixed(1), Ok(0b11)),
        ("nehalemep", "CPU_CLK_UNHALTED.REF", Fixed(2), Ok(0b11)),
        ("nehalemep", "CPU_CLK_UNHALTED.REF", General(0), fixed(2)),
        ("bonnell", "CPU_CLK_UNHALTED.CORE", Fixed(1), Ok(0b11)),
        ("bonnell", "CPU_CLK_UNHALTED.CORE", General(0), Ok(0x43_003c)),
        ("bonnell", "CPU_CLK_UNHALTED.REF", Fixed(2), Ok(0b11)),
        ("bonnell", "CPU_CLK_UNHALTED.REF", General(0), fixed(2)),
        ("silvermont", "INST_RETIRED.ANY", Fixed(0), Ok(0b11)),
        ("silvermont", "INST_RETIRED.ANY_P", General(0), Ok(0x43_00c0)),
        ("silvermont", "INST_RETIRED.ANY_P", Fixed(0), Ok(0b11)),
        ("goldmont", "CPU_CLK_UNHALTED.REF_TSC", Fixed(2), Ok(0b11)),
        ("goldmont", "CPU_CLK_UNHALTED.REF_TSC", General(0), fixed(2)),
        ("skylake", "CPU_CLK_UNHALTED.THREAD_ANY", Fixed(1), Ok(0b111)),
        ("skylake", "CPU_CLK_UNHALTED.THREAD_ANY", General(0), Ok(0x63_003c)),
        ("icelake", "INST_RETIRED.PREC_DIST", General(0), fixed(0)),
        ("icelake", "TOPDOWN.SLOTS", Fixed(3), Ok(0b11)),
    ];
    for (model, name, counter, expected) in cases {
        let event = event(model, "default_core", name);
        assert_eq!(value(event, counter), expected, "{model} {name} {counter:?}");
        assert_eq!(event.vendor_event_string(), event.event_string(), "{model} {name}");
    }
}

/// Only these names hide a code.
#[test]
fn few_events_have_a_code_beside_their_string() {
    let differs = |event: &Event| event.vendor_event_string() != event.event_string();
    let of_model = |model: pmu_events::Model| {
        let events = model.events().filter(differs);
        events.map(move |event| format!("{} {} {}", model.name(), event.pmu(), event.name()))
    };
    let found: BTreeSet<String> = x86::TREE.models().flat_map(of_model).collect();
    let reference = REFERENCE.map(|(model, pmu, _)| format!("{model} {pmu} CPU_CLK_UNHALTED.REF"));
    let retired = NEHALEMS.map(|model| format!("{model} default_core INST_RETIRED.ANY_P"));
    assert_eq!(found, reference.into_iter().chain(retired).collect());
}

/// A tree of the user's: what it does not say of counters, the codes do.
#[test]
fn a_tree_without_counters() {
    const EVENTS: &str = r#"[
        {"EventName": "CPU_CLK_UNHALTED.REF", "EventCode": "0x3c", "UMask": "0x1"},
        {"EventName": "CPU_CLK_UNHALTED.REF_TSC", "UMask": "0x3"},
        {"EventName": "INST_RETIRED.ANY", "UMask": "0x1"}
    ]"#;
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("registers-without-counters");
    fs::create_dir_all(root.join("acme")).expect("it is made");
    let map = "Family-model,Version,Filename,EventType\nacme-1,v1,acme,core\n";
    fs::write(root.join("mapfile.csv"), map).expect("it is written");
    fs::write(root.join("acme/events.json"), EVENTS).expect("it is written");
    let options = Options::default();
    let compiled = compile(&Source::read(&root, "acme", &options), &options).expect("it compiles");
    let tree: &'static Tree =
        Box::leak(Box::new(Tree::new(compiled.strings.leak(), compiled.tables.leak())));
    let model = tree.model_named("acme").expect("it is there");
    let unstated = Err(CounterConstraint::Unstated);
    let fixed = |n| Err(CounterConstraint::Fixed(Some(n)));
    for (name, counter, expected) in [
        ("CPU_CLK_UNHALTED.REF", General(7), Ok(0x43_013c)),
        ("CPU_CLK_UNHALTED.REF", Fixed(2), unstated),
        ("CPU_CLK_UNHALTED.REF_TSC", General(0), fixed(2)),
        ("CPU_CLK_UNHALTED.REF_TSC", Fixed(2), Ok(0b11)),
        ("INST_RETIRED.ANY", General(0), Ok(0x43_00c0)),
        ("INST_RETIRED.ANY", Fixed(0), Ok(0b11)),
        ("INST_RETIRED.ANY", Fixed(1), unstated),
    ] {
        let event = model.event(name).expect(name);
        assert_eq!(value(event, counter), expected, "{name} {counter:?}");
    }
}

/// An event of the tree's files.
struct Entry {
    fields: BTreeMap<String, String>,
}

impl Entry {
    fn text(&self, key: &str) -> &str {
        self.fields.get(key).map_or("", String::as_str)
    }

    /// The first of several numbers; 0 if there is none.
    fn number(&self, key: &str) -> u64 {
        let text = self.text(key).split(',').next().unwrap_or_default().trim();
        let number = match text.to_ascii_lowercase().strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16),
            None if text.is_empty() => Ok(0),
            None => text.parse(),
        };
        number.unwrap_or_else(|_| panic!("{key} is {text}"))
    }

    /// The bits of a selector (Intel SDM, volume 3, “Architectural Performance
    /// Monitoring”).
    fn select(&self) -> u64 {
        let umask = self.number("UMask");
        self.number("EventCode")
            | (umask & 0xff) << 8
            | self.number("EdgeDetect") << 18
            | self.number("AnyThread") << 21
            | self.number("Invert") << 23
            | self.number("CounterMask") << 24
            | umask >> 8 << 40
    }

    /// The general counters, or none if a fixed one counts the event. Architectural events,
    /// which state none, have all.
    fn general(&self) -> Option<BTreeSet<u8>> {
        let text = self.text("Counter");
        if text.is_empty() {
            return Some((0..8).collect());
        }
        if text.starts_with("Fixed") {
            return None;
        }
        Some(text.split(',').map(|number| number.parse().expect(text)).collect())
    }
}

/// The objects of the files of a directory.
fn objects(directory: &Path) -> Vec<Entry> {
    let mut files: Vec<PathBuf> = fs::read_dir(directory)
        .expect("it is a directory")
        .map(|file| file.unwrap().path())
        .collect();
    files.sort();
    let mut all = Vec::new();
    for file in files.iter().filter(|file| file.extension().is_some_and(|end| end == "json")) {
        let text = fs::read_to_string(file).expect("it can be read");
        let json: Value = serde_json::from_str(&text).expect("it is JSON");
        for object in json.as_array().into_iter().flatten() {
            let fields = object.as_object().expect("it is an object").iter();
            let text =
                |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let fields = fields.map(|(key, value)| (key.clone(), text(value))).collect();
            all.push(Entry { fields });
        }
    }
    all
}

/// The architecture standard events, by their names.
type Standards = BTreeMap<String, Entry>;

/// The events of cores of a model: PMU, name in lower case, and what they are.
fn entries(root: &Path, model: &str, standards: &Standards) -> Vec<(String, String, Entry)> {
    let mut all = Vec::new();
    for mut entry in objects(&root.join(model)) {
        if let Some(reference) = entry.fields.get("ArchStdEvent").cloned() {
            for (key, value) in &standards[&reference].fields {
                entry.fields.entry(key.clone()).or_insert_with(|| value.clone());
            }
        }
        let pmu = match entry.text("Unit") {
            "" => "default_core".to_owned(),
            unit => unit.to_owned(),
        };
        if !entry.text("EventName").is_empty() && pmu::is_core(&pmu) {
            all.push((pmu, entry.text("EventName").to_ascii_lowercase(), entry));
        }
    }
    all
}

/// For every event of every Intel core: general counters get the code of the event's own
/// fields, with the register that refines it, and no other counter than those of its
/// fields gets anything. What a fixed counter counts, a general one counts by its
/// architectural code or not at all.
#[test]
fn nothing_but_the_code_of_an_entry() {
    const ARCHITECTURAL: [(&str, u64); 4] = [
        ("inst_retired.any", 0xc0),
        ("cpu_clk_unhalted.core", 0x3c),
        ("cpu_clk_unhalted.thread", 0x3c),
        ("cpu_clk_unhalted.thread_any", 1 << 21 | 0x3c),
    ];
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("arch/x86");
    let standards: Standards = objects(&root)
        .into_iter()
        .map(|entry| (entry.text("EventName").to_owned(), entry))
        .collect();
    let (mut programs, mut unencodable) = (0, Vec::new());
    for model in x86::TREE.models().filter(|model| !model.name().starts_with("amd")) {
        let entries = entries(&root, model.name(), &standards);
        let by_name: BTreeMap<(&str, String), Event> = model
            .events()
            .map(|event| ((event.pmu(), event.name().to_ascii_lowercase()), event))
            .collect();
        for (pmu, name, entry) in &entries {
            let event = by_name[&(pmu.as_str(), name.clone())];
            let select = match entry.general() {
                Some(_) => Some(entry.select()),
                None => ARCHITECTURAL.iter().find(|(known, _)| known == name).map(|one| one.1),
            };
            let formats =
                if entry.number("UMask") > 0xff { builtin::INTEL_V6 } else { builtin::INTEL };
            let msr = entry.number("MSRIndex");
            for n in 0..8 {
                let place = format!("{} {pmu} {name} on {n}", model.name());
                let can = entry.general().is_none_or(|all| all.contains(&n));
                let written = match program_with(event, formats, General(n), Control::COUNT) {
                    Ok(program) => program,
                    Err(error) => match error.kind() {
                        ErrorKind::Counters => {
                            assert!(!can || select.is_none(), "{place}: {error}");
                            continue;
                        }
                        ErrorKind::Terms => {
                            unencodable.push(name.clone());
                            break;
                        }
                        kind => panic!("{place}: {kind:?}"),
                    },
                };
                assert!(can, "{place}");
                let select = select.unwrap_or_else(|| panic!("{place}: there is no code"));
                let mut expected = Vec::new();
                if msr != 0 {
                    expected.push((msr, entry.number("MSRValue"), u64::MAX));
                }
                expected.push((0x186 + u64::from(n), select | CONTROL, u64::MAX));
                expected.push((0x38f, 1 << n, 1 << n));
                let written = written.as_slice().iter();
                let written: Vec<_> = written
                    .map(|write| (u64::from(write.register()), write.value(), write.mask()))
                    .collect();
                assert_eq!(written, expected, "{place}");
                programs += 1;
            }
        }
    }
    assert!(programs > 80_000, "{programs}");
    // perf has no value for the threshold of the former, and builtin no format for the
    // registers of the latter.
    let expected = |name: &String| {
        name == "mem_inst_retired.latency_above_threshold_0"
            || name.starts_with("mem_load_l2_miss_retired.")
    };
    assert!(unencodable.iter().all(expected), "{unencodable:?}");
    assert_eq!(unencodable.len(), 9);
}
