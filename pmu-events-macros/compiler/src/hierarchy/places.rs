//! The places of the metrics of one PMU.

use super::member::Member;
use super::rule::Rule;

#[derive(Clone, Copy, Default)]
pub(super) struct Place {
    pub(super) parent: Option<usize>,
    /// None of a metric that is no node.
    pub(super) rule: Option<Rule>,
    pub(super) is_of_parent: bool,
}

pub(super) struct Places<'m, 't> {
    /// Sorted by name.
    pub(super) members: &'m [Member<'t>],
    pub(super) levels: Vec<Option<usize>>,
    pub(super) all: Vec<Place>,
}

impl<'m, 't> Places<'m, 't> {
    pub(super) fn of(members: &'m [Member<'t>]) -> Vec<Place> {
        let mut places = Places {
            members,
            levels: members.iter().map(Member::level).collect(),
            all: vec![Place::default(); members.len()],
        };
        if places.levels.contains(&Some(1)) {
            places.levelled();
        } else if members.iter().any(Member::is_of_stack) {
            places.stack();
        } else {
            // Shares of cycles, beside which there may be the same cycles per instruction.
            places.first_by(Rule::FirstLevel, |places, n| {
                let member = &places.members[n];
                member.is_in("Cycle_Accounting") && !member.unit.contains("per instruction")
            });
        }
        if places.all.iter().any(|place| place.rule.is_some()) {
            places.second_stage();
        }
        places.all
    }

    pub(super) fn find(&self, wanted: &str) -> Option<usize> {
        let wanted = wanted.to_ascii_lowercase();
        self.members.binary_search_by(|member| member.key.cmp(&wanted)).ok()
    }

    pub(super) fn numbers(&self) -> std::ops::Range<usize> {
        0..self.members.len()
    }

    pub(super) fn is_in(&self, number: usize) -> bool {
        self.all[number].rule.is_some()
    }

    /// Puts a metric beneath another, unless it lies beneath one already, is at the
    /// top, or is an ancestor of the other.
    pub(super) fn put(&mut self, part: usize, whole: usize, rule: Rule) {
        let mut above = std::iter::successors(Some(whole), |&n| self.all[n].parent);
        let is_free = self.all[part].parent.is_none() && self.levels[part] != Some(1);
        if is_free && above.all(|n| n != part) {
            self.all[part] = Place { parent: Some(whole), rule: Some(rule), is_of_parent: false };
        }
    }

    /// Makes nodes without a parent.
    pub(super) fn first_by(&mut self, rule: Rule, is_first: impl Fn(&Self, usize) -> bool) {
        for number in self.numbers() {
            self.all[number].rule = is_first(self, number).then_some(rule);
        }
    }
}
