//! Metric groups.

use super::fields::Metric;

/// The groups of a metric.
pub(super) struct Groups {
    pub(super) all: Option<String>,
    pub(super) no_group: Option<String>,
    pub(super) default: Option<String>,
}

/// How many levels of the top-down method `perf stat` shows by itself. On hybrid models, both
/// kinds of cores have one.
fn default_level(short: &str) -> u8 {
    match short {
        "ICL" | "ICX" | "RKL" | "TGL" | "ADL" | "ARL" | "LNL" | "MTL" => 1,
        "SPR" | "EMR" | "GNR" | "CWF" => 2,
        _ => 0,
    }
}

pub(super) fn of(metric: &Metric<'_>, short: &str) -> Groups {
    let mut all: Vec<String> = metric
        .groups
        .split([';', ','])
        .map(|group| group.trim().to_owned())
        .filter(|group| !group.is_empty())
        .collect();
    if metric.is_tma() {
        let level = metric.level;
        let is_info = metric.name.text.starts_with("Info");
        let is_node = !is_info && !metric.name.text.starts_with("Bottleneck");
        if is_node && level > 0 {
            if level <= default_level(short) {
                all.push("Default".to_owned());
            }
            all.push(format!("TopdownL{level}"));
            all.push(format!("tma_L{level}_group"));
            if !metric.parent.is_empty() {
                let parent = metric.parent.replace(' ', "_").to_ascii_lowercase();
                all.push(format!("tma_{parent}_group"));
            }
        }
        all.extend(metric.issues().iter().map(|issue| format!("tma_{issue}")));
    }
    all.sort();
    all.dedup();
    let has = |name: &str| all.iter().any(|group| group == name);
    let top = ["TopdownL1", "TopdownL2"].into_iter().find(|group| has(group));
    let is_default = has("Default");
    let no_group = top.map(|top| format!("{top}{}", if is_default { ";Default" } else { "" }));
    let default = top.filter(|_| is_default).map(str::to_owned);
    Groups { all: (!all.is_empty()).then(|| all.join(";")), no_group, default }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ice Lake has one level of fields in PERF_METRICS, Sapphire Rapids two, and
    /// older cores have none. The E-cores of Alder Lake have no such register.
    #[test]
    fn default_levels() {
        let cases =
            [("ICL", 1), ("ICX", 1), ("SPR", 2), ("ADL", 1), ("LNL", 1), ("SKX", 0), ("HSW", 0)];
        for (short, level) in cases {
            assert_eq!(default_level(short), level, "{short}");
        }
    }
}
