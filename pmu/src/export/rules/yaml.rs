//! A file of rules, as Prometheus reads it.

use std::io::{self, Write};

use pmu_events::Model;

use super::set::{Group, Rule};
use crate::export::config::ScopeKind;
use crate::output::one_line;

/// Writes the rules of models.
pub(crate) fn write(all: &[(Model, Vec<Group>)], out: &mut impl Write) -> io::Result<()> {
    let version = env!("CARGO_PKG_VERSION");
    let names: Vec<&str> = all.iter().map(|(model, _)| model.name()).collect();
    writeln!(
        out,
        "# Recording rules of Prometheus for machines of the model {}.",
        names.join(", ")
    )?;
    writeln!(out, "# Made by pmu {version} (pmu export --rules).")?;
    all.iter().try_for_each(|(_, groups)| refusals(groups, out))?;
    let full = |group: &&Group| !group.rules.is_empty();
    if !all.iter().flat_map(|(_, groups)| groups).any(|group| full(&group)) {
        return writeln!(out, "groups: []");
    }
    writeln!(out, "groups:")?;
    for (model, groups) in all {
        for group in groups.iter().filter(full) {
            let name = format!("pmu {} {}", model.name(), level(group));
            writeln!(out, "  - name: {}", quoted(&name))?;
            writeln!(out, "    rules:")?;
            group.rules.iter().try_for_each(|rule| rule.write(out))?;
        }
    }
    Ok(())
}

fn level(group: &Group) -> String {
    match group.counted == group.level {
        true => group.level.name().into(),
        false if group.counted == ScopeKind::Instance => "pmu".into(),
        false => format!("{} from each {}", group.level.name(), group.counted.name()),
    }
}

/// What no rule computes. The exporter does, and its series are `pmu_metric`.
fn refusals(groups: &[Group], out: &mut impl Write) -> io::Result<()> {
    if groups.iter().all(|group| group.refused.is_empty()) {
        return Ok(());
    }
    writeln!(
        out,
        "#\n# No rule computes these; the exporter's series pmu_metric have the values:"
    )?;
    for group in groups {
        for (metric, why) in &group.refused {
            writeln!(out, "#   {}: {} {why}", level(group), one_line(metric.name()))?;
        }
    }
    Ok(())
}

impl Rule {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        if let Some(sentence) = self.metric.description() {
            comment(&sentence.to_string(), out)?;
        }
        if let Some(difference) = self.metric.difference() {
            comment(difference, out)?;
        }
        if self.metric.latencies().next().is_some() {
            comment("An estimate, with retirement latencies of the tables.", out)?;
        }
        comment(&format!("Events: {}", self.events.join(" ")), out)?;
        writeln!(out, "      - record: {}", self.name)?;
        writeln!(out, "        expr: |-\n          {}", self.query)?;
        if let Some(kind) = self.kind {
            writeln!(out, "        labels:\n          pmu: {}", quoted(kind))?;
        }
        Ok(())
    }
}

fn comment(text: &str, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "      # {}", one_line(text))
}

/// A string of YAML, of which JSON's are a part.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
