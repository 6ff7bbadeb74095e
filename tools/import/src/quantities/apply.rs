//! Quantities as metrics of the models that can count them, and the reasons of those that
//! cannot.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use pmu_events_core::__private::pmu;

use super::lacks::Lack;
use super::models::{Counted, Lacking, Statements};
use super::vocabulary::{Quantity, Vocabulary};
use crate::arch::{Arch, OWN_METRICS, is_sys};
use crate::formula::normal;
use crate::names::Names;
use crate::problem::Problems;
use crate::record::Record;

/// A difference or a reason is at most this long, so that it fits a line or two.
const LONGEST: usize = 240;

/// Adds the quantities to the metrics of each model with a core, and what it lacks.
pub fn add(
    arch: &mut Arch,
    vocabulary: &Vocabulary,
    statements: &Statements,
    problems: &mut Problems,
) {
    if statements.counted.is_empty() {
        return;
    }
    lengths(statements, problems);
    let mut used = Used::default();
    let mut lacks: BTreeMap<(usize, String), Vec<String>> = BTreeMap::new();
    let directories: Vec<String> = arch.models().map(str::to_owned).collect();
    for directory in directories {
        let cores = cores(arch, &directory);
        if cores.is_empty() || is_sys(&directory) {
            continue;
        }
        let of_cores = arch.records(&directory).filter_map(|record| {
            let name = record.get("MetricName")?.to_ascii_lowercase();
            Some((name, record.get("Unit")?.to_owned()))
        });
        let constraints = arch.records(&directory).filter_map(|record| {
            let name = record.get("MetricName")?.to_ascii_lowercase();
            Some((name, record.get("MetricConstraint")?.to_owned()))
        });
        let model = Model {
            directory: &directory,
            cores: &cores,
            vocabulary,
            of_cores: of_cores.collect(),
            constraints: constraints.collect(),
            names: names(arch, &directory),
        };
        let found = model.quantities(statements, &mut used, problems);
        for (number, reason) in found.lacks {
            lacks.entry((number, reason)).or_default().push(directory.clone());
        }
        let files = arch.tables.entry(directory.clone()).or_default();
        let own = files.entry(OWN_METRICS.to_owned()).or_default();
        own.extend(found.metrics);
        own.sort_by(|a, b| a.key().cmp(&b.key()));
        let groups = arch.groups.entry(directory).or_default();
        groups.extend(vocabulary.groups.iter().cloned());
    }
    arch.lacks = lacks
        .into_iter()
        .map(|((number, reason), models)| Lack {
            metric: vocabulary.metric(&vocabulary.quantities[number].name),
            reason,
            models,
        })
        .collect();
    used.report(statements, problems);
}

fn lengths(statements: &Statements, problems: &mut Problems) {
    let differences = statements.counted.iter().map(|counted| (&counted.differs, &counted.place));
    let reasons = statements.lacking.iter().map(|lacking| (&lacking.reason, &lacking.place));
    for (text, place) in differences.chain(reasons).filter(|(text, _)| text.len() > LONGEST) {
        problems.error(place.clone(), format!("is longer than {LONGEST} characters: `{text}`"));
    }
}

/// The PMUs of a model's cores: one, or those of a hybrid CPU.
pub(super) fn cores(arch: &Arch, directory: &str) -> BTreeSet<String> {
    let events = arch.records(directory).filter(|record| record.name().is_some());
    let pmus = events.map(|event| match event.get("Unit") {
        None => pmu::DEFAULT_CORE.to_owned(),
        Some(unit) => pmu::of_unit(unit).unwrap_or(unit).to_owned(),
    });
    pmus.filter(|pmu| pmu::is_core(pmu)).collect()
}

fn names(arch: &Arch, directory: &str) -> Names {
    Names::of(arch.records(directory))
}

/// The statements that some model needs.
#[derive(Default)]
struct Used {
    counted: BTreeSet<usize>,
    lacking: BTreeSet<usize>,
}

impl Used {
    fn report(&self, statements: &Statements, problems: &mut Problems) {
        for (number, Counted { quantity, formula, place, .. }) in
            statements.counted.iter().enumerate()
        {
            if !self.counted.contains(&number) {
                let message = format!("no model counts `{quantity}` as `{formula}`");
                problems.error(place.clone(), message);
            }
        }
        for (number, Lacking { quantity, place, .. }) in statements.lacking.iter().enumerate() {
            if !self.lacking.contains(&number) {
                let message = format!("each of these models counts `{quantity}`");
                problems.error(place.clone(), message);
            }
        }
    }
}

