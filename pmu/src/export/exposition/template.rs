//! The text of an answer without its values.

use std::fmt::Write as _;

use super::family::{Family, Value};

/// What stands between the values.
#[derive(Debug, Default)]
pub(super) struct Template {
    text: String,
    /// Where the parts of the text end: for each family that has series, its head, and each line as far
    /// as its value.
    ends: Vec<usize>,
}

impl Template {
    /// Takes the values out of a text that has a line for each series.
    pub(super) fn of(encoded: &str) -> Self {
        let mut template = Template::default();
        let mut is_head = false;
        for line in encoded.split_inclusive('\n') {
            let is_series = !line.starts_with('#');
            if is_head && is_series {
                template.end();
            }
            is_head = !is_series;
            // A value has no blank.
            let is_value = |at: usize| is_series.then_some(&line[..=at]);
            template.text.push_str(line.rfind(' ').and_then(is_value).unwrap_or(line));
            if is_series {
                template.end();
            }
        }
        template
    }

    fn end(&mut self) {
        self.ends.push(self.text.len());
    }

    /// Writes the families from which the text was encoded, with their values.
    pub(super) fn fill(&self, families: &[Family], text: &mut String) {
        let (mut ends, mut at) = (self.ends.iter(), 0);
        let mut part = || {
            let end = ends.next().copied().unwrap_or(at);
            let part = &self.text[at..end];
            at = end;
            part
        };
        for family in families.iter().filter(|family| !family.rows.is_empty()) {
            let head = part();
            if family.rows.iter().any(|row| row.value != Value::Unknown) {
                text.push_str(head);
            }
            for row in &family.rows {
                let line = part();
                if row.value == Value::Unknown {
                    continue;
                }
                text.push_str(line);
                // A string takes all.
                let _ = match row.value {
                    Value::Unknown => Ok(()),
                    Value::Whole(count) => writeln!(text, "{count}"),
                    Value::Number(number) => writeln!(text, "{number:?}"),
                };
            }
        }
        text.push_str(&self.text[at..]);
    }
}
