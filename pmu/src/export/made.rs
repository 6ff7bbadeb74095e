//! What `pmu export` writes for Prometheus and Grafana.

use std::io::Write as _;
use std::path::Path;

use pmu_events::system::SystemMachine;
use pmu_events::{Model, Scope};

use super::config::{self, Config, Text};
use super::dashboard;
use super::prepared;
use super::ready::Ready;
use super::rules::{self, Group, Wanted};
use crate::export_args::ExportArgs;
use crate::failure::{Failure, SUCCESS};
use crate::output::Output;
use crate::subject;
use crate::system;

pub(crate) fn run(args: &ExportArgs) -> Result<u8, Failure> {
    let (models, machine) = models(args)?;
    let mut out = Output::stdout();
    if args.made.ready {
        for model in models {
            let ready = Ready::of(model);
            if ready.counted.is_empty() {
                let message = format!("the model {} has no metrics to export", model.name());
                return Err(Failure::Missing(message));
            }
            ready.write(&mut out)?;
        }
        out.flush()?;
        return Ok(SUCCESS);
    }
    let config = args.config.as_deref().map(configuration).transpose()?;
    let mut all: Vec<(Model, Vec<Group>)> = Vec::new();
    for model in models {
        let wanted = wanted(config.as_ref(), model)?;
        let groups = rules::groups(model, machine.as_ref(), &wanted, &args.made.range);
        all.push((model, groups));
    }
    match args.made.dashboard {
        true => dashboard::write(&all, &mut out)?,
        false => rules::write(&all, &mut out)?,
    }
    out.flush()?;
    Ok(SUCCESS)
}

/// The models of the CPU that is meant; a machine with its CPUID, unless only the model is known.
fn models(args: &ExportArgs) -> Result<(Vec<Model>, Option<SystemMachine>), Failure> {
    let trees = args.subject.trees()?;
    let machine = system::machine(trees, args.subject.sysfs())?;
    let (tables, machine) = match (&args.subject.cpu.model, args.subject.cpu.cpuid()) {
        (Some(name), _) => (subject::named(trees, name)?, None),
        (None, Some(cpuid)) => (subject::of_cpu(trees, cpuid)?, Some(machine.with_cpuid(cpuid))),
        (None, None) => (subject::of_host(trees, &machine)?, Some(machine)),
    };
    let models = tables.iter().filter(|table| !table.sys).map(|table| table.model).collect();
    Ok((models, machine.map(|machine| machine.machine(&Scope::AllCpus))))
}

fn configuration(path: &Path) -> Result<(Text, Config), Failure> {
    let text = prepared::read(path)?;
    match config::read(&text.text) {
        Ok(config) => Ok((text, config)),
        Err(faults) => Err(Failure::Missing(text.report(&faults))),
    }
}

/// The metrics that a configuration lists, or those of the ready one.
fn wanted(config: Option<&(Text, Config)>, model: Model) -> Result<Vec<Wanted>, Failure> {
    let Some((text, config)) = config else { return Ok(Ready::of(model).wanted()) };
    rules::of_config(config, model).map_err(|faults| Failure::Missing(text.report(&faults)))
}
