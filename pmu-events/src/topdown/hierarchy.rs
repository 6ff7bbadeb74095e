//! The tree that the metrics of a model form.

use alloc::string::ToString;
use alloc::vec::Vec;

use crate::{Metric, Model};
use pmu_events_core::__private::hierarchy::{self, Node as Placed};
use pmu_events_core::__private::name;

/// The tree that the metrics of one PMU form.
///
/// ```
/// # #[cfg(feature = "x86")] {
/// use pmu_events::{arch::x86, topdown::Hierarchy};
///
/// let trees = Hierarchy::of(x86::SKYLAKEX);
/// let roots = trees[0].roots().iter().map(|&root| trees[0].nodes()[root].metric().name());
/// assert!(roots.clone().any(|name| name == "tma_frontend_bound"));
/// println!("{:?} with {} nodes", roots.collect::<Vec<_>>(), trees[0].nodes().len());
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Hierarchy {
    model: Model,
    pmu: &'static str,
    /// Sorted by name.
    nodes: Vec<Node>,
    roots: Vec<usize>,
}

/// A metric in its place.
///
/// ```
/// # #[cfg(feature = "x86")] {
/// use pmu_events::{arch::x86, topdown::Hierarchy};
///
/// let trees = Hierarchy::of(x86::SKYLAKEX);
/// let node = &trees[0].nodes()[trees[0].find("tma_fetch_latency").unwrap()];
/// let parent = &trees[0].nodes()[node.parent().unwrap()];
/// assert_eq!((node.level(), parent.metric().name()), (2, "tma_frontend_bound"));
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Node {
    metric: Metric,
    level: usize,
    parent: Option<usize>,
    children: Vec<usize>,
    is_indicator: bool,
    is_of_parent: bool,
    /// What the threshold names, found once.
    named: Vec<(&'static str, Named)>,
}

/// What a name in a threshold means.
#[derive(Clone, Copy, Debug)]
pub(super) enum Named {
    Node(usize),
    Other(Metric),
    Event,
}

impl Hierarchy {
    /// Returns the trees of a model, one for each PMU whose metrics form one.
    #[must_use]
    pub fn of(model: Model) -> Vec<Self> {
        let mut pmus: Vec<(&'static str, Vec<Placed>)> = Vec::new();
        for placed in hierarchy::nodes(model) {
            let pmu = placed.metric.pmu();
            match pmus.iter_mut().find(|(known, _)| *known == pmu) {
                Some((_, nodes)) => nodes.push(placed),
                None => pmus.push((pmu, Vec::from([placed]))),
            }
        }
        pmus.into_iter().map(|(pmu, nodes)| Self::of_pmu(model, pmu, &nodes)).collect()
    }

    fn of_pmu(model: Model, pmu: &'static str, placed: &[Placed]) -> Self {
        let index = |number: u32| placed.binary_search_by_key(&number, |one| one.number).ok();
        let node = |one: &Placed| Node {
            metric: one.metric,
            level: 1,
            parent: one.parent.and_then(index),
            children: Vec::new(),
            is_indicator: one.is_indicator,
            is_of_parent: one.is_of_parent,
            named: Vec::new(),
        };
        let mut nodes: Vec<Node> = placed.iter().map(node).collect();
        let mut roots = Vec::new();
        for number in 0..nodes.len() {
            // Damaged tables may put a node beneath itself.
            let above = core::iter::successors(nodes[number].parent, |&n| nodes[n].parent);
            let level = above.take(nodes.len()).count() + 1;
            match nodes[number].parent {
                Some(parent) if level <= nodes.len() => nodes[parent].children.push(number),
                _ => {
                    nodes[number].parent = None;
                    roots.push(number);
                }
            }
            nodes[number].level = level;
        }
        let mut tree = Hierarchy { model, pmu, nodes, roots };
        for number in 0..tree.nodes.len() {
            let threshold = tree.nodes[number].metric.threshold();
            let names = threshold.into_iter().flat_map(|threshold| threshold.names());
            tree.nodes[number].named =
                names.map(|one| (one.as_str(), tree.meaning(one.as_str()))).collect();
        }
        tree
    }

    fn meaning(&self, wanted: &str) -> Named {
        match self.find(wanted) {
            Some(number) => Named::Node(number),
            // A reference means the metric of the same PMU if there is one.
            None => {
                let of_pmu =
                    |metric: &Metric| metric.pmu() == self.pmu && name::eq(metric.name(), wanted);
                let own = self.model.metrics().find(of_pmu);
                own.or_else(|| self.model.metric(wanted)).map_or(Named::Event, Named::Other)
            }
        }
    }

    /// Returns the model.
    #[must_use]
    pub fn model(&self) -> Model {
        self.model
    }

    /// Returns the PMU whose events the metrics use, by its name in the tree.
    #[must_use]
    pub fn pmu(&self) -> &'static str {
        self.pmu
    }

    /// Returns all nodes, sorted by name. A node's number is its index here.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Returns the numbers of the nodes of the first level.
    #[must_use]
    pub fn roots(&self) -> &[usize] {
        &self.roots
    }

    /// Returns the number of levels.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.nodes.iter().map(Node::level).max().unwrap_or_default()
    }

    /// Finds the number of a node by the name of its metric, ignoring case, or by
    /// that of another metric whose formula is only the node's name: sources can
    /// have several names for one quantity.
    ///
    /// ```
    /// # #[cfg(feature = "x86")] {
    /// use pmu_events::{arch::x86, topdown::Hierarchy};
    ///
    /// let trees = Hierarchy::of(x86::SAPPHIRERAPIDS);
    /// let node = trees[0].find("tma_l3_miss_bound");
    /// assert!(node.is_some() && trees[0].find("tma_dram_bound") == node);
    /// # }
    /// ```
    #[must_use]
    pub fn find(&self, wanted: &str) -> Option<usize> {
        let node = |wanted: &str| {
            self.nodes.binary_search_by(|node| name::cmp(node.metric.name(), wanted)).ok()
        };
        node(wanted).or_else(|| {
            let is_it = |one: &Metric| one.pmu() == self.pmu && name::eq(one.name(), wanted);
            let formula = self.model.metrics().find(is_it)?.expression();
            let text = formula.to_string();
            formula
                .names()
                .find_map(|other| node(other.as_str()).filter(|_| text == other.as_str()))
        })
    }
}

impl Node {
    /// Returns the metric.
    #[must_use]
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// What the names in the threshold mean.
    pub(super) fn named(&self) -> &[(&'static str, Named)] {
        &self.named
    }

    /// Returns the level, from 1.
    #[must_use]
    pub fn level(&self) -> usize {
        self.level
    }

    /// Returns the number of the node above.
    #[must_use]
    pub fn parent(&self) -> Option<usize> {
        self.parent
    }

    /// Returns the numbers of the nodes below, sorted by name.
    #[must_use]
    pub fn children(&self) -> &[usize] {
        &self.children
    }

    /// Whether the value is a share of the parent, not of what the parent is a share of: of the
    /// cycles in which the back end stalls rather than of all cycles, in the trees of Arm's newer
    /// cores.
    #[must_use]
    pub fn is_of_parent(&self) -> bool {
        self.is_of_parent
    }

    /// Whether the tables say that the node and its siblings are parts of the same time (the
    /// group `tma_overlap`), so that their values cannot be compared with each other.
    #[must_use]
    pub fn overlaps(&self) -> bool {
        self.metric.is_in("tma_overlap")
    }

    /// Whether the value is a rate that helps to explain the parent, rather than a
    /// part of it.
    #[must_use]
    pub fn is_indicator(&self) -> bool {
        self.is_indicator
    }
}
