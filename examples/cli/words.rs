//! The words of a command line, in GNU style: `--option=value` or
//! `--option value`, `-xVALUE` or `-x VALUE`, short options without value
//! together (`-ab`), and `--` before what begins with a dash.
//!
//! Every message says what is wrong with the usage.

use std::collections::VecDeque;
use std::ffi::OsString;

use pmu_events::name;

pub(crate) struct Words {
    words: VecDeque<OsString>,
    /// The option that was given out last, and the word that it stood in.
    option: String,
    word: String,
    /// What stands behind it in its word.
    attached: Option<Attached>,
}

enum Attached {
    /// Behind `=`.
    Value(String),
    /// Behind a short option: its value, or further ones.
    Short(String),
}

pub(crate) enum Word {
    /// With its dashes.
    Option(String),
    Operand(String),
    /// `--`: options end here.
    End,
}

impl Words {
    pub(crate) fn new(words: impl IntoIterator<Item = OsString>) -> Self {
        let words = words.into_iter().collect();
        Words { words, option: String::new(), word: String::new(), attached: None }
    }

    pub(crate) fn next(&mut self) -> Result<Option<Word>, String> {
        match self.attached.take() {
            Some(Attached::Short(letters)) => return Ok(Some(self.short(&letters))),
            Some(Attached::Value(_)) => return Err(format!("`{}` takes no value", self.option)),
            None => {}
        }
        let Some(word) = self.words.pop_front() else {
            return Ok(None);
        };
        let word = utf8(word)?;
        if word == "--" {
            return Ok(Some(Word::End));
        }
        if word == "-" || !word.starts_with('-') {
            return Ok(Some(Word::Operand(word)));
        }
        self.word.clone_from(&word);
        if let Some(letters) = word.strip_prefix('-').filter(|rest| !rest.starts_with('-')) {
            return Ok(Some(self.short(letters)));
        }
        self.option = match word.split_once('=') {
            Some((option, value)) => {
                self.attached = Some(Attached::Value(value.into()));
                option.into()
            }
            None => word,
        };
        Ok(Some(Word::Option(self.option.clone())))
    }

    fn short(&mut self, letters: &str) -> Word {
        let length = letters.chars().next().map_or(0, char::len_utf8);
        let (letter, rest) = letters.split_at(length);
        self.option = format!("-{letter}");
        self.attached = (!rest.is_empty()).then(|| Attached::Short(rest.into()));
        Word::Option(self.option.clone())
    }

    /// The option that was given out last is one that takes no value.
    pub(crate) fn flag(&mut self) -> Result<(), String> {
        match self.attached {
            Some(Attached::Value(_)) => Err(format!("`{}` takes no value", self.option)),
            _ => Ok(()),
        }
    }

    /// The value of the option that was given out last.
    pub(crate) fn value(&mut self) -> Result<String, String> {
        let value = match self.attached.take() {
            Some(Attached::Value(value) | Attached::Short(value)) => Some(value),
            None => self.words.pop_front().map(utf8).transpose()?,
        };
        value
            .filter(|value| !value.is_empty())
            .ok_or_else(|| format!("`{}` needs a value", self.option))
    }

    /// The value as a number.
    pub(crate) fn number<T: std::str::FromStr>(&mut self) -> Result<T, String> {
        let value = self.value()?;
        value.parse().map_err(|_| format!("`{}` needs a number, not `{value}`", self.option))
    }

    /// The word of the option that was given out last.
    pub(crate) fn whole(&self) -> &str {
        match self.word.split_once('=') {
            Some((option, _)) if option.starts_with("--") => option,
            _ => &self.word,
        }
    }

    /// All that is left, as it is.
    pub(crate) fn rest(self) -> Vec<OsString> {
        self.words.into()
    }
}

pub(crate) fn utf8(word: OsString) -> Result<String, String> {
    word.into_string().map_err(|w| format!("argument `{}` is not UTF-8", w.to_string_lossy()))
}

/// What is said of an option that is none of those known; `operands` says what
/// else may begin with a dash.
pub(crate) fn unknown(option: &str, known: &[&str], operands: &str) -> String {
    let near = known.iter().filter_map(|known| Some((name::distance(option, known, 3)?, known)));
    // Any two short options are near each other.
    match near.min().filter(|_| option.len() > 2) {
        Some((_, known)) => format!("unknown option `{option}`; did you mean `{known}`?"),
        None => {
            format!("unknown option `{option}`; {operands} that begin with `-` go behind `--`")
        }
    }
}
