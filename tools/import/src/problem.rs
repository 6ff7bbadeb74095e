//! Problems and their places.

use std::fmt;

/// A place in a file: the path as it is shown, and an offset into the text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The file's path as the user wrote it.
    pub path: String,
    /// From 1; 0 for the whole file.
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

/// One problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Its place.
    pub place: Place,
    /// The message, with the value quoted and a hint if there is one.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

/// All problems: errors, which prevent writing, and warnings.
#[derive(Debug, Default)]
pub struct Problems {
    /// Problems that must be fixed here.
    pub errors: Vec<Problem>,
    /// Oddities of a source that is not ours, which were left out.
    pub warnings: Vec<Problem>,
}

impl Problems {
    /// Records an error.
    pub fn error(&mut self, place: Place, message: impl Into<String>) {
        self.errors.push(Problem { place, message: message.into() });
    }

    /// Records a warning.
    pub fn warn(&mut self, place: Place, message: impl Into<String>) {
        self.warnings.push(Problem { place, message: message.into() });
    }
}
