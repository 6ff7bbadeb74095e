//! The formulas of metrics as programs for a stack machine.
//!
//! [`compile`] makes it of the output of `expr::parse`, for
//! trees and for users' formulas alike: simplified, with one byte for each step if
//! possible, so that nothing has to be parsed again. In a tree, it is kept as
//!
//! ```text
//! depth        u8   the maximum number of values on the stack
//! identifiers  u8   their number, without duplicates
//! length       u16  of the code
//! each         u32  string reference of the identifier; with length zero, which
//!                   no identifier has, the number of a reference
//! code
//! ```
//!
//! | code | step |
//! |---|---|
//! | `00`–`5f` | pushes the value of the program's identifier of that number |
//! | `60`–`df` | pushes the tree's constant of that number, less 0x60 |
//! | `e0 n` | pushes the value of identifier `n` |
//! | `e1 nn nn` | pushes constant `n` |
//! | `e2 n` | pushes a literal |
//! | `e3 n i` | applies query `n` to identifier `i` |
//! | `e4`, `e5` | changes the sign; `if … else` |
//! | `e6`–`ef` | an operator |
//! | `f0`–`f2` | a function |
//!
//! Constants are numbered by frequency of use. An identifier is an event, in
//! the spelling of the tree or else of the formula. A reference is another
//! metric: the numbers of all metrics of its name, of which a model has one, or
//! one for each PMU.

use core::num::TryFromIntError;

use super::layout::Section;
use super::reference::StrRef;
use super::sections::Wire;
use crate::event_list::Tool;
use crate::expr::evaluate::{self, Names};
use crate::expr::item::LITERALS;
use crate::expr::needs::{Sets, needed};
use crate::expr::steps::Steps;
use crate::expr::{Function, Identifier, Item, MAX_DEPTH, Machine, Operator, Query, simplify};
use crate::wire::record::{FormulaRecord, ReferenceRecord};

/// The maximum number of identifiers in a formula.
pub const MAX_IDENTIFIERS: usize = 255;

/// The number of constants that a step of one byte can refer to.
const SHORT_CONSTANTS: u16 = FIRST_LONG as u16 - FIRST_CONSTANT as u16;
const FIRST_CONSTANT: u8 = 0x60;
const FIRST_LONG: u8 = 0xe0;
const IDENTIFIER: u8 = 0xe0;
const CONSTANT: u8 = 0xe1;
const LITERAL: u8 = 0xe2;
const QUERY: u8 = 0xe3;
const NEGATE: u8 = 0xe4;
const IF_ELSE: u8 = 0xe5;
const OPERATOR: u8 = 0xe6;
const FUNCTION: u8 = 0xf0;
const _: () = assert!(OPERATOR as usize + Operator::ALL.len() == FUNCTION as usize);
const _: () = assert!(FUNCTION as usize + Function::ALL.len() <= 256);

/// A step of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Pushes the value of an identifier of the program.
    Identifier(u8),
    /// Pushes a constant of the tree.
    Constant(u16),
    /// Pushes a fact of the machine.
    Literal(Tool),
    /// Pushes the answer of a function about an identifier of the program.
    Query(Query, u8),
    /// Negates the last number.
    Negate,
    /// Replaces the last two numbers by one.
    Binary(Operator),
    /// Replaces the last two numbers by one.
    Function(Function),
    /// Replaces the last three numbers by one.
    IfElse,
}

impl Step {
    /// The number of the identifier that a step of one byte pushes, if it is
    /// such a step.
    #[must_use]
    #[inline(always)]
    pub(crate) const fn short_identifier(byte: u8) -> Option<u8> {
        if byte < FIRST_CONSTANT { Some(byte) } else { None }
    }

    /// The number of the constant that a step of one byte pushes, if it is such
    /// a step.
    #[must_use]
    #[inline(always)]
    pub(crate) const fn short_constant(byte: u8) -> Option<u16> {
        if byte >= FIRST_CONSTANT && byte < FIRST_LONG {
            Some((byte - FIRST_CONSTANT) as u16)
        } else {
            None
        }
    }

    /// The operator of a step, if it is one.
    #[must_use]
    #[inline(always)]
    pub(crate) const fn operator(byte: u8) -> Option<Operator> {
        // A table would be read each time.
        Some(match byte.wrapping_sub(OPERATOR) {
            0 => Operator::Or,
            1 => Operator::Xor,
            2 => Operator::And,
            3 => Operator::Less,
            4 => Operator::Greater,
            5 => Operator::Add,
            6 => Operator::Subtract,
            7 => Operator::Multiply,
            8 => Operator::Divide,
            9 => Operator::Remainder,
            _ => return None,
        })
    }

