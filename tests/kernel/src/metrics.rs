//! Metrics under made-up assignments, ours and those of `metric_values.py`.

use std::collections::HashMap;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{fs, ptr, thread};

use pmu_events::__private::expr::{LITERALS, literal_name};
use pmu_events::event_list::Tool;
use pmu_events::expr::{EventValue, Identifier, Machine};
use pmu_events::{Metric, Model};
use serde_json::json;

use crate::Arch;
use crate::formulas::{Files, Written};
use crate::tables::models;

/// Under how many assignments each formula is evaluated.
pub const ROWS: usize = 1000;

/// What was compared.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Metrics.
    pub metrics: usize,
    /// Thresholds.
    pub thresholds: usize,
    /// Values that were NaN, on both sides.
    pub nan: usize,
    /// All values.
    pub values: usize,
}

/// Evaluates every metric and threshold of an architecture under [`ROWS`]
/// assignments and compares with the script, which has the formulas of the files in
/// `directory`. `Err` has the first differences.
///
/// # Panics
///
/// When the script cannot be run.
pub fn compare(arch: &Arch, directory: &Path, scratch: &Path) -> Result<Compared, String> {
    let models: Vec<Model> = models(arch).map(|(_, model)| model).collect();
    let files = Files::read(arch, directory);
    let theirs = run_script(arch.name, &files, &models, scratch);
    let mut theirs =
        theirs.chunks_exact(8).map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap()));
    let mut compared = Compared::default();
    let mut columns = Columns::default();
    let mut wrong = Vec::new();
    for model in &models {
        for metric in model.metrics() {
            columns.add(metric);
            let mut formula = |what: &str, value: &dyn Fn(usize, &Columns) -> f64| {
                for row in 0..ROWS {
                    let ours = value(row, &columns);
                    let Some(theirs) = theirs.next() else {
                        wrong.push("the script wrote too little".to_owned());
                        return;
                    };
                    compared.values += 1;
                    compared.nan += usize::from(ours.is_nan() && theirs.is_nan());
                    if !are_equal(ours, theirs) && wrong.len() < 20 {
                        let name = metric.name();
                        wrong.push(format!(
                            "{} {name} {what} row {row}: ours {ours}, theirs {theirs}",
                            model.name()
                        ));
                    }
                }
            };
            compared.metrics += 1;
            formula("value", &|row, columns| {
                metric.unscaled_on(&columns.machine(row), |event| columns.reading(event, row))
            });
            if metric.threshold().is_some() {
                compared.thresholds += 1;
                formula("threshold", &|row, columns| {
                    metric.threshold_value_on(&columns.machine(row), |event| {
                        columns.reading(event, row)
                    })
                });
            }
        }
    }
    if theirs.next().is_some() {
        wrong.push("the script wrote too much".to_owned());
    }
    if wrong.is_empty() { Ok(compared) } else { Err(wrong.join("\n")) }
}

/// To one part in 10¹²; NaN only where the other is.
fn are_equal(ours: f64, theirs: f64) -> bool {
    ours == theirs
        || ours.is_nan() && theirs.is_nan()
        || (ours - theirs).abs() <= 1e-12 * ours.abs().max(theirs.abs())
}

fn run_script(arch: &str, files: &Files, models: &[Model], scratch: &Path) -> Vec<u8> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("metric_values.py");
    let out = scratch.join(format!("{arch}.{}.values", std::process::id()));
    let mut run = Command::new("python3")
        .arg(&script)
        .arg(ROWS.to_string())
        .arg(&out)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("python3 cannot be run: {error}"));
    let mut stdin = run.stdin.take().expect("it is a pipe");
    thread::scope(|scope| {
        scope.spawn(move || {
            for model in models {
                // When the script dies, its status says so.
                let _ = writeln!(stdin, "{}", described(*model, files));
            }
        });
    });
    let status = run.wait().expect("it was started");
    assert!(status.success(), "{} fails on {arch}", script.display());
    let values = fs::read(&out).unwrap_or_else(|error| panic!("{}: {error}", out.display()));
    let _ = fs::remove_file(&out);
    values
}

