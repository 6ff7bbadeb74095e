//! The system on which events are resolved.

use std::env;
use std::ops::Deref;
use std::path::Path;

use pmu_events::model::Note;
use pmu_events::sysfs::{self, Pmu};
use pmu_events::{Model, host};

use crate::failure::{Failure, complain, with_sources};
#[cfg(target_os = "linux")]
use crate::machine_args::MachineArgs;
use crate::machine_args::{NamesArgs, SubjectArgs};
use crate::subject;
use crate::trees::{Table, Trees};
use crate::unknown_cpu::what_remains;

/// This machine, or the requested one, with its tables.
pub(crate) struct System {
    machine: pmu_events::System,
    /// The CPUID whose built-in formats replace those of sysfs.
    pub(crate) builtin: Option<String>,
    /// Why there is no model, or not one for each kind of core.
    no_model: Option<String>,
    /// Whether the user has named the model, and the CPU only has its formats.
    is_of_named_model: bool,
}

impl Deref for System {
    type Target = pmu_events::System;

    fn deref(&self) -> &pmu_events::System {
        &self.machine
    }
}

/// The machine of a sysfs or, without one, this machine, with the tables of
/// some trees.
pub(crate) fn machine(
    trees: &'static Trees,
    root: Option<&Path>,
) -> Result<pmu_events::System, Failure> {
    let machine = match root {
        None => pmu_events::System::new(),
        Some(root) if root.is_dir() => pmu_events::System::at(root),
        Some(root) => {
            return Err(Failure::Missing(format!("{}: is not a directory", root.display())));
        }
    };
    Ok(machine.with_trees(trees.trees()).with_encoding(trees.encoding()))
}

impl System {
    /// The machine on which to count.
    #[cfg(target_os = "linux")]
    pub(crate) fn of_args(args: &MachineArgs) -> Result<System, Failure> {
        let system = Self::of(args.tables.trees()?, args.cpuid(), args.sysfs())?;
        Ok(system.with_names(args.names))
    }

    /// The machine on which the counts of a file were counted; nothing is opened.
    #[cfg(target_os = "linux")]
    pub(crate) fn of_file(args: &MachineArgs) -> Result<System, Failure> {
        let system = Self::of_any_machine(args.tables.trees()?, args.cpuid(), args.sysfs())?;
        Ok(system.with_names(args.names))
    }

    /// The same system, on which generic names mean what they should.
    pub(crate) fn with_names(self, names: NamesArgs) -> System {
        System { machine: self.machine.with_generic_names(names.into()), ..self }
    }

    fn of(
        trees: &'static Trees,
        cpuid: Option<&str>,
        sysfs: Option<&Path>,
    ) -> Result<System, Failure> {
        let machine = machine(trees, sysfs)?;
        Ok(Self::with(match cpuid {
            Some(cpuid) => machine.with_cpuid(cpuid),
            None => machine,
        }))
    }

    /// The same for encoding only, without opening, for any machine or model.
    pub(crate) fn of_subject(
        trees: &'static Trees,
        subject: &SubjectArgs,
    ) -> Result<System, Failure> {
        match &subject.cpu.model {
            Some(name) => Self::of_model(trees, name, subject.sysfs()),
            None => Self::of_any_machine(trees, subject.cpu.cpuid(), subject.sysfs()),
        }
    }

    /// A machine other than the one whose sysfs can be read has built-in formats, and so
    /// has this one if its cores have no PMU, as in most virtual machines.
    fn of_any_machine(
        trees: &'static Trees,
        cpuid: Option<&str>,
        sysfs: Option<&Path>,
    ) -> Result<System, Failure> {
        let is_chosen = || env::var_os(sysfs::OVERRIDE).is_some_and(|path| !path.is_empty());
        let is_here = |cpuid| {
            host::cpuid().ok().as_deref() == Some(cpuid)
                && pmu_events::System::new().sysfs().core_pmus().next().is_some()
        };
        if let (Some(cpuid), None) = (cpuid, sysfs)
            && let Some(model) = trees.model(cpuid)
            && !is_chosen()
            && !is_here(cpuid)
        {
            return Ok(Self::of_builtin(trees, model, cpuid));
        }
        Self::of(trees, cpuid, sysfs)
    }

    /// A machine of a model. A CPU of the model selects the formats.
    fn of_model(
        trees: &'static Trees,
        name: &str,
        sysfs: Option<&Path>,
    ) -> Result<System, Failure> {
        let system = Self::of_named(trees, name, sysfs)?;
        Ok(System { is_of_named_model: true, ..system })
    }

