//! What differs.

use std::collections::BTreeMap;
use std::fmt;

/// What was compared, and how it differs.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    models: Vec<(String, usize, usize)>,
    differences: Vec<String>,
    /// Descriptions that the script takes from tables beside perfmon's files.
    texts: usize,
    /// Values of metrics: compared, and different without one of the known reasons.
    values: usize,
    other_values: Vec<String>,
    /// Metrics that one side does not have, or has differently for a known reason.
    excused: BTreeMap<&'static str, usize>,
}

impl Outcome {
    /// Whether both sides have the same.
    #[must_use]
    pub fn is_same(&self) -> bool {
        let differs = !self.differences.is_empty() || !self.other_values.is_empty();
        !differs && !self.models.is_empty()
    }

    pub(crate) fn model(&mut self, name: &str, events: usize, metrics: usize) {
        self.models.push((name.to_owned(), events, metrics));
    }

    pub(crate) fn value(&mut self) {
        self.values += 1;
    }

    pub(crate) fn other_value(&mut self, text: String) {
        self.other_values.push(text);
    }

    pub(crate) fn excuse(&mut self, reason: &'static str) {
        *self.excused.entry(reason).or_default() += 1;
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
        for other in self.other_values.iter().take(usize::MAX) {
            writeln!(f, "{other}")?;
        }
        let (values, others) = (self.values, self.other_values.len());
        writeln!(f, "{values} metrics have a formula on both sides; {others} of other values:")?;
        for (reason, count) in &self.excused {
            writeln!(f, "  {count} {reason}")?;
        }
        let texts = self.texts;
        writeln!(
            f,
            "{texts} descriptions differ: the script takes them from tables that are not read"
        )
    }
}
