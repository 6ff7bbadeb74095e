//! The events that the programs of metrics need on a machine.

use super::latency::LatencyOf;
use super::siblings::Siblings;
use crate::expr::{Function, Identifier, MAX_DEPTH, Machine, Operator, Query};
use crate::packed::Tree;
use crate::wire::Wire;
use crate::wire::program::{MAX_IDENTIFIERS, Name, Program, Step};
use crate::wire::record::MetricRecord;

/// The maximum number of metrics that one may refer to, directly or indirectly.
///
/// One metric of Linux 6.12 refers to 77.
pub const MAX_METRICS: usize = 256;

/// The maximum number of events that one may need, directly or indirectly. One
/// metric of Linux 6.12 needs 91.
pub const MAX_EVENTS: usize = 512;

/// Finds the events that a metric's formula needs on a machine, as perf's
/// `expr__find_ids` does: events in branches that the machine never takes are
/// omitted.
pub(super) fn needs(
    siblings: &Siblings<'_>,
    metric: &MetricRecord,
    formula: u16,
    machine: &impl Machine,
) -> Needs {
    let mut needs = Needs::NONE;
    let mut metrics = [0u32; MAX_METRICS];
    let mut metric_count = 0;
    let mut next = 0;
    let (mut pmu, mut formula) = (metric.pmu, siblings.wire.formula(formula));
    loop {
        if let Some(formula) = formula {
            let program = siblings.wire.program(&formula);
            let needed = needed(siblings.wire, &program, machine);
            for number in (0..program.identifier_count()).filter(|&n| needed.has(n)) {
                let identifier = program.identifier(number);
                match siblings.wire.name(identifier) {
                    Name::Event(_) => needs.add(identifier),
                    Name::Metric(reference) => {
                        if let Some(found) = siblings.resolve(reference, pmu)
                            && !metrics[..metric_count].contains(&found)
                        {
                            if let Some(free) = metrics.get_mut(metric_count) {
                                *free = found;
                                metric_count += 1;
                            } else {
                                needs.are_all = false;
                            }
                        }
                    }
                }
            }
        }
        if next == metric_count {
            return needs;
        }
        let record = siblings.wire.metric_record(metrics[next] as usize);
        (pmu, formula) = (record.pmu, siblings.wire.formula(record.expression));
        next += 1;
    }
}

/// The events that a metric needs, or the retirement latencies
/// ([`Metric::latencies`](super::Metric::latencies)).
///
/// ```
/// use pmu_events::arch::x86;
///
/// let metric = x86::SAPPHIRERAPIDS.metric("branch_mispredict_ratio").unwrap();
/// let needed = metric.events();
/// assert!(needed.are_all());
/// for event in needed {
///     println!("{}", event.with_parameter(0));
/// }
/// ```
#[derive(Clone, Debug)]
pub struct NeededEvents {
    tree: &'static Tree,
    needs: Needs,
    next: usize,
}

impl NeededEvents {
    /// What has to be counted.
    pub(super) fn events(tree: &'static Tree, needs: Needs) -> Self {
        Self::of(tree, needs, false)
    }

    /// What no counter counts.
    pub(super) fn latencies(tree: &'static Tree, needs: Needs) -> Self {
        Self::of(tree, needs, true)
    }

    fn of(tree: &'static Tree, mut needs: Needs, are_latencies: bool) -> Self {
        needs.retain(|identifier| match tree.wire.name(identifier) {
            Name::Event(identifier) => LatencyOf::is_one(identifier) == are_latencies,
            Name::Metric(_) => false,
        });
        NeededEvents { tree, needs, next: 0 }
    }

    /// Whether the list is complete. It always is for a tree compiled by
    /// `pmu_events!`, which rejects metrics that need more than [`MAX_EVENTS`]
    /// events or refer to more than [`MAX_METRICS`] others. For tables from
    /// elsewhere, the excess is left out.
    #[must_use]
    pub fn are_all(&self) -> bool {
        self.needs.are_all
    }

    fn rest(&self) -> &[u32] {
        self.needs.identifiers().get(self.next..).unwrap_or_default()
    }
}

impl Iterator for NeededEvents {
    type Item = Identifier<'static>;

    fn next(&mut self) -> Option<Identifier<'static>> {
        let &identifier = self.rest().first()?;
        self.next += 1;
        match self.tree.wire.name(identifier) {
            Name::Event(identifier) => Some(identifier),
            Name::Metric(_) => None,
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.rest().len(), Some(self.rest().len()))
    }
}

impl ExactSizeIterator for NeededEvents {}

/// The identifiers that a formula needs, in the form programs use.
#[derive(Clone, Debug)]
pub(super) struct Needs {
    identifiers: [u32; MAX_EVENTS],
    len: u16,
    /// Whether there was room for all identifiers.
    are_all: bool,
}

impl Needs {
    const NONE: Self = Needs { identifiers: [0; MAX_EVENTS], len: 0, are_all: true };

    fn add(&mut self, identifier: u32) {
        if self.identifiers().contains(&identifier) {
            return;
        }
        if let Some(free) = self.identifiers.get_mut(usize::from(self.len)) {
            *free = identifier;
            self.len += 1;
        } else {
            self.are_all = false;
        }
    }

    fn retain(&mut self, is_wanted: impl Fn(u32) -> bool) {
        let mut kept = Needs { are_all: self.are_all, ..Needs::NONE };
        self.identifiers().iter().filter(|one| is_wanted(**one)).for_each(|&one| kept.add(one));
        *self = kept;
    }

