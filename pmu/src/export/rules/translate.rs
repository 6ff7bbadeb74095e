//! From the formula of a metric to an expression of PromQL.
//!
//! A formula of counts is one of rates: counts are those of an average second, and
//! `duration_time` is 1. What has no value in a formula (NaN) has no series here, and what the
//! series of events are is written by [`series`](super::series).
//!
//! | formula | PromQL |
//! |---|---|
//! | `a / b` | `a / (b != 0)`: no value if `b` is 0 |
//! | `d_ratio(a, b)` | `a / (b != 0) or 0 * (b == 0)` |
//! | `max(a, b)` | `a > b or b`: `b` if either has no value |
//! | `max(a, 2)` | `clamp_min(a, 2)` |
//! | `a if b > c else d` | `(a unless b <= c) or (d and b <= c)` |
//! | `a if #smt_on else d` | `(a and #smt_on != 0) or (d and #smt_on == 0)` |
//! | `source_count(e)` | a count of the series of `e` |

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use pmu_events::__private::expr::{self, Function};
use pmu_events::event_list::Tool;
use pmu_events::{Metric, Model};

use super::formula::{self, Known, Node};
use super::naming::Recorded;
use super::needs::{Choice, Needs, may_be_undefined, needed, required};
use super::promql::{Labels, Operator, Query};
use super::refusal::Refusal;
use super::rule_name;
use super::series::{Selection, Spelled, kind_of_core, quoted};
use crate::export::config::ScopeKind;
use crate::export::names;

/// Translates the metrics of a model.
pub(super) struct Translator<'k> {
    known: Known<'k>,
    selection: Selection<'k>,
    /// Formulas refer to each other, many to the same ones. `None` while it is made.
    formulas: RefCell<BTreeMap<Metric, Option<Result<Rc<Node>, Refusal>>>>,
    rules: RefCell<BTreeMap<Metric, Result<String, Refusal>>>,
}

/// One formula.
struct Formula<'t, 'k> {
    translator: &'t Translator<'k>,
    metric: Metric,
    /// Series with a value of which nothing matters but the labels.
    any: Option<Query>,
}

impl<'k> Translator<'k> {
    pub(super) fn new(known: Known<'k>, selection: Selection<'k>) -> Self {
        Translator { known, selection, formulas: RefCell::default(), rules: RefCell::default() }
    }

    pub(super) fn selection(&self) -> &Selection<'k> {
        &self.selection
    }

    pub(super) fn model(&self) -> Model {
        self.known.model
    }

    /// The formula of a metric.
    pub(super) fn formula(&self, metric: Metric) -> Result<Rc<Node>, Refusal> {
        if let Some(known) = self.formulas.borrow().get(&metric) {
            return known.clone().unwrap_or(Err(Refusal::Circle));
        }
        self.formulas.borrow_mut().insert(metric, None);
        let node = formula::of(metric, &self.known, |other| self.formula(other)).map(Rc::new);
        self.formulas.borrow_mut().insert(metric, Some(node.clone()));
        node
    }

    /// The events that the value of a metric needs, also those of the metrics to which it refers.
    pub(super) fn needed(&self, metric: Metric) -> Needs {
        let of_metric = |other| self.needed(other);
        self.formula(metric).map(|node| needed(&node, &of_metric)).unwrap_or_default()
    }

    /// The expression for a metric, whose value is in Prometheus's unit, and the series of machines
    /// that have another model are left out.
    pub(super) fn rule(&self, metric: Metric) -> Result<String, Refusal> {
        if let Some(known) = self.rules.borrow().get(&metric) {
            return known.clone();
        }
        let rule = self.made(metric);
        self.rules.borrow_mut().insert(metric, rule.clone());
        rule
    }

    fn made(&self, metric: Metric) -> Result<String, Refusal> {
        let node = self.formula(metric)?;
        let mut formula = Formula { translator: self, metric, any: None };
        formula.any = formula.first(&node)?;
        let mut query = formula.guarded(&node)?;
        match query.labels {
            Labels::None => return Err(Refusal::NoEvent),
            Labels::Machine if self.selection.level != ScopeKind::Machine => {
                return Err(Refusal::NoEvent);
            }
            Labels::Machine | Labels::Scope => {}
        }
        let factor = Recorded::of(metric).factor;
        if factor != 1.0 {
            query = query.with(Operator::Multiply, Query::number(factor));
        }
        let of_model = Query::whole(of_model(self.model()), Labels::Machine);
        // The series have other labels, whatever those of the expression are.
        query.labels = Labels::Scope;
        Ok(query.with(Operator::And, of_model).to_string())
    }
}

/// The machines of a model.
pub(super) fn of_model(model: Model) -> String {
    format!("{}_info{{{}={}}}", names::MACHINE, names::MODEL, quoted(model.name()))
}

impl Formula<'_, '_> {
    /// The first event that is needed in any case. The series of another metric may be missing
    /// though all events are counted.
    fn first(&self, node: &Node) -> Result<Option<Query>, Refusal> {
        let needed = needed(node, &|metric| self.translator.needed(metric));
        needed.always.first().map(|event| self.event(event)).transpose()
    }

