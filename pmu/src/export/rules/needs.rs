//! Which events a formula needs, and without which of them its expression has no value by itself.
//!
//! A formula has a value only if each event that it needs is counted, whatever the value of one
//! may change: `max(A - B, 0)` without a count of `A` is not 0. A series that is missing takes the
//! result with it through all arithmetic, but not through a choice; these events are asked for at
//! the end.

use std::collections::BTreeSet;
use std::rc::Rc;

use pmu_events::__private::expr::{Function, Operator};
use pmu_events::Metric;

use super::formula::Node;

pub(super) type Names = BTreeSet<Rc<str>>;

/// Names of events.
#[derive(Clone, Debug, Default)]
pub(super) struct Needs {
    pub(super) always: Names,
    pub(super) sometimes: Vec<Choice>,
}

/// Names of events that one of two kinds of machines needs.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) condition: Rc<Node>,
    pub(super) then: Names,
    pub(super) otherwise: Names,
}

impl Needs {
    fn of(event: &Rc<str>) -> Self {
        Needs { always: Names::from([event.clone()]), sometimes: Vec::new() }
    }

    fn and(mut self, other: Self) -> Self {
        self.always.extend(other.always);
        for choice in other.sometimes {
            match self.sometimes.iter_mut().find(|own| own.condition == choice.condition) {
                Some(own) => {
                    own.then.extend(choice.then);
                    own.otherwise.extend(choice.otherwise);
                }
                None => self.sometimes.push(choice),
            }
        }
        self
    }

    /// The machine decides which branch is taken. Choices within a branch are the branch's.
    fn either(condition: &Rc<Node>, then: &Self, otherwise: &Self) -> Self {
        let (then, otherwise) = (&then.always, &otherwise.always);
        let only = |one: &Names, other: &Names| one.difference(other).cloned().collect();
        Needs {
            always: then.intersection(otherwise).cloned().collect(),
            sometimes: vec![Choice {
                condition: condition.clone(),
                then: only(then, otherwise),
                otherwise: only(otherwise, then),
            }],
        }
    }

    /// What is here and not there.
    pub(super) fn beside(mut self, other: &Self) -> Self {
        self.always.retain(|event| !other.always.contains(event));
        let always = &other.always;
        for own in &mut self.sometimes {
            let choice = other.sometimes.iter().find(|other| other.condition == own.condition);
            let is_in = |names: Option<&Names>, event: &Rc<str>| {
                always.contains(event) || names.is_some_and(|names| names.contains(event))
            };
            own.then.retain(|event| !is_in(choice.map(|choice| &choice.then), event));
            own.otherwise.retain(|event| !is_in(choice.map(|choice| &choice.otherwise), event));
        }
        self
    }

    /// All events that some machine needs.
    pub(super) fn all(&self) -> Names {
        let sometimes =
            self.sometimes.iter().flat_map(|choice| choice.then.union(&choice.otherwise));
        self.always.iter().chain(sometimes).cloned().collect()
    }
}

/// What is needed for a value, with what is needed for another metric.
pub(super) fn needed(node: &Node, of_metric: &impl Fn(Metric) -> Needs) -> Needs {
    match node {
        Node::Event(event) | Node::Sources(event) => Needs::of(event),
        Node::Metric(metric) => of_metric(*metric),
        Node::IfElse { then, condition, otherwise } if condition.is_of_machine() => {
            Needs::either(condition, &needed(then, of_metric), &needed(otherwise, of_metric))
        }
        node => {
            let parts = node.parts().into_iter().map(|part| needed(part, of_metric));
            parts.fold(Needs::default(), Needs::and)
        }
    }
}

/// What the expression has no value without.
pub(super) fn required(node: &Node, of_metric: &impl Fn(Metric) -> Needs) -> Needs {
    let required = |node: &Node| required(node, of_metric);
    match node {
        Node::Event(_) | Node::Sources(_) | Node::Metric(_) => needed(node, of_metric),
        Node::Function(which, left, right) => match (which, &**left, &**right) {
            (Function::DRatio, _, Node::Number(_)) => required(left),
            (Function::Min | Function::Max, _, Node::Number(_)) if !may_be_undefined(left) => {
                required(left)
            }
            (Function::Min | Function::Max, _, Node::Number(_)) => Needs::default(),
            _ => required(right),
        },
        // Each branch asks for what it needs.
        Node::IfElse { condition, .. } if condition.is_of_machine() => needed(node, of_metric),
        Node::IfElse { then, otherwise, .. } => {
            let (then, otherwise) = (required(then).always, required(otherwise).always);
            let always = then.intersection(&otherwise).cloned().collect();
            Needs { always, sometimes: Vec::new() }
        }
        node => node.parts().into_iter().map(required).fold(Needs::default(), Needs::and),
    }
}

/// Whether a formula may have no value though all that it needs is counted.
pub(super) fn may_be_undefined(node: &Node) -> bool {
    match node {
        Node::Metric(_) => true,
        Node::Binary(Operator::Divide, left, right) => {
            !matches!(**right, Node::Number(_)) || may_be_undefined(left)
        }
        node => node.parts().into_iter().any(may_be_undefined),
    }
}
