//! What `peer/peer.c` measures, asked of our tables: the same keys in the same
//! order, the same rounds, the same lines of output.
//!
//! ```text
//! measure CPUIDS [CPUID [SMALL_CPUID]]   measure
//! measure sizes                          say how large the tree is
//! ```

use std::fmt::Write;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use pmu_events::Model;
use pmu_events_benches::{TREE, model};

const ROUNDS: usize = 25;
const ROUND: Duration = Duration::from_millis(20);

const DEFAULT_CPUID: &str = "GenuineIntel-6-8F-4";
const SMALL_CPUID: &str = "GenuineIntel-6-37-8";
const SMALL_SUFFIX: &str = "_silvermont";
const MISSING_CPUID: &str = "GenuineIntel-6-FE-1";
const CORE: &str = "default_core";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (cpuids, large, small) = match *arguments {
        ["sizes"] => {
            sizes();
            return ExitCode::SUCCESS;
        }
        [cpuids] => (cpuids, DEFAULT_CPUID, SMALL_CPUID),
        [cpuids, large] => (cpuids, large, SMALL_CPUID),
        [cpuids, large, small] => (cpuids, large, small),
        _ => {
            eprintln!("usage: measure CPUIDS [CPUID [SMALL_CPUID]]\n       measure sizes");
            return ExitCode::from(2);
        }
    };
    let lines = std::fs::read_to_string(cpuids).expect("CPUIDS is a text file");
    let cpuids: Vec<&str> =
        lines.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    // Nothing is measured that does not do what its name says.
    assert_eq!(match_cpuids(&cpuids), cpuids.len() as u64, "a CPUID has no model");
    assert!(model(MISSING_CPUID).is_none(), "{MISSING_CPUID} has a model");

    measure_model(large, "");
    println!("cpuids\t{}", cpuids.len());
    measure("cpuid_matched", "", cpuids.len(), || match_cpuids(&cpuids));
    measure("cpuid_missed", "", 1, || match_cpuids(&[MISSING_CPUID]));
    measure_model(small, SMALL_SUFFIX);
    ExitCode::SUCCESS
}

fn sizes() {
    println!("models\t{}", TREE.models().count());
    println!("events\t{}", TREE.models().map(|model| model.event_count()).sum::<usize>());
    println!("distinct_events\t{}", TREE.events().count());
    println!("tree_bytes\t{}", TREE.size());
}

/// A name to look for, as `peer.c` writes it, and one to look for in vain.
struct Key {
    pmu: &'static str,
    name: String,
    missing: String,
}

/// In the order that `peer.c` describes at its top.
fn keys(model: Model) -> Vec<Key> {
    let mut names: Vec<(&str, String)> =
        model.events().map(|event| (event.pmu(), event.name().to_ascii_lowercase())).collect();
    names.sort();
    let mut x: u64 = 1;
    for i in (1..names.len()).rev() {
        x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        names.swap(i, ((x >> 33) % (i as u64 + 1)) as usize);
    }
    let key = |(pmu, name): (&'static str, String)| {
        let missing = format!("{}~", &name[..name.len() - 1]);
        Key { pmu, name, missing }
    };
    names.into_iter().map(key).collect()
}

fn measure_model(cpuid: &str, suffix: &str) {
    let model = model(cpuid).expect("the CPUID has a model");
    let keys = keys(model);
    for key in &keys {
        let found = model.event_on(key.pmu, &key.name).expect("every name is found");
        assert!(found.pmu() == key.pmu && found.name().eq_ignore_ascii_case(&key.name));
    }
    assert_eq!(miss_names(model, &keys) + miss_names_core(model, &keys), 0);

    println!("pmus{suffix}\t{}", model.pmus().count());
    println!("events{suffix}\t{}", keys.len());
    println!("visit_sum{suffix}\t{}", visit_events(model));
    measure("name_found", suffix, keys.len(), || find_names(model, &keys));
    measure("name_found_on_pmu", suffix, keys.len(), || find_names_on_pmus(model, &keys));
    measure("name_missed", suffix, keys.len(), || miss_names(model, &keys));
    measure("name_missed_core", suffix, keys.len(), || miss_names_core(model, &keys));
    measure("event_visited", suffix, keys.len(), || visit_events(model));
    measure("event_displayed", suffix, keys.len(), || display_events(model));
    measure("cpuid_own", suffix, 1, || match_cpuids(&[cpuid]));
}

