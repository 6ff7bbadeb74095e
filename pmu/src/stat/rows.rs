//! The final contents of a line: of one read, or of several runs.

use std::borrow::Cow;
use std::time::Duration;

use pmu_events::__private::measure::RawCount;
use pmu_events::measure;
use pmu_events::open::{Cgroup, LackingInstance, Outcome, Reading};

use crate::stat::aggregation::{Level, Unit, Units};
use crate::stat::args::Args;
use crate::stat::derived::{Known, Others};
use crate::stat::lines::{LineId, Lines};
use crate::stat::metrics::Bound;
use crate::stat::statistics::Statistics;

/// One line of the output.
pub(crate) struct Row<'l> {
    /// The unit that it shows, if there are several.
    pub(crate) place: Option<Unit>,
    /// The number of counts in it.
    pub(crate) parts: usize,
    pub(crate) name: &'l str,
    /// The control group, if any line has one; empty for everything.
    pub(crate) cgroup: Option<Cow<'l, str>>,
    pub(crate) unit: &'l str,
    pub(crate) value: Value,
    /// Nanoseconds in which it had a counter.
    pub(crate) running: f64,
    /// The share of the time and, if counts are lacking, of the counts, in %.
    pub(crate) share: f64,
    /// What the value lacks.
    pub(crate) lacking: Vec<LackingInstance>,
    /// The deviation of several runs, in %.
    pub(crate) noise: Option<f64>,
    pub(crate) derived: Option<(f64, String)>,
    /// The metrics shown next to it.
    pub(crate) metrics: Vec<measure::Value<'l>>,
}

#[derive(Clone, Copy)]
pub(crate) enum Value {
    /// The scaled value, and whether it has decimals.
    Number(f64, bool),
    NotCounted,
    NotSupported,
}

impl Value {
    /// perf's two words.
    pub(crate) fn word(self) -> Option<&'static str> {
        match self {
            Value::Number(..) => None,
            Value::NotCounted => Some("<not counted>"),
            Value::NotSupported => Some("<not supported>"),
        }
    }
}

/// One line of one unit, over all runs.
struct Gathered {
    unit: Option<Unit>,
    line: LineId,
    value: Statistics,
    enabled: Statistics,
    running: Statistics,
    is_supported: bool,
    parts: usize,
    lacking: Vec<LackingInstance>,
}

impl Gathered {
    /// In %. A count that is lacking has had no time.
    fn share(&self, enabled: f64, running: f64) -> f64 {
        let of_time = if running >= enabled { 1.0 } else { running / enabled };
        let lacking = self.lacking.len() as f64;
        let counted = (self.parts as f64).max(1.0);
        100.0 * of_time * counted / (counted + lacking)
    }
}

/// All runs so far.
#[derive(Default)]
pub(crate) struct Runs {
    gathered: Vec<Gathered>,
    pub(crate) elapsed: Statistics,
}

impl Runs {
    pub(crate) fn of_one(
        lines: &Lines,
        reading: &Reading,
        elapsed: Duration,
        units: &Units,
    ) -> Runs {
        let mut runs = Runs::default();
        runs.add(lines, reading, elapsed, units);
        runs
    }

    pub(crate) fn add(
        &mut self,
        lines: &Lines,
        reading: &Reading,
        elapsed: Duration,
        units: &Units,
    ) {
        self.elapsed.add(elapsed.as_secs_f64());
        for id in lines.ids() {
            let line = &lines[id];
            for shown in line.shown(reading, units) {
                let is_this = |g: &Gathered| (g.line, g.unit) == (id, shown.unit);
                let at = self.gathered.iter().position(is_this).unwrap_or_else(|| {
                    self.gathered.push(Gathered {
                        unit: shown.unit,
                        line: id,
                        value: Statistics::default(),
                        enabled: Statistics::default(),
                        running: Statistics::default(),
                        is_supported: false,
                        parts: 0,
                        lacking: Vec::new(),
                    });
                    self.gathered.len() - 1
                });
                let gathered = &mut self.gathered[at];
                gathered.parts = gathered.parts.max(shown.parts);
                gathered.is_supported |= shown.outcome != Outcome::NotSupported;
                for lacking in shown.lacking {
                    if !gathered.lacking.contains(&lacking) {
                        gathered.lacking.push(lacking);
                    }
                }
                // A run without a number does not affect the mean.
                if let Some(total) = shown.outcome.known() {
                    gathered.value.add(line.number(total.value()));
                    gathered.enabled.add(total.time_enabled() as f64);
                    gathered.running.add(total.time_running() as f64);
                }
            }
        }
    }

