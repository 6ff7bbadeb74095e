//! The place of each metric in the tree; the head of the parent module has the
//! rules.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use alloc::{borrow::ToOwned, vec};

use crate::Metric;
use crate::metric::{self, Expression};
use pmu_events_core::__private::expr::{Identifier, Item, Operator, Spelling};
use pmu_events_core::__private::name;

#[derive(Clone, Copy, Default)]
pub(super) struct Place {
    pub(super) is_in: bool,
    pub(super) parent: Option<usize>,
    pub(super) is_indicator: bool,
    pub(super) is_of_parent: bool,
}

impl Place {
    fn indicator(whole: usize) -> Self {
        Place { is_in: true, parent: Some(whole), is_indicator: true, is_of_parent: false }
    }
}

/// The second stage of Arm's top-down methodology: which groups explain which node
/// of the first (Arm Neoverse V1 Core Performance Analysis Methodology). The first
/// node that the core has counts.
const STAGE_2: [(&str, &[&str]); 9] = [
    ("Branch_Effectiveness", &["bad_speculation", "frontend"]),
    ("ITLB_Effectiveness", &["frontend"]),
    ("L1I_Cache_Effectiveness", &["frontend"]),
    ("DTLB_Effectiveness", &["backend"]),
    ("L1D_Cache_Effectiveness", &["backend"]),
    ("L2_Cache_Effectiveness", &["backend"]),
    ("L3_Cache_Effectiveness", &["backend"]),
    ("LL_Cache_Effectiveness", &["backend"]),
    ("Operation_Mix", &["retiring"]),
];

/// The places of metrics sorted by name, each of which has another name.
pub(super) fn of(metrics: &[Metric]) -> Vec<Place> {
    let mut places = Places {
        metrics,
        levels: metrics.iter().map(|metric| level(*metric)).collect(),
        all: vec![Place::default(); metrics.len()],
    };
    if places.levels.contains(&Some(1)) {
        places.levelled();
    } else if metrics.iter().any(|metric| is_of_stack(*metric)) {
        places.stack();
    } else {
        // Shares of cycles, beside which there may be the same cycles per instruction.
        places.first_by(|metric| {
            metric.is_in("Cycle_Accounting") && !metric.scale().1.contains("per instruction")
        });
    }
    if places.all.iter().any(|place| place.is_in) {
        places.stage_2();
    }
    places.all
}

/// The level that a group of the metric states: `TopdownL1`, `TopDownL1`,
/// `Topdown_L1`, `PipelineL1`, `PipelineUtilizationL1`. The group `topdown` has
/// one level.
fn level(metric: Metric) -> Option<usize> {
    metric.groups().find_map(|group| {
        let group = folded(group);
        let mut prefixes = ["topdownl", "pipelinel", "pipelineutilizationl"].into_iter();
        let number = prefixes.find_map(|prefix| group.strip_prefix(prefix)?.parse().ok());
        number.filter(|&level| level > 0).or((group == "topdown").then_some(1))
    })
}

/// In lower case, without `_`.
fn folded(group: &str) -> String {
    group.chars().filter(|&c| c != '_').map(|c| c.to_ascii_lowercase()).collect()
}

fn is_of_stack(metric: Metric) -> bool {
    metric.is_in("cpi_breakdown") || metric.is_in("CPI")
}

struct Places<'m> {
    metrics: &'m [Metric],
    levels: Vec<Option<usize>>,
    all: Vec<Place>,
}

