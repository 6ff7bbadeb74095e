//! From names in formulas to what they mean on a system.

use core::ops::Range;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::string::{String, ToString};
use std::sync::Arc;
use std::vec::Vec;
use std::{format, vec};

use super::error::{Fault, FormulaError};
use super::formula::{Bound, Formula, Set};
use super::program::{Meaning, Program};
use super::read::Definition;
use crate::metric::LatencyOf;
use crate::resolve::{Error, ErrorKind};
use crate::system::Scope;
use crate::{Metric, System, metric};
use pmu_events_core::__private::expr::{self, Query};
use pmu_events_core::__private::name;

pub(super) fn bind(
    text: &str,
    definitions: &[Definition],
    system: &System,
) -> Result<Vec<Formula>, FormulaError> {
    let order = order(text, definitions)?;
    // The place of each definition in the order.
    let mut place_of = vec![0; definitions.len()];
    order.iter().enumerate().for_each(|(place, &definition)| place_of[definition] = place);
    let numbers = numbers(definitions);
    let names = Names { system, numbers: &numbers, place_of: &place_of };
    // What the names mean on each kind of core, beginning with the first that has a metric.
    let all_kinds = kinds_of_cores(system);
    let mut sets = Vec::new();
    for kind in all_kinds.iter().copied().map(Some).chain(all_kinds.is_empty().then_some(None)) {
        let mut formulas = Vec::with_capacity(definitions.len());
        for &definition in &order {
            formulas.push(bound(text, &definitions[definition], kind, &names)?);
        }
        sets.push(Arc::new(Set { formulas, kind }));
    }
    let mut formulas = Vec::new();
    for number in place_of {
        let of_first = Formula { set: sets[0].clone(), number };
        let kinds = kinds_of(&of_first, system);
        let is_of = |set: &&Arc<Set>| set.kind.is_some_and(|kind| kinds.contains(&kind));
        let of_kinds = sets.iter().filter(is_of).map(|set| Formula { set: set.clone(), number });
        let before = formulas.len();
        formulas.extend(of_kinds);
        if formulas.len() == before {
            formulas.push(of_first);
        }
    }
    Ok(formulas)
}

/// The kinds of cores whose metrics the tables have apart, if there are several: the PMUs that have
/// a metric of the same name as another one.
fn kinds_of_cores(system: &System) -> Vec<&'static str> {
    let mut kinds = Vec::new();
    for model in system.models() {
        let mut last: Option<Metric> = None;
        // Sorted by name.
        for metric in model.metrics() {
            if let Some(last) = last.filter(|last| name::eq(last.name(), metric.name())) {
                for kind in [last.pmu(), metric.pmu()] {
                    if !kinds.contains(&kind) {
                        kinds.push(kind);
                    }
                }
            }
            last = Some(metric);
        }
    }
    if kinds.len() > 1 { kinds } else { Vec::new() }
}

/// The kinds of cores that have all metrics that a formula refers to, if it refers to any.
fn kinds_of(formula: &Formula, system: &System) -> Vec<&'static str> {
    let kinds_of_name = |metric: Metric| -> Vec<&'static str> {
        let of_models = system.models().into_iter().flat_map(|model| model.metrics());
        of_models
            .filter(|other| name::eq(other.name(), metric.name()))
            .map(|other| other.pmu())
            .collect()
    };
    let metrics = formula.metrics();
    let common = metrics
        .into_iter()
        .map(kinds_of_name)
        // Those of every CPU belong to no kind.
        .filter(|kinds| !kinds.is_empty())
        .reduce(|common, kinds| common.into_iter().filter(|kind| kinds.contains(kind)).collect());
    common.unwrap_or_default()
}

/// What names mean.
struct Names<'s> {
    system: &'s System,
    numbers: &'s BTreeMap<String, usize>,
    place_of: &'s [usize],
}

impl Names<'_> {
    fn meaning(&self, name: &str, kind: Option<&str>) -> Meaning {
        match self.numbers.get(&name.to_ascii_lowercase()) {
            Some(&number) => Meaning::Formula(self.place_of[number]),
            None => metric_of(self.system, name, kind).map_or(Meaning::Event, Meaning::Metric),
        }
    }
}

fn numbers(definitions: &[Definition]) -> BTreeMap<String, usize> {
    let name = |(number, one): (usize, &Definition)| (one.name.to_ascii_lowercase(), number);
    definitions.iter().enumerate().map(name).collect()
}

/// The model's metric of a name, if there are several that of a kind of core; also if the cores
/// are of several models; or that of a system PMU.
fn metric_of(system: &System, wanted: &str, kind: Option<&str>) -> Option<Metric> {
    let of_kind = || {
        let metrics = system.models().into_iter().flat_map(|model| model.metrics());
        let mut of_kind = metrics.filter(|metric| Some(metric.pmu()) == kind);
        of_kind.find(|metric| name::eq(metric.name(), wanted))
    };
    let of_models = system.models().into_iter().find_map(|model| {
        let is_called = |metric: &Metric| metric.is_called(wanted);
        model.metric(wanted).or_else(|| model.metrics().find(is_called))
    });
    let of_every_cpu = || {
        let common = system.common()?;
        common.metrics().find(|metric| name::eq(metric.name(), wanted))
    };
    let of_system = || {
        let mut tables = system.trees().iter().flat_map(|tree| tree.sys_tables());
        tables.find_map(|table| table.metrics().find(|metric| name::eq(metric.name(), wanted)))
    };
    of_kind().or(of_models).or_else(of_every_cpu).or_else(of_system)
}

