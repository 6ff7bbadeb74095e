//! Formulas as text again: from postfix order to infix, without a heap.
//!
//! The operands of a postfix formula are in the order of the text. What has to be
//! written before the first one, parentheses and names of functions, is found by
//! reading on: whenever there is a single value, all of it is the first operand of
//! the next step that leaves a single one.

use core::fmt::{self, Write as _};

use super::identifier::Spelling;
use super::item::{Function, Item, MAX_DEPTH, Operator, literal_name};

/// A step of a formula in postfix order, as far as the text around its operands
/// depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Node {
    /// A value, with the strength that binds it.
    Leaf(Binding),
    /// A sign.
    Negate,
    /// An operator.
    Binary(Operator),
    /// A function.
    Function(Function),
    /// `if … else`.
    IfElse,
}

/// How tightly a part of a text holds together: `if … else` least, then operators
/// by precedence, then signs, then what needs no parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Binding(u8);

impl Binding {
    const CHOICE: Self = Binding(0);
    const ANY_OPERATOR: Self = Binding(1);
    const SUM: Self = Binding(Operator::Add.precedence());
    const PRODUCT: Self = Binding(Operator::Multiply.precedence());
    const SIGN: Self = Binding(8);
    /// A name, a number or a call.
    const WHOLE: Self = Binding(9);

    /// How tightly a number holds together, as [`write_number`] writes it.
    #[must_use]
    const fn of_number(number: f64) -> Self {
        if number.is_nan() {
            Binding::WHOLE
        } else if number.is_infinite() {
            Binding::PRODUCT
        } else if number.is_sign_negative() {
            Binding::SIGN
        } else {
            Binding::WHOLE
        }
    }
}

impl Node {
    fn of<N>(item: &Item<N>) -> Self {
        match *item {
            Item::Number(number) => Node::Leaf(Binding::of_number(number)),
            Item::Literal(_) | Item::Identifier(_) | Item::Query(..) => Node::Leaf(Binding::WHOLE),
            Item::Negate => Node::Negate,
            Item::Binary(operator) => Node::Binary(operator),
            Item::Function(function) => Node::Function(function),
            Item::IfElse => Node::IfElse,
        }
    }

    fn operands(self) -> usize {
        match self {
            Node::Leaf(_) => 0,
            Node::Negate => 1,
            Node::Binary(_) | Node::Function(_) => 2,
            Node::IfElse => 3,
        }
    }

    fn binding(self) -> Binding {
        match self {
            Node::Leaf(binding) => binding,
            Node::Negate => Binding::SIGN,
            Node::Binary(operator) => Binding(operator.precedence()),
            Node::Function(_) => Binding::WHOLE,
            Node::IfElse => Binding::CHOICE,
        }
    }

    /// Whether an operand is written in parentheses. More than the grammar needs:
    /// Python, with which jevents reads formulas, takes `a < b & c` for
    /// `a < (b & c)`, and comparisons in a row for a chain.
    fn wraps(self, operand: usize, root: Node) -> bool {
        let binding = root.binding();
        let least = match self {
            Node::Leaf(_) => Binding::CHOICE,
            Node::Negate => Binding::SIGN,
            Node::Function(_) => Binding::ANY_OPERATOR,
            Node::Binary(Operator::Or | Operator::Xor | Operator::And) => {
                return binding < Binding::SUM && (operand > 0 || binding != self.binding());
            }
            Node::Binary(Operator::Less | Operator::Greater) => Binding::SUM,
            // Operators associate to the left.
            Node::Binary(operator) => Binding(operator.precedence() + u8::from(operand > 0)),
            Node::IfElse if operand < 2 => Binding::ANY_OPERATOR,
            Node::IfElse => Binding::CHOICE,
        };
        binding < least
    }
}

/// A formula in postfix order.
pub trait Postfix {
    /// What stands for a name.
    type Name: Copy;

    /// The item at a position, and the position of the next.
    fn item(&self, at: usize) -> Option<(Item<Self::Name>, usize)>;

    /// Writes a name as formulas spell it.
    ///
    /// # Errors
    ///
    /// Those of the formatter.
    fn write_name(&self, name: Self::Name, f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

/// Writes a formula of a length as text: parsing that text results in the same
/// formula. Whatever is not a formula is cut off.
///
/// # Errors
///
/// Those of the formatter.
pub fn write(
    formula: &(impl Postfix + ?Sized),
    len: usize,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    // Each nested part is within a parenthesis, an argument or an operand of the
    // text, of which no more than these are open at once.
    part(formula, Part { start: 0, end: len }, 2 * MAX_DEPTH, f)
}

/// Writes a number in the grammar of expressions, which has no infinity.
fn write_number(number: f64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if number.is_nan() {
        f.write_str("NaN")
    } else if number.is_infinite() {
        f.write_str(if number < 0.0 { "-1e308 * 10" } else { "1e308 * 10" })
    } else {
        write!(f, "{number}")
    }
}

impl<'t> Postfix for [Item<Spelling<'t>>] {
    type Name = Spelling<'t>;

