use super::arithmetic::choose;
use super::item::MAX_DEPTH;
use super::item::{Function, Item, Operator, Query};

/// Simplifies an expression in place, without assuming anything about its
/// identifiers' values.
///
/// Returns the number of remaining items, which are at the start of `items`.
///
/// `known` returns the values of literals and queries known in advance; pass
/// `|_| None` if nothing is known. The simplified expression has the same
/// value, including NaN and infinities, and is aborted in the same cases
/// ([`Operator::apply`]); only the sign of a zero may change. So `0 * a`, which
/// perf's build-time parser turns into 0, is left unchanged: it is NaN if `a`
/// is.
///
/// | from | to |
/// |---|---|
/// | an operation on numbers | its value |
/// | `a * 1`, `a / 1`, `a + 0`, `a - 0`, `--a`, `d_ratio(a, 1)` | `a` |
/// | `a & 0`, `a \| 1`, `d_ratio(a, 0)` | 0, 1, 0 |
/// | `a / 0`, `a + NaN`, `a < NaN`, … | NaN |
/// | `a \| 0`, `a & 1`, where `a` is a comparison or similar | `a` |
/// | `a if 1 else b`, `a if c else a`, `min(a, a)` | `a` |
///
/// Malformed item sequences are left unchanged.
///
/// ```
/// use pmu_events::event_list::Tool;
/// use pmu_events::__private::expr::{self, Item};
///
/// let mut items = Vec::new();
/// expr::parse("(A if #smt_on else B) * 1 + 2 * 3", |item, _| items.push(item))?;
/// let left = expr::simplify(&mut items, |item| match item {
///     Item::Literal(Tool::SmtOn) => Some(1.0),
///     _ => None,
/// });
/// assert_eq!(left, 3);
/// assert_eq!(items[1..3], [Item::Number(6.0), Item::Binary(expr::Operator::Add)]);
/// # Ok::<(), pmu_events::located::Error>(())
/// ```
pub fn simplify<N: Copy + PartialEq>(
    items: &mut [Item<N>],
    mut known: impl FnMut(&Item<N>) -> Option<f64>,
) -> usize {
    let mut simplifier = Simplifier {
        items,
        len: 0,
        operands: [Operand::new(0, false, false); MAX_DEPTH + 1],
        depth: 0,
    };
    for next in 0..simplifier.items.len() {
        let item = simplifier.items[next];
        if simplifier.step(item, &mut known).is_none() {
            // Not an expression: the unread items are left unchanged, too.
            let rest = simplifier.items.len() - next;
            simplifier.items.copy_within(next.., simplifier.len);
            return simplifier.len + rest;
        }
    }
    simplifier.len
}

/// A value on the stack: the items from `start` to the start of the next
/// operand.
#[derive(Clone, Copy)]
struct Operand {
    start: usize,
    /// Whether it may abort the whole formula.
    may_stop: bool,
    /// Whether its value is always 0, 1 or NaN.
    is_truth: bool,
    /// Whether this is true of its negation, which a second sign restores.
    is_opposite_of_truth: bool,
}

impl Operand {
    fn new(start: usize, may_stop: bool, is_truth: bool) -> Self {
        Operand { start, may_stop, is_truth, is_opposite_of_truth: false }
    }
}

struct Simplifier<'i, N> {
    /// The first `len` items are done.
    items: &'i mut [Item<N>],
    len: usize,
    operands: [Operand; MAX_DEPTH + 1],
    depth: usize,
}

