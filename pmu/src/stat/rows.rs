//! The final contents of a line: of one read, or of several runs.

use std::borrow::Cow;
use std::time::Duration;

use pmu_events::__private::measure::RawCount;
use pmu_events::measure;
use pmu_events::open::{Cgroup, LackingInstance, Outcome, Reading};

use crate::stat::aggregation::{Level, Unit, Units};
use crate::stat::derived::{Derived, Known, Others};
use crate::stat::form::Form;
use crate::stat::lines::{Gained, LineId, Lines, Shown};
use crate::stat::metrics::Bound;
use crate::stat::statistics::Statistics;

/// One line of the output.
pub(crate) struct Row<'l> {
    /// The unit that it shows, if there are several.
    pub(crate) place: Option<Unit>,
    /// How the unit is named.
    pub(crate) label: String,
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
    /// Whether it had a counter all the time.
    pub(crate) is_whole: bool,
    /// What the value lacks.
    pub(crate) lacking: Vec<LackingInstance>,
    /// The deviation of several runs, in %.
    pub(crate) noise: Option<f64>,
    pub(crate) derived: Vec<Derived>,
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
    label: String,
    line: LineId,
    value: Statistics,
    enabled: Statistics,
    running: Statistics,
    is_supported: bool,
    parts: usize,
    lacking: Vec<LackingInstance>,
}

impl Gathered {
    /// Whether it has no line, because it is 0: a thread of the system that has not run, and,
    /// for perf, a time that the program measures itself (`should_skip_zero_counter` in
    /// `tools/perf/util/stat-display.c`).
    fn is_left_out(&self, lines: &Lines, form: &Form) -> bool {
        let may_be = form.hides_idle_threads && self.unit.is_some()
            || form.is_perf() && lines[self.line].is_of_program();
        may_be && self.value.mean() == 0.0
    }

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
    /// The time of each, in seconds.
    pub(crate) each: Vec<f64>,
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

    /// The counts of a file.
    pub(crate) fn of_counts(
        lines: &Lines,
        units: &Units,
        elapsed: Duration,
        gained: impl Fn(LineId) -> Gained,
    ) -> Runs {
        let mut runs = Runs::default();
        runs.add_each(lines, elapsed, units, |id| lines[id].of_counts(&gained(id), units));
        runs
    }

    pub(crate) fn add(
        &mut self,
        lines: &Lines,
        reading: &Reading,
        elapsed: Duration,
        units: &Units,
    ) {
        self.add_each(lines, elapsed, units, |id| lines[id].shown(reading, units));
    }

    fn add_each(
        &mut self,
        lines: &Lines,
        elapsed: Duration,
        units: &Units,
        each: impl Fn(LineId) -> Vec<Shown>,
    ) {
        self.elapsed.add(elapsed.as_secs_f64());
        self.each.push(elapsed.as_secs_f64());
        for id in lines.ids() {
            let line = &lines[id];
            for shown in each(id) {
                let is_this = |g: &Gathered| (g.line, g.unit) == (id, shown.unit);
                let at = self.gathered.iter().position(is_this).unwrap_or_else(|| {
                    self.gathered.push(Gathered {
                        unit: shown.unit,
                        label: shown.unit.map(|unit| units.label(unit)).unwrap_or_default(),
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

    /// perf measures on the first unit what is the same on each.
    fn put_on_first_unit(&self, rows: &mut [Row<'_>], lines: &Lines, form: &Form) {
        let placed = self.gathered.iter().filter_map(|one| Some((one.unit?, &one.label)));
        let Some((unit, label)) = placed.min_by_key(|(unit, _)| *unit) else { return };
        let shown = self.gathered.iter().filter(|one| !one.is_left_out(lines, form));
        for (row, gathered) in rows.iter_mut().zip(shown) {
            if gathered.unit.is_none() && lines[gathered.line].is_everywhere() {
                (row.place, row.label, row.parts) = (Some(unit), label.clone(), 1);
            }
        }
    }

    pub(crate) fn rows<'l>(
        &self,
        lines: &'l Lines,
        metrics: &'l Bound<'_>,
        form: &Form,
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
            // A task that has not run: perf does not tell it from one without a counter.
            let is_idle = form.is_perf() && (enabled == 0.0 || running == 0.0);
            let value = match (gathered.is_supported, gathered.value.is_empty() || is_idle) {
                (false, _) => Value::NotSupported,
                (true, true) => Value::NotCounted,
                (true, false) => Value::Number(mean * line.scale, line.scale.fract() != 0.0),
            };
            let others = Others { values: &values, elapsed };
            Row {
                place: gathered.unit,
                label: gathered.label.clone(),
                parts: gathered.parts,
                name: match form.is_perf() && form.level == Level::Cpu {
                    true => &line.name_on_pmu,
                    false => &line.name,
                },
                cgroup: has_cgroups
                    .then(|| line.cgroup.as_ref().map(Cgroup::name).unwrap_or_default()),
                unit: &line.unit,
                running,
                share: gathered.share(enabled, running),
                lacking: gathered.lacking.clone(),
                is_whole: running >= enabled,
                noise: form.has_noise().then(|| gathered.value.noise()),
                derived: match (value, gathered.lacking.is_empty()) {
                    (Value::Number(..), true) if form.is_perf() => {
                        others.derive_as_perf(line.known(mean))
                    }
                    (Value::Number(..), true) => {
                        let derived = others.derive(line.known(mean));
                        let all = derived.map(|(value, unit)| Derived { value: Some(value), unit });
                        all.into_iter().collect()
                    }
                    _ => Vec::new(),
                },
                metrics: metrics
                    .iter()
                    .filter(|metric| metric.line() == Some(gathered.line))
                    .map(|metric| metric.value(|line| self.reading(line, gathered.unit, lines)))
                    .collect(),
                value,
            }
        };
        let shown = self.gathered.iter().filter(|one| !one.is_left_out(lines, form));
        let mut rows: Vec<Row<'l>> = shown.map(row).collect();
        if form.is_perf() && form.level.is_of_cpus() {
            self.put_on_first_unit(&mut rows, lines, form);
        }
        if form.level.is_by_unit() {
            rows.sort_by_key(|row| (row.place.is_none(), row.place));
        }
        rows
    }
}
