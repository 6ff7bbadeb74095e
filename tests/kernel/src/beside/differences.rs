//! The table of deliberate differences, `perf/differences.txt`.

use std::path::Path;

use pmu_events::__private::glob;

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// `event`, `pattern` or `formula`; behind it the version of perf, if one alone differs.
    pub what: &'static str,
    /// A shell pattern of how the answers differ.
    pub how: &'static str,
    /// A shell pattern of the shortest question that differs so.
    pub question: &'static str,
    /// A question that differs so.
    pub example: &'static str,
    /// Why ours is another.
    pub reason: &'static str,
}

impl Row {
    fn has(&self, how: &str, question: &str) -> bool {
        glob::matches_case(self.how, how) && glob::matches_case(self.question, question)
    }
}

/// The table, with how often each row was needed.
#[derive(Debug)]
pub struct Differences {
    rows: Vec<(Row, usize)>,
}

impl Differences {
    /// The rows for one kind of questions, asked of a version of perf.
    ///
    /// # Panics
    ///
    /// When the file cannot be read, or a row does not have five columns.
    #[must_use]
    pub fn of(version: &str, what: &str) -> Self {
        // Read by the running test: this package takes minutes to compile.
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("perf/differences.txt");
        let text = std::fs::read_to_string(path).expect("the table can be read");
        let lines = text.leak().lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let rows = lines.map(|line| {
            let columns: Vec<&str> = line.split('\t').collect();
            let [what, how, question, example, reason] = columns[..] else {
                panic!("not five columns in differences.txt: {line}");
            };
            Row { what, how, question, example, reason }
        });
        let of_version = format!("{what} {version}");
        let is_meant = |row: &Row| row.what == what || row.what == of_version;
        Differences { rows: rows.filter(is_meant).map(|row| (row, 0)).collect() }
    }

    /// Whether a difference is deliberate.
    pub fn has(&mut self, how: &str, question: &str) -> bool {
        let found = self.rows.iter_mut().find(|(row, _)| row.has(how, question));
        found.map(|(_, used)| *used += 1).is_some()
    }

    /// How many differences were deliberate.
    #[must_use]
    pub fn used(&self) -> usize {
        self.rows.iter().map(|(_, used)| used).sum()
    }

    /// The examples that do not differ in the way of their row, each with the ways
    /// in which it does: such a row hides something, or nothing. `differ` says how
    /// answers to a question differ.
    pub fn outdated(
        &self,
        mut differ: impl FnMut(&str) -> Vec<String>,
    ) -> Vec<(&'static str, Vec<String>)> {
        let examples = self.rows.iter().map(|(row, _)| (row, differ(row.example)));
        let outdated =
            examples.filter(|(row, ways)| !ways.iter().any(|how| row.has(how, row.example)));
        outdated.map(|(row, ways)| (row.example, ways)).collect()
    }
}
