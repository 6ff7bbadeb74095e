//! The formula of a metric as a tree, with what is known before anything is counted put in.

use std::collections::BTreeSet;
use std::rc::Rc;

use pmu_events::__private::expr::{Function, Item, Operator, Query};
use pmu_events::__private::{items, name};
use pmu_events::event_list::Tool;
use pmu_events::expr::{Identifier, Machine};
use pmu_events::metric::{self, Latencies, LatencyOf};
use pmu_events::system::SystemMachine;
use pmu_events::{Metric, Model};

use super::refusal::Refusal;

/// A formula of counts in a second.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    Number(f64),
    /// A number of the machine.
    Literal(Tool),
    /// How often an event happens in a second, before any scale.
    Event(Rc<str>),
    /// The number of PMUs that count an event.
    Sources(Rc<str>),
    /// Another metric, before its scale.
    Metric(Metric),
    Negate(Rc<Node>),
    Binary(Operator, Rc<Node>, Rc<Node>),
    Function(Function, Rc<Node>, Rc<Node>),
    IfElse {
        then: Rc<Node>,
        condition: Rc<Node>,
        otherwise: Rc<Node>,
    },
}

/// What is known of the machines before anything is counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known<'m> {
    pub(crate) model: Model,
    /// A machine that has the CPUID of those whose metrics are meant, if that is known.
    pub(crate) machine: Option<&'m SystemMachine>,
    /// Whether whole CPUs are counted, and not tasks.
    pub(crate) is_of_cpus: bool,
}

impl Machine for Known<'_> {
    fn literal(&self, literal: Tool) -> f64 {
        match literal {
            Tool::TargetCpu | Tool::CoreWide => f64::from(self.is_of_cpus),
            _ => f64::NAN,
        }
    }

    fn cpuid_matches(&self, wanted: Identifier<'_>) -> Option<bool> {
        self.machine?.cpuid_matches(wanted)
    }
}

/// The largest formula that takes the place of its name in another one: an event, a ratio or a sum
/// of two. For anything larger there is a rule, so that rules stay short.
const SMALL: usize = 5;

/// The formula of a metric, in which the formulas of small metrics take the place of their names.
/// `formula` returns that of another one.
pub(super) fn of(
    metric: Metric,
    known: &Known<'_>,
    formula: impl Fn(Metric) -> Result<Rc<Node>, Refusal>,
) -> Result<Node, Refusal> {
    let text = metric.expression().to_string();
    let parsed = metric::parse(&text).map_err(|_| Refusal::NoValue)?.simplified_for(known);
    let mut stack: Vec<Node> = Vec::new();
    for item in items(&parsed) {
        let mut pop = || stack.pop().ok_or(Refusal::NoValue);
        let node = match *item {
            Item::Number(number) => Node::Number(number),
            Item::Literal(literal) => Node::Literal(literal),
            Item::Identifier(spelling) => {
                spelling.with(|one| named(one, metric, known, &formula))?
            }
            Item::Query(Query::SourceCount, spelling) => Node::Sources(spelling.to_string().into()),
            Item::Query(Query::AggrNr, _) => return Err(Refusal::Lacks("`aggr_nr`")),
            Item::Query(Query::HasEvent, spelling) => {
                return Err(Refusal::HasEvent(spelling.to_string()));
            }
            Item::Query(..) => return Err(Refusal::Cpuid),
            Item::Negate => negated(pop()?),
            Item::Binary(operator) => {
                let right = pop()?;
                binary(operator, pop()?, right)?
            }
            Item::Function(which) => {
                let right = pop()?;
                function(which, pop()?, right)
            }
            Item::IfElse => {
                let otherwise = pop()?;
                let condition = pop()?;
                if_else(pop()?, condition, otherwise)
            }
        };
        stack.push(node);
    }
    match stack.pop() {
        Some(node) if stack.is_empty() => Ok(node),
        _ => Err(Refusal::NoValue),
    }
}

