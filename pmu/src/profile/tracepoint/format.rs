//! A format of tracefs (`Documentation/trace/events.rst`).

use crate::profile::tracepoint::expression::{self, Expression};

/// The format of a tracepoint.
pub(crate) struct Format {
    /// The number of the tracepoint.
    pub(crate) id: u64,
    pub(super) fields: Vec<Field>,
    pub(super) print: Option<Print>,
}

/// A field of the data.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) offset: usize,
    pub(super) size: usize,
    pub(super) is_signed: bool,
    pub(super) kind: Kind,
}

/// How the bytes of a field are understood.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Number,
    /// Of characters.
    Text,
    /// Of numbers, each with so many bytes.
    Array(usize),
    /// A place and a length in the data (`__data_loc`), or in what is behind the field (`__rel_loc`).
    Elsewhere {
        is_relative: bool,
        is_text: bool,
    },
}

/// What is printed.
pub(super) struct Print {
    pub(super) text: String,
    pub(super) arguments: Vec<Expression>,
}

impl Field {
    /// Whether all tracepoints have it.
    pub(super) fn is_common(&self) -> bool {
        self.name.starts_with("common_")
    }

    /// `field:char comm[16]; offset:8; size:16; signed:0;`, with tabs
    fn parse(line: &str) -> Option<Self> {
        let mut parts = line.trim().split(';').map(str::trim);
        let declared = parts.next()?.strip_prefix("field:")?;
        let mut number = |name: &str| parts.next()?.strip_prefix(name)?.parse::<usize>().ok();
        let (offset, size) = (number("offset:")?, number("size:")?);
        let is_signed = number("signed:").unwrap_or(0) != 0;
        let (declared, length) = match declared.split_once('[') {
            Some((before, rest)) => {
                let (length, behind) = rest.split_once(']')?;
                // `__data_loc char[] name`, `char name[16]`
                let name = if behind.trim().is_empty() { String::new() } else { behind.into() };
                (format!("{before}{name}"), Some(length))
            }
            None => (declared.to_owned(), None),
        };
        let (kind, name) = declared.rsplit_once([' ', '*'])?;
        let is_text = kind.split_whitespace().any(|word| word == "char" || word == "char*");
        let kind = match length {
            _ if kind.starts_with("__data_loc") => Kind::Elsewhere { is_relative: false, is_text },
            _ if kind.starts_with("__rel_loc") => Kind::Elsewhere { is_relative: true, is_text },
            Some(_) if is_text => Kind::Text,
            Some(length) => match length.parse::<usize>() {
                Ok(number @ 1..) if size.is_multiple_of(number) => Kind::Array(size / number),
                _ => Kind::Array(size_of_element(kind)),
            },
            None => Kind::Number,
        };
        Some(Field { name: name.to_owned(), offset, size, is_signed, kind })
    }
}

/// Where the length of an array is no number, its type says how long an element is.
fn size_of_element(kind: &str) -> usize {
    match kind.split_whitespace().last() {
        Some("u8" | "__u8" | "s8" | "char" | "bool") => 1,
        Some("u16" | "__u16" | "s16" | "short") => 2,
        Some("u32" | "__u32" | "s32" | "int") => 4,
        _ => 8,
    }
}

impl Format {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        /// More than any tracepoint has.
        const MOST: usize = 1000;
        let mut id = None;
        let mut fields = Vec::new();
        let mut print = None;
        for line in text.lines() {
            if let Some(number) = line.strip_prefix("ID:") {
                id = number.trim().parse().ok();
            } else if let Some(rest) = line.strip_prefix("print fmt:") {
                print = Some(rest);
            } else if fields.len() < MOST {
                fields.extend(Field::parse(line));
            }
        }
        let print = print.and_then(|text| {
            let mut arguments = expression::arguments(text)?.into_iter();
            let Some(Expression::Text(text)) = arguments.next() else { return None };
            Some(Print { text, arguments: arguments.collect() })
        });
        Some(Format { id: id?, fields, print })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields() {
        let line = "\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:1;";
        let expected =
            Field { name: "comm".into(), offset: 8, size: 16, is_signed: true, kind: Kind::Text };
        assert_eq!(Field::parse(line), Some(expected));
        for (declared, name, kind) in [
            ("unsigned long args[6]", "args", Kind::Array(8)),
            (
                "__data_loc char[] name",
                "name",
                Kind::Elsewhere { is_relative: false, is_text: true },
            ),
            ("__rel_loc u8[] raw", "raw", Kind::Elsewhere { is_relative: true, is_text: false }),
            ("const char * path", "path", Kind::Number),
            ("void *ptr", "ptr", Kind::Number),
            ("u16 all[COUNT]", "all", Kind::Array(2)),
        ] {
            let field = Field::parse(&format!("field:{declared}; offset:0; size:48; signed:0;"));
            let field = field.unwrap_or_else(|| panic!("{declared}"));
            assert_eq!((field.name.as_str(), field.kind), (name, kind));
        }
        for odd in ["", "field:x", "field:int x; offset:y; size:1;", "print fmt: 1"] {
            assert_eq!(Field::parse(odd), None, "{odd}");
        }
    }
}
