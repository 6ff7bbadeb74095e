//! The tree that metrics form.
//!
//! A metric lies beneath
//!
//! 1. the metric beneath which it lies in the hierarchy of its model, unless it only
//!    explains that one;
//! 2. else the whole of which it is a part: `A` where it is, or is taken from,
//!    `A - B - C`, or is added up in `A = B + C`;
//! 3. else the only metric that refers to it, if that is listed under the same
//!    group.
//!
//! A metric that lies beneath no other appears under its first group; the first
//! top-down level comes before all.

use pmu_events::__private::expr::{Item, Operator, Spelling};
use pmu_events::__private::{chain, items};
use pmu_events::{Model, metric, topdown};

use crate::page::contents::{Contents, Meaning, Role};

/// Metrics, by their numbers in the contents.
pub(crate) struct Hierarchy {
    parts: Vec<Vec<usize>>,
    pub(crate) sections: Vec<Section>,
}

/// Metrics that lie beneath no other, under one heading.
pub(crate) struct Section {
    pub(crate) heading: Heading,
    pub(crate) metrics: Vec<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Heading {
    TopDown,
    /// In lower case, and as a metric has it.
    Group(String, &'static str),
    /// They are in no group.
    Ungrouped,
}

impl Hierarchy {
    pub(crate) fn of(contents: &Contents, models: &[Model]) -> Self {
        let mut wholes = Wholes { contents, of: vec![None; contents.metrics.len()] };
        wholes.by_model(models);
        wholes.by_formula();
        wholes.by_sole_use();

        let mut parts = vec![Vec::new(); contents.metrics.len()];
        let mut roots: Vec<(Heading, usize)> = Vec::new();
        for (metric, whole) in wholes.of.iter().enumerate() {
            match whole {
                Some(whole) => parts[*whole].push(metric),
                None => roots.push((heading(contents, metric), metric)),
            }
        }
        roots.sort();
        let sections = roots.chunk_by(|(a, _), (b, _)| a.is_same(b)).map(|roots| Section {
            heading: roots[0].0.clone(),
            metrics: roots.iter().map(|(_, metric)| *metric).collect(),
        });
        Hierarchy { sections: sections.collect(), parts }
    }

    /// The metrics that lie beneath one.
    pub(crate) fn parts(&self, metric: usize) -> &[usize] {
        &self.parts[metric]
    }
}

impl Heading {
    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Heading::Group(a, _), Heading::Group(b, _)) => a == b,
            (a, b) => a == b,
        }
    }
}

fn heading(contents: &Contents, metric: usize) -> Heading {
    let first_group = contents.metrics[metric].groups().next();
    match (level(contents, metric), first_group) {
        (Some(_), _) => Heading::TopDown,
        (None, Some(group)) => Heading::Group(group.to_lowercase(), group),
        (None, None) => Heading::Ungrouped,
    }
}

/// The top-down level of a metric: from `TopdownL1`, or `Topdown_L1`.
pub(crate) fn level(contents: &Contents, metric: usize) -> Option<u32> {
    contents.metrics[metric].groups().find_map(|group| {
        let group = group.to_ascii_lowercase().replace('_', "");
        group.strip_prefix("topdownl")?.parse().ok()
    })
}

struct Wholes<'c> {
    contents: &'c Contents,
    of: Vec<Option<usize>>,
}

impl Wholes<'_> {
    /// Puts a metric beneath another, unless it lies beneath one already, is at
    /// the top of the top-down tree, or is an ancestor of the other.
    fn put(&mut self, part: usize, whole: usize) {
        let mut above = std::iter::successors(Some(whole), |&metric| self.of[metric]);
        let is_free = self.of[part].is_none() && level(self.contents, part) != Some(1);
        if is_free && above.all(|metric| metric != part) {
            self.of[part] = Some(whole);
        }
    }

    fn by_model(&mut self, models: &[Model]) {
        for tree in models.iter().flat_map(|&model| topdown::Hierarchy::of(model)) {
            let number = |node: usize| {
                let metric = tree.nodes()[node].metric();
                self.contents.metric_named(metric.name(), metric.pmu())
            };
            for (n, node) in tree.nodes().iter().enumerate() {
                let above = node.parent().filter(|_| !node.is_indicator());
                if let Some((part, whole)) = number(n).zip(above.and_then(number)) {
                    self.of[part] = Some(whole);
                }
            }
        }
    }

    fn by_formula(&mut self) {
        for metric in 0..self.of.len() {
            let names = self.metrics_in(metric, Role::Value);
            let text = self.contents.formula(metric, Role::Value);
            let Ok(formula) = metric::parse(&text) else {
                continue;
            };
            let is_name = |item: &&Item<Spelling<'_>>| matches!(item, Item::Identifier(_));
            if names.len() != items(&formula).iter().filter(is_name).count() {
                continue;
            }
            match (chain(&formula), names.as_slice()) {
                (Some(Operator::Subtract), &[whole, ref others @ ..]) => {
                    self.put(metric, whole);
                    others.iter().for_each(|&part| self.put(part, whole));
                }
                (Some(Operator::Add), parts) => {
                    parts.iter().for_each(|&part| self.put(part, metric));
                }
                _ => {}
            }
        }
    }

    fn by_sole_use(&mut self) {
        let mut users = vec![Vec::new(); self.of.len()];
        for user in 0..self.of.len() {
            for used in self.metrics_in(user, Role::Value) {
                if !users[used].contains(&user) {
                    users[used].push(user);
                }
            }
        }
        for (part, users) in users.into_iter().enumerate() {
            if let [user] = users[..]
                && heading(self.contents, part).is_same(&heading(self.contents, user))
            {
                self.put(part, user);
            }
        }
    }

    /// The metrics that a formula names, in the order of the text.
    fn metrics_in(&self, metric: usize, role: Role) -> Vec<usize> {
        let names = self.contents.names(metric, role).into_iter();
        let metrics = names.filter_map(|(_, meaning)| match meaning {
            Some(Meaning::Metric(n)) => Some(n),
            _ => None,
        });
        metrics.collect()
    }
}
