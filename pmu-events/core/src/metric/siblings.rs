//! Programs of metrics, run: among the metrics of one model, which refer to
//! each other by name.

use crate::expr::{
    Function, Identifier, MAX_DEPTH, Machine, Operator, Query, Reading, Stack, literal_value,
    query_value,
};
use crate::wire::program::{MAX_IDENTIFIERS, Name, Program, Step};
use crate::wire::record::{FormulaRecord, MetricRecord, ReferenceRecord};
use crate::wire::{Section, Wire};

/// How many metrics may refer to each other in a row.
pub const MAX_NESTING: usize = 32;

/// How many metrics one may refer to, through others. Linux 6.12 has one that
/// refers to 77.
pub const MAX_METRICS: usize = 256;

/// How many events one may need, through others. Linux 6.12 has one that needs
/// 91.
pub const MAX_EVENTS: usize = 512;

/// Of how many metrics an evaluation remembers the value.
const MOST_KNOWN: usize = 128;

/// Programs that need no more than this take a smaller stack.
const USUAL_DEPTH: usize = 12;

/// The metrics of one model, as a part of the lists of a tree.
#[derive(Clone, Copy, Debug)]
pub struct Siblings<'a> {
    /// The tree.
    pub wire: &'a Wire<'a>,
    /// Where the model's metrics begin in the lists.
    pub first: u32,
    /// How many there are.
    pub count: u32,
}

impl<'a> Siblings<'a> {
    fn nth(&self, n: u32) -> u32 {
        self.wire.number(Section::Lists, self.first as usize + n as usize) as u32
    }

    /// The metric that a reference of a metric of PMU number `pmu` means: the
    /// model's own, of the same PMU if it has one.
    #[must_use]
    pub fn resolve(&self, reference: ReferenceRecord, pmu: u16) -> Option<u32> {
        // Metrics are numbered, and listed, by name.
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.nth(middle) < reference.first { low = middle + 1 } else { high = middle }
        }
        let behind = reference.first.saturating_add(u32::from(reference.count));
        let most = usize::from(reference.count);
        let named =
            || (low..self.count).map(|n| self.nth(n)).take_while(|&n| n < behind).take(most);
        if reference.count == 1 {
            return named().next();
        }
        let on_pmu = |&number: &u32| self.wire.metric_record(number as usize).pmu == pmu;
        named().find(on_pmu).or_else(|| named().next())
    }

    /// The value of a formula of a metric; NaN where something is not known.
    #[inline]
    pub fn value<R: Into<Reading>>(
        &self,
        metric: &MetricRecord,
        formula: u16,
        machine: &impl Machine,
        values: &mut impl FnMut(Identifier<'a>) -> R,
    ) -> f64 {
        let Some(formula) = self.wire.formula(formula) else {
            return f64::NAN;
        };
        let mut run = Run { siblings: self, machine, values, known: None, nesting: 0 };
        run.formula(&formula, metric.pmu)
    }

    /// The events that a formula of a metric needs on a machine, as perf's
    /// `expr__find_ids` finds them: not those of a branch that the machine
    /// never takes. `None` when they are too many.
    #[must_use]
    pub fn needs(
        &self,
        metric: &MetricRecord,
        formula: u16,
        machine: &impl Machine,
    ) -> Option<Needs> {
        let mut needs = Needs { identifiers: [0; MAX_EVENTS], len: 0 };
        let mut metrics = [0u32; MAX_METRICS];
        let mut metric_count = 0;
        let mut next = 0;
        let (mut pmu, mut formula) = (metric.pmu, self.wire.formula(formula));
        loop {
            if let Some(formula) = formula {
                let program = self.wire.program(&formula);
                let needed = needed(self.wire, &program, machine);
                for number in (0..program.identifier_count()).filter(|&n| needed.has(n)) {
                    let identifier = program.identifier(number);
                    match self.wire.name(identifier) {
                        Name::Event(_) => needs.add(identifier)?,
                        Name::Metric(reference) => {
                            if let Some(found) = self.resolve(reference, pmu)
                                && !metrics[..metric_count].contains(&found)
                            {
                                *metrics.get_mut(metric_count)? = found;
                                metric_count += 1;
                            }
                        }
                    }
                }
            }
            if next == metric_count {
                return Some(needs);
            }
            let record = self.wire.metric_record(metrics[next] as usize);
            (pmu, formula) = (record.pmu, self.wire.formula(record.expression));
            next += 1;
        }
    }
}

/// The identifiers that a formula needs, as programs have them.
#[derive(Clone, Debug)]
pub struct Needs {
    identifiers: [u32; MAX_EVENTS],
    len: u16,
}

impl Needs {
    fn add(&mut self, identifier: u32) -> Option<()> {
        if !self.identifiers().contains(&identifier) {
            *self.identifiers.get_mut(usize::from(self.len))? = identifier;
            self.len += 1;
        }
        Some(())
    }

    /// Them, without duplicates: a metric's own first, in the order of the
    /// text.
    #[must_use]
    pub fn identifiers(&self) -> &[u32] {
        self.identifiers.get(..usize::from(self.len)).unwrap_or_default()
    }
}

/// One evaluation.
struct Run<'s, 'a, M, V> {
    siblings: &'s Siblings<'a>,
    machine: &'s M,
    values: &'s mut V,
    /// Room for them is made when it is needed.
    known: Option<Known>,
    nesting: usize,
}

