//! The table of quantities and models: which count what the definition says, which differ and
//! how, which have none and why.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::apply::cores;
use super::vocabulary::Vocabulary;
use crate::arch::Arch;

/// The file below `arch/`.
pub const FILE: &str = "QUANTITIES.md";

/// How a model counts a quantity.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// As the definition says.
    Same,
    /// With this difference.
    Differs(String),
    /// Not at all, for this reason.
    None(String),
}

/// The verdict on each plain quantity, by architecture and model, in the order of the
/// vocabulary.
pub type Verdicts = BTreeMap<(String, String), Vec<Verdict>>;

/// How many pairs of a quantity and a model have each verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// All pairs.
    pub all: usize,
    /// Those that are as the definition says.
    pub same: usize,
    /// Those that differ.
    pub differ: usize,
}

impl Share {
    /// Of some verdicts.
    #[must_use]
    pub fn of(verdicts: &Verdicts) -> Share {
        let mut share = Share::default();
        for verdict in verdicts.values().flatten() {
            share.all += 1;
            share.same += usize::from(*verdict == Verdict::Same);
            share.differ += usize::from(matches!(verdict, Verdict::Differs(_)));
        }
        share
    }

    fn percent(self, count: usize) -> usize {
        (count * 200 + self.all) / (2 * self.all.max(1))
    }

    /// The sentence of the README.
    #[must_use]
    pub fn sentence(self, quantities: usize, models: usize) -> String {
        let [same, differ] = [self.same, self.differ].map(|count| self.percent(count));
        let none = 100 - same - differ;
        format!(
            "{quantities} quantities on {models} models: {same} % are as defined, {differ} % \
             differ in a way that is stated, {none} % cannot be counted, with the reason."
        )
    }
}

/// The verdicts on the models of an architecture that has quantities.
#[must_use]
pub fn verdicts(arch: &Arch, vocabulary: &Vocabulary) -> Verdicts {
    let mut verdicts = Verdicts::new();
    if arch.lacks.is_empty() {
        return verdicts;
    }
    for model in arch.models().filter(|model| !cores(arch, model).is_empty()) {
        let of_quantity = |name: &str| {
            let metric = vocabulary.metric(name);
            let lacks = arch.lacks.iter().find(|lack| {
                lack.metric == metric && lack.models.iter().any(|other| other == model)
            });
            if let Some(lack) = lacks {
                return Verdict::None(lack.reason.clone());
            }
            let metrics = arch.records(model);
            let metrics = metrics.filter(|record| record.get("MetricName") == Some(&metric));
            let differences: BTreeSet<&str> =
                metrics.filter_map(|record| record.get("Difference")).collect();
            match differences.is_empty() {
                true => Verdict::Same,
                false => Verdict::Differs(Vec::from_iter(differences).join(" ")),
            }
        };
        let all = vocabulary.plain().map(|quantity| of_quantity(&quantity.name)).collect();
        verdicts.insert((arch.name.clone(), model.to_owned()), all);
    }
    verdicts
}

/// The text of the file.
#[must_use]
pub fn text(vocabulary: &Vocabulary, verdicts: &Verdicts) -> String {
    let share = Share::of(verdicts);
    let quantities = vocabulary.plain().count();
    let mut out = format!(
        "# Quantities of one name\n\n\
         Written by `tools/import`. A quantity has one name, one unit and one definition on\n\
         every CPU. Each model either counts it, as the definition says or with a difference\n\
         that is stated, or has none, with the reason. {}\n\n\
         | quantity | unit | definition |\n|---|---|---|\n",
        share.sentence(quantities, verdicts.len())
    );
    for quantity in vocabulary.plain() {
        let unit = match quantity.unit.trim_start_matches(|c: char| c.is_ascii_digit()) {
            "" => "-",
            unit => unit,
        };
        let _ = writeln!(
            out,
            "| `{}` | {unit} | {} {} |",
            vocabulary.metric(&quantity.name),
            quantity.brief,
            quantity.definition
        );
    }
    let rates: Vec<String> = vocabulary
        .quantities
        .iter()
        .filter(|quantity| quantity.is_rate)
        .map(|rate| format!("`{}`", vocabulary.metric(&rate.name)))
        .collect();
    let _ = writeln!(
        out,
        "\nThese rates follow from the counts, with the same differences: {}.\n\n\
         ## Models\n\n\
         How many quantities each model counts, and which it lacks:\n\n\
         | architecture | model | counted | as defined | lacks |\n|---|---|--:|--:|---|",
        rates.join(", ")
    );
    for ((arch, model), all) in verdicts {
        let same = all.iter().filter(|verdict| **verdict == Verdict::Same).count();
        let named = || all.iter().zip(vocabulary.plain());
        let lacks: Vec<&str> = named()
            .filter(|(verdict, _)| matches!(verdict, Verdict::None(_)))
            .map(|(_, quantity)| quantity.name.as_str())
            .collect();
        let (counted, lacks) = (all.len() - lacks.len(), list(&lacks));
        let _ = writeln!(out, "| {arch} | {model} | {counted} | {same} | {lacks} |");
    }
    out += "\n## Quantities\n";
    for (number, quantity) in vocabulary.plain().enumerate() {
        let _ = writeln!(
            out,
            "\n### {}\n\n{}\n\n| verdict | models |\n|---|---|",
            vocabulary.metric(&quantity.name),
            quantity.brief
        );
        let mut groups: BTreeMap<&Verdict, Vec<String>> = BTreeMap::new();
        for ((arch, model), all) in verdicts {
            // Several have a model of that name.
            let shown = match model.as_str() {
                "architecture" => format!("{arch} architecture"),
                model => model.to_owned(),
            };
            groups.entry(&all[number]).or_default().push(shown);
        }
        for (verdict, models) in groups {
            let verdict = match verdict {
                Verdict::Same => "as defined".to_owned(),
                Verdict::Differs(how) => format!("differs: {how}"),
                Verdict::None(why) => format!("none: {why}"),
            };
            let _ = writeln!(out, "| {verdict} | {} |", models.join(", "));
        }
    }
    out
}

fn list(names: &[&str]) -> String {
    if names.is_empty() { "-".to_owned() } else { names.join(", ") }
}

/// A document with the present share in it, if it states one.
#[must_use]
pub fn share_in_document(document: &str, sentence: &str) -> Option<String> {
    let (first, last) = ("<!-- quantities -->\n", "<!-- /quantities -->");
    let start = document.find(first)? + first.len();
    let end = start + document[start..].find(last)?;
    Some(format!("{}{sentence}\n{}", &document[..start], &document[end..]))
}
