//! What differs, and what may.

use std::fmt;

use pmu_events::__private::glob;
use serde_json::Value;

/// One thing that is not the same on both sides.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The directory of the model; empty for what belongs to none.
    pub model: String,
    /// The event, metric, row or group, with its PMU.
    pub name: String,
    /// What of it.
    pub field: String,
    /// What the macro's tables have; null for nothing.
    pub ours: Value,
    /// What it should be.
    pub theirs: Value,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { model, name, field, ours, theirs } = self;
        write!(f, "{model}: {name}: {field}\n    ours   {ours}\n    theirs {theirs}")
    }
}

/// Differences that are meant to be. The fields are globs where not said otherwise.
#[derive(Clone, Copy, Debug)]
pub struct Deliberate {
    /// The architecture, no glob.
    pub arch: &'static str,
    /// As [`Difference::model`].
    pub model: &'static str,
    /// As [`Difference::name`].
    pub name: &'static str,
    /// As [`Difference::field`].
    pub field: &'static str,
    /// Why it is right to differ.
    pub reason: &'static str,
}

impl Deliberate {
    /// jevents does not know the PMU of Arrow Lake's low-power cores, and takes it for an
    /// uncore unit.
    pub const LOW_POWER_CORES: [Self; 3] = [
        Self::of_low_power_cores("cpu_lowpower/*", "*"),
        Self::of_low_power_cores("uncore_cpu_lowpower/*", "*"),
        // Tables are sorted by PMU.
        Self::of_low_power_cores("events", "order"),
    ];

    /// The term that selects Nova Lake's register for loads that miss the L2.
    pub const OFF_MODULE_RESPONSE: Self = Self {
        arch: "x86",
        model: "novalake",
        name: "cpu_core/mem_load_l2_miss_retired.*",
        field: "event",
        reason: "the driver's format is `offmodule_rsp`; jevents writes `offcore_rsp`",
    };

    const fn of_low_power_cores(name: &'static str, field: &'static str) -> Self {
        let reason = "`cpu_lowpower` is a core PMU";
        Self { arch: "x86", model: "arrowlake", name, field, reason }
    }

    fn covers(&self, difference: &Difference) -> bool {
        glob::matches(self.model, &difference.model)
            && glob::matches(self.name, &difference.name)
            && glob::matches(self.field, &difference.field)
    }
}

/// Compares field by field two objects that should have the same keys.
pub fn fields(model: &str, name: &str, ours: &Value, theirs: &Value, found: &mut Vec<Difference>) {
    let (Value::Object(ours), Value::Object(theirs)) = (ours, theirs) else {
        unreachable!("both sides are made as objects");
    };
    let keys = ours.keys().chain(theirs.keys().filter(|key| !ours.contains_key(*key)));
    for key in keys {
        // A key of one side only is no null of the other: it would mean that
        // this program compares fewer fields than it believes.
        if ours.get(key) != theirs.get(key) {
            found.push(Difference {
                model: model.to_owned(),
                name: name.to_owned(),
                field: key.clone(),
                ours: ours.get(key).cloned().unwrap_or_default(),
                theirs: theirs.get(key).cloned().unwrap_or_default(),
            });
        }
    }
}

/// At most this many differences are printed.
const SHOWN: usize = 20;

/// What is to be said of differences.
#[derive(Debug)]
pub struct Judgement {
    /// How many are not deliberate.
    pub wrong: usize,
    /// How many are.
    pub deliberate: usize,
    /// Those that are not deliberate, and what is listed as deliberate without
    /// need; `None` when nothing is wrong.
    pub report: Option<String>,
}

/// Tells the deliberate differences of an architecture from the others.
#[must_use]
pub fn judge(arch: &str, found: &[Difference], deliberate: &[Deliberate]) -> Judgement {
    let deliberate: Vec<_> = deliberate.iter().filter(|entry| entry.arch == arch).collect();
    let wrong: Vec<_> =
        found.iter().filter(|found| !deliberate.iter().any(|entry| entry.covers(found))).collect();
    let unused: Vec<_> =
        deliberate.iter().filter(|entry| !found.iter().any(|found| entry.covers(found))).collect();
    let mut text = format!("{arch}: {} differences", wrong.len());
    for difference in wrong.iter().take(SHOWN) {
        text.push_str(&format!("\n  {difference}"));
    }
    if wrong.len() > SHOWN {
        text.push_str(&format!("\n  … and {} more", wrong.len() - SHOWN));
    }
    for Deliberate { model, name, field, reason, .. } in &unused {
        text.push_str(&format!(
            "\n  {model}: {name}: {field}: deliberate ({reason}), but there is no difference"
        ));
    }
    Judgement {
        wrong: wrong.len(),
        deliberate: found.len() - wrong.len(),
        report: (!wrong.is_empty() || !unused.is_empty()).then_some(text),
    }
}
