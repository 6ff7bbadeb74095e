//! What differs.

use std::fmt;

/// What was compared, and how it differs.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    models: Vec<(String, usize, usize)>,
    differences: Vec<String>,
    /// Descriptions that the script takes from tables beside perfmon's files.
    texts: usize,
}

impl Outcome {
    /// Whether both sides have the same.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.differences.is_empty() && !self.models.is_empty()
    }

    pub(crate) fn model(&mut self, name: &str, events: usize, metrics: usize) {
        self.models.push((name.to_owned(), events, metrics));
    }

    pub(crate) fn text_differs(&mut self) {
        self.texts += 1;
    }

    pub(crate) fn differs(
        &mut self,
        model: &str,
        name: &str,
        field: &str,
        ours: &str,
        theirs: &str,
    ) {
        if ours != theirs {
            let text = format!("{model}: {name}: {field}\n    ours   {ours}\n    theirs {theirs}");
            self.differences.push(text);
        }
    }
}

/// The first forty differences, and two lines of figures.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for difference in self.differences.iter().take(40) {
            writeln!(f, "{difference}")?;
        }
        let (mut events, mut metrics) = (0, 0);
        for (_, of_events, of_metrics) in &self.models {
            events += of_events;
            metrics += of_metrics;
        }
        let (models, differences) = (self.models.len(), self.differences.len());
        writeln!(
            f,
            "{models} models, {events} events, {metrics} metrics: {differences} differences"
        )?;
        let texts = self.texts;
        writeln!(
            f,
            "{texts} descriptions differ: the script takes them from tables that are not read"
        )
    }
}
