//! The names of all events and metrics of all tables: whether a word of a text is one at all.

use std::cell::OnceCell;
use std::collections::HashSet;

use crate::trees::Trees;

/// Collected when a text first asks.
pub(crate) struct Known {
    trees: &'static Trees,
    names: OnceCell<Names>,
    metrics: OnceCell<HashSet<String>>,
}

struct Names {
    events: HashSet<String>,
    /// What names begin with, up to the first dot.
    families: HashSet<String>,
}

impl Known {
    pub(crate) fn new(trees: &'static Trees) -> Self {
        Known { trees, names: OnceCell::new(), metrics: OnceCell::new() }
    }

    fn names(&self) -> &Names {
        self.names.get_or_init(|| {
            let (mut events, mut families) = (HashSet::new(), HashSet::new());
            for table in self.trees.all() {
                for event in table.events() {
                    let name = event.name().to_ascii_lowercase();
                    if let Some((family, _)) = name.split_once('.')
                        && !families.contains(family)
                    {
                        families.insert(family.to_string());
                    }
                    events.insert(name);
                }
            }
            Names { events, families }
        })
    }

    pub(crate) fn is_event(&self, name: &str) -> bool {
        self.names().events.contains(&name.to_ascii_lowercase())
    }

    pub(crate) fn is_metric(&self, name: &str) -> bool {
        let names = self.metrics.get_or_init(|| {
            let metrics = self.trees.all().flat_map(|table| table.model.metrics());
            metrics.map(|metric| metric.name().to_ascii_lowercase()).collect()
        });
        names.contains(&name.to_ascii_lowercase())
    }

    /// Whether events of some CPU have names that begin with this and a dot.
    pub(crate) fn is_family(&self, family: &str) -> bool {
        self.names().families.contains(&family.to_ascii_lowercase())
    }
}