    /// The identifiers, without duplicates: a metric's own first, in the order
    /// of the text.
    pub(super) fn identifiers(&self) -> &[u32] {
        self.identifiers.get(..usize::from(self.len)).unwrap_or_default()
    }
}

/// A set of a program's identifiers.
#[derive(Clone, Copy, Debug)]
struct Set([u64; (MAX_IDENTIFIERS + 1) / 64]);

impl Set {
    const EMPTY: Self = Set([0; (MAX_IDENTIFIERS + 1) / 64]);

    fn of(number: u8) -> Self {
        let mut set = Self::EMPTY;
        set.0[usize::from(number) / 64] = 1 << (number % 64);
        set
    }

    fn has(&self, number: u8) -> bool {
        self.0[usize::from(number) / 64] & (1 << (number % 64)) != 0
    }

    fn and(self, other: Self) -> Self {
        Set(core::array::from_fn(|n| self.0[n] | other.0[n]))
    }
}

/// An operand: either its needs with an unknown value, or a number, which needs
/// nothing. NaN represents any value, as in perf.
#[derive(Clone, Copy)]
struct Operand {
    value: f64,
    needs: Set,
}

impl Operand {
    fn number(value: f64) -> Self {
        Operand { value, needs: Set::EMPTY }
    }

    fn any(needs: Set) -> Self {
        Operand { value: f64::NAN, needs }
    }

    fn is_number(&self) -> bool {
        self.value.is_finite()
    }
}

/// The identifiers of a program that are needed on a machine.
fn needed(wire: &Wire<'_>, program: &Program<'_>, machine: &impl Machine) -> Set {
    let mut stack = [Operand::number(0.0); MAX_DEPTH + 1];
    let mut len = 0usize;
    let mut code = program.code();
    while let Some((step, rest)) = Step::read(code) {
        code = rest;
        let takes = match step {
            Step::Identifier(_) | Step::Constant(_) | Step::Literal(_) | Step::Query(..) => 0,
            Step::Negate => 1,
            Step::Binary(_) | Step::Function(_) => 2,
            Step::IfElse => 3,
        };
        let Some(base) = len.checked_sub(takes) else {
            return Set::EMPTY;
        };
        let [a, b, c] = core::array::from_fn(|n| {
            let operand = if n < takes { stack.get(base + n) } else { None };
            operand.copied().unwrap_or(Operand::number(0.0))
        });
        let result = match step {
            Step::Identifier(number) => Operand::any(Set::of(number)),
            Step::Constant(number) => Operand::number(program.constant(number)),
            Step::Literal(literal) => Operand::number(machine.literal(literal)),
            Step::Query(query, number) => {
                asked(wire, query, program.identifier(number), number, machine)
            }
            Step::Negate => Operand { value: -a.value, ..a },
            Step::Binary(operator) => binary(operator, a, b),
            Step::Function(Function::DRatio) if b.value == 0.0 => Operand::number(0.0),
            Step::Function(function) if a.is_number() && b.is_number() => {
                Operand::number(function.apply(a.value, b.value))
            }
            Step::Function(_) => Operand::any(a.needs.and(b.needs)),
            Step::IfElse if b.value == 0.0 => c,
            Step::IfElse if b.is_number() => a,
            Step::IfElse if a.value == c.value => Operand::number(a.value),
            Step::IfElse => Operand::any(a.needs.and(b.needs).and(c.needs)),
        };
        let Some(place) = stack.get_mut(base) else {
            return Set::EMPTY;
        };
        *place = result;
        len = base + 1;
    }
    if len == 1 { stack[0].needs } else { Set::EMPTY }
}

fn binary(operator: Operator, a: Operand, b: Operand) -> Operand {
    if a.is_number()
        && b.is_number()
        && let Some(value) = operator.apply(a.value, b.value)
    {
        return Operand::number(value);
    }
    let stays = |number: &Operand| number.is_number() && number.value != 0.0;
    match operator {
        Operator::Divide if b.value == 0.0 => Operand::number(f64::NAN),
        Operator::And if a.value == 0.0 || b.value == 0.0 => Operand::number(0.0),
        Operator::Or if stays(&a) || stays(&b) => Operand::number(1.0),
        Operator::And | Operator::Or if a.is_number() => b,
        Operator::And | Operator::Or if b.is_number() => a,
        _ => Operand::any(a.needs.and(b.needs)),
    }
}

fn asked(
    wire: &Wire<'_>,
    query: Query,
    identifier: u32,
    number: u8,
    machine: &impl Machine,
) -> Operand {
    let Name::Event(identifier) = wire.name(identifier) else {
        return Operand::any(Set::EMPTY);
    };
    let truth = |is_true: bool| Operand::number(f64::from(is_true));
    match query {
        Query::SourceCount | Query::AggrNr => Operand::any(Set::of(number)),
        // The answer will be whether the event has a value.
        Query::HasEvent => {
            machine.has_event(identifier).map_or(Operand::any(Set::of(number)), truth)
        }
        Query::StrcmpCpuidStr => {
            machine.cpuid_matches(identifier).map_or(Operand::any(Set::EMPTY), truth)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_are_said_to_be() {
        let mut needs = Needs::NONE;
        for _ in 0..2 {
            (0..MAX_EVENTS as u32).for_each(|identifier| needs.add(identifier));
            assert_eq!((needs.identifiers().len(), needs.are_all), (MAX_EVENTS, true));
        }
        needs.add(MAX_EVENTS as u32);
        assert_eq!((needs.identifiers().len(), needs.are_all), (MAX_EVENTS, false));
        assert!(needs.identifiers().iter().copied().eq(0..MAX_EVENTS as u32));
    }
}
