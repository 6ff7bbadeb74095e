//! CPI stacks: cycles per instruction, divided by what they were spent on.

use pmu_events_core::__private::expr::Operator;

use super::formula::Terms;
use super::member::Member;
use super::places::{Place, Places};
use super::rule::Rule;

impl Member<'_> {
    pub(super) fn is_of_stack(&self) -> bool {
        self.is_in("cpi_breakdown") || self.is_in("CPI")
    }
}

impl Places<'_, '_> {
    pub(super) fn stack(&mut self) {
        self.first_by(Rule::Stack, |places, n| places.members[n].is_of_stack());
        let members = self.members;
        let formulas = members.iter().map(|member| member.expression.as_ref());
        let terms: Vec<Option<Terms<'_>>> = formulas.map(|one| one?.terms()).collect();
        let nodes = self.numbers().map(|n| Some(n).filter(|&n| self.is_in(n)));
        let events: Vec<Option<String>> =
            nodes.clone().map(|n| terms[n?].as_ref()?.common_event()).collect();
        let stems: Vec<Option<String>> =
            nodes.map(|n| members[n?].key.strip_suffix("_cpi").map(str::to_owned)).collect();
        self.by_terms(&terms, true, Operator::Add);
        self.by_terms(&terms, true, Operator::Subtract);
        self.by_terms(&terms, false, Operator::Subtract);
        self.by_terms(&terms, false, Operator::Add);
        self.by_beginnings(&stems);
        self.by_beginnings(&events);
        self.below_one_top();
    }

    /// What sums and differences say about wholes and parts: of events, each of which
    /// is that of a metric, or of metrics.
    fn by_terms(&mut self, terms: &[Option<Terms<'_>>], are_events: bool, operator: Operator) {
        for number in self.numbers() {
            let own = terms[number]
                .as_ref()
                .filter(|own| own.are_events == are_events && own.operator == Some(operator));
            // What is no node may say what nodes are.
            let is_node = self.is_in(number);
            let Some(own) = own.filter(|_| is_node || operator == Operator::Subtract) else {
                continue;
            };
            let find = |&name: &&str| match are_events {
                true => terms.iter().enumerate().position(|(n, other)| {
                    let other = other.as_ref().filter(|other| other.are_events);
                    self.is_in(n) && other.is_some_and(|other| other.names == [name])
                }),
                false => self.find_node(name),
            };
            let known: Vec<Option<usize>> = own.names.iter().map(find).collect();
            let (whole, parts) = match (operator, known.as_slice()) {
                (Operator::Subtract, [Some(whole), others @ ..]) => {
                    if is_node {
                        self.put(number, *whole, Rule::Formula);
                    }
                    (*whole, others)
                }
                (Operator::Add, parts) => (number, parts),
                _ => continue,
            };
            for &part in parts.iter().flatten() {
                if part != whole {
                    self.put(part, whole, Rule::Formula);
                }
            }
        }
    }

    /// The metric of which another is only a second name.
    fn meant(&self, number: usize) -> Option<usize> {
        self.find(self.members[number].expression.as_ref()?.only_name()?)
    }

    /// The node of a name, or that which the name is another one of.
    fn find_node(&self, name: &str) -> Option<usize> {
        let number = self.find(name)?;
        let is_in = |&number: &usize| self.is_in(number);
        self.meant(number).filter(is_in).or(Some(number).filter(is_in))
    }

    /// `A_B` is a part of `A`.
    fn by_beginnings(&mut self, words: &[Option<String>]) {
        for part in self.numbers() {
            let Some(own) = &words[part] else { continue };
            let is_whole = |n: &usize| {
                words[*n].as_ref().is_some_and(|word| {
                    own.strip_prefix(word.as_str()).is_some_and(|rest| rest.starts_with('_'))
                })
            };
            let wholes = self.numbers().filter(is_whole);
            if let Some(whole) = wholes.max_by_key(|&n| words[n].as_ref().map_or(0, String::len)) {
                self.put(part, whole, Rule::Name);
            }
        }
    }

    /// A stack has one top: that beneath which most lies. Another name of a node is no
    /// node, and a metric that no rule places is a part of the top.
    fn below_one_top(&mut self) {
        for number in self.numbers() {
            let meant = self.meant(number).filter(|&other| other != number && self.is_in(other));
            if self.is_in(number) && meant.is_some() {
                self.all[number] = Place::default();
            }
        }
        let root = |number: usize| {
            std::iter::successors(Some(number), |&n| self.all[n].parent).last().unwrap_or(number)
        };
        let members: Vec<usize> = self.numbers().filter(|&n| self.is_in(n)).collect();
        let mut below = vec![0_usize; self.all.len()];
        members.iter().for_each(|&member| below[root(member)] += 1);
        let Some(top) = members.iter().copied().max_by_key(|&member| below[member]) else {
            return;
        };
        for member in members {
            if member != top {
                self.put(member, top, Rule::Stack);
            }
        }
    }
}
