//! Parts of formulas that are metrics, by their names.
//!
//! perfmon writes each formula in terms of events: those of the lower levels of the
//! top-down tree repeat those of the levels above, and fill pages.

use std::collections::HashMap;

use crate::formula;
use crate::record::Record;

/// Shorter formulas are clearer without a name.
const SHORTEST: usize = 16;

/// Names of formulas by PMU and text.
type Names = HashMap<(String, String), String>;

/// Replaces each part of a formula that is the formula of another metric of the
/// same table and PMU by that metric's name.
pub fn name(metrics: &mut [Record]) {
    // A name in one formula makes it equal to a part of another.
    loop {
        let names = names(metrics);
        let mut changed = false;
        for metric in &mut *metrics {
            changed |= shorten(metric, &names);
        }
        if !changed {
            break;
        }
    }
}

/// A node of the top-down tree that is only another name for its sibling, since two
/// sources name it differently, leaves the tree: the children of one node would
/// count it twice.
pub fn prune(metrics: &mut [Record]) {
    let level = |metric: &Record| -> Option<String> {
        let groups = metric.get("MetricGroup")?;
        groups.split(';').find(|group| group.starts_with("TopdownL")).map(str::to_owned)
    };
    let levels: HashMap<(String, String), String> = metrics
        .iter()
        .filter_map(|metric| {
            let name = metric.get("MetricName")?.to_owned();
            Some(((unit(metric), name), level(metric)?))
        })
        .collect();
    for metric in metrics {
        let Some(formula) = metric.get("MetricExpr") else {
            continue;
        };
        let sibling = levels.get(&(unit(metric), formula.to_owned()));
        if sibling.is_none() || sibling != level(metric).as_ref() {
            continue;
        }
        let of_tree = |group: &&str| group.starts_with("TopdownL") || group.ends_with("_group");
        let groups: Vec<&str> = metric.get("MetricGroup").unwrap_or_default().split(';').collect();
        let others: Vec<&str> = groups.into_iter().filter(|group| !of_tree(group)).collect();
        match others.join(";") {
            none if none.is_empty() => metric.remove("MetricGroup"),
            others => metric.set("MetricGroup", others),
        }
    }
}

/// Replaces parts of the formulas of `own` likewise: one that is the formula of
/// another metric becomes its name, and is then another name for it.
pub fn alias(metrics: &[Record], own: &mut [Record]) {
    let names = names(metrics);
    for metric in own {
        while shorten(metric, &names) {}
    }
}

fn names(metrics: &[Record]) -> Names {
    let mut names = Names::new();
    for metric in metrics {
        let (Some(name), Some(formula)) = (metric.get("MetricName"), metric.get("MetricExpr"))
        else {
            continue;
        };
        if !is_plain(name) {
            continue;
        }
        for formula in [Some(formula), without_zero(formula)].into_iter().flatten() {
            if formula.len() < SHORTEST || !formula.contains(' ') {
                continue;
            }
            let known = names.entry((unit(metric), formula.to_owned()));
            // Of two metrics with one formula, the first keeps it.
            let known = known.or_insert_with(|| name.to_owned());
            if name < known.as_str() {
                name.clone_into(known);
            }
        }
    }
    names
}

/// Whether it changed.
fn shorten(metric: &mut Record, names: &Names) -> bool {
    let (Some(own), Some(formula)) = (metric.get("MetricName"), metric.get("MetricExpr")) else {
        return false;
    };
    let unit = unit(metric);
    let named = |part: &str| {
        let name = names.get(&(unit.clone(), part.to_owned()))?;
        (name != own).then_some(name.as_str())
    };
    match formula::with_names(formula, &named) {
        Ok(short) if short != formula => {
            metric.set("MetricExpr", short);
            true
        }
        _ => false,
    }
}

/// Without the slots that a formula counts so that the fields of their register
/// count, too.
fn without_zero(formula: &str) -> Option<&str> {
    let (formula, slots) = formula.rsplit_once(" + 0 * ")?;
    matches!(slots, "slots" | "cpu_core@slots@" | "tma_info_thread_slots").then_some(formula)
}

fn unit(metric: &Record) -> String {
    metric.get("Unit").unwrap_or_default().to_owned()
}

/// Whether a formula can contain a name as it is.
fn is_plain(name: &str) -> bool {
    name.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
        && !name.starts_with(|c: char| c.is_ascii_digit())
}
