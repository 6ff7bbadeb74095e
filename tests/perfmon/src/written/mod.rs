//! The formulas of perfmon's JSON as they are written, evaluated apart from the
//! library's reader, and the metrics of `arch/x86` beside them: `Formula`, which is by
//! letters, and `BaseFormula`, which is by the names of events and of other metrics.

mod counts;
mod exceptions;
mod expression;
mod metric;
mod spelling;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

use pmu_events_core::{Metric, Model, Tree};

use crate::situations::{Run, are_equal};
use exceptions::{EXCEPTIONS, Pair, Where};
use metric::File;

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Written {
    models: usize,
    /// Metrics whose two texts were compared, by the pair.
    compared: BTreeMap<Pair, [usize; 2]>,
    /// By what differs, the models where it does.
    unexplained: BTreeMap<String, BTreeSet<String>>,
    /// Metrics whose `Formula` differs since they refer to others that do.
    referring: usize,
    /// Metrics by the exception that explains them.
    explained: BTreeMap<usize, usize>,
    /// Exceptions that nothing needs.
    idle: Vec<String>,
}

impl Written {
    /// Whether all values are equal or explained, and every exception is needed.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.unexplained.is_empty() && self.idle.is_empty() && self.models > 0
    }

    /// Notes how two sides of a metric compare; whether they agree or have a known
    /// reason not to.
    fn add(&mut self, pair: Pair, model: &str, name: &str, sides: [Value<'_>; 2]) -> bool {
        let counts = self.compared.entry(pair).or_default();
        counts[0] += 1;
        let Err(mut what) = agree(sides, |_| true) else {
            counts[1] += 1;
            return true;
        };
        if let Some(number) = exceptions::find(pair, model, name) {
            let rest = match EXCEPTIONS[number].limit.place {
                Where::Everywhere => Ok(()),
                Where::OneOfTwoThreads => agree(sides, |run| !is_one_of_two(run)),
                Where::Times(factor) => {
                    agree([sides[0], &|run| Ok(sides[1](run)? / factor)], |_| true)
                }
            };
            match rest {
                Ok(()) => {
                    *self.explained.entry(number).or_default() += 1;
                    return true;
                }
                Err(why) => what = format!("{why}, though there is an exception"),
            }
        }
        let models = self.unexplained.entry(format!("{pair}: {name}: {what}"));
        models.or_default().insert(model.to_owned());
        false
    }
}

fn is_one_of_two(run: &Run) -> bool {
    run.situation.smt_is_on && !run.situation.is_core_wide
}

/// Compares the formulas of all models of a perfmon directory, or of some.
///
/// # Errors
///
/// Says what cannot be read.
pub(crate) fn compare(
    perfmon: &Path,
    names: &[String],
    ours: &'static Tree,
) -> Result<Written, String> {
    let mut found = Written::default();
    for file in metric::files(perfmon)? {
        if !names.is_empty() && !names.contains(&file.model) {
            continue;
        }
        let model = ours
            .model_named(&file.model)
            .ok_or_else(|| format!("arch/x86 has no model {}", file.model))?;
        one_file(&file, model, &mut found);
        found.models += 1;
    }
    if names.is_empty() {
        let is_idle = |number: &usize| !found.explained.contains_key(number);
        let idle = (0..EXCEPTIONS.len()).filter(is_idle);
        found.idle = idle.map(|number| format!("{:?}", EXCEPTIONS[number])).collect();
    }
    Ok(found)
}

fn one_file(file: &File, model: Model, found: &mut Written) {
    let ours = |name: &str| {
        let is_it = |our: &Metric| our.is_called(name) && (!file.is_hybrid || our.pmu() == PCORE);
        model.metrics().find(is_it)
    };
    for metric in &file.metrics {
        let name = metric.tree_name();
        let our = ours(&name);
        let arch = |run: &Run| match our {
            Some(our) => Ok(run.value(our, [model, model])),
            None => Err("it is not in arch/x86".to_owned()),
        };
        let formula = |run: &Run| metric.value(file, run, model);
        let as_written = |run: &Run| metric.base_value(file, run, model, None);
        // What a metric refers to is compared by itself: where that is different, ours
        // stands in its place.
        let base = |run: &Run| {
            let others = |other: &str| {
                exceptions::find(Pair::Base, &file.model, other)?;
                let other = ours(other)?;
                Some(run.value(other, [model, model]) / other.scale().0)
            };
            metric.base_value(file, run, model, Some(&others))
        };
        let mut compare = |pair, sides| found.add(pair, &file.model, &name, sides);
        if !metric.has_base() {
            compare(Pair::Formula, [&arch, &formula]);
            continue;
        }
        let is_same = compare(Pair::Both, [&formula, &as_written]);
        let is_ours = compare(Pair::Base, [&arch, &base]);
        // Formula has no names: what it refers to is different there, too.
        if is_same && is_ours && agree([&as_written, &base], |_| true).is_err() {
            found.referring += 1;
        } else {
            found.add(Pair::Formula, &file.model, &name, [&arch, &formula]);
        }
    }
}

/// The PMU of the cores whose metrics perfmon has.
const PCORE: &str = "cpu_core";

type Value<'v> = &'v dyn Fn(&Run) -> Result<f64, String>;

/// Whether two sides agree in some situations; `Err` says why not.
fn agree(sides: [Value<'_>; 2], of: impl Fn(&Run) -> bool) -> Result<(), String> {
    for run in Run::all().filter(of) {
        let (one, other) = (sides[0](&run)?, sides[1](&run)?);
        if !are_equal(one, other) {
            let situation = run.situation;
            return Err(format!("{one} and {other} in {situation:?}"));
        }
    }
    Ok(())
}

/// What is unexplained, and figures.
impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (what, models) in &self.unexplained {
            let models: Vec<&str> = models.iter().map(String::as_str).collect();
            writeln!(f, "{what} ({})", models.join(" "))?;
        }
        for exception in &self.idle {
            writeln!(f, "an exception that nothing needs: {exception}")?;
        }
        writeln!(f, "{} models, values in four situations:", self.models)?;
        for (pair, [compared, equal]) in &self.compared {
            writeln!(f, "{pair}: {compared} metrics, {equal} equal")?;
        }
        let referring = self.referring;
        writeln!(f, "  {referring}: Formula refers to metrics that differ, otherwise equal")?;
        let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
        for (&number, count) in &self.explained {
            *reasons.entry(EXCEPTIONS[number].why).or_default() += count;
        }
        for (why, count) in reasons {
            writeln!(f, "  {count}: {why}")?;
        }
        Ok(())
    }
}