    /// Reads the step at the start of the code; also returns the rest. `None`
    /// at the end and for invalid bytes.
    #[must_use]
    #[inline(always)]
    pub fn read(code: &[u8]) -> Option<(Self, &[u8])> {
        let (&first, rest) = code.split_first()?;
        let step = match first {
            ..FIRST_CONSTANT => Step::Identifier(first),
            FIRST_CONSTANT..FIRST_LONG => Step::Constant(u16::from(first - FIRST_CONSTANT)),
            NEGATE => Step::Negate,
            IF_ELSE => Step::IfElse,
            OPERATOR..FUNCTION => Step::Binary(Operator::ALL[usize::from(first - OPERATOR)]),
            IDENTIFIER => return Some((Step::Identifier(*rest.first()?), rest.get(1..)?)),
            CONSTANT => {
                let (&number, rest) = rest.split_first_chunk()?;
                return Some((Step::Constant(u16::from_le_bytes(number)), rest));
            }
            LITERAL => {
                let literal = *LITERALS.get(usize::from(*rest.first()?))?;
                return Some((Step::Literal(literal), rest.get(1..)?));
            }
            QUERY => {
                let (&[query, identifier], rest) = rest.split_first_chunk()?;
                return Some((Step::Query(*Query::ALL.get(usize::from(query))?, identifier), rest));
            }
            FUNCTION.. => Step::Function(*Function::ALL.get(usize::from(first - FUNCTION))?),
        };
        Some((step, rest))
    }

    #[inline]
    fn item(self, code: &Code<'_>) -> Item<u8> {
        match self {
            Step::Identifier(number) => Item::Identifier(number),
            Step::Constant(number) => Item::Number(code.constant(number)),
            Step::Literal(literal) => Item::Literal(literal),
            Step::Query(query, number) => Item::Query(query, number),
            Step::Negate => Item::Negate,
            Step::Binary(operator) => Item::Binary(operator),
            Step::Function(function) => Item::Function(function),
            Step::IfElse => Item::IfElse,
        }
    }

    /// Passes the step's bytes to `put`.
    pub fn write(self, put: &mut dyn FnMut(&[u8])) {
        match self {
            Step::Identifier(number @ ..FIRST_CONSTANT) => put(&[number]),
            Step::Identifier(number) => put(&[IDENTIFIER, number]),
            Step::Constant(number) => match number.to_le_bytes() {
                [low, _] if number < SHORT_CONSTANTS => put(&[FIRST_CONSTANT + low]),
                [low, high] => put(&[CONSTANT, low, high]),
            },
            Step::Literal(literal) => put(&[LITERAL, position(LITERALS, literal)]),
            Step::Query(query, number) => put(&[QUERY, position(Query::ALL, query), number]),
            Step::Negate => put(&[NEGATE]),
            Step::IfElse => put(&[IF_ELSE]),
            Step::Binary(operator) => put(&[OPERATOR + position(Operator::ALL, operator)]),
            Step::Function(function) => put(&[FUNCTION + position(Function::ALL, function)]),
        }
    }
}

/// The numbers of what a formula's steps refer to.
pub trait Numbers<N> {
    /// The maximum number of steps.
    const MAX_STEPS: usize;

    /// The number of a constant; `None` if there are too many.
    fn constant(&mut self, constant: f64) -> Option<u16>;

    /// The number of an identifier, or of the identifier that a query asks about; `None`
    /// if there are too many.
    fn identifier(&mut self, name: N, query: Option<Query>) -> Option<u8>;
}

/// Compiles a formula: simplifies its items, as `simplify` does, and passes its steps
/// to `put`. Returns the maximum number of values on the stack.
///
/// # Errors
///
/// Returns the first limit that the formula exceeds.
pub fn compile<N: Copy + PartialEq>(
    items: &mut [Item<N>],
    known: impl FnMut(&Item<N>) -> Option<f64>,
    numbers: &mut impl Numbers<N>,
    put: &mut dyn FnMut(Step),
) -> Result<u8, Limit> {
    let left = simplify(items, known);
    steps(items.get(..left).unwrap_or_default(), numbers, put)
}

/// [`compile`] without simplification.
pub(crate) fn steps<N: Copy, M: Numbers<N>>(
    items: &[Item<N>],
    numbers: &mut M,
    put: &mut dyn FnMut(Step),
) -> Result<u8, Limit> {
    if items.len() > M::MAX_STEPS {
        return Err(Limit::Steps);
    }
    let (mut depth, mut deepest) = (0, 0);
    for item in items {
        let mut identifier =
            |name, query| numbers.identifier(name, query).ok_or(Limit::Identifiers);
        let step = match *item {
            Item::Number(number) => {
                Step::Constant(numbers.constant(number).ok_or(Limit::Constants)?)
            }
            Item::Literal(literal) => Step::Literal(literal),
            Item::Identifier(name) => Step::Identifier(identifier(name, None)?),
            Item::Query(query, name) => Step::Query(query, identifier(name, Some(query))?),
            Item::Negate => Step::Negate,
            Item::Binary(operator) => Step::Binary(operator),
            Item::Function(function) => Step::Function(function),
            Item::IfElse => Step::IfElse,
        };
        put(step);
        depth = (depth + 1usize).saturating_sub(item.takes());
        deepest = deepest.max(depth);
    }
    // No formula that parses has a deeper stack.
    Ok(u8::try_from(deepest).unwrap_or(u8::MAX))
}

