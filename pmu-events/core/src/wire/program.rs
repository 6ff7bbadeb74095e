//! The formulas of metrics as programs for a stack machine.
//!
//! A program contains the simplified output of
//! [`expr::parse`](crate::expr::parse()), with one byte for each step if
//! possible, so that nothing has to be parsed again:
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
use crate::expr::{Function, Identifier, Literal, Operator, Query};
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
    Literal(Literal),
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
                let literal = *Literal::ALL.get(usize::from(*rest.first()?))?;
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

    /// Passes the step's bytes to `put`.
    pub fn write(self, put: &mut dyn FnMut(&[u8])) {
        match self {
            Step::Identifier(number @ ..FIRST_CONSTANT) => put(&[number]),
            Step::Identifier(number) => put(&[IDENTIFIER, number]),
            Step::Constant(number) => match number.to_le_bytes() {
                [low, _] if number < SHORT_CONSTANTS => put(&[FIRST_CONSTANT + low]),
                [low, high] => put(&[CONSTANT, low, high]),
            },
            Step::Literal(literal) => put(&[LITERAL, position(Literal::ALL, literal)]),
            Step::Query(query, number) => put(&[QUERY, position(Query::ALL, query), number]),
            Step::Negate => put(&[NEGATE]),
            Step::IfElse => put(&[IF_ELSE]),
            Step::Binary(operator) => put(&[OPERATOR + position(Operator::ALL, operator)]),
            Step::Function(function) => put(&[FUNCTION + position(Function::ALL, function)]),
        }
    }
}

fn position<T: PartialEq>(all: &[T], one: T) -> u8 {
    (0..).zip(all).find(|(_, known)| **known == one).map_or(0, |(number, _)| number)
}

/// A program of a tree.
#[derive(Clone, Copy, Debug)]
pub struct Program<'a> {
    /// The maximum number of values on its stack.
    pub depth: u8,
    count: u8,
    /// `count` identifiers.
    identifiers: &'a [[u8; 4]],
    code: &'a [u8],
    /// The constants of the tree.
    constants: &'a [[u8; 8]],
}

impl<'a> Program<'a> {
    /// Reads the program that begins at a position; `None` if there is none.
    #[inline]
    fn read(bytes: &'a [u8], at: usize, constants: &'a [[u8; 8]]) -> Option<Self> {
        let (_, bytes) = bytes.split_at_checked(at)?;
        let (&[depth, count, low, high], bytes) = bytes.split_first_chunk()?;
        let (identifiers, bytes) = bytes.split_at_checked(4 * usize::from(count))?;
        let code = bytes.get(..usize::from(u16::from_le_bytes([low, high])))?;
        Some(Program { depth, count, identifiers: identifiers.as_chunks().0, code, constants })
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

    /// Returns constant `number`.
    #[must_use]
    #[inline]
    pub fn constant(&self, number: u16) -> f64 {
        let bits = self.constants.get(usize::from(number)).copied();
        f64::from_le_bytes(bits.unwrap_or_default())
    }

    /// Returns the steps.
    #[must_use]
    #[inline]
    pub const fn code(&self) -> &'a [u8] {
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
            .unwrap_or(Program { depth: 0, count: 0, identifiers: &[], code: &[], constants })
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
