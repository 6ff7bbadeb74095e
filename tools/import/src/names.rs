//! The names that metrics may use.

use std::collections::{BTreeSet, HashMap, HashSet};

use pmu_events_core::__private::name;
use pmu_events_core::__private::{expr, pmu, provided};

use crate::problem::{Problem, Problems};
use crate::record::Record;

/// The names that metrics of a table may use.
#[derive(Debug)]
pub struct Names {
    /// PMUs of each event, by name in lower case.
    events: HashMap<String, Vec<String>>,
    metrics: HashSet<String>,
    /// PMUs that have events here, and `cpu` for the core's.
    pmus: HashSet<String>,
    /// The PMUs of the cores of a hybrid CPU.
    cores: BTreeSet<String>,
    /// Whether a name counts as known that any driver has.
    with_drivers: bool,
}

impl Names {
    /// Events and metrics of a table.
    pub fn of<'r>(records: impl Iterator<Item = &'r Record>) -> Self {
        let mut names = Names {
            events: HashMap::new(),
            metrics: HashSet::new(),
            pmus: HashSet::from(["cpu".to_owned()]),
            cores: BTreeSet::new(),
            with_drivers: false,
        };
        for record in records {
            if let Some(metric) = record.get("MetricName") {
                names.metrics.insert(metric.to_ascii_lowercase());
            }
            if let Some(event) = record.name() {
                let pmu = pmu_of(record);
                if pmu::is_core(&pmu) && pmu != pmu::DEFAULT_CORE {
                    names.cores.insert(pmu.clone());
                }
                names.pmus.insert(pmu.clone());
                names.events.entry(event.to_ascii_lowercase()).or_default().push(pmu);
            }
        }
        names
    }

    /// Sets whether events of any driver are known. Arm's driver describes the
    /// architecture's events, which files state, too: a model whose files lack one
    /// may lack it, and a metric of the overlay has another formula there. A tree's
    /// own metrics rely on the driver.
    pub fn set_with_drivers(&mut self, with_drivers: bool) {
        self.with_drivers = with_drivers;
    }

    /// Whether an event need not be in a model's files.
    fn is_elsewhere(&self, name: &str) -> bool {
        provided::is_on("x86", name) || self.with_drivers && provided::is_anywhere(name)
    }

    /// A metric that the table gets, by its name in lower case.
    pub fn add_metric(&mut self, name: String) {
        self.metrics.insert(name);
    }

    /// Whether the table has an event.
    #[must_use]
    pub fn has_event(&self, name: &str) -> bool {
        let plain = name.split(':').next().unwrap_or_default();
        self.events.contains_key(&plain.to_ascii_lowercase())
    }

    /// A formula whose events are those of one kind of core of a hybrid CPU.
    #[must_use]
    pub fn on_core(&self, formula: &str, core: &str) -> String {
        let is_of_name = |c: char| c.is_ascii_alphanumeric() || "_.".contains(c);
        let mut out = String::new();
        let mut rest = formula;
        while !rest.is_empty() {
            let end = rest.find(|c| !is_of_name(c)).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            let pmus = self.events.get(&word.to_ascii_lowercase());
            if pmus.is_some_and(|pmus| pmus.iter().any(|pmu| pmu == core)) {
                out.push_str(&format!("{core}@{word}@"));
            } else {
                out.push_str(word);
            }
            let next = after.find(is_of_name).unwrap_or(after.len());
            out.push_str(&after[..next]);
            rest = &after[next..];
        }
        out
    }

    /// The names in a metric's formula and threshold that are unknown. A
    /// malformed formula is reported.
    pub fn unknown(&self, metric: &Record, problems: &mut Problems) -> Vec<String> {
        let mut unknown = Vec::new();
        for key in ["MetricExpr", "MetricThreshold"] {
            let Some(formula) = metric.get(key) else {
                continue;
            };
            let parsed = expr::parse(formula, |item, _| {
                // A question such as has_event() is about names that may be
                // missing.
                if let Some((spelling, None)) = item.identifier()
                    && !spelling.with(|identifier| identifier.has_parameter())
                {
                    let name = spelling.to_string();
                    let is_itself = key == "MetricThreshold"
                        && metric.get("MetricName").is_some_and(|own| name::eq(own, &name));
                    if !is_itself && !self.knows(&name, metric) && !unknown.contains(&name) {
                        unknown.push(name);
                    }
                }
            });
            if let Err(error) = parsed {
                let message = format!("{key}: {} in `{formula}`", error.message());
                let problem = Problem { place: metric.place.clone(), message };
                if !problems.errors.contains(&problem) {
                    problems.errors.push(problem);
                }
            }
        }
        unknown
    }

    fn knows(&self, name: &str, metric: &Record) -> bool {
        let lower = name.to_ascii_lowercase();
        if let Some((pmu, rest)) = lower.split_once('/') {
            let event = rest.split('/').next().unwrap_or_default();
            // Only the running system can judge terms, and PMUs that only sysfs
            // describes.
            return event.contains('=')
                || self.is_elsewhere(event)
                || !self.pmus.contains(pmu)
                || self.events.get(event).is_some_and(|pmus| {
                    pmus.iter().any(|own| own == pmu || (pmu == "cpu" && own == pmu::DEFAULT_CORE))
                });
        }
        // Modifiers follow a colon.
        let plain = lower.split(':').next().unwrap_or_default();
        if self.metrics.contains(&lower) || self.is_elsewhere(plain) {
            return true;
        }
        let Some(pmus) = self.events.get(&lower).or_else(|| self.events.get(plain)) else {
            return false;
        };
        let metric_pmu = pmu_of(metric);
        let is_core = |pmu: &&String| pmu::is_core(pmu);
        if !pmus.iter().any(|pmu| pmu::is_core(pmu)) || pmus.iter().any(|p| p == pmu::DEFAULT_CORE)
        {
            return true;
        }
        // Hybrid: on the metric's own core PMU, otherwise on each.
        if self.cores.contains(&metric_pmu) {
            return pmus.contains(&metric_pmu);
        }
        pmus.iter().filter(is_core).collect::<BTreeSet<_>>().len() == self.cores.len()
    }
}

/// The PMU of a record, as jevents names it.
fn pmu_of(record: &Record) -> String {
    match record.get("Unit") {
        None => pmu::DEFAULT_CORE.to_owned(),
        Some(unit) => pmu::of_unit(unit)
            .map_or_else(|| format!("uncore_{}", unit.to_ascii_lowercase()), str::to_owned),
    }
}
