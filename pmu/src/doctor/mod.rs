//! `pmu doctor`: whether this machine counts truly.

pub(crate) mod args;
mod json;
mod text;

use std::io::{self, Write};

use pmu_events::check::{Ranked, Report};
use pmu_events::open;

use crate::failure::{FAILED, Failure, SUCCESS, USAGE, complain, with_sources};
use crate::output::Output;
use crate::pointer::marked;
use crate::system::System;
use args::DoctorArgs;

pub(crate) fn run(args: &DoctorArgs) -> Result<u8, Failure> {
    let subject = &args.subject;
    let system = System::of_subject(subject.trees()?, subject)?.with_names(args.names);
    system.tell_of_builtin("doctor");
    system.tell_of_cpus("doctor");
    let events = args.events.join(",");
    let is_here = subject.is_this_machine();
    let report = match (is_here, events.as_str()) {
        (true, _) => system.check(&events),
        (false, "") => Ok(system.describe()),
        // Nothing is opened, but a wrong list is wrong.
        (false, _) => match system.resolve(&events) {
            Ok(_) => Ok(system.describe()),
            Err(error) => Err(error.into()),
        },
    };
    let report = match report {
        Ok(report) => report,
        Err(error) => return Ok(misused(&events, &error)),
    };
    let budget = match args.budget.as_deref().map(|list| (list, report.budget(list))) {
        None => Vec::new(),
        Some((_, Ok(budget))) => budget,
        Some((list, Err(error))) => return Ok(misused(list, &error)),
    };
    let mut out = Output::stdout();
    if args.json {
        system.notes().iter().try_for_each(|note| crate::json::note(&mut out, note))?;
    }
    show(&report, &budget, args.json, &mut out)?;
    out.flush()?;
    let is_well = report.is_healthy() && budget.iter().all(is_possible);
    Ok(if is_well { SUCCESS } else { FAILED })
}

/// Whether an item of a budget is counted, all the time or in turn.
fn is_possible(item: &Ranked) -> bool {
    item.is_counted() || item.is_multiplexed()
}

fn show(report: &Report, budget: &[Ranked], json: bool, out: &mut Output) -> io::Result<()> {
    match json {
        true => json::write(report, budget, out),
        false => text::write(report, budget, out),
    }
}

/// Reports a list that cannot be parsed.
fn misused(list: &str, error: &open::Error) -> u8 {
    let mut message = with_sources(error);
    if let Some(span) = error.span() {
        message.push('\n');
        message.push_str(&marked(list, span));
    }
    complain("doctor", &message);
    USAGE
}
