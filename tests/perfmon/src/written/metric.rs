//! Metrics of perfmon's files.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;

use pmu_events_core::Model;
use pmu_events_core::event_list::Tool;
use pmu_events_core::expr::Machine as _;
use serde_json::Value;

use super::{counts, expression};
use crate::situations::Run;

/// The metrics of one model.
pub(super) struct File {
    pub(super) model: String,
    /// Whether they are those of one kind of its cores.
    pub(super) is_hybrid: bool,
    pub(super) metrics: Vec<Metric>,
    /// Values of `BaseFormula`, as written and with others in it, by run and name.
    bases: RefCell<HashMap<(bool, String, String), f64>>,
}

/// The values that some metrics have instead of theirs.
pub(super) type Others<'o> = Option<&'o dyn Fn(&str) -> Option<f64>>;

/// A metric as the file has it.
pub(super) struct Metric {
    name: String,
    is_percent: bool,
    is_of_tree: bool,
    formula: String,
    base: Option<String>,
    events: BTreeMap<String, String>,
    constants: BTreeMap<String, String>,
}

/// The files that the map file names, each model's once.
pub(super) fn files(perfmon: &Path) -> Result<Vec<File>, String> {
    let read = |path: &Path| {
        fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let map = read(&perfmon.join("mapfile.csv"))?;
    let mut names: Vec<&str> = map
        .lines()
        .map(|row| row.split(',').collect::<Vec<&str>>())
        .filter(|row| row.get(3) == Some(&"metrics"))
        .map(|row| row[2].trim_start_matches('/'))
        .collect();
    names.sort_unstable();
    names.dedup();
    let mut files = Vec::new();
    for name in names {
        let text = read(&perfmon.join(name))?;
        let json: Value =
            serde_json::from_str(&text).map_err(|error| format!("{name}: {error}"))?;
        let list = json.get("Metrics").unwrap_or(&json).as_array();
        let list = list.ok_or_else(|| format!("{name}: there are no metrics"))?;
        // The name of the file is `model_metrics.json`, or `model_metrics_kind_core.json`.
        let file = name.rsplit('/').next().unwrap_or(name);
        let (model, kind) = file.split_once("_metrics").unwrap_or((file, ""));
        let metrics: Option<Vec<Metric>> = list.iter().map(Metric::of).collect();
        files.push(File {
            model: model.to_owned(),
            is_hybrid: kind != ".json",
            bases: RefCell::default(),
            metrics: metrics.ok_or_else(|| format!("{name}: a metric lacks a field"))?,
        });
    }
    Ok(files)
}

impl File {
    fn find(&self, tree_name: &str) -> Option<&Metric> {
        self.metrics.iter().find(|metric| metric.tree_name().eq_ignore_ascii_case(tree_name))
    }
}

impl Metric {
    fn of(json: &Value) -> Option<Self> {
        let text = |key: &str| json.get(key).and_then(Value::as_str).map(str::to_owned);
        let named = |key: &str| {
            let list = json.get(key).and_then(Value::as_array).into_iter().flatten();
            let pair = |one: &Value| {
                let text = |key: &str| one.get(key).and_then(Value::as_str).map(str::to_owned);
                Some((text("Alias")?, text("Name")?))
            };
            list.map(pair).collect::<Option<BTreeMap<String, String>>>()
        };
        Some(Metric {
            name: text("MetricName")?,
            is_percent: text("UnitOfMeasure").as_deref() == Some("percent"),
            is_of_tree: text("Category").is_some_and(|category| category.contains("TMA")),
            formula: text("Formula")?,
            base: text("BaseFormula").filter(|base| !base.is_empty()),
            events: named("Events")?,
            constants: named("Constants")?,
        })
    }

    /// The name that perf has.
    pub(super) fn tree_name(&self) -> String {
        match self.is_of_tree {
            true => format!("tma_{}", self.name.replace(' ', "_").to_ascii_lowercase()),
            false => self.name.clone(),
        }
    }

    pub(super) fn has_base(&self) -> bool {
        self.base.is_some()
    }

    /// The value of `Formula`.
    pub(super) fn value(&self, file: &File, run: &Run, model: Model) -> Result<f64, String> {
        expression::value(&self.formula, &mut |alias| {
            // `a[0]` is one unit of several that count the same.
            let alias = alias.split('[').next().unwrap_or(alias);
            if let Some(event) = self.events.get(alias) {
                return counts::count(event, file.pmu(), model, run);
            }
            let constant = self.constants.get(alias).map_or(alias, String::as_str);
            self.constant(constant, run)
        })
    }

    /// The value of `BaseFormula` in the unit of `Formula`, which has per cent where the
    /// other has a share. `others` may have a value for a metric that it refers to.
    pub(super) fn base_value(
        &self,
        file: &File,
        run: &Run,
        model: Model,
        others: Others<'_>,
    ) -> Result<f64, String> {
        let value = self.base_share(file, run, model, others, 0)?;
        Ok(if self.is_percent { 100.0 * value } else { value })
    }

    fn base_share(
        &self,
        file: &File,
        run: &Run,
        model: Model,
        others: Others<'_>,
        depth: usize,
    ) -> Result<f64, String> {
        let base = self.base.as_deref().ok_or_else(|| format!("{} has no base", self.name))?;
        if depth > 50 {
            return Err(format!("{} refers to itself", self.name));
        }
        let key = (others.is_some(), format!("{run:?}"), self.name.clone());
        if let Some(&known) = file.bases.borrow().get(&key) {
            return Ok(known);
        }
        let value = expression::value(base, &mut |name| match name {
            "smt_on" => Ok(run.literal(Tool::SmtOn)),
            "num_cpus" => Ok(run.literal(Tool::NumCpus)),
            "duration_time" => Ok(run.seconds()),
            _ => match (file.find(name), others.and_then(|others| others(name))) {
                (_, Some(value)) => Ok(value),
                (Some(metric), _) => metric.base_share(file, run, model, others, depth + 1),
                (None, _) => counts::count(name, file.pmu(), model, run),
            },
        })?;
        file.bases.borrow_mut().insert(key, value);
        Ok(value)
    }

    fn constant(&self, name: &str, run: &Run) -> Result<f64, String> {
        let has_siblings = run.literal(Tool::SmtOn) != 0.0;
        Ok(match name.to_ascii_uppercase().as_str() {
            // The top-down method means ticks: it does not divide them by a time.
            "SYSTEM_TSC_FREQ" if self.is_of_tree => {
                run.literal(Tool::SystemTscFreq) * run.seconds()
            }
            "SYSTEM_TSC_FREQ" => run.literal(Tool::SystemTscFreq),
            "SOCKET_COUNT" => run.literal(Tool::NumPackages),
            "HYPERTHREADING_ON" => run.literal(Tool::SmtOn),
            "THREADS_PER_CORE" => 1.0 + f64::from(u8::from(has_siblings)),
            "CORES_PER_SOCKET" => run.literal(Tool::NumCores) / run.literal(Tool::NumPackages),
            "SYSTEM.SOCKETS[0].CPUS.COUNT * SYSTEM.SOCKET_COUNT" => run.literal(Tool::NumCpus),
            "DURATIONTIMEINMILLISECONDS" => 1000.0 * run.seconds(),
            "DURATIONTIMEINSECONDS" => run.seconds(),
            "CHAS_PER_SOCKET" => run.sources(),
            number => number.parse().map_err(|_| format!("unknown constant `{name}`"))?,
        })
    }
}

impl File {
    fn pmu(&self) -> &'static str {
        if self.is_hybrid { super::PCORE } else { "" }
    }
}