    fn of_named(
        trees: &'static Trees,
        name: &str,
        sysfs: Option<&Path>,
    ) -> Result<System, Failure> {
        let tables = subject::named(trees, name)?;
        let with_cpuid = |table: &Table| Some((table.model, trees.cpuid_of(table, name)?));
        let of_cpu = tables.iter().find_map(with_cpuid);
        if sysfs.is_some() {
            let (model, cpuid) = of_cpu.unwrap_or_else(|| (tables[0].model, String::new()));
            let machine = machine(trees, sysfs)?.with_model(model);
            return Ok(Self::with(machine.with_cpuid(cpuid)));
        }
        match of_cpu {
            Some((model, cpuid)) => Ok(Self::of_builtin(trees, model, &cpuid)),
            None => Err(no_formats(name)),
        }
    }

    /// A machine of the first table of a name, with built-in formats.
    pub(crate) fn of_table(trees: &'static Trees, name: &str) -> Result<(System, Table), Failure> {
        let table = subject::named(trees, name)?[0];
        let cpuid = trees.cpuid_of(&table, name).ok_or_else(|| no_formats(name))?;
        Ok((Self::of_builtin(trees, table.model, &cpuid), table))
    }

    fn of_builtin(trees: &'static Trees, model: Model, cpuid: &str) -> System {
        let machine = pmu_events::System::builtin(cpuid, model)
            .with_trees(trees.trees())
            .with_model(model)
            .with_encoding(trees.encoding());
        System { builtin: Some(cpuid.to_string()), ..Self::with(machine) }
    }

    fn with(machine: pmu_events::System) -> System {
        let mut system =
            System { machine, builtin: None, no_model: None, is_of_named_model: false };
        if system.models().is_empty() {
            let told = system.cpuid().map(String::from);
            let error = told.map_or_else(|error| error, host::Error::unknown_cpu);
            let unknown = error.cpuid().filter(|_| error.is_unknown_cpu());
            let remains = unknown.and_then(what_remains);
            let remains = remains.map_or_else(String::new, |remains| format!("; {remains}"));
            let why = with_sources(&error);
            system.no_model =
                Some(format!("there is no table of this CPU's events: {why}{remains}"));
        } else if let Some(pmu) = system.core_pmu_without_model() {
            let error =
                host::cpuid_of_pmu(pmu).map_or_else(|error| error, host::Error::unknown_cpu);
            let name = pmu.name();
            system.no_model = Some(format!(
                "there is no table of the events of PMU `{name}`: {}",
                with_sources(&error)
            ));
        }
        system
    }

    /// Reports on standard error which formats are used in place of those of
    /// sysfs.
    pub(crate) fn tell_of_builtin(&self, command: &str) {
        if let Some(cpuid) = &self.builtin {
            complain(
                command,
                &format!("note: using built-in formats of {cpuid}'s PMUs, not sysfs"),
            );
        }
    }

    /// The notes on tables that were not made for this machine's CPUs.
    pub(crate) fn notes(&self) -> Vec<Note<'_>> {
        if self.is_of_named_model { Vec::new() } else { self.machine.notes() }
    }

    /// Reports them on standard error.
    pub(crate) fn tell_of_cpus(&self, command: &str) {
        self.notes().iter().for_each(|note| complain(command, &format!("note: {note}")));
    }

    /// Runs a command, and reports the notes on standard error: first, or after it unless the
    /// command says that a report of its own has them.
    pub(crate) fn telling<T>(
        &self,
        command: &str,
        first: bool,
        run: impl FnOnce(&mut bool) -> T,
    ) -> T {
        let mut is_told = first;
        if first {
            self.tell_of_cpus(command);
        }
        let ended = run(&mut is_told);
        if !is_told {
            self.tell_of_cpus(command);
        }
        ended
    }

    fn core_pmu_without_model(&self) -> Option<&Pmu> {
        let is_unknown = |pmu: &&Pmu| self.model_of(pmu).is_none();
        self.sysfs().core_pmus().find(is_unknown)
    }

    /// The likely cause of an unknown event.
    pub(crate) fn excuses(&self) -> Vec<String> {
        const MOST: usize = 5;
        let mut excuses = Vec::new();
        if let Some(why) = &self.no_model {
            excuses.push(why.clone());
        }
        if self.sysfs().core_pmus().next().is_none() {
            let root = self.sysfs().root().display();
            excuses.push(format!("there is no hardware PMU of a core below {root}"));
        }
        excuses.extend(self.sysfs().problems().iter().take(MOST).map(ToString::to_string));
        excuses
    }
}

fn no_formats(name: &str) -> Failure {
    Failure::Missing(format!(
        "no formats are built in for the PMUs of model `{name}`; `--sysfs` names a machine's"
    ))
}