fn described(model: Model, files: &Files) -> serde_json::Value {
    let metric = |metric: Metric| {
        let Written { expression, threshold } = files.of(model, metric);
        json!({
            "name": metric.name(),
            "pmu": metric.pmu(),
            "expression": expression,
            "threshold": threshold,
        })
    };
    let events: Vec<_> = model.events().map(|event| [event.pmu(), event.name()]).collect();
    let metrics: Vec<_> = model.metrics().map(metric).collect();
    json!({ "model": model.name(), "events": events, "metrics": metrics })
}

/// The values of each identifier, by where its text stands in the tree: one a
/// row.
#[derive(Default)]
struct Columns {
    by_address: HashMap<*const str, Vec<EventValue>>,
    by_literal: HashMap<Tool, Vec<f64>>,
}

impl Columns {
    /// Sees to it that everything that a metric asks for is there.
    fn add(&mut self, metric: Metric) {
        let asked = std::cell::RefCell::new(Vec::new());
        let seen = |event: Identifier<'static>| {
            asked.borrow_mut().push(event);
            1.0
        };
        metric.unscaled_on(&AllKnown, seen);
        metric.threshold_value_on(&AllKnown, seen);
        for event in asked.into_inner() {
            self.by_address.entry(ptr::from_ref(event.as_str())).or_insert_with(|| {
                // As the script has it.
                let name = event.as_str().replace('/', "@").to_ascii_lowercase();
                let of_row = |row| {
                    EventValue::from(value_of(mixed(&name, row, 0)))
                        .with_sources((mixed(&name, row, 1) % 9) as f64)
                        .with_aggregated((mixed(&name, row, 2) % 9) as f64)
                };
                (0..ROWS).map(of_row).collect()
            });
        }
        for &literal in LITERALS {
            self.by_literal.entry(literal).or_insert_with(|| {
                (0..ROWS).map(|row| value_of(mixed(literal_name(literal), row, 0))).collect()
            });
        }
    }

    fn reading(&self, event: Identifier<'_>, row: usize) -> EventValue {
        self.by_address[&ptr::from_ref(event.as_str())][row]
    }

    fn machine(&self, row: usize) -> MadeUp<'_> {
        MadeUp { columns: self, row }
    }
}

/// A machine that answers everything, so that nothing stops a formula.
struct AllKnown;

impl Machine for AllKnown {
    fn literal(&self, _: Tool) -> f64 {
        1.0
    }

    fn cpuid_matches(&self, _: Identifier<'_>) -> Option<bool> {
        Some(true)
    }
}

struct MadeUp<'c> {
    columns: &'c Columns,
    row: usize,
}

impl Machine for MadeUp<'_> {
    fn literal(&self, literal: Tool) -> f64 {
        self.columns.by_literal[&literal][self.row]
    }

    fn cpuid_matches(&self, cpuid: Identifier<'_>) -> Option<bool> {
        Some(mixed(&cpuid.to_string().to_ascii_lowercase(), self.row, 0) & 1 == 1)
    }
}

/// As the script's.
fn mixed(name: &str, row: usize, salt: u64) -> u64 {
    let mut bits: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in name.bytes() {
        bits = (bits ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    }
    let row = (row as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = bits.wrapping_add(row).wrapping_add(salt);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// As the script's.
fn value_of(bits: u64) -> f64 {
    let rest = bits >> 5;
    match bits & 31 {
        0 => 0.0,
        1 if rest & 3 == 0 => f64::NAN,
        1 => 1.0,
        2 if rest & 7 == 0 => f64::INFINITY,
        2 => (rest & 0xff_ffff_ffff) as f64,
        3..8 => (rest % 7) as f64,
        8..16 => (rest % 1000) as f64 / 1024.0,
        16 => -((rest % 1000) as f64),
        _ => (rest % 1_000_000_000) as f64,
    }
}