    fn event(&self, event: &str) -> Result<Query, Refusal> {
        let Formula { translator, metric, .. } = self;
        Spelled::new(event, translator.model(), metric.pmu()).rate(&translator.selection)
    }

    /// The expression, and all events that it needs beside it.
    fn guarded(&self, node: &Node) -> Result<Query, Refusal> {
        let of_metric = |metric| self.translator.needed(metric);
        let beside = needed(node, &of_metric).beside(&required(node, &of_metric));
        let mut query = self.query(node)?;
        for event in &beside.always {
            query = query.with(Operator::And, self.event(event)?);
        }
        for Choice { condition, then, otherwise } in &beside.sometimes {
            for (events, other) in [(then, Operator::And), (otherwise, Operator::Unless)] {
                let Some(any) = &self.any else { continue };
                for event in events {
                    // The machine has the other branch, or the event.
                    let other = any.clone().with(other, self.is_false(condition)?);
                    let is_complete = self.event(event)?.with(Operator::Or, other);
                    query = query.with(Operator::And, is_complete);
                }
            }
        }
        Ok(query)
    }

    fn query(&self, node: &Node) -> Result<Query, Refusal> {
        Ok(match node {
            Node::Number(number) if number.is_nan() => return Err(Refusal::NoValue),
            Node::Number(number) => Query::number(*number),
            Node::Literal(literal) => self.literal(*literal)?,
            Node::Event(event) => self.event(event)?,
            Node::Sources(event) => {
                let Formula { translator, metric, .. } = self;
                let event = Spelled::new(event, translator.model(), metric.pmu());
                event.sources(&translator.selection)?
            }
            Node::Metric(metric) => self.recorded(*metric)?,
            Node::Negate(one) => self.query(one)?.negated(),
            Node::Binary(operator, left, right) => self.binary(*operator, left, right)?,
            Node::Function(Function::DRatio, left, right) => self.ratio(left, right)?,
            Node::Function(Function::Max, left, right) => {
                self.extreme("clamp_min", Operator::Greater, left, right)?
            }
            Node::Function(Function::Min, left, right) => {
                self.extreme("clamp_max", Operator::Less, left, right)?
            }
            Node::Function(..) => return Err(Refusal::Lacks("a function")),
            Node::IfElse { then, condition, otherwise } => {
                self.if_else(then, condition, otherwise)?
            }
        })
    }

    fn literal(&self, literal: Tool) -> Result<Query, Refusal> {
        let name = literal.name();
        let is_of_whole = matches!(
            literal,
            Tool::NumCores
                | Tool::NumCpus
                | Tool::NumCpusOnline
                | Tool::NumDies
                | Tool::NumPackages
        );
        if is_of_whole && self.translator.selection.level != ScopeKind::Machine {
            return Err(Refusal::WholeMachine(format!("`#{name}`")));
        }
        let label = names::NUMBER;
        let text = format!("sum without ({label}) ({}{{{label}=\"{name}\"}})", names::NUMBERS);
        Ok(Query::whole(text, Labels::Machine))
    }

    /// What a rule has recorded of another metric, before its scale.
    fn recorded(&self, metric: Metric) -> Result<Query, Refusal> {
        self.translator.rule(metric)?;
        let recorded = Recorded::of(metric);
        let selection = &self.translator.selection;
        let name = rule_name(&recorded, selection);
        let query = match kind_of_core(metric.pmu()) {
            Some(kind) => format!("sum without (pmu) ({name}{{pmu=\"{kind}\"}})"),
            None => name,
        };
        let query = Query::whole(query, Labels::Scope);
        Ok(match recorded.factor {
            1.0 => query,
            factor => query.with(Operator::Divide, Query::number(factor)),
        })
    }

    fn binary(
        &self,
        operator: expr::Operator,
        left: &Node,
        right: &Node,
    ) -> Result<Query, Refusal> {
        if let Some(plain) = self.in_exported_unit(operator, left, right)? {
            return Ok(plain);
        }
        let (left, mut right) = (self.query(left)?, self.query(right)?);
        Ok(match operator {
            expr::Operator::Add => left.with(Operator::Add, right),
            expr::Operator::Subtract => left.with(Operator::Subtract, right),
            expr::Operator::Multiply => left.with(Operator::Multiply, right),
            expr::Operator::Divide => {
                if right.labels != Labels::None {
                    right = right.with(Operator::NotEqual, Query::number(0.0));
                }
                left.with(Operator::Divide, right)
            }
            expr::Operator::Less => left.compared(Operator::Less, right),
            expr::Operator::Greater => left.compared(Operator::Greater, right),
            expr::Operator::Remainder => return Err(Refusal::Lacks("a remainder of integers")),
            _ => return Err(Refusal::Lacks("logic with numbers")),
        })
    }

