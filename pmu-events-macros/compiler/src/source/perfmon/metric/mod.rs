//! Metrics of perfmon as objects of the kernel's tree.

mod base;
mod clears;
mod each_load;
mod expression;
mod extra;
mod fields;
mod frequency;
mod groups;
mod name;
mod operator;
mod text;
mod threshold;

use std::collections::{BTreeMap, HashMap, HashSet};

use expression::{Expression, Form};
pub(super) use extra::extra;
use fields::Metric;
use name::Names;
pub(super) use name::Pmus;

use super::value::Value;
use crate::entry::keys::Key;
use crate::faults::{Faults, Place, narrow, quoted};
use crate::files::Files;
use crate::files::json::Object;
use crate::options::Encoding;
use crate::source::converted::ConvertedEvent;
use crate::source::perfmon::energy::with_unit_of_energy;

/// What the rules ask of a file and its model.
pub(super) struct Context<'m, 's> {
    pub(super) files: &'s Files,
    pub(super) short: &'m str,
    pub(super) cpuid: &'m str,
    pub(super) is_hybrid: bool,
    pub(super) encoding: Encoding,
    pub(super) pmus: &'m Pmus,
}

/// Converts the metrics of a file.
pub(super) fn convert<'s>(
    objects: &[Object<'s>],
    context: &Context<'_, 's>,
    faults: &mut Faults,
) -> Vec<ConvertedEvent<'s>> {
    let metrics: Vec<Metric<'s>> =
        objects.iter().filter_map(|object| fields::read(context.files, object, faults)).collect();
    let names: HashSet<String> = metrics.iter().map(Metric::tree_name).collect();
    for base in metrics.iter().filter_map(|metric| metric.base.as_ref()) {
        base::check(base, &names, context.pmus, faults);
    }
    let file = File::of(&metrics);
    // perf's script has them with the slots of one thread.
    let is_kept = |metric: &&Metric<'_>| {
        context.encoding == Encoding::Perf || !metric.divides_by_slots_of_core()
    };
    let kept = metrics.iter().filter(is_kept);
    kept.filter_map(|metric| metric.convert(&file, context, faults)).collect()
}

/// What metrics of one file say of each other.
struct File<'f, 's> {
    /// By the name that thresholds have for it.
    by_legacy_name: HashMap<&'f str, &'f Metric<'s>>,
    /// Names by what they have in common.
    by_issue: BTreeMap<&'f str, Vec<String>>,
}

impl<'f, 's> File<'f, 's> {
    fn of(metrics: &'f [Metric<'s>]) -> Self {
        let by_legacy_name = metrics.iter().map(|metric| (&*metric.legacy_name, metric)).collect();
        let mut by_issue: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for metric in metrics {
            for issue in metric.issues() {
                by_issue.entry(issue).or_default().push(metric.tree_name());
            }
        }
        by_issue.values_mut().for_each(|names| names.sort());
        File { by_legacy_name, by_issue }
    }
}