impl<'a, M: Machine, V: FnMut(Identifier<'a>) -> R, R: Into<Reading>> Run<'_, 'a, M, V> {
    #[inline]
    fn formula(&mut self, formula: &FormulaRecord, pmu: u16) -> f64 {
        let program = self.siblings.wire.program(formula);
        let value = if usize::from(program.depth) <= USUAL_DEPTH {
            self.program::<USUAL_DEPTH>(&program, pmu)
        } else {
            self.program::<{ MAX_DEPTH + 1 }>(&program, pmu)
        };
        value.unwrap_or(f64::NAN)
    }

    /// `None` where the formula is given up.
    #[inline]
    fn program<const N: usize>(&mut self, program: &Program<'a>, pmu: u16) -> Option<f64> {
        let wire = self.siblings.wire;
        let mut stack = Stack::<N>::new();
        let mut code = program.code();
        while let Some((&first, rest)) = code.split_first() {
            // Most steps are of these three kinds.
            if let Some(number) = Step::short_identifier(first) {
                stack.push(self.identifier(program, number, pmu))?;
                code = rest;
                continue;
            }
            if let Some(number) = Step::short_constant(first) {
                stack.push(wire.constant(number))?;
                code = rest;
                continue;
            }
            if let Some(operator) = Step::operator(first) {
                stack.binary(operator)?;
                code = rest;
                continue;
            }
            let (step, rest) = Step::read(code)?;
            code = rest;
            match step {
                Step::Identifier(number) => stack.push(self.identifier(program, number, pmu))?,
                Step::Constant(number) => stack.push(wire.constant(number))?,
                Step::Literal(literal) => stack.push(literal_value(literal, self.machine)?)?,
                Step::Query(query, number) => {
                    let Name::Event(identifier) = wire.name(program.identifier(number)) else {
                        return None;
                    };
                    stack.push(query_value(query, identifier, self.machine, self.values))?;
                }
                Step::Negate => stack.negate()?,
                Step::Binary(operator) => stack.binary(operator)?,
                Step::Function(function) => stack.function(function)?,
                Step::IfElse => stack.if_else()?,
            }
        }
        Some(stack.result())
    }

    #[inline(always)]
    fn identifier(&mut self, program: &Program<'a>, number: u8, pmu: u16) -> f64 {
        match self.siblings.wire.name(program.identifier(number)) {
            Name::Event(identifier) => (self.values)(identifier).into().value,
            Name::Metric(reference) => self.metric(reference, pmu),
        }
    }

    /// The value of another metric, which is worked out once.
    #[cold]
    #[inline(never)]
    fn metric(&mut self, reference: ReferenceRecord, pmu: u16) -> f64 {
        let Some(number) = self.siblings.resolve(reference, pmu) else {
            return f64::NAN;
        };
        if let Some(value) = self.known.as_ref().and_then(|known| known.find(number)) {
            return value;
        }
        if self.nesting == MAX_NESTING {
            return f64::NAN;
        }
        // What refers to itself has no value, and is not followed for ever.
        self.known.get_or_insert_default().add(number, f64::NAN);
        let record = self.siblings.wire.metric_record(number as usize);
        let Some(formula) = self.siblings.wire.formula(record.expression) else {
            return f64::NAN;
        };
        self.nesting += 1;
        let value = self.formula(&formula, record.pmu);
        self.nesting -= 1;
        self.known.get_or_insert_default().add(number, value);
        value
    }
}

/// Metrics whose value is known: without it, one that many others refer to is
/// worked out for each of them.
struct Known {
    /// Plus one; zero is free.
    numbers: [u32; MOST_KNOWN],
    values: [f64; MOST_KNOWN],
}

impl Default for Known {
    fn default() -> Self {
        Known { numbers: [0; MOST_KNOWN], values: [0.0; MOST_KNOWN] }
    }
}

impl Known {
    /// The place of a number, or the free one where it belongs. When there is
    /// neither, a value is worked out again.
    fn place(&self, number: u32) -> Option<usize> {
        let start = number as usize;
        let mut places = (0..MOST_KNOWN).map(|n| (start + n) % MOST_KNOWN);
        places.find(|&place| {
            self.numbers[place] == number.wrapping_add(1) || self.numbers[place] == 0
        })
    }

    fn find(&self, number: u32) -> Option<f64> {
        let place = self.place(number)?;
        (self.numbers[place] != 0).then(|| self.values[place])
    }

    fn add(&mut self, number: u32, value: f64) {
        if let Some(place) = self.place(number) {
            self.numbers[place] = number.wrapping_add(1);
            self.values[place] = value;
        }
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

/// An operand of which nothing is known but what it needs, or a number, which
/// needs nothing. NaN stands for any value, as in perf.
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

/// The identifiers of a program that it needs on a machine.
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
            Step::Constant(number) => Operand::number(wire.constant(number)),
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
        // Whether it has a value will be the answer.
        Query::HasEvent => {
            machine.has_event(identifier).map_or(Operand::any(Set::of(number)), truth)
        }
        Query::StrcmpCpuidStr => {
            machine.cpuid_matches(identifier).map_or(Operand::any(Set::EMPTY), truth)
        }
    }
}