/// Prints the minimum and the median over the rounds of the time of one of the
/// `ops` of a pass.
fn measure(key: &str, suffix: &str, ops: usize, pass: impl Fn() -> u64) {
    let time = |passes: u32| {
        let start = Instant::now();
        for _ in 0..passes {
            black_box(pass());
        }
        start.elapsed()
    };
    let mut passes = 1;
    while time(passes) < ROUND {
        passes *= 2;
    }
    let per_op = f64::from(passes) * ops as f64;
    let mut rounds = [(); ROUNDS].map(|()| time(passes).as_secs_f64() * 1e9 / per_op);
    rounds.sort_by(f64::total_cmp);
    println!("{key}_ns{suffix}\t{:.2}", rounds[0]);
    println!("{key}_median_ns{suffix}\t{:.2}", rounds[ROUNDS / 2]);
}

fn first(text: &str) -> u64 {
    text.bytes().next().map_or(0, u64::from)
}

fn first_lowered(text: &str) -> u64 {
    text.bytes().next().map_or(0, |byte| byte.to_ascii_lowercase().into())
}

/// As for a name without a PMU, which is more than the peer is asked: it is
/// told the PMU.
fn find_names(model: Model, keys: &[Key]) -> u64 {
    let model = black_box(model);
    let found = keys.iter().filter_map(|key| model.event(&key.name));
    found.map(|event| first(event.name()) + first(event.event_string())).sum()
}

/// What the peer is asked.
fn find_names_on_pmus(model: Model, keys: &[Key]) -> u64 {
    let model = black_box(model);
    let found = keys.iter().filter_map(|key| model.event_on(key.pmu, &key.name));
    found.map(|event| first(event.name()) + first(event.event_string())).sum()
}

/// As for a name without a PMU: whichever PMU has it.
fn miss_names(model: Model, keys: &[Key]) -> u64 {
    let model = black_box(model);
    keys.iter().filter(|key| model.event(&key.missing).is_some()).count() as u64
}

fn miss_names_core(model: Model, keys: &[Key]) -> u64 {
    let model = black_box(model);
    keys.iter().filter(|key| model.event_on(CORE, &key.missing).is_some()).count() as u64
}

/// jevents stores names in lower case; so the sums are the same.
fn visit_events(model: Model) -> u64 {
    let mut sum = 0;
    for event in black_box(model).events() {
        let text = event.description().and_then(|text| text.trimmed().pieces().next());
        sum += first_lowered(event.name())
            + first(event.event_string())
            + first(event.topic())
            + first(text.unwrap_or(""))
            + first(event.pmu())
            + u64::from(event.is_per_package())
            + u64::from(event.is_deprecated());
    }
    sum
}

/// Both descriptions of every event, whole, as perf prints them.
fn display_events(model: Model) -> u64 {
    let mut length = Length(0);
    for event in black_box(model).events() {
        for text in [event.perf_description(), event.perf_long_description()].into_iter().flatten()
        {
            write!(length, "{text}").expect("counting does not fail");
        }
    }
    length.0
}

/// Counts what is written.
struct Length(u64);

impl Write for Length {
    fn write_str(&mut self, piece: &str) -> std::fmt::Result {
        self.0 += black_box(piece).len() as u64;
        Ok(())
    }
}

fn match_cpuids(cpuids: &[&str]) -> u64 {
    cpuids.iter().filter(|cpuid| model(black_box(cpuid)).is_some()).count() as u64
}
