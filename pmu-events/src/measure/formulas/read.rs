//! From a text to definitions.

use core::ops::Range;
use std::collections::BTreeSet;
use std::string::{String, ToString};
use std::vec::Vec;

use super::error::{Fault, FormulaError};
use super::limits::{MAX_FORMULAS, MAX_NAMES, MAX_TEXT};
use super::program::{Meaning, Program};
use pmu_events_core::__private::expr::{self, Item, Operator, TokenKind};
use pmu_events_core::__private::scale;

/// `NAME [SCALE] = FORMULA`
#[derive(Clone, Debug)]
pub(super) struct Definition {
    pub(super) name: String,
    /// The place of the name in the text.
    pub(super) span: Range<usize>,
    /// The factor and unit; empty without one.
    pub(super) scale: String,
    /// The formula, with spaces in place of comments.
    pub(super) formula: String,
    /// The place of its first byte in the text.
    pub(super) start: usize,
}

/// What some editors write at the beginning of a text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// The parts of a line that begins a definition.
struct Head<'t> {
    name: &'t str,
    scale: Option<&'t str>,
    /// The place after the `=`.
    formula: usize,
}

pub(super) fn definitions(text: &str) -> Result<Vec<Definition>, FormulaError> {
    let error = |kind, span| FormulaError::new(kind, span, text);
    if text.len() > MAX_TEXT {
        return Err(error(Fault::LongText, 0..0));
    }
    let mut all: Vec<Definition> = Vec::new();
    let mut names = BTreeSet::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let (start, end) = (at, at + line.len());
        at = end;
        let written = line.trim_start();
        let first = end - written.len();
        if written.starts_with(BYTE_ORDER_MARK) {
            let span = first..first + BYTE_ORDER_MARK.len_utf8();
            return Err(error(Fault::ByteOrderMark, span));
        }
        if written.is_empty() || is_comment(written) {
            // The formula may go on below.
            if let Some(definition) = all.last_mut() {
                definition.formula.extend(line.bytes().map(|_| ' '));
            }
        } else if let Some(head) = head(written) {
            let span = first..first + head.name.len();
            if !is_name(head.name) {
                return Err(error(Fault::Name(head.name.into()), span));
            }
            if !names.insert(head.name.to_ascii_lowercase()) {
                return Err(error(Fault::Duplicate(head.name.into()), span));
            }
            if all.len() == MAX_FORMULAS {
                return Err(error(Fault::TooManyFormulas, span));
            }
            let scale = head.scale.unwrap_or_default();
            let (factor, _) = scale::split(scale);
            if head.scale.is_some() && (scale.is_empty() || factor == 0.0 || !factor.is_finite()) {
                let bracket = span.end + written[head.name.len()..].find('[').unwrap_or_default();
                return Err(error(Fault::Scale, bracket..bracket + 2 + scale.len()));
            }
            all.push(Definition {
                name: head.name.into(),
                span,
                scale: scale.to_string(),
                formula: written[head.formula..].into(),
                start: first + head.formula,
            });
        } else if let Some(definition) = all.last_mut() {
            definition.formula.push_str(&text[start..end]);
        } else {
            let end = first + written.trim_end().len();
            return Err(error(Fault::ExpectedDefinition, first..end));
        }
    }
    all.iter().try_for_each(|definition| check(definition, text))?;
    Ok(all)
}

/// Whether a line is a comment rather than the continuation of a formula by a
/// literal.
fn is_comment(line: &str) -> bool {
    let first = expr::tokens(line).next();
    line.starts_with('#')
        && !matches!(first, Some(Ok(token)) if matches!(token.kind(), TokenKind::Literal(_)))
}

/// The beginning of a definition, without leading spaces.
fn head(line: &str) -> Option<Head<'_>> {
    let len = line.find(|c: char| c.is_whitespace() || c == '=' || c == '[')?;
    let (name, mut rest) = line.split_at(len);
    rest = rest.trim_start();
    let mut scale = None;
    if let Some(unit) = rest.strip_prefix('[') {
        // An unclosed bracket is refused as an empty scale.
        let (unit, behind) = unit.split_once(']').unwrap_or(("", unit));
        (scale, rest) = (Some(unit.trim()), behind.trim_start());
        if !rest.starts_with('=') {
            return Some(Head { name, scale: Some(""), formula: line.len() });
        }
    }
    let formula = rest.strip_prefix('=')?;
    // `\=` is part of a name; nothing begins with `=`, so `==` is no definition.
    let is_definition = !name.is_empty() && !name.ends_with('\\') && !formula.starts_with('=');
    is_definition.then_some(Head { name, scale, formula: line.len() - formula.len() })
}

/// Whether formulas can refer to it by its plain spelling.
fn is_name(name: &str) -> bool {
    let mut tokens = expr::tokens(name);
    let (Some(Ok(token)), None) = (tokens.next(), tokens.next()) else { return false };
    match token.kind() {
        TokenKind::Identifier(spelling) => {
            // What looks like a number is an error as a value.
            spelling.plain().is_some() && !name.contains('?') && expr::check(name).is_ok()
        }
        _ => false,
    }
}

/// Checks a formula on its own.
fn check(definition: &Definition, text: &str) -> Result<(), FormulaError> {
    let Definition { formula, start, .. } = definition;
    let error = |kind, span: Range<usize>| {
        FormulaError::new(kind, start + span.start..start + span.end, text)
    };
    let mut names = BTreeSet::new();
    let mut fault: Option<FormulaError> = None;
    let mut items = Vec::new();
    let parsed = expr::parse(formula, |item, span| {
        let kind = match item {
            Item::Binary(Operator::Divide) if items.last() == Some(&Item::Number(0.0)) => {
                Some(Fault::DivisionByZero)
            }
            // The operands are truncated to integers.
            Item::Binary(Operator::Remainder) if matches!(items.last(), Some(Item::Number(number)) if number.abs() < 1.0) => {
                Some(Fault::DivisionByZero)
            }
            _ => item.identifier().and_then(|(spelling, _)| {
                names.insert(spelling.escaped());
                match () {
                    () if names.len() > MAX_NAMES => Some(Fault::TooManyNames),
                    () if spelling.escaped().contains('?') => Some(Fault::Parameter),
                    () => None,
                }
            }),
        };
        items.push(item);
        if let (Some(kind), None) = (kind, &fault) {
            fault = Some(error(kind, span));
        }
    });
    if let Err(why) = parsed {
        // An unfinished formula ends with its last character, not below it.
        let end = formula.trim_end().len();
        let span = if why.span().is_empty() { end..end } else { why.span() };
        return Err(error(Fault::Expression(why), span));
    }
    if let Some(fault) = fault {
        return Err(fault);
    }
    let of_whole = |fault| FormulaError::new(fault, definition.span.clone(), text);
    match Program::new(&items, |_| Meaning::Event) {
        Err(limit) => Err(of_whole(limit.into())),
        Ok(program) if program.is_never_known() => Err(of_whole(Fault::NoValue)),
        Ok(_) => Ok(()),
    }
}
