//! The patterns of a tree, as [`pmu_events_core::__private::Patterns`] has them.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;

use pmu_events_core::__private::cpuid::MatchRule;
use pmu_events_core::__private::wire::StrRef;

use super::expression::{self, Expression, Pattern, Problem};
use super::machine::{Machine, Part};
use super::naive;
use super::uses::{self, Use};

/// Patterns, compiled.
#[derive(Default)]
pub(crate) struct Set {
    /// The plain texts that are not part of the machine, in their order, each
    /// with the number of the first pattern that is it.
    pub(crate) literals: BTreeMap<String, u32>,
    /// The other patterns, if there are any.
    pub(crate) machine: Option<Machine>,
    /// The use of each pattern.
    pub(crate) uses: Vec<Use>,
    /// Texts that patterns must and must not match.
    pub(crate) samples: Vec<Sample>,
}

/// A text that a pattern matches or does not.
pub(crate) struct Sample {
    pub(crate) pattern: u32,
    pub(crate) text: String,
    pub(crate) is_matched: bool,
}

/// The limit of the nodes of all patterns together.
const MOST_NODES: usize = 1 << 18;

/// Up to this many plain texts join the expressions in the machine, which then
/// answers in one pass. More of them would make it large.
const FEW_LITERALS: usize = 64;

/// Collects patterns, and numbers them in their order.
pub(crate) struct Builder {
    rule: MatchRule,
    literals: BTreeMap<String, u32>,
    /// Literals equal to one with a lower number.
    repeated: Vec<u32>,
    /// The literals as parts of the machine, as long as they are few.
    joining: Vec<Part>,
    parts: Vec<Part>,
    samples: Vec<Sample>,
    nodes: usize,
    count: u32,
}

/// A set of patterns that exceeds the limits of an automaton.
pub(crate) struct TooComplex {
    /// The first pattern that does not fit.
    pub(crate) number: u32,
    /// Whether it does not fit even by itself.
    pub(crate) alone: bool,
}

impl Builder {
    pub(crate) fn new(rule: MatchRule) -> Self {
        Builder {
            rule,
            literals: BTreeMap::new(),
            repeated: Vec::new(),
            joining: Vec::new(),
            parts: Vec::new(),
            samples: Vec::new(),
            nodes: 0,
            count: 0,
        }
    }

    /// Adds a pattern.
    pub(crate) fn add(&mut self, text: &str) -> Result<(), Problem> {
        let pattern = expression::parse(text)?;
        let number = self.count;
        // perf counts the dashes of the text, those of ranges too.
        let is_full = |text: &str| text.matches('-').count() == 3;
        // A text without stepping is found before one, where `$` is never true.
        let is_found = |literal: &String| {
            is_full(literal) == is_full(text) && (is_full(text) || !pattern.ends_in_anchor())
        };
        let fits = |literal: &String| {
            literal.len() <= StrRef::MAX_LEN && (self.rule != MatchRule::X86 || is_found(literal))
        };
        if let Some(literal) = pattern.literal().filter(fits) {
            let first = *self.literals.entry(literal).or_insert(number);
            if first != number {
                self.repeated.push(number);
            } else if self.joining.len() < FEW_LITERALS {
                let is_full = is_full(text);
                self.joining.push(Part { number, expression: pattern.expression(), is_full });
            }
        } else {
            let expression = pattern.expression();
            self.nodes += expression.nodes.len();
            if self.is_full() {
                let message = "the expressions up to this one are too large together";
                return Err(Problem { offset: 0, message: message.to_owned() });
            }
            let is_full = is_full(text);
            self.sample(&pattern, &expression, is_full);
            self.parts.push(Part { number, expression, is_full });
        }
        self.count += 1;
        Ok(())
    }

    /// Whether there is no room for any other expression.
    pub(crate) fn is_full(&self) -> bool {
        self.nodes > MOST_NODES
    }

    /// Records texts that a pattern must and must not match.
    fn sample(&mut self, pattern: &Pattern, expression: &Expression, is_full: bool) {
        for text in [false, true].into_iter().filter_map(|more| pattern.sample(more)) {
            let shorter = text.chars().next_back().map_or(0, char::len_utf8);
            let others = [text[..text.len() - shorter].to_owned(), format!("{text}-0")];
            self.samples.extend(others.into_iter().chain([text]).map(|text| Sample {
                pattern: self.count,
                is_matched: naive::matches(expression, is_full, self.rule, &text),
                text,
            }));
        }
    }

    /// Compiles the patterns.
    pub(crate) fn build(mut self) -> Result<Set, TooComplex> {
        let machine = match self.joined() {
            Some(machine) => machine,
            None => Machine::build(&self.parts, self.rule).map_err(|_| self.too_complex())?,
        };
        let mut uses = vec![Use::Never; self.count as usize];
        uses::of_expressions(&machine, &mut uses);
        uses::of_literals(&machine, &self.literals, self.rule, &mut uses);
        self.repeated.iter().for_each(|&number| uses[number as usize] = Use::Hidden);
        let machine = (!self.parts.is_empty()).then_some(machine);
        Ok(Set { literals: self.literals, machine, uses, samples: self.samples })
    }

    /// The machine of all patterns, if there are expressions and the plain texts
    /// are few.
    fn joined(&mut self) -> Option<Machine> {
        if self.parts.is_empty() || self.joining.len() < self.literals.len() {
            return None;
        }
        self.parts.append(&mut self.joining);
        self.parts.sort_by_key(|part| part.number);
        let machine = Machine::build(&self.parts, self.rule).ok();
        if machine.is_some() {
            let texts = mem::take(&mut self.literals);
            self.samples.extend(texts.into_iter().map(|(text, pattern)| Sample {
                pattern,
                text,
                is_matched: true,
            }));
        } else {
            let literals: BTreeSet<u32> = self.literals.values().copied().collect();
            self.parts.retain(|part| !literals.contains(&part.number));
        }
        machine
    }

    /// The first pattern that does not fit.
    fn too_complex(&self) -> TooComplex {
        let is_fine = |parts: &[Part]| Machine::build(parts, self.rule).is_ok();
        let (mut fine, mut many) = (0, self.parts.len());
        while many - fine > 1 {
            let middle = fine + (many - fine) / 2;
            *(if is_fine(&self.parts[..middle]) { &mut fine } else { &mut many }) = middle;
        }
        let last = &self.parts[many - 1..many];
        TooComplex { number: last[0].number, alone: !is_fine(last) }
    }
}
