//! `pmu ebb`: opens a group of event-based branches, reports whether it got the
//! PMU, and closes it again.

pub(crate) mod args;

use std::fmt::Write as _;
use std::io::Write as _;

use pmu_events::ebb::{self, BranchGroup, Builder, Enable, Standing};
use pmu_events::event::Encoding;
use pmu_events::power::{Fields, Generation};
use pmu_events::{Model, host};

use crate::failure::{Failure, SUCCESS, with_sources};
use crate::output::Output;
use crate::trees::Trees;
use args::EbbArgs;

pub(crate) fn run(args: &EbbArgs) -> Result<u8, Failure> {
    let trees = Trees::new(args.tree.tree.as_deref(), Encoding::Correct)?;
    let mut text = String::new();
    let result = open(trees, &args.events, &mut text);
    let mut out = Output::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    result.map(|()| SUCCESS).map_err(Failure::Missing)
}

fn open(trees: &'static Trees, events: &[String], out: &mut String) -> Result<(), String> {
    let cpuid = host::cpuid().unwrap_or_default();
    let (generation, cpuid) = match Generation::of_cpuid(&cpuid) {
        Some(generation) => (generation, cpuid.as_str()),
        None => (Generation::Power9, "0x004e1200"),
    };
    let table = trees.of_cpu(cpuid);
    let group = build(generation, table.as_ref().map(|table| table.model), events)?;
    let _ = writeln!(out, "{generation}, CPUID {cpuid}");
    for (name, attr) in events.iter().zip(group.attributes()) {
        let fields = Fields::decode(generation, attr.words());
        let _ = writeln!(out, "{name:17}{:#018x}  {fields}", attr.config);
    }
    match ebb::start(&group, Enable::Ioctl) {
        Ok((branches, standing)) => {
            let _ = writeln!(
                out,
                "opened and enabled: {}",
                match standing {
                    Standing::OnPmu => "it has the PMU",
                    Standing::Waiting => "it has not had its turn",
                    Standing::PushedOut => "another pinned event has the PMU",
                }
            );
            out.push_str(
                "no count: the process has the counters, and the kernel does not follow them\n",
            );
            drop(branches);
            out.push_str("closed\n");
            Ok(())
        }
        Err(error) if error.kind() == ebb::ErrorKind::NotPower => {
            would(out, &group);
            Ok(())
        }
        Err(error) => Err(with_sources(&error)),
    }
}

/// The group of `EVENT[@COUNTER]`…, where an event is a name or a raw code.
fn build(
    generation: Generation,
    model: Option<Model>,
    events: &[String],
) -> Result<BranchGroup, String> {
    let mut request = Builder::new(generation);
    for text in events {
        let (event, counter) = match text.split_once('@') {
            Some((event, counter)) => (event, Some(counter)),
            None => (text.as_str(), None),
        };
        request = match event.strip_prefix("0x").map(|digits| u64::from_str_radix(digits, 16)) {
            Some(Ok(code)) => request.raw(code),
            Some(Err(error)) => return Err(format!("{event}: {error}")),
            None => {
                let model = model.ok_or(format!("no table of {generation} is compiled in"))?;
                request.event(model.event(event).ok_or_else(|| unknown(model, event))?)
            }
        };
        if let Some(counter) = counter {
            request = request.on(counter.parse().map_err(|error| format!("{text}: {error}"))?);
        }
    }
    request.user_only().build().map_err(|broken| broken.to_string())
}

fn unknown(model: Model, event: &str) -> String {
    match model.nearest(event) {
        Some(nearest) => {
            format!("{} has no event `{event}`; did you mean `{nearest}`?", model.name())
        }
        None => format!("{} has no event `{event}`", model.name()),
    }
}

/// What the program does on machines with event-based branches.
fn would(out: &mut String, group: &BranchGroup) {
    out.push_str("This is not a POWER machine. On one, the command would\n");
    for (n, attr) in group.attributes().iter().enumerate() {
        let place = if n == 0 { "pinned, exclusive, disabled" } else { "in its group" };
        let _ = writeln!(
            out,
            "  open event {n} with type {} and config {:#x} for its own thread, {place};",
            attr.kind, attr.config
        );
    }
    out.push_str(
        "  enable the group by an ioctl;\n  \
         read it: the end of the file would say that another pinned event has the PMU;\n  \
         close it.\n",
    );
}
