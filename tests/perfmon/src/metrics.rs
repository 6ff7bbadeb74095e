//! The values of metrics under made-up counts: the formula of perfmon's JSON
//! against the script's, which comes from other tables and refers to metrics.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use pmu_events_core::__private::glob;
use pmu_events_core::event_list::Tool;
use pmu_events_core::expr::{Identifier, Machine};
use pmu_events_core::{Metric, Model};

use crate::Outcome;

/// How many times each formula is evaluated.
const ASSIGNMENTS: u64 = 20;

pub(crate) fn compare(ours: &Model, theirs: &Model, outcome: &mut Outcome) {
    for our in ours.metrics() {
        let is_same = |metric: &Metric| metric.is_called(our.name()) && metric.pmu() == our.pmu();
        let Some(their) = theirs.metrics().find(is_same) else {
            outcome.excuse("are no metrics of the script");
            continue;
        };
        outcome.value();
        thresholds(our, their, theirs.name(), outcome);
        let same = (0..ASSIGNMENTS).filter(|&seed| {
            let [our, their] = [our, their].map(|metric| value(metric, seed));
            our == their
                || (our - their).abs() <= 1e-9 * our.abs().max(their.abs())
                || (our.is_nan() && their.is_nan())
        });
        let same = same.count();
        if same as u64 == ASSIGNMENTS {
            continue;
        }
        match reason(theirs.name(), our) {
            Some(reason) => outcome.excuse(reason),
            None => {
                let (model, name) = (theirs.name(), our.name());
                let (ours, theirs) = (our.expression(), their.expression());
                let text = format!(
                    "{model}: {name}: {same} of {ASSIGNMENTS} values\n    ours   {ours} {:?}\n    theirs {theirs} {:?}",
                    our.scale_unit(),
                    their.scale_unit()
                );
                outcome.other_value(text);
            }
        }
    }
    let missing = theirs.metrics().filter(|metric| ours.metric(metric.name()).is_none()).count();
    for _ in 0..missing {
        outcome.excuse("are only the script's");
    }
}

fn value(metric: Metric, seed: u64) -> f64 {
    metric.evaluate_on(&MadeUp(seed), |event| count(event, seed))
}

/// Metrics that the script has of newer tables than the JSON: by model and name.
const NEWER: &[(&str, &str, &str)] = &[
    (
        "*",
        "tma_info_frontend_[dl]s[bd]_coverage",
        "differ: the script's tables have another denominator for coverage",
    ),
    ("rocketlake", "tma_ms", "differ: the script's tables have another factor for tma_ms"),
    (
        "rocketlake",
        "tma_bottleneck_i*",
        "differ: they refer to tma_ms, which has another factor in the script's tables",
    ),
    (
        "rocketlake",
        "tma_info_botlnk_l2_dsb_*",
        "differ: they refer to tma_ms, which has another factor in the script's tables",
    ),
    ("arrowlake", "tma_dsb", "differ: the script replaces the term `eq`"),
    ("arrowlake", "tma_lsd", "differ: the script replaces the term `eq`"),
    ("arrowlake", "tma_mite", "differ: the script replaces the term `eq`"),
    (
        "arrowlake",
        "tma_*",
        "differ: the script's tables have a newer version of the method for Arrow Lake",
    ),
];

/// Why values may differ; what neither side can be blamed for.
fn reason(model: &str, metric: Metric) -> Option<&'static str> {
    let is_its = |(of, name, _): &&(&str, &str, &str)| {
        glob::matches(of, model) && glob::matches(name, metric.name())
    };
    NEWER.iter().find(is_its).map(|&(_, _, reason)| reason)
}

fn thresholds(our: Metric, their: Metric, model: &str, outcome: &mut Outcome) {
    let (Some(text), Some(other)) = (our.threshold(), their.threshold()) else {
        if our.threshold().is_some() != their.threshold().is_some() {
            outcome.excuse("have a threshold on one side only");
        }
        return;
    };
    let value = |metric: Metric, seed| {
        let value = metric.threshold_value_on(&MadeUp(seed), |event| count(event, seed));
        (value != 0.0, value.is_nan())
    };
    if (0..ASSIGNMENTS).all(|seed| value(our, seed) == value(their, seed)) {
        outcome.excuse("have thresholds with the same outcome");
    } else if reason(model, our).is_some() {
        outcome.excuse("have thresholds that differ because the metric does");
    } else {
        outcome.other_value(format!(
            "{model}: {}: threshold\n    ours   {text}\n    theirs {other}",
            our.name()
        ));
    }
}

struct MadeUp(u64);

impl Machine for MadeUp {
    fn literal(&self, literal: Tool) -> f64 {
        match literal {
            Tool::SmtOn => (self.0 % 2) as f64,
            // perf has a branch of its own for threads that share a core.
            Tool::CoreWide => 1.0,
            Tool::NumPackages => 2.0,
            Tool::NumCores => 16.0,
            Tool::NumDies => 2.0,
            Tool::NumCpus | Tool::NumCpusOnline => 32.0,
            Tool::SystemTscFreq => 2.1e9,
            _ => 0.0,
        }
    }

    fn has_event(&self, _: Identifier<'_>) -> Option<bool> {
        Some(true)
    }
}

/// A count for an event: the same for all spellings of it.
fn count(event: Identifier<'_>, seed: u64) -> f64 {
    let mut hasher = DefaultHasher::new();
    (spelling(event.as_str()), seed).hash(&mut hasher);
    ((hasher.finish() % 1_000_000) + 1) as f64
}

/// An event as its name and sorted terms.
fn spelling(event: &str) -> String {
    let lower = event.to_ascii_lowercase();
    let lower = lower.replace("topdown.slots", "slots");
    let Some((pmu, rest)) = lower.split_once('/') else {
        return lower;
    };
    // One box of several: the script writes the code, and a clock is all that
    // metrics ask of it.
    if let Some(unit) = pmu.strip_suffix("_0") {
        return format!("one {}", unit.trim_start_matches("uncore_"));
    }
    let (inner, modifiers) = rest.rsplit_once('/').unwrap_or((rest, ""));
    let mut terms: Vec<String> = inner.split(',').map(str::to_owned).collect();
    let name = if terms[0].contains('=') { pmu.to_owned() } else { terms.remove(0) };
    let number = |text: &str| match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse::<u64>().ok(),
    };
    for term in &mut terms {
        let (key, value) = term.split_once('=').unwrap_or((term, "1"));
        *term = number(value).map_or_else(|| term.clone(), |value| format!("{key}={value}"));
    }
    terms.sort();
    terms.retain(|term| !term.starts_with("cpu="));
    let colon = if modifiers.is_empty() { "" } else { ":" };
    let comma = if terms.is_empty() { "" } else { "," };
    format!("{name}{comma}{}{colon}{modifiers}", terms.join(","))
}