impl Places<'_> {
    fn find(&self, wanted: &str) -> Option<usize> {
        self.metrics.binary_search_by(|metric| name::cmp(metric.name(), wanted)).ok()
    }

    /// Puts a metric beneath another, unless it lies beneath one already, is at the
    /// top, or is an ancestor of the other.
    fn put(&mut self, part: usize, whole: usize) {
        let mut above = core::iter::successors(Some(whole), |&n| self.all[n].parent);
        let is_free = self.all[part].parent.is_none() && self.levels[part] != Some(1);
        if is_free && above.all(|n| n != part) {
            self.all[part] = Place { is_in: true, parent: Some(whole), ..Place::default() };
        }
    }

    fn first_by(&mut self, is_first: impl Fn(Metric) -> bool) {
        for number in 0..self.metrics.len() {
            self.all[number].is_in = is_first(self.metrics[number]);
        }
    }

    fn levelled(&mut self) {
        for number in 0..self.metrics.len() {
            self.all[number].is_in = self.levels[number] == Some(1);
        }
        for part in 0..self.metrics.len() {
            let groups = self.metrics[part].groups();
            let whole = groups
                .filter_map(|group| group.strip_suffix("_group"))
                .find_map(|group| self.find(group));
            if let Some(whole) = whole {
                self.put(part, whole);
            }
        }
        for part in 0..self.metrics.len() {
            if let Some(whole) = self.above_in_threshold(part) {
                self.put(part, whole);
            }
        }
        self.by_formula(|places, part, whole| {
            // `A - B` takes `B` from `A`, which need not be one level above.
            let (part, whole) = (places.levels[part], places.levels[whole]);
            part.zip(whole).is_some_and(|(part, whole)| part == whole + 1)
        });
        for part in 0..self.metrics.len() {
            if let Some(whole) = self.above_by_name(part) {
                self.put(part, whole);
            }
        }
        self.by_part_of_core();
        self.drop_unconnected();
    }

    /// The metric of the level above that the threshold names.
    fn above_in_threshold(&self, part: usize) -> Option<usize> {
        let above = self.levels[part]?.checked_sub(1)?;
        let threshold = self.metrics[part].threshold()?;
        let mut named = threshold.names().filter_map(|one| self.find(one.as_str()));
        named.find(|&n| self.levels[n] == Some(above))
    }

    /// The metric of the level above whose name begins with the same word.
    fn above_by_name(&self, part: usize) -> Option<usize> {
        let above = self.levels[part]?.checked_sub(1)?;
        let word = |number: usize| self.metrics[number].name().split('_').next();
        (0..self.metrics.len())
            .find(|&whole| self.levels[whole] == Some(above) && word(whole) == word(part))
    }

    /// Arm's groups `Topdown_Frontend` and `Topdown_Backend`: beneath the node of
    /// the first level with that word, or one with more words in common
    /// (`backend_mem_bound`, `backend_mem_cache_bound`).
    fn by_part_of_core(&mut self) {
        fn stem(metric: Metric) -> &'static str {
            metric.name().strip_suffix("_bound").unwrap_or(metric.name())
        }
        for part in 0..self.metrics.len() {
            if self.levels[part].is_some() {
                continue;
            }
            let of_core = |group: &'static str| {
                let word = folded(group).strip_prefix("topdown")?.to_owned();
                let begins = |n: &usize| {
                    self.levels[*n] == Some(1)
                        && folded(self.metrics[*n].name()).starts_with(word.as_str())
                };
                if word.is_empty() { None } else { (0..self.metrics.len()).find(begins) }
            };
            let groups: Vec<&'static str> = self.metrics[part].groups().collect();
            let Some((whole, group)) =
                groups.iter().find_map(|group| Some((of_core(group)?, group)))
            else {
                continue;
            };
            let own = stem(self.metrics[part]);
            let is_longer = |n: &usize| {
                let rest = own.strip_prefix(stem(self.metrics[*n]));
                *n != part
                    && self.metrics[*n].is_in(group)
                    && rest.is_some_and(|rest| rest.starts_with('_'))
            };
            let longer = (0..self.metrics.len()).filter(is_longer);
            let nearest = longer.max_by_key(|&n| stem(self.metrics[n]).len());
            // What it is divided by says more than its name.
            let formula = self.metrics[part].expression().to_string();
            let divisor = ratio(&formula).map(|(_, divisor)| divisor);
            let is_divided = |n: &usize| {
                let formula = self.metrics[*n].expression().to_string();
                let above = ratio(&formula).map(|(above, _)| above);
                *n != part && self.metrics[*n].is_in(group) && above.is_some() && above == divisor
            };
            let divided = (0..self.metrics.len()).find(is_divided);
            self.put(part, divided.or(nearest).unwrap_or(whole));
            let is_percentage = self.metrics[part].scale().1.starts_with("percent");
            let is_of_parent = divisor.is_some_and(|divisor| !divisor.contains("CYC"));
            self.all[part].is_of_parent = is_percentage && is_of_parent;
        }
    }

    fn stack(&mut self) {
        self.first_by(is_of_stack);
        let terms: Vec<Option<Terms>> = self.metrics.iter().map(|one| Terms::of(*one)).collect();
        let events: Vec<Option<String>> = (0..self.metrics.len())
            .map(|n| if self.all[n].is_in { terms[n].as_ref()?.common_event() } else { None })
            .collect();
        self.by_terms(&terms, true, Operator::Add);
        self.by_terms(&terms, true, Operator::Subtract);
        self.by_terms(&terms, false, Operator::Subtract);
        self.by_terms(&terms, false, Operator::Add);
        let stems: Vec<Option<String>> = (0..self.metrics.len())
            .map(|n| {
                let name = self.metrics[n].name().to_ascii_lowercase();
                let stem = name.strip_suffix("_cpi").map(str::to_owned);
                stem.filter(|_| self.all[n].is_in)
            })
            .collect();
        self.by_beginnings(&stems);
        self.by_beginnings(&events);
        self.below_one_top();
    }

    /// What sums and differences say about wholes and parts: of events, each of which
    /// is that of a metric, or of metrics.
    fn by_terms(&mut self, terms: &[Option<Terms>], are_events: bool, operator: Operator) {
        for number in 0..self.metrics.len() {
            let own = terms[number]
                .as_ref()
                .filter(|own| own.are_events == are_events && own.operator == Some(operator));
            // What is no node may say what nodes are.
            let is_node = self.all[number].is_in;
            let Some(own) = own.filter(|_| is_node || operator == Operator::Subtract) else {
                continue;
            };
            let find = |name: &String| match are_events {
                true => terms.iter().enumerate().position(|(n, other)| {
                    let other = other.as_ref().filter(|other| other.are_events);
                    self.all[n].is_in && other.is_some_and(|other| other.names == [name.clone()])
                }),
                false => self.find_node(name),
            };
            let known: Vec<Option<usize>> = own.names.iter().map(find).collect();
            let (whole, parts) = match (operator, known.as_slice()) {
                (Operator::Subtract, [Some(whole), others @ ..]) => {
                    if is_node {
                        self.put(number, *whole);
                    }
                    (*whole, others)
                }
                (Operator::Add, parts) => (number, parts),
                _ => continue,
            };
            for &part in parts.iter().flatten() {
                if part != whole {
                    self.put(part, whole);
                }
            }
        }
    }

    /// The node of a name, or that which the name is another one of.
    fn find_node(&self, name: &str) -> Option<usize> {
        let number = self.find(name)?;
        let other = self.find(&self.metrics[number].expression().to_string());
        let is_in = |&number: &usize| self.all[number].is_in;
        other.filter(is_in).or(Some(number).filter(is_in))
    }

    /// `A_B` is a part of `A`.
    fn by_beginnings(&mut self, words: &[Option<String>]) {
        for part in 0..self.metrics.len() {
            let Some(own) = &words[part] else { continue };
            let is_whole = |n: &usize| {
                words[*n].as_ref().is_some_and(|word| {
                    own.strip_prefix(word.as_str()).is_some_and(|rest| rest.starts_with('_'))
                })
            };
            let wholes = (0..self.metrics.len()).filter(is_whole);
            if let Some(whole) = wholes.max_by_key(|&n| words[n].as_ref().map_or(0, String::len)) {
                self.put(part, whole);
            }
        }
    }

    /// A stack has one top: that beneath which most lies. Another name of a node is no
    /// node, and what nothing is said about is a part of the top.
    fn below_one_top(&mut self) {
        for number in 0..self.metrics.len() {
            let is_alias = |name: &str| {
                self.find(name).is_some_and(|other| other != number && self.all[other].is_in)
            };
            let text = self.metrics[number].expression().to_string();
            if self.all[number].is_in && is_alias(&text) {
                self.all[number] = Place::default();
            }
        }
        let root = |number: usize| {
            core::iter::successors(Some(number), |&n| self.all[n].parent).last().unwrap_or(number)
        };
        let members: Vec<usize> = (0..self.all.len()).filter(|&n| self.all[n].is_in).collect();
        let mut below = vec![0_usize; self.all.len()];
        members.iter().for_each(|&member| below[root(member)] += 1);
        let Some(top) = members.iter().copied().max_by_key(|&member| below[member]) else {
            return;
        };
        for member in members {
            if member != top {
                self.put(member, top);
            }
        }
    }

    /// What formulas that consist only of metrics say about wholes and parts.
    fn by_formula(&mut self, may: impl Fn(&Self, usize, usize) -> bool) {
        for number in 0..self.metrics.len() {
            let text = self.metrics[number].expression().to_string();
            let Ok(formula) = metric::parse(&text) else { continue };
            let names = names(&formula);
            let known: Option<Vec<usize>> = names.iter().map(|name| self.find(name)).collect();
            let Some(known) = known else { continue };
            match (formula.chain(), known.as_slice()) {
                (Some(Operator::Subtract), [whole, others @ ..]) => {
                    for &part in [number].iter().chain(others) {
                        if part != *whole && may(self, part, *whole) {
                            self.put(part, *whole);
                        }
                    }
                }
                (Some(Operator::Add), parts) => {
                    for &part in parts {
                        if part != number && may(self, part, number) {
                            self.put(part, number);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Rates that explain a node of the first level.
    fn stage_2(&mut self) {
        for part in 0..self.metrics.len() {
            if self.all[part].is_in {
                continue;
            }
            if let Some(whole) = self.explained(part) {
                self.all[part] = Place::indicator(whole);
                continue;
            }
            let explained = STAGE_2.iter().filter(|(group, _)| self.metrics[part].is_in(group));
            let mut words = explained.flat_map(|(_, words)| *words);
            let whole = words.find_map(|word| {
                let is_it = |n: &usize| {
                    let place = &self.all[*n];
                    let name = self.metrics[*n].name();
                    place.is_in && place.parent.is_none() && name.starts_with(word)
                };
                (0..self.metrics.len()).find(is_it)
            });
            if let Some(whole) = whole {
                self.all[part] = Place::indicator(whole);
            }
        }
    }

    /// The node that a group of the metric names as explained by it.
    fn explained(&self, part: usize) -> Option<usize> {
        let groups = self.metrics[part].groups();
        let mut nodes = groups
            .filter_map(|group| group.strip_suffix("_indicators"))
            .filter_map(|node| self.find(node));
        nodes.find(|&node| self.all[node].is_in && !self.all[node].is_indicator)
    }

    /// A metric below one that is not in the tree is not in it either.
    fn drop_unconnected(&mut self) {
        for number in 0..self.all.len() {
            let mut above = core::iter::successors(Some(number), |&n| self.all[n].parent);
            let top = above.by_ref().last().unwrap_or(number);
            if self.levels[top] != Some(1) {
                self.all[number].is_in = false;
            }
        }
        for number in 0..self.all.len() {
            if !self.all[number].is_in {
                self.all[number].parent = None;
            }
        }
    }
}

/// `A` and `B` of `A / B * 100`.
fn ratio(formula: &str) -> Option<(&str, &str)> {
    let formula = formula.strip_suffix(" * 100").unwrap_or(formula);
    let (above, divisor) = formula.split_once(" / ")?;
    let is_one = |text: &str| {
        let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
        !inner.unwrap_or(text).contains(['(', ')', '/', '*'])
    };
    (is_one(above) && is_one(divisor)).then_some((above, divisor))
}

/// The identifiers of a formula in the order of the text, duplicates included.
fn names(formula: &Expression<'_>) -> Vec<String> {
    let of = |item: &Item<Spelling<'_>>| match item {
        Item::Identifier(spelling) => {
            Some(spelling.with(|one: Identifier<'_>| one.as_str().into()))
        }
        _ => None,
    };
    formula.items().iter().filter_map(of).collect()
}

/// A sum or difference of names.
struct Terms {
    names: Vec<String>,
    /// Whether they are events, and their sum is divided by one.
    are_events: bool,
    /// None of a single name.
    operator: Option<Operator>,
}

impl Terms {
    /// Those of `A + B`, `A - B - (C + D)` or `(A - B) / PER`.
    fn of(metric: Metric) -> Option<Self> {
        let text = metric.expression().to_string();
        let formula = metric::parse(&text).ok()?;
        let (items, are_events) = match formula.items() {
            [sum @ .., Item::Identifier(_), Item::Binary(Operator::Divide)] => (sum, true),
            all => (all, false),
        };
        let is_of_sum = |item: &Item<Spelling<'_>>| {
            let operators = [Operator::Add, Operator::Subtract].map(Item::Binary);
            matches!(item, Item::Identifier(_)) || operators.contains(item)
        };
        let is_difference = items.contains(&Item::Binary(Operator::Subtract));
        let operator = match items.len() {
            0 | 1 => None,
            _ if is_difference => Some(Operator::Subtract),
            _ => Some(Operator::Add),
        };
        let mut names = names(&formula);
        names.truncate(names.len() - usize::from(are_events));
        let is_sum = !names.is_empty() && items.iter().all(is_of_sum);
        is_sum.then_some(Terms { names, are_events, operator })
    }

    /// The words with which all events begin that are added.
    fn common_event(&self) -> Option<String> {
        if !self.are_events || self.operator == Some(Operator::Subtract) {
            return None;
        }
        let first = self.names.first()?;
        let mut common: Vec<&str> = first.split('_').collect();
        for name in &self.names {
            let same = common.iter().zip(name.split('_')).take_while(|(one, other)| *one == other);
            let length = same.count();
            common.truncate(length);
        }
        // POWER's events of parts have the miss in short (`PM_CMPLU_STALL_DMISS_L2L3`).
        let common = common.join("_").replace("_DMISS", "_DCACHE_MISS");
        Some(common.strip_suffix("_CYC").unwrap_or(&common).to_owned())
    }
}
