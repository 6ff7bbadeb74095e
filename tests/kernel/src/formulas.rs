//! The formulas of the files, and ours: tables keep programs, which print what
//! remains of a text after simplification.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use pmu_events::event_list::Tool;
use pmu_events::expr::{Identifier, Machine};
use pmu_events::{Metric, Model, metric, pmu};

use crate::Arch;
use crate::source;

/// A formula as it is written, in the form in which ours are printed, in lower case:
/// ours have the names as the tree spells them. A text that is no formula is none of
/// ours, and stays what it is.
#[must_use]
pub fn in_our_form(text: &str, model: Model) -> String {
    match metric::parse(text) {
        Ok(parsed) => {
            let form = parsed.simplified_for(&Core(model)).to_string();
            with_backslashes(&form).to_ascii_lowercase()
        }
        Err(_) => text.to_owned(),
    }
}

/// With the backslashes that a `=` between two `@` needs not have.
fn with_backslashes(form: &str) -> String {
    let (mut text, mut is_in_pmu) = (String::new(), false);
    for char in form.chars() {
        is_in_pmu ^= char == '@';
        if char == '=' && is_in_pmu && !text.ends_with('\\') {
            text.push('\\');
        }
        text.push(char);
    }
    text
}

/// A machine of which only the events of the core are known: whoever has the model
/// has them.
struct Core(Model);

impl Machine for Core {
    fn literal(&self, _: Tool) -> f64 {
        f64::NAN
    }

    fn has_event(&self, event: Identifier<'_>) -> Option<bool> {
        self.0.event_on(pmu::DEFAULT_CORE, event.as_str()).map(|_| true)
    }
}

/// The texts of a metric's formulas.
#[derive(Clone, Debug)]
pub struct Written {
    /// `MetricExpr`
    pub expression: String,
    /// `MetricThreshold`
    pub threshold: Option<String>,
}

/// The formulas of the files of an architecture.
#[derive(Debug, Default)]
pub struct Files {
    /// By model, PMU and name.
    written: BTreeMap<(String, String, String), Vec<Written>>,
}

impl Files {
    /// Reads them.
    ///
    /// # Panics
    ///
    /// When a file cannot be read.
    #[must_use]
    pub fn read(arch: &Arch, directory: &Path) -> Self {
        let mut files = Files::default();
        source::each_metric(arch, directory, |model, pmu, name, written| {
            let key = (model.name().to_owned(), pmu, name);
            files.written.entry(key).or_default().push(written);
        });
        files
    }

    /// The texts of all formulas, each once.
    #[must_use]
    pub fn texts(&self) -> BTreeSet<&str> {
        let all = self.written.values().flatten();
        all.flat_map(|one| [Some(&*one.expression), one.threshold.as_deref()]).flatten().collect()
    }

    /// What the files say of a metric.
    ///
    /// # Panics
    ///
    /// When they say nothing that has the form of ours.
    #[must_use]
    pub fn of(&self, model: Model, metric: Metric) -> &Written {
        let key = (model.name().to_owned(), metric.pmu().to_owned(), metric.name().to_owned());
        let ours = metric.expression().to_string().to_ascii_lowercase();
        let all = self.written.get(&key).into_iter().flatten();
        let mut same = all.filter(|one| in_our_form(&one.expression, model) == ours);
        same.next().unwrap_or_else(|| panic!("{key:?}: no file has {ours}"))
    }
}