impl<N: Copy + PartialEq> Simplifier<'_, N> {
    fn step(
        &mut self,
        item: Item<N>,
        known: &mut impl FnMut(&Item<N>) -> Option<f64>,
    ) -> Option<()> {
        match item {
            Item::Number(_) | Item::Identifier(_) => self.push(item, false, false),
            Item::Literal(_) => match known(&item) {
                Some(value) if !value.is_nan() => self.push(Item::Number(value), false, false),
                _ => self.push(item, true, false),
            },
            Item::Query(query, _) => {
                let item = known(&item).map_or(item, Item::Number);
                let is_truth = matches!(query, Query::HasEvent | Query::StrcmpCpuidStr);
                self.push(item, false, is_truth)
            }
            Item::Negate => self.negate(),
            Item::Binary(operator) => self.binary(operator),
            Item::Function(function) => self.function(function),
            Item::IfElse => self.if_else(),
        }
    }

    fn push(&mut self, item: Item<N>, may_stop: bool, is_truth: bool) -> Option<()> {
        *self.operands.get_mut(self.depth)? = Operand::new(self.len, may_stop, is_truth);
        self.depth += 1;
        self.put(item);
        Some(())
    }

    /// There is room, since at least as many items have been read as written.
    fn put(&mut self, item: Item<N>) {
        self.items[self.len] = item;
        self.len += 1;
    }

    fn pop(&mut self) -> Option<Operand> {
        self.depth = self.depth.checked_sub(1)?;
        Some(self.operands[self.depth])
    }

    /// The number, if the range is a single number.
    fn number(&self, start: usize, end: usize) -> Option<f64> {
        match self.items[start..end] {
            [Item::Number(number)] => Some(number),
            _ => None,
        }
    }

    /// Replaces everything from `start` on by a number.
    fn replace(&mut self, start: usize, number: f64) -> Option<()> {
        self.len = start;
        self.push(Item::Number(number), false, false)
    }

    /// Keeps only the items from `from` to `to` of everything from `start` on.
    fn keep(&mut self, start: usize, from: usize, to: usize, of: Operand) {
        // Do not copy what stays in place: a long chain would be copied again
        // and again.
        if from != start {
            self.items.copy_within(from..to, start);
        }
        self.len = start + (to - from);
        self.operands[self.depth] = Operand { start, ..of };
        self.depth += 1;
    }

    /// Puts an operator after its operands.
    fn apply(&mut self, start: usize, item: Item<N>, may_stop: bool, is_truth: bool) {
        self.put(item);
        self.operands[self.depth] = Operand::new(start, may_stop, is_truth);
        self.depth += 1;
    }

    fn negate(&mut self) -> Option<()> {
        let of = self.pop()?;
        if let Some(number) = self.number(of.start, self.len) {
            return self.replace(of.start, -number);
        }
        if self.items[self.len - 1] == Item::Negate {
            let inner = Operand::new(of.start, of.may_stop, of.is_opposite_of_truth);
            self.keep(of.start, of.start, self.len - 1, inner);
        } else {
            self.apply(of.start, Item::Negate, of.may_stop, false);
            self.operands[self.depth - 1].is_opposite_of_truth = of.is_truth;
        }
        Some(())
    }

    /// Pops two operands; also returns which of them are numbers, and where
    /// they end.
    fn two(&mut self) -> Option<(Operand, Operand, [Option<f64>; 2], usize)> {
        // Pop both or neither: after a failure, the items are left unchanged.
        self.depth.checked_sub(2)?;
        let (right, left) = (self.pop()?, self.pop()?);
        let end = self.len;
        let numbers = [self.number(left.start, right.start), self.number(right.start, end)];
        Some((left, right, numbers, end))
    }

    fn binary(&mut self, operator: Operator) -> Option<()> {
        use Operator::{Add, And, Divide, Greater, Less, Multiply, Or, Remainder, Subtract, Xor};
        let (left, right, numbers, end) = self.two()?;
        let start = left.start;
        if let [Some(a), Some(b)] = numbers
            && let Some(value) = operator.apply(a, b)
        {
            return self.replace(start, value);
        }
        let is_truth = matches!(operator, Less | Greater | Xor)
            || matches!(operator, Or | And) && left.is_truth && right.is_truth;
        let stays_zero = |number: f64| number.is_finite() && number != 0.0;
        match (operator, numbers) {
            // The value of the other operand no longer matters.
            (Divide, [_, Some(0.0)]) if !left.may_stop => return self.replace(start, f64::NAN),
            (And, [_, Some(0.0)]) if !left.may_stop => return self.replace(start, 0.0),
            (And, [Some(0.0), _]) if !right.may_stop => return self.replace(start, 0.0),
            (Or, [_, Some(n)]) if stays_zero(n) && !left.may_stop => {
                return self.replace(start, 1.0);
            }
            (Or, [Some(n), _]) if stays_zero(n) && !right.may_stop => {
                return self.replace(start, 1.0);
            }
            (Add | Subtract | Multiply | Divide | Less | Greater, [_, Some(n)])
                if n.is_nan() && !left.may_stop =>
            {
                return self.replace(start, f64::NAN);
            }
            (Add | Subtract | Multiply | Divide | Less | Greater, [Some(n), _])
                if n.is_nan() && !right.may_stop =>
            {
                return self.replace(start, f64::NAN);
            }
            // This operand has no effect.
            (Add | Subtract, [_, Some(0.0)]) | (Multiply | Divide, [_, Some(1.0)]) => {
                self.keep(start, start, right.start, left);
            }
            (Or, [_, Some(0.0)]) if left.is_truth => self.keep(start, start, right.start, left),
            (And, [_, Some(n)]) if stays_zero(n) && left.is_truth => {
                self.keep(start, start, right.start, left);
            }
            (Add, [Some(0.0), _]) | (Multiply, [Some(1.0), _]) => {
                self.keep(start, right.start, end, right);
            }
            (Or, [Some(0.0), _]) if right.is_truth => self.keep(start, right.start, end, right),
            (And, [Some(n), _]) if stays_zero(n) && right.is_truth => {
                self.keep(start, right.start, end, right);
            }
            _ => {
                let own = operator == Remainder && numbers[1].is_none_or(|n| n as i64 == 0);
                let may_stop = own || left.may_stop || right.may_stop;
                self.apply(start, Item::Binary(operator), may_stop, is_truth);
            }
        }
        Some(())
    }

    fn function(&mut self, function: Function) -> Option<()> {
        let (left, right, numbers, end) = self.two()?;
        let start = left.start;
        match (function, numbers) {
            (_, [Some(a), Some(b)]) => return self.replace(start, function.apply(a, b)),
            (Function::DRatio, [_, Some(0.0)]) if !left.may_stop => {
                return self.replace(start, 0.0);
            }
            (Function::DRatio, [_, Some(1.0)]) => self.keep(start, start, right.start, left),
            (Function::Min | Function::Max, _)
                if self.items[start..right.start] == self.items[right.start..end] =>
            {
                self.keep(start, start, right.start, left);
            }
            _ => {
                let may_stop = left.may_stop || right.may_stop;
                let is_truth = function != Function::DRatio && left.is_truth && right.is_truth;
                self.apply(start, Item::Function(function), may_stop, is_truth);
            }
        }
        Some(())
    }

    fn if_else(&mut self) -> Option<()> {
        self.depth.checked_sub(3)?;
        let (otherwise, condition, then) = (self.pop()?, self.pop()?, self.pop()?);
        let (start, end) = (then.start, self.len);
        if let Some(number) = self.number(condition.start, otherwise.start) {
            let takes_first = choose(1.0, number, 0.0) == 1.0;
            if takes_first && !otherwise.may_stop {
                self.keep(start, start, condition.start, then);
                return Some(());
            }
            if !takes_first && !then.may_stop {
                self.keep(start, otherwise.start, end, otherwise);
                return Some(());
            }
        }
        let are_equal = self.items[start..condition.start] == self.items[otherwise.start..end];
        if are_equal && !condition.may_stop {
            self.keep(start, start, condition.start, then);
            return Some(());
        }
        let may_stop = then.may_stop || condition.may_stop || otherwise.may_stop;
        self.apply(start, Item::IfElse, may_stop, then.is_truth && otherwise.is_truth);
        Some(())
    }
}

#[cfg(test)]
mod tests;
