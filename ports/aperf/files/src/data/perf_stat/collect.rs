//! What `perf_stat` collects: the metrics that this CPU has, and the counts of their events.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use anyhow::{Context, Result, bail};
use chrono::Utc;
use exmex::Express;
use indexmap::IndexMap;
use log::{error, info, warn};
use pmu_events::open::{Count, Counters, Options, Reading, Target};
use pmu_events::resolve::Resolution;
use pmu_events::{Metric, Model, Scope, System};

use super::{PerfStatRaw, PmuCollectedData, PmuConfig, get_saved_pmu_config_path};
use crate::UNGROUPED_PMU_MODE;
use crate::data::common::utils::{get_online_cpu_ids, raise_fd_limit};
use crate::data::{CollectData, TimeEnum};
use crate::data_collection::InitParams;

/// The metrics, in the order of a drill-down. Of the formulas, the first one counts whose names
/// are all known on this CPU: quantities of pmu-events, events, or raw codes.
const METRICS: &[(&str, &[&str])] = &[
    ("ipc", &["{common.ipc}"]),
    ("stall-frontend-pkc", &["1000 * {common.frontend_stalls}"]),
    (
        "stall-backend-pkc",
        &[
            "1000 * {common.backend_stalls}",
            "1000 * {TOPDOWN.BACKEND_BOUND_SLOTS} / {TOPDOWN.SLOTS_P}",
            "1000 * {RESOURCE_STALLS.ANY} / {CPU_CLK_UNHALTED.THREAD}",
            "1000 * {de_no_dispatch_per_slot.backend_stalls} / {total_dispatch_slots}",
        ],
    ),
    ("branch-mpki", &["{common.branch_misses_per_kilo_instruction}"]),
    ("inst-l1-mpki", &["{common.l1i_misses_per_kilo_instruction}"]),
    ("inst-tlb-mpki", &["{common.itlb_misses_per_kilo_instruction}"]),
    ("inst-tlb-tw-pki", &["{common.itlb_walks_per_kilo_instruction}"]),
    // An event of Neoverse cores that Arm's lists lack.
    ("code-sparsity", &["1000 * {r11c} / {INST_RETIRED}"]),
    ("data-l1-mpki", &["{common.l1d_misses_per_kilo_instruction}"]),
    ("l2-mpki", &["{common.l2_misses_per_kilo_instruction}"]),
    ("l3-mpki", &["{common.llc_misses_per_kilo_instruction}"]),
    ("data-tlb-mpki", &["{common.dtlb_misses_per_kilo_instruction}"]),
    ("data-tlb-tw-pki", &["{common.dtlb_walks_per_kilo_instruction}"]),
    ("strex-spec-pki", &["1000 * {STREX_SPEC} / {INST_RETIRED}"]),
];

impl PmuConfig {
    /// The metrics that this CPU has, and their events.
    fn of_this_cpu(system: &System) -> Result<Self> {
        let model = system.model().context("no events are known for this CPU")?;
        let (mut events, mut metrics) = (IndexMap::new(), IndexMap::new());
        for (name, formulas) in METRICS {
            let Some(formula) = formulas.iter().find_map(|formula| expand(system, model, formula))
            else {
                info!("{name}: {} has none", model.name());
                continue;
            };
            for event in exmex::parse::<f64>(&formula)?.var_names() {
                events.insert(event.clone(), event.clone());
            }
            metrics.insert(name.to_string(), formula);
        }
        Ok(Self { events, metrics })
    }

    fn chosen(init_params: &InitParams, system: &System) -> Result<Self> {
        let Some(path) = &init_params.pmu_config else { return Self::of_this_cpu(system) };
        // Without the metrics that the user asks for, there is no use in going on.
        let config = Self::from_file(path).unwrap_or_else(|e| {
            error!("{}: {e:#}", path.display());
            std::process::exit(1);
        });
        info!("the PMU configuration is {}", path.display());
        Ok(config)
    }
}