    /// The value of a line for metrics of one unit, or of everything. What is the same for
    /// each unit is that of everything; other counts that belong to no unit have no value in
    /// one. A sum that lacks something has none.
    fn reading(&self, line: LineId, unit: Option<Unit>, lines: &Lines) -> Option<RawCount> {
        let unit = unit.filter(|_| !lines[line].is_everywhere());
        let mut gathered = self.gathered.iter().filter(|g| (g.line, g.unit) == (line, unit));
        let gathered = gathered.next().filter(|g| !g.value.is_empty())?;
        if !gathered.lacking.is_empty() {
            return None;
        }
        let count = RawCount::new(gathered.value.mean(), lines[line].clock());
        let sources = lines[line].sources() as f64;
        Some(count.with_sources(sources).with_aggregated(gathered.parts as f64))
    }

    pub(crate) fn rows<'l>(
        &self,
        lines: &'l Lines,
        metrics: &'l Bound<'_>,
        args: &Args,
    ) -> Vec<Row<'l>> {
        let elapsed = Duration::from_secs_f64(self.elapsed.mean());
        let has_cgroups = lines.iter().any(|line| line.cgroup.is_some());
        let metrics = metrics.on(lines);
        let row = |gathered: &Gathered| {
            let line = &lines[gathered.line];
            let values: Vec<Known> = self
                .gathered
                .iter()
                .filter(|other| other.unit == gathered.unit && !other.value.is_empty())
                .filter(|other| other.lacking.is_empty())
                .filter(|other| lines[other.line].cgroup == line.cgroup)
                .map(|other| lines[other.line].known(other.value.mean()))
                .collect();
            let mean = gathered.value.mean();
            let (enabled, running) = (gathered.enabled.mean(), gathered.running.mean());
            let value = match (gathered.is_supported, gathered.value.is_empty()) {
                (false, _) => Value::NotSupported,
                (true, true) => Value::NotCounted,
                (true, false) => Value::Number(mean * line.scale, line.scale.fract() != 0.0),
            };
            let others = Others { values: &values, elapsed };
            Row {
                place: gathered.unit,
                parts: gathered.parts,
                name: &line.name,
                cgroup: has_cgroups
                    .then(|| line.cgroup.as_ref().map(Cgroup::name).unwrap_or_default()),
                unit: &line.unit,
                running,
                share: gathered.share(enabled, running),
                lacking: gathered.lacking.clone(),
                noise: args.repeat.is_mean().then(|| gathered.value.noise()),
                derived: match value {
                    Value::Number(..) if gathered.lacking.is_empty() => {
                        others.derive(line.known(mean))
                    }
                    _ => None,
                },
                metrics: metrics
                    .iter()
                    .filter(|metric| metric.line() == Some(gathered.line))
                    .map(|metric| metric.value(|line| self.reading(line, gathered.unit, lines)))
                    .collect(),
                value,
            }
        };
        let mut rows: Vec<Row<'l>> = self.gathered.iter().map(row).collect();
        // Lines of a CPU follow their event, others their unit (`evlist__print_counters`
        // in `tools/perf/util/stat-display.c`).
        if args.level != Level::Cpu {
            rows.sort_by_key(|row| (row.place.is_none(), row.place));
        }
        rows
    }
}