    fn item(&self, at: usize) -> Option<(Item<Spelling<'t>>, usize)> {
        self.get(at).map(|item| (*item, at + 1))
    }

    fn write_name(&self, name: Spelling<'t>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(name.escaped())
    }
}

fn write_leaf<P: Postfix + ?Sized>(
    formula: &P,
    at: usize,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    match formula.item(at) {
        Some((Item::Number(number), _)) => write_number(number, f),
        Some((Item::Literal(literal), _)) => f.write_str(literal_name(literal)),
        Some((Item::Identifier(name), _)) => formula.write_name(name, f),
        Some((Item::Query(query, name), _)) => {
            write!(f, "{}(", query.name())?;
            formula.write_name(name, f)?;
            f.write_char(')')
        }
        _ => Ok(()),
    }
}

/// The positions of a part of a formula with one value.
#[derive(Clone, Copy)]
struct Part {
    start: usize,
    end: usize,
}

/// A node whose first operand begins where the whole part does, so that the text
/// begins with it.
#[derive(Clone, Copy)]
struct Step {
    node: Node,
    at: usize,
    /// Where the next node begins.
    end: usize,
    /// The operands after the first, each with its last node.
    others: [(Part, Node); 2],
}

/// Finds those nodes from the innermost to the outermost: whenever there is one
/// value, everything so far is an operand of the next.
struct Spine<'p, P: ?Sized> {
    formula: &'p P,
    at: usize,
    end: usize,
    values: usize,
    /// The node before `at`.
    last: Node,
    /// Where the current step's operands after the first begin.
    others: usize,
    /// Where there were two values last, and the node before.
    second: (usize, Node),
}

const NONE: Node = Node::Leaf(Binding::WHOLE);

impl<'p, P: Postfix + ?Sized> Spine<'p, P> {
    fn of(formula: &'p P, part: Part) -> Self {
        let Part { start: at, end } = part;
        Spine { formula, at, end, values: 0, last: NONE, others: at, second: (at, NONE) }
    }

    /// The steps after one.
    fn after(formula: &'p P, step: &Step, end: usize) -> Self {
        let at = step.end;
        let second = (at, NONE);
        Spine { formula, at, end, values: 1, last: step.node, others: at, second }
    }
}

impl<P: Postfix + ?Sized> Iterator for Spine<'_, P> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        while self.at < self.end {
            let at = self.at;
            let (item, end) = self.formula.item(at)?;
            let node = Node::of(&item);
            self.values = self.values.checked_sub(node.operands())? + 1;
            let before = core::mem::replace(&mut self.last, node);
            self.at = end;
            if self.values == 1 {
                let middle = if node == Node::IfElse { self.second } else { (at, before) };
                let others = [
                    (Part { start: self.others, end: middle.0 }, middle.1),
                    (Part { start: middle.0, end: at }, before),
                ];
                self.others = end;
                return Some(Step { node, at, end, others });
            }
            if self.values == 2 {
                self.second = (end, node);
            }
        }
        None
    }
}