/// Replaces the quantities of a formula by those of their events; none if the CPU lacks a name,
/// or if a formula has what exmex cannot compute.
fn expand(system: &System, model: Model, formula: &str) -> Option<String> {
    let mut expanded = String::new();
    for (number, piece) in formula.split(['{', '}']).enumerate() {
        if number % 2 == 0 {
            expanded += piece;
        } else if let Some(metric) = model.metric(piece) {
            expanded += &format!("({})", expand(system, model, &in_braces(metric))?);
        } else {
            system.resolve(piece).and_then(Resolution::complete).ok()?;
            expanded += &format!("{{{piece}}}");
        }
    }
    exmex::parse::<f64>(&expanded).ok().map(|_| expanded)
}

/// The formula of a metric, each name in braces.
fn in_braces(metric: Metric) -> String {
    let mut formula = metric.expression().to_string();
    let mut names: Vec<_> = metric.expression().names().collect();
    // A name may be a part of a longer one; a number in braces is of none.
    names.sort_by_key(|name| Reverse(name.as_str().len()));
    for (number, name) in names.iter().enumerate() {
        formula = formula.replace(&name.escaped().to_string(), &format!("{{{number}}}"));
    }
    for (number, name) in names.iter().enumerate() {
        formula = formula.replace(&format!("{{{number}}}"), &format!("{{{}}}", name.as_str()));
    }
    formula
}

/// The open counters of all CPUs.
pub struct Collector {
    counters: Counters,
    reading: Reading,
    /// What a line of the data is about: a metric or an event, and its numbers in the list.
    lines: Vec<(String, Range<usize>)>,
    /// The last counts, by number and CPU.
    before: HashMap<(usize, u32), Count>,
}

impl Collector {
    /// Opens the events of each metric as a group, or each event alone. A group that has more events
    /// than the CPU has counters is broken up.
    fn open(system: &System, config: &PmuConfig, grouped: bool) -> Result<Self> {
        let (mut lines, mut list, mut count) = (Vec::new(), Vec::new(), 0);
        let mut add = |name: &str, events: &[&str]| {
            lines.push((name.to_string(), count..count + events.len()));
            list.push(if grouped {
                format!("{{{}}}:W", events.join(","))
            } else {
                events.join(",")
            });
            count += events.len();
        };
        if grouped {
            let formulas = config.get_metric_expressions()?;
            for name in config.metrics.keys() {
                let events = formulas[name].var_names().iter();
                match events
                    .map(|event| config.events.get(event).map(String::as_str).ok_or(event))
                    .collect()
                {
                    Ok::<Vec<_>, _>(events) => add(name, &events),
                    Err(event) => error!("{name} is left out: its event {event} is not defined"),
                }
            }
        } else {
            config.events.iter().for_each(|(name, event)| add(name, &[event]));
        }
        if lines.is_empty() {
            bail!("there is no metric to collect");
        }
        raise_fd_limit((50 + get_online_cpu_ids()?.len() * count) as u64)?;
        let options = Options::new().with_scope(Scope::AllCpus);
        let mut counters = system.open_with(&list.join(","), &options)?;
        let refusals: Vec<_> =
            counters.events().iter().filter_map(|event| event.refusal()).collect();
        if refusals.len() == counters.events().len() {
            bail!("nothing can be counted: {}", refusals[0]);
        }
        refusals.iter().for_each(|refusal| warn!("left out: {refusal}"));
        counters.enable()?;
        let reading = counters.read();
        Ok(Self { counters, reading, lines, before: HashMap::new() })
    }

    /// Reads all counters: for each line and CPU, the counts since the last time, and the times
    /// since the start.
    fn collect(&mut self) -> Vec<PmuCollectedData> {
        self.counters.read_into(&mut self.reading);
        let mut counts = BTreeMap::new();
        for event in self.reading.events() {
            for part in event.parts() {
                if let Target::Cpu(cpu) = part.target() {
                    counts.insert((event.event().number(), cpu), part.count());
                }
            }
        }
        let mut collected = Vec::new();
        for (identifier, numbers) in &self.lines {
            let first = counts.range((numbers.start, 0)..(numbers.start + 1, 0));
            for (&(_, cpu), times) in first {
                let mut line_share = None;
                let values = numbers.clone().map(|number| {
                    let now = *counts.get(&(number, cpu))?;
                    let before = self.before.insert((number, cpu), now).unwrap_or_default();
                    let spent = now.since(&before)?;
                    // The report scales all values of a line by its times. In a group that has been
                    // broken up, each event has times of its own.
                    let share = spent.share()?;
                    let line_share = *line_share.get_or_insert(share);
                    Some(if share == line_share || share == 0.0 {
                        spent.value()
                    } else {
                        (spent.value() as f64 * line_share / share) as u64
                    })
                });
                // A metric of which the CPU counts only a part has no value.
                let Some(counter_values) = values.collect() else { continue };
                collected.push(PmuCollectedData {
                    cpu_id: cpu as usize,
                    identifier: identifier.clone(),
                    counter_values,
                    time_enabled: times.time_enabled() as f64 / 1e9,
                    time_running: times.time_running() as f64 / 1e9,
                });
            }
        }
        collected
    }
}