/// A limit of programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// [`Numbers::MAX_STEPS`]
    Steps,
    /// The number of distinct constants.
    Constants,
    /// [`MAX_IDENTIFIERS`]
    Identifiers,
}

fn position<T: PartialEq>(all: &[T], one: T) -> u8 {
    (0..).zip(all).find(|(_, known)| **known == one).map_or(0, |(number, _)| number)
}

/// The code of a program.
#[derive(Clone, Copy, Debug)]
pub struct Code<'a> {
    /// The maximum number of values on its stack.
    pub depth: u8,
    /// The steps.
    pub steps: &'a [u8],
    /// The constants, by number.
    pub constants: &'a [[u8; 8]],
}

/// Programs that need no more than this use a smaller stack.
const USUAL_DEPTH: usize = 8;

impl<'a> Code<'a> {
    /// Returns constant `number`.
    #[must_use]
    #[inline]
    pub fn constant(&self, number: u16) -> f64 {
        let bits = self.constants.get(usize::from(number)).copied();
        f64::from_le_bytes(bits.unwrap_or_default())
    }

    /// Reads the step at a position of the code; also returns the next position.
    #[must_use]
    pub fn item(&self, at: usize) -> Option<(Item<u8>, usize)> {
        let (step, rest) = Step::read(self.steps.get(at..)?)?;
        Some((step.item(self), self.steps.len() - rest.len()))
    }

    /// Computes the value; NaN if something is unknown.
    #[inline]
    pub fn value(&self, machine: &impl Machine, names: &mut impl Names<u8>) -> f64 {
        // Room for a few is faster to create.
        let (mut few, mut many);
        let room: &mut [f64] = if usize::from(self.depth) <= USUAL_DEPTH {
            few = [0.0; USUAL_DEPTH];
            &mut few
        } else {
            many = [0.0; MAX_DEPTH + 1];
            &mut many
        };
        evaluate::value(*self, room, machine, names)
    }

    /// Finds the numbers of the identifiers whose values are needed on a machine.
    /// `identifier` returns the identifiers that queries ask about.
    pub fn needed<'i>(
        &self,
        machine: &impl Machine,
        identifier: impl Fn(u8) -> Option<Identifier<'i>>,
    ) -> Set {
        needed(*self, machine, &mut Asked { machine, identifier })
    }
}

/// What remains of the code is what follows a step.
impl Steps for Code<'_> {
    type Name = u8;

    #[inline(always)]
    fn next_step(&mut self) -> Option<Item<u8>> {
        let (step, rest) = Step::read(self.steps)?;
        self.steps = rest;
        Some(step.item(self))
    }

    #[inline(always)]
    fn next_identifier(&mut self) -> Option<u8> {
        let (&first, rest) = self.steps.split_first()?;
        let number = Step::short_identifier(first)?;
        self.steps = rest;
        Some(number)
    }

    #[inline(always)]
    fn next_number(&mut self) -> Option<f64> {
        let (&first, rest) = self.steps.split_first()?;
        let number = Step::short_constant(first)?;
        self.steps = rest;
        Some(self.constant(number))
    }

    #[inline(always)]
    fn next_operator(&mut self) -> Option<Operator> {
        let (&first, rest) = self.steps.split_first()?;
        let operator = Step::operator(first)?;
        self.steps = rest;
        Some(operator)
    }

    #[inline(always)]
    fn is_over(&self) -> bool {
        self.steps.is_empty()
    }
}

/// A set of a program's identifiers.
#[derive(Clone, Copy, Debug)]
pub struct Set([u64; (MAX_IDENTIFIERS + 1) / 64]);

impl Set {
    /// Whether the set has an identifier.
    #[must_use]
    pub fn has(&self, number: u8) -> bool {
        self.0[usize::from(number) / 64] & (1 << (number % 64)) != 0
    }
}

struct Asked<'m, M, I> {
    machine: &'m M,
    identifier: I,
}

impl<'i, M: Machine, I: Fn(u8) -> Option<Identifier<'i>>> Sets<u8> for Asked<'_, M, I> {
    type Set = Set;

    const NONE: Set = Set([0; (MAX_IDENTIFIERS + 1) / 64]);

    fn of(&mut self, number: u8) -> Set {
        let mut set = Self::NONE;
        set.0[usize::from(number) / 64] = 1 << (number % 64);
        set
    }

    fn union(&mut self, one: Set, other: Set) -> Set {
        Set(core::array::from_fn(|n| one.0[n] | other.0[n]))
    }

    fn known(&self, query: Query, number: u8) -> Option<f64> {
        query.known((self.identifier)(number)?, self.machine)
    }
}