/// What a model has of the vocabulary.
#[derive(Default)]
struct Found {
    metrics: Vec<Record>,
    /// Quantities by number, each with the reason.
    lacks: Vec<(usize, String)>,
}

/// How one kind of core counts a quantity; or why it does not.
type Verdict = Result<Way, String>;

/// How a quantity is counted.
#[derive(Clone)]
struct Way {
    formula: String,
    /// Empty if the value is as the definition says.
    differs: String,
    /// `MetricConstraint`, if its events do not fit one group of counters.
    constraint: Option<String>,
}

struct Model<'m> {
    directory: &'m str,
    cores: &'m BTreeSet<String>,
    vocabulary: &'m Vocabulary,
    names: Names,
    /// The metrics of single kinds of cores, each with the PMU.
    of_cores: BTreeSet<(String, String)>,
    /// The constraints of metrics, by name.
    constraints: HashMap<String, String>,
}

impl Model<'_> {
    fn quantities(
        &self,
        statements: &Statements,
        used: &mut Used,
        problems: &mut Problems,
    ) -> Found {
        let mut verdicts: HashMap<&str, Vec<(Option<String>, Verdict)>> = HashMap::new();
        let mut found = Found::default();
        for (number, quantity) in self.vocabulary.quantities.iter().enumerate() {
            let all = match &quantity.of {
                Some(of) => self.derived(of, &verdicts),
                None => self.counted(quantity, statements, used, problems),
            };
            self.record(number, quantity, &all, &mut found);
            verdicts.insert(&quantity.name, all);
        }
        found
    }

    /// How each kind of core counts a quantity; one verdict if that makes no difference.
    fn counted(
        &self,
        quantity: &Quantity,
        statements: &Statements,
        used: &mut Used,
        problems: &mut Problems,
    ) -> Vec<(Option<String>, Verdict)> {
        let units: Vec<Option<&str>> = match self.cores.len() {
            1 => vec![None],
            _ => self.cores.iter().map(|core| Some(core.as_str())).collect(),
        };
        let mut all = Vec::new();
        for unit in units {
            let verdict = self.of_core(quantity, unit, statements, used, problems);
            // Software and uncore events are the same for all kinds of cores.
            let is_of_core = verdict.as_ref().is_ok_and(|Way { formula, .. }| {
                unit.is_some_and(|unit| {
                    formula.contains(&format!("{unit}@")) || self.is_of_core(formula, unit)
                })
            });
            if unit.is_some() && verdict.is_ok() && !is_of_core {
                return vec![(None, verdict)];
            }
            all.push((unit.map(str::to_owned), verdict));
        }
        all
    }

    /// Whether a formula is the name of a metric of one kind of core.
    fn is_of_core(&self, formula: &str, core: &str) -> bool {
        self.of_cores.contains(&(formula.to_ascii_lowercase(), core.to_owned()))
    }

    fn of_core(
        &self,
        quantity: &Quantity,
        unit: Option<&str>,
        statements: &Statements,
        used: &mut Used,
        problems: &mut Problems,
    ) -> Verdict {
        let candidates = statements.counted.iter().enumerate().filter(|(_, counted)| {
            counted.quantity == quantity.name && counted.scope.covers(self.directory, unit)
        });
        for (number, counted) in candidates {
            let formula = match unit {
                Some(unit) => self.names.on_core(&counted.formula, unit),
                None => counted.formula.clone(),
            };
            let mut metric = Record::new(counted.place.clone());
            metric.set("MetricExpr", formula.clone());
            if let Some(unit) = unit {
                metric.set("Unit", unit.to_owned());
            }
            if self.names.unknown(&metric, problems).is_empty() {
                used.counted.insert(number);
                // Another name of a metric needs what that one needs.
                let constraint = self.constraints.get(&formula.to_ascii_lowercase()).cloned();
                return Ok(Way { formula, differs: counted.differs.clone(), constraint });
            }
        }
        let mut reasons = statements.lacking.iter().enumerate().filter(|(_, lacking)| {
            lacking.quantity == quantity.name && lacking.scope.covers(self.directory, unit)
        });
        match reasons.next() {
            Some((number, lacking)) => {
                used.lacking.insert(number);
                Err(lacking.reason.clone())
            }
            None => {
                let of = unit.map_or_else(String::new, |unit| format!(" on {unit}"));
                let message = format!(
                    "nothing says how {}{of} counts it, or why not: `{}`",
                    self.directory, quantity.name
                );
                problems.error(quantity.place.clone(), message);
                Err(String::new())
            }
        }
    }

    /// A quantity that follows from others: what is said of them is said of it.
    fn derived(
        &self,
        of: &str,
        verdicts: &HashMap<&str, Vec<(Option<String>, Verdict)>>,
    ) -> Vec<(Option<String>, Verdict)> {
        let parts: Vec<&Quantity> = self.vocabulary.parts(of).collect();
        let units: BTreeSet<Option<String>> = parts
            .iter()
            .flat_map(|part| verdicts.get(part.name.as_str()).into_iter().flatten())
            .map(|(unit, _)| unit.clone())
            .collect();
        let kinds = units.iter().filter(|unit| unit.is_some()).count();
        let units = units.into_iter().filter(|unit| unit.is_some() || kinds == 0);
        let one = |unit: &Option<String>| -> Verdict {
            let mut differences: Vec<String> = Vec::new();
            for part in &parts {
                let all = verdicts.get(part.name.as_str()).map_or(&[][..], Vec::as_slice);
                let verdict = all.iter().find(|(own, _)| own == unit || own.is_none());
                match verdict.map(|(_, verdict)| verdict) {
                    Some(Ok(way)) => {
                        if !way.differs.is_empty() && !differences.contains(&way.differs) {
                            differences.push(way.differs.clone());
                        }
                    }
                    Some(Err(reason)) => return Err(reason.clone()),
                    None => return Err(String::new()),
                }
            }
            let (formula, differs) = (self.vocabulary.formula(of), differences.join(" "));
            Ok(Way { formula, differs, constraint: None })
        };
        units.map(|unit| (unit.clone(), one(&unit))).collect()
    }

    /// The metrics of a quantity, one for each kind of core; or what the model lacks.
    fn record(
        &self,
        number: usize,
        quantity: &Quantity,
        all: &[(Option<String>, Verdict)],
        found: &mut Found,
    ) {
        let counted = all.iter().filter(|(_, verdict)| verdict.is_ok()).count();
        if counted == 0 {
            // One reason is enough, whichever kind of core it is about.
            let mut reasons: Vec<&str> = Vec::new();
            for (_, verdict) in all {
                if let Err(reason) = verdict
                    && !reasons.contains(&reason.as_str())
                {
                    reasons.push(reason);
                }
            }
            found.lacks.push((number, reasons.join(" ")));
            return;
        }
        // The other kinds of cores of the same CPU.
        let without: Vec<String> = all
            .iter()
            .filter_map(|(unit, verdict)| {
                let (unit, reason) = (unit.as_ref()?, verdict.as_ref().err()?);
                Some(format!("Nothing counts on {unit}: {}", lower_first(reason)))
            })
            .collect();
        for (unit, verdict) in all {
            let Ok(Way { formula, differs, constraint }) = verdict else { continue };
            let mut metric = Record::new(quantity.place.clone());
            metric.set("MetricName", self.vocabulary.metric(&quantity.name));
            // What cannot be parsed has been reported.
            metric.set("MetricExpr", normal(formula).unwrap_or_else(|_| formula.clone()));
            if let Some(unit) = unit {
                metric.set("Unit", unit.clone());
            }
            metric.set("MetricGroup", quantity.groups.clone());
            if let Some(constraint) = constraint {
                metric.set("MetricConstraint", constraint.clone());
            }
            if !quantity.unit.is_empty() {
                metric.set("ScaleUnit", quantity.unit.clone());
            }
            metric.set("BriefDescription", quantity.brief.clone());
            if !quantity.definition.is_empty() {
                metric.set("PublicDescription", quantity.definition.clone());
            }
            let said = Some(differs.clone()).filter(|differs| !differs.is_empty());
            let difference: Vec<String> = said.into_iter().chain(without.iter().cloned()).collect();
            if !difference.is_empty() {
                metric.set("Difference", difference.join(" "));
            }
            found.metrics.push(metric);
        }
    }
}

fn lower_first(text: &str) -> String {
    // A name such as `L2` stays as it is.
    let is_word = text.chars().nth(1).is_some_and(|c| c.is_ascii_lowercase() || c == ' ');
    let mut chars = text.chars();
    match chars.next() {
        Some(first) if is_word => first.to_ascii_lowercase().to_string() + chars.as_str(),
        _ => text.to_owned(),
    }
}
