//! Sentences for the metrics of other trees, by their names.

use std::collections::{HashMap, HashSet};

use crate::overlay::{Description, Document};
use crate::problem::Problems;
use crate::record::Record;
use crate::sources;

/// The descriptions of all metrics.
pub struct Texts<'o> {
    /// By name in lower case, with the document of each.
    said: HashMap<String, Vec<(&'o Document, &'o Description)>>,
    used: HashSet<*const Description>,
    conflicts: HashSet<*const Description>,
}

impl<'o> Texts<'o> {
    /// The descriptions of an overlay.
    #[must_use]
    pub fn of(overlay: &'o [Document]) -> Self {
        let mut said: HashMap<String, Vec<_>> = HashMap::new();
        for document in overlay {
            for text in &document.metric_texts {
                said.entry(text.name.to_ascii_lowercase()).or_default().push((document, text));
            }
        }
        Texts { said, used: HashSet::new(), conflicts: HashSet::new() }
    }

    /// Describes a metric of a table. If no description is of this metric, that of
    /// one of `own` with its name is: it is the same quantity.
    pub fn describe(
        &mut self,
        metric: &mut Record,
        directory: &str,
        own: &[&Record],
        problems: &mut Problems,
    ) {
        let (_, name, unit) = metric.key();
        let unit = unit.to_owned();
        let covers = |(document, text): &&(&Document, &Description)| {
            document.covers(directory)
                && text.covers(directory)
                && document.unit.as_ref().is_none_or(|own| *own == unit)
        };
        let fitting: Vec<(&Document, &Description)> =
            self.said.get(&name).into_iter().flatten().filter(covers).copied().collect();
        if fitting.is_empty() {
            let same = own.iter().find(|own| own.key().1 == name);
            for key in ["BriefDescription", "PublicDescription"] {
                if let Some(text) = same.and_then(|own| own.get(key)) {
                    metric.set(key, text.to_owned());
                }
            }
            return;
        }
        self.used.extend(fitting.iter().map(|(_, text)| std::ptr::from_ref(*text)));
        // What replaces comes last, and leaves what it does not say.
        for replaces in [false, true] {
            let mut fitting = fitting.iter().filter(|(document, _)| document.replaces == replaces);
            let Some((_, first)) = fitting.next() else { continue };
            for (_, second) in fitting {
                if self.conflicts.insert(*second) {
                    let message = format!(
                        "metric `{}` of {directory} is described in {}, too",
                        second.name, first.place
                    );
                    problems.error(second.place.clone(), message);
                }
            }
            write(first, metric);
        }
    }

    /// Reports descriptions of metrics that do not exist.
    pub fn report(&self, problems: &mut Problems) {
        let mut unused: Vec<&Description> =
            self.said.values().flatten().map(|&(_, text)| text).collect();
        unused.retain(|text| !self.used.contains(&std::ptr::from_ref(*text)));
        unused.sort_by(|a, b| a.place.cmp(&b.place));
        for text in unused {
            let message = format!("no source of these models has a metric `{}`", text.name);
            problems.error(text.place.clone(), message);
        }
    }
}

fn write(text: &Description, metric: &mut Record) {
    if let Some(more) = &text.groups {
        let groups = metric.get("MetricGroup").map(|groups| format!("{groups};"));
        let groups = sources::list(&format!("{}{more}", groups.unwrap_or_default()));
        metric.set("MetricGroup", groups);
    }
    for (key, text) in [("BriefDescription", &text.brief), ("PublicDescription", &text.public)] {
        if let Some(text) = text {
            metric.set(key, text.text().to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Texts;
    use crate::json::File;
    use crate::overlay;
    use crate::problem::{Place, Problems};
    use crate::record::Record;

    #[test]
    fn a_text_that_replaces_another() {
        let mut problems = Problems::default();
        let documents = [
            r#"{"models": ["b"], "unit": "atom", "replaces": true, "metric_texts": {"m": {"public": "Special."}}}"#,
            r#"{"models": ["*"], "metric_texts": {"m": {"brief": "Brief.", "public": "General."}}}"#,
            r#"{"models": ["c"], "metric_texts": {"m": "Second."}}"#,
        ]
        .map(|text| overlay::document(&File::new("x.json", text), &mut problems));
        assert_eq!(problems.errors.len(), 0);
        let mut texts = Texts::of(&documents);
        let mut said = |directory: &str, unit: &str| {
            let mut metric = Record::new(Place::file("metrics.json"));
            metric.set("MetricName", "m".to_owned());
            metric.set("Unit", unit.to_owned());
            texts.describe(&mut metric, directory, &[], &mut problems);
            let keys = ["BriefDescription", "PublicDescription"];
            keys.map(|key| metric.get(key).unwrap_or_default().to_owned()).join(" ")
        };
        assert_eq!(said("a", "atom"), "Brief. General.");
        assert_eq!(said("b", "core"), "Brief. General.");
        assert_eq!(said("b", "atom"), "Brief. Special.");
        assert_eq!(said("c", "atom"), "Brief. General.");
        texts.report(&mut problems);
        let errors: Vec<&str> = problems.errors.iter().map(|e| &*e.message).collect();
        assert_eq!(errors, ["metric `m` of c is described in x.json:1:36, too"]);
    }
}
