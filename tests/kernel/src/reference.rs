//! What jevents makes of an architecture.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Map, Value};

/// A directory's table: whether it is a sys table, and the model's directory.
pub type Key = (bool, String);

/// The tables of one architecture, as `jevents_tables.py` writes them.
#[derive(Debug, Default)]
pub struct Tables {
    /// Events, in jevents' order. The objects have the keys of the script, less
    /// those that say which table they belong to.
    pub events: BTreeMap<Key, Vec<Value>>,
    /// Metrics likewise.
    pub metrics: BTreeMap<Key, Vec<Value>>,
    /// Pattern and model of each row, in order.
    pub rows: Vec<(String, String)>,
    /// Names and descriptions of metric groups.
    pub groups: BTreeMap<String, Value>,
}

/// The versions of jevents that differ in what they keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// That of Linux 6.12, and those before.
    Of6_12,
    /// Those that know retirement latencies and `DefaultShowEvents`.
    Later,
}

impl Tables {
    /// Which jevents made them.
    #[must_use]
    pub fn version(&self) -> Version {
        let is_later =
            |entry: &Value| entry.get("retirement_latency").or(entry.get("shows_events")).is_some();
        match self.events.values().chain(self.metrics.values()).flatten().any(is_later) {
            true => Version::Later,
            false => Version::Of6_12,
        }
    }

    /// How many events there are.
    #[must_use]
    pub fn event_count(&self) -> usize {
        self.events.values().map(Vec::len).sum()
    }

    /// How many metrics there are.
    #[must_use]
    pub fn metric_count(&self) -> usize {
        self.metrics.values().map(Vec::len).sum()
    }

    /// How many directories have a sys table.
    #[must_use]
    pub fn sys_count(&self) -> usize {
        self.keys().filter(|(sys, _)| *sys).count()
    }

    /// Every directory with events or metrics.
    pub fn keys(&self) -> impl Iterator<Item = &Key> {
        let only_metrics = self.metrics.keys().filter(|key| !self.events.contains_key(*key));
        self.events.keys().chain(only_metrics)
    }
}

/// Runs the kernel's `jevents.py` on one architecture of the directory
/// `arch_dir`. `scratch` is a directory to write into.
///
/// # Panics
///
/// When Python, the script or its output is not what it should be: a
/// comparison that cannot run must not pass.
#[must_use]
pub fn run(kernel: &Path, arch_dir: &Path, arch: &str, scratch: &Path) -> Tables {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("jevents_tables.py");
    // Tests run at the same time, in one process and in several.
    static RUNS: AtomicU32 = AtomicU32::new(0);
    let number = RUNS.fetch_add(1, Ordering::Relaxed);
    let out = scratch.join(format!("{arch}.{}.{number}.jsonl", std::process::id()));
    let run = Command::new("python3")
        // jevents reads its input in the locale's encoding.
        .args(["-X", "utf8"])
        .arg(&script)
        .arg("--arch-dir")
        .args([arch_dir, kernel])
        .arg(arch)
        .arg(&out)
        .output()
        .unwrap_or_else(|error| panic!("python3 cannot be run: {error}"));
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "jevents.py fails on {arch}:\n{said}");
    let text = std::fs::read_to_string(&out)
        .unwrap_or_else(|error| panic!("{} cannot be read: {error}", out.display()));
    let _ = std::fs::remove_file(&out);
    let mut tables = Tables::default();
    for line in text.lines() {
        match serde_json::from_str(line) {
            Ok(Value::Object(line)) => tables.add(line),
            other => panic!("{}: no object: {other:?}", script.display()),
        }
    }
    tables
}

impl Tables {
    fn add(&mut self, mut line: Map<String, Value>) {
        let kind = take_string(&mut line, "kind");
        match kind.as_str() {
            "event" | "metric" => {
                let model = take_string(&mut line, "model");
                take_string(&mut line, "table");
                let sys = line.remove("sys") == Some(Value::Bool(true));
                let of_kind = if kind == "event" { &mut self.events } else { &mut self.metrics };
                of_kind.entry((sys, model)).or_default().push(Value::Object(line));
            }
            "row" => {
                let pattern = take_string(&mut line, "cpuid");
                self.rows.push((pattern, take_string(&mut line, "model")));
            }
            "group" => {
                let name = take_string(&mut line, "name");
                self.groups.insert(name, line.remove("description").unwrap_or_default());
            }
            other => panic!("jevents_tables.py writes lines of an unknown kind, {other}"),
        }
    }
}

fn take_string(line: &mut Map<String, Value>, key: &str) -> String {
    match line.remove(key) {
        Some(Value::String(text)) => text,
        other => panic!("jevents_tables.py: {key} is {other:?} in {line:?}"),
    }
}
