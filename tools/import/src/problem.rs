//! What is wrong, and where.

use std::fmt;

/// A place in a file: the path as it is shown, and an offset into the text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// As the user would name the file.
    pub path: String,
    /// From 1; 0 where the whole file is meant.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
}

impl Place {
    /// A file or directory as a whole.
    #[must_use]
    pub fn file(path: &str) -> Self {
        Place { path: path.to_owned(), line: 0, column: 0 }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)?;
        if self.line > 0 {
            write!(f, ":{}:{}", self.line, self.column)?;
        }
        Ok(())
    }
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where.
    pub place: Place,
    /// What, with the value quoted and a hint where there is one.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

/// All that is wrong: errors, with which nothing is written, and warnings.
#[derive(Debug, Default)]
pub struct Problems {
    /// What must be mended here.
    pub errors: Vec<Problem>,
    /// What is odd in a source that is not ours, and was left out.
    pub warnings: Vec<Problem>,
}

impl Problems {
    /// Notes an error.
    pub fn error(&mut self, place: Place, message: impl Into<String>) {
        self.errors.push(Problem { place, message: message.into() });
    }

    /// Notes a warning.
    pub fn warn(&mut self, place: Place, message: impl Into<String>) {
        self.warnings.push(Problem { place, message: message.into() });
    }
}
