//! The second stage of Arm's top-down methodology: rates that explain a node of the first
//! (Arm Neoverse V1 Core Performance Analysis Methodology).

use super::places::{Place, Places};
use super::rule::Rule;

/// Which groups explain which node. The first node that the core has counts.
const EXPLAINED: [(&str, &[&str]); 9] = [
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

impl Places<'_, '_> {
    pub(super) fn second_stage(&mut self) {
        for part in self.numbers() {
            if self.is_in(part) {
                continue;
            }
            if let Some(whole) = self.named_as_explained(part).or_else(|| self.explained(part)) {
                let rule = Some(Rule::Indicator);
                self.all[part] = Place { parent: Some(whole), rule, is_of_parent: false };
            }
        }
    }

    /// The node that a group of the metric names as explained by it.
    fn named_as_explained(&self, part: usize) -> Option<usize> {
        let groups = self.members[part].groups.iter();
        let mut nodes = groups
            .filter_map(|group| group.strip_suffix("_indicators"))
            .filter_map(|node| self.find(node));
        nodes.find(|&node| self.all[node].rule.is_some_and(|rule| rule != Rule::Indicator))
    }

    /// The node of the first level that the groups of the second stage explain.
    fn explained(&self, part: usize) -> Option<usize> {
        let groups = EXPLAINED.iter().filter(|(group, _)| self.members[part].is_in(group));
        groups.flat_map(|(_, words)| *words).find_map(|word| {
            let is_it = |&n: &usize| {
                self.is_in(n)
                    && self.all[n].parent.is_none()
                    && self.members[n].name.starts_with(word)
            };
            self.numbers().find(is_it)
        })
    }
}
