//! An event, however it is written: alone, with its PMU, with terms, with modifiers.

/// What an event is called.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Spelling {
    /// The PMU, if it is named.
    pub(super) pmu: Option<String>,
    /// The name and the terms, in lower case.
    pub(super) name: String,
    /// Which code is counted, if not all.
    pub(super) modifiers: String,
}

impl Spelling {
    pub(super) fn of(event: &str) -> Self {
        // Where each PMU has a line, perf writes it behind the name.
        let (event, behind) =
            match event.strip_suffix(']').and_then(|event| event.rsplit_once(" [")) {
                Some((event, pmu)) => (event, Some(pmu)),
                None => (event, None),
            };
        let (pmu, name, modifiers) = match event.split_once('/') {
            Some((pmu, rest)) => {
                let (name, modifiers) = rest.rsplit_once('/').unwrap_or((rest, ""));
                (Some(pmu), name, modifiers)
            }
            None => {
                let (name, modifiers) = event.split_once(':').unwrap_or((event, ""));
                (behind, name, modifiers)
            }
        };
        let terms = name.split(',').filter(|term| !is_about_opening(term));
        Spelling {
            pmu: pmu.filter(|pmu| *pmu != "cpu").map(str::to_owned),
            name: terms.collect::<Vec<_>>().join(",").to_ascii_lowercase(),
            modifiers: modifiers.chars().filter(|c| "ukh".contains(*c)).collect(),
        }
    }

    /// Whether both are the same event, whatever code is counted, in a formula of a metric of a
    /// PMU. An event without a PMU is of that one.
    pub(super) fn is_same(&self, other: &Spelling, pmu: &str) -> bool {
        let is_its = |own: &Option<String>| own.as_deref().is_none_or(|own| own == pmu);
        self.name == other.name && is_its(&self.pmu) && is_its(&other.pmu)
    }
}

/// Whether a term says how the event is opened, and not which it is.
fn is_about_opening(term: &str) -> bool {
    let name = term.split_once('=').map_or(term, |(name, _)| name);
    ["metric-id", "name", "percore"].contains(&name)
}
