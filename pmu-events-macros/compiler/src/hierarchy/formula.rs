//! The forms of formulas that say what is a part of what.

use pmu_events_core::__private::expr::{Function, Operator};
use pmu_events_core::__private::wire::program::Step;

use crate::formula::{Name, Program};

/// A value or an operation of a formula, in postfix order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Element<'t> {
    Name(&'t str),
    Number(f64),
    /// Neither of them.
    Other(Step),
}

/// A formula whose names and numbers are spelt out.
pub(super) struct Formula<'t>(Vec<Element<'t>>);

const PLUS: Element<'static> = Element::Other(Step::Binary(Operator::Add));
const MINUS: Element<'static> = Element::Other(Step::Binary(Operator::Subtract));
const TIMES: Element<'static> = Element::Other(Step::Binary(Operator::Multiply));
const OVER: Element<'static> = Element::Other(Step::Binary(Operator::Divide));
const MAX: Element<'static> = Element::Other(Step::Function(Function::Max));

impl<'t> Formula<'t> {
    pub(super) fn of(program: &'t Program) -> Self {
        let shape = &*program.shape;
        let element = |&step: &Step| match step {
            Step::Identifier(number) => match &program.names[usize::from(number)] {
                Name::Event(name) | Name::Metric(name) => Element::Name(name),
            },
            Step::Constant(number) => Element::Number(shape.numbers[usize::from(number)]),
            other => Element::Other(other),
        };
        Formula(shape.steps.iter().map(element).collect())
    }

    /// The names whose values the formula needs, in the order of the text.
    pub(super) fn names(&self) -> impl Iterator<Item = &'t str> {
        names(&self.0)
    }

    /// The name that is the whole formula.
    pub(super) fn only_name(&self) -> Option<&'t str> {
        match self.0[..] {
            [Element::Name(name)] => Some(name),
            _ => None,
        }
    }

    /// The operator and the names of `A + B + C`, or of `A - B - C`, which may be at least
    /// zero.
    pub(super) fn chain(&self) -> Option<(Operator, Vec<&'t str>)> {
        let mut elements = &self.0[..];
        if let [Element::Number(0.0), rest @ .., MAX] | [rest @ .., Element::Number(0.0), MAX] =
            elements
        {
            elements = rest;
        }
        // In postfix order, a chain is a value, then values each with its operator.
        let [Element::Name(_), rest @ ..] = elements else { return None };
        let &Element::Other(Step::Binary(operator)) = rest.get(1)? else { return None };
        let is_link = |link: &[Element<'_>]| matches!(link, [Element::Name(_), Element::Other(Step::Binary(own))] if *own == operator);
        rest.chunks(2).all(is_link).then(|| (operator, names(elements).collect()))
    }

    /// `A` and `B` of `A / B` or `A / B * 100`, each a value or a sum.
    pub(super) fn ratio(&self) -> Option<(&[Element<'t>], &[Element<'t>])> {
        let elements = match &self.0[..] {
            [rest @ .., Element::Number(100.0), TIMES] => rest,
            all => all,
        };
        let [operands @ .., OVER] = elements else { return None };
        let (above, divisor) = operands.split_at(last_operand(operands)?);
        let is_one = |element: &Element<'_>| match element {
            Element::Name(_) | Element::Number(_) | Element::Other(Step::Literal(_)) => true,
            other => [PLUS, MINUS].contains(other),
        };
        (above.iter().all(is_one) && divisor.iter().all(is_one)).then_some((above, divisor))
    }

    /// The formula as a sum or difference of names.
    pub(super) fn terms(&self) -> Option<Terms<'t>> {
        let (elements, are_events) = match &self.0[..] {
            [sum @ .., Element::Name(_), OVER] => (sum, true),
            all => (all, false),
        };
        let is_of_sum = |element: &Element<'_>| {
            matches!(element, Element::Name(_)) || [PLUS, MINUS].contains(element)
        };
        let operator = match elements.len() {
            0 | 1 => None,
            _ if elements.contains(&MINUS) => Some(Operator::Subtract),
            _ => Some(Operator::Add),
        };
        let names: Vec<&str> = names(elements).collect();
        let is_sum = !names.is_empty() && elements.iter().all(is_of_sum);
        is_sum.then_some(Terms { names, are_events, operator })
    }
}

/// Whether one of the names counts cycles.
pub(super) fn has_cycles(elements: &[Element<'_>]) -> bool {
    names(elements).any(|name| name.contains("CYC"))
}

fn names<'t>(elements: &[Element<'t>]) -> impl Iterator<Item = &'t str> {
    elements.iter().filter_map(|element| match element {
        Element::Name(name) => Some(*name),
        _ => None,
    })
}

/// Where the last operand begins.
fn last_operand(elements: &[Element<'_>]) -> Option<usize> {
    let mut wanted = 1;
    for (at, element) in elements.iter().enumerate().rev() {
        let takes = match element {
            Element::Other(Step::Negate) => 1,
            Element::Other(Step::Binary(_)) => 2,
            Element::Other(Step::IfElse) => 3,
            Element::Other(Step::Function(function)) => usize::from(function.arity()),
            _ => 0,
        };
        wanted = wanted - 1 + takes;
        if wanted == 0 {
            return Some(at);
        }
    }
    None
}

/// A sum or difference of names.
pub(super) struct Terms<'t> {
    pub(super) names: Vec<&'t str>,
    /// Whether they are events, and their sum is divided by one.
    pub(super) are_events: bool,
    /// None of a single name.
    pub(super) operator: Option<Operator>,
}

impl Terms<'_> {
    /// The words with which all events begin that are added.
    pub(super) fn common_event(&self) -> Option<String> {
        if !self.are_events || self.operator == Some(Operator::Subtract) {
            return None;
        }
        let mut common: Vec<&str> = self.names.first()?.split('_').collect();
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
