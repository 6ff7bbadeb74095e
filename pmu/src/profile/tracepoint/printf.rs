//! Values by the conversions of the kernel's `printk` (`Documentation/core-api/printk-formats.rst`).

use std::fmt::Write as _;

use crate::profile::tracepoint::Names;
use crate::profile::tracepoint::format::Print;
use crate::profile::tracepoint::value::{Data, Value};

/// A conversion: `%-08.3lx`.
#[derive(Default)]
struct Conversion {
    is_left: bool,
    has_zeros: bool,
    has_base: bool,
    has_plus: bool,
    width: usize,
    precision: Option<usize>,
    /// Of an integer, in bits.
    bits: u32,
}

/// No output is wider; a hostile format could ask for any width.
const WIDEST: usize = 1024;

/// The text of a tracepoint; `None` if something in its format is not understood.
pub(super) fn shown(print: &Print, data: &Data<'_>, names: &Names<'_>) -> Option<String> {
    let mut out = String::new();
    let mut values = print.arguments.iter();
    let mut next = || data.value(values.next()?);
    let mut rest = print.text.as_str();
    while let Some((before, behind)) = rest.split_once('%') {
        out.push_str(before);
        let mut conversion = Conversion { bits: 32, ..Conversion::default() };
        let mut letters = behind;
        let mut take = |letter: char| {
            let rest = letters.strip_prefix(letter);
            letters = rest.unwrap_or(letters);
            rest.is_some()
        };
        loop {
            match () {
                () if take('-') => conversion.is_left = true,
                () if take('0') => conversion.has_zeros = true,
                () if take('#') => conversion.has_base = true,
                () if take('+') => conversion.has_plus = true,
                () if take(' ') => {}
                () => break,
            }
        }
        let mut size = |letters: &mut &str| -> Option<usize> {
            if let Some(rest) = letters.strip_prefix('*') {
                *letters = rest;
                return usize::try_from(next()?.number()?).ok();
            }
            let end = letters.find(|c: char| !c.is_ascii_digit()).unwrap_or(letters.len());
            let (digits, rest) = letters.split_at(end);
            *letters = rest;
            if digits.is_empty() { Some(0) } else { digits.parse().ok() }
        };
        conversion.width = size(&mut letters)?.min(WIDEST);
        if let Some(rest) = letters.strip_prefix('.') {
            letters = rest;
            conversion.precision = Some(size(&mut letters)?.min(WIDEST));
        }
        let kind = letters.find(|c| !['l', 'h', 'z', 't', 'j', 'L', 'q'].contains(&c))?;
        conversion.bits = match &letters[..kind] {
            "" => 32,
            "h" => 16,
            "hh" => 8,
            _ => 64,
        };
        let letter = letters[kind..].chars().next()?;
        letters = &letters[kind + letter.len_utf8()..];
        if letter == 'p' {
            let end = letters.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(letters.len());
            let (extension, behind) = letters.split_at(end);
            letters = behind;
            let number = next()?.number()?;
            conversion.pad(&mut out, &pointer(extension, number, names)?);
        } else {
            conversion.write(&mut out, letter, &mut next, names)?;
        }
        rest = letters;
    }
    out.push_str(rest);
    Some(out)
}

/// An address, by what follows `%p`.
fn pointer(extension: &str, number: u64, names: &Names<'_>) -> Option<String> {
    Some(match extension {
        "s" | "S" | "f" | "F" | "B" | "Sb" => match (names.function)(number) {
            Some((name, into)) if extension != "s" && extension != "f" => {
                format!("{name}+{into:#x}")
            }
            Some((name, _)) => name,
            None => format!("{number:#x}"),
        },
        "" | "x" | "K" | "k" => format!("{number:#x}"),
        _ => return None,
    })
}

impl Conversion {
    fn write(
        &self,
        out: &mut String,
        letter: char,
        next: &mut dyn FnMut() -> Option<Value>,
        names: &Names<'_>,
    ) -> Option<()> {
        if letter == '%' {
            out.push('%');
            return Some(());
        }
        let value = next()?;
        if letter == 's' {
            let text = match value {
                Value::Text(text) => text,
                Value::Number(number) => match names.texts.get(&number) {
                    Some(text) => text.clone(),
                    None => format!("{number:#x}"),
                },
            };
            let most = self.precision.unwrap_or(usize::MAX);
            self.pad(out, &text.chars().take(most).collect::<String>());
            return Some(());
        }
        let unused = 64 - self.bits;
        let number = value.number()?;
        let unsigned = number << unused >> unused;
        let signed = (number << unused) as i64 >> unused;
        let text = match letter {
            'd' | 'i' if self.has_plus => format!("{signed:+}"),
            'd' | 'i' => signed.to_string(),
            'u' => unsigned.to_string(),
            'x' if self.has_base && unsigned != 0 => format!("{unsigned:#x}"),
            'x' => format!("{unsigned:x}"),
            'X' if self.has_base && unsigned != 0 => format!("0X{unsigned:X}"),
            'X' => format!("{unsigned:X}"),
            'o' => format!("{unsigned:o}"),
            'c' => char::from(unsigned as u8).to_string(),
            _ => return None,
        };
        let least = match (self.precision, self.has_zeros && !self.is_left) {
            (Some(digits), _) => digits,
            (None, true) => self.width,
            (None, false) => 0,
        };
        self.pad(out, &with_zeros(text, least));
        Some(())
    }

    fn pad(&self, out: &mut String, text: &str) {
        let width = self.width;
        let _ = match self.is_left {
            true => write!(out, "{text:<width$}"),
            false => write!(out, "{text:>width$}"),
        };
    }
}

/// Zeros behind the sign or the base.
fn with_zeros(text: String, least: usize) -> String {
    let base = ["0x", "0X", "-", "+"].into_iter().find(|base| text.starts_with(base)).unwrap_or("");
    let missing = least.saturating_sub(text.len());
    format!("{base}{}{}", "0".repeat(missing), &text[base.len()..])
}