fn part(
    formula: &(impl Postfix + ?Sized),
    whole: Part,
    room: usize,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let Some(room) = room.checked_sub(1) else {
        return f.write_char('…');
    };
    // The text begins with the parentheses that end after the head.
    let mut head: Option<(Step, Node, usize)> = None;
    let mut parentheses = 0;
    let mut previous: Option<Step> = None;
    for step in Spine::of(formula, whole) {
        let (inner, inner_end) = previous.map_or((NONE, whole.start), |it| (it.node, it.end));
        match step.node {
            Node::Leaf(_) | Node::Negate | Node::Function(_) => {
                head = Some((step, inner, inner_end));
                parentheses = 0;
            }
            Node::Binary(_) | Node::IfElse => {
                parentheses += usize::from(step.node.wraps(0, inner));
            }
        }
        previous = Some(step);
    }
    let Some((head, inner, inner_end)) = head else {
        return Ok(());
    };
    (0..parentheses).try_for_each(|_| f.write_char('('))?;
    let first = Part { start: whole.start, end: inner_end };
    let operand = |f: &mut fmt::Formatter<'_>, of: Node, number: usize, at: (Part, Node)| {
        if !of.wraps(number, at.1) {
            return part(formula, at.0, room, f);
        }
        f.write_char('(')?;
        part(formula, at.0, room, f)?;
        f.write_char(')')
    };
    match head.node {
        Node::Negate => {
            f.write_char('-')?;
            operand(f, head.node, 0, (first, inner))?;
        }
        Node::Function(function) => {
            write!(f, "{}(", function.name())?;
            operand(f, head.node, 0, (first, inner))?;
            f.write_str(", ")?;
            operand(f, head.node, 1, head.others[0])?;
            f.write_char(')')?;
        }
        _ => write_leaf(formula, head.at, f)?,
    }
    let mut inner = head.node;
    for step in Spine::after(formula, &head, whole.end) {
        if step.node.wraps(0, inner) {
            f.write_char(')')?;
        }
        match step.node {
            Node::Binary(operator) => {
                write!(f, " {} ", operator.symbol())?;
                operand(f, step.node, 1, step.others[0])?;
            }
            _ => {
                f.write_str(" if ")?;
                operand(f, step.node, 1, step.others[0])?;
                f.write_str(" else ")?;
                operand(f, step.node, 2, step.others[1])?;
            }
        }
        inner = step.node;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::format;
    use std::string::{String, ToString};
    use std::vec::Vec;

    use super::*;
    use crate::expr::{self, Item};

    struct Items<'i>(&'i [Item<Spelling<'i>>]);

    impl fmt::Display for Items<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write(self.0, self.0.len(), f)
        }
    }

    fn items(text: &str) -> Vec<Item<Spelling<'_>>> {
        let mut items = Vec::new();
        expr::parse(text, |item, _| items.push(item)).expect(text);
        items
    }

    fn rewritten(text: &str) -> String {
        Items(&items(text)).to_string()
    }

    /// Texts that stay as they are.
    #[test]
    fn texts() {
        for text in [
            "A",
            "1.5",
            "#smt_on",
            "has_event(A)",
            "-A",
            "-(A + B)",
            "-min(A, B)",
            "A + B - C",
            "A - (B - C) - D",
            "A + B * C / D % E",
            "(A + B) * C",
            "((A + B) * C + D) * E",
            "A / (B * C)",
            "A - -B",
            "-A * -(B / C)",
            "min(A, B) + max(C - D, 0)",
            "(min(A + B, 1) - C) * D",
            "d_ratio(min(max(A, B), C), max(D, min(E, F)))",
            "A if B else C",
            "A + 1 if B > 0 else C if D else E * 2",
            "(A if B else C) if D else E",
            "A if (B if C else D) else E",
            "(A if B else C) / 2 + (D if E else F)",
            "max((A if B else C), (D if E else F))",
            "(A > 0.1) & (B > 0.2) & (C + 1 > 0.3)",
            "(A > 0.1) & ((B > 0.2) | (C > 0.3))",
            "A & (B & C)",
            "A | B | C",
            "(A < B) < (C > D)",
            "(A & B) > C",
            r"topdown\-retiring / cpu@slots\,umask\=1@",
        ] {
            assert_eq!(rewritten(text), text);
        }
    }

    #[test]
    fn superfluous_parentheses() {
        for (text, expected) in [
            ("((A))", "A"),
            ("(A * B) / C", "A * B / C"),
            ("A if B else (C if D else E)", "A if B else C if D else E"),
            ("A > 1 & B", "(A > 1) & B"),
            ("max((A + B), (C))", "max(A + B, C)"),
        ] {
            assert_eq!(rewritten(text), expected);
        }
    }

    /// Numbers that only simplification results in.
    #[test]
    fn numbers() {
        for (number, left, right) in [
            (2.5, "2.5 / A", "A / 2.5"),
            (-2.0, "-2 / A", "A / -2"),
            (-0.0, "-0 / A", "A / -0"),
            (1e-9, "0.000000001 / A", "A / 0.000000001"),
            (f64::NAN, "NaN / A", "A / NaN"),
            (f64::INFINITY, "1e308 * 10 / A", "A / (1e308 * 10)"),
            (f64::NEG_INFINITY, "-1e308 * 10 / A", "A / (-1e308 * 10)"),
        ] {
            let [a, number] = [items("A")[0], Item::Number(number)];
            let divided = Item::Binary(Operator::Divide);
            assert_eq!(Items(&[number, a, divided]).to_string(), left);
            assert_eq!(Items(&[a, number, divided]).to_string(), right);
        }
    }

    /// Whatever the parser accepts: the deepest nesting, and the longest chains.
    #[test]
    fn the_deepest_and_the_longest() {
        for text in [
            format!("{}A{}", "min(".repeat(MAX_DEPTH), ", B)".repeat(MAX_DEPTH)),
            format!("{}B{}", "d_ratio(A, ".repeat(MAX_DEPTH), ")".repeat(MAX_DEPTH)),
            format!("{}C - B{}", "A - (".repeat(MAX_DEPTH / 2 - 1), ")".repeat(MAX_DEPTH / 2 - 1)),
            format!("A{}", " + B".repeat(300)),
            format!("{}B", "A if C else ".repeat(MAX_DEPTH / 2)),
        ] {
            assert_eq!(rewritten(&text), text);
        }
    }

    /// Not a formula: something is written, and nothing panics.
    #[test]
    fn nodes_that_are_no_formula() {
        let [a, plus, choice] = [items("A")[0], items("A + B")[2], items("A if B else C")[3]];
        for (items, expected) in [
            (&[][..], ""),
            (&[plus][..], ""),
            (&[a, plus], "A"),
            (&[a, a], "A"),
            (&[a, a, plus, plus], "A + A"),
            (&[a, a, choice], "A"),
        ] {
            assert_eq!(Items(items).to_string(), expected);
        }
        let depth = 2 * MAX_DEPTH + 1;
        let deep = core::iter::repeat_n(a, depth + 1).chain(core::iter::repeat_n(plus, depth));
        let deep: Vec<Item<Spelling<'_>>> = deep.collect();
        assert!(Items(&deep).to_string().contains('…'));
    }
}