impl<'s> Metric<'s> {
    /// `None` where it is refused, which has been reported.
    fn convert(
        &self,
        file: &File<'_, 's>,
        context: &Context<'_, 's>,
        faults: &mut Faults,
    ) -> Option<ConvertedEvent<'s>> {
        let name = self.tree_name();
        let place = self.name.place;
        let mut expression = self.expression(context, faults)?;
        // perf's script keeps the unit of the register.
        if context.encoding == Encoding::Correct {
            expression = with_unit_of_energy(&expression).unwrap_or(expression);
        }
        let mut values = vec![
            (Key::MetricName, Value::new(name.clone(), place)),
            (Key::MetricExpr, Value::new(expression, self.formula.place)),
        ];
        let mut add = |key, text: Option<String>, place| {
            values.extend(text.map(|text| (key, Value::new(text, place))));
        };
        let (brief, public) = text::descriptions(self, &name, file.related(self, &name));
        let brief = Some(brief).filter(|brief| !brief.is_empty());
        add(Key::BriefDescription, brief, self.description.place);
        add(Key::PublicDescription, public, self.description.place);
        add(Key::ScaleUnit, self.scale_unit(), self.formula.place);
        let groups = groups::of(self, context.short);
        add(Key::MetricgroupNoGroup, groups.no_group, place);
        add(Key::DefaultMetricgroupName, groups.default, place);
        add(Key::MetricGroup, groups.all, place);
        let samples: Vec<&str> = self.sample_with().collect();
        add(Key::SampleWith, (!samples.is_empty()).then(|| samples.join(";")), place);
        if let Some(threshold) = &self.threshold {
            let written = threshold::written(threshold, &file.by_legacy_name);
            match written {
                Ok(text) => add(Key::MetricThreshold, text, threshold.formula.place),
                Err((place, message)) => {
                    faults.error(place, format!("metric {}: {message}", quoted(&self.name.text)));
                    return None;
                }
            }
        }
        if context.is_hybrid {
            add(Key::Unit, Some("cpu_core".to_owned()), place);
        }
        Some(ConvertedEvent::plain(place, "metrics", values))
    }

    /// The name in the kernel's tree.
    fn tree_name(&self) -> String {
        match self.is_tma() {
            true => format!("tma_{}", self.name.text.replace(' ', "_").to_ascii_lowercase()),
            false => self.name.text.to_string(),
        }
    }

    /// Whether it divides slots of the thread by those of its core: no formula of perf's
    /// has both, and by the slots of the thread the ratio is always the same.
    fn divides_by_slots_of_core(&self) -> bool {
        let has = |name: &str| self.events.iter().any(|event| event.name == name);
        has("TOPDOWN.SLOTS:perf_metrics") && has("TOPDOWN.SLOTS:percore")
    }

    /// The formula with perf's names.
    fn expression(&self, context: &Context<'_, '_>, faults: &mut Faults) -> Option<String> {
        let &Context { cpuid, pmus, is_hybrid, encoding, .. } = context;
        let names = Names { cpuid, pmus, is_hybrid, encoding };
        let mut uses = Uses::default();
        let written = self.parsed().and_then(|(parsed, _)| {
            let parsed = match context.encoding {
                Encoding::Correct => parsed
                    .with_latencies_of_each_load()
                    .with_clears_by_reason()
                    .with_frequency_of_tsc(&|alias| self.constant(alias)),
                Encoding::Perf => parsed,
            };
            parsed.resolve(&mut |alias, at, unit| {
                self.resolve(alias, unit, &names, &mut uses).map_err(|message| (at, message))
            })
        });
        match written {
            Ok(expression) => {
                let mut text = String::new();
                expression.write(&mut text);
                // Fields of the register count only beside the slots.
                if uses.topdown && !uses.slots {
                    let slots = names.event("SLOTS", None).unwrap_or_default();
                    text = format!("{} + 0 * {slots}", in_parentheses(&expression, text));
                }
                Some(text)
            }
            Err((at, message)) => {
                let metric = quoted(&self.name.text);
                faults.error(within(&self.formula, at), format!("metric {metric}: {message}"));
                None
            }
        }
    }

    /// The formula, and whether the factor 100 of a percentage was taken off it.
    fn parsed(&self) -> Result<(Expression<'_>, bool), expression::Fault> {
        let parsed = expression::parse(&self.formula.text)?;
        if self.unit != "percent" {
            return Ok((parsed, false));
        }
        Ok(match parsed.without_percent() {
            Ok(parsed) => (parsed, true),
            Err(parsed) => (parsed, false),
        })
    }

    /// Whether the value is a fraction, which perf shows as percentage.
    fn is_fraction(&self) -> bool {
        self.parsed().is_ok_and(|(_, is_fraction)| is_fraction)
    }

    fn scale_unit(&self) -> Option<String> {
        let unit = match &*self.unit {
            "percent" if self.is_fraction() => return Some("100%".to_owned()),
            "percent" => "%",
            _ if self.is_tma() => return None,
            "per instruction" => "per_instr",
            "per second" => "per_sec",
            "MB/sec" => "MB/s",
            "GT/sec" => "GT/s",
            unit @ ("ns" | "GHz" | "Watts") => unit,
            _ => return None,
        };
        Some(format!("1{unit}"))
    }

    /// Whether it is how many CPUs run, or their share of all.
    fn is_number_of_cpus(&self) -> bool {
        let is_number = |constant: &fields::Alias<'_>| {
            ["num_cpus", "system.sockets[0].cpus.count * system.socket_count"]
                .iter()
                .any(|name| constant.name.eq_ignore_ascii_case(name))
        };
        let name = self.tree_name();
        self.is_tma()
            && (name == "tma_info_system_cpus_utilized" || self.constants.iter().any(is_number))
    }

    /// The constant that an alias of the formula stands for.
    fn constant(&self, alias: &str) -> Option<&str> {
        let found = self.constants.iter().find(|constant| constant.alias == alias);
        found.map(|constant| &*constant.name)
    }

    /// The meaning of an alias of the formula.
    fn resolve(
        &self,
        alias: &str,
        unit: Option<&str>,
        names: &Names<'_>,
        uses: &mut Uses,
    ) -> Result<(String, Form), String> {
        if let Some(event) = self.events.iter().find(|event| event.alias == alias) {
            let text = names.event(&event.name, unit)?;
            uses.topdown |= text.contains("topdown");
            uses.slots |= text.to_ascii_lowercase().contains("slots");
            return Ok((text, Form::Atom));
        }
        let written = match self.constant(alias) {
            Some(constant) => constant,
            None if alias == "DURATIONTIMEINSECONDS" => alias,
            None => {
                let message = "names nothing: expected an alias of Events or Constants";
                return Err(format!("`{alias}` {message}"));
            }
        };
        // perf's script has the ticks of all of them, whose share this would be already.
        if names.encoding == Encoding::Correct
            && written.eq_ignore_ascii_case(frequency::OF_TSC)
            && self.is_number_of_cpus()
        {
            let ticks_of_one = format!("#{} * duration_time", frequency::OF_TSC);
            return Ok((ticks_of_one, Form::Compound));
        }
        let events: Vec<String> = self.events.iter().map(|event| event.name.to_string()).collect();
        names.constant(written, self.is_tma(), &events)
    }
}

/// What a formula uses.
#[derive(Default)]
struct Uses {
    topdown: bool,
    slots: bool,
}

fn in_parentheses(expression: &Expression<'_>, text: String) -> String {
    match expression {
        Expression::If(_) => format!("({text})"),
        Expression::Binary(operator, _) if operator.level() < operator::Operator::Add.level() => {
            format!("({text})")
        }
        _ => text,
    }
}

/// A place within a value that the file contains literally.
fn within(value: &Value<'_>, at: usize) -> Place {
    let is_plain = matches!(value.text, std::borrow::Cow::Borrowed(_));
    // After the quote.
    let offset = value.place.offset + if is_plain { narrow(at + 1) } else { 0 };
    Place { offset, ..value.place }
}

impl File<'_, '_> {
    /// The other metrics of what a metric has in common with them.
    fn related(&self, metric: &Metric<'_>, name: &str) -> Vec<String> {
        let of_issue = |issue| self.by_issue.get(issue).into_iter().flatten();
        let others = metric.issues().into_iter().flat_map(of_issue).filter(|other| *other != name);
        let mut others: Vec<String> = others.cloned().collect();
        others.sort();
        others.dedup();
        others
    }
}