fn bound(
    text: &str,
    definition: &Definition,
    kind: Option<&'static str>,
    names: &Names<'_>,
) -> Result<Bound, FormulaError> {
    let system = names.system;
    let Definition { name, scale, formula, start, .. } = definition;
    let parsed = metric::parse(formula)
        .map_err(|error| FormulaError::new(Fault::Expression(error), error.span(), text))?;
    let program = Program::new(parsed.items(), |name| names.meaning(name, kind))
        .map_err(|limit| FormulaError::new(limit.into(), definition.span.clone(), text))?;
    // A name in a branch that this machine never takes need not exist.
    for number in program.needed_on(&system.machine(&Scope::ThisThread)) {
        let (identifier, meaning) = program.name(number);
        let span = || place(formula, identifier);
        let kind = match meaning {
            Meaning::Metric(metric) if metric.has_parameter() => {
                Fault::MetricWithParameter(metric.name().into())
            }
            Meaning::Event => match system.require_one(&event_of(identifier), true) {
                Err(error) if is_fault(&error) => {
                    let message = unescaped(formula, &span(), system)
                        .unwrap_or_else(|| unknown(identifier, &error));
                    Fault::Unknown(message)
                }
                _ => continue,
            },
            _ => continue,
        };
        let span = span();
        return Err(FormulaError::new(kind, start + span.start..start + span.end, text));
    }
    let formula = formula.trim().to_string();
    Ok(Bound { name: name.clone(), scale: scale.clone(), formula, program })
}

/// The event to which a name refers: its own, or the one whose retirement latency it is.
fn event_of(identifier: &str) -> Cow<'_, str> {
    match LatencyOf::parse(identifier) {
        Some(latency) => latency.to_string().into(),
        None => identifier.into(),
    }
}

/// Whether the name is wrong, rather than that this machine lacks something.
fn is_fault(error: &Error) -> bool {
    let is_of_machine =
        matches!(error.kind(), ErrorKind::NoType | ErrorKind::Unreadable | ErrorKind::Tracing);
    !is_of_machine && !error.is_unsupported()
}

fn unknown(identifier: &str, error: &Error) -> String {
    match error.suggestion() {
        // It is a modifier, or a list, for example.
        _ if matches!(error.kind(), ErrorKind::Syntax) => {
            format!("`{identifier}` is neither a formula, a metric nor an event")
        }
        Some(suggestion) => format!("{}; did you mean `{suggestion}`?", error.message()),
        None => error.message().into(),
    }
}

/// The escape that is missing, where a name that is not known is a part of an event's: `page`
/// of `page-faults`.
fn unescaped(formula: &str, span: &Range<usize>, system: &System) -> Option<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    let start = formula[..span.start].trim_end_matches(is_part).len();
    let rest = formula.get(span.start..)?;
    let end = formula.len() - rest.trim_start_matches(is_part).len();
    let hyphens = || formula[start..end].match_indices('-').map(move |(at, _)| start + at);
    let starts = || [start].into_iter().chain(hyphens().map(|at| at + 1));
    let ends: Vec<usize> = hyphens().chain([end]).collect();
    let around = starts().flat_map(|start| ends.iter().rev().map(move |&end| start..end));
    let words = around
        .filter(|word| word.start <= span.start && span.end <= word.end)
        .map(|word| &formula[word]);
    let is_event = |word: &&str| word.contains('-') && system.require(word).is_ok();
    let event = words.into_iter().find(is_event)?;
    let escaped = event.replace('-', r"\-");
    Some(format!("a formula spells the event `{event}` as `{escaped}`: `-` subtracts"))
}

/// The first place of a name in a formula.
fn place(formula: &str, identifier: &str) -> Range<usize> {
    let mut place = None;
    let _ = expr::parse(formula, |item, span| {
        if let Some((spelling, query)) = item.identifier()
            && query != Some(Query::StrcmpCpuidStr)
            && place.is_none()
            && spelling.with(|one| one.as_str() == identifier)
        {
            place = Some(span);
        }
    });
    place.unwrap_or_default()
}

/// The definitions, each after those that it refers to.
fn order(text: &str, definitions: &[Definition]) -> Result<Vec<usize>, FormulaError> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let numbers = numbers(definitions);
    let references = |number: usize| -> Vec<(usize, Range<usize>)> {
        let mut all = Vec::new();
        let _ = expr::parse(&definitions[number].formula, |item, span| {
            let Some((spelling, None | Some(Query::SourceCount | Query::AggrNr))) =
                item.identifier()
            else {
                return;
            };
            let referred = spelling.with(|one| numbers.get(&one.as_str().to_ascii_lowercase()));
            if let Some(&referred) = referred {
                all.push((referred, span));
            }
        });
        all
    };
    let mut states = vec![State::New; definitions.len()];
    let mut order = Vec::new();
    for first in 0..definitions.len() {
        if states[first] != State::New {
            continue;
        }
        // Not recursive: a chain may be as long as the text.
        let mut path = vec![(first, references(first).into_iter())];
        states[first] = State::Open;
        while let Some((number, rest)) = path.last_mut() {
            let number = *number;
            match rest.next() {
                None => {
                    states[number] = State::Done;
                    order.push(number);
                    path.pop();
                }
                Some((referred, _)) if states[referred] == State::New => {
                    states[referred] = State::Open;
                    path.push((referred, references(referred).into_iter()));
                }
                Some((referred, span)) if states[referred] == State::Open => {
                    let on_way = path.iter().skip_while(|(one, _)| *one != referred);
                    let names = on_way.map(|(one, _)| definitions[*one].name.clone()).collect();
                    let start = definitions[number].start;
                    let span = start + span.start..start + span.end;
                    return Err(FormulaError::new(Fault::Cycle(names), span, text));
                }
                Some(_) => {}
            }
        }
    }
    Ok(order)
}