/// What a name means in the formula of a metric: another metric before an event, of the same PMU
/// if there is one.
fn named(
    identifier: Identifier<'_>,
    own: Metric,
    known: &Known<'_>,
    formula: &impl Fn(Metric) -> Result<Rc<Node>, Refusal>,
) -> Result<Node, Refusal> {
    let text = identifier.as_str();
    if let Some(of) = LatencyOf::parse(text) {
        let latency = Latencies::new().find([known.model], of);
        let latency = latency.ok_or_else(|| Refusal::Latency(text.into()))?;
        return Ok(Node::Number(latency.cycles()));
    }
    if let Some(other) = metric_named(known.model, text, own) {
        let node = formula(other)?;
        return Ok(if size(&node) <= SMALL { (*node).clone() } else { Node::Metric(other) });
    }
    if identifier.has_parameter() {
        return Err(Refusal::Parameter);
    }
    match text.parse() {
        // Counts are those of one second.
        Ok(Tool::DurationTime) => Ok(Node::Number(1.0)),
        Ok(Tool::UserTime | Tool::SystemTime) => Err(Refusal::OfCommand(text.into())),
        // The names of other tools may be events: `slots`.
        _ => Ok(Node::Event(text.into())),
    }
}

/// The metric that a name in the formula of another one means.
pub(super) fn metric_named(model: Model, text: &str, own: Metric) -> Option<Metric> {
    // In a metric of its own name, it is the event.
    if name::eq(own.name(), text) {
        return None;
    }
    let is_it = |metric: &Metric| name::eq(metric.name(), text);
    let of_pmu = model.metrics().find(|metric| is_it(metric) && metric.pmu() == own.pmu());
    of_pmu.or_else(|| model.metrics().find(is_it))
}

fn negated(node: Node) -> Node {
    match node {
        Node::Number(number) => Node::Number(-number),
        node => Node::Negate(node.into()),
    }
}

fn binary(operator: Operator, left: Node, right: Node) -> Result<Node, Refusal> {
    use Operator::{Add, Divide, Multiply, Subtract};
    Ok(match (operator, &left, &right) {
        (_, Node::Number(a), Node::Number(b)) => {
            Node::Number(operator.apply(*a, *b).ok_or(Refusal::NoValue)?)
        }
        (Add, Node::Number(0.0), _) | (Multiply, Node::Number(1.0), _) => right,
        (Add | Subtract, _, Node::Number(0.0)) => left,
        (Multiply | Divide, _, Node::Number(1.0)) => left,
        _ => Node::Binary(operator, left.into(), right.into()),
    })
}

fn function(which: Function, left: Node, right: Node) -> Node {
    match (&left, &right) {
        (Node::Number(a), Node::Number(b)) => Node::Number(which.apply(*a, *b)),
        _ => Node::Function(which, left.into(), right.into()),
    }
}

fn if_else(then: Node, condition: Node, otherwise: Node) -> Node {
    match condition {
        Node::Number(0.0) => otherwise,
        Node::Number(_) => then,
        condition => Node::IfElse {
            then: then.into(),
            condition: condition.into(),
            otherwise: otherwise.into(),
        },
    }
}

fn size(node: &Node) -> usize {
    1 + node.parts().into_iter().map(size).sum::<usize>()
}

impl Node {
    pub(super) fn parts(&self) -> Vec<&Node> {
        match self {
            Node::Negate(one) => vec![one],
            Node::Binary(_, one, other) | Node::Function(_, one, other) => vec![one, other],
            Node::IfElse { then, condition, otherwise } => vec![then, condition, otherwise],
            _ => Vec::new(),
        }
    }

    /// Whether the machine alone decides the value.
    pub(super) fn is_of_machine(&self) -> bool {
        match self {
            Node::Number(_) | Node::Literal(_) => true,
            Node::Event(_) | Node::Sources(_) | Node::Metric(_) => false,
            _ => self.parts().into_iter().all(Node::is_of_machine),
        }
    }

    /// The events and the metrics that are in the formula itself.
    pub(super) fn leaves(&self) -> (BTreeSet<Rc<str>>, BTreeSet<Metric>) {
        let (mut events, mut metrics) = (BTreeSet::new(), BTreeSet::new());
        let mut open = vec![self];
        while let Some(node) = open.pop() {
            match node {
                Node::Event(event) | Node::Sources(event) => drop(events.insert(event.clone())),
                Node::Metric(metric) => drop(metrics.insert(*metric)),
                _ => open.extend(node.parts()),
            }
        }
        (events, metrics)
    }
}
