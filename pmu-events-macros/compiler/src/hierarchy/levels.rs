//! Hierarchies whose groups state levels.

use pmu_events_core::__private::expr::Operator;

use super::formula::{Element, has_cycles};
use super::member::{Member, folded};
use super::places::{Place, Places};
use super::rule::Rule;

impl<'t> Places<'_, 't> {
    pub(super) fn levelled(&mut self) {
        self.first_by(Rule::FirstLevel, |places, n| places.levels[n] == Some(1));
        for part in self.numbers() {
            let groups = self.members[part].groups.iter();
            let mut named = groups.filter_map(|group| group.strip_suffix("_group"));
            if let Some(whole) = named.find_map(|group| self.find(group)) {
                self.put(part, whole, Rule::Group);
            }
        }
        for part in self.numbers() {
            if let Some(whole) = self.above_in_threshold(part) {
                self.put(part, whole, Rule::Threshold);
            }
        }
        self.by_formula();
        for part in self.numbers() {
            if let Some(whole) = self.above_by_name(part) {
                self.put(part, whole, Rule::Name);
            }
        }
        self.by_part_of_core();
        self.drop_unconnected();
    }

    /// The metric of the level above that the threshold names.
    fn above_in_threshold(&self, part: usize) -> Option<usize> {
        let above = self.levels[part]?.checked_sub(1)?;
        let names = self.members[part].threshold.as_ref()?.names();
        names.filter_map(|name| self.find(name)).find(|&n| self.levels[n] == Some(above))
    }

    /// The metric of the level above whose name begins with the same word.
    fn above_by_name(&self, part: usize) -> Option<usize> {
        let above = self.levels[part]?.checked_sub(1)?;
        let word = |number: usize| self.members[number].name.split('_').next();
        let is_above = |&n: &usize| self.levels[n] == Some(above) && word(n) == word(part);
        self.numbers().find(is_above)
    }

    /// What formulas that consist only of metrics say about wholes and parts.
    fn by_formula(&mut self) {
        for number in self.numbers() {
            let Some((operator, names)) =
                self.members[number].expression.as_ref().and_then(|formula| formula.chain())
            else {
                continue;
            };
            let known: Option<Vec<usize>> = names.iter().map(|name| self.find(name)).collect();
            let Some(known) = known else { continue };
            match (operator, known.as_slice()) {
                (Operator::Subtract, [whole, others @ ..]) => {
                    [number].iter().chain(others).for_each(|&part| self.put_below(part, *whole));
                }
                (Operator::Add, parts) => {
                    parts.iter().for_each(|&part| self.put_below(part, number));
                }
                _ => {}
            }
        }
    }

    /// Puts a part one level below: `A - B` takes `B` from `A`, which need not be there.
    fn put_below(&mut self, part: usize, whole: usize) {
        let levels = self.levels[part].zip(self.levels[whole]);
        if part != whole && levels.is_some_and(|(part, whole)| part == whole + 1) {
            self.put(part, whole, Rule::Formula);
        }
    }

    /// Arm's groups `Topdown_Frontend` and `Topdown_Backend`: beneath the node of
    /// the first level with that word, or one with more words in common
    /// (`backend_mem_bound`, `backend_mem_cache_bound`).
    fn by_part_of_core(&mut self) {
        for part in self.numbers() {
            if self.levels[part].is_some() {
                continue;
            }
            let groups = self.members[part].groups.iter();
            let mut parts_of_core =
                groups.filter_map(|group| Some((self.part_of_core(group)?, *group)));
            let Some((whole, group)) = parts_of_core.next() else { continue };
            // What it is divided by says more than its name.
            let divisor = self.ratio(part).map(|(_, divisor)| divisor);
            let divided = self.divided_into(part, group, divisor);
            let longer = || self.with_most_words(part, group);
            let (whole, rule) = divided
                .map(|whole| (whole, Rule::Divisor))
                .or_else(|| longer().map(|whole| (whole, Rule::Name)))
                .unwrap_or((whole, Rule::PartOfCore));
            let is_percentage = self.members[part].unit.starts_with("percent");
            let is_of_parent = is_percentage && divisor.is_some_and(|divisor| !has_cycles(divisor));
            self.put(part, whole, rule);
            self.all[part].is_of_parent = is_of_parent;
        }
    }

    /// The node of the first level that a group names.
    fn part_of_core(&self, group: &str) -> Option<usize> {
        let folded_group = folded(group);
        let word = folded_group.strip_prefix("topdown").filter(|word| !word.is_empty())?;
        let begins = |&n: &usize| {
            self.levels[n] == Some(1) && folded(self.members[n].name).starts_with(word)
        };
        self.numbers().find(begins)
    }

    fn ratio(&self, number: usize) -> Option<(&[Element<'t>], &[Element<'t>])> {
        self.members[number].expression.as_ref()?.ratio()
    }

    /// The metric of the group that is `B / C`, given `A / B`.
    fn divided_into(
        &self,
        part: usize,
        group: &str,
        divisor: Option<&[Element<'t>]>,
    ) -> Option<usize> {
        let divisor = divisor?;
        let is_divided = |&n: &usize| {
            n != part
                && self.members[n].is_in(group)
                && self.ratio(n).is_some_and(|(above, _)| above == divisor)
        };
        self.numbers().find(is_divided)
    }

    /// The metric of the group whose name is the longest part of the name.
    fn with_most_words(&self, part: usize, group: &str) -> Option<usize> {
        let own = stem(&self.members[part]);
        let is_longer = |&n: &usize| {
            let rest = own.strip_prefix(stem(&self.members[n]));
            n != part
                && self.members[n].is_in(group)
                && rest.is_some_and(|rest| rest.starts_with('_'))
        };
        let longer = self.numbers().filter(is_longer);
        longer.max_by_key(|&n| stem(&self.members[n]).len())
    }

    /// A metric below one that is not in the tree is not in it either.
    fn drop_unconnected(&mut self) {
        let top = |number: usize| {
            let above = std::iter::successors(Some(number), |&n| self.all[n].parent);
            above.last().unwrap_or(number)
        };
        let is_connected: Vec<bool> =
            self.numbers().map(|number| self.levels[top(number)] == Some(1)).collect();
        for (place, is_connected) in self.all.iter_mut().zip(is_connected) {
            if !is_connected {
                *place = Place::default();
            }
        }
    }
}

fn stem<'t>(member: &Member<'t>) -> &'t str {
    member.name.strip_suffix("_bound").unwrap_or(member.name)
}
