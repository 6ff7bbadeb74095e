//! Lines of a terminal: wrapped to its width, and emphasised if there is one.

use std::env;
use std::fmt::Display;
use std::io::{self, Write};

use crate::output::{Output, one_line};
use crate::style::{Style, emphasises};

/// An output of lines.
pub(crate) struct Page<'o> {
    out: &'o mut Output,
    width: usize,
    emphasis: bool,
    texts: Texts,
}

/// Which descriptions stand below names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Texts {
    None,
    #[default]
    Brief,
    /// The long one, of what has one.
    Long,
}

impl<'o> Page<'o> {
    /// A page on standard output, which `out` writes to.
    pub(crate) fn new(out: &'o mut Output) -> Self {
        let columns = env::var_os("COLUMNS").and_then(|columns| columns.to_str()?.parse().ok());
        Page {
            out,
            // Below some width there is no sensible way to break lines.
            width: columns.or_else(width_of_terminal).unwrap_or(80).max(30),
            emphasis: emphasises(&io::stdout()),
            texts: Texts::default(),
        }
    }

    pub(crate) fn with_texts(self, texts: Texts) -> Self {
        Page { texts, ..self }
    }

    /// A page of a file, which has no emphasis.
    pub(crate) fn of_file(self) -> Self {
        Page { emphasis: false, ..self }
    }

    /// A description below a name.
    pub(crate) fn description(
        &mut self,
        brief: Option<impl Display>,
        long: Option<impl Display>,
    ) -> io::Result<()> {
        match (self.texts, brief, long) {
            (Texts::Long, _, Some(long)) => self.paragraph(long),
            (_, Some(brief), _) => self.paragraph(brief),
            (_, None, _) => Ok(()),
        }
    }

    pub(crate) fn blank(&mut self) -> io::Result<()> {
        writeln!(self.out)
    }

    pub(crate) fn heading(&mut self, text: &str) -> io::Result<()> {
        for (n, line) in wrap(text, self.width - 2).iter().enumerate() {
            // Continuation lines are indented further.
            write!(self.out, "{:1$}", "", if n == 0 { 0 } else { 2 })?;
            self.emphasised(Style::Bold, line)?;
            self.blank()?;
        }
        Ok(())
    }

    /// A name and a remark in a column next to it, or beneath it if it does not
    /// fit.
    pub(crate) fn name(&mut self, name: &str, remark: &str) -> io::Result<()> {
        const COLUMN: usize = 32;
        let remark = &*one_line(remark);
        let mut end = 0;
        for (n, line) in wrap(name, self.width - 6).iter().enumerate() {
            let indentation = if n == 0 { 2 } else { 6 };
            write!(self.out, "{}{:indentation$}", if n == 0 { "" } else { "\n" }, "")?;
            self.emphasised(Style::Bold, line)?;
            end = indentation + line.chars().count();
        }
        if remark.is_empty() {
            self.blank()
        } else if end.max(COLUMN - 2) + 2 + remark.chars().count() <= self.width {
            writeln!(self.out, "{:1$}{remark}", "", COLUMN.max(end + 2) - end)
        } else {
            for line in wrap(remark, self.width - 6) {
                write!(self.out, "\n{:6}{line}", "")?;
            }
            self.blank()
        }
    }

    /// A text below a name, unless none is shown.
    pub(crate) fn paragraph(&mut self, text: impl Display) -> io::Result<()> {
        if self.texts == Texts::None {
            return Ok(());
        }
        for line in wrap(&text.to_string(), self.width - 6) {
            write!(self.out, "{:6}", "")?;
            self.emphasised(Style::Dim, &line)?;
            self.blank()?;
        }
        Ok(())
    }

    /// One fact below a name, beneath its label if there is no room next to it.
    pub(crate) fn fact(&mut self, label: &str, value: impl Display) -> io::Result<()> {
        const LABEL: usize = 20;
        const LEAST: usize = 24;
        let label = &*one_line(label);
        let value = value.to_string();
        if self.width < 6 + LABEL + LEAST {
            writeln!(self.out, "{:6}{label}", "")?;
            for line in wrap(&value, self.width - 8) {
                writeln!(self.out, "{:8}{line}", "")?;
            }
            return Ok(());
        }
        for (n, line) in wrap(&value, self.width - 6 - LABEL).iter().enumerate() {
            writeln!(self.out, "{:6}{:LABEL$}{line}", "", if n == 0 { label } else { "" })?;
        }
        Ok(())
    }

    /// A line in two parts, the second beneath the first if it does not fit.
    pub(crate) fn row(&mut self, start: &str, end: &str) -> io::Result<()> {
        let (start, end) = (&*one_line(start), &*one_line(end));
        if start.chars().count() + 2 + end.chars().count() <= self.width {
            return writeln!(self.out, "{start}  {end}");
        }
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        writeln!(self.out, "{}", words(start))?;
        for line in wrap(end, self.width - 2) {
            writeln!(self.out, "  {line}")?;
        }
        Ok(())
    }

    fn emphasised(&mut self, how: Style, text: &str) -> io::Result<()> {
        if self.emphasis { self.out.styled(how, text) } else { write!(self.out, "{text}") }
    }
}

/// The width of the terminal that standard output is, if it is one.
pub(crate) fn width_of_terminal() -> Option<usize> {
    let (terminal_size::Width(columns), _) = terminal_size::terminal_size_of(io::stdout())?;
    Some(columns.into())
}

/// Breaks a text between words. A word that is too long gets a line of its own.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.into()),
        }
    }
    lines
}