impl CollectData for PerfStatRaw {
    fn prepare_data_collector(&mut self, init_params: &InitParams) -> Result<()> {
        let system = System::new();
        let config = PmuConfig::chosen(init_params, &system)?;
        config.save_to_file(&get_saved_pmu_config_path(&init_params.run_data_dir))?;
        let grouped = init_params.pmu_counter_mode != UNGROUPED_PMU_MODE;
        self.collector = Some(Collector::open(&system, &config, grouped)?);
        Ok(())
    }

    fn collect_data(&mut self, _init_params: &InitParams) -> Result<()> {
        self.time = TimeEnum::DateTime(Utc::now());
        let collector = self.collector.as_mut().context("the counters are not open")?;
        self.data = collector.collect().into_iter().map(|line| line.to_string() + "\n").collect();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn each_cpu_has_the_metrics_that_its_events_allow() {
        const OF_ARM: [&str; 2] = ["code-sparsity", "strex-spec-pki"];
        let cases: [(_, &[&str]); 9] = [
            ("GenuineIntel-6-55-4", &[]),
            ("GenuineIntel-6-6A-6", &[]),
            ("GenuineIntel-6-8F-4", &[]),
            ("GenuineIntel-6-AD-1", &[]),
            ("AuthenticAMD-23-1-1", &["stall-backend-pkc"]),
            ("AuthenticAMD-23-31-0", &["stall-backend-pkc"]),
            ("AuthenticAMD-25-1-1", &["stall-backend-pkc"]),
            ("AuthenticAMD-25-11-1", &[]),
            ("AuthenticAMD-26-2-1", &[]),
        ];
        for (cpuid, lacking) in cases {
            let system = System::builtin(cpuid, pmu_events::arch::model(cpuid).unwrap());
            let config = PmuConfig::of_this_cpu(&system).unwrap();
            let names = METRICS.iter().map(|(name, _)| *name);
            let missing =
                names.filter(|name| !config.metrics.contains_key(*name) && !OF_ARM.contains(name));
            assert_eq!(missing.collect::<Vec<_>>(), lacking, "{cpuid}");
        }
    }

    /// What every kernel counts, where counting is permitted.
    #[test]
    fn a_line_has_the_counts_since_the_last_one() {
        let named = |names: &[(&str, &str)]| {
            names.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect()
        };
        let config = PmuConfig {
            events: named(&[("clock", "cpu-clock"), ("faults", "page-faults")]),
            metrics: named(&[("rate", "faults / clock"), ("broken", "faults / other")]),
        };
        for grouped in [true, false] {
            let mut collector = match Collector::open(&System::new(), &config, grouped) {
                Ok(collector) => collector,
                Err(e) => {
                    assert!(format!("{e:#}").contains("perf_event"), "{e:#}");
                    continue;
                }
            };
            let cpus = get_online_cpu_ids().unwrap().len();
            let (first, second) = (collector.collect(), collector.collect());
            assert_eq!(first.len(), if grouped { cpus } else { 2 * cpus });
            assert_eq!(first[0].counter_values.len(), if grouped { 2 } else { 1 });
            assert_eq!(first[0].identifier, if grouped { "rate" } else { "clock" });
            assert!(
                first[0].counter_values[0] > 0 && second[0].time_enabled > first[0].time_enabled
            );
        }
    }
}
