//! The values of expressions.

use std::fmt::Write as _;

use pmu_events::sample::ByteOrder;

use crate::profile::tracepoint::expression::Expression;
use crate::profile::tracepoint::format::{Field, Format, Kind};

/// The data of a tracepoint.
pub(super) struct Data<'d> {
    pub(super) format: &'d Format,
    pub(super) bytes: &'d [u8],
    pub(super) order: ByteOrder,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Number(u64),
    Text(String),
}

impl Value {
    pub(super) fn number(&self) -> Option<u64> {
        match self {
            Value::Number(number) => Some(*number),
            Value::Text(_) => None,
        }
    }
}

impl Data<'_> {
    /// The value of an expression; `None` if it has none.
    pub(super) fn value(&self, expression: &Expression) -> Option<Value> {
        Some(match expression {
            Expression::Text(text) => Value::Text(text.clone()),
            Expression::Field(name) => {
                let field = self.field(name)?;
                match field.kind {
                    Kind::Number => {
                        Value::Number(self.number(field.offset, field.size, field.is_signed)?)
                    }
                    _ => Value::Text(self.text(field)?),
                }
            }
            Expression::Choice(parts) => {
                let [condition, first, second] = &**parts;
                self.value(if self.of(condition)? == 0 { second } else { first })?
            }
            Expression::Call(name, arguments) => self.call(name, arguments)?,
            other => Value::Number(self.computed(other)?),
        })
    }

    fn of(&self, expression: &Expression) -> Option<u64> {
        self.value(expression)?.number()
    }

    fn computed(&self, expression: &Expression) -> Option<u64> {
        Some(match expression {
            Expression::Number(number) => *number,
            Expression::Unknown => 0,
            Expression::Element(name, index) => {
                let field = self.field(name)?;
                let Kind::Array(size) = field.kind else { return None };
                let at = usize::try_from(self.of(index)?).ok()?.checked_mul(size)?;
                if at >= field.size {
                    return None;
                }
                self.number(field.offset.checked_add(at)?, size, field.is_signed)?
            }
            Expression::Cast { bits, is_signed, of } => {
                let (number, unused) = (self.of(of)?, 64 - bits);
                match is_signed {
                    true => ((number << unused) as i64 >> unused) as u64,
                    false => number << unused >> unused,
                }
            }
            Expression::Unary(operator, of) => {
                let number = self.of(of)?;
                match operator {
                    '-' => number.wrapping_neg(),
                    '!' => u64::from(number == 0),
                    '~' => !number,
                    _ => number,
                }
            }
            Expression::Binary(operator, left, right) => self.binary(operator, left, right)?,
            _ => return None,
        })
    }

    fn binary(&self, operator: &str, left: &Expression, right: &Expression) -> Option<u64> {
        let left = self.of(left)?;
        match (operator, left) {
            ("&&", 0) => return Some(0),
            ("||", 1..) => return Some(1),
            _ => {}
        }
        let right = self.of(right)?;
        let shift = |shifted: Option<u64>| shifted.unwrap_or(0);
        let bits = u32::try_from(right).unwrap_or(u32::MAX);
        Some(match operator {
            "&&" | "||" => u64::from(right != 0),
            "|" => left | right,
            "^" => left ^ right,
            "&" => left & right,
            "==" => u64::from(left == right),
            "!=" => u64::from(left != right),
            "<" => u64::from(left < right),
            ">" => u64::from(left > right),
            "<=" => u64::from(left <= right),
            ">=" => u64::from(left >= right),
            "<<" => shift(left.checked_shl(bits)),
            ">>" => shift(left.checked_shr(bits)),
            "+" => left.wrapping_add(right),
            "-" => left.wrapping_sub(right),
            "*" => left.wrapping_mul(right),
            "/" => left.checked_div(right)?,
            "%" => left.checked_rem(right)?,
            _ => return None,
        })
    }

    /// The functions that formats call (`include/trace/stages/stage3_trace_output.h`).
    fn call(&self, name: &str, arguments: &[Expression]) -> Option<Value> {
        Some(match (name, arguments) {
            ("__get_str" | "__get_rel_str", [Expression::Field(name)]) => {
                Value::Text(self.text(self.field(name)?)?)
            }
            (
                "__get_dynamic_array_len" | "__get_rel_dynamic_array_len",
                [Expression::Field(name)],
            ) => Value::Number(self.elsewhere(self.field(name)?)?.len() as u64),
            ("__print_symbolic", [of, names @ ..]) => {
                let number = self.of(of)?;
                for pair in names {
                    let Expression::Pair(value, name) = pair else { return None };
                    if **value != Expression::Unknown && self.of(value)? == number {
                        return self.value(name);
                    }
                }
                Value::Text(format!("{number:#x}"))
            }
            ("__print_flags", [of, Expression::Text(separator), names @ ..]) => {
                Value::Text(self.flags(self.of(of)?, separator, names)?)
            }
            _ => return None,
        })
    }

    fn flags(&self, mut bits: u64, separator: &str, names: &[Expression]) -> Option<String> {
        let mut text = String::new();
        for pair in names {
            let Expression::Pair(value, name) = pair else { return None };
            let mask = self.of(value)?;
            // The end of a list is `{ 0, NULL }`.
            let (Expression::Text(name), 1..) = (&**name, mask) else { continue };
            if bits & mask == mask {
                bits &= !mask;
                let before = if text.is_empty() { "" } else { separator };
                let _ = write!(text, "{before}{name}");
            }
        }
        if bits != 0 {
            let before = if text.is_empty() { "" } else { separator };
            let _ = write!(text, "{before}{bits:#x}");
        }
        Some(text)
    }

    fn field(&self, name: &str) -> Option<&Field> {
        self.format.fields.iter().find(|field| field.name == name)
    }

    fn number(&self, at: usize, size: usize, is_signed: bool) -> Option<u64> {
        let bytes = self.bytes.get(at..at.checked_add(size)?)?;
        let number = match *bytes {
            [byte] => u64::from(byte),
            [a, b] => self.order.u16([a, b]).into(),
            [a, b, c, d] => self.order.u32([a, b, c, d]).into(),
            _ => self.order.u64(*bytes.first_chunk().filter(|_| size == 8)?),
        };
        let unused = 64 - 8 * size as u32;
        Some(if is_signed { ((number << unused) as i64 >> unused) as u64 } else { number })
    }

    /// The bytes that a field refers to.
    fn elsewhere(&self, field: &Field) -> Option<&[u8]> {
        let Kind::Elsewhere { is_relative, .. } = field.kind else { return None };
        let word = self.number(field.offset, 4, false)?;
        let (at, length) = ((word & 0xffff) as usize, (word >> 16 & 0xffff) as usize);
        let at = if is_relative { at + field.offset + 4 } else { at };
        self.bytes.get(at..at + length)
    }

    /// The characters of a field, or its bytes and numbers.
    fn text(&self, field: &Field) -> Option<String> {
        let until_zero = |bytes: &[u8]| {
            let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
            String::from_utf8_lossy(&bytes[..end]).into_owned()
        };
        Some(match field.kind {
            Kind::Text => {
                until_zero(self.bytes.get(field.offset..field.offset.checked_add(field.size)?)?)
            }
            Kind::Elsewhere { is_text: true, .. } => until_zero(self.elsewhere(field)?),
            Kind::Elsewhere { .. } => {
                let bytes = self.elsewhere(field)?.iter().map(|byte| format!("{byte:02x}"));
                bytes.collect::<Vec<_>>().join(",")
            }
            Kind::Array(size) => {
                let places = (0..field.size.min(self.bytes.len())).step_by(size.max(1));
                let numbers = places
                    .map(|at| self.number(field.offset.checked_add(at)?, size, field.is_signed));
                let numbers: Option<Vec<_>> = numbers.map(|one| Some(one?.to_string())).collect();
                numbers?.join(",")
            }
            Kind::Number => self.number(field.offset, field.size, field.is_signed)?.to_string(),
        })
    }

    /// A field by itself.
    pub(super) fn shown(&self, field: &Field) -> String {
        let shown = match field.kind {
            Kind::Number if field.is_signed => {
                let number = self.number(field.offset, field.size, true);
                number.map(|number| (number as i64).to_string())
            }
            _ => self.text(field),
        };
        shown.unwrap_or_else(|| "?".into())
    }
}