/// A program of a tree.
#[derive(Clone, Copy, Debug)]
pub struct Program<'a> {
    count: u8,
    /// `count` identifiers.
    identifiers: &'a [[u8; 4]],
    /// With the constants of the tree.
    code: Code<'a>,
}

impl<'a> Program<'a> {
    /// Reads the program that begins at a position; `None` if there is none.
    #[inline]
    fn read(bytes: &'a [u8], at: usize, constants: &'a [[u8; 8]]) -> Option<Self> {
        let (_, bytes) = bytes.split_at_checked(at)?;
        let (&[depth, count, low, high], bytes) = bytes.split_first_chunk()?;
        let (identifiers, bytes) = bytes.split_at_checked(4 * usize::from(count))?;
        let steps = bytes.get(..usize::from(u16::from_le_bytes([low, high])))?;
        let code = Code { depth, steps, constants };
        Some(Program { count, identifiers: identifiers.as_chunks().0, code })
    }

    /// Passes a program's bytes to `put`: its depth, its identifiers as
    /// returned by [`Program::identifier`], its steps.
    ///
    /// # Errors
    ///
    /// Returns an error, and puts nothing, if the number of identifiers or
    /// bytes of steps is too large.
    pub fn write(
        depth: u8,
        identifiers: &[u32],
        code: &[u8],
        put: &mut dyn FnMut(&[u8]),
    ) -> Result<(), TryFromIntError> {
        let (count, length) = (u8::try_from(identifiers.len())?, u16::try_from(code.len())?);
        put(&[depth, count]);
        put(&length.to_le_bytes());
        identifiers.iter().for_each(|word| put(&word.to_le_bytes()));
        put(code);
        Ok(())
    }

    /// Returns the number of identifiers.
    #[must_use]
    #[inline]
    pub const fn identifier_count(&self) -> u8 {
        self.count
    }

    /// Returns identifier `number`, for [`Wire::name`].
    #[must_use]
    #[inline]
    pub fn identifier(&self, number: u8) -> u32 {
        let word = self.identifiers.get(usize::from(number)).copied();
        u32::from_le_bytes(word.unwrap_or_default())
    }

    /// Returns the code.
    #[must_use]
    #[inline]
    pub const fn code(&self) -> Code<'a> {
        self.code
    }
}

/// The meaning of a program's identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name<'a> {
    /// An event, or the argument of a query.
    Event(Identifier<'a>),
    /// The metrics of a name.
    Metric(ReferenceRecord),
}

impl<'a> Wire<'a> {
    /// Reads a formula. Number 0 means none, as does one beyond the last.
    #[must_use]
    #[inline]
    pub const fn formula(&self, number: u16) -> Option<FormulaRecord> {
        let formulas = self.section(Section::Formulas);
        match (number as usize).checked_sub(1) {
            // A record of zeros would be the first formula.
            Some(number) if number < formulas.len() / FormulaRecord::SIZE => {
                Some(FormulaRecord::nth(formulas, number))
            }
            _ => None,
        }
    }

    /// Reads a formula's program; without code if there is none.
    #[must_use]
    #[inline]
    pub fn program(&self, formula: &FormulaRecord) -> Program<'a> {
        let (constants, _) = self.section(Section::Constants).as_chunks();
        Program::read(self.section(Section::Programs), formula.program as usize, constants)
            .unwrap_or(Program {
                count: 0,
                identifiers: &[],
                code: Code { depth: 0, steps: &[], constants },
            })
    }

    /// Returns the meaning of a program's identifier.
    #[must_use]
    #[inline(always)]
    pub const fn name(&self, identifier: u32) -> Name<'a> {
        let text = StrRef::unpack(identifier);
        if text.len > 0 {
            return Name::Event(Identifier::new(self.str(text)));
        }
        let references = self.section(Section::References);
        Name::Metric(ReferenceRecord::nth(references, text.offset as usize))
    }

    /// Returns the name of the metrics that a reference means, which is the same
    /// for all of them but for the letter case.
    #[must_use]
    pub const fn metric_name(&self, reference: ReferenceRecord) -> Identifier<'a> {
        Identifier::new(self.str(self.metric_record(reference.first as usize).name))
    }

    /// Returns the text of a program's identifier.
    #[must_use]
    pub const fn spelled(&self, identifier: u32) -> Identifier<'a> {
        match self.name(identifier) {
            Name::Event(identifier) => identifier,
            Name::Metric(reference) => self.metric_name(reference),
        }
    }
}
