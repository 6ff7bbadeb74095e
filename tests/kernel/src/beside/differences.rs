//! The table of deliberate differences, `perf/differences.txt`.

use pmu_events::glob;

const TEXT: &str = include_str!("../../perf/differences.txt");

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// `event`, `pattern` or `formula`.
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
    /// The rows for one kind of questions.
    ///
    /// # Panics
    ///
    /// When a row does not have five columns.
    #[must_use]
    pub fn of(what: &str) -> Self {
        let lines = TEXT.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let rows = lines.map(|line| {
            let columns: Vec<&str> = line.split('\t').collect();
            let [what, how, question, example, reason] = columns[..] else {
                panic!("not five columns in differences.txt: {line}");
            };
            Row { what, how, question, example, reason }
        });
        Differences { rows: rows.filter(|row| row.what == what).map(|row| (row, 0)).collect() }
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