    /// An event whose factor in the formula is that with which it is exported: bytes for lines of a
    /// cache, seconds for nanoseconds.
    fn in_exported_unit(
        &self,
        operator: expr::Operator,
        left: &Node,
        right: &Node,
    ) -> Result<Option<Query>, Refusal> {
        let (event, factor) = match (operator, left, right) {
            (expr::Operator::Multiply, Node::Number(factor), Node::Event(event))
            | (expr::Operator::Multiply, Node::Event(event), Node::Number(factor)) => {
                (event, *factor)
            }
            (expr::Operator::Divide, Node::Event(event), Node::Number(divisor)) => {
                (event, 1.0 / divisor)
            }
            _ => return Ok(None),
        };
        let Formula { translator, metric, .. } = self;
        let event = Spelled::new(event, translator.model(), metric.pmu());
        match event.series().1 == factor && factor != 1.0 {
            true => event.exported(&translator.selection).map(Some),
            false => Ok(None),
        }
    }

    fn ratio(&self, left: &Node, right: &Node) -> Result<Query, Refusal> {
        let ratio = self.binary(expr::Operator::Divide, left, right)?;
        let right = self.query(right)?;
        if right.labels == Labels::None {
            return Ok(ratio);
        }
        let none = right.with(Operator::Equal, Query::number(0.0));
        Ok(ratio.with(Operator::Or, Query::number(0.0).with(Operator::Multiply, none)))
    }

    /// The larger or the smaller of two values: the second one if either is undefined.
    fn extreme(
        &self,
        clamp: &str,
        is_it: Operator,
        left: &Node,
        right: &Node,
    ) -> Result<Query, Refusal> {
        Ok(match (left, right) {
            (Node::Number(limit), other) => self.query(other)?.clamped(clamp, *limit),
            (other, Node::Number(limit)) => {
                let clamped = self.query(other)?.clamped(clamp, *limit);
                match may_be_undefined(other) {
                    true => clamped.with(Operator::Or, self.with_labels(right)?),
                    false => clamped,
                }
            }
            _ => {
                let (left, right) = (self.with_labels(left)?, self.with_labels(right)?);
                left.with(is_it, right.clone()).with(Operator::Or, right)
            }
        })
    }

    fn if_else(&self, then: &Node, condition: &Node, otherwise: &Node) -> Result<Query, Refusal> {
        let is_false = self.is_false(condition)?;
        if !condition.is_of_machine() {
            let (then, otherwise) = (self.with_labels(then)?, self.with_labels(otherwise)?);
            let then = then.with(Operator::Unless, is_false.clone());
            return Ok(then.with(Operator::Or, otherwise.with(Operator::And, is_false)));
        }
        // Which events are counted follows from the condition, and so does what has labels.
        let is_known = self.query(condition)?;
        let part = |node: &Node| {
            let any = match self.first(node)? {
                None if self.translator.selection.level == ScopeKind::Machine => {
                    Some(is_known.clone())
                }
                any => any,
            };
            let part = Formula { any, ..*self };
            let query = part.guarded(node)?;
            if query.labels == Labels::None { part.with_labels(node) } else { Ok(query) }
        };
        let (then, otherwise) = (part(then)?, part(otherwise)?);
        // A machine that does not know its number has no value.
        let then = then.with(Operator::And, self.is_true(condition)?);
        Ok(then.with(Operator::Or, otherwise.with(Operator::And, is_false)))
    }

    /// Series where a condition has a value that is not 0.
    fn is_true(&self, condition: &Node) -> Result<Query, Refusal> {
        Ok(match condition {
            Node::Binary(expr::Operator::Less, left, right) => {
                self.query(left)?.with(Operator::Less, self.query(right)?)
            }
            Node::Binary(expr::Operator::Greater, left, right) => {
                self.query(left)?.with(Operator::Greater, self.query(right)?)
            }
            other => self.query(other)?.with(Operator::NotEqual, Query::number(0.0)),
        })
    }

    /// Series where a condition is 0. Where the condition has no value, there is none, and so the
    /// condition is taken for true.
    fn is_false(&self, condition: &Node) -> Result<Query, Refusal> {
        Ok(match condition {
            Node::Binary(expr::Operator::Less, left, right) => {
                self.query(left)?.with(Operator::GreaterOrEqual, self.query(right)?)
            }
            Node::Binary(expr::Operator::Greater, left, right) => {
                self.query(left)?.with(Operator::LessOrEqual, self.query(right)?)
            }
            other => self.query(other)?.with(Operator::Equal, Query::number(0.0)),
        })
    }

    /// The expression, with the labels of the scope also where it is a number.
    fn with_labels(&self, node: &Node) -> Result<Query, Refusal> {
        let query = self.query(node)?;
        let is_without = match query.labels {
            Labels::None => true,
            Labels::Machine => self.translator.selection.level != ScopeKind::Machine,
            Labels::Scope => false,
        };
        if !is_without {
            return Ok(query);
        }
        let any = self.any.clone().ok_or(Refusal::NoEvent)?;
        let zero = Query::number(0.0).with(Operator::Multiply, any);
        Ok(zero.with(Operator::Add, query))
    }
}
